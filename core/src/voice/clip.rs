//! A clip: what is played and called with, 8 kHz, mono, 16 bit, as a WAV file.

#![expect(clippy::float_arithmetic, reason = "loudness is a logarithm")]

use std::io::Cursor;
use std::sync::Arc;

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

/// Samples a second of a clip: those of G.711.
pub const RATE: u32 = 8_000;
/// The longest clip, in seconds.
pub const SECONDS_MAX: u32 = 600;
/// What is shorter, in samples, says nothing: 50 ms.
pub(super) const SAMPLES_MIN: usize = RATE as usize / 20;
/// Bytes of the header that [`Clip::of_samples`] writes.
pub const HEADER_BYTES: usize = 44;
/// The loudness of silence, in dBFS: below what 16 bit can hold.
const SILENCE_DBFS: i32 = -99;

/// Speech as it is played and called with: a whole WAV file of 8 kHz, mono, 16 bit. A cheap handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip(Arc<[u8]>);

impl AsRef<[u8]> for Clip {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Clip {
    /// A clip that was stored; `None` when it is not whole.
    pub(super) fn stored(wav: Vec<u8>) -> Option<Self> {
        let reader = WavReader::new(Cursor::new(&wav)).ok()?;
        let is_whole = reader.spec() == spec() && HEADER_BYTES + 2 * reader.len() as usize == wav.len();
        (is_whole && reader.len() as usize >= SAMPLES_MIN).then(|| Self(wav.into()))
    }

    /// The clip of these samples.
    ///
    /// # Errors
    /// When they are too many for a WAV.
    pub(super) fn of_samples(samples: &[i16]) -> hound::Result<Self> {
        let mut wav = Vec::with_capacity(HEADER_BYTES + 2 * samples.len());
        let mut writer = WavWriter::new(Cursor::new(&mut wav), spec())?;
        let count = u32::try_from(samples.len()).map_err(|_| hound::Error::TooWide)?;
        let mut quick = writer.get_i16_writer(count);
        samples.iter().for_each(|sample| quick.write_sample(*sample));
        quick.flush()?;
        writer.finalize()?;
        Ok(Self(wav.into()))
    }

    /// Its samples, as little-endian pairs of bytes.
    pub fn pcm(&self) -> &[u8] {
        self.0.get(HEADER_BYTES..).unwrap_or_default()
    }

    /// Its samples, those of the first so many seconds.
    pub fn samples(&self, seconds: u32) -> Vec<i16> {
        samples_of(self.pcm(), seconds)
    }

    /// How long it takes, in seconds, rounded up.
    pub fn seconds(&self) -> u32 {
        u32::try_from(self.pcm().len() / 2).unwrap_or(u32::MAX).div_ceil(RATE)
    }
}

/// Samples of little-endian pairs of bytes, those of the first so many seconds.
pub fn samples_of(pcm: &[u8], seconds: u32) -> Vec<i16> {
    let pairs = pcm.chunks_exact(2).take(RATE as usize * seconds as usize);
    pairs.filter_map(|pair| Some(i16::from_le_bytes(pair.try_into().ok()?))).collect()
}

/// The header of a clip's WAV with so many bytes of samples.
pub fn header(pcm_bytes: u32) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    let mut at = 0;
    let mut put = |bytes: &[u8]| {
        header[at..at + bytes.len()].copy_from_slice(bytes);
        at += bytes.len();
    };
    put(b"RIFF");
    put(&(pcm_bytes + HEADER_BYTES as u32 - 8).to_le_bytes());
    put(b"WAVEfmt ");
    put(&16_u32.to_le_bytes());
    put(&1_u16.to_le_bytes()); // PCM
    put(&1_u16.to_le_bytes()); // channels
    put(&RATE.to_le_bytes());
    put(&(2 * RATE).to_le_bytes());
    put(&2_u16.to_le_bytes()); // bytes a frame
    put(&16_u16.to_le_bytes()); // bits a sample
    put(b"data");
    put(&pcm_bytes.to_le_bytes());
    header
}

/// The root mean square of these samples against full scale, in whole decibels (dBFS); a full sine wave has -3.
pub(super) fn loudness_dbfs(samples: &[i16]) -> i32 {
    let sum: f64 = samples.iter().map(|sample| f64::from(*sample) * f64::from(*sample)).sum();
    let mean = sum / samples.len().max(1) as f64;
    if mean <= 0.0 {
        return SILENCE_DBFS;
    }
    (10.0 * (mean / (32_768.0 * 32_768.0)).log10()).round().max(f64::from(SILENCE_DBFS)) as i32
}

fn spec() -> WavSpec {
    WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(amplitude: f32) -> Vec<i16> {
        (0..8_000).map(|n| ((n as f32 / 8.0).sin() * amplitude * 32_767.0) as i16).collect()
    }

    #[test]
    fn a_stored_clip_that_is_not_whole_is_none() {
        let whole = Clip::of_samples(&tone(0.5)).unwrap().as_ref().to_vec();
        assert!(Clip::stored(whole.clone()).is_some());
        assert!(Clip::stored(whole[..whole.len() - 2].to_vec()).is_none());
        assert!(Clip::stored([whole.clone(), vec![0]].concat()).is_none());
        assert!(Clip::stored(vec![0; 1_000]).is_none());
        let mut faster = whole;
        faster[24..28].copy_from_slice(&16_000_u32.to_le_bytes());
        assert!(Clip::stored(faster).is_none());
    }

    #[test]
    fn the_header_that_is_written_ahead_is_the_one_of_a_clip() {
        let clip = Clip::of_samples(&tone(0.5)).unwrap();
        assert_eq!(clip.as_ref()[..HEADER_BYTES], header(16_000));
        assert_eq!((clip.pcm().len(), clip.seconds()), (16_000, 1));
        assert_eq!((clip.samples(1), clip.samples(0)), (tone(0.5), Vec::new()));
    }

    #[test]
    fn loudness_is_measured_against_full_scale() {
        assert_eq!(loudness_dbfs(&tone(1.0)), -3);
        assert_eq!(loudness_dbfs(&tone(0.1)), -23);
        assert_eq!(loudness_dbfs(&[0; 100]), -99);
        assert_eq!(loudness_dbfs(&[]), -99);
    }
}
