//! What must hold when everything has come to rest.

use std::collections::{BTreeMap, BTreeSet};

use super::Simulation;
use crate::args;
use crate::carrier::voice::CallOutcome;
use crate::ledger::verify::verify;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::phone::Msisdn;
use crate::store::Tx;
use crate::store::message::{packed_messages, report};
use crate::store::voice::call::{self, CallRow};
use crate::testing::builder::UNIT_PRICE;
use crate::testing::carrier::{CALL_AGAIN, Network, PhoneCall};

/// What the network accepted, and once: what is counted below is never two of a message.
#[derive(Debug, Default)]
pub(super) struct Accepted {
    /// What the database must know, with the place of the network that accepted it.
    known: BTreeMap<MessageId, usize>,
    /// What a database that went back in time cannot know.
    unknowable: BTreeSet<MessageId>,
    /// How many belonged to campaigns that it does not know.
    lost: usize,
}

impl Accepted {
    /// How many there are that the database cannot know.
    pub(super) fn forgotten(&self) -> usize {
        self.unknowable.len() + self.lost
    }
}

impl Simulation {
    /// What the network accepted. A message that the database forgot may be accepted once more before a process notices
    /// that it went back; nothing else is accepted twice.
    pub(super) fn accepted(&self) -> Accepted {
        let mut accepted = Accepted::default();
        let (mut before, mut meanwhile, mut after) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (which, network) in self.networks.iter().enumerate() {
            let log = network.log();
            let [copied, back, noticed] =
                self.forgotten.accepted.map_or([log.len(); 3], |moments| moments.map(|counts| counts[which]));
            for (place, message) in log.into_iter().enumerate() {
                let times = match place {
                    _ if place < back => &mut before,
                    _ if place < noticed => &mut meanwhile,
                    _ => &mut after,
                };
                let is_lost = place < noticed && self.is_forgotten(message, place < back);
                // Its id is given again.
                if is_lost && !self.forgotten.known.contains_key(&message.chunk()) {
                    accepted.lost += 1;
                    continue;
                }
                assert!(times.insert(message), "{message:?} was accepted twice");
                if (copied..back).contains(&place) || is_lost {
                    accepted.unknowable.insert(message);
                } else {
                    accepted.known.insert(message, which);
                }
            }
        }
        for message in &after {
            let is_new = !before.contains(message) && !meanwhile.contains(message);
            assert!(is_new, "{message:?} was accepted again after dispatch was held");
        }
        for message in before.intersection(&meanwhile) {
            assert!(
                accepted.unknowable.contains(message),
                "{message:?} was accepted again, and not forgotten"
            );
        }
        accepted.known.retain(|message, _| !accepted.unknowable.contains(message));
        accepted
    }

    /// Whether the database forgot the chunk of a message, or its claim.
    fn is_forgotten(&self, message: MessageId, is_before: bool) -> bool {
        if self.forgotten.accepted.is_none() {
            return false;
        }
        let Some(known) = self.forgotten.known.get(&message.chunk()) else { return true };
        let claimed = self.forgotten.claimed.get(&message.chunk()).copied().unwrap_or(0);
        !is_before && (*known..claimed).contains(&i64::from(message.place()))
    }

    pub(super) async fn check(&self) {
        let mut tx = self.store.read().await.unwrap();
        self.check_set_aside(&mut tx).await;
        let mut findings = verify(&mut tx).await.unwrap();
        findings.0.retain(|finding| self.gone_back == 0 || !finding.starts_with("held receipts"));
        assert_eq!(findings.0, Vec::<String>::new(), "the ledger disagrees");
        let rows: Vec<(i64, i64, i64)> =
            tx.all("SELECT id, status, money FROM messages", args![]).await.unwrap();
        let packed = packed_messages::all(&mut tx).await.unwrap();
        let count = rows.len() + packed.len();
        let delivered = (MessageStatus::Delivered, MoneyState::Captured);
        let rows: BTreeMap<MessageId, (MessageStatus, MoneyState)> = rows
            .into_iter()
            .map(|(id, status, money)| {
                let state =
                    (MessageStatus::from_number(status).unwrap(), MoneyState::from_number(money).unwrap());
                (MessageId(id), state)
            })
            .chain(packed.into_iter().map(|id| (id, delivered)))
            .collect();
        assert_eq!(rows.len(), count, "a message has a row and is packed, too");
        assert!(self.passed_over == 0 || self.gone_back > 0, "{} events were passed over", self.passed_over);
        let accepted = self.accepted();
        let calls = self.calls();
        for (message, which) in &accepted.known {
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
                && !self.forgotten.receipts.contains(message)
                && let Some(fate) = self.networks[*which].fate(*message)
            {
                assert_eq!(
                    Some(status),
                    MessageStatus::from_receipt(fate),
                    "{message:?} has another receipt"
                );
            }
        }
        for (message, (status, money)) in &rows {
            if !accepted.known.contains_key(message) && !accepted.unknowable.contains(message) {
                let unsent = matches!(
                    status,
                    MessageStatus::Rejected
                        | MessageStatus::Cancelled
                        | MessageStatus::Suppressed
                        | MessageStatus::Expired
                        | MessageStatus::Unknown
                ) || *status == MessageStatus::Undelivered && calls.contains_key(message);
                assert!(unsent, "{message:?} was never accepted and is shown as {status}");
                assert_eq!(
                    *money == MoneyState::Released,
                    *status != MessageStatus::Unknown,
                    "{message:?} {status}"
                );
            }
        }
        self.check_calls(&mut tx, &calls, &rows).await;
        self.check_opt_outs(&mut tx).await;
        Self::check_polls(&mut tx).await;
        self.check_phones();
        self.check_ends(&mut tx).await;
    }

