//! A message made ready for any number of recipients: cleaned and sized once, filled in for each.
//!
//! Invariant: for the same values [`Prepared::measure`] and [`Prepared::encode`] agree: on whether the message can be
//! sent, and on its segments. Measuring a text looks at the values alone, and renders only where the size cannot tell
//! the segments.

use super::alphabet::{Alphabet, line_feeds};
use super::error::ContentError;
use super::gsm7::Size;
use super::kind::{Body, Encoding, Kind, Measure};
use super::lookalike::{Replacement, tally};
use super::template::{Piece, Template};
use super::wap_push::Indication;
use super::{Content, link, page, segment, text_field, vcard, wap_push};
use crate::Result;

/// The values of a recipient without any, for content without merge fields.
pub const fn no_values(_name: &str) -> Option<&'static str> {
    None
}

/// Buffers that measuring and encoding use again and again: one for each worker, passed from recipient to recipient.
#[derive(Debug, Default)]
pub struct Scratch {
    value: String,
    title: String,
    url: String,
    octets: Vec<u8>,
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
    Text(Text),
    WapPush { title: Template, url: Template },
    Vcard { octets: Vec<u8>, summary: String },
}

#[derive(Clone, Debug)]
struct Text {
    alphabet: Alphabet,
    template: Template,
    /// The size of all fixed text.
    fixed: Size,
}

impl Prepared {
    pub(super) fn of(content: &Content) -> Result<Self> {
        let kind = content.kind();
        let mut replacements = Vec::new();
        let shape = match content {
            Content::Text { text } | Content::Flash { text } => {
                let text = Text::new(Alphabet::Gsm7, text, &mut replacements);
                Shape::Text(text.map_err(|error| error.refusal(text_field(kind)))?)
            }
            Content::Unicode { text } => {
                let text = Text::new(Alphabet::Ucs2, text, &mut replacements);
                Shape::Text(text.map_err(|error| error.refusal(text_field(kind)))?)
            }
            Content::WapPush { title, url } => {
                let (title, url) = (Template::parse(title), Template::parse(url));
                try_out(&title, &url)?;
                Shape::WapPush { title, url }
            }
            Content::Vcard(card) => {
                card.check()?;
                let mut octets = Vec::new();
                card.encode(&mut octets);
                let summary = card.fields().map(|(_, value)| value).join(", ");
                Shape::Vcard { octets, summary }
            }
        };
        let fields = shape.fields();
        let mut prepared = Self { kind, shape, replacements, fields, uniform: None };
        if prepared.fields.is_empty() {
            let measure = prepared.measure(no_values, &mut Scratch::default());
            prepared.uniform = Some(measure.map_err(|error| error.refusal(prepared.field_of(&error)))?);
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
            Shape::WapPush { .. } | Shape::Vcard { .. } => Encoding::Binary,
        }
    }

    /// The look-alikes replaced in the fixed text, for the quote to show.
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// The names of the merge fields in lower case, each once: the caller refuses those that are no columns.
    pub fn fields(&self) -> &[Box<str>] {
        &self.fields
    }

    /// The size of the message when it is the same for everybody; `None` when it has merge fields.
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
        let Shape::Text(text) = &self.shape else {
            self.octets(values, scratch)?;
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
        self.octets(values, scratch)?;
        let encoding = self.encoding();
        let unit = if encoding == Encoding::Ucs2 { 2 } else { 1 };
        measured(encoding, scratch.octets.len() / unit, &scratch.octets)?;
        Ok(Body {
            kind: self.kind,
            encoding,
            flash: self.kind == Kind::Flash,
            ports: match &self.shape {
                Shape::Text(_) => None,
                Shape::WapPush { .. } => Some(wap_push::PORTS),
                Shape::Vcard { .. } => Some(vcard::PORTS),
            },
            parts: segment::cut(encoding, &scratch.octets),
        })
    }

