//! The delivery report as CSV, streamed: `to,status,reason,senderid,network,pages,price,currency,carrier_ref,
//! submitted_at,done_at,id`, one line a message in order of sending; of several campaigns with `campaign_id` in front.
//!
//! Each chunk is one short read by key range on a connection of its own; the next is read while one is written out,
//! and both wait when the client is slow. A text a spreadsheet would take for a formula gets an apostrophe in front.
//!
//! The invariant: memory is that of a few chunks, whatever the size of the campaigns and their number.

use std::collections::VecDeque;
use std::ops::Deref;

use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use tokio::sync::mpsc;

use super::audience::Chunk;
use super::report::{Filter, Scope, require, status_of};
use super::{reason, status::MessageStatus};
use crate::clock::Time;
use crate::content::Kind;
use crate::error::Result;
use crate::money::Amount;
use crate::phone::NetworkTable;
use crate::store::history;
use crate::store::report::{self as table, ChunkRow, Columns};
use crate::store::{Store, Tx};

/// The first line.
pub const HEADER: &str =
    "to,status,reason,senderid,network,pages,price,currency,carrier_ref,submitted_at,done_at,id\r\n";

/// Campaigns of a period that are looked up at once.
const CAMPAIGNS_AT_ONCE: i64 = 200;
/// Buffers written ahead of a slow client, each of one chunk (about half a megabyte).
const BUFFERS_AHEAD: usize = 2;
/// Room for a usual line.
const LINE_BYTES: usize = 128;

/// The report of a campaign as pieces of CSV, the header first.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such campaign, or it is not in scope. What fails later ends the stream
/// with an error.
pub async fn csv<N>(
    store: &Store,
    scope: Scope,
    campaign: i64,
    networks: N,
) -> Result<BoxStream<'static, Result<Vec<u8>>>>
where
    N: Deref<Target = NetworkTable> + Send + Sync + 'static,
{
    require(&mut store.read().await?, scope, campaign).await?;
    let walk = Walk { store: store.clone(), period: None, waiting: [campaign].into(), at: None };
    Ok(written(walk, Pen::new(None), networks))
}

/// Which messages of a user.
#[derive(Clone, Copy, Debug)]
pub struct Period {
    /// Whose.
    pub user: i64,
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
    let walk = Walk { store: store.clone(), period: Some((period, 0)), waiting: VecDeque::new(), at: None };
    written(walk, Pen::new(Some(period.filter)), networks)
}

fn written<N>(walk: Walk, pen: Pen, networks: N) -> BoxStream<'static, Result<Vec<u8>>>
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

async fn write_all(mut walk: Walk, mut pen: Pen, networks: &NetworkTable, sender: &Sender) -> Result<()> {
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
    period: Option<(Period, i64)>,
    /// The next campaigns.
    waiting: VecDeque<i64>,
    /// The campaign, and its chunk that was read last.
    at: Option<(i64, i64)>,
}

impl Walk {
    async fn next(&mut self) -> Result<Option<Sheet>> {
        loop {
            if let Some((campaign, after)) = self.at
                && let Some(sheet) = read(&self.store, campaign, after).await?
            {
                self.at = Some((campaign, sheet.chunk.id));
                return Ok(Some(sheet));
            }
            if self.waiting.is_empty() {
                self.look_up().await?;
            }
            let Some(campaign) = self.waiting.pop_front() else { return Ok(None) };
            self.at = Some((campaign, 0));
        }
    }

    /// Finds the next campaigns of the period.
    async fn look_up(&mut self) -> Result<()> {
        let Some((period, after)) = &mut self.period else { return Ok(()) };
        let made = (period.from.map_or(0, |from| from.0), period.to.map_or(i64::MAX, |to| to.0));
        let kind = period.kind.map_or("", Kind::code);
        let mut tx = self.store.read().await?;
        let found = history::within(&mut tx, period.user, kind, made, *after, CAMPAIGNS_AT_ONCE).await?;
        if let Some(last) = found.last() {
            *after = *last;
        }
        self.waiting = found.into();
        Ok(())
    }
}

/// All that the lines of a chunk need.
#[derive(Debug)]
struct Sheet {
    chunk: ChunkRow,
    retries: Vec<(i64, String)>,
    columns: Columns,
}

