//! What is held about a number: a statement for each table that may hold it, apart from messages, which the number index
//! finds ([`super::message::number_index`]).
//!
//! `store/personal.rs` says of each column what it may tell, and fails when a table is missing here.

pub mod erase;
mod json_strings;
mod named_row;
mod places;
mod within;

pub use named_row::NamedRow;
pub use places::PLACES;

use crate::error::Result;
use crate::model::data_class::DataClass;
use crate::phone::Msisdn;
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
    /// As it was typed, with or without the country, or in such a text: signs between the digits are passed over.
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
    /// How many rows hold the number, or what looks like it ([`SubjectPlace::is_of`]); at most `limit` are counted.
    pub async fn count(&self, tx: &mut Tx, number: Msisdn, limit: i64) -> Result<i64> {
        let args = vec![Arg::Int(Some(0)), Arg::Int(Some(limit)), self.form.arg(tx, number)];
        Ok(tx.one::<(i64,)>(self.count, args).await?.0)
    }

    /// Whether a row is of this number: in a text its digits may be part of another. Where they are in none of its shown texts
    /// the statement has said it.
    pub fn is_of(&self, row: &NamedRow, number: Msisdn) -> bool {
        let mut texts = row.columns.iter().filter_map(|(_, value)| value.as_str());
        match self.form {
            NumberForm::Typed => {}
            NumberForm::Told => return texts.any(|text| json_strings::masked(text, number).is_some()),
            NumberForm::Integer | NumberForm::Stored | NumberForm::Text => return true,
        }
        let mut found = texts.filter_map(|text| within::holds(text, number)).peekable();
        found.peek().is_none() || found.any(|is_it| is_it)
    }

    /// Up to `limit` rows that hold the number, or what looks like it, in order of their keys, after a key; 0 is before all.
    pub async fn rows(&self, tx: &mut Tx, number: Msisdn, after: i64, limit: i64) -> Result<Vec<NamedRow>> {
        let args = vec![Arg::Int(Some(after)), Arg::Int(Some(limit)), self.form.arg(tx, number)];
        tx.all(self.rows, args).await
    }
}

impl NumberForm {
    fn arg(self, tx: &Tx, number: Msisdn) -> Arg {
        let digits = number.digits().cast_signed();
        match self {
            Self::Integer => Arg::Int(Some(digits)),
            Self::Stored => {
                let stored = [Some(digits), tx.digest(number)];
                Arg::Rows(vec![Column::Ints(stored.into_iter().flatten().collect())])
            }
            Self::Text => Arg::Rows(vec![Column::Texts(forms(number).into_iter().map(Some).collect())]),
            Self::Typed | Self::Told => Arg::Text(Some(format!("%{}%", at_home(number)))),
        }
    }
}

/// The digits of a number that every way to write it has: those after Nigeria's calling code, else all.
fn at_home(number: Msisdn) -> String {
    let text = number.to_string();
    match text.strip_prefix("234") {
        Some(rest) if !number.is_abroad() => rest.to_owned(),
        _ => text,
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
        assert_eq!(at_home(abroad), "447911123456");
    }

    both_databases! {
        async fn every_place_can_be_asked_and_the_large_lists_are_found_by_their_indexes(store: Store) {
            let mut tx = store.read().await.unwrap();
            let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
            for place in PLACES {
                assert_eq!(place.count(&mut tx, number, 10).await.unwrap(), 0, "{}", place.table);
                assert!(place.rows(&mut tx, number, 0, 10).await.unwrap().is_empty(), "{}", place.table);
            }
            if tx.dialect() == Dialect::Postgres {
                return;
            }
            for table in ["contacts", "suppressions"] {
                let place = PLACES.iter().find(|place| place.table == table).unwrap();
                let args = vec![Arg::Int(Some(0)), Arg::Int(Some(10)), place.form.arg(&tx, number)];
                let plan = tx.explain(place.count, args).await.unwrap().join("; ");
                assert!(plan.contains(&format!("{table}_number (")), "{plan}");
            }
        }
    }
}
