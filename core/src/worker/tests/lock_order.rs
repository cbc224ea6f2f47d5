//! The order of locks (see `store/chunk/mod.rs`): whichever transactions settle, claim and cancel at the same time,
//! PostgreSQL meets no deadlock.

use futures::future::{join, join_all};
use talkdrum_api::money::Currency;

use crate::both_databases;
use crate::campaign::control::{self, Authority};
use crate::ledger::verify::verify;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::outcome::{MessageChange, MessageOutcome, OutcomeBatch, Terms, transition};
use crate::model::message::status::MessageStatus as S;
use crate::model::platform::id::RunId;
use crate::store::chunk::retry::{self, DueRetries, Retry};
use crate::store::db::once::Once;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, START, Spot, UNIT_PRICE, build};
use crate::time::Time;
use crate::worker::settle::batch::Work;

const CAMPAIGNS: usize = 100;
const NOW: Time = Time(START.0 + 60_000);

/// Two chunks that end with their answers, and one of which a part was never claimed.
async fn campaign(store: &Store, user: &str) -> Built {
    let whole = [Spot::InFlight; 6];
    let part = [Spot::InFlight, Spot::InFlight, Spot::InFlight, Spot::Retry, Spot::Tail, Spot::Tail];
    build(store, user).chunk(&whole).chunk(&part).chunk(&whole).store().await
}

/// What a carrier answers to one message of each chunk: accepted, or refused, so that money goes both ways.
fn answers(campaigns: &[&Built], place: u16) -> Work {
    let mut batch = OutcomeBatch::default();
    for built in campaigns {
        let terms = Terms {
            campaign: built.campaign,
            reserve: built.reserve,
            wallet: built.wallet,
            currency: Currency::Espees,
            unit_price: UNIT_PRICE,
            refund_undelivered: false,
        };
        for chunk in built.chunks.iter().filter(|chunk| place < 3 || **chunk != built.chunks[1]) {
            let status = if place.is_multiple_of(2) { S::Submitted } else { S::Rejected };
            let message = MessageId::new(*chunk, place);
            let (reference, submitted_at) = (None, Some(NOW));
            let outcome = MessageOutcome {
                message,
                status,
                reference,
                submitted_at,
                done_at: None,
                error: None,
                units: None,
            };
            let (after, effect) = transition(None, status, false).unwrap();
            batch
                .push(MessageChange { outcome, before: None, after, effect, price: UNIT_PRICE }, &terms)
                .unwrap();
        }
    }
    Work { carrier: "main".into(), now: NOW, batch, ..Work::default() }
}

/// Receipts for the messages at `place`, and messages at the next that were not sent.
fn receipts(campaigns: &[&Built], place: u16) -> Work {
    let ends = |built: &Built| [built.chunks[2], built.chunks[0]];
    let chunks: Vec<ChunkId> = campaigns.iter().flat_map(|built| ends(built)).collect();
    let outcome = |chunk: &ChunkId| MessageOutcome {
        message: MessageId::new(*chunk, place),
        status: S::Delivered,
        reference: None,
        submitted_at: None,
        done_at: Some(NOW),
        error: None,
        units: None,
    };
    let again = |chunk: &ChunkId| Retry {
        message_id: MessageId::new(*chunk, place + 1),
        tries: 1,
        attempts: 0,
        parts_done: 0,
        due_at: NOW,
        reason: "busy".into(),
        carrier: "main".into(),
        tried: String::new(),
        caller: None,
        is_led: false,
        network: None,
    };
    let (careful, retries) = (chunks.iter().map(outcome).collect(), chunks.iter().map(again).collect());
    Work { carrier: "main".into(), now: NOW, careful, retries, ..Work::default() }
}

/// Settles the first four messages of each chunk, then the fifth by receipts while the sixth is queued again: some
/// campaigns at a time, of which the next ones share half.
async fn settle(store: &Store, campaigns: &[Built], backwards: bool) {
    let mut order: Vec<&Built> = campaigns.iter().collect();
    if backwards {
        order.reverse();
    }
    let writes =
        Once::new(store.clone(), RunId(1), if backwards { "settle:backwards" } else { "settle:forwards" });
    for place in [u16::from(backwards), 2 + u16::from(backwards)] {
        for some in order.chunks(8) {
            answers(some, place).store(&writes).await.unwrap();
        }
    }
    if !backwards {
        for some in order.chunks(8) {
            receipts(some, 4).store(&writes).await.unwrap();
        }
    }
}

async fn cancel(store: &Store, campaign: CampaignId) {
    store
        .write(Lane::Interactive, campaign, |tx, campaign| {
            Box::pin(control::cancel(tx, *campaign, Authority::Admin, NOW))
        })
        .await
        .unwrap();
}

/// Takes what waits to be tried again, as a dispatcher does, and settles nothing of it.
async fn claim_retries(store: &Store) {
    let due = DueRetries {
        now: NOW,
        started_before: NOW,
        quiet: false,
        limit: 16,
        even_held: false,
        only_spared: false,
        only_own: false,
    };
    for _ in 0..20 {
        let claimed = store
            .write(Lane::Intent, due, |tx, due| Box::pin(retry::claim(tx, "main", RunId(7), *due)))
            .await;
        // One that a cancel took meanwhile fails the claim as a whole, which is tried again.
        assert!(
            claimed.map_err(|error| error.code().to_owned()).map_or_else(|code| code == "corrupt", |_| true)
        );
    }
}

both_databases! {
    async fn a_hundred_cancels_under_load_meet_no_deadlock(store: Store) {
        let mut campaigns = Vec::with_capacity(CAMPAIGNS);
        for number in 0..CAMPAIGNS {
            campaigns.push(campaign(&store, ["ada", "eve", "ife"][number % 3]).await);
        }
        let cancels = |half: usize| {
            let ids: Vec<CampaignId> = campaigns.iter().map(|built| built.campaign).skip(half).step_by(2).collect();
            let store = &store;
            async move {
                for id in ids {
                    cancel(store, id).await;
                }
            }
        };
        let settling = join_all([settle(&store, &campaigns, false), settle(&store, &campaigns, true)]);
        join(settling, join(join_all([cancels(0), cancels(1)]), claim_retries(&store))).await;
        assert_eq!(store.deadlocks(), 0);
        assert_eq!(verify(&mut store.read().await.unwrap()).await.unwrap().0, Vec::<String>::new());
    }
}
