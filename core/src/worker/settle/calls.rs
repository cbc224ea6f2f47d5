//! The ends of calls: what each means for its message, its money and the next attempt.

use std::time::Duration;

use crate::carrier::CallPolicy;
use crate::carrier::voice::{CallOutcome, CallResult, EndedBy};
use crate::content::CallScript;
use crate::error::{Error, Result};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::store::voice::call::{CallRow, Stored};
use crate::time::Time;
use crate::worker::dispatch::requeue::Earlier;
use crate::worker::failover::Spares;

/// How long a call waits that could not be begun here.
const NOT_BEGUN_PAUSE: Duration = Duration::from_secs(5);

/// What follows from the end of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallCourse {
    /// The message is settled.
    Settled {
        /// Its status.
        status: MessageStatus,
        /// Why, as a code; `None` when it was answered.
        error: Option<&'static str>,
        /// What is charged, in pulses.
        pulses: Option<u8>,
    },
    /// It is called at once over another trunk, within the same attempt.
    Elsewhere {
        /// Over which.
        to: String,
        /// Why, as a code.
        reason: &'static str,
    },
    /// It is called again.
    Again {
        /// When.
        due: Time,
        /// Why, as a code.
        reason: &'static str,
        /// Calls that count as attempts so far.
        attempts: i64,
    },
}

/// What follows from a call that ended just now, of a message that was tried before, and what is kept of it. `spares` are
/// the trunks that take over where it was the trunk's fault.
pub(super) fn ended(
    message: MessageId,
    call: &CallResult,
    (script, policy): (&CallScript, &CallPolicy),
    earlier: &Earlier,
    spares: &mut Spares,
    now: Time,
) -> (CallCourse, CallRow) {
    let attempts = earlier.attempts + 1;
    let is_answered = call.outcome == CallOutcome::Answered;
    let pulses = if is_answered { script.billed(call.up) } else { 0 };
    let ms = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    let mut row = CallRow {
        message_id: message,
        attempts,
        tries: earlier.tries + 1,
        outcome: Stored(call.outcome),
        code: call.code.map(i64::from),
        ringing_at: call.ringing_at,
        answered_at: call.answered_at,
        ended_at: call.ended_at,
        up_ms: ms(call.up),
        heard_ms: ms(call.heard),
        pulses: i64::from(pulses),
        digits: call.digits.clone(),
        ended_by: Stored(call.ended_by),
        answer: script.poll.as_ref().filter(|_| is_answered).map(|poll| poll.answer(&call.digits)),
    };
    let reason = code_of(call.outcome);
    if call.is_trunks_fault()
        && let Some(to) = spares.take(&policy.failover, &earlier.tried, None)
    {
        row.attempts = earlier.attempts;
        return (CallCourse::Elsewhere { to, reason }, row);
    }
    let course = match call.outcome {
        CallOutcome::Answered => {
            CallCourse::Settled { status: MessageStatus::Delivered, error: None, pulses: Some(pulses) }
        }
        CallOutcome::Rejected | CallOutcome::InvalidNumber => {
            CallCourse::Settled { status: MessageStatus::Rejected, error: Some(reason), pulses: None }
        }
        // Ended here before it was answered, as the daemon stops or has no port for it: the attempt does not count. A phone
        // that rang is left alone for a while all the same.
        CallOutcome::Failed if call.ended_by == EndedBy::Caller && call.answered_at.is_none() => {
            let pause = if call.ringing_at.is_some() { policy.retry_after } else { NOT_BEGUN_PAUSE };
            CallCourse::Again { due: now + pause, reason, attempts: earlier.attempts }
        }
        CallOutcome::Busy | CallOutcome::NoAnswer | CallOutcome::TrunkError
            if attempts < i64::from(policy.attempts) =>
        {
            CallCourse::Again { due: now + policy.retry_after, reason, attempts }
        }
        _ => CallCourse::Settled { status: MessageStatus::Undelivered, error: Some(reason), pulses: None },
    };
    if let CallCourse::Again { attempts, .. } = course {
        row.attempts = attempts;
    }
    (course, row)
}

