//! Lists of contacts, by page, in an order, or by a text they hold.
//!
//! A page costs about the same wherever it is and however long the list; only a search by text looks at
//! every row.

use std::collections::HashMap;

use talkdrum_api::contact::{Contact, ContactWithGroups, Contacts, ContactsWithGroups, GroupName};

use super::{entry, group};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::{ContactId, GroupId};
use crate::phone;
use crate::store::contact::list::{ContactScope, ContactSort, Pattern, SHORT, Slice};
use crate::store::contact::{ContactRow, group as contact_group, list as pages};
use crate::store::db::listing;
use crate::store::{Tx, contact as table};

/// The columns that lists are sorted by, the usual one first.
pub const SORTS: [&str; 3] = ["created_at", "phone", "name"];

/// Bytes of merge fields that a page holds beyond those of its contacts with the usual ones.
const LEFT_OUT_MAX: i64 = 4 << 20;
/// Bytes that the names of groups take beside the contacts of a page, and what each takes beside its name.
const GROUPS_MAX: usize = 4 << 20;
const GROUP_COST: usize = 64;
/// Groups that the numbers of a page are in.
const GROUP_ROWS_MAX: i64 = 20_000;

/// What of a list was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// One of [`SORTS`].
    pub sort: &'static str,
    /// Which rows.
    pub slice: Slice,
    /// A text that number, name or address hold; empty for all.
    pub q: String,
}

impl Asked {
    /// Whether every row of the list is looked at: a whole number is looked up, and no other text is.
    pub fn is_scan(&self) -> bool {
        !self.q.is_empty() && pattern(&self.q).number <= 0
    }
}

/// The contacts of a group of a user.
///
/// # Errors
/// 404; `sort_too_long`; `page_too_large`.
pub async fn of_group(tx: &mut Tx, user: UserId, id: GroupId, asked: &Asked) -> Result<Contacts> {
    let row = group::find(tx, user, id).await?;
    let (rows, total) = read(tx, ContactScope::Group(id), row.contacts_count, asked).await?;
    Ok(Contacts { contacts: rows.into_iter().map(Contact::try_from).collect::<Result<_>>()?, total })
}

/// All contacts of a user.
///
/// # Errors
/// `sort_too_long`; `page_too_large`.
pub async fn of_user(tx: &mut Tx, user: UserId, asked: &Asked) -> Result<Contacts> {
    let (_, total) = contact_group::totals(tx, user).await?;
    let (rows, total) = read(tx, ContactScope::User(user), total, asked).await?;
    Ok(Contacts { contacts: rows.into_iter().map(Contact::try_from).collect::<Result<_>>()?, total })
}

/// All contacts of a user, each with every group that holds its number.
///
/// # Errors
/// `sort_too_long`; `page_too_large`.
pub async fn with_groups(tx: &mut Tx, user: UserId, asked: &Asked) -> Result<ContactsWithGroups> {
    let Contacts { contacts, total } = of_user(tx, user, asked).await?;
    let mut numbers: Vec<i64> = contacts.iter().filter_map(|contact| contact.phone.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut groups: HashMap<String, Vec<GroupName>> = HashMap::new();
    let rows = table::groups_of(tx, user, &numbers, GROUP_ROWS_MAX + 1).await?;
    if rows.len() as i64 > GROUP_ROWS_MAX {
        return Err(page_too_large());
    }
    for (number, id, group_name) in rows {
        groups.entry(number.to_string()).or_default().push(GroupName { id: id.0, group_name });
    }
    // A number is listed once for each group that it is in, and each time with all of them.
    let of_one =
        |names: &Vec<GroupName>| names.iter().map(|it| it.group_name.len() + GROUP_COST).sum::<usize>();
    let sizes: HashMap<&str, usize> =
        groups.iter().map(|(number, names)| (number.as_str(), of_one(names))).collect();
    let size: usize = contacts.iter().filter_map(|contact| sizes.get(contact.phone.as_str())).sum();
    if size > GROUPS_MAX {
        return Err(page_too_large());
    }
    let with = |contact: Contact| ContactWithGroups {
        groups: groups.get(&contact.phone).cloned().unwrap_or_default(),
        contact,
    };
    Ok(ContactsWithGroups { contacts: contacts.into_iter().map(with).collect(), total })
}

async fn read(tx: &mut Tx, whose: ContactScope, total: i64, asked: &Asked) -> Result<(Vec<ContactRow>, i64)> {
    let (mut rows, total) = listed(tx, whose, total, asked).await?;
    let left_out: i64 = rows.iter().map(|row| row.left_out).sum();
    if left_out > LEFT_OUT_MAX {
        return Err(page_too_large());
    }
    if left_out > 0 {
        let ids = rows.iter().filter(|row| row.left_out > 0).map(|row| row.id).collect();
        let mut fields: HashMap<ContactId, Option<String>> =
            pages::left_out(tx, ids).await?.into_iter().collect();
        for row in rows.iter_mut().filter(|row| row.left_out > 0) {
            row.fields = fields.remove(&row.id).flatten();
        }
    }
    Ok((rows, total))
}

fn page_too_large() -> Error {
    let message =
        "These contacts are too large for one answer: ask for fewer at once, with page and per_page";
    Error::field("per_page", "page_too_large", message)
}

async fn listed(
    tx: &mut Tx,
    whose: ContactScope,
    total: i64,
    asked: &Asked,
) -> Result<(Vec<ContactRow>, i64)> {
    if !asked.q.is_empty() {
        return pages::search(tx, whose, &pattern(&asked.q), asked.slice).await;
    }
    let order = match asked.sort {
        "phone" => ContactSort::Number,
        "name" => ContactSort::Name,
        _ => ContactSort::Added,
    };
    let rows = if total <= SHORT {
        pages::short(tx, whose, order, asked.slice).await?
    } else if order == ContactSort::Added {
        pages::long(tx, whose, asked.slice).await?
    } else {
        return Err(Error::field(
            "sort",
            "sort_too_long",
            format!(
                "A list of {total} contacts is sorted by created_at only (others up to {SHORT}): search it with q, or \
                 export it, which is in order of numbers"
            ),
        ));
    };
    Ok((rows, total))
}

/// What a text searches for: a whole number, a piece of one, or a piece of a name or an address.
fn pattern(q: &str) -> Pattern {
    let number = phone::parse(q).map_or(0, entry::digits);
    let digits: String = q.chars().filter(char::is_ascii_digit).collect();
    let is_number = q.chars().all(|sign| sign.is_ascii_digit() || " +-().".contains(sign));
    // A leading zero is not part of a stored number.
    let digits = digits.trim_start_matches('0');
    let digits = if is_number && digits.len() >= 3 { format!("%{digits}%") } else { String::new() };
    Pattern { number, digits, text: listing::like_pattern(&q.to_ascii_lowercase()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_for_in_every_row_and_a_whole_number_is_not() {
        let is_scan = |q: &str| {
            let slice = Slice { offset: 0, limit: 20, descending: true };
            Asked { sort: SORTS[0], slice, q: q.to_owned() }.is_scan()
        };
        for q in ["", "0803 123 4567", "+2348031234567"] {
            assert!(!is_scan(q), "{q}");
        }
        for q in ["efe", "1234", "efe@example.com", "%"] {
            assert!(is_scan(q), "{q}");
        }
    }
}
