//! What the request of a message asked to be told, at an address that came with it: Kannel's `dlr-mask` and `dlr-url`.

use serde::{Deserialize, Serialize};

/// What can be told of a message, under Kannel's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptEvent {
    /// It is on the handset.
    Delivered = 1,
    /// A carrier accepted it, and it will not be delivered.
    Failed = 2,
    /// A carrier accepted it.
    Accepted = 8,
    /// No carrier accepted it, and none will be asked again.
    Refused = 16,
}

impl ReceiptEvent {
    /// Its bit in a mask, which is also its number.
    pub const fn bit(self) -> i64 {
        self as i64
    }

    /// Whether nothing is told after it.
    pub const fn is_last(self) -> bool {
        match self {
            Self::Delivered | Self::Failed | Self::Refused => true,
            Self::Accepted => false,
        }
    }
}

/// Where and of what the sender of a message is told.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ReceiptCallback {
    /// The address, with placeholders.
    pub url: String,
    /// The events that are wanted: the sum of their bits.
    pub mask: i64,
    /// What fills placeholders.
    pub details: CallbackDetails,
}

/// What the request said that placeholders repeat, as it was written there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallbackDetails {
    /// The recipient.
    pub to: String,
    /// The sender.
    pub from: String,
    /// The user's name.
    pub service: String,
    /// `account`.
    pub account: String,
    /// `binfo`.
    pub billing: String,
}

json_column!(CallbackDetails);
