//! Contacts: numbers of a group, with name, e-mail and merge fields.
//!
//! A number is in a group once, and `contacts_count` and `contact_buckets` count the rows: every function
//! that adds or removes rows moves both. Callers lock the group first ([`crate::store::contact::group::lock`]).

pub mod dnd;
pub mod group;
pub mod import;
pub mod list;
pub mod suppression;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::contact::id::{ContactId, GroupId};
use crate::store::{Column, Dialect, Ready, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Ids counted by one bucket.
pub const BUCKET: i64 = 4_096;

/// A contact as stored, with its group.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ContactRow {
    /// The contact's id.
    pub id: ContactId,
    /// Its group.
    pub group_id: GroupId,
    /// The number in digits.
    pub number: i64,
    /// Empty when it is not known.
    pub name: String,
    /// Empty when it is not known.
    pub email: String,
    /// JSON object of the other merge fields.
    pub fields: Option<String>,
    /// When it was added.
    pub created_at: Time,
    /// When it changed last.
    pub updated_at: Time,
    /// Bytes of merge fields that a list left out, see [`crate::store::contact::list`].
    #[sqlx(default)]
    pub left_out: i64,
}

/// Contacts to be written, column by column; what is `None` is not known, and never erases what is.
#[derive(Clone, Debug, Default)]
pub struct ContactBatch {
    /// Each number once.
    pub numbers: Vec<i64>,
    /// Names.
    pub names: Vec<Option<String>>,
    /// Addresses.
    pub emails: Vec<Option<String>>,
    /// JSON objects.
    pub fields: Vec<Option<String>>,
    /// Its rows, once they are made ready; a batch is not changed after that.
    ready: OnceLock<Ready>,
}

impl ContactBatch {
    /// How many contacts.
    pub const fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Contacts, column by column.
    pub fn of(
        numbers: Vec<i64>,
        names: Vec<Option<String>>,
        emails: Vec<Option<String>>,
        fields: Vec<Option<String>>,
    ) -> Self {
        Self { numbers, names, emails, fields, ready: OnceLock::new() }
    }

    /// Makes its rows ready for the database ahead of the write, so that the writer need not.
    pub fn ready(&self, dialect: Dialect) -> &Ready {
        self.ready.get_or_init(|| Ready::of(self.rows(), dialect))
    }

    fn rows(&self) -> Vec<Column> {
        vec![
            Column::of(&self.numbers),
            Column::of(&self.names),
            Column::of(&self.emails),
            Column::of(&self.fields),
        ]
    }

    /// The rows with the whole key.
    fn rows_of(&self, group: GroupId) -> Vec<Column> {
        let mut rows = self.rows();
        rows.push(Column::of(vec![group; self.len()]));
        rows
    }
}

/// What a batch brought about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// New in the group.
    pub added: i64,
    /// There before, and changed.
    pub updated: i64,
    /// There before, and the same.
    pub unchanged: i64,
}

/// SQLite's rows are not told one by one, which would cost as much as to insert them: its one writer gives each the id
/// behind the greatest.
const INSERT: &str = "INSERT INTO contacts (group_id, number, name, email, fields, created_at, updated_at) \
     SELECT $1, value ->> 0, COALESCE(value ->> 1, ''), COALESCE(value ->> 2, ''), value ->> 3, $2, $2 \
     FROM jsonb_each($3) WHERE true ON CONFLICT (group_id, number) DO NOTHING";

const LAST: &str = "SELECT COALESCE(MAX(id), 0) FROM contacts";

/// The same in one, with how many went into each bucket.
const INSERT_COUNTED: &str = "WITH made AS (\
       INSERT INTO contacts (group_id, number, name, email, fields, created_at, updated_at) \
       SELECT $1, j.number, COALESCE(j.name, ''), COALESCE(j.email, ''), j.fields, $2, $2 \
       FROM UNNEST($3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[]) AS j(number, name, email, fields) \
       ON CONFLICT (group_id, number) DO NOTHING RETURNING id) \
     SELECT id / 4096, COUNT(*) FROM made GROUP BY 1";

/// The rows hold the whole key: with the group outside them SQLite walks the group for each row. Two texts, as SQLite
/// merges fields by `json_patch` and PostgreSQL by `||`.
const UPDATE: Sql = Sql::each(
    "UPDATE contacts SET name = COALESCE(j.value ->> 1, name), email = COALESCE(j.value ->> 2, email), \
       fields = CASE WHEN j.value ->> 3 IS NULL THEN fields \
         ELSE json_patch(COALESCE(fields, '{}'), j.value ->> 3) END, updated_at = $1 \
     FROM jsonb_each($2) AS j WHERE contacts.group_id = (j.value ->> 4) AND contacts.number = (j.value ->> 0) \
       AND (name <> COALESCE(j.value ->> 1, name) OR email <> COALESCE(j.value ->> 2, email) \
         OR (j.value ->> 3 IS NOT NULL \
           AND json_patch(COALESCE(fields, '{}'), j.value ->> 3) <> json(COALESCE(fields, '{}'))))",
    "UPDATE contacts SET name = COALESCE(j.name, contacts.name), email = COALESCE(j.email, contacts.email), \
       fields = CASE WHEN j.fields IS NULL THEN contacts.fields \
         ELSE (COALESCE(contacts.fields, '{}')::jsonb || j.fields::jsonb)::text END, updated_at = $1 \
     FROM UNNEST($2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[]) \
       AS j(number, name, email, fields, group_id) \
     WHERE contacts.group_id = j.group_id AND contacts.number = j.number \
       AND (contacts.name <> COALESCE(j.name, contacts.name) OR contacts.email <> COALESCE(j.email, contacts.email) \
         OR (j.fields IS NOT NULL AND COALESCE(contacts.fields, '{}')::jsonb || j.fields::jsonb \
           <> COALESCE(contacts.fields, '{}')::jsonb))",
);

