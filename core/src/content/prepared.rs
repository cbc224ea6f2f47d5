//! A message made ready for any number of recipients: cleaned and sized once, filled in for each.
//!
//! Invariant: for the same values [`Prepared::measure`] and [`Prepared::encode`] agree: on whether the message can be
//! sent, and on its segments. Measuring a text looks at the values alone, and renders only where the size cannot tell
//! the segments.

use std::sync::Arc;

use talkdrum_api::kind::Kind;

use super::alphabet::Alphabet;
use super::body::{Body, Encoding, Measure};
use super::call::CallScript;
use super::error::ContentError;
use super::lookalike::Replacement;
use super::push_message::PushMessage;
use super::scratch::Scratch;
use super::text_message::TextMessage;
use super::vcard::Vcard;
use super::{Content, page, segment, text_field, vcard, wap_push};
use crate::Result;

/// The values of a recipient without any, for content without merge fields.
pub const fn no_values(_name: &str) -> Option<&'static str> {
    None
}

/// Content made ready. See [`Content::prepare`].
#[derive(Clone, Debug)]
pub struct Prepared {
    kind: Kind,
    shape: Shape,
    replacements: Vec<Replacement>,
    fields: Vec<Box<str>>,
    uniform: Option<Measure>,
}

#[derive(Clone, Debug)]
enum Shape {
    Text(TextMessage),
    WapPush(PushMessage),
    Vcard(Card),
    Voice(Arc<CallScript>),
}

/// A card, which is the same for all.
#[derive(Clone, Debug)]
struct Card {
    octets: Vec<u8>,
    summary: String,
    /// The field to shorten, should the card be too long.
    longest: &'static str,
}

impl Prepared {
    pub(super) fn of(content: &Content) -> Result<Self> {
        let kind = content.kind();
        let mut replacements = Vec::new();
        let mut text = |alphabet, text: &str| {
            let message = TextMessage::new(alphabet, text, &mut replacements);
            message.map(Shape::Text).map_err(|error| error.refusal(text_field(kind)))
        };
        let shape = match content {
            Content::Text { text: written } | Content::Flash { text: written } => {
                text(Alphabet::Gsm7, written)?
            }
            Content::Unicode { text: written } => text(Alphabet::Ucs2, written)?,
            Content::WapPush { title, url } => Shape::WapPush(PushMessage::new(title, url)?),
            Content::Vcard(card) => Shape::Vcard(Card::new(card)?),
            Content::Voice(script) => Shape::Voice(Arc::new(script.clone())),
        };
        let fields = match &shape {
            Shape::Text(text) => text.template.fields().to_vec(),
            Shape::WapPush(push) => push.fields(),
            Shape::Vcard(_) | Shape::Voice(_) => Vec::new(),
        };
        let mut prepared = Self { kind, shape, replacements, fields, uniform: None };
        if prepared.fields.is_empty() {
            let measure = prepared.measure(no_values, &mut Scratch::default());
            prepared.uniform = Some(measure.map_err(|error| error.refusal(prepared.text_field()))?);
        }
        Ok(prepared)
    }

    /// The kind of message.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// How it travels.
    pub const fn encoding(&self) -> Encoding {
        match &self.shape {
            Shape::Text(text) => text.alphabet.encoding(),
            Shape::WapPush(_) | Shape::Vcard(_) | Shape::Voice(_) => Encoding::Binary,
        }
    }

    /// The look-alikes replaced in the fixed text, for the quote to show.
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// The names of the merge fields, each once, as [`field_key`](super::field_key) has them: the caller refuses those that are no columns.
    pub fn fields(&self) -> &[Box<str>] {
        &self.fields
    }

    /// The size of the message when it is the same for all users; `None` when it has merge fields.
    pub const fn uniform(&self) -> Option<Measure> {
        self.uniform
    }

