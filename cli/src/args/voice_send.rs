//! `talkdrum voice send`.

use std::path::PathBuf;

use clap::Args;

use super::send::{CanaryArgs, ConsentArgs, FollowArgs, Pay, QuoteLimitArgs, RecipientArgs, parse_key};

/// `talkdrum voice send`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("played").required(true))]
pub(crate) struct SendVoiceArgs {
    /// Who is called.
    #[command(flatten, next_help_heading = "Calls")]
    pub(crate) recipients: RecipientArgs,
    /// Say this text
    #[arg(long, group = "played", help_heading = "Calls")]
    pub(crate) text: Option<String>,
    /// Play this MP3, which is kept as a recording
    #[arg(long, group = "played", value_name = "FILE", help_heading = "Calls")]
    pub(crate) mp3: Option<PathBuf>,
    /// Play a recording of yours, by id
    #[arg(long, group = "played", value_name = "ID", help_heading = "Calls")]
    pub(crate) recording: Option<i64>,
    /// Who says the text
    #[arg(long, default_value = "uk-female", value_parser = ["uk-female", "us-female", "uk-male", "us-male"], help_heading = "Calls")]
    pub(crate) voice: String,
    /// Call from this own number of yours, verified
    #[arg(long, value_name = "NUMBER", conflicts_with = "virtual_number", help_heading = "Calls")]
    pub(crate) own_number: Option<String>,
    /// Call from this virtual number of yours, approved
    #[arg(long, value_name = "NUMBER", help_heading = "Calls")]
    pub(crate) virtual_number: Option<String>,
    /// What the calls are for, which decides whose opt-outs hold [default: the API key's or the account's, else
    /// transactional]
    #[arg(long, value_parser = super::purposes(), help_heading = "Calls")]
    pub(crate) purpose: Option<String>,
    /// A key that answers the question of the message, and what it stands for, as in 1=yes; may be repeated. 9 always opts out
    #[arg(long, value_name = "KEY=LABEL", help_heading = "Calls")]
    pub(crate) digit: Vec<String>,
    /// Play the question so often at most, while no key is pressed
    #[arg(long, value_name = "1-3", requires = "digit", value_parser = clap::value_parser!(u8).range(1..=3), help_heading = "Calls")]
    pub(crate) plays: Option<u8>,
    /// Wallet that pays [default: the profile's, else espees]
    #[arg(long, value_enum, help_heading = "Sending")]
    pub(crate) pay: Option<Pay>,
    /// When to call: 'YYYY-MM-DD HH:MM', 'tomorrow 09:00', 'monday 09:00', +2h, or RFC 3339; repeat to schedule several
    /// runs
    #[arg(long, value_name = "TIME", help_heading = "Sending")]
    pub(crate) at: Vec<String>,
    /// Who is called before the rest.
    #[command(flatten)]
    pub(crate) canary: CanaryArgs,
    /// Save every entry that is no usable number, with line and reason, as CSV
    #[arg(long, value_name = "FILE", help_heading = "Sending")]
    pub(crate) rejects: Option<PathBuf>,
    /// What ends it before it costs anything.
    #[command(flatten)]
    pub(crate) limits: QuoteLimitArgs,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    /// Make the calls repeatable: the same key never calls twice
    #[arg(long, value_name = "KEY", help_heading = "Sending", value_parser = parse_key)]
    pub(crate) key: Option<String>,
    /// Follow the campaign until every call is over
    #[arg(long, help_heading = "Sending")]
    pub(crate) wait: bool,
    /// When the waiting ends and what then counts as failure.
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
}
