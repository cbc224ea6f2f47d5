//! `talkdrum man`.

use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::Cli;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Headings of the help's longer texts, and the sections that manuals have for them.
const SECTIONS: [(&str, &str); 3] =
    [("Exit codes:", "EXIT STATUS"), ("Environment:", "ENVIRONMENT"), ("Examples:", "EXAMPLES")];

/// Prints the manual page, or writes one page a command into a directory.
pub(crate) fn run(context: &Context, dir: Option<&Path>) -> Result<Exit> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    match dir {
        None => context.out.bytes(&page(command)?)?,
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(|error| Failure::file("create", dir, &error))?;
            write_all(command, dir).map_err(|error| Failure::file("write the manual to", dir, &error))?;
            context.out.note(&format!("manual written to {}", dir.display()));
        }
    }
    Ok(Exit::Done)
}

/// Writes the page of a command and those of the commands below it.
fn write_all(command: clap::Command, dir: &Path) -> io::Result<()> {
    for below in command.get_subcommands().cloned() {
        write_all(below, dir)?;
    }
    let name = Man::new(command.clone()).get_filename();
    std::fs::write(dir.join(name), page(command)?)
}

/// The page of a command. The longer text of its help has sections of its own.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (has_commands, has_version) = (command.has_subcommands(), command.get_version().is_some());
    let (man, mut page) = (Man::new(command), Vec::new());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    sections(&text).to_writer(&mut page)?;
    if has_version {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// A text as sections: what stands below a known heading keeps its lines, the rest are paragraphs.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    let mut section = "";
    for paragraph in text.split("\n\n").filter(|it| !it.is_empty()) {
        let head = paragraph.lines().next().unwrap_or_default();
        if let Some((_, name)) = SECTIONS.iter().find(|(known, _)| *known == head) {
            section = name;
            roff.control("SH", [section]);
            roff.control("nf", []);
            for line in paragraph.lines().skip(1) {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            roff.control("fi", []);
            continue;
        }
        if section == "NOTES" {
            roff.control("PP", []);
        } else {
            section = "NOTES";
            roff.control("SH", [section]);
        }
        roff.text([roman(paragraph)]);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_the_sections_of_a_manual() {
        let text = "One.\n\nTwo.\n\nExamples:\n  talkdrum why 1\n  talkdrum why 2\n\nThree.";
        let roff = sections(text).render();
        let lines: Vec<&str> =
            roff.lines().filter(|line| !line.contains("\\*(Aq") && !line.is_empty()).collect();
        let told = [
            ".SH NOTES",
            "One.",
            ".PP",
            "Two.",
            ".SH EXAMPLES",
            ".nf",
            "talkdrum why 1",
            "talkdrum why 2",
            ".fi",
            ".SH NOTES",
            "Three.",
        ];
        assert_eq!(lines[lines.len() - told.len()..], told, "{roff}");
    }
}
