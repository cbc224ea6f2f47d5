//! What is said in a call: a text that is spoken, or a recording, and how long it takes.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::poll::{OPT_OUT_KEY, Poll};
use crate::error::{Error, Result};

/// The units in which calls are billed, in seconds of a call that was answered: the first one, then each next one that is
/// begun. All units have one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Pulse {
    /// Seconds of the first.
    #[schema(value_type = u32)]
    pub first_s: NonZeroU32,
    /// Seconds of each next.
    #[schema(value_type = u32)]
    pub next_s: NonZeroU32,
}

impl Pulse {
    /// Whole minutes, as most carriers bill.
    pub const MINUTES: Self =
        Self { first_s: NonZeroU32::new(60).unwrap(), next_s: NonZeroU32::new(60).unwrap() };

    /// The pulses of a call that was up for so long: none of one that was not.
    pub fn count(self, up: Duration) -> u64 {
        if up.is_zero() {
            return 0;
        }
        let ms = u64::try_from(up.as_millis()).unwrap_or(u64::MAX).max(1);
        let beyond = ms.saturating_sub(1_000 * u64::from(self.first_s.get()));
        1 + beyond.div_ceil(1_000 * u64::from(self.next_s.get()))
    }
}

impl std::str::FromStr for Pulse {
    type Err = String;

    /// `60/60`: the first and each next one, in seconds.
    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = |part: &str| part.trim().parse::<NonZeroU32>().ok().filter(|it| it.get() <= 3_600);
        let pulse = text
            .split_once('/')
            .and_then(|(first, next)| Some(Self { first_s: seconds(first)?, next_s: seconds(next)? }));
        pulse.ok_or_else(|| format!("'{text}' is no pulse: write first/next seconds, such as 60/60"))
    }
}

impl std::fmt::Display for Pulse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.first_s, self.next_s)
    }
}

/// Where what is said comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "source", rename_all = "kebab-case")]
pub enum ClipSource {
    /// A text that is spoken.
    Speech {
        /// As the customer wrote it.
        text: String,
        /// `uk-female`, `us-female`, `uk-male` or `us-male`.
        voice: String,
    },
    /// A recording of the campaign's owner.
    Recording {
        /// Its id.
        id: i64,
        /// What it was called when the campaign was quoted.
        name: String,
    },
}

/// The number of a customer that calls are from. Each kind has its price.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "kind", content = "number", rename_all = "lowercase")]
pub enum CallerNumber {
    /// One that the platform gave them.
    Virtual(String),
    /// One that they proved to have.
    Own(String),
}

impl CallerNumber {
    /// The number.
    pub fn number(&self) -> &str {
        match self {
            Self::Virtual(number) | Self::Own(number) => number,
        }
    }
}

/// What is said in a call, as it was quoted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CallScript {
    /// What is played.
    #[serde(flatten)]
    pub clip: ClipSource,
    /// The number that it is from; the carrier's own caller id when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<CallerNumber>,
    /// How long the clip plays, in ms.
    pub length_ms: u64,
    /// How long keys are waited for after it, in ms.
    pub tail_ms: u64,
    /// What it is billed by.
    pub pulse: Pulse,
    /// The question that it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll: Option<Poll>,
}

impl CallScript {
    /// The same call without the words that are said in it, and without a question.
    #[must_use]
    pub fn without_words(self) -> Self {
        let clip = match self.clip {
            ClipSource::Speech { voice, .. } => ClipSource::Speech { text: String::new(), voice },
            clip @ ClipSource::Recording { .. } => clip,
        };
        Self { clip, poll: None, ..self }
    }

    /// How often it is played at most.
    pub fn plays(&self) -> u8 {
        self.poll.as_ref().map_or(1, |poll| poll.plays)
    }

    /// The keys that end a call: those of the question, and the one that opts out.
    pub fn ends_on(&self) -> String {
        let keys = self.poll.iter().flat_map(|poll| &poll.keys);
        keys.map(|it| it.key).chain([OPT_OUT_KEY]).collect()
    }

    /// How long a call is up that hears all of it, as often as it is played.
    pub fn duration(&self) -> Duration {
        Duration::from_millis((self.length_ms + self.tail_ms).saturating_mul(self.plays().into()))
    }