    /// What the networks know of calls.
    fn calls(&self) -> BTreeMap<MessageId, Option<u8>> {
        let mut calls = BTreeMap::new();
        for (message, pulses) in self.networks.iter().flat_map(Network::calls) {
            let known = calls.entry(message).or_insert(pulses);
            *known = known.or(pulses);
        }
        calls
    }

    /// Each call that is shown as answered was, and costs the pulses that it was up.
    async fn check_calls(
        &self,
        tx: &mut Tx,
        calls: &BTreeMap<MessageId, Option<u8>>,
        rows: &BTreeMap<MessageId, (MessageStatus, MoneyState)>,
    ) {
        // A database that went back may give the id of a call's chunk to a chunk of texts.
        let chunks: Vec<(ChunkId,)> = tx
            .all(
                "SELECT ch.id FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
                 WHERE c.content LIKE '%\"kind\":\"voice\"%'",
                args![],
            )
            .await
            .unwrap();
        let chunks: BTreeSet<ChunkId> = chunks.into_iter().map(|(chunk,)| chunk).collect();
        assert!(self.gone_back > 0 || calls.keys().all(|message| chunks.contains(&message.chunk())));
        let delivered: Vec<MessageId> = calls
            .keys()
            .copied()
            .filter(|message| chunks.contains(&message.chunk()))
            .filter(|message| rows.get(message).is_some_and(|row| row.0 == MessageStatus::Delivered))
            .collect();
        let told = call::of(tx, &delivered).await.unwrap();
        assert_eq!(told.len(), delivered.len(), "what is known of a call was not kept");
        let mut due: BTreeMap<ChunkId, i64> = BTreeMap::new();
        for row in told {
            *due.entry(row.message_id.chunk()).or_default() += row.pulses * UNIT_PRICE.micros();
            assert_eq!(row.outcome.0, CallOutcome::Answered, "{row:?}");
            // Of calls that a database forgot there may have been two.
            let pulses = calls[&row.message_id].map(i64::from);
            assert!(pulses == Some(row.pulses) || self.gone_back > 0, "{row:?} and not {pulses:?}");
        }
        let charged: Vec<(ChunkId, i64)> = tx
            .all("SELECT id, captured_micros + charged_micros FROM campaign_chunks", args![])
            .await
            .unwrap();
        for (chunk, charged) in charged {
            if chunks.contains(&chunk) && calls.keys().any(|message| message.chunk() == chunk) {
                assert_eq!(charged, due.remove(&chunk).unwrap_or(0), "chunk {chunk}");
            }
        }
    }

    /// A number is on its caller's list by key if a call of its that is settled had a 9, and only if 9 was pressed: also in a
    /// call whose end was never told.
    async fn check_opt_outs(&self, tx: &mut Tx) {
        // A database that went back gives ids out again, so a late report may meet another message of the same id.
        if self.gone_back > 0 {
            return;
        }
        let settled: Vec<(i64,)> =
            tx.all("SELECT message_id FROM calls WHERE digits LIKE '%9%'", args![]).await.unwrap();
        let due = lines_of(tx, settled.into_iter().map(|(id,)| MessageId(id))).await;
        let pressed = lines_of(tx, self.networks.iter().flat_map(Network::opt_outs)).await;
        let listed: Vec<(i64, i64, String)> =
            tx.all("SELECT scope, number, note FROM suppressions", args![]).await.unwrap();
        let mut known = BTreeSet::new();
        for (scope, number, note) in listed {
            let entry = (scope, Msisdn::from_digits(number.cast_unsigned()).unwrap());
            assert!(
                note.is_empty() || pressed.contains(&entry),
                "{entry:?} opted out by a key that was not pressed"
            );
            known.insert(entry);
        }
        for entry in due {
            let is_known = known.contains(&entry) || self.touched.contains(&entry);
            assert!(is_known, "{entry:?} pressed 9 and is not opted out");
        }
    }

