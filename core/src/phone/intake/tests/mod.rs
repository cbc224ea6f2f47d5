//! Whole inputs as bytes: every encoding, line end, delimiter and kind of damage, whole and in pieces.

mod columns;

use proptest::prelude::*;

use super::*;

/// Keeps what comes out, as text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kept {
    columns: Vec<String>,
    recipients: Vec<String>,
    rejects: Vec<String>,
}

impl Sink for Kept {
    fn columns(&mut self, columns: &[String]) {
        assert!(self.recipients.is_empty());
        self.columns = columns.to_vec();
    }

    fn recipient(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>) {
        let mut text = format!("{line} {number}");
        for field in fields.iter() {
            text.push('|');
            text.push_str(field);
        }
        self.recipients.push(text);
    }

    fn reject(&mut self, line: u64, text: &str, reason: RejectReason) {
        assert!(text.len() <= REJECT_TEXT_MAX);
        self.rejects.push(format!("{line} {text}: {}", reason.code()));
    }
}

fn read_with(options: IntakeOptions, pieces: &[&[u8]]) -> (Kept, IntakeSummary) {
    let mut kept = Kept::default();
    let mut intake = Intake::new(options);
    for piece in pieces {
        intake.feed(piece, &mut kept);
    }
    let summary = intake.finish(&mut kept).unwrap();
    assert_eq!(summary.recipients, kept.recipients.len() as u64);
    assert_eq!(summary.rejects, kept.rejects.len() as u64);
    (kept, summary)
}

fn read(bytes: &[u8]) -> (Kept, IntakeSummary) {
    read_with(IntakeOptions::default(), &[bytes])
}

fn phone_columns(names: &[&str]) -> PhoneColumns {
    PhoneColumns { names: names.iter().map(|name| (*name).to_owned()).collect(), ..PhoneColumns::default() }
}

fn utf16(text: &str, mark: bool, encode: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mark = if mark { "\u{feff}" } else { "" };
    format!("{mark}{text}").encode_utf16().flat_map(encode).collect()
}

#[test]
fn every_encoding_and_line_end_gives_the_same_list() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["08031234567", "0802 123 4567", "+447911123456", "nobody", ""].join(end);
        let samples = [
            (text.clone().into_bytes(), InputEncoding::Utf8),
            ([b"\xef\xbb\xbf", text.as_bytes()].concat(), InputEncoding::Utf8Bom),
            (utf16(&text, true, u16::to_le_bytes), InputEncoding::Utf16Le),
            (utf16(&text, true, u16::to_be_bytes), InputEncoding::Utf16Be),
            (utf16(&text, false, u16::to_le_bytes), InputEncoding::Utf16Le),
            (utf16(&text, false, u16::to_be_bytes), InputEncoding::Utf16Be),
        ];
        for (bytes, encoding) in samples {
            let (kept, summary) = read(&bytes);
            assert_eq!(
                kept.recipients,
                ["1 2348031234567", "2 2348021234567", "3 447911123456"],
                "{encoding:?}"
            );
            assert_eq!(kept.rejects, ["4 nobody: no_digits"]);
            assert_eq!(summary.encoding, encoding);
            assert_eq!((summary.delimiter, summary.header), (None, false));
        }
    }
}

