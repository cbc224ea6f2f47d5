//! The layers of `core/src` (see the head of `lib.rs`): each room imports only what stands below it, no two rooms of a
//! layer import each other, and SQL is in `store` alone. In every package the files, and the parts of each folder, need each
//! other in no circle. Read from the source, without its tests.
//!
//! What is allowed all the same:
//! - The rooms of the bottom layer may import each other.
//! - A file may name what stands in a `mod.rs` above it, and that file what stands below it: they are one part.
//! - A name counts as the file that it leads to, not as the file that passes it on by `pub use`. A method is no name: a call
//!   of one on a type that both files know is not seen.
//! - Two halves of one idea may need each other, and the parts of a few folders: `HALVES` and `ENTANGLED`, with the reasons.
//! - The room `testing` is in no layer; documentation may name what it likes.

#![expect(clippy::unwrap_used, reason = "what cannot be read fails the test")]

#[path = "layers/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use source::{
    CLI, CORE, DAEMON, GivenNames, Module, PACKAGES, Reader, is_for_tests, modules, modules_from, repository,
};

/// The rooms, top to bottom.
const LAYERS: [&[&str]; 13] = [
    &["worker"],
    &["operate", "inbound", "webhook"],
    &["campaign"],
    &["sender", "payment"],
    &["account"],
    &["notice"],
    &["routing", "contact", "settings", "voice"],
    &["platform", "ledger"],
    &["store"],
    &["carrier"],
    &["model"],
    &["content", "phone"],
    &["time", "entropy", "error", "json_column", "words"],
];

