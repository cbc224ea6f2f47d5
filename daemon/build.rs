//! Rebuilds when the pages were built anew: the macro that embeds them does not see new files by itself.

fn main() {
    let pages =
        if std::path::Path::new("../console/dist").exists() { "../console/dist" } else { "../console" };
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={pages}");
}
