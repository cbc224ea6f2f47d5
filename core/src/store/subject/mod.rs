//! What is held about a number: a statement for each table that may hold it, apart from messages, which the number index
//! finds ([`super::message::number_index`]).
//!
//! `store/personal.rs` says of each column what it may tell, and fails when a table is missing here.

pub mod erase;
mod json_strings;
mod named_row;
mod places;
mod within;

use std::collections::BTreeSet;

pub use named_row::NamedRow;
pub use places::PLACES;

use crate::error::Result;
use crate::model::platform::data_class::DataClass;
use crate::phone::{Msisdn, digit, foreign_digits};
use crate::store::{Arg, Column, Sql, Tx};

/// How a table has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// As an integer.
    Integer,
    /// As an integer, which is its digest once it was erased.
    Stored,
    /// As a text of its own, in one of the forms that carriers and people write.
    Text,
    /// As it was typed, with or without the country, or in such a text: in any form in which [`crate::phone`] reads it. Statements
    /// name rows that have its digits in order, with whatever between them; which of those have the number is told by [`within`].
    Typed,
    /// So in a string of a JSON document. Its numbers are ids and counts, which may have the same digits.
    Told,
}

/// A table that may hold a number.
#[derive(Clone, Copy, Debug)]
pub struct SubjectPlace {
    /// The table.
    pub table: &'static str,
    /// What its rows are.
    pub class: DataClass,
    form: NumberForm,
    count: Sql,
    rows: Sql,
}

impl SubjectPlace {
    /// How many rows hold the number, at most `limit`; `None` where that is told by their texts alone.
    pub async fn count(&self, tx: &mut Tx, number: Msisdn, limit: i64) -> Result<Option<i64>> {
        if self.is_looked_at() {
            return Ok(None);
        }
        let args = self.form.args(tx, number, (0, limit));
        Ok(Some(tx.one::<(i64,)>(self.count, args).await?.0))
    }

    /// The rows with the number among the next `limit` that may have it, in order of their keys, after a key; 0 is before all. The
    /// second is the key to go on after, where there may be more.
    pub async fn rows(
        &self,
        tx: &mut Tx,
        number: Msisdn,
        after: i64,
        limit: i64,
    ) -> Result<(Vec<NamedRow>, Option<i64>)> {
        let mut rows: Vec<NamedRow> = tx.all(self.rows, self.form.args(tx, number, (after, limit))).await?;
        let next = rows.last().map(|row| row.key).filter(|_| rows.len() as i64 >= limit);
        rows.retain(|row| self.form.is_in(row, number));
        for row in &mut rows {
            row.columns.retain(|(name, _)| !name.starts_with(UNSHOWN));
        }
        Ok((rows, next))
    }

    /// Whether the statements name rows that only may have the number: in a text its digits may be part of another.
    fn is_looked_at(&self) -> bool {
        matches!(self.form, NumberForm::Typed | NumberForm::Told)
    }
}

/// How the name of a column begins that is looked at and not shown.
const UNSHOWN: char = '_';

impl NumberForm {
    fn args(self, tx: &Tx, number: Msisdn, (after, limit): (i64, i64)) -> Vec<Arg> {
        let mut args = vec![Arg::Int(Some(after)), Arg::Int(Some(limit)), self.arg(tx, number)];
        let mut patterns = Vec::new();
        match self {
            Self::Typed => {}
            Self::Told => patterns.push(apart(number)),
            Self::Integer | Self::Stored | Self::Text => return args,
        }
        patterns.extend(foreign_patterns(number));
        args.push(Arg::Rows(vec![Column::of(patterns)]));
        args
    }

    /// Whether a row that was named has the number.
    fn is_in(self, row: &NamedRow, number: Msisdn) -> bool {
        let mut texts = row.columns.iter().filter_map(|(_, value)| value.as_str());
        match self {
            Self::Integer | Self::Stored | Self::Text => true,
            Self::Typed => texts.any(|text| within::holds(text, number)),
            Self::Told => texts.any(|text| json_strings::masked(text, number).is_some()),
        }
    }

    fn arg(self, tx: &Tx, number: Msisdn) -> Arg {
        let digits = number.digits().cast_signed();
        match self {
            Self::Integer => Arg::Int(Some(digits)),
            Self::Stored => {
                let stored = [Some(digits), tx.digest(number)];
                Arg::Rows(vec![Column::of(stored.into_iter().flatten())])
            }
            Self::Text => Arg::Rows(vec![Column::of(forms(number))]),
            Self::Typed => Arg::Text(Some(apart(number))),
            Self::Told => Arg::Text(Some(format!("%{}%", at_home(number)))),
        }
    }
}

