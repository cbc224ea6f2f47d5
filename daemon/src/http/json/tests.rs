use serde_json::{Value, json};

use super::super::fields::Log;
use super::*;

fn decode(deeper: Deeper, pieces_of: usize, body: &[u8]) -> Result<Vec<(String, String)>, ApiError> {
    let mut log = Log::default();
    let mut decoder = Decoder::new(deeper);
    for piece in body.chunks(pieces_of) {
        decoder.push(piece, &mut log)?;
    }
    decoder.finish()?;
    Ok(log.fields())
}

/// What another reader of JSON makes of the same.
fn expected(body: &str) -> Option<Vec<(String, String)>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let Value::Object(object) = serde_json::from_str(body).ok()? else { return None };
    let mut fields = Vec::new();
    for (name, value) in object {
        let values = if let Value::Array(items) = value { items } else { vec![value] };
        if values.iter().any(|value| value.is_array() || value.is_object()) {
            return None;
        }
        let given = values.iter().filter(|value| !value.is_null());
        fields.extend(given.map(|value| (name.clone(), text(value))));
    }
    Some(fields)
}

/// Names come in their order, as the other reader sorts them.
const BODIES: &[&str] = &[
    "{}",
    " {\r\n} \t",
    r#"{"a": "x", "b": ["y", 1, -0.50, 1e3, true, null, "z"], "c": null, "d": [], "e": false, "f": ""}"#,
    r#"{"a":[1,2],"b":3}"#,
    r#"{"a": "q\"\\\/\b\f\n\r\té\ud83d\ude00é😀 \u0000"}"#,
    r#"{"\u0061\n": 0, "b": 12345678901234567890123, "c": 18446744073709551615, "d": 0.1, "e": -0}"#,
    r#"{"a": 01}"#,
    r#"{"a": 1.}"#,
    r#"{"a": -}"#,
    r#"{"a": nul}"#,
    r#"{"a": nulll}"#,
    r#"{"a": 1 2}"#,
    r#"{"a": 1,}"#,
    r#"{"a": [1,]}"#,
    r#"{"a": [1}"#,
    r#"{"a": 1]"#,
    r#"{"a" 1}"#,
    r#"{"a": }"#,
    r#"{a: 1}"#,
    r#"{"a": "x}"#,
    r#"{"a": "\x"}"#,
    r#"{"a": "\u12g4"}"#,
    r#"{"a": "\ud83d"}"#,
    r#"{"a": "\ud83dx"}"#,
    r#"{"a": "\ud83d\n"}"#,
    r#"{"a": "\ud83d\u0041"}"#,
    r#"{"a": "\ude00"}"#,
    "{\"a\": \"\n\"}",
    r#"{"a": 1} x"#,
    r#"{"a": 1}{"#,
    r#"{"a": {"b": 1}}"#,
    r#"{"a": [[1]]}"#,
    r#"{"a": [{}]}"#,
    "[]",
    "7",
    "\"x\"",
    "{",
    "\u{c}{}",
    r#"{,"a": 1}"#,
    r#"{"a": [,1]}"#,
    r#"{"a":: 1}"#,
];

#[test]
fn a_body_reads_the_same_however_it_is_cut_and_as_other_readers_read_it() {
    for body in BODIES {
        let expected = expected(body);
        for size in 1..=body.len() {
            let read = decode(Deeper::Refused, size, body.as_bytes());
            assert_eq!(read.clone().ok(), expected, "{body} in pieces of {size}: {read:?}");
        }
    }
    assert_eq!(decode(Deeper::Refused, 1, b" \n").unwrap(), [], "an empty body has no fields");
    assert_eq!(decode(Deeper::Refused, 9, b"[]").unwrap_err().code(), "bad_json");
}

