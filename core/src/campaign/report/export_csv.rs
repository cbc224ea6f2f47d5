//! The lines of the delivery report, a chunk at a time.

use std::sync::Arc;

use talkdrum_api::money::Amount;
use talkdrum_api::spreadsheet::push_field;

use crate::campaign::report::{Filter, reason};
use crate::content::Poll;
use crate::content::poll::opts_out;
use crate::error::Result;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::phone::NetworkTable;
use crate::store::message::answered::AnsweredMessage;
use crate::store::message::report as table;
use crate::store::message::report::ReportedChunk;
use crate::time::Time;

/// The first line.
const HEADER: &str = "to,status,reason,senderid,network,pages,price,currency,carrier_ref,submitted_at,done_at,id,keys,answer,purpose\r\n";

/// Room for a usual line.
const LINE_BYTES: usize = 128;

/// All that the lines of a chunk need.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) chunk: ReportedChunk,
    pub(crate) retries: Vec<(MessageId, String)>,
    pub(crate) answered: Vec<AnsweredMessage>,
    /// What was pressed in its calls that were answered, and what that answered, by place.
    pub(crate) keys: Vec<(i64, String, Option<String>)>,
    /// The question that they ask.
    pub(crate) poll: Option<Arc<Poll>>,
}

/// Writes lines, remembering what the one before had: most lines of a report differ in few fields.
#[derive(Debug)]
pub(crate) struct CsvWriter {
    stamp: Stamp,
    /// Of several campaigns: each line says of which, and only those in this status are written.
    of_many: Option<Filter>,
}

impl CsvWriter {
    pub(crate) fn new(of_many: Option<Filter>) -> Self {
        Self { stamp: Stamp::default(), of_many }
    }

    pub(crate) fn header(&self) -> Vec<u8> {
        let campaign = if self.of_many.is_some() { "campaign_id," } else { "" };
        format!("{campaign}{HEADER}").into_bytes()
    }

