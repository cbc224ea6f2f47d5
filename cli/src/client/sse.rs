//! Server-sent events (WHATWG HTML, section 9.2), with a bound on what one may hold.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use bytes::Buf;
use futures::{Stream, TryStreamExt as _, future};
use sse_stream::{Error, Sse, SseByteStream};

use super::CallError;
use super::error::root;

/// The most a single event may hold before the stream is given up; ours are below 4 kB.
const EVENT_BYTES_MAX: usize = 1 << 20;

/// The events in the bytes that come from the daemon at `url`, in whatever pieces. Comments, which keep connections
/// alive, are no events.
pub(crate) fn read<B: Buf>(
    pieces: impl Stream<Item = io::Result<B>>,
    url: String,
) -> impl Stream<Item = Result<Sse, CallError>> {
    // Bytes since the last event.
    let size = Rc::new(Cell::new(0));
    let (counted, failed) = (Rc::clone(&size), Rc::clone(&size));
    let pieces = pieces.and_then(move |piece| {
        counted.set(counted.get() + piece.remaining());
        let fits = counted.get() <= EVENT_BYTES_MAX;
        future::ready(if fits { Ok(piece) } else { Err(io::Error::other("too large")) })
    });
    SseByteStream::new(pieces).inspect_ok(move |_| size.set(0)).map_err(move |error| match error {
        Error::Body(_) if failed.get() > EVENT_BYTES_MAX => {
            CallError::Unreadable { what: "an event without end".to_owned() }
        }
        Error::Body(cause) => CallError::Lost { url: url.clone(), reason: root(&*cause), reads: true },
        other => CallError::Unreadable { what: format!("an event this version cannot read ({other})") },
    })
}

#[cfg(test)]
mod tests {
    use futures::{StreamExt as _, stream};

    use super::*;

    async fn events(
        pieces: Vec<io::Result<&[u8]>>,
    ) -> Vec<Result<(Option<String>, Option<String>), CallError>> {
        let read = read(stream::iter(pieces), "http://daemon".to_owned());
        read.map_ok(|event| (event.event, event.data)).collect().await
    }

    #[tokio::test]
    async fn events_are_the_same_however_the_bytes_are_cut() {
        let text = ": hello\n\nevent: progress\r\ndata: {\"a\":\"₦\"}\r\n\r\ndata: one\rdata:two\r\r\
                    event: end\ndata\n\nevent: cut";
        let expected = [
            (Some("progress".to_owned()), Some("{\"a\":\"₦\"}".to_owned())),
            (None, Some("one\ntwo".to_owned())),
            (Some("end".to_owned()), Some(String::new())),
        ];
        for size in 1..text.len() {
            let found = events(text.as_bytes().chunks(size).map(Ok).collect()).await;
            let found: Vec<_> = found.into_iter().map(Result::unwrap).collect();
            assert_eq!(found, expected, "in pieces of {size}");
        }
    }

    #[tokio::test]
    async fn an_event_without_end_is_given_up_and_many_events_are_not() {
        let piece = vec![b'x'; EVENT_BYTES_MAX];
        let found = events(vec![Ok(&piece), Ok(b"x"), Ok(b"\n\n")]).await;
        assert!(matches!(&found[..], [Err(CallError::Unreadable { .. })]), "{found:?}");
        let small = [b"data: ".as_slice(), &[b'x'; 4_000], b"\n\n"].concat();
        let found = events((0..400).map(|_| Ok(&small[..])).collect()).await;
        assert_eq!(found.iter().filter(|event| event.is_ok()).count(), 400);
    }

    #[tokio::test]
    async fn a_broken_connection_is_told_with_its_cause() {
        let found = events(vec![Ok(b"data: 1\n\n"), Err(io::Error::other("reset by peer"))]).await;
        assert!(
            matches!(&found[1], Err(CallError::Lost { reason, .. }) if reason == "reset by peer"),
            "{found:?}"
        );
    }
}
