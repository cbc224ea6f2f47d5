//! Pages of reports against a plain model of the same campaign.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::*;
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::{ChunkBuilder, NUMBERS_BYTES_MAX};
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::message::status::MessageStatus as S;
use crate::store::message::number_index;
use crate::store::{Dialect, Lane, Store};
use crate::testing::builder::{Built, Spot, build};
use crate::testing::database::for_each_database;

fn networks() -> &'static NetworkTable {
    NetworkTable::builtin()
}

async fn shown(store: &Store, built: &Built, filter: Filter, at: Page) -> Messages {
    let mut tx = store.read().await.unwrap();
    page(&mut tx, RecordScope::Own(built.user), built.campaign, filter, at, networks()).await.unwrap()
}

/// A chunk: where its recipients stand, and whether its tail was cancelled.
type Model = (Vec<Spot>, bool);

fn spot() -> impl Strategy<Value = Spot> {
    prop_oneof![
        6 => (2_usize..S::ALL.len()).prop_map(|index| Spot::Answered(S::ALL[index])),
        1 => Just(Spot::Retry),
        1 => Just(Spot::InFlight),
    ]
}

fn chunk() -> impl Strategy<Value = Model> {
    (prop::collection::vec(spot(), 0..40), 0_usize..20, any::<bool>()).prop_map(
        |(mut spots, tail, cancelled)| {
            spots.extend(std::iter::repeat_n(Spot::Tail, tail.max(usize::from(spots.is_empty()))));
            (spots, cancelled)
        },
    )
}

fn status_in(spot: Spot, cancelled: bool) -> S {
    match spot {
        Spot::Answered(status) => status,
        Spot::Refunded => S::Undelivered,
        Spot::Retry => S::Queued,
        Spot::InFlight => S::Submitting,
        Spot::Tail if cancelled => S::Cancelled,
        Spot::Tail => S::Queued,
    }
}

async fn built(store: &Store, model: &[Model]) -> Built {
    let builder = model.iter().fold(build(store, "ada"), |builder, (spots, cancelled)| match cancelled {
        true => builder.cancelled_chunk(spots),
        false => builder.chunk(spots),
    });
    builder.store().await
}

/// Message and status of every recipient, in order.
fn expected(built: &Built, model: &[Model]) -> Vec<(i64, S)> {
    let chunks = built.chunks.iter().zip(model);
    let messages = chunks.flat_map(|(chunk, (spots, cancelled))| {
        (0..).zip(spots).map(|(place, spot)| (MessageId::new(*chunk, place).0, status_in(*spot, *cancelled)))
    });
    messages.collect()
}

async fn check(store: &Store, model: &[Model], size: i64) {
    let built = built(store, model).await;
    let all = expected(&built, model);
    let filters = S::ALL.iter().copied().map(Filter::Status).chain([Filter::All, Filter::Failed]);
    let mut counted = 0;
    for filter in filters {
        let wanted: Vec<(i64, String)> = all
            .iter()
            .filter(|(_, status)| match filter {
                Filter::All => true,
                Filter::Failed => status.is_failure(),
                Filter::Status(only) => *status == only,
            })
            .map(|(id, status)| (*id, status.code().to_owned()))
            .collect();
        let mut seen = Vec::new();
        for number in 1..=all.len() as i64 / size + 2 {
            let messages = shown(store, &built, filter, Page::new(number, size)).await;
            assert_eq!(messages.total, wanted.len() as i64, "{filter:?}");
            seen.extend(messages.messages.into_iter().map(|row| (row.id, row.status)));
        }
        assert_eq!(seen, wanted, "{filter:?}");
        counted += if matches!(filter, Filter::Status(_)) { wanted.len() } else { 0 };
    }
    assert_eq!(counted, all.len());
    let mut tx = store.read().await.unwrap();
    let everything = failed_in_pages(&mut tx, RecordScope::Own(built.user), size).await;
    let failures = all.iter().rev().filter(|(_, status)| status.is_failure()).map(|(id, _)| *id);
    assert_eq!(everything[..failures.clone().count()], failures.collect::<Vec<_>>()[..]);
}

async fn failed_in_pages(tx: &mut Tx, scope: RecordScope, size: i64) -> Vec<i64> {
    let mut seen = Vec::new();
    for number in 1.. {
        let messages = failed(tx, scope, None, Page::new(number, size), networks()).await.unwrap();
        if messages.messages.is_empty() {
            assert_eq!(messages.total, seen.len() as i64);
            break;
        }
        seen.extend(messages.messages.into_iter().map(|row| row.id));
    }
    seen
}

#[test]
fn pages_of_any_size_and_filter_hold_every_message_exactly_once() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(for_each_database(|store| async move {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let models = (prop::collection::vec(chunk(), 1..5), 1_i64..30);
        for _ in 0..12 {
            let (model, size) = models.new_tree(&mut runner).unwrap().current();
            check(&store, &model, size).await;
        }
    }));
}

