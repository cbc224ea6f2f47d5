//! The room as its callers use it, and the shared vectors. `vectors.json` is a list of messages with what is billed and
//! sent (or the code of the refusal), computed apart from this code; the web console tests its counter with the same.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Vector {
    name: String,
    kind: Kind,
    text: String,
    sent: Option<String>,
    #[serde(flatten)]
    expected: Expected,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Expected {
    Refused { error: String },
    Sent { encoding: Encoding, units: u32, pages: u8, segments: u8 },
}

fn prepared(kind: Kind, text: &str) -> Result<Prepared> {
    Content::parse(kind, &ContentFields { message: Some(text), ..ContentFields::default() })?.prepare()
}

fn wap(title: &str, url: &str) -> Result<Prepared> {
    let fields = ContentFields { wap_title: Some(title), wap_url: Some(url), ..ContentFields::default() };
    Content::parse(Kind::WapPush, &fields)?.prepare()
}

fn card_fields() -> ContentFields<'static> {
    ContentFields {
        first_name: Some("Ada"),
        last_name: Some("Obi"),
        company: Some("Talk Ltd"),
        job_title: Some(" Engineer "),
        telephone: Some("+2348031234567"),
        email: Some("ada@example.com"),
        ..ContentFields::default()
    }
}

/// The field and message of a refusal.
fn refusal<T: std::fmt::Debug>(result: Result<T>) -> (&'static str, String) {
    match result.unwrap_err() {
        Error::Rule { field: Some(field), message, .. } => (field, message.into_owned()),
        other => panic!("no refusal of a field: {other:?}"),
    }
}

fn decoded(body: &Body) -> String {
    let octets: Vec<u8> = body.parts.iter().flat_map(|part| part.data.iter().copied()).collect();
    match body.encoding {
        Encoding::Gsm7 => gsm7::decode(&octets),
        Encoding::Ucs2 => {
            let units: Vec<u16> =
                octets.chunks(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect();
            String::from_utf16(&units).unwrap()
        }
        Encoding::Binary => panic!("binary has no text"),
    }
}

#[test]
fn the_shared_vectors_are_met() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("vectors.json")).unwrap();
    assert!(vectors.len() >= 30);
    for Vector { name, kind, text, sent, expected } in vectors {
        match (prepared(kind, &text), expected) {
            (Err(refused), Expected::Refused { error }) => assert_eq!(refused.code(), error, "{name}"),
            (Ok(message), Expected::Sent { encoding, units, pages, segments }) => {
                let expected = Measure { encoding, units, pages, segments };
                assert_eq!(message.uniform(), Some(expected), "{name}");
                let body = message.encode(no_values, &mut Scratch::default()).unwrap();
                assert_eq!(body.parts.len(), usize::from(segments), "{name}");
                if let Some(sent) = sent {
                    assert_eq!((decoded(&body), message.text(no_values)), (sent.clone(), sent), "{name}");
                }
            }
            (outcome, _) => panic!("{name}: {outcome:?}"),
        }
    }
}

/// What a daemon once answered to quotes; the console's counter is tested with the same file.
#[derive(Deserialize)]
struct Quoted {
    name: String,
    kind: Kind,
    message: Option<String>,
    wap_title: Option<String>,
    wap_url: Option<String>,
    #[serde(default)]
    card: BTreeMap<String, String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
    quote: Quote,
}

#[derive(Deserialize)]
struct Quote {
    encoding: Encoding,
    pages: u8,
    segments: u8,
    message: String,
}

#[test]
fn what_was_quoted_before_is_counted_the_same() {
    let quoted: Vec<Quoted> = serde_json::from_str(include_str!("../../tests/vectors/content.json")).unwrap();
    assert!(quoted.len() >= 30);
    for case in &quoted {
        let card = |name: &str| case.card.get(name).map(String::as_str);
        let fields = ContentFields {
            message: case.message.as_deref(),
            wap_title: case.wap_title.as_deref(),
            wap_url: case.wap_url.as_deref(),
            first_name: card("first_name"),
            last_name: card("last_name"),
            company: card("company"),
            job_title: card("job_title"),
            telephone: card("telephone"),
            email: card("email"),
        };
        let prepared = Content::parse(case.kind, &fields).unwrap().prepare().unwrap();
        let values = |name: &str| case.values.get(name).map(String::as_str);
        let measure = prepared.measure(values, &mut Scratch::default()).unwrap();
        let counted = (measure.encoding, measure.pages, measure.segments);
        assert_eq!(counted, (case.quote.encoding, case.quote.pages, case.quote.segments), "{}", case.name);
        if case.message.is_some() {
            assert_eq!(prepared.text(values), case.quote.message, "{}", case.name);
        }
    }
}

