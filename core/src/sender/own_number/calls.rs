//! Calls that speak a code: charged, placed, and followed to their end.
//!
//! The code is drawn for one call, spoken, and forgotten: it is neither stored in the clear nor logged, and its sound is
//! gone with the call.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_api::money::{Amount, Currency, Money};
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use super::ending::{CallEnd, end, reference};
use super::limits::{self, Asked, NotCalled};
use super::observer::Observed;
use super::{check_new, ending_of};
use crate::account::verification::code::{Binding, Code as VerificationCode};
use crate::carrier::voice::{CallClip, CallRequest, VoiceCarrier};
use crate::content::Pulse;
use crate::content::poll::OPT_OUT_KEY;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::id::UserId;
use crate::model::money::ledger::{AccountId, Code, Transfer};
use crate::model::platform::id::RunId;
use crate::model::sender::id::OwnCallId;
use crate::notice::Notices;
use crate::phone::Msisdn;
use crate::platform::run_to_end::run_to_end;
use crate::routing::quiet_hours::QuietHours;
use crate::settings::{PriceKey, Vault, require_price};
use crate::store::campaign::confirm::lock_active;
use crate::store::operations::idempotency::{Claim, once_unless_refused};
use crate::store::voice::own_number_call as rows;
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};
use crate::voice::single_call::{Ended, Permit, SingleCalls};
use crate::voice::speech::{Speech, SpeechText};

/// What is played of the code at most, in seconds.
const SECONDS_MAX: u32 = 60;
/// Silence after it, so that its last word is not cut off.
const TAIL: Duration = Duration::from_secs(1);
/// How often it is asked whether a call was charged.
const DOUBTS: u32 = 300;
/// The same where the database refuses it for another reason than trouble of its own.
const LONG_PAUSE: Duration = Duration::from_mins(1);
/// Between two tries to store how a call ended.
const PAUSE: Duration = Duration::from_secs(1);
/// The digits as they are said.
const WORDS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// Bounds what an account spends in a day.
pub trait SpendingLimit: Send + Sync + fmt::Debug {
    /// Counts what a user is about to be charged, before the wallet is locked; in which day's spending, and `None` where it is
    /// not counted.
    ///
    /// # Errors
    /// `spending_cap` when it goes beyond it.
    fn count<'a>(
        &'a self,
        tx: &'a mut Tx,
        user: UserId,
        money: Money,
        now: Time,
    ) -> BoxFuture<'a, Result<Option<String>>>;
}

/// Verifies own numbers by calls. A cheap handle.
#[derive(Clone, Debug)]
pub struct OwnNumberCalls {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Seals codes.
    pub vault: Vault,
    /// Speaks codes.
    pub speech: Speech,
    /// Places the calls.
    pub calls: SingleCalls,
    /// How they are billed.
    pub pulse: Pulse,
    /// What an account may spend in a day.
    pub spending: Arc<dyn SpendingLimit>,
    /// When only phones are called that the user proved to have; none in the sandbox, where no one sleeps.
    pub hours: Option<Arc<QuietHours>>,
    /// Tells the owner of an account of its numbers; the sandbox's outbox shows the code of a call that was answered.
    pub notices: Notices,
    /// The calls under way, until their ends are stored.
    pub under_way: TaskTracker,
}

/// A number that a user wants to verify.
#[derive(Clone, Debug)]
pub struct OwnCallRequest {
    /// Whose.
    pub user: UserId,
    /// The number.
    pub number: Msisdn,
    /// What the call is paid in.
    pub currency: Currency,
    /// Who speaks; the first voice when it is left out.
    pub voice: Option<String>,
    /// The most that it may cost.
    pub most: Option<Amount>,
    /// Whether the trunks tell pressed keys: then the call says that 9 opts out.
    pub tells_keys: bool,
}

/// A call that is ready to be charged and placed.
#[derive(Clone)]
pub struct OwnCallDraft {
    user: UserId,
    number: Msisdn,
    unit: Money,
    pulses: u64,
    clip: CallClip,
    binding: Binding,
    code: VerificationCode,
}

