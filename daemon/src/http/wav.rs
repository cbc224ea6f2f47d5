//! Answers with a WAV of 8 kHz, mono, 16 bit: all of it, or the one range of bytes that a player asks for.

use std::ops::Range;

use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, IF_RANGE,
    RANGE,
};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use talkdrum_core::Result;
use talkdrum_core::voice::clip::{self, HEADER_BYTES};

use crate::limit::seats::Seat;

/// The answer to a request with these headers: a file of this name with so many bytes of samples, of which `samples` gives a
/// range. The seat is held until it is read.
pub(crate) fn answer<S>(
    headers: &HeaderMap,
    (name, pcm_bytes): (&str, u64),
    seat: Seat,
    samples: impl FnOnce(Range<u64>) -> S,
) -> Response<Body>
where
    S: Stream<Item = Result<Vec<u8>>> + Send + 'static,
{
    let head_bytes = HEADER_BYTES as u64;
    let all = head_bytes + pcm_bytes;
    let (status, range) = match asked_range(headers, all) {
        Asked::All => (StatusCode::OK, 0..all),
        Asked::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Asked::Nothing => (StatusCode::RANGE_NOT_SATISFIABLE, 0..0),
    };
    let header = clip::header(u32::try_from(pcm_bytes).unwrap_or(u32::MAX));
    let head = header.get(range.start.min(head_bytes) as usize..range.end.min(head_bytes) as usize);
    let head = stream::iter(head.filter(|head| !head.is_empty()).map(|head| Ok(head.to_vec())));
    let wanted = range.start.saturating_sub(head_bytes)..range.end.saturating_sub(head_bytes);
    let length = range.end - range.start;
    // The answer has begun: all that is left is to break it off.
    let pieces = head
        .chain(samples(wanted))
        .inspect_err(|error| tracing::warn!(code = error.code(), %error, "a WAV was not read to its end"));
    let mut response = Response::new(Body::from_stream(seat.hold(pieces)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("audio/wav"));
    if let Ok(inline) = HeaderValue::from_str(&format!("inline; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, inline);
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    let told = match status {
        StatusCode::PARTIAL_CONTENT => Some(format!("bytes {}-{}/{all}", range.start, range.end - 1)),
        StatusCode::RANGE_NOT_SATISFIABLE => Some(format!("bytes */{all}")),
        _ => None,
    };
    if let Some(told) = told.and_then(|told| HeaderValue::from_str(&told).ok()) {
        headers.insert(CONTENT_RANGE, told);
    }
    response
}

/// What a client asks for of so many bytes.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// All of it; also where the header is not understood, or asks for several ranges (RFC 9110, section 14.2).
    All,
    /// These bytes.
    Part(Range<u64>),
    /// Bytes that are not there.
    Nothing,
}

fn asked_range(headers: &HeaderMap, all: u64) -> Asked {
    // No answer carries a validator, so none can match.
    if headers.contains_key(IF_RANGE) {
        return Asked::All;
    }
    headers.get(RANGE).and_then(|range| parse_range(range.to_str().ok()?, all)).unwrap_or(Asked::All)
}

/// One range of bytes (RFC 9110, section 14.1.2); `None` for what is none.
fn parse_range(range: &str, all: u64) -> Option<Asked> {
    let (first, last) = range.strip_prefix("bytes=")?.trim().split_once('-')?;
    let number = |text: &str| -> Option<u64> {
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
    };
    let (start, end) = match (first, last) {
        ("", last) => (all.saturating_sub(number(last)?), if number(last)? == 0 { 0 } else { all }),
        (first, "") => (number(first)?, all),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            (first, last.saturating_add(1).min(all))
        }
    };
    Some(if start < end { Asked::Part(start..end) } else { Asked::Nothing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_rfc_9110_says() {
        let part = |range: Range<u64>| Some(Asked::Part(range));
        for (range, asked) in [
            ("bytes=0-0", part(0..1)),
            ("bytes=0-1", part(0..2)),
            ("bytes=10-", part(10..100)),
            ("bytes=10-1000", part(10..100)),
            ("bytes=-5", part(95..100)),
            ("bytes=-500", part(0..100)),
            ("bytes=99-18446744073709551615", part(99..100)),
            ("bytes=100-", Some(Asked::Nothing)),
            ("bytes=-0", Some(Asked::Nothing)),
            ("bytes=5-4", None),
            ("bytes=0-1,3-4", None),
            ("bytes=+1-2", None),
            ("bytes=-", None),
            ("lines=0-1", None),
            ("bytes=99999999999999999999-", None),
        ] {
            assert_eq!(parse_range(range, 100), asked, "{range}");
        }
    }
}
