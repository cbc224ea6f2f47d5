//! The fields of a request in one form, whether they came as multipart form, urlencoded form or JSON, and from there
//! into a typed request.
//!
//! Every value is text; a field may be repeated, `time[]` and `time[0]` are `time`, and `digits[1]` is an entry of a map
//! ([`MAPS`]). An empty value is `None` for an
//! option. The same fields in another encoding give the same request and the same digest.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};
use sha2::{Digest as _, Sha256};

use crate::limit;
use crate::problem::ApiError;

/// Takes the decoded fields of a body in pieces.
pub(super) trait Pieces {
    /// A field begins; a file has a name of its own.
    fn begin(&mut self, name: &str, file_name: Option<&str>) -> Result<(), ApiError>;
    /// A piece of its value, cut anywhere.
    fn piece(&mut self, bytes: &[u8]) -> Result<(), ApiError>;
    /// Its value is complete.
    fn end(&mut self) -> Result<(), ApiError>;
}

/// The fields of one request in the order in which they first came, within [`limit`].
#[derive(Clone)]
pub struct Fields {
    entries: Vec<(String, Vec<String>)>,
    /// Where a name stands among the entries.
    places: HashMap<String, usize>,
    /// Values of all names.
    values: usize,
    /// Bytes that names and values may still take.
    room: usize,
    limit: usize,
}

impl fmt::Debug for Fields {
    /// Names only: values may be secrets or messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|(name, _)| name)).finish()
    }
}

impl Fields {
    /// No fields yet; names and values may take `limit` bytes, with [`limit::FIELD_COST`] for each value of a name
    /// after its first: names are few.
    pub fn within(limit: usize) -> Self {
        Self { entries: Vec::new(), places: HashMap::new(), values: 0, room: limit, limit }
    }

    /// Adds a value of a field.
    ///
    /// # Errors
    /// When it has no name, holds a NUL, which no database text can, or is one too many.
    pub fn push(&mut self, name: &str, value: String) -> Result<(), ApiError> {
        let (name, value) = match map_entry(name) {
            Some((map, key)) => (map, format!("{key}={value}")),
            None => (plain_name(name), value),
        };
        self.refuse_more(name, value.len())?;
        if value.contains('\0') {
            return Err(ApiError::bad_request(
                Some(name),
                "bad_text",
                format!("{name} must not hold a NUL character"),
            ));
        }
        let place = match self.places.get(name) {
            Some(place) => *place,
            None => {
                self.places.insert(name.to_owned(), self.entries.len());
                self.entries.push((name.to_owned(), Vec::new()));
                self.entries.len() - 1
            }
        };
        if let Some((_, values)) = self.entries.get_mut(place) {
            values.push(value);
        }
        self.values += 1;
        Ok(())
    }

    /// Takes the room for a value of `bytes`.
    fn refuse_more(&mut self, name: &str, bytes: usize) -> Result<(), ApiError> {
        if name.is_empty() {
            return Err(ApiError::bad_request(None, "bad_form", "The request has a field without a name"));
        }
        if name.len() > limit::FIELD_NAME_BYTES {
            return Err(long_name());
        }
        let known = self.places.get(name).and_then(|place| self.entries.get(*place));
        if known.is_none() && self.entries.len() == limit::FIELD_NAMES {
            let detail = format!("A request has at most {} different fields", limit::FIELD_NAMES);
            return Err(ApiError::bad_request(None, "too_many_fields", detail));
        }
        if known.is_some_and(|(_, values)| values.len() == limit::FIELD_VALUES) {
            let detail = format!("{name} is given more than {} times", limit::FIELD_VALUES);
            return Err(ApiError::bad_request(Some(name), "too_many_values", detail));
        }
        if self.values == limit::FIELD_VALUES_IN_ALL {
            let detail = format!("A request has at most {} values", limit::FIELD_VALUES_IN_ALL);
            return Err(ApiError::bad_request(None, "too_many_values", detail));
        }
        let cost = name.len() + bytes + if known.is_some() { limit::FIELD_COST } else { 0 };
        self.room = self.room.checked_sub(cost).ok_or_else(|| self.too_large())?;
        Ok(())
    }

    /// Whether a value that is not complete yet may have so many bytes.
    ///
    /// # Errors
    /// 413 when it may not.
    pub(super) fn has_room_for(&self, bytes: usize) -> Result<(), ApiError> {
        if bytes > self.room { Err(self.too_large()) } else { Ok(()) }
    }

    fn too_large(&self) -> ApiError {
        ApiError::too_large(self.limit)
    }

    /// SHA-256 over names and values, whatever their order of coming, for idempotency. Passwords are left out: a
    /// quick hash of them must not lie in the database.
    pub fn digest(&self) -> [u8; 32] {
        let mut sorted: Vec<_> = self.entries.iter().filter(|(name, _)| !name.contains("password")).collect();
        sorted.sort();
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        };
        for (name, values) in sorted {
            part(name);
            values.iter().for_each(|value| part(value));
            part("");
        }
        hash.finalize().into()
    }

    /// The typed request.
    ///
    /// # Errors
    /// 400 that names the field which is missing or cannot be read.
    pub fn parse<T: DeserializeOwned>(self) -> Result<T, ApiError> {
        let entries = Entries { rest: self.entries.into_iter(), value: None };
        T::deserialize(de::value::MapAccessDeserializer::new(entries)).map_err(|error: FieldError| {
            ApiError::bad_request(error.field.as_deref(), "bad_request", error.message)
        })
    }
}

