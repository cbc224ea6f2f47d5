//! Taking recipients in: each number once, with a route, with a message that can be sent to it.
//!
//! Every entry of every source ends as a recipient, a duplicate or a reject with its line and reason;
//! none is dropped unseen. Nothing is allocated for a plain number.

use std::sync::Arc;

use talkdrum_api::purpose::Purpose;

use super::distinct::DistinctNumbers;
use super::pack::{Packer, kept};
use super::tally::AudienceTally;
use crate::contact::suppression::OptOutSnapshot;
use crate::content::{Prepared, Scratch, field_key};
use crate::error::{Error, Result};
use crate::phone::{Msisdn, RejectReason, RowFields, Sink};
use crate::platform::quota::Room;

/// Columns named in an error; the rest are counted.
const COLUMNS_NAMED: usize = 20;
/// Bytes of the merge fields of a recipient, as of a contact.
const VALUES_BYTES_MAX: usize = 4_096;

/// Takes the recipients of any number of sources.
#[derive(Debug)]
pub(crate) struct Collector {
    prepared: Arc<Prepared>,
    packer: Packer,
    numbers: DistinctNumbers,
    scratch: Scratch,
    /// Numbers that the sender may not write to; `None` when there are none.
    opt_outs: Option<OptOutSnapshot>,
    purpose: Purpose,
    /// For each merge field of the message, its column in the source at hand.
    columns: Vec<Option<usize>>,
    had_columns: bool,
    failed: Option<Error>,
}

impl Collector {
    /// Takes recipients of `prepared`, but for those who opted out. `packer` holds as many columns as the message has
    /// merge fields. Numbers are read as long as there is `room` for them; `None` has no limit.
    pub(crate) fn new(
        prepared: Arc<Prepared>,
        packer: Packer,
        (opt_outs, purpose): (OptOutSnapshot, Purpose),
        room: Option<Room>,
    ) -> Self {
        let columns = vec![None; prepared.fields().len()];
        let (numbers, scratch) = (DistinctNumbers::new(room), Scratch::default());
        let opt_outs = Some(opt_outs).filter(|opt_outs| !opt_outs.is_empty() && purpose != Purpose::Otp);
        Self {
            prepared,
            packer,
            numbers,
            scratch,
            opt_outs,
            purpose,
            columns,
            had_columns: false,
            failed: None,
        }
    }

    /// Whether the message has merge fields.
    pub(super) fn wants_fields(&self) -> bool {
        !self.prepared.fields().is_empty()
    }

    /// Forgets the columns of the source before.
    pub(super) fn begin_source(&mut self) {
        self.columns.fill(None);
    }

    /// What went wrong since, if anything.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Ends all sources.
    ///
    /// # Errors
    /// `merge_no_columns` when the message has merge fields and no source had columns.
    pub(crate) fn finish(mut self) -> Result<AudienceTally> {
        self.check()?;
        if let Some(field) = self.prepared.fields().first().filter(|_| !self.had_columns) {
            return Err(Error::field(
                "message",
                "merge_no_columns",
                format!(
                    "The message has the merge field {{{field}}}, and the recipients have no columns: give a CSV file \
                     whose first row names them, or write {{{{{field}}}}} for plain braces"
                ),
            ));
        }
        let values = self.packer.first_values().to_vec();
        for seed in self.packer.missing_seeds() {
            self.take_seed(seed, &values)?;
        }
        self.packer.finish()
    }

    /// A seed of the canary that is not on the list, with the merge fields of another recipient.
    ///
    /// # Errors
    /// `canary_seed_refused` where it gets no message: its owner waits for it.
    fn take_seed(&mut self, seed: Msisdn, values: &[Box<str>]) -> Result<()> {
        if self.opt_outs.as_ref().is_some_and(|opt_outs| opt_outs.contains(seed, self.purpose)) {
            return Err(seed_refused(seed, &"it has opted out of these messages"));
        }
        let fields = self.prepared.fields();
        let value = |name: &str| fields.iter().position(|it| **it == *name).and_then(|at| values.get(at));
        let measured = match self.prepared.uniform() {
            Some(measure) => Ok(measure),
            None => self.prepared.measure(|name| value(name).map(|it| &**it), &mut self.scratch),
        };
        let measure = measured.map_err(|error| seed_refused(seed, &error))?;
        match self.packer.route_of(seed, measure.segments) {
            Ok(route) => self.packer.push(route, seed, kept(measure), values.iter().map(|value| &**value)),
            Err(why) => Err(seed_refused(seed, &self.packer.code_and_reason(seed, why).1)),
        }
    }

