//! Payments, transfers and transactions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;

/// A payment.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Payment {
    /// Its id.
    pub id: i64,
    /// Whose wallet it goes into.
    pub user_id: i64,
    /// That user's name, in lists for administrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// `paystack` or `espees`.
    pub provider: String,
    /// Our reference.
    pub reference: String,
    /// The reference to confirm it by: the provider's own where it has one, else ours.
    pub payment_ref: String,
    /// How much is credited.
    pub amount: Amount,
    /// `naira` or `espees`.
    pub currency: String,
    /// The payer's words.
    pub narration: String,
    /// The client's label.
    pub product_sku: Option<String>,
    /// `initiated`, `pending`, `settled`, `failed`, `expired` or `mismatch`.
    pub status: String,
    /// The same in words.
    pub status_details: String,
    /// Where it is paid, as long as it can be.
    pub payment_url: Option<String>,
    /// Whether real money moves.
    pub live: bool,
    /// When it began.
    pub created_at: String,
    /// When it is not waited for any more; a late success is credited all the same.
    pub expires_at: String,
    /// When it was credited.
    pub settled_at: Option<String>,
    /// When the provider is asked next.
    pub next_check_at: Option<String>,
}

/// `POST /api/payment-initiate`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EspeesBegun {
    /// The reference to confirm it by.
    #[serde(rename = "payment-ref")]
    pub payment_ref: String,
    /// Where it is paid.
    pub payment_url: String,
    /// The payment.
    pub payment: Payment,
}

/// Where a card payment is made.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Checkout {
    /// The reference to confirm it by.
    pub reference: String,
    /// Where it is paid.
    pub authorization_url: String,
}

/// `POST /api/paystack-payment-initiate`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PaystackBegun {
    /// Reference and address.
    pub data: Checkout,
    /// The same reference.
    pub reference: String,
    /// The same address.
    pub authorization_url: String,
    /// The payment.
    pub payment: Payment,
}

/// `POST /api/payment-confirm`, `POST /api/paystack-payment-confirm`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PaymentConfirmed {
    /// For people.
    pub message: String,
    /// The payment, which is settled.
    pub payment: Payment,
    /// The wallet after it.
    pub balance: Amount,
}

/// `GET /api/payments`, `GET /admin/payments`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Payments {
    /// Newest first.
    pub payments: Vec<Payment>,
    /// How many there are.
    pub total: i64,
}

/// `POST /admin/payments/{id}/recheck`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Rechecked {
    /// For people.
    pub message: String,
    /// The payment after it.
    pub payment: Payment,
}

/// A refund or a dispute, as the provider told of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PaymentEvent {
    /// Its id.
    pub id: i64,
    /// `paystack`.
    pub provider: String,
    /// The provider's name of it: `refund.processed`, `charge.dispute.create`, ...
    pub event: String,
    /// Of which transaction.
    pub reference: Option<String>,
    /// Our payment, where it is one.
    pub payment_id: Option<i64>,
    /// Whose.
    pub user_id: Option<i64>,
    /// That user's name.
    pub username: Option<String>,
    /// Amount and words.
    pub summary: String,
    /// When it came.
    pub received_at: String,
}

/// `GET /admin/payment-events`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PaymentEvents {
    /// Newest first.
    pub events: Vec<PaymentEvent>,
    /// How many there are.
    pub total: i64,
}

/// `POST /api/transfer-fund`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Transferred {
    /// For people.
    pub message: String,
    /// The reference in both histories.
    pub reference: String,
    /// `espees` or `naira`.
    pub currency: String,
    /// The giver's wallet after it.
    pub balance: Amount,
}

/// One transaction.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Transaction {
    /// Unique among all.
    pub id: String,
    /// Whose wallet.
    pub user_id: i64,
    /// That user's name.
    pub username: String,
    /// What it refers to.
    pub payment_ref: String,
    /// How much, without a sign: see `direction`.
    pub price: Amount,
    /// `espees` or `naira`.
    pub currency: String,
    /// `payment`, `transfer`, `credit`, `reserve`, `release` or `refund`.
    pub kind: String,
    /// `credit`: the wallet gained it, or would have; `debit`: it lost it.
    pub direction: String,
    /// `successful`, or of a payment that is not in the ledger: `pending`, `failed`, `expired`, `mismatch`.
    pub status: String,
    /// The same in words.
    pub status_details: String,
    /// When.
    pub transaction_date: String,
    /// In words.
    pub narration: String,
    /// The wallet's balance after it.
    pub balance: Option<Amount>,
    /// The campaign it belongs to.
    pub campaign_id: Option<i64>,
}

/// A page of transactions, before it gets its name on the wire.
#[derive(Clone, Debug)]
pub struct Transactions {
    /// In the order that was asked for.
    pub transactions: Vec<Transaction>,
    /// How many there are.
    pub total: i64,
    /// Whether there are more, beyond what one list reaches.
    pub is_cut: bool,
    /// Where those begin.
    pub beyond: Option<i64>,
}

/// `GET /api/get-transaction-history`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnTransactions {
    /// Newest first.
    pub transactions: Vec<Transaction>,
    /// How many there are within reach.
    pub total: i64,
    /// Whether there are more, beyond the 100,000 that one list reaches: older ones; newer ones with `order=asc`.
    pub is_cut: bool,
    /// Ask with this as `beyond` for those.
    pub beyond: Option<i64>,
}

/// `GET /admin/get-all-transactions`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AllTransactions {
    /// Newest first.
    #[serde(rename = "Transactions")]
    pub transactions: Vec<Transaction>,
    /// How many there are within reach.
    pub total: i64,
    /// Whether there are more, beyond the 100,000 that one list reaches: older ones; newer ones with `order=asc`.
    pub is_cut: bool,
    /// Ask with this as `beyond` for those.
    pub beyond: Option<i64>,
}
