//! From the WAV of an engine to a clip.
//!
//! What an engine writes is read like any other input: the format is checked, and the length is bounded. A long clip is
//! converted piece by piece.

#![expect(clippy::float_arithmetic, reason = "samples are fractions of full scale")]

use std::io::Cursor;

use hound::{SampleFormat, WavReader, WavSpec};

use super::SpeechError;
use crate::voice::clip::{Clip, SAMPLES_MIN, SECONDS_MAX};
use crate::voice::resample::{ResampleError, Resampler};

/// Samples a second that an engine may write.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=96_000;
/// What is never louder is silence: -54 dB of full scale.
const PEAK_MIN: u16 = 64;
/// A data chunk of this length is one whose length was not known when its header was written.
const UNKNOWN_LENGTH: u32 = 0x7000_0000;
/// The clip of an engine's WAV.
pub(super) fn clip_of(mut wav: Vec<u8>) -> Result<Clip, SpeechError> {
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
    Clip::of_samples(&samples)
        .map_err(|error| SpeechError::Failed(format!("its WAV was not converted: {error}")))
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

/// The samples of a clip, of all channels together.
fn resampled(
    found: WavSpec,
    samples: impl Iterator<Item = hound::Result<f32>>,
) -> Result<Vec<i16>, SpeechError> {
    let failed = |error: ResampleError| SpeechError::Failed(error.to_string());
    let mut resampler = Resampler::from(found.sample_rate).map_err(failed)?;
    let (mut sum, mut heard) = (0.0, 0);
    for sample in samples {
        let sample = sample.map_err(|error| SpeechError::Failed(format!("its WAV is cut short: {error}")))?;
        sum += if sample.is_finite() { sample } else { 0.0 };
        heard += 1;
        if heard == found.channels {
            resampler.push(sum / f32::from(found.channels)).map_err(failed)?;
            (sum, heard) = (0.0, 0);
        }
    }
    resampler.finish().map_err(failed)
}

#[cfg(test)]
mod tests {
    use hound::WavWriter;
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
        assert_eq!(reader.spec(), of(8_000, 1, 16, SampleFormat::Int));
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
            let clip = clip_of(tone(spec, 1.0)).unwrap();
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
            assert_eq!(samples(&clip_of(wav).unwrap()).len(), 8_000);
        }
    }

    #[test]
    fn what_is_no_speech_is_refused() {
        let spec = of(22_050, 1, 16, SampleFormat::Int);
        let none = clip_of(tone(spec, 0.0)).unwrap_err();
        assert!(matches!(none, SpeechError::NothingSaid), "{none:?}");
        let click = clip_of(tone(spec, 0.01)).unwrap_err();
        assert!(matches!(click, SpeechError::NothingSaid), "{click:?}");
        let mut silence = tone(spec, 1.0);
        silence[44..].fill(0);
        let silence = clip_of(silence).unwrap_err();
        assert!(matches!(silence, SpeechError::NothingSaid), "{silence:?}");
        let long = clip_of(tone(of(8_000, 1, 8, SampleFormat::Int), 601.0)).unwrap_err();
        assert!(matches!(long, SpeechError::TooLong), "{long:?}");
        let mut short = tone(spec, 1.0);
        short.truncate(10_000);
        for wrong in [short, b"junk".to_vec(), Vec::new(), tone(of(4_000, 1, 16, SampleFormat::Int), 1.0)] {
            let refused = clip_of(wrong).unwrap_err();
            assert!(matches!(refused, SpeechError::Failed(_)), "{refused:?}");
        }
    }

    proptest! {
        #[test]
        fn a_damaged_header_is_refused_or_read(at in 0_usize..48, bytes in prop::collection::vec(any::<u8>(), 1..6)) {
            let mut wav = tone(of(22_050, 2, 16, SampleFormat::Int), 0.1);
            wav[at..at + bytes.len()].copy_from_slice(&bytes);
            let _ = clip_of(wav);
        }
    }
}
