//! The events of campaigns, by the campaign that they tell of: each is told of once for each status it takes.

use crate::error::Result;
use crate::store::{Column, Sql, Tx};
use crate::{args, sql};

/// Events that are read and written together: each says at most some 16 KiB.
const AT_ONCE: i64 = 100;

/// An event of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct CampaignEvent {
    /// The event.
    pub id: i64,
    /// The campaign that it tells of.
    pub campaign_id: i64,
    /// What it says, as JSON.
    pub body: String,
}

/// As the index of events by campaign has it (migration 102).
const OF_CAMPAIGNS: Sql = Sql::each(
    "SELECT e.id, j.value ->> 0 AS campaign_id, e.body FROM jsonb_each($1) AS j CROSS JOIN webhook_events e \
     WHERE substr(e.type, 1, 9) = 'campaign.' \
       AND CAST(substr(e.body, instr(e.body, '\"data\":{\"id\":') + 13, 19) AS INTEGER) = j.value ->> 0 \
       AND e.id > $2 ORDER BY e.id LIMIT $3",
    "SELECT e.id, j.campaign AS campaign_id, e.body FROM UNNEST($1::BIGINT[]) AS j (campaign) CROSS JOIN webhook_events e \
     WHERE substr(e.type, 1, 9) = 'campaign.' \
       AND CAST(substring(e.body FROM '\"data\":[{]\"id\":([0-9]{1,18})') AS BIGINT) = j.campaign \
       AND e.id > $2 ORDER BY e.id LIMIT $3",
);

/// Some events of these campaigns in order of their ids, after an event; 0 is before all. Events of messages are not among them:
/// they say no words.
pub async fn of_campaigns(tx: &mut Tx, campaigns: Vec<i64>, after: i64) -> Result<Vec<CampaignEvent>> {
    tx.all(OF_CAMPAIGNS, args![vec![Column::Ints(campaigns)], after, AT_ONCE]).await
}

/// Stores what events say, each with its id, as many as [`of_campaigns`] finds at once.
pub async fn set_bodies(tx: &mut Tx, bodies: Vec<(i64, String)>) -> Result<()> {
    if bodies.is_empty() {
        return Ok(());
    }
    let (ids, bodies): (Vec<i64>, Vec<_>) = bodies.into_iter().map(|(id, body)| (id, Some(body))).unzip();
    let sql = sql!(
        "UPDATE webhook_events SET body = j.body FROM UNNEST($1::BIGINT[], $2::TEXT[]) AS j (id, body) \
         WHERE webhook_events.id = j.id"
    );
    tx.run(sql, args![vec![Column::Ints(ids), Column::Texts(bodies)]]).await.map(|_| ())
}

/// Has looks at these campaigns that are under way come to nothing (see [`super::watch::looked`]): they read what is erased now.
/// The campaigns are few.
pub async fn look_again(tx: &mut Tx, campaigns: Vec<i64>) -> Result<()> {
    let sql = sql!("UPDATE webhook_campaigns SET looks = looks + 1 WHERE campaign_id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![Column::Ints(campaigns)]]).await.map(|_| ())
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
                let of = |campaign: i64| format!(r#"{{"type":"campaign.sending","timestamp":"2026","data":{{"id":{campaign},"quote_id":7}}}}"#);
                let of_message = r#"{"type":"messages.updated","timestamp":"2026","data":{"messages":[{"id":41}]}}"#;
                for (kind, body) in [
                    ("campaign.sending", of(41)),
                    ("campaign.sending", of(4)),
                    ("campaign.completed", of(41)),
                    ("campaign.completed", "{}".to_owned()),
                    ("messages.updated", of_message.to_owned()),
                    ("webhook.test", r#"{"type":"webhook.test","data":{"id":41}}"#.to_owned()),
                ] {
                    let sql = "INSERT INTO webhook_events (user_id, type, body, created_at) VALUES ($1, $2, $3, 1)";
                    tx.run(sql, args![*owner, kind, body]).await?;
                }
                Ok(())
            }));
            fill.await.unwrap();
            let mut tx = store.read().await.unwrap();
            let found = of_campaigns(&mut tx, vec![41, 40, 7], 0).await.unwrap();
            let found: Vec<_> = found.into_iter().map(|it| (it.id, it.campaign_id)).collect();
            assert_eq!(found, [(1, 41), (3, 41)]);
            assert_eq!(of_campaigns(&mut tx, vec![41, 4], 1).await.unwrap().len(), 2);
            // A small PostgreSQL table is scanned whatever its indexes.
            if tx.dialect() == Dialect::Postgres {
                tx.run("SET LOCAL enable_seqscan = off", args![]).await.unwrap();
                tx.run("SET LOCAL enable_bitmapscan = off", args![]).await.unwrap();
            }
            let args = args![vec![Column::Ints(vec![41])], 0_i64, AT_ONCE];
            let plan = tx.explain(OF_CAMPAIGNS, args).await.unwrap().join("; ");
            assert!(plan.contains("webhook_events_campaign"), "{plan}");
        }
    }
}
