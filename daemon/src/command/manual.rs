//! `talkdrumd man` and `talkdrumd completions`: what the Debian package installs beside the binary.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{print, say};
use crate::args::Args;

/// Prints the manual page, or writes one page a command into a directory.
pub(super) fn pages(dir: Option<&Path>) -> anyhow::Result<ExitCode> {
    let Some(dir) = dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut page)?;
        return print(String::from_utf8(page)?.trim_end());
    };
    let written = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Args::command(), dir));
    written.with_context(|| format!("cannot write the manual to {}", dir.display()))?;
    say(&format!("manual written to {}", dir.display()));
    Ok(ExitCode::SUCCESS)
}

/// Prints the completion script of a shell.
pub(super) fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "talkdrumd", &mut script);
    std::io::stdout().lock().write_all(&script).context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}