#[test]
fn a_table_reads_alike_in_every_encoding_line_end_and_delimiter() {
    for delimiter in [',', ';', '\t', '|'] {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["Name,Phone,City", "José,08031234567,Jos", "Zoé,\"0802 123 4567\",Aba"]
                .join(end)
                .replace(',', &delimiter.to_string());
            let windows = text.chars().map(|sign| sign as u32 as u8).collect::<Vec<_>>();
            let samples = [
                (text.clone().into_bytes(), InputEncoding::Utf8),
                ([b"\xef\xbb\xbf", text.as_bytes()].concat(), InputEncoding::Utf8Bom),
                (utf16(&text, true, u16::to_le_bytes), InputEncoding::Utf16Le),
                (utf16(&text, true, u16::to_be_bytes), InputEncoding::Utf16Be),
                (windows, InputEncoding::Windows1252),
            ];
            for (bytes, encoding) in samples {
                let (kept, summary) = read(&bytes);
                assert_eq!(kept.columns, ["name", "city"]);
                assert_eq!(kept.recipients, ["2 2348031234567|José|Jos", "3 2348021234567|Zoé|Aba"]);
                assert_eq!(kept.rejects, Vec::<String>::new());
                assert_eq!((summary.encoding, summary.delimiter), (encoding, Some(delimiter)));
                assert_eq!(
                    (summary.header, summary.phone_columns.first().map(String::as_str)),
                    (true, Some("phone"))
                );
                assert_eq!(summary.rows, 2);
            }
        }
    }
}

#[test]
fn numbers_on_one_line_are_a_list_whatever_separates_them() {
    for separator in [",", ", ", ";", "\t", "|", "\n", " ", "\",\"", " ; ", ",,"] {
        let text = ["08031234567", "08021234567", "08051234567"].join(separator);
        let (kept, summary) = read(text.as_bytes());
        let numbers: Vec<_> = kept.recipients.iter().map(|text| &text[2..]).collect();
        assert_eq!(numbers, ["2348031234567", "2348021234567", "2348051234567"], "{separator:?}");
        assert_eq!((kept.rejects.len(), summary.delimiter), (0, None), "{separator:?}");
    }
}

#[test]
fn a_list_with_several_numbers_a_line_loses_none() {
    let (kept, summary) = read(b"08031234567,08021234567\n08051234567,123\n08071234567,08081234567\n");
    assert_eq!(kept.recipients.len(), 5);
    assert_eq!(kept.rejects, ["2 123: too_short"]);
    assert_eq!((summary.rows, summary.delimiter), (6, None));
}

#[test]
fn every_dirty_form_comes_through_a_list() {
    let text = "8031234567\n234803 123 4567\n+234 (0) 803-123-4567\n009234 8031234567\n'08031234567\n\
                8031234567.0\n2.348031234567E+12\n=\"08031234567\"\n0803\u{a0}123\u{a0}4567\n٠٨٠٣١٢٣٤٥٦٧\n";
    let (kept, _) = read(text.as_bytes());
    let numbers: Vec<_> = kept.recipients.iter().map(|text| text.split_once(' ').unwrap().1).collect();
    assert_eq!(numbers, ["2348031234567"; 10]);
    assert_eq!(kept.rejects, Vec::<String>::new());
}

#[test]
fn prose_gives_its_numbers_with_their_lines() {
    let text =
        b"Dear all,\ncall 0803-123-4567 or +44 7911 123456 before 10.30\non 30/10/2026. Price N1500.\n";
    let (kept, _) = read(text);
    assert_eq!(kept.recipients, ["2 2348031234567", "2 447911123456"]);
    assert_eq!(kept.rejects, Vec::<String>::new());
}

#[test]
fn an_empty_input_is_an_empty_summary() {
    for bytes in [&b""[..], b"\n\r\n \n", b"\xef\xbb\xbf", b"\xff\xfe", b",,,\n;;"] {
        let (kept, summary) = read(bytes);
        assert_eq!((summary.rows, summary.recipients, summary.rejects), (0, 0, 0), "{bytes:?}");
        assert_eq!(kept.columns, Vec::<String>::new());
    }
    let (_, summary) = read(b"Phone\n");
    assert_eq!((summary.rows, summary.header), (0, true));
}

