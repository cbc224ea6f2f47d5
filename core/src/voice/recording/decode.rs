//! From an MP3 to the samples of a clip, frame by frame.
//!
//! Tags before and behind the sound are skipped by their length and never read: pictures may be of any size.

#![expect(clippy::float_arithmetic, reason = "samples are fractions of full scale")]

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use symphonia::core::codecs::CodecParameters;
use symphonia::core::codecs::audio::well_known::CODEC_ID_MP3;
use symphonia::core::codecs::audio::{AudioDecoder as _, AudioDecoderOptions};
use symphonia::core::errors::Error as Mp3Error;
use symphonia::core::formats::{FormatOptions, FormatReader as _};
use symphonia::core::io::{MediaSourceStream, MediaSourceStreamOptions, ReadOnlySource};
use symphonia::default::codecs::MpaDecoder;
use symphonia::default::formats::MpaReader;

use super::{RecordingError, RecordingLimits};
use crate::voice::clip::RATE;
use crate::voice::resample::Resampler;

/// Tags in front of the sound.
const TAGS_MAX: usize = 8;
/// Bytes of a header of ID3v2 (id3.org, ID3v2.4.0 section 3.1), and of its footer.
const ID3V2_HEADER: u64 = 10;
/// Bytes of ID3v1, which is the end of a file.
const ID3V1: u64 = 128;
/// Bytes of the footer of an APE tag.
const APE_FOOTER: u64 = 32;
/// How files begin that hold sound of other formats. What they hold may look like an MP3 here and there.
const OTHERS: &[&[u8]] = &[
    b"RIFF",
    b"RIFX",
    b"RF64",
    b"FORM",
    b"OggS",
    b"fLaC",
    b"caff",
    b"#!AMR",
    b"MThd",
    b"wvpk",
    b".snd",
    b"ADIF",
    &[0x1a, 0x45, 0xdf, 0xa3],
];
/// How a file of MPEG-4 goes on after its first four bytes.
const MPEG4: &[u8] = b"ftyp";
/// What cannot be read of any file: the frame that only holds the length, one that is cut off, and padding.
const SPARE_BYTES: u64 = 8 << 10;
/// What cannot be read of a file beside that, at most, in percent.
const BAD_PERCENT_MAX: u64 = 10;
/// A file of which more cannot be read, in percent, is no MP3 at all.
const NONE_PERCENT: u64 = 50;
/// What encoders put around the sound, in milliseconds: a recording may be so much longer, and loses it at its end.
const PADDING_MS: u64 = 150;

/// The samples of an MP3, of all channels together, at [`RATE`].
///
/// # Errors
/// Where it is no MP3, damaged, too large or too long.
pub(super) fn samples(
    mut mp3: impl Read + Seek + Send + Sync + 'static,
    limits: RecordingLimits,
) -> Result<Vec<i16>, RecordingError> {
    let length = mp3.seek(SeekFrom::End(0))?;
    limits.check_bytes(length)?;
    let start = start_of_sound(&mut mp3, length)?;
    let end = end_of_sound(&mut mp3, start, length)?;
    mp3.seek(SeekFrom::Start(start))?;
    let sound = Box::new(ReadOnlySource::new(mp3.take(end - start)));
    let stream = MediaSourceStream::new(sound, MediaSourceStreamOptions::default());
    let mut reader = MpaReader::try_new(stream, FormatOptions::default()).map_err(no_mp3)?;
    let parameters = match reader.tracks().first().and_then(|track| track.codec_params.as_ref()) {
        Some(CodecParameters::Audio(audio)) if audio.codec == CODEC_ID_MP3 => audio.clone(),
        _ => return Err(RecordingError::NoMp3),
    };
    let rate = parameters.sample_rate.ok_or(RecordingError::NoMp3)?;
    // Without gaps being cut out by what the headers say of them.
    let options = AudioDecoderOptions::default().gapless(false);
    let mut decoder = MpaDecoder::try_new(&parameters, &options).map_err(no_mp3)?;
    let mut sound = Sound::new(rate, limits.seconds)?;
    let mut frame = Vec::new();
    let mut read = 0;
    loop {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Mp3Error::IoError(error)) if error.kind() != ErrorKind::UnexpectedEof => {
                return Err(error.into());
            }
            Err(_) => break,
        };
        // A frame that cannot be decoded is left out. Nor is one of another rate or of other channels decoded.
        if let Ok(decoded) = decoder.decode(&packet) {
            let channels = decoded.num_planes();
            decoded.copy_to_vec_interleaved::<f32>(&mut frame);
            sound.push(&frame, channels)?;
            read += packet.data.len() as u64;
        }
    }
    check_damage(end - start, read)?;
    sound.finish()
}

fn no_mp3(error: Mp3Error) -> RecordingError {
    match error {
        Mp3Error::IoError(error) if error.kind() != ErrorKind::UnexpectedEof => error.into(),
        _ => RecordingError::NoMp3,
    }
}

