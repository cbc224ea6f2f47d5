//! One number over all campaigns: from the number index, and from the chunks that are not merged into it yet.
//!
//! A confirmed recipient is found at every moment, before, while and after its audience is merged, and
//! only by its owner and administrators.

use talkdrum_api::campaign::Messages;

use crate::campaign::report;
use crate::error::Result;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{AudienceChunkId, CampaignId};
use crate::model::message::id::MessageId;
use crate::model::page::{Page, RecordScope};
use crate::phone::{Msisdn, NetworkTable};
use crate::store::Tx;
use crate::store::message::number_index as table;

/// Recipients with one number that are looked at, newest first: bounds the work of a search.
pub const RECIPIENTS_MAX: i64 = 10_000;

/// Unmerged chunks read at once.
const CHUNKS_AT_ONCE: i64 = 64;

/// A page of the messages to a number, newest first; of one campaign if one is named.
pub async fn number(
    tx: &mut Tx,
    scope: RecordScope,
    number: Msisdn,
    campaign: Option<CampaignId>,
    page: Page,
    networks: &NetworkTable,
) -> Result<Messages> {
    let found = found(tx, scope, number, campaign, RECIPIENTS_MAX).await?;
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    Ok(Messages { messages: report::rows(tx, scope, page.of(&found), networks).await?, total })
}

/// The messages to a number, newest first, of at most so many recipients that are merged.
pub(crate) async fn ids(
    tx: &mut Tx,
    scope: RecordScope,
    number: Msisdn,
    most: i64,
) -> Result<Vec<MessageId>> {
    found(tx, scope, number, None, most).await
}

/// The same of a campaign, or of any.
async fn found(
    tx: &mut Tx,
    scope: RecordScope,
    number: Msisdn,
    campaign: Option<CampaignId>,
    most: i64,
) -> Result<Vec<MessageId>> {
    // The unmerged first: what is merged meanwhile is then met twice, not missed.
    let mut found = unmerged(tx, scope, number, campaign).await?;
    found.extend(table::indexed(tx, scope, number.digits().cast_signed(), campaign, most).await?);
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.dedup();
    Ok(found)
}