    /// One recipient's message for people to read: the text as it is sent, title and link, or the fields of the card. A
    /// field without a value shows as `{name}`, a character that cannot be sent as it is.
    pub fn text<'v>(&self, values: impl Fn(&str) -> Option<&'v str>) -> String {
        match &self.shape {
            Shape::Text(text) => text.preview(values),
            Shape::WapPush { title, url } => {
                let mut out = String::new();
                show(title, &values, &mut out, |value, out| out.push_str(value));
                let mut shown = String::new();
                show(url, &values, &mut shown, link::push_value);
                out.push(' ');
                out + &shown
            }
            Shape::Vcard { summary, .. } => summary.clone(),
        }
    }

    /// Writes the encoded message into `scratch.octets`.
    fn octets<'v>(
        &self,
        values: impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<(), ContentError> {
        match &self.shape {
            Shape::Text(text) => text.encode(&values, scratch),
            Shape::WapPush { title, url } => indication(title, url, &values, scratch),
            Shape::Vcard { octets, .. } => {
                scratch.octets.clone_from(octets);
                Ok(())
            }
        }
    }

    /// The field of the form that an error is about.
    const fn field_of(&self, error: &ContentError) -> &'static str {
        match (self.kind, error) {
            (Kind::WapPush, ContentError::Link(_)) => "wap_url",
            (Kind::Vcard, _) => "company",
            (kind, _) => text_field(kind),
        }
    }
}

impl Shape {
    fn fields(&self) -> Vec<Box<str>> {
        match self {
            Self::Text(text) => text.template.fields().to_vec(),
            Self::WapPush { title, url } => {
                let mut fields = title.fields().to_vec();
                fields.extend(url.fields().iter().filter(|name| !title.fields().contains(name)).cloned());
                fields
            }
            Self::Vcard { .. } => Vec::new(),
        }
    }
}

impl Text {
    /// Finds the fields first, then replaces look-alikes: a full-width brace is a brace to read, not a field.
    fn new(
        alphabet: Alphabet,
        text: &str,
        replacements: &mut Vec<Replacement>,
    ) -> Result<Self, ContentError> {
        let mut template = Template::parse(line_feeds(text, &mut String::new()));
        let mut buffer = String::new();
        let mut unsendable = Vec::new();
        template.map(|text| {
            match alphabet.clean(text, &mut buffer, |from, to| tally(replacements, from, to)) {
                Ok((clean, _)) => Ok(clean.to_owned()),
                Err(ContentError::NotGsm7 { chars, .. }) => {
                    unsendable.extend(chars);
                    Ok(String::new())
                }
                Err(other) => Err(other),
            }
        })?;
        if !unsendable.is_empty() {
            return Err(ContentError::NotGsm7 { field: None, chars: distinct(unsendable) });
        }
        let fixed = fixed_size(alphabet, &template)?;
        if fixed.units > page::longest(alphabet.encoding()) {
            return Err(ContentError::TooLong { encoding: alphabet.encoding(), units: fixed.units });
        }
        Ok(Self { alphabet, template, fixed })
    }

    fn size<'v>(
        &self,
        values: &impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<Size, ContentError> {
        let mut size = self.fixed;
        for piece in self.template.pieces() {
            let Piece::Field(field) = piece else { continue };
            let value = field.value(values(&field.name))?;
            let cleaned = self.alphabet.clean(value, &mut scratch.value, |_, _| ());
            let (_, added) = cleaned.map_err(|error| error.within(&field.name))?;
            size.units = size.units.saturating_add(added.units);
            size.wide |= added.wide;
        }
        Ok(size)
    }

