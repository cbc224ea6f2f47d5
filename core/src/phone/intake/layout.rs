//! What kind of input it is, decided once from its first 32 KiB: a table with which column holding the numbers, a
//! list, or prose.
//!
//! The one invariant: the decision depends on the head alone. When in doubt it is a list, which loses no number.

use super::row::{Next, Row};
use super::{COLUMNS_MAX, IntakeOptions};
use crate::error::{Error, Result};
use crate::phone::candidate::{Found, Setting, read_field};
use crate::phone::parse::{digit, is_filler, is_plus};
use crate::phone::{RejectReason, parse};

/// Rows looked at.
const SAMPLE_MAX: usize = 64;
/// Columns named in an error; the rest are counted.
const COLUMNS_SHOWN: usize = 20;
/// Characters of a column asked for that an error repeats.
const ASKED_SHOWN: usize = 60;
/// What may separate columns, the likelier first.
const DELIMITERS: [u8; 4] = [b'\t', b';', b'|', b','];

/// Separates nothing: reads a line as one field.
const NO_DELIMITER: u8 = 0x1f;

/// Names of a column that holds phone numbers, beyond doubt and likely.
const PHONE_NAMES: [&str; 9] =
    ["phone", "msisdn", "mobile", "gsm", "tel", "telephone", "whatsapp", "cell", "cellphone"];
const PHONE_HINTS: [&str; 7] = ["number", "numbers", "contact", "contacts", "recipient", "phones", "phoneno"];
/// Other names that tell a header.
const OTHER_NAMES: [&str; 14] = [
    "name",
    "email",
    "e-mail",
    "mail",
    "surname",
    "firstname",
    "lastname",
    "title",
    "address",
    "city",
    "amount",
    "date",
    "id",
    "sn",
];

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) shape: Shape,
    /// Bytes of the head that were read for it: Excel's `sep=` line and the header.
    pub(super) skip: usize,
    pub(super) header: bool,
    /// The columns with numbers, by their place in a row. Of a table at least one; each at most once.
    pub(super) phones: Vec<usize>,
    /// Their names.
    pub(super) phone_names: Vec<String>,
    /// The merge columns: all but the first of `phones`.
    pub(super) columns: Vec<String>,
    /// What else the head tells of each column of a table.
    pub(super) seen: Vec<ColumnSeen>,
}

/// What the head tells of a column, beside its name.
#[derive(Debug)]
pub(super) struct ColumnSeen {
    /// The title as it stands in the table, or the name where it has none of its own.
    pub(super) title: String,
    /// Whether the title says that it holds phone numbers.
    pub(super) is_named: bool,
    /// Whether at least half of its cells are numbers.
    pub(super) holds_numbers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Table { delimiter: u8 },
    Text(Setting),
}

/// The rows of the head under one delimiter.
struct Sample {
    delimiter: u8,
    rows: Vec<Vec<String>>,
    /// Where the second row begins.
    second: usize,
}

/// Decides from the head, which is the whole input when `complete`.
pub(super) fn detect(head: &str, complete: bool, options: &IntakeOptions) -> Result<Layout> {
    let asked = asked_delimiter(options)?;
    let (separator, body) = separator_line(head);
    let begin = head.len() - body.len();
    let asked = asked.or(separator);
    let forced = asked.is_some() || options.header.is_some() || !options.phone_columns.names.is_empty();
    let best = if options.form { None } else { best_table(body, complete, asked) };
    let table = match best {
        Some(sample) if forced || sample.is_table() => Some(table(&sample, options)?),
        _ if !options.phone_columns.names.is_empty() && !options.form => {
            let delimiter = asked.unwrap_or(b',');
            Some(table(&Sample::read(body, complete, delimiter), options)?)
        }
        _ => None,
    };
    let mut layout = table.unwrap_or_else(|| text(body, complete, options));
    layout.skip += begin;
    Ok(layout)
}

