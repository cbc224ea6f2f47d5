//! Campaigns in any state, written straight into the tables: for tests of what reads them.
//!
//! What is built agrees with itself as the workers would leave it (counters with rows, reserve with
//! what chunks owe), so that `ledger::verify` finds nothing.

#![expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]

mod rows;

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use self::rows::{store_audience_chunk, store_run};
use crate::args;
use crate::content::Content;
use crate::error::Result;
use crate::ledger::{open_wallets, wallet};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId, ChunkId, QuoteId};
use crate::model::message::postings::NumberPosting;
use crate::model::message::status::MessageStatus;
use crate::model::money::ledger::AccountId;
use crate::phone::Msisdn;
use crate::store::message::number_index::{self, Place};
use crate::store::message::number_runs::{self, NewRun};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// The price of a page in what is built.
pub const UNIT_PRICE: Amount = Amount(500_000);
/// When everything built was confirmed; message `n` of a chunk was answered `n` ms later.
pub const START: Time = Time(1_700_000_000_000);

/// Where one recipient of a chunk stands. Those with [`Spot::Tail`] come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Has a message row in this status.
    Answered(MessageStatus),
    /// Has a message row: undelivered, charged and refunded.
    Refunded,
    /// Was refused for now.
    Retry,
    /// Was claimed and not answered.
    InFlight,
    /// Was never claimed.
    Tail,
}

/// What was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The owner.
    pub user: UserId,
    /// The owner's ESPEES wallet.
    pub wallet: AccountId,
    /// The campaign's reserve.
    pub reserve: AccountId,
    /// The campaign.
    pub campaign: CampaignId,
    /// Its quote.
    pub quote: QuoteId,
    /// Its audience.
    pub audience: AudienceId,
    /// The audience's chunks in order.
    pub audience_chunks: Vec<AudienceChunkId>,
    /// The campaign's chunks in order.
    pub chunks: Vec<ChunkId>,
    /// All recipients in order.
    pub numbers: Vec<Msisdn>,
    /// The charge of the campaign, in micro-units; reserved in full.
    pub charge_micros: i64,
    plan: Plan,
}

#[derive(Clone, Debug)]
struct Plan {
    username: String,
    sender: String,
    content: String,
    kind: String,
    purpose: Option<Purpose>,
    columns: Vec<String>,
    chunks: Vec<PlannedChunk>,
    numbers: Vec<(usize, usize, Msisdn)>,
    segments: u8,
    pages: u8,
    refund_undelivered: bool,
    canary: usize,
    spares: Option<String>,
}

#[derive(Clone, Debug)]
struct PlannedChunk {
    spots: Vec<Spot>,
    cancelled: bool,
}

/// A campaign to be built.
#[derive(Debug)]
pub struct Builder<'s> {
    store: &'s Store,
    plan: Plan,
}

/// Begins a campaign of a user who is made when there is none of the name.
pub fn build<'s>(store: &'s Store, username: &str) -> Builder<'s> {
    let plan = Plan {
        username: username.to_owned(),
        sender: "TALKDRUM".to_owned(),
        content: String::new(),
        kind: "text".to_owned(),
        purpose: Some(Purpose::default()),
        columns: Vec::new(),
        chunks: Vec::new(),
        numbers: Vec::new(),
        segments: 1,
        pages: 1,
        refund_undelivered: false,
        canary: 0,
        spares: None,
    };
    Builder { store, plan }.text("Hello")
}

/// Makes a user with empty wallets, or finds the one of this name.
///
/// # Panics
/// When it cannot be stored.
pub async fn user(store: &Store, username: &str) -> UserId {
    store
        .write(Lane::Interactive, username.to_owned(), |tx, name| {
            Box::pin(async move { make_user(tx, name).await })
        })
        .await
        .expect("a user")
}

