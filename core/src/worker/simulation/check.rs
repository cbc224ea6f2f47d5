//! What must hold when everything has come to rest.

use std::collections::BTreeMap;

use super::Simulation;
use crate::args;
use crate::ledger::verify::verify;
use crate::model::message_id::MessageId;
use crate::model::status::{MessageStatus, MoneyState};
use crate::store::Tx;
use crate::testing::carrier::Network;

impl Simulation {
    pub(super) async fn check(&self) {
        let mut tx = self.store.read().await.unwrap();
        let findings = verify(&mut tx).await.unwrap();
        assert_eq!(findings.0, Vec::<String>::new(), "the ledger disagrees");
        let rows: Vec<(i64, i64, i64)> =
            tx.all("SELECT id, status, money FROM messages", args![]).await.unwrap();
        let rows: BTreeMap<MessageId, (MessageStatus, MoneyState)> = rows
            .into_iter()
            .map(|(id, status, money)| {
                let standing =
                    (MessageStatus::from_number(status).unwrap(), MoneyState::from_number(money).unwrap());
                (MessageId(id), standing)
            })
            .collect();
        let mut accepted: BTreeMap<MessageId, u32> = BTreeMap::new();
        for (message, times) in self.networks.iter().flat_map(Network::accepted) {
            *accepted.entry(message).or_default() += times;
        }
        for (message, times) in &accepted {
            assert_eq!(*times, 1, "{message:?} was accepted {times} times");
            let (status, money) =
                rows.get(message).copied().unwrap_or_else(|| panic!("{message:?} has no row"));
            let sent = matches!(
                status,
                MessageStatus::Submitted
                    | MessageStatus::Delivered
                    | MessageStatus::Undelivered
                    | MessageStatus::Unknown
            );
            assert!(sent, "{message:?} was accepted and is shown as {status}");
            let kept =
                if status == MessageStatus::Unknown { MoneyState::Reserved } else { MoneyState::Captured };
            assert_eq!(money, kept, "{message:?} is {status}");
            if status != MessageStatus::Unknown
                && let Some(fate) = self.networks.iter().find_map(|network| network.fate(*message))
            {
                assert_eq!(
                    Some(status),
                    MessageStatus::from_receipt(fate),
                    "{message:?} has another receipt"
                );
            }
        }
        for (message, (status, money)) in &rows {
            if !accepted.contains_key(message) {
                let unsent = matches!(
                    status,
                    MessageStatus::Rejected
                        | MessageStatus::Cancelled
                        | MessageStatus::Suppressed
                        | MessageStatus::Expired
                        | MessageStatus::Unknown
                );
                assert!(unsent, "{message:?} was never accepted and is shown as {status}");
                assert_eq!(
                    *money == MoneyState::Released,
                    *status != MessageStatus::Unknown,
                    "{message:?} {status}"
                );
            }
        }
        self.check_ends(&mut tx).await;
    }

    /// Nothing is left over: no open chunk, no lease, no retry, no campaign that thinks it is sending.
    async fn check_ends(&self, tx: &mut Tx) {
        let (open, retries, sending, held): (i64, i64, i64, i64) = tx
            .one(
                "SELECT (SELECT COUNT(*) FROM campaign_chunks WHERE state = 'open'), (SELECT COUNT(*) FROM retries), \
                 (SELECT COUNT(*) FROM campaigns WHERE status NOT IN ('completed', 'cancelled')), \
                 (SELECT COUNT(*) FROM held_receipts)",
                args![],
            )
            .await
            .unwrap();
        let left = (open, retries, sending, held);
        assert_eq!(left, (0, 0, 0, 0), "open chunks, retries, unfinished campaigns, held receipts");
    }

    pub(super) async fn unknown(&self) -> i64 {
        let mut tx = self.store.read().await.unwrap();
        let row: (i64,) = tx.one("SELECT COUNT(*) FROM messages WHERE status = 8", args![]).await.unwrap();
        row.0
    }
}
