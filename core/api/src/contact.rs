//! Groups, contacts, imports and opt-outs on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::purpose::OptOutReach;

/// A group of contacts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Group {
    /// The group's id.
    pub id: i64,
    /// Its name, which no other group of the user has.
    pub group_name: String,
    /// What it is for.
    pub description: String,
    /// How many contacts it holds.
    pub contacts_count: i64,
    /// Merge fields beside `phone`, `name` and `email`.
    pub columns: Vec<String>,
    /// RFC 3339.
    pub created_at: String,
    /// When it or its contacts changed last, RFC 3339.
    pub updated_at: String,
}

/// `{"groups": [...]}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Groups {
    /// Newest first.
    pub groups: Vec<Group>,
    /// How many there are.
    pub total: i64,
}

/// `GET /api/get/group/{id}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GroupShown {
    /// The group.
    pub group: Group,
}

/// A group that was made or changed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GroupAnswer {
    /// The group.
    pub group: Group,
    /// For people.
    pub message: String,
}

/// A contact: a number in a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Contact {
    /// The contact's id.
    pub id: i64,
    /// Its group.
    pub group_id: i64,
    /// The number in digits with country code.
    pub phone: String,
    /// Empty when it is not known.
    pub name: String,
    /// Empty when it is not known.
    pub email: String,
    /// The other merge fields.
    pub fields: BTreeMap<String, String>,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339.
    pub updated_at: String,
}

/// `{"contacts": [...]}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Contacts {
    /// Newest first, unless asked otherwise.
    pub contacts: Vec<Contact>,
    /// How many there are.
    pub total: i64,
}

/// A contact that was made or changed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ContactAnswer {
    /// The contact.
    pub contact: Contact,
    /// For people.
    pub message: String,
}

/// A group by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GroupName {
    /// The group's id.
    pub id: i64,
    /// Its name.
    pub group_name: String,
}

/// A contact with every group that holds its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContactWithGroups {
    /// The contact.
    #[serde(flatten)]
    pub contact: Contact,
    /// The groups of the caller that hold the number.
    pub groups: Vec<GroupName>,
}

/// `{"contacts": [...]}`, each with its groups.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ContactsWithGroups {
    /// Newest first, unless asked otherwise.
    pub contacts: Vec<ContactWithGroups>,
    /// How many there are.
    pub total: i64,
}

/// Which column of a file was taken for what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportColumns {
    /// The column with the numbers; not there when the file is a list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub phone: Option<String>,
    /// All columns with numbers that were read: the one above, and others that were asked for.
    #[serde(default)]
    pub phones: Vec<String>,
    /// Columns that also hold numbers and were not read, 20 at most and their titles cut to 60 characters: to read them, name all that are wanted in `phone_column`.
    #[serde(default)]
    pub unread: Vec<String>,
    /// The same in sentences.
    #[serde(default)]
    pub notices: Vec<String>,
    /// The columns with the name: one, or first and last.
    #[serde(default)]
    pub name: Vec<String>,
    /// The column with the address.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub email: Option<String>,
    /// Merge fields, under the names that messages use.
    #[serde(default)]
    pub fields: Vec<String>,
}

/// An import and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Import {
    /// The import's id.
    pub id: i64,
    /// What the file was called; empty where that is not known.
    #[serde(default)]
    pub file_name: String,
    /// `group` or `optouts`.
    pub target: String,
    /// The group, when it is one.
    pub group_id: Option<i64>,
    /// `running`, `completed`, `failed` or `interrupted`.
    pub status: String,
    /// Why it failed, and what to do.
    pub error: Option<String>,
    /// Which column was taken for what.
    pub columns: ImportColumns,
    /// Rows of the file that were read.
    pub rows_read: i64,
    /// Different numbers among them; known when the file was read.
    pub valid: i64,
    /// New ones that were written.
    pub added: i64,
    /// Known ones that changed.
    pub updated: i64,
    /// Known ones that were the same.
    pub unchanged: i64,
    /// Numbers given more than once, of which the first was taken.
    pub duplicates: i64,
    /// Entries that are no usable number.
    pub invalid: i64,
    /// Contacts taken without a field that cannot be used, such as a broken e-mail address.
    pub warnings: i64,
    /// Whether its numbers can be sent to: `audience` is then `import:ID`.
    #[serde(default)]
    pub is_sendable: bool,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339.
    pub finished_at: Option<String>,
}

/// An import that was begun, or is done.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ImportAnswer {
    /// The import.
    pub import: Import,
    /// The group it goes to, when it is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<Group>,
    /// For people.
    pub message: String,
}

/// `{"imports": [...]}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Imports {
    /// Newest first.
    pub imports: Vec<Import>,
    /// How many there are.
    pub total: i64,
}

/// A number that gets no messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OptOut {
    /// Its id.
    pub id: i64,
    /// The number in digits with country code.
    pub phone: String,
    /// `manual`, `stop`, `import` or `carrier`.
    pub source: String,
    /// Which messages it ends: `promotional`, or `all` but codes.
    #[serde(default)]
    pub reach: OptOutReach,
    /// What was noted with it.
    pub note: String,
    /// Since when, RFC 3339.
    pub created_at: String,
}

/// `{"optouts": [...]}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OptOuts {
    /// Newest first.
    pub optouts: Vec<OptOut>,
    /// How many there are.
    pub total: i64,
}

/// An opt-out that was made.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OptOutAnswer {
    /// The opt-out.
    pub optout: OptOut,
    /// For people.
    pub message: String,
}
