//! Phone numbers: what a person or a spreadsheet wrote goes in, E.164 comes out, or a reject with its reason.
//!
//! [`parse`] reads one number, [`extract`] a form field with many, and [`Intake`] streams a file of any size.
//! [`SeenNumbers`] drops duplicates, [`NetworkTable`] guesses the network.
//!
//! The one invariant: an [`Msisdn`] that leaves this room is a number libphonenumber holds valid and that may take
//! an SMS; everything else leaves as a [`RejectReason`], never silently.

mod allowed_prefixes;
mod candidate;
mod dedupe;
mod digest;
mod intake;
mod msisdn;
mod network;
mod nigeria;
mod packed_block;
mod parse;
mod reject;

pub use allowed_prefixes::AllowedPrefixes;
pub use dedupe::SeenNumbers;
pub use digest::DigestKey;
pub use intake::{
    FieldsBuf, InputEncoding, Intake, IntakeOptions, IntakeSummary, PhoneColumns, RowFields, Sink, extract,
    shown_title, unread_notice,
};
pub use msisdn::Msisdn;
pub use network::{NetworkId, NetworkTable};
pub use parse::parse;
pub(crate) use parse::{digit, foreign_digits, is_filler, is_plus};
pub use reject::RejectReason;
