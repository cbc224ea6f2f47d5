//! Campaigns in any state, written straight into the tables: for tests of what reads them.
//!
//! The invariant: what is built agrees with itself as the workers would leave it (counters with rows, reserve with
//! what chunks owe), so that `ledger::verify` finds nothing.

#![expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use crate::Currency;
use crate::args;
use crate::campaign::audience::{CHUNK_SIZE, ChunkBuilder};
use crate::campaign::status::{MessageStatus, MoneyState};
use crate::carrier::MessageId;
use crate::clock::Time;
use crate::content::Content;
use crate::error::Result;
use crate::ledger::{AccountId, Reservation, credit_by_admin, open_wallets, reserve, wallet};
use crate::money::{Amount, Money};
use crate::phone::Msisdn;
use crate::store::{Column, Lane, Sql, Store, Tx, search};

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
    pub user: i64,
    /// The owner's ESPEES wallet.
    pub wallet: AccountId,
    /// The campaign's reserve.
    pub reserve: AccountId,
    /// The campaign.
    pub campaign: i64,
    /// Its quote.
    pub quote: i64,
    /// Its audience.
    pub audience: i64,
    /// The audience's chunks in order.
    pub audience_chunks: Vec<i64>,
    /// The campaign's chunks in order.
    pub chunks: Vec<i64>,
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
    columns: Vec<String>,
    chunks: Vec<PlannedChunk>,
    numbers: Vec<(usize, usize, Msisdn)>,
    segments: u8,
    refund_undelivered: bool,
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
        columns: Vec::new(),
        chunks: Vec::new(),
        numbers: Vec::new(),
        segments: 1,
        refund_undelivered: false,
    };
    Builder { store, plan }.text("Hello")
}

/// Makes a user with empty wallets, or finds the one of this name.
///
/// # Panics
/// When it cannot be stored.
pub async fn user(store: &Store, username: &str) -> i64 {
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

    /// Messages that are accepted and not delivered are refunded.
    #[must_use]
    pub fn refund_undelivered(mut self) -> Self {
        self.plan.refund_undelivered = true;
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

    /// Merges the audience's numbers into the index.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn merge_all(&self, store: &Store) {
        self.merge(store, self.audience_chunks.len()).await;
    }

    /// Merges the numbers of the audience's first chunk into the index.
    ///
    /// # Panics
    /// When it cannot be stored.
    pub async fn merge_one(&self, store: &Store) {
        self.merge(store, 1).await;
    }

    async fn merge(&self, store: &Store, chunks: usize) {
        let (mut numbers, mut recipients) = (Vec::new(), Vec::new());
        let mut all = self.numbers.iter();
        for (chunk, planned) in self.audience_chunks.iter().zip(&self.plan.chunks).take(chunks) {
            for (place, number) in (0..).zip(all.by_ref().take(planned.spots.len())) {
                numbers.push(number.digits().cast_signed());
                recipients.push(MessageId::new(*chunk, place).0);
            }
        }
        let input = (numbers, recipients, self.audience, self.audience_chunks[chunks - 1] + 1);
        store
            .write(Lane::Interactive, input, |tx, (numbers, recipients, audience, next)| {
                Box::pin(async move {
                    search::merge(tx, numbers.clone(), recipients.clone(), false).await?;
                    search::merged(tx, vec![*audience], vec![*next]).await
                })
            })
            .await
            .expect("a merge");
    }
}

async fn make_user(tx: &mut Tx, name: &str) -> Result<i64> {
    let known: Option<(i64,)> = tx.opt("SELECT id FROM users WHERE username = $1", args![name]).await?;
    if let Some((user,)) = known {
        return Ok(user);
    }
    let row: (i64,) = tx
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
    let audience: (i64,) = tx
        .one(
            "INSERT INTO audiences (user_id, columns, created_at) VALUES ($1, $2, $3) RETURNING id",
            args![user, columns, START],
        )
        .await?;
    let mut built = Built {
        user,
        wallet,
        reserve: AccountId(0),
        campaign: 0,
        quote: 0,
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
             charge_micros, size, runs, details, form_hash, created_at, expires_at, confirmed_at) \
             VALUES ($1, $2, $3, $4, $5, 'espees', $6, $7, $8, '[null]', '{}', $9, $10, $10, $10) RETURNING id",
            args![
                user,
                audience.0,
                &plan.kind,
                &plan.sender,
                &plan.content,
                UNIT_PRICE,
                size(plan) * UNIT_PRICE.0,
                size(plan),
                Vec::<u8>::new(),
                START
            ],
        )
        .await?;
    built.quote = row.0;
    store_run(tx, &mut built, 0).await?;
    Ok(built)
}