fn asked_delimiter(options: &IntakeOptions) -> Result<Option<u8>> {
    let Some(delimiter) = options.delimiter else { return Ok(None) };
    let usable =
        delimiter.is_ascii() && !delimiter.is_ascii_alphanumeric() && !"\"\r\n +".contains(delimiter);
    if usable {
        return Ok(Some(delimiter as u8));
    }
    Err(Error::field(
        "delimiter",
        "bad_delimiter",
        format!("'{delimiter}' cannot separate columns: use , ; | or tab"),
    ))
}

/// Excel's first line `sep=;`, which says what follows is separated by.
fn separator_line(head: &str) -> (Option<u8>, &str) {
    let Some((line, rest)) = head.split_once('\n') else { return (None, head) };
    match line.trim_end_matches('\r').trim_matches('"').strip_prefix("sep=").map(str::as_bytes) {
        Some([delimiter]) if DELIMITERS.contains(delimiter) => (Some(*delimiter), rest),
        _ => (None, head),
    }
}

/// The delimiter under which the head looks most like a table of at least two columns.
fn best_table(body: &str, complete: bool, asked: Option<u8>) -> Option<Sample> {
    let candidates = DELIMITERS.iter().copied().filter(|known| asked.is_none_or(|asked| asked == *known));
    let asked_other = asked.filter(|asked| !DELIMITERS.contains(asked));
    candidates
        .chain(asked_other)
        .map(|delimiter| Sample::read(body, complete, delimiter))
        .filter(|sample| sample.width() > 1)
        .max_by_key(|sample| (sample.is_named(), sample.agreement() >= 80, sample.width()))
}

impl Sample {
    fn read(text: &str, complete: bool, delimiter: u8) -> Self {
        let mut sample = Self { delimiter, rows: Vec::new(), second: 0 };
        let mut row = Row::new(delimiter);
        let mut place = 0;
        while place < text.len() && sample.rows.len() < SAMPLE_MAX {
            let Next::Row(next) = row.read(text, place, complete) else { break };
            if row.cells(text).any(|cell| !cell.is_empty()) {
                sample.rows.push(row.cells(text).map(str::to_owned).collect());
                if sample.rows.len() == 1 {
                    sample.second = next;
                }
            }
            place = next;
        }
        sample
    }

    fn first(&self) -> &[String] {
        self.rows.first().map_or(&[], Vec::as_slice)
    }

    /// Columns: of the first row when it is a header, else of the widest.
    fn width(&self) -> usize {
        if self.is_named() {
            return self.first().len();
        }
        self.rows.iter().map(Vec::len).max().unwrap_or(0).min(COLUMNS_MAX)
    }

    /// How many rows of a hundred have as many fields as the first.
    fn agreement(&self) -> usize {
        let alike = self.rows.iter().filter(|row| row.len() == self.first().len()).count();
        alike * 100 / self.rows.len().max(1)
    }

    /// Whether the first row names a column in a word we know.
    fn is_named(&self) -> bool {
        let first = self.first();
        let names = first.iter().all(|cell| is_title(cell));
        names && first.iter().any(|cell| name_strength(cell) > 0 || has_word(cell, &OTHER_NAMES))
    }

    /// Whether the first row, in words we do not know, stands over a column of numbers.
    fn is_titled(&self) -> bool {
        let titles =
            self.first().iter().all(|cell| is_title(cell) && !cell.chars().any(|c| digit(c).is_some()));
        let over_numbers = |column: usize| {
            let title = self.first().get(column).is_some_and(|cell| !cell.is_empty());
            title && self.holds_numbers(column, 1)
        };
        titles && self.rows.len() > 2 && (0..self.width()).any(over_numbers)
    }

    fn has_header(&self) -> bool {
        self.is_named() || self.is_titled()
    }

    /// Cells of the column that are numbers, and cells that are not empty, from row `from` on.
    fn count(&self, column: usize, from: usize) -> (usize, usize) {
        let cells =
            self.rows.iter().skip(from).filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
        cells.fold((0, 0), |(numbers, all), cell| (numbers + usize::from(is_number(cell)), all + 1))
    }

