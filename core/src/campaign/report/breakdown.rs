//! What became of a campaign's messages, by network, over time and by reason.
//!
//! A chunk that has settled was tallied once, behind the send; what has moved since, or was not sent yet, is counted
//! here from its rows, a chunk at a time. The answer is that of one moment, and memory is that of one chunk, whatever the
//! size of the campaign.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use talkdrum_api::breakdown::{Breakdown, Bucket, NetworkOutcome, ReasonCount};

use super::reason;
use crate::campaign::report::count_chunk::count_chunk;
use crate::campaign::report::require;
use crate::error::Result;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::delivery_counts::{OTHER, Outcomes, Tally};
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope;
use crate::phone::NetworkTable;
use crate::store::message::answered;
use crate::store::message::delivery_counts as table;
use crate::store::message::delivery_counts::Tallied;
use crate::store::{Store, Tx, chunk};
use crate::time::Time;

/// Tallies that are read at once.
const CHUNKS_AT_ONCE: i64 = 64;
/// Reasons that are counted separately.
const REASONS_COUNTED: usize = 2_000;
/// Reasons that are shown.
const REASONS_SHOWN: usize = 50;
/// What the rest is shown as.
pub(super) const OTHER_REASONS: &str = "Other reasons";

/// The breakdown of a campaign.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such campaign, or it is not in scope.
pub async fn of(
    store: &Store,
    scope: RecordScope,
    campaign: CampaignId,
    networks: &NetworkTable,
) -> Result<Breakdown> {
    let mut tx = store.snapshot().await?;
    require(&mut tx, scope, campaign).await?;
    let (mut sum, mut reasons) = (Tally::default(), Reasons::default());
    let mut after = ChunkId::BEFORE_ALL;
    loop {
        let chunks = table::tallied(&mut tx, campaign, after, CHUNKS_AT_ONCE).await?;
        let Some(last) = chunks.last() else { break };
        after = last.id;
        for chunk in &chunks {
            let tally = tally_of(&mut tx, chunk, networks).await?;
            sum.add(&tally);
            for (status, reason, count) in &tally.reasons {
                reasons.add(*status, reason.as_deref(), *count);
            }
            reasons.add(MessageStatus::Cancelled, None, chunk.tail_cancelled);
        }
    }
    Ok(Breakdown {
        networks: by_network(&sum),
        bucket_s: sum.times.width_s(),
        buckets: sum
            .times
            .buckets()
            .map(|(at, it)| bucket(at, it.submitted, it.delivered, it.failed))
            .collect(),
        reasons: reasons.shown(),
    })
}

async fn tally_of(tx: &mut Tx, of: &Tallied, networks: &NetworkTable) -> Result<Tally> {
    if let Some(tally) = &of.tally {
        return Tally::from_json(tally);
    }
    let recipients = Chunk::decode_without_fields(&chunk::audience_data(tx, of.audience_chunk_id).await?)?;
    let answered = answered::of_chunk(tx, of.id).await?;
    Ok(count_chunk(&recipients, &answered, networks))
}

fn bucket(at: i64, submitted: i64, delivered: i64, failed: i64) -> Bucket {
    Bucket { at: Time(at).to_rfc3339(), submitted, delivered, failed }
}

fn by_network(sum: &Tally) -> Vec<NetworkOutcome> {
    let mut networks: Vec<NetworkOutcome> =
        sum.networks.iter().map(|(network, outcomes)| outcome(network, outcomes)).collect();
    networks.sort_by(|a, b| b.ordered.cmp(&a.ordered).then_with(|| a.network.cmp(&b.network)));
    networks
}

fn outcome(network: &str, it: &Outcomes) -> NetworkOutcome {
    NetworkOutcome {
        network: network.to_owned(),
        ordered: it.ordered,
        delivered: it.delivered,
        undelivered: it.undelivered,
        rejected: it.rejected,
        expired: it.expired,
        unknown: it.unknown,
        awaited: it.awaited,
        delivered_per_mille: it.delivered_per_mille(),
    }
}

