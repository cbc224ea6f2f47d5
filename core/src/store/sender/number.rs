//! The rows of virtual numbers (the platform's, assigned to a user) and own numbers (a user's, proven by a call).

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::sender::NumberStatus;
use crate::model::sender::id::{OwnNumberId, VirtualNumberId};
use crate::store::Tx;
use crate::store::db::listing::{Listing, like_pattern, listed};
use crate::time::Time;
use crate::{args, sql};

/// A virtual number with its owner's name.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct VirtualRow {
    pub id: VirtualNumberId,
    pub user_id: UserId,
    pub username: String,
    pub virtual_num: Option<String>,
    pub status: NumberStatus,
    pub created_at: Time,
}

/// An own number with its owner's name.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct OwnRow {
    pub id: OwnNumberId,
    pub user_id: UserId,
    pub username: String,
    pub phone_number: String,
    pub status: NumberStatus,
    pub created_at: Time,
}

/// Whether this is a virtual or an own number that the user may send from; with `lock`, until the transaction ends.
pub async fn is_usable(tx: &mut Tx, user: UserId, number: &str, lock: bool) -> Result<bool> {
    macro_rules! usable {
        ($lock:literal) => {
            [
                sql!("SELECT id FROM virtual_numbers WHERE virtual_num = $2 AND user_id = $1", $lock),
                sql!(
                    "SELECT id FROM own_numbers WHERE user_id = $1 AND phone_number = $2 AND status = 'verified'",
                    $lock
                ),
            ]
        };
    }
    for sql in if lock { usable!(" FOR SHARE") } else { usable!("") } {
        let row: Option<(i64,)> = tx.opt(sql, args![user, number]).await?;
        if row.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether this is a verified own number of the user.
pub async fn is_usable_own(tx: &mut Tx, user: UserId, number: &str) -> Result<bool> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT id FROM own_numbers WHERE user_id = $1 AND phone_number = $2 AND status = 'verified'",
            args![user, number],
        )
        .await?;
    Ok(row.is_some())
}

/// How many verified own numbers a user has.
pub async fn count_own_of(tx: &mut Tx, user: UserId) -> Result<i64> {
    let sql = "SELECT COUNT(*) FROM own_numbers WHERE user_id = $1 AND status = 'verified'";
    let row: (i64,) = tx.one(sql, args![user]).await?;
    Ok(row.0)
}

/// Makes a number a verified one of the user, whose verification began at `began_at`; its id.
pub async fn put_verified(
    tx: &mut Tx,
    user: UserId,
    number: &str,
    began_at: Time,
    now: Time,
) -> Result<OwnNumberId> {
    let row: (OwnNumberId,) = tx
        .one(
            "INSERT INTO own_numbers (user_id, phone_number, status, created_at, verified_at) \
             VALUES ($1, $2, 'verified', $3, $4) ON CONFLICT (user_id, phone_number) DO UPDATE \
             SET status = 'verified', verified_at = excluded.verified_at RETURNING id",
            args![user, number, began_at, now],
        )
        .await?;
    Ok(row.0)
}

/// An own number of a user.
pub async fn own_of(tx: &mut Tx, user: UserId, number: &str) -> Result<Option<OwnRow>> {
    tx.opt(
        "SELECT o.id, o.user_id, u.username, o.phone_number, o.status, o.created_at \
         FROM own_numbers o JOIN users u ON u.id = o.user_id WHERE o.user_id = $1 AND o.phone_number = $2",
        args![user, number],
    )
    .await
}

/// Whose an own number is and which, by its record.
pub async fn own_by_record(tx: &mut Tx, id: OwnNumberId) -> Result<Option<(UserId, String)>> {
    tx.opt("SELECT user_id, phone_number FROM own_numbers WHERE id = $1", args![id]).await
}

/// Takes an own number of a user away: whose it was and which, or `None` when there is none.
pub async fn delete_own_of(tx: &mut Tx, user: UserId, number: &str) -> Result<Option<(UserId, String)>> {
    let sql =
        "DELETE FROM own_numbers WHERE user_id = $1 AND phone_number = $2 RETURNING user_id, phone_number";
    tx.opt(sql, args![user, number]).await
}

/// Takes an own number away by its record, likewise.
pub async fn delete_own(tx: &mut Tx, id: OwnNumberId) -> Result<Option<(UserId, String)>> {
    tx.opt("DELETE FROM own_numbers WHERE id = $1 RETURNING user_id, phone_number", args![id]).await
}

