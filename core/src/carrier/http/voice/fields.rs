//! What webhooks and polled answers say of a call: which field says what, and what the provider's statuses mean.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::reference;
use crate::carrier::http::fields::Fields;
use crate::carrier::http::provider::{self, Callback};
use crate::carrier::voice::{CallOf, CallOutcome, CallResult, EndedBy};
use crate::error::{Error, Result};
use crate::time::Time;

/// The longest call that a provider is believed.
const SECONDS_MAX: u64 = 86_400;
/// How long a call is taken to have been up that was answered, where neither the provider nor our clock says.
pub(super) const LEAST: Duration = Duration::from_secs(1);
/// The longest id, in bytes.
pub(super) const ID_MAX: usize = 200;
/// Keys of a call that are kept.
const DIGITS_MAX: usize = 64;
/// The words for what a status means.
const WORDS: &str = "queued, ringing, in_progress, answered, busy, no_answer, rejected, invalid_number, trunk_error or failed";

/// How far a call is, later ones greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It is still to be placed.
    Queued,
    /// The phone rings.
    Ringing,
    /// It was picked up and goes on.
    Up,
    /// It is over.
    Over(CallOutcome),
}

impl Phase {
    fn of(word: &str) -> Option<Self> {
        let over = |outcome: CallOutcome| (outcome.code() == word).then_some(Self::Over(outcome));
        match word {
            "queued" => Some(Self::Queued),
            "ringing" => Some(Self::Ringing),
            "in_progress" => Some(Self::Up),
            _ => CallOutcome::ALL.into_iter().find_map(over),
        }
    }

    const fn rank(self) -> u8 {
        match self {
            Self::Queued => 0,
            Self::Ringing => 1,
            Self::Up => 2,
            Self::Over(_) => 3,
        }
    }
}

/// The reports on a call so far, merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    pub(super) phase: Option<Phase>,
    /// Whether it rang, whatever came after.
    pub(super) was_ringing: bool,
    /// Whether it was picked up, whatever came after.
    pub(super) was_up: bool,
    /// How long it was up, of one that is over.
    pub(super) up: Option<Duration>,
    /// All keys so far.
    pub(super) digits: String,
}

impl News {
    /// Adds a later report, or one that came later: a call never goes back, and its first end stays.
    pub(super) fn add(&mut self, later: &Self) {
        self.was_ringing |= later.was_ringing;
        self.was_up |= later.was_up;
        let was_over = matches!(self.phase, Some(Phase::Over(_)));
        if later.phase.map(Phase::rank) > self.phase.map(Phase::rank) {
            self.phase = later.phase;
        }
        // What a call that goes on was up so far is no sum.
        if !was_over && matches!(later.phase, Some(Phase::Over(_))) {
            self.up = later.up;
        }
        if later.digits.len() > self.digits.len() {
            self.digits.clone_from(&later.digits);
        }
    }
}

/// What a webhook tells of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallReport {
    /// The provider's id.
    pub(super) id: Option<Box<str>>,
    /// Our own reference.
    pub(super) ours: Option<Box<str>>,
    pub(super) news: News,
}

impl CallReport {
    /// What a webhook tells that names a message's call and one of our words for how it goes.
    #[cfg(test)]
    pub(crate) fn of_test(of: CallOf, word: &str, seconds: u64, keys: &str) -> Self {
        let ours = reference::new(Some(of), &crate::entropy::SeededEntropy::new(7));
        let up = Some(Duration::from_secs(seconds));
        let news =
            News { phase: Phase::of(word), was_ringing: false, was_up: false, up, digits: keys.into() };
        Self { id: None, ours: Some(ours.into()), news }
    }

    /// The keys that it tells.
    pub fn keys(&self) -> &str {
        &self.news.digits
    }

    /// The message that it is about, as our reference says; `None` where none says so.
    pub fn of(&self) -> Option<CallOf> {
        reference::read(self.ours.as_ref().or(self.id.as_ref())?)
    }

    /// How the call ended, where this tells it, of a call that is not followed any more: no more is known of it than this.
    pub fn end(&self, now: Time) -> Option<CallResult> {
        let Some(Phase::Over(outcome)) = self.news.phase else { return None };
        let is_answered = outcome == CallOutcome::Answered;
        let told = self.news.up.filter(|up| is_answered && !up.is_zero());
        let up = told.unwrap_or(if is_answered { LEAST } else { Duration::ZERO });
        Some(CallResult {
            outcome,
            reason: "it was told late",
            code: None,
            ringing_at: None,
            answered_at: is_answered.then(|| now - up),
            ended_at: now,
            up,
            heard: up,
            digits: self.news.digits.clone(),
            ended_by: match outcome {
                CallOutcome::TrunkError | CallOutcome::Failed => EndedBy::Trunk,
                _ => EndedBy::Callee,
            },
        })
    }
}

/// The settings `[carriers.call]`: a field's name, or a JSON pointer when it begins with `/`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CallFields {
    /// The provider's id of the call.
    pub(super) id: String,
    /// Our own reference, `{ref}`.
    #[serde(rename = "ref")]
    pub(super) ours: String,
    /// How the call goes.
    pub(super) status: String,
    /// How long it was up, in seconds.
    pub(super) seconds: String,
    /// The keys that were pressed.
    pub(super) digits: String,
    /// From the provider's statuses, in small letters, to ours.
    pub(super) statuses: BTreeMap<String, String>,
}

