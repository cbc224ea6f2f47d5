use serde::Deserialize;
use talkdrum_api::money::Amount;

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
    let mut fields = Fields::within(1 << 20);
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
    assert!(Fields::within(1 << 20).push("name", "a\0b".into()).is_err());
}

#[test]
fn there_are_so_many_names_values_and_bytes_and_none_more() {
    let filled = |names: usize, values: usize| {
        let mut fields = Fields::within(1 << 20);
        for name in 0..names {
            for _ in 0..values {
                fields.push(&format!("n{name}"), String::new())?;
            }
        }
        Ok::<_, ApiError>(fields)
    };
    let code = |names, values| filled(names, values).unwrap_err().code().to_owned();
    assert!(filled(limit::FIELD_NAMES, 1).is_ok());
    assert_eq!(code(limit::FIELD_NAMES + 1, 1), "too_many_fields");
    assert!(filled(1, limit::FIELD_VALUES).is_ok());
    assert_eq!(code(1, limit::FIELD_VALUES + 1), "too_many_values");
    assert!(filled(2, limit::FIELD_VALUES_IN_ALL / 2).is_ok());
    assert_eq!(code(2, limit::FIELD_VALUES_IN_ALL / 2 + 1), "too_many_values");

    let mut fields = Fields::within(limit::FIELD_COST + 2);
    fields.push("a", String::new()).unwrap();
    assert!(fields.has_room_for(limit::FIELD_COST + 1).is_ok());
    assert_eq!(fields.has_room_for(limit::FIELD_COST + 2).unwrap_err().status(), 413);
    assert_eq!(fields.push("a", "x".into()).unwrap_err().status(), 413, "an empty value costs, too");
    fields.push("a", String::new()).unwrap();

    assert_eq!(fields.push("", String::new()).unwrap_err().code(), "bad_form");
    let long = "n".repeat(limit::FIELD_NAME_BYTES + 1);
    assert_eq!(Fields::within(1 << 20).push(&long, String::new()).unwrap_err().code(), "bad_form");
}

#[test]
fn a_name_is_found_by_its_place_and_not_by_a_look_at_all_others() {
    let mut fields = Fields::within(1 << 20);
    for name in (0..limit::FIELD_NAMES).chain((0..limit::FIELD_NAMES).rev()) {
        fields.push(&format!("n{name}"), name.to_string()).unwrap();
    }
    assert_eq!(fields.places.len(), fields.entries.len());
    for (place, (name, values)) in fields.entries.iter().enumerate() {
        assert_eq!((fields.places[name], name), (place, &format!("n{place}")), "in the order of coming");
        assert_eq!(*values, [place.to_string(), place.to_string()]);
    }
}
