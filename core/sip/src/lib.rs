//! Calls over a SIP trunk that play a clip, and a phone that answers them in a sandbox. It knows of no customer, no price
//! and no campaign.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use std::time::Duration;
//! use talkdrum_sip::{CallRequest, Clip, Trunk, TrunkConfig};
//!
//! let trunk = Trunk::start(TrunkConfig::new("sip.example.com", "2342012345678")).await?;
//! let clip = Clip::from_samples(&[0; 8_000])?;
//! let call = trunk.call(CallRequest::new("2348031234567", clip)).await?;
//! let result = call.result().await?;
//! println!("{:?}, up for {:?}", result.outcome, result.answered_for());
//! trunk.shutdown(Duration::from_secs(5)).await;
//! # Ok(())
//! # }
//! ```
//!
//! # Map
//! Top to bottom; each imports only what stands below it.
//! ```text
//! trunk     channels, rate, health by OPTIONS, and the answers to what the trunk asks us
//! callee    the phone of the sandbox
//! call      one call: INVITE, ringing, the clip, BYE
//! line leg  what calls of a trunk share; what a request in a call sees of it
//! media     the audio of a call: a clip out at the pace of a clock, keys in
//! stack     the SIP stack, `rsipstack`: transactions, dialogs, digest, CANCEL, ACK
//! sdp rtp dtmf ports stopwatch
//! clip config outcome g711
//! ```
//! [`outcome`] has the table of what the codes of SIP mean.
//!
//! # Bounds
//! A session description is read up to 8 KB and 8 streams, a datagram of SIP up to 8 KB, one of audio up to 1,500 bytes. A
//! call lasts for the time to its first answer, the time of ringing (twice where it began to ring late), its clip (half an hour at most) and its tail (a minute), reports 64 keys, and tells
//! at most 68 events, for all of which there is room. 1,024 requests are answered at the same time.
//!
//! # Logs
//! `rsipstack` logs every message at level INFO, numbers and authentication with it: a subscriber has to keep the target
//! `rsipstack` at WARN. This package logs no number.
//!
//! # Not there yet
//! - SIP over UDP only. A name is looked up as an address (A or AAAA), not by SRV or NAPTR.
//! - Digest by MD5, and by SHA-256 where it is spelled `SHA256`; the stack does not read RFC 8760's `SHA-256`.
//! - No REGISTER, no session timers of our own (RFC 4028; the trunk's refreshes are answered), no reliable provisional
//!   answers (RFC 3262), no redirection, no IPv6 tried.
//! - Audio is sent where SDP says, not to where it comes from: a party behind NAT does not hear, though it is heard.
//! - No RTCP, no SRTP, no keys in INFO or in the audio itself, no detection of machines.
//! - A call that is put on hold misses what is played meanwhile.

mod call;
pub mod callee;
pub mod clip;
pub mod config;
mod dtmf;
pub mod g711;
mod leg;
mod line;
mod media;
pub mod outcome;
mod ports;
mod rtp;
mod sdp;
mod stack;
mod stopwatch;
mod trunk;

pub use call::{Call, CallError, CallEvent, CallRequest, MAX_KEYS, MAX_PLAYS, MAX_TAIL};
pub use clip::{Clip, ClipError};
pub use config::{Credentials, TrunkConfig};
pub use g711::Codec;
pub use outcome::{CallResult, EndedBy, MediaStats, Outcome};
pub use trunk::{Health, Reach, StartError, Trunk};
