//! The kinds of message. A call is a message that is heard.

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
    /// A call in which something is said.
    Voice,
}

#[cfg(feature = "sqlx")]
crate::column!(Kind, str, |code| Kind::ALL.into_iter().find(|kind| kind.code() == code));

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Flash, Self::Unicode, Self::WapPush, Self::Vcard, Self::Voice];
    /// Those that are short messages.
    pub const SMS: [Self; 5] = [Self::Text, Self::Flash, Self::Unicode, Self::WapPush, Self::Vcard];

    /// Whether it is a short message, and no call.
    pub const fn is_sms(self) -> bool {
        !matches!(self, Self::Voice)
    }

    /// The name in paths and in the store: `text`, `flash`, `unicode`, `wap-push`, `vcard`, `voice`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flash => "flash",
            Self::Unicode => "unicode",
            Self::WapPush => "wap-push",
            Self::Vcard => "vcard",
            Self::Voice => "voice",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed() {
        // A new one is asked for here, and has the next number.
        let number = |kind: Kind| match kind {
            Kind::Text => 0,
            Kind::Flash => 1,
            Kind::Unicode => 2,
            Kind::WapPush => 3,
            Kind::Vcard => 4,
            Kind::Voice => 5,
        };
        assert_eq!(Kind::ALL.map(number), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Kind::ALL.into_iter().filter(|kind| kind.is_sms()).collect::<Vec<_>>(), Kind::SMS);
    }
}
