//! How `--help` is laid out: commands in groups, and of the global options no more than a line each. `-h` leaves them out.
//! The manual and the completions are made of the definitions as they are.

use clap::builder::Styles;
use clap::{Command, CommandFactory, FromArgMatches};

use super::{Cli, text};

/// The commands by what they are for, in the order of `talkdrum --help`.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Send and follow",
        &["send", "quote", "campaigns", "messages", "why", "voice", "recipients", "templates"],
    ),
    ("Contacts", &["contacts", "groups", "optouts"]),
    ("Senders", &["senders", "numbers"]),
    ("Money", &["wallet", "fund", "transfer", "payments", "transactions", "prices", "rates"]),
    (
        "Account",
        &[
            "login",
            "logout",
            "whoami",
            "profiles",
            "profile",
            "password",
            "sessions",
            "keys",
            "webhooks",
            "register",
            "verify",
            "kingschat",
        ],
    ),
    (
        "Administration",
        &[
            "status",
            "carriers",
            "users",
            "margins",
            "settings",
            "announcements",
            "maintenance",
            "dnd",
            "audit",
            "subject",
        ],
    ),
    ("Help", &["help", "man", "completions"]),
];

/// What the list of commands leaves out below a heading that says it.
const OF_ADMINISTRATORS: &str = " (administrators)";

/// Reads a command line, of which the first argument is the program.
///
/// # Errors
/// What the parser refuses, and what it prints in place of a command: help and version.
pub(crate) fn parse(
    args: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
) -> Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The command line with the help that people see.
fn command() -> Command {
    let mut top = Cli::command();
    let (list, styles) = (commands(&top), top.get_styles().clone());
    let globals: Vec<String> =
        top.get_arguments().filter(|arg| arg.is_global_set()).map(|arg| arg.get_id().to_string()).collect();
    for id in globals {
        top = top.mut_arg(id, |arg| arg.hide_short_help(true).hide_long_help(true));
    }
    let options = heading(&styles, "Options");
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n{options}\n{{options}}{{after-help}}"
    );
    let long = [text::GLOBAL_OPTIONS, text::AFTER_HELP].map(|it| underlined(&styles, it)).join("\n\n");
    top.help_template(template)
        .after_help(text::BELOW_SHORT_HELP)
        .after_long_help(long)
        .mut_subcommands(|command| of_subcommand(&styles, command))
}

/// The same for a command below, and for those below it.
fn of_subcommand(styles: &Styles, command: Command) -> Command {
    let own = command.get_after_help().map(ToString::to_string);
    let parts = [Some(text::GLOBAL_OPTIONS), own.as_deref()].into_iter().flatten();
    let long: Vec<String> = parts.map(|it| underlined(styles, it)).collect();
    command
        .disable_version_flag(true)
        .after_help(text::GLOBAL_OPTIONS_SHORT)
        .after_long_help(long.join("\n\n"))
        .mut_subcommands(|command| of_subcommand(styles, command))
}

/// The commands of `talkdrum --help`, with a heading for each group.
fn commands(top: &Command) -> String {
    let styles = top.get_styles();
    let literal = styles.get_literal();
    let width = top.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut list = String::new();
    for (name, members) in GROUPS {
        list.push_str(&heading(styles, name));
        list.push('\n');
        for member in members {
            let about = top.find_subcommand(member).and_then(Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Print the help of a command".to_owned());
            let about = about.trim_end_matches(OF_ADMINISTRATORS);
            list.push_str(&format!("  {literal}{member:<width$}{literal:#}  {about}\n"));
        }
        list.push('\n');
    }
    list.trim_end().to_owned() + "\n"
}

fn heading(styles: &Styles, name: &str) -> String {
    let style = styles.get_header();
    format!("{style}{name}:{style:#}")
}

/// A text whose lines that end with a colon at the margin are headings.
fn underlined(styles: &Styles, text: &str) -> String {
    let lines = text.lines().map(|line| match line.strip_suffix(':') {
        Some(name) if !line.starts_with(' ') => heading(styles, name),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, members)| members.iter().copied()).collect();
        grouped.retain(|name| *name != "help");
        grouped.sort_unstable();
        let top = Cli::command();
        let mut all: Vec<&str> = top.get_subcommands().map(Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn every_global_option_has_its_line() {
        let top = Cli::command();
        let globals: Vec<&clap::Arg> = top.get_arguments().filter(|arg| arg.is_global_set()).collect();
        for arg in &globals {
            let long = format!("--{}", arg.get_long().unwrap());
            let line = text::GLOBAL_OPTIONS.lines().find(|line| line.contains(&format!("{long} ")));
            let line = line.unwrap_or_else(|| panic!("{long}"));
            assert_eq!(line.find("--"), Some(6), "{line}");
            if let Some(short) = arg.get_short() {
                assert!(line.starts_with(&format!("  -{short}, ")), "{line}");
            }
            assert!(line.len() <= 80, "{line}");
        }
        assert_eq!(text::GLOBAL_OPTIONS.lines().count(), globals.len() + 1);
    }

    #[test]
    fn what_is_laid_out_by_hand_fits_a_terminal_of_80_columns() {
        let list = anstream::adapter::strip_str(&commands(&Cli::command())).to_string();
        // What is indented is a table or an example, and is not wrapped well; paragraphs are.
        let texts = [
            text::GLOBAL_OPTIONS,
            text::GLOBAL_OPTIONS_SHORT,
            text::BELOW_SHORT_HELP,
            text::AFTER_HELP,
            text::SEND_HELP,
            text::IMPORT_HELP,
        ];
        let of_texts = texts.iter().flat_map(|it| it.lines()).filter(|line| line.starts_with("  "));
        let short = text::BELOW_SHORT_HELP.lines().chain(text::GLOBAL_OPTIONS_SHORT.lines());
        for line in list.lines().chain(of_texts).chain(short) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn the_layout_is_consistent() {
        command().debug_assert();
    }
}
