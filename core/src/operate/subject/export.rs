//! Everything that is held about a number as JSON lines, streamed.
//!
//! The first line says of which number, when, and whether it is on the Do-Not-Disturb list; each other one is a row of a
//! table. Each slice is a short read of its own: what is changed meanwhile may be met as it was or as it is.

use std::ops::Deref;
use std::vec::IntoIter;

use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use serde_json::{Map, Value, json};

use super::{MESSAGES, as_map, shown};
use crate::campaign::report::{explain, number_search};
use crate::error::{Error, Result};
use crate::model::message::id::MessageId;
use crate::model::page::RecordScope;
use crate::model::platform::data_class::DataClass;
use crate::phone::{Msisdn, NetworkTable};
use crate::routing::dnd::DndList;
use crate::store::Store;
use crate::store::subject::PLACES;
use crate::time::Time;

/// Rows of a table read at once: an event may have 500 messages.
const SLICE: i64 = 50;
/// Messages read at once, each with its chunk.
const MESSAGES_AT_ONCE: usize = 16;
/// Places in audiences that are looked at, newest first; each may be of several campaigns.
const RECIPIENTS_MAX: i64 = 100_000;

/// Where an export is.
enum Step {
    Begin,
    /// The rows of a place after a key.
    Rows(usize, i64),
    Messages(IntoIter<MessageId>),
}

/// What is held about a number as pieces of JSON lines, messages last and newest first, each with its text, history and
/// ledger entries; the last line says that it is complete. What fails ends the stream with an error.
pub fn export<N>(
    store: &Store,
    dnd: &DndList,
    number: Msisdn,
    networks: N,
    now: Time,
) -> BoxStream<'static, Result<Vec<u8>>>
where
    N: Deref<Target = NetworkTable> + Send + Sync + 'static,
{
    let export = Export { store: store.clone(), dnd: dnd.clone(), number, networks, now };
    let pieces = stream::try_unfold((export, Some(Step::Begin)), |(export, mut step)| async move {
        while let Some(this) = step {
            let (lines, next) = export.take(this).await?;
            if !lines.is_empty() {
                return Ok(Some((lines, (export, next))));
            }
            step = next;
        }
        Ok(None)
    });
    pieces.boxed()
}

struct Export<N> {
    store: Store,
    dnd: DndList,
    number: Msisdn,
    networks: N,
    now: Time,
}

impl<N> Export<N>
where
    N: Deref<Target = NetworkTable> + Send + Sync + 'static,
{
    /// The lines of a step, and the next one.
    async fn take(&self, step: Step) -> Result<(Vec<u8>, Option<Step>)> {
        let mut lines = Vec::new();
        let next = match step {
            Step::Begin => {
                let on_dnd_list = self.dnd.current(&mut self.store.read().await?).await?.has(self.number);
                let (number, exported_at) = (self.number.to_string(), self.now.to_rfc3339());
                let head =
                    json!({ "number": number, "on_dnd_list": on_dnd_list, "exported_at": exported_at });
                push(&mut lines, &head)?;
                Some(Step::Rows(0, 0))
            }
            Step::Rows(index, after) => match PLACES.get(index) {
                Some(place) => {
                    let mut tx = self.store.read().await?;
                    let (rows, next) = place.rows(&mut tx, self.number, after, SLICE).await?;
                    drop(tx);
                    let next = next.map_or(Step::Rows(index + 1, 0), |after| Step::Rows(index, after));
                    for row in rows {
                        push(&mut lines, &line(place.table, place.class, &shown(row, self.number)))?;
                    }
                    Some(next)
                }
                None => {
                    let mut tx = self.store.read().await?;
                    let ids = number_search::ids(&mut tx, RecordScope::All, self.number, RECIPIENTS_MAX);
                    Some(Step::Messages(ids.await?.into_iter()))
                }
            },
            Step::Messages(mut ids) => {
                let mut tx = self.store.read().await?;
                for id in ids.by_ref().take(MESSAGES_AT_ONCE) {
                    match explain::message(&mut tx, RecordScope::All, id, &self.networks).await {
                        Ok(told) => push(&mut lines, &line(MESSAGES, DataClass::Texts, &as_map(&told)?))?,
                        // It went meanwhile.
                        Err(Error::NotFound(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
                match ids.len() {
                    0 => {
                        push(&mut lines, &json!({ "complete": true }))?;
                        None
                    }
                    _ => Some(Step::Messages(ids)),
                }
            }
        };
        Ok((lines, next))
    }
}

fn line(table: &str, class: DataClass, row: &Map<String, Value>) -> Value {
    json!({ "table": table, "class": class.code(), "row": row })
}

fn push(lines: &mut Vec<u8>, line: &Value) -> Result<()> {
    serde_json::to_writer(&mut *lines, line)
        .map_err(|error| Error::Corrupt(format!("a line of an export cannot be written: {error}")))?;
    lines.push(b'\n');
    Ok(())
}
