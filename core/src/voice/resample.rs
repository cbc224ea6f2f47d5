//! Samples of any rate to those of a clip, piece by piece: only the result is held as a whole.

#![expect(clippy::float_arithmetic, reason = "samples are fractions of full scale")]

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Async, FixedAsync, Indexing, Resampler as _, SincInterpolationParameters, WindowFunction};

use super::clip::RATE;

/// Frames that are resampled at once.
const CHUNK: usize = 1_024;

/// Taps of the filter for rates up to [`TAPS_RATE`]; a higher rate takes as many more.
///
/// With them all up to 3,400 Hz, the telephone's band, passes within 1 dB, and what would be
/// heard as an echo of itself, above 4,600 Hz, is under -50 dB.
const TAPS: usize = 256;
const TAPS_RATE: u32 = 24_000;

/// The highest rate that is read, in hertz: that of studios. The filter grows with the rate.
const MOST_RATE: u32 = 192_000;

/// Why samples were not converted, in the library's words.
#[derive(Clone, Debug, thiserror::Error)]
#[error("resampling failed: {0}")]
pub(super) struct ResampleError(String);

fn failed(error: impl std::fmt::Display) -> ResampleError {
    ResampleError(error.to_string())
}

/// Converts samples of one channel to [`RATE`].
pub(super) struct Resampler {
    /// `None` where the rate is right already.
    filter: Option<Async<f32>>,
    rate: u32,
    /// Samples that went in.
    taken: u64,
    /// Those that wait until a chunk is full.
    pending: Vec<f32>,
    buffer: Vec<f32>,
    out: Vec<i16>,
}

impl Resampler {
    /// One that takes `rate` samples a second.
    ///
    /// # Errors
    /// When the rate is none, or above [`MOST_RATE`].
    pub(super) fn from(rate: u32) -> Result<Self, ResampleError> {
        let filter = match rate {
            RATE => None,
            rate if rate > MOST_RATE => {
                return Err(ResampleError(format!("{rate} Hz are above {MOST_RATE} Hz")));
            }
            _ => Some(windowed_sinc(rate)?),
        };
        let buffer = vec![0.0; filter.as_ref().map_or(0, |filter| filter.output_frames_max())];
        Ok(Self { filter, rate, taken: 0, pending: Vec::new(), buffer, out: Vec::new() })
    }

    /// Takes the next sample, a fraction of full scale.
    ///
    /// # Errors
    /// Those of the library.
    pub(super) fn push(&mut self, sample: f32) -> Result<(), ResampleError> {
        self.taken += 1;
        let sample = if sample.is_finite() { sample } else { 0.0 };
        let Some(filter) = &self.filter else {
            self.out.push(to_i16(sample));
            return Ok(());
        };
        self.pending.push(sample);
        if self.pending.len() < filter.input_frames_next() {
            return Ok(());
        }
        self.convert()
    }

    /// All samples, without the delay of the filter at their beginning.
    ///
    /// # Errors
    /// Those of the library.
    pub(super) fn finish(mut self) -> Result<Vec<i16>, ResampleError> {
        let Some(delay) = self.filter.as_ref().map(|filter| filter.output_delay()) else {
            return Ok(self.out);
        };
        let expected = (self.taken * u64::from(RATE)).div_ceil(u64::from(self.rate));
        let expected = usize::try_from(expected).map_err(failed)?;
        while self.out.len() < delay + expected {
            self.convert()?;
        }
        self.out.truncate(delay + expected);
        self.out.drain(..delay);
        Ok(self.out)
    }

    /// Converts what is pending; the rest of the chunk is silence.
    fn convert(&mut self) -> Result<(), ResampleError> {
        let Some(filter) = &mut self.filter else { return Ok(()) };
        let partial_len = Some(self.pending.len());
        self.pending.resize(filter.input_frames_next(), 0.0);
        let input = InterleavedSlice::new(&self.pending, 1, self.pending.len()).map_err(failed)?;
        let room = self.buffer.len();
        let mut output = InterleavedSlice::new_mut(&mut self.buffer, 1, room).map_err(failed)?;
        let indexing = Indexing { partial_len, ..Indexing::default() };
        let (_, made) = filter.process_into_buffer(&input, &mut output, Some(&indexing)).map_err(failed)?;
        self.out.extend(self.buffer.iter().take(made).map(|sample| to_i16(*sample)));
        self.pending.clear();
        Ok(())
    }
}

fn windowed_sinc(rate: u32) -> Result<Async<f32>, ResampleError> {
    let taps = TAPS * rate.div_ceil(TAPS_RATE) as usize;
    let parameters = SincInterpolationParameters::new(taps, WindowFunction::BlackmanHarris2);
    let ratio = f64::from(RATE) / f64::from(rate);
    Async::new_sinc(ratio, 1.0, &parameters, CHUNK, 1, FixedAsync::Input)
        .map_err(|error| ResampleError(format!("{rate} Hz are not read: {error}")))
}

fn to_i16(sample: f32) -> i16 {
    // `as` keeps within the bounds of the type.
    (sample * 32_768.0).round() as i16
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;

    /// What is heard of a tone of `hertz` at half of full scale, in dB of what went in.
    fn level(rate: u32, hertz: f32) -> f32 {
        let mut resampler = Resampler::from(rate).unwrap();
        for at in 0..rate * 2 {
            resampler.push(0.5 * (TAU * hertz * at as f32 / rate as f32).sin()).unwrap();
        }
        let samples = resampler.finish().unwrap();
        assert_eq!(samples.len(), RATE as usize * 2);
        let middle = samples.get(4_000..12_000).unwrap();
        let power =
            middle.iter().map(|&sample| (f32::from(sample) / 32_768.0).powi(2)).sum::<f32>() / 8_000.0;
        10.0 * (power / 0.125).max(1e-9).log10()
    }

    const RATES: [u32; 6] = [11_025, 16_000, 22_050, 24_000, 44_100, 48_000];

    #[test]
    fn the_band_of_the_telephone_passes() {
        for rate in RATES {
            for hertz in [300.0, 1_000.0, 3_000.0, 3_400.0] {
                let level = level(rate, hertz);
                assert!((-1.0..1.0).contains(&level), "{hertz} Hz of {rate}: {level} dB");
            }
        }
    }

    #[test]
    fn what_is_above_it_is_not_heard_as_another_tone() {
        for rate in RATES {
            for hertz in [4_600.0, 5_000.0] {
                let level = level(rate, hertz);
                assert!(level < -50.0, "{hertz} Hz of {rate}: {level} dB");
            }
        }
    }

    #[test]
    fn a_rate_of_none_or_beyond_all_sense_is_refused() {
        for rate in [0, MOST_RATE + 1, u32::MAX] {
            assert!(Resampler::from(rate).is_err(), "{rate}");
        }
    }

    #[test]
    fn a_beginning_is_where_it_was() {
        let mut resampler = Resampler::from(16_000).unwrap();
        for at in 0..16_000 {
            resampler.push(if at < 8_000 { 0.0 } else { 0.5 }).unwrap();
        }
        let samples = resampler.finish().unwrap();
        let half = samples.iter().position(|&sample| sample > 8_192).unwrap();
        assert!((3_998..=4_002).contains(&half), "{half}");
    }
}
