//! The documents name files and what is in them; these must be there. Inline code of the form `path/file.rs` names a
//! file, from the root of the repository or below `core/src`; `path/file.rs: one, other` also names items of it.

#![expect(clippy::unwrap_used, reason = "what cannot be read fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

/// From the root of the repository.
const DOCUMENTS: [&str; 3] =
    ["core/docs/life-of-a-message.md", "core/docs/life-of-a-call.md", ".github/CONTRIBUTING.md"];

/// What stands before the name of an item where it is defined.
const KEYWORDS: [&str; 7] = ["fn", "struct", "enum", "trait", "const", "type", "mod"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The inline code of a document, without its blocks.
fn inline_code(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2);
    let code = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
    code.map(|code| code.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The file that a piece of inline code names, with the items.
fn reference(code: &str) -> Option<(&str, Vec<&str>)> {
    let (path, items) = code.split_once(": ").unwrap_or((code, ""));
    let is_path = path.ends_with(".rs") && path.contains('/') && !path.contains(' ');
    is_path.then(|| (path, items.split(", ").filter(|item| !item.is_empty()).collect()))
}

/// Whether a source text defines an item of this name.
fn defines(source: &str, item: &str) -> bool {
    KEYWORDS.iter().any(|keyword| {
        let definition = format!("{keyword} {item}");
        source.match_indices(&definition).any(|(at, _)| {
            let is_part_of_a_name = |sign: char| sign.is_alphanumeric() || sign == '_';
            let before = source[..at].chars().next_back();
            let after = source[at + definition.len()..].chars().next();
            !before.is_some_and(is_part_of_a_name) && !after.is_some_and(is_part_of_a_name)
        })
    })
}

/// What a document names that is not there, and how many files it names.
fn check(text: &str) -> (Vec<String>, usize) {
    let (root, mut missing, mut files) = (root(), Vec::new(), 0);
    for code in inline_code(text) {
        let Some((path, items)) = reference(&code) else { continue };
        files += 1;
        let places = [root.join(path), root.join("core/src").join(path)];
        let Some(source) = places.iter().find_map(|place| fs::read_to_string(place).ok()) else {
            missing.push(path.to_owned());
            continue;
        };
        missing.extend(
            items.iter().filter(|item| !defines(&source, item)).map(|item| format!("{path}: {item}")),
        );
    }
    (missing, files)
}

#[test]
fn the_files_and_functions_that_documents_name_are_there() {
    for document in DOCUMENTS {
        let (missing, files) = check(&fs::read_to_string(root().join(document)).unwrap());
        assert!(missing.is_empty(), "{document} names what is not there: {missing:#?}");
        assert!(files > 10, "{document} names {files} files only");
    }
}

#[test]
fn what_is_not_there_is_found() {
    let text = "`core/src/lib.rs`, `store/no_such_file.rs`, `store/chunk/mod.rs: claim, no_such\nfn`, `let x`, `a.rs`\n\
                ```text\n`in/a/block.rs`\n```\n`worker/mod.rs: dispatch, dispatc`";
    let missing = ["store/no_such_file.rs", "store/chunk/mod.rs: no_such fn", "worker/mod.rs: dispatc"];
    assert_eq!(check(text), (missing.map(str::to_owned).to_vec(), 4));
}
