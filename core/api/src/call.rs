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
    /// How it answered its campaign's question: a key of it, `9` where the person only opted out, `other` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Who ended it: `caller`, `callee` or `trunk`.
    pub ended_by: String,
    /// The trunk's code, where it has one: with SIP that of the last answer.
    pub code: Option<i64>,
}

/// A question that calls ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Question {
    /// How often it is played at most, while no key is pressed.
    pub plays: u8,
    /// The keys that answer it. 9 is none of them: it always opts out.
    pub keys: Vec<QuestionKey>,
}

/// A key and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuestionKey {
    /// `0` to `8`, `*` or `#`.
    pub key: String,
    /// What it stands for.
    pub label: String,
}

/// How often an answer was given to the question of a campaign of calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PollAnswer {
    /// A key of the question; `9` where the person only opted out, `other` where only other keys were pressed, `none`.
    pub key: String,
    /// What it stands for.
    pub label: String,
    /// Answered calls. Of several keys the first one of the question counts.
    pub count: i64,
    /// Its share of the answered calls, in thousandths; none while there are none.
    pub per_mille: Option<i64>,
}
