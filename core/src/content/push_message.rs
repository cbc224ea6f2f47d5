//! A WAP push with merge fields in its title and its link.
//!
//! Invariant: what is encoded has a title that is not blank, no control characters, and a link that passed
//! [`link::check`].

use super::error::ContentError;
use super::link;
use super::scratch::Scratch;
use super::template::{Piece, Template};
use super::wap_push::Indication;
use crate::Result;

#[derive(Clone, Debug)]
pub(super) struct PushMessage {
    title: Template,
    url: Template,
}

impl PushMessage {
    /// Takes title and link, and refuses at once what no value could make right, by trying harmless ones.
    pub(super) fn new(title: &str, url: &str) -> Result<Self> {
        let message = Self { title: Template::parse(title), url: Template::parse(url) };
        let mut shown = String::new();
        message.title.show(&|_| Some("x"), &mut shown, |value, out| out.push_str(value));
        check_title(&shown).map_err(|error| error.refusal("wap_title"))?;
        let mut target = String::new();
        message.url.show(&|_| Some("x.x"), &mut target, |value, out| {
            out.push_str(if out.is_empty() { "http://example.com/" } else { value });
        });
        link::check(&target).map_err(|error| error.refusal("wap_url"))?;
        Ok(message)
    }

    /// The names of the fields of both, each once.
    pub(super) fn fields(&self) -> Vec<Box<str>> {
        let mut fields = self.title.fields().to_vec();
        fields.extend(self.url.fields().iter().filter(|name| !self.title.fields().contains(name)).cloned());
        fields
    }

    /// Writes one recipient's message into `scratch.octets`.
    pub(super) fn encode<'v>(
        &self,
        values: &impl Fn(&str) -> Option<&'v str>,
        scratch: &mut Scratch,
    ) -> Result<(), ContentError> {
        let Scratch { title, url, octets, .. } = scratch;
        fill_title(&self.title, values, title)?;
        url.clear();
        for piece in self.url.pieces() {
            match piece {
                Piece::Literal(text) => url.push_str(text),
                Piece::Field(field) => link::push_value(field.value(values(&field.name))?, url),
            }
        }
        link::check(url)?;
        octets.clear();
        Indication { title, url, ..Indication::default() }.encode(octets);
        Ok(())
    }

    /// Title and link, for people to read.
    pub(super) fn preview<'v>(&self, values: &impl Fn(&str) -> Option<&'v str>) -> String {
        let mut out = String::new();
        self.title.show(values, &mut out, |value, out| out.push_str(value));
        let mut url = String::new();
        self.url.show(values, &mut url, link::push_value);
        out + " " + &url
    }
}

fn fill_title<'v>(
    template: &Template,
    values: &impl Fn(&str) -> Option<&'v str>,
    title: &mut String,
) -> Result<(), ContentError> {
    title.clear();
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => title.push_str(text),
            Piece::Field(field) => {
                let value = field.value(values(&field.name))?;
                check_controls(value).map_err(|error| error.within(&field.name))?;
                title.push_str(value);
            }
        }
    }
    check_title(title)
}

fn check_title(title: &str) -> Result<(), ContentError> {
    if title.trim().is_empty() { Err(ContentError::Empty) } else { check_controls(title) }
}

fn check_controls(text: &str) -> Result<(), ContentError> {
    match text.chars().find(|c| c.is_control()) {
        Some(char) => Err(ContentError::Control { field: None, char }),
        None => Ok(()),
    }
}
