//! What the tests of calls share: a clip that is known again, and how alike two recordings are.

#![allow(dead_code, reason = "each test binary uses some of it")]

pub(crate) mod peer;
pub(crate) mod process;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use talkdrum_sip::{Call, CallEvent, CallRequest, CallResult, Clip, Trunk, TrunkConfig};

/// Longer than anything here takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) const CALLER: &str = "2342012345678";

/// A sweep that is unlike itself at any other place.
pub(crate) fn sweep(samples: usize) -> Vec<i16> {
    let mut phase: u32 = 0;
    let samples = u32::try_from(samples).unwrap();
    (0..samples)
        .map(|n| {
            // A triangle wave from 300 Hz to 1,500 Hz: the phase counts in 2^32 parts of a period.
            phase = phase.wrapping_add((300 + 1_200 * (n / 80) / (samples / 80)) * (u32::MAX / 8_000));
            let height = i32::try_from(phase >> 17).unwrap() - 16_384;
            i16::try_from(height.abs() * 2 - 16_384).unwrap()
        })
        .collect()
}

pub(crate) fn clip(samples: usize) -> Clip {
    Clip::from_samples(&sweep(samples)).unwrap()
}

/// The correlation of a recording with `clip` at the delay, of up to two seconds, where they are most alike, in
/// thousandths. The delay is looked for with every fourth sample of the first half second.
pub(crate) fn correlation(clip: &[i16], heard: &[i16]) -> i64 {
    let delay = (0..heard.len().min(16_000))
        .max_by_key(|&delay| alike(clip.iter().take(4_000).step_by(4), heard[delay..].iter().step_by(4)));
    delay.map_or(0, |delay| alike(clip.iter(), heard[delay..].iter()))
}

fn alike<'a>(a: impl Iterator<Item = &'a i16> + Clone, b: impl Iterator<Item = &'a i16> + Clone) -> i64 {
    let (mut product, mut energy_a, mut energy_b) = (0_i64, 0_u64, 0_u64);
    for (&a, &b) in a.zip(b) {
        product += i64::from(a) * i64::from(b);
        energy_a += u64::from(a.unsigned_abs()).pow(2);
        energy_b += u64::from(b.unsigned_abs()).pow(2);
    }
    let scale = i64::try_from(energy_a.isqrt() * energy_b.isqrt()).unwrap();
    if scale == 0 { 0 } else { product * 1_000 / scale }
}

/// A trunk on loopback that is not pinged.
pub(crate) fn config(to: SocketAddr) -> TrunkConfig {
    TrunkConfig {
        port: to.port(),
        listen: [127, 0, 0, 1].into(),
        channels: NonZeroU32::new(100).unwrap(),
        rate: NonZeroU32::new(1_000).unwrap(),
        options: None,
        ..TrunkConfig::new("127.0.0.1", CALLER)
    }
}

pub(crate) async fn trunk(to: SocketAddr) -> Trunk {
    Trunk::start(config(to)).await.unwrap()
}

/// Places a call that plays `samples` of the sweep.
pub(crate) async fn dial(trunk: &Trunk, to: &str, samples: usize) -> Call {
    trunk.call(CallRequest::new(to, clip(samples))).await.unwrap()
}

/// All that a call tells, and how it ended.
pub(crate) async fn to_its_end(mut call: Call) -> (Vec<CallEvent>, CallResult) {
    let mut events = Vec::new();
    let told = async {
        while let Some(event) = call.next_event().await {
            events.push(event);
        }
        call.result().await.unwrap()
    };
    let result = tokio::time::timeout(PATIENCE, told).await.expect("the call never ended");
    assert_eq!(events.pop(), Some(CallEvent::Ended(result.clone())));
    (events, result)
}

/// Waits until a call tells something.
pub(crate) async fn until(call: &mut Call, event: &CallEvent) {
    let told = async {
        loop {
            match call.next_event().await {
                Some(CallEvent::Ended(result)) => panic!("it ended before {event:?}: {result:?}"),
                other if other.as_ref() == Some(event) => return,
                _ => {}
            }
        }
    };
    tokio::time::timeout(PATIENCE, told).await.unwrap_or_else(|_| panic!("never: {event:?}"));
}

/// Waits until something holds.
pub(crate) async fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let found = async {
        loop {
            if let Some(found) = look() {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, found).await.unwrap_or_else(|_| panic!("never: {what}"))
}
