//! Gathers a carrier's events into the batches that a settler stores.
//!
//! A commit costs about the same for ten events as for a hundred, so in a stream of answers a batch is taken no sooner
//! than [`BATCH_INTERVAL`] after the last one. A single event, and the last of a stream, are written at once. So are
//! batches of receipts only: the SMSC's own window limits how many receipts it sends before we answer.
//!
//! Invariant: all events come out, in the order in which they came.

use std::time::Duration;

use tokio::sync::mpsc::error::TryRecvError;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::carrier::{Event, Events};

/// Events settled in one transaction: few enough that other writes do not wait long.
const BATCH: usize = 4_096;
/// The longest that a settler waits for events before it looks after other things.
pub(crate) const POLL_TIMEOUT: Duration = Duration::from_millis(200);
/// Time from one batch to the next in a stream of answers.
const BATCH_INTERVAL: Duration = Duration::from_millis(4);
/// A pause of this length ends a stream.
const IDLE_GAP: Duration = Duration::from_millis(1);

/// The events of one carrier.
#[derive(Debug)]
pub(crate) struct EventBatcher {
    events: Events,
    /// When the last batch was complete.
    began: Option<Instant>,
    rhythm: Duration,
    lull: Duration,
    /// The carrier is closed and all its events are taken.
    is_over: bool,
}

impl EventBatcher {
    pub(crate) const fn new(events: Events) -> Self {
        Self { events, began: None, rhythm: BATCH_INTERVAL, lull: IDLE_GAP, is_over: false }
    }

    /// The next batch; empty when nothing came within `wait`. `None` when the carrier is closed and all is taken.
    pub(crate) async fn next(&mut self, closed: &CancellationToken, wait: Duration) -> Option<Vec<Event>> {
        let mut batch = Vec::new();
        tokio::select! {
            biased;
            first = self.events.recv() => self.take(first, &mut batch),
            () = closed.cancelled() => {
                self.take_what_is_there(&mut batch);
                self.is_over = true;
            }
            () = tokio::time::sleep(wait) => {}
        }
        self.take_what_is_there(&mut batch);
        if !batch.is_empty() {
            if batch.iter().any(|event| matches!(event, Event::Answer(_))) {
                self.follow_stream(&mut batch, closed).await;
            }
            self.began = Some(Instant::now());
        }
        (!batch.is_empty() || !self.is_over).then_some(batch)
    }

    /// Takes more events while they come, until it is time for a batch.
    async fn follow_stream(&mut self, batch: &mut Vec<Event>, closed: &CancellationToken) {
        let Some(until) = self.began.map(|began| began + self.rhythm) else { return };
        while !self.is_over && batch.len() < BATCH {
            let now = Instant::now();
            if now >= until || closed.is_cancelled() {
                return;
            }
            let Ok(more) = timeout_at(until.min(now + self.lull), self.events.recv()).await else { return };
            self.take(more, batch);
            self.take_what_is_there(batch);
        }
    }

    fn take_what_is_there(&mut self, batch: &mut Vec<Event>) {
        while !self.is_over && batch.len() < BATCH {
            match self.events.try_recv() {
                Ok(more) => batch.extend(more),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.is_over = true,
            }
        }
    }