/// A user's oldest request that waits for a number.
pub async fn oldest_request_of(tx: &mut Tx, user: UserId) -> Result<Option<VirtualNumberId>> {
    let row: Option<(VirtualNumberId,)> = tx
        .opt(
            "SELECT id FROM virtual_numbers WHERE user_id = $1 AND status = 'pending' ORDER BY id LIMIT 1",
            args![user],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// How many virtual numbers and requests for one a user has.
pub async fn count_virtual_of(tx: &mut Tx, user: UserId) -> Result<i64> {
    let row: (i64,) = tx.one("SELECT COUNT(*) FROM virtual_numbers WHERE user_id = $1", args![user]).await?;
    Ok(row.0)
}

/// Adds a request for a virtual number.
pub async fn insert_request(tx: &mut Tx, user: UserId, now: Time) -> Result<VirtualNumberId> {
    let row: (VirtualNumberId,) = tx
        .one(
            "INSERT INTO virtual_numbers (user_id, status, created_at) VALUES ($1, 'pending', $2) RETURNING id",
            args![user, now],
        )
        .await?;
    Ok(row.0)
}

/// Whose a virtual number is.
pub async fn holder(tx: &mut Tx, number: &str) -> Result<Option<UserId>> {
    let row: Option<(UserId,)> =
        tx.opt("SELECT user_id FROM virtual_numbers WHERE virtual_num = $1", args![number]).await?;
    Ok(row.map(|(user,)| user))
}

/// Gives a request its number.
pub async fn assign(tx: &mut Tx, id: VirtualNumberId, number: &str, by: UserId, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE virtual_numbers SET virtual_num = $2, status = 'approved', decided_by = $3, decided_at = $4 \
         WHERE id = $1 AND status = 'pending'",
        args![id, number, by, now],
    )
    .await
}

/// One virtual number.
pub async fn virtual_by_id(tx: &mut Tx, id: VirtualNumberId) -> Result<Option<VirtualRow>> {
    tx.opt(
        "SELECT v.id, v.user_id, u.username, v.virtual_num, v.status, v.created_at \
         FROM virtual_numbers v JOIN users u ON u.id = v.user_id WHERE v.id = $1",
        args![id],
    )
    .await
}

/// Takes a virtual number, or a request for one, away. False when there is none.
pub async fn delete_virtual(tx: &mut Tx, id: VirtualNumberId) -> Result<bool> {
    Ok(tx.run("DELETE FROM virtual_numbers WHERE id = $1", args![id]).await? == 1)
}

/// Takes all numbers of a user away.
pub async fn delete_all_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    Ok(tx.run("DELETE FROM virtual_numbers WHERE user_id = $1", args![user]).await?
        + tx.run("DELETE FROM own_numbers WHERE user_id = $1", args![user]).await?)
}

/// A page of the virtual numbers of one user, or of all users, and how many there are. Sorts by `id`, `virtual_num`,
/// `username` or `status`.
pub async fn virtual_page(
    tx: &mut Tx,
    user: Option<UserId>,
    listing: &Listing,
) -> Result<(Vec<VirtualRow>, i64)> {
    let sql = listed!(
        listing,
        "v.id, v.user_id, u.username, v.virtual_num, v.status, v.created_at",
        "FROM virtual_numbers v JOIN users u ON u.id = v.user_id \
         WHERE ($1 = 0 OR v.user_id = $1) AND ($2 = '' OR v.status = $2) \
         AND ($3 = '' OR v.virtual_num COLLATE \"binary\" ILIKE $3 ESCAPE '\\' \
           OR u.username COLLATE \"binary\" ILIKE $3 ESCAPE '\\')",
        "v.id",
        ["virtual_num" => "COALESCE(v.virtual_num, '') COLLATE \"binary\"", "username" => "u.username COLLATE \"binary\"", "status" => "v.status COLLATE \"binary\""]
    );
    listing
        .rows(tx, sql, args![user.map_or(0, |user| user.0), listing.status, like_pattern(&listing.q)])
        .await
}

/// A page of the own numbers of one user, or of all users, and how many there are. Sorts by `id`, `phone_number`,
/// `username` or `status`.
pub async fn own_page(tx: &mut Tx, user: Option<UserId>, listing: &Listing) -> Result<(Vec<OwnRow>, i64)> {
    let sql = listed!(
        listing,
        "o.id, o.user_id, u.username, o.phone_number, o.status, o.created_at",
        "FROM own_numbers o JOIN users u ON u.id = o.user_id \
         WHERE ($1 = 0 OR o.user_id = $1) AND ($2 = '' OR o.status = $2) \
         AND ($3 = '' OR o.phone_number COLLATE \"binary\" ILIKE $3 ESCAPE '\\' \
           OR u.username COLLATE \"binary\" ILIKE $3 ESCAPE '\\')",
        "o.id",
        ["phone_number" => "o.phone_number COLLATE \"binary\"", "username" => "u.username COLLATE \"binary\"", "status" => "o.status COLLATE \"binary\""]
    );
    listing
        .rows(tx, sql, args![user.map_or(0, |user| user.0), listing.status, like_pattern(&listing.q)])
        .await
}
