//! What is open at each carrier: unmatched receipts and unknown messages.

use std::collections::HashMap;

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::store::message::reroute::Reroutes;
use crate::store::message::statuses::statuses;
use crate::store::message::{self, reroute_rows};

/// Chunks of several carriers whose unknown messages are counted by carrier; those of older ones count as the last carrier's.
const DETOURS_MAX: i64 = 200;

/// What is open at one carrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenItems {
    /// Receipts that match no message so far.
    pub unmatched_receipts: i64,
    /// Messages that are `unknown`.
    pub unknown_messages: i64,
}

/// What is open, by the carrier's name; a carrier with nothing open is left out.
pub async fn open(tx: &mut Tx) -> Result<HashMap<String, OpenItems>> {
    let mut found: HashMap<String, OpenItems> = HashMap::new();
    let unmatched: Vec<(String, i64)> =
        tx.all("SELECT carrier, COUNT(*) FROM receipts_unmatched GROUP BY carrier", args![]).await?;
    for (carrier, count) in unmatched {
        found.entry(carrier).or_default().unmatched_receipts = count;
    }
    // By the index on chunks with unknown messages, which are few.
    let sql = concat!(
        "SELECT carrier, CAST(SUM(",
        statuses!(unresolved, " + ", [column]),
        ") AS BIGINT) FROM campaign_chunks WHERE ",
        statuses!(unresolved, " OR ", [column, " > 0"]),
        " GROUP BY carrier"
    );
    let unknown: Vec<(String, i64)> = tx.all(sql, args![]).await?;
    for (carrier, count) in unknown {
        found.entry(carrier).or_default().unknown_messages = count;
    }
    // Few chunks went by several carriers: of those each message is looked at.
    for (chunk, own) in reroute_rows::with_unknown(tx, DETOURS_MAX).await? {
        let reroutes = Reroutes::of(tx, chunk, &own).await?;
        for id in message::unknown_in(tx, chunk).await? {
            let carrier = reroutes.carrier_of(id.place());
            if carrier != own {
                found.entry(own.clone()).or_default().unknown_messages -= 1;
                found.entry(carrier.to_owned()).or_default().unknown_messages += 1;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::id::UnmatchedReceiptId;
    use crate::model::message::status::{MessageStatus as S, ReceiptStatus};
    use crate::store::Lane;
    use crate::store::message::unmatched_receipt::{Unmatched, keep_unmatched};
    use crate::testing::builder::{Spot, build};
    use crate::testing::database::for_each_database;
    use crate::time::Time;

    #[tokio::test]
    async fn what_is_open_is_told_by_carrier() {
        for_each_database(|store| async move {
            build(&store, "ada")
                .chunk(&[Spot::Answered(S::Unknown), Spot::Answered(S::Delivered)])
                .store()
                .await;
            store
                .write(Lane::Interactive, (), |tx, ()| {
                    Box::pin(async move {
                        let receipt = Unmatched {
                            id: UnmatchedReceiptId::NONE,
                            carrier_ref: "7".into(),
                            status: ReceiptStatus(S::Delivered),
                            recipient: None,
                            sender: None,
                            error: None,
                            done_at: None,
                            received_at: Time(1),
                        };
                        keep_unmatched(tx, "other", &[receipt]).await
                    })
                })
                .await
                .unwrap();
            let open = open(&mut store.read().await.unwrap()).await.unwrap();
            assert_eq!(open["other"], OpenItems { unmatched_receipts: 1, unknown_messages: 0 });
            let sum: i64 = open.values().map(|open| open.unknown_messages).sum();
            assert_eq!((open.len(), sum), (2, 1));
        })
        .await;
    }
}
