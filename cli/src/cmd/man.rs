//! `talkdrum man`.

use std::path::Path;

use clap::CommandFactory;

use crate::args::Cli;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Prints the manual page, or writes one page a command into a directory.
pub(crate) fn run(context: &Context, dir: Option<&Path>) -> Result<Exit> {
    let command = Cli::command();
    match dir {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            context.out.bytes(&page)?;
        }
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(|error| Failure::file("create", dir, &error))?;
            clap_mangen::generate_to(command, dir)
                .map_err(|error| Failure::file("write the manual to", dir, &error))?;
            context.out.note(&format!("manual written to {}", dir.display()));
        }
    }
    Ok(Exit::Done)
}
