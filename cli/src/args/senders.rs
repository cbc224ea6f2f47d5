//! `senders ...`, `numbers ...` and `voice ...`.

use clap::{Args, Subcommand, ValueEnum};
use talkdrum_api::money::Amount;

use super::PageArgs;
use super::operator::{DefaultPurposeArgs, parse_amount};
use super::send::{Pay, parse_key};
use super::voice_send::SendVoiceArgs;

/// `talkdrum senders`.
#[derive(Debug, Subcommand)]
pub(crate) enum SendersCommand {
    /// List what may be sent from, or what was requested
    List(ListSendersArgs),
    /// Request sender ids; they are free, and an administrator approves them
    Request(RequestSendersArgs),
    /// Approve a sender id (administrators)
    Approve(SenderArgs),
    /// Refuse a sender id or take it back; campaigns from it pause (administrators)
    Reject(RejectSenderArgs),
    /// Say what messages from a sender id are for that do not say it (administrators)
    Purpose(SenderPurposeArgs),
}

/// `talkdrum senders list`.
#[derive(Args, Debug)]
pub(crate) struct ListSendersArgs {
    /// Only this status; one's own list shows the approved unless it is given
    #[arg(long, value_enum)]
    pub(crate) status: Option<SenderStatus>,
    /// Sender ids of all users (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// Only what contains this: sender id, or user name with --all
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// Where sender ids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SenderStatus {
    /// Whatever the status
    All,
    /// Waiting for an administrator
    Pending,
    /// In use
    Approved,
    /// Refused or taken back
    Disapproved,
}

impl SenderStatus {
    /// As the API names it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Disapproved => "disapproved",
        }
    }
}

/// `talkdrum senders request`.
#[derive(Args, Debug)]
pub(crate) struct RequestSendersArgs {
    /// At most 11 characters, spaces included, or 14 digits; up to 20 at once
    #[arg(value_name = "SENDER_ID", required = true, num_args = 1..=20)]
    pub(crate) sender_ids: Vec<String>,
}

/// One sender id.
#[derive(Args, Debug)]
pub(crate) struct SenderArgs {
    /// The sender id's record, as talkdrum senders list --all shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
}

/// `talkdrum senders reject`.
#[derive(Args, Debug)]
pub(crate) struct RejectSenderArgs {
    /// The sender id's record, as talkdrum senders list --all shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
    /// Why, for its owner
    #[arg(long)]
    pub(crate) reason: String,
}

/// `talkdrum senders purpose`.
#[derive(Args, Debug)]
pub(crate) struct SenderPurposeArgs {
    /// The sender id's record, as talkdrum senders list --all shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
    /// The default.
    #[command(flatten)]
    pub(crate) default: DefaultPurposeArgs,
}

/// `talkdrum numbers`.
#[derive(Debug, Subcommand)]
pub(crate) enum NumbersCommand {
    /// List virtual numbers, or own numbers
    List(ListNumbersArgs),
    /// Request a virtual number
    Request,
    /// Assign a virtual number to a user (administrators)
    Approve(ApproveNumberArgs),
    /// Take a virtual number away; campaigns from it pause (administrators)
    Delete(NumberArgs),
    /// Verify your own phone by a call, to call from it, or take it back
    #[command(subcommand)]
    Own(OwnNumberCommand),
}

/// `talkdrum numbers own`.
#[derive(Debug, Subcommand)]
pub(crate) enum OwnNumberCommand {
    /// Have a number called, which is charged as a call from an own number; the call speaks a six-digit code
    Verify(VerifyNumberArgs),
    /// Give the code that the call spoke: campaigns can then call from the number
    Confirm(ConfirmNumberArgs),
    /// Take a verified number back: no more calls show it, and campaigns that call from it pause
    Withdraw(WithdrawNumberArgs),
    /// The same for any user's number (administrators)
    Delete(DeleteOwnNumberArgs),
}

/// `talkdrum numbers own verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyNumberArgs {
    /// The number, in any usual form
    pub(crate) number: String,
    /// Wallet that pays [default: the profile's, else espees]
    #[arg(long, value_enum)]
    pub(crate) pay: Option<Pay>,
    /// Charge nothing if the call may cost more than this
    #[arg(long, value_name = "AMOUNT", value_parser = parse_amount)]
    pub(crate) max_charge: Option<Amount>,
    /// Who says the code
    #[arg(long, default_value = "uk-female", value_parser = ["uk-female", "us-female", "uk-male", "us-male"])]
    pub(crate) voice: String,
    /// Wait until the call is over; exit code 1 when it was not answered
    #[arg(long)]
    pub(crate) wait: bool,
    /// Make the command repeatable: the same key never calls twice
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    pub(crate) key: Option<String>,
}

