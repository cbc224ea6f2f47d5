//! MP3s as customers upload them, made by LAME.

#![expect(clippy::float_arithmetic, reason = "a tone is a sine")]

use std::num::NonZeroU32;

use mp3lame_encoder::{Bitrate, Builder, FlushGap, InterleavedPcm, Mode, MonoPcm, Quality, VbrMode};

/// A tone of 440 Hz, and how it is encoded.
#[derive(Clone, Copy, Debug)]
pub struct Tone {
    /// Samples a second: one of the nine rates of MPEG 1, 2 and 2.5.
    pub rate: u32,
    /// 1 or 2.
    pub channels: u8,
    /// How long it takes.
    pub seconds: f32,
    /// Its peak, as a fraction of full scale.
    pub amplitude: f32,
    /// Whether the bit rate varies, with a frame in front that holds the length.
    pub is_vbr: bool,
}

impl Default for Tone {
    fn default() -> Self {
        Self { rate: 44_100, channels: 1, seconds: 2.0, amplitude: 0.5, is_vbr: false }
    }
}

impl Tone {
    /// One of so many seconds.
    pub fn of(seconds: f32) -> Self {
        Self { seconds, ..Self::default() }
    }

    /// Its MP3, without a tag.
    pub fn mp3(self) -> Vec<u8> {
        let mut builder = Builder::new().expect("LAME has memory");
        builder.set_num_channels(self.channels).expect("channels");
        builder.set_sample_rate(self.rate).expect("rate");
        builder.set_output_sample_rate(NonZeroU32::new(self.rate)).expect("rate");
        builder.set_mode(if self.channels == 1 { Mode::Mono } else { Mode::JointStereo }).expect("mode");
        builder.set_quality(Quality::SecondWorst).expect("quality");
        let bitrate = if self.rate < 16_000 { Bitrate::Kbps32 } else { Bitrate::Kbps64 };
        builder.set_brate(bitrate).expect("bit rate");
        builder.set_vbr_mode(if self.is_vbr { VbrMode::Mtrh } else { VbrMode::Off }).expect("VBR");
        builder.set_to_write_vbr_tag(self.is_vbr).expect("VBR tag");
        let mut encoder = builder.build().expect("an encoder");
        let samples = (self.seconds * self.rate as f32) as usize;
        let sample = |n: usize| {
            let turns = (n as f32 * 440.0 / self.rate as f32).fract();
            ((turns * std::f32::consts::TAU).sin() * self.amplitude * 32_767.0) as i16
        };
        let mut mp3 = Vec::new();
        for first in (0..samples).step_by(4_096) {
            let piece: Vec<i16> = (first..samples.min(first + 4_096))
                .flat_map(|n| std::iter::repeat_n(sample(n), usize::from(self.channels)))
                .collect();
            mp3.reserve(mp3lame_encoder::max_required_buffer_size(piece.len()));
            let encoded = match self.channels {
                1 => encoder.encode_to_vec(MonoPcm(&piece), &mut mp3),
                _ => encoder.encode_to_vec(InterleavedPcm(&piece), &mut mp3),
            };
            encoded.expect("an encoder that encodes");
        }
        mp3.reserve(16_384);
        encoder.flush_to_vec::<FlushGap>(&mut mp3).expect("an encoder that ends");
        mp3
    }
}