impl fmt::Debug for OwnCallDraft {
    /// Without the code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft")
            .field("user", &self.user)
            .field("pulses", &self.pulses)
            .finish_non_exhaustive()
    }
}

/// What became of asking for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BegunCall {
    /// It is charged and begun, now or by the same request before; its id.
    Call(OwnCallId),
    /// It was not.
    Refused(NotCalled),
}

impl OwnNumberCalls {
    /// The price of a pulse of a call, if one may be begun.
    ///
    /// # Errors
    /// `own_number_verified`, `too_many_numbers`, `opted_out`, `price_unset`; inside, that no call may be begun now.
    pub async fn check(&self, wanted: &OwnCallRequest) -> Result<Result<Amount, NotCalled>> {
        let OwnCallRequest { user, number, currency, .. } = wanted;
        let mut tx = self.store.read().await?;
        check_new(&mut tx, *user, &number.to_string()).await?;
        check_not_refused(&mut tx, *user, *number, self.clock.now()).await?;
        let price = require_price(&mut tx, PriceKey::own_number_in(*currency)).await?;
        let number = number.to_string();
        Ok(limits::check(&mut tx, self.asked(*user, &number, self.clock.now())).await?.map(|_| price.amount))
    }

    fn asked<'a>(&'a self, user: UserId, number: &'a str, now: Time) -> Asked<'a> {
        Asked { user, number, hours: self.hours.as_deref(), now }
    }

    /// Waits until the ends of the calls under way are stored. Call it when no more are begun.
    pub async fn ended(&self) {
        self.under_way.close();
        self.under_way.wait().await;
    }

    /// Draws a code for a number and has it spoken. Nothing is charged or counted.
    ///
    /// # Errors
    /// Those of [`Self::check`] and [`Speech::say_once`]; `max_charge`; inside, that no call may be begun now.
    pub async fn prepare(&self, wanted: OwnCallRequest) -> Result<Result<OwnCallDraft, NotCalled>> {
        let amount = match self.check(&wanted).await? {
            Ok(amount) => amount,
            Err(refused) => return Ok(Err(refused)),
        };
        let OwnCallRequest { user, number, currency, voice, most, tells_keys } = wanted;
        let binding = Binding::new(CodePurpose::OwnNumber, &user).spoken_to(number);
        let code = binding.draw(&self.vault, self.entropy.as_ref());
        let text = SpeechText::parse(Some(&spoken(code.digits(), tells_keys)), voice.as_deref(), usize::MAX)?;
        let clip = CallClip::new(self.speech.say_once(text).await?.samples(SECONDS_MAX));
        let pulses = self.pulse.count(clip.duration() + TAIL);
        let charge = amount.times(pulses)?;
        if let Some(most) = most.filter(|most| charge > *most) {
            return Err(Error::rule(
                "max_charge",
                format!(
                    "The call may cost {charge} {currency}, more than the {most} that max_charge allows; nothing was \
                     charged"
                ),
            ));
        }
        let unit = Money { amount, currency };
        Ok(Ok(OwnCallDraft { user, number, unit, pulses, clip, binding, code }))
    }

    /// Charges a call and begins it, over the first of `trunks` that does not fail while the permit holds. It goes on by
    /// itself; the run `owner` of a daemon has it. With a claim once: the same request gets the call that it made.
    ///
    /// # Errors
    /// `insufficient_balance`, `spending_cap`, `account_inactive`, `codes_blocked`; those of [`Self::prepare`], which are asked
    /// again.
    pub async fn begin(
        &self,
        draft: OwnCallDraft,
        owner: RunId,
        way: (Vec<Arc<dyn VoiceCarrier>>, Arc<dyn Permit>),
        claim: Option<Claim>,
    ) -> Result<BegunCall> {
        // A client that goes away leaves no call that is charged and not placed.
        let this = self.clone();
        let begun = async move { this.charge_and_place(draft, owner, way, claim).await };
        run_to_end("a call that verifies a number", begun).await
    }

