//! G.711: eight bits a sample at 8,000 samples a second (ITU-T G.711; payload types of RFC 3551, section 6).

use audio_codec_algorithms::{decode_alaw, decode_ulaw, encode_alaw, encode_ulaw};

/// Samples a second of every codec here, and of the RTP clock.
pub const SAMPLE_RATE: u32 = 8_000;

/// One of the two laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// A-law, `PCMA`: what African and European networks speak.
    Pcma,
    /// μ-law, `PCMU`.
    Pcmu,
}

impl Codec {
    /// The static RTP payload type.
    #[must_use]
    pub const fn payload_type(self) -> u8 {
        match self {
            Self::Pcma => 8,
            Self::Pcmu => 0,
        }
    }

    /// The encoding name of SDP's `rtpmap`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pcma => "PCMA",
            Self::Pcmu => "PCMU",
        }
    }

    /// The codec of a static payload type.
    pub(crate) const fn of_payload_type(payload_type: u8) -> Option<Self> {
        match payload_type {
            8 => Some(Self::Pcma),
            0 => Some(Self::Pcmu),
            _ => None,
        }
    }

    /// The codec of an encoding name, in any case of letters.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Pcma, Self::Pcmu].into_iter().find(|codec| codec.name().eq_ignore_ascii_case(name))
    }

    /// A sample of 16 bits in eight.
    #[must_use]
    pub fn encode(self, sample: i16) -> u8 {
        match self {
            Self::Pcma => encode_alaw(sample),
            Self::Pcmu => encode_ulaw(sample),
        }
    }

    /// The sample that a byte stands for.
    #[must_use]
    pub fn decode(self, byte: u8) -> i16 {
        match self {
            Self::Pcma => decode_alaw(byte),
            Self::Pcmu => decode_ulaw(byte),
        }
    }

    /// The byte of silence.
    #[must_use]
    pub const fn silence(self) -> u8 {
        match self {
            Self::Pcma => 0xD5,
            Self::Pcmu => 0xFF,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_survives_a_way_through_samples() {
        for codec in [Codec::Pcma, Codec::Pcmu] {
            for byte in 0..=u8::MAX {
                let sample = codec.decode(byte);
                assert_eq!(codec.decode(codec.encode(sample)), sample, "{codec:?} {byte}");
            }
            assert!(codec.decode(codec.silence()).abs() <= 8, "{codec:?}");
            assert_eq!(Codec::of_payload_type(codec.payload_type()), Some(codec));
            assert_eq!(Codec::of_name(&codec.name().to_lowercase()), Some(codec));
        }
    }

    #[test]
    fn a_sample_keeps_its_sign_and_its_size_within_a_thirtieth() {
        for codec in [Codec::Pcma, Codec::Pcmu] {
            for sample in (-32_000..=32_000_i16).step_by(97) {
                let heard = codec.decode(codec.encode(sample));
                let off = (i32::from(heard) - i32::from(sample)).abs();
                assert!(off <= 16 + i32::from(sample).abs() / 30, "{codec:?} {sample} -> {heard}");
            }
        }
    }
}
