//! Merge fields: `{name}` and `{name|default}` in a message, filled from the columns of the recipients' file.
//!
//! A name is the title of a column, of at most 64 characters on one line; how it is compared says [`field_key`]: `{Due
//! date}`, `{due_date}` and `{DUE  DATE}` are the same. A default is anything without braces or line ends. `{{` and `}}`
//! write braces; a `{` that opens no field (`{`, `{}`, `{ !? }`) is written as it stands. Whether a name is a column is
//! for the caller to say, see [`Template::fields`].
//!
//! Invariant: [`Template::render`] writes the pieces in order and nothing else, and allocates nothing but what `out`
//! needs to grow.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::error::ContentError;

/// The most characters in the name of a field.
const NAME_MAX: usize = 64;

/// A message with its merge fields found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
    fields: Vec<Box<str>>,
}

/// A stretch of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is the same for all.
    Literal(Box<str>),
    /// The place of a value.
    Field(Field),
}

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// As [`field_key`] has it.
    pub name: Box<str>,
    /// What stands in for a value that is missing or blank.
    pub default: Option<Box<str>>,
}

impl Field {
    /// The value for a recipient: a blank one counts as missing.
    pub(super) fn value<'a>(&'a self, value: Option<&'a str>) -> Result<&'a str, ContentError> {
        let value = value.filter(|value| !value.trim().is_empty());
        value
            .or(self.default.as_deref())
            .ok_or_else(|| ContentError::MissingValue { field: self.name.clone() })
    }
}

impl Template {
    /// Finds the merge fields of a text. There is no wrong template: what is not a field is text.
    pub fn parse(text: &str) -> Self {
        let mut builder = Builder::default();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            builder.literal.push_str(&rest[..at]);
            rest = builder.brace(&rest[at..]);
        }
        builder.literal.push_str(rest);
        builder.finish()
    }

    /// A text in which braces are braces: it parses to itself, without fields.
    pub fn literal(text: &str) -> String {
        text.replace('{', "{{").replace('}', "}}")
    }

    /// The text in which every field but the `known` ones is braces to read. Names are as [`field_key`] has them.
    pub fn with_fields(text: &str, known: &[String]) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let unknown = field(rest).filter(|(field, _)| !known.iter().any(|known| **known == *field.name));
            let taken = match unknown {
                _ if rest.starts_with("{{") || rest.starts_with("}}") => 2,
                Some(_) => {
                    out.push('{');
                    1
                }
                None => 1,
            };
            out.push_str(&rest[..taken]);
            rest = &rest[taken..];
        }
        out.push_str(rest);
        out
    }

    /// The names of the fields as [`field_key`] has them, each once, in order of appearance.
    pub fn fields(&self) -> &[Box<str>] {
        &self.fields
    }

    /// At how many places a value is filled in.
    pub(super) fn places(&self) -> usize {
        self.pieces.iter().filter(|piece| matches!(piece, Piece::Field(_))).count()
    }

    /// Whether it is a field and nothing else: each recipient's text is theirs alone.
    pub fn is_one_field(&self) -> bool {
        let is_blank = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.trim().is_empty());
        let mut said = self.pieces.iter().filter(|piece| !is_blank(piece));
        matches!((said.next(), said.next()), (Some(Piece::Field(_)), None))
    }

    /// Whether there are no fields: the text is the same for all users.
    pub fn is_plain(&self) -> bool {
        self.fields.is_empty()
    }

    /// Appends the text for one recipient. `values` is asked by name as [`field_key`] has it; a blank value counts as missing
    /// and gives way to the default.
    ///
    /// # Errors
    /// [`ContentError::MissingValue`] when a field has neither a value nor a default.
    pub fn render<'v>(
        &self,
        values: impl Fn(&str) -> Option<&'v str>,
        out: &mut String,
    ) -> Result<(), ContentError> {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Field(field) => out.push_str(field.value(values(&field.name))?),
            }
        }
        Ok(())
    }

    /// Appends the text for people to read, values by way of `push`; a field without a value shows as itself.
    pub(super) fn show<'v>(
        &self,
        values: &impl Fn(&str) -> Option<&'v str>,
        out: &mut String,
        mut push: impl FnMut(&str, &mut String),
    ) {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Field(field) => match field.value(values(&field.name)) {
                    Ok(value) => push(value, out),
                    Err(_) => out.extend(["{", &field.name, "}"]),
                },
            }
        }
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Replaces each stretch of fixed text, the defaults included.
    pub(super) fn map<E>(&mut self, mut change: impl FnMut(&str) -> Result<String, E>) -> Result<(), E> {
        for piece in &mut self.pieces {
            let text = match piece {
                Piece::Literal(text) => text,
                Piece::Field(Field { default: Some(text), .. }) => text,
                Piece::Field(_) => continue,
            };
            *text = change(text)?.into_boxed_str();
        }
        Ok(())
    }
}