    async fn charge_and_place(
        &self,
        draft: OwnCallDraft,
        owner: RunId,
        (trunks, permit): (Vec<Arc<dyn VoiceCarrier>>, Arc<dyn Permit>),
        claim: Option<Claim>,
    ) -> Result<BegunCall> {
        let now = self.clock.now();
        let input = (self.clone(), draft.clone(), owner, claim, now);
        let charged = self.store.write(Lane::Interactive, input, |tx, (calls, draft, owner, claim, now)| {
            Box::pin(async move {
                let mut is_new = false;
                let begun = once_unless_refused(tx, claim.as_ref(), *now, async |tx| {
                    is_new = true;
                    calls.charge(tx, draft, *owner, *now).await
                });
                let begun = begun.await?.map_or_else(BegunCall::Refused, BegunCall::Call);
                Ok((is_new, begun))
            })
        });
        let (is_new, begun) = match charged.await {
            Err(Error::Doubtful(why)) => match self.charged_in_doubt(&draft, owner, now).await {
                Some(id) => (true, BegunCall::Call(id)),
                None => return Err(Error::Doubtful(why)),
            },
            charged => charged?,
        };
        if let (true, BegunCall::Call(id)) = (is_new, &begun) {
            self.place(*id, draft, trunks, permit);
        }
        Ok(begun)
    }

