//! Single calls of a campaign.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How the last call of a message went.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CallDetails {
    /// Calls so far.
    pub attempts: i64,
    /// `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`, `trunk_error` or `failed`.
    pub outcome: String,
    /// When it was answered.
    pub answered_at: Option<String>,
    /// How long it was up, in ms.
    pub up_ms: i64,
    /// How much of the clip was heard, in ms.
    pub heard_ms: i64,
    /// The keys that were pressed.
    pub digits: String,
    /// Who ended it: `caller`, `callee` or `trunk`.
    pub ended_by: String,
    /// The trunk's code, where it has one: with SIP that of the last answer.
    pub code: Option<i64>,
}
