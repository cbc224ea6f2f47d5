//! A number in the strings of a JSON document. All else stays as it is written, the order of the fields as well.

use super::within;
use crate::phone::Msisdn;

/// The document with `erased` for the number in its strings; `None` where none names it.
pub(super) fn masked(json: &str, number: Msisdn) -> Option<String> {
    masked_by(json, number, |between, _| between.to_owned())
}

/// The same, and the string `"erased"` where a number of the document is it.
pub(super) fn masked_with_numbers(json: &str, number: Msisdn) -> Option<String> {
    let erased = format!("\"{}\"", Msisdn::ERASED);
    masked_by(json, number, |between, is_in_it| {
        let (mut masked, mut rest) = (String::with_capacity(between.len()), between);
        while let Some(begin) = rest.find(|sign: char| sign == '-' || sign.is_ascii_digit()) {
            let length = rest[begin..].find(|sign: char| !is_of_number(sign)).unwrap_or(rest.len() - begin);
            let written = &rest[begin..begin + length];
            let is_it = within::holds(written.trim_start_matches('-'), number);
            *is_in_it |= is_it;
            masked.push_str(&rest[..begin]);
            masked.push_str(if is_it { &erased } else { written });
            rest = &rest[begin + length..];
        }
        masked.push_str(rest);
        masked
    })
}

const fn is_of_number(sign: char) -> bool {
    sign.is_ascii_digit() || matches!(sign, '-' | '+' | '.' | 'e' | 'E')
}

fn masked_by(json: &str, number: Msisdn, between: impl Fn(&str, &mut bool) -> String) -> Option<String> {
    let (mut masked, mut rest, mut is_in_it) = (String::with_capacity(json.len()), json, false);
    // Outside of strings there are no quotes.
    while let Some(begin) = rest.find('"') {
        let mut strings = serde_json::Deserializer::from_str(&rest[begin..]).into_iter::<String>();
        let string = strings.next()?.ok()?;
        let end = begin + strings.byte_offset();
        masked.push_str(&between(&rest[..begin], &mut is_in_it));
        match within::masked(&string, number).and_then(|it| serde_json::to_string(&it).ok()) {
            Some(string) => {
                masked.push_str(&string);
                is_in_it = true;
            }
            None => masked.push_str(&rest[begin..end]),
        }
        rest = &rest[end..];
    }
    masked.push_str(&between(rest, &mut is_in_it));
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

    #[test]
    fn a_number_that_is_a_number_of_the_document_becomes_a_string_and_all_else_stays() {
        let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let draft =
            r#"{"to":2348031234567,"text":"Hi","all":[8031234567,80312345678],"n":2,"x":"08031234567"}"#;
        let expected = r#"{"to":"erased","text":"Hi","all":["erased",80312345678],"n":2,"x":"erased"}"#;
        assert_eq!(masked_with_numbers(draft, number).as_deref(), Some(expected));
        assert_eq!(masked_with_numbers(r#"{"to":803}"#, number), None);
        for written in ["8031234567.0", "-8031234567", "8.031234567E9", "8.0312345670E+09"] {
            let draft = format!(r#" {{"n":[1,{written},-2.5e3],"b":true}}"#);
            let expected = r#" {"n":[1,"erased",-2.5e3],"b":true}"#;
            assert_eq!(masked_with_numbers(&draft, number).as_deref(), Some(expected), "{draft}");
        }
    }
}
