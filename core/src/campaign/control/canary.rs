//! Judging canaries: the rest of a campaign goes out, or the campaign pauses.
//!
//! A verdict is one transaction under the campaign's lock, so that of several daemons one gives it, and a pause, a resume or
//! a cancel comes before it or after it. A receipt that comes later changes the figures and no verdict.

use crate::error::Result;
use crate::model::campaign::canary::{Canary, CanaryVerdict, Judging};
use crate::model::campaign::id::CampaignId;
use crate::store::campaign::canary as table;
use crate::store::{Lane, Store, Tx};

/// Canaries that are looked at in one statement.
const AT_ONCE: i64 = 256;

/// Looks at every canary of a campaign that is being sent. Puts the campaigns whose rest may go out now into `passed`, also
/// when there is an error.
///
/// # Errors
/// The first one: a canary that cannot be judged does not keep the others from it.
pub async fn judge_all(store: &Store, by: Judging, passed: &mut Vec<CampaignId>) -> Result<()> {
    let mut outcome = Ok(());
    let mut after = CampaignId::BEFORE_ALL;
    loop {
        let mut tx = store.read().await?;
        let ids = table::running(&mut tx, after, AT_ONCE).await?;
        let Some(last) = ids.last().copied() else { return outcome };
        let is_last = ids.len() < usize::try_from(AT_ONCE).unwrap_or(usize::MAX);
        let seen = table::of(&mut tx, ids).await?;
        drop(tx);
        for canary in seen.iter().filter(|it| it.verdict(by) != CanaryVerdict::Waits) {
            let judging = store.write(Lane::Interactive, (canary.campaign_id, by), |tx, (campaign, by)| {
                Box::pin(judge(tx, *campaign, *by))
            });
            match judging.await {
                Ok(CanaryVerdict::Passed) => passed.push(canary.campaign_id),
                Ok(_) => {}
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        if is_last {
            return outcome;
        }
        after = last;
    }
}

/// Does what is to be done about the canary of a campaign, by what is known in this transaction.
pub async fn judge(tx: &mut Tx, campaign: CampaignId, by: Judging) -> Result<CanaryVerdict> {
    let Some(canary) = table::lock_running(tx, campaign).await? else { return Ok(CanaryVerdict::Waits) };
    let (verdict, now) = (canary.verdict(by), by.now);
    match verdict {
        CanaryVerdict::Waits => {}
        CanaryVerdict::HandedOver => table::note_handed(tx, campaign, now).await?,
        CanaryVerdict::Passed => table::pass(tx, campaign, now).await?,
        CanaryVerdict::Failed => table::fail(tx, campaign, &why_failed(&canary), now).await?,
    }
    Ok(verdict)
}

fn why_failed(canary: &Canary) -> String {
    format!(
        "The canary failed: {}. Nothing more is sent: resume the campaign to send the rest all the same, or cancel it for \
         a refund",
        canary.in_words()
    )
}