#[test]
fn only_bad_numbers_are_all_rejects_with_their_reasons() {
    let (kept, summary) = read(b"801234567\n12\nabc\n8.03E+09\n02012345678\n080312345678\n");
    assert_eq!(summary.recipients, 0);
    assert_eq!(
        kept.rejects,
        [
            "1 801234567: nine_digits",
            "2 12: too_short",
            "3 abc: no_digits",
            "4 8.03E+09: spreadsheet_rounded",
            "5 02012345678: landline",
            "6 080312345678: too_long",
        ]
    );
    let (kept, _) = read(b"name,phone\nAda,123\nObi,abc\nZoe,\n");
    assert_eq!(kept.rejects, ["2 123: too_short", "3 abc: no_digits", "4 Zoe: empty"]);
}

#[test]
fn a_header_is_known_by_its_words_or_by_its_lack_of_digits() {
    for title in ["phone", "Phone Number", "MSISDN", "GSM", "Tel.", "mobile_no", "Les amis"] {
        let (kept, summary) = read(format!("{title}\n08031234567\n08021234567\n").as_bytes());
        assert_eq!((kept.recipients.len(), summary.header), (2, true), "{title}");
        assert_eq!(kept.rejects, Vec::<String>::new(), "{title}");
    }
    let (kept, summary) = read(b"Qui,Ou,Quoi\nAda,Jos,08031234567\nObi,Aba,08021234567\n");
    assert_eq!(kept.columns, ["qui", "ou"]);
    assert_eq!((kept.recipients.len(), summary.phone_columns.first().map(String::as_str)), (2, Some("quoi")));
}

#[test]
fn without_a_header_columns_are_counted_and_the_phone_is_found() {
    let (kept, summary) = read(b"Ada,ada@example.com,08031234567\nObi,,08021234567\n");
    assert_eq!(kept.columns, ["column1", "column2"]);
    assert_eq!(kept.recipients, ["1 2348031234567|Ada|ada@example.com", "2 2348021234567|Obi|"]);
    assert_eq!((summary.header, summary.phone_columns.first().map(String::as_str)), (false, Some("column3")));
    let (kept, _) = read(b"1,08031234567\n2,08021234567\n3,08051234567\n");
    assert_eq!(kept.recipients[2], "3 2348051234567|3");
}

#[test]
fn the_phone_column_is_chosen_by_name_then_by_content() {
    let (_, summary) = read(b"Account Number,Phone,Note\n0123456789,08031234567,x\n");
    assert_eq!(summary.phone_columns.first().map(String::as_str), Some("phone"));
    let (_, summary) = read(b"Account Number,Number,Note\n0123456789,08031234567,x\n");
    assert_eq!(summary.phone_columns.first().map(String::as_str), Some("number"));
    let (_, summary) = read(b"Phone type,Line,Name\nhome,08031234567,x\n");
    assert_eq!(summary.phone_columns.first().map(String::as_str), Some("line"));
}

#[test]
fn names_of_columns_are_made_different() {
    let (kept, _) = read(b"Name, NAME ,,phone\na,b,c,08031234567\n");
    assert_eq!(kept.columns, ["name", "name_2", "column3"]);
    assert_eq!(kept.recipients, ["2 2348031234567|a|b|c"]);
}

#[test]
fn rows_of_other_lengths_fill_what_they_have() {
    let (kept, _) =
        read(b"phone,name,city\n08031234567\n08021234567,Obi,Aba,extra\n\n ,,\n08051234567,Zoe\n");
    assert_eq!(kept.recipients, ["2 2348031234567||", "3 2348021234567|Obi|Aba", "6 2348051234567|Zoe|"]);
    assert_eq!(kept.rejects, Vec::<String>::new());
}

#[test]
fn a_cell_with_two_numbers_gives_two_recipients_of_one_row() {
    let (kept, _) = read(b"name,phone\nAda,0803 123 4567 / 0802 123 4567\n");
    assert_eq!(kept.recipients, ["2 2348031234567|Ada", "2 2348021234567|Ada"]);
}

#[test]
fn a_spreadsheet_with_decimal_commas_is_understood() {
    let (kept, _) = read(b"Name;Phone\nAda;8,03E+09\nObi;2,348031234567E+12\nZoe;8031234567\n");
    assert_eq!(kept.recipients, ["3 2348031234567|Obi", "4 2348031234567|Zoe"]);
    assert_eq!(kept.rejects, ["2 8,03E+09: spreadsheet_rounded"]);
}