    fn holds_numbers(&self, column: usize, from: usize) -> bool {
        let (numbers, all) = self.count(column, from);
        numbers > 0 && numbers * 2 >= all
    }

    /// What there is to know of a column.
    fn seen(&self, column: usize, header: bool, name: &str) -> ColumnSeen {
        let title = self.first().get(column).filter(|_| header);
        ColumnSeen {
            title: title
                .filter(|title| title.to_lowercase() == *name)
                .map_or(name, String::as_str)
                .to_owned(),
            is_named: title.is_some_and(|title| name_strength(title) > 0),
            holds_numbers: self.holds_numbers(column, usize::from(header)),
        }
    }

    /// Whether to read it as a table and not as a list that happens to have commas in it.
    fn is_table(&self) -> bool {
        if self.is_named() || (self.agreement() >= 80 && self.is_titled()) {
            return true;
        }
        if self.agreement() < 80 {
            return false;
        }
        let with_numbers = (0..self.width()).filter(|column| self.holds_numbers(*column, 0)).count();
        let others = |test: &dyn Fn(&str) -> bool| self.rows.iter().flatten().any(|cell| test(cell));
        let words = others(&|cell| !cell.is_empty() && !looks_numeric(cell));
        let hidden = others(&|cell| !is_number(cell) && hides_number(cell));
        match with_numbers {
            0 => false,
            1 if words => !hidden,
            // A number beside a count or an id: three rows make a pattern.
            1 => {
                self.rows.len() > 2
                    && (0..self.width()).filter(|column| self.count(*column, 0).1 > 0).count() > 1
            }
            // Two numbers a row and no header to say which: as a list none is lost.
            _ => false,
        }
    }

    /// The column with the numbers: by name where a name says so, else by what stands in it.
    fn phone(&self, header: bool) -> usize {
        let score = |column: usize| {
            let (numbers, _) = self.count(column, usize::from(header));
            let named = self.first().get(column).filter(|_| header).map_or(0, |cell| name_strength(cell));
            (numbers > 0, named, numbers)
        };
        // Of equals the first: `max_by_key` would take the last.
        (0..self.width()).rev().max_by_key(|column| score(*column)).unwrap_or(0)
    }
}

fn table(sample: &Sample, options: &IntakeOptions) -> Result<Layout> {
    let header = options.header.unwrap_or_else(|| sample.has_header());
    let width = if header { sample.first().len() } else { sample.width() };
    let first: &[String] = if header { sample.first() } else { &[] };
    let mut columns = column_names(first, width);
    let mut phones: Vec<usize> = Vec::new();
    for asked in &options.phone_columns.names {
        let place = asked_column(asked, &columns, options.phone_columns.field)?;
        if !phones.contains(&place) {
            phones.push(place);
        }
    }
    if phones.is_empty() {
        phones.push(sample.phone(header).min(width.saturating_sub(1)));
    }
    let seen = columns.iter().enumerate().map(|(place, name)| sample.seen(place, header, name)).collect();
    let phone_names = phones.iter().filter_map(|place| columns.get(*place).cloned()).collect();
    if let Some(first) = phones.first().filter(|first| **first < columns.len()) {
        columns.remove(*first);
    }
    let skip = if header { sample.second } else { 0 };
    let shape = Shape::Table { delimiter: sample.delimiter };
    Ok(Layout { shape, skip, header, phones, phone_names, columns, seen })
}