/// Whether enough of the sound was read.
fn check_damage(length: u64, read: u64) -> Result<(), RecordingError> {
    let unread = length.saturating_sub(read);
    let percent = (100 * unread).div_ceil(length.max(1));
    if read == 0 || percent > NONE_PERCENT && unread > SPARE_BYTES {
        return Err(RecordingError::NoMp3);
    }
    if percent > BAD_PERCENT_MAX && unread > SPARE_BYTES {
        return Err(RecordingError::Damaged(percent));
    }
    Ok(())
}

/// What is decoded, on its way to a clip.
struct Sound {
    resampler: Resampler,
    rate: u32,
    taken: u64,
    seconds_max: u32,
}

impl Sound {
    fn new(rate: u32, seconds_max: u32) -> Result<Self, RecordingError> {
        let resampler = Resampler::from(rate).map_err(|error| RecordingError::Failed(error.to_string()))?;
        Ok(Self { resampler, rate, taken: 0, seconds_max })
    }

    /// Takes a frame of MPEG audio.
    fn push(&mut self, frame: &[f32], channels: usize) -> Result<(), RecordingError> {
        for samples in frame.chunks_exact(channels.max(1)) {
            let mixed = samples.iter().sum::<f32>() / channels as f32;
            self.resampler.push(mixed).map_err(|error| RecordingError::Failed(error.to_string()))?;
            self.taken += 1;
        }
        let ms = 1_000 * self.taken / u64::from(self.rate);
        if ms > 1_000 * u64::from(self.seconds_max) + PADDING_MS {
            return Err(RecordingError::TooLong(self.seconds_max));
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<i16>, RecordingError> {
        let mut samples =
            self.resampler.finish().map_err(|error| RecordingError::Failed(error.to_string()))?;
        samples.truncate(self.seconds_max as usize * RATE as usize);
        Ok(samples)
    }
}

/// Where the sound begins: behind all ID3v2 tags.
fn start_of_sound(mp3: &mut (impl Read + Seek), length: u64) -> Result<u64, RecordingError> {
    let mut start = 0;
    for _ in 0..=TAGS_MAX {
        let mut head = [0; ID3V2_HEADER as usize];
        if start + ID3V2_HEADER > length {
            return Err(RecordingError::NoMp3);
        }
        mp3.seek(SeekFrom::Start(start))?;
        mp3.read_exact(&mut head)?;
        let Some(tag) = id3v2_length(&head) else {
            let is_other = OTHERS.iter().any(|other| head.starts_with(other)) || head[4..8] == *MPEG4;
            return if is_other { Err(RecordingError::NoMp3) } else { Ok(start) };
        };
        start += tag;
    }
    Err(RecordingError::NoMp3)
}

/// The length of the ID3v2 tag with this header; `None` when it is none.
fn id3v2_length(head: &[u8; ID3V2_HEADER as usize]) -> Option<u64> {
    let [b'I', b'D', b'3', major, minor, flags, size @ ..] = head else { return None };
    if *major == 0xff || *minor == 0xff || size.iter().any(|byte| *byte >= 0x80) {
        return None;
    }
    let size = size.iter().fold(0, |size, byte| size << 7 | u64::from(*byte));
    let footer = if flags & 0x10 == 0 { 0 } else { ID3V2_HEADER };
    Some(ID3V2_HEADER + size + footer)
}

/// Where the sound ends: before ID3v1 and an APE tag.
fn end_of_sound(mp3: &mut (impl Read + Seek), start: u64, length: u64) -> Result<u64, RecordingError> {
    let mut end = length;
    if read_at::<3>(mp3, start, end.checked_sub(ID3V1))? == Some(*b"TAG") {
        end -= ID3V1;
    }
    if let Some(footer) = read_at::<{ APE_FOOTER as usize }>(mp3, start, end.checked_sub(APE_FOOTER))?
        && let Some(tag) = ape_length(&footer)
    {
        end = end.saturating_sub(tag).max(start);
    }
    Ok(end)
}

/// The length of the APE tag with this footer; `None` when it is none. The size that it tells counts the items and the
/// footer, and not the header, which the highest flag tells of (APEv2).
fn ape_length(footer: &[u8; APE_FOOTER as usize]) -> Option<u64> {
    let [b'A', b'P', b'E', b'T', b'A', b'G', b'E', b'X', rest @ ..] = footer else { return None };
    let [_, _, _, _, a, b, c, d, _, _, _, _, _, _, _, flags, ..] = rest;
    let header = if flags & 0x80 == 0 { 0 } else { APE_FOOTER };
    Some(u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + header)
}

/// So many bytes from `at` on, where that is not before `start`.
fn read_at<const N: usize>(
    mp3: &mut (impl Read + Seek),
    start: u64,
    at: Option<u64>,
) -> Result<Option<[u8; N]>, RecordingError> {
    let Some(at) = at.filter(|at| *at >= start) else { return Ok(None) };
    let mut bytes = [0; N];
    mp3.seek(SeekFrom::Start(at))?;
    mp3.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}
