use talkdrum_api::money::Currency;

use super::*;
use crate::both_databases;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::{MessageOutcome, MessageState, OutcomeBatch, Terms, transition};
use crate::model::message::status::{MessageStatus, message_status};
use crate::store::message::{answered, apply, report};
use crate::store::stats::traffic;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, Spot, UNIT_PRICE, build};

const SIZE: u16 = 100;
type Row = (i64, i64, i64, Option<i64>, Option<i64>, Option<i64>, Option<String>, Option<String>);

async fn in_flight(store: &Store) -> Built {
    build(store, "ada").chunk(&[Spot::InFlight; SIZE as usize]).store().await
}

/// What a carrier's answer or a receipt says: every tenth is refused or undelivered.
fn batch(built: &Built, before: Option<MessageState>) -> OutcomeBatch {
    let terms = Terms {
        campaign: built.campaign,
        reserve: built.reserve,
        wallet: built.wallet,
        currency: Currency::Espees,
        unit_price: UNIT_PRICE,
        refund_undelivered: false,
    };
    let mut batch = OutcomeBatch::default();
    for place in 0..SIZE {
        let odd = place % 10 == 9;
        let status = match (before, odd) {
            (None, false) => MessageStatus::Submitted,
            (None, true) => MessageStatus::Rejected,
            (Some(_), true) => continue,
            (Some(_), false) if place % 10 == 0 => MessageStatus::Undelivered,
            (Some(_), false) => MessageStatus::Delivered,
        };
        let outcome = MessageOutcome {
            message: MessageId::new(built.chunks[0], place),
            status,
            reference: (before.is_none() && !odd).then(|| format!("a\"{place}").into()),
            submitted_at: before.is_none().then_some(Time(7)),
            done_at: before.map(|_| Time(1_000 + i64::from(place))),
            error: (odd || status == MessageStatus::Undelivered).then(|| "0x14".into()),
            units: None,
        };
        let (after, effect) = transition(before, status, false).unwrap();
        let change = MessageChange { outcome, before, after, effect, price: UNIT_PRICE };
        batch.push(change, &terms).unwrap();
    }
    batch
}

async fn store_batch(store: &Store, batch: &OutcomeBatch) -> Result<()> {
    store
        .write(Lane::Background, batch.clone(), |tx, batch| {
            Box::pin(async move { apply(tx, batch, Time(9)).await.map(|_| ()) })
        })
        .await
}

async fn rows(store: &Store) -> Vec<Row> {
    let sql = concat!(
        "SELECT id, status, money, sequence, submitted_at, ",
        done_at!(),
        ", CAST(carrier_ref AS TEXT), error FROM messages ORDER BY id"
    );
    store.read().await.unwrap().all(sql, args![]).await.unwrap()
}

/// How many rows will grow when their receipts come, and the times that reports show of all of them.
async fn growing_and_done(store: &Store, built: &Built) -> (i64, usize) {
    let mut tx = store.read().await.unwrap();
    let sql = concat!(
        "SELECT COUNT(*) FROM messages WHERE status = ",
        message_status!(Submitted),
        " AND done_after IS NULL"
    );
    let (growing,): (i64,) = tx.one(sql, args![]).await.unwrap();
    let ids: Vec<MessageId> = (0..SIZE).map(|place| MessageId::new(built.chunks[0], place)).collect();
    let records = report::messages(&mut tx, &ids).await.unwrap();
    let shown = records.iter().filter_map(|record| record.done_at).count();
    let exported = answered::of_chunk(&mut tx, built.chunks[0]).await.unwrap();
    assert_eq!(exported.iter().filter_map(|message| message.done_at).count(), shown);
    (growing, shown)
}

/// Takes the migration to smaller rows back, as far as the rows go, and stores some as they were.
async fn grow_back(tx: &mut Tx) -> Result<()> {
    let back = Sql::each(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, status BIGINT NOT NULL, money BIGINT NOT NULL, \
         sequence BIGINT, submitted_at BIGINT, done_at BIGINT, carrier_ref TEXT, error TEXT)",
        "ALTER TABLE messages RENAME COLUMN done_after TO done_at",
    );
    if tx.dialect() == Dialect::Sqlite {
        tx.run("DROP TABLE messages", args![]).await?;
    }
    tx.run(back, args![]).await?;
    tx.run("DELETE FROM _sqlx_migrations WHERE version = 24", args![]).await?;
    let sql = "INSERT INTO messages (id, status, money, sequence, submitted_at, done_at, carrier_ref, error) VALUES \
               (1, 3, 1, 1, 7, NULL, '17', NULL), (2, 4, 1, 1, 7, 9, '0017', NULL), \
               (3, 7, 2, 2, NULL, 8, NULL, 'late'), (4, 4, 1, NULL, 7, 5, '99999999999999999999', NULL), \
               (5, 8, 0, NULL, NULL, NULL, NULL, NULL)";
    tx.run(sql, args![]).await.map(|_| ())
}

/// Stores so many messages that wait for receipts.
async fn fill(tx: &mut Tx, rows: i64) -> Result<()> {
    let ids = (1..=rows).collect();
    let sql = crate::sql!(
        "INSERT INTO messages (id, status, money) SELECT j.id, 3, 1 FROM UNNEST($1::BIGINT[]) AS j (id)"
    );
    tx.run_exactly(rows.unsigned_abs(), sql, args![vec![Column::Ints(ids)]]).await
}

