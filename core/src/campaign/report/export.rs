//! The delivery report as CSV, streamed: `to,status,reason,senderid,network,pages,price,currency,carrier_ref,
//! submitted_at,done_at,id,keys,answer,purpose`, one line a message in order of sending; of several campaigns with `campaign_id` in front.
//!
//! Each chunk is one short read by key range on a connection of its own; the next is read while one is written out,
//! and both wait when the client is slow.
//!
//! Memory is that of a few chunks, whatever the size of the campaigns and their number.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::Arc;

use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use talkdrum_api::kind::Kind;
use tokio::sync::mpsc;

use crate::campaign::report::export_csv::{CsvWriter, Sheet};
use crate::campaign::report::{Filter, require};
use crate::content::{Content, Poll};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::page::RecordScope;
use crate::phone::NetworkTable;
use crate::store::campaign::list;
use crate::store::message::answered;
use crate::store::message::report as table;
use crate::store::voice::call;
use crate::store::{Store, Tx};
use crate::time::Time;

/// Campaigns of a period that are looked up at once.
const CAMPAIGNS_AT_ONCE: i64 = 200;
/// Buffers written ahead of a slow client, each of one chunk (about half a megabyte).
const BUFFERS_AHEAD: usize = 2;

/// The report of a campaign as pieces of CSV, the header first.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such campaign, or it is not in scope. What fails later ends the stream
/// with an error.
pub async fn csv<N>(
    store: &Store,
    scope: RecordScope,
    campaign: CampaignId,
    networks: N,
) -> Result<BoxStream<'static, Result<Vec<u8>>>>
where
    N: Deref<Target = NetworkTable> + Send + Sync + 'static,
{
    require(&mut store.read().await?, scope, campaign).await?;
    let walk = Walk { store: store.clone(), period: None, waiting: [campaign].into(), at: None, poll: None };
    Ok(written(walk, CsvWriter::new(None), networks))
}

/// Which messages of a user.
#[derive(Clone, Copy, Debug)]
pub struct Period {
    /// Whose.
    pub user: UserId,
    /// Of campaigns of this kind; `None` is any.
    pub kind: Option<Kind>,
    /// Of campaigns made at or after this.
    pub from: Option<Time>,
    /// Of campaigns made before this.
    pub to: Option<Time>,
    /// In which status.
    pub filter: Filter,
}

/// The reports of all campaigns of a period as one, oldest campaign first, in pieces of CSV with the header first. What
/// fails ends the stream with an error.
pub fn csv_of_period<N>(store: &Store, period: Period, networks: N) -> BoxStream<'static, Result<Vec<u8>>>
where
    N: Deref<Target = NetworkTable> + Send + Sync + 'static,
{
    let (store, waiting) = (store.clone(), VecDeque::new());
    let walk = Walk { store, period: Some((period, CampaignId::BEFORE_ALL)), waiting, at: None, poll: None };
    written(walk, CsvWriter::new(Some(period.filter)), networks)
}

fn written<N>(walk: Walk, pen: CsvWriter, networks: N) -> BoxStream<'static, Result<Vec<u8>>>
where
    N: Deref<Target = NetworkTable> + Send + Sync + 'static,
{
    let (sender, receiver) = mpsc::channel(BUFFERS_AHEAD);
    tokio::spawn(async move {
        if let Err(error) = write_all(walk, pen, &networks, &sender).await {
            // A client that has gone needs no error.
            let _ = sender.send(Err(error)).await;
        }
    });
    let pieces =
        stream::unfold(receiver, |mut receiver| async move { Some((receiver.recv().await?, receiver)) });
    pieces.boxed()
}

type Sender = mpsc::Sender<Result<Vec<u8>>>;

async fn write_all(
    mut walk: Walk,
    mut pen: CsvWriter,
    networks: &NetworkTable,
    sender: &Sender,
) -> Result<()> {
    if sender.send(Ok(pen.header())).await.is_err() {
        return Ok(());
    }
    let mut ready = walk.next().await?;
    while let Some(sheet) = ready {
        // Polled in order: the database is asked first, and works while this chunk is written.
        let (next, lines) = futures::join!(walk.next(), async { pen.lines(&sheet, networks) });
        let is_nothing = matches!(&lines, Ok(lines) if lines.is_empty());
        if !is_nothing && sender.send(lines).await.is_err() {
            return Ok(());
        }
        ready = next?;
    }
    Ok(())
}

