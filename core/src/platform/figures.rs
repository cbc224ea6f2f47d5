//! The platform's figures: traffic and money by the hour, what waits, what the last check found.
//!
//! Traffic is counted campaign by campaign, in the hour in which the campaign started: [`tick`] takes in new campaigns
//! and looks at open ones again until nothing of them is awaited. Networks are counted as ordered; what became of their
//! messages is added by the tallies of chunks ([`crate::worker::jobs::traffic`]). Money is added up from the ledger's
//! transfers, in order of their ids. So reading never walks campaigns or messages, however many there are.
//!
//! The figures are derived. Nothing is decided by them, and an outdated or wrong one loses no message
//! and no money.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use talkdrum_api::money::Amount;

use crate::error::Result;
use crate::store::operations::last_check;
use crate::store::stats::hourly::{CampaignSeen, DueRecount, Traffic, TrafficCounts, hour_of};
use crate::store::stats::{figures as sums, hourly as rows};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

use crate::model::campaign::id::CampaignId;
use crate::model::money::ledger::TransferId;
pub use crate::store::operations::last_check::LastCheck;
pub use crate::store::stats::figures::{HourRow, MoneyMoved, NetworkRow, SenderRow};

/// Campaigns that one step takes in or looks at again.
const CAMPAIGNS_AT_ONCE: i64 = 200;
/// Transfers that one step adds up.
const TRANSFERS_AT_ONCE: i64 = 5_000;
/// What is younger is left for a later step: transactions of other daemons may still commit lower ids, and a single
/// message is mostly over by then.
const SETTLES: Duration = Duration::from_secs(10);
/// The shortest and the longest time until an open campaign is looked at again.
const LOOK_AGAIN: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(3_600));
/// A paused or scheduled campaign is looked at this often.
const IDLE_AGAIN: Duration = Duration::from_secs(60);
/// For so long after a campaign is over, receipts still change its figures.
const FINAL_AFTER: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How long figures are kept.
pub const KEPT_FOR: Duration = Duration::from_secs(400 * 24 * 3_600);
/// Campaigns that are looked through for the oldest unsent message.
const LOOKED_THROUGH: i64 = 5_000;

/// Counts on, a bounded step; true when more is waiting.
///
/// # Errors
/// Those of the store; the next tick goes on where this one should have.
pub async fn tick(store: &Store, now: Time) -> Result<bool> {
    let step = |now| store.write(Lane::Background, now, |tx, now| Box::pin(count_on(tx, *now)));
    step(now).await
}

async fn count_on(tx: &mut Tx, now: Time) -> Result<bool> {
    let more_campaigns = count_campaigns(tx, now).await?;
    let more_transfers = count_transfers(tx, now).await?;
    Ok(more_campaigns || more_transfers)
}

async fn count_transfers(tx: &mut Tx, now: Time) -> Result<bool> {
    let after = TransferId(rows::progress(tx, "transfers").await?);
    let Some(upto) = rows::last_transfer(tx, after, now - SETTLES, TRANSFERS_AT_ONCE).await? else {
        return Ok(false);
    };
    rows::add_money(tx, after, upto).await?;
    rows::advance(tx, "transfers", upto.0).await?;
    Ok(upto.0 - after.0 >= TRANSFERS_AT_ONCE)
}

async fn count_campaigns(tx: &mut Tx, now: Time) -> Result<bool> {
    let after = rows::progress(tx, "campaigns").await?;
    let settled = now - SETTLES;
    let mut ids: Vec<CampaignId> = rows::campaigns_after(tx, CampaignId(after), CAMPAIGNS_AT_ONCE)
        .await?
        .into_iter()
        .take_while(|(_, created_at)| *created_at <= settled)
        .map(|(id, _)| id)
        .collect();
    let news = ids.len();
    let newest = ids.last().copied();
    let due = rows::due(tx, now, CAMPAIGNS_AT_ONCE).await?;
    let full = news.max(due.len()) as i64 >= CAMPAIGNS_AT_ONCE;
    ids.extend(due);
    if ids.is_empty() {
        return Ok(false);
    }
    let mut step = Step::default();
    for campaign in rows::seen(tx, ids).await? {
        step.take(&campaign, now);
    }
    step.write(tx).await?;
    if let Some(newest) = newest {
        rows::advance(tx, "campaigns", newest.0).await?;
    }
    Ok(full)
}

