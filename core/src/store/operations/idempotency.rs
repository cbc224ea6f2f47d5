//! Idempotency keys: the same request sent twice has its effects once.
//!
//! A key is claimed in the transaction of its effects, so both are there or neither: a request that failed left no
//! claim and may be sent again. What is kept is a reference to what was made, never a response body. After
//! [`KEPT_FOR`] a key is forgotten.

use std::collections::HashSet;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::store::operations::purge::bounded;
use crate::store::{Arg, Blobs, Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// How long a key is remembered.
pub const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The key is new: do the work, then call [`finish`] in the same transaction.
    Fresh,
    /// The same request was done before: answer from what it made.
    Replay(String),
    /// The key was used for another request.
    Conflict,
}

/// Claims `key` for `operation` on an input with this hash.
///
/// Two requests that run at once wait for each other here: the second sees the first one's outcome.
pub async fn begin(
    tx: &mut Tx,
    user_id: i64,
    key: &str,
    operation: &str,
    input_hash: &[u8],
    now: Time,
) -> Result<ClaimOutcome> {
    let claimed = tx
        .run(
            "INSERT INTO idempotency (user_id, key, operation, input_hash, created_at) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            args![user_id, key, operation, input_hash, now],
        )
        .await?;
    if claimed == 1 {
        return Ok(ClaimOutcome::Fresh);
    }
    let (was_for, was_hash, reference): (String, Vec<u8>, Option<String>) = tx
        .one(
            "SELECT operation, input_hash, reference FROM idempotency WHERE user_id = $1 AND key = $2",
            args![user_id, key],
        )
        .await?;
    if was_for != operation || was_hash != input_hash {
        return Ok(ClaimOutcome::Conflict);
    }
    reference
        .map(ClaimOutcome::Replay)
        .ok_or_else(|| Error::Corrupt(format!("an idempotency key of '{operation}' was never finished")))
}

/// Notes what the operation made. Called in the transaction that claimed the key.
pub async fn finish(tx: &mut Tx, user_id: i64, key: &str, reference: &str) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE idempotency SET reference = $3 WHERE user_id = $1 AND key = $2 AND reference IS NULL",
        args![user_id, key, reference],
    )
    .await
}

/// Forgets a bounded number of keys older than [`KEPT_FOR`]; returns how many.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(bounded!("idempotency", "user_id, key", "created_at < $1"), args![now - KEPT_FOR]).await
}

/// A request's claim on a key: who, which key, what for, and the hash of what was sent.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Who sent the request: keys of different users never meet.
    pub user_id: i64,
    /// The client's key.
    pub key: String,
    /// The operation, by a stable name.
    pub operation: &'static str,
    /// SHA-256 of the request.
    pub input_hash: [u8; 32],
}

impl Claim {
    /// Claims the key. `Some` is the reference of the same request done before: answer from it and do nothing.
    ///
    /// # Errors
    /// A conflict when the key was used for another request.
    pub async fn begin(&self, tx: &mut Tx, now: Time) -> Result<Option<String>> {
        match begin(tx, self.user_id, &self.key, self.operation, &self.input_hash, now).await? {
            ClaimOutcome::Fresh => Ok(None),
            ClaimOutcome::Replay(reference) => Ok(Some(reference)),
            ClaimOutcome::Conflict => Err(reused()),
        }
    }

    /// The reference of the same request done before, where its effects are in several transactions and the key is
    /// claimed with the last of them: such a request may be repeated, and goes on where it was cut off.
    ///
    /// # Errors
    /// A conflict when the key was used for another request.
    pub async fn look(&self, tx: &mut Tx) -> Result<Option<String>> {
        let known: Option<(String, Vec<u8>, Option<String>)> = tx
            .opt(
                "SELECT operation, input_hash, reference FROM idempotency WHERE user_id = $1 AND key = $2",
                args![self.user_id, &self.key],
            )
            .await?;
        match known {
            None => Ok(None),
            Some((operation, hash, reference)) if operation == self.operation && hash == self.input_hash => {
                Ok(reference)
            }
            Some(_) => Err(reused()),
        }
    }