/// A way through the chunks of campaigns.
#[derive(Debug)]
struct Walk {
    store: Store,
    /// Where more campaigns come from, and after which.
    period: Option<(Period, CampaignId)>,
    /// The next campaigns.
    waiting: VecDeque<CampaignId>,
    /// The campaign, and its chunk that was read last.
    at: Option<(CampaignId, ChunkId)>,
    /// The question that it asks.
    poll: Option<Arc<Poll>>,
}

impl Walk {
    async fn next(&mut self) -> Result<Option<Sheet>> {
        loop {
            if let Some((campaign, after)) = self.at
                && let Some(sheet) = read(&self.store, campaign, after, self.poll.clone()).await?
            {
                self.at = Some((campaign, sheet.chunk.id));
                return Ok(Some(sheet));
            }
            if self.waiting.is_empty() {
                self.look_up().await?;
            }
            let Some(campaign) = self.waiting.pop_front() else { return Ok(None) };
            self.at = Some((campaign, ChunkId::BEFORE_ALL));
            self.poll = question(&mut self.store.read().await?, campaign).await?;
        }
    }

    /// Finds the next campaigns of the period.
    async fn look_up(&mut self) -> Result<()> {
        let Some((period, after)) = &mut self.period else { return Ok(()) };
        let made = (period.from, period.to);
        let mut tx = self.store.read().await?;
        let found = list::within(&mut tx, period.user, period.kind, made, *after, CAMPAIGNS_AT_ONCE).await?;
        if let Some(last) = found.last() {
            *after = *last;
        }
        self.waiting = found.into();
        Ok(())
    }
}

/// The question that a campaign asks; none of one that asks none, or whose content cannot be read.
async fn question(tx: &mut Tx, campaign: CampaignId) -> Result<Option<Arc<Poll>>> {
    let origin = table::origin(tx, campaign).await?;
    let content = origin.and_then(|origin| Content::from_json(&origin.content).ok());
    Ok(content.and_then(|content| content.as_call()?.poll.clone()).map(Arc::new))
}