#[test]
fn required_fields_are_asked_for_in_the_words_of_the_specification() {
    assert_eq!(refusal(prepared(Kind::Text, " \r\n")), ("message", "Message is required".to_owned()));
    assert_eq!(refusal(prepared(Kind::Unicode, "")), ("msg", "Message is required".to_owned()));
    let words = "WAP title and URL are required for WAP push messages".to_owned();
    assert_eq!(refusal(wap(" ", "http://a.ng")), ("wap_title", words.clone()));
    assert_eq!(refusal(wap("x", "")), ("wap_url", words));
    let fields = ContentFields { job_title: Some(" "), ..card_fields() };
    assert_eq!(
        refusal(Content::parse(Kind::Vcard, &fields)),
        ("job_title", "All vCard fields are required".to_owned())
    );
}

#[test]
fn what_text_cannot_carry_is_named_and_unicode_suggested() {
    assert_eq!(
        refusal(prepared(Kind::Text, "ok 😀 {x|ж} 😀")),
        (
            "message",
            "A text message cannot carry '😀' (U+1F600), 'ж' (U+0436). Remove what it cannot carry, or send the \
             message as unicode"
                .to_owned()
        )
    );
}

#[test]
fn content_survives_its_storage() {
    let contents = [
        Content::parse(
            Kind::Flash,
            &ContentFields { message: Some("a\r\n₦ {b}"), ..ContentFields::default() },
        )
        .unwrap(),
        Content::WapPush { title: "t".into(), url: "http://a.ng".into() },
        Content::parse(Kind::Vcard, &card_fields()).unwrap(),
    ];
    for content in &contents {
        let json = serde_json::to_string(content).unwrap();
        assert_eq!(&serde_json::from_str::<Content>(&json).unwrap(), content);
    }
    assert_eq!(serde_json::to_string(&contents[0]).unwrap(), r#"{"kind":"flash","text":"a\n₦ {b}"}"#);
    assert_eq!(
        serde_json::to_string(&contents[1]).unwrap(),
        r#"{"kind":"wap-push","title":"t","url":"http://a.ng"}"#
    );
}

#[test]
fn replacements_are_reported_with_the_quote() {
    let message = prepared(Kind::Text, "₦5 “{name|–}”").unwrap();
    let json = serde_json::to_value(message.replacements()).unwrap();
    assert_eq!(
        json,
        serde_json::json!([
            {"from": "₦", "to": "N", "count": 1}, {"from": "“", "to": "\"", "count": 1},
            {"from": "–", "to": "-", "count": 1}, {"from": "”", "to": "\"", "count": 1},
        ])
    );
    assert_eq!(message.text(no_values), "N5 \"-\"");
}

#[test]
fn merge_values_are_measured_and_encoded_for_each_recipient() {
    let message = prepared(Kind::Text, "Dear {Name}, you owe ₦{amount|0}.").unwrap();
    assert_eq!(message.uniform(), None);
    assert_eq!(message.fields().iter().map(|name| &**name).collect::<Vec<_>>(), ["name", "amount"]);
    let mut scratch = Scratch::default();
    let mut send = |name: &'static str, amount: Option<&'static str>| {
        let values = move |field: &str| if field == "name" { Some(name) } else { amount };
        let measure = message.measure(values, &mut scratch)?;
        let body = message.encode(values, &mut scratch)?;
        assert_eq!(body.parts.len(), usize::from(measure.segments));
        assert_eq!(decoded(&body), message.text(values));
        Ok::<_, ContentError>((measure.units, measure.pages, decoded(&body)))
    };
    assert_eq!(send("Ọlá", Some("5,000")), Ok((25, 1, "Dear Ola, you owe N5,000.".to_owned())));
    assert_eq!(send("[A]", None), Ok((23, 1, "Dear [A], you owe N0.".to_owned())));
    let refused = send("😀", None).unwrap_err();
    assert_eq!(refused.code(), "not_gsm7");
    assert_eq!(
        refused.to_string(),
        "The value of {name} does not fit: a text message cannot carry '😀' (U+1F600). Remove what it cannot carry, \
         or send the message as unicode"
    );
    assert_eq!(send(" ", None).unwrap_err().code(), "merge_value_missing");
    assert_eq!(message.text(no_values), "Dear {name}, you owe N0.");
}

#[test]
fn a_value_can_make_a_message_empty_or_too_long() {
    let message = prepared(Kind::Unicode, "{note|}").unwrap();
    let mut scratch = Scratch::default();
    assert_eq!(message.measure(no_values, &mut scratch), Err(ContentError::Empty));
    let long = "ж".repeat(403);
    let values = |_: &str| Some(long.as_str());
    let refused = ContentError::TooLong { encoding: Encoding::Ucs2, units: 403 };
    assert_eq!(message.measure(values, &mut scratch).unwrap_err(), refused);
    assert_eq!(message.encode(values, &mut scratch).unwrap_err(), refused);
    let control = |_: &str| Some("a\u{1}");
    assert_eq!(
        message.measure(control, &mut scratch).unwrap_err().to_string(),
        "The value of {note} holds the control character U+0001. Remove it"
    );
}

#[test]
fn a_value_whose_character_straddles_a_cut_takes_a_segment_more() {
    let message = prepared(Kind::Text, &format!("{}{{v}}{}", "a".repeat(152), "b".repeat(152))).unwrap();
    let mut scratch = Scratch::default();
    let mut measured = |value: &'static str| {
        let measure = message.measure(|_| Some(value), &mut scratch).unwrap();
        (measure.units, measure.pages, measure.segments)
    };
    assert_eq!(measured("xx"), (306, 2, 2));
    assert_eq!(measured("["), (306, 2, 3));
}

