//! Who must get nothing: numbers whose opt-out was stored before the intent of a message that it ends.

use std::collections::{BTreeMap, BTreeSet};

use talkdrum_api::purpose::{OptOutReach, Purpose};

use super::Simulation;
use crate::args;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::store::message::report;

/// Messages that opt-outs end.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// Without an intent when it was last looked: an opt-out that is taken back lets them go.
    waiting: BTreeSet<MessageId>,
    /// With an intent that was stored while the opt-out held: they are never sent.
    never: BTreeSet<MessageId>,
}

impl Simulation {
    /// Looks whose messages the opt-outs end from now on. Nothing claims messages between an opt-out and this.
    pub(super) async fn note_ended(&mut self) {
        // A database that went back gives ids again.
        if self.gone_back > 0 {
            self.ended = Ended::default();
            return;
        }
        let mut tx = self.store.read().await.unwrap();
        let listed: Vec<(i64, i64, OptOutReach)> =
            tx.all("SELECT scope, number, reach FROM suppressions", args![]).await.unwrap();
        let listed: BTreeMap<(i64, i64), OptOutReach> =
            listed.into_iter().map(|(scope, number, reach)| ((scope, number), reach)).collect();
        let chunks: Vec<(ChunkId, i64, i64, Purpose)> = tx
            .all(
                "SELECT ch.id, ch.cursor, ch.size, c.purpose FROM campaign_chunks ch \
                 JOIN campaigns c ON c.id = ch.campaign_id",
                args![],
            )
            .await
            .unwrap();
        let mut waiting = BTreeSet::new();
        for (id, cursor, size, purpose) in chunks {
            let chunk = report::chunks(&mut tx, vec![id]).await.unwrap().pop().unwrap();
            let numbers = Chunk::decode_without_fields(&chunk.data).unwrap();
            for (place, number) in numbers.numbers().iter().enumerate().take(usize::try_from(size).unwrap()) {
                let message = MessageId::new(id, u16::try_from(place).unwrap());
                let is_claimed = (place as i64) < cursor;
                let ends = |scope: i64| {
                    let reach = listed.get(&(scope, number.digits().cast_signed()));
                    reach.is_some_and(|reach| reach.ends(purpose))
                };
                if is_claimed && self.ended.waiting.contains(&message) {
                    self.ended.never.insert(message);
                } else if !is_claimed && (ends(0) || ends(chunk.user_id.0)) {
                    waiting.insert(message);
                }
            }
        }
        self.ended.waiting = waiting;
    }

    /// No message was sent to a number whose opt-out that ends it was stored before its intent.
    pub(super) async fn check_ended(&mut self) {
        self.note_ended().await;
        for message in self.networks.iter().flat_map(|network| network.log()) {
            assert!(
                !self.ended.never.contains(&message),
                "{message:?} was sent after its receiver had opted out"
            );
        }
    }

    /// How many messages an opt-out ended.
    pub(super) fn ended(&self) -> i64 {
        i64::try_from(self.ended.never.len()).unwrap()
    }
}