/// How many messages by status and reason.
#[derive(Debug, Default)]
struct Reasons {
    counts: BTreeMap<(MessageStatus, Option<String>), i64>,
}

impl Reasons {
    fn add(&mut self, status: MessageStatus, recorded: Option<&str>, count: i64) {
        if count == 0 {
            return;
        }
        let words = match recorded {
            Some(OTHER) => Some(OTHER_REASONS.to_owned()),
            recorded => reason::of(status, recorded),
        };
        let is_full = self.counts.len() >= REASONS_COUNTED;
        match self.counts.entry((status, words)) {
            Entry::Occupied(mut known) => *known.get_mut() += count,
            Entry::Vacant(new) if !is_full => {
                new.insert(count);
            }
            Entry::Vacant(_) => {
                *self.counts.entry((status, Some(OTHER_REASONS.to_owned()))).or_default() += count;
            }
        }
    }

    /// The most frequent ones, and the rest of each status as one.
    fn shown(self) -> Vec<ReasonCount> {
        let mut all: Vec<_> = self.counts.into_iter().collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut rest: BTreeMap<MessageStatus, i64> = BTreeMap::new();
        let mut shown = Vec::new();
        for ((status, reason), count) in all {
            if shown.len() >= REASONS_SHOWN || reason.as_deref() == Some(OTHER_REASONS) {
                *rest.entry(status).or_default() += count;
            } else {
                shown.push(ReasonCount { status: status.code().to_owned(), reason, count });
            }
        }
        shown.extend(rest.into_iter().map(|(status, count)| ReasonCount {
            status: status.code().to_owned(),
            reason: Some(OTHER_REASONS.to_owned()),
            count,
        }));
        shown
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::both_databases;
    use crate::error::Error;
    use crate::model::account::id::UserId;
    use crate::model::message::status::{MessageStatus as S, message_status};
    use crate::phone::Msisdn;
    use crate::platform::figures;
    use crate::testing::builder::{START, Spot, build};
    use crate::testing::tally::{change, count};

    const MTN: Msisdn = number(2_348_031_234_567);
    const GLO: Msisdn = number(2_348_051_234_567);

    const fn number(digits: u64) -> Msisdn {
        match Msisdn::from_digits(digits) {
            Some(number) => number,
            None => panic!("a number"),
        }
    }

    both_databases! {
        async fn a_breakdown_is_that_of_the_messages_before_and_after_they_are_tallied(store: Store) {
            let spots = [S::Delivered, S::Rejected, S::Submitted, S::Unknown].map(Spot::Answered);
            let built = build(&store, "ada")
                .chunk(&spots)
                .cancelled_chunk(&[Spot::Answered(S::Expired), Spot::InFlight, Spot::Retry, Spot::Tail, Spot::Tail])
                .number(0, 0, MTN)
                .number(0, 1, GLO)
                .store()
                .await;
            let own = RecordScope::Own(built.user);
            let read = async || of(&store, own, built.campaign, NetworkTable::builtin()).await.unwrap();
            let first = read().await;
            let network = |name: &str| first.networks.iter().find(|it| it.network == name).unwrap().clone();
            assert_eq!((network("mtn").delivered, network("mtn").delivered_per_mille), (1, Some(1_000)));
            assert_eq!((network("glo").rejected, network("glo").delivered_per_mille), (1, Some(0)));
            let sum = |read: fn(&NetworkOutcome) -> i64| first.networks.iter().map(read).sum::<i64>();
            assert_eq!(
                (sum(|it| it.ordered), sum(|it| it.awaited), sum(|it| it.unknown), sum(|it| it.expired)),
                (9, 1, 1, 1)
            );
            let in_buckets = |read: fn(&Bucket) -> i64| first.buckets.iter().map(read).sum::<i64>();
            assert_eq!(
                (in_buckets(|it| it.submitted), in_buckets(|it| it.delivered), in_buckets(|it| it.failed)),
                (4, 1, 2)
            );
            assert_eq!((first.bucket_s, first.buckets[0].at.as_str()), (1, "2023-11-14T22:13:20.000Z"));
            assert_eq!(first.buckets.len(), 2, "the receipt came a minute later, and nothing between");
            let reason = |status: &str| first.reasons.iter().find(|it| it.status == status).unwrap().clone();
            assert_eq!((reason("cancelled").count, first.reasons[0].status.as_str()), (2, "cancelled"));
            assert_eq!(reason("rejected").reason.unwrap(), "The carrier holds the number invalid");
            // Tallied behind the send: the same answer.
            for chunk in &built.chunks {
                change(&store, "UPDATE campaign_chunks SET sequence = 2, answered_at = 1000 WHERE id = $1", *chunk).await;
            }
            count(&store).await;
            let kept: (i64,) =
                store.read().await.unwrap().one("SELECT COUNT(*) FROM chunk_tallies", crate::args![]).await.unwrap();
            assert_eq!((kept.0, read().await), (2, first));
            // A receipt comes: the tally is of the past, and is not shown any more.
            change(&store, concat!("UPDATE messages SET status = ", message_status!(Delivered), " WHERE id = $1 * 4096 + 2"), built.chunks[0]).await;
            change(&store, "UPDATE campaign_chunks SET sequence = 4 WHERE id = $1", built.chunks[0]).await;
            let delivered = |it: &Breakdown| it.networks.iter().map(|it| it.delivered).sum::<i64>();
            assert_eq!(delivered(&read().await), 2);
            count(&store).await;
            assert_eq!(delivered(&read().await), 2);
            let stranger = of(&store, RecordScope::Own(UserId(built.user.0 + 1)), built.campaign, NetworkTable::builtin()).await;
            assert!(matches!(stranger, Err(Error::NotFound("campaign"))));
        }

        async fn the_figures_know_what_became_of_a_network_and_count_a_change_once(store: Store) {
            let built = build(&store, "ada")
                .chunk(&[S::Submitted, S::Delivered].map(Spot::Answered))
                .number(0, 0, MTN)
                .number(0, 1, GLO)
                .store()
                .await;
            let chunk = built.chunks[0];
            change(&store, "UPDATE campaign_chunks SET sequence = 2, answered_at = 1000 WHERE id = $1", chunk).await;
            let read = async || {
                let mut tx = store.read().await.unwrap();
                let found = figures::read(&mut tx, 24, 10, START + Duration::from_secs(60)).await.unwrap();
                found
                    .networks
                    .into_iter()
                    .map(|it| (it.network, it.awaited, it.delivered, it.undelivered))
                    .collect::<Vec<_>>()
            };
            for _ in 0..2 {
                count(&store).await;
                assert_eq!(read().await, [("glo".to_owned(), 0, 1, 0), ("mtn".to_owned(), 1, 0, 0)]);
                // Counted again though nothing changed.
                change(&store, "UPDATE campaign_chunks SET counted = -1 WHERE id = $1", chunk).await;
            }
            change(&store, concat!("UPDATE messages SET status = ", message_status!(Undelivered), " WHERE id = $1 * 4096"), chunk).await;
            change(&store, "UPDATE campaign_chunks SET sequence = 4 WHERE id = $1", chunk).await;
            count(&store).await;
            assert_eq!(read().await, [("glo".to_owned(), 0, 1, 0), ("mtn".to_owned(), 0, 0, 1)]);
        }
    }

    #[test]
    fn many_reasons_are_shown_as_the_most_frequent_and_the_rest() {
        let mut reasons = Reasons::default();
        for number in 0..5_000_i64 {
            reasons.add(
                S::Rejected,
                Some(&format!("reason {number}")),
                if number < 60 { 100 - number } else { 1 },
            );
        }
        reasons.add(S::Expired, None, 7);
        let shown = reasons.shown();
        assert_eq!(shown.len(), REASONS_SHOWN + 2);
        assert_eq!((shown[0].reason.as_deref(), shown[0].count), (Some("Reason 0"), 100));
        assert_eq!(shown.iter().map(|it| it.count).sum::<i64>(), (41..=100).sum::<i64>() + 4_940 + 7);
    }
}
