//! `--help` and the manual: what is promised to scripts is written down.

use crate::talkdrum::Talkdrum;

fn talkdrum() -> Talkdrum {
    Talkdrum::nowhere(None)
}

#[test]
fn the_help_lists_commands_exit_codes_and_environment() {
    insta::assert_snapshot!(talkdrum().run(&["--help"]).golden());
}

#[test]
fn the_short_help_lists_commands_only() {
    insta::assert_snapshot!(talkdrum().run(&["-h"]).golden());
}

#[test]
fn the_help_of_send_explains_keys() {
    insta::assert_snapshot!(talkdrum().run(&["send", "--help"]).golden());
}

#[test]
fn every_command_has_a_short_help() {
    let mut text = String::new();
    for command in [
        &["login"][..],
        &["keys", "create"],
        &["quote"],
        &["campaigns"],
        &["campaigns", "watch"],
        &["campaigns", "resend"],
        &["campaigns", "export"],
        &["messages"],
        &["messages", "resolve"],
        &["wallet"],
        &["fund"],
        &["payments"],
        &["transfer"],
        &["transactions"],
        &["prices"],
        &["prices", "set"],
        &["prices", "apply"],
        &["settings", "set"],
        &["announcements"],
        &["maintenance"],
        &["audit"],
        &["status"],
        &["users"],
        &["users", "create"],
        &["users", "credit"],
    ] {
        let mut args = command.to_vec();
        args.push("-h");
        let run = talkdrum().run(&args);
        assert_eq!(run.code, 0);
        text.push_str(&format!("$ talkdrum {}\n{}", args.join(" "), run.stdout));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_manual_holds_the_exit_codes_and_a_page_for_every_command() {
    let talkdrum = talkdrum();
    let page = talkdrum.run(&["man"]);
    assert_eq!(page.code, 0);
    for section in [".SH \"GLOBAL OPTIONS\"", ".SH \"EXIT STATUS\"", ".SH ENVIRONMENT", "more failures than"]
    {
        assert!(page.stdout.contains(section), "{section} {}", page.stdout);
    }
    assert_eq!(talkdrum.run(&["man", "--dir", "pages"]).code, 0);
    let pages = talkdrum.home.path().join("pages");
    for name in ["talkdrum.1", "talkdrum-send.1", "talkdrum-campaigns-watch.1"] {
        assert!(pages.join(name).exists(), "{name}");
    }
    let of = |name: &str| std::fs::read_to_string(pages.join(name)).unwrap();
    assert!(of("talkdrum.1").contains("\\-\\-version") && !of("talkdrum-send.1").contains("\\-\\-version"));
    let send = of("talkdrum-send.1");
    for part in [".SH EXAMPLES", "\\-\\-columns", "\\-\\-max\\-charge"] {
        assert!(send.contains(part), "{part} {send}");
    }
}

#[test]
fn there_is_a_completion_for_every_usual_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = talkdrum().run(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("campaigns") && run.stdout.contains("columns"), "{shell}");
    }
}

#[test]
fn a_mistyped_command_line_ends_with_2() {
    for args in
        [&["snd"][..], &["send"], &["send", "--to", "1", "--fail-if", "lost>1"], &["prices", "set", "1"]]
    {
        assert_eq!(talkdrum().run(args).code, 2, "{args:?}");
    }
}

#[test]
fn the_version_tells_which_json_is_printed() {
    assert_eq!(talkdrum().run(&["-V"]).stdout, concat!("talkdrum ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = talkdrum().run(&["--version"]).stdout;
    let page = include_str!("../../../daemon/handbook/scripts.md");
    let promised = page.split("which JSON it prints: `").nth(1).unwrap().split('`').next().unwrap();
    assert_eq!(long, format!("talkdrum {}\n{promised}\n", env!("CARGO_PKG_VERSION")));
}