#[test]
fn fixed_text_above_six_pages_is_refused_before_any_recipient() {
    let (field, words) = refusal(prepared(Kind::Flash, &format!("{}{{name}}", "a".repeat(940))));
    assert_eq!(field, "message");
    assert!(words.contains("940 characters") && words.contains("Shorten it by 4,"), "{words}");
}

#[test]
fn what_is_written_and_its_merge_fields_have_bounds() {
    let places = |count: usize| "{a}".repeat(count);
    assert!(prepared(Kind::Text, &places(PLACES_MAX)).is_ok());
    let (field, words) = refusal(prepared(Kind::Text, &places(PLACES_MAX + 1)));
    assert_eq!(field, "message");
    assert!(words.contains("65 places") && words.contains("the limit is 64"), "{words}");
    for (title, url, at_fault) in [
        (places(PLACES_MAX + 1), "https://example.com".to_owned(), "wap_title"),
        ("Hi".to_owned(), format!("https://example.com/{}", places(PLACES_MAX + 1)), "wap_url"),
    ] {
        assert_eq!(refusal(wap(&title, &url)).0, at_fault);
    }
    // Different names, as many as a body holds.
    let names: String = (0..100_000).map(|name| format!("{{f{name}}}")).collect();
    for kind in [Kind::Text, Kind::Flash, Kind::Unicode] {
        let (_, words) = refusal(prepared(kind, &names));
        assert!(words.contains("the limit is 16384 with its merge fields"), "{words}");
    }
    assert_eq!(refusal(wap(&names, "https://example.com")).0, "wap_title");
    assert_eq!(refusal(wap("Hi", &names)).0, "wap_url");
}

#[test]
fn what_was_quoted_without_bounds_is_still_sent() {
    let text = "{a}".repeat(PLACES_MAX + 1);
    let content = Content::Text { text };
    let prepared = content.prepare_quoted(&["a".to_owned()]).unwrap();
    assert_eq!(prepared.text(|_| Some("x")), "x".repeat(PLACES_MAX + 1));
}

