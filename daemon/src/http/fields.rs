//! The fields of a request in one form, whether they came as multipart form, urlencoded form or JSON, and from there
//! into a typed request.
//!
//! Every value is text; a field may be repeated, `time[]` and `time[0]` are `time`. An empty value is `None` for an
//! option. The invariant: the same fields in another encoding give the same request and the same digest.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};
use sha2::{Digest as _, Sha256};

use super::problem::ApiError;

/// The fields of one request in the order in which they first came.
#[derive(Clone, Default)]
pub struct Fields(Vec<(String, Vec<String>)>);

impl fmt::Debug for Fields {
    /// Names only: values may be secrets or messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Fields {
    /// Adds a value of a field.
    ///
    /// # Errors
    /// When it holds a NUL, which no database text can.
    pub fn push(&mut self, name: &str, value: String) -> Result<(), ApiError> {
        let name = plain_name(name);
        if value.contains('\0') {
            return Err(ApiError::bad_request(
                Some(name),
                "bad_text",
                format!("{name} must not hold a NUL character"),
            ));
        }
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.0.push((name.to_owned(), vec![value])),
        }
        Ok(())
    }

    /// Adds the fields of a JSON object: scalars, lists of scalars, and `null` for a field that is not there.
    ///
    /// # Errors
    /// When it is no object, or a field holds something deeper.
    pub fn push_json(&mut self, json: serde_json::Value) -> Result<(), ApiError> {
        let serde_json::Value::Object(object) = json else {
            return Err(ApiError::bad_request(None, "bad_json", "The JSON body must be an object"));
        };
        for (name, value) in object {
            match value {
                serde_json::Value::Array(items) => {
                    for item in items {
                        self.push_scalar(&name, item)?;
                    }
                }
                other => self.push_scalar(&name, other)?,
            }
        }
        Ok(())
    }

    fn push_scalar(&mut self, name: &str, value: serde_json::Value) -> Result<(), ApiError> {
        match value {
            serde_json::Value::Null => Ok(()),
            serde_json::Value::Bool(value) => self.push(name, value.to_string()),
            serde_json::Value::Number(value) => self.push(name, value.to_string()),
            serde_json::Value::String(value) => self.push(name, value),
            serde_json::Value::Array(_) | serde_json::Value::Object(_) => Err(ApiError::bad_request(
                Some(name),
                "bad_json",
                format!("{name} must be a text, a number or a list of them"),
            )),
        }
    }

    /// SHA-256 over names and values, whatever their order of coming, for idempotency. Passwords are left out: a
    /// quick hash of them must not lie in the database.
    pub fn digest(&self) -> [u8; 32] {
        let mut sorted: Vec<_> = self.0.iter().filter(|(name, _)| !name.contains("password")).collect();
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
        let entries = Entries { rest: self.0.into_iter(), value: None };
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

/// `time[]` and `time[3]` are how some clients repeat `time`.
fn plain_name(name: &str) -> &str {
    match name.strip_suffix(']').and_then(|open| open.split_once('[')) {
        Some((plain, index)) if !plain.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    }
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

/// A list that may also come as one text with commas, from configuration and forms.
pub(crate) fn words<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        List(Vec<String>),
    }
    let list = match Either::deserialize(deserializer)? {
        Either::Text(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Either::List(list) => list,
    };
    Ok(list.into_iter().filter(|word: &String| !word.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use talkdrum_core::money::Amount;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Request {
        name: String,
        count: i64,
        price: Amount,
        #[serde(default)]
        time: Vec<String>,
        note: Option<String>,
        #[serde(default)]
        dry_run: bool,
    }

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        let mut fields = Fields::default();
        for (name, value) in pairs {
            fields.push(name, (*value).to_owned()).unwrap();
        }
        fields
    }

    #[test]
    fn text_fields_become_typed_ones_and_repeated_fields_lists() {
        let request: Request = fields(&[
            ("name", "Ada"),
            ("count", " 7 "),
            ("price", "0.5"),
            ("time[]", "a"),
            ("time", "b"),
            ("time[1]", "c"),
            ("note", ""),
            ("dry_run", "on"),
        ])
        .parse()
        .unwrap();
        assert_eq!(request.count, 7);
        assert_eq!(request.price, Amount(500_000));
        assert_eq!(request.time, ["a", "b", "c"]);
        assert_eq!(request.note, None);
        assert!(request.dry_run);
    }

    #[test]
    fn json_gives_the_same_request_and_the_same_digest() {
        let form = fields(&[("price", "0.5"), ("name", "Ada"), ("count", "7"), ("time", "a"), ("time", "b")]);
        let mut json = Fields::default();
        json.push_json(serde_json::json!({
            "name": "Ada", "count": 7, "price": 0.5, "time": ["a", "b"], "note": null
        }))
        .unwrap();
        assert_eq!(form.digest(), json.digest());
        assert_eq!(form.parse::<Request>().unwrap(), json.parse::<Request>().unwrap());
    }

    #[test]
    fn the_digest_tells_values_apart_but_never_covers_a_password() {
        let base = fields(&[("name", "Ada"), ("password", "one")]).digest();
        assert_eq!(base, fields(&[("name", "Ada"), ("password", "two")]).digest());
        assert_ne!(base, fields(&[("name", "Ade")]).digest());
        assert_ne!(fields(&[("a", "bc")]).digest(), fields(&[("ab", "c")]).digest());
    }

    #[test]
    fn what_is_missing_or_unreadable_is_named() {
        let refused = |pairs: &[(&str, &str)]| {
            let error = fields(pairs).parse::<Request>().unwrap_err();
            serde_json::to_string(&format!("{error:?}")).unwrap()
        };
        assert!(refused(&[("count", "1"), ("price", "1")]).contains("Name is required"));
        assert!(refused(&[("name", "a"), ("count", "x"), ("price", "1")]).contains("Count must be a number"));
        assert!(refused(&[("name", "a"), ("count", "1"), ("price", "cheap")]).contains("price: 'cheap'"));
        assert!(refused(&[("name", "a"), ("name", "b")]).contains("more than once"));
    }

    #[test]
    fn a_nul_is_refused_before_a_database_would() {
        assert!(Fields::default().push("name", "a\0b".into()).is_err());
    }
}
