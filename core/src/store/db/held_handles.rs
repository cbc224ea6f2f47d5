//! No handle for reading is held over what is done with what was read. What stands in the head of a `match`, `for`, `if let`
//! or `while let` lives until its body ends: a body that takes another handle needs two at once, and as many tasks as there
//! are handles then wait for each other. Read from the source of core and daemon.

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// The heads of one file that take a handle.
#[derive(Default)]
struct Heads {
    found: Vec<&'static str>,
}

impl Heads {
    fn look(&mut self, form: &'static str, head: &syn::Expr) {
        let mut taken = Taken(false);
        taken.visit_expr(head);
        if taken.0 {
            self.found.push(form);
        }
    }
}

impl<'ast> Visit<'ast> for Heads {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        self.look("match", &it.expr);
        visit::visit_expr_match(self, it);
    }

    fn visit_expr_for_loop(&mut self, it: &'ast syn::ExprForLoop) {
        self.look("for", &it.expr);
        visit::visit_expr_for_loop(self, it);
    }

    /// Also one of several conditions.
    fn visit_expr_let(&mut self, it: &'ast syn::ExprLet) {
        self.look("if let or while let", &it.expr);
        visit::visit_expr_let(self, it);
    }
}

/// Whether an expression takes a handle that lives as long as itself.
struct Taken(bool);

impl<'ast> Visit<'ast> for Taken {
    fn visit_expr_await(&mut self, it: &'ast syn::ExprAwait) {
        if let syn::Expr::MethodCall(call) = &*it.base
            && call.args.is_empty()
            && (call.method == "read" || call.method == "snapshot")
        {
            self.0 = true;
        }
        visit::visit_expr_await(self, it);
    }

    // What is taken within these is given back at their end.
    fn visit_block(&mut self, _: &'ast syn::Block) {}
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

fn heads(source: &str) -> Vec<&'static str> {
    let mut heads = Heads::default();
    heads.visit_file(&syn::parse_file(source).unwrap());
    heads.found
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" && name != "testing" && name != "simulation" {
            sources(&path, files);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            files.push(path);
        }
    }
}

#[test]
fn no_handle_for_reading_is_held_over_what_is_done_with_what_was_read() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for root in [core.join("src"), core.join("../daemon/src")] {
        sources(&root, &mut files);
    }
    assert!(files.len() > 400, "the source was not found");
    let mut wrong = Vec::new();
    for file in files {
        let found = heads(&fs::read_to_string(&file).unwrap());
        wrong.extend(found.into_iter().map(|form| format!("{}: {form}", file.display())));
    }
    assert!(wrong.is_empty(), "take the handle in a statement before:\n{}", wrong.join("\n"));
}

#[test]
fn each_form_is_seen_and_what_gives_the_handle_back_is_not() {
    let body = |line: &str| heads(&format!("async fn f() {{ {line} }}"));
    for (line, form) in [
        ("match a(&mut s.read().await?).await? { _ => {} }", "match"),
        ("for x in a(&mut s.read().await?).await? { b(x).await }", "for"),
        ("while let Some(x) = a(&mut s.snapshot().await?).await? { b(x).await }", "if let or while let"),
        ("if c && let Some(x) = a(&mut s.read().await?).await? { b(x).await }", "if let or while let"),
    ] {
        assert_eq!(body(line), [form], "{line}");
    }
    for line in [
        "let x = a(&mut s.read().await?).await?; match x { _ => {} }",
        "if a(&mut s.read().await?).await? { b().await }",
        "match { let x = a(&mut s.read().await?).await?; x } { _ => {} }",
        "match file.read(&mut buffer).await? { _ => {} }",
    ] {
        assert!(body(line).is_empty(), "{line}");
    }
}
