//! Pages of contacts: of one group, or of all groups of a user.
//!
//! A short list is sorted where it lies; a long one is in order of its ids, and a page of it walks the buckets' counters
//! and then reads a few ranges of ids. The invariant: no page of an unfiltered list costs more than [`SHORT`] rows.

use super::contact::{BUCKET, ContactRow};
use crate::args;
use crate::error::Result;
use crate::store::{Sql, Tx};

/// Lists up to this long are sorted as a whole.
pub const SHORT: i64 = 20_000;

/// Whose contacts are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// One group's. The caller knows that it is the user's.
    Group(i64),
    /// All of a user's.
    User(i64),
}

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By id: as they were added.
    Added,
    /// By number.
    Number,
    /// By name, without regard to case.
    Name,
}

/// Which rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Rows before them.
    pub offset: i64,
    /// How many.
    pub limit: i64,
    /// Whether the greatest come first.
    pub descending: bool,
}

macro_rules! listed {
    ($order:literal) => {
        concat!(
            "SELECT c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at \
             FROM contact_groups g JOIN contacts c ON c.group_id = g.id \
             WHERE (g.id = $1 OR g.user_id = $2) AND g.deleted_at IS NULL ORDER BY ",
            $order,
            " LIMIT $3 OFFSET $4"
        )
    };
}

/// A page of a list that is at most [`SHORT`].
pub async fn short(tx: &mut Tx, whose: Whose, order: Order, slice: Slice) -> Result<Vec<ContactRow>> {
    let sql = match (order, slice.descending) {
        (Order::Added, true) => listed!("c.id DESC"),
        (Order::Added, false) => listed!("c.id"),
        (Order::Number, true) => listed!("c.number DESC, c.id"),
        (Order::Number, false) => listed!("c.number, c.id"),
        (Order::Name, true) => listed!("lower(c.name) DESC, c.id"),
        (Order::Name, false) => listed!("lower(c.name), c.id"),
    };
    let (group, user) = match whose {
        Whose::Group(group) => (group, -1),
        Whose::User(user) => (-1, user),
    };
    tx.all(sql, args![group, user, slice.limit, slice.offset]).await
}

/// The counters of a list: `(bucket, contacts)`, ascending.
async fn buckets(tx: &mut Tx, whose: Whose) -> Result<Vec<(i64, i64)>> {
    match whose {
        Whose::Group(group) => {
            tx.all(
                "SELECT bucket, contacts FROM contact_buckets WHERE group_id = $1 AND contacts > 0 ORDER BY bucket",
                args![group],
            )
            .await
        }
        Whose::User(user) => {
            tx.all(
                "SELECT b.bucket, CAST(SUM(b.contacts) AS BIGINT) FROM contact_groups g \
                 JOIN contact_buckets b ON b.group_id = g.id \
                 WHERE g.user_id = $1 AND g.deleted_at IS NULL AND b.contacts > 0 GROUP BY b.bucket ORDER BY b.bucket",
                args![user],
            )
            .await
        }
    }
}

/// The plus keeps both databases on the range of ids, whatever they think of the other indexes.
macro_rules! ranged {
    ($whose:literal, $order:literal) => {
        concat!(
            "SELECT c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at \
             FROM contacts c WHERE c.id >= $1 AND c.id < $2 AND ",
            $whose,
            " ORDER BY c.id ",
            $order,
            " LIMIT $4 OFFSET $5"
        )
    };
}

const OF_GROUP_DOWN: &str = ranged!("+c.group_id = $3", "DESC");
const OF_GROUP_UP: &str = ranged!("+c.group_id = $3", "ASC");
const OF_USER_DOWN: &str = ranged!(
    "+c.group_id IN (SELECT g.id FROM contact_groups g WHERE g.user_id = $3 AND g.deleted_at IS NULL)",
    "DESC"
);
const OF_USER_UP: &str = ranged!(
    "+c.group_id IN (SELECT g.id FROM contact_groups g WHERE g.user_id = $3 AND g.deleted_at IS NULL)",
    "ASC"
);

