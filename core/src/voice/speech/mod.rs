//! Text to speech: a text as it is said ([`normalise`]), spoken by a program ([`engine`]) into a clip ([`super::clip`]) that is
//! kept by its content ([`cache`]).
//!
//! The same text is spoken once at a time: all that ask for it meanwhile get the same clip. A clip is made to its end,
//! whether or not the client waits for it.

mod cache;
mod engine;
mod normalise;
mod respell;
mod wav;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared};
use tokio::sync::oneshot;
use tracing::Instrument as _;

pub use cache::CacheConfig;
pub use engine::{ESPEAK, EngineConfig, OUTPUT, VOICE};
pub use normalise::{GROWTH_MAX, normalise};
use respell::respell;

use crate::error::{Error, Result};
use crate::time::{Clock, Time};
use crate::voice::clip::{Clip, SECONDS_MAX};
use cache::{Cache, Key};
use engine::{Engine, Program, in_background};

/// Texts that are spoken or wait for an engine; more are refused.
const WAITING_MAX: usize = 64;

words! {
    /// A voice, by its name in the API.
    #[derive(Default, PartialOrd, Ord, Hash)]
    Voice {
        /// `uk-female`.
        #[default]
        UkFemale = "uk-female",
        /// `us-female`.
        UsFemale = "us-female",
        /// `uk-male`.
        UkMale = "uk-male",
        /// `us-male`.
        UsMale = "us-male",
    }
}

impl Voice {
    /// The names of all voices, for people.
    pub fn names() -> String {
        Self::ALL.iter().map(|voice| voice.code()).collect::<Vec<_>>().join(", ")
    }

    /// espeak-ng's name of it. `en` is its British English; of `en-gb` it knows no variants, and all speak as one man.
    pub const fn espeak(self) -> &'static str {
        match self {
            Self::UkFemale => "en+f3",
            Self::UsFemale => "en-us+f3",
            Self::UkMale => "en+m3",
            Self::UsMale => "en-us+m3",
        }
    }
}

/// Why there is no clip.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SpeechError {
    /// The program is not installed.
    #[error("the speech engine '{0}' is not installed")]
    NoEngine(String),
    /// There is nothing in the text that could be said.
    #[error("there is nothing to say")]
    NothingSaid,
    /// It takes longer than [`SECONDS_MAX`].
    #[error("it takes more than {} minutes to say", SECONDS_MAX / 60)]
    TooLong,
    /// The engine took too long.
    #[error("the speech engine did not end within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The engine failed.
    #[error("the speech engine failed: {0}")]
    Failed(String),
    /// Too many texts wait.
    #[error("{WAITING_MAX} texts wait for the speech engine")]
    Busy,
}

impl From<SpeechError> for Error {
    /// The text for the author of the message; an engine's own words are for the log.
    fn from(error: SpeechError) -> Self {
        match &error {
            SpeechError::NoEngine(name) => Self::unavailable("speech_unavailable", no_engine(name)),
            SpeechError::NothingSaid => {
                Self::field("ttsMsg", "nothing_to_say", "Voice Message has nothing to say: write some words")
            }
            SpeechError::TooLong => Self::field(
                "ttsMsg",
                "voice_message_too_long",
                format!("Voice Message takes more than {} minutes to say: shorten it", SECONDS_MAX / 60),
            ),
            SpeechError::TimedOut(_) | SpeechError::Failed(_) => Self::unavailable(
                "speech_failed",
                "The speech engine failed: try again, or tell the operator",
            ),
            SpeechError::Busy => Self::SpeechBusy,
        }
    }
}

/// What an operator does when there is no engine.
fn no_engine(name: &str) -> String {
    let what = if name == ESPEAK[0] { "install the package espeak-ng" } else { "install it" };
    format!(
        "Text cannot be spoken: the speech engine '{name}' is not installed. On the server, {what}, or set voice.engine"
    )
}

/// A text that is to be spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeechText {
    /// As its author wrote it.
    written: String,
    /// As the engine reads it: see [`normalise`] and [`respell`].
    text: String,
    voice: Voice,
}

impl SpeechText {
    /// Reads a form's fields.
    ///
    /// # Errors
    /// 'Voice Message is required'; a text of more than `characters_max` characters; an unknown voice.
    pub fn parse(message: Option<&str>, voice: Option<&str>, characters_max: usize) -> Result<Self> {
        let given =
            |field: Option<&'_ str>| field.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let required = || Error::field("ttsMsg", "voice_message_required", "Voice Message is required");
        let message = given(message).ok_or_else(required)?;
        let voice = match given(voice) {
            None => Voice::default(),
            Some(code) => Voice::from_code(&code).ok_or_else(|| {
                let known = Voice::names();
                Error::field(
                    "ttsVoice",
                    "unknown_voice",
                    format!("There is no voice '{code}': use one of {known}"),
                )
            })?,
        };
        let characters = message.chars().count();
        if characters > characters_max {
            return Err(Error::field(
                "ttsMsg",
                "voice_message_too_long",
                format!(
                    "Voice Message has {characters} characters, and may have {characters_max}: shorten it"
                ),
            ));
        }
        Ok(Self { text: respell(&normalise(&message)), written: message, voice })
    }

