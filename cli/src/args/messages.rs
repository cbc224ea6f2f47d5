//! `messages ...` and `why`.

use clap::{Args, Subcommand, ValueEnum};

use super::{CampaignFilter, ConsentArgs, PageArgs};

/// `talkdrum messages`.
#[derive(Debug, Subcommand)]
pub(crate) enum MessagesCommand {
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
    /// List messages of which nobody knows whether they were sent (administrators)
    Unknown(UnknownArgs),
    /// Settle unknown messages (administrators)
    Resolve(ResolveArgs),
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
    /// Give the money back and quote them anew
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
