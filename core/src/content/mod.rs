//! What a message says: the kinds, their encoding, their pages (what is billed) and segments (what is sent).
//!
//! Pages follow the product's rule (156 characters a page, at most six), segments follow GSM 03.38 and 3GPP TS
//! 23.040; the two are counted side by side and never mixed up. A call has pulses where a short message has pages, and is
//! one segment.
//!
//! The way through the room: a form becomes [`Content`] (what the customer wrote, stored with the quote), that becomes
//! [`Prepared`] (cleaned, its merge fields found), and that measures and encodes each recipient's message.
//!
//! The one invariant: what is measured for the price is what is encoded for the carrier.

mod alphabet;
mod body;
pub mod call;
mod error;
pub mod gsm7;
pub mod link;
pub mod lookalike;
pub mod page;
pub mod poll;
mod prepared;
mod push_message;
mod scratch;
pub mod segment;
mod template;
mod text_message;
mod vcard;
pub mod wap_push;

use serde::{Deserialize, Serialize};
use talkdrum_api::kind::Kind;

pub use body::{Body, Encoding, Measure, Part};
pub use call::{CallScript, CallerNumber, ClipSource, Pulse};
pub use error::ContentError;
pub use lookalike::Replacement;
pub use poll::{Poll, PollKey};
pub use prepared::{Prepared, no_values};
pub use scratch::Scratch;
pub use template::{FieldNames, Template, field_key};
pub use vcard::{PORTS as VCARD_PORTS, Vcard};

use crate::{Error, Result};

/// The most bytes of a text, a title or a link as it is written. What six pages hold is far less; the rest is for the names
/// and defaults of merge fields.
pub const WRITTEN_MAX: usize = 16 << 10;
/// The most places of a text, a title or a link where a value is filled in.
pub const PLACES_MAX: usize = 64;

/// What stands for words that were erased.
pub const TEXT_ERASED: &str = "text erased";

/// What the customer wrote, as it is stored with the quote: merge fields unfilled, look-alikes unreplaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Content {
    /// GSM-7 text.
    Text {
        /// The message.
        text: String,
    },
    /// GSM-7 text of class 0.
    Flash {
        /// The message.
        text: String,
    },
    /// UCS-2 text.
    Unicode {
        /// The message.
        text: String,
    },
    /// A title and a link.
    WapPush {
        /// What is shown.
        title: String,
        /// Where it leads.
        url: String,
    },
    /// A business card.
    Vcard(Vcard),
    /// What is said in a call.
    Voice(CallScript),
}

json_column!(Content);

/// The fields of a campaign's form that say what is sent (specification, section 7); those of other kinds are ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContentFields<'a> {
    /// `message` of text and flash, `msg` of unicode.
    pub message: Option<&'a str>,
    /// `wap_title`.
    pub wap_title: Option<&'a str>,
    /// `wap_url`.
    pub wap_url: Option<&'a str>,
    /// `first_name` of a card.
    pub first_name: Option<&'a str>,
    /// `last_name` of a card.
    pub last_name: Option<&'a str>,
    /// `company` of a card.
    pub company: Option<&'a str>,
    /// `job_title` of a card.
    pub job_title: Option<&'a str>,
    /// `telephone` of a card.
    pub telephone: Option<&'a str>,
    /// `email` of a card.
    pub email: Option<&'a str>,
}

impl Content {
    /// Takes a form's fields. Text stays as it was typed but for its line ends, which become line feeds; the fields of
    /// WAP push and vCard are trimmed.
    ///
    /// # Errors
    /// The specification's section 5, points 5 to 7: `Message is required`, `WAP title and URL are required for WAP
    /// push messages`, `All vCard fields are required`. Whether it can be sent is for [`Content::prepare`] to say.
    pub fn parse(kind: Kind, fields: &ContentFields<'_>) -> Result<Self> {
        match kind {
            Kind::Text => Ok(Self::Text { text: message(kind, fields)? }),
            Kind::Flash => Ok(Self::Flash { text: message(kind, fields)? }),
            Kind::Unicode => Ok(Self::Unicode { text: message(kind, fields)? }),
            Kind::WapPush => wap_push(fields),
            Kind::Vcard => {
                let card = card(fields);
                card.check()?;
                Ok(Self::Vcard(card))
            }
            // Its length is known only once it was spoken or read, so it is made elsewhere.
            Kind::Voice => Err(Error::field("kind", "not_a_text", "A call is made by /api/voice-call")),
        }
    }

