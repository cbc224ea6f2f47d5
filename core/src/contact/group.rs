//! Groups: made, listed, renamed, deleted.
//!
//! Of a user's groups no two have the same name, whatever its case.

use talkdrum_api::contact::{Group, Groups};

use super::field;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::GroupId;
use crate::store::Tx;
use crate::store::contact::group as table;
use crate::store::contact::group::GroupRow;
use crate::time::Time;

/// Groups of one user.
const GROUPS_MAX: i64 = 1_000;
/// Characters of a name.
const NAME_MAX: usize = 100;
/// Characters of a description.
const DESCRIPTION_MAX: usize = 500;

/// What a user calls a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGroup {
    name: String,
    key: String,
    description: String,
}

impl NewGroup {
    /// Checks name and description.
    ///
    /// # Errors
    /// The specification's `Please provide a group name.`, and the bounds.
    pub fn parse(name: &str, description: &str) -> Result<Self> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::field("group_name", "group_name_required", "Please provide a group name."));
        }
        if name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
            return Err(Error::field(
                "group_name",
                "group_name_invalid",
                format!("A group name has at most {NAME_MAX} characters, all on one line"),
            ));
        }
        let description = description.trim();
        if description.chars().count() > DESCRIPTION_MAX || description.contains('\0') {
            return Err(Error::field(
                "description",
                "description_too_long",
                format!("A description has at most {DESCRIPTION_MAX} characters"),
            ));
        }
        Ok(Self { name: name.to_owned(), key: key_of(name), description: description.to_owned() })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A name as it is compared.
fn key_of(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Makes a group and returns its id.
///
/// # Errors
/// `group_name_taken`, `too_many_groups`.
pub async fn create(tx: &mut Tx, user: UserId, new: &NewGroup, now: Time) -> Result<GroupId> {
    let (groups, _) = table::totals(tx, user).await?;
    if groups >= GROUPS_MAX {
        return Err(Error::rule(
            "too_many_groups",
            format!("You have {GROUPS_MAX} groups, and that is the most: delete or join some of them"),
        ));
    }
    let id = table::insert(tx, user, &new.name, &new.key, &new.description, now).await?;
    id.ok_or_else(|| name_taken(new))
}

/// Gives a group another name and description.
///
/// # Errors
/// 404, `group_name_taken`.
pub async fn rename(tx: &mut Tx, user: UserId, id: GroupId, new: &NewGroup, now: Time) -> Result<()> {
    match table::update(tx, (user, id), &new.name, &new.key, &new.description, now).await? {
        Some(true) => Ok(()),
        Some(false) => Err(name_taken(new)),
        None => Err(Error::NotFound("group")),
    }
}

fn name_taken(new: &NewGroup) -> Error {
    Error::field(
        "group_name",
        "group_name_taken",
        format!("You have a group '{}' already: choose another name, or add to that group", new.name),
    )
}

/// Deletes a group with its contacts.
///
/// # Errors
/// 404.
pub async fn delete(tx: &mut Tx, user: UserId, id: GroupId, now: Time) -> Result<()> {
    if table::delete(tx, user, id, now).await? { Ok(()) } else { Err(Error::NotFound("group")) }
}

/// A group of a user.
///
/// # Errors
/// 404.
pub async fn find(tx: &mut Tx, user: UserId, id: GroupId) -> Result<GroupRow> {
    table::by_id(tx, id).await?.filter(|row| row.user_id == user).ok_or(Error::NotFound("group"))
}

/// The groups of a user whose name holds `q`, or is exactly `name`, in the order asked for: `offset` and `limit` of them,
/// and how many there are.
pub async fn list(
    tx: &mut Tx,
    user: UserId,
    (q, name): (&str, Option<&str>),
    (sort, descending): (&str, bool),
    (offset, limit): (i64, i64),
) -> Result<Groups> {
    let mut rows = match name {
        Some(name) => Vec::from_iter(table::by_name(tx, user, &key_of(name)).await?),
        None => table::all_of(tx, user).await?,
    };
    let q = q.to_lowercase();
    rows.retain(|row| row.name.to_lowercase().contains(&q) || row.description.to_lowercase().contains(&q));
    match sort {
        "group_name" => rows.sort_by_key(|row| row.name.to_lowercase()),
        "contacts_count" => rows.sort_by_key(|row| row.contacts_count),
        _ => rows.sort_by_key(|row| row.id),
    }
    if descending {
        rows.reverse();
    }
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let take = usize::try_from(limit).unwrap_or(0);
    let groups = rows.into_iter().skip(skip).take(take).map(Group::try_from).collect::<Result<_>>()?;
    Ok(Groups { groups, total })
}

impl TryFrom<GroupRow> for Group {
    type Error = Error;

    fn try_from(row: GroupRow) -> Result<Self> {
        Ok(Self {
            id: row.id.0,
            columns: field::columns(&row.columns)?,
            group_name: row.name,
            description: row.description,
            contacts_count: row.contacts_count,
            created_at: row.created_at.to_rfc3339(),
            updated_at: row.updated_at.to_rfc3339(),
        })
    }
}
