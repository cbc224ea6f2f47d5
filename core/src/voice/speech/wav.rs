//! From the WAV of an engine to the one that is kept and called with: 8 kHz, mono, 16 bit.
//!
//! What an engine writes is read like any other input: the format is checked, and the length is bounded. A long clip is
//! converted piece by piece.

#![expect(clippy::float_arithmetic, reason = "samples are fractions of full scale")]

use std::io::Cursor;
use std::sync::Arc;

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};
use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler as _};

use super::SpeechError;

/// Samples a second of a clip: those of G.711.
pub const RATE: u32 = 8_000;
/// The longest clip, in seconds.
pub const SECONDS_MAX: u32 = 600;
/// Samples a second that an engine may write.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=96_000;
/// What is shorter, in samples, says nothing: 50 ms.
const SAMPLES_MIN: usize = RATE as usize / 20;
/// What is never louder is silence: -54 dB of full scale.
const PEAK_MIN: u16 = 64;
/// A data chunk of this length is one whose length was not known when its header was written.
const UNKNOWN_LENGTH: u32 = 0x7000_0000;
/// Frames that are resampled at once.
const CHUNK: usize = 1_024;

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
        let is_whole = reader.spec() == spec() && 44 + 2 * reader.len() as usize == wav.len();
        (is_whole && reader.len() as usize >= SAMPLES_MIN).then(|| Self(wav.into()))
    }

    /// The clip of an engine's WAV.
    pub(super) fn of_engine(mut wav: Vec<u8>) -> Result<Self, SpeechError> {
        complete_header(&mut wav);
        let unreadable = |error: hound::Error| SpeechError::Failed(format!("it wrote no WAV: {error}"));
        let mut reader = WavReader::new(Cursor::new(&wav)).map_err(unreadable)?;
        let found = reader.spec();
        let is_known = RATES.contains(&found.sample_rate)
            && (1..=2).contains(&found.channels)
            && matches!(found.bits_per_sample, 8 | 16 | 24 | 32);
        if !is_known {
            return Err(SpeechError::Failed(format!(
                "it wrote {} Hz, {} channels and {} bit, which are not read",
                found.sample_rate, found.channels, found.bits_per_sample
            )));
        }
        if reader.duration() / found.sample_rate >= SECONDS_MAX {
            return Err(SpeechError::TooLong);
        }
        let scale = 1.0 / (1_u64 << (found.bits_per_sample - 1)) as f32;
        let samples = match found.sample_format {
            SampleFormat::Float => resampled(found, reader.samples::<f32>()),
            SampleFormat::Int => {
                let scaled = reader.samples::<i32>().map(|sample| Ok(sample? as f32 * scale));
                resampled(found, scaled)
            }
        }?;
        let is_silent = samples.iter().all(|sample| sample.unsigned_abs() < PEAK_MIN);
        if samples.len() < SAMPLES_MIN || is_silent {
            return Err(SpeechError::NothingSaid);
        }
        written(&samples).map_err(|error| SpeechError::Failed(format!("its WAV was not converted: {error}")))
    }

    /// How long it takes, in seconds, rounded up.
    pub fn seconds(&self) -> u32 {
        let samples = self.0.len().saturating_sub(44) / 2;
        u32::try_from(samples).unwrap_or(u32::MAX).div_ceil(RATE)
    }
}

fn spec() -> WavSpec {
    WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int }
}

fn written(samples: &[i16]) -> hound::Result<Clip> {
    let mut wav = Vec::with_capacity(44 + 2 * samples.len());
    let mut writer = WavWriter::new(Cursor::new(&mut wav), spec())?;
    let mut quick = writer.get_i16_writer(u32::try_from(samples.len()).map_err(|_| hound::Error::TooWide)?);
    samples.iter().for_each(|sample| quick.write_sample(*sample));
    quick.flush()?;
    writer.finalize()?;
    Ok(Clip(wav.into()))
}

/// Gives the header of a WAV that was written to a pipe the length that it came to have.
fn complete_header(wav: &mut [u8]) {
    let word = |wav: &[u8], at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(wav.get(at..at + 4)?.try_into().ok()?))
    };
    let mut block = 1_u32;
    let mut at = 12;
    while let Some(length) = word(wav, at + 4) {
        if wav.get(at..at + 4) == Some(b"fmt ") {
            block = word(wav, at + 20).map_or(1, |word| word & 0xffff).max(1);
        }
        if wav.get(at..at + 4) != Some(b"data") {
            at += 8 + (length as usize).next_multiple_of(2);
            continue;
        }
        let there = u32::try_from(wav.len() - at - 8).unwrap_or(u32::MAX);
        if length >= UNKNOWN_LENGTH && length > there {
            let length = there - there % block;
            if let Some(place) = wav.get_mut(at + 4..at + 8) {
                place.copy_from_slice(&length.to_le_bytes());
            }
        }
        return;
    }
}

