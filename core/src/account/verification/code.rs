//! Six-digit codes (NIST SP 800-63B, section 5.1.3): drawn, sent, compared once.
//!
//! What is stored cannot be turned back into a code without the vault's key; a try counts before it is
//! compared, so that many at once are as few as one by one; five tries void a code, and a new one voids the old; a code
//! that was sent to an e-mail address is void once the account has another address.

use std::time::Duration;

use subtle::ConstantTimeEq as _;

use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::user::Email;
use crate::notice;
use crate::phone::Msisdn;
use crate::settings::Vault;
use crate::store::account::code as rows;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// How long a code is good.
pub const VALID_FOR: Duration = Duration::from_mins(10);
/// Tries of one code.
pub(crate) const TRIES_MAX: i64 = 5;
/// Failures in a row, over all codes of a purpose and subject (NIST SP 800-63B, section 5.2.2); of own numbers all failures.
pub(crate) const FAILURES_MAX: i64 = 100;
/// Failures are forgotten this long after the last code.
pub(crate) const FAILURES_KEPT_FOR: Duration = Duration::from_hours(30 * 24);
/// What was sent is counted this long.
const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);
/// What the 56 bits of IPv6 get, as often as what one address gets: a household, whose devices are in several /64s.
const OF_56: usize = 4;
/// What the 48 bits of IPv6 get, likewise. One subscriber often has as many.
const OF_48: usize = 16;
/// Digits of a code.
const DIGITS: usize = 6;
/// How many codes there are.
const CODES: u64 = 1_000_000;

/// A code and what it is bound to.
#[derive(Clone)]
pub(crate) struct Code {
    digits: String,
    hash: [u8; 32],
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code(..)")
    }
}

/// What a code is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    purpose: CodePurpose,
    subject: String,
    /// The address or number that the code goes to; empty where the subject says it already.
    sent_to: String,
}

impl Binding {
    pub(crate) fn new(purpose: CodePurpose, subject: &impl ToString) -> Self {
        Self { purpose, subject: subject.to_string(), sent_to: String::new() }
    }

    /// The same, for a code that is good only as long as the account has this address: who reads an address that the
    /// owner gave up must not get in by it.
    pub(crate) fn sent_to(self, email: &Email) -> Self {
        Self { sent_to: email.as_str().to_owned(), ..self }
    }

    /// The same, for a code that proves this number alone: it is of no use for another one of the same user.
    pub(crate) fn spoken_to(self, number: Msisdn) -> Self {
        Self { sent_to: number.to_string(), ..self }
    }

    fn key(&self) -> (CodePurpose, &str) {
        (self.purpose, &self.subject)
    }

    fn hash(&self, vault: &Vault, digits: &str) -> [u8; 32] {
        let Self { subject, sent_to, .. } = self;
        vault.hmac("code", format!("{}\0{subject}\0{sent_to}\0{digits}", self.purpose.code()).as_bytes())
    }

    /// A new code: uniform, leading zeros kept.
    pub(crate) fn draw(&self, vault: &Vault, entropy: &dyn Entropy) -> Code {
        let limit = u64::MAX - u64::MAX % CODES;
        let number = loop {
            let number = entropy.u64();
            if number < limit {
                break number % CODES;
            }
        };
        let digits = format!("{number:0DIGITS$}");
        Code { hash: self.hash(vault, &digits), digits }
    }

    /// Puts a code in the place of the one before. False when the subject failed too often in a row.
    pub(crate) async fn issue(&self, tx: &mut Tx, code: &Code, now: Time) -> Result<bool> {
        rows::issue(tx, self.key(), &code.hash, now, now + VALID_FOR, FAILURES_MAX).await
    }

    /// When the code that was not used yet was sent.
    pub(crate) async fn sent_at(&self, tx: &mut Tx) -> Result<Option<Time>> {
        rows::sent_at(tx, self.key()).await
    }

    /// Counts a try, for good, and says whether it was right. After a right one the caller still has to
    /// [`Proof::consume`] it.
    pub(crate) async fn check(
        &self,
        store: &Store,
        vault: &Vault,
        digits: &str,
        now: Time,
    ) -> Result<Option<Proof>> {
        Ok(self.check_counting(store, vault, digits, now).await?.ok())
    }

    /// [`Self::check`], which gives for a wrong code how many tries failed in a row; 0 where there was none to try.
    pub(crate) async fn check_counting(
        &self,
        store: &Store,
        vault: &Vault,
        digits: &str,
        now: Time,
    ) -> Result<std::result::Result<Proof, i64>> {
        Ok(match self.compare(store, vault, digits, now).await? {
            Compared::Right(proof) => Ok(proof),
            Compared::Wrong { failures, .. } => Err(failures),
            Compared::Void => Err(0),
        })
    }

