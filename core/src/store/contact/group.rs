//! Groups of contacts: their names and how many contacts they hold.
//!
//! `contacts_count` and the group's buckets agree with its contacts after every transaction (see
//! `store/contact/mod.rs`). A deleted group disappears at once; its contacts follow in slices.

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::contact::id::GroupId;
use crate::store::Tx;
use crate::time::Time;

/// A group as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct GroupRow {
    /// The group's id.
    pub id: GroupId,
    /// Its owner.
    pub user_id: UserId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// JSON array: merge fields beside phone, name and e-mail.
    pub columns: String,
    /// How many contacts it holds.
    pub contacts_count: i64,
    /// When it was made.
    pub created_at: Time,
    /// When it or its contacts changed last.
    pub updated_at: Time,
}

/// Makes an empty group and returns its id; `None` when the user has one of that name (`key`: in lower case).
pub async fn insert(
    tx: &mut Tx,
    user: UserId,
    name: &str,
    key: &str,
    description: &str,
    now: Time,
) -> Result<Option<GroupId>> {
    let row: Option<(GroupId,)> = tx
        .opt(
            "INSERT INTO contact_groups (user_id, name, name_key, description, columns, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, '[]', $5, $5) ON CONFLICT DO NOTHING RETURNING id",
            args![user, name, key, description, now],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// The group of this id, of any user.
pub async fn by_id(tx: &mut Tx, id: GroupId) -> Result<Option<GroupRow>> {
    tx.opt(
        "SELECT id, user_id, name, description, columns, contacts_count, created_at, updated_at \
         FROM contact_groups WHERE id = $1 AND deleted_at IS NULL",
        args![id],
    )
    .await
}

/// The user's group of this name, in lower case.
pub async fn by_name(tx: &mut Tx, user: UserId, key: &str) -> Result<Option<GroupRow>> {
    tx.opt(
        "SELECT id, user_id, name, description, columns, contacts_count, created_at, updated_at \
         FROM contact_groups WHERE user_id = $1 AND name_key = $2 AND deleted_at IS NULL",
        args![user, key],
    )
    .await
}

/// How many groups a user has, and how many contacts in them.
pub async fn totals(tx: &mut Tx, user: UserId) -> Result<(i64, i64)> {
    tx.one(
        "SELECT COUNT(*), CAST(COALESCE(SUM(contacts_count), 0) AS BIGINT) FROM contact_groups \
         WHERE user_id = $1 AND deleted_at IS NULL",
        args![user],
    )
    .await
}

/// All groups of a user, newest first. A user has a bounded number of them.
pub async fn all_of(tx: &mut Tx, user: UserId) -> Result<Vec<GroupRow>> {
    tx.all(
        "SELECT id, user_id, name, description, columns, contacts_count, created_at, updated_at \
         FROM contact_groups WHERE user_id = $1 AND deleted_at IS NULL ORDER BY id DESC",
        args![user],
    )
    .await
}

/// Renames a group; `None` when there is none, `Some(false)` when another group of the user has the name.
pub async fn update(
    tx: &mut Tx,
    (user, id): (UserId, GroupId),
    name: &str,
    key: &str,
    description: &str,
    now: Time,
) -> Result<Option<bool>> {
    let other = by_name(tx, user, key).await?;
    if other.is_some_and(|other| other.id != id) {
        return Ok(Some(false));
    }
    let touched = tx
        .run(
            "UPDATE contact_groups SET name = $3, name_key = $4, description = $5, updated_at = $6 \
             WHERE id = $2 AND user_id = $1 AND deleted_at IS NULL",
            args![user, id, name, key, description, now],
        )
        .await?;
    Ok((touched == 1).then_some(true))
}

/// Takes a group away from its user; false when there is none. Its contacts are removed by [`purge`].
pub async fn delete(tx: &mut Tx, user: UserId, id: GroupId, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE contact_groups SET deleted_at = $3, contacts_count = 0 \
             WHERE id = $2 AND user_id = $1 AND deleted_at IS NULL",
            args![user, id, now],
        )
        .await?;
    if touched == 1 {
        tx.run("DELETE FROM contact_buckets WHERE group_id = $1", args![id]).await?;
    }
    Ok(touched == 1)
}

/// Holds a group of a user until the transaction ends, and returns its columns; `None` when it is gone. A transaction
/// that changes contacts locks their group first, so that counters and rows of two changes never mix.
pub async fn lock(tx: &mut Tx, user: UserId, id: GroupId, now: Time) -> Result<Option<String>> {
    let row: Option<(String,)> = tx
        .opt(
            "UPDATE contact_groups SET updated_at = $3 WHERE id = $2 AND user_id = $1 AND deleted_at IS NULL \
             RETURNING columns",
            args![user, id, now],
        )
        .await?;
    Ok(row.map(|(columns,)| columns))
}

/// Sets the names of a locked group's merge fields.
pub async fn set_columns(tx: &mut Tx, id: GroupId, columns: &str) -> Result<()> {
    tx.run_exactly(1, "UPDATE contact_groups SET columns = $2 WHERE id = $1", args![id, columns]).await
}

/// Removes up to `limit` contacts of a deleted group, and the group when none are left. Returns whether there may be
/// more to remove.
pub async fn purge(tx: &mut Tx, limit: i64) -> Result<bool> {
    let group: Option<(GroupId,)> = tx
        .opt("SELECT id FROM contact_groups WHERE deleted_at IS NOT NULL ORDER BY id LIMIT 1", args![])
        .await?;
    let Some((group,)) = group else { return Ok(false) };
    let removed = tx.run(PURGE, args![group, limit]).await?;
    if removed < limit.unsigned_abs() {
        tx.run("DELETE FROM contact_buckets WHERE group_id = $1", args![group]).await?;
        tx.run("DELETE FROM contact_groups WHERE id = $1 AND deleted_at IS NOT NULL", args![group]).await?;
    }
    Ok(true)
}

const PURGE: &str = "DELETE FROM contacts WHERE id IN \
     (SELECT id FROM contacts WHERE group_id = $1 ORDER BY number LIMIT $2)";

/// Takes all groups of a user away.
pub async fn delete_all_of(tx: &mut Tx, user: UserId, now: Time) -> Result<()> {
    tx.run(
        "DELETE FROM contact_buckets WHERE group_id IN (SELECT id FROM contact_groups WHERE user_id = $1)",
        args![user],
    )
    .await?;
    tx.run(
        "UPDATE contact_groups SET deleted_at = $2, contacts_count = 0 WHERE user_id = $1 AND deleted_at IS NULL",
        args![user, now],
    )
    .await?;
    Ok(())
}
