//! A bare SMPP client: what the stand-in SMSC gives to a client that does nothing but keep its window full.
//!
//! SMPP 3.4 as far as submit_sm goes. It stores nothing and knows nothing, so nothing can be faster.

use std::time::{Duration, Instant};

use anyhow::ensure;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const BIND_TRANSMITTER: u32 = 0x0000_0002;
const SUBMIT_SM: u32 = 0x0000_0004;
const SUBMIT_SM_RESP: u32 = 0x8000_0004;

/// Answers a second with `window` messages outstanding, over some time.
pub(crate) async fn rate(port: u16, window: u32, time: Duration) -> anyhow::Result<f64> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    stream.write_all(&pdu(BIND_TRANSMITTER, 1, b"bare\0\0\0\x34\0\0\0")).await?;
    let (mut buffer, mut sequence) = (Vec::with_capacity(1 << 16), 1);
    answers(&mut stream, &mut buffer).await?;
    submit(&mut stream, &mut sequence, window).await?;
    let (start, mut answered) = (Instant::now(), 0);
    while start.elapsed() < time {
        let count = answers(&mut stream, &mut buffer).await?;
        answered += count;
        submit(&mut stream, &mut sequence, count).await?;
    }
    Ok(f64::from(answered) / start.elapsed().as_secs_f64())
}

async fn submit(stream: &mut TcpStream, sequence: &mut u32, count: u32) -> anyhow::Result<()> {
    let body = b"\0\x05\0BARE\0\x01\x012348031234567\0\0\0\0\0\0\0\0\0\0\x02hi";
    let mut batch = Vec::new();
    for _ in 0..count {
        *sequence += 1;
        batch.extend(pdu(SUBMIT_SM, *sequence, body));
    }
    Ok(stream.write_all(&batch).await?)
}

/// Reads what is there, at least once, and counts the answers to submit_sm in it.
async fn answers(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<u32> {
    ensure!(stream.read_buf(buffer).await? > 0, "the SMSC hung up");
    let (mut place, mut count) = (0, 0);
    while let Some(head) = buffer.get(place..place + 16) {
        let word = |at: usize| head[at..at + 4].try_into().map(u32::from_be_bytes);
        let length = word(0)? as usize;
        ensure!(length >= 16, "the SMSC sent {length} octets as a PDU");
        if buffer.len() < place + length {
            break;
        }
        ensure!(word(8)? == 0, "the SMSC refused with {:#x}", word(8)?);
        count += u32::from(word(4)? == SUBMIT_SM_RESP);
        place += length;
    }
    buffer.drain(..place);
    Ok(count)
}

fn pdu(command: u32, sequence: u32, body: &[u8]) -> Vec<u8> {
    let length = 16 + body.len() as u32;
    [length, command, 0, sequence]
        .into_iter()
        .flat_map(u32::to_be_bytes)
        .chain(body.iter().copied())
        .collect()
}
