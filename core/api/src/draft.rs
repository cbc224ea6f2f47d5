//! What a customer writes and has not sent yet.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A form that is not sent yet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FormDraft {
    /// Its id.
    pub id: i64,
    /// What it is of: `sms` or `call`.
    pub form: String,
    /// What it is shown as, such as the beginning of its text.
    pub title: String,
    /// The fields as they were saved, an object in JSON; left out of lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<String>,
    /// One more with every change, those of its files included. A change names the version that it is of.
    pub version: i64,
    /// The key that the page made which began it, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its files, in the order in which they were added.
    pub files: Vec<DraftFile>,
    /// When it was last changed. A draft that is not changed for 30 days is removed.
    pub updated_at: String,
    /// When it was begun.
    pub created_at: String,
}

/// A file of a draft.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DraftFile {
    /// Its id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: i64,
    /// When it was added.
    pub created_at: String,
}

/// `GET /api/drafts`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FormDrafts {
    /// The last changed first.
    pub drafts: Vec<FormDraft>,
}

/// A draft that was changed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DraftSaved {
    /// What was done.
    pub message: String,
    /// The draft as it is now.
    pub draft: FormDraft,
}

/// A draft that a file was added to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DraftFileAdded {
    /// What was done.
    pub message: String,
    /// The file's id.
    pub file_id: i64,
    /// The draft as it is now.
    pub draft: FormDraft,
}
