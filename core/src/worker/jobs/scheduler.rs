//! The schedule: campaigns start sending at their time.

use crate::error::Result;
use crate::model::campaign::id::CampaignId;
use crate::store::{Lane, Store, campaign};
use crate::time::Time;

/// Starts the campaigns that are due and returns them. Those of inactive users pause instead.
pub async fn tick(store: &Store, now: Time) -> Result<Vec<CampaignId>> {
    if campaign::next_due(&mut store.read().await?).await?.is_none_or(|due| due > now) {
        return Ok(Vec::new());
    }
    store.write(Lane::Interactive, now, |tx, now| Box::pin(campaign::start_due(tx, *now))).await
}