    /// The kind of message.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Text { .. } => Kind::Text,
            Self::Flash { .. } => Kind::Flash,
            Self::Unicode { .. } => Kind::Unicode,
            Self::WapPush { .. } => Kind::WapPush,
            Self::Vcard(_) => Kind::Vcard,
            Self::Voice(_) => Kind::Voice,
        }
    }

    /// The same message where braces are braces and nothing is a merge field.
    #[must_use]
    pub fn literal(self) -> Self {
        match self {
            Self::Text { text } => Self::Text { text: Template::literal(&text) },
            Self::Flash { text } => Self::Flash { text: Template::literal(&text) },
            Self::Unicode { text } => Self::Unicode { text: Template::literal(&text) },
            Self::WapPush { title, url } => {
                Self::WapPush { title: Template::literal(&title), url: Template::literal(&url) }
            }
            other @ (Self::Vcard(_) | Self::Voice(_)) => other,
        }
    }

    /// The same message with these merge fields and no others.
    fn with_fields(self, fields: &[String]) -> Self {
        let kept = |text: &str| Template::with_fields(text, fields);
        match self {
            Self::Text { text } => Self::Text { text: kept(&text) },
            Self::Flash { text } => Self::Flash { text: kept(&text) },
            Self::Unicode { text } => Self::Unicode { text: kept(&text) },
            Self::WapPush { title, url } => Self::WapPush { title: kept(&title), url: kept(&url) },
            other @ (Self::Vcard(_) | Self::Voice(_)) => other,
        }
    }

    /// The text of a text, flash or unicode message.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } | Self::Flash { text } | Self::Unicode { text } => Some(text),
            Self::WapPush { .. } | Self::Vcard(_) | Self::Voice(_) => None,
        }
    }

    /// A message of the same kind with another text; `None` where [`Content::as_text`] is.
    pub fn with_text(&self, text: String) -> Option<Self> {
        match self {
            Self::Text { .. } => Some(Self::Text { text }),
            Self::Flash { .. } => Some(Self::Flash { text }),
            Self::Unicode { .. } => Some(Self::Unicode { text }),
            Self::WapPush { .. } | Self::Vcard(_) | Self::Voice(_) => None,
        }
    }

    /// A message of the same kind that says nothing.
    fn without_words(self) -> Self {
        match self {
            Self::Text { .. } => Self::Text { text: String::new() },
            Self::Flash { .. } => Self::Flash { text: String::new() },
            Self::Unicode { .. } => Self::Unicode { text: String::new() },
            Self::WapPush { .. } => Self::WapPush { title: String::new(), url: String::new() },
            Self::Vcard(_) => Self::Vcard(Vcard::default()),
            Self::Voice(script) => Self::Voice(script.without_words()),
        }
    }

    /// A message of the same kind that says nothing but the names of a call's keys, as its figures are by them: what is left of a
    /// text that was kept for long enough, or whose recipient was erased.
    #[must_use]
    pub fn without_text(self) -> Self {
        let asked = self.as_call().and_then(|script| script.poll.clone());
        match self.without_words() {
            Self::Voice(script) => Self::Voice(CallScript { poll: asked, ..script }),
            other => other,
        }
    }

    /// Whether its words were erased: nothing else says nothing. A call that plays a recording has none.
    pub fn is_erased(&self) -> bool {
        match self {
            Self::Text { text } | Self::Flash { text } | Self::Unicode { text } => text.is_empty(),
            Self::WapPush { title, url } => title.is_empty() && url.is_empty(),
            Self::Vcard(card) => *card == Vcard::default(),
            Self::Voice(script) => {
                matches!(&script.clip, ClipSource::Speech { text, .. } if text.is_empty())
            }
        }
    }

    /// What is said in a call.
    pub const fn as_call(&self) -> Option<&CallScript> {
        match self {
            Self::Voice(script) => Some(script),
            _ => None,
        }
    }

    /// Replaces look-alikes, finds merge fields and measures what is the same for all.
    ///
    /// # Errors
    /// The message cannot be sent, to whomever: beyond [`WRITTEN_MAX`] or [`PLACES_MAX`], characters outside GSM-7, more
    /// than six pages, no link. The field at fault is named as in the API.
    pub fn prepare(&self) -> Result<Prepared> {
        let kind = self.kind();
        match self {
            Self::Text { text } | Self::Flash { text } | Self::Unicode { text } => {
                check_written(text).map_err(|error| error.refusal(text_field(kind)))?;
            }
            Self::WapPush { title, url } => {
                check_written(title).map_err(|error| error.refusal("wap_title"))?;
                check_written(url).map_err(|error| error.refusal("wap_url"))?;
            }
            Self::Vcard(_) | Self::Voice(_) => {}
        }
        Prepared::of(self)
    }

    /// [`Content::prepare`] for what was quoted with these columns, maybe by an earlier version: its bounds do not matter any
    /// more, and braces that were quoted as text stay text, as what is a field grew over time.
    ///
    /// # Errors
    /// As [`Content::prepare`], but for the bounds on what is written. Pages are still bounded: what was paid for must stay
    /// sendable, so their bound only grows, one version before quotes reach it.
    pub fn prepare_quoted(self, columns: &[String]) -> Result<Prepared> {
        Prepared::of(&self.with_fields(columns))
    }
}

/// The name of the field of a kind's text in the API.
const fn text_field(kind: Kind) -> &'static str {
    match kind {
        Kind::Unicode => "msg",
        Kind::WapPush => "wap_title",
        _ => "message",
    }
}

fn check_written(text: &str) -> Result<(), ContentError> {
    if text.len() > WRITTEN_MAX {
        return Err(ContentError::Overlong { bytes: text.len() });
    }
    match Template::parse(text).places() {
        places if places > PLACES_MAX => Err(ContentError::TooManyFields { places }),
        _ => Ok(()),
    }
}

fn message(kind: Kind, fields: &ContentFields<'_>) -> Result<String> {
    let text = fields.message.unwrap_or_default();
    if text.trim().is_empty() {
        return Err(ContentError::Empty.refusal(text_field(kind)));
    }
    Ok(alphabet::line_feeds(text, &mut String::new()).to_owned())
}

fn wap_push(fields: &ContentFields<'_>) -> Result<Content> {
    let (title, url) = (trimmed(fields.wap_title), trimmed(fields.wap_url));
    if title.is_empty() || url.is_empty() {
        return Err(Error::field(
            if title.is_empty() { "wap_title" } else { "wap_url" },
            "wap_fields_required",
            "WAP title and URL are required for WAP push messages",
        ));
    }
    Ok(Content::WapPush { title, url })
}

fn card(fields: &ContentFields<'_>) -> Vcard {
    Vcard {
        first_name: trimmed(fields.first_name),
        last_name: trimmed(fields.last_name),
        company: trimmed(fields.company),
        job_title: trimmed(fields.job_title),
        telephone: trimmed(fields.telephone),
        email: trimmed(fields.email),
    }
}

fn trimmed(field: Option<&str>) -> String {
    field.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests;