/// The samples at [`RATE`], of all channels together.
fn resampled(
    found: WavSpec,
    samples: impl Iterator<Item = hound::Result<f32>>,
) -> Result<Vec<i16>, SpeechError> {
    let cut_short = |error: hound::Error| SpeechError::Failed(format!("its WAV is cut short: {error}"));
    let channels = usize::from(found.channels);
    let mut frame = Vec::with_capacity(channels);
    let mut frames = samples.filter_map(|sample| match sample {
        Ok(sample) => {
            frame.push(if sample.is_finite() { sample } else { 0.0 });
            if frame.len() < channels {
                return None;
            }
            let mixed = frame.iter().sum::<f32>() / channels as f32;
            frame.clear();
            Some(Ok(mixed))
        }
        Err(error) => Some(Err(error)),
    });
    if found.sample_rate == RATE {
        return frames.map(|sample| sample.map(to_i16).map_err(cut_short)).collect();
    }
    let mut resampler = Resampled::from(found.sample_rate)?;
    loop {
        let chunk = frames.by_ref().take(resampler.takes()).collect::<hound::Result<Vec<f32>>>();
        let chunk = chunk.map_err(cut_short)?;
        if chunk.is_empty() {
            return resampler.finish();
        }
        resampler.push(&chunk)?;
    }
}

fn to_i16(sample: f32) -> i16 {
    // `as` keeps within the bounds of the type.
    (sample * 32_768.0).round() as i16
}

/// A resampler with what came out of it.
struct Resampled {
    resampler: Fft<f32>,
    rate: u32,
    /// Frames that went in.
    taken: u64,
    buffer: Vec<f32>,
    out: Vec<i16>,
}

impl Resampled {
    fn from(rate: u32) -> Result<Self, SpeechError> {
        let resampler = Fft::new(rate as usize, RATE as usize, CHUNK, 1, FixedSync::Input)
            .map_err(|error| SpeechError::Failed(format!("{rate} Hz are not read: {error}")))?;
        let buffer = vec![0.0; resampler.output_frames_max()];
        Ok(Self { resampler, rate, taken: 0, buffer, out: Vec::new() })
    }

    /// Frames that it takes at once.
    fn takes(&self) -> usize {
        self.resampler.input_frames_next()
    }

    /// Takes up to [`Self::takes`] frames; fewer are the last.
    fn push(&mut self, frames: &[f32]) -> Result<(), SpeechError> {
        let failed =
            |error: &dyn std::fmt::Display| SpeechError::Failed(format!("resampling failed: {error}"));
        self.taken += frames.len() as u64;
        let mut padded = frames.to_vec();
        padded.resize(self.takes(), 0.0);
        let input = InterleavedSlice::new(&padded, 1, padded.len()).map_err(|error| failed(&error))?;
        let room = self.buffer.len();
        let mut output =
            InterleavedSlice::new_mut(&mut self.buffer, 1, room).map_err(|error| failed(&error))?;
        let indexing = Indexing { partial_len: Some(frames.len()), ..Indexing::default() };
        let (_, made) = self
            .resampler
            .process_into_buffer(&input, &mut output, Some(&indexing))
            .map_err(|error| failed(&error))?;
        self.out.extend(self.buffer.iter().take(made).map(|sample| to_i16(*sample)));
        Ok(())
    }

