//! A call that verifies a number, in the words of the API.

use talkdrum_api::sender::OwnNumberCall;

use crate::account::CODE_VALID_FOR;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::sender::OwnCallStatus;
use crate::model::sender::id::OwnCallId;
use crate::store::Tx;
use crate::store::voice::own_number_call as rows;
use crate::time::Time;

/// How a call of a user goes.
///
/// # Errors
/// 404 when the user has no such call.
pub async fn show_call(tx: &mut Tx, user: UserId, id: OwnCallId) -> Result<OwnNumberCall> {
    let row = rows::by_id(tx, id).await?.filter(|row| row.user_id == user);
    shown(row.ok_or(Error::NotFound("call; they are kept for 30 days"))?)
}

/// As its user sees it: without the trunk, which is the operator's affair.
fn shown(row: rows::OwnCallRow) -> Result<OwnNumberCall> {
    let message = match row.status {
        OwnCallStatus::Calling => "The call is being placed",
        OwnCallStatus::Ringing => "The phone rings",
        OwnCallStatus::Answered => "The call was answered, and the code is spoken",
        OwnCallStatus::Ended => row.message.as_deref().unwrap_or(CUT_OFF),
    };
    let cost = |pulses: i64| row.unit_price.times(u64::try_from(pulses).unwrap_or_default());
    let at = |time: Option<Time>| time.map(Time::to_rfc3339);
    Ok(OwnNumberCall {
        id: row.id.0,
        message: message.to_owned(),
        status: row.status.code().to_owned(),
        over: row.status == OwnCallStatus::Ended,
        currency: row.currency.code().to_owned(),
        unit_price: row.unit_price,
        pulses: row.kept_pulses,
        charged: cost(row.kept_pulses)?,
        refunded: cost(row.pulses - row.kept_pulses)?,
        created_at: row.created_at.to_rfc3339(),
        code_expires_at: (row.created_at + CODE_VALID_FOR).to_rfc3339(),
        ringing_at: at(row.ringing_at),
        answered_at: at(row.answered_at),
        ended_at: at(row.ended_at),
        seconds: row.up_ms.saturating_add(999) / 1_000,
        phone_number: row.number,
        from: row.caller,
        outcome: row.outcome.map(|outcome| outcome.code().to_owned()),
        attempts: row.attempts,
    })
}

/// How a call ended that was cut off.
pub(super) const CUT_OFF: &str = "The call was cut off: how it ended is not known";