    /// The size of one recipient's message. `values` is asked by field name, in lower case.
    ///
    /// # Errors
    /// Why this recipient's message cannot be sent.
    pub fn measure<'v>(
        &self,
        values: impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<Measure, ContentError> {
        if let Some(measure) = self.uniform {
            return Ok(measure);
        }
        let encoding = self.encoding();
        if let Shape::Voice(script) = &self.shape {
            let units = u32::try_from(script.length_ms.div_ceil(1_000)).unwrap_or(u32::MAX);
            return Ok(Measure { encoding, units, pages: script.pulses(), segments: 1 });
        }
        let Shape::Text(text) = &self.shape else {
            self.octets(&values, scratch)?;
            return measured(encoding, scratch.octets.len(), &scratch.octets);
        };
        let size = text.size(&values, scratch)?;
        let pages = page::pages(encoding, size.units)?;
        let segments = match segment::by_size(encoding, size) {
            Some(segments) => segments,
            None => {
                text.encode(&values, scratch)?;
                segment::count(encoding, &scratch.octets)
            }
        };
        Ok(Measure { encoding, units: size.units, pages, segments })
    }

    /// One recipient's message, encoded and cut.
    ///
    /// # Errors
    /// Those of [`Prepared::measure`].
    pub fn encode<'v>(
        &self,
        values: impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<Body, ContentError> {
        let encoding = self.encoding();
        if let Shape::Voice(script) = &self.shape {
            let call = Some(Arc::clone(script));
            return Ok(Body {
                kind: self.kind,
                encoding,
                flash: false,
                ports: None,
                parts: Vec::new(),
                call,
            });
        }
        self.octets(&values, scratch)?;
        let unit = if encoding == Encoding::Ucs2 { 2 } else { 1 };
        measured(encoding, scratch.octets.len() / unit, &scratch.octets)?;
        Ok(Body {
            kind: self.kind,
            encoding,
            flash: self.kind == Kind::Flash,
            ports: match &self.shape {
                Shape::Text(_) | Shape::Voice(_) => None,
                Shape::WapPush(_) => Some(wap_push::PORTS),
                Shape::Vcard(_) => Some(vcard::PORTS),
            },
            parts: segment::cut(encoding, &scratch.octets),
            call: None,
        })
    }

    /// One recipient's message for people to read: the text as it is sent, title and link, or the fields of the card. A
    /// field without a value shows as `{name}`, a character that cannot be sent as it is.
    pub fn text<'v>(&self, values: impl Fn(&str) -> Option<&'v str>) -> String {
        match &self.shape {
            Shape::Text(text) => text.preview(&values),
            Shape::WapPush(push) => push.preview(&values),
            Shape::Vcard(card) => card.summary.clone(),
            Shape::Voice(script) => script.summary().to_owned(),
        }
    }

    /// What is said in a call.
    pub fn as_call(&self) -> Option<&CallScript> {
        match &self.shape {
            Shape::Voice(script) => Some(script),
            _ => None,
        }
    }

    /// Writes the encoded message into `scratch.octets`.
    fn octets<'v>(
        &self,
        values: &impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<(), ContentError> {
        match &self.shape {
            Shape::Text(text) => text.encode(values, scratch),
            Shape::WapPush(push) => push.encode(values, scratch),
            Shape::Vcard(card) => {
                scratch.octets.clone_from(&card.octets);
                Ok(())
            }
            // A call has no octets.
            Shape::Voice(_) => {
                scratch.octets.clear();
                Ok(())
            }
        }
    }

    /// The field of the form to change when the message is empty or too long.
    const fn text_field(&self) -> &'static str {
        match &self.shape {
            Shape::Vcard(card) => card.longest,
            _ => text_field(self.kind),
        }
    }
}

impl Card {
    fn new(card: &Vcard) -> Result<Self> {
        card.check()?;
        let mut octets = Vec::new();
        card.encode(&mut octets);
        let longest = card.fields().into_iter().max_by_key(|(_, value)| value.len());
        Ok(Self {
            octets,
            summary: card.fields().map(|(_, value)| value).join(", "),
            longest: longest.map_or("company", |(field, _)| field),
        })
    }
}

fn measured(encoding: Encoding, units: usize, octets: &[u8]) -> Result<Measure, ContentError> {
    let units = u32::try_from(units).unwrap_or(u32::MAX);
    let pages = page::pages(encoding, units)?;
    Ok(Measure { encoding, units, pages, segments: segment::count(encoding, octets) })
}
