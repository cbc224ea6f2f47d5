//! Server-sent events (WHATWG HTML, section 9.2): bytes in whatever pieces they come, events out. Comments, which
//! keep connections alive, are no events.

use std::collections::VecDeque;

use futures::{Stream, StreamExt};

use super::CallError;

/// The most a single event may hold before the stream is given up; ours are below 4 kB.
const EVENT_BYTES_MAX: usize = 1 << 20;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name; `message` when the stream names none.
    pub(crate) name: String,
    /// Its data, lines joined by line feeds.
    pub(crate) data: String,
}

/// Cuts bytes into events.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    line: Vec<u8>,
    after_cr: bool,
    name: String,
    data: Vec<String>,
    size: usize,
}

impl Parser {
    /// Takes the next bytes and gives the events they complete; `None` when one grows beyond all measure.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Option<Vec<Event>> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                other => {
                    self.line.push(other);
                    self.size += 1;
                }
            }
            if self.size > EVENT_BYTES_MAX {
                return None;
            }
        }
        Some(events)
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.end_event();
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.data.push(value.to_owned()),
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<Event> {
        self.size = 0;
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        if data.is_empty() {
            return None;
        }
        let name = if name.is_empty() { "message".to_owned() } else { name };
        Some(Event { name, data: data.join("\n") })
    }
}

/// Reads the events of a stream.
#[derive(Debug)]
pub(crate) struct EventReader<S> {
    pieces: S,
    parser: Parser,
    ready: VecDeque<Event>,
}

impl<S: Stream<Item = Result<Vec<u8>, CallError>> + Unpin> EventReader<S> {
    /// A reader of these bytes.
    pub(crate) fn new(pieces: S) -> Self {
        Self { pieces, parser: Parser::default(), ready: VecDeque::new() }
    }

    /// The next event, or `None` when the stream ended.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, CallError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            match self.pieces.next().await {
                None => return Ok(None),
                Some(Err(error)) => return Err(error),
                Some(Ok(bytes)) => match self.parser.feed(&bytes) {
                    Some(events) => self.ready.extend(events),
                    None => {
                        return Err(CallError::Unreadable { what: "an event without end".to_owned() });
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.to_owned(), data: data.to_owned() }
    }

    const STREAM: &str = ": hello\n\nevent: progress\r\ndata: {\"a\":\"₦\"}\r\nid: 7\r\n\r\ndata: one\rdata:two\r\r\
                          event: nothing\n\nevent: end\ndata\n\nevent: cut";

    fn expected() -> Vec<Event> {
        vec![event("progress", "{\"a\":\"₦\"}"), event("message", "one\ntwo"), event("end", "")]
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        for size in 1..STREAM.len() {
            let mut parser = Parser::default();
            let events: Vec<Event> =
                STREAM.as_bytes().chunks(size).flat_map(|bytes| parser.feed(bytes).unwrap()).collect();
            assert_eq!(events, expected(), "in pieces of {size}");
        }
    }

    #[test]
    fn an_event_without_end_is_given_up() {
        let mut parser = Parser::default();
        let piece = vec![b'x'; EVENT_BYTES_MAX];
        assert!(parser.feed(&piece).is_some());
        assert!(parser.feed(&piece).is_none());
    }

    #[tokio::test]
    async fn a_reader_gives_events_one_by_one_and_then_the_end() {
        let pieces = [Ok(b"data: 1\n\ndata: 2\n".to_vec()), Ok(b"\n".to_vec())];
        let mut reader = EventReader::new(futures::stream::iter(pieces));
        assert_eq!(reader.next().await.unwrap(), Some(event("message", "1")));
        assert_eq!(reader.next().await.unwrap(), Some(event("message", "2")));
        assert_eq!(reader.next().await.unwrap(), None);
    }
}