    /// The figures of polls are the numbers of the calls that they count.
    async fn check_polls(tx: &mut Tx) {
        let counted: Vec<(i64, String, i64)> = tx
            .all(
                "SELECT campaign_id, answer, calls FROM poll_answers WHERE calls <> 0 ORDER BY 1, 2",
                args![],
            )
            .await
            .unwrap();
        let told: Vec<(i64, String, i64)> = tx
            .all(
                "SELECT ch.campaign_id, c.answer, COUNT(*) FROM calls c \
                 JOIN campaign_chunks ch ON ch.id = c.message_id / 4096 \
                 WHERE c.answer IS NOT NULL GROUP BY ch.campaign_id, c.answer ORDER BY 1, 2",
                args![],
            )
            .await
            .unwrap();
        assert_eq!(counted, told);
    }

    /// Each two calls of a message that followed one another.
    fn calls_in_a_row(&self) -> Vec<(PhoneCall, PhoneCall)> {
        let mut last: BTreeMap<MessageId, PhoneCall> = BTreeMap::new();
        let phones = self.phones.lock().unwrap();
        phones.iter().filter_map(|call| Some((last.insert(call.message, *call)?, *call))).collect()
    }

    /// A phone that rang is not called again at once, over whichever trunk.
    fn check_phones(&self) {
        for (call, next) in self.calls_in_a_row() {
            let is_late = next.at.since(call.at) >= CALL_AGAIN.retry_after;
            // A database that went back forgot calls.
            assert!(!call.has_rung || is_late || self.gone_back > 0, "{call:?} was followed by {next:?}");
        }
    }

    /// How many messages went by the other carrier that one refused for a reason of its own, and how many both refused so.
    pub(super) fn moved_on(&self) -> [i64; 2] {
        let [one, other] = [&self.networks[0], &self.networks[1]].map(Network::barred);
        let accepted = self.accepted();
        let by = |which: usize, barred: &BTreeSet<MessageId>| {
            barred.iter().filter(|message| accepted.known.get(message) == Some(&which)).count()
        };
        let moved = by(1, &one) + by(0, &other);
        [moved, one.intersection(&other).count()].map(|count| i64::try_from(count).unwrap())
    }

    /// What became of calls, in numbers.
    pub(super) async fn calls_seen(&self) -> Vec<(&'static str, usize)> {
        let mut tx = self.store.read().await.unwrap();
        let calls = self.calls();
        let rows = call::of(&mut tx, &calls.keys().copied().collect::<Vec<_>>()).await.unwrap();
        let count = |is: fn(&CallRow) -> bool| rows.iter().filter(|row| is(row)).count();
        vec![
            ("answered", count(|row| row.outcome.0 == CallOutcome::Answered)),
            (
                "charged less than was reserved",
                count(|row| row.outcome.0 == CallOutcome::Answered && row.pulses == 1),
            ),
            ("placed again", count(|row| row.attempts > 1)),
            ("opted out by key", count(|row| row.digits.contains('9'))),
            ("an answer to a poll", count(|row| row.answer.is_some())),
            ("missed for good", count(|row| row.outcome.0 == CallOutcome::Busy)),
            ("cut off", calls.len() - rows.len()),
            ("placed at once over the other trunk", self.moved()),
        ]
    }

    /// Calls that followed at once on one that the other trunk failed to place.
    fn moved(&self) -> usize {
        let is_moved = |(call, next): &&(PhoneCall, PhoneCall)| {
            call.which != next.which && next.at.since(call.at) < CALL_AGAIN.retry_after
        };
        self.calls_in_a_row().iter().filter(is_moved).count()
    }

    /// A receipt is set aside only when a database that went back does not know that its message was claimed.
    async fn check_set_aside(&self, tx: &mut Tx) {
        let rows: Vec<(String,)> = tx
            .all("SELECT receipts FROM held_receipts WHERE set_aside_at IS NOT NULL", args![])
            .await
            .unwrap();
        for (receipts,) in rows {
            let receipts: Vec<(i64, serde_json::Value, serde_json::Value, serde_json::Value)> =
                serde_json::from_str(&receipts).unwrap();
            for (message, ..) in receipts {
                let message = MessageId(message);
                let is_claimed = |cursor: &i64| i64::from(message.place()) < *cursor;
                let is_known = self.forgotten.known.get(&message.chunk()).is_some_and(is_claimed);
                assert!(self.gone_back > 0 && !is_known, "a receipt of {message:?} is set aside");
            }
        }
    }