impl CallFields {
    /// # Errors
    /// `bad_carrier` for what is missing, or has no meaning.
    pub(super) fn check(&self) -> Result<()> {
        let bad = |what: String| Err(Error::rule("bad_carrier", what));
        if self.status.is_empty() {
            return bad("`call.status` is missing: the field that tells how a call goes".into());
        }
        if let Some((status, word)) = self.statuses.iter().find(|(_, word)| Phase::of(word).is_none()) {
            return bad(format!("`call.statuses`: '{word}' of '{status}' is none of {WORDS}"));
        }
        if let Some(status) = self.statuses.keys().find(|status| **status != status.to_lowercase()) {
            return bad(format!(
                "`call.statuses`: write '{status}' in small letters; any case is understood"
            ));
        }
        if !self.statuses.values().any(|word| word == CallOutcome::Answered.code()) {
            return bad(
                "`call.statuses` says of no status that it means answered: no call would ever be".into()
            );
        }
        Ok(())
    }

    /// The same where a poll's answer has some of them elsewhere.
    pub(super) fn or_else(&self, elsewhere: &Elsewhere) -> Self {
        let other = |other: &String, usual: &String| if other.is_empty() { usual } else { other }.clone();
        Self {
            status: other(&elsewhere.status, &self.status),
            seconds: other(&elsewhere.seconds, &self.seconds),
            digits: other(&elsewhere.digits, &self.digits),
            ..self.clone()
        }
    }

    /// What a callback, or the body of an answer, tells of a call.
    pub(super) fn read(&self, callback: &Callback<'_>) -> CallReport {
        let fields = Fields::of(callback);
        let name = |field: &str| {
            let value = fields.get(field).filter(|value| (1..=ID_MAX).contains(&value.len()));
            value.map(|value| provider::reference(&value).0)
        };
        let phase = fields.get(&self.status).and_then(|status| {
            let status = status.to_lowercase();
            let phase = self.statuses.get(&status).and_then(|word| Phase::of(word));
            if phase.is_none() {
                tracing::debug!(status, "`call.statuses` does not say what a status means");
            }
            phase
        });
        let keys = fields.get(&self.digits).unwrap_or_default();
        let keys = keys.to_uppercase();
        let is_key = |key: &char| matches!(key, '0'..='9' | '*' | '#' | 'A'..='D');
        let news = News {
            phase,
            was_ringing: phase == Some(Phase::Ringing),
            was_up: phase == Some(Phase::Up),
            up: fields.get(&self.seconds).as_deref().and_then(duration),
            digits: keys.chars().filter(is_key).take(DIGITS_MAX).collect(),
        };
        CallReport { id: name(&self.id), ours: name(&self.ours), news }
    }
}

/// Where a poll's answer has what webhooks have elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Elsewhere {
    pub(super) status: String,
    pub(super) seconds: String,
    pub(super) digits: String,
}

/// Seconds, with or without a fraction.
fn duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    // What does not fit is beyond the most anyhow.
    let seconds: u64 = whole.parse().unwrap_or(SECONDS_MAX);
    let ms: u64 = format!("{fraction:0<3.3}").parse().ok()?;
    Some(Duration::from_millis(seconds.min(SECONDS_MAX) * 1_000 + ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(phase: Phase, seconds: Option<u64>, digits: &str) -> News {
        News {
            phase: Some(phase),
            was_ringing: phase == Phase::Ringing,
            was_up: phase == Phase::Up,
            up: seconds.map(Duration::from_secs),
            digits: digits.into(),
        }
    }

    #[test]
    fn seconds_are_read_to_the_millisecond_and_nothing_else_is() {
        for (text, ms) in [
            ("12", Some(12_000)),
            (" 12.5 ", Some(12_500)),
            ("0.0421", Some(42)),
            ("0", Some(0)),
            ("99999999999999999999", Some(SECONDS_MAX * 1_000)),
            ("", None),
            ("-1", None),
            (".5", None),
            ("00:12", None),
            ("1e3", None),
        ] {
            assert_eq!(duration(text), ms.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn a_call_goes_forward_only_and_its_first_end_stays() {
        let mut so_far = News::default();
        so_far.add(&news(Phase::Up, Some(5), "1"));
        so_far.add(&news(Phase::Ringing, None, ""));
        assert_eq!(so_far, News { was_ringing: true, ..news(Phase::Up, None, "1") });
        so_far.add(&news(Phase::Over(CallOutcome::Answered), Some(61), "12"));
        so_far.add(&news(Phase::Over(CallOutcome::Busy), Some(600), "12"));
        let ended = news(Phase::Over(CallOutcome::Answered), Some(61), "12");
        assert_eq!(so_far, News { was_ringing: true, was_up: true, ..ended });
    }

    #[test]
    fn every_word_for_a_status_has_its_meaning() {
        for word in WORDS.replace(" or", ",").split(',').map(str::trim).filter(|word| !word.is_empty()) {
            assert!(Phase::of(word).is_some(), "{word}");
        }
        assert_eq!(Phase::of("completed"), None);
    }
}