    fn take(&mut self, more: Option<Vec<Event>>, batch: &mut Vec<Event>) {
        match more {
            Some(more) => batch.extend(more),
            None => self.is_over = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::{Sender, channel};

    use super::*;
    use crate::carrier::{Accepted, Answer, Receipt, ReceiptToken, Reference, Verdict};
    use crate::model::message::id::MessageId;
    use crate::model::message::receipt_state::ReceiptState;

    const LONG: Duration = Duration::from_hours(1);

    fn gatherer(rhythm: Duration, lull: Duration) -> (Sender<Vec<Event>>, EventBatcher, CancellationToken) {
        let (sender, events) = channel(32);
        (sender, EventBatcher { rhythm, lull, ..EventBatcher::new(events) }, CancellationToken::new())
    }

    fn answers(messages: std::ops::Range<i64>) -> Vec<Event> {
        let answer = |message| Answer {
            message: MessageId(message),
            verdict: Verdict::Accepted,
            accepted: Accepted::None,
        };
        messages.map(|message| Event::Answer(answer(message))).collect()
    }

    fn receipt() -> Receipt {
        Receipt {
            reference: Reference("17".into()),
            to: None,
            from: None,
            state: ReceiptState::Delivered,
            error: None,
            done_at: None,
            token: ReceiptToken { connection: 1, sequence: 1 },
        }
    }

    fn messages(batch: Option<Vec<Event>>) -> Option<Vec<i64>> {
        let message = |event| match event {
            Event::Answer(answer) => answer.message.0,
            other => panic!("{other:?}"),
        };
        batch.map(|events| events.into_iter().map(message).collect())
    }

    #[tokio::test]
    async fn what_comes_alone_waits_for_nobody_and_a_stream_for_the_rhythm() {
        let (sender, mut gatherer, open) = gatherer(LONG, LONG);
        sender.send(answers(0..1)).await.unwrap();
        assert_eq!(messages(gatherer.next(&open, LONG).await), Some(vec![0]));
        sender.send(answers(1..2)).await.unwrap();
        let stream = async {
            for message in 2..5 {
                tokio::task::yield_now().await;
                sender.send(answers(message..message + 1)).await.unwrap();
            }
            drop(sender);
        };
        let (batch, ()) = tokio::join!(gatherer.next(&open, LONG), stream);
        assert_eq!(messages(batch), Some(vec![1, 2, 3, 4]));
        assert_eq!(messages(gatherer.next(&open, LONG).await), None);
    }

    #[tokio::test]
    async fn what_is_there_is_taken_without_a_wait_and_nothing_is_waited_for() {
        let (sender, mut gatherer, open) = gatherer(LONG, LONG);
        sender.send(answers(0..1)).await.unwrap();
        assert_eq!(messages(gatherer.next(&open, Duration::ZERO).await), Some(vec![0]));
        assert_eq!(messages(gatherer.next(&open, Duration::ZERO).await), Some(vec![]));
    }

    #[tokio::test]
    async fn receipts_alone_wait_for_nobody() {
        let (sender, mut gatherer, open) = gatherer(LONG, LONG);
        for _ in 0..2 {
            sender.send(vec![Event::Receipt(receipt())]).await.unwrap();
            assert_eq!(gatherer.next(&open, LONG).await.map(|batch| batch.len()), Some(1));
        }
    }

    #[tokio::test]
    async fn a_stream_that_pauses_is_not_waited_for() {
        let (sender, mut gatherer, open) = gatherer(LONG, Duration::ZERO);
        for message in 0..2 {
            sender.send(answers(message..message + 1)).await.unwrap();
            assert_eq!(messages(gatherer.next(&open, LONG).await), Some(vec![message]));
        }
    }

    #[tokio::test]
    async fn a_batch_ends_when_it_is_full_and_its_rest_comes_next() {
        let (sender, mut gatherer, open) = gatherer(LONG, LONG);
        let half = i64::try_from(BATCH).unwrap() / 2;
        sender.send(answers(0..1)).await.unwrap();
        assert_eq!(messages(gatherer.next(&open, LONG).await), Some(vec![0]));
        for place in 0..3 {
            sender.send(answers(place * half..(place + 1) * half)).await.unwrap();
        }
        assert_eq!(messages(gatherer.next(&open, LONG).await), Some((0..2 * half).collect()));
        drop(sender);
        assert_eq!(messages(gatherer.next(&open, LONG).await), Some((2 * half..3 * half).collect()));
        assert_eq!(messages(gatherer.next(&open, LONG).await), None);
    }

    #[tokio::test]
    async fn what_is_there_when_the_carrier_is_closed_still_comes_out() {
        let (sender, mut gatherer, closed) = gatherer(LONG, LONG);
        sender.send(answers(0..1)).await.unwrap();
        assert_eq!(messages(gatherer.next(&closed, LONG).await), Some(vec![0]));
        sender.send(answers(1..2)).await.unwrap();
        sender.send(answers(2..3)).await.unwrap();
        closed.cancel();
        assert_eq!(
            messages(gatherer.next(&closed, LONG).await),
            Some(vec![1, 2]),
            "and no longer waits for more"
        );
        assert_eq!(messages(gatherer.next(&closed, LONG).await), None);
        drop(sender);
    }
}
