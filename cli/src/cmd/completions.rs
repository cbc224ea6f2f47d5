//! `talkdrum completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Prints the completion script of a shell.
pub(crate) fn run(context: &Context, shell: Shell) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "talkdrum", &mut script);
    context.out.bytes(&script)?;
    Ok(Exit::Done)
}
