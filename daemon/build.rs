//! Rebuilds when the pages were built again, as the macro that embeds them does not see new files by itself; packs the
//! OpenAPI document, and the table of relative relocations.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

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
    if is_for_packed_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// Whether what is built runs here, and the C library is glibc 2.36 or newer, the first that reads packed relocations (DT_RELR).
/// They make talkdrumd 1.2 MiB smaller.
fn is_for_packed_relocations() -> bool {
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    if var("CARGO_CFG_TARGET_ENV") != "gnu" || var("HOST") != var("TARGET") {
        return false;
    }
    // `glibc 2.36`
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let told = told.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = told.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let version =
        version.and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    version.is_some_and(|version| version >= (2, 36))
}
