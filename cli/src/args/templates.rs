//! `templates ...`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `talkdrum templates`.
#[derive(Debug, Subcommand)]
pub(crate) enum TemplatesCommand {
    /// List your templates in order of names
    List,
    /// Keep a text under a name, for talkdrum send --template NAME
    Add(AddTemplateArgs),
    /// Give a template another name or text
    Edit(EditTemplateArgs),
    /// Delete a template
    Remove(TemplateArgs),
}

/// `talkdrum templates add`.
#[derive(Args, Debug)]
pub(crate) struct AddTemplateArgs {
    /// Its name
    pub(crate) name: String,
    /// What it says
    #[arg(
        short,
        long,
        value_name = "TEXT",
        required_unless_present = "message_file",
        conflicts_with = "message_file"
    )]
    pub(crate) message: Option<String>,
    /// Read what it says from a file; its last line break is dropped
    #[arg(long, value_name = "FILE")]
    pub(crate) message_file: Option<PathBuf>,
}

/// `talkdrum templates edit`.
#[derive(Args, Debug)]
pub(crate) struct EditTemplateArgs {
    /// Its name or id
    pub(crate) template: String,
    /// Its new name
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// What it says from now on
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) message: Option<String>,
}

/// Which template.
#[derive(Args, Debug)]
pub(crate) struct TemplateArgs {
    /// Its name or id
    pub(crate) template: String,
}
