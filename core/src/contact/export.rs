//! Contacts and opt-outs as CSV, streamed in order, in a form that can be imported again.
//!
//! Memory is that of a slice, about a MiB where all merge fields are as long as they may be, and nothing a spreadsheet would take for a formula leaves as one.

use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use talkdrum_api::contact::OptOut;
use talkdrum_api::spreadsheet::push_row;

use super::suppression::SuppressionScope;
use super::{field, group};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::contact::id::{GroupId, SuppressionId};
use crate::store::Store;
use crate::store::contact::{self, suppression as suppressions};

/// Rows read at a time.
const SLICE: i64 = 256;

/// Pieces of CSV.
pub type CsvPieces = BoxStream<'static, Result<Vec<u8>>>;

/// The contacts of a group of a user, in order of numbers: phone, name, email and the merge fields.
///
/// # Errors
/// 404. What fails later ends the stream with an error.
pub async fn group(store: &Store, user: UserId, id: GroupId) -> Result<CsvPieces> {
    let row = group::find(&mut store.read().await?, user, id).await?;
    let columns = field::columns(&row.columns)?;
    let mut header = Vec::new();
    push_row(&mut header, ["phone", "name", "email"].into_iter().chain(columns.iter().map(String::as_str)));
    let state = (store.clone(), columns, Some(0), Some(header));
    let pieces = stream::try_unfold(state, move |(store, columns, after, header)| async move {
        if let Some(header) = header {
            return Ok(Some((header, (store, columns, after, None))));
        }
        let Some(after) = after else { return Ok(None) };
        let rows = contact::after_number(&mut store.read().await?, id, after, SLICE).await?;
        let Some(last) = rows.last() else { return Ok(None) };
        let next = Some(last.number);
        let mut text = Vec::with_capacity(rows.len() * 64);
        for row in &rows {
            let fields = field::from_json(row.fields.as_deref())?;
            let phone = row.number.to_string();
            let own = [phone.as_str(), &row.name, &row.email];
            let others = columns.iter().map(|column| fields.get(column).map_or("", String::as_str));
            push_row(&mut text, own.into_iter().chain(others));
        }
        Ok(Some((text, (store, columns, next, None))))
    });
    Ok(pieces.boxed())
}

/// All contacts of a user, group by group: group, phone, name, email.
pub async fn everything(store: &Store, user: UserId) -> Result<CsvPieces> {
    let groups = crate::store::contact::group::all_of(&mut store.read().await?, user).await?;
    let mut header = Vec::new();
    push_row(&mut header, ["group", "phone", "name", "email"]);
    let mut queue: Vec<(GroupId, String)> = groups.into_iter().map(|row| (row.id, row.name)).collect();
    let first = queue.pop().map(|(id, name)| (id, name, 0));
    let state = (store.clone(), queue, first, Some(header));
    let pieces = stream::try_unfold(state, |(store, mut queue, mut current, header)| async move {
        if let Some(header) = header {
            return Ok(Some((header, (store, queue, current, None))));
        }
        while let Some((id, name, after)) = current {
            let rows = contact::after_number(&mut store.read().await?, id, after, SLICE).await?;
            let Some(last) = rows.last() else {
                current = queue.pop().map(|(id, name)| (id, name, 0));
                continue;
            };
            let next = last.number;
            let mut text = Vec::with_capacity(rows.len() * 64);
            for row in &rows {
                push_row(&mut text, [name.as_str(), &row.number.to_string(), &row.name, &row.email]);
            }
            return Ok(Some((text, (store, queue, Some((id, name, next)), None))));
        }
        Ok(None)
    });
    Ok(pieces.boxed())
}

/// The opt-outs of a scope, oldest first: phone, source, note, created_at, reach.
pub fn optouts(store: &Store, scope: SuppressionScope) -> CsvPieces {
    let mut header = Vec::new();
    push_row(&mut header, ["phone", "source", "note", "created_at", "reach"]);
    let state = (store.clone(), SuppressionId::BEFORE_ALL, Some(header));
    let pieces = stream::try_unfold(state, move |(store, after, header)| async move {
        if let Some(header) = header {
            return Ok(Some((header, (store, after, None))));
        }
        let rows = suppressions::after(&mut store.read().await?, scope.key(), after, SLICE).await?;
        let Some(last) = rows.last() else { return Ok(None) };
        let next = last.id;
        let mut text = Vec::with_capacity(rows.len() * 48);
        for row in rows {
            let shown = OptOut::from(row);
            let reach = shown.reach.code();
            push_row(&mut text, [&*shown.phone, &shown.source, &shown.note, &shown.created_at, reach]);
        }
        Ok(Some((text, (store, next, None))))
    });
    pieces.boxed()
}
