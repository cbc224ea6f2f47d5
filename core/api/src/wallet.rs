//! Balances, prices, statements.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;

/// `GET /api/get-espee-balance`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Balances {
    /// The wallet in ESPEES.
    #[serde(rename = "espees-balance")]
    pub espees: Amount,
    /// The wallet in Naira.
    pub paystack_balance: Amount,
    /// ESPEES reserved by campaigns that are not settled yet.
    pub espees_reserved: Amount,
    /// Naira reserved by campaigns that are not settled yet.
    pub paystack_reserved: Amount,
}

/// One movement of a wallet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct StatementEntry {
    /// The ledger transfer's id.
    pub id: i64,
    /// When.
    pub at: String,
    /// `espees` or `naira`.
    pub currency: String,
    /// What kind of movement: `credit`, `reserve`, `capture`, `release`, ...
    pub code: String,
    /// What it refers to.
    pub reference: String,
    /// In words.
    pub narration: String,
    /// Signed: what the wallet gained or lost.
    pub amount: Amount,
    /// The wallet's balance after it.
    pub balance: Amount,
    /// The campaign it belongs to.
    pub campaign_id: Option<i64>,
}

/// `GET /api/wallet/statement`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Statement {
    /// Newest first.
    pub entries: Vec<StatementEntry>,
    /// How many there are.
    pub total: i64,
}

/// One record of a setting, as the specification has it: a list whose first item has a value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PriceRecord {
    /// The price of one page.
    pub value: Amount,
    /// When it was set.
    pub updated_at: String,
}

/// `POST /admin/assign-espee/{id}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EspeesAssigned {
    /// For people.
    pub message: String,
    /// The wallet in ESPEES after it.
    pub espee_balance: Amount,
}

/// `POST /admin/assign-naira/{id}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NairaAssigned {
    /// For people.
    pub message: String,
    /// The wallet in Naira after it.
    pub paystack_balance: Amount,
    /// The payment reference: the one given, or the one that was made up.
    pub payment_ref: String,
}
