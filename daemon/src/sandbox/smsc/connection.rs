//! One client's connection.
//!
//! What is read in one go is answered in one write, and a client that does not read is not read from.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::args::Faults;
use super::counters::count;
use super::dice::Throw;
use super::mailbox::{Letter, Mailbox, Sender, Waiting};
use super::pdu::{self, Bind, Id, Pdu, Receipt, Submit};
use super::policy::{Decision, ReceiptPlan};
use super::schedule::Schedule;
use super::{Control, House};

/// Octets that may wait for a client before no more is read from it.
const OUT_MAX: usize = 1 << 20;

/// How much is read at once.
const READ_LEN: usize = 64 * 1024;

/// An answer that is not due yet.
#[derive(Clone, Copy, Debug)]
struct Answer {
    status: u32,
    sequence: u32,
    message: Option<u32>,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Connection {
    house: Arc<House>,
    stream: TcpStream,
    control: watch::Receiver<Control>,
    faults: Arc<Faults>,
    mailbox: Option<Arc<Mailbox>>,
    receives: bool,
    sends: bool,
    octets: Vec<u8>,
    out: Vec<u8>,
    written: usize,
    answers: Schedule<Answer>,
    /// Receipts decided on in this turn.
    receipts: Vec<(u64, Waiting)>,
    letters: Vec<Letter>,
    /// Letters not acknowledged; the first has the sequence number `oldest`.
    outstanding: VecDeque<Option<Letter>>,
    oldest: u32,
    unacknowledged: usize,
    senders: Vec<Option<Arc<Sender>>>,
    last_sender: Option<(u16, Arc<Sender>)>,
    next_due: Option<u64>,
    is_over: bool,
    /// Hang up without another word.
    is_cut: bool,
}

impl Connection {
    pub(super) fn new(house: Arc<House>, stream: TcpStream, control: watch::Receiver<Control>) -> Self {
        let faults = Arc::clone(&control.borrow().faults);
        Self {
            faults,
            house,
            stream,
            control,
            mailbox: None,
            receives: false,
            sends: false,
            octets: Vec::new(),
            out: Vec::new(),
            written: 0,
            answers: Schedule::default(),
            receipts: Vec::new(),
            letters: Vec::new(),
            outstanding: VecDeque::new(),
            oldest: 1,
            unacknowledged: 0,
            senders: Vec::new(),
            last_sender: None,
            next_due: None,
            is_over: false,
            is_cut: false,
        }
    }

    /// Serves the client until it goes.
    pub(super) async fn serve(mut self) {
        let kicks = self.control.borrow().kicks;
        while !self.is_over {
            self.say_what_is_due();
            if !self.is_cut && self.write().is_err() {
                break;
            }
            if (self.is_over && self.waiting() == 0) || self.is_cut {
                break;
            }
            if !self.wait(kicks).await {
                break;
            }
            if self.read().is_err() {
                break;
            }
        }
        // What was decided on stays decided.
        self.file_receipts();
        if let Some(mailbox) = &self.mailbox {
            mailbox.put_back(self.outstanding.drain(..).flatten());
        }
    }

    const fn waiting(&self) -> usize {
        self.out.len() - self.written
    }

