//! A text, flash or unicode message with merge fields: sized and encoded once where it is fixed, value by value where
//! it is not.
//!
//! Invariant: [`TextMessage::size`] is the size of what [`TextMessage::encode`] writes, and refuses the same values.

use std::collections::HashSet;

use super::alphabet::{Alphabet, line_feeds};
use super::error::ContentError;
use super::gsm7::Size;
use super::lookalike::{Replacement, tally};
use super::page;
use super::scratch::Scratch;
use super::template::{Piece, Template};

#[derive(Clone, Debug)]
pub(super) struct TextMessage {
    pub alphabet: Alphabet,
    pub template: Template,
    /// What the literals of the template are encoded as, piece by piece; nothing in the place of a field.
    encoded: Vec<Vec<u8>>,
    /// The size of all literals.
    fixed: Size,
}

impl TextMessage {
    /// Finds the fields first, then replaces look-alikes: a full-width brace is a brace to read, not a field.
    pub(super) fn new(
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
        let (fixed, encoded) = literals(alphabet, &template)?;
        if fixed.units > page::longest(alphabet.encoding()) {
            return Err(ContentError::TooLong { encoding: alphabet.encoding(), units: fixed.units });
        }
        Ok(Self { alphabet, template, encoded, fixed })
    }

    pub(super) fn size<'v>(
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
    pub(super) fn encode<'v>(
        &self,
        values: &impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<(), ContentError> {
        let Scratch { value: buffer, octets, .. } = scratch;
        octets.clear();
        for (piece, encoded) in self.template.pieces().iter().zip(&self.encoded) {
            octets.extend_from_slice(encoded);
            let Piece::Field(field) = piece else { continue };
            let value = field.value(values(&field.name))?;
            let cleaned = self.alphabet.clean(value, buffer, |_, _| ());
            let (clean, _) = cleaned.map_err(|error| error.within(&field.name))?;
            self.alphabet.encode(clean, octets)?;
        }
        Ok(())
    }

    pub(super) fn preview<'v>(&self, values: &impl Fn(&str) -> Option<&'v str>) -> String {
        let mut out = String::new();
        let mut buffer = String::new();
        self.template.show(values, &mut out, |value, out| {
            let clean = self.alphabet.clean(value, &mut buffer, |_, _| ());
            out.push_str(clean.map_or(value, |(clean, _)| clean));
        });
        out
    }
}

fn distinct(mut chars: Vec<char>) -> Vec<char> {
    let mut seen = HashSet::new();
    chars.retain(|c| seen.insert(*c));
    chars
}

/// Sizes and encodes the literals of a template.
fn literals(alphabet: Alphabet, template: &Template) -> Result<(Size, Vec<Vec<u8>>), ContentError> {
    let mut size = Size::default();
    let mut encoded = Vec::with_capacity(template.pieces().len());
    let mut buffer = String::new();
    for piece in template.pieces() {
        let mut octets = Vec::new();
        if let Piece::Literal(text) = piece {
            let (clean, added) = alphabet.clean(text, &mut buffer, |_, _| ())?;
            alphabet.encode(clean, &mut octets)?;
            size.units = size.units.saturating_add(added.units);
            size.wide |= added.wide;
        }
        encoded.push(octets);
    }
    Ok((size, encoded))
}