#[test]
fn flash_and_ports_are_marked_on_the_body() {
    let mut scratch = Scratch::default();
    let flash = prepared(Kind::Flash, "now").unwrap().encode(no_values, &mut scratch).unwrap();
    assert_eq!(
        (flash.kind, flash.encoding, flash.flash, flash.ports),
        (Kind::Flash, Encoding::Gsm7, true, None)
    );
    let push = wap("Hi", "http://www.example.com/").unwrap();
    let body = push.encode(no_values, &mut scratch).unwrap();
    assert_eq!((body.flash, body.ports, body.parts[0].data.len()), (false, Some((2948, 9200)), 29));
    assert_eq!(push.text(no_values), "Hi http://www.example.com/");
    let card = Content::parse(Kind::Vcard, &card_fields()).unwrap().prepare().unwrap();
    assert_eq!(card.encode(no_values, &mut scratch).unwrap().ports, Some((9204, 0)));
    assert_eq!(card.text(no_values), "Ada, Obi, Talk Ltd, Engineer, +2348031234567, ada@example.com");
}

#[test]
fn octets_are_billed_without_their_headers() {
    // 29 octets for this title of two: 133 fit one segment, 140 one page.
    for (title, octets, pages, segments) in
        [(2, 29, 1, 1), (106, 133, 1, 1), (107, 134, 1, 2), (113, 140, 1, 2), (114, 141, 2, 2)]
    {
        let push = wap(&"t".repeat(title), "http://www.example.com/").unwrap();
        let expected = Measure { encoding: Encoding::Binary, units: octets, pages, segments };
        assert_eq!(push.uniform(), Some(expected));
    }
    let (field, words) = refusal(wap(&"t".repeat(800), "http://www.example.com/"));
    assert_eq!(field, "wap_title");
    assert!(words.contains("827 octets") && words.contains("limit is 768"), "{words}");
}

#[test]
fn a_wap_push_takes_merge_fields_in_title_and_link() {
    let push = wap("For {name}", "https://shop.ng/{code}").unwrap();
    assert_eq!(push.fields().len(), 2);
    let values = |field: &str| Some(if field == "name" { "Ọlá" } else { "a b&c" });
    assert_eq!(push.text(values), "For Ọlá https://shop.ng/a%20b%26c");
    let mut scratch = Scratch::default();
    let measure = push.measure(values, &mut scratch).unwrap();
    let body = push.encode(values, &mut scratch).unwrap();
    assert_eq!(measure.units as usize, body.parts.iter().map(|part| part.data.len()).sum::<usize>());
    assert!(wap("Yours", "https://{host}/{path}").unwrap().measure(|_| Some("a.ng"), &mut scratch).is_ok());
    let whole = wap("Yours", "{link}").unwrap();
    assert!(whole.measure(|_| Some("http://a.ng/x?y"), &mut scratch).is_ok());
    assert_eq!(whole.measure(|_| Some("a.ng"), &mut scratch).unwrap_err().code(), "wap_url_invalid");
}

#[test]
fn a_bad_link_is_refused_at_once_even_with_merge_fields() {
    for url in ["www.example.com", "ftp://{host}.ng/", "https://a.ng/a b/{code}", "https:///{x}"] {
        assert_eq!(refusal(wap("t", url)).0, "wap_url", "{url}");
    }
    assert_eq!(refusal(wap("line\nend {x}", "http://a.ng")).0, "wap_title");
    let push = wap("For {name}", "http://a.ng").unwrap();
    assert_eq!(
        push.measure(|_| Some("a\tb"), &mut Scratch::default()).unwrap_err().to_string(),
        "The value of {name} holds the control character U+0009. Remove it"
    );
}

#[test]
fn a_card_above_six_pages_names_its_longest_field() {
    let title = "chief ".repeat(140);
    let fields = ContentFields { job_title: Some(&title), ..card_fields() };
    let (field, words) = refusal(Content::parse(Kind::Vcard, &fields).unwrap().prepare());
    assert_eq!(field, "job_title");
    assert!(words.contains("limit is 768"), "{words}");
}

