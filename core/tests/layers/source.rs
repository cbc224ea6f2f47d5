//! The modules of a package, read from the source without its tests, and what each of them names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// A module that is compiled without tests.
pub(crate) struct Module {
    /// `["store", "chunk"]`
    pub(crate) path: Vec<String>,
    pub(crate) file: PathBuf,
    pub(crate) source: syn::File,
}

/// Names, each with the path from the root of what it means.
pub(crate) type GivenNames = BTreeMap<String, Vec<String>>;

impl Module {
    /// The names that its `use` items give to what is elsewhere.
    pub(crate) fn given_names(&self) -> GivenNames {
        let mut names = BTreeMap::new();
        for item in &self.source.items {
            let syn::Item::Use(item) = item else { continue };
            if is_for_tests(&item.attrs) {
                continue;
            }
            let mut reader = Reader::new(self);
            reader.visit_item_use(item);
            names.extend(reader.given);
        }
        names
    }
}

pub(crate) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        let condition = list.tokens.to_string();
        condition == "test" || condition.starts_with("any (test") || condition.starts_with("any(test")
    })
}

/// The module in `file` and those below it.
fn read(file: PathBuf, path: Vec<String>, modules: &mut Vec<Module>) {
    let text = fs::read_to_string(&file).unwrap();
    let source = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let beside = match file.file_name().and_then(|name| name.to_str()) {
        Some("lib.rs" | "main.rs" | "mod.rs") => file.parent().unwrap().to_owned(),
        _ => file.with_extension(""),
    };
    for item in &source.items {
        let syn::Item::Mod(module) = item else { continue };
        if module.content.is_some() || is_for_tests(&module.attrs) {
            continue;
        }
        let name = module.ident.to_string();
        let files = [beside.join(format!("{name}.rs")), beside.join(&name).join("mod.rs")];
        let below = files.into_iter().find(|file| file.exists()).unwrap();
        read(below, [path.clone(), vec![name]].concat(), modules);
    }
    modules.push(Module { path, file, source });
}

/// The modules of core.
pub(crate) fn modules() -> Vec<Module> {
    modules_from(CORE, 200)
}

/// Where the packages begin.
pub(crate) const CORE: &str = "core/src/lib.rs";
const API: &str = "core/api/src/lib.rs";
const SIP: &str = "core/sip/src/lib.rs";
pub(crate) const DAEMON: &str = "daemon/src/lib.rs";
pub(crate) const CLI: &str = "cli/src/main.rs";

/// The packages, each with how many modules it has at least.
pub(crate) const PACKAGES: [(&str, usize); 5] = [(CORE, 200), (API, 25), (SIP, 15), (DAEMON, 150), (CLI, 80)];

/// The modules of the crate that begins at `root`: more than `least` of them.
pub(crate) fn modules_from(root: &str, least: usize) -> Vec<Module> {
    let mut modules = Vec::new();
    read(repository().join(root), Vec::new(), &mut modules);
    assert!(modules.len() > least, "the source was not found");
    modules
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a module names of this crate, as paths from the root, and its string literals.
#[derive(Default)]
pub(crate) struct Reader<'m> {
    module: Vec<&'m str>,
    /// The modules that it has, which a path may begin with.
    below: BTreeSet<String>,
    pub(crate) named: Vec<Vec<String>>,
    pub(crate) texts: Vec<String>,
    /// The names that `use` gives.
    given: GivenNames,
}

impl<'m> Reader<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        let below = module.source.items.iter().filter_map(|item| match item {
            syn::Item::Mod(below) => Some(below.ident.to_string()),
            _ => None,
        });
        let path = module.path.iter().map(String::as_str).collect();
        Self { module: path, below: below.collect(), ..Self::default() }
    }

    pub(crate) fn of(module: &'m Module) -> Self {
        let mut reader = Self::new(module);
        reader.visit_file(&module.source);
        reader
    }

    fn name(&mut self, path: &[String]) {
        let mut above = self.module.len();
        let mut rest = path;
        match rest.first().map(String::as_str) {
            Some("crate") => {
                self.named.push(rest[1..].to_vec());
                return;
            }
            Some("self" | "super") => {}
            // A name by itself is one of the file's own.
            Some(first) if path.len() > 1 && self.below.contains(first) => {}
            _ => return,
        }
        while let Some(first @ ("self" | "super")) = rest.first().map(String::as_str) {
            above -= usize::from(first == "super" && above > 0);
            rest = &rest[1..];
        }
        let head = self.module[..above].iter().map(|&part| part.to_owned());
        self.named.push(head.chain(rest.iter().cloned()).collect());
    }

    /// Gives a name to what a path means.
    fn give(&mut self, name: String, path: &[String]) {
        let known = self.named.len();
        self.name(path);
        self.given.extend(self.named.get(known).map(|full| (name, full.clone())));
    }

    pub(crate) fn use_tree(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |ident: &syn::Ident| [before, &[ident.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.use_tree(&path.tree, &with(&path.ident)),
            syn::UseTree::Name(name) if name.ident == "self" => {
                self.give(before.last().cloned().unwrap_or_default(), before);
            }
            syn::UseTree::Name(name) => self.give(name.ident.to_string(), &with(&name.ident)),
            syn::UseTree::Rename(name) if name.ident == "self" => self.give(name.rename.to_string(), before),
            syn::UseTree::Rename(name) => self.give(name.rename.to_string(), &with(&name.ident)),
            syn::UseTree::Glob(_) => self.name(before),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.use_tree(tree, before)),
        }
    }

    /// Paths and texts in the arguments of a macro, which are tokens.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        use proc_macro2::TokenTree;
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => colons += 1,
                TokenTree::Ident(ident) if path.is_empty() || colons == 2 => {
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.name(&std::mem::take(&mut path));
                    colons = 0;
                    match other {
                        TokenTree::Group(group) => self.tokens(group.stream()),
                        TokenTree::Ident(ident) => path.push(ident.to_string()),
                        TokenTree::Literal(literal) => {
                            if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                                self.texts.push(text.value());
                            }
                        }
                        TokenTree::Punct(_) => {}
                    }
                }
            }
        }
        self.name(&path);
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(it) => &it.attrs,
            syn::Item::Fn(it) => &it.attrs,
            syn::Item::Impl(it) => &it.attrs,
            syn::Item::Use(it) => &it.attrs,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.use_tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.name(&names);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, it: &'ast syn::Macro) {
        self.tokens(it.tokens.clone());
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.texts.push(text.value());
    }

    // Documentation may name what it likes.
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}
}