async fn read(store: &Store, campaign: i64, after: i64) -> Result<Option<Sheet>> {
    let mut tx: Tx = store.read().await?;
    let Some(chunk) = table::next_chunk(&mut tx, campaign, after).await? else { return Ok(None) };
    let waits = chunk.cursor > chunk.answered;
    let retries = if waits { table::chunk_retries(&mut tx, chunk.id).await? } else { Vec::new() };
    // Messages last: a row written meanwhile outweighs what the chunk and the retries said.
    let columns = table::columns(&mut tx, chunk.id).await?;
    Ok(Some(Sheet { chunk, retries, columns }))
}

/// Writes lines, remembering what the one before had: most lines of a report differ in few fields.
#[derive(Debug)]
struct Pen {
    stamp: Stamp,
    /// Of several campaigns: each line says of which, and only those in this status are written.
    of_many: Option<Filter>,
}

impl Pen {
    fn new(of_many: Option<Filter>) -> Self {
        Self { stamp: Stamp::default(), of_many }
    }

    fn header(&self) -> Vec<u8> {
        let campaign = if self.of_many.is_some() { "campaign_id," } else { "" };
        format!("{campaign}{HEADER}").into_bytes()
    }

    fn lines(&mut self, sheet: &Sheet, networks: &NetworkTable) -> Result<Vec<u8>> {
        let Sheet { chunk, retries, columns } = sheet;
        let audience = Chunk::decode(&chunk.data)?;
        let filter = self.of_many.unwrap_or(Filter::All);
        let room = if filter == Filter::All { audience.len() * LINE_BYTES } else { 0 };
        let mut out = Vec::with_capacity(room);
        let sender = field(&chunk.sender);
        let prices = Prices::new(chunk.unit_price_micros)?;
        let mut answered = columns.places.iter().copied().enumerate().peekable();
        let mut retries = retries.iter().peekable();
        for (place, to) in audience.numbers().iter().enumerate() {
            let place = place as u16;
            let id = chunk.id * 4_096 + i64::from(place);
            let row = answered.next_if(|(_, answered)| *answered == place).map(|(row, _)| row);
            let retry = retries.next_if(|(message, _)| *message == id).map(|(_, why)| why.as_str());
            let status = match row {
                Some(row) => status_of(columns.statuses.get(row).copied().map_or(0, i64::from))?,
                None => table::unanswered(place, retry.is_some(), chunk.cursor, chunk.tail_cancelled),
            };
            if !filter.takes(status) {
                continue;
            }
            let pages = audience.pages(usize::from(place));
            if self.of_many.is_some() {
                push_number(&mut out, chunk.campaign_id.unsigned_abs());
                out.push(b',');
            }
            push_number(&mut out, to.digits());
            out.push(b',');
            out.extend_from_slice(status.as_str().as_bytes());
            out.push(b',');
            push_reason(
                &mut out,
                status,
                row.and_then(|row| text(&columns.errors, row)),
                retry.filter(|_| row.is_none()),
            );
            out.push(b',');
            out.extend_from_slice(&sender);
            out.push(b',');
            push_field(&mut out, networks.name(networks.lookup(*to)));
            out.push(b',');
            push_number(&mut out, u64::from(pages));
            out.push(b',');
            out.extend_from_slice(prices.of(pages));
            out.push(b',');
            out.extend_from_slice(chunk.currency.as_bytes());
            out.push(b',');
            push_field(&mut out, row.and_then(|row| text(&columns.carrier_refs, row)).unwrap_or_default());
            out.push(b',');
            self.stamp.push(&mut out, row.and_then(|row| *columns.submitted_at.get(row)?));
            out.push(b',');
            self.stamp.push(&mut out, row.and_then(|row| *columns.done_at.get(row)?));
            out.push(b',');
            push_number(&mut out, id.unsigned_abs());
            out.extend_from_slice(b"\r\n");
        }
        Ok(out)
    }
}

fn text(column: &[Option<Box<str>>], row: usize) -> Option<&str> {
    column.get(row)?.as_deref()
}

