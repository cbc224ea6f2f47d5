//! Recordings: an MP3 that a customer uploads becomes a clip, once; calls and players only ever see the clip.
//!
//! What a client sends is read like any other input. Only an MP3 is taken, whatever its name says, and its length is that
//! of the samples that were decoded, never what its headers tell. Memory is that of the clip.

mod decode;

use std::io::{Read, Seek};

use crate::error::Error;
use crate::voice::clip::{Clip, SECONDS_MAX};

/// The shortest recording, in milliseconds.
pub const LENGTH_MS_MIN: i64 = 1_000;
/// What is not as loud is refused, in dBFS (RMS): it would be hard to hear over the telephone.
pub const LOUDNESS_MIN: i32 = -45;
/// What is not as loud is called quiet, in dBFS (RMS).
const QUIET: i32 = -30;
/// What is louder is called loud, in dBFS (RMS): most of it is at the edge of the scale.
const LOUD: i32 = -8;

/// What a recording may be at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingLimits {
    /// Bytes of the MP3.
    pub bytes: u64,
    /// Seconds of it; at most [`SECONDS_MAX`].
    pub seconds: u32,
}

/// A recording that was decoded.
#[derive(Clone, Debug)]
pub struct Recording {
    /// As it is called with.
    pub clip: Clip,
    /// How long it takes, in milliseconds.
    pub length_ms: i64,
    /// Its root mean square, in dBFS.
    pub loudness_dbfs: i32,
}

/// How loud a recording is, in a word.
pub const fn loudness_word(loudness_dbfs: i64) -> &'static str {
    if loudness_dbfs < QUIET as i64 {
        "quiet"
    } else if loudness_dbfs > LOUD as i64 {
        "loud"
    } else {
        "good"
    }
}

/// Why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It is no MP3.
    #[error("it is no MP3")]
    NoMp3,
    /// So much of it, in percent, cannot be read.
    #[error("{0} % of it cannot be read")]
    Damaged(u64),
    /// It has more bytes than it may, which is the number here.
    #[error("it has more than {0} bytes")]
    TooLarge(u64),
    /// It takes so many milliseconds.
    #[error("it takes {0} ms")]
    TooShort(i64),
    /// It takes longer than so many seconds.
    #[error("it takes more than {0} s")]
    TooLong(u32),
    /// It has this loudness, in dBFS (RMS).
    #[error("its loudness is {0} dBFS")]
    TooQuiet(i32),
    /// Its samples were not converted.
    #[error("{0}")]
    Failed(String),
    /// The file could not be read.
    #[error("it could not be read: {0}")]
    Io(#[from] std::io::Error),
}

impl From<RecordingError> for Error {
    /// The text for the owner of the recording.
    fn from(error: RecordingError) -> Self {
        let refused = |code, message: String| Self::field("audioFile", code, message);
        match error {
            RecordingError::NoMp3 => refused("invalid_mp3", "Please select a valid MP3 file.".to_owned()),
            RecordingError::Damaged(percent) => refused(
                "mp3_damaged",
                format!("{percent} % of this MP3 cannot be read: export it again, and upload that file"),
            ),
            RecordingError::TooLarge(bytes) => refused(
                "recording_too_large",
                format!(
                    "The MP3 may have at most {} MiB: shorten it, or export it with a lower bit rate",
                    bytes >> 20
                ),
            ),
            RecordingError::TooShort(ms) => refused(
                "recording_too_short",
                format!(
                    "The recording takes {}.{:02} s, and must take at least {} s: record some more",
                    ms / 1_000,
                    ms % 1_000 / 10,
                    LENGTH_MS_MIN / 1_000
                ),
            ),
            RecordingError::TooLong(seconds) => refused(
                "recording_too_long",
                format!("The recording takes more than {}: shorten it", minutes(seconds)),
            ),
            RecordingError::TooQuiet(loudness) => refused(
                "recording_too_quiet",
                format!(
                    "The recording is too quiet to be understood: its loudness is {loudness} dBFS (RMS), and \
                     {LOUDNESS_MIN} dBFS is needed at least. Raise its volume, or record it closer to the microphone"
                ),
            ),
            RecordingError::Failed(why) => Self::Corrupt(why),
            RecordingError::Io(error) => Self::io("reading the recording", error),
        }
    }
}

fn minutes(seconds: u32) -> String {
    match (seconds / 60, seconds % 60) {
        (1, 0) => "1 minute".to_owned(),
        (minutes, 0) => format!("{minutes} minutes"),
        _ => format!("{seconds} s"),
    }
}

impl RecordingLimits {
    /// Whether an MP3 of so many bytes may be uploaded.
    ///
    /// # Errors
    /// [`RecordingError::TooLarge`].
    pub fn check_bytes(&self, bytes: u64) -> Result<(), RecordingError> {
        if bytes > self.bytes { Err(RecordingError::TooLarge(self.bytes)) } else { Ok(()) }
    }
}

impl Recording {
    /// Decodes an MP3 from its beginning to its end, on the thread that calls this.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn decode(
        mp3: impl Read + Seek + Send + Sync + 'static,
        limits: RecordingLimits,
    ) -> Result<Self, RecordingError> {
        let seconds = limits.seconds.min(SECONDS_MAX);
        let samples = decode::samples(mp3, RecordingLimits { seconds, ..limits })?;
        let length_ms = i64::try_from(samples.len() / 8).unwrap_or(i64::MAX);
        if length_ms < LENGTH_MS_MIN {
            return Err(RecordingError::TooShort(length_ms));
        }
        let loudness_dbfs = super::clip::loudness_dbfs(&samples);
        if loudness_dbfs < LOUDNESS_MIN {
            return Err(RecordingError::TooQuiet(loudness_dbfs));
        }
        let clip = Clip::of_samples(&samples).map_err(|error| RecordingError::Failed(error.to_string()))?;
        Ok(Self { clip, length_ms, loudness_dbfs })
    }

    /// Decodes an MP3 on a thread for work that takes long.
    ///
    /// # Errors
    /// What is wrong with it. A file that makes the decoder panic is no MP3.
    pub async fn decode_in_background(
        mp3: impl Read + Seek + Send + Sync + 'static,
        limits: RecordingLimits,
    ) -> Result<Self, RecordingError> {
        match tokio::task::spawn_blocking(move || Self::decode(mp3, limits)).await {
            Ok(decoded) => decoded,
            Err(error) if error.is_panic() => {
                tracing::error!("the decoder of MP3s panicked");
                Err(RecordingError::NoMp3)
            }
            Err(_) => Err(RecordingError::Failed("the decoding was cut off".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests;