    /// The call that was charged at `now`, where the database did not say whether it stored it. A user has one at once.
    async fn charged_in_doubt(&self, draft: &OwnCallDraft, owner: RunId, now: Time) -> Option<OwnCallId> {
        for _ in 0..DOUBTS {
            let found = async { rows::begun_at(&mut self.store.read().await?, draft.user, owner, now).await };
            match found.await {
                Ok(found) => return found,
                Err(error) => {
                    tracing::warn!(code = error.code(), %error, "it is not known yet whether a call was charged");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        tracing::error!("whether a call was charged is settled by the next run");
        None
    }

    /// Counts and charges a call, and puts its code in the place of the one before; its id. Inside, that none may be begun.
    async fn charge(
        &self,
        tx: &mut Tx,
        draft: &OwnCallDraft,
        owner: RunId,
        now: Time,
    ) -> Result<Result<OwnCallId, NotCalled>> {
        let OwnCallDraft { user, number, unit, pulses, .. } = *draft;
        if lock_active(tx, BTreeSet::from([user])).await?.is_empty() {
            return Err(Error::inactive());
        }
        let number = number.to_string();
        rows::lock(tx).await?;
        check_new(tx, user, &number).await?;
        // 9 may have been pressed in another call while the code was spoken into a file.
        check_not_refused(tx, user, draft.number, now).await?;
        let trust = match limits::check(tx, self.asked(user, &number, now)).await? {
            Ok(trust) => trust,
            Err(refused) => return Ok(Err(refused)),
        };
        if !draft.binding.issue(tx, &draft.code, now).await? {
            return Err(Error::rule(
                "codes_blocked",
                "Codes were entered wrongly 100 times: numbers of this account can be verified again in 30 days",
            ));
        }
        let call = rows::NewCall {
            user,
            number: &number,
            currency: unit.currency,
            unit_price: unit.amount,
            pulses: i64::try_from(pulses).unwrap_or(i64::MAX),
            owner,
            has_paid_in: trust.has_paid_in,
        };
        let id = rows::insert(tx, &call, now).await?;
        let money = Money { amount: unit.amount.times(pulses)?, ..unit };
        if money.amount > Amount::ZERO {
            if let Some(day) = self.spending.count(tx, user, money, now).await? {
                rows::note_counted(tx, id, &day).await?;
            }
            let (wallet, _) = ledger::wallet(tx, user, unit.currency).await?;
            let transfer = Transfer {
                debit: wallet,
                credit: AccountId::revenue(unit.currency),
                money,
                code: Code::Charge,
                reference: reference(id),
                narration: format!("Call to verify the number ending in {}", ending_of(&number)),
                campaign: None,
            };
            ledger::post(tx, &transfer, now).await?;
        }
        Ok(Ok(id))
    }

    /// Has a call placed that was charged, and its end stored, whatever becomes of the task that is with it.
    fn place(
        &self,
        id: OwnCallId,
        draft: OwnCallDraft,
        trunks: Vec<Arc<dyn VoiceCarrier>>,
        permit: Arc<dyn Permit>,
    ) {
        let span = tracing::info_span!("own_number_call", id = id.0);
        let shown = format!("Your Talkdrum code is {}", draft.code.digits());
        let observed = Arc::new(Observed {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            notices: self.notices.clone(),
            id,
            number: draft.number.to_string(),
            shown,
            is_answered: AtomicBool::new(false),
            is_refused: AtomicBool::new(false),
        });
        let request = CallRequest {
            to: draft.number,
            from: None,
            clip: draft.clip,
            tail: TAIL,
            plays: 1,
            ends_on: OPT_OUT_KEY.into(),
            of: None,
        };
        let (calls, observer) = (self.calls.clone(), Arc::clone(&observed));
        let carried = async move { calls.carry(trunks, permit.as_ref(), request, observer.as_ref()).await };
        let carried = tokio::spawn(carried.instrument(span.clone()));
        let this = self.clone();
        let ending = async move {
            let ended = carried.await.unwrap_or_else(|error| {
                tracing::error!(%error, "the task of a call was cut off");
                Ended::Over(None)
            });
            let is_answered = observed.is_answered.load(Ordering::Acquire);
            let is_refused = observed.is_refused.load(Ordering::Acquire);
            let notices = Some(this.notices.clone());
            this.end(id, CallEnd { ended, is_answered, is_refused, pulse: this.pulse, notices }).await;
        };
        self.under_way.spawn(ending.instrument(span));
    }

    /// Stores how a call ended, as soon as the database takes it. What this run does not store is settled by the next one.
    async fn end(&self, id: OwnCallId, ended: CallEnd) {
        loop {
            let input = (id, ended.clone(), self.clock.now());
            let stored = self.store.write(Lane::Interactive, input, |tx, (id, ended, now)| {
                Box::pin(async move { end(tx, *id, ended, *now).await })
            });
            match stored.await {
                Ok(_) => return,
                Err(error) if error.is_passing() => {
                    tracing::error!(code = error.code(), %error, "how a call ended is not stored yet");
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => {
                    tracing::error!(code = error.code(), %error, "how a call ended cannot be stored");
                    tokio::time::sleep(LONG_PAUSE).await;
                }
            }
        }
    }
}

/// Refuses a number where 9 was pressed lately in such a call, whichever user's. No opt-out holds, as for every code.
async fn check_not_refused(tx: &mut Tx, user: UserId, number: Msisdn, now: Time) -> Result<()> {
    if limits::is_refused(tx, user, &number.to_string(), now).await? {
        return Err(Error::field(
            "own_number",
            "opted_out",
            "9 was pressed on this phone in a call that was to verify its number: for a week no account may have it called \
             for that, unless it is the verified phone of the account's profile",
        ));
    }
    Ok(())
}

/// The code twice, digit by digit, and how to opt out.
fn spoken(digits: &str, tells_keys: bool) -> String {
    let words: Vec<&str> = digits
        .bytes()
        .filter_map(|digit| WORDS.get(usize::from(digit.wrapping_sub(b'0'))).copied())
        .collect();
    let code = words.join(", ");
    let opt_out = if tells_keys {
        " To get no such call for a week, and no messages of theirs, press nine."
    } else {
        ""
    };
    format!(
        "Hello. A customer of Talkdrum wants to make calls that show your number. If that is not you, hang up, and give \
         this code to no other person.{opt_out} The code is: {code}. I repeat. The code is: {code}. Goodbye."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_said_twice_digit_by_digit_in_words() {
        let said = spoken("047312", true);
        assert_eq!(said.matches("zero, four, seven, three, one, two.").count(), 2, "{said}");
        assert!(!said.contains(|sign: char| sign.is_ascii_digit()), "{said}");
        assert_eq!(
            crate::voice::speech::normalise(&said),
            said,
            "and nothing of it is read as anything else"
        );
        assert!(said.contains("press nine"), "{said}");
        assert!(!spoken("047312", false).contains("press"), "no key would be heard of");
    }
}