impl Builder<'_> {
    /// What it says.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.content(&Content::Text { text: text.to_owned() })
    }

    /// What it says, of any kind.
    ///
    /// # Panics
    /// When it is no JSON.
    #[must_use]
    pub fn content(mut self, content: &Content) -> Self {
        self.plan.content = serde_json::to_string(content).expect("JSON");
        self.plan.kind = content.kind().code().to_owned();
        self
    }

    /// What it is for.
    #[must_use]
    pub fn purpose(mut self, purpose: impl Into<Option<Purpose>>) -> Self {
        self.plan.purpose = purpose.into();
        self
    }

    /// Who it is from; approved for the user.
    #[must_use]
    pub fn sender(mut self, sender: &str) -> Self {
        self.plan.sender = sender.to_owned();
        self
    }

    /// Short messages of each message, as the quote would have counted them.
    #[must_use]
    pub fn segments(mut self, segments: u8) -> Self {
        self.plan.segments = segments;
        self
    }

    /// Pages of each message, or pulses of each call, that are reserved: of a campaign of which nothing was sent yet.
    #[must_use]
    pub fn pages(mut self, pages: u8) -> Self {
        self.plan.pages = pages;
        self
    }

    /// Messages that are accepted and not delivered are refunded.
    #[must_use]
    pub fn refund_undelivered(mut self) -> Self {
        self.plan.refund_undelivered = true;
        self
    }

    /// Other carriers take over from its own.
    #[must_use]
    pub fn spares(mut self, names: &[&str]) -> Self {
        self.plan.spares = Some(names.join("\n"));
        self
    }

    /// So many chunks, the last ones, are its canary, of which 80% must be delivered within a minute.
    #[must_use]
    pub fn canary(mut self, chunks: usize) -> Self {
        self.plan.canary = chunks;
        self
    }

    /// A merge field; recipient `n` of a chunk has the value `<column> n`.
    #[must_use]
    pub fn column(mut self, column: &str) -> Self {
        self.plan.columns.push(column.to_owned());
        self
    }

    /// A chunk whose recipients stand like this.
    #[must_use]
    pub fn chunk(mut self, spots: &[Spot]) -> Self {
        self.plan.chunks.push(PlannedChunk { spots: spots.to_vec(), cancelled: false });
        self
    }

    /// A chunk whose tail was cancelled.
    #[must_use]
    pub fn cancelled_chunk(mut self, spots: &[Spot]) -> Self {
        self.plan.chunks.push(PlannedChunk { spots: spots.to_vec(), cancelled: true });
        self
    }

    /// The number of a recipient; the others get numbers of their own.
    #[must_use]
    pub fn number(mut self, chunk: usize, place: usize, number: Msisdn) -> Self {
        self.plan.numbers.push((chunk, place, number));
        self
    }

    /// Writes it all.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn store(self) -> Built {
        let built = self.store.write(Lane::Interactive, self.plan, |tx, plan| Box::pin(store(tx, plan)));
        built.await.expect("a campaign")
    }
}

impl Built {
    /// Another run of the same quote, of which nothing was sent yet.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn run_again(&self, store: &Store) -> Self {
        let mut again = self.clone();
        for chunk in &mut again.plan.chunks {
            chunk.spots.fill(Spot::Tail);
            chunk.cancelled = false;
        }
        store
            .write(Lane::Interactive, again, |tx, again| {
                Box::pin(async move {
                    let mut again = again.clone();
                    store_run(tx, &mut again, 1).await?;
                    Ok(again)
                })
            })
            .await
            .expect("a run")
    }

    /// Makes the audience's first chunk unreadable, as damage does, and readable again the next time.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn turn_first_chunk(&self, store: &Store) {
        let turned = store.write(Lane::Interactive, self.audience_chunks[0], |tx, chunk| {
            Box::pin(async move {
                let sql = "SELECT data FROM audience_chunks WHERE id = $1";
                let (mut data,): (Vec<u8>,) = tx.one(sql, args![*chunk]).await?;
                // The version of the form.
                data[0] = !data[0];
                tx.run_exactly(1, "UPDATE audience_chunks SET data = $2 WHERE id = $1", args![*chunk, data])
                    .await
            })
        });
        turned.await.expect("a chunk");
    }

    /// Merges the audience's numbers into the index.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn merge_all(&self, store: &Store) {
        self.merge(store, (self.audience_chunks.len(), false)).await;
    }

    /// Merges the numbers of the audience's first chunk into the index.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn merge_one(&self, store: &Store) {
        self.merge(store, (1, false)).await;
    }

    /// Merges the numbers of the audience into the index, packed as those of large audiences are.
    ///
    /// # Panics
    /// When they cannot be stored.
    pub async fn merge_packed(&self, store: &Store) {
        self.merge(store, (self.audience_chunks.len(), true)).await;
    }

    async fn merge(&self, store: &Store, (chunks, is_packed): (usize, bool)) {
        let mut postings: Vec<NumberPosting> = Vec::new();
        let mut all = self.numbers.iter();
        for (chunk, planned) in self.audience_chunks.iter().zip(&self.plan.chunks).take(chunks) {
            for (place, number) in (0..).zip(all.by_ref().take(planned.spots.len())) {
                postings.push((number.digits().cast_signed(), chunk.recipient(place)));
            }
        }
        postings.sort_unstable();
        let input =
            (postings, is_packed, self.audience, AudienceChunkId(self.audience_chunks[chunks - 1].0 + 1));
        store
            .write(Lane::Interactive, input, |tx, (postings, is_packed, audience, next)| {
                Box::pin(async move {
                    if *is_packed {
                        number_runs::add(tx, &NewRun::of(*audience, postings)).await?;
                    } else {
                        let (numbers, recipients) = postings.iter().copied().unzip();
                        number_index::merge(tx, numbers, recipients, false).await?;
                    }
                    number_index::merged(
                        tx,
                        &[Place { audience: *audience, from: AudienceChunkId(0), next: *next }],
                    )
                    .await
                })
            })
            .await
            .expect("a merge");
    }
}