async fn read(
    store: &Store,
    campaign: CampaignId,
    after: ChunkId,
    poll: Option<Arc<Poll>>,
) -> Result<Option<Sheet>> {
    let mut tx: Tx = store.read().await?;
    let Some(chunk) = table::next_chunk(&mut tx, campaign, after).await? else { return Ok(None) };
    let waits = chunk.cursor > chunk.answered;
    let retries = if waits { table::chunk_retries(&mut tx, chunk.id).await? } else { Vec::new() };
    // Messages last: a row written meanwhile outweighs what the chunk and the retries said.
    let answered = answered::of_chunk(&mut tx, chunk.id).await?;
    let keys = if chunk.kind.is_sms() { Vec::new() } else { call::keys(&mut tx, chunk.id).await? };
    Ok(Some(Sheet { chunk, retries, answered, keys, poll }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::report::{Filter, page};
    use crate::error::Error;
    use crate::model::message::status::MessageStatus as S;
    use crate::model::page::Page;
    use crate::testing::builder::{Spot, build};
    use crate::testing::database::for_each_database;

    async fn whole(store: &Store, scope: RecordScope, campaign: CampaignId) -> Result<String> {
        let mut pieces = csv(store, scope, campaign, NetworkTable::builtin()).await?;
        let mut text = Vec::new();
        while let Some(piece) = pieces.next().await {
            text.extend(piece?);
        }
        Ok(String::from_utf8(text).unwrap())
    }

    #[tokio::test]
    async fn the_export_says_what_the_report_says() {
        for_each_database(|store| async move {
            let spots: Vec<Spot> = S::ALL
                .iter()
                .copied()
                .skip(2)
                .map(Spot::Answered)
                .chain([Spot::Retry, Spot::InFlight, Spot::Tail])
                .collect();
            let built = build(&store, "ada")
                .sender("=1+1")
                .chunk(&spots)
                .cancelled_chunk(&spots)
                .chunk(&[Spot::Tail; 3])
                .store()
                .await;
            let text = whole(&store, RecordScope::Own(built.user), built.campaign).await.unwrap();
            let mut tx = store.read().await.unwrap();
            let report = page(
                &mut tx,
                RecordScope::All,
                built.campaign,
                Filter::All,
                Page::first(),
                NetworkTable::builtin(),
            );
            let report = report.await.unwrap().messages;
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let lines: Vec<Vec<String>> =
                reader.records().map(|line| line.unwrap().iter().map(str::to_owned).collect()).collect();
            assert_eq!(lines.len(), report.len());
            for (line, row) in lines.iter().zip(report) {
                let expected = [
                    row.to,
                    row.status,
                    row.reason.unwrap_or_default(),
                    format!("'{}", row.senderid),
                    row.network,
                    row.pages.to_string(),
                    row.price.to_string(),
                    "espees".into(),
                    row.carrier_ref.unwrap_or_default(),
                    row.submitted_at.unwrap_or_default(),
                    row.done_at.unwrap_or_default(),
                    row.id.to_string(),
                    String::new(),
                    String::new(),
                    row.purpose.code().into(),
                ];
                assert_eq!(line, &expected);
            }
        })
        .await;
    }

    #[tokio::test]
    async fn a_stranger_gets_no_export() {
        for_each_database(|store| async move {
            let built = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            let refused = whole(&store, RecordScope::Own(UserId(built.user.0 + 1)), built.campaign).await;
            assert!(matches!(refused, Err(Error::NotFound("campaign"))));
        })
        .await;
    }

    #[tokio::test]
    async fn a_period_has_the_messages_of_its_campaigns_and_nobody_elses() {
        for_each_database(|store| async move {
            let first = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered), Spot::Tail]).store().await;
            let second = build(&store, "ada")
                .chunk(&[Spot::Answered(S::Rejected)])
                .chunk(&[Spot::Answered(S::Expired), Spot::Answered(S::Delivered)])
                .store()
                .await;
            build(&store, "bola").chunk(&[Spot::Tail]).store().await;
            let made = crate::testing::builder::START;
            let period = Period { user: first.user, kind: None, from: None, to: None, filter: Filter::All };
            let lines = async |period| {
                let mut pieces = csv_of_period(&store, period, NetworkTable::builtin());
                let mut text = Vec::new();
                while let Some(piece) = pieces.next().await {
                    text.extend(piece.unwrap());
                }
                let mut reader = csv::Reader::from_reader(text.as_slice());
                assert_eq!(
                    reader.headers().unwrap().iter().take(3).collect::<Vec<_>>(),
                    ["campaign_id", "to", "status"]
                );
                reader
                    .records()
                    .map(|line| line.unwrap())
                    .map(|line| (line[0].parse::<i64>().unwrap(), line[2].to_owned()))
                    .collect::<Vec<_>>()
            };
            let all = [
                (first.campaign, "delivered"),
                (first.campaign, "queued"),
                (second.campaign, "rejected"),
                (second.campaign, "expired"),
                (second.campaign, "delivered"),
            ]
            .map(|(campaign, status)| (campaign.0, status.to_owned()));
            assert_eq!(lines(period).await, all);
            assert_eq!(lines(Period { filter: Filter::Failed, ..period }).await, all[2..4]);
            let delivered = Filter::Status(S::Delivered);
            assert_eq!(lines(Period { filter: delivered, ..period }).await, [all[0].clone(), all[4].clone()]);
            assert_eq!(lines(Period { kind: Some(Kind::Vcard), ..period }).await, []);
            assert_eq!(lines(Period { to: Some(made), ..period }).await, []);
            assert_eq!(lines(Period { from: Some(made), to: Some(Time(made.0 + 1)), ..period }).await, all);
        })
        .await;
    }
}
