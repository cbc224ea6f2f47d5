//! `fund`, `payments ...`, `transfer` and `transactions`.

use clap::{Args, Subcommand, ValueEnum};
use talkdrum_api::money::Amount;

use super::operator::parse_amount;
use super::{PageArgs, Pay};

/// `talkdrum fund`.
#[derive(Args, Debug)]
pub(crate) struct FundArgs {
    /// Which wallet: ESPEES are paid at ESPEES, Naira at Paystack
    #[arg(value_enum)]
    pub(crate) currency: Pay,
    /// How much
    #[arg(value_parser = parse_amount)]
    pub(crate) amount: Amount,
    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "Account funding")]
    pub(crate) narration: String,
    /// A label of your own for the payment (ESPEES)
    #[arg(long, value_name = "LABEL")]
    pub(crate) sku: Option<String>,
    /// Make the command repeatable: the same key never begins two payments
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Wait until it is paid and credited
    #[arg(long)]
    pub(crate) wait: bool,
    /// How long to wait, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 900, requires = "wait")]
    pub(crate) timeout: u64,
}

/// `talkdrum payments`.
#[derive(Debug, Subcommand)]
pub(crate) enum PaymentsCommand {
    /// List payments, newest first
    List(ListPaymentsArgs),
    /// Ask whether a payment is paid, and credit it if it is
    Confirm(ConfirmPaymentArgs),
    /// Ask the provider again, also for another user's payment (administrators)
    Recheck(RecheckPaymentArgs),
    /// List refunds and disputes that the provider told of (administrators)
    Events(PageArgs),
}

/// `talkdrum payments list`.
#[derive(Args, Debug)]
pub(crate) struct ListPaymentsArgs {
    /// All users' (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// One user's, by id or user name (administrators)
    #[arg(long)]
    pub(crate) user: Option<String>,
    /// Only those in this status
    #[arg(long, value_parser = ["initiated", "pending", "settled", "failed", "expired", "mismatch"])]
    pub(crate) status: Option<String>,
    /// Only those whose reference, narration, label or payer contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum payments confirm`.
#[derive(Args, Debug)]
pub(crate) struct ConfirmPaymentArgs {
    /// Which wallet it was for
    #[arg(value_enum)]
    pub(crate) currency: Pay,
    /// The reference that the payment began with
    pub(crate) reference: String,
}

/// `talkdrum payments recheck`.
#[derive(Args, Debug)]
pub(crate) struct RecheckPaymentArgs {
    /// The payment's id
    #[arg(value_name = "PAYMENT")]
    pub(crate) id: i64,
}

/// `talkdrum transfer`.
#[derive(Args, Debug)]
pub(crate) struct TransferArgs {
    /// The recipient's user name
    pub(crate) to: String,
    /// How much
    #[arg(value_parser = parse_amount)]
    pub(crate) amount: Amount,
    /// From which wallet into which
    #[arg(long, value_enum, default_value_t = Pay::Espees)]
    pub(crate) currency: Pay,
    /// Make the command repeatable: the same key never transfers twice
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `talkdrum transactions`.
#[derive(Args, Debug)]
pub(crate) struct TransactionsArgs {
    /// All users' (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// One user's, by id or user name (administrators)
    #[arg(long)]
    pub(crate) user: Option<String>,
    /// Only of this kind
    #[arg(long, value_enum)]
    pub(crate) kind: Option<TransactionKind>,
    /// Only in this status
    #[arg(long, value_parser = ["successful", "pending", "failed", "expired", "mismatch"])]
    pub(crate) status: Option<String>,
    /// Only in this wallet
    #[arg(long, value_enum)]
    pub(crate) currency: Option<Pay>,
    /// From this on: 2030-01-31, '2030-01-31 09:30' or RFC 3339
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Up to this; a day without a time counts whole
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<String>,
    /// Only those whose reference or narration contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Only what this campaign reserved, released or refunded
    #[arg(long, value_name = "ID")]
    pub(crate) campaign: Option<i64>,
    /// What is beyond the 100,000 of another list, which said this
    #[arg(long, value_name = "PLACE")]
    pub(crate) beyond: Option<i64>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// The kinds of transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransactionKind {
    /// Payments, also those that are open or failed
    Payment,
    /// To and from other users
    Transfer,
    /// By an administrator
    Credit,
    /// Reserved for a campaign
    Reserve,
    /// Returned by a campaign that did not need it
    Release,
    /// Refunded for what was not delivered
    Refund,
    /// Charged for a message that had been refunded and was sent
    Charge,
}

impl TransactionKind {
    /// As the API names it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Transfer => "transfer",
            Self::Credit => "credit",
            Self::Reserve => "reserve",
            Self::Release => "release",
            Self::Refund => "refund",
            Self::Charge => "charge",
        }
    }
}
