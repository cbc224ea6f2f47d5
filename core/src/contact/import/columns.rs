//! Which column of a file is what: the name, the e-mail address, and merge fields under names that messages can use.
//!
//! Named columns decide by their titles. In a table without a header the first row decides: what looks like an address
//! is one, and the first words beside it are the name. Every column is taken for one thing, or left out
//! because the caller said so; a column asked for that is not there is an error.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use talkdrum_api::purpose::OptOutReach;

use crate::contact::entry::NAME_MAX;
use crate::contact::field::{name_of, value_of};
use crate::contact::suppression::reach_of;
use crate::error::{Error, Result};
use crate::model::account::user::Email;
use crate::model::contact::FileColumns;
use crate::phone::{RowFields, shown_title};

/// Columns that a form may name.
const COLUMNS_MAX: usize = 256;
/// Characters of each name.
const COLUMN_CHARS_MAX: usize = 200;
/// How many columns of numbers an import lists, and how many that were not read: it is kept for a month.
const SHOWN_MAX: usize = 20;
/// Titles of a column with whole names.
const NAMES: [&str; 8] =
    ["name", "full_name", "fullname", "contact_name", "customer_name", "customer", "names", "display_name"];
const FIRST: [&str; 6] = ["first_name", "firstname", "first", "given_name", "forename", "other_names"];
const LAST: [&str; 5] = ["last_name", "lastname", "surname", "family_name", "last"];
const EMAILS: [&str; 6] = ["email", "e-mail", "mail", "email_address", "e-mail_address", "emails"];

/// The title of the column that says of each opt-out which messages it ends, as an export has it.
const REACH: &str = "reach";

/// What the caller says about the columns; what is `None` is detected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mapping {
    /// The columns with the numbers. One is stored as earlier versions stored it, as a text.
    #[serde(deserialize_with = "one_or_many", serialize_with = "as_one_or_many")]
    pub phone: Vec<String>,
    /// The column with the names.
    pub name: Option<String>,
    /// The column with the addresses.
    pub email: Option<String>,
    /// Columns that are left out.
    pub ignore: Vec<String>,
}

impl Mapping {
    /// Refuses more, and longer, names than a table has columns: they are kept with the import.
    ///
    /// # Errors
    /// `too_many_columns`, `column_too_long`.
    pub fn check(&self) -> Result<()> {
        let names = || self.phone.iter().chain(&self.name).chain(&self.email).chain(&self.ignore);
        if names().count() > COLUMNS_MAX {
            let message =
                format!("The form may name {COLUMNS_MAX} columns: remove what you do not need from the file");
            return Err(Error::rule("too_many_columns", message));
        }
        if names().any(|name| name.chars().count() > COLUMN_CHARS_MAX) {
            let message = format!(
                "The name of a column may have {COLUMN_CHARS_MAX} characters: shorten it in the file"
            );
            return Err(Error::rule("column_too_long", message));
        }
        Ok(())
    }
}

/// Reads nothing, a text or several.
fn one_or_many<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Option::<Stored>::deserialize(source)? {
        None => Vec::new(),
        Some(Stored::One(one)) => vec![one],
        Some(Stored::Many(many)) => many,
    })
}

fn as_one_or_many<S: Serializer>(columns: &[String], target: S) -> Result<S::Ok, S::Error> {
    match columns {
        [] => target.serialize_none(),
        [one] => target.serialize_str(one),
        many => target.collect_seq(many),
    }
}

/// What one row says beside its number.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) name: String,
    pub(super) email: String,
    /// JSON object, or empty.
    pub(super) fields: String,
    /// Whether there was an address that is none.
    pub(super) broken_email: bool,
}

/// The columns of a file, decided.
#[derive(Debug, Default)]
pub(super) struct Layout {
    titles: Vec<String>,
    name: Vec<usize>,
    email: Option<usize>,
    /// Column, name of the merge field, and the name as JSON with its colon.
    fields: Vec<(usize, String, String)>,
    /// Which messages an opt-out ends.
    reach: Option<usize>,
    /// Columns named by their place only, which wait for a first row.
    waits: bool,
}

/// A title as it is compared.
fn key(title: &str) -> String {
    let title = title.trim().to_lowercase();
    match title.as_str() {
        "name" | "email" | "e-mail" => title,
        _ => name_of(&title).unwrap_or(title),
    }
}