    /// Waits until something can be done; `false` if the SMSC hangs up.
    async fn wait(&mut self, kicks: u64) -> bool {
        let interest = match (self.waiting() > 0, self.waiting() < OUT_MAX) {
            (true, true) => Interest::READABLE | Interest::WRITABLE,
            (true, false) => Interest::WRITABLE,
            (false, _) => Interest::READABLE,
        };
        let due = [self.answers.next(), self.next_due].into_iter().flatten().min();
        let pause = due.map_or(Duration::from_secs(3_600), |due| self.house.until(due));
        let mailbox = self.mailbox.clone();
        let letters = async {
            match &mailbox {
                Some(mailbox) => mailbox.bell.notified().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            ready = self.stream.ready(interest) => ready.is_ok(),
            () = tokio::time::sleep(pause) => true,
            () = letters, if self.receives => true,
            changed = self.control.changed() => {
                let control = self.control.borrow();
                self.faults = Arc::clone(&control.faults);
                changed.is_ok() && control.kicks == kicks
            }
        }
    }

    fn write(&mut self) -> io::Result<()> {
        while self.waiting() > 0 {
            match self.stream.try_write(&self.out[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.written = 0;
        Ok(())
    }

    fn read(&mut self) -> io::Result<()> {
        if self.waiting() >= OUT_MAX {
            return Ok(());
        }
        let held = self.octets.len();
        self.octets.resize(held + READ_LEN, 0);
        let outcome = self.stream.try_read(&mut self.octets[held..]);
        self.octets.truncate(held + outcome.as_ref().copied().unwrap_or(0));
        match outcome {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {
                self.handle_pdus();
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn handle_pdus(&mut self) {
        let octets = std::mem::take(&mut self.octets);
        let mut at = 0;
        while !self.is_over && !self.is_cut {
            match pdu::next(&octets[at..]) {
                Ok(Some((pdu, length))) => {
                    at += length;
                    self.on_pdu(pdu);
                }
                Ok(None) => break,
                Err(_) => {
                    pdu::put_bare(&mut self.out, pdu::GENERIC_NACK, pdu::INVALID_LENGTH, 0);
                    self.is_over = true;
                }
            }
        }
        self.octets = octets;
        self.octets.drain(..at);
        self.file_receipts();
    }

    fn on_pdu(&mut self, pdu: Pdu<'_>) {
        match pdu.id {
            pdu::SUBMIT_SM if self.sends => self.on_submit(pdu),
            pdu::SUBMIT_SM => {
                pdu::put_submit_resp(&mut self.out, pdu::INVALID_BIND_STATUS, pdu.sequence, None);
            }
            pdu::DELIVER_SM_RESP => self.on_acknowledgement(pdu),
            pdu::ENQUIRE_LINK => {
                pdu::put_bare(&mut self.out, pdu::ENQUIRE_LINK | pdu::RESPONSE, pdu::OK, pdu.sequence);
            }
            pdu::BIND_RECEIVER | pdu::BIND_TRANSMITTER | pdu::BIND_TRANSCEIVER => self.on_bind(pdu),
            pdu::UNBIND => {
                pdu::put_bare(&mut self.out, pdu::UNBIND | pdu::RESPONSE, pdu::OK, pdu.sequence);
                self.is_over = true;
            }
            id if id & pdu::RESPONSE != 0 => {}
            _ => pdu::put_bare(&mut self.out, pdu::GENERIC_NACK, pdu::INVALID_COMMAND, pdu.sequence),
        }
        if self.is_over {
            // The last words go out before the door closes.
            let _ = self.write();
        }
    }

    fn on_bind(&mut self, pdu: Pdu<'_>) {
        let status = self.judge_bind(pdu);
        pdu::put_bind_resp(&mut self.out, pdu.id, status, pdu.sequence);
        if status != pdu::OK {
            count(&self.house.counters.binds_refused, 1);
            self.is_over = true;
            return;
        }
        count(&self.house.counters.binds, 1);
        self.receives = pdu.id != pdu::BIND_TRANSMITTER;
        self.sends = pdu.id != pdu::BIND_RECEIVER;
    }

    fn judge_bind(&mut self, pdu: Pdu<'_>) -> u32 {
        if self.faults.refuse_binds != 0 {
            return self.faults.refuse_binds;
        }
        if self.mailbox.is_some() {
            return pdu::ALREADY_BOUND;
        }
        let Some(bind) = Bind::parse(pdu.body) else { return pdu::INVALID_LENGTH };
        if let Some((system_id, password)) = &self.house.credentials {
            if bind.system_id != system_id.as_bytes() {
                return pdu::INVALID_SYSTEM_ID;
            }
            if bind.password != password.as_bytes() {
                return pdu::INVALID_PASSWORD;
            }
        }
        self.mailbox = Some(self.house.mailbox(bind.system_id));
        pdu::OK
    }

    fn on_submit(&mut self, pdu: Pdu<'_>) {
        let house = Arc::clone(&self.house);
        let ordinal = house.counters.submits.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        let parsed = Submit::parse(pdu.body).map(|submit| (submit, submit.number()));
        let (submit, number) = match parsed {
            Some((submit, Some(number))) => (submit, number),
            Some((_, None)) => return self.refuse(pdu::INVALID_DESTINATION, pdu.sequence, ordinal),
            None => return self.refuse(pdu::INVALID_LENGTH, pdu.sequence, ordinal),
        };
        house.audit.saw(number);
        let faults = Arc::clone(&self.faults);
        match house.policy.decide(&submit, number, ordinal, house.nanos(), &faults) {
            Decision::Drop => count(&house.counters.dropped, 1),
            Decision::Refuse(status) => self.refuse(status, pdu.sequence, ordinal),
            Decision::Accept { answer, receipt } => {
                count(&house.counters.accepted, 1);
                house.audit.accepted(number, &submit);
                let message = house.next_message();
                let early = receipt.filter(|plan| plan.early && self.receives);
                if let Some(plan) = receipt {
                    self.plan_receipt(&submit, number, message, plan, early.is_some());
                }
                if answer {
                    self.answer(
                        Answer { status: pdu::OK, sequence: pdu.sequence, message: Some(message) },
                        ordinal,
                    );
                } else {
                    count(&house.counters.answers_lost, 1);
                }
            }
        }
        self.maybe_hang_up(ordinal);
    }

    fn refuse(&mut self, status: u32, sequence: u32, ordinal: u64) {
        let counters = &self.house.counters;
        count(if status == pdu::THROTTLED { &counters.throttled } else { &counters.rejected }, 1);
        self.answer(Answer { status, sequence, message: None }, ordinal);
    }

    fn answer(&mut self, answer: Answer, ordinal: u64) {
        match self.house.policy.answer_delay(ordinal, &self.faults) {
            0 => self.put_answer(answer),
            delay => self.answers.push(self.house.millis() + delay, answer),
        }
    }

    fn put_answer(&mut self, answer: Answer) {
        let id = answer.message.map(|message| self.id(message, self.faults.answer_ids));
        pdu::put_submit_resp(&mut self.out, answer.status, answer.sequence, id);
    }

    fn id(&self, message: u32, base: super::IdBase) -> Id {
        Id { number: self.house.first_id + u64::from(message), base, width: self.faults.id_width }
    }

    fn plan_receipt(
        &mut self,
        submit: &Submit<'_>,
        number: u64,
        message: u32,
        plan: ReceiptPlan,
        early: bool,
    ) {
        if plan.lost {
            return count(&self.house.counters.receipts_lost, 1);
        }
        let waiting = Waiting::new(number, plan.fate, self.sender_number(submit.source), message);
        let copies = if plan.twice { 2 } else { 1 };
        for copy in 0..copies {
            if early && copy == 0 && self.can_deliver() > 0 {
                self.put_letter(Letter::Receipt(waiting));
            } else {
                self.receipts.push((self.house.millis() + plan.delay_ms, waiting));
            }
        }
    }

    fn sender_number(&mut self, source: (u8, u8, &[u8])) -> u16 {
        if let Some((number, sender)) = &self.last_sender
            && (sender.ton, sender.npi, &*sender.address) == source
        {
            return *number;
        }
        let number = self.house.senders.number(source);
        self.last_sender = self.sender(number).map(|sender| (number, sender));
        number
    }

    fn sender(&mut self, number: u16) -> Option<Arc<Sender>> {
        let place = usize::from(number);
        if self.senders.len() <= place {
            self.senders.resize(place + 1, None);
        }
        if self.senders[place].is_none() {
            self.senders[place] = self.house.senders.sender(number);
        }
        self.senders[place].clone()
    }

    fn maybe_hang_up(&mut self, ordinal: u64) {
        let Faults { disconnect_every: every, disconnect, .. } = *self.faults;
        let dice = self.house.policy.dice;
        let counted = every > 0 && ordinal.is_multiple_of(every);
        if counted || dice.happens(disconnect, Throw::Disconnect, ordinal) {
            count(&self.house.counters.disconnects, 1);
            self.is_cut = true;
            if dice.below(2, Throw::DisconnectHow, ordinal) == 0 {
                // Half the time the answers so far still get out.
                let _ = self.write();
            }
        }
    }

    fn file_receipts(&mut self) {
        if let Some(mailbox) = &self.mailbox
            && !self.receipts.is_empty()
        {
            let lost = mailbox.put(&mut self.receipts, self.house.millis());
            count(&self.house.counters.receipts_lost, lost as u64);
        }
    }

    /// How many letters may be sent beyond those outstanding. The span of sequence numbers is bounded too, so that one
    /// that is never acknowledged does not keep thousands of others in memory.
    fn can_deliver(&self) -> usize {
        let window = self.house.receipt_window as usize;
        let span = (window * 4).saturating_sub(self.outstanding.len());
        window.saturating_sub(self.unacknowledged).min(span)
    }

    fn say_what_is_due(&mut self) {
        let now = self.house.millis();
        while let Some(answers) = self.answers.pop(now) {
            answers.into_iter().for_each(|answer| self.put_answer(answer));
        }
        self.next_due = None;
        let room = self.can_deliver();
        if !self.receives || room == 0 || self.waiting() >= OUT_MAX {
            return;
        }
        let mut letters = std::mem::take(&mut self.letters);
        if let Some(mailbox) = &self.mailbox {
            self.next_due = mailbox.take(room, now, &mut letters);
        }
        letters.drain(..).for_each(|letter| self.put_letter(letter));
        self.letters = letters;
    }

    fn put_letter(&mut self, letter: Letter) {
        let sequence = self.oldest.wrapping_add(self.outstanding.len() as u32) & 0x7FFF_FFFF;
        match &letter {
            Letter::Receipt(waiting) => self.put_receipt(sequence, *waiting),
            Letter::Inbound(message) => {
                pdu::put_inbound(&mut self.out, sequence, message);
            }
        }
        count(&self.house.counters.deliveries_sent, 1);
        self.outstanding.push_back(Some(letter));
        self.unacknowledged += 1;
    }

    fn put_receipt(&mut self, sequence: u32, waiting: Waiting) {
        let sender = self.sender(waiting.sender());
        let receipt = Receipt {
            id: self.id(waiting.message(), self.faults.receipt_ids),
            fate: waiting.fate(),
            handset: waiting.handset(),
            sender: sender.as_ref().map_or((0, 0, &[]), |sender| (sender.ton, sender.npi, &sender.address)),
            date: self.house.date(),
            form: self.faults.receipt_form,
        };
        pdu::put_receipt(&mut self.out, sequence, &receipt);
    }

    /// A status other than 0 is a refusal: the letter is sent again when the client binds again.
    fn on_acknowledgement(&mut self, pdu: Pdu<'_>) {
        let place = pdu.sequence.wrapping_sub(self.oldest) & 0x7FFF_FFFF;
        let Some(slot) = self.outstanding.get_mut(place as usize) else { return };
        if pdu.status != pdu::OK || slot.take().is_none() {
            return;
        }
        count(&self.house.counters.deliveries_acknowledged, 1);
        self.unacknowledged -= 1;
        while self.outstanding.front().is_some_and(Option::is_none) {
            self.outstanding.pop_front();
            self.oldest = self.oldest.wrapping_add(1) & 0x7FFF_FFFF;
        }
    }
}