/// What one step writes.
#[derive(Debug, Default)]
struct Step {
    traffic: Traffic,
    /// Campaigns that are counted for the first time, with their hour.
    begun: BTreeMap<CampaignId, Time>,
    open: Vec<DueRecount>,
    over: Vec<CampaignId>,
}

impl Step {
    fn take(&mut self, it: &CampaignSeen, now: Time) {
        let Some(started_at) = it.started_at else {
            if it.completed_at.is_some() {
                self.over.push(it.id); // Cancelled before it began: no traffic.
            } else {
                let due_at = it.scheduled_at.unwrap_or(now).max(now) + IDLE_AGAIN;
                self.open.push(DueRecount {
                    campaign: it.id,
                    due_at,
                    counted: false,
                    counts: TrafficCounts::default(),
                });
            }
            return;
        };
        let hour = hour_of(started_at);
        let added = self.traffic.entry((hour, it.sender.clone(), it.currency)).or_default();
        if !it.counted {
            added.campaigns += 1;
            added.ordered += it.size;
            self.begun.insert(it.id, hour);
        }
        add(&mut added.counts, it);
        if is_final(it, now) {
            self.over.push(it.id);
            return;
        }
        let (soonest, latest) = LOOK_AGAIN;
        let again = (now.since(started_at) / 4).clamp(soonest, latest);
        self.open.push(DueRecount { campaign: it.id, due_at: now + again, counted: true, counts: it.now });
    }

    async fn write(self, tx: &mut Tx) -> Result<()> {
        let mut networks: BTreeMap<(Time, String), i64> = BTreeMap::new();
        if !self.begun.is_empty() {
            for (id, details) in rows::details(tx, self.begun.keys().copied().collect()).await? {
                let hour = self.begun.get(&id).copied().unwrap_or_default();
                // A quote whose details cannot be read is no reason to stop counting.
                let details: Details = serde_json::from_str(&details).unwrap_or_default();
                for (network, count) in details.networks {
                    *networks.entry((hour, network)).or_default() += count;
                }
            }
        }
        rows::add_networks(tx, &networks).await?;
        rows::keep_open(tx, &self.open).await?;
        rows::close(tx, self.over).await?;
        rows::add_traffic(tx, &self.traffic).await
    }
}

/// The part of a quote's details that is counted here.
#[derive(Default, Deserialize)]
struct Details {
    #[serde(default)]
    networks: BTreeMap<String, i64>,
}

/// Adds what changed since the campaign was counted last.
fn add(to: &mut TrafficCounts, it: &CampaignSeen) {
    let TrafficCounts { awaited, delivered, undelivered, rejected, expired, unknown, charged } = it.now;
    to.awaited += awaited - it.old_awaited;
    to.delivered += delivered - it.old_delivered;
    to.undelivered += undelivered - it.old_undelivered;
    to.rejected += rejected - it.old_rejected;
    to.expired += expired - it.old_expired;
    to.unknown += unknown - it.old_unknown;
    to.charged = Amount(to.charged.0 + charged.0 - it.old_charged.0);
}

/// Whether its counters will not change any more, or not so that anybody would wait for it.
fn is_final(it: &CampaignSeen, now: Time) -> bool {
    let Some(completed_at) = it.completed_at else { return false };
    let TrafficCounts { awaited, unknown, delivered: _, undelivered: _, rejected: _, expired: _, charged: _ } =
        it.now;
    let settled = it.chunks_open == 0 && awaited == 0 && unknown == 0;
    settled || now.since(completed_at) >= FINAL_AFTER
}

/// Forgets a bounded number of figures older than [`KEPT_FOR`]; returns how many rows.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - KEPT_FOR).await
}

