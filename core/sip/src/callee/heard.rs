//! What a callee keeps of its calls, within bounds.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::record::{CalleeCall, CalleeStatus};
use crate::g711::{Codec, SAMPLE_RATE};
use crate::media::Ear;

/// The calls that are listed.
const CALLS_MAX: usize = 1_000;
/// The calls whose audio is kept.
const AUDIO_MAX: usize = 16;
/// The samples of a call that are kept: two minutes.
const SAMPLES_MAX: usize = 120 * SAMPLE_RATE as usize;
/// The numbers that are remembered to have been refused once.
const REFUSED_MAX: usize = 1_000;

#[derive(Default)]
pub(super) struct Heard(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    last: u64,
    calls: VecDeque<CalleeCall>,
    audio: VecDeque<(u64, Arc<[i16]>)>,
    refused: HashSet<String>,
}

impl Heard {
    /// Lists a call that rings, and returns its id.
    pub(super) fn rings(&self, to: &str, from: &str) -> u64 {
        let mut kept = self.lock();
        kept.last += 1;
        let call = CalleeCall {
            id: kept.last,
            to: to.into(),
            from: from.into(),
            status: CalleeStatus::Ringing,
            answered_at: None,
            ended_at: None,
            rtp_packets: 0,
            rms: 0,
            digits: String::new(),
            ended_by: None,
        };
        if kept.calls.len() == CALLS_MAX {
            kept.calls.pop_front();
        }
        kept.calls.push_back(call);
        kept.last
    }

    /// Changes what is listed of a call, if it still is.
    pub(super) fn change(&self, id: u64, change: impl FnOnce(&mut CalleeCall)) {
        if let Some(call) = self.lock().calls.iter_mut().rev().find(|call| call.id == id) {
            change(call);
        }
    }

    pub(super) fn keep_audio(&self, id: u64, samples: Vec<i16>) {
        let mut kept = self.lock();
        if kept.audio.len() == AUDIO_MAX {
            kept.audio.pop_front();
        }
        kept.audio.push_back((id, samples.into()));
    }

    /// Whether a number calls for the first time; from then on it does not.
    pub(super) fn is_first(&self, to: &str) -> bool {
        let mut kept = self.lock();
        if kept.refused.len() == REFUSED_MAX {
            kept.refused.clear();
        }
        kept.refused.insert(to.into())
    }

    pub(super) fn calls(&self) -> Vec<CalleeCall> {
        self.lock().calls.iter().cloned().collect()
    }

    pub(super) fn audio(&self, id: u64) -> Option<Arc<[i16]>> {
        self.lock().audio.iter().find(|(kept, _)| *kept == id).map(|(_, samples)| samples.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes down what a call says.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) packets: u64,
    pub(super) samples: Vec<i16>,
    count: u64,
    squares: u64,
}

impl Recorder {
    /// The root of the mean square of all samples.
    pub(super) fn rms(&self) -> u16 {
        let root = self.squares.checked_div(self.count).unwrap_or_default().isqrt();
        u16::try_from(root).unwrap_or(u16::MAX)
    }
}

impl Ear for Recorder {
    fn audio(&mut self, codec: Codec, payload: &[u8]) {
        self.packets += 1;
        for &byte in payload {
            let sample = codec.decode(byte);
            self.count += 1;
            self.squares += u64::from(sample.unsigned_abs()).pow(2);
            if self.samples.len() < SAMPLES_MAX {
                self.samples.push(sample);
            }
        }
    }

    fn key(&mut self, _key: char) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_calls_and_recordings_make_room() {
        let heard = Heard::default();
        for nth in 0..1_100 {
            let id = heard.rings(&nth.to_string(), "1");
            heard.keep_audio(id, vec![1]);
        }
        let calls = heard.calls();
        assert_eq!((calls.len(), calls[0].to.as_str(), calls[999].id), (1_000, "100", 1_100));
        assert!(heard.audio(1_084).is_none() && heard.audio(1_085).is_some());
        heard.change(1, |_| panic!("it is not listed any more"));
        heard.change(1_100, |call| call.rms = 7);
        assert_eq!(heard.calls()[999].rms, 7);
    }

    #[test]
    fn a_recorder_measures_all_and_keeps_two_minutes() {
        let mut recorder = Recorder::default();
        let byte = Codec::Pcma.encode(8_000);
        for _ in 0..6_001 {
            recorder.audio(Codec::Pcma, &[byte; 160]);
        }
        assert_eq!((recorder.packets, recorder.samples.len()), (6_001, 960_000));
        assert_eq!(recorder.rms(), Codec::Pcma.decode(byte).unsigned_abs());
        assert_eq!(Recorder::default().rms(), 0);
    }
}