#[test]
fn quoted_fields_may_hold_delimiters_marks_and_lines() {
    let (kept, _) = read(b"name,phone\r\n\"Obi, \"\"O\"\"\r\nEsq\",08031234567\r\nAda,\"08021234567\"\r\n");
    assert_eq!(kept.recipients, ["2 2348031234567|Obi, \"O\"\r\nEsq", "4 2348021234567|Ada"]);
}

#[test]
fn an_unclosed_quotation_mark_costs_its_line_and_no_more() {
    let (kept, _) =
        read(b"name,phone\nAda,08031234567\n\"Obi,08021234567\nZoe,08051234567\n\"Ali\",08071234567\n");
    assert_eq!(kept.recipients, ["2 2348031234567|Ada", "4 2348051234567|Zoe", "5 2348071234567|Ali"]);
    assert_eq!(kept.rejects, ["3 \"Obi,08021234567: unterminated_quote"]);
    let mut long = b"name,phone\n\"Obi,08021234567\n".to_vec();
    for _ in 0..5000 {
        long.extend_from_slice(b"Ada,08031234567\n");
    }
    let (kept, summary) = read(&long);
    assert_eq!(kept.rejects, ["2 \"Obi,08021234567: unterminated_quote"]);
    assert_eq!((summary.rows, kept.recipients.last().unwrap().as_str()), (5001, "5002 2348031234567|Ada"));
}

#[test]
fn fields_rows_and_columns_have_bounds() {
    let with = |cells: &str| {
        let text = format!("name,phone\n{cells}\nAda,08031234567\n");
        let (kept, _) = read(text.as_bytes());
        assert_eq!(kept.recipients, ["3 2348031234567|Ada"]);
        assert_eq!(kept.rejects.len(), 1);
        kept.rejects[0].rsplit_once(' ').unwrap().1.to_owned()
    };
    assert_eq!(with(&"x".repeat(FIELD_MAX + 1)), "field_too_long");
    assert_eq!(with(&"x,".repeat(COLUMNS_MAX)), "too_many_columns");
    assert_eq!(with(&vec!["x".repeat(4000); 20].join(",")), "row_too_long");
}

#[test]
fn a_line_without_end_in_a_list_is_one_reject() {
    let text = format!("08031234567\n{}\n08021234567\n", "x".repeat(200_000));
    let (kept, _) = read(text.as_bytes());
    assert_eq!(kept.recipients, ["1 2348031234567", "3 2348021234567"]);
    assert_eq!(kept.rejects.len(), 1);
    assert!(kept.rejects[0].ends_with(": field_too_long"));
}

#[test]
fn a_long_paragraph_is_cut_between_words_never_in_a_number() {
    let text = "please call 0803 123 4567 or my office at 0802 123 4567 and ask for Ada who will help you "
        .repeat(500);
    let (kept, _) = read(text.as_bytes());
    assert_eq!((kept.recipients.len(), kept.rejects.len()), (1000, 0));
}

#[test]
fn what_the_caller_knows_comes_first() {
    let asked = |options: IntakeOptions, bytes: &[u8]| read_with(options, &[bytes]);
    let options = IntakeOptions { phone_columns: phone_columns(&[" Alt "]), ..IntakeOptions::default() };
    let (kept, _) = asked(options, b"phone,alt\n08031234567,08021234567\n");
    assert_eq!(kept.recipients, ["2 2348021234567|08031234567"]);
    let options = IntakeOptions { delimiter: Some('#'), header: Some(false), ..IntakeOptions::default() };
    let (kept, _) = asked(options, b"phone#08031234567\n");
    assert_eq!(kept.recipients, ["1 2348031234567|phone"]);
    let (kept, summary) = read(b"sep=;\r\nname;phone\r\nAda, B;08031234567\r\n");
    assert_eq!((kept.recipients, summary.delimiter), (vec!["3 2348031234567|Ada, B".to_owned()], Some(';')));
}

