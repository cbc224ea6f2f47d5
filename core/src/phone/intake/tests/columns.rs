//! Tables with several columns of numbers: which are read, and what is said of the others.

use crate::phone::intake::*;

/// Keeps numbers with their fields, rejects, and what is said of the columns.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kept {
    recipients: Vec<String>,
    rejects: Vec<String>,
    said: Option<(Vec<String>, Vec<String>)>,
}

impl Sink for Kept {
    fn recipient(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>) {
        self.recipients.push(format!("{line} {number} {}", fields.iter().collect::<Vec<_>>().join("|")));
    }

    fn reject(&mut self, line: u64, text: &str, reason: RejectReason) {
        self.rejects.push(format!("{line} {text}: {}", reason.code()));
    }

    fn number_columns(&mut self, read: &[String], unread: &[String]) {
        assert!(self.said.is_none(), "said once");
        self.said = Some((read.to_vec(), unread.to_vec()));
    }
}

fn try_read(asked: &[&str], bytes: &[u8]) -> (Kept, Result<IntakeSummary>) {
    let names = asked.iter().map(|name| (*name).to_owned()).collect();
    let phone_columns = PhoneColumns { names, ..PhoneColumns::default() };
    let mut kept = Kept::default();
    let mut intake = Intake::new(IntakeOptions { phone_columns, ..IntakeOptions::default() });
    for piece in bytes.chunks(7) {
        intake.feed(piece, &mut kept);
    }
    let summary = intake.finish(&mut kept);
    (kept, summary)
}

fn read(asked: &[&str], bytes: &[u8]) -> (Kept, IntakeSummary) {
    let (kept, summary) = try_read(asked, bytes);
    let summary = summary.unwrap();
    assert_eq!(kept.recipients.len() as u64, summary.recipients);
    assert_eq!(kept.rejects.len() as u64, summary.rejects);
    if let Some((titles, unread)) = &kept.said {
        let names: Vec<String> = titles.iter().map(|title| title.to_lowercase()).collect();
        assert_eq!((&names, unread), (&summary.phone_columns, &summary.unread_columns));
    }
    assert_eq!(kept.said.is_some(), !summary.phone_columns.is_empty());
    (kept, summary)
}

const TWO: &[u8] = b"Name,Phone 1,Phone 2\nAda,08031234567,08021234567\nObi,08051234567,\n";

#[test]
fn a_second_column_of_numbers_is_named_when_it_is_not_read() {
    let (kept, summary) = read(&[], TWO);
    assert_eq!(kept.recipients, ["2 2348031234567 Ada|08021234567", "3 2348051234567 Obi|"]);
    assert_eq!(summary.phone_columns, ["phone 1"]);
    assert_eq!(summary.unread_columns, ["Phone 2"]);
}

#[test]
fn each_number_of_a_row_is_a_recipient_when_both_columns_are_asked_for() {
    let (kept, summary) = read(&["phone 1", " PHONE 2 "], TWO);
    assert_eq!(
        kept.recipients,
        ["2 2348031234567 Ada|08021234567", "2 2348021234567 Ada|08021234567", "3 2348051234567 Obi|",]
    );
    assert_eq!((summary.rows, kept.rejects.len()), (2, 0));
    assert_eq!(summary.phone_columns, ["phone 1", "phone 2"]);
    assert!(summary.unread_columns.is_empty());
}

#[test]
fn a_row_without_any_number_is_one_reject_and_a_spoilt_number_is_its_own() {
    let text = b"Name,Phone 1,Phone 2\nAda,,08021234567\nObi,,\nIfe,080312,08051234567\n,,\n";
    let (kept, summary) = read(&["Phone 1", "Phone 2"], text);
    assert_eq!(kept.recipients, ["2 2348021234567 Ada|08021234567", "4 2348051234567 Ife|08051234567"]);
    assert_eq!(kept.rejects, ["3 Obi: empty", "4 080312: too_short"]);
    assert_eq!(summary.rows, 3);
}

#[test]
fn a_column_asked_for_twice_is_read_once_and_one_left_out_is_named() {
    let (kept, summary) = read(&["Phone 2", "phone 2"], TWO);
    assert_eq!(kept.recipients, ["2 2348021234567 Ada|08031234567"]);
    assert_eq!(kept.rejects, ["3 Obi: empty"]);
    assert_eq!(summary.unread_columns, ["Phone 1"]);
}

#[test]
fn numbers_that_begin_behind_the_head_are_seen() {
    let mut text = String::from("Name,Phone,Other\n");
    for _ in 0..2_000 {
        text.push_str("Ada,08031234567,\n");
    }
    text.push_str("Obi,08051234567,0802 123 4567\nObi,08051234568,08021234568\n");
    let (_, summary) = read(&[], text.as_bytes());
    assert_eq!(summary.unread_columns, ["Other"]);
}

#[test]
fn amounts_dates_and_a_stray_number_are_no_second_column() {
    let text = b"Name,Phone,Amount,Due,Notes\nAda,08031234567,5000,2026-10-30,call 08021234567\n\
                 Obi,08051234567,12500,2026-11-30,08021234567\nIfe,08051234568,1500,2026-11-30,pays late\n\
                 Uche,08051234569,1500,2026-11-30,pays late\n";
    let (_, summary) = read(&[], text);
    assert_eq!(summary.unread_columns, Vec::<String>::new());
}

#[test]
fn a_title_that_names_phones_needs_one_number_only() {
    let text =
        b"Name,Phone,Alt Phone\nAda,08031234567,none\nObi,08051234567,08021234567\nIfe,08051234568,-\n\
                 Uche,08051234569,n/a\n";
    let (_, summary) = read(&[], text);
    assert_eq!(summary.unread_columns, ["Alt Phone"]);
}

#[test]
fn equal_titles_are_told_apart_and_can_be_asked_for() {
    let text = b"Name;Phone;Phone\nAda;08031234567;08021234567\n";
    assert_eq!(read(&[], text).1.unread_columns, ["phone_2"]);
    assert_eq!(read(&["Phone", "phone_2"], text).0.recipients.len(), 2);
}

#[test]
fn an_unknown_column_is_refused_with_those_that_are_there() {
    let error = try_read(&["Phone 1", "Phone 3"], TWO).1.unwrap_err();
    assert!(matches!(error, Error::Rule { field: Some("column"), code: "no_such_column", .. }));
    assert!(error.to_string().contains("'Phone 3'") && error.to_string().contains("name, phone 1, phone 2"));
    let wide = (0..40).map(|place| format!("c{place}")).collect::<Vec<_>>().join(",");
    let error = try_read(&[&"x".repeat(500)], format!("{wide}\n").as_bytes()).1.unwrap_err().to_string();
    assert!(error.contains("and 20 more") && error.len() < 400, "{error}");
}
