//! Idempotency keys: the same request sent twice has its effects once.
//!
//! A key is claimed in the transaction of its effects, so both are there or neither: a request that failed left no
//! claim and may be sent again. What is kept is a reference to what was made, never a response body. After
//! [`KEPT_FOR`] a key is forgotten.
//!
//! There are two ways to claim a key: [`once`] for a request with a transaction of its own ([`once_unless_refused`] where
//! it may be refused without an error), and [`ClaimBatch`] for the requests that one transaction carries out together. A
//! request whose effects are in several transactions asks by [`Claim::look`] first, and claims with the last of them.

use std::collections::{BTreeSet, HashSet};
use std::convert::Infallible;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use talkdrum_api::code;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::operations::purge::bounded;
use crate::store::{Arg, Blobs, Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// How long a key is remembered.
pub const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// Forgets a bounded number of keys older than [`KEPT_FOR`]; returns how many.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(bounded!("idempotency", "user_id, key", "created_at < $1"), args![now - KEPT_FOR]).await
}

/// A request's claim on a key: who, which key, what for, and the hash of what was sent.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Who sent the request: keys of different users never meet.
    pub user_id: UserId,
    /// The client's key.
    pub key: String,
    /// The operation, by a stable name.
    pub operation: &'static str,
    /// SHA-256 of the request.
    pub input_hash: [u8; 32],
}

impl Claim {
    /// Claims the key. `Some` is the reference of the same request done before: answer from it and do nothing. Two requests
    /// that run at once wait for each other here: the second one sees what the first one made.
    async fn begin(&self, tx: &mut Tx, now: Time) -> Result<Option<String>> {
        let claimed = tx
            .run(
                "INSERT INTO idempotency (user_id, key, operation, input_hash, created_at) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                args![self.user_id, &self.key, self.operation, self.input_hash.as_slice(), now],
            )
            .await?;
        if claimed == 1 {
            return Ok(None);
        }
        let known = self.look(tx).await?;
        known.map(Some).ok_or_else(|| {
            Error::Corrupt(format!("an idempotency key of '{}' was never finished", self.operation))
        })
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

    /// Gives the key back that this transaction claimed.
    async fn release(&self, tx: &mut Tx) -> Result<()> {
        tx.run_exactly(
            1,
            "DELETE FROM idempotency WHERE user_id = $1 AND key = $2 AND reference IS NULL",
            args![self.user_id, &self.key],
        )
        .await
    }

    /// Notes what the request made, in the transaction that claimed the key.
    async fn finish(&self, tx: &mut Tx, reference: &str) -> Result<()> {
        tx.run_exactly(
            1,
            "UPDATE idempotency SET reference = $3 WHERE user_id = $1 AND key = $2 AND reference IS NULL",
            args![self.user_id, &self.key, reference],
        )
        .await
    }

    /// What a reference of this operation names.
    fn parsed<R: FromStr>(&self, reference: &str) -> Result<R> {
        let operation = self.operation;
        reference
            .parse()
            .map_err(|_| Error::Corrupt(format!("a key of '{operation}' refers to '{reference}'")))
    }
}

fn reused() -> Error {
    Error::conflict(
        code::IDEMPOTENCY_KEY_REUSED,
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
    let made =
        once_unless_refused(tx, claim, now, async |tx| Ok(Ok::<R, Infallible>(job(tx).await?))).await?;
    let Ok(made) = made;
    Ok(made)
}

/// [`once`] for a `job` that may refuse the request without an error, by its inner one: the key is free again, and what else
/// the transaction does stands.
///
/// # Errors
/// Those of [`once`].
pub async fn once_unless_refused<R, N, J>(
    tx: &mut Tx,
    claim: Option<&Claim>,
    now: Time,
    job: J,
) -> Result<Result<R, N>>
where
    R: Display + FromStr,
    J: AsyncFnOnce(&mut Tx) -> Result<Result<R, N>>,
{
    let Some(claim) = claim else { return job(tx).await };
    if let Some(reference) = claim.begin(tx, now).await? {
        return claim.parsed(&reference).map(Ok);
    }
    let made = job(tx).await?;
    match &made {
        Ok(made) => claim.finish(tx, &made.to_string()).await?,
        Err(_) => claim.release(tx).await?,
    }
    Ok(made)
}

/// The keys of requests that one transaction carries out together, claimed in one statement and finished in one: what [`once`]
/// is for a request alone. A request is named by its place among them; one without a key is always new.
#[derive(Debug)]
#[must_use = "a key that is claimed and not finished refuses its request for ever"]
pub struct ClaimBatch<'a> {
    claims: Vec<Option<&'a Claim>>,
    /// The reference of each request that was done before.
    before: Vec<Option<String>>,
    /// The places whose keys are claimed and neither finished nor released.
    open: BTreeSet<usize>,
}

impl<'a> ClaimBatch<'a> {
    /// Claims the keys of all requests, those that have one.
    ///
    /// # Errors
    /// A conflict when a key was used for another request. Also when two of them show the same key: the second one must
    /// wait for the first.
    pub async fn begin(tx: &mut Tx, claims: Vec<Option<&'a Claim>>, now: Time) -> Result<Self> {
        let before = begin_all(tx, &claims, now).await?;
        let open = (0..claims.len()).filter(|place| claims[*place].is_some() && before[*place].is_none());
        let open = open.collect();
        Ok(Self { claims, before, open })
    }