#[tokio::test]
async fn a_page_lies_across_chunks_of_full_size() {
    for_each_database(|store| async move {
        let mut spots = vec![Spot::Answered(S::Delivered); 4_096];
        spots[4_000] = Spot::Answered(S::Unknown);
        let built = build(&store, "ada").chunk(&spots).chunk(&spots).chunk(&[Spot::Tail]).store().await;
        let across = shown(&store, &built, Filter::All, Page::new(5, 1_000)).await;
        assert_eq!((across.total, across.messages.len()), (8_193, 1_000));
        assert_eq!(across.messages[95].id, MessageId::new(built.chunks[0], 4_095).0);
        assert_eq!(across.messages[96].id, MessageId::new(built.chunks[1], 0).0);
        let unknown = shown(&store, &built, Filter::Status(S::Unknown), Page::new(2, 1)).await;
        assert_eq!(unknown.messages[0].id, MessageId::new(built.chunks[1], 4_000).0);
        let last = shown(&store, &built, Filter::All, Page::new(8_193, 1)).await;
        assert_eq!(last.messages[0].status, "queued");
    })
    .await;
}

#[tokio::test]
async fn a_row_says_who_why_and_how_much() {
    for_each_database(|store| async move {
        let spots = [Spot::Answered(S::Rejected), Spot::Answered(S::Delivered), Spot::Retry];
        let built = build(&store, "ada").sender("DRUMS").chunk(&spots).store().await;
        let rows = shown(&store, &built, Filter::All, Page::first()).await.messages;
        assert_eq!(rows[0].reason.as_deref(), Some("The carrier holds the number invalid"));
        assert_eq!(
            (rows[0].to.as_str(), rows[0].senderid.as_str()),
            (&*built.numbers[0].to_string(), "DRUMS")
        );
        assert_eq!((rows[1].price, rows[1].pages), (Amount(500_000), 1));
        assert_eq!(rows[1].done_at.as_deref(), Some("2023-11-14T22:14:20.001Z"));
        assert!(rows[1].carrier_ref.is_some() && rows[1].reason.is_none());
        assert!(rows[2].reason.as_deref().unwrap().starts_with("Will be tried again"));
        assert_eq!(rows[0].network, networks().name(networks().lookup(built.numbers[0])));
    })
    .await;
}

#[tokio::test]
async fn failed_messages_come_newest_first_and_go_on_before_any_message() {
    for_each_database(|store| async move {
        let spots = [Spot::Answered(S::Rejected), Spot::Tail, Spot::Tail];
        let first = build(&store, "ada").chunk(&[Spot::Answered(S::Expired)]).store().await;
        let other = build(&store, "bola").chunk(&[Spot::Answered(S::Rejected)]).store().await;
        let second =
            build(&store, "ada").chunk(&spots).chunk(&[Spot::Answered(S::Undelivered)]).store().await;
        let id = |built: &Built, chunk: usize| MessageId::new(built.chunks[chunk], 0);
        let mut tx = store.read().await.unwrap();
        let own = failed_in_pages(&mut tx, RecordScope::Own(first.user), 2).await;
        assert_eq!(own, [id(&second, 1).0, id(&second, 0).0, id(&first, 0).0]);
        assert_eq!(failed_in_pages(&mut tx, RecordScope::All, 10).await.len(), 4);
        let scope = RecordScope::Own(first.user);
        let older = failed(&mut tx, scope, Some(id(&second, 0)), Page::first(), networks()).await.unwrap();
        assert_eq!((older.total, older.messages[0].id), (1, id(&first, 0).0));
        let foreign = failed(&mut tx, scope, Some(id(&other, 0)), Page::first(), networks()).await;
        assert!(matches!(foreign, Err(Error::NotFound("message"))));
    })
    .await;
}

