//! What the ledger is made of: accounts, transfers between them, and what a transfer is for.

use talkdrum_api::money::{Amount, Currency, Money};

use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;

id! {
    /// A ledger account's id.
    AccountId
}

impl AccountId {
    /// What customers paid for messages that carriers accepted.
    pub const fn revenue(currency: Currency) -> Self {
        match currency {
            Currency::Espees => Self(1),
            Currency::Naira => Self(2),
        }
    }

    /// What administrators credited by hand.
    pub const fn adjustment(currency: Currency) -> Self {
        match currency {
            Currency::Espees => Self(3),
            Currency::Naira => Self(4),
        }
    }
}

words! {
    /// What a ledger account is.
    AccountKind {
        /// A user's money in one currency.
        Wallet = "wallet",
        /// The money set aside for one campaign.
        Reserve = "reserve",
        /// What a payment provider collected for us.
        Clearing = "clearing",
        /// What administrators credited by hand.
        Adjustment = "adjustment",
        /// What customers paid for messages that carriers accepted.
        Revenue = "revenue",
    }
}

words! {
    /// What a transfer is for. With the reference it names the transfer uniquely.
    #[derive(Hash)]
    Code {
        /// Adjustment to wallet, by an administrator.
        Credit = "credit",
        /// Wallet to a campaign's reserve, at confirmation.
        Reserve = "reserve",
        /// Reserve to revenue: the carrier accepted the messages.
        Capture = "capture",
        /// Reserve to wallet: the messages were not sent.
        Release = "release",
        /// Revenue to wallet: accepted, later undelivered, and the operator refunds that; or charged while nothing was
        /// known, and not sent.
        Refund = "refund",
        /// Wallet to revenue: released while nothing was known, and sent after all.
        Charge = "charge",
        /// A gateway's clearing to wallet: a payment.
        Payment = "payment",
        /// Wallet to another user's wallet.
        Transfer = "transfer",
    }
}

id! {
    /// The id of a transfer.
    TransferId
}

/// An amount on its way from one account to another.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The account that loses it.
    pub debit: AccountId,
    /// The account that gains it.
    pub credit: AccountId,
    /// How much of what.
    pub money: Money,
    /// What it is for.
    pub code: Code,
    /// What it refers to, unique within the code: `campaign:7`, `chunk:12:3`, a payment reference.
    pub reference: String,
    /// In words, for statements.
    pub narration: String,
    /// The campaign it belongs to.
    pub campaign: Option<CampaignId>,
}

/// Whether a transfer was posted by this call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// Yes; the balances after it (`None` for revenue).
    Now {
        /// The transfer's id.
        id: TransferId,
        /// Of the account that was debited.
        debit_balance: Option<Amount>,
        /// Of the account that was credited.
        credit_balance: Option<Amount>,
    },
    /// No: this code and reference were posted before. Nothing changed.
    Before,
}

/// Money that is set aside for a new campaign.
#[derive(Clone, Debug)]
pub struct Reservation {
    /// The campaign.
    pub campaign: CampaignId,
    /// Whose it is.
    pub user: UserId,
    /// The wallet that pays.
    pub wallet: AccountId,
    /// How much; nothing is nothing to post.
    pub money: Money,
    /// In words, for statements.
    pub narration: String,
}

/// The numbers of sides in the statements, which sort by them.
macro_rules! ledger_side {
    (Debit) => {
        0
    };
    (Credit) => {
        1
    };
    (Payment) => {
        2
    };
}
pub(crate) use ledger_side;

/// What a movement of a wallet is a side of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The wallet lost it.
    Debit = ledger_side!(Debit),
    /// The wallet gained it.
    Credit = ledger_side!(Credit),
    /// It is a payment that has no ledger entry yet.
    Payment = ledger_side!(Payment),
}

talkdrum_api::column!(Side, i64, |number| {
    [Side::Debit, Side::Credit, Side::Payment].into_iter().find(|side| *side as i64 == number)
});