    /// Writes the encoded text into `scratch.octets`.
    fn encode<'v>(
        &self,
        values: &impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<(), ContentError> {
        let Scratch { value: buffer, octets, .. } = scratch;
        octets.clear();
        for piece in self.template.pieces() {
            match piece {
                Piece::Literal(text) => self.alphabet.encode(text, octets)?,
                Piece::Field(field) => {
                    let value = field.value(values(&field.name))?;
                    let cleaned = self.alphabet.clean(value, buffer, |_, _| ());
                    let (clean, _) = cleaned.map_err(|error| error.within(&field.name))?;
                    self.alphabet.encode(clean, octets)?;
                }
            }
        }
        Ok(())
    }

    fn preview<'v>(&self, values: impl Fn(&str) -> Option<&'v str>) -> String {
        let mut out = String::new();
        let mut buffer = String::new();
        show(&self.template, &values, &mut out, |value, out| {
            let clean = self.alphabet.clean(value, &mut buffer, |_, _| ());
            out.push_str(clean.map_or(value, |(clean, _)| clean));
        });
        out
    }
}

fn distinct(mut chars: Vec<char>) -> Vec<char> {
    let mut seen = std::collections::HashSet::new();
    chars.retain(|c| seen.insert(*c));
    chars
}

fn fixed_size(alphabet: Alphabet, template: &Template) -> Result<Size, ContentError> {
    let mut size = Size::default();
    let mut buffer = String::new();
    for piece in template.pieces() {
        if let Piece::Literal(text) = piece {
            let (_, added) = alphabet.clean(text, &mut buffer, |_, _| ())?;
            size.units = size.units.saturating_add(added.units);
            size.wide |= added.wide;
        }
    }
    Ok(size)
}

fn measured(encoding: Encoding, units: usize, octets: &[u8]) -> Result<Measure, ContentError> {
    let units = u32::try_from(units).unwrap_or(u32::MAX);
    let pages = page::pages(encoding, units)?;
    Ok(Measure { encoding, units, pages, segments: segment::count(encoding, octets) })
}

/// Appends a template for people to read; a field without a value shows as itself.
fn show<'v>(
    template: &Template,
    values: &impl Fn(&str) -> Option<&'v str>,
    out: &mut String,
    mut push: impl FnMut(&str, &mut String),
) {
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => out.push_str(text),
            Piece::Field(field) => match field.value(values(&field.name)) {
                Ok(value) => push(value, out),
                Err(_) => out.extend(["{", &field.name, "}"]),
            },
        }
    }
}

/// Finds what is wrong with a WAP push whatever its values, by trying it with harmless ones.
fn try_out(title: &Template, url: &Template) -> Result<()> {
    let mut shown = String::new();
    show(title, &|_| Some("x"), &mut shown, |value, out| out.push_str(value));
    check_title(&shown).map_err(|error| error.refusal("wap_title"))?;
    let mut target = String::new();
    show(url, &|_| Some("x.x"), &mut target, |value, out| {
        out.push_str(if out.is_empty() { "http://example.com/" } else { value });
    });
    link::check(&target).map_err(|error| error.refusal("wap_url"))
}

fn check_title(title: &str) -> Result<(), ContentError> {
    if title.trim().is_empty() {
        return Err(ContentError::Empty);
    }
    match title.chars().find(|c| c.is_control()) {
        Some(char) => Err(ContentError::Control { field: None, char }),
        None => Ok(()),
    }
}

/// Writes an encoded WAP push into `scratch.octets`.
fn indication<'v>(
    title: &Template,
    url: &Template,
    values: &impl Fn(&str) -> Option<&'v str>,
    scratch: &mut Scratch,
) -> Result<(), ContentError> {
    let Scratch { title: shown, url: target, octets, .. } = scratch;
    shown.clear();
    title.render(values, shown)?;
    check_title(shown)?;
    target.clear();
    for piece in url.pieces() {
        match piece {
            Piece::Literal(text) => target.push_str(text),
            Piece::Field(field) => link::push_value(field.value(values(&field.name))?, target),
        }
    }
    link::check(target)?;
    octets.clear();
    Indication { title: shown, url: target, ..Indication::default() }.encode(octets);
    Ok(())
}
