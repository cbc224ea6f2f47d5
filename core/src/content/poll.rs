//! A question that is asked in a call: which keys answer it, and how often it is played.
//!
//! The key 9 is none of them: it opts out, in every call.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The key that opts a number out, in every call.
pub const OPT_OUT_KEY: char = '9';
/// The most keys of a poll.
pub const KEYS_MAX: usize = 10;
/// The most characters of a label.
pub const LABEL_MAX: usize = 40;
/// How often a question is played at most.
pub const PLAYS_MAX: u8 = 3;

/// How a call answered that no key was pressed in.
pub const NO_KEY: &str = "none";
/// How a call answered in which only keys were pressed that mean nothing.
pub const OTHER_KEYS: &str = "other";
/// How a call answered whose person only opted out.
pub const OPTED_OUT: &str = "9";

/// Whether these keys, pressed in a call that was answered, opt its number out: the key may stand anywhere among them.
pub fn opts_out(digits: &str) -> bool {
    digits.contains(OPT_OUT_KEY)
}

/// A key and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PollKey {
    /// `0` to `8`, `*` or `#`.
    #[schema(value_type = String)]
    pub key: char,
    /// What it stands for.
    pub label: String,
}

/// A question with its keys, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Poll {
    /// The keys that answer it: one that is pressed ends the call.
    pub keys: Vec<PollKey>,
    /// How often the question is played at most, while no key is pressed: 1 to 3.
    pub plays: u8,
}

impl Poll {
    /// Reads a form's `digits`, each `1=yes` or a JSON object of them, and its `plays`; `None` where neither is given.
    ///
    /// # Errors
    /// What is no key, 9, a key twice, a label that is none, too many; `plays` without keys, or not of 1 to 3.
    pub fn parse(digits: &[String], plays: Option<&str>) -> Result<Option<Self>> {
        let mut keys: Vec<PollKey> = Vec::new();
        for given in digits.iter().map(|given| given.trim()).filter(|given| !given.is_empty()) {
            for (key, label) in entries(given)? {
                let key = read(&key, &label)?;
                if keys.iter().any(|known| known.key == key.key) {
                    return Err(refuse("digits_twice", format!("Key {} is used twice", key.key)));
                }
                if keys.len() == KEYS_MAX {
                    return Err(refuse("too_many_digits", format!("A question has at most {KEYS_MAX} keys")));
                }
                keys.push(key);
            }
        }
        let plays = plays.map(str::trim).filter(|plays| !plays.is_empty());
        if keys.is_empty() {
            return match plays {
                None | Some("1") => Ok(None),
                Some(_) => Err(Error::field(
                    "plays",
                    "plays_without_digits",
                    "Only a question is repeated: say in digits which keys answer it",
                )),
            };
        }
        let plays =
            plays.map_or(Some(1), |plays| plays.parse().ok().filter(|it| (1..=PLAYS_MAX).contains(it)));
        let plays = plays.ok_or_else(|| {
            let says = format!("A question is played 1 to {PLAYS_MAX} times while no key is pressed");
            Error::field("plays", "bad_plays", says)
        })?;
        keys.sort_by_key(|key| place(key.key));
        Ok(Some(Self { keys, plays }))
    }

    /// How a call answered in which these keys were pressed: by the first one that is a key of the poll; else [`OPTED_OUT`],
    /// [`OTHER_KEYS`] or [`NO_KEY`].
    pub fn answer(&self, digits: &str) -> String {
        match digits.chars().find(|key| self.label(*key).is_some()) {
            Some(key) => key.to_string(),
            None if opts_out(digits) => OPTED_OUT.to_owned(),
            None if digits.is_empty() => NO_KEY.to_owned(),
            None => OTHER_KEYS.to_owned(),
        }
    }

    /// What a key stands for.
    pub fn label(&self, key: char) -> Option<&str> {
        self.keys.iter().find(|known| known.key == key).map(|known| known.label.as_str())
    }

    /// What an answer stands for, in words.
    pub fn label_of<'a>(&'a self, answer: &str) -> Option<&'a str> {
        match answer {
            OPTED_OUT => Some("Opted out"),
            OTHER_KEYS => Some("Other keys"),
            NO_KEY => Some("No key"),
            key => key.chars().next().and_then(|key| self.label(key)),
        }
    }

    /// Every answer that a call can give, in the order in which they are shown.
    pub fn answers(&self) -> Vec<String> {
        let keys = self.keys.iter().map(|known| known.key.to_string());
        keys.chain([OPTED_OUT, OTHER_KEYS, NO_KEY].map(str::to_owned)).collect()
    }
}

/// As on a phone: 1 to 8, 0, star, hash.
fn place(key: char) -> u32 {
    match key {
        '0' => 10,
        '*' => 11,
        '#' => 12,
        key => key.to_digit(10).unwrap_or(13),
    }
}

