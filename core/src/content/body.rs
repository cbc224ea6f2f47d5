//! The vocabulary of the room: encodings, measures, and the encoded body a carrier takes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use talkdrum_api::kind::Kind;

use super::call::CallScript;

/// How the characters travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// GSM 03.38 default alphabet with its extension table, one septet an octet (unpacked).
    Gsm7,
    /// UTF-16, big endian.
    Ucs2,
    /// Octets: WAP push and vCard, and what is heard in a call.
    Binary,
}

/// The size of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Measure {
    /// How it travels.
    pub encoding: Encoding,
    /// Septets, UTF-16 units or octets; seconds of a call's clip.
    pub units: u32,
    /// Billed pages, 1 to 6; the pulses of a call.
    pub pages: u8,
    /// Short messages on the air.
    pub segments: u8,
}

/// One short message of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The octets without any user data header for concatenation, in the body's encoding: unpacked septets,
    /// UTF-16BE, or octets.
    pub data: Box<[u8]>,
}

/// A message encoded once for every carrier: the carrier adds headers, alphabets and data coding as it needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// What it is.
    pub kind: Kind,
    /// How its parts are encoded.
    pub encoding: Encoding,
    /// Class 0: shown at once.
    pub flash: bool,
    /// Destination and source port (16-bit application port addressing), for WAP push and vCard.
    pub ports: Option<(u16, u16)>,
    /// One to eight parts, already cut so that a concatenation header with an 8-bit reference fits
    /// (160/153 septets, 70/67 units, 140/134 octets less the port header).
    /// None of a call.
    pub parts: Vec<Part>,
    /// What is said, where it is a call.
    pub call: Option<Arc<CallScript>>,
}