fn push_reason(out: &mut Vec<u8>, status: MessageStatus, error: Option<&str>, retry: Option<&str>) {
    match retry {
        Some(retry) => push_field(out, &reason::of_retry(retry)),
        None if status == MessageStatus::Delivered && error.is_none() => (),
        None => push_field(out, &reason::of(status, error).unwrap_or_default()),
    }
}

/// The prices of one to six pages, written once.
#[derive(Debug)]
struct Prices(Vec<Vec<u8>>);

impl Prices {
    /// A page is counted in a byte, and no message has more than a few.
    fn new(unit_price_micros: i64) -> Result<Self> {
        let price = |pages| Ok(Amount(unit_price_micros).times(pages)?.to_string().into_bytes());
        (0..=u64::from(u8::MAX)).map(price).collect::<Result<_>>().map(Self)
    }

    fn of(&self, pages: u8) -> &[u8] {
        &self.0[usize::from(pages)]
    }
}

/// Times as RFC 3339: the part up to the second is kept, most rows share it with the row before.
#[derive(Debug)]
struct Stamp {
    second: i64,
    text: Vec<u8>,
}

impl Default for Stamp {
    fn default() -> Self {
        Self { second: i64::MIN, text: Vec::new() }
    }
}

impl Stamp {
    fn push(&mut self, out: &mut Vec<u8>, time: Option<i64>) {
        let Some(time) = time else { return };
        let second = time.div_euclid(1_000);
        if second != self.second {
            self.second = second;
            self.text = Time(second * 1_000).to_rfc3339().into_bytes();
            // Up to and with the point, where there is one.
            let whole =
                self.text.iter().position(|byte| *byte == b'.').map_or(self.text.len(), |point| point + 1);
            self.text.truncate(whole);
        }
        out.extend_from_slice(&self.text);
        let millis = time.rem_euclid(1_000);
        out.extend([millis / 100, millis / 10 % 10, millis % 10].map(|digit| b'0' + digit as u8));
        out.push(b'Z');
    }
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

/// A text as a field.
fn field(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    push_field(&mut out, text);
    out
}

/// Writes a text as a field (RFC 4180), harmless to spreadsheets.
pub(crate) fn push_field(out: &mut Vec<u8>, text: &str) {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let quoted = text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n'));
    if quoted {
        out.push(b'"');
    }
    if formula {
        out.push(b'\'');
    }
    if quoted {
        for byte in text.bytes() {
            if byte == b'"' {
                out.push(b'"');
            }
            out.push(byte);
        }
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::report::{Filter, Page, page};
    use crate::campaign::status::MessageStatus as S;
    use crate::error::Error;
    use crate::testing::builder::{Spot, build};
    use crate::testing::database::for_each_database;

    async fn whole(store: &Store, scope: Scope, campaign: i64) -> Result<String> {
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
                .into_iter()
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
            let text = whole(&store, Scope::Own(built.user), built.campaign).await.unwrap();
            let mut tx = store.read().await.unwrap();
            let report = page(
                &mut tx,
                Scope::All,
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
            let refused = whole(&store, Scope::Own(built.user + 1), built.campaign).await;
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
            .map(|(campaign, status)| (campaign, status.to_owned()));
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

    #[test]
    fn fields_are_quoted_where_needed_and_never_a_formula() {
        let shown = |text| String::from_utf8(field(text)).unwrap();
        assert_eq!(shown("plain"), "plain");
        assert_eq!(shown("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(shown("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
        for text in ["=1", "+1", "-1", "@x"] {
            assert_eq!(shown(text), format!("'{text}"));
        }
    }

    #[test]
    fn times_and_numbers_are_written_as_elsewhere() {
        let mut stamp = Stamp::default();
        for time in [0, 1_700_000_000_123, 1_700_000_000_007, 1_700_000_001_000, -1] {
            let mut out = Vec::new();
            stamp.push(&mut out, Some(time));
            assert_eq!(String::from_utf8(out).unwrap(), Time(time).to_rfc3339());
        }
        let mut out = Vec::new();
        push_number(&mut out, 0);
        push_number(&mut out, u64::MAX);
        assert_eq!(String::from_utf8(out).unwrap(), format!("0{}", u64::MAX));
    }
}