#[test]
fn what_is_no_field_is_left_out_where_a_body_may_hold_more() {
    let body = json!({
        "a": "x", "b": { "a": [1, { "a": "y" }], "c": {} }, "d": [1, [2], {}], "e": 2, "f": null,
    })
    .to_string();
    let kept = [("a", "x"), ("e", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    for size in 1..=body.len() {
        assert_eq!(decode(Deeper::LeftOut, size, body.as_bytes()).unwrap(), kept, "pieces of {size}");
    }
    for wrong in [r#"{"b": [1}}"#, r#"{"b": {"a"}}"#, r#"{"b": [nul]}"#] {
        assert!(decode(Deeper::LeftOut, 3, wrong.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn levels_names_and_numbers_have_their_bounds_and_nothing_more_is_held() {
    let nested = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1));
    assert!(decode(Deeper::LeftOut, 7, nested(JSON_LEVELS).as_bytes()).is_ok());
    assert!(decode(Deeper::LeftOut, 7, nested(JSON_LEVELS + 1).as_bytes()).is_err());
    assert!(decode(Deeper::Refused, 7, nested(2).as_bytes()).is_ok());
    assert!(decode(Deeper::Refused, 7, nested(3).as_bytes()).is_err());

    let named = |length: usize| format!("{{\"{}\":1}}", "n".repeat(length));
    assert!(decode(Deeper::Refused, 7, named(FIELD_NAME_BYTES).as_bytes()).is_ok());
    assert_eq!(
        decode(Deeper::Refused, 7, named(FIELD_NAME_BYTES + 1).as_bytes()).unwrap_err().code(),
        "bad_form"
    );

    let number = |length: usize| format!("{{\"a\":{}}}", "1".repeat(length));
    assert!(decode(Deeper::Refused, 7, number(JSON_NUMBER_BYTES).as_bytes()).is_ok());
    assert_eq!(
        decode(Deeper::Refused, 7, number(JSON_NUMBER_BYTES + 1).as_bytes()).unwrap_err().code(),
        "bad_json"
    );

    /// Counts and keeps nothing.
    #[derive(Default)]
    struct Count(usize);
    impl Pieces for Count {
        fn begin(&mut self, _: &str, _: Option<&str>) -> Result<(), ApiError> {
            self.0 += 1;
            Ok(())
        }
        fn piece(&mut self, _: &[u8]) -> Result<(), ApiError> {
            Ok(())
        }
        fn end(&mut self) -> Result<(), ApiError> {
            Ok(())
        }
    }
    let mut decoder = Decoder::new(Deeper::Refused);
    let mut count = Count::default();
    decoder.push(b"{\"contacts\":[0", &mut count).unwrap();
    for _ in 0..100 {
        decoder.push(",0".repeat(1_000).as_bytes(), &mut count).unwrap();
    }
    decoder.push(b",\"", &mut count).unwrap();
    for _ in 0..100 {
        decoder.push(&[b'0'; 10_000], &mut count).unwrap();
    }
    assert_eq!(count.0, 100_002);
    let held = decoder.name.capacity() + decoder.scalar.capacity() + decoder.open.capacity();
    assert!(held < 2 * FIELD_NAME_BYTES, "{held} bytes of a megabyte are held");
}

#[test]
fn an_object_is_the_entries_of_a_map_and_of_nothing_else() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let body = br##"{"digits": {"1": "yes", "#": 2, "3": null}, "a": "1"}"##;
    let expected = vec![pair("digits[1]", "yes"), pair("digits[#]", "2"), pair("a", "1")];
    for pieces_of in [1, 7, body.len()] {
        assert_eq!(decode(Deeper::Refused, pieces_of, body).unwrap(), expected, "{pieces_of}");
    }
    for refused in [r#"{"other": {"1": "yes"}}"#, r#"{"digits": {"1": ["yes"]}}"#, r#"{"digits": {"1": {}}}"#]
    {
        assert!(decode(Deeper::Refused, 64, refused.as_bytes()).is_err(), "{refused}");
    }
}
