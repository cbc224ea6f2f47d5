use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::testing::mp3::Tone;

const LIMITS: RecordingLimits = RecordingLimits { bytes: 4 << 20, seconds: 30 };

fn decode(mp3: Vec<u8>) -> Result<Recording, RecordingError> {
    Recording::decode(Cursor::new(mp3), LIMITS)
}

fn refused(mp3: Vec<u8>) -> RecordingError {
    decode(mp3).map(|recording| recording.length_ms).unwrap_err()
}

fn samples(clip: &Clip) -> Vec<i16> {
    clip.pcm().chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// A tag in front of the sound, with a picture of so many bytes.
fn id3v2(bytes: u32) -> Vec<u8> {
    let size = [21, 14, 7, 0].map(|shift| (bytes >> shift & 0x7f) as u8);
    let picture = (0..bytes).map(|n| if n % 97 == 0 { 0xff } else { 0xfb });
    [b"ID3\x04\x00\x00", &size[..], &picture.collect::<Vec<_>>()].concat()
}

fn wav(seconds: usize) -> Vec<u8> {
    let samples: Vec<i16> = (0..8_000 * seconds).map(|n| (n * 7_919 % 65_536) as u16 as i16).collect();
    Clip::of_samples(&samples).unwrap().as_ref().to_vec()
}

#[test]
fn a_tone_stays_the_same_tone_at_every_rate_and_from_one_channel_or_two() {
    for rate in [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] {
        for (channels, is_vbr) in [(1, false), (2, false), (1, true)] {
            let tone = Tone { rate, channels, is_vbr, ..Tone::default() };
            let recording = decode(tone.mp3()).unwrap();
            assert!((2_000..2_600).contains(&recording.length_ms), "{tone:?}: {}", recording.length_ms);
            let samples = samples(&recording.clip);
            assert_eq!(samples.len() as i64, recording.length_ms * 8 + samples.len() as i64 % 8);
            let middle = &samples[4_000..12_000];
            let crossings = middle.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
            assert!((438..=442).contains(&crossings), "{tone:?}: {crossings} Hz");
            assert!((-10..=-8).contains(&recording.loudness_dbfs), "{tone:?}: {}", recording.loudness_dbfs);
        }
    }
}

#[test]
fn tags_are_skipped_whatever_their_size() {
    let tone = Tone::default().mp3();
    let plain = decode(tone.clone()).unwrap();
    let mut ape = b"APETAGEX\xd0\x07\x00\x00".to_vec();
    ape.extend((40_000 + 32_u32).to_le_bytes());
    ape.extend([0; 16]);
    let ape = [vec![0xff; 40_000], ape].concat();
    let id3v1 = [b"TAG".to_vec(), vec![0; 125]].concat();
    for tagged in [
        [id3v2(1 << 20), tone.clone()].concat(),
        [id3v2(100), id3v2(1 << 20), tone.clone()].concat(),
        [tone.clone(), id3v1.clone()].concat(),
        [tone.clone(), ape, id3v1].concat(),
    ] {
        let recording = decode(tagged).unwrap();
        assert_eq!(recording.clip.pcm().len(), plain.clip.pcm().len());
    }
    let lone = refused(id3v2(1 << 20));
    assert!(matches!(lone, RecordingError::NoMp3), "{lone:?}");
    let mut endless = tone;
    endless.splice(0..0, *b"ID3\x04\x00\x00\x7f\x7f\x7f\x7f");
    assert!(matches!(refused(endless), RecordingError::NoMp3));
}

#[test]
fn what_is_no_mp3_is_refused_whatever_it_is_called() {
    let mut mpeg4 = Tone::default().mp3();
    mpeg4.splice(0..0, *b"\0\0\0\x20ftypM4A \0\0\0\0");
    let noise: Vec<u8> = (0_u32..300_000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let wrapped = [b"RIFF\0\0\0\0WAVEfmt ".to_vec(), Tone::default().mp3()].concat();
    for (what, file) in [
        ("empty", Vec::new()),
        ("a byte", vec![0xff]),
        ("a text", b"Please call me. ".repeat(1_000)),
        ("a WAV", wav(5)),
        ("a WAV with an MP3 in it", wrapped),
        ("a tag before a WAV", [id3v2(500), wav(5)].concat()),
        ("MPEG-4", mpeg4),
        ("noise", noise),
        ("zeros", vec![0; 100_000]),
        ("ones", vec![0xff; 100_000]),
    ] {
        let error = refused(file);
        assert!(matches!(error, RecordingError::NoMp3), "{what}: {error:?}");
        let error = Error::from(error);
        assert_eq!(error.to_string(), "Please select a valid MP3 file.");
        assert!(matches!(error, Error::Rule { field: Some("audioFile"), .. }));
    }
}

#[test]
fn a_file_that_was_cut_off_has_the_length_of_what_is_there() {
    let whole = Tone::of(6.0).mp3();
    let half = decode(whole[..whole.len() / 2].to_vec()).unwrap();
    assert!((2_900..3_200).contains(&half.length_ms), "{}", half.length_ms);
    // The frame in front of a variable bit rate still tells the length of the whole.
    let whole = Tone { is_vbr: true, ..Tone::of(6.0) }.mp3();
    let half = decode(whole[..whole.len() / 2].to_vec()).unwrap();
    assert!((2_500..3_500).contains(&half.length_ms), "{}", half.length_ms);
}

#[test]
fn a_little_garbage_is_left_out_and_much_is_refused() {
    let tone = Tone::of(20.0).mp3();
    let with = |bytes: usize| {
        let mut file = tone.clone();
        let middle = file.len() / 2;
        file.splice(middle..middle, (0..bytes).map(|n| (n * 31 % 251) as u8));
        file
    };
    let little = decode(with(4_000)).unwrap();
    assert!((19_800..20_300).contains(&little.length_ms), "{}", little.length_ms);
    let much = refused(with(60_000));
    assert!(matches!(much, RecordingError::Damaged(20..=35)), "{much:?}");
    assert!(Error::from(much).to_string().contains("% of this MP3 cannot be read: export it again"));
    assert!(matches!(refused(with(400_000)), RecordingError::NoMp3));
}

#[test]
fn what_is_too_short_too_long_too_large_or_too_quiet_is_told_by_how_much() {
    let told = |mp3: Vec<u8>| Error::from(refused(mp3)).to_string();
    let short = told(Tone::of(0.5).mp3());
    assert!(short.starts_with("The recording takes 0.5") && short.contains("at least 1 s"), "{short}");
    let long = told(Tone { rate: 8_000, ..Tone::of(31.0) }.mp3());
    assert_eq!(long, "The recording takes more than 30 s: shorten it");
    let whole = decode(Tone { rate: 8_000, ..Tone::of(29.9) }.mp3()).unwrap();
    assert_eq!(whole.clip.seconds(), 30);
    assert!(whole.length_ms <= 30_000);
    let large = told([id3v2(4 << 20), Tone::default().mp3()].concat());
    assert_eq!(large, "The MP3 may have at most 4 MiB: shorten it, or export it with a lower bit rate");
    for (amplitude, loudness) in [(0.0, "-99"), (0.002, "-58")] {
        let quiet = told(Tone { amplitude, ..Tone::default() }.mp3());
        assert!(quiet.contains(&format!("{loudness} dBFS (RMS), and -45 dBFS is needed")), "{quiet}");
    }
    let minutes = Error::from(RecordingError::TooLong(600)).to_string();
    assert_eq!(minutes, "The recording takes more than 10 minutes: shorten it");
}

/// 4 MiB of the lowest bit rate would be more than an hour: decoding ends where the longest recording does.
#[test]
fn a_file_that_decodes_to_hours_is_decoded_no_further_than_allowed() {
    let tone = Tone { rate: 8_000, ..Tone::of(2.0) }.mp3();
    let hours = tone.repeat((4 << 20) / tone.len());
    let error = refused(hours);
    assert!(matches!(error, RecordingError::TooLong(30)), "{error:?}");
}

#[test]
fn loudness_has_words() {
    assert_eq!([-45, -31, -30, -8, -7].map(loudness_word), ["quiet", "quiet", "good", "good", "loud"]);
}

#[tokio::test]
async fn a_file_is_decoded_beside_other_work() {
    let decoded = Recording::decode_in_background(Cursor::new(Tone::default().mp3()), LIMITS).await.unwrap();
    assert_eq!(decoded.clip, decode(Tone::default().mp3()).unwrap().clip);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..4_000)) {
        let _ = decode(bytes);
    }

    #[test]
    fn no_damage_makes_the_decoder_panic(
        damage in prop::collection::vec((0_usize..12_000, any::<u8>()), 1..200),
        rate in prop::sample::select(&[8_000_u32, 22_050, 48_000][..]),
        channels in 1_u8..=2,
        is_vbr in any::<bool>(),
    ) {
        let mut mp3 = Tone { rate, channels, is_vbr, ..Tone::of(1.2) }.mp3();
        for (at, byte) in damage {
            let at = at % mp3.len();
            mp3[at] = byte;
        }
        let _ = decode(mp3);
    }
}
