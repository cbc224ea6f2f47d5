//! `subject ...`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::SureArgs;

/// `talkdrum subject`.
#[derive(Debug, Subcommand)]
pub(crate) enum SubjectCommand {
    /// Show how much is held about a number, and where
    Show(ShowSubjectArgs),
    /// Write everything that is held about a number as JSON lines
    Export(ExportSubjectArgs),
    /// Erase a number; what was sent to it keeps its status and price
    Erase(EraseSubjectArgs),
}

/// `talkdrum subject show`.
#[derive(Args, Debug)]
pub(crate) struct ShowSubjectArgs {
    /// The number, in any usual form
    pub(crate) number: String,
}

/// `talkdrum subject export`.
#[derive(Args, Debug)]
pub(crate) struct ExportSubjectArgs {
    /// The number, in any usual form
    pub(crate) number: String,
    /// Where to write it [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// `talkdrum subject erase`.
#[derive(Args, Debug)]
pub(crate) struct EraseSubjectArgs {
    /// The number, in any usual form
    pub(crate) number: String,
    #[command(flatten)]
    pub(crate) consent: SureArgs,
}
