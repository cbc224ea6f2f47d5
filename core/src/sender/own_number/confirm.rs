//! The code that comes back: it makes a number one that calls may be from.

use std::collections::BTreeSet;

use talkdrum_api::sender::OwnNumber;

use super::calls::OwnNumberCalls;
use super::{check_new, ending_of, shown_number, subject_of};
use crate::account::verification::code::{self, Binding, Compared, Proof};
use crate::error::{Error, Result};
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::sender::id::OwnNumberId;
use crate::phone::Msisdn;
use crate::platform::audit::{self, Entry};
use crate::sender::notify_owner::tell;
use crate::store::campaign::confirm::lock_active;
use crate::store::operations::idempotency::{self, Claim, look_if_any};
use crate::store::sender::number as table;
use crate::store::voice::own_number_call as rows;
use crate::store::{Lane, Tx};
use crate::time::Time;

const FIELD: &str = "validation_code";

impl OwnNumberCalls {
    /// Makes a number the user's whose code came back.
    ///
    /// # Errors
    /// Rules on `validation_code`: `code_digits`, `code_wrong` with the tries that are left, `code_expired`, `no_code` where the
    /// user had the number never called; on `own_number`: `own_number_verified`; `too_many_numbers`; `account_inactive`.
    pub async fn confirm(
        &self,
        user: UserId,
        number: Msisdn,
        typed: &str,
        claim: Option<Claim>,
    ) -> Result<OwnNumber> {
        let number_text = number.to_string();
        let mut tx = self.store.read().await?;
        if look_if_any(&mut tx, claim.as_ref()).await?.is_some() {
            return show(&mut tx, user, &number_text).await;
        }
        check_new(&mut tx, user, &number_text).await?;
        let digits = code::digits(typed, "Please enter the 6-digit code of the call")
            .map_err(|error| Error::field(FIELD, error.code(), error.to_string()))?;
        // A code for a number that was never called cannot be right, so it uses up no attempt of the number that was.
        let called = rows::newest_of(&mut tx, user).await?.filter(|row| row.number == number_text);
        let Some(called) = called else {
            let was_called = rows::was_called(&mut tx, user, &number_text).await?;
            return Err(if was_called { expired() } else { no_code() });
        };
        let called_at = called.created_at;
        drop(tx);
        let now = self.clock.now();
        let binding = Binding::new(CodePurpose::OwnNumber, &user).spoken_to(number);
        let proof = match binding.compare(&self.store, &self.vault, &digits, now).await? {
            Compared::Right(proof) => proof,
            Compared::Wrong { left, .. } => return Err(wrong(left)),
            Compared::Void => return Err(expired()),
        };
        let input = (self.notices.clone(), (user, number_text), proof, called_at, claim, now);
        let verified = self.store.write(Lane::Interactive, input, |tx, input| {
            let (notices, (user, number), proof, called_at, claim, now) = input;
            Box::pin(async move {
                idempotency::once(tx, claim.as_ref(), *now, async |tx| {
                    let id = verify(tx, (*user, number.as_str()), proof, (*called_at, *now)).await?;
                    tell(tx, notices, *user, (&subject_of(number), &told(number)), *now).await?;
                    Ok(id)
                })
                .await?;
                show(tx, *user, number).await
            })
        });
        verified.await
    }
}

/// Makes a number the user's whose code was right; its record's id.
async fn verify(
    tx: &mut Tx,
    (user, number): (UserId, &str),
    proof: &Proof,
    (called_at, now): (Time, Time),
) -> Result<OwnNumberId> {
    if lock_active(tx, BTreeSet::from([user])).await?.is_empty() {
        return Err(Error::inactive());
    }
    // The call before its code, as when it ends.
    rows::note_verified(tx, user, number, called_at, now).await?;
    proof.consume(tx).await.map_err(|_| expired())?;
    check_new(tx, user, number).await?;
    let id = table::put_verified(tx, user, number, called_at, now).await?;
    // The entry outlasts the account, so it does not name the number.
    let number = format!("ending in {}", ending_of(number));
    let entry = Entry::new(user, AuditAction::OwnNumberVerify, format!("user {user}")).after(Some(&number));
    audit::record(tx, &entry, now).await?;
    Ok(id)
}

async fn show(tx: &mut Tx, user: UserId, number: &str) -> Result<OwnNumber> {
    table::own_of(tx, user, number).await?.map(shown_number).ok_or(Error::NotFound("own number"))
}

fn wrong(left: i64) -> Error {
    let message = match left {
        ..=0 => "The code is wrong, and is void after 5 tries: request a new one".to_owned(),
        1 => "The code is wrong: 1 try is left".to_owned(),
        left => format!("The code is wrong: {left} tries are left"),
    };
    Error::field(FIELD, "code_wrong", message)
}

/// The notice to the owner of the account, who sees from it when another person verified a number with a stolen session or
/// key.
fn told(number: &str) -> String {
    format!(
        "The number ending in {} was verified for your account: its calls can show it from now on. If that was not you, \
         withdraw the number under Own Numbers and change your password.",
        ending_of(number)
    )
}

fn no_code() -> Error {
    Error::field(FIELD, "no_code", "This number was not called with a code yet: have it called first")
}

fn expired() -> Error {
    Error::field(FIELD, "code_expired", "No code for this number is valid any more: request a new one")
}
