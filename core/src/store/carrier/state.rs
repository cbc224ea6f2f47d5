//! Operators' holds on carriers, and the last state that the daemons holding them reported.
//!
//! A carrier without a row is open. Its row is read again by every intent of it (`store/chunk/mod.rs`),
//! so that nothing is claimed any more once a hold is committed.

use std::collections::HashMap;
use std::time::Duration;

use crate::args;
use crate::carrier::vitals::Vitals;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::carrier::Hold;
use crate::model::platform::id::RunId;
use crate::store::Tx;
use crate::store::campaign::canary::{began_at, not_behind_canary};
use crate::time::Time;

/// An operator's hold on a carrier.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StateRow {
    /// Whether new messages go out.
    pub state: Hold,
    /// Why, in the operator's words.
    pub reason: Option<String>,
    /// Whose word it is.
    pub changed_by: Option<String>,
    /// Since when.
    pub changed_at: Time,
    /// Its traffic is traced until then.
    pub trace_until: Time,
    /// When its calls were last to be hung up.
    pub hang_up_at: Option<Time>,
}

/// The hold of each carrier, by name.
pub async fn all(tx: &mut Tx) -> Result<HashMap<String, StateRow>> {
    #[derive(sqlx_macros::FromRow)]
    struct Named {
        carrier: String,
        #[sqlx(flatten)]
        row: StateRow,
    }
    let rows: Vec<Named> = tx
        .all(
            "SELECT s.carrier, s.state, s.reason, u.username AS changed_by, s.changed_at, s.trace_until, s.hang_up_at \
             FROM carrier_states s LEFT JOIN users u ON u.id = s.changed_by",
            args![],
        )
        .await?;
    Ok(rows.into_iter().map(|row| (row.carrier, row.row)).collect())
}

/// The hold of one carrier; `None` when nothing was ever said of it, so that it is open.
pub async fn find(tx: &mut Tx, carrier: &str) -> Result<Option<StateRow>> {
    tx.opt(
        "SELECT s.state, s.reason, u.username AS changed_by, s.changed_at, s.trace_until, s.hang_up_at \
             FROM carrier_states s LEFT JOIN users u ON u.id = s.changed_by WHERE s.carrier = $1",
        args![carrier],
    )
    .await
}

/// Stores an operator's hold. A carrier that is opened hangs up no calls any more.
pub async fn set(
    tx: &mut Tx,
    carrier: &str,
    state: Hold,
    reason: Option<&str>,
    by: UserId,
    now: Time,
) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO carrier_states (carrier, state, reason, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (carrier) DO UPDATE SET state = excluded.state, reason = excluded.reason, \
           changed_by = excluded.changed_by, changed_at = excluded.changed_at, \
           hang_up_at = CASE WHEN excluded.state = 'open' THEN NULL ELSE carrier_states.hang_up_at END",
        args![carrier, state, reason, by, now],
    )
    .await
}

/// Has the calls of a carrier that an operator holds hung up by the daemon that has it.
pub async fn hang_up(tx: &mut Tx, carrier: &str, now: Time) -> Result<()> {
    tx.run_exactly(1, "UPDATE carrier_states SET hang_up_at = $1 WHERE carrier = $2", args![now, carrier])
        .await
}

/// Stores how a carrier fares; what `owner` saw.
pub async fn note_vitals(tx: &mut Tx, owner: RunId, now: Time, seen: &[(String, Vitals)]) -> Result<()> {
    for (carrier, vitals) in seen {
        tx.run(
            "INSERT INTO carrier_vitals (carrier, owner, seen_at, vitals) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (carrier) DO UPDATE SET owner = excluded.owner, seen_at = excluded.seen_at, \
               vitals = excluded.vitals",
            args![carrier, owner, now, vitals.to_json()?],
        )
        .await?;
    }
    Ok(())
}

/// Forgets how a carrier fared: `owner` let go of it.
pub async fn forget_vitals(tx: &mut Tx, carrier: &str, owner: RunId) -> Result<()> {
    tx.run("DELETE FROM carrier_vitals WHERE carrier = $1 AND owner = $2", args![carrier, owner]).await?;
    Ok(())
}

/// What a daemon saw of a carrier; `None` where this version cannot read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenVitals(pub Option<Vitals>);

talkdrum_api::column!(SeenVitals, str, |stored| Some(SeenVitals(Vitals::from_json(stored).ok())));

/// How a carrier fared when its daemon last looked.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct VitalsRow {
    /// The carrier.
    pub carrier: String,
    /// The run of the daemon that holds it.
    pub owner: RunId,
    /// When it looked.
    pub seen_at: Time,
    /// What it saw.
    pub vitals: SeenVitals,
    /// That run ended.
    pub ended: bool,
}

/// What a daemon saw longer ago is not how the carrier is now: it is stored every few seconds.
const FRESH: Duration = Duration::from_secs(20);

impl VitalsRow {
    /// Whether the carrier is so now.
    pub fn is_fresh(&self, now: Time) -> bool {
        !self.ended && now.since(self.seen_at) < FRESH
    }
}

/// How the carriers fared, by name.
pub async fn vitals(tx: &mut Tx) -> Result<HashMap<String, VitalsRow>> {
    let rows: Vec<VitalsRow> = tx
        .all(
            "SELECT v.carrier, v.owner, v.seen_at, v.vitals, d.stopped_at IS NOT NULL AS ended \
             FROM carrier_vitals v JOIN daemons d ON d.id = v.owner",
            args![],
        )
        .await?;
    Ok(rows.into_iter().map(|row| (row.carrier.clone(), row)).collect())
}

