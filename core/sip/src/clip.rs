//! What a call plays.

use std::sync::Arc;
use std::time::Duration;

use crate::g711::{Codec, SAMPLE_RATE};

/// The longest clip: half an hour, so that no call is held for longer by what it plays.
pub const MAX_CLIP: Duration = Duration::from_secs(30 * 60);

/// Why something is no clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClipError {
    /// There is nothing to hear.
    #[error("The recording is empty: give one with sound in it.")]
    Empty,
    /// It lasts longer than [`MAX_CLIP`].
    #[error("The recording is too long: the most is 30 minutes.")]
    TooLong,
}

/// A recording as it goes on the wire, in both laws. Cloning it shares the bytes: the calls of a campaign play one clip.
#[derive(Clone)]
pub struct Clip {
    pcma: Arc<[u8]>,
    pcmu: Arc<[u8]>,
}

impl Clip {
    /// Of mono samples of 16 bits, 8,000 a second.
    ///
    /// # Errors
    /// When there are none, or more than [`MAX_CLIP`] holds.
    pub fn from_samples(samples: &[i16]) -> Result<Self, ClipError> {
        check(samples.len())?;
        let encode = |codec: Codec| samples.iter().map(|&sample| codec.encode(sample)).collect();
        Ok(Self { pcma: encode(Codec::Pcma), pcmu: encode(Codec::Pcmu) })
    }

    /// Of the bytes of one law; the other law is made of them.
    ///
    /// # Errors
    /// When there are none, or more than [`MAX_CLIP`] holds.
    pub fn from_g711(codec: Codec, bytes: Arc<[u8]>) -> Result<Self, ClipError> {
        check(bytes.len())?;
        let recode = |to: Codec| bytes.iter().map(|&byte| to.encode(codec.decode(byte))).collect();
        Ok(match codec {
            Codec::Pcma => Self { pcmu: recode(Codec::Pcmu), pcma: bytes },
            Codec::Pcmu => Self { pcma: recode(Codec::Pcma), pcmu: bytes },
        })
    }

    /// The bytes of a law.
    pub(crate) fn bytes(&self, codec: Codec) -> &Arc<[u8]> {
        match codec {
            Codec::Pcma => &self.pcma,
            Codec::Pcmu => &self.pcmu,
        }
    }

    /// Whether both share their bytes: one is a clone of the other.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pcma, &other.pcma)
    }

    /// How long it plays.
    #[must_use]
    pub fn duration(&self) -> Duration {
        samples_last(self.pcma.len())
    }
}

/// How long so many samples last.
pub(crate) fn samples_last(samples: usize) -> Duration {
    Duration::from_micros(samples as u64 * 1_000_000 / u64::from(SAMPLE_RATE))
}

fn check(samples: usize) -> Result<(), ClipError> {
    match samples_last(samples) {
        duration if duration.is_zero() => Err(ClipError::Empty),
        duration if duration > MAX_CLIP => Err(ClipError::TooLong),
        _ => Ok(()),
    }
}

impl std::fmt::Debug for Clip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clip").field("duration", &self.duration()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_is_the_same_whichever_law_it_came_in() {
        let samples: Vec<i16> = (0..800).map(|n| n * 37).collect();
        let clip = Clip::from_samples(&samples).unwrap();
        assert_eq!(clip.duration(), Duration::from_millis(100));
        let from_a_law = Clip::from_g711(Codec::Pcma, clip.bytes(Codec::Pcma).clone()).unwrap();
        assert_eq!(from_a_law.bytes(Codec::Pcma), clip.bytes(Codec::Pcma));
        for (&byte, &sample) in from_a_law.bytes(Codec::Pcmu).iter().zip(&samples) {
            let off = (i32::from(Codec::Pcmu.decode(byte)) - i32::from(sample)).abs();
            assert!(off <= 24 + i32::from(sample).abs() / 15);
        }
    }

    #[test]
    fn nothing_and_more_than_half_an_hour_are_no_clips() {
        assert_eq!(Clip::from_samples(&[]).unwrap_err(), ClipError::Empty);
        let long: Arc<[u8]> = vec![0xD5; 30 * 60 * 8_000 + 8].into();
        assert_eq!(Clip::from_g711(Codec::Pcma, long).unwrap_err(), ClipError::TooLong);
    }
}