fn kinds_of_text() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Text), Just(Kind::Flash), Just(Kind::Unicode)]
}

proptest! {
    #[test]
    fn measuring_and_encoding_agree(
        kind in kinds_of_text(),
        before in "[a-z€\\[é₦ \r\n\u{301}]{0,200}",
        after in "[a-z€’]{0,200}",
        value in "[a-z€é😀‘\r\u{301}]{0,300}|[a-z€]{0,300}",
    ) {
        let text = format!("{before}{{v|d}}{after}");
        let message = prepared(kind, &text).unwrap();
        let mut scratch = Scratch::default();
        let values = |_: &str| Some(value.as_str());
        let measured = message.measure(values, &mut scratch);
        match (measured, message.encode(values, &mut scratch)) {
            (Ok(measure), Ok(body)) => {
                prop_assert_eq!(body.parts.len(), usize::from(measure.segments));
                let unit = if body.encoding == Encoding::Ucs2 { 2 } else { 1 };
                let octets: usize = body.parts.iter().map(|part| part.data.len()).sum();
                prop_assert_eq!(octets, measure.units as usize * unit);
                prop_assert!((1..=6).contains(&measure.pages) && (1..=8).contains(&measure.segments));
                prop_assert_eq!(decoded(&body), message.text(values));
            }
            (Err(measuring), Err(encoding)) => prop_assert_eq!(measuring, encoding),
            (measuring, encoding) => prop_assert!(false, "{measuring:?} against {encoding:?}"),
        }
    }

    #[test]
    fn filling_in_by_hand_measures_the_same(name in "[a-z\\[€]{1,200}", text in "[a-z€ ]{1,300}") {
        let merged = prepared(Kind::Text, &format!("{text}{{name}}{text}")).unwrap();
        let whole = prepared(Kind::Text, &format!("x{text}{name}{text}"));
        let by_field = merged.measure(|_| Some(name.as_str()), &mut Scratch::default());
        match (by_field, whole) {
            (Ok(measure), Ok(whole)) => prop_assert_eq!(whole.uniform().unwrap().units, measure.units + 1),
            (Err(error), Err(_)) => prop_assert_eq!(error.code(), "message_too_long"),
            (Ok(measure), Err(_)) => prop_assert_eq!(measure.units, 936),
            (measured, whole) => prop_assert!(false, "{measured:?} against {whole:?}"),
        }
    }

    #[test]
    fn a_text_alone_and_the_same_text_as_a_value_are_one_message(
        kind in kinds_of_text(),
        text in "[a-z{}€\\[é₦ \r\n\u{301}]{1,300}|[a-z{}😀’]{1,200}",
    ) {
        let fields = ContentFields { message: Some(&text), ..ContentFields::default() };
        let Ok(written) = Content::parse(kind, &fields) else { return Ok(()) };
        let Ok(alone) = written.clone().literal().prepare() else { return Ok(()) };
        let valued = written.with_text("{message}".to_owned()).unwrap().prepare().unwrap();
        let (values, mut scratch) = (|_: &str| written.as_text(), Scratch::default());
        prop_assert_eq!(alone.uniform().unwrap(), valued.measure(values, &mut scratch).unwrap());
        let body = alone.encode(no_values, &mut Scratch::default()).unwrap();
        prop_assert_eq!(body, valued.encode(values, &mut scratch).unwrap());
        prop_assert_eq!(alone.text(no_values), valued.text(values));
    }

    #[test]
    fn any_form_is_taken_or_refused_without_a_panic(text in any::<String>(), value in any::<String>()) {
        for kind in [Kind::Text, Kind::Unicode] {
            if let Ok(message) = prepared(kind, &format!("{text}{{v}}")) {
                let mut scratch = Scratch::default();
                let values = |_: &str| Some(value.as_str());
                let measured = message.measure(values, &mut scratch).is_ok();
                prop_assert_eq!(measured, message.encode(values, &mut scratch).is_ok());
            }
        }
        if let Ok(push) = wap(&text, &format!("https://a.ng/{text}")) {
            prop_assert!(push.encode(no_values, &mut Scratch::default()).is_ok() || !push.fields().is_empty());
        }
    }
}