fn size(plan: &Plan) -> i64 {
    plan.chunks.iter().map(|chunk| chunk.spots.len() as i64).sum()
}

async fn store_audience_chunk(tx: &mut Tx, built: &mut Built, index: usize) -> Result<()> {
    let spots = built.plan.chunks[index].spots.len();
    assert!(spots <= CHUNK_SIZE, "a chunk has at most {CHUNK_SIZE} recipients");
    let mut builder = ChunkBuilder::new(built.plan.columns.len());
    for place in 0..spots {
        let given = built.plan.numbers.iter().find(|(chunk, at, _)| (*chunk, *at) == (index, place));
        // A few million numbers, no two alike within a database.
        let own = 2_348_000_000_000
            + (built.audience * 40_000 + (index * CHUNK_SIZE + place) as i64).unsigned_abs();
        let number =
            given.map_or_else(|| Msisdn::from_digits(own).expect("a number"), |(_, _, number)| *number);
        let values: Vec<String> =
            built.plan.columns.iter().map(|column| format!("{column} {place}")).collect();
        builder.push(number, 1, built.plan.segments, values.iter().map(String::as_str));
        built.numbers.push(number);
    }
    let chunk = builder.take()?.expect("a chunk with recipients");
    let row: (i64,) = tx
        .one(
            "INSERT INTO audience_chunks (audience_id, carrier, size, pages, segments, data) \
             VALUES ($1, 'main', $2, $2, $2, $3) RETURNING id",
            args![built.audience, spots as i64, chunk.data],
        )
        .await?;
    built.audience_chunks.push(row.0);
    Ok(())
}

/// Reserves the money and writes the campaign with its chunks, messages and retries.
async fn store_run(tx: &mut Tx, built: &mut Built, run: i64) -> Result<()> {
    let charge = Amount(size(&built.plan) * UNIT_PRICE.0);
    let money = Money { amount: charge, currency: Currency::Espees };
    credit_by_admin(tx, built.user, money, &format!("built-{}-{run}", built.quote), START).await?;
    let row: (i64,) = tx.one("SELECT COALESCE(MAX(id), 0) + 1 FROM campaigns", args![]).await?;
    built.campaign = row.0;
    built.charge_micros = charge.0;
    let reservation = Reservation {
        campaign: built.campaign,
        user: built.user,
        wallet: built.wallet,
        money,
        narration: "Reserved".to_owned(),
    };
    let reserves = reserve(tx, &[reservation], START).await?;
    built.reserve = reserves[0];
    let plan = built.plan.clone();
    tx.run_exactly(
        1,
        "INSERT INTO campaigns (id, quote_id, run, user_id, audience_id, reserve_account_id, wallet_account_id, kind, \
         sender, content, currency, unit_price_micros, charge_micros, refund_undelivered, size, chunks_open, status, \
         created_at, started_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'espees', $11, $12, $16, $13, $14, 'sending', $15, $15)",
        args![
            built.campaign,
            built.quote,
            run,
            built.user,
            built.audience,
            built.reserve.0,
            built.wallet.0,
            &plan.kind,
            &plan.sender,
            &plan.content,
            UNIT_PRICE,
            charge,
            size(&plan),
            plan.chunks.len() as i64,
            START,
            plan.refund_undelivered
        ],
    )
    .await?;
    built.chunks.clear();
    for (planned, audience_chunk) in plan.chunks.iter().zip(built.audience_chunks.clone()) {
        let chunk = store_chunk(tx, built.campaign, audience_chunk, planned).await?;
        built.chunks.push(chunk);
    }
    Ok(())
}

