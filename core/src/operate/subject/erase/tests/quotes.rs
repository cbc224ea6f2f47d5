//! Quotes that were not confirmed: while they may be, the number stays; of those that expired it goes.

use std::collections::BTreeSet;

use super::*;
use crate::store::campaign::confirm;

/// A quote of the number that was not confirmed.
async fn unconfirmed(store: &Store, expires_at: i64, canary_expires_at: Option<i64>) -> Built {
    let built = build(store, "ada")
        .text("Your code is 4711")
        .chunk(&[Spot::Tail])
        .number(0, 0, wanted())
        .store()
        .await;
    let canary = canary_expires_at.map_or("NULL".to_owned(), |at| at.to_string());
    run(store, vec![
        format!("DELETE FROM campaign_chunks WHERE campaign_id = {}", built.campaign),
        format!("DELETE FROM campaigns WHERE id = {}", built.campaign),
        "DELETE FROM number_index_queue".into(),
        format!(
            "UPDATE quotes SET confirmed_at = NULL, created_at = {}, expires_at = {expires_at}, canary_expires_at = {canary}",
            NOW.0 - 1_800_000
        ),
    ])
    .await;
    built
}

async fn is_there(store: &Store) -> bool {
    let sql = "SELECT data FROM audience_chunks";
    let (data,): (Vec<u8>,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
    Chunk::decode(&data).unwrap().numbers().contains(&wanted())
}

/// Erases the number from a quote that expired.
async fn leaves(store: &Store, expires_at: i64, canary_expires_at: Option<i64>) {
    let built = unconfirmed(store, expires_at, canary_expires_at).await;
    assert_eq!(erase_all(store).await.unwrap(), [("messages".to_owned(), 1)]);
    assert!(!is_there(store).await);
    let sql = "SELECT content FROM quotes WHERE id = $1";
    let (content,): (String,) = store.read().await.unwrap().one(sql, args![built.quote]).await.unwrap();
    assert!(!content.contains("4711"), "it was the only recipient: {content}");
    // It was asked for in time, and waited.
    let claimed = store.write(Lane::Interactive, built.quote, |tx, quote| {
        Box::pin(confirm::claim(tx, BTreeSet::from([*quote]), NOW - Duration::from_millis(1)))
    });
    assert!(claimed.await.unwrap().is_empty());
}

both_databases! {
    async fn a_number_of_a_quote_that_may_be_confirmed_yet_is_refused(store: Store) {
        unconfirmed(&store, NOW.0 + 1, None).await;
        assert_eq!(erase_all(&store).await.unwrap_err().code(), "messages_open");
        assert!(is_there(&store).await);
    }

    async fn a_number_of_a_canary_that_may_be_confirmed_yet_is_refused(store: Store) {
        unconfirmed(&store, NOW.0 - 1_800_000, Some(NOW.0 + 1)).await;
        assert_eq!(erase_all(&store).await.unwrap_err().code(), "messages_open");
        assert!(is_there(&store).await);
    }

    async fn a_number_leaves_the_newest_quote_once_it_expired_and_it_is_not_confirmed_late(store: Store) {
        leaves(&store, NOW.0, None).await;
    }

    async fn a_number_leaves_a_quote_whose_canary_expired(store: Store) {
        leaves(&store, NOW.0 - 1_800_000, Some(NOW.0)).await;
    }
}
