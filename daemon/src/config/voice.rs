//! `[voice]`: how texts are spoken, which recordings are taken, and which numbers may be called. How many recordings a
//! user keeps is in `[limits]`.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use talkdrum_core::content::Pulse;
use talkdrum_core::phone::AllowedPrefixes;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::voice::clip::SECONDS_MAX;
use talkdrum_core::voice::recording::RecordingLimits;
use talkdrum_core::voice::script::CallTerms;
use talkdrum_core::voice::speech::{CacheConfig, ESPEAK, EngineConfig, OUTPUT, VOICE, Voice};

use super::list::words;

/// The most characters that `text_chars` may allow.
const TEXT_CHARS_MAX: u32 = 10_000;
/// The longest that `timeout_s` may be.
const TIMEOUT_S_MAX: u32 = 600;
/// The most MiB of an MP3 that `recording_mib` may allow.
const RECORDING_MIB_MAX: u32 = 256;
/// The most engines at the same time.
const ENGINES_MAX: u32 = 64;

/// The longest that `tail_s` may be.
const TAIL_S_MAX: u32 = 30;
/// The most pulses of a call: an audience has a byte for them.
const PULSES_MAX: u64 = 255;

/// What may be called unless the configuration says more.
const NIGERIA: &str = "234";

/// How texts are spoken, and which recordings are taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VoiceSection {
    /// The speech engine: a program and its arguments. It reads the text on standard input and writes a WAV into the file
    /// `{output}`, or to standard output where no argument holds that; `{voice}` is its name of the voice.
    #[serde(deserialize_with = "words")]
    pub engine: Vec<String>,
    /// The engine's names of `uk-female`, `us-female`, `uk-male` and `us-male`.
    pub voices: BTreeMap<String, String>,
    /// How long a text may take, in seconds.
    pub timeout_s: NonZeroU32,
    /// Engines at the same time.
    pub engines: NonZeroU32,
    /// Spoken texts that are kept, in MiB; 0 keeps none.
    pub cache_mib: u32,
    /// How long one is kept that is not used.
    pub cache_days: NonZeroU32,
    /// The most characters of a text.
    pub text_chars: NonZeroU32,
    /// The most MiB of an MP3 that is uploaded.
    pub recording_mib: NonZeroU32,
    /// The most minutes of it; at most 10.
    pub recording_minutes: NonZeroU32,
    /// The seconds of the first pulse of a call and of each next one that is begun: what calls are billed by.
    pub pulse: String,
    /// How long calls wait for keys after what is said, in seconds.
    pub tail_s: u32,
    /// Beginnings of the numbers that may be called, with the country code; no other number is ever called.
    #[serde(deserialize_with = "words")]
    pub prefixes: Vec<String>,
}

impl Default for VoiceSection {
    fn default() -> Self {
        let number = |value: u32| NonZeroU32::MIN.saturating_add(value - 1);
        Self {
            engine: ESPEAK.map(str::to_owned).to_vec(),
            voices: Voice::ALL
                .iter()
                .map(|voice| (voice.code().to_owned(), voice.espeak().to_owned()))
                .collect(),
            timeout_s: number(20),
            engines: number(2),
            cache_mib: 256,
            cache_days: number(30),
            text_chars: number(1_600),
            recording_mib: number(25),
            recording_minutes: number(SECONDS_MAX / 60),
            pulse: Pulse::MINUTES.to_string(),
            tail_s: 2,
            prefixes: vec![NIGERIA.to_owned()],
        }
    }
}

impl VoiceSection {
    /// What the engine is run with.
    ///
    /// # Errors
    /// A sentence that names the key which cannot be used.
    pub fn engine(&self) -> anyhow::Result<EngineConfig> {
        anyhow::ensure!(
            self.engine.first().is_some_and(|program| !program.contains(['{', '}'])),
            "voice.engine must begin with a program, such as \"espeak-ng\""
        );
        anyhow::ensure!(
            self.engine.iter().any(|argument| argument.contains(VOICE)),
            "voice.engine has no argument with {VOICE}, which stands for the voice"
        );
        for argument in &self.engine {
            let rest = argument.replace(VOICE, "").replace(OUTPUT, "");
            anyhow::ensure!(
                !rest.contains(['{', '}']),
                "voice.engine: only {VOICE} and {OUTPUT} are filled in, not '{argument}'"
            );
        }
        let mut voices = BTreeMap::new();
        for (code, name) in &self.voices {
            let voice = Voice::from_code(code).ok_or_else(|| {
                let known = Voice::names();
                anyhow::anyhow!("voice.voices: there is no voice '{code}'; there are {known}")
            })?;
            anyhow::ensure!(
                !name.is_empty() && !name.starts_with('-') && !name.contains(char::is_control),
                "voice.voices: '{name}' is no name of a voice"
            );
            voices.insert(voice, name.clone());
        }
        most("text_chars", self.text_chars, TEXT_CHARS_MAX)?;
        Ok(EngineConfig {
            command: self.engine.clone(),
            voices,
            timeout: Duration::from_secs(u64::from(most("timeout_s", self.timeout_s, TIMEOUT_S_MAX)?)),
            at_once: most("engines", self.engines, ENGINES_MAX)? as usize,
        })
    }

