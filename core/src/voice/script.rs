//! What is said in the calls of a campaign, measured: what a quote needs to know.

use std::time::Duration;

use crate::content::{CallScript, CallerNumber, ClipSource, Pulse};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::voice::id::RecordingId;
use crate::store::Tx;
use crate::store::voice::recording;
use crate::voice::clip::RATE;
use crate::voice::speech::{Speech, SpeechText};

/// How calls are billed, and how long they wait for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTerms {
    /// The units of billing.
    pub pulse: Pulse,
    /// How long keys are waited for after the clip.
    pub tail: Duration,
}

impl CallTerms {
    fn script(self, clip: ClipSource, caller: Option<CallerNumber>, length_ms: u64) -> CallScript {
        let tail_ms = u64::try_from(self.tail.as_millis()).unwrap_or(u64::MAX);
        CallScript { clip, caller, length_ms, tail_ms, pulse: self.pulse, poll: None }
    }

    /// Calls that speak a text, which is spoken now to learn how long it takes.
    ///
    /// # Errors
    /// Those of [`Speech::say`].
    pub async fn spoken(
        self,
        speech: &Speech,
        text: SpeechText,
        caller: Option<CallerNumber>,
    ) -> Result<CallScript> {
        let source =
            ClipSource::Speech { text: text.written().to_owned(), voice: text.voice().code().to_owned() };
        let samples = speech.say(text).await?.pcm().len() as u64 / 2;
        Ok(self.script(source, caller, (samples * 1_000).div_ceil(u64::from(RATE))))
    }

    /// Calls that play a recording of this user.
    ///
    /// # Errors
    /// 404 when the user has none with this id.
    pub async fn recorded(
        self,
        tx: &mut Tx,
        user: UserId,
        id: RecordingId,
        caller: Option<CallerNumber>,
    ) -> Result<CallScript> {
        let row = recording::by_id(tx, id).await?.filter(|row| row.user_id == user);
        let row = row.ok_or(Error::NotFound("recording"))?;
        let length_ms = u64::try_from(row.length_ms).unwrap_or_default();
        Ok(self.script(ClipSource::Recording { id: id.0, name: row.name }, caller, length_ms))
    }
}