    /// The same without the wait at its end, in ms.
    pub fn said_ms(&self) -> u64 {
        let all = (self.length_ms + self.tail_ms).saturating_mul(self.plays().into());
        all.saturating_sub(self.tail_ms)
    }

    /// The same, asking a question.
    ///
    /// # Errors
    /// `question_too_long`: as often as it is played it would last longer than `longest`.
    pub fn asking(self, poll: Option<Poll>, longest: Duration) -> Result<Self> {
        let script = Self { poll, ..self };
        if script.plays() > 1 && Duration::from_millis(script.said_ms()) > longest {
            let says = format!(
                "Played {} times it would take {} s, and the most is {} s: shorten it, or play it less often",
                script.plays(),
                script.said_ms().div_ceil(1_000),
                longest.as_secs()
            );
            return Err(Error::field("plays", "question_too_long", says));
        }
        Ok(script)
    }

    /// The most pulses that a call is billed: what is reserved for it. What no campaign can have counts as 255.
    pub fn pulses(&self) -> u8 {
        u8::try_from(self.pulse.count(self.duration())).unwrap_or(u8::MAX)
    }

    /// The pulses of a call that was up for so long, at most those that are reserved.
    pub fn billed(&self, up: Duration) -> u8 {
        u8::try_from(self.pulse.count(up)).unwrap_or(u8::MAX).min(self.pulses())
    }

    /// What is said, for people to read: the text, or what the recording is called.
    pub fn summary(&self) -> &str {
        match &self.clip {
            ClipSource::Speech { text, .. } => text,
            ClipSource::Recording { name, .. } => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_that_is_begun_counts_and_a_call_that_was_not_up_has_none() {
        let minutes = Pulse::MINUTES;
        let cases = [(0, 0), (1, 1), (59_999, 1), (60_000, 1), (60_001, 2), (120_000, 2), (120_001, 3)];
        for (ms, pulses) in cases {
            assert_eq!(minutes.count(Duration::from_millis(ms)), pulses, "{ms}");
        }
        let fine: Pulse = "60/6".parse().unwrap();
        assert_eq!(fine.count(Duration::from_millis(60_001)), 2);
        assert_eq!(fine.count(Duration::from_secs(72)), 3);
        assert_eq!(fine.to_string(), "60/6");
        for bad in ["60", "0/6", "6/0", "a/b", "60/60/60", "-6/6", "4000/6", ""] {
            assert!(bad.parse::<Pulse>().is_err(), "{bad}");
        }
    }

    #[test]
    fn no_call_is_billed_more_than_was_reserved() {
        let script = CallScript {
            clip: ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() },
            caller: None,
            length_ms: 57_500,
            tail_ms: 2_500,
            pulse: Pulse::MINUTES,
            poll: None,
        };
        assert_eq!((script.pulses(), script.ends_on().as_str()), (1, "9"));
        assert_eq!(script.billed(Duration::from_millis(60_020)), 1, "the network was late to end it");
        assert_eq!(script.billed(Duration::ZERO), 0);
    }

    #[test]
    fn a_question_is_reserved_for_as_often_as_it_may_be_played() {
        let script = CallScript {
            clip: ClipSource::Recording { id: 1, name: "Question".into() },
            caller: None,
            length_ms: 20_000,
            tail_ms: 2_000,
            pulse: Pulse::MINUTES,
            poll: None,
        };
        let poll = Poll::parse(&["1=yes".to_owned(), "2=no".to_owned()], Some("3")).unwrap();
        let longest = Duration::from_secs(64);
        let asking = script.clone().asking(poll.clone(), longest).unwrap();
        assert_eq!((asking.duration(), asking.said_ms()), (Duration::from_secs(66), 64_000));
        assert_eq!((asking.pulses(), asking.plays(), asking.ends_on().as_str()), (2, 3, "129"));
        assert_eq!(asking.billed(Duration::from_secs(21)), 1, "a key ended it");
        let refused = script.clone().asking(poll, Duration::from_secs(63)).unwrap_err();
        assert_eq!(refused.code(), "question_too_long");
        assert_eq!(script.clone().asking(None, Duration::ZERO).unwrap(), script);
        // What was stored before there were questions has none.
        let stored = serde_json::to_string(&script).unwrap();
        assert!(!stored.contains("poll"), "{stored}");
        assert_eq!(serde_json::from_str::<CallScript>(&stored).unwrap(), script);
    }
}
