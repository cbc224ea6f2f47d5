//! Where the canary of a campaign is, as the campaign shows it.

use std::collections::HashMap;

use talkdrum_api::campaign::Campaign;
use talkdrum_api::canary::CampaignCanary;

use crate::error::Result;
use crate::model::campaign::canary::Canary;
use crate::model::campaign::id::CampaignId;
use crate::model::message::status::CampaignStatus;
use crate::store::Tx;
use crate::store::campaign::canary as table;
use crate::time::Time;

/// What holds a campaign whose canary failed.
pub(crate) const HELD: &str = "canary";
/// The state of a canary that is not decided.
const RUNNING: &str = "running";

/// Fills the canaries of these campaigns, those that have one.
pub(super) async fn add<'c>(
    tx: &mut Tx,
    with: Vec<CampaignId>,
    campaigns: impl Iterator<Item = &'c mut Campaign>,
) -> Result<()> {
    if with.is_empty() {
        return Ok(());
    }
    let canaries = table::of(tx, with).await?;
    let mut canaries: HashMap<CampaignId, Canary> =
        canaries.into_iter().map(|it| (it.campaign_id, it)).collect();
    for campaign in campaigns {
        let Some(canary) = canaries.remove(&CampaignId(campaign.id)) else { continue };
        let has_failed = canary.failed_at.is_some() && canary.passed_at.is_none();
        if has_failed && campaign.status == CampaignStatus::Paused.code() {
            // What only an administrator lets go comes before what its owner does.
            campaign.held.get_or_insert_with(|| HELD.to_owned());
        }
        campaign.canary = Some(shown(&canary, &campaign.status));
    }
    Ok(())
}

fn shown(canary: &Canary, status: &str) -> CampaignCanary {
    let is = |one: CampaignStatus| status == one.code();
    let state = match (canary.failed_at, canary.passed_at) {
        (None, None) if is(CampaignStatus::Cancelled) || is(CampaignStatus::Failed) => "stopped",
        (None, None) => RUNNING,
        (None, Some(_)) => "passed",
        (Some(_), None) => "failed",
        (Some(_), Some(_)) => "resumed",
    };
    CampaignCanary {
        state: state.to_owned(),
        size: canary.size,
        delivered: canary.delivered,
        failed: canary.failed(),
        delivery: canary.delivery,
        needed: canary.needed(),
        wait_s: canary.wait_s,
        // A resume begins the wait again.
        until: canary.until().filter(|_| is(CampaignStatus::Sending)).map(Time::to_rfc3339),
    }
}

/// Why the rest of a campaign waits, where it is for its canary.
pub(crate) fn why_it_waits(campaign: &Campaign) -> Option<String> {
    let canary = campaign.canary.as_ref().filter(|canary| canary.state == RUNNING)?;
    let CampaignCanary { delivered, size, needed, .. } = canary;
    Some(format!("The rest waits for the canary: {delivered} of {size} delivered, {needed} needed"))
}
