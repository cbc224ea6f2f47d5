//! The PDUs that a session reads: answers, receipts, messages, and those of the protocol itself.

use std::sync::Arc;

use super::super::command::{
    ALERT_NOTIFICATION, DATA_SM, DATA_SM_RESP, DELIVER_SM, DELIVER_SM_RESP, ENQUIRE_LINK, ENQUIRE_LINK_RESP,
    ESME_RINVCMDID, ESME_RINVCMDLEN, ESME_ROK, GENERIC_NACK, Header, OUTBIND, RESPONSE, Refused,
    SUBMIT_SM_RESP, UNBIND, UNBIND_RESP, put_delivery_resp, put_header, reason,
};
use super::super::deliver::{Delivery, message_id};
use super::super::reference::canonical;
use super::super::trace_line::incoming;
use super::{End, Phase, Session, UNBIND_WAIT, settle};
use crate::carrier::{ReceiptToken, Refusal, Verdict};

impl Session<'_> {
    /// Handles every whole PDU that was read.
    pub(super) fn handle_pdus(&mut self) {
        let mut frames = std::mem::take(&mut self.frames);
        loop {
            match frames.next() {
                Ok(Some((header, body))) => self.on_pdu(header, body),
                Ok(None) => break,
                Err(bad) => {
                    put_header(&mut self.outbox.octets, GENERIC_NACK, ESME_RINVCMDLEN, 0);
                    self.lose(format!("the carrier sent a PDU of {} octets", bad.0));
                    break;
                }
            }
        }
        self.frames = frames;
    }

    fn on_pdu(&mut self, header: Header, body: &[u8]) {
        let sequence = header.sequence;
        self.shared.trace.note(|| incoming(header, body));
        match header.id {
            SUBMIT_SM_RESP => self.on_answer(header, body),
            DELIVER_SM => self.on_delivery(sequence, Delivery::of_deliver_sm(body), DELIVER_SM_RESP),
            DATA_SM => {
                self.data_sms.push(sequence);
                self.on_delivery(sequence, Delivery::of_data_sm(body), DATA_SM_RESP);
            }
            ENQUIRE_LINK => put_header(&mut self.outbox.octets, ENQUIRE_LINK_RESP, ESME_ROK, sequence),
            ENQUIRE_LINK_RESP => self.check = None,
            GENERIC_NACK if self.window.holds(sequence) => self.on_answer(header, body),
            UNBIND => {
                put_header(&mut self.outbox.octets, UNBIND_RESP, ESME_ROK, sequence);
                self.phase = Phase::Unbinding { until: self.now + UNBIND_WAIT, ours: false };
            }
            UNBIND_RESP => self.end = Some(End::Closed),
            ALERT_NOTIFICATION | OUTBIND => {}
            id if id & RESPONSE != 0 => {
                let (name, status) = (&self.shared.config.name, header.status);
                tracing::debug!(carrier = name, command = id, status, sequence, "an answer nobody waits for");
            }
            _ => put_header(&mut self.outbox.octets, GENERIC_NACK, ESME_RINVCMDID, sequence),
        }
    }

    fn on_answer(&mut self, header: Header, body: &[u8]) {
        let settled = if header.status == ESME_ROK && header.id == SUBMIT_SM_RESP {
            self.pause.accepted();
            let notation = self.shared.config.message_id.of_answers();
            self.window.accept(header.sequence, || canonical(message_id(body), notation))
        } else if self.window.holds(header.sequence) {
            let refusal = self.refusal(header.status);
            let verdict = if Refused::by(header.status).is_temporary() {
                self.pause.throttled(self.now);
                Verdict::Throttled(refusal)
            } else {
                Verdict::Refused(refusal)
            };
            self.window.refuse(header.sequence, || verdict)
        } else {
            None
        };
        if let Some(settled) = settled {
            settle(&mut self.report, &mut self.released, settled);
        }
    }

    fn refusal(&mut self, code: u32) -> Refusal {
        let is_carriers = Refused::by(code).is_carriers();
        if let Some((_, reason)) = self.refusals.iter().find(|(known, _)| *known == code) {
            return Refusal { code, reason: Arc::clone(reason), is_carriers };
        }
        let reason: Arc<str> = reason(code).into();
        self.refusals.truncate(63);
        self.refusals.insert(0, (code, Arc::clone(&reason)));
        Refusal { code, reason, is_carriers }
    }

    /// A PDU that cannot be read is acknowledged at once, or the carrier would send it for ever.
    fn on_delivery(&mut self, sequence: u32, delivery: Option<Delivery<'_>>, resp: u32) {
        let token = ReceiptToken { connection: self.connection, sequence };
        let event = delivery.and_then(|delivery| delivery.event(&self.shared.config, token));
        if let Some(event) = event {
            return self.report.events.push(event);
        }
        tracing::warn!(
            carrier = self.shared.config.name,
            sequence,
            "a receipt without an id, or an unreadable one"
        );
        self.data_sms.retain(|held| *held != sequence);
        put_delivery_resp(&mut self.outbox.octets, resp, ESME_ROK, sequence);
    }
}
