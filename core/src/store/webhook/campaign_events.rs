//! The events of campaigns, by the campaign that they tell of: each is told of once for each status it takes.

use crate::error::Result;
use crate::model::campaign::id::CampaignId;
use crate::model::webhook::id::EventId;
use crate::store::{Column, Sql, Tx};
use crate::{args, sql};

/// Events that are read and written together: each says at most some 16 KiB.
const AT_ONCE: i64 = 100;

/// An event of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct CampaignEvent {
    /// The event.
    pub id: EventId,
    /// The campaign that it tells of.
    pub campaign_id: CampaignId,
    /// What it says, as JSON.
    pub body: String,
}

const OF_CAMPAIGNS: Sql = sql!(
    "SELECT e.id, e.campaign_id, e.body FROM UNNEST($3::BIGINT[]) AS j (campaign) CROSS JOIN webhook_events e \
     WHERE e.campaign_id = j.campaign AND e.id > $1 ORDER BY e.id LIMIT $2"
);

/// Some events of these campaigns in order of their ids, after an event. Events of messages are not among them:
/// they say no words.
pub async fn of_campaigns(
    tx: &mut Tx,
    campaigns: Vec<CampaignId>,
    after: EventId,
) -> Result<Vec<CampaignEvent>> {
    tx.all(OF_CAMPAIGNS, args![after, AT_ONCE, vec![Column::of(campaigns)]]).await
}

/// Stores what events say, each with its id, as many as [`of_campaigns`] finds at once.
pub async fn set_bodies(tx: &mut Tx, bodies: Vec<(EventId, String)>) -> Result<()> {
    if bodies.is_empty() {
        return Ok(());
    }
    let (ids, bodies): (Vec<EventId>, Vec<String>) = bodies.into_iter().unzip();
    let sql = sql!(
        "UPDATE webhook_events SET body = j.body FROM UNNEST($1::BIGINT[], $2::TEXT[]) AS j (id, body) \
         WHERE webhook_events.id = j.id"
    );
    tx.run(sql, args![vec![Column::of(ids), Column::of(bodies)]]).await.map(|_| ())
}

/// Has looks at these campaigns that are under way come to nothing (see [`super::watch::looked`]): they read what is erased now.
/// The campaigns are few.
pub async fn look_again(tx: &mut Tx, campaigns: Vec<CampaignId>) -> Result<()> {
    let sql = sql!("UPDATE webhook_campaigns SET looks = looks + 1 WHERE campaign_id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![Column::of(campaigns)]]).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Dialect, Lane};
    use crate::testing::builder::user;

    both_databases! {
        async fn events_are_found_by_the_index_of_their_campaigns(store: Store) {
            let owner = user(&store, "ada").await;
            let fill = store.write(Lane::Interactive, owner, |tx, owner| Box::pin(async move {
                for (kind, campaign) in [
                    ("campaign.sending", Some(41)),
                    ("campaign.sending", Some(4)),
                    ("campaign.completed", Some(41)),
                    ("messages.updated", None),
                    ("webhook.test", None),
                ] {
                    let sql = "INSERT INTO webhook_events (user_id, type, campaign_id, body, created_at) VALUES ($1, $2, $3, '{}', 1)";
                    tx.run(sql, args![*owner, kind, campaign]).await?;
                }
                Ok(())
            }));
            fill.await.unwrap();
            let mut tx = store.read().await.unwrap();
            let found = of_campaigns(&mut tx, [41, 40, 7].map(CampaignId).to_vec(), EventId::BEFORE_ALL).await.unwrap();
            let found: Vec<_> = found.into_iter().map(|it| (it.id, it.campaign_id)).collect();
            assert_eq!(found, [(EventId(1), CampaignId(41)), (EventId(3), CampaignId(41))]);
            assert_eq!(of_campaigns(&mut tx, [41, 4].map(CampaignId).to_vec(), EventId(1)).await.unwrap().len(), 2);
            // A small PostgreSQL table is scanned whatever its indexes.
            if tx.dialect() == Dialect::Postgres {
                tx.run("SET LOCAL enable_seqscan = off", args![]).await.unwrap();
                tx.run("SET LOCAL enable_bitmapscan = off", args![]).await.unwrap();
            }
            let args = args![0_i64, AT_ONCE, vec![Column::Ints(vec![41])]];
            let plan = tx.explain(OF_CAMPAIGNS, args).await.unwrap().join("; ");
            assert!(plan.contains("webhook_events_campaign"), "{plan}");
        }
    }
}
