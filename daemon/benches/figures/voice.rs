//! Calls: how many one core carries, how soon one is answered, how fast texts and MP3s become audio.
//!
//! The trunk has one thread, so it cannot use more than one core; the phones run on the threads of this process. Both ends
//! are in this process, and so is their memory.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::testing::mp3::Tone;
use talkdrum_core::time::SystemClock;
use talkdrum_core::voice::recording::Recording;
use talkdrum_core::voice::speech::{CacheConfig, Speech, SpeechText};
use talkdrum_daemon::config::VoiceSection;
use talkdrum_sip::callee::Callee;
use talkdrum_sip::{CallEvent, CallRequest, Clip, MediaStats, Outcome, Trunk, TrunkConfig};

use crate::Setup;
use crate::process::{cpu_of_thread, memory_of};
use crate::table::{Figure, Goal, Unit};

/// How long each call plays.
const CLIP_S: u32 = 10;
/// New calls a second.
const RATE: u32 = 200;
/// Texts that are spoken, and MP3s that are decoded.
const TEXTS: usize = 20;
/// Seconds of the MP3.
const MP3_S: f32 = 60.0;

/// Measures them.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let calls = if setup.is_quick { 100 } else { 500 };
    let alone = Carried::of(1, 1).await?;
    let carried = Carried::of(calls, CLIP_S).await?;
    let MediaStats { sent, late, .. } = carried.media;
    let core = 100.0 * carried.cpu / carried.wall;
    figures.extend([
        Figure::new(
            format!("{calls} calls on one core, packets over 20 ms late"),
            Unit::Percent,
            Goal::AtMost(0.1, None),
            100.0 * late as f64 / sent as f64,
        )
        .note(format!("{late} of {sent} packets; the trunk's thread used {core:.0} % of its core")),
        Figure::new(
            "from the INVITE to the answer",
            Unit::Millis,
            Goal::Shown,
            alone.answer.as_secs_f64() * 1e3,
        )
        .note("one call, to a phone that answers at once"),
        Figure::new("memory a call, both ends", Unit::Bytes, Goal::Shown, carried.memory / f64::from(calls)),
    ]);
    figures.push(match speech().await {
        Ok(factor) => Figure::new("speech made a second", Unit::Times, Goal::ShownRate, factor)
            .note("seconds of it, by the default engine, one text after the other"),
        Err(error) => Figure::missing("speech made a second", format!("{error:#}")),
    });
    figures.push(
        Figure::new("MP3 decoded a second", Unit::Times, Goal::ShownRate, decoding()?)
            .note(format!("seconds of it, on one core, of {MP3_S} s at 44.1 kHz")),
    );
    Ok(())
}

/// Calls that were carried at the same time.
struct Carried {
    media: MediaStats,
    /// CPU seconds of the trunk's thread.
    cpu: f64,
    /// Seconds from the first INVITE to the last end.
    wall: f64,
    /// The time from INVITE to answer, the middle one.
    answer: Duration,
    /// Bytes that the process grew by.
    memory: f64,
}

impl Carried {
    async fn of(calls: u32, seconds: u32) -> anyhow::Result<Self> {
        let callee = Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await?;
        let port = callee.address().port();
        let before = memory_of(std::process::id()).1;
        let trunk = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(Self::carry(port, calls, seconds))
        });
        let joined = tokio::task::spawn_blocking(move || trunk.join()).await?;
        let mut carried = joined.map_err(|_| anyhow::anyhow!("the trunk panicked"))??;
        carried.memory = (carried.memory - before).max(0.0) * 1_048_576.0;
        Ok(carried)
    }

    async fn carry(port: u16, calls: u32, seconds: u32) -> anyhow::Result<Self> {
        let trunk = Trunk::start(TrunkConfig {
            port,
            listen: [127, 0, 0, 1].into(),
            channels: NonZeroU32::new(calls).context("no calls")?,
            rate: NonZeroU32::new(RATE).context("no rate")?,
            options: None,
            ..TrunkConfig::new("127.0.0.1", "2342012345678")
        })
        .await?;
        let samples: Vec<i16> =
            (0..seconds * 8_000).map(|n| i16::try_from(n % 160 * 100).unwrap_or_default()).collect();
        let clip = Clip::from_samples(&samples)?;
        let (began, cpu) = (Instant::now(), cpu_of_thread());
        let mut placed = tokio::task::JoinSet::new();
        for nth in 0..calls {
            let mut call = trunk.call(CallRequest::new(&format!("234803{nth:07}"), clip.clone())).await?;
            let invited = Instant::now();
            placed.spawn(async move {
                let mut answer = None;
                while let Some(event) = call.next_event().await {
                    match event {
                        CallEvent::Answered => answer = Some(invited.elapsed()),
                        CallEvent::Ended(result) => return Ok((answer, result)),
                        _ => {}
                    }
                }
                anyhow::bail!("a call did not tell its end")
            });
        }
        let memory = memory_of(std::process::id()).1;
        let (mut media, mut answers) = (MediaStats::default(), Vec::new());
        while let Some(ended) = placed.join_next().await {
            let (answer, result) = ended??;
            anyhow::ensure!(result.outcome == Outcome::Answered, "a call failed: {}", result.reason);
            media.sent += result.media.sent;
            media.late += result.media.late;
            answers.extend(answer);
        }
        let (cpu, wall) = (cpu_of_thread() - cpu, began.elapsed().as_secs_f64());
        trunk.shutdown(Duration::from_secs(10)).await;
        answers.sort_unstable();
        let answer = *answers.get(answers.len() / 2).context("no call was answered")?;
        Ok(Self { media, cpu, wall, answer, memory })
    }
}

/// Seconds of speech that are made in a second.
async fn speech() -> anyhow::Result<f64> {
    let dir = tempfile::tempdir()?;
    let cache = CacheConfig {
        dir: dir.path().to_owned(),
        bytes_max: 0,
        unused_max: Duration::ZERO,
        disk: DiskGuard::new(dir.path(), 0),
    };
    let engine = VoiceSection::default().engine()?;
    if let Some(missing) = engine.missing() {
        anyhow::bail!(missing);
    }
    let speech = Speech::open(engine, cache, Arc::new(SystemClock))?;
    let (began, mut spoken) = (Instant::now(), 0);
    for nth in 0..TEXTS {
        let text = format!(
            "Good morning, customer {nth}. Your order of N{nth}5,000 is ready: please come to our shop at Allen \
             Avenue before 5pm on Friday, and bring your receipt with you. Thank you for buying from us."
        );
        let text = SpeechText::parse(Some(&text), None, 1_600)?;
        spoken += speech.say(text).await?.samples(u32::MAX).len();
    }
    Ok(spoken as f64 / 8_000.0 / began.elapsed().as_secs_f64())
}

/// Seconds of an MP3 that are decoded in a second.
fn decoding() -> anyhow::Result<f64> {
    let mp3 = Tone::of(MP3_S).mp3();
    let limits = VoiceSection::default().recording_limits()?;
    let began = Instant::now();
    for _ in 0..TEXTS {
        Recording::decode(std::io::Cursor::new(mp3.clone()), limits)?;
    }
    Ok(f64::from(MP3_S) * TEXTS as f64 / began.elapsed().as_secs_f64())
}
