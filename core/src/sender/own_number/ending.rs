//! The end of a call that verifies a number: what of its charge stays, in the transaction that gives the rest back.
//!
//! What is proven stays charged: the pulses that an answered call was up for; of one that was cut off after its answer, the
//! first one. All else is given back, once, as a call ends once.

use std::time::Duration;

use talkdrum_api::money::{Amount, Money};
use talkdrum_api::purpose::OptOutReach;

use crate::account::verification::code::Binding;
use crate::carrier::voice::CallOutcome;
use crate::contact::suppression;
use crate::content::Pulse;
use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::code_purpose::CodePurpose;
use crate::model::money::ledger::{AccountId, Code, Transfer};
use crate::model::platform::audit::AuditAction;
use crate::model::platform::id::RunId;
use crate::model::sender::OwnCallOutcome;
use crate::model::sender::id::OwnCallId;
use crate::notice::Notices;
use crate::phone::Msisdn;
use crate::platform::audit::{self, Entry};
use crate::sender::notify_owner::tell;
use crate::sender::pause_campaigns_from;
use crate::store::campaign::spending::{self, Spending};
use crate::store::sender::number as table;
use crate::store::voice::own_number_call as rows;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;
use crate::voice::single_call::{Ended, in_words};

use super::view::CUT_OFF;
use super::{ending_of, paused_in_words, subject_of};

/// Calls of dead runs that one step settles.
const DEAD_AT_ONCE: i64 = 64;

/// How a call ended, as far as its daemon knows.
#[derive(Clone, Debug)]
pub(super) struct CallEnd {
    pub(super) ended: Ended,
    /// Whether an answer was seen, which the database may not have heard of.
    pub(super) is_answered: bool,
    /// Whether 9 was pressed, as far as it was heard before the end.
    pub(super) is_refused: bool,
    pub(super) pulse: Pulse,
    /// What tells the owner of the account where a number is taken back. None where another run ended the call: of a 9 that
    /// was stored before, the owner was told then.
    pub(super) notices: Option<Notices>,
}

impl CallEnd {
    /// The end of a call whose daemon is over.
    const OF_THE_DEAD: Self = Self {
        ended: Ended::Over(None),
        is_answered: false,
        is_refused: false,
        pulse: Pulse::MINUTES,
        notices: None,
    };

    fn is_refused(&self) -> bool {
        let in_the_end =
            matches!(&self.ended, Ended::Over(Some(result)) if suppression::opts_out(&result.digits));
        self.is_refused || in_the_end
    }
}

/// The reference of what a call was charged, and of what was given back of it.
pub(super) fn reference(call: OwnCallId) -> String {
    format!("own_number_call:{call}")
}

/// Ends a call; false where another transaction did.
pub(super) async fn end(tx: &mut Tx, id: OwnCallId, call: &CallEnd, now: Time) -> Result<bool> {
    let Some(row) = rows::close(tx, id, now).await? else {
        // A run that was taken for dead heard it all the same.
        if call.is_refused() {
            refuse(tx, id, call.notices.as_ref(), now).await?;
        }
        return Ok(false);
    };
    let ms = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    let answered_at = row.answered_at.or(call.is_answered.then_some(now));
    let cut_off = rows::End {
        outcome: OwnCallOutcome::Unknown,
        message: CUT_OFF,
        kept_pulses: i64::from(answered_at.is_some()),
        ringing_at: row.ringing_at,
        answered_at,
        ended_at: now,
        up_ms: 0,
    };
    // Campaigns are locked before wallets, and lists of opt-outs last, as everywhere.
    let is_refused = call.is_refused() && rows::note_refused(tx, id, now).await?.is_some();
    if is_refused {
        void(tx, &row, call.notices.as_ref(), now).await?;
    }
    match &call.ended {
        Ended::Over(None) => settle(tx, &row, &cut_off, now).await?,
        Ended::Over(Some(result)) => {
            let is_answered = result.outcome == CallOutcome::Answered;
            let pulses = i64::try_from(call.pulse.count(result.up)).unwrap_or(i64::MAX);
            let pulses = pulses.max(1).min(row.pulses);
            let end = rows::End {
                outcome: OwnCallOutcome::Known(result.outcome),
                message: &in_words(result),
                kept_pulses: if is_answered { pulses } else { 0 },
                ringing_at: result.ringing_at,
                answered_at: result.answered_at,
                ended_at: result.ended_at,
                up_ms: ms(result.up),
            };
            settle(tx, &row, &end, now).await?;
        }
        Ended::NotPlaced(reason) => {
            let message = format!("The call was not placed: {reason}");
            let outcome = OwnCallOutcome::Known(CallOutcome::TrunkError);
            let end = rows::End { outcome, message: &message, kept_pulses: 0, answered_at: None, ..cut_off };
            settle(tx, &row, &end, now).await?;
        }
    }
    if is_refused {
        opt_out(tx, &row, now).await?;
    }
    Ok(true)
}