both_databases! {
    async fn a_message_that_waits_has_room_for_its_receipt_and_shows_none(store: Store) {
        let built = in_flight(&store).await;
        let waits = usize::from(SIZE) * 9 / 10;
        store_batch(&store, &batch(&built, None)).await.unwrap();
        let growing = if store.dialect() == Dialect::Sqlite { 0 } else { waits as i64 };
        assert_eq!(growing_and_done(&store, &built).await, (growing, 0));
        let submitted = transition(None, MessageStatus::Submitted, false).unwrap().0;
        store_batch(&store, &batch(&built, Some(submitted))).await.unwrap();
        assert_eq!(growing_and_done(&store, &built).await, (0, waits));
    }

    async fn rows_from_before_they_were_smaller_read_the_same(store: Store) {
        store.write(Lane::Interactive, (), |tx, ()| Box::pin(grow_back(tx))).await.unwrap();
        store.migrate().await.unwrap();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            rows(&store).await,
            [
                (1, 3, 1, Some(1), Some(7), None, text("17"), None),
                (2, 4, 1, Some(1), Some(7), Some(9), text("0017"), None),
                (3, 7, 2, Some(2), None, Some(8), None, text("late")),
                (4, 4, 1, None, Some(7), Some(5), text("99999999999999999999"), None),
                (5, 8, 0, None, None, None, None, None),
            ]
        );
        let sql = "SELECT COUNT(*) FROM messages WHERE CAST(carrier_ref AS TEXT) = '17'";
        let found: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
        assert_eq!(found.0, 1);
    }

    async fn rows_alike_and_rows_apart_hold_what_was_said_of_each(store: Store) {
        let built = in_flight(&store).await;
        store_batch(&store, &batch(&built, None)).await.unwrap();
        let new = rows(&store).await;
        assert_eq!(new.len(), usize::from(SIZE));
        let first = MessageId::new(built.chunks[0], 0).0;
        assert_eq!(new[8], (first + 8, 3, 1, Some(1), Some(7), None, Some("a\"8".into()), None));
        assert_eq!(new[9], (first + 9, 6, 2, Some(2), Some(7), None, None, Some("0x14".into())));

        let submitted = transition(None, MessageStatus::Submitted, false).unwrap().0;
        store_batch(&store, &batch(&built, Some(submitted))).await.unwrap();
        let moved = rows(&store).await;
        assert_eq!(moved[8], (first + 8, 4, 1, Some(1), Some(7), Some(1_008), Some("a\"8".into()), None));
        assert_eq!(
            moved[10],
            (first + 10, 5, 1, Some(1), Some(7), Some(1_010), Some("a\"10".into()), Some("0x14".into()))
        );
        assert_eq!(moved[9], new[9]);
        let uncounted = traffic::uncounted(&mut store.read().await.unwrap(), Time(9), Time(9), 9).await.unwrap();
        let uncounted: Vec<ChunkId> = uncounted.iter().map(|chunk| chunk.id).collect();
        assert_eq!(uncounted, built.chunks);
    }

    async fn a_batch_computed_from_what_is_no_longer_so_writes_nothing(store: Store) {
        // Others of the chunk are in flight, too: its counters have room for a second answer.
        let built = build(&store, "ada").chunk(&[Spot::InFlight; 2 * SIZE as usize]).store().await;
        let answers = batch(&built, None);
        store_batch(&store, &answers).await.unwrap();
        let answered = rows(&store).await;
        assert!(matches!(store_batch(&store, &answers).await, Err(Error::Stale)));
        assert_eq!(rows(&store).await, answered);
        let submitted = transition(None, MessageStatus::Submitted, false).unwrap().0;
        let receipts = batch(&built, Some(submitted));
        store_batch(&store, &receipts).await.unwrap();
        let settled = rows(&store).await;
        assert!(matches!(store_batch(&store, &receipts).await, Err(Error::Stale)));
        assert_eq!(rows(&store).await, settled);
    }

    async fn every_row_that_moves_is_found_by_its_key(store: Store) {
        let searched = match store.dialect() {
            Dialect::Sqlite => "SEARCH messages USING INTEGER PRIMARY KEY",
            Dialect::Postgres => "Index Cond: (id = j.",
        };
        // PostgreSQL plans by the size of the table: as new, and before its first ANALYZE.
        for rows in [0, 10_000] {
            store.write(Lane::Background, rows, |tx, rows| Box::pin(fill(tx, *rows))).await.unwrap();
            let mut tx = store.for_workers().read().await.unwrap();
            let ids: Vec<i64> = (1..=700).collect();
            let pairs = Arg::Pairs(ids.clone(), Column::OptInts(vec![None; ids.len()]));
            let alike = args![4_i64, 1_i64, None::<i64>, None::<i64>, None::<&str>, 3_i64, 1_i64, pairs];
            let ints = Column::Ints(ids.clone());
            let texts = Column::Texts(vec![None; ids.len()]);
            let mut each = vec![ints; 10];
            (each[6], each[7]) = (texts.clone(), texts);
            for (sql, args) in [(UPDATE_ALIKE, alike), (UPDATE_EACH, args![each])] {
                let plan = tx.explain(sql, args).await.unwrap().join("\n");
                assert!(plan.contains(searched) && !plan.contains("Seq Scan"), "{rows} rows: {plan}");
            }
        }
    }
}
