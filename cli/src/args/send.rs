//! `send` and `quote`: one form, two commands.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::query::CurrencyQuery;

use crate::fail_if::{FailIf, QuoteMetric};

/// `talkdrum send`.
#[derive(Args, Debug)]
pub(crate) struct SendArgs {
    /// What to send to whom.
    #[command(flatten)]
    pub(crate) form: FormArgs,
    /// What ends it before it costs anything.
    #[command(flatten)]
    pub(crate) limits: QuoteLimitArgs,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    /// Make the send repeatable: the same key never sends twice (see below)
    #[arg(long, value_name = "KEY", help_heading = "Sending", value_parser = parse_key)]
    pub(crate) key: Option<String>,
    /// Follow the campaign until everything is submitted to the carrier
    #[arg(long, help_heading = "Sending")]
    pub(crate) wait: bool,
    /// When the waiting ends and what then counts as failure.
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
}

/// `talkdrum quote`.
#[derive(Args, Debug)]
pub(crate) struct QuoteArgs {
    /// What to send to whom.
    #[command(flatten)]
    pub(crate) form: FormArgs,
}

/// `talkdrum recipients`.
#[derive(Debug, Subcommand)]
pub(crate) enum RecipientsCommand {
    /// Count recipients without a message: invalid, repeated, opted out, by network; nothing is kept
    Check(RecipientArgs),
}

/// Who gets it.
#[derive(Args, Debug)]
pub(crate) struct RecipientArgs {
    /// Recipients: numbers, a file (or @FILE), or '-' for stdin; may be repeated
    #[arg(long, value_name = "FILE|-|NUMBERS", required_unless_present_any = ["group", "audience"])]
    pub(crate) to: Vec<String>,
    /// A group of contacts, by name or id; may be repeated
    #[arg(long, value_name = "GROUP")]
    pub(crate) group: Vec<String>,
    /// An earlier list: campaign:ID, campaign:ID:failed (or another outcome), import:ID; may be repeated
    #[arg(long, value_name = "LIST")]
    pub(crate) audience: Vec<String>,
    /// Read the numbers from this column of the file [default: detected]; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Vec<String>,
}

/// What to send to whom, when, and from which wallet.
#[derive(Args, Debug)]
pub(crate) struct FormArgs {
    /// Who gets it.
    #[command(flatten, next_help_heading = "Message")]
    pub(crate) recipients: RecipientArgs,
    /// What to send.
    #[command(flatten)]
    pub(crate) content: ContentArgs,
    /// Say what this template of yours says
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["message", "message_file", "wap_title", "wap_url", "vcard"],
        help_heading = "Message"
    )]
    pub(crate) template: Option<String>,
    /// Wallet that pays [default: the profile's, else espees]
    #[arg(long, value_enum, help_heading = "Sending")]
    pub(crate) pay: Option<Pay>,
    /// When to send: 'YYYY-MM-DD HH:MM', 'tomorrow 09:00', 'monday 09:00', +2h, or RFC 3339; repeat to schedule several
    /// runs
    #[arg(long, value_name = "TIME", help_heading = "Sending")]
    pub(crate) at: Vec<String>,
    /// Who gets it before the rest.
    #[command(flatten)]
    pub(crate) canary: CanaryArgs,
    /// Save every entry that is no usable number, with line and reason, as CSV
    #[arg(long, value_name = "FILE", help_heading = "Sending")]
    pub(crate) rejects: Option<PathBuf>,
}

/// Who gets it before the rest.
#[derive(Args, Clone, Debug, Default)]
#[command(group = clap::ArgGroup::new("first").multiple(true))]
pub(crate) struct CanaryArgs {
    /// Begin with so many recipients, spread over the networks; the rest waits until enough of these messages are delivered
    /// (of calls: answered), else the campaign pauses
    #[arg(long, value_name = "N|N%", group = "first", help_heading = "Sending")]
    pub(crate) canary: Option<String>,
    /// Numbers of your own that are among the first beside these, or alone; each is charged as a recipient
    #[arg(long, value_name = "NUMBERS", group = "first", help_heading = "Sending")]
    pub(crate) canary_seeds: Option<String>,
    /// How many of a hundred of these must be delivered [default: 80, of calls 30 answered]
    #[arg(long, value_name = "PERCENT", requires = "first", help_heading = "Sending", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) canary_delivery: Option<u8>,
    /// Wait so long for their receipts, from when each was submitted [default: 600]
    #[arg(long, value_name = "SECONDS", requires = "first", help_heading = "Sending", value_parser = clap::value_parser!(u32).range(10..=86_400))]
    pub(crate) canary_wait: Option<u32>,
}

