//! What becomes of the rows of each table that hold a number when it is erased, and the statements for it.

use super::overwrite_removed;
use crate::error::Result;
use crate::model::contact::id::{ContactId, GroupId};
use crate::model::platform::data_class::OnErase;
use crate::phone::Msisdn;
use crate::store::subject::{NamedRow, SubjectPlace, json_strings, within};
use crate::store::{Column, Sql, Tx, contact};
use crate::{args, sql};

/// Rows of a place that a step erases.
const SLICE: i64 = 100;
/// The same where their texts are rewritten, of which a draft has up to 256 KiB.
const TEXTS_SLICE: i64 = 8;
/// Tables of which rows stay that are not over: not handled, not sent, or not told to all yet.
const STAY_UNTIL_OVER: [&str; 4] = ["inbound_messages", "inbound_parts", "notices", "webhook_events"];
/// What the key of a reject holds beside its ordinal, see [`super::super::places`].
const ORDINALS: i64 = 1_000_000;

/// How a table's rows are erased.
enum Means {
    /// Those with these keys go.
    Keys(Sql),
    /// Those of these imports or quotes with these ordinals go.
    Ordinals(Sql),
    /// Columns, each by what reads it and what writes it, are rewritten.
    Columns(&'static [(Sql, &'static str)]),
    /// The strings of a column that is JSON, likewise.
    Strings((Sql, &'static str)),
    /// A group's figures move with it.
    Contacts,
    /// A digest takes its place.
    OptOuts,
}

/// A column of a table that is rewritten; what else its statement sets, and in which rows.
macro_rules! column {
    ($table:literal, $column:literal, $also:literal, $condition:literal) => {
        (
            sql!(
                "SELECT id, ",
                $column,
                " FROM ",
                $table,
                " WHERE ",
                $condition,
                "id = ANY($1::BIGINT[]) FOR UPDATE"
            ),
            concat!("UPDATE ", $table, " SET ", $column, " = $2", $also, " WHERE id = $1"),
        )
    };
}

/// The tables. What is not handled, not sent or not over yet stays until it is.
const MEANS: &[(&str, Means)] = &[
    ("contacts", Means::Contacts),
    ("suppressions", Means::OptOuts),
    (
        "inbound_messages",
        Means::Keys(sql!(
            "DELETE FROM inbound_messages WHERE handled_at IS NOT NULL AND id = ANY($1::BIGINT[])"
        )),
    ),
    (
        "inbound_parts",
        Means::Keys(sql!(
            "DELETE FROM inbound_parts WHERE message_id IS NOT NULL AND id = ANY($1::BIGINT[])"
        )),
    ),
    ("receipts_unmatched", Means::Keys(sql!("DELETE FROM receipts_unmatched WHERE id = ANY($1::BIGINT[])"))),
    (
        "notices",
        Means::Keys(sql!("DELETE FROM notices WHERE done_at IS NOT NULL AND id = ANY($1::BIGINT[])")),
    ),
    (
        "quote_rejects",
        Means::Ordinals(sql!(
            "DELETE FROM quote_rejects WHERE (quote_id, ordinal) IN \
             (SELECT j.quote, j.ordinal FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (quote, ordinal))"
        )),
    ),
    (
        "contact_import_rejects",
        Means::Ordinals(sql!(
            "DELETE FROM contact_import_rejects WHERE (import_id, ordinal) IN \
             (SELECT j.import, j.ordinal FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (import, ordinal))"
        )),
    ),
    (
        "drafts",
        Means::Columns(&[
            // Who has it open is told that it changed, and does not write the number back.
            column!("drafts", "title", ", version = version + 1", ""),
            column!("drafts", "fields", ", version = version + 1", ""),
        ]),
    ),
    (
        "webhook_events",
        Means::Strings(column!(
            "webhook_events",
            "body",
            "",
            "NOT EXISTS (SELECT 1 FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id \
               WHERE d.event_id = webhook_events.id AND d.status = 'pending' AND w.is_active) AND "
        )),
    ),
    (
        "audit",
        Means::Columns(&[
            column!("audit", "subject", "", ""),
            column!("audit", "before_text", "", ""),
            column!("audit", "after_text", "", ""),
        ]),
    ),
];

fn means(place: &SubjectPlace) -> Option<&'static Means> {
    MEANS.iter().find(|(table, _)| *table == place.table).map(|(_, means)| means)
}

/// What becomes of the rows of a place.
pub fn on_erase(place: &SubjectPlace) -> OnErase {
    match means(place) {
        None => OnErase::Kept,
        Some(Means::Columns(_) | Means::Strings(_)) => OnErase::Masked,
        Some(Means::OptOuts) => OnErase::Digest,
        Some(_) => OnErase::Removed,
    }
}

