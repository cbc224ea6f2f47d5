//! Calls over a SIP trunk: [`SipCarrier`] is what the platform sees of `talkdrum_sip`, the package in `core/sip`.
//!
//! ```text
//! carrier  the trunk as a VoiceCarrier: tries to start it, tells its health, hands calls over
//! config   the settings of a `[[carriers]]` entry
//! ```

mod carrier;
mod config;

pub use carrier::SipCarrier;
pub use config::SipConfig;

#[cfg(test)]
mod tests;