/// What waits at a carrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Waiting {
    /// Messages of campaigns that are sending, not claimed yet.
    pub unclaimed: i64,
    /// Messages of campaigns that are scheduled or paused, not claimed or waiting to be sent again, and those that wait for a
    /// canary.
    pub later: i64,
    /// Messages that were claimed and have no outcome; those that wait to be sent again are among them.
    pub claimed: i64,
    /// Since when the message that waits longest could have been sent.
    pub oldest_at: Option<Time>,
    /// Since when the chunk that is held and has messages in flight heard nothing.
    pub oldest_lease_at: Option<Time>,
    /// Messages that wait to be sent again, of campaigns that are sending.
    #[sqlx(default)]
    pub retries: i64,
    /// The same of paused campaigns; they are part of `later`.
    #[sqlx(default)]
    pub paused_retries: i64,
}

impl Waiting {
    /// Messages that wait to be sent, of campaigns that are sending.
    pub const fn queued(&self) -> i64 {
        self.unclaimed + self.retries
    }

    /// Messages that the carrier has not answered yet.
    pub const fn in_flight(&self) -> i64 {
        let flying = self.claimed - self.retries - self.paused_retries;
        if flying < 0 { 0 } else { flying }
    }
}

/// By the index of open chunks, which are those that still have something to send or to hear. What waits for a canary is
/// sent later; it could have been since that passed.
pub(crate) const WAITING: &str = concat!(
    "SELECT ch.carrier, CAST(SUM(CASE WHEN c.status = 'sending' AND ",
    not_behind_canary!("ch"),
    " THEN ch.size - ch.cursor - ch.tail_cancelled ELSE 0 END) AS BIGINT) AS unclaimed, \
     CAST(SUM(CASE WHEN c.status = 'sending' AND ",
    not_behind_canary!("ch"),
    " THEN 0 ELSE ch.size - ch.cursor - ch.tail_cancelled END) AS BIGINT) AS later, \
     CAST(SUM(ch.cursor - ch.answered) AS BIGINT) AS claimed, \
     MIN(CASE WHEN c.status = 'sending' AND ch.cursor < ch.size AND ",
    not_behind_canary!("ch"),
    " THEN COALESCE(c.canary_passed_at, c.scheduled_at, c.created_at) END) AS oldest_at, \
     MIN(CASE WHEN ch.owner IS NOT NULL AND ch.cursor > ch.answered THEN COALESCE(ch.answered_at, ",
    began_at!(),
    ") END) \
       AS oldest_lease_at \
     FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id WHERE ch.state = 'open' GROUP BY ch.carrier"
);

/// Messages that wait to be sent again: of campaigns that are sending, and of all; and since when the first of these could
/// have been sent, but for those that wait for a breaker.
const RETRIES: &str = "SELECT r.carrier, CAST(SUM(CASE WHEN c.status = 'sending' THEN 1 ELSE 0 END) AS BIGINT), COUNT(*), \
     MIN(CASE WHEN c.status = 'sending' AND r.network IS NULL THEN r.due_at END) \
     FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 JOIN campaigns c ON c.id = ch.campaign_id \
     GROUP BY r.carrier";

/// What waits at each carrier, by name; one where nothing waits is left out.
pub async fn waiting(tx: &mut Tx) -> Result<HashMap<String, Waiting>> {
    #[derive(sqlx_macros::FromRow)]
    struct Named {
        carrier: String,
        #[sqlx(flatten)]
        row: Waiting,
    }
    let rows: Vec<Named> = tx.all(WAITING, args![]).await?;
    let mut found: HashMap<String, Waiting> = rows.into_iter().map(|row| (row.carrier, row.row)).collect();
    let retries: Vec<(String, i64, i64, Option<Time>)> = tx.all(RETRIES, args![]).await?;
    for (carrier, sending, all, due_at) in retries {
        let waiting = found.entry(carrier).or_default();
        waiting.retries = sending;
        waiting.paused_retries = all - sending;
        waiting.later += all - sending;
        waiting.oldest_at = waiting.oldest_at.into_iter().chain(due_at).min();
    }
    Ok(found)
}

/// The platform's own text messages that wait, by carrier.
pub async fn notices_waiting(tx: &mut Tx) -> Result<HashMap<String, i64>> {
    let rows: Vec<(String, i64)> = tx
        .all(
            "SELECT carrier, COUNT(*) FROM notices WHERE channel = 'sms' AND status = 'queued' GROUP BY carrier",
            args![],
        )
        .await?;
    Ok(rows.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Lane;
    use crate::testing::builder::{Spot, build};

    both_databases! {
        async fn what_a_paused_campaign_sends_again_waits_for_later(store: Store) {
            let paused = build(&store, "ada").chunk(&[Spot::Retry, Spot::Retry, Spot::InFlight, Spot::Tail]).store().await;
            build(&store, "bea").chunk(&[Spot::Retry, Spot::InFlight, Spot::Tail]).store().await;
            let figures = async || {
                let row = waiting(&mut store.read().await.unwrap()).await.unwrap()["main"];
                (row.queued(), row.later, row.in_flight())
            };
            assert_eq!(figures().await, (5, 0, 2));
            let pause = store.write(Lane::Interactive, paused.campaign, |tx, id| {
                Box::pin(tx.run("UPDATE campaigns SET status = 'paused' WHERE id = $1", args![*id]))
            });
            pause.await.unwrap();
            assert_eq!(figures().await, (2, 3, 2), "nothing of it is sent now, and what flies still flies");
        }
    }
}