/// The place of a column that was asked for.
fn asked_column(asked: &str, names: &[String], field: &'static str) -> Result<usize> {
    let wanted = asked.trim().to_lowercase();
    names.iter().position(|name| *name == wanted).ok_or_else(|| {
        let shown: String = asked.trim().chars().take(ASKED_SHOWN).collect();
        let there = names.iter().take(COLUMNS_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = match names.len().saturating_sub(COLUMNS_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("There is no column '{shown}' in the file; there are: {there}{more}");
        Error::field(field, "no_such_column", message)
    })
}

/// Names in lower case, every one different: `column2` where a title is missing, `name_2` where it comes again.
fn column_names(first: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    for place in 0..width {
        let title = first.get(place).map(|title| title.to_lowercase()).filter(|title| !title.is_empty());
        let title = title.unwrap_or_else(|| format!("column{}", place + 1));
        let mut name = title.clone();
        let mut again = 2;
        while names.contains(&name) {
            name = format!("{title}_{again}");
            again += 1;
        }
        names.push(name);
    }
    names
}

/// A list or prose, whose first line may be a title.
fn text(body: &str, complete: bool, options: &IntakeOptions) -> Layout {
    let sample = Sample::read(body, complete, NO_DELIMITER);
    let titled = sample.rows.len() > 1 && is_lone_title(&sample);
    let named =
        !options.form && sample.rows.len() == 1 && sample.first().iter().all(|cell| name_strength(cell) > 0);
    let header = options.header.unwrap_or(titled || named);
    let skip = if header { sample.second } else { 0 };
    let setting = setting(&body[skip..]);
    let shape = Shape::Text(setting);
    let (phones, phone_names, columns, seen) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Layout { shape, skip, header, phones, phone_names, columns, seen }
}

/// A first line without digits over lines of numbers.
fn is_lone_title(sample: &Sample) -> bool {
    let Some(title) = sample.first().first() else { return false };
    let title = title.trim_matches([',', ';', '|', '\t']);
    is_title(title)
        && !title.chars().any(|sign| digit(sign).is_some())
        && (sample.holds_numbers(0, 1) || name_strength(title) > 0)
}

/// Prose when there are more sentences than fields of digits.
fn setting(text: &str) -> Setting {
    let fields =
        text.split([',', ';', '\t', '|', '"', '\n', '\r']).map(str::trim).filter(|field| !field.is_empty());
    let (mut numeric, mut sentences) = (0, 0);
    for field in fields {
        if looks_numeric(field) {
            numeric += 1;
        } else if field.contains(char::is_whitespace) {
            sentences += 1;
        }
    }
    if sentences > numeric { Setting::Prose } else { Setting::List }
}

/// A number, or one that a spreadsheet or a slip of the finger spoilt.
fn is_number(cell: &str) -> bool {
    !matches!(parse(cell), Err(reason) if !matches!(reason, RejectReason::SpreadsheetRounded | RejectReason::NineDigits))
}

/// Whether there is nothing but digits and what goes with them.
fn looks_numeric(cell: &str) -> bool {
    let plain = cell.chars().all(|sign| digit(sign).is_some() || is_filler(sign) || is_plus(sign));
    (plain && cell.chars().any(|sign| digit(sign).is_some())) || is_number(cell)
}

/// Whether a number stands among words.
fn hides_number(cell: &str) -> bool {
    let mut hides = false;
    read_field(cell, Setting::Prose, &mut |found| hides |= matches!(found, Found::Number(_)));
    hides
}

/// Short enough to name a column, with no more digits than in `Phone 2` or `GSM 2026`.
fn is_title(cell: &str) -> bool {
    let digits = cell.chars().filter(|sign| digit(*sign).is_some()).count();
    cell.len() <= 60 && cell.split_whitespace().count() <= 5 && digits <= 4 && !is_number(cell)
}

/// How surely the name says that the column holds phone numbers: 0, 1 or 2.
fn name_strength(cell: &str) -> usize {
    if has_word(cell, &PHONE_NAMES) { 2 } else { usize::from(has_word(cell, &PHONE_HINTS)) }
}

/// Whether a word of the name, without regard to case, is among those: `Phone No.`, `customer_msisdn`, `Mobile1`.
fn has_word(cell: &str, known: &[&str]) -> bool {
    cell.split(|sign: char| !sign.is_alphabetic() && sign != '-')
        .any(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
}