impl Layout {
    /// Decides from the titles, of which the phone is not one.
    pub(super) fn decide(titles: &[String], mapping: &Mapping) -> Result<Self> {
        let keys: Vec<String> = titles.iter().map(|title| key(title)).collect();
        let asked = |field: &'static str, wanted: &Option<String>| match wanted {
            None => Ok(None),
            Some(wanted) => {
                let place = keys.iter().position(|known| *known == key(wanted));
                place.map(Some).ok_or_else(|| no_such_column(field, wanted, titles))
            }
        };
        let among = |known: &[&str]| {
            known.iter().find_map(|known| keys.iter().position(|key| key.as_str() == *known))
        };
        let email = asked("email_column", &mapping.email)?.or_else(|| among(&EMAILS));
        let name = match asked("name_column", &mapping.name)?.or_else(|| among(&NAMES)) {
            Some(place) => vec![place],
            None => among(&FIRST).into_iter().chain(among(&LAST)).collect(),
        };
        let mut left_out = Vec::new();
        for wanted in &mapping.ignore {
            left_out.extend(asked("ignore_column", &Some(wanted.clone()))?);
        }
        let reach = keys.iter().position(|key| key == REACH).filter(|place| !left_out.contains(place));
        let mut layout =
            Self { titles: titles.to_vec(), name, email, fields: Vec::new(), reach, waits: false };
        let nameless = titles.iter().filter(|title| is_placeholder(title)).count();
        layout.waits = nameless > 0 && nameless == titles.len();
        layout.take_fields(&left_out);
        Ok(layout)
    }

    /// Whatever is neither the name (unless it is in two) nor the address is a merge field.
    fn take_fields(&mut self, left_out: &[usize]) {
        let whole_name = if self.name.len() == 1 { self.name.first().copied() } else { None };
        self.fields.clear();
        for (place, title) in self.titles.iter().enumerate() {
            if Some(place) == whole_name || Some(place) == self.email || left_out.contains(&place) {
                continue;
            }
            let Some(name) = name_of(title) else { continue };
            if self.fields.iter().any(|(_, known, _)| *known == name) {
                continue;
            }
            let quoted = format!("{}:", serde_json::Value::from(name.as_str()));
            self.fields.push((place, name, quoted));
        }
    }

    /// A table without a header: its first row tells address and name.
    pub(super) fn see_first(&mut self, row: &RowFields<'_>) -> bool {
        if !std::mem::take(&mut self.waits) {
            return false;
        }
        let free = |layout: &Self, place: usize| Some(place) != layout.email && !layout.name.contains(&place);
        if self.email.is_none() {
            self.email = (0..self.titles.len()).find(|place| is_email(row.get(*place)));
        }
        if self.name.is_empty() {
            let words = |text: &str| text.chars().any(char::is_alphabetic) && !text.contains('@');
            self.name = (0..self.titles.len())
                .find(|place| free(self, *place) && words(row.get(*place)))
                .into_iter()
                .collect();
        }
        let left_out: Vec<usize> = (0..self.titles.len())
            .filter(|place| free(self, *place) && !self.fields.iter().any(|(field, ..)| field == place))
            .collect();
        self.take_fields(&left_out);
        true
    }

    /// Which messages the opt-out of a row ends; `None` where it does not say.
    ///
    /// # Errors
    /// `bad_reach`.
    pub(super) fn reach(&self, row: &RowFields<'_>) -> Result<Option<OptOutReach>> {
        let text = self.reach.map(|place| row.get(place).trim().to_lowercase()).unwrap_or_default();
        if text.is_empty() { Ok(None) } else { reach_of(Some(&text)).map(Some) }
    }

    /// What a row says.
    pub(super) fn read(&self, row: &RowFields<'_>, into: &mut Details) {
        into.name.clear();
        into.email.clear();
        into.fields.clear();
        into.broken_email = false;
        for place in &self.name {
            let part = row.get(*place);
            if !part.is_empty() {
                if !into.name.is_empty() {
                    into.name.push(' ');
                }
                if part.len() <= NAME_MAX && part.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
                    into.name.push_str(part);
                } else {
                    into.name.extend(part.chars().filter(|sign| !sign.is_control()).take(NAME_MAX));
                }
            }
        }
        if let Some(place) = self.email {
            let text = row.get(place);
            if is_email(text) {
                into.email.push_str(text);
                into.email.make_ascii_lowercase();
            } else {
                into.broken_email = !text.is_empty();
            }
        }
        for (place, _, quoted) in &self.fields {
            let Some(value) = value_of(row.get(*place)) else { continue };
            into.fields.push(if into.fields.is_empty() { '{' } else { ',' });
            into.fields.push_str(quoted);
            into.fields.push_str(&quote(&value));
        }
        if !into.fields.is_empty() {
            into.fields.push('}');
        }
    }

    /// The names of the merge fields.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(_, name, _)| name.as_str())
    }

    /// Which columns are read as what, for people: short titles, and few of them. Merge fields are named only where
    /// `keeps_fields`.
    pub(super) fn shown(&self, phones: &[String], unread: &[String], keeps_fields: bool) -> FileColumns {
        let title =
            |place: &usize| self.titles.get(*place).map(|title| shown_title(title)).unwrap_or_default();
        let first =
            |titles: &[String]| titles.iter().take(SHOWN_MAX).map(|title| shown_title(title)).collect();
        FileColumns {
            phone: phones.first().map(|title| shown_title(title)),
            phones: first(phones),
            unread: first(unread),
            name: self.name.iter().map(title).collect(),
            email: self.email.as_ref().map(title),
            fields: if keeps_fields { self.names().map(str::to_owned).collect() } else { Vec::new() },
        }
    }
}

