//! Rebuilds when the pages were built again, as the macro that embeds them does not see new files by itself; and packs the
//! OpenAPI document.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The document as the tests accepted it, below the head of its file.
const DOCUMENT: &str = "src/openapi.snap";

fn main() -> Result<(), Box<dyn Error>> {
    let pages = if Path::new("../console/dist").exists() { "../console/dist" } else { "../console" };
    for seen in ["build.rs", DOCUMENT, pages] {
        println!("cargo::rerun-if-changed={seen}");
    }
    let snapshot = fs::read_to_string(DOCUMENT)?;
    let (_, document) = snapshot.split_once("\n---\n").ok_or("openapi.snap has no head")?;
    let packed = File::create(Path::new(&std::env::var("OUT_DIR")?).join("openapi.json.gz"))?;
    let mut packed = GzEncoder::new(packed, Compression::best());
    packed.write_all(document.trim_end().as_bytes())?;
    packed.finish()?;
    Ok(())
}
