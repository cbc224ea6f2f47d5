//! Which build this is: the version of the packages and, where the build was told it, the commit.
//!
//! `make build` and `make package` set `TALKDRUM_COMMIT`. Other builds leave it out: a commit in them would have every
//! crate built again after each commit.

use std::sync::LazyLock;

/// The version of all packages, as `0.1.0`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that was built, as twelve hexadecimal digits, with `-dirty` where files differed from it.
pub const COMMIT: Option<&str> = match option_env!("TALKDRUM_COMMIT") {
    Some(commit) if !commit.is_empty() => Some(commit),
    _ => None,
};

/// The version with the commit, as `0.1.0 (5d0c1e2f3a4b)`: what `--version` says.
pub fn full() -> &'static str {
    static FULL: LazyLock<String> = LazyLock::new(|| joined(COMMIT));
    &FULL
}

fn joined(commit: Option<&str>) -> String {
    commit.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION} ({commit})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_was_not_told_its_commit_names_none() {
        assert_eq!(joined(None), VERSION);
        assert_eq!(joined(Some("5d0c1e2f3a4b-dirty")), format!("{VERSION} (5d0c1e2f3a4b-dirty)"));
    }
}