/// The fields as a map that knows which of them could not be read.
struct Entries {
    rest: std::vec::IntoIter<(String, Vec<String>)>,
    value: Option<Value>,
}

impl<'de> de::MapAccess<'de> for Entries {
    type Error = FieldError;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, FieldError> {
        let Some((name, values)) = self.rest.next() else { return Ok(None) };
        self.value = Some(Value { name: name.clone(), values });
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, FieldError> {
        let value = self.value.take().ok_or_else(|| de::Error::custom("a field has no value"))?;
        let name = value.name.clone();
        seed.deserialize(value).map_err(|error| error.at(&name))
    }
}

/// Fields that are maps. What stands for each key of theirs is a value of its own, `key=value`, whether it came so, as
/// `name[key]`, or in a JSON object.
pub(super) const MAPS: [&str; 1] = ["digits"];

/// The map and the key of `digits[1]`.
fn map_entry(name: &str) -> Option<(&str, &str)> {
    let (map, key) = name.strip_suffix(']')?.split_once('[')?;
    (MAPS.contains(&map) && !key.is_empty()).then_some((map, key))
}

/// `time[]` and `time[3]` are how some clients repeat `time`.
fn plain_name(name: &str) -> &str {
    match name.strip_suffix(']').and_then(|open| open.split_once('[')) {
        Some((plain, index)) if !plain.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    }
}

pub(super) fn long_name() -> ApiError {
    let detail = format!("The name of a field has at most {} bytes", limit::FIELD_NAME_BYTES);
    ApiError::bad_request(None, "bad_form", detail)
}

/// Why a field could not be read.
#[derive(Debug)]
struct FieldError {
    field: Option<String>,
    message: String,
}

impl FieldError {
    fn at(self, name: &str) -> Self {
        match self.field {
            Some(_) => self,
            None => Self { message: format!("{name}: {}", self.message), field: Some(name.to_owned()) },
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FieldError {}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { field: None, message: message.to_string() }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { message: format!("{} is required", for_people(field)), field: Some(field.to_owned()) }
    }
}

/// `phone_number` is `Phone number` to people.
fn for_people(field: &str) -> String {
    let mut words = field.replace(['_', '-'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// All values of one field.
struct Value {
    name: String,
    values: Vec<String>,
}

impl Value {
    /// The one value of a field that is no list; a repeated one is ambiguous.
    fn single(&mut self) -> Result<String, FieldError> {
        match self.values.len() {
            0 => Ok(String::new()),
            1 => Ok(self.values.swap_remove(0)),
            _ => Err(FieldError {
                message: format!("{} was given more than once", for_people(&self.name)),
                field: Some(self.name.clone()),
            }),
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, FieldError> {
        self.single()?.trim().parse().map_err(|_| FieldError {
            message: format!("{} must be a number", for_people(&self.name)),
            field: Some(self.name.clone()),
        })
    }
}

impl IntoDeserializer<'_, FieldError> for Value {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! numbers {
    ($($method:ident => $visit:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, FieldError> {
            let number = self.number()?;
            visitor.$visit(number)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Value {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, FieldError> {
        let text = self.single()?;
        visitor.visit_string(text)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        if self.values.iter().all(|value| value.trim().is_empty()) {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        let name = self.name;
        let items = self.values.into_iter().map(|value| Self { name: name.clone(), values: vec![value] });
        visitor.visit_seq(de::value::SeqDeserializer::new(items))
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, FieldError> {
        let text = self.single()?;
        match text.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => visitor.visit_bool(true),
            "" | "0" | "false" | "no" | "off" => visitor.visit_bool(false),
            _ => Err(FieldError {
                message: format!("{} must be true or false", for_people(&self.name)),
                field: Some(self.name),
            }),
        }
    }

    numbers! {
        deserialize_i8 => visit_i8, deserialize_i16 => visit_i16, deserialize_i32 => visit_i32,
        deserialize_i64 => visit_i64, deserialize_u8 => visit_u8, deserialize_u16 => visit_u16,
        deserialize_u32 => visit_u32, deserialize_u64 => visit_u64, deserialize_f32 => visit_f32,
        deserialize_f64 => visit_f64,
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let text = self.single()?;
        visitor.visit_enum(text.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A field that was sent, empty or not, for `deserialize_with` beside `default`: an empty one is then not one that was
/// left out.
pub(crate) fn sent<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

/// What a decoder handed over, for the tests of decoders.
#[cfg(test)]
#[derive(Default)]
pub(super) struct Log(pub(super) Vec<(String, Option<String>, Vec<u8>)>);

#[cfg(test)]
impl Log {
    pub(super) fn fields(self) -> Vec<(String, String)> {
        self.0.into_iter().map(|(name, _, value)| (name, String::from_utf8(value).unwrap())).collect()
    }
}

#[cfg(test)]
impl Pieces for Log {
    fn begin(&mut self, name: &str, file_name: Option<&str>) -> Result<(), ApiError> {
        self.0.push((name.to_owned(), file_name.map(str::to_owned), Vec::new()));
        Ok(())
    }
    fn piece(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        self.0.last_mut().unwrap().2.extend_from_slice(bytes);
        Ok(())
    }
    fn end(&mut self) -> Result<(), ApiError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
