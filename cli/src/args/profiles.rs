//! `profiles`: the sign-ins of this machine, and what their commands take by default.

use clap::{Args, Subcommand};

use super::Pay;

/// `talkdrum profiles`.
#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// List the sign-ins of this machine with their defaults
    List,
    /// Set what commands of a profile take where they say nothing else
    Set(SetProfileArgs),
}

/// `talkdrum profiles set`.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct SetProfileArgs {
    /// Wallet that pays
    #[arg(long, value_enum, conflicts_with = "no_pay")]
    pub(crate) pay: Option<Pay>,
    /// Set no wallet
    #[arg(long)]
    pub(crate) no_pay: bool,
    /// Sender ID of messages; an empty one sets none
    #[arg(long, value_name = "SENDER")]
    pub(crate) from: Option<String>,
    /// Time zone in which times are read and shown, such as Africa/Lagos; an empty one sets none
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Option<String>,
}
