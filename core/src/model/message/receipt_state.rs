//! What a delivery receipt says, and how long one is waited for.

use std::time::Duration;

/// How long a receipt may come after its message, and how long one that matches nothing is kept.
pub const RECEIPTS_COME_FOR: Duration = Duration::from_hours(72);

/// What a receipt says of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptState {
    /// On its way, or nothing that is understood: changes nothing, but shows that the carrier has it.
    Enroute,
    /// On the handset.
    Delivered,
    /// The validity ran out.
    Expired,
    /// Will never be delivered.
    Undelivered,
    /// The carrier refused it after all.
    Rejected,
    /// The carrier does not know.
    Unknown,
}