    /// Notes where the merge fields of the message are in this source.
    fn find_columns(&mut self, names: &[String]) -> Result<()> {
        self.had_columns = true;
        for (field, place) in self.prepared.fields().iter().zip(&mut self.columns) {
            *place = names.iter().position(|name| field_key(name) == **field);
            if place.is_none() {
                return Err(unknown_field(field, names));
            }
        }
        Ok(())
    }

    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// A recipient of a message with merge fields: measured on its own.
    fn take_merged(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>) -> Result<()> {
        let (names, columns) = (self.prepared.fields(), &self.columns);
        let value = |name: &str| {
            let place = names.iter().position(|field| **field == *name)?;
            columns[place].map(|column| fields.get(column))
        };
        match self.prepared.measure(value, &mut self.scratch) {
            Ok(measure) => {
                let route = match self.packer.route_of(number, measure.segments) {
                    Ok(route) => route,
                    Err(why) => {
                        self.packer.reject_unusable(line, number, why);
                        return Ok(());
                    }
                };
                let values = columns.iter().map(|column| column.map_or("", |column| fields.get(column)));
                // Invisible characters add no page to the price, but are stored, so the bytes are bounded, too.
                if values.clone().map(str::len).sum::<usize>() > VALUES_BYTES_MAX {
                    let why = "Its merge fields have more than 4 KiB together: shorten them";
                    self.packer.reject(line, &number.to_string(), "fields_too_long", &why);
                    return Ok(());
                }
                self.packer.push(route, number, kept(measure), values)
            }
            Err(error) => {
                self.packer.reject(line, &number.to_string(), error.code(), &error);
                Ok(())
            }
        }
    }
}

impl Sink for Collector {
    fn columns(&mut self, columns: &[String]) {
        if let Err(error) = self.find_columns(columns) {
            self.fail(error);
        }
    }

    #[inline]
    fn recipient(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>) {
        if self.failed.is_some() {
            return;
        }
        match self.numbers.insert(number) {
            Ok(true) => {}
            Ok(false) => return self.packer.duplicate(),
            Err(error) => return self.fail(error),
        }
        if self.opt_outs.as_ref().is_some_and(|opt_outs| opt_outs.contains(number, self.purpose)) {
            self.packer.suppressed();
            return;
        }
        let result = match self.prepared.uniform() {
            None => self.take_merged(line, number, fields),
            Some(measure) => match self.packer.route_of(number, measure.segments) {
                Ok(route) => self.packer.push(route, number, kept(measure), std::iter::empty()),
                Err(why) => {
                    self.packer.reject_unusable(line, number, why);
                    Ok(())
                }
            },
        };
        if let Err(error) = result {
            self.fail(error);
        }
    }

    fn reject(&mut self, line: u64, text: &str, reason: RejectReason) {
        self.packer.reject(line, text, reason.code(), &reason);
    }

    fn number_columns(&mut self, read: &[String], unread: &[String]) {
        self.packer.note_columns(read, unread);
    }
}

fn seed_refused(seed: Msisdn, reason: &dyn std::fmt::Display) -> Error {
    let message =
        format!("The canary's number {seed} gets no message: {reason}. Leave it out, or give another");
    Error::field("canary_seeds", "canary_seed_refused", message)
}

fn unknown_field(field: &str, names: &[String]) -> Error {
    let shown: Vec<&str> = names.iter().take(COLUMNS_NAMED).map(String::as_str).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Error::field(
        "message",
        "unknown_merge_field",
        format!(
            "The message has the merge field {{{field}}}, which is no column of the recipients. Their columns are: {}{more}. \
             For plain braces write {{{{{field}}}}}",
            shown.join(", ")
        ),
    )
}