/// Some rows of a place that hold the number, in order of their keys, after a key: what a step erases. The second is the key
/// to go on after, where there may be more. The place may be read whole, so this belongs outside of writes.
pub async fn next(
    tx: &mut Tx,
    place: &SubjectPlace,
    number: Msisdn,
    after: i64,
) -> Result<(Vec<NamedRow>, Option<i64>)> {
    let slice = match means(place) {
        Some(Means::Columns(_)) => TEXTS_SLICE,
        _ => SLICE,
    };
    place.rows(tx, number, after, slice).await
}

/// Whether rows of a place may hold the number after it was erased, until they are over.
pub fn may_stay(place: &SubjectPlace) -> bool {
    STAY_UNTIL_OVER.contains(&place.table)
}

/// Erases the number from rows of a place as [`next`] found them; returns from how many. What is [`OnErase::Kept`] stays, and so
/// does what was changed meanwhile and holds it no more.
pub async fn erase(tx: &mut Tx, place: &SubjectPlace, number: Msisdn, rows: &[NamedRow]) -> Result<u64> {
    let Some(means) = means(place) else { return Ok(0) };
    overwrite_removed(tx, true).await?;
    let keys = rows.iter().map(|row| row.key).collect();
    let erased = erase_rows(tx, means, number, keys, rows).await;
    overwrite_removed(tx, false).await?;
    erased
}

async fn erase_rows(
    tx: &mut Tx,
    means: &Means,
    number: Msisdn,
    keys: Vec<i64>,
    rows: &[NamedRow],
) -> Result<u64> {
    match means {
        Means::Keys(sql) => tx.run(*sql, args![vec![Column::Ints(keys)]]).await,
        Means::Ordinals(sql) => {
            let (of, ordinals) = keys.iter().map(|key| (key / ORDINALS, key % ORDINALS)).unzip();
            tx.run(*sql, args![vec![Column::Ints(of), Column::Ints(ordinals)]]).await
        }
        Means::Columns(columns) => {
            let mut written = 0;
            for (read, write) in *columns {
                written = mask(tx, (*read, write), (number, masked), &keys).await?.max(written);
            }
            Ok(written)
        }
        Means::Strings(column) => mask(tx, *column, (number, json_strings::masked), &keys).await,
        Means::Contacts => {
            let mut removed = 0;
            for id in keys.into_iter().map(ContactId) {
                let sql = sql!(
                    "SELECT g.id FROM contact_groups g JOIN contacts c ON c.group_id = g.id \
                     WHERE c.id = $1 AND c.number = $2 FOR UPDATE OF g"
                );
                let number = number.digits().cast_signed();
                if let Some((group,)) = tx.opt::<(GroupId,)>(sql, args![id, number]).await? {
                    contact::delete(tx, group, id).await?;
                    removed += 1;
                }
            }
            Ok(removed)
        }
        Means::OptOuts => {
            let number_of = |row: &NamedRow| row.integer("number").filter(|stored| *stored > 0);
            let scopes: Vec<i64> = rows
                .iter()
                .filter(|row| number_of(row).is_some())
                .filter_map(|row| row.integer("scope"))
                .collect();
            for scope in &scopes {
                contact::suppression::erase(tx, *scope, number).await?;
            }
            Ok(scopes.len() as u64)
        }
    }
}

/// A text without the number; `None` where it does not name it.
type Masking = fn(&str, Msisdn) -> Option<String>;

/// Rewrites a column in these rows; returns in how many.
async fn mask(
    tx: &mut Tx,
    (read, write): (Sql, &'static str),
    (number, masked): (Msisdn, Masking),
    keys: &[i64],
) -> Result<u64> {
    let rows: Vec<(i64, Option<String>)> = tx.all(read, args![vec![Column::of(keys)]]).await?;
    let mut written = 0;
    for (key, text) in rows {
        if let Some(masked) = text.as_deref().and_then(|text| masked(text, number)) {
            tx.run_exactly(1, write, args![key, masked]).await?;
            written += 1;
        }
    }
    Ok(written)
}

/// A text with `erased` for the number; `None` where it is not in it. What was JSON stays so.
fn masked(text: &str, number: Msisdn) -> Option<String> {
    let masked = within::masked(text, number)?;
    let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if !text.trim_start().starts_with('{') || is_json(&masked) || !is_json(text) {
        return Some(masked);
    }
    // The number is a number there.
    let all = json_strings::masked_with_numbers(text, number);
    let is_good = |it: &String| is_json(it) && !within::holds(it, number);
    Some(all.filter(is_good).unwrap_or_else(|| "{}".to_owned()))
}