/// `talkdrum numbers own confirm`.
#[derive(Args, Debug)]
pub(crate) struct ConfirmNumberArgs {
    /// The number that was called
    pub(crate) number: String,
    /// The six digits that the call spoke; asked for at a terminal
    pub(crate) code: Option<String>,
}

/// `talkdrum numbers own withdraw`.
#[derive(Args, Debug)]
pub(crate) struct WithdrawNumberArgs {
    /// The number, in any usual form
    pub(crate) number: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `talkdrum numbers own delete`.
#[derive(Args, Debug)]
pub(crate) struct DeleteOwnNumberArgs {
    /// The number's record, as talkdrum numbers list --own --all shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `talkdrum numbers list`.
#[derive(Args, Debug)]
pub(crate) struct ListNumbersArgs {
    /// The users' own phones instead of virtual numbers
    #[arg(long)]
    pub(crate) own: bool,
    /// Numbers of all users (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// Only this status: pending, approved, or verified with --own
    #[arg(long)]
    pub(crate) status: Option<String>,
    /// Only what contains this: number, or user name with --all
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum numbers approve`.
#[derive(Args, Debug)]
pub(crate) struct ApproveNumberArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// The number, in international form
    pub(crate) number: String,
}

/// One virtual number.
#[derive(Args, Debug)]
pub(crate) struct NumberArgs {
    /// The number's record, as talkdrum numbers list --all shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
}

/// `talkdrum voice`.
#[derive(Debug, Subcommand)]
pub(crate) enum VoiceCommand {
    /// List calls to many, newest first
    List(ListVoiceArgs),
    /// Save a text as a call will say it, as a WAV
    Preview(PreviewVoiceArgs),
    /// List recordings, newest first; add, delete and download them
    Recordings(VoiceRecordingsArgs),
    /// Call many numbers and play them a text, an MP3 or a recording
    Send(Box<SendVoiceArgs>),
    /// Have your own phone called, to hear a text or a recording as a call plays it; free of charge
    Test(TestVoiceArgs),
}

/// `talkdrum voice list`.
#[derive(Args, Debug)]
pub(crate) struct ListVoiceArgs {
    /// Those of all users (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum voice preview`.
#[derive(Args, Debug)]
pub(crate) struct PreviewVoiceArgs {
    /// The text
    pub(crate) text: String,
    /// Who says it
    #[arg(long, default_value = "uk-female", value_parser = ["uk-female", "us-female", "uk-male", "us-male"])]
    pub(crate) voice: String,
    /// Where to save the WAV [default: stdout]
    #[arg(long)]
    pub(crate) file: Option<std::path::PathBuf>,
}

/// `talkdrum voice test`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("played").required(true))]
pub(crate) struct TestVoiceArgs {
    /// The text
    #[arg(long, group = "played")]
    pub(crate) text: Option<String>,
    /// The id of a recording of yours instead
    #[arg(long, group = "played", value_name = "ID")]
    pub(crate) recording: Option<i64>,
    /// Who says the text
    #[arg(long, default_value = "uk-female", value_parser = ["uk-female", "us-female", "uk-male", "us-male"])]
    pub(crate) voice: String,
    /// Wait until the call is over; exit code 1 when it was not answered
    #[arg(long)]
    pub(crate) wait: bool,
}

/// `talkdrum voice recordings`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct VoiceRecordingsArgs {
    /// What to do; the list when it is left out.
    #[command(subcommand)]
    pub(crate) command: Option<RecordingsCommand>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum voice recordings ...`.
#[derive(Debug, Subcommand)]
pub(crate) enum RecordingsCommand {
    /// Upload an MP3 to call with
    Add(AddRecordingArgs),
    /// Delete a recording
    Delete(RecordingArgs),
    /// Save a recording as a WAV, as calls play it
    Download(DownloadRecordingArgs),
}

/// `talkdrum voice recordings add`.
#[derive(Args, Debug)]
pub(crate) struct AddRecordingArgs {
    /// An MP3, or '-' for stdin
    pub(crate) file: String,
    /// What it is called; the name of the file when it is left out
    #[arg(long)]
    pub(crate) name: Option<String>,
}

/// One recording.
#[derive(Args, Debug)]
pub(crate) struct RecordingArgs {
    /// Its id, as talkdrum voice recordings shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
}

/// `talkdrum voice recordings download`.
#[derive(Args, Debug)]
pub(crate) struct DownloadRecordingArgs {
    /// Its id, as talkdrum voice recordings shows it
    #[arg(value_name = "ID")]
    pub(crate) id: i64,
    /// Where to save the WAV, or '-' for stdout
    pub(crate) file: std::path::PathBuf,
}
