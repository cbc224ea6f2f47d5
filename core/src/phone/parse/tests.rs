//! Every written form of decision 6, and the fast path held against a second libphonenumber.

use phonenumber::country;
use proptest::prelude::*;
use rlibphonenumber::Region;

use super::*;

const ADA: &str = "2348031234567";

fn read(text: &str) -> Result<String, RejectReason> {
    parse(text).map(|number| number.to_string())
}

#[test]
fn every_form_of_a_nigerian_mobile_is_the_same_number() {
    for text in [
        "08031234567",
        "8031234567",
        "2348031234567",
        "+2348031234567",
        "23408031234567",
        "+23408031234567",
        "002348031234567",
        "0092348031234567",
        "00923408031234567",
        "+08031234567",
        "0803 123 4567",
        "0803-123-4567",
        "(0803) 123-4567",
        "0803.123.4567",
        "0803/1234567",
        "+234 (0) 803 123 4567",
        "+234\u{a0}803\u{a0}123\u{a0}4567",
        "\u{202a}+234 803 123 4567\u{202c}",
        "0803\u{2011}123\u{2011}4567",
        "0803\u{2013}123\u{2013}4567",
        "٠٨٠٣١٢٣٤٥٦٧",
        "۰۸۰۳۱۲۳۴۵۶۷",
        "＋２３４８０３１２３４５６７",
        "߀߈߀߃߁߂߃߄߅߆߇",
        "  08031234567\t",
        "'08031234567",
        "\u{2018}08031234567",
        "\"08031234567\"",
        "=\"08031234567\"",
        "tel:+2348031234567",
        "Tel: 0803 123 4567",
    ] {
        assert_eq!(read(text).as_deref(), Ok(ADA), "{text}");
    }
}

#[test]
fn what_a_spreadsheet_did_is_undone_where_no_digit_was_lost() {
    for text in [
        "2.348031234567E+12",
        "2,348031234567E+12",
        "2.348031234567e12",
        "8.031234567E+09",
        "8.031234567E9",
        "8.0312345670E+09",
        "8031234567.0",
        "8031234567.00",
        "2348031234567.0",
        "+2348031234567.0",
        "8,031,234,567",
        "2,348,031,234,567.00",
    ] {
        assert_eq!(read(text).as_deref(), Ok(ADA), "{text}");
    }
}

#[test]
fn what_a_spreadsheet_rounded_is_refused_and_said_to_be() {
    for text in ["8.03E+09", "8.03E+9", "8,03E+09", "2.34803E+12", "2.34803123457E+12", "8E9", "'8.03E+09"] {
        assert_eq!(read(text), Err(RejectReason::SpreadsheetRounded), "{text}");
    }
}

#[test]
fn nine_digits_are_said_to_be_nine() {
    for text in
        ["801234567", "0801234567", "234801234567", "+234801234567", "2340801234567", "009234801234567"]
    {
        assert_eq!(read(text), Err(RejectReason::NineDigits), "{text}");
    }
}

#[test]
fn other_countries_come_with_plus_with_00_with_009_or_with_nothing() {
    for text in ["+447911123456", "00447911123456", "009447911123456", "447911123456", "+44 (0) 7911 123456"]
    {
        assert_eq!(read(text).as_deref(), Ok("447911123456"), "{text}");
    }
    assert_eq!(read("+12025550123").as_deref(), Ok("12025550123"), "fixed or mobile alike is kept");
    assert_eq!(read("0012025550123").as_deref(), Ok("12025550123"));
    assert_eq!(read("+233241234567").as_deref(), Ok("233241234567"));
    assert_eq!(
        read("00919876543210").as_deref(),
        Ok("919876543210"),
        "India, as the US reading is no number"
    );
    assert_eq!(read("+393123456789").as_deref(), Ok("393123456789"));
}

#[test]
fn a_number_of_two_countries_is_not_guessed() {
    // +91 202 555 0123 in Pune is a landline; +1 928 555 0123 is Arizona and +91 928 555 0123 an Indian mobile.
    assert_eq!(read("00919285550123"), Err(RejectReason::Ambiguous));
}

#[test]
fn what_takes_no_sms_is_refused_with_its_kind() {
    for text in ["02012345678", "+2342012345678", "+442079460000", "442079460000"] {
        assert_eq!(read(text), Err(RejectReason::Landline), "{text}");
    }
    for text in ["08001234567", "07001234567", "+448081570000"] {
        assert_eq!(read(text), Err(RejectReason::NotMobile), "{text}");
    }
}

