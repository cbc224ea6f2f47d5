//! SMPP 3.4: the carrier's side of a bind to an SMSC, with a session of our own.
//!
//! Rooms: `config` what an operator sets; `command`, `frame`, `deliver` PDUs on the wire; `template`, `split`,
//! `address`, `alphabet`, `validity` a submit_sm from a body; `receipt`, `reference` what receipts say; `window`
//! what may be sent; `session` a bound connection; `link` its life; `shared` and `carrier` the handle.
//!
//! Each submission is answered exactly once, and `Unanswered` is said exactly of what the socket took
//! and the carrier did not answer.

mod address;
mod alphabet;
mod carrier;
mod command;
mod config;
mod deliver;
mod frame;
mod link;
mod receipt;
mod reference;
mod session;
mod shared;
mod split;
mod template;
mod trace_line;
mod validity;
mod window;
mod wire;

pub use alphabet::Script;
pub use carrier::{SmppCarrier, SmppDeps};
pub use config::{
    Alphabet, BinaryCoding, BindMode, Concatenation, FlashMode, MessageIdFormat, ReceiptSource, SmppConfig,
    Validity,
};
pub(in crate::carrier) use deliver::concatenation;
pub(in crate::carrier) use template::reference as concatenation_reference;