#[derive(Default)]
struct Builder {
    literal: String,
    pieces: Vec<Piece>,
    fields: Vec<Box<str>>,
    names: HashSet<Box<str>>,
}

impl Builder {
    /// Takes what a brace at the start of `text` begins, and gives the text behind it.
    fn brace<'t>(&mut self, text: &'t str) -> &'t str {
        if text.starts_with("{{") || text.starts_with("}}") {
            self.literal.push_str(&text[..1]);
            return &text[2..];
        }
        match field(text) {
            Some((field, rest)) => {
                self.push(field);
                rest
            }
            None => {
                self.literal.push_str(&text[..1]);
                &text[1..]
            }
        }
    }

    fn push(&mut self, field: Field) {
        self.flush();
        if self.names.insert(field.name.clone()) {
            self.fields.push(field.name.clone());
        }
        self.pieces.push(Piece::Field(field));
    }

    fn flush(&mut self) {
        if !self.literal.is_empty() {
            self.pieces.push(Piece::Literal(std::mem::take(&mut self.literal).into_boxed_str()));
        }
    }

    fn finish(mut self) -> Template {
        self.flush();
        Template { pieces: self.pieces, fields: self.fields }
    }
}

/// The field at the start of a text, and the text behind it.
fn field(text: &str) -> Option<(Field, &str)> {
    let inner = text.strip_prefix('{')?;
    let (inner, rest) = inner.split_at(inner.find(['{', '}', '\n', '\r'])?);
    let rest = rest.strip_prefix('}')?;
    let (name, default) = match inner.split_once('|') {
        Some((name, default)) => (name, Some(default.trim().into())),
        None => (inner, None),
    };
    Some((Field { name: name_of(name)?, default }, rest))
}

/// A name as it is compared, if it is one.
fn name_of(name: &str) -> Option<Box<str>> {
    let key = field_key(name);
    (!key.is_empty() && name.trim().chars().count() <= NAME_MAX).then(|| key.into_boxed_str())
}

/// The form in which titles of columns and names of merge fields are compared: lower case, with each run of characters
/// other than letters, digits and `-` as one `_`, and none at the ends. Empty for a title without letters and digits.
pub fn field_key(title: &str) -> String {
    let mut key = String::with_capacity(title.len());
    for sign in title.trim().to_lowercase().chars() {
        match sign {
            sign if sign.is_alphanumeric() || sign == '-' => key.push(sign),
            _ if key.ends_with('_') || key.is_empty() => {}
            _ => key.push('_'),
        }
    }
    key.truncate(key.trim_end_matches('_').len());
    if key.chars().all(|sign| sign == '-') { String::new() } else { key }
}

/// The names of the merge fields of an audience, in the order of its recipients' values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldNames(pub Vec<Box<str>>);

json_column!(FieldNames);