/// What a text has that writes the number's digits in order, with whatever between them.
fn apart(number: Msisdn) -> String {
    let digits = at_home(number);
    std::iter::once('%').chain(digits.chars().flat_map(|digit| [digit, '%'])).collect()
}

/// What a text has that writes one of the number's digits in another script.
fn foreign_patterns(number: Msisdn) -> Vec<String> {
    let values: BTreeSet<u8> = at_home(number).chars().filter_map(digit).collect();
    values.into_iter().flat_map(foreign_digits).map(|sign| format!("%{sign}%")).collect()
}

/// Digits at the end of a number abroad that are written together: where its calling code ends is not told, and a zero may
/// follow it.
const TAIL: usize = 7;

/// The digits of a number that every way to write it has: those after Nigeria's calling code, or the last ones.
fn at_home(number: Msisdn) -> String {
    let mut text = number.to_string();
    match text.strip_prefix("234") {
        Some(rest) if !number.is_abroad() => rest.to_owned(),
        _ => text.split_off(text.len().saturating_sub(TAIL)),
    }
}

/// How carriers and people write a number that stands alone.
fn forms(number: Msisdn) -> Vec<String> {
    let mut forms = vec![number.to_string(), format!("+{number}"), format!("00{number}")];
    if !number.is_abroad() {
        let digits = at_home(number);
        forms.extend([format!("0{digits}"), digits]);
    }
    forms
}

/// Ways to write 0803 123 4567 that are read as it.
#[cfg(test)]
pub(crate) const FORMS: [&str; 22] = [
    "0803 123-4567",
    "(0803) 123.4567",
    "0803/123/4567",
    "0803\u{a0}123\u{a0}4567",
    "0803–123–4567",
    "0803\u{2011}123\u{2011}4567",
    "0803_123_4567",
    "0803'123'4567",
    "0803\"123\"4567",
    "[0803]1234567",
    "0803·123·4567",
    "0803\u{200b}123\u{200b}4567",
    "0803\t123\t4567",
    "０８０３１２３４５６７",
    "٠٨٠٣١٢٣٤٥٦٧",
    "۰۸۰۳ ۱۲۳ 4567",
    "\u{ff0b}234 803 123 4567",
    "+0803 123 4567",
    "0092340 803 123 4567",
    "8031234567.0",
    "8,031,234,567",
    "8.0312345670E+09",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Dialect;

    #[test]
    fn a_number_is_looked_for_as_it_is_written_at_home_and_abroad() {
        let home = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let ways = ["2348031234567", "+2348031234567", "002348031234567", "08031234567", "8031234567"];
        assert_eq!(forms(home), ways);
        assert_eq!(at_home(home), "8031234567");
        let abroad = Msisdn::from_digits(447_911_123_456).unwrap();
        assert_eq!(forms(abroad), ["447911123456", "+447911123456", "00447911123456"]);
        assert_eq!(at_home(abroad), "1123456");
    }

    both_databases! {
        async fn every_place_can_be_asked_and_the_large_lists_are_found_by_their_indexes(store: Store) {
            let mut tx = store.read().await.unwrap();
            let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
            for place in PLACES {
                let count = place.count(&mut tx, number, 10).await.unwrap();
                assert_eq!(count.unwrap_or_default(), 0, "{}", place.table);
                let rows = place.rows(&mut tx, number, 0, 10).await.unwrap();
                assert_eq!(rows, (Vec::new(), None), "{}", place.table);
            }
            if tx.dialect() == Dialect::Postgres {
                return;
            }
            for (table, found_by) in [
                ("contacts", "contacts_number ("),
                ("suppressions", "suppressions_number ("),
                ("contact_import_rejects", "SEARCH r USING PRIMARY KEY ((import_id,ordinal)>"),
                ("quote_rejects", "SEARCH r USING INDEX sqlite_autoindex_quote_rejects_1 ((quote_id,ordinal)>"),
            ] {
                let place = PLACES.iter().find(|place| place.table == table).unwrap();
                for sql in [place.count, place.rows] {
                    let args = place.form.args(&tx, number, (5_000_007, 10));
                    let plan = tx.explain(sql, args).await.unwrap().join("; ");
                    assert!(plan.contains(found_by), "{plan}");
                }
            }
        }
    }
}
