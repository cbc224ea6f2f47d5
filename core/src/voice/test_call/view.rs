//! A test call in the words of the API.

use std::time::Duration;

use talkdrum_api::voice::VoiceTest;

use super::{Stage, TestCall};
use crate::carrier::voice::CallOutcome;
use crate::time::Time;
use crate::voice::single_call::in_words;

/// As its user sees it: without the trunk, which is the operator's affair.
pub(super) fn shown(call: &TestCall) -> VoiceTest {
    let result = match &call.stage {
        Stage::Ended(Some(result)) => Some(result),
        _ => None,
    };
    let (status, outcome, message) = match &call.stage {
        Stage::Preparing | Stage::Calling => ("calling", None, "The call is being placed".to_owned()),
        Stage::Ringing => ("ringing", None, "The phone rings".to_owned()),
        Stage::Answered => ("answered", None, "The call was answered, and the message is played".to_owned()),
        Stage::Ended(Some(result)) => ("ended", Some(result.outcome.code()), in_words(result)),
        Stage::Ended(None) => {
            ("ended", Some("unknown"), "The call was cut off: how it ended is not known".to_owned())
        }
        Stage::NotPlaced(reason) => {
            ("ended", Some(CallOutcome::TrunkError.code()), format!("The call was not placed: {reason}"))
        }
    };
    let seconds =
        result.map_or(0, |result| i64::try_from(result.up.as_millis().div_ceil(1_000)).unwrap_or(0));
    let ms = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    let at = |time: Option<Time>| time.map(Time::to_rfc3339);
    VoiceTest {
        id: call.id.0,
        to: call.to.to_string(),
        from: call.from.as_deref().map(str::to_owned),
        status: status.to_owned(),
        outcome: outcome.map(str::to_owned),
        over: call.is_over(),
        message,
        attempts: call.attempts,
        length_ms: ms(call.length),
        created_at: call.began_at.to_rfc3339(),
        ringing_at: at(result.and_then(|result| result.ringing_at)),
        answered_at: at(result.and_then(|result| result.answered_at)),
        ended_at: at(result.map(|result| result.ended_at)),
        seconds,
        heard_ms: result.map_or(0, |result| ms(result.heard)),
        digits: call.digits.clone(),
        code: result.and_then(|result| result.code),
        ended_by: result.map(|result| result.ended_by.code().to_owned()),
    }
}
