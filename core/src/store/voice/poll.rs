//! How often each answer of a poll was given: one figure a campaign and answer.
//!
//! A figure moves with the rows of `calls` that it counts, in their transaction and under the locks of their chunks
//! ([`super::call::put`]): it is the number of these rows, whatever is told again.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::model::campaign::id::CampaignId;
use crate::store::{Column, Tx};
use crate::{args, sql};

/// Moves the figures, in the order of campaigns and answers.
pub(super) async fn count(tx: &mut Tx, changes: &BTreeMap<(CampaignId, String), i64>) -> Result<()> {
    let changes: Vec<_> = changes.iter().filter(|(_, by)| **by != 0).collect();
    if changes.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(changes.iter().map(|((campaign, _), _)| campaign)),
        Column::of(changes.iter().map(|((_, answer), _)| answer)),
        Column::of(changes.iter().map(|(_, by)| by)),
    ];
    let sql = sql!(
        "INSERT INTO poll_answers (campaign_id, answer, calls) \
         SELECT j.campaign, j.answer, j.calls \
         FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::BIGINT[]) AS j (campaign, answer, calls) WHERE true \
         ON CONFLICT (campaign_id, answer) DO UPDATE SET calls = poll_answers.calls + excluded.calls"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// The answers of these campaigns with how often they were given.
pub async fn of(tx: &mut Tx, campaigns: Vec<CampaignId>) -> Result<Vec<(CampaignId, String, i64)>> {
    if campaigns.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        "SELECT p.campaign_id, p.answer, p.calls FROM poll_answers p \
         WHERE p.campaign_id = ANY($1::BIGINT[]) ORDER BY p.campaign_id, p.answer"
    );
    tx.all(sql, args![vec![Column::of(campaigns)]]).await
}
