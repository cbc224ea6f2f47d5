//! The documents name files and what is in them; these must be there. Inline code of the form `path/file.rs`, or of
//! another of our kinds of file, names a file, from the root of the repository or below `core/src`; `path/file.rs: one, other` also names items of it. Links
//! within the repository lead to a file and, where they name one, to a heading. Inline code of the form `section.key`
//! in the handbook names a setting that the example configuration shows.

#![expect(clippy::unwrap_used, reason = "what cannot be read fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

/// From the root of the repository.
const DOCUMENTS: [&str; 3] =
    ["core/docs/life-of-a-message.md", "core/docs/life-of-a-call.md", ".github/CONTRIBUTING.md"];

/// The handbook, from the root of the repository.
const HANDBOOK: &str = "daemon/handbook";
/// Pages of the handbook are short.
const LINES_MAX: usize = 200;

/// Further documents with links.
const LINKING: [&str; 5] = [
    "README.md",
    ".github/SECURITY.md",
    "examples/README.md",
    "examples/voice/README.md",
    "console/README.md",
];

/// Sections of the configuration that the handbook names settings of.
const SECTIONS: [&str; 7] = ["server", "database", "limits", "dispatch", "notices", "payment", "log"];

/// Files that documents name by their paths.
const KINDS_OF_FILE: [&str; 5] = [".rs", ".ts", ".tsx", ".toml", ".md"];

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
    let is_ours = KINDS_OF_FILE.iter().any(|kind| path.ends_with(kind));
    let is_path = is_ours && path.contains('/') && !path.starts_with('/') && !path.contains([' ', '*']);
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
    }) || is_of_words(source, item)
}

/// Whether `words!` makes an enum of this name: it stands there without a keyword, alone or as `Name by numbers`.
fn is_of_words(source: &str, item: &str) -> bool {
    let heads = source.lines().filter_map(|line| line.trim().strip_suffix(" {"));
    heads.map(|head| head.split_once(" by ").map_or(head, |(name, _)| name)).any(|name| name == item)
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

/// The pages of the handbook, from the root of the repository.
fn handbook() -> Vec<String> {
    let files = fs::read_dir(root().join(HANDBOOK)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> = names.map(|name| format!("{HANDBOOK}/{name}")).collect();
    pages.sort();
    pages
}

/// Where the links of a document lead, without those to other places than this repository.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let targets = prose.flat_map(|prose| prose.split("](").skip(1));
    let targets = targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://")).collect()
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2);
    let headings = prose.flat_map(str::lines).filter(|line| line.starts_with('#'));
    let titles = headings.map(|heading| heading.trim_start_matches('#').trim().to_lowercase());
    let is_kept = |sign: &char| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_');
    titles.map(|title| title.chars().filter(is_kept).collect::<String>().replace(' ', "-")).collect()
}

/// The links of a document, which lies at this path, that lead nowhere.
fn lost_links(document: &str, text: &str) -> Vec<String> {
    let folder = root().join(document).parent().unwrap().to_owned();
    let leads = |link: &str| {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let file = if path.is_empty() { root().join(document) } else { folder.join(path) };
        let has_heading = || {
            let text = if path.is_empty() { Some(text.to_owned()) } else { fs::read_to_string(&file).ok() };
            text.is_some_and(|text| anchors(&text).iter().any(|it| it == anchor))
        };
        file.exists() && (anchor.is_empty() || has_heading())
    };
    links(text).into_iter().filter(|link| !leads(link)).map(str::to_owned).collect()
}

/// The settings that a document names.
fn settings(text: &str) -> Vec<(String, String)> {
    let codes = inline_code(text);
    let named = codes.iter().filter_map(|code| code.split_once('.'));
    let is_key = |key: &str| key.chars().all(|sign| sign.is_ascii_lowercase() || sign == '_');
    let settings = named.filter(|(section, key)| SECTIONS.contains(section) && is_key(key));
    settings.map(|(section, key)| (section.to_owned(), key.to_owned())).collect()
}

#[test]
fn the_links_of_documents_lead_somewhere() {
    let documents = DOCUMENTS.into_iter().chain(LINKING).map(str::to_owned);
    let mut count = 0;
    for document in documents.chain(handbook()) {
        let text = fs::read_to_string(root().join(&document)).unwrap();
        assert_eq!(lost_links(&document, &text), [""; 0], "{document}");
        count += links(&text).len();
    }
    assert!(count > 60, "{count} links only");
}

#[test]
fn the_pages_of_the_handbook_are_short_and_all_are_on_its_map() {
    let map = fs::read_to_string(root().join(HANDBOOK).join("index.md")).unwrap();
    for page in handbook() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        assert!(text.lines().count() <= LINES_MAX, "{page} has {} lines", text.lines().count());
        let name = page.rsplit('/').next().unwrap();
        assert!(name == "index.md" || links(&map).contains(&name), "{page} is not on the map");
        let (missing, _) = check(&text);
        assert!(missing.is_empty(), "{page} names what is not there: {missing:#?}");
    }
}

#[test]
fn the_settings_that_the_handbook_names_are_in_the_example() {
    let example = fs::read_to_string(root().join("examples/config/talkdrum.toml")).unwrap();
    let mut count = 0;
    for page in handbook() {
        for (section, key) in settings(&fs::read_to_string(root().join(&page)).unwrap()) {
            let is_shown =
                [&format!("{key} = "), &format!("{section}.{key}")].iter().any(|it| example.contains(*it));
            assert!(is_shown, "{page}: {section}.{key}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} settings only");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let text = "# The first, of two\n[a](install.md), [b](no_such.md) [c](#the-first-of-two) [d](#the-second)\n\
                [e](install.md#configure-it) [f](install.md#burn-it) [g](https://example.com/x)\n```text\n[h](nowhere)\n```\n";
    assert_eq!(
        lost_links("daemon/handbook/index.md", text),
        ["no_such.md", "#the-second", "install.md#burn-it"]
    );
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
