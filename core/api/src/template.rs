//! Texts that a customer keeps to write with.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text that is kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Template {
    /// Its id.
    pub id: i64,
    /// Its name: of a user's templates no two have the same, in whatever case.
    pub name: String,
    /// What it says, with its merge fields.
    pub text: String,
    /// When it was made.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
}

/// `GET /api/templates`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Templates {
    /// In order of names.
    pub templates: Vec<Template>,
}

/// A template that was made or changed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TemplateSaved {
    /// What was done.
    pub message: String,
    /// The template as it is now.
    pub template: Template,
}
