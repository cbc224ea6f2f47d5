//! `messages ...` and `why`.

use clap::{Args, Subcommand, ValueEnum};
use talkdrum_api::money::Amount;

use super::send::parse_key;
use super::{CampaignFilter, ConsentArgs, ContentArgs, PageArgs, Pay};

/// `talkdrum messages`.
#[derive(Debug, Subcommand)]
pub(crate) enum MessagesCommand {
    /// Send a message to one number, at once and without a question
    Send(SendMessageArgs),
    /// Find every message to a number, newest first
    Find(FindArgs),
    /// List what was sent, one row a campaign
    Sent(SentArgs),
    /// List messages that failed, across campaigns
    Failed(FailedArgs),
    /// Show when the last message was sent
    Last,
    /// List the messages of a campaign
    List(ListMessagesArgs),
    /// List what handsets answered or sent to virtual numbers
    Inbound(InboundArgs),
    /// List messages of which it is not known whether they were sent (administrators)
    Unknown(UnknownArgs),
    /// Settle unknown messages (administrators)
    Resolve(ResolveArgs),
}

/// `talkdrum messages send`.
#[derive(Args, Debug)]
pub(crate) struct SendMessageArgs {
    /// The number, in any usual form
    pub(crate) number: String,
    /// What to send; braces are braces here.
    #[command(flatten)]
    pub(crate) content: ContentArgs,
    /// Wallet that pays [default: the profile's, else espees]
    #[arg(long, value_enum, help_heading = "Sending")]
    pub(crate) pay: Option<Pay>,
    /// Do not send it if it costs more
    #[arg(long, value_name = "AMOUNT", help_heading = "Sending")]
    pub(crate) max_charge: Option<Amount>,
    /// Make it repeatable: the same key never sends twice
    #[arg(long, value_name = "KEY", help_heading = "Sending", value_parser = parse_key)]
    pub(crate) key: Option<String>,
}

/// `talkdrum messages sent`.
#[derive(Args, Debug)]
pub(crate) struct SentArgs {
    /// Which campaigns.
    #[command(flatten)]
    pub(crate) filter: CampaignFilter,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum messages failed`.
#[derive(Args, Debug)]
pub(crate) struct FailedArgs {
    /// Only campaigns older than the one of this message
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) before: Option<i64>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum messages find`.
#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// The number, in any usual form
    pub(crate) number: String,
    /// Only in this campaign
    #[arg(long, value_name = "ID")]
    pub(crate) campaign: Option<i64>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum messages list`.
#[derive(Args, Debug)]
pub(crate) struct ListMessagesArgs {
    /// The campaign's id
    pub(crate) campaign: i64,
    /// Only this status, as delivered, undelivered, rejected, expired or unknown
    #[arg(long)]
    pub(crate) status: Option<String>,
    /// Only messages in that status for this reason, as 'campaigns breakdown' shows it, or 'none'
    #[arg(long, requires = "status")]
    pub(crate) reason: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum messages unknown`.
#[derive(Args, Debug)]
pub(crate) struct UnknownArgs {
    /// Only of this campaign
    #[arg(long)]
    pub(crate) campaign: Option<i64>,
    /// Only of this user, by id or user name
    #[arg(long)]
    pub(crate) user: Option<String>,
    /// Only by this carrier
    #[arg(long)]
    pub(crate) carrier: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum messages inbound`.
#[derive(Args, Debug)]
pub(crate) struct InboundArgs {
    /// Only those whose number or text holds this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum messages resolve`.
#[derive(Args, Debug)]
pub(crate) struct ResolveArgs {
    /// Ids of unknown messages, at most 1000
    #[arg(value_name = "MESSAGE", required_unless_present = "campaign", num_args = 0..=1000)]
    pub(crate) ids: Vec<i64>,
    /// All unknown messages of this campaign
    #[arg(long, value_name = "CAMPAIGN", conflicts_with = "ids")]
    pub(crate) campaign: Option<i64>,
    /// What became of them
    #[arg(long = "as", value_enum, value_name = "OUTCOME")]
    pub(crate) outcome: Outcome,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

/// What became of unknown messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outcome {
    /// They were sent: charge them
    Sent,
    /// They were not: give the money back
    Refunded,
    /// Give the money back and quote them again
    Resend,
}

impl Outcome {
    /// As the API names it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Refunded => "refunded",
            Self::Resend => "resend",
        }
    }
}

/// `talkdrum why`.
#[derive(Args, Debug)]
pub(crate) struct WhyArgs {
    /// The message's id, as lists and reports show it
    #[arg(value_name = "MESSAGE")]
    pub(crate) id: i64,
}