    /// Nothing is left over: no open chunk, no lease, no retry, no campaign that thinks it is sending.
    async fn check_ends(&self, tx: &mut Tx) {
        let (open, retries, sending, held): (i64, i64, i64, i64) = tx
            .one(
                "SELECT (SELECT COUNT(*) FROM campaign_chunks WHERE state = 'open'), (SELECT COUNT(*) FROM retries), \
                 (SELECT COUNT(*) FROM campaigns WHERE status NOT IN ('completed', 'cancelled')), \
                 (SELECT COUNT(*) FROM held_receipts WHERE set_aside_at IS NULL)",
                args![],
            )
            .await
            .unwrap();
        let left = (open, retries, sending, held);
        assert_eq!(left, (0, 0, 0, 0), "open chunks, retries, unfinished campaigns, held receipts");
    }

    /// Nothing of what waits for a canary is claimed. A run restores what it knows to be claimed when a database that went
    /// back forgot it, that the canary had passed as well.
    pub(super) async fn check_canaries(&self) {
        if self.gone_back > 0 {
            return;
        }
        let mut tx = self.store.read().await.unwrap();
        let early: Vec<(i64, i64)> = tx
            .all(
                "SELECT ch.id, ch.cursor FROM campaigns c JOIN campaign_chunks ch ON ch.campaign_id = c.id \
                 WHERE ch.id < c.canary_from AND c.canary_passed_at IS NULL AND ch.cursor > 0",
                args![],
            )
            .await
            .unwrap();
        assert_eq!(early, [], "chunks that were claimed before the canary of their campaign had passed");
        // Of messages one by one, and not of the counts that the verdict is made from. Delivered is final.
        let undelivered: Vec<(i64, i64, i64)> = tx
            .all(
                "SELECT * FROM (SELECT c.id, (c.canary_size * c.canary_delivery + 99) / 100 AS needed, \
                   (SELECT CAST(COUNT(*) AS BIGINT) FROM campaign_chunks ch JOIN messages m ON m.id >= ch.id * 4096 \
                     AND m.id < (ch.id + 1) * 4096 WHERE ch.campaign_id = c.id AND ch.id >= c.canary_from AND m.status = $1) \
                   + (SELECT CAST(COALESCE(SUM(p.messages), 0) AS BIGINT) FROM campaign_chunks ch \
                     JOIN packed_messages p ON p.chunk_id = ch.id WHERE ch.campaign_id = c.id AND ch.id >= c.canary_from) \
                     AS delivered \
                   FROM campaigns c WHERE c.canary_passed_at IS NOT NULL AND c.canary_failed_at IS NULL) AS passed \
                 WHERE delivered < needed",
                args![MessageStatus::Delivered],
            )
            .await
            .unwrap();
        assert_eq!(
            undelivered,
            [],
            "campaigns whose rest was let go before enough of the canary was delivered"
        );
    }

    /// How many canaries stopped their campaigns, and how many let them go on at once.
    pub(super) async fn canaries(&self) -> [i64; 2] {
        let sql = "SELECT COUNT(canary_failed_at), COUNT(CASE WHEN canary_failed_at IS NULL THEN canary_passed_at END) \
                   FROM campaigns";
        let (stopped, passed) = self.store.read().await.unwrap().one(sql, args![]).await.unwrap();
        [stopped, passed]
    }

    /// How many messages are packed.
    pub(super) async fn packed(&self) -> i64 {
        let mut tx = self.store.read().await.unwrap();
        packed_messages::all(&mut tx).await.unwrap().len() as i64
    }

    pub(super) async fn unknown(&self) -> i64 {
        let mut tx = self.store.read().await.unwrap();
        let row: (i64,) = tx
            .one("SELECT COUNT(*) FROM messages WHERE status = $1", args![MessageStatus::Unknown])
            .await
            .unwrap();
        row.0
    }
}

/// Whose messages these are, and to whom.
async fn lines_of(tx: &mut Tx, messages: impl Iterator<Item = MessageId>) -> BTreeSet<(i64, Msisdn)> {
    let mut lines = BTreeSet::new();
    for message in messages {
        let chunk = report::chunks(tx, vec![message.chunk()]).await.unwrap().pop().unwrap();
        let numbers = Chunk::decode_without_fields(&chunk.data).unwrap();
        lines.insert((chunk.user_id.0, numbers.numbers()[usize::from(message.place())]));
    }
    lines
}