#[test]
fn what_cannot_be_read_at_all_says_what_to_do() {
    let fail = |options: IntakeOptions, bytes: &[u8]| {
        let mut intake = Intake::new(options);
        intake.feed(bytes, &mut Kept::default());
        intake.finish(&mut Kept::default()).unwrap_err()
    };
    assert_eq!(fail(IntakeOptions::default(), b"PK\x03\x04xl/").code(), "not_text");
    let options = IntakeOptions { phone_columns: phone_columns(&["gsm"]), ..IntakeOptions::default() };
    let error = fail(options, b"name,phone\nAda,08031234567\n");
    assert_eq!(error.code(), "no_such_column");
    assert!(error.to_string().contains("name, phone"));
    let options = IntakeOptions { delimiter: Some('4'), ..IntakeOptions::default() };
    assert_eq!(fail(options, b"x").code(), "bad_delimiter");
}

#[test]
fn numbers_in_two_columns_without_a_header_are_all_kept() {
    let (kept, summary) = read(b"Ada,08031234567,08021234567\nObi,08051234567,08071234567\n");
    assert_eq!((kept.recipients.len(), summary.delimiter), (4, None));
    assert_eq!(kept.rejects, ["1 Ada: no_digits", "2 Obi: no_digits"]);
    let (kept, _) = read(b"Name: Ada, Phone: 08031234567\nName: Obi, Phone: 08021234567\n");
    assert_eq!(kept.recipients, ["1 2348031234567", "2 2348021234567"]);
    let (kept, _) = read(b"call 0803-123-4567, 08021234567\n");
    assert_eq!(kept.recipients, ["1 2348031234567", "1 2348021234567"]);
}

#[test]
fn the_end_mark_of_an_old_file_is_not_a_reject() {
    for text in
        [&b"08031234567\r\n08021234567\r\n\x1a"[..], b"name,phone\r\na,08031234567\r\nb,08021234567\r\n\x1a"]
    {
        let (kept, _) = read(text);
        assert_eq!((kept.recipients.len(), kept.rejects.len()), (2, 0));
    }
}

#[test]
fn rejects_in_a_long_list_carry_their_line() {
    let mut text: Vec<String> = (0..200_000).map(|n| format!("0803{n:07}")).collect();
    text[150_000] = "08O31234567".into();
    text[199_999] = "801234567".into();
    let (kept, summary) = read(text.join("\r\n").as_bytes());
    assert_eq!(summary.recipients, 199_998);
    assert_eq!(kept.rejects, ["150001 08O31234567: not_a_number", "200000 801234567: nine_digits"]);
}

#[test]
fn a_form_field_is_never_a_table() {
    let mut kept = Kept::default();
    let summary = extract("phone,name\nAda,08031234567\n0802 123 4567,x1", &mut kept);
    assert_eq!(kept.recipients, ["2 2348031234567", "3 2348021234567"]);
    assert_eq!((summary.recipients, summary.columns.len()), (2, 0));
    let mut kept = Kept::default();
    extract("08031234567,08121234567", &mut kept);
    assert_eq!(kept.recipients, ["1 2348031234567", "1 2348121234567"]);
    let mut kept = Kept::default();
    extract("PK\u{3}\u{4} 08031234567, phone", &mut kept);
    assert_eq!(kept.recipients, ["1 2348031234567"]);
}

#[test]
fn columns_are_known_after_the_head() {
    let mut intake = Intake::new(IntakeOptions::default());
    let mut kept = Kept::default();
    let mut bytes = b"name,phone,city\n".to_vec();
    while bytes.len() < HEAD_MAX {
        bytes.extend_from_slice(b"Ada,08031234567,Jos\n");
    }
    intake.feed(&bytes, &mut kept);
    assert_eq!(intake.columns(), ["name", "city"]);
}