/// What to send, and from whom.
#[derive(Args, Debug)]
pub(crate) struct ContentArgs {
    /// Sender ID the handset shows [default: the profile's, else WEBSMS]
    #[arg(long, value_name = "SENDER", help_heading = "Message")]
    pub(crate) from: Option<String>,
    /// What the messages are for, which decides whose opt-outs hold [default: the API key's, the sender ID's or the
    /// account's, else transactional]
    #[arg(long, value_parser = super::purposes(), help_heading = "Message")]
    pub(crate) purpose: Option<String>,
    /// What the message says
    #[arg(short, long, value_name = "TEXT", conflicts_with = "message_file", help_heading = "Message")]
    pub(crate) message: Option<String>,
    /// Read the message from a file, or from stdin with '-'; its last line break is dropped
    #[arg(long, value_name = "FILE", help_heading = "Message")]
    pub(crate) message_file: Option<PathBuf>,
    /// Kind of message
    #[arg(long = "type", value_enum, default_value_t = SmsType::Text, help_heading = "Message")]
    pub(crate) kind: SmsType,
    /// Title of a WAP push
    #[arg(long, value_name = "TITLE", help_heading = "Message")]
    pub(crate) wap_title: Option<String>,
    /// Link of a WAP push
    #[arg(long, value_name = "URL", help_heading = "Message")]
    pub(crate) wap_url: Option<String>,
    /// Business card to send (.vcf, version 2.1 to 4.0)
    #[arg(long, value_name = "FILE", help_heading = "Message")]
    pub(crate) vcard: Option<PathBuf>,
}

/// What ends a send before it costs anything.
#[derive(Args, Clone, Debug)]
pub(crate) struct QuoteLimitArgs {
    /// Send nothing if it costs more
    #[arg(long, value_name = "AMOUNT", help_heading = "Sending")]
    pub(crate) max_charge: Option<Amount>,
    /// Send nothing to fewer recipients, as of a list that was cut off
    #[arg(long, value_name = "N", help_heading = "Sending")]
    pub(crate) min_recipients: Option<u32>,
    /// Send nothing if this holds of the list, as 'invalid>5%' or 'duplicates>100'; may be repeated
    #[arg(long, value_name = "CONDITION", help_heading = "Sending")]
    pub(crate) abort_if: Vec<FailIf<QuoteMetric>>,
}

/// Whether to ask first.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ConsentArgs {
    /// Do not ask
    #[arg(short, long, help_heading = "Sending")]
    pub(crate) yes: bool,
    /// Stop after the quote: nothing is sent or charged
    #[arg(long, help_heading = "Sending")]
    pub(crate) dry_run: bool,
}

/// How long to follow a campaign, and what counts as failure.
#[derive(Args, Clone, Debug)]
pub(crate) struct FollowArgs {
    /// Stop waiting after this many seconds, and exit with 6; the campaign goes on
    #[arg(long, value_name = "SECONDS", help_heading = "Sending", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub(crate) timeout: Option<u64>,
    /// After that, wait up to this many seconds for delivery receipts
    #[arg(long, value_name = "SECONDS", default_value_t = 0, help_heading = "Sending")]
    pub(crate) receipts: u64,
    /// Exit with 5 if this holds at the end, as 'failed>5%' or 'unknown>0'; may be repeated
    #[arg(long, value_name = "CONDITION", help_heading = "Sending")]
    pub(crate) fail_if: Vec<FailIf>,
}

/// The kinds of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SmsType {
    /// GSM text
    Text,
    /// Shown at once and not stored
    Flash,
    /// Any script
    Unicode,
    /// A title and a link
    WapPush,
    /// A business card
    Vcard,
}

impl SmsType {
    /// The domain's kind.
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Self::Text => Kind::Text,
            Self::Flash => Kind::Flash,
            Self::Unicode => Kind::Unicode,
            Self::WapPush => Kind::WapPush,
            Self::Vcard => Kind::Vcard,
        }
    }
}

/// The two wallets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pay {
    /// The ESPEES wallet
    Espees,
    /// The Naira wallet
    #[value(alias = "paystack")]
    Naira,
}

impl Pay {
    /// The domain's currency.
    pub(crate) const fn currency(self) -> Currency {
        match self {
            Self::Espees => Currency::Espees,
            Self::Naira => Currency::Naira,
        }
    }

    /// As a query parameter of the API.
    pub(crate) fn query(self) -> CurrencyQuery {
        CurrencyQuery { currency: Some(self.currency().code().to_owned()) }
    }

    /// Its name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Espees => "espees",
            Self::Naira => "naira",
        }
    }

    /// The payment method, as the API names it.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Espees => "espees",
            Self::Naira => "paystack",
        }
    }
}

/// A key is a header's value: visible ASCII, short.
pub(super) fn parse_key(text: &str) -> Result<String, String> {
    if text.is_empty() || text.len() > 128 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("a key is 1 to 128 visible ASCII characters without spaces".to_owned());
    }
    Ok(text.to_owned())
}
