//! Why a message cannot be sent to a recipient as it is written.
//!
//! Invariant: every sentence says what is wrong, how far off it is, and what to do. The same type serves a whole
//! campaign, where it becomes a refusal of the form, and one recipient, where it becomes the reason of a reject.

use super::body::Encoding;
use super::gsm7::Named;
use super::page;

/// Why a message cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// Nothing is left to send.
    #[error("Message is required")]
    Empty,
    /// More than six pages.
    #[error("{}", too_long(*.encoding, *.units))]
    TooLong {
        /// How it would travel, which decides what a unit is.
        encoding: Encoding,
        /// Septets, UTF-16 units or octets.
        units: u32,
    },
    /// More was written than is ever sent, merge fields and all.
    #[error(
        "The message takes {bytes} bytes as it is written, and the limit is {} with its merge fields. Shorten it",
        super::WRITTEN_MAX
    )]
    Overlong {
        /// Bytes of UTF-8.
        bytes: usize,
    },
    /// Values would be filled in at too many places.
    #[error(
        "The message has merge fields at {places} places and the limit is {}. Write some of them as fixed text",
        super::PLACES_MAX
    )]
    TooManyFields {
        /// Merge fields, each as often as it stands there.
        places: usize,
    },
    /// Characters outside GSM-7 without a look-alike.
    #[error("{} cannot carry {}. Remove what it cannot carry, or send the message as unicode", carrier(.field), Named(.chars))]
    NotGsm7 {
        /// The merge field whose value holds them; `None` for the message itself.
        field: Option<Box<str>>,
        /// The characters, each once.
        chars: Vec<char>,
    },
    /// Control characters, which no telephone shows.
    #[error("{} holds the control character {}. Remove it", holder(.field), Named(&[*.char]))]
    Control {
        /// The merge field whose value holds it; `None` for the message itself.
        field: Option<Box<str>>,
        /// The character.
        char: char,
    },
    /// A merge field without a value and without a default.
    #[error("There is no value for {{{field}}}. Give one, or a default as in {{{field}|friend}}")]
    MissingValue {
        /// The field's name.
        field: Box<str>,
    },
    /// The link of a WAP push is none.
    #[error("{0}")]
    Link(String),
}

impl ContentError {
    /// The stable code, for problem documents and rejects files.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "message_required",
            Self::TooLong { .. } | Self::Overlong { .. } => "message_too_long",
            Self::TooManyFields { .. } => "too_many_fields",
            Self::NotGsm7 { .. } => "not_gsm7",
            Self::Control { .. } => "control_character",
            Self::MissingValue { .. } => "merge_value_missing",
            Self::Link(_) => "wap_url_invalid",
        }
    }

    /// The refusal of a whole form, naming the field at fault under its name in the API.
    pub fn refusal(&self, field: &'static str) -> crate::Error {
        crate::Error::field(field, self.code(), self.to_string())
    }

    /// The same error, found in the value of a merge field.
    pub(super) fn within(self, name: &str) -> Self {
        match self {
            Self::NotGsm7 { chars, .. } => Self::NotGsm7 { field: Some(name.into()), chars },
            Self::Control { char, .. } => Self::Control { field: Some(name.into()), char },
            other => other,
        }
    }
}

fn carrier(field: &Option<Box<str>>) -> String {
    field.as_ref().map_or_else(
        || "A text message".to_owned(),
        |name| format!("The value of {{{name}}} does not fit: a text message"),
    )
}

fn holder(field: &Option<Box<str>>) -> String {
    field.as_ref().map_or_else(|| "The message".to_owned(), |name| format!("The value of {{{name}}}"))
}

fn too_long(encoding: Encoding, units: u32) -> String {
    let limit = page::longest(encoding);
    let (each, pages) = (page::each(encoding), page::PAGES_MAX);
    let over = units.saturating_sub(limit);
    match encoding {
        Encoding::Gsm7 => format!(
            "The message is {units} characters long (such as € and [ count two) and the limit is {limit}: {pages} pages of {each}. \
             Shorten it by {over}, or send it as several messages"
        ),
        Encoding::Ucs2 => format!(
            "The message is {units} characters long (most emoji count two) and the limit of unicode is {limit}: {pages} pages of {each}. \
             Shorten it by {over}, or write it in plain letters and send it as text"
        ),
        Encoding::Binary => format!(
            "The message is {units} octets long and the limit is {limit}: {pages} pages of {each}. Shorten its fields by {over}"
        ),
    }
}
