//! Idempotency keys: the same request sent twice has its effects once.
//!
//! A key is claimed in the transaction of its effects, so both are there or neither: a request that failed left no
//! claim and may be sent again. What is kept is a reference to what was made, never a response body. After
//! [`KEPT_FOR`] a key is forgotten.

use std::time::Duration;

use crate::args;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::store::Tx;

/// How long a key is remembered.
pub const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
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
) -> Result<Begun> {
    let claimed = tx
        .run(
            "INSERT INTO idempotency (user_id, key, operation, input_hash, created_at) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            args![user_id, key, operation, input_hash, now],
        )
        .await?;
    if claimed == 1 {
        return Ok(Begun::Fresh);
    }
    let (was_for, was_hash, reference): (String, Vec<u8>, Option<String>) = tx
        .one(
            "SELECT operation, input_hash, reference FROM idempotency WHERE user_id = $1 AND key = $2",
            args![user_id, key],
        )
        .await?;
    if was_for != operation || was_hash != input_hash {
        return Ok(Begun::Conflict);
    }
    reference
        .map(Begun::Replay)
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

/// Forgets keys older than [`KEPT_FOR`].
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run("DELETE FROM idempotency WHERE created_at < $1", args![now - KEPT_FOR]).await
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
            Begun::Fresh => Ok(None),
            Begun::Replay(reference) => Ok(Some(reference)),
            Begun::Conflict => Err(Error::conflict(
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request: use a new key for a new request",
            )),
        }
    }

    /// Notes what the request made.
    pub async fn finish(&self, tx: &mut Tx, reference: &str) -> Result<()> {
        finish(tx, self.user_id, &self.key, reference).await
    }
}

/// [`Claim::begin`] of a request that may have come without a key.
pub async fn begin_if_any(tx: &mut Tx, claim: Option<&Claim>, now: Time) -> Result<Option<String>> {
    match claim {
        Some(claim) => claim.begin(tx, now).await,
        None => Ok(None),
    }
}

/// [`Claim::finish`] of a request that may have come without a key.
pub async fn finish_if_any(tx: &mut Tx, claim: Option<&Claim>, reference: &str) -> Result<()> {
    match claim {
        Some(claim) => claim.finish(tx, reference).await,
        None => Ok(()),
    }
}
