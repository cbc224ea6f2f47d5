//! What a session writes: submissions as the window, the rate and the pause allow, and acknowledgements.

use std::sync::Arc;

use tokio::time::Instant;

use super::super::command::{DATA_SM_RESP, DELIVER_SM_RESP, ESME_ROK, put_delivery_resp};
use super::super::shared::weight;
use super::super::template::{Stamp, Template};
use super::super::window::FlightId;
use super::{OCTETS_WAITING_MAX, Phase, Session, settle};
use crate::carrier::Submission;
use crate::carrier::submit_queue::unsent;

/// The message whose parts are being written.
#[derive(Debug)]
pub(super) struct Current {
    pub(super) flight: FlightId,
    submission: Submission,
    template: Arc<Template>,
    next_part: u8,
}

impl Current {
    /// The next part that was not accepted in an earlier try.
    fn next(&mut self) -> Option<u8> {
        while self.next_part < self.template.parts() {
            let part = self.next_part;
            if u32::from(part) >= u16::BITS || self.submission.parts_done & (1 << part) == 0 {
                return Some(part);
            }
            self.next_part += 1;
        }
        None
    }
}

impl Session<'_> {
    /// Encodes as many submit_sm as may be outstanding.
    pub(super) fn fill(&mut self) {
        if !self.link.role.sends() {
            return;
        }
        if self.shared.queue.closing().is_cancelled() {
            self.give_back();
        }
        self.drop_troubled();
        if let Some(until) = self.pause.until(self.now) {
            return self.alarm_at(until);
        }
        if self.phase != Phase::Bound {
            return;
        }
        while self.window.room() > 0 && self.outbox.waiting() < OCTETS_WAITING_MAX {
            if self.current.is_none() && !self.begin_next() {
                return;
            }
            if !self.write_part() {
                return;
            }
        }
    }

    /// Takes the next message up; `false` if there is none.
    fn begin_next(&mut self) -> bool {
        if self.staged.is_empty() && !self.shared.queue.closing().is_cancelled() {
            self.shared.pull(&mut self.staged, self.window.room());
        }
        let Some(submission) = self.staged.pop_front() else { return false };
        let template = self.templates.get(&submission.body, &submission.from, &self.shared.config);
        let flight = self.window.begin(submission.message, weight(&submission));
        self.current = Some(Current { flight, submission, template, next_part: 0 });
        true
    }

    /// Encodes the current message's next part, or closes it after its last; `false` if the rate does not allow it.
    fn write_part(&mut self) -> bool {
        let Some(current) = &mut self.current else { return true };
        let Some(part) = current.next() else {
            self.close_current();
            return true;
        };
        if let Err(wait) = self.shared.pace.take() {
            self.alarm_at(self.now + wait);
            return false;
        }
        let config = &self.shared.config;
        let submission = &current.submission;
        let validity =
            self.validity.octets(submission.expires_at, config.validity, || self.shared.clock.now());
        let start = self.outbox.position();
        let sequence = self.window.put(current.flight, part, start, self.now);
        let stamp = Stamp { message: submission.message, to: submission.to, validity, sequence };
        current.template.stamp(&mut self.outbox.octets, part, &stamp);
        current.next_part = part + 1;
        if current.next().is_none() {
            self.close_current();
        }
        true
    }

    fn close_current(&mut self) {
        let Self { window, report, released, current, .. } = self;
        if let Some(settled) = current.take().and_then(|current| window.close(current.flight)) {
            settle(report, released, settled);
        }
    }

    /// A part of the current message was refused or throttled: the rest of it is not written.
    fn drop_troubled(&mut self) {
        if self.current.as_ref().is_some_and(|current| self.window.is_troubled(current.flight)) {
            self.close_current();
        }
    }

    /// The carrier closes: what was not begun goes back.
    fn give_back(&mut self) {
        for submission in self.staged.drain(..) {
            self.released += weight(&submission);
            self.report.events.push(unsent(&submission));
        }
    }

    /// Answers the receipts and messages whose effects are committed.
    pub(super) fn take_acknowledged(&mut self) {
        self.link.take_acknowledged(&mut self.acknowledged);
        for sequence in self.acknowledged.drain(..) {
            let data_sm = self.data_sms.iter().position(|held| *held == sequence);
            let id = data_sm.map_or(DELIVER_SM_RESP, |place| {
                self.data_sms.swap_remove(place);
                DATA_SM_RESP
            });
            put_delivery_resp(&mut self.outbox.octets, id, ESME_ROK, sequence);
        }
    }

    fn alarm_at(&mut self, at: Instant) {
        if self.alarm.deadline() != at {
            self.alarm.as_mut().reset(at);
        }
    }
}
