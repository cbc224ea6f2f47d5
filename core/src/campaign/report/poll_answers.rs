//! What people answered by key to the questions of campaigns: counted as their calls ended, so a table costs what it shows.

use std::collections::HashMap;

use talkdrum_api::call::PollAnswer;

use crate::content::Poll;
use crate::error::Result;
use crate::model::campaign::id::CampaignId;
use crate::store::Tx;
use crate::store::voice::poll as table;

/// The answers of these campaigns, each of which asks a question: every answer that can be given, in order.
pub(super) async fn of(
    tx: &mut Tx,
    asked: &[(CampaignId, &Poll)],
) -> Result<HashMap<CampaignId, Vec<PollAnswer>>> {
    let campaigns = asked.iter().map(|(campaign, _)| *campaign).collect();
    let counts: HashMap<(CampaignId, String), i64> = table::of(tx, campaigns)
        .await?
        .into_iter()
        .map(|(campaign, answer, calls)| ((campaign, answer), calls))
        .collect();
    let shown = |(campaign, poll): &(CampaignId, &Poll)| {
        let count = |answer: &String| counts.get(&(*campaign, answer.clone())).copied().unwrap_or(0);
        let answers: Vec<(String, i64)> =
            poll.answers().into_iter().map(|answer| (answer.clone(), count(&answer))).collect();
        let all: i64 = answers.iter().map(|(_, calls)| calls).sum();
        let rows = answers.into_iter().map(|(key, count)| PollAnswer {
            label: poll.label_of(&key).unwrap_or_default().to_owned(),
            key,
            count,
            per_mille: (all > 0).then(|| (1_000 * count + all / 2) / all),
        });
        (*campaign, rows.collect())
    };
    Ok(asked.iter().map(shown).collect())
}