/// The person pressed 9 in a call, whether it is over or not: the first time counts.
pub(super) async fn refuse(tx: &mut Tx, id: OwnCallId, notices: Option<&Notices>, now: Time) -> Result<()> {
    let Some(row) = rows::note_refused(tx, id, now).await? else { return Ok(()) };
    void(tx, &row, notices, now).await?;
    opt_out(tx, &row, now).await
}

async fn opt_out(tx: &mut Tx, row: &rows::OwnCallRow, now: Time) -> Result<()> {
    let number = row.number.parse().ok().and_then(Msisdn::from_digits);
    let number = number.ok_or_else(|| Error::Corrupt(format!("call {} went to no number", row.id)))?;
    suppression::add_by_key(tx, row.user_id, vec![number], OptOutReach::All, now).await
}

/// The code of a call in which 9 was pressed proves nothing. Where it came back before, what it proved is taken back.
async fn void(tx: &mut Tx, row: &rows::OwnCallRow, notices: Option<&Notices>, now: Time) -> Result<()> {
    Binding::new(CodePurpose::OwnNumber, &row.user_id).void(tx, row.created_at).await?;
    match row.verified_at {
        Some(_) => take_back(tx, row, notices, now).await,
        None => Ok(()),
    }
}

/// The number is its user's no more, and campaigns that call from it pause.
async fn take_back(tx: &mut Tx, row: &rows::OwnCallRow, notices: Option<&Notices>, now: Time) -> Result<()> {
    rows::forget_verified(tx, row.user_id, &row.number).await?;
    if table::delete_own_of(tx, row.user_id, &row.number).await?.is_none() {
        return Ok(());
    }
    // The entry outlasts the account, so it does not name the number.
    let was = format!("ending in {}", ending_of(&row.number));
    let entry = Entry::new(row.user_id, AuditAction::OwnNumberRefuse, format!("user {}", row.user_id));
    audit::record(tx, &entry.before(Some(was)), now).await?;
    let paused = pause_campaigns_from(tx, row.user_id, &row.number).await?;
    let Some(notices) = notices else { return Ok(()) };
    let text = format!(
        "The person who answered pressed 9 in the call that verified the number ending in {}: no more calls show it, and it \
         is on your list of opt-outs.{}",
        ending_of(&row.number),
        paused_in_words(paused)
    );
    tell(tx, notices, row.user_id, (&subject_of(&row.number), &text), now).await
}

async fn settle(tx: &mut Tx, row: &rows::OwnCallRow, end: &rows::End<'_>, now: Time) -> Result<()> {
    rows::note_end(tx, row.id, end).await?;
    // A code that costs nothing proves nothing: it may have been heard where the call was cut off.
    if end.kept_pulses == 0 {
        Binding::new(CodePurpose::OwnNumber, &row.user_id).void(tx, row.created_at).await?;
    }
    let unused = u64::try_from(row.pulses - end.kept_pulses).unwrap_or_default();
    let amount = row.unit_price.times(unused)?;
    if amount == Amount::ZERO {
        return Ok(());
    }
    // What comes back was not spent. What the day has is locked before the wallets, as when it is charged.
    if let Some(day) = row.counted_on.clone() {
        let given = Spending { user: row.user_id, currency: row.currency, day, amount };
        spending::give_back(tx, &given).await?;
    }
    let (wallet, _) = ledger::wallet(tx, row.user_id, row.currency).await?;
    let why = if end.kept_pulses == 0 { "was not answered" } else { "took fewer pulses" };
    let transfer = Transfer {
        debit: AccountId::revenue(row.currency),
        credit: wallet,
        money: Money { amount, currency: row.currency },
        code: Code::Refund,
        reference: reference(row.id),
        narration: format!("The call to verify the number ending in {} {why}", ending_of(&row.number)),
        campaign: None,
    };
    ledger::post(tx, &transfer, now).await.map(|_| ())
}

/// Ends calls that runs had under way which are over; true when there may be more.
///
/// # Errors
/// Errors of the database.
pub async fn settle_of_the_dead(store: &Store, me: RunId, now: Time) -> Result<bool> {
    let calls = rows::owned_by_the_dead(&mut store.read().await?, me, DEAD_AT_ONCE).await?;
    let are_many = i64::try_from(calls.len()).unwrap_or(DEAD_AT_ONCE) == DEAD_AT_ONCE;
    let mut is_any_settled = false;
    for call in calls {
        let ended = store.write(Lane::Interactive, (call, now), |tx, (call, now)| {
            Box::pin(async move { end(tx, *call, &CallEnd::OF_THE_DEAD, *now).await })
        });
        match ended.await {
            Ok(true) => {
                is_any_settled = true;
                tracing::warn!(
                    call = call.0,
                    "a call that verifies a number was cut off by the end of its daemon"
                );
            }
            Ok(false) => {}
            // Those behind it are not kept waiting.
            Err(error) if !error.is_passing() => {
                tracing::error!(call = call.0, code = error.code(), %error, "a call that was cut off cannot be settled");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(are_many && is_any_settled)
}
