//! What is held about a number, over all customers: for administrators who answer the person whose number it is.
//!
//! Looking and exporting are themselves in the audit trail, which names the last digits of the number alone: what is erased
//! later cannot be read there.

mod erase;
mod export;

use serde_json::{Map, Value};
use talkdrum_api::subject::{Subject, SubjectTable};

pub use erase::{check_key, erase};
pub use export::export;

use crate::campaign::report::number_search;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::page::{Page, RecordScope};
use crate::model::platform::audit::AuditAction;
use crate::model::platform::data_class::{DataClass, OnErase};
use crate::phone::{Msisdn, NetworkTable};
use crate::platform::audit::{self, Entry};
use crate::routing::dnd::DndList;
use crate::store::subject::erase::rows::on_erase;
use crate::store::subject::{NamedRow, PLACES, SubjectPlace};
use crate::store::{Lane, Store};
use crate::time::Time;

/// Rows of a table that are counted at most.
pub const COUNTED_MAX: i64 = 10_000;
/// Rows of a table that are shown.
const ROWS_SHOWN: i64 = 5;
/// Rows whose texts are looked at together: a draft has up to 256 KiB.
const LOOKED_AT_ONCE: i64 = 100;
/// The name of messages, which are in several tables.
const MESSAGES: &str = "messages";

/// What is held about a number: how many rows of each table, and the first of them; of messages the newest. Tables without an
/// index of numbers are read whole, in short reads where their texts are looked at.
///
/// # Errors
/// Errors of the database.
pub async fn show(store: &Store, dnd: &DndList, number: Msisdn, networks: &NetworkTable) -> Result<Subject> {
    let mut tables = Vec::new();
    let page = Page::new(1, ROWS_SHOWN);
    let mut tx = store.read().await?;
    let found = number_search::number(&mut tx, RecordScope::All, number, None, page, networks).await?;
    drop(tx);
    if found.total > 0 {
        let rows = found.messages.iter().map(as_map).collect::<Result<_>>()?;
        tables.push(table((MESSAGES, DataClass::Texts), OnErase::Masked, found.total, rows));
    }
    for place in PLACES {
        let (count, rows) = first_rows(store, place, number).await?;
        if count > 0 {
            let rows = rows.into_iter().map(|row| shown(row, number)).collect();
            tables.push(table((place.table, place.class), on_erase(place), count, rows));
        }
    }
    let on_dnd_list = dnd.current(&mut store.read().await?).await?.has(number);
    Ok(Subject { number: number.to_string(), on_dnd_list, tables })
}

/// How many rows of a place hold the number, and the first of them. Each read is one of its own: nothing is held while the next
/// is waited for.
async fn first_rows(store: &Store, place: &SubjectPlace, number: Msisdn) -> Result<(i64, Vec<NamedRow>)> {
    let mut tx = store.read().await?;
    let (mut rows, mut next) = place.rows(&mut tx, number, 0, ROWS_SHOWN).await?;
    let counted = match next {
        None => Some(rows.len() as i64),
        Some(_) => place.count(&mut tx, number, COUNTED_MAX).await?,
    };
    drop(tx);
    if let Some(count) = counted {
        return Ok((count, rows));
    }
    let mut count = rows.len() as i64;
    while let Some(after) = next.filter(|_| count < COUNTED_MAX) {
        let mut tx = store.read().await?;
        let (more, following) = place.rows(&mut tx, number, after, LOOKED_AT_ONCE).await?;
        drop(tx);
        count += more.len() as i64;
        let lacking = (ROWS_SHOWN as usize).saturating_sub(rows.len());
        rows.extend(more.into_iter().take(lacking));
        next = following;
    }
    Ok((count.min(COUNTED_MAX), rows))
}

fn table(
    (name, class): (&str, DataClass),
    on_erase: OnErase,
    count: i64,
    rows: Vec<Map<String, Value>>,
) -> SubjectTable {
    let (class, on_erase) = (class.code().to_owned(), on_erase.code().to_owned());
    SubjectTable { table: name.to_owned(), class, count, has_more: count >= COUNTED_MAX, on_erase, rows }
}

/// Notes in the audit trail that an administrator looked at what is held about a number, or exported it.
///
/// # Errors
/// Errors of the database.
pub async fn note(store: &Store, by: UserId, action: AuditAction, number: Msisdn, now: Time) -> Result<()> {
    let entry = Entry::new(by, action, masked(number));
    store
        .write(Lane::Interactive, (entry, now), |tx, (entry, now)| Box::pin(audit::record(tx, entry, *now)))
        .await
}

/// How a number is named where it must not be read: by its last four digits.
fn masked(number: Msisdn) -> String {
    format!("a number that ends in {:04}", number.digits() % 10_000)
}

/// A row as it is shown: moments in RFC 3339, objects as such, and of an event's messages those of the person.
fn shown(row: NamedRow, number: Msisdn) -> Map<String, Value> {
    row.columns
        .into_iter()
        .map(|(name, value)| {
            let value = match (&*name, value) {
                (name, Value::Number(ms)) if name == "at" || name.ends_with("_at") => {
                    Time(ms.as_i64().unwrap_or_default()).to_rfc3339().into()
                }
                // The digest of one that was erased.
                ("number", Value::Number(stored)) if stored.as_i64().is_some_and(i64::is_negative) => {
                    Msisdn::ERASED.to_string().into()
                }
                ("body" | "fields", Value::String(text)) => {
                    let read = serde_json::from_str(&text).unwrap_or(Value::String(text));
                    without_others(read, number)
                }
                (_, value) => value,
            };
            (name, value)
        })
        .collect()
}

/// An event of messages without those to other numbers.
fn without_others(mut body: Value, number: Msisdn) -> Value {
    let number = number.to_string();
    if let Some(Value::Array(messages)) = body.pointer_mut("/data/messages") {
        messages.retain(|message| message["to"] == *number);
    }
    body
}

fn as_map(value: &impl serde::Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(Error::Corrupt("what is held about a number cannot be written".into())),
    }
}

#[cfg(test)]
mod tests;