/// Adds the contacts of a batch to a held group; those whose number is there are brought up to date.
pub async fn merge(tx: &mut Tx, group: GroupId, batch: &ContactBatch, now: Time) -> Result<Merged> {
    let size = i64::try_from(batch.len()).unwrap_or(i64::MAX);
    let rows = args![group, now, batch.ready(tx.dialect()).clone()];
    let made = match tx.dialect() {
        Dialect::Sqlite => {
            let (last,): (ContactId,) = tx.one(LAST, args![]).await?;
            buckets_behind(last, tx.run(INSERT, rows).await?.cast_signed())
        }
        Dialect::Postgres => tx.all::<(i64, i64)>(INSERT_COUNTED, rows).await?.into_iter().collect(),
    };
    let added = count(tx, group, &made).await?;
    if added == size {
        return Ok(Merged { added, updated: 0, unchanged: 0 });
    }
    // What was just added is equal to the batch and is passed over.
    let updated = tx.run(UPDATE, args![now, batch.rows_of(group)]).await?.cast_signed();
    Ok(Merged { added, updated, unchanged: size - added - updated })
}

/// The first of a batch's numbers whose contact was changed at `now` and has more than `bytes` of merge fields since.
pub async fn too_long(
    tx: &mut Tx,
    group: GroupId,
    batch: &ContactBatch,
    bytes: i64,
    now: Time,
) -> Result<Option<i64>> {
    let sql = sql!(
        "SELECT c.number FROM UNNEST($4::BIGINT[]) AS j (number) CROSS JOIN contacts c \
         WHERE c.group_id = $1 AND c.number = j.number AND octet_length(c.fields) > $2 AND c.updated_at = $3 \
         ORDER BY c.number LIMIT 1"
    );
    let numbers = vec![Column::of(&batch.numbers)];
    let row: Option<(i64,)> = tx.opt(sql, args![group, bytes, now, numbers]).await?;
    Ok(row.map(|(number,)| number))
}

/// How many of the `added` ids behind `last` are in each bucket.
fn buckets_behind(last: ContactId, added: i64) -> BTreeMap<i64, i64> {
    let mut buckets = BTreeMap::new();
    let (mut from, end) = (last.0 + 1, last.0 + added);
    while from <= end {
        let bucket = from / BUCKET;
        let next = ((bucket + 1) * BUCKET).min(end + 1);
        buckets.insert(bucket, next - from);
        from = next;
    }
    buckets
}

/// Moves the counters of a group by so many contacts a bucket; returns how many there were.
async fn count(tx: &mut Tx, group: GroupId, buckets: &BTreeMap<i64, i64>) -> Result<i64> {
    let total: i64 = buckets.values().sum();
    if total == 0 {
        return Ok(0);
    }
    let rows = vec![
        Column::of(buckets.keys()),
        Column::of(buckets.values()),
        Column::of(vec![group; buckets.len()]),
    ];
    // A bucket that is not there yet is begun; one that is there moves. Values below zero are stopped by the table.
    let begun = vec![Column::of(buckets.keys())];
    tx.run(
        sql!(
            "INSERT INTO contact_buckets (group_id, bucket, contacts) \
             SELECT $1, j.bucket, 0 FROM UNNEST($2::BIGINT[]) AS j (bucket) WHERE true ON CONFLICT DO NOTHING"
        ),
        args![group, begun],
    )
    .await?;
    tx.run_exactly(
        buckets.len() as u64,
        sql!(
            "UPDATE contact_buckets SET contacts = contact_buckets.contacts + j.contacts \
             FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[]) AS j (bucket, contacts, group_id) \
             WHERE contact_buckets.group_id = j.group_id AND contact_buckets.bucket = j.bucket"
        ),
        args![rows],
    )
    .await?;
    tx.run_exactly(
        1,
        "UPDATE contact_groups SET contacts_count = contacts_count + $2 WHERE id = $1",
        args![group, total],
    )
    .await?;
    Ok(total.abs())
}