/// A page of a list of any length, by id.
pub async fn long(tx: &mut Tx, whose: Whose, slice: Slice) -> Result<Vec<ContactRow>> {
    let mut buckets = buckets(tx, whose).await?;
    if slice.descending {
        buckets.reverse();
    }
    let mut skip = slice.offset;
    let mut rows: Vec<ContactRow> = Vec::new();
    for (bucket, contacts) in buckets {
        if skip >= contacts {
            skip -= contacts;
            continue;
        }
        let wanted = slice.limit - i64::try_from(rows.len()).unwrap_or(slice.limit);
        if wanted <= 0 {
            break;
        }
        let (sql, owner) = match (whose, slice.descending) {
            (Whose::Group(group), true) => (OF_GROUP_DOWN, group),
            (Whose::Group(group), false) => (OF_GROUP_UP, group),
            (Whose::User(user), true) => (OF_USER_DOWN, user),
            (Whose::User(user), false) => (OF_USER_UP, user),
        };
        let found: Vec<ContactRow> =
            tx.all(sql, args![bucket * BUCKET, (bucket + 1) * BUCKET, owner, wanted, skip]).await?;
        rows.extend(found);
        skip = 0;
    }
    Ok(rows)
}

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The whole number, when the text is one.
    pub number: i64,
    /// `%digits%` of the text, or something no number has.
    pub digits: String,
    /// `%text%` for names and addresses.
    pub text: String,
}

macro_rules! found {
    ($select:literal, $like:literal, $tail:literal) => {
        concat!(
            "SELECT ",
            $select,
            " FROM contact_groups g JOIN contacts c ON c.group_id = g.id \
             WHERE (g.id = $1 OR g.user_id = $2) AND g.deleted_at IS NULL AND (c.number = $3 \
             OR c.name ",
            $like,
            " $4 ESCAPE '\\' OR c.email ",
            $like,
            " $4 ESCAPE '\\' OR ($5 <> '' AND CAST(c.number AS TEXT) LIKE $5))",
            $tail
        )
    };
}

/// SQLite's LIKE is blind to the case of ASCII letters, PostgreSQL's ILIKE to any.
const FOUND: Sql = Sql::each(
    found!(
        "c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at",
        "LIKE",
        " ORDER BY c.id DESC LIMIT $6 OFFSET $7"
    ),
    found!(
        "c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at",
        "ILIKE",
        " ORDER BY c.id DESC LIMIT $6 OFFSET $7"
    ),
);
const FOUND_COUNT: Sql = Sql::each(found!("COUNT(*)", "LIKE", ""), found!("COUNT(*)", "ILIKE", ""));

const BY_NUMBER: &str = "SELECT c.id, c.group_id, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at \
     FROM contact_groups g JOIN contacts c ON c.group_id = g.id AND c.number = $3 \
     WHERE (g.id = $1 OR g.user_id = $2) AND g.deleted_at IS NULL ORDER BY c.id DESC";

/// The contacts that match, newest first, and how many there are. A whole number is looked up; anything else is looked
/// for in every row of the list.
pub async fn search(
    tx: &mut Tx,
    whose: Whose,
    pattern: &Pattern,
    slice: Slice,
) -> Result<(Vec<ContactRow>, i64)> {
    let (group, user) = match whose {
        Whose::Group(group) => (group, -1),
        Whose::User(user) => (-1, user),
    };
    if pattern.number > 0 {
        // One for each group at most.
        let rows: Vec<ContactRow> = tx.all(BY_NUMBER, args![group, user, pattern.number]).await?;
        let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let skip = usize::try_from(slice.offset).unwrap_or(usize::MAX);
        let take = usize::try_from(slice.limit).unwrap_or(0);
        return Ok((rows.into_iter().skip(skip).take(take).collect(), total));
    }
    let (total,): (i64,) =
        tx.one(FOUND_COUNT, args![group, user, pattern.number, &pattern.text, &pattern.digits]).await?;
    let rows = tx
        .all(
            FOUND,
            args![group, user, pattern.number, &pattern.text, &pattern.digits, slice.limit, slice.offset],
        )
        .await?;
    Ok((rows, total))
}

/// The plans of the pages of long lists, for the test that reads them.
#[cfg(test)]
pub(super) async fn plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let mut plans = Vec::new();
    for sql in [OF_GROUP_DOWN, OF_GROUP_UP, OF_USER_DOWN, OF_USER_UP] {
        plans.push(tx.explain(sql, args![0_i64, BUCKET, 1_i64, 20_i64, 0_i64]).await?);
    }
    Ok(plans)
}