#[tokio::test]
async fn the_unknown_of_all_campaigns_are_one_list() {
    for_each_database(|store| async move {
        let spots = [Spot::Answered(S::Delivered), Spot::Answered(S::Unknown), Spot::Answered(S::Unknown)];
        let first = build(&store, "ada").chunk(&spots).chunk(&spots[..1]).store().await;
        let second = build(&store, "bola").chunk(&spots).store().await;
        let mut tx = store.read().await.unwrap();
        let listed = unknown(&mut tx, &Among::default(), Page::new(2, 3), networks()).await.unwrap();
        assert_eq!(listed.total, 4);
        assert_eq!(listed.messages[0].id, MessageId::new(second.chunks[0], 2).0);
        let first_page = unknown(&mut tx, &Among::default(), Page::new(1, 3), networks()).await.unwrap();
        assert_eq!(first_page.messages[0].campaign_id, first.campaign.0);
        let beyond = unknown(&mut tx, &Among::default(), Page::new(3, 3), networks()).await.unwrap();
        assert_eq!((beyond.total, beyond.messages.len()), (4, 0));
        let row = &first_page.messages[0];
        assert_eq!((row.user_id, row.username.as_deref()), (Some(first.user.0), Some("ada")));
        for (among, total) in [
            (Among { campaign: Some(second.campaign), ..Among::default() }, 2),
            (Among { user: Some(first.user), ..Among::default() }, 2),
            (Among { user: Some(first.user), campaign: Some(second.campaign), ..Among::default() }, 0),
            (Among { carrier: row.carrier.clone().unwrap(), ..Among::default() }, 4),
            (Among { carrier: "nobody".into(), ..Among::default() }, 0),
        ] {
            let listed = unknown(&mut tx, &among, Page::new(1, 1), networks()).await.unwrap();
            assert_eq!(listed.total, total, "{among:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_strangers_report_is_not_found() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
        let mut tx = store.read().await.unwrap();
        for (scope, campaign) in [
            (RecordScope::Own(UserId(built.user.0 + 1)), built.campaign),
            (RecordScope::All, CampaignId(built.campaign.0 + 1)),
        ] {
            let refused = page(&mut tx, scope, campaign, Filter::All, Page::first(), networks()).await;
            assert!(matches!(refused, Err(Error::NotFound("campaign"))));
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_built_agrees_with_itself() {
    for_each_database(|store| async move {
        let spots = [Spot::Answered(S::Unknown), Spot::Retry, Spot::InFlight, Spot::Tail];
        build(&store, "ada").chunk(&spots).store().await;
        let findings = crate::ledger::verify::verify(&mut store.read().await.unwrap()).await.unwrap();
        assert_eq!(findings.0, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn no_statement_scans_messages_or_skips_rows_of_them() {
    for_each_database(|store| async move {
        let mut tx = store.read().await.unwrap();
        for (text, plan) in table::plans(&mut tx).await.unwrap() {
            assert!(!text.contains("OFFSET"), "{text}");
            if tx.dialect() == Dialect::Sqlite {
                for table in ["messages", "m", "ch", "campaign_chunks", "campaigns", "r", "retries"] {
                    let scan = format!("SCAN {table}");
                    let scans =
                        plan.iter().any(|line| *line == scan || line.starts_with(&format!("{scan} ")));
                    assert!(
                        !scans || plan.iter().any(|line| line.contains("campaign_chunks_unknown")),
                        "{plan:#?}"
                    );
                }
            }
        }
    })
    .await;
}

/// Text that hardly deflates.
fn noise(signs: usize) -> String {
    let mut state = 1_u64;
    let sign = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'!' + (state >> 33) as u8 % 90)
    };
    (0..signs).map(sign).collect()
}

#[tokio::test]
async fn of_chunks_with_long_merge_fields_lists_and_searches_read_the_numbers_alone() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Answered(S::Rejected), Spot::Tail]).store().await;
        let mut builder = ChunkBuilder::new(1);
        for number in &built.numbers {
            builder.push(*number, 1, 1, [noise(100_000).as_str()]);
        }
        let data = builder.take().unwrap().unwrap().data;
        assert!(data.len() > 2 * NUMBERS_BYTES_MAX);
        store
            .write(Lane::Background, data, |tx, data| {
                Box::pin(tx.run("UPDATE audience_chunks SET data = $1", crate::args![data.as_slice()]))
            })
            .await
            .unwrap();
        let mut tx = store.read().await.unwrap();
        let first = table::chunks(&mut tx, built.chunks.clone()).await.unwrap().remove(0);
        let next = table::next_chunk(&mut tx, built.campaign, ChunkId(0)).await.unwrap().unwrap();
        let unmerged = number_index::unmerged(&mut tx, RecordScope::All, AudienceChunkId(0), 64)
            .await
            .unwrap()
            .remove(0);
        let listed = campaigns::audience_chunks(&mut tx, vec![unmerged.0]).await.unwrap().remove(0);
        assert_eq!(
            [first.data.len(), next.data.len(), unmerged.1.len(), listed.1.len()],
            [NUMBERS_BYTES_MAX; 4]
        );
        drop(tx);
        let numbers: Vec<String> = built.numbers.iter().map(ToString::to_string).collect();
        let rows = shown(&store, &built, Filter::All, Page::first()).await.messages;
        assert_eq!(rows.into_iter().map(|row| row.to).collect::<Vec<_>>(), numbers);
    })
    .await;
}

#[test]
fn every_status_is_counted_once_among_all() {
    let counts = Counts {
        queued: 1,
        submitting: 2,
        submitted: 4,
        delivered: 8,
        undelivered: 16,
        rejected: 32,
        expired: 64,
        unknown: 128,
        cancelled: 256,
        suppressed: 512,
    };
    let sum = |wanted: fn(S) -> bool| -> i64 {
        let statuses = S::ALL.iter().copied().filter(|status| wanted(*status));
        statuses.map(|status| taken(&counts, Filter::Status(status))).sum()
    };
    assert_eq!(taken(&counts, Filter::All), sum(|_| true));
    assert_eq!(taken(&counts, Filter::Failed), sum(S::is_failure));
    assert_eq!(counts.handed_over(), sum(|status| status.is_stored() && !status.is_given_up()));
}
