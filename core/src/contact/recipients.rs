//! A group as a source of recipients: its contacts in order of numbers, their fields for the message's merge fields. Or those
//! of its contacts that an import brought, as far as they are still there.
//!
//! Memory is that of one slice, whatever the size of the group.

use tokio::runtime::Handle;

use super::field::{self, OWN};
use super::import::numbers::{are_kept, decode};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::ImportTarget;
use crate::model::contact::id::{GroupId, ImportId};
use crate::phone::{FieldsBuf, Msisdn, RowFields, Sink};
use crate::store::contact::{self, ContactRow, import};
use crate::store::{Store, Tx};

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
        group: GroupId,
        columns: Option<&[String]>,
        sink: &mut S,
        check: impl Fn(&mut S) -> Result<()>,
    ) -> Result<()> {
        let mut line = 0;
        match columns {
            None => self.numbers(group, sink, &check, &mut line),
            Some(columns) => {
                sink.columns(&names(columns));
                check(sink)?;
                self.contacts(group, columns, sink, &check, &mut line)
            }
        }
    }

    /// Hands the contacts of a group that an import brought to the sink, as far as they are still there.
    pub(crate) fn read_import<S: Sink>(
        &self,
        (import, group): (ImportId, GroupId),
        columns: Option<&[String]>,
        sink: &mut S,
        check: impl Fn(&mut S) -> Result<()>,
    ) -> Result<()> {
        if let Some(columns) = columns {
            sink.columns(&names(columns));
            check(sink)?;
        }
        let (mut after, mut line) = (0, 0);
        let mut buffer = FieldsBuf::default();
        loop {
            let contacts = self.runtime.block_on(async {
                let mut tx = self.store.read().await?;
                let Some((first, data)) = import::next_numbers(&mut tx, import, after).await? else {
                    return Ok::<_, Error>(None);
                };
                Ok(Some((first, contact::with_numbers(&mut tx, group, decode(&data)?).await?)))
            })?;
            let Some((first, contacts)) = contacts else { return Ok(()) };
            after = first;
            for row in &contacts {
                line += 1;
                match columns {
                    None => sink.recipient(line, msisdn(row.number)?, RowFields::NONE),
                    Some(columns) => {
                        fill(&mut buffer, row, columns)?;
                        sink.recipient(line, msisdn(row.number)?, buffer.fields());
                    }
                }
            }
            check(sink)?;
        }
    }

    fn numbers<S: Sink>(
        &self,
        group: GroupId,
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
                sink.recipient(*line, msisdn(number)?, RowFields::NONE);
            }
            check(sink)?;
        }
    }

    fn contacts<S: Sink>(
        &self,
        group: GroupId,
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
                fill(&mut buffer, row, columns)?;
                sink.recipient(*line, msisdn(row.number)?, buffer.fields());
            }
            check(sink)?;
        }
    }
}

/// The merge fields of contacts: those that all have, then a group's own.
fn names(columns: &[String]) -> Vec<String> {
    OWN.iter().map(|name| (*name).to_owned()).chain(columns.iter().cloned()).collect()
}

/// Puts the values of a contact into the buffer, in the order of [`names`].
fn fill(buffer: &mut FieldsBuf, row: &ContactRow, columns: &[String]) -> Result<()> {
    let fields = field::from_json(row.fields.as_deref())?;
    buffer.clear();
    buffer.push(&row.number.to_string());
    buffer.push(&row.name);
    buffer.push(&row.email);
    for column in columns {
        buffer.push(fields.get(column).map_or("", String::as_str));
    }
    Ok(())
}

fn msisdn(number: i64) -> Result<Msisdn> {
    u64::try_from(number)
        .ok()
        .and_then(Msisdn::from_digits)
        .ok_or_else(|| Error::Corrupt(format!("a contact has the number {number}")))
}

/// The group of a user's import whose numbers are kept, all of them.
///
/// # Errors
/// 404 where the user has no such import, or its group is gone; `import_not_kept`.
pub(crate) async fn group_of_import(tx: &mut Tx, user: UserId, id: ImportId) -> Result<GroupId> {
    let row = import::by_id(tx, user, id).await?.filter(|row| row.target == ImportTarget::Group);
    let row = row.ok_or(Error::NotFound("import"))?;
    if are_kept(&row) { Ok(GroupId(row.target_id)) } else { Err(not_kept()) }
}

fn not_kept() -> Error {
    let message = "The numbers of this import are not kept: send to its group instead";
    Error::field("audience", "import_not_kept", message)
}

/// The merge fields of a group, beside phone, name and e-mail.
pub(crate) fn columns(json: &str) -> Result<Vec<String>> {
    field::columns(json)
}