async fn make_user(tx: &mut Tx, name: &str) -> Result<UserId> {
    let known: Option<(UserId,)> = tx.opt("SELECT id FROM users WHERE username = $1", args![name]).await?;
    if let Some((user,)) = known {
        return Ok(user);
    }
    let row: (UserId,) = tx
        .one(
            "INSERT INTO users (name, username, email, role, status, zone, created_at, updated_at) \
             VALUES ($1, $1, $2, 'user', 'active', 'Africa/Lagos', $3, $3) RETURNING id",
            args![name, format!("{name}@example.com"), START],
        )
        .await?;
    open_wallets(tx, row.0).await?;
    Ok(row.0)
}

async fn store(tx: &mut Tx, plan: &Plan) -> Result<Built> {
    let user = make_user(tx, &plan.username).await?;
    let (wallet, _) = wallet(tx, user, Currency::Espees).await?;
    let columns = serde_json::Value::from(plan.columns.clone()).to_string();
    let audience: (AudienceId,) = tx
        .one(
            "INSERT INTO audiences (user_id, columns, created_at) VALUES ($1, $2, $3) RETURNING id",
            args![user, columns, START],
        )
        .await?;
    let mut built = Built {
        user,
        wallet,
        reserve: AccountId(0),
        campaign: CampaignId(0),
        quote: QuoteId(0),
        audience: audience.0,
        audience_chunks: Vec::new(),
        chunks: Vec::new(),
        numbers: Vec::new(),
        charge_micros: 0,
        plan: plan.clone(),
    };
    for index in 0..plan.chunks.len() {
        store_audience_chunk(tx, &mut built, index).await?;
    }
    tx.run("INSERT INTO number_index_queue (audience_id) VALUES ($1)", args![audience.0]).await?;
    tx.run(
        "INSERT INTO sender_ids (user_id, sender_id, status, created_at) VALUES ($1, $2, 'approved', $3) \
         ON CONFLICT DO NOTHING",
        args![user, &plan.sender, START],
    )
    .await?;
    let row: (i64,) = tx
        .one(
            "INSERT INTO quotes (user_id, audience_id, kind, sender, content, currency, unit_price_micros, \
             charge_micros, size, runs, details, form_hash, created_at, expires_at, confirmed_at, purpose) \
             VALUES ($1, $2, $3, $4, $5, 'espees', $6, $7, $8, '[null]', '{}', $9, $10, $10, $10, $11) RETURNING id",
            args![
                user,
                audience.0,
                &plan.kind,
                &plan.sender,
                &plan.content,
                UNIT_PRICE,
                charge(plan, size(plan)),
                size(plan),
                Vec::<u8>::new(),
                START,
                plan.purpose
            ],
        )
        .await?;
    built.quote = QuoteId(row.0);
    store_run(tx, &mut built, 0).await?;
    Ok(built)
}

/// What so many of its messages cost.
fn charge(plan: &Plan, messages: i64) -> i64 {
    messages * i64::from(plan.pages) * UNIT_PRICE.0
}

fn size(plan: &Plan) -> i64 {
    plan.chunks.iter().map(|chunk| chunk.spots.len() as i64).sum()
}