/// A value as a JSON text.
fn quote(value: &str) -> Cow<'_, str> {
    if value.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        return Cow::Owned(format!("\"{value}\""));
    }
    Cow::Owned(serde_json::Value::from(value).to_string())
}

/// Whether a column has no title of its own.
fn is_placeholder(title: &str) -> bool {
    title
        .strip_prefix("column")
        .is_some_and(|place| !place.is_empty() && place.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a text is an e-mail address; the usual ones are told without a copy.
fn is_email(text: &str) -> bool {
    is_usual_email(text) || (text.contains('@') && text.len() <= 254 && text.parse::<Email>().is_ok())
}

/// Whether a text is an address of the usual signs: what [`Email`] says of any text, at a tenth of the time.
fn is_usual_email(text: &str) -> bool {
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+');
    let is_label = |label: &[u8]| {
        let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        !label.is_empty() && label.iter().all(is_inner) && label[0] != b'-' && label[label.len() - 1] != b'-'
    };
    let Some((local, domain)) = text.split_once('@') else { return false };
    let (top, has_two) = domain.rsplit_once('.').map_or((domain, false), |(_, top)| (top, true));
    text.len() <= 254
        && (1..=64).contains(&local.len())
        && local.as_bytes().iter().all(is_usual)
        && has_two
        && domain.as_bytes().split(|byte| *byte == b'.').all(is_label)
        && !top.eq_ignore_ascii_case("invalid")
}

fn no_such_column(field: &'static str, wanted: &str, titles: &[String]) -> Error {
    Error::field(
        field,
        "no_such_column",
        format!("There is no column '{wanted}'; beside the numbers there are: {}", titles.join(", ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::FieldsBuf;

    fn layout(titles: &[&str], mapping: &Mapping) -> Result<Layout> {
        let titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
        Layout::decide(&titles, mapping)
    }

    fn read(layout: &mut Layout, row: &[&str]) -> Details {
        let mut buffer = FieldsBuf::default();
        row.iter().for_each(|field| buffer.push(field));
        layout.see_first(&buffer.fields());
        let mut details = Details::default();
        layout.read(&buffer.fields(), &mut details);
        details
    }

    #[test]
    fn titles_decide_and_the_rest_are_merge_fields() {
        let mut layout =
            layout(&["customer name", "e-mail", "amount (ngn)", "city"], &Mapping::default()).unwrap();
        let details = read(&mut layout, &["Ada \"Obi\"", "Ada@Example.com", "5,000", "Lagos\\"]);
        assert_eq!((details.name.as_str(), details.email.as_str()), ("Ada \"Obi\"", "ada@example.com"));
        assert_eq!(details.fields, r#"{"amount_ngn":"5,000","city":"Lagos\\"}"#);
        assert!(serde_json::from_str::<serde_json::Value>(&details.fields).is_ok());
    }

    #[test]
    fn a_name_in_two_columns_is_joined_and_its_parts_stay_merge_fields() {
        let mut layout = layout(&["surname", "first name"], &Mapping::default()).unwrap();
        let details = read(&mut layout, &["Obi", "Ada"]);
        assert_eq!(details.name, "Ada Obi");
        assert_eq!(details.fields, r#"{"surname":"Obi","first_name":"Ada"}"#);
    }

    #[test]
    fn without_a_header_the_first_row_decides() {
        let mut layout = layout(&["column2", "column3", "column4"], &Mapping::default()).unwrap();
        let details = read(&mut layout, &["ada@example.com", "17", "Ada Obi"]);
        assert_eq!((details.name.as_str(), details.email.as_str()), ("Ada Obi", "ada@example.com"));
        assert_eq!(details.fields, r#"{"column3":"17"}"#);
    }

    #[test]
    fn what_the_caller_says_comes_first() {
        let mapping = Mapping {
            name: Some("Contact Person".into()),
            ignore: vec!["notes".into()],
            ..Mapping::default()
        };
        let mut layout = layout(&["name", "contact person", "notes"], &mapping).unwrap();
        let details = read(&mut layout, &["ACME", "Ada", "secret"]);
        assert_eq!((details.name.as_str(), details.fields.as_str()), ("Ada", ""));
        let missing = Mapping { email: Some("post".into()), ..Mapping::default() };
        let refused = super::Layout::decide(&["a".into()], &missing).unwrap_err();
        assert_eq!(refused.code(), "no_such_column");
    }

    #[test]
    fn titles_are_shown_by_their_beginning() {
        let long = |title: &str| format!("{title}{}", "\u{7}x".repeat(100));
        let mapping = Mapping { name: Some(long("a")), email: Some(long("b")), ..Mapping::default() };
        let layout = Layout::decide(&[long("a"), long("b")], &mapping).unwrap();
        let shown = layout.shown(&vec![long("c"); 30], &[long("d")], true);
        assert_eq!((shown.name.len(), shown.phones.len(), shown.unread.len()), (1, 20, 1));
        let titles = shown.name.iter().chain(&shown.email).chain(&shown.phone);
        for title in titles.chain(&shown.phones).chain(&shown.unread) {
            assert!(title.chars().count() == 60 && title.ends_with('x'), "{title:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_passes_for_a_usual_address_is_one(text in "[aZ9._+-]{0,66}@?[aZ9.-]{0,20}(@|\\.)?(invalid|com|n-g)?") {
            if is_usual_email(&text) {
                let email: Email = text.parse().unwrap();
                proptest::prop_assert_eq!(email.as_str(), text.to_ascii_lowercase());
            }
        }
    }

    #[test]
    fn usual_addresses_are_told_as_such() {
        for text in ["ada@example.com", "Ada.Obi+shop_1@mail.co-op.ng", "a@b.c"] {
            assert!(is_usual_email(text), "{text}");
        }
        for text in
            ["", "ada", "ada@", "@b.com", "a@b", "a@b..c", "a@-b.com", "a@b.com-", "a@x.Invalid", "a b@c.de"]
        {
            assert!(!is_usual_email(text), "{text}");
        }
    }

    #[test]
    fn what_earlier_versions_stored_of_the_columns_is_read_and_one_column_is_stored_alike() {
        let read = |text: &str| serde_json::from_str::<Mapping>(text).unwrap().phone;
        assert_eq!(read(r#"{"phone":null,"name":null}"#), Vec::<String>::new());
        assert_eq!(read("{}"), Vec::<String>::new());
        assert_eq!(read(r#"{"phone":"gsm"}"#), ["gsm"]);
        assert_eq!(read(r#"{"phone":["gsm","home"]}"#), ["gsm", "home"]);
        let stored = |phone: &[&str]| {
            let phone = phone.iter().map(|name| (*name).to_owned()).collect();
            serde_json::to_value(Mapping { phone, ..Mapping::default() }).unwrap()["phone"].clone()
        };
        assert_eq!(stored(&[]), serde_json::Value::Null);
        assert_eq!(stored(&["gsm"]), "gsm");
        assert_eq!(stored(&["gsm", "home"]), serde_json::json!(["gsm", "home"]));
    }

    #[test]
    fn a_broken_address_is_left_out_and_told() {
        let mut layout = layout(&["email"], &Mapping::default()).unwrap();
        let details = read(&mut layout, &["ada at example"]);
        assert!(details.broken_email && details.email.is_empty());
        assert!(!read(&mut layout, &[""]).broken_email);
    }
}