    /// Gives a key back that this transaction claimed, for a request that is refused while others go on in it.
    pub async fn release(&self, tx: &mut Tx) -> Result<()> {
        tx.run_exactly(
            1,
            "DELETE FROM idempotency WHERE user_id = $1 AND key = $2 AND reference IS NULL",
            args![self.user_id, &self.key],
        )
        .await
    }

    /// Notes what the request made.
    pub async fn finish(&self, tx: &mut Tx, reference: &str) -> Result<()> {
        finish(tx, self.user_id, &self.key, reference).await
    }
}

fn reused() -> Error {
    Error::conflict(
        "idempotency_key_reused",
        "This Idempotency-Key was used for another request: use a new key for a new request",
    )
}

/// [`Claim::look`] of a request that may have come without a key.
pub async fn look_if_any(tx: &mut Tx, claim: Option<&Claim>) -> Result<Option<String>> {
    match claim {
        Some(claim) => claim.look(tx).await,
        None => Ok(None),
    }
}

/// Does the work of a request, unless the same request was done before, and returns what it made: now, or then. `job` runs
/// in the transaction in which the key is claimed; a request without a key is always done.
///
/// # Errors
/// Those of `job`; a conflict when the key was used for another request.
pub async fn once<R, J>(tx: &mut Tx, claim: Option<&Claim>, now: Time, job: J) -> Result<R>
where
    R: Display + FromStr,
    J: AsyncFnOnce(&mut Tx) -> Result<R>,
{
    let Some(claim) = claim else { return job(tx).await };
    if let Some(reference) = claim.begin(tx, now).await? {
        let operation = claim.operation;
        return reference
            .parse()
            .map_err(|_| Error::Corrupt(format!("a key of '{operation}' refers to '{reference}'")));
    }
    let made = job(tx).await?;
    claim.finish(tx, &made.to_string()).await?;
    Ok(made)
}

/// [`Claim::begin`] of many requests in one statement; what each was answered before, in their order.
///
/// # Errors
/// Also when two of them show the same key: the second one must wait for the first.
pub async fn begin_all(tx: &mut Tx, claims: &[Option<&Claim>], now: Time) -> Result<Vec<Option<String>>> {
    let given: Vec<&Claim> = claims.iter().copied().flatten().collect();
    let mut fresh = HashSet::new();
    if given.len() > 1 {
        let (bytes, begins, lengths) =
            Blobs::of(given.iter().map(|claim| claim.input_hash.as_slice())).into_parts();
        let rows = vec![
            Column::Ints(given.iter().map(|claim| claim.user_id).collect()),
            Column::Texts(given.iter().map(|claim| Some(claim.key.clone())).collect()),
            Column::Texts(given.iter().map(|claim| Some(claim.operation.to_owned())).collect()),
            begins,
            lengths,
        ];
        let made: Vec<(i64, String)> =
            tx.all(BEGIN_ALL, vec![Arg::from(now), bytes, Arg::Rows(rows)]).await?;
        fresh.extend(made);
    }
    let mut before = Vec::with_capacity(claims.len());
    for claim in claims {
        before.push(match claim {
            Some(claim) if !fresh.remove(&(claim.user_id, claim.key.clone())) => claim.begin(tx, now).await?,
            _ => None,
        });
    }
    Ok(before)
}

const BEGIN_ALL: Sql = sql!(
    "INSERT INTO idempotency (user_id, key, operation, input_hash, created_at) \
     SELECT j.user_id, j.key, j.operation, substr($2, CAST(j.begin AS INTEGER), CAST(j.length AS INTEGER)), $1 \
     FROM UNNEST($3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[], $7::BIGINT[]) \
       AS j (user_id, key, operation, begin, length) \
     WHERE true ORDER BY j.user_id, j.key ON CONFLICT DO NOTHING RETURNING user_id, key"
);

