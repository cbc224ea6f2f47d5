//! Canaries: the few recipients of a campaign who get their message before the rest.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The canary of a quote: so many recipients get the message first, spread over the networks. The rest waits until enough
/// of their messages were delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuoteCanary {
    /// Recipients of each run.
    pub size: i64,
    /// Of these, seeds: numbers of the sender's own that were given to be among the first.
    #[serde(default)]
    pub seeds: i64,
    /// How many of a hundred must be delivered; of calls, answered.
    pub delivery: i64,
    /// How many seconds receipts are waited for, from when each of these messages was handed to a carrier once.
    pub wait_s: i64,
}

/// Where the canary of a campaign is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CampaignCanary {
    /// `running`: the rest waits; `passed`: the rest goes out; `failed`: the campaign was paused; `resumed`: it failed, and the
    /// rest was let go all the same; `stopped`: the campaign was cancelled before it was decided.
    pub state: String,
    /// Its recipients.
    pub size: i64,
    /// Its messages that were delivered; of calls, answered.
    pub delivered: i64,
    /// Its messages that were not, as far as is known.
    pub failed: i64,
    /// How many of a hundred must be delivered.
    pub delivery: i64,
    /// How many that are.
    pub needed: i64,
    /// How many seconds receipts are waited for.
    pub wait_s: i64,
    /// When what is not delivered by then counts as failed; a platform that started later listens as long, ten minutes at most. `null`
    /// until each of its messages was handed to a carrier once, while the campaign is paused, and once it is decided.
    pub until: Option<String>,
}
