//! How many calls a machine carries: places N at a time to a callee of its own, and counts the packets that left over
//! 20 ms late.
//!
//! ```sh
//! cargo run --release -p talkdrum-sip --example load -- 200 10    # 200 calls of ten seconds
//! ```
//! Both ends run in this process, so a trunk alone costs about half. Each end takes a file descriptor a call: `ulimit -n`.

#![expect(clippy::print_stdout, reason = "what it measures goes to standard output")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use talkdrum_sip::callee::Callee;
use talkdrum_sip::{CallRequest, Clip, MediaStats, Outcome, Trunk, TrunkConfig};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let calls: u32 = arguments.next().as_deref().unwrap_or("100").parse()?;
    let seconds: u32 = arguments.next().as_deref().unwrap_or("10").parse()?;
    let calls = NonZeroU32::new(calls).ok_or("the number of calls must be at least 1")?;

    let callee = Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await?;
    let trunk = Trunk::start(TrunkConfig {
        port: callee.address().port(),
        listen: [127, 0, 0, 1].into(),
        channels: calls,
        rate: NonZeroU32::new(200).ok_or("a rate")?,
        options: None,
        ..TrunkConfig::new("127.0.0.1", "2342012345678")
    })
    .await?;
    let samples: Vec<i16> =
        (0..seconds * 8_000).map(|n| i16::try_from(n % 160 * 100).unwrap_or_default()).collect();
    let clip = Clip::from_samples(&samples)?;

    let (began, used_before) = (Instant::now(), cpu());
    let mut placed = Vec::new();
    for nth in 0..calls.get() {
        placed.push(trunk.call(CallRequest::new(&format!("234803{nth:07}"), clip.clone())).await?);
    }
    let placed_in = began.elapsed();
    let (mut answered, mut longer, mut total) = (0, 0, MediaStats::default());
    for call in placed {
        let result = call.result().await?;
        answered += u32::from(result.outcome == Outcome::Answered);
        longer += u32::from(result.answered_for() > clip.duration());
        total.sent += result.media.sent;
        total.late += result.media.late;
        total.received += result.media.received;
    }
    let elapsed = began.elapsed();
    let used = cpu().saturating_sub(used_before);
    let late_per_million = (total.late * 1_000_000).checked_div(total.sent).unwrap_or_default();
    println!("calls            {answered} of {calls} answered, placed in {} ms", placed_in.as_millis());
    println!("up for longer    than the clip: {longer}");
    println!("packets          {} sent, {} received", total.sent, total.received);
    println!("late by 20 ms    {} ({late_per_million} of a million)", total.late);
    println!("processor        {} ms in {} ms, both ends", used.as_millis(), elapsed.as_millis());
    trunk.shutdown(Duration::from_secs(10)).await;
    Ok(())
}

/// The processor time of this process so far; zero where the system does not tell.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets: user time and system time are the 12th and 13th field, in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