/// [`Claim::finish`] of many requests in one statement, each with its reference; those without a key are passed over.
pub async fn finish_all(tx: &mut Tx, made: &[(Option<&Claim>, i64)]) -> Result<()> {
    let made: Vec<(&Claim, i64)> =
        made.iter().filter_map(|(claim, reference)| Some(((*claim)?, *reference))).collect();
    if made.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::Ints(made.iter().map(|(claim, _)| claim.user_id).collect()),
        Column::Texts(made.iter().map(|(claim, _)| Some(claim.key.clone())).collect()),
        Column::Texts(made.iter().map(|(_, reference)| Some(reference.to_string())).collect()),
    ];
    let sql = sql!(
        "UPDATE idempotency SET reference = j.reference \
         FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::TEXT[]) AS j (user_id, key, reference) \
         WHERE idempotency.user_id = j.user_id AND idempotency.key = j.key AND idempotency.reference IS NULL"
    );
    tx.run_exactly(made.len() as u64, sql, args![rows]).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::user::Role;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    const NOW: Time = Time(1_700_000_000_000);

    fn claim(user_id: i64, key: &str, operation: &'static str, input: u8) -> Claim {
        Claim { user_id, key: key.into(), operation, input_hash: [input; 32] }
    }

    /// A request that makes one setting row, or fails before it finishes.
    async fn request(store: &Store, claim: Claim, fails: bool) -> Result<String> {
        store
            .write(Lane::Interactive, (claim, fails), |tx, (claim, fails)| {
                Box::pin(async move {
                    if let Some(reference) = claim.begin(tx, NOW).await? {
                        return Ok(format!("replayed {reference}"));
                    }
                    crate::store::platform::setting::put(tx, &claim.key, "made", claim.user_id, NOW).await?;
                    if *fails {
                        return Err(Error::rule("refused", "no"));
                    }
                    claim.finish(tx, "7").await?;
                    Ok("made 7".into())
                })
            })
            .await
    }

    both_databases! {
        async fn a_key_does_its_work_once_and_is_answered_from_what_it_made(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            assert_eq!(request(&store, claim(user, "k", "op", 1), false).await.unwrap(), "made 7");
            assert_eq!(request(&store, claim(user, "k", "op", 1), false).await.unwrap(), "replayed 7");
        }

        async fn another_body_or_operation_under_the_same_key_is_a_conflict(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            let other = make_user(&store, "eve", Role::User).await;
            request(&store, claim(user, "k", "op", 1), false).await.unwrap();
            for reused in [claim(user, "k", "op", 2), claim(user, "k", "other", 1)] {
                assert_eq!(request(&store, reused, false).await.unwrap_err().code(), "idempotency_key_reused");
            }
            assert_eq!(request(&store, claim(other, "k", "op", 2), false).await.unwrap(), "made 7");
        }

        async fn a_request_that_failed_left_neither_claim_nor_effect(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            assert!(request(&store, claim(user, "k", "op", 1), true).await.is_err());
            let made = crate::store::platform::setting::get(&mut store.read().await.unwrap(), "k").await.unwrap();
            assert_eq!(made, None);
            assert_eq!(request(&store, claim(user, "k", "op", 1), false).await.unwrap(), "made 7");
        }

        async fn of_two_requests_at_once_one_does_the_work(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            let requests = (0..8).map(|_| request(&store, claim(user, "k", "op", 1), false));
            let mut answers: Vec<_> =
                futures::future::join_all(requests).await.into_iter().map(Result::unwrap).collect();
            answers.sort();
            assert_eq!(answers[0], "made 7");
            assert!(answers[1..].iter().all(|answer| answer == "replayed 7"), "{answers:?}");
        }

        async fn a_key_is_forgotten_after_thirty_days(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            request(&store, claim(user, "k", "op", 1), false).await.unwrap();
            let purge = |at: Time| store.write(Lane::Background, at, |tx, at| Box::pin(purge(tx, *at)));
            assert_eq!(purge(NOW + KEPT_FOR).await.unwrap(), 0);
            assert_eq!(purge(NOW + KEPT_FOR + Duration::from_millis(1)).await.unwrap(), 1);
        }
    }
}
