//! `prices ...`, `settings ...`, `announcements ...`, `maintenance ...`, `audit` and `status`: running the platform.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use talkdrum_api::money::Amount;

use super::operator::parse_amount;
use super::{PageArgs, Pay};

/// `talkdrum rates`.
#[derive(Args, Debug)]
pub(crate) struct RatesArgs {
    /// Only the rates of this plan, as they are set (administrators)
    #[arg(long, value_name = "NAME")]
    pub(crate) plan: Option<String>,
    /// List the plans with their users (administrators)
    #[arg(long, conflicts_with = "plan")]
    pub(crate) plans: bool,
}

/// `talkdrum prices`.
#[derive(Debug, Subcommand)]
pub(crate) enum PricesCommand {
    /// Show every price
    Get,
    /// Set one price (administrators)
    Set(SetPriceArgs),
    /// Compare a file with the prices, and change nothing (administrators)
    Plan(PlanPricesArgs),
    /// Set the prices of a file, all or none; changes nothing when they are set already (administrators)
    Apply(ApplyPricesArgs),
    /// List every change of a price, newest first (administrators)
    History(PriceHistoryArgs),
}

/// What has a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Priced {
    /// One page of a short message
    Sms,
    /// One page of a short message to a number outside Nigeria; unset, such numbers are rejected
    #[value(alias = "sms-abroad")]
    SmsAbroad,
    /// One pulse of a call
    Voice,
    /// One pulse of a call from a virtual number
    #[value(alias = "virtual-number")]
    VirtualNumber,
    /// One pulse of a call from an own number
    #[value(alias = "own-number")]
    OwnNumber,
}

impl Priced {
    /// Its name in options, files and tables.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::SmsAbroad => "sms_abroad",
            Self::Voice => "voice",
            Self::VirtualNumber => "virtual_number",
            Self::OwnNumber => "own_number",
        }
    }
}

/// `talkdrum prices set`.
#[derive(Args, Debug)]
pub(crate) struct SetPriceArgs {
    /// The price of what
    #[arg(long, value_enum, default_value_t = Priced::Sms)]
    pub(crate) of: Priced,
    /// In which currency
    #[arg(long, value_enum)]
    pub(crate) currency: Pay,
    /// The price of a unit, with at most six decimals
    #[arg(value_parser = parse_amount)]
    pub(crate) price: Amount,
}

/// `talkdrum prices plan`.
#[derive(Args, Debug)]
pub(crate) struct PlanPricesArgs {
    /// The prices (TOML, see examples/prices.toml); '-' for stdin
    pub(crate) file: PathBuf,
}

/// `talkdrum prices apply`.
#[derive(Args, Debug)]
pub(crate) struct ApplyPricesArgs {
    /// The prices (TOML, see examples/prices.toml); '-' for stdin
    pub(crate) file: PathBuf,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Refuse when the prices are not those of this version any more, which `plan` prints
    #[arg(long, value_name = "VERSION")]
    pub(crate) expect: Option<String>,
}

/// `talkdrum prices history`.
#[derive(Args, Debug)]
pub(crate) struct PriceHistoryArgs {
    /// Only the price of this
    #[arg(long, value_enum, requires = "currency")]
    pub(crate) of: Option<Priced>,
    /// In this currency
    #[arg(long, value_enum, requires = "of")]
    pub(crate) currency: Option<Pay>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum settings`.
#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// Show all settings; secrets by their last four characters
    List,
    /// Print one setting's value
    Get {
        /// Which one
        #[arg(value_enum)]
        name: Setting,
    },
    /// Set one setting
    Set(SetSettingArgs),
}

/// The settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Setting {
    /// Where ESPEES payments go
    WalletAddress,
    /// The business's postal address
    ContactAddress,
    /// The address that visitors write to
    ContactEmail,
    /// The number that visitors call
    ContactPhone,
    /// The administrator's own number
    AdminNumber,
    /// The pricing write-up (HTML)
    AboutUs,
    /// The key of SMS carriers that have none of their own (secret)
    SmsApiKey,
    /// Our key at ESPEES (secret)
    EspeeApiKey,
    /// Our keys at Paystack: the secret one and, on a second line, the public one (secret)
    PaystackKeys,
}

/// `talkdrum settings set`.
#[derive(Args, Debug)]
pub(crate) struct SetSettingArgs {
    /// Which one
    #[arg(value_enum)]
    pub(crate) name: Setting,
    /// The value; without it, it is read from stdin, as secrets always are
    pub(crate) value: Option<String>,
    /// Read the value from a file
    #[arg(long, value_name = "FILE", conflicts_with = "value")]
    pub(crate) file: Option<PathBuf>,
}

/// `talkdrum announcements`.
#[derive(Debug, Subcommand)]
pub(crate) enum AnnouncementsCommand {
    /// List the announcements (users: the active ones)
    List(ListAnnouncementsArgs),
    /// Print one announcement (administrators)
    Show {
        /// Which one
        id: i64,
    },
    /// Announce something to all users (administrators)
    Create {
        /// The text, plain
        text: String,
    },
    /// Give an announcement another text (administrators)
    Edit {
        /// Which one
        id: i64,
        /// The text, plain
        text: String,
    },
    /// Show an announcement (administrators)
    Activate {
        /// Which one
        id: i64,
    },
    /// Show an announcement no more (administrators)
    Deactivate {
        /// Which one
        id: i64,
    },
    /// Remove an announcement (administrators)
    Delete {
        /// Which one
        id: i64,
    },
}

/// `talkdrum announcements list`.
#[derive(Args, Debug)]
pub(crate) struct ListAnnouncementsArgs {
    /// Only what users see now
    #[arg(long)]
    pub(crate) active: bool,
    /// Only announcements that contain this
    #[arg(long, value_name = "TEXT", conflicts_with = "active")]
    pub(crate) search: Option<String>,
}

/// `talkdrum maintenance`.
#[derive(Debug, Subcommand)]
pub(crate) enum MaintenanceCommand {
    /// Keep users and visitors out (administrators)
    On {
        /// What they are told
        #[arg(short, long)]
        message: String,
    },
    /// Let users and visitors in again (administrators)
    Off,
    /// Show whether users and visitors are kept out
    Status,
}

/// `talkdrum audit`.
#[derive(Args, Debug)]
pub(crate) struct AuditArgs {
    /// Only what this user did: an id or a username
    #[arg(long)]
    pub(crate) user: Option<String>,
    /// Only this action, such as price.set
    #[arg(long)]
    pub(crate) action: Option<String>,
    /// Only what was done to this, such as 'user 17'
    #[arg(long)]
    pub(crate) subject: Option<String>,
    /// From this on: 2030-01-31, '2030-01-31 09:30' or RFC 3339
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Up to this; a day without a time counts whole
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<String>,
    /// Only entries that contain this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum status`.
#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// How far back traffic and money are counted
    #[arg(long, value_name = "HOURS", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=168))]
    pub(crate) hours: u16,
    /// Traffic by the hour as well
    #[arg(long)]
    pub(crate) by_hour: bool,
}