impl FieldNames {
    /// As [`field_key`] has them.
    pub fn keys(&self) -> Vec<String> {
        self.0.iter().map(|name| field_key(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn render(text: &str, values: &[(&str, &'static str)]) -> Result<String, ContentError> {
        let mut out = String::new();
        let value = |name: &str| values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        Template::parse(text).render(value, &mut out).map(|()| out)
    }

    fn fields(text: &str) -> Vec<String> {
        Template::parse(text).fields().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn fields_are_filled_by_name() {
        let values = [("name", "Ada"), ("order-no_2", "77")];
        assert_eq!(render("Dear {name}, order { Order-No_2 }!", &values).unwrap(), "Dear Ada, order 77!");
        assert_eq!(render("{NAME}{name}", &values).unwrap(), "AdaAda");
    }

    #[test]
    fn each_field_is_listed_once_in_lower_case() {
        assert_eq!(fields("{B} {a|x} {b}"), ["b", "a"]);
        assert!(Template::parse("no fields").is_plain());
    }

    #[test]
    fn a_default_stands_in_for_a_missing_or_blank_value() {
        assert_eq!(render("Dear {name | dear friend},", &[]).unwrap(), "Dear dear friend,");
        assert_eq!(render("Dear {name|friend},", &[("name", "  ")]).unwrap(), "Dear friend,");
        assert_eq!(render("Dear {name|friend},", &[("name", "Ada")]).unwrap(), "Dear Ada,");
        assert_eq!(render("Dear{name|}.", &[]).unwrap(), "Dear.");
    }

    #[test]
    fn without_a_default_a_missing_or_blank_value_is_an_error() {
        for values in [&[][..], &[("name", "")]] {
            assert_eq!(
                render("Dear {Name}", values).unwrap_err().to_string(),
                "There is no value for {name}. Give one, or a default as in {name|friend}"
            );
        }
    }

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(render("a {{b}} {{{name}}}", &[("name", "Ada")]).unwrap(), "a {b} {Ada}");
        assert_eq!(fields("{{name}}"), [""; 0]);
    }

    #[test]
    fn what_is_not_a_field_is_text() {
        for text in ["{", "}", "a { b", "{}", "{ }", "{!? }", "{-}", "{a\nb}", ":-} {:", "{|x}", "{na", "x}"]
        {
            assert_eq!(render(text, &[]).unwrap(), text);
            assert!(Template::parse(text).is_plain(), "{text}");
        }
        assert_eq!(render("{a {name}", &[("name", "Ada")]).unwrap(), "{a Ada");
        let long = format!("{{{}}}", "a".repeat(65));
        assert_eq!(render(&long, &[]).unwrap(), long);
    }

    #[test]
    fn spaces_underscores_and_case_of_a_name_do_not_matter() {
        assert_eq!(fields("{due date} {Due_Date} { DUE  DATE |soon} {due-date}"), ["due_date", "due-date"]);
        assert_eq!(fields("{Amount (NGN)} {a.b}"), ["amount_ngn", "a_b"]);
        assert_eq!(render("by {due date}", &[("due_date", "Friday")]).unwrap(), "by Friday");
        for (title, key) in
            [(" First  Name ", "first_name"), ("_id", "id"), ("a__b_", "a_b"), ("?!", ""), ("Ọjà-2", "ọjà-2")]
        {
            assert_eq!(field_key(title), key, "{title}");
        }
    }

    #[test]
    fn names_may_have_any_letters() {
        assert_eq!(fields("{Prénom} {Ọjà}"), ["prénom", "ọjà"]);
    }

    #[test]
    fn fields_that_are_not_known_are_braces_to_read() {
        let known = ["name".to_owned()];
        for (text, kept, read) in [
            (
                "Hi {name}, {two words} {Name|you}",
                "Hi {name}, {{two words} {Name|you}",
                "Hi Ada, {two words} Ada",
            ),
            ("{a}{{b}} } { {c|d}}", "{{a}{{b}} } { {{c|d}}", "{a}{b} } { {c|d}"),
            ("{{name}} {é é}", "{{name}} {{é é}", "{name} {é é}"),
            ("none", "none", "none"),
        ] {
            assert_eq!(Template::with_fields(text, &known), kept, "{text}");
            assert_eq!(render(kept, &[("name", "Ada")]).unwrap(), read, "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_with_its_braces_doubled_comes_out_as_it_was(text in "[a{}|é \n]{0,40}") {
            let literal = Template::literal(&text);
            prop_assert!(Template::parse(&literal).is_plain());
            prop_assert_eq!(render(&literal, &[]).unwrap(), text);
        }

        #[test]
        fn any_text_is_a_template(text in any::<String>()) {
            let template = Template::parse(&text);
            prop_assert_eq!(template.is_plain(), template.fields().is_empty());
        }
    }
}