async fn store_chunk(tx: &mut Tx, campaign: i64, audience_chunk: i64, planned: &PlannedChunk) -> Result<i64> {
    let spots = &planned.spots;
    let count = |wanted: fn(&Spot) -> bool| spots.iter().filter(|spot| wanted(spot)).count() as i64;
    let tail = count(|spot| *spot == Spot::Tail);
    let in_status =
        |status: MessageStatus| spots.iter().filter(|spot| status_of(**spot) == Some(status)).count() as i64;
    use MessageStatus as S;
    let row: (i64,) = tx
        .one(
            "INSERT INTO campaign_chunks (campaign_id, audience_chunk_id, carrier, size, charge_micros, state, cursor, \
             tail_cancelled, answered, submitted, delivered, undelivered, rejected, expired, unknown, cancelled, \
             suppressed) \
             VALUES ($1, $2, 'main', $3, $4, 'open', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING id",
            args![
                campaign,
                audience_chunk,
                spots.len() as i64,
                spots.len() as i64 * UNIT_PRICE.0,
                spots.len() as i64 - tail,
                if planned.cancelled { tail } else { 0 },
                count(|spot| status_of(*spot).is_some()),
                in_status(S::Submitted),
                in_status(S::Delivered),
                in_status(S::Undelivered),
                in_status(S::Rejected),
                in_status(S::Expired),
                in_status(S::Unknown),
                in_status(S::Cancelled),
                in_status(S::Suppressed)
            ],
        )
        .await?;
    store_messages(tx, row.0, spots).await?;
    for (place, _) in (0..).zip(spots).filter(|(_, spot)| **spot == Spot::Retry) {
        tx.run(
            "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) \
             VALUES ($1, 'main', 1, 0, $2, 'throttled: the carrier''s rate limit was exceeded')",
            args![MessageId::new(row.0, place).0, START],
        )
        .await?;
    }
    Ok(row.0)
}

/// The status of the message row, where there is one.
fn status_of(spot: Spot) -> Option<MessageStatus> {
    match spot {
        Spot::Answered(status) => Some(status),
        Spot::Refunded => Some(MessageStatus::Undelivered),
        Spot::Retry | Spot::InFlight | Spot::Tail => None,
    }
}

/// Sequence 1 is the chunk's capture, 2 its release.
fn money_of(spot: Spot, status: MessageStatus) -> (MoneyState, Option<i64>) {
    use MessageStatus as S;
    match (spot, status) {
        (Spot::Refunded, _) => (MoneyState::Refunded, Some(1)),
        (_, S::Submitted | S::Delivered | S::Undelivered) => (MoneyState::Captured, Some(1)),
        (_, S::Rejected | S::Expired | S::Suppressed) => (MoneyState::Released, Some(2)),
        (_, S::Cancelled) => (MoneyState::Released, None),
        (_, S::Unknown | S::Queued | S::Submitting) => (MoneyState::Reserved, None),
    }
}

async fn store_messages(tx: &mut Tx, chunk: i64, spots: &[Spot]) -> Result<()> {
    let rows: Vec<_> =
        (0..).zip(spots).filter_map(|(place, spot)| Some((place, *spot, status_of(*spot)?))).collect();
    let ints = |value: fn(i64, &(u16, Spot, MessageStatus)) -> Option<i64>| {
        Column::OptInts(rows.iter().map(|row| value(chunk, row)).collect())
    };
    let texts = |value: fn(i64, &(u16, Spot, MessageStatus)) -> Option<String>| {
        rows.iter().map(|row| value(chunk, row)).collect()
    };
    let sql = Sql::each(
        "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7 \
         FROM jsonb_each($1)",
        "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
         SELECT * FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], \
         $7::TEXT[], $8::TEXT[])",
    );
    let columns = vec![
        ints(|chunk, row| Some(MessageId::new(chunk, row.0).0)),
        ints(|_, row| Some(row.2.number())),
        ints(|_, row| Some(money_of(row.1, row.2).0.number())),
        ints(|_, row| money_of(row.1, row.2).1),
        ints(|_, row| Some(START.0 + i64::from(row.0))),
        ints(|_, row| (row.2 == MessageStatus::Delivered).then_some(60_000)),
        Column::Terse(texts(|chunk, row| {
            is_accepted(row.2).then(|| MessageId::new(chunk, row.0).0.to_string())
        })),
        Column::Texts(texts(|_, row| {
            (row.2 == MessageStatus::Rejected).then(|| "ESME_RINVDSTADR".to_owned())
        })),
    ];
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// Whether the carrier gave a reference.
const fn is_accepted(status: MessageStatus) -> bool {
    use MessageStatus as S;
    matches!(status, S::Submitted | S::Delivered | S::Undelivered | S::Expired)
}