/// Everything that is shown.
#[derive(Clone, Debug)]
pub struct Figures {
    /// From when on, the beginning of an hour.
    pub from: Time,
    /// Traffic by hour, oldest first.
    pub hours: Vec<HourRow>,
    /// Traffic of the busiest senders.
    pub senders: Vec<SenderRow>,
    /// Recipients by network, most first.
    pub networks: Vec<NetworkRow>,
    /// Money by currency and code.
    pub money: Vec<MoneyMoved>,
    /// Campaigns that wait for their time, are being sent, and are paused.
    pub open_campaigns: (i64, i64, i64),
    /// Since when the oldest unsent message waits.
    pub oldest_unsent_at: Option<Time>,
    /// The last check of the books.
    pub last_check: Option<LastCheck>,
}

/// The figures of the last `hours` hours, the running one among them.
pub async fn read(tx: &mut Tx, hours: u16, senders: i64, now: Time) -> Result<Figures> {
    let from = hour_of(now) - Duration::from_hours(u64::from(hours.max(1)) - 1);
    Ok(Figures {
        from,
        hours: sums::by_hour(tx, from).await?,
        senders: sums::by_sender(tx, from, senders).await?,
        networks: sums::by_network(tx, from).await?,
        money: sums::money(tx, from).await?,
        open_campaigns: sums::open_campaigns(tx).await?,
        oldest_unsent_at: sums::oldest_unsent(tx, LOOKED_THROUGH).await?,
        last_check: last_check::find(tx).await?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::message::status::MessageStatus as S;
    use crate::model::money::ledger::Code;
    use crate::testing::builder::{START, Spot, build};

    async fn count(store: &Store, now: Time) {
        while tick(store, now).await.unwrap() {}
    }

    both_databases! {
        async fn traffic_and_money_are_counted_once_and_follow_the_receipts(store: Store) {
            let built = build(&store, "ada")
                .sender("ACME")
                .chunk(&[Spot::Answered(S::Delivered), Spot::Answered(S::Submitted), Spot::Answered(S::Rejected)])
                .store()
                .await;
            build(&store, "eve").sender("OTHER").chunk(&[Spot::Answered(S::Delivered)]).store().await;
            let now = START + Duration::from_secs(60);
            for _ in 0..3 {
                count(&store, now).await;
            }
            let read_at = async |now| read(&mut store.read().await.unwrap(), 24, 10, now).await.unwrap();
            let seen = read_at(now).await;
            assert_eq!(seen.hours.len(), 1);
            let hour = &seen.hours[0];
            assert_eq!((hour.hour, hour.campaigns, hour.ordered), (hour_of(START), 2, 4));
            assert_eq!((hour.counts.delivered, hour.counts.awaited, hour.counts.rejected), (2, 1, 1));
            assert_eq!(seen.senders[0].sender, "ACME");
            let reserved = seen.money.iter().find(|it| it.code == Code::Reserve).unwrap();
            assert_eq!((reserved.transfers, reserved.amount.0 > built.charge_micros), (2, true));
            // The receipt that was awaited arrives, and is seen at the next look.
            store
                .write(Lane::Interactive, built.chunks[0], |tx, chunk| {
                    Box::pin(async move {
                        let sql = "UPDATE campaign_chunks SET submitted = 0, undelivered = 1 WHERE id = $1";
                        tx.run_exactly(1, sql, crate::args![*chunk]).await
                    })
                })
                .await
                .unwrap();
            let later = now + Duration::from_secs(7_200);
            count(&store, later).await;
            let counts = read_at(later).await.hours[0].counts;
            assert_eq!((counts.delivered, counts.awaited, counts.undelivered), (2, 0, 1));
            assert_eq!(read_at(later + Duration::from_secs(48 * 3_600)).await.hours.len(), 0, "a window of hours");
        }

        async fn a_campaign_that_has_not_begun_is_no_traffic(store: Store) {
            build(&store, "ada").chunk(&[Spot::Tail, Spot::Tail]).store().await;
            store
                .write(Lane::Interactive, (), |tx, ()| {
                    Box::pin(tx.run("UPDATE campaigns SET started_at = NULL", crate::args![]))
                })
                .await
                .unwrap();
            let now = START + Duration::from_secs(60);
            count(&store, now).await;
            let seen = read(&mut store.read().await.unwrap(), 24, 10, now).await.unwrap();
            assert!(seen.hours.is_empty());
            assert_eq!((seen.open_campaigns, seen.oldest_unsent_at), ((0, 1, 0), Some(START)));
        }
    }
}
