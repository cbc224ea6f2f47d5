//! A group as a source of recipients: its contacts in order of numbers, their fields for the message's merge fields.
//!
//! Memory is that of one slice, whatever the size of the group.

use tokio::runtime::Handle;

use super::field::{self, OWN};
use crate::error::{Error, Result};
use crate::phone::{Fields, FieldsBuf, Msisdn, Sink};
use crate::store::{Store, contact};

/// Contacts read at a time.
const SLICE: i64 = 8_192;

/// Reads groups from a thread that may wait.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    /// Where they are.
    pub(crate) store: Store,
    /// Drives the reads.
    pub(crate) runtime: Handle,
}

impl Reader {
    /// Hands every contact of a group to the sink. Without `columns` only numbers are read.
    pub(crate) fn read<S: Sink>(
        &self,
        group: i64,
        columns: Option<&[String]>,
        sink: &mut S,
        check: impl Fn(&mut S) -> Result<()>,
    ) -> Result<()> {
        let mut line = 0;
        match columns {
            None => self.numbers(group, sink, &check, &mut line),
            Some(columns) => {
                let names: Vec<String> =
                    OWN.iter().map(|name| (*name).to_owned()).chain(columns.iter().cloned()).collect();
                sink.columns(&names);
                check(sink)?;
                self.contacts(group, columns, sink, &check, &mut line)
            }
        }
    }

    fn numbers<S: Sink>(
        &self,
        group: i64,
        sink: &mut S,
        check: &impl Fn(&mut S) -> Result<()>,
        line: &mut u64,
    ) -> Result<()> {
        let mut after = 0;
        loop {
            let numbers = self.runtime.block_on(async {
                contact::numbers_after(&mut self.store.read().await?, group, after, SLICE).await
            })?;
            let Some(last) = numbers.last() else { return Ok(()) };
            after = *last;
            for number in numbers {
                *line += 1;
                sink.recipient(*line, msisdn(number)?, Fields::NONE);
            }
            check(sink)?;
        }
    }

    fn contacts<S: Sink>(
        &self,
        group: i64,
        columns: &[String],
        sink: &mut S,
        check: &impl Fn(&mut S) -> Result<()>,
        line: &mut u64,
    ) -> Result<()> {
        let mut after = 0;
        let mut buffer = FieldsBuf::default();
        loop {
            let contacts = self.runtime.block_on(async {
                contact::after_number(&mut self.store.read().await?, group, after, SLICE).await
            })?;
            let Some(last) = contacts.last() else { return Ok(()) };
            after = last.number;
            for row in &contacts {
                *line += 1;
                let fields = field::from_json(row.fields.as_deref())?;
                buffer.clear();
                buffer.push(&row.number.to_string());
                buffer.push(&row.name);
                buffer.push(&row.email);
                for column in columns {
                    buffer.push(fields.get(column).map_or("", String::as_str));
                }
                sink.recipient(*line, msisdn(row.number)?, buffer.fields());
            }
            check(sink)?;
        }
    }
}

fn msisdn(number: i64) -> Result<Msisdn> {
    u64::try_from(number)
        .ok()
        .and_then(Msisdn::from_digits)
        .ok_or_else(|| Error::Corrupt(format!("a contact has the number {number}")))
}

/// The merge fields of a group, beside phone, name and e-mail.
pub(crate) fn columns(json: &str) -> Result<Vec<String>> {
    field::columns(json)
}