    pub(crate) fn lines(&mut self, sheet: &Sheet, networks: &NetworkTable) -> Result<Vec<u8>> {
        let Sheet { chunk, retries, answered, keys, poll } = sheet;
        let audience = Chunk::decode_without_fields(&chunk.data)?;
        let filter = self.of_many.unwrap_or(Filter::All);
        let room = if filter == Filter::All { audience.len() * LINE_BYTES } else { 0 };
        let mut out = Vec::with_capacity(room);
        let mut sender = Vec::new();
        push_field(&mut sender, &chunk.sender);
        let prices = Prices::new(chunk.unit_price)?;
        let mut answered = answered.iter().peekable();
        let mut retries = retries.iter().peekable();
        let mut keys = keys.iter().peekable();
        for (place, to) in audience.numbers().iter().enumerate() {
            let place = place as u16;
            let id = MessageId::new(chunk.id, place);
            let message = answered.next_if(|message| message.place == place);
            let retry = retries.next_if(|(message, _)| *message == id).map(|(_, why)| why.as_str());
            let pressed = keys.next_if(|(at, ..)| *at == i64::from(place));
            let status = match message {
                Some(message) => message.status,
                None => table::unanswered(place, retry.is_some(), chunk.cursor, chunk.tail_cancelled),
            };
            if !filter.takes(status) {
                continue;
            }
            let pages = audience.pages(usize::from(place));
            if self.of_many.is_some() {
                push_number(&mut out, chunk.campaign_id.0.unsigned_abs());
                out.push(b',');
            }
            match to.is_erased() {
                true => push_field(&mut out, &to.to_string()),
                false => push_number(&mut out, to.digits()),
            }
            out.push(b',');
            out.extend_from_slice(status.code().as_bytes());
            out.push(b',');
            push_reason(
                &mut out,
                status,
                message.and_then(|message| message.error.as_deref()),
                retry.filter(|_| message.is_none()),
                pressed.is_some_and(|(_, keys, _)| opts_out(keys)),
            );
            out.push(b',');
            out.extend_from_slice(&sender);
            out.push(b',');
            push_field(&mut out, networks.name(networks.lookup(*to)));
            out.push(b',');
            push_number(&mut out, u64::from(pages));
            out.push(b',');
            out.extend_from_slice(prices.of(pages));
            out.push(b',');
            out.extend_from_slice(chunk.currency.code().as_bytes());
            out.push(b',');
            push_field(
                &mut out,
                message.and_then(|message| message.carrier_ref.as_deref()).unwrap_or_default(),
            );
            out.push(b',');
            self.stamp.push(&mut out, message.and_then(|message| message.submitted_at));
            out.push(b',');
            self.stamp.push(&mut out, message.and_then(|message| message.done_at));
            out.push(b',');
            push_number(&mut out, id.0.unsigned_abs());
            out.push(b',');
            if let Some((_, keys, answer)) = pressed {
                push_field(&mut out, keys);
                out.push(b',');
                let label = poll.as_ref().zip(answer.as_ref()).and_then(|(poll, it)| poll.label_of(it));
                push_field(&mut out, label.unwrap_or_default());
            } else {
                out.push(b',');
            }
            out.push(b',');
            out.extend_from_slice(chunk.purpose.code().as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        Ok(out)
    }
}

fn push_reason(
    out: &mut Vec<u8>,
    status: MessageStatus,
    error: Option<&str>,
    retry: Option<&str>,
    opted_out: bool,
) {
    match retry {
        Some(retry) => push_field(out, &reason::of_retry(retry)),
        None if status == MessageStatus::Delivered && error.is_none() && opted_out => {
            push_field(out, reason::OPTED_OUT_BY_KEY);
        }
        None if status == MessageStatus::Delivered && error.is_none() => (),
        None => push_field(out, &reason::of(status, error).unwrap_or_default()),
    }
}

/// What each number of pages costs, written once.
#[derive(Debug)]
struct Prices(Vec<Vec<u8>>);

impl Prices {
    /// A page is counted in a byte, and no message has more than a few.
    fn new(unit_price: Amount) -> Result<Self> {
        let price = |pages| Ok(unit_price.times(pages)?.to_string().into_bytes());
        (0..=u64::from(u8::MAX)).map(price).collect::<Result<_>>().map(Self)
    }

    fn of(&self, pages: u8) -> &[u8] {
        &self.0[usize::from(pages)]
    }
}

/// Times as RFC 3339: the part up to the second is kept, most rows share it with the row before.
#[derive(Debug)]
struct Stamp {
    second: i64,
    text: Vec<u8>,
}

impl Default for Stamp {
    fn default() -> Self {
        Self { second: i64::MIN, text: Vec::new() }
    }
}

impl Stamp {
    fn push(&mut self, out: &mut Vec<u8>, time: Option<Time>) {
        let Some(Time(time)) = time else { return };
        let second = time.div_euclid(1_000);
        if second != self.second {
            self.second = second;
            self.text = Time(second * 1_000).to_rfc3339().into_bytes();
            // Up to and with the point, where there is one.
            let whole =
                self.text.iter().position(|byte| *byte == b'.').map_or(self.text.len(), |point| point + 1);
            self.text.truncate(whole);
        }
        out.extend_from_slice(&self.text);
        let millis = time.rem_euclid(1_000);
        out.extend([millis / 100, millis / 10 % 10, millis % 10].map(|digit| b'0' + digit as u8));
        out.push(b'Z');
    }
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_are_written_as_elsewhere() {
        let mut stamp = Stamp::default();
        for time in [0, 1_700_000_000_123, 1_700_000_000_007, 1_700_000_001_000, -1] {
            let mut out = Vec::new();
            stamp.push(&mut out, Some(Time(time)));
            assert_eq!(String::from_utf8(out).unwrap(), Time(time).to_rfc3339());
        }
        let mut out = Vec::new();
        push_number(&mut out, 0);
        push_number(&mut out, u64::MAX);
        assert_eq!(String::from_utf8(out).unwrap(), format!("0{}", u64::MAX));
    }
}
