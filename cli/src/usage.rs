//! A command line that is refused before it is read: what `-o json` says of it. The format has to be found by looking, as
//! there are no options yet.

use std::ffi::OsString;

use clap::error::ErrorKind;

use crate::exit::Failure;

/// Whether these arguments ask for JSON, of which the first is the program. The last of several formats counts.
pub(crate) fn wants_json(args: impl IntoIterator<Item = OsString>) -> bool {
    let args: Vec<String> = args
        .into_iter()
        .skip(1)
        .map(|arg| arg.to_string_lossy().into_owned())
        .take_while(|arg| arg != "--")
        .collect();
    let next = args.iter().skip(1).map(Some).chain([None]);
    let formats = args.iter().zip(next).filter_map(|(arg, next)| format_of(arg, next.map(String::as_str)));
    formats.last().is_some_and(|format| matches!(format, "json" | "jsonl"))
}

/// The format that an argument names: `-ojson`, `-o json`, `-qo json`, `--output json` or `--output=json`.
fn format_of<'a>(arg: &'a str, next: Option<&'a str>) -> Option<&'a str> {
    if let Some(long) = arg.strip_prefix("--output") {
        return if long.is_empty() { next } else { long.strip_prefix('=') };
    }
    let short = arg.strip_prefix('-')?.trim_start_matches(['q', 'y']).strip_prefix('o')?;
    if short.is_empty() { next } else { Some(short.trim_start_matches('=')) }
}

/// The parser's refusal: its first paragraph without `error:`, and its tips as the hint.
pub(crate) fn failure(error: &clap::Error) -> Failure {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand
    ) {
        return Failure::usage("a command is missing").hint("--help lists the commands");
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default();
    let tip = paragraphs.find_map(|it| it.strip_prefix("tip: ")).unwrap_or("--help lists what there is");
    Failure::usage(message.strip_prefix("error: ").unwrap_or(message)).hint(tip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse;

    fn wants(line: &str) -> bool {
        wants_json(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_format_is_found_in_every_way_to_write_it() {
        for line in ["-o json", "-ojson", "-o=json", "-qo jsonl", "--output json", "--output=jsonl"] {
            assert!(wants(&format!("talkdrum send {line} --nonsense")), "{line}");
        }
        for line in ["-o table", "-m json", "--output", "-o csv json", "-o json -o table", "-- -o json"] {
            assert!(!wants(&format!("talkdrum send {line}")), "{line}");
        }
    }

    #[test]
    fn a_refusal_of_the_parser_is_a_message_and_a_hint() {
        let refused = |args: &[&str]| failure(&parse(args.iter().copied()).unwrap_err());
        let mistyped = refused(&["talkdrum", "-o", "json", "wallt"]);
        assert_eq!(mistyped.message, "unrecognized subcommand 'wallt'");
        assert_eq!(mistyped.hint.as_deref(), Some("a similar subcommand exists: 'wallet'"));
        let missing = refused(&["talkdrum", "why", "-o", "json"]);
        assert!(missing.message.contains("required arguments were not provided"), "{}", missing.message);
        assert_eq!(refused(&["talkdrum", "wallet"]).message, "a command is missing");
    }
}
