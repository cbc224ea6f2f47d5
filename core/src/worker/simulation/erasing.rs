//! Retention beside the send: what is over is erased as if its time were past, while other messages go out.

use std::collections::HashMap;
use std::time::Duration;

use super::Simulation;
use crate::args;
use crate::content::Content;
use crate::error::Result;
use crate::model::campaign::audience_chunk::{CHUNK_SIZE, Chunk};
use crate::model::campaign::id::AudienceChunkId;
use crate::model::message::postings::NumberPosting;
use crate::model::platform::data_class::DataClass;
use crate::operate::retention;
use crate::store::Lane;
use crate::store::message::number_runs;
use crate::testing::builder::{Built, START};
use crate::time::Clock;

/// Days that all is kept.
const DAYS: u32 = 1;
/// How long ago campaigns were made: those that are not over are passed over, and those behind them erased.
const MADE_BEFORE: Duration = Duration::from_hours(12 * 24);
/// How far ahead retention is beside the send at first: what is over is past its time, and what awaits receipts is waited for.
const BESIDE: Duration = Duration::from_hours(2 * 24);
/// How many days further it goes there: it waits seven days for receipts.
const DAYS_FURTHER: u32 = 4;
/// How often it is let on, roughly, until it goes on by a day.
const TIMES_A_DAY: u32 = 8;
/// How far ahead it is afterwards at first: beyond the days for which it waits for receipts, and for what is not over.
const AFTERWARDS: Duration = Duration::from_hours(40 * 24);
/// How much further each time, so that what it passed over is looked at again.
const FURTHER: Duration = Duration::from_hours(25);
/// How often retention is let on afterwards.
const TIMES: u32 = 50;

impl Simulation {
    /// Has everything be past its time as soon as it is over.
    pub(super) async fn begin_erasing(&self) {
        let job = self.store.write(Lane::Background, (), |tx, ()| {
            Box::pin(async move {
                for class in ["texts", "numbers"] {
                    let sql = "INSERT INTO retention_terms (class, days, since) VALUES ($1, $2, 1)";
                    tx.run(sql, args![class, i64::from(DAYS)]).await?;
                }
                Ok(())
            })
        });
        job.await.unwrap();
    }

    /// Makes a campaign one of long ago, whose numbers are in their index: others are not erased.
    pub(super) async fn make_old(&self, built: &Built) {
        match built.campaign.0 % 2 {
            0 => built.merge_all(&self.store).await,
            _ => built.merge_packed(&self.store).await,
        }
        let input = (built.campaign, START - MADE_BEFORE);
        let write = self.store.write(Lane::Background, input, |tx, (id, at)| {
            Box::pin(async move {
                tx.run("UPDATE campaigns SET created_at = $2 WHERE id = $1", args![*id, *at]).await
            })
        });
        write.await.unwrap();
    }

    /// Some steps of retention beside the send.
    pub(super) async fn erase_beside(&mut self) -> Result<()> {
        self.erasings += 1;
        self.erase_some(BESIDE + FURTHER * (self.erasings / TIMES_A_DAY).min(DAYS_FURTHER)).await
    }

    /// Some steps of retention, so far ahead, which may fail as every write may; then nothing that may still go out has changed.
    async fn erase_some(&self, ahead: Duration) -> Result<()> {
        // The builder leaves quotes that may still be confirmed: their campaigns would not be over.
        let job = self.store.write(Lane::Background, (), |tx, ()| {
            Box::pin(async move {
                tx.run("UPDATE quotes SET confirmed_at = 1 WHERE confirmed_at IS NULL", args![]).await
            })
        });
        job.await.unwrap();
        let outcome = self.step(ahead).await;
        self.check_open().await;
        outcome
    }

    async fn step(&self, ahead: Duration) -> Result<()> {
        let now = self.clock.now() + ahead;
        for class in [DataClass::Texts, DataClass::Numbers] {
            for _ in 0..3 {
                if !retention::tick(&self.faulty, class, DAYS, now).await? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Erases whatever may be, once nothing moves any more.
    pub(super) async fn erase_all(&self) {
        for time in 0..TIMES {
            self.erase_some(AFTERWARDS + FURTHER * time).await.unwrap();
        }
        self.check_index().await;
    }

    /// The index of numbers says of no recipient what its chunk does not.
    async fn check_index(&self) {
        let mut tx = self.store.read().await.unwrap();
        let rows = "SELECT number, recipient FROM number_index";
        let mut postings: Vec<NumberPosting> = tx.all(rows, args![]).await.unwrap();
        postings.extend(number_runs::all(&mut tx).await.unwrap());
        let chunks: Vec<(AudienceChunkId, Vec<u8>)> =
            tx.all("SELECT id, data FROM audience_chunks", args![]).await.unwrap();
        let chunks: HashMap<AudienceChunkId, Chunk> =
            chunks.into_iter().map(|(id, data)| (id, Chunk::decode_without_fields(&data).unwrap())).collect();
        for (number, recipient) in postings {
            let (chunk, place) = (AudienceChunkId::of_recipient(recipient), recipient % CHUNK_SIZE as i64);
            let held = chunks[&chunk].numbers()[place as usize].digits().cast_signed();
            assert_eq!(held, number, "place {place} of chunk {chunk}");
        }
    }

    /// Texts and numbers of campaigns that are not over are all there.
    async fn check_open(&self) {
        let mut tx = self.store.read().await.unwrap();
        let open: Vec<(i64, String, Vec<u8>)> = tx
            .all(
                "SELECT ch.id, c.content, a.data FROM campaigns c JOIN campaign_chunks ch ON ch.campaign_id = c.id \
                 JOIN audience_chunks a ON a.id = ch.audience_chunk_id \
                 WHERE c.chunks_open > 0 OR ch.state = 'open' OR c.status NOT IN ('completed', 'cancelled')",
                args![],
            )
            .await
            .unwrap();
        for (chunk, content, data) in open {
            let content: Content = serde_json::from_str(&content).unwrap();
            let recipients = Chunk::decode_without_fields(&data).unwrap();
            let is_erased = content.is_erased() || recipients.numbers().iter().any(|it| it.is_erased());
            assert!(!is_erased, "chunk {chunk} may still go out");
        }
    }

    /// How many campaigns have neither text nor numbers any more, and how many have.
    pub(super) async fn erased(&self) -> [i64; 2] {
        let mut tx = self.store.read().await.unwrap();
        let all: Vec<(String, Vec<u8>)> = tx
            .all(
                "SELECT c.content, a.data FROM campaigns c JOIN audience_chunks a ON a.audience_id = c.audience_id",
                args![],
            )
            .await
            .unwrap();
        let mut counts = [0, 0];
        for (content, data) in all {
            let content: Content = serde_json::from_str(&content).unwrap();
            let numbers = Chunk::decode_without_fields(&data).unwrap();
            let is_erased = content.is_erased() && numbers.numbers().iter().all(|it| it.is_erased());
            counts[usize::from(!is_erased)] += 1;
        }
        counts
    }
}