    /// What the same request made when it was done before; `None` for a new one.
    pub fn before<R: FromStr>(&self, place: usize) -> Result<Option<R>> {
        match (self.claims.get(place), self.before.get(place)) {
            (Some(Some(claim)), Some(Some(reference))) => claim.parsed(reference).map(Some),
            _ => Ok(None),
        }
    }

    /// Gives the key of a new request back that is refused while the others go on.
    pub async fn release(&mut self, tx: &mut Tx, place: usize) -> Result<()> {
        match self.claims.get(place) {
            Some(Some(claim)) if self.open.remove(&place) => claim.release(tx).await,
            _ => Ok(()),
        }
    }

    /// Notes what each new request made; those without a key are passed over.
    ///
    /// # Errors
    /// When a request is missing whose key was claimed, or one is there that was done before: nothing may be committed then.
    pub async fn finish(mut self, tx: &mut Tx, made: impl IntoIterator<Item = (usize, i64)>) -> Result<()> {
        let mut finished = Vec::with_capacity(self.open.len());
        for (place, reference) in made {
            if let Some(Some(claim)) = self.claims.get(place) {
                if !self.open.remove(&place) {
                    return Err(Error::Corrupt(format!("a request of '{}' was done twice", claim.operation)));
                }
                finished.push((*claim, reference));
            }
        }
        match self.open.is_empty() {
            true => finish_all(tx, &finished).await,
            false => Err(Error::Corrupt("an idempotency key was claimed for nothing".into())),
        }
    }
}

/// [`Claim::begin`] of many requests in one statement; what each was answered before, in their order.
async fn begin_all(tx: &mut Tx, claims: &[Option<&Claim>], now: Time) -> Result<Vec<Option<String>>> {
    let given: Vec<&Claim> = claims.iter().copied().flatten().collect();
    let mut fresh = HashSet::new();
    if given.len() > 1 {
        let (bytes, begins, lengths) =
            Blobs::of(given.iter().map(|claim| claim.input_hash.as_slice())).into_parts();
        let rows = vec![
            Column::of(given.iter().map(|claim| claim.user_id)),
            Column::of(given.iter().map(|claim| &claim.key)),
            Column::of(given.iter().map(|claim| claim.operation)),
            begins,
            lengths,
        ];
        let made: Vec<(UserId, String)> =
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

/// [`Claim::finish`] of many requests in one statement, each with its reference.
async fn finish_all(tx: &mut Tx, made: &[(&Claim, i64)]) -> Result<()> {
    if made.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::of(made.iter().map(|(claim, _)| claim.user_id)),
        Column::of(made.iter().map(|(claim, _)| &claim.key)),
        Column::of(made.iter().map(|(_, reference)| reference.to_string())),
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
    use crate::model::account::user::Role;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    const NOW: Time = Time(1_700_000_000_000);

    fn claim(user_id: UserId, key: &str, operation: &'static str, input: u8) -> Claim {
        Claim { user_id, key: key.into(), operation, input_hash: [input; 32] }
    }

    /// A request that makes one setting row, or fails before it finishes.
    async fn request(store: &Store, claim: Claim, fails: bool) -> Result<String> {
        store
            .write(Lane::Interactive, (claim, fails), |tx, (claim, fails)| {
                Box::pin(async move {
                    let mut answer = "replayed";
                    let reference: i64 = once(tx, Some(claim), NOW, async |tx| {
                        answer = "made";
                        crate::store::platform::setting::put(tx, &claim.key, "made", claim.user_id, NOW)
                            .await?;
                        if *fails { Err(Error::rule("refused", "no")) } else { Ok(7) }
                    })
                    .await?;
                    Ok(format!("{answer} {reference}"))
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

        async fn a_request_that_is_refused_without_an_error_frees_its_key_and_keeps_what_it_did(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            let ask = |refuses: bool| {
                store.write(Lane::Interactive, (claim(user, "k", "op", 1), refuses), |tx, (claim, refuses)| {
                    Box::pin(async move {
                        once_unless_refused(tx, Some(claim), NOW, async |tx| {
                            crate::store::platform::setting::put(tx, "k", "asked", claim.user_id, NOW).await?;
                            Ok(if *refuses { Err("not now") } else { Ok(8_i64) })
                        })
                        .await
                    })
                })
            };
            assert_eq!(ask(true).await.unwrap(), Err("not now"));
            let kept = crate::store::platform::setting::get(&mut store.read().await.unwrap(), "k").await.unwrap();
            assert!(kept.is_some());
            assert_eq!(ask(false).await.unwrap(), Ok(8));
            assert_eq!(ask(true).await.unwrap(), Ok(8), "it was done before and is not asked again");
        }

        async fn of_a_batch_each_new_key_is_finished_or_released_or_nothing_is_stored(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            let batch = |released: Option<usize>, made: Vec<(usize, i64)>| {
                let claims = vec![Some(claim(user, "a", "op", 1)), None, Some(claim(user, "b", "op", 2))];
                store.write(Lane::Interactive, (claims, released, made), |tx, (claims, released, made)| {
                    Box::pin(async move {
                        let claims = claims.iter().map(Option::as_ref).collect();
                        let mut batch = ClaimBatch::begin(tx, claims, NOW).await?;
                        let before = [batch.before(0)?, batch.before(1)?, batch.before(2)?];
                        if let Some(place) = released {
                            batch.release(tx, *place).await?;
                        }
                        batch.finish(tx, made.clone()).await?;
                        Ok::<[Option<i64>; 3], Error>(before)
                    })
                })
            };
            let forgot = batch(None, vec![(0, 7), (1, 8)]).await.unwrap_err();
            assert!(matches!(forgot, Error::Corrupt(_)), "{forgot}");
            assert_eq!(batch(Some(2), vec![(0, 7), (1, 8)]).await.unwrap(), [None, None, None]);
            let again = batch(Some(2), vec![(0, 9), (1, 8)]).await.unwrap_err();
            assert!(matches!(again, Error::Corrupt(_)), "{again}");
            assert_eq!(batch(None, vec![(1, 8), (2, 9)]).await.unwrap(), [Some(7), None, None]);
            assert_eq!(batch(None, vec![(1, 8)]).await.unwrap(), [Some(7), None, Some(9)]);
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
