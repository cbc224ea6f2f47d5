//! The transactions that Paystack's stand-in knows.

use serde_json::{Value, json};

use super::newest::Newest;

/// What the stand-in remembers.
#[derive(Debug, Default)]
pub(crate) struct Paystack {
    /// By reference.
    pub(crate) transactions: Newest<Transaction>,
}

#[derive(Clone, Debug)]
pub(crate) struct Transaction {
    pub(crate) reference: String,
    pub(crate) access_code: String,
    pub(crate) key: String,
    pub(crate) kobo: i64,
    pub(crate) email: String,
    pub(crate) narration: String,
    pub(crate) callback_url: String,
    pub(crate) cancel_url: String,
    pub(crate) status: &'static str,
    pub(crate) paid_at: Option<String>,
}

impl Transaction {
    fn domain(&self) -> &'static str {
        if self.key.starts_with("sk_test") { "test" } else { "live" }
    }

    /// As the provider shows it.
    pub(crate) fn as_json(&self) -> Value {
        let response = match self.status {
            "success" => "Successful",
            "failed" => "Declined",
            _ => "The transaction was not completed",
        };
        json!({
            "id": 4_000_000_000_i64, "domain": self.domain(), "status": self.status, "reference": self.reference,
            "amount": self.kobo, "requested_amount": self.kobo, "currency": "NGN", "channel": "card",
            "fees": if self.status == "success" { json!(self.kobo * 15 / 1_000) } else { Value::Null },
            "gateway_response": response, "message": Value::Null, "metadata": "", "log": Value::Null,
            "paid_at": self.paid_at, "customer": { "email": self.email, "customer_code": "CUS_sandbox" },
            "authorization": {},
        })
    }
}