/// Adds one contact to a held group and returns its id; `None` when the number is in the group.
pub async fn insert(tx: &mut Tx, group: GroupId, row: &NewRow<'_>, now: Time) -> Result<Option<ContactId>> {
    let id: Option<(ContactId,)> = tx
        .opt(
            "INSERT INTO contacts (group_id, number, name, email, fields, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (group_id, number) DO NOTHING RETURNING id",
            args![group, row.number, row.name, row.email, row.fields, now],
        )
        .await?;
    let Some((id,)) = id else { return Ok(None) };
    count(tx, group, &BTreeMap::from([(id.0 / BUCKET, 1)])).await?;
    Ok(Some(id))
}

/// One contact to be written.
#[derive(Clone, Copy, Debug)]
pub struct NewRow<'a> {
    /// The number in digits.
    pub number: i64,
    /// The name.
    pub name: &'a str,
    /// The address.
    pub email: &'a str,
    /// JSON object, if there are any.
    pub fields: Option<&'a str>,
}

/// Replaces what one contact of a held group says; false when the new number is another contact's.
pub async fn update(tx: &mut Tx, group: GroupId, id: ContactId, row: &NewRow<'_>, now: Time) -> Result<bool> {
    let taken: Option<(ContactId,)> = tx
        .opt(
            "SELECT id FROM contacts WHERE group_id = $1 AND number = $2 AND id <> $3",
            args![group, row.number, id],
        )
        .await?;
    if taken.is_some() {
        return Ok(false);
    }
    tx.run_exactly(
        1,
        "UPDATE contacts SET number = $2, name = $3, email = $4, fields = $5, updated_at = $6 WHERE id = $1",
        args![id, row.number, row.name, row.email, row.fields, now],
    )
    .await?;
    Ok(true)
}

/// Removes one contact of a held group; false when it is gone.
pub async fn delete(tx: &mut Tx, group: GroupId, id: ContactId) -> Result<bool> {
    let removed = tx.run("DELETE FROM contacts WHERE id = $1", args![id]).await?;
    if removed == 1 {
        count(tx, group, &BTreeMap::from([(id.0 / BUCKET, -1)])).await?;
    }
    Ok(removed == 1)
}

/// The contact of this id, when it is a user's.
pub async fn by_id(tx: &mut Tx, user: UserId, id: ContactId) -> Result<Option<ContactRow>> {
    tx.opt(
        "SELECT c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at \
         FROM contacts c JOIN contact_groups g ON g.id = c.group_id \
         WHERE c.id = $1 AND g.user_id = $2 AND g.deleted_at IS NULL",
        args![id, user],
    )
    .await
}

/// Up to `limit` contacts of a group after a number, in order of numbers: exports and sends.
pub async fn after_number(tx: &mut Tx, group: GroupId, number: i64, limit: i64) -> Result<Vec<ContactRow>> {
    tx.all(AFTER_NUMBER, args![group, number, limit]).await
}

pub(crate) const AFTER_NUMBER: &str = "SELECT id, group_id, number, name, email, fields, created_at, updated_at \
     FROM contacts WHERE group_id = $1 AND number > $2 ORDER BY number LIMIT $3";

/// The contacts of a group with these numbers, in order of numbers: those that are still there.
pub async fn with_numbers(tx: &mut Tx, group: GroupId, numbers: Vec<i64>) -> Result<Vec<ContactRow>> {
    tx.all(WITH_NUMBERS, args![group, vec![Column::Ints(numbers)]]).await
}

/// CROSS JOIN keeps SQLite from walking the group.
pub(crate) const WITH_NUMBERS: Sql = sql!(
    "SELECT c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at \
     FROM UNNEST($2::BIGINT[]) AS j (number) CROSS JOIN contacts c \
     WHERE c.group_id = $1 AND c.number = j.number ORDER BY c.number"
);

/// The same for sends that need numbers alone: the index has them.
pub async fn numbers_after(tx: &mut Tx, group: GroupId, number: i64, limit: i64) -> Result<Vec<i64>> {
    let rows: Vec<(i64,)> = tx.all(NUMBERS_AFTER, args![group, number, limit]).await?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

pub(crate) const NUMBERS_AFTER: &str =
    "SELECT number FROM contacts WHERE group_id = $1 AND number > $2 ORDER BY number LIMIT $3";

/// The groups of a user that hold each of these numbers: `(number, group id, group name)`, at most `limit` rows.
pub async fn groups_of(
    tx: &mut Tx,
    user: UserId,
    numbers: &[i64],
    limit: i64,
) -> Result<Vec<(i64, GroupId, String)>> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    tx.all(GROUPS_OF, args![user, limit, vec![Column::of(numbers)]]).await
}

/// CROSS JOIN keeps SQLite from starting at the contacts of a whole group.
pub(crate) const GROUPS_OF: Sql = sql!(
    "SELECT c.number, g.id, g.name FROM contact_groups g CROSS JOIN UNNEST($3::BIGINT[]) AS j (number) \
     CROSS JOIN contacts c \
     WHERE g.user_id = $1 AND g.deleted_at IS NULL AND c.group_id = g.id AND c.number = j.number \
     ORDER BY g.id LIMIT $2"
);

#[cfg(test)]
mod tests;