async fn unmerged(
    tx: &mut Tx,
    scope: RecordScope,
    number: Msisdn,
    campaign: Option<CampaignId>,
) -> Result<Vec<MessageId>> {
    let mut recipients = Vec::new();
    let mut after = AudienceChunkId::BEFORE_ALL;
    loop {
        let chunks = table::unmerged(tx, scope, after, CHUNKS_AT_ONCE).await?;
        let Some((last, _)) = chunks.last() else { break };
        after = *last;
        for (id, data) in &chunks {
            let chunk =
                Chunk::decode_without_fields(data).map_err(|error| error.in_row("audience chunk", id.0))?;
            let places = chunk.numbers().iter().zip(0_u16..).filter(|(held, _)| **held == number);
            recipients.extend(places.map(|(_, place)| id.recipient(place)));
        }
    }
    if recipients.is_empty() {
        return Ok(Vec::new());
    }
    table::of_recipients(tx, scope, campaign, recipients).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::status::MessageStatus as S;
    use crate::store::Store;
    use crate::testing::builder::{Built, Spot, build};
    use crate::testing::database::for_each_database;
    use crate::time::Time;
    use crate::worker::jobs::number_index;

    async fn find(store: &Store, scope: RecordScope, wanted: Msisdn) -> Vec<(i64, String)> {
        find_in(store, scope, wanted, None).await
    }

    async fn find_in(
        store: &Store,
        scope: RecordScope,
        wanted: Msisdn,
        campaign: Option<CampaignId>,
    ) -> Vec<(i64, String)> {
        let mut tx = store.read().await.unwrap();
        let found = number(&mut tx, scope, wanted, campaign, Page::first(), NetworkTable::builtin());
        let found = found.await.unwrap();
        assert_eq!(found.total, found.messages.len() as i64);
        assert!(found.messages.iter().all(|row| row.to == wanted.to_string()));
        found.messages.into_iter().map(|row| (row.id, row.status)).collect()
    }

    fn message(built: &Built, chunk: usize, place: u16) -> i64 {
        MessageId::new(built.chunks[chunk], place).0
    }

    #[tokio::test]
    async fn a_number_is_found_before_while_and_after_its_audience_is_merged() {
        for_each_database(|store| async move {
            let wanted = Msisdn::from_digits(2_348_031_234_567).unwrap();
            let first = build(&store, "ada")
                .chunk(&[Spot::Answered(S::Delivered), Spot::Tail])
                .number(0, 0, wanted)
                .store()
                .await;
            let second = build(&store, "ada")
                .chunk(&[Spot::Answered(S::Rejected)])
                .chunk(&[Spot::Tail, Spot::Tail, Spot::Tail])
                .number(1, 2, wanted)
                .store()
                .await;
            let others = build(&store, "bola").chunk(&[Spot::Tail]).number(0, 0, wanted).store().await;
            let own = vec![
                (message(&second, 1, 2), "queued".to_owned()),
                (message(&first, 0, 0), "delivered".to_owned()),
            ];
            let mut all = own.clone();
            all.insert(0, (message(&others, 0, 0), "queued".to_owned()));
            let scope = RecordScope::Own(first.user);
            assert_eq!(find(&store, scope, wanted).await, own);
            assert_eq!(find(&store, RecordScope::All, wanted).await, all);
            assert_eq!(find_in(&store, scope, wanted, Some(first.campaign)).await, own[1..]);
            assert_eq!(find_in(&store, scope, wanted, Some(others.campaign)).await, []);
            // Half merged: the first chunk of the second campaign, whose audience stays in the queue.
            first.merge_packed(&store).await;
            second.merge_one(&store).await;
            assert_eq!(find(&store, scope, wanted).await, own);
            while number_index::tick(&store, Time(0)).await.unwrap() {}
            assert_eq!(find(&store, scope, wanted).await, own);
            assert_eq!(find(&store, RecordScope::All, wanted).await, all);
            assert_eq!(find_in(&store, RecordScope::All, wanted, Some(first.campaign)).await, own[1..]);
            assert_eq!(find(&store, scope, others.numbers[0]).await, own);
            let unknown = Msisdn::from_digits(2_348_039_999_999).unwrap();
            assert!(find(&store, RecordScope::All, unknown).await.is_empty());
        })
        .await;
    }

    #[tokio::test]
    async fn a_search_that_would_miss_what_it_cannot_read_says_where_that_is() {
        for_each_database(|store| async move {
            let damaged = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            let whole = build(&store, "bola").chunk(&[Spot::Tail]).store().await;
            damaged.turn_first_chunk(&store).await;
            let wanted = whole.numbers[0];
            let mut tx = store.read().await.unwrap();
            let missed = ids(&mut tx, RecordScope::All, wanted, 10).await.unwrap_err().to_string();
            assert!(missed.contains(&format!("audience chunk {}", damaged.audience_chunks[0].0)), "{missed}");
            assert_eq!(ids(&mut tx, RecordScope::Own(whole.user), wanted, 10).await.unwrap().len(), 1);
        })
        .await;
    }

    #[tokio::test]
    async fn runs_that_share_an_audience_are_each_found() {
        for_each_database(|store| async move {
            let first = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            let second = first.run_again(&store).await;
            let wanted = first.numbers[0];
            let expected = vec![
                (message(&second, 0, 0), "queued".to_owned()),
                (message(&first, 0, 0), "queued".to_owned()),
            ];
            assert_eq!(find(&store, RecordScope::Own(first.user), wanted).await, expected);
            while number_index::tick(&store, Time(0)).await.unwrap() {}
            assert_eq!(find(&store, RecordScope::Own(first.user), wanted).await, expected);
        })
        .await;
    }

    #[tokio::test]
    async fn a_search_uses_the_indexes() {
        for_each_database(|store| async move {
            build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            let mut tx = store.read().await.unwrap();
            if tx.dialect() == crate::store::Dialect::Sqlite {
                for plan in table::plans(&mut tx).await.unwrap() {
                    let scans = plan.iter().filter(|line| line.starts_with("SCAN"));
                    let allowed =
                        ["SCAN q", "SCAN r", "SCAN jsonb_each", "SCAN jsonb_each VIRTUAL TABLE INDEX 1:"];
                    let scans: Vec<_> = scans.filter(|line| !allowed.contains(&line.as_str())).collect();
                    assert!(scans.is_empty(), "{plan:#?}");
                    let walks_owner = plan.iter().any(|line| line.contains("campaigns_user"));
                    assert!(!walks_owner, "all campaigns of the owner: {plan:#?}");
                    let walks_chunks =
                        plan.iter().any(|line| line == "SEARCH a USING INTEGER PRIMARY KEY (rowid>?)");
                    assert!(!walks_chunks, "all chunks of recipients: {plan:#?}");
                }
            }
        })
        .await;
    }
}