/// The code under which an outcome is stored as the reason of a message.
const fn code_of(outcome: CallOutcome) -> &'static str {
    match outcome {
        CallOutcome::Answered => "call:answered",
        CallOutcome::Busy => "call:busy",
        CallOutcome::NoAnswer => "call:no_answer",
        CallOutcome::Rejected => "call:rejected",
        CallOutcome::InvalidNumber => "call:invalid_number",
        CallOutcome::TrunkError => "call:trunk_error",
        CallOutcome::Failed => "call:failed",
    }
}

/// The script and the policy of a call that ended.
///
/// # Errors
/// [`Error::Corrupt`] when the message is no call, or its carrier places none.
pub(super) fn terms<'a>(
    message: MessageId,
    script: Option<&'a CallScript>,
    policy: Option<&'a CallPolicy>,
) -> Result<(&'a CallScript, &'a CallPolicy)> {
    script
        .zip(policy)
        .ok_or_else(|| Error::Corrupt(format!("message {} was called and is no call", message.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{ClipSource, Pulse};

    const POLICY: CallPolicy = CallPolicy::new(2, Duration::from_mins(5));

    const NOW: Time = Time(2_000_000);

    fn script() -> CallScript {
        CallScript {
            clip: ClipSource::Recording { id: 1, name: "News".into() },
            caller: None,
            length_ms: 130_000,
            tail_ms: 2_000,
            pulse: Pulse::MINUTES,
            poll: None,
        }
    }

    fn result(outcome: CallOutcome, up_s: u64, ended_by: EndedBy) -> CallResult {
        CallResult {
            outcome,
            reason: "it was so",
            code: Some(486),
            ringing_at: None,
            answered_at: None,
            ended_at: Time(1_000_000),
            up: Duration::from_secs(up_s),
            heard: Duration::ZERO,
            digits: "1".into(),
            ended_by,
        }
    }

    fn after(outcome: CallOutcome, up_s: u64, ended_by: EndedBy, attempts: i64) -> CallCourse {
        let earlier = Earlier { attempts, ..Earlier::default() };
        let call = result(outcome, up_s, ended_by);
        ended(MessageId(1), &call, (&script(), &POLICY), &earlier, &mut Spares::default(), NOW).0
    }

    #[test]
    fn an_answered_call_is_charged_the_pulses_that_it_was_up_and_no_more_than_reserved() {
        for (up, pulses) in [(1, 1), (60, 1), (61, 2), (132, 3), (500, 3)] {
            let settled =
                CallCourse::Settled { status: MessageStatus::Delivered, error: None, pulses: Some(pulses) };
            assert_eq!(after(CallOutcome::Answered, up, EndedBy::Callee, 0), settled, "{up}");
        }
    }

    #[test]
    fn only_what_may_go_better_is_tried_again_and_only_so_often() {
        let due = NOW + POLICY.retry_after;
        for outcome in [CallOutcome::Busy, CallOutcome::NoAnswer, CallOutcome::TrunkError] {
            let again = CallCourse::Again { due, reason: code_of(outcome), attempts: 1 };
            assert_eq!(after(outcome, 0, EndedBy::Callee, 0), again);
            let over = after(outcome, 0, EndedBy::Callee, 1);
            assert!(matches!(
                over,
                CallCourse::Settled { status: MessageStatus::Undelivered, pulses: None, .. }
            ));
        }
        for outcome in [CallOutcome::Rejected, CallOutcome::InvalidNumber] {
            let over = after(outcome, 0, EndedBy::Callee, 0);
            assert!(matches!(
                over,
                CallCourse::Settled { status: MessageStatus::Rejected, pulses: None, .. }
            ));
        }
    }

    #[test]
    fn a_call_that_was_hung_up_as_the_daemon_stopped_does_not_count() {
        let course = after(CallOutcome::Failed, 0, EndedBy::Caller, 1);
        let due = NOW + NOT_BEGUN_PAUSE;
        assert_eq!(course, CallCourse::Again { due, reason: "call:failed", attempts: 1 });
    }
}