    /// Voids the code that was issued at this time, unless another one took its place: it reached no one.
    pub(crate) async fn void(&self, tx: &mut Tx, issued_at: Time) -> Result<()> {
        rows::void(tx, self.key(), issued_at).await
    }

    /// [`Self::check`], which tells a wrong code from one that there is not, or not any more.
    pub(crate) async fn compare(
        &self,
        store: &Store,
        vault: &Vault,
        digits: &str,
        now: Time,
    ) -> Result<Compared> {
        let counted = store
            .write(Lane::Interactive, (self.clone(), now), |tx, (binding, now)| {
                Box::pin(rows::count_try(tx, binding.key(), *now, TRIES_MAX, FAILURES_MAX))
            })
            .await?;
        let given = self.hash(vault, digits);
        let none = vec![0; given.len()];
        let is_right = bool::from(counted.as_ref().map_or(&none, |it| &it.code_hash).ct_eq(&given));
        Ok(match counted {
            Some(_) if is_right => Compared::Right(Proof { binding: self.clone(), hash: given }),
            Some(it) => Compared::Wrong { failures: it.failures, left: TRIES_MAX - it.tries },
            None => Compared::Void,
        })
    }
}

impl Code {
    /// The digits, to be sent.
    pub(crate) fn digits(&self) -> &str {
        &self.digits
    }
}

/// What became of a try.
#[derive(Clone, Debug)]
pub(crate) enum Compared {
    /// It was right.
    Right(Proof),
    /// It was wrong.
    Wrong {
        /// Tries that failed in a row, of this code and those before it.
        failures: i64,
        /// Tries that this code has yet; none left voids it.
        left: i64,
    },
    /// There is no code that may be tried: none was sent, it was used, it expired, or too many tries of it were wrong.
    Void,
}

/// A right code that was not used yet.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    binding: Binding,
    hash: [u8; 32],
}

impl Proof {
    /// Uses the code up, in the transaction of what it allows.
    ///
    /// # Errors
    /// `code_wrong` when it was used or replaced meanwhile.
    pub(crate) async fn consume(&self, tx: &mut Tx) -> Result<()> {
        // The codes of own numbers go to phones of the user's choice: that one was right says nothing of those for others.
        let forgives = self.binding.purpose != CodePurpose::OwnNumber;
        if rows::consume(tx, self.binding.key(), &self.hash, forgives).await? { Ok(()) } else { Err(wrong()) }
    }
}

/// The one answer to a wrong, expired or used code, and to a code for a user who does not exist.
pub(crate) fn wrong() -> Error {
    Error::field(
        "code",
        "code_wrong",
        "The code is wrong or no longer valid: ask for a new one after a minute",
    )
}

/// The digits of a code as a person typed it.
///
/// # Errors
/// `message`, on the field `code`, when they are not six.
pub(crate) fn digits(text: &str, message: &'static str) -> Result<String> {
    let digits: String = text.chars().filter(|sign| !sign.is_whitespace() && *sign != '-').collect();
    if digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(digits);
    }
    Err(Error::field("code", "code_digits", message))
}

/// How much may be sent.
#[derive(Clone, Copy, Debug)]
pub struct CodeLimits {
    /// Between two to one destination.
    pub cooldown: Duration,
    /// To one destination, an hour.
    pub destination_hour: usize,
    /// To one destination, a day.
    pub destination_day: usize,
    /// For one address, an hour. Of IPv6 a /64 is one address, a /56 gets four times as much, a /48
    /// sixteen times.
    pub address_hour: usize,
    /// For one address, a day, likewise.
    pub address_day: usize,
    /// To numbers of one prefix, an hour, of each budget: a bound on traffic pumping.
    pub prefix_hour: i64,
    /// In all, an hour, of each budget: text messages and e-mails, of strangers and of those who showed a password or
    /// session. What strangers ask for leaves the others theirs.
    pub global_hour: i64,
}

impl Default for CodeLimits {
    fn default() -> Self {
        Self {
            cooldown: Duration::from_mins(1),
            destination_hour: 5,
            destination_day: 10,
            address_hour: 5,
            address_day: 10,
            prefix_hour: 500,
            global_hour: 2_000,
        }
    }
}

/// Whether something may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grant {
    /// It may, and is counted.
    Given,
    /// Not before so long.
    Wait(Duration),
    /// Too much is sent in all.
    Paused,
}

/// What is to be sent, by the names it is counted under.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `sms:234...` or `email:...`.
    pub(crate) destination: String,
    /// Of the client.
    pub(crate) networks: Networks,
    /// Of the number; empty for e-mail.
    pub(crate) prefix: String,
    /// Whether the asker showed a password or session.
    pub(crate) is_proven: bool,
}

