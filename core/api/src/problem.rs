//! The one form of every error: an RFC 9457 problem document with the specification's `message` beside it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `application/problem+json`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A relative reference that names the kind of problem: `/problems/{code}`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong and what to do.
    pub detail: String,
    /// Stable, snake case.
    pub code: String,
    /// The same text as `detail`: the specification's clients show it.
    pub message: String,
    /// The fields at fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// Names the request in the daemon's log.
    pub request_id: String,
    /// Only with an expired session, as the specification's clients expect: `Token error: Token has expired`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A field at fault.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct FieldProblem {
    /// The field's name in the request.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}