/// What the root gives other names to: `Time` is in the room `time`.
fn names_of_the_root(modules: &[Module]) -> BTreeMap<String, String> {
    let root = modules.iter().find(|module| module.path.is_empty()).unwrap();
    let mut names = BTreeMap::new();
    for item in &root.source.items {
        let syn::Item::Use(item) = item else { continue };
        let syn::UseTree::Path(path) = &item.tree else { continue };
        let mut leaves = Reader::default();
        leaves.use_tree(&path.tree, &["crate".to_owned()]);
        names.extend(leaves.named.into_iter().map(|leaf| (leaf[0].clone(), path.ident.to_string())));
    }
    names
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

#[test]
fn a_room_imports_only_what_stands_below_it() {
    let modules = modules();
    let renamed = names_of_the_root(&modules);
    let mut wrong = Vec::new();
    for module in modules.iter().filter(|module| !module.path.is_empty()) {
        let room = &module.path[0];
        let Some(height) = layer(room) else {
            assert_eq!(room, "testing", "{room} has no layer");
            continue;
        };
        for named in Reader::of(module).named {
            let Some(first) = named.first() else { continue };
            let other = renamed.get(first).unwrap_or(first);
            if other == room {
                continue;
            }
            if let Some(below) = layer(other)
                && (below < height || (below == height && height < LAYERS.len() - 1))
            {
                wrong.push(format!("{} names {}", module.file.display(), named.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that run up, or to a room of the same layer:\n{}", wrong.join("\n"));
}

/// The files that a module needs, by their place among the modules: not those above it, whose items are its own.
fn needs(
    module: &Module,
    modules: &[Module],
    given: &[GivenNames],
    places: &BTreeMap<&[String], usize>,
) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for named in Reader::of(module).named {
        let mut path = named;
        // A name that a module gives to what is elsewhere leads there; a chain of them ends.
        for _ in 0..8 {
            let Some(length) = (0..=path.len()).rev().find(|length| places.contains_key(&path[..*length]))
            else {
                break;
            };
            let place = places[&path[..length]];
            let elsewhere = path.get(length).and_then(|name| given[place].get(name));
            let Some(elsewhere) = elsewhere else {
                if !module.path.starts_with(&modules[place].path) {
                    found.insert(place);
                }
                break;
            };
            path = [elsewhere, &path[length + 1..]].concat();
        }
    }
    found
}

/// Whether `to` can be reached from `from`, and by which way.
fn way(needs: &[BTreeSet<usize>], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut before = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(place) = waiting.pop_front() {
        for &next in &needs[place] {
            if next == to {
                let mut way = vec![to, place];
                while let Some(&earlier) = before.get(way.last().unwrap()) {
                    way.push(earlier);
                }
                way.reverse();
                return Some(way);
            }
            if next != from && !before.contains_key(&next) {
                before.insert(next, place);
                waiting.push_back(next);
            }
        }
    }
    None
}

/// Pairs of files that are two halves of one idea, each with the reason.
const HALVES: [(&str, &str); 2] = [
    // An error tells the limits that it is about.
    ("content::error", "content::page"),
    // A form may hold a file, and a file comes in a form.
    ("http::body", "http::upload"),
];

fn are_halves(names: &BTreeSet<String>) -> bool {
    let is_half = |name: &str| names.contains(name);
    names.len() == 2 && HALVES.iter().any(|(one, other)| is_half(one) && is_half(other))
}

/// What each module needs, see [`needs`].
fn all_needs(modules: &[Module]) -> Vec<BTreeSet<usize>> {
    let places = modules.iter().enumerate().map(|(place, module)| (&*module.path, place)).collect();
    let given: Vec<_> = modules.iter().map(Module::given_names).collect();
    let all: Vec<_> = modules.iter().map(|module| needs(module, modules, &given, &places)).collect();
    assert!(all.iter().any(|it| !it.is_empty()), "nothing needs anything");
    all
}

#[test]
fn no_files_need_each_other_in_a_circle() {
    let mut circles = BTreeSet::new();
    for (root, least) in PACKAGES {
        let modules = modules_from(root, least);
        let needs = all_needs(&modules);
        for place in 0..modules.len() {
            let Some(way) = way(&needs, place, place) else { continue };
            let names: BTreeSet<String> = way.iter().map(|&it| modules[it].path.join("::")).collect();
            circles.insert((root, names));
        }
    }
    circles.retain(|(_, names)| !are_halves(names));
    assert!(circles.is_empty(), "files that need each other in a circle: {circles:#?}");
}

/// Folders whose parts need each other, each with the reason.
const ENTANGLED: [&str; 3] = [
    // A code is asked for with a password and begins a session, and each of them is a user's.
    "account",
    // The tables of one database: statements of one read those of others.
    "store",
    // A transaction gives its reader back to where it is from.
    "store::db",
];

#[test]
fn the_parts_of_a_folder_need_each_other_in_no_circle() {
    let mut circles = BTreeSet::new();
    for (root, least) in PACKAGES {
        let modules = modules_from(root, least);
        let needs = all_needs(&modules);
        for folder in modules.iter().map(|module| &*module.path) {
            // The rooms of core are layers, see above.
            if (root == CORE && folder.is_empty()) || ENTANGLED.contains(&&*folder.join("::")) {
                continue;
            }
            let part_of = |place: usize| modules[place].path.strip_prefix(folder)?.first();
            let parts: BTreeSet<&String> = (0..modules.len()).filter_map(part_of).collect();
            let parts: Vec<&String> = parts.into_iter().collect();
            let place_of = |module| parts.binary_search(&part_of(module)?).ok();
            let mut needed = vec![BTreeSet::new(); parts.len()];
            for (module, needs) in needs.iter().enumerate() {
                let Some(from) = place_of(module) else { continue };
                needed[from].extend(needs.iter().filter_map(|it| place_of(*it)).filter(|to| *to != from));
            }
            circles.extend((0..parts.len()).filter_map(|part| {
                let way = way(&needed, part, part)?;
                let names: BTreeSet<String> =
                    way.iter().map(|it| [folder, &[parts[*it].clone()]].concat().join("::")).collect();
                Some((root, names))
            }));
        }
    }
    circles.retain(|(_, names)| !are_halves(names));
    assert!(circles.is_empty(), "parts of a folder that need each other in a circle: {circles:#?}");
}

/// The longest module of tests in the file that it tests, in lines; a longer one is `tests.rs` below it.
const INLINE_TESTS_MAX: usize = 150;

#[test]
fn long_tests_have_a_file_of_their_own() {
    let mut files = Vec::new();
    for root in ["core/src", "core/api/src", "core/sip/src", "daemon/src", "cli/src"] {
        find_sources(&repository().join(root), &mut files);
    }
    assert!(files.len() > 500, "the source was not found");
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(repository()).unwrap().display().to_string();
        let Some((_, tests)) = text.split_once("\nmod tests {\n") else { continue };
        let lines = tests.lines().take_while(|line| *line != "}").count();
        if lines > INLINE_TESTS_MAX {
            wrong.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(wrong.is_empty(), "tests that belong in a file `tests.rs` of their own:\n{}", wrong.join("\n"));
}

#[test]
fn no_example_stands_where_none_is_compiled() {
    let mut files = Vec::new();
    for root in ["core/src", "daemon/src"] {
        find_sources(&repository().join(root), &mut files);
    }
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let fences = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("//")?.get(1..)?.trim().strip_prefix("```"));
        if fences.step_by(2).any(|kind| !["text", "ignore", "sh"].contains(&kind)) {
            wrong.push(file);
        }
    }
    assert!(
        wrong.is_empty(),
        "mark these as text or ignore, as the packages say `doctest = false`: {wrong:#?}"
    );
}

fn find_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The public types among items, also those that `words!` makes.
fn public_types(items: &[syn::Item]) -> Vec<String> {
    let is_public = |visibility: &syn::Visibility| matches!(visibility, syn::Visibility::Public(_));
    let mut found = Vec::new();
    for item in items {
        let (visibility, name) = match item {
            syn::Item::Struct(it) => (&it.vis, &it.ident),
            syn::Item::Enum(it) => (&it.vis, &it.ident),
            syn::Item::Trait(it) => (&it.vis, &it.ident),
            syn::Item::Type(it) => (&it.vis, &it.ident),
            syn::Item::Mod(it) if !is_for_tests(&it.attrs) => {
                found.extend(it.content.iter().flat_map(|(_, items)| public_types(items)));
                continue;
            }
            syn::Item::Macro(it) if it.mac.path.is_ident("words") => {
                let mut tokens = it.mac.tokens.clone().into_iter();
                // The documentation before it is attributes: signs and groups.
                let name = tokens.find_map(|token| match token {
                    proc_macro2::TokenTree::Ident(name) => Some(name.to_string()),
                    _ => None,
                });
                found.extend(name);
                continue;
            }
            _ => continue,
        };
        if is_public(visibility) {
            found.push(name.to_string());
        }
    }
    found
}

#[test]
fn no_two_public_types_of_core_have_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for module in modules().iter().filter(|module| module.path.first().is_none_or(|room| room != "testing")) {
        for name in public_types(&module.source.items) {
            places.entry(name).or_default().push(module.file.display().to_string());
        }
    }
    assert!(places.len() > 400, "{} types: they were not found", places.len());
    assert!(places.contains_key("CampaignStatus"), "those of words! were not found");
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "public types of one name: {places:#?}");
}

#[test]
fn sql_is_in_the_store_alone() {
    let is_sql = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().take(8).collect();
        match words.first().copied() {
            Some("SELECT") => text.contains(" FROM ") || words.len() > 2,
            Some("INSERT") => words.get(1) == Some(&"INTO"),
            Some("DELETE") => words.get(1) == Some(&"FROM"),
            Some("UPDATE") => words.contains(&"SET"),
            _ => false,
        }
    };
    let mut wrong = Vec::new();
    let core = modules().into_iter().filter(|module| {
        module.path.first().is_some_and(|room| !["store", "testing"].contains(&room.as_str()))
    });
    for module in core.chain(modules_from(DAEMON, 150)).chain(modules_from(CLI, 80)) {
        let texts = Reader::of(&module).texts;
        let sql = texts.iter().filter(|text| is_sql(text));
        wrong.extend(sql.map(|text| format!("{}: {text}", module.file.display())));
    }
    assert!(wrong.is_empty(), "SQL outside core/src/store:\n{}", wrong.join("\n"));
}

/// Ids that are numbers, each with the reason.
const UNTYPED: [(&str, &str); 5] = [
    // A recording: its type stands above this room, which it is written to JSON in.
    ("content::call", "id"),
    // Of any table.
    ("operate::retention::aged", "ids"),
    // A group or a customer, as the target says.
    ("store::contact::import", "target_id"),
    // Of any table.
    ("store::operations::purge", "id"),
    // A caller's field, as it is written into an address.
    ("webhook::receipt_callback::placeholder", "message_id"),
];

/// Whether this is `i64`, or some of them.
fn is_number(it: &syn::Type) -> bool {
    match it {
        syn::Type::Reference(it) => is_number(&it.elem),
        syn::Type::Slice(it) => is_number(&it.elem),
        syn::Type::Path(it) => it.path.segments.last().is_some_and(|last| match &last.arguments {
            syn::PathArguments::AngleBracketed(of) => {
                of.args.iter().any(|one| matches!(one, syn::GenericArgument::Type(one) if is_number(one)))
            }
            _ => last.ident == "i64",
        }),
        _ => false,
    }
}

/// Fields of structs and arguments of functions that are named as ids and are numbers.
fn untyped_ids(items: &[syn::Item]) -> BTreeSet<String> {
    let is_id = |name: &str| {
        ["id", "ids", "owner", "me"].contains(&name) || name.ends_with("_id") || name.ends_with("_ids")
    };
    let mut found = BTreeSet::new();
    let mut look = |name: String, it: &syn::Type| {
        if is_id(&name) && is_number(it) {
            found.insert(name);
        }
    };
    for item in items {
        let (fields, inputs): (Vec<&syn::Field>, Vec<&syn::FnArg>) = match item {
            syn::Item::Struct(it) => (it.fields.iter().collect(), Vec::new()),
            syn::Item::Enum(it) => (it.variants.iter().flat_map(|one| &one.fields).collect(), Vec::new()),
            syn::Item::Fn(it) => (Vec::new(), it.sig.inputs.iter().collect()),
            syn::Item::Impl(it) => {
                let functions = it.items.iter().filter_map(|one| match one {
                    syn::ImplItem::Fn(one) => Some(&one.sig.inputs),
                    _ => None,
                });
                (Vec::new(), functions.flatten().collect())
            }
            _ => continue,
        };
        for field in fields {
            look(field.ident.as_ref().map(ToString::to_string).unwrap_or_default(), &field.ty);
        }
        for input in inputs {
            let syn::FnArg::Typed(input) = input else { continue };
            let syn::Pat::Ident(name) = &*input.pat else { continue };
            look(name.ident.to_string(), &input.ty);
        }
    }
    found
}

#[test]
fn ids_of_rows_have_types_of_their_own() {
    let mut found = BTreeSet::new();
    for module in modules().iter().filter(|module| module.path.first().is_none_or(|room| room != "testing")) {
        let path = module.path.join("::");
        found.extend(untyped_ids(&module.source.items).into_iter().map(|name| (path.clone(), name)));
    }
    let allowed: BTreeSet<_> =
        UNTYPED.iter().map(|(path, name)| ((*path).to_owned(), (*name).to_owned())).collect();
    assert_eq!(found, allowed);
}
