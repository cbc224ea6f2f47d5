//! Pages of contacts: of one group, or of all groups of a user.
//!
//! A short list is sorted where it lies; a long one is in order of its ids, and a page of it walks the buckets' counters
//! and then reads a few ranges of ids. No page of an unfiltered list costs more than [`SHORT`] rows, and
//! none holds merge fields of more than [`FIELDS_LISTED`] bytes a contact, see [`left_out`].

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::contact::id::{ContactId, GroupId};
use crate::store::Column;
use crate::store::contact::{BUCKET, ContactRow};
use crate::store::{Sql, Tx};
use crate::{args, sql};

/// Lists up to this long are sorted as a whole.
pub const SHORT: i64 = 20_000;

/// Bytes of merge fields that a list shows of a contact: all that one may have. Those of contacts with more, which earlier
/// versions took, are left out, and read by [`left_out`] where there are few.
pub const FIELDS_LISTED: i64 = 4_096;

macro_rules! columns {
    () => {
        "c.id, c.group_id, c.number, c.name, c.email, \
         CASE WHEN octet_length(c.fields) > 4096 THEN NULL ELSE c.fields END AS fields, c.created_at, c.updated_at, \
         CAST(CASE WHEN octet_length(c.fields) > 4096 THEN octet_length(c.fields) ELSE 0 END AS BIGINT) AS left_out"
    };
}

/// The merge fields of contacts, by id.
pub async fn left_out(tx: &mut Tx, ids: Vec<ContactId>) -> Result<Vec<(ContactId, Option<String>)>> {
    let sql = sql!("SELECT id, fields FROM contacts WHERE id = ANY($1::BIGINT[])");
    tx.all(sql, args![vec![Column::of(ids)]]).await
}

/// Whose contacts are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactScope {
    /// One group's. The caller knows that it is the user's.
    Group(GroupId),
    /// All of a user's.
    User(UserId),
}

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactSort {
    /// By id: as they were added.
    Added,
    /// By number.
    Number,
    /// By name, without regard to the case of ASCII letters.
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
            "SELECT ",
            columns!(),
            " FROM contact_groups g JOIN contacts c ON c.group_id = g.id \
             WHERE (g.id = $1 OR g.user_id = $2) AND g.deleted_at IS NULL ORDER BY ",
            $order,
            " LIMIT $3 OFFSET $4"
        )
    };
}

/// A page of a list that is at most [`SHORT`].
pub async fn short(
    tx: &mut Tx,
    whose: ContactScope,
    order: ContactSort,
    slice: Slice,
) -> Result<Vec<ContactRow>> {
    let sql = match (order, slice.descending) {
        (ContactSort::Added, true) => listed!("c.id DESC"),
        (ContactSort::Added, false) => listed!("c.id"),
        (ContactSort::Number, true) => listed!("c.number DESC, c.id"),
        (ContactSort::Number, false) => listed!("c.number, c.id"),
        (ContactSort::Name, true) => listed!("lower(c.name COLLATE \"binary\") DESC, c.id"),
        (ContactSort::Name, false) => listed!("lower(c.name COLLATE \"binary\"), c.id"),
    };
    let (group, user) = match whose {
        ContactScope::Group(group) => (group.0, -1),
        ContactScope::User(user) => (-1, user.0),
    };
    tx.all(sql, args![group, user, slice.limit, slice.offset]).await
}