    /// As its author wrote it, without blanks around.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Who speaks it.
    pub const fn voice(&self) -> Voice {
        self.voice
    }
}

type Rendering = Shared<BoxFuture<'static, Result<Clip, SpeechError>>>;

/// Speaks texts. A cheap handle.
#[derive(Clone)]
pub struct Speech(Arc<Inner>);

struct Inner {
    engine: Engine,
    cache: Cache,
    clock: Arc<dyn Clock>,
    /// Texts that are being spoken.
    renderings: Mutex<HashMap<Key, Rendering>>,
}

impl fmt::Debug for Speech {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Speech").field("engine", &self.0.engine).finish_non_exhaustive()
    }
}

impl Speech {
    /// Opens the cache. That there is no engine is said when a text is to be spoken, see [`EngineConfig::missing`].
    ///
    /// # Errors
    /// When the cache's directory cannot be used.
    pub fn open(engine: EngineConfig, cache: CacheConfig, clock: Arc<dyn Clock>) -> Result<Self> {
        Ok(Self(Arc::new(Inner {
            engine: Engine::new(engine),
            cache: Cache::open(cache, clock.now())?,
            clock,
            renderings: Mutex::default(),
        })))
    }

    /// Removes clips that were not used for long by now.
    pub async fn tidy(&self, now: Time) {
        let inner = Arc::clone(&self.0);
        let _ = in_background(move || inner.cache.tidy(now)).await;
    }

    /// The clip of a text.
    ///
    /// # Errors
    /// `speech_unavailable`, `speech_failed`, `speech_busy`; `nothing_to_say` and `voice_message_too_long` name the field.
    pub async fn say(&self, text: SpeechText) -> Result<Clip> {
        if !text.text.contains(char::is_alphanumeric) {
            return Err(SpeechError::NothingSaid.into());
        }
        let inner = Arc::clone(&self.0);
        let program = in_background(move || inner.engine.find()).await??;
        Ok(self.rendering(program, text)?.await?)
    }

    /// The clip of a text of which nothing is kept: a secret, which is neither cached nor shared with others who ask for it.
    /// How many ask at once is bounded by the caller.
    ///
    /// # Errors
    /// As [`Self::say`].
    pub async fn say_once(&self, text: SpeechText) -> Result<Clip> {
        if !text.text.contains(char::is_alphanumeric) {
            return Err(SpeechError::NothingSaid.into());
        }
        let inner = Arc::clone(&self.0);
        let program = in_background(move || inner.engine.find()).await??;
        let spoken = self.0.engine.speak(&program, text.voice, &text.text).await;
        Ok(spoken.inspect_err(|error| {
            tracing::warn!(voice = text.voice.code(), %error, "a text was not spoken");
        })?)
    }

    /// The rendering of a text, which is begun unless it is under way.
    fn rendering(&self, program: Program, text: SpeechText) -> Result<Rendering, SpeechError> {
        let key = self.0.engine.key(&program, text.voice, &text.text);
        let mut renderings = self.0.lock();
        if let Some(rendering) = renderings.get(&key) {
            return Ok(rendering.clone());
        }
        if renderings.len() >= WAITING_MAX {
            return Err(SpeechError::Busy);
        }
        let (done, ended) = oneshot::channel();
        let ended = ended
            .map(|clip| clip.unwrap_or_else(|_| Err(SpeechError::Failed("its task was cut off".to_owned()))));
        let rendering = ended.boxed().shared();
        renderings.insert(key, rendering.clone());
        // Dropping `under_way` takes the lock, and a runtime that shuts down drops the task at once.
        drop(renderings);
        let under_way = UnderWay { inner: Arc::clone(&self.0), key };
        let task = async move {
            let clip = under_way.render(program, text).await;
            let _ = done.send(clip);
        };
        tokio::spawn(task.in_current_span());
        Ok(rendering)
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Rendering>> {
        self.renderings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text that is being spoken; no longer when this is dropped.
struct UnderWay {
    inner: Arc<Inner>,
    key: Key,
}

impl UnderWay {
    async fn render(self, program: Program, text: SpeechText) -> Result<Clip, SpeechError> {
        let (inner, key) = (Arc::clone(&self.inner), self.key);
        if let Some(clip) = in_background(move || inner.cache.get(&key, inner.clock.now())).await? {
            return Ok(clip);
        }
        let clip = self.inner.engine.speak(&program, text.voice, &text.text).await.inspect_err(|error| {
            if !matches!(error, SpeechError::TooLong) {
                tracing::warn!(voice = text.voice.code(), %error, "a text was not spoken");
            }
        })?;
        let (inner, kept) = (Arc::clone(&self.inner), clip.clone());
        in_background(move || inner.cache.put(&key, &kept, inner.clock.now())).await?;
        Ok(clip)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.inner.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests;
