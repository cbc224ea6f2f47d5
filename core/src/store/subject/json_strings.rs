//! A number in the strings of a JSON document. All else stays as it is written, the order of the fields as well.

use super::within;
use crate::phone::Msisdn;

/// The document with `erased` for the number in its strings; `None` where none names it.
pub(super) fn masked(json: &str, number: Msisdn) -> Option<String> {
    let (mut masked, mut rest, mut is_in_it) = (String::with_capacity(json.len()), json, false);
    // Outside of strings there are no quotes.
    while let Some(begin) = rest.find('"') {
        let mut strings = serde_json::Deserializer::from_str(&rest[begin..]).into_iter::<String>();
        let string = strings.next()?.ok()?;
        let end = begin + strings.byte_offset();
        masked.push_str(&rest[..begin]);
        match within::masked(&string, number).and_then(|it| serde_json::to_string(&it).ok()) {
            Some(string) => {
                masked.push_str(&string);
                is_in_it = true;
            }
            None => masked.push_str(&rest[begin..end]),
        }
        rest = &rest[end..];
    }
    masked.push_str(rest);
    is_in_it.then_some(masked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_masked_in_strings_and_what_only_looks_like_it_stays() {
        let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let body = r#"{"data":{"id":8031234567,"msg":"At \"home\":\n0803 123-4567, \u000108031234567","to":["2348031234567","x"]}}"#;
        let expected =
            r#"{"data":{"id":8031234567,"msg":"At \"home\":\nerased, \u0001erased","to":["erased","x"]}}"#;
        assert_eq!(masked(body, number).as_deref(), Some(expected));
        for other in
            [r#"{"id":8031234567,"at":"x"}"#, r#"{"to":"+18031234567"}"#, r#"{"to":"0803"#, "", "8031234567"]
        {
            assert_eq!(masked(other, number), None, "{other}");
        }
    }
}