/// The counters of a list: `(bucket, contacts)`, ascending.
async fn buckets(tx: &mut Tx, whose: ContactScope) -> Result<Vec<(i64, i64)>> {
    match whose {
        ContactScope::Group(group) => {
            tx.all(
                "SELECT bucket, contacts FROM contact_buckets WHERE group_id = $1 AND contacts > 0 ORDER BY bucket",
                args![group],
            )
            .await
        }
        ContactScope::User(user) => {
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

/// The unary plus hides a column from the planners, so that both databases read the range of ids and no other index.
macro_rules! ranged {
    ($whose:literal, $order:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM contacts c WHERE c.id >= $1 AND c.id < $2 AND ",
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
pub async fn long(tx: &mut Tx, whose: ContactScope, slice: Slice) -> Result<Vec<ContactRow>> {
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
            (ContactScope::Group(group), true) => (OF_GROUP_DOWN, group.0),
            (ContactScope::Group(group), false) => (OF_GROUP_UP, group.0),
            (ContactScope::User(user), true) => (OF_USER_DOWN, user.0),
            (ContactScope::User(user), false) => (OF_USER_UP, user.0),
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

/// The contacts of `$whose` groups: by the index of groups and numbers, however many other users have.
macro_rules! among {
    ($select:expr, $whose:literal, $tail:literal, $($which:tt)+) => {
        concat!(
            "SELECT ",
            $select,
            " FROM contacts c WHERE c.group_id IN (SELECT g.id FROM contact_groups g WHERE g.",
            $whose,
            " = $1 AND g.deleted_at IS NULL) AND ",
            $($which)+,
            $tail
        )
    };
}

macro_rules! rows {
    ($whose:literal, $tail:literal, $($which:tt)+) => {
        among!(
            columns!(),
            $whose,
            $tail,
            $($which)+
        )
    };
}

macro_rules! alike {
    () => {
        "(c.name COLLATE \"binary\" ILIKE $2 ESCAPE '\\' OR c.email COLLATE \"binary\" ILIKE $2 ESCAPE '\\' \
          OR ($3 <> '' AND CAST(c.number AS TEXT) LIKE $3))"
    };
}

const BY_NUMBER_OF_GROUP: &str = rows!("id", " ORDER BY c.id DESC", "c.number = $2");
const BY_NUMBER_OF_USER: &str = rows!("user_id", " ORDER BY c.id DESC", "c.number = $2");
const FOUND_OF_GROUP: Sql = sql!(rows!("id", " ORDER BY c.id DESC LIMIT $4 OFFSET $5", alike!()));
const FOUND_OF_USER: Sql = sql!(rows!("user_id", " ORDER BY c.id DESC LIMIT $4 OFFSET $5", alike!()));
const FOUND_COUNT_OF_GROUP: Sql = sql!(among!("COUNT(*)", "id", "", alike!()));
const FOUND_COUNT_OF_USER: Sql = sql!(among!("COUNT(*)", "user_id", "", alike!()));

/// The contacts that match, newest first, and how many there are. A whole number is looked up; anything else is looked
/// for in every row of the list.
pub async fn search(
    tx: &mut Tx,
    whose: ContactScope,
    pattern: &Pattern,
    slice: Slice,
) -> Result<(Vec<ContactRow>, i64)> {
    let (by_number, found, count, owner) = match whose {
        ContactScope::Group(group) => (BY_NUMBER_OF_GROUP, FOUND_OF_GROUP, FOUND_COUNT_OF_GROUP, group.0),
        ContactScope::User(user) => (BY_NUMBER_OF_USER, FOUND_OF_USER, FOUND_COUNT_OF_USER, user.0),
    };
    if pattern.number > 0 {
        // One for each group at most.
        let rows: Vec<ContactRow> = tx.all(by_number, args![owner, pattern.number]).await?;
        let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let skip = usize::try_from(slice.offset).unwrap_or(usize::MAX);
        let take = usize::try_from(slice.limit).unwrap_or(0);
        return Ok((rows.into_iter().skip(skip).take(take).collect(), total));
    }
    let (total,): (i64,) = tx.one(count, args![owner, &pattern.text, &pattern.digits]).await?;
    let rows = tx.all(found, args![owner, &pattern.text, &pattern.digits, slice.limit, slice.offset]).await?;
    Ok((rows, total))
}

/// The plans of the pages of long lists, for the test that reads them.
#[cfg(test)]
pub(crate) async fn plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let mut plans = Vec::new();
    for sql in [OF_GROUP_DOWN, OF_GROUP_UP, OF_USER_DOWN, OF_USER_UP] {
        plans.push(tx.explain(sql, args![0_i64, BUCKET, 1_i64, 20_i64, 0_i64]).await?);
    }
    Ok(plans)
}

/// The plans of searches, for the test that reads them.
#[cfg(test)]
pub(crate) async fn search_plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let mut plans = Vec::new();
    for sql in [BY_NUMBER_OF_GROUP, BY_NUMBER_OF_USER] {
        plans.push(tx.explain(sql, args![1_i64, 2_348_031_234_567_i64]).await?);
    }
    for sql in [FOUND_OF_GROUP, FOUND_OF_USER] {
        plans.push(tx.explain(sql, args![1_i64, "%ada%", "", 20_i64, 0_i64]).await?);
    }
    for sql in [FOUND_COUNT_OF_GROUP, FOUND_COUNT_OF_USER] {
        plans.push(tx.explain(sql, args![1_i64, "%ada%", ""]).await?);
    }
    Ok(plans)
}