/// The client's address and the networks it is in; empty where the address identifies no client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Networks {
    /// The address; of IPv6 its first 64 bits.
    pub(crate) address: String,
    /// The first 56 bits of IPv6: what a provider gives a household.
    pub(crate) subnet_56: String,
    /// The first 48 bits of IPv6: what a provider gives a site.
    pub(crate) subnet_48: String,
}

impl Asked {
    /// The same, asked for after a right password or within a session.
    pub(crate) fn proven(self) -> Self {
        Self { is_proven: true, ..self }
    }

    /// What it is counted into.
    const fn budget(&self) -> &'static str {
        match (self.prefix.is_empty(), self.is_proven) {
            (true, false) => "email",
            (true, true) => "email_proven",
            (false, false) => "sms",
            (false, true) => "sms_proven",
        }
    }
}

impl CodeLimits {
    /// Counts a send, if it may be. Asked before anybody looks whether the destination is known.
    pub(crate) async fn take(&self, tx: &mut Tx, asked: &Asked, now: Time) -> Result<Grant> {
        rows::lock_sends(tx).await?;
        if notice::is_full(tx, notice::NoticePurpose::Code).await? {
            tracing::error!("codes are paused: too many wait to be handed over");
            return Ok(Grant::Paused);
        }
        let many = i64::try_from(self.destination_day).unwrap_or(i64::MAX);
        let to = rows::sends_to(tx, &asked.destination, now - DAY, many).await?;
        let mut waits = vec![
            wait(&to, 1, self.cooldown, now),
            wait(&to, self.destination_hour, HOUR, now),
            wait(&to, self.destination_day, DAY, now),
        ];
        let Networks { address, subnet_56, subnet_48 } = &asked.networks;
        for (sql, name, times) in [
            (rows::BY_ADDRESS, address, 1),
            (rows::BY_SUBNET_56, subnet_56, OF_56),
            (rows::BY_SUBNET_48, subnet_48, OF_48),
        ] {
            let (hour, day) =
                (self.address_hour.saturating_mul(times), self.address_day.saturating_mul(times));
            let many = i64::try_from(hour.max(day)).unwrap_or(i64::MAX);
            let by = rows::sends_by(tx, sql, name, now - DAY, many).await?;
            waits.extend([wait(&by, hour, HOUR, now), wait(&by, day, DAY, now)]);
        }
        if let Some(longest) = waits.into_iter().flatten().max() {
            return Ok(Grant::Wait(longest));
        }
        let (prefix, budget) = (asked.prefix.as_str(), asked.budget());
        let (of_prefix, in_all) = rows::sends_since(tx, budget, prefix, now - HOUR).await?;
        if of_prefix >= self.prefix_hour || in_all >= self.global_hour {
            tracing::error!(prefix, budget, of_prefix, in_all, "codes are paused: too many are asked for");
            return Ok(Grant::Paused);
        }
        let destination = asked.destination.as_str();
        let send = rows::Send { destination, address, subnet_56, subnet_48, prefix, budget };
        rows::note_send(tx, &send, now).await?;
        Ok(Grant::Given)
    }
}

/// How long until fewer than `limit` of these times, newest first, lie within `span`.
fn wait(times: &[Time], limit: usize, span: Duration, now: Time) -> Option<Duration> {
    let oldest = times.get(limit.checked_sub(1)?)?;
    let free_at = *oldest + span;
    (free_at > now).then(|| free_at.since(now))
}

/// Forgets old codes and what was sent; returns how many rows.
pub(crate) async fn purge_codes(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - FAILURES_KEPT_FOR, now - DAY).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_may_be_typed_with_gaps_and_must_have_six_digits() {
        assert_eq!(digits(" 012 345", "six").unwrap(), "012345");
        assert_eq!(digits("012-345", "six").unwrap(), "012345");
        for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(digits(bad, "six").unwrap_err().to_string(), "six", "{bad}");
        }
    }

    #[test]
    fn a_cap_says_how_long_to_wait_for_the_oldest_to_leave_its_span() {
        let (now, minute) = (Time(1_000_000), Duration::from_mins(1));
        let times = [now - Duration::from_secs(10), now - Duration::from_secs(50)];
        assert_eq!(wait(&times, 1, minute, now), Some(Duration::from_secs(50)));
        assert_eq!(wait(&times, 2, minute, now), Some(Duration::from_secs(10)));
        assert_eq!(wait(&times, 3, minute, now), None);
        assert_eq!(wait(&times, 2, Duration::from_secs(50), now), None);
    }
}