#[test]
fn what_is_no_number_says_why() {
    for (text, reason) in [
        ("", RejectReason::NoDigits),
        ("   ", RejectReason::NoDigits),
        ("Ada Obi", RejectReason::NoDigits),
        ("+", RejectReason::NoDigits),
        ("12", RejectReason::TooShort),
        ("080312", RejectReason::TooShort),
        ("080312345678", RejectReason::TooLong),
        ("8031234567 8021234567", RejectReason::TooLong),
        ("80312345678031234567803123456780312345678", RejectReason::TooLong),
        ("2348031234567123", RejectReason::TooLong),
        ("0803123456a", RejectReason::NotANumber),
        ("O8031234567", RejectReason::NotANumber),
        ("0800FLOWERS", RejectReason::NotANumber),
        ("0803#1234567", RejectReason::NotANumber),
        ("0803+1234567", RejectReason::NotANumber),
        ("08231234567", RejectReason::Invalid),
        ("0000000000", RejectReason::UnknownCountry),
        ("+999123456789", RejectReason::UnknownCountry),
        ("+44791112345", RejectReason::Invalid),
        ("1.5E3x", RejectReason::NotANumber),
    ] {
        assert_eq!(read(text), Err(reason), "{text}");
    }
}

#[test]
fn a_mistyped_nigerian_number_does_not_become_a_foreign_one() {
    // Ten digits that would be Myanmar's, and eleven that would be a line in Tokyo.
    assert_eq!(read("9592001234"), Err(RejectReason::Invalid));
    assert_eq!(read("81312345678"), Err(RejectReason::TooLong));
}

/// What the second library thinks of it: E.164 digits of a valid Nigerian mobile.
fn second_opinion(text: &str) -> Option<u64> {
    let number = phonenumber::parse(Some(country::NG), text).ok()?;
    let metadata = number.metadata(&phonenumber::metadata::DATABASE)?;
    let mobile = number.number_type(&phonenumber::metadata::DATABASE) == phonenumber::Type::Mobile;
    (phonenumber::is_valid(&number) && mobile && metadata.country_code() == 234)
        .then(|| number.format().mode(phonenumber::Mode::E164).to_string())?
        .trim_start_matches('+')
        .parse()
        .ok()
}

/// The one known difference of metadata: 0910 came to libphonenumber after 9.0.33, which the second library carries.
fn is_newer_than_second_opinion(national: u64) -> bool {
    national / 10_000_000 == 910
}

/// Digits that are often, not always, a Nigerian mobile.
fn national() -> impl Strategy<Value = u64> {
    prop_oneof![7_000_000_000..10_000_000_000_u64, 2_000_000_000..10_000_000_000_u64]
}

proptest! {
    #[test]
    fn the_fast_path_agrees_with_both_libraries_on_generated_forms(
        national in national(),
        form in prop::sample::select(vec!["0{}", "{}", "234{}", "+234{}", "+2340{}", "009234{}"]),
        spacing in prop::sample::select(vec!["", " ", "-"]),
    ) {
        let digits = national.to_string();
        let grouped = [&digits[..3], &digits[3..6], &digits[6..]].join(spacing);
        let text = form.replace("{}", &grouped);
        let fast = nigeria::read(text.as_bytes()).map(Msisdn::digits);
        let first = PhoneNumber::parse(&text, Some(Region::NG)).ok()
            .filter(|number| number.get_type() == PhoneNumberType::Mobile)
            .and_then(|number| e164(&number))
            .map(Msisdn::digits);
        prop_assert_eq!(fast, first, "{}", text);
        if !is_newer_than_second_opinion(national) {
            // Without the spacing: `phonenumber` 0.3.10 fails on a dash right after `+` and digits.
            let compact = text.replace(spacing, "");
            prop_assert_eq!(fast, second_opinion(&compact), "{}", text);
        }
    }

    #[test]
    fn what_the_fast_path_accepts_of_random_digits_both_libraries_accept(text in "\\+?[0-9]{6,17}") {
        if let Some(number) = nigeria::read(text.as_bytes()) {
            let plain = format!("+{number}");
            let judged = PhoneNumber::parse(&plain, None).unwrap();
            prop_assert_eq!(judged.get_type(), PhoneNumberType::Mobile);
            if !is_newer_than_second_opinion(number.digits() % 10_000_000_000) {
                prop_assert_eq!(second_opinion(&plain), Some(number.digits()));
            }
        }
    }

    #[test]
    fn random_digits_with_a_nigerian_front_are_read_alike(
        text in "(0|234|\\+234|2340|009234)[0-9]{8,11}",
    ) {
        let number = nigeria::read(text.as_bytes()).map(Msisdn::digits);
        if let Some(number) = number.filter(|number| !is_newer_than_second_opinion(number % 10_000_000_000)) {
            prop_assert_eq!(second_opinion(&text), Some(number), "{}", text);
        }
    }

    #[test]
    fn what_is_accepted_is_valid_for_libphonenumber(text in "[+0-9 ()./-]{0,24}") {
        if let Ok(number) = parse(&text) {
            let judged = PhoneNumber::parse(format!("+{number}"), None).unwrap();
            prop_assert!(judged.is_valid(), "{}", number);
        }
    }

    #[test]
    fn an_accepted_number_reads_back_as_itself(text in "[+0-9 -]{7,18}") {
        if let Ok(number) = parse(&text) {
            prop_assert_eq!(parse(&format!("+{number}")), Ok(number));
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse(&text);
    }
}
