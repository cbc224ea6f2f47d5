//! Samples of any rate to those of a clip, piece by piece: only the result is held as a whole.

#![expect(clippy::float_arithmetic, reason = "samples are fractions of full scale")]

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler as _};

use super::clip::RATE;

/// Frames that are resampled at once.
const CHUNK: usize = 1_024;

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
    fft: Option<Fft<f32>>,
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
    /// When the rate is none.
    pub(super) fn from(rate: u32) -> Result<Self, ResampleError> {
        let fft = match rate {
            RATE => None,
            _ => Some(
                Fft::new(rate as usize, RATE as usize, CHUNK, 1, FixedSync::Input)
                    .map_err(|error| ResampleError(format!("{rate} Hz are not read: {error}")))?,
            ),
        };
        let buffer = vec![0.0; fft.as_ref().map_or(0, |fft| fft.output_frames_max())];
        Ok(Self { fft, rate, taken: 0, pending: Vec::new(), buffer, out: Vec::new() })
    }

    /// Takes the next sample, a fraction of full scale.
    ///
    /// # Errors
    /// Those of the library.
    pub(super) fn push(&mut self, sample: f32) -> Result<(), ResampleError> {
        self.taken += 1;
        let sample = if sample.is_finite() { sample } else { 0.0 };
        let Some(fft) = &self.fft else {
            self.out.push(to_i16(sample));
            return Ok(());
        };
        self.pending.push(sample);
        if self.pending.len() < fft.input_frames_next() {
            return Ok(());
        }
        self.convert()
    }

    /// All samples, without the delay of the filter at their beginning.
    ///
    /// # Errors
    /// Those of the library.
    pub(super) fn finish(mut self) -> Result<Vec<i16>, ResampleError> {
        let Some(delay) = self.fft.as_ref().map(|fft| fft.output_delay()) else { return Ok(self.out) };
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
        let Some(fft) = &mut self.fft else { return Ok(()) };
        let partial_len = Some(self.pending.len());
        self.pending.resize(fft.input_frames_next(), 0.0);
        let input = InterleavedSlice::new(&self.pending, 1, self.pending.len()).map_err(failed)?;
        let room = self.buffer.len();
        let mut output = InterleavedSlice::new_mut(&mut self.buffer, 1, room).map_err(failed)?;
        let indexing = Indexing { partial_len, ..Indexing::default() };
        let (_, made) = fft.process_into_buffer(&input, &mut output, Some(&indexing)).map_err(failed)?;
        self.out.extend(self.buffer.iter().take(made).map(|sample| to_i16(*sample)));
        self.pending.clear();
        Ok(())
    }
}

fn to_i16(sample: f32) -> i16 {
    // `as` keeps within the bounds of the type.
    (sample * 32_768.0).round() as i16
}