#[test]
fn a_long_list_streams_in_small_memory() {
    let mut intake = Intake::new(IntakeOptions::default());
    let mut count = CountOnly(0);
    let block: String = (0..5000).map(|n| format!("0803{:07},", n)).collect();
    for _ in 0..20 {
        intake.feed(block.as_bytes(), &mut count);
        let Stage::Body(body) = &intake.stage else { panic!("the head is long enough") };
        assert!(body.text.capacity() <= 4 * STEP);
    }
    assert_eq!(intake.finish(&mut count).unwrap().recipients, 100_000);
    assert_eq!(count.0, 100_000);
}

struct CountOnly(u64);

impl Sink for CountOnly {
    fn recipient(&mut self, _: u64, _: Msisdn, _: RowFields<'_>) {
        self.0 += 1;
    }

    fn reject(&mut self, _: u64, _: &str, _: RejectReason) {}
}

/// Parts of inputs, clean and dirty, in any order.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        6 => "0(803|702|805|901)[0-9]{7}".prop_map(String::into_bytes),
        3 => prop::sample::select(vec![",", ";", "\t", "|", "\n", "\r\n", "\r", " ", "\"", "\"\"", ",\"", "\","])
            .prop_map(|text| text.as_bytes().to_vec()),
        2 => prop::sample::select(vec![
            "name,phone\n", "phone\n", "0803 123 4567", "+44 7911 123456", "8.03E+09", "801234567", "Ada Obi",
            "call me at", "\u{feff}", "José", "٠٨٠٣١٢٣٤٥٦٧", "sep=;\n",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => (1_usize..9000, any::<bool>()).prop_map(|(n, blank)| if blank { b"x y".repeat(n / 3) } else { vec![b'x'; n] }),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn how_the_input_is_cut_changes_nothing(
        mut input in input(),
        wide in prop_oneof![8 => Just(false), 1 => Just(true)],
        repeat in prop_oneof![8 => Just(1_usize), 1 => Just(40)],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        input = input.repeat(repeat);
        if wide {
            input = utf16(&String::from_utf8_lossy(&input), true, u16::to_le_bytes);
        }
        let mut places: Vec<_> = cuts.iter().map(|cut| cut.index(input.len() + 1)).collect();
        places.extend([0, input.len()]);
        places.sort_unstable();
        let pieces: Vec<_> = places.windows(2).map(|pair| &input[pair[0]..pair[1]]).collect();
        prop_assume!(decode::refuse_binary(&input).is_ok());
        let whole = read_with(IntakeOptions::default(), &[&input]);
        prop_assert_eq!(&whole, &read_with(IntakeOptions::default(), &pieces));
    }

}

proptest! {
    #[test]
    fn random_bytes_never_panic(input in prop::collection::vec(any::<u8>(), 0..3000)) {
        let mut intake = Intake::new(IntakeOptions::default());
        intake.feed(&input, &mut Kept::default());
        let _ = intake.finish(&mut Kept::default());
    }

    #[test]
    fn one_byte_at_a_time_is_enough(input in prop::collection::vec("[0-9]{9,12}|[\",;\r\n]|é", 0..80)) {
        let bytes = input.concat().into_bytes();
        let whole = read_with(IntakeOptions::default(), &[&bytes]);
        let pieces: Vec<_> = bytes.chunks(1).collect();
        prop_assert_eq!(whole, read_with(IntakeOptions::default(), &pieces));
    }

    #[test]
    fn a_clean_list_comes_out_whole(numbers in prop::collection::vec(8_030_000_000_u64..8_040_000_000, 1..300)) {
        let text: String = numbers.iter().map(|number| format!("0{number}\r\n")).collect();
        let (kept, _) = read(text.as_bytes());
        let expected: Vec<_> = numbers.iter().enumerate().map(|(at, n)| format!("{} 234{n}", at + 1)).collect();
        prop_assert_eq!(kept.recipients, expected);
    }
}
