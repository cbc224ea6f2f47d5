//! Single contacts: added, edited, removed.
//!
//! A number is in a group once, and is one that may take an SMS.

use std::collections::BTreeMap;

use talkdrum_api::contact::Contact;

use super::field;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::Email;
use crate::model::contact::id::{ContactId, GroupId};
use crate::phone::{self, Msisdn};
use crate::platform::quota::Quotas;
use crate::store::contact::{ContactRow, NewRow, group};
use crate::store::{Tx, contact as table};
use crate::time::Time;

/// Characters of a name.
pub(super) const NAME_MAX: usize = 200;

/// A contact to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewContact {
    number: Msisdn,
    name: String,
    email: String,
    fields: BTreeMap<String, String>,
}

/// What is to change of a contact; `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    number: Option<Msisdn>,
    name: Option<String>,
    email: Option<String>,
    fields: BTreeMap<String, String>,
}

impl NewContact {
    /// Checks what was typed. `fields` are `name=value`.
    ///
    /// # Errors
    /// The specification's `Please provide a phone number.`; why it is none; a broken address or field.
    pub fn parse(phone: &str, name: &str, email: &str, fields: &[String]) -> Result<Self> {
        let number = number_of(phone)?;
        let mut fields = field::parse(fields)?;
        fields.retain(|_, value| !value.is_empty());
        Ok(Self { number, name: name_of(name), email: email_of(email)?, fields })
    }
}

impl Patch {
    /// Checks what was typed; see [`NewContact::parse`]. An empty name, address or field is removed.
    ///
    /// # Errors
    /// As for a new contact.
    pub fn parse(
        phone: Option<&str>,
        name: Option<&str>,
        email: Option<&str>,
        fields: &[String],
    ) -> Result<Self> {
        Ok(Self {
            number: phone.map(number_of).transpose()?,
            name: name.map(name_of),
            email: email.map(email_of).transpose()?,
            fields: field::parse(fields)?,
        })
    }
}

/// A number that was typed.
pub(super) fn number_of(text: &str) -> Result<Msisdn> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::field("phone", "phone_required", "Please provide a phone number."));
    }
    phone::parse(text).map_err(|reason| {
        Error::field("phone", reason.code(), format!("'{text}' is no usable number. {reason}"))
    })
}

fn name_of(text: &str) -> String {
    text.trim().chars().filter(|sign| !sign.is_control()).take(NAME_MAX).collect()
}

fn email_of(text: &str) -> Result<String> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    Ok(text.parse::<Email>()?.as_str().to_owned())
}

/// Refuses merge fields that are too long, unless they are shorter than before.
fn check_length(fields: Option<&str>, before: Option<&str>) -> Result<()> {
    match fields {
        Some(fields) if field::is_too_long(fields) && fields.len() > before.map_or(0, str::len) => {
            Err(Error::field("field", field::TOO_LONG, field::too_long()))
        }
        _ => Ok(()),
    }
}

/// Adds a contact to a group and returns its id.
///
/// # Errors
/// 404 for the group; `contact_exists`; `fields_too_long`; `contacts_quota`.
pub async fn create(
    tx: &mut Tx,
    user: UserId,
    group: GroupId,
    (new, quotas): (&NewContact, &Quotas),
    now: Time,
) -> Result<ContactId> {
    lock_with_columns(tx, user, group, &new.fields, now).await?;
    let fields = field::to_json(&new.fields)?;
    check_length(fields.as_deref(), None)?;
    let row =
        NewRow { number: digits(new.number), name: &new.name, email: &new.email, fields: fields.as_deref() };
    let id = table::insert(tx, group, &row, now).await?.ok_or_else(|| exists(new.number))?;
    quotas.check_contacts(tx, user).await?;
    Ok(id)
}

/// Changes a contact.
///
/// # Errors
/// 404; `contact_exists` when the new number is another contact's of the group; `fields_too_long`.
pub async fn edit(tx: &mut Tx, user: UserId, id: ContactId, patch: &Patch, now: Time) -> Result<()> {
    let before = table::by_id(tx, user, id).await?.ok_or(Error::NotFound("contact"))?;
    let group = before.group_id;
    lock_with_columns(tx, user, group, &patch.fields, now).await?;
    // Read again under the hold: what was read before it may have changed.
    let before = table::by_id(tx, user, id).await?.ok_or(Error::NotFound("contact"))?;
    let mut fields = field::from_json(before.fields.as_deref())?;
    for (name, value) in &patch.fields {
        match value.is_empty() {
            true => fields.remove(name),
            false => fields.insert(name.clone(), value.clone()),
        };
    }
    let fields = field::to_json(&fields)?;
    check_length(fields.as_deref(), before.fields.as_deref())?;
    let row = NewRow {
        number: patch.number.map_or(before.number, digits),
        name: patch.name.as_ref().unwrap_or(&before.name),
        email: patch.email.as_ref().unwrap_or(&before.email),
        fields: fields.as_deref(),
    };
    if table::update(tx, group, id, &row, now).await? {
        return Ok(());
    }
    Err(patch.number.map_or_else(|| Error::Corrupt("a contact is in its group twice".into()), exists))
}

/// Removes a contact from its group.
///
/// # Errors
/// 404.
pub async fn remove(tx: &mut Tx, user: UserId, id: ContactId, now: Time) -> Result<()> {
    let row = table::by_id(tx, user, id).await?.ok_or(Error::NotFound("contact"))?;
    group::lock(tx, user, row.group_id, now).await?.ok_or(Error::NotFound("contact"))?;
    if table::delete(tx, row.group_id, id).await? { Ok(()) } else { Err(Error::NotFound("contact")) }
}

/// A contact of a user.
///
/// # Errors
/// 404.
pub async fn show(tx: &mut Tx, user: UserId, id: ContactId) -> Result<Contact> {
    table::by_id(tx, user, id).await?.ok_or(Error::NotFound("contact"))?.try_into()
}

async fn lock_with_columns(
    tx: &mut Tx,
    user: UserId,
    group: GroupId,
    fields: &BTreeMap<String, String>,
    now: Time,
) -> Result<()> {
    let columns = group::lock(tx, user, group, now).await?.ok_or(Error::NotFound("group"))?;
    let names = fields.iter().filter(|(_, value)| !value.is_empty()).map(|(name, _)| name.as_str());
    if let Some(columns) = field::with_columns(&columns, names)? {
        group::set_columns(tx, group, &columns).await?;
    }
    Ok(())
}

fn exists(number: Msisdn) -> Error {
    Error::field("phone", "contact_exists", format!("{number} is in this group already"))
}

/// A number as it is stored.
pub(super) fn digits(number: Msisdn) -> i64 {
    number.digits().cast_signed()
}

impl TryFrom<ContactRow> for Contact {
    type Error = Error;

    fn try_from(row: ContactRow) -> Result<Self> {
        Ok(Self {
            id: row.id.0,
            group_id: row.group_id.0,
            phone: row.number.to_string(),
            fields: field::from_json(row.fields.as_deref())?,
            name: row.name,
            email: row.email,
            created_at: row.created_at.to_rfc3339(),
            updated_at: row.updated_at.to_rfc3339(),
        })
    }
}
