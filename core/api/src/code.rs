//! The codes of problems that a program tells apart: what gives one and what reads it name it by the same word. Those that
//! are only shown stand where they are given.

/// The account is inactive.
pub const ACCOUNT_INACTIVE: &str = "account_inactive";
/// Every recipient opted out of messages.
pub const ALL_OPTED_OUT: &str = "all_opted_out";
/// No mask of the receipts that a sender asks for.
pub const BAD_DLR_MASK: &str = "bad_dlr_mask";
/// No address that receipts can be brought to.
pub const BAD_DLR_URL: &str = "bad_dlr_url";
/// No phone number.
pub const BAD_NUMBER: &str = "bad_number";
/// PostgreSQL cannot be reached, and may be later.
pub const DATABASE_UNREACHABLE: &str = "database_unreachable";
/// A key stands for another request.
pub const IDEMPOTENCY_KEY_REUSED: &str = "idempotency_key_reused";
/// A wallet does not hold what is to be paid.
pub const INSUFFICIENT_BALANCE: &str = "insufficient_balance";
/// Nothing is priced where a number is.
pub const NO_PRICE: &str = "no_price";
/// There is no such record, or it is another user's.
pub const NOT_FOUND: &str = "not_found";
/// A list of numbers has none.
pub const NUMBERS_REQUIRED: &str = "numbers_required";
/// A payment failed.
pub const PAYMENT_FAILED: &str = "payment_failed";
/// A payment is not completed yet.
pub const PAYMENT_PENDING: &str = "payment_pending";
/// A price is not set.
pub const PRICE_UNSET: &str = "price_unset";
/// A quote was not confirmed in time.
pub const QUOTE_EXPIRED: &str = "quote_expired";
/// The password has to be given again.
pub const REAUTHENTICATION_REQUIRED: &str = "reauthentication_required";
/// There are no recipients.
pub const RECIPIENTS_REQUIRED: &str = "recipients_required";
/// A time to send at is too far ahead.
pub const TIME_TOO_FAR: &str = "time_too_far";