    /// What a recording may be at most.
    ///
    /// # Errors
    /// A sentence that names the key which cannot be used.
    pub fn recording_limits(&self) -> anyhow::Result<RecordingLimits> {
        let mib = most("recording_mib", self.recording_mib, RECORDING_MIB_MAX)?;
        let minutes = most("recording_minutes", self.recording_minutes, SECONDS_MAX / 60)?;
        Ok(RecordingLimits { bytes: u64::from(mib) << 20, seconds: 60 * minutes })
    }

    /// How calls are billed, and how long they wait for keys.
    ///
    /// # Errors
    /// A sentence that names the key which cannot be used.
    pub fn call_terms(&self) -> anyhow::Result<CallTerms> {
        let pulse: Pulse = self.pulse.parse().map_err(|error| anyhow::anyhow!("voice.pulse: {error}"))?;
        anyhow::ensure!(self.tail_s <= TAIL_S_MAX, "voice.tail_s must be at most {TAIL_S_MAX}");
        let longest = Duration::from_secs(u64::from(SECONDS_MAX + self.tail_s));
        anyhow::ensure!(
            pulse.count(longest) <= PULSES_MAX,
            "voice.pulse: the longest call would have more than {PULSES_MAX} pulses: make each next one longer"
        );
        Ok(CallTerms { pulse, tail: Duration::from_secs(self.tail_s.into()) })
    }

    /// Which numbers may be called.
    ///
    /// # Errors
    /// A sentence that names the prefix which cannot be used.
    pub fn prefixes(&self) -> anyhow::Result<AllowedPrefixes> {
        AllowedPrefixes::new(&self.prefixes).map_err(|error| anyhow::anyhow!("voice.prefixes: {error}"))
    }

    /// Where spoken texts are kept.
    pub fn cache(&self, data_dir: &Path, free_disk_bytes: u64) -> CacheConfig {
        CacheConfig {
            dir: data_dir.join("speech"),
            bytes_max: u64::from(self.cache_mib) << 20,
            unused_max: Duration::from_secs(24 * 3_600 * u64::from(self.cache_days.get())),
            disk: DiskGuard::new(data_dir, free_disk_bytes),
        }
    }

    /// The most characters of a text.
    pub fn characters_max(&self) -> usize {
        self.text_chars.get() as usize
    }
}

/// A value that is at most so much.
fn most(key: &str, value: NonZeroU32, most: u32) -> anyhow::Result<u32> {
    anyhow::ensure!(value.get() <= most, "voice.{key} is more than {most}");
    Ok(value.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut VoiceSection)) -> String {
        let mut section = VoiceSection::default();
        change(&mut section);
        section.engine().unwrap_err().to_string()
    }

    #[test]
    fn another_engine_is_taken_and_what_cannot_be_used_is_named() {
        let engine = VoiceSection {
            engine: ["say", "--voice={voice}"].map(str::to_owned).to_vec(),
            voices: [("uk-female".to_owned(), "bf_emma".to_owned())].into(),
            ..VoiceSection::default()
        };
        let engine = engine.engine().unwrap();
        assert_eq!(engine.voices[&Voice::UkFemale], "bf_emma");
        let list = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        for (sentence, engine) in [
            ("must begin with a program", vec![]),
            ("must begin with a program", list(&["{voice}"])),
            ("no argument with {voice}", list(&["say"])),
            ("not '{text}'", list(&["say", "{voice}", "{text}"])),
        ] {
            let refused = refused(|section| section.engine = engine);
            assert!(refused.contains(sentence), "{refused}");
        }
        for (sentence, code, name) in [
            ("there is no voice 'uk-robot'", "uk-robot", "x"),
            ("'-w' is no name of a voice", "uk-male", "-w"),
            ("'' is no name of a voice", "uk-male", ""),
        ] {
            let refused = refused(|section| {
                section.voices.insert(code.to_owned(), name.to_owned());
            });
            assert!(refused.contains(sentence), "{refused}");
        }
        let long = NonZeroU32::MAX;
        assert!(refused(|section| section.text_chars = long).contains("text_chars is more than 10000"));
        assert!(refused(|section| section.timeout_s = long).contains("timeout_s is more than 600"));
        assert!(refused(|section| section.engines = long).contains("engines is more than 64"));
    }

    #[test]
    fn recordings_have_bounds_that_cannot_be_set_beyond_reason() {
        let default = VoiceSection::default();
        let limits = default.recording_limits().unwrap();
        assert_eq!((limits.bytes, limits.seconds), (25 << 20, 600));
        let long = NonZeroU32::MIN.saturating_add(10);
        let longer = VoiceSection { recording_minutes: long, ..VoiceSection::default() };
        let refused = longer.recording_limits().unwrap_err().to_string();
        assert_eq!(refused, "voice.recording_minutes is more than 10");
    }
}
