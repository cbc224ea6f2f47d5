//! `groups ...`, `contacts ...` and `optouts ...`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{PageArgs, text};
use crate::fail_if::{FailIf, ImportMetric};

/// `talkdrum groups`.
#[derive(Debug, Subcommand)]
pub(crate) enum GroupsCommand {
    /// List the groups, newest first
    List(ListGroupsArgs),
    /// Show one group
    Show(ShowGroupArgs),
    /// Make a group
    Create(CreateGroupArgs),
    /// Give a group another name or description
    Rename(RenameGroupArgs),
    /// Delete a group with all its contacts
    Delete(DeleteGroupArgs),
}

/// `talkdrum groups list`.
#[derive(Args, Debug)]
pub(crate) struct ListGroupsArgs {
    /// Only groups whose name or description holds this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum groups show`.
#[derive(Args, Debug)]
pub(crate) struct ShowGroupArgs {
    /// Its name or id
    pub(crate) group: String,
}

/// `talkdrum groups create`.
#[derive(Args, Debug)]
pub(crate) struct CreateGroupArgs {
    /// Its name
    pub(crate) name: String,
    /// What it is for
    #[arg(long, default_value = "")]
    pub(crate) description: String,
}

/// `talkdrum groups rename`.
#[derive(Args, Debug)]
pub(crate) struct RenameGroupArgs {
    /// The group's name or id
    pub(crate) group: String,
    /// Its new name
    pub(crate) name: String,
    /// What it is for [default: as before]
    #[arg(long)]
    pub(crate) description: Option<String>,
}

/// `talkdrum groups delete`.
#[derive(Args, Debug)]
pub(crate) struct DeleteGroupArgs {
    /// The group's name or id
    pub(crate) group: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `talkdrum contacts`.
#[derive(Debug, Subcommand)]
pub(crate) enum ContactsCommand {
    /// List contacts, newest first
    List(ListContactsArgs),
    /// Add a contact to a group
    Add(AddContactArgs),
    /// Change a contact; what is not given stays
    Edit(EditContactArgs),
    /// Remove a contact from its group
    Remove(RemoveContactArgs),
    /// Import contacts from a file
    #[command(after_help = text::IMPORT_HELP)]
    Import(ImportContactsArgs),
    /// Show what imports came to
    Imports(ImportsArgs),
    /// Write contacts as CSV
    Export(ExportContactsArgs),
}

/// `talkdrum contacts list`.
#[derive(Args, Debug)]
pub(crate) struct ListContactsArgs {
    /// Only this group, by name or id
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// Only contacts whose number, name or e-mail address holds this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Show every group that holds the number
    #[arg(long, conflicts_with = "group")]
    pub(crate) with_groups: bool,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum contacts add`.
#[derive(Args, Debug)]
pub(crate) struct AddContactArgs {
    /// The number, in any usual form
    pub(crate) phone: String,
    /// The group, by name or id
    #[arg(long)]
    pub(crate) group: String,
    /// The name
    #[arg(long, default_value = "")]
    pub(crate) name: String,
    /// The e-mail address
    #[arg(long, default_value = "")]
    pub(crate) email: String,
    /// Another merge field, as city=Lagos; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) field: Vec<String>,
}

/// `talkdrum contacts edit`.
#[derive(Args, Debug)]
pub(crate) struct EditContactArgs {
    /// The contact's id
    #[arg(value_name = "CONTACT")]
    pub(crate) id: i64,
    /// The number, in any usual form
    #[arg(long)]
    pub(crate) phone: Option<String>,
    /// The name; empty to remove it
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The e-mail address; empty to remove it
    #[arg(long)]
    pub(crate) email: Option<String>,
    /// Another merge field, as city=Lagos, or city= to remove it; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) field: Vec<String>,
}

/// `talkdrum contacts remove`.
#[derive(Args, Debug)]
pub(crate) struct RemoveContactArgs {
    /// The contact's id
    #[arg(value_name = "CONTACT")]
    pub(crate) id: i64,
}

/// `talkdrum contacts import`.
#[derive(Args, Debug)]
pub(crate) struct ImportContactsArgs {
    /// A CSV or TXT file, or '-' for stdin
    pub(crate) file: String,
    /// The group, by name or id
    #[arg(long)]
    pub(crate) group: String,
    /// Make the group if there is none of that name
    #[arg(long)]
    pub(crate) create: bool,
    /// Do nothing if the same file was imported into the group the last time
    #[arg(long)]
    pub(crate) if_changed: bool,
    /// Which column is what.
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// What becomes of rejects.
    #[command(flatten)]
    pub(crate) outcome: OutcomeArgs,
}

/// Which column is what; detected where it is not said.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ColumnArgs {
    /// The column with the numbers [default: detected]; may be repeated: each number is a contact
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(crate) phone_column: Vec<String>,
    /// The column with the names [default: detected]
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(crate) name_column: Option<String>,
    /// The column with the e-mail addresses [default: detected]
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(crate) email_column: Option<String>,
    /// Leave a column out; may be repeated
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(crate) ignore_column: Vec<String>,
}

/// What becomes of rejects, and what counts as failure.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct OutcomeArgs {
    /// Save every entry that was not taken, with line and reason, as CSV; nothing is written if there is none
    #[arg(long, value_name = "FILE", help_heading = "Outcome")]
    pub(crate) rejects: Option<PathBuf>,
    /// Exit with 5 if this holds at the end, as 'invalid>5%' or 'added<1'; may be repeated
    #[arg(long, value_name = "CONDITION", help_heading = "Outcome")]
    pub(crate) fail_if: Vec<FailIf<ImportMetric>>,
}

/// `talkdrum contacts imports`.
#[derive(Args, Debug)]
pub(crate) struct ImportsArgs {
    /// Only the import of this id
    #[arg(value_name = "IMPORT")]
    pub(crate) id: Option<i64>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum contacts export`.
#[derive(Args, Debug)]
pub(crate) struct ExportContactsArgs {
    /// Only this group, by name or id, with its merge fields
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// Where to write it [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// `talkdrum optouts`.
#[derive(Debug, Subcommand)]
pub(crate) enum OptOutsCommand {
    /// List opt-outs, newest first
    List(ListOptOutsArgs),
    /// Add a number
    Add(AddOptOutArgs),
    /// Let a number have messages again
    Remove(RemoveOptOutArgs),
    /// Import numbers from a file
    Import(ImportOptOutsArgs),
    /// Write the list as CSV
    Export(ExportOptOutsArgs),
}

/// `talkdrum optouts list`.
#[derive(Args, Debug)]
pub(crate) struct ListOptOutsArgs {
    /// The list that holds for all users (administrators)
    #[arg(long)]
    pub(crate) platform: bool,
    /// Only those whose number or note holds this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum optouts add`.
#[derive(Args, Debug)]
pub(crate) struct AddOptOutArgs {
    /// The number, in any usual form
    pub(crate) phone: String,
    /// Which messages it ends: promotional ones, or all but codes
    #[arg(long, default_value = "all", value_parser = super::reaches())]
    pub(crate) reach: String,
    /// Why, or where it was heard
    #[arg(long, default_value = "")]
    pub(crate) note: String,
    /// For all users (administrators)
    #[arg(long)]
    pub(crate) platform: bool,
}

/// `talkdrum optouts remove`.
#[derive(Args, Debug)]
pub(crate) struct RemoveOptOutArgs {
    /// The opt-out's id, as the list shows it
    #[arg(value_name = "OPTOUT")]
    pub(crate) id: i64,
    /// From the list that holds for all users (administrators)
    #[arg(long)]
    pub(crate) platform: bool,
}

/// `talkdrum optouts import`.
#[derive(Args, Debug)]
pub(crate) struct ImportOptOutsArgs {
    /// A CSV or TXT file, or '-' for stdin
    pub(crate) file: String,
    /// What each ends whose row has no 'reach': promotional ones, or all but codes
    #[arg(long, default_value = "all", value_parser = super::reaches())]
    pub(crate) reach: String,
    /// Noted with every number
    #[arg(long, default_value = "")]
    pub(crate) note: String,
    /// For all users (administrators)
    #[arg(long)]
    pub(crate) platform: bool,
    /// The column with the numbers [default: detected]; may be repeated
    #[arg(long, value_name = "COLUMN")]
    pub(crate) phone_column: Vec<String>,
    /// What becomes of rejects.
    #[command(flatten)]
    pub(crate) outcome: OutcomeArgs,
}

/// `talkdrum optouts export`.
#[derive(Args, Debug)]
pub(crate) struct ExportOptOutsArgs {
    /// The list that holds for all users (administrators)
    #[arg(long)]
    pub(crate) platform: bool,
    /// Where to write it [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
