//! The vocabulary of the room: kinds, encodings, measures, and the encoded body a carrier takes.

use serde::{Deserialize, Serialize};

/// The kinds of message, as `{kind}` names them in the API's paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// GSM-7 text.
    Text,
    /// Text shown at once and not stored (class 0).
    Flash,
    /// UCS-2 text.
    Unicode,
    /// WAP push service indication: a title and a link.
    WapPush,
    /// A business card, vCard 2.1.
    Vcard,
}

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Text, Self::Flash, Self::Unicode, Self::WapPush, Self::Vcard];

    /// The name in paths and in the store: `text`, `flash`, `unicode`, `wap-push`, `vcard`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flash => "flash",
            Self::Unicode => "unicode",
            Self::WapPush => "wap-push",
            Self::Vcard => "vcard",
        }
    }

    /// The `type` of a sent message (product.md): as [`Kind::code`], but `wap` for WAP push.
    pub const fn sent_type(self) -> &'static str {
        match self {
            Self::WapPush => "wap",
            other => other.code(),
        }
    }

    /// The kind of a name in either form.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code || kind.sent_type() == code)
    }
}

/// How the characters travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// GSM 03.38 default alphabet with its extension table, one septet an octet (unpacked).
    Gsm7,
    /// UTF-16, big endian.
    Ucs2,
    /// Octets: WAP push and vCard.
    Binary,
}

/// The size of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Measure {
    /// How it travels.
    pub encoding: Encoding,
    /// Septets, UTF-16 units or octets.
    pub units: u32,
    /// Billed pages, 1 to 6.
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
    pub parts: Vec<Part>,
}