/// The keys and labels of one value of a form.
fn entries(given: &str) -> Result<Vec<(String, String)>> {
    if given.starts_with('{') {
        let read: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(given).map_err(|_| refuse("bad_digits", WRITTEN.to_owned()))?;
        let label = |value: serde_json::Value| match value {
            serde_json::Value::String(label) => Ok(label),
            serde_json::Value::Number(number) => Ok(number.to_string()),
            _ => Err(refuse("bad_digits", WRITTEN.to_owned())),
        };
        return read.into_iter().map(|(key, value)| Ok((key, label(value)?))).collect();
    }
    let (key, label) = given.split_once('=').ok_or_else(|| refuse("bad_digits", WRITTEN.to_owned()))?;
    Ok(vec![(key.to_owned(), label.to_owned())])
}

const WRITTEN: &str = "Write each key with what it stands for, as in 1=yes";

fn read(key: &str, label: &str) -> Result<PollKey> {
    let mut signs = key.trim().chars();
    let key = match (signs.next(), signs.next()) {
        (Some(OPT_OUT_KEY), None) => {
            let says = "The key 9 always opts out, in every call: take another one for an answer";
            return Err(refuse("opt_out_key", says.to_owned()));
        }
        (Some(key @ ('0'..='8' | '*' | '#')), None) => key,
        _ => return Err(refuse("bad_digits", format!("'{}' is no key: use 0 to 8, * or #", shortened(key)))),
    };
    let label = label.trim();
    if label.is_empty() || label.chars().count() > LABEL_MAX || label.chars().any(char::is_control) {
        return Err(refuse(
            "bad_label",
            format!("The label of key {key} must have 1 to {LABEL_MAX} characters"),
        ));
    }
    Ok(PollKey { key, label: label.to_owned() })
}

fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

fn refuse(code: &'static str, says: String) -> Error {
    Error::field("digits", code, says)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(digits: &[&str], plays: Option<&str>) -> Result<Option<Poll>, &'static str> {
        let digits: Vec<String> = digits.iter().map(|given| (*given).to_owned()).collect();
        Poll::parse(&digits, plays).map_err(|error| error.code())
    }

    #[test]
    fn keys_are_read_from_each_form_and_ordered_as_on_a_phone() {
        let poll = parsed(&["#=again", "2= no ", "1=yes = sure"], Some("3")).unwrap().unwrap();
        let keys: Vec<(char, &str)> = poll.keys.iter().map(|it| (it.key, it.label.as_str())).collect();
        assert_eq!((keys, poll.plays), (vec![('1', "yes = sure"), ('2', "no"), ('#', "again")], 3));
        let json = parsed(&[r#"{"2":"no","1":"yes","0":5}"#], None).unwrap().unwrap();
        assert_eq!(json.answers(), ["1", "2", "0", "9", "other", "none"]);
        assert_eq!(json.plays, 1);
        for nothing in [parsed(&[], None), parsed(&["", " "], Some("1"))] {
            assert_eq!(nothing, Ok(None));
        }
    }

    #[test]
    fn what_is_no_poll_is_refused() {
        let long = format!("1={}", "x".repeat(41));
        let cases = [
            (vec!["9=no"], None, "opt_out_key"),
            (vec!["1=yes", "1=no"], None, "digits_twice"),
            (vec!["1"], None, "bad_digits"),
            (vec!["12=yes"], None, "bad_digits"),
            (vec!["A=yes"], None, "bad_digits"),
            (vec!["{\"1\":[]}"], None, "bad_digits"),
            (vec!["{1:2"], None, "bad_digits"),
            (vec!["1= "], None, "bad_label"),
            (vec!["1=a\u{7}"], None, "bad_label"),
            (vec![long.as_str()], None, "bad_label"),
            (vec!["1=yes"], Some("0"), "bad_plays"),
            (vec!["1=yes"], Some("4"), "bad_plays"),
            (vec!["1=yes"], Some("often"), "bad_plays"),
            (vec![], Some("2"), "plays_without_digits"),
        ];
        for (digits, plays, code) in cases {
            assert_eq!(parsed(&digits, plays), Err(code), "{digits:?} {plays:?}");
        }
        let eleven = ["0=a", "1=a", "2=a", "3=a", "4=a", "5=a", "6=a", "7=a", "8=a", "*=a", "#=a"];
        assert!(parsed(&eleven[..KEYS_MAX], None).unwrap().is_some());
        assert_eq!(parsed(&eleven, None), Err("too_many_digits"));
        assert!(parsed(&[&format!("1={}", "ß".repeat(40))], None).is_ok());
    }

    #[test]
    fn the_first_key_of_the_poll_is_the_answer() {
        let poll = parsed(&["1=yes", "2=no"], None).unwrap().unwrap();
        let cases =
            [("1", "1"), ("521", "2"), ("91", "1"), ("59", "9"), ("9", "9"), ("57", "other"), ("", "none")];
        for (digits, answer) in cases {
            assert_eq!(poll.answer(digits), answer, "{digits}");
        }
        assert_eq!(poll.label_of("2"), Some("no"));
        assert_eq!((poll.label_of("none"), poll.label_of("7")), (Some("No key"), None));
    }
}