    /// All samples, without the delay of the filter at their beginning.
    fn finish(mut self) -> Result<Vec<i16>, SpeechError> {
        let delay = self.resampler.output_delay();
        let expected = (self.taken * u64::from(RATE)).div_ceil(u64::from(self.rate));
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        while self.out.len() < delay + expected {
            self.push(&[])?;
        }
        let samples = self.out.drain(delay..delay + expected).collect();
        Ok(samples)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A tone of 440 Hz in a format.
    fn tone(spec: WavSpec, seconds: f32) -> Vec<u8> {
        let mut wav = Vec::new();
        let mut writer = WavWriter::new(Cursor::new(&mut wav), spec).unwrap();
        for n in 0..(seconds * spec.sample_rate as f32) as u32 {
            let sample = (n as f32 / spec.sample_rate as f32 * 440.0 * std::f32::consts::TAU).sin() / 2.0;
            for _ in 0..spec.channels {
                match spec.sample_format {
                    SampleFormat::Float => writer.write_sample(sample).unwrap(),
                    SampleFormat::Int => {
                        let full = (1_u64 << (spec.bits_per_sample - 1)) as f32 - 1.0;
                        writer.write_sample((sample * full) as i32).unwrap();
                    }
                }
            }
        }
        writer.finalize().unwrap();
        wav
    }

    fn of(sample_rate: u32, channels: u16, bits_per_sample: u16, sample_format: SampleFormat) -> WavSpec {
        WavSpec { channels, sample_rate, bits_per_sample, sample_format }
    }

    fn samples(clip: &Clip) -> Vec<f32> {
        let mut reader = WavReader::new(Cursor::new(clip)).unwrap();
        assert_eq!(reader.spec(), spec());
        reader.samples::<i16>().map(|sample| f32::from(sample.unwrap()) / 32_768.0).collect()
    }

    #[test]
    fn a_tone_stays_the_same_tone_from_every_format() {
        for spec in [
            of(22_050, 1, 16, SampleFormat::Int),
            of(44_100, 2, 16, SampleFormat::Int),
            of(24_000, 1, 32, SampleFormat::Float),
            of(48_000, 1, 24, SampleFormat::Int),
            of(16_000, 2, 8, SampleFormat::Int),
            of(8_000, 1, 16, SampleFormat::Int),
        ] {
            let clip = Clip::of_engine(tone(spec, 1.0)).unwrap();
            let samples = samples(&clip);
            assert_eq!(samples.len(), 8_000, "{spec:?}");
            let rms = (samples.iter().map(|it| it * it).sum::<f32>() / 8_000.0).sqrt();
            assert!((rms - 0.3535).abs() < 0.02, "{spec:?}: {rms}");
            let crossings = samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
            assert!((438..=442).contains(&crossings), "{spec:?}: {crossings} Hz");
            assert_eq!(clip.seconds(), 1);
            assert_eq!(Clip::stored(clip.as_ref().to_vec()), Some(clip));
        }
    }

    #[test]
    fn a_wav_from_a_pipe_has_the_length_that_came() {
        for unknown in [u32::MAX, 0x7fff_f000] {
            let mut wav = tone(of(22_050, 1, 16, SampleFormat::Int), 1.0);
            wav[4..8].copy_from_slice(&unknown.to_le_bytes());
            wav[40..44].copy_from_slice(&unknown.to_le_bytes());
            wav.push(0);
            assert_eq!(samples(&Clip::of_engine(wav).unwrap()).len(), 8_000);
        }
    }

    #[test]
    fn what_is_no_speech_is_refused() {
        let spec = of(22_050, 1, 16, SampleFormat::Int);
        let none = Clip::of_engine(tone(spec, 0.0)).unwrap_err();
        assert!(matches!(none, SpeechError::NothingSaid), "{none:?}");
        let click = Clip::of_engine(tone(spec, 0.01)).unwrap_err();
        assert!(matches!(click, SpeechError::NothingSaid), "{click:?}");
        let mut silence = tone(spec, 1.0);
        silence[44..].fill(0);
        let silence = Clip::of_engine(silence).unwrap_err();
        assert!(matches!(silence, SpeechError::NothingSaid), "{silence:?}");
        let long = Clip::of_engine(tone(of(8_000, 1, 8, SampleFormat::Int), 601.0)).unwrap_err();
        assert!(matches!(long, SpeechError::TooLong), "{long:?}");
        let mut short = tone(spec, 1.0);
        short.truncate(10_000);
        for wrong in [short, b"junk".to_vec(), Vec::new(), tone(of(4_000, 1, 16, SampleFormat::Int), 1.0)] {
            let refused = Clip::of_engine(wrong).unwrap_err();
            assert!(matches!(refused, SpeechError::Failed(_)), "{refused:?}");
        }
    }

    #[test]
    fn a_stored_clip_that_is_not_whole_is_none() {
        let clip = Clip::of_engine(tone(spec(), 1.0)).unwrap();
        let whole = clip.as_ref().to_vec();
        assert!(Clip::stored(whole[..whole.len() - 2].to_vec()).is_none());
        assert!(Clip::stored([whole, vec![0]].concat()).is_none());
        assert!(Clip::stored(vec![0; 1_000]).is_none());
        assert!(Clip::stored(tone(of(16_000, 1, 16, SampleFormat::Int), 1.0)).is_none());
    }

    proptest! {
        #[test]
        fn a_damaged_header_is_refused_or_read(at in 0_usize..48, bytes in prop::collection::vec(any::<u8>(), 1..6)) {
            let mut wav = tone(of(22_050, 2, 16, SampleFormat::Int), 0.1);
            wav[at..at + bytes.len()].copy_from_slice(&bytes);
            let _ = Clip::of_engine(wav);
        }
    }
}
