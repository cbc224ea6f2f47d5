//! The generation counter that tells a restored database, and the hold on dispatch that follows.
//!
//! The counter lives in the database and in the data directory and is raised in both together, at every start and
//! while the daemon runs: every two seconds on PostgreSQL, which may go back in time under it. After a restore the two disagree: the database forgot sends that happened, so nothing may be
//! sent until a person says so. While a hold stands, no message is handed to a carrier.

use crate::args;
use crate::error::{Error, Result};
use crate::store::Tx;
use crate::store::subject::erase::{self, KeptUnder};
use crate::time::Time;

/// Why dispatch is held.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DispatchHold {
    /// In words.
    pub reason: String,
    /// Since when.
    pub held_at: Time,
}

impl DispatchHold {
    /// Whether this is one of its reasons.
    pub fn is_for(&self, reason: &str) -> bool {
        self.reason.split("; ").any(|it| it == reason)
    }

    /// Whether an order by hand holds dispatch beside something else: who settled the one may not know of the other.
    pub fn has_several_causes(&self) -> bool {
        let mut reasons = self.reason.split("; ");
        let by_hand = reasons.clone().filter(|reason| !NOTICED.contains(reason)).count();
        by_hand > 0 && reasons.nth(1).is_some()
    }
}

/// The generation the database knows for a data directory.
pub async fn value(tx: &mut Tx, instance: &str) -> Result<Option<i64>> {
    let row: Option<(i64,)> =
        tx.opt("SELECT value FROM generations WHERE instance = $1", args![instance]).await?;
    Ok(row.map(|(value,)| value))
}

/// Whether the database was ever served from any data directory.
pub async fn any(tx: &mut Tx) -> Result<bool> {
    let (count,): (i64,) = tx.one("SELECT COUNT(*) FROM generations", args![]).await?;
    Ok(count > 0)
}

/// Sets the generation of a data directory.
pub async fn set(tx: &mut Tx, instance: &str, value: i64, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO generations (instance, value, raised_at) VALUES ($1, $2, $3) \
         ON CONFLICT (instance) DO UPDATE SET value = excluded.value, raised_at = excluded.raised_at",
        args![instance, value, now],
    )
    .await
}

/// Raises the generation of a data directory from `from` to `to`. When the database knows another one by now, dispatch is
/// held in the same transaction; returns false then. `pending` is where an earlier raise led whose commit was in doubt: it
/// may have become visible since `from` was read.
pub async fn raise(
    tx: &mut Tx,
    instance: &str,
    (from, pending, to): (Option<i64>, Option<i64>, i64),
    reason: &str,
    now: Time,
) -> Result<bool> {
    let known = value(tx, instance).await?;
    let agrees = known == from || (pending.is_some() && known == pending);
    if !agrees {
        hold(tx, reason, now).await?;
    }
    set(tx, instance, to, now).await?;
    Ok(agrees)
}

/// Why a restored copy sends nothing at first.
pub const RESTORED: &str = "this database was restored from a backup";
/// Why dispatch is held after a comparison at the start.
pub const DISAGREE: &str = "the database and the data directory disagree: one of them was restored";
/// Why it is held when the process has no generation, but its SQLite file does.
pub const ELSEWHERE: &str = "the database was served from another data directory before";
/// Why dispatch is held when it is noticed while a daemon runs.
pub const WENT_BACK: &str = "the database went back in time while the daemon was running";
/// Why it is held where the process has another key than opt-outs of erased numbers are kept under.
pub const OTHER_KEY: &str = "the secret key is not the one under which opt-outs of erased numbers are kept: they would be written to \
                             again. Put that key back and restart, or release dispatch, which gives those opt-outs up";
/// Why a process without a key does not release [`OTHER_KEY`]: whether that gives something up it cannot tell.
const NO_KEY: &str = "dispatch is held for the key of erased numbers, and there is none here: run this with the daemon's data \
                      directory and TALKDRUM_SECRET_KEY, or start a daemon, which makes a new one, and release then";
/// The reasons that are noticed, and all say of the same restore.
const NOTICED: [&str; 4] = [RESTORED, DISAGREE, ELSEWHERE, WENT_BACK];

/// The longest reason of a hold by hand, in characters.
pub const REASON_CHARS: usize = 500;

/// Holds dispatch as an operator orders it; gives the hold that stood before, which the reason is added to.
pub async fn hold_by_hand(tx: &mut Tx, reason: &str, now: Time) -> Result<Option<DispatchHold>> {
    let before = held(tx).await?;
    hold(tx, reason, now).await?;
    Ok(before)
}

/// Holds dispatch. An older hold is given this reason, too, unless it has it: a database that was restored while it was held by
/// hand must not be released as if only the hand had held it. Reasons beyond 4,000 characters are left out.
pub async fn hold(tx: &mut Tx, reason: &str, now: Time) -> Result<()> {
    tx.run(
        "INSERT INTO dispatch_hold (id, reason, held_at) VALUES (1, $1, $2) ON CONFLICT (id) DO UPDATE SET \
           reason = dispatch_hold.reason || '; ' || excluded.reason \
         WHERE LENGTH(dispatch_hold.reason) + LENGTH(excluded.reason) < 4000 \
           AND REPLACE('; ' || dispatch_hold.reason || '; ', '; ' || excluded.reason || '; ', '') \
             = '; ' || dispatch_hold.reason || '; '",
        args![reason, now],
    )
    .await?;
    Ok(())
}

/// The hold that stands, if any.
pub async fn held(tx: &mut Tx) -> Result<Option<DispatchHold>> {
    tx.opt("SELECT reason, held_at FROM dispatch_hold WHERE id = 1", args![]).await
}

/// Whether dispatch is held: asked in the transaction of every intent.
pub async fn is_held(tx: &mut Tx) -> Result<bool> {
    Ok(held(tx).await?.is_some())
}

/// A hold that was released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released {
    /// What it was.
    pub hold: DispatchHold,
    /// Whether opt-outs of erased numbers were given up, as the key is lost under which they were kept.
    pub gave_up: bool,
}

/// Lets dispatch go on; gives what held it, if anything. Who releases [`OTHER_KEY`] gives up the opt-outs that are kept under a key
/// that is lost, unless this process has it again: from then on they are kept under the one that a daemon has.
///
/// # Errors
/// `no_key` where that is to be told and this process has none.
pub async fn release(tx: &mut Tx) -> Result<Option<Released>> {
    let sql = "DELETE FROM dispatch_hold WHERE id = 1 RETURNING reason, held_at";
    let Some(hold) = tx.opt::<DispatchHold>(sql, args![]).await? else { return Ok(None) };
    let gave_up = hold.is_for(OTHER_KEY) && is_key_lost(tx).await?;
    if gave_up {
        erase::give_key_up(tx).await?;
    }
    Ok(Some(Released { hold, gave_up }))
}

async fn is_key_lost(tx: &mut Tx) -> Result<bool> {
    match erase::kept_under(tx).await {
        Ok(kept_under) => Ok(kept_under != KeptUnder::OwnKey),
        Err(Error::Unreadable(_)) => Err(Error::rule("no_key", NO_KEY)),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Lane;

    #[test]
    fn an_order_by_hand_beside_a_restore_is_two_causes_and_a_restore_is_one() {
        let several = |reasons: &[&str]| {
            DispatchHold { reason: reasons.join("; "), held_at: Time(5) }.has_several_causes()
        };
        assert!(!several(&[RESTORED]) && !several(&["the carrier bills twice"]));
        assert!(!several(&[RESTORED, DISAGREE]), "one restore, seen twice");
        assert!(
            several(&["the carrier bills twice", DISAGREE])
                && several(&[RESTORED, "the carrier bills twice"])
        );
    }

    both_databases! {
        async fn a_hold_stands_with_all_its_reasons_until_it_is_released(store: Store) {
            let hold = |reason: &'static str| {
                store.write(Lane::Interactive, reason, |tx, reason| Box::pin(hold(tx, reason, Time(5))))
            };
            let release = || store.write(Lane::Interactive, (), |tx, ()| Box::pin(release(tx)));
            assert!(!is_held(&mut store.read().await.unwrap()).await.unwrap());
            let hold_by_hand = |reason: &'static str| {
                store.write(Lane::Interactive, reason, |tx, reason| {
                    Box::pin(hold_by_hand(tx, reason, Time(6)))
                })
            };
            hold("restored").await.unwrap();
            hold("restored").await.unwrap();
            assert_eq!(hold_by_hand("by hand: 100%_").await.unwrap().unwrap().reason, "restored");
            hold("by hand: 100%_").await.unwrap();
            hold("restore").await.unwrap();
            let held = held(&mut store.read().await.unwrap()).await.unwrap();
            let all = DispatchHold { reason: "restored; by hand: 100%_; restore".into(), held_at: Time(5) };
            assert_eq!(held, Some(all.clone()));
            assert_eq!(release().await.unwrap(), Some(Released { hold: all, gave_up: false }));
            assert_eq!(release().await.unwrap(), None);
            assert_eq!(hold_by_hand("by hand").await.unwrap(), None);
            assert_eq!(hold_by_hand("again").await.unwrap().unwrap().reason, "by hand");
        }

        async fn each_data_directory_has_its_own_generation(store: Store) {
            for (instance, number) in [("a", 1), ("b", 7), ("a", 2)] {
                store
                    .write(Lane::Interactive, (instance, number), |tx, (instance, number)| {
                        Box::pin(set(tx, instance, *number, Time(0)))
                    })
                    .await
                    .unwrap();
            }
            let mut tx = store.read().await.unwrap();
            assert_eq!(value(&mut tx, "a").await.unwrap(), Some(2));
            assert_eq!(value(&mut tx, "b").await.unwrap(), Some(7));
            assert_eq!(value(&mut tx, "c").await.unwrap(), None);
            assert!(any(&mut tx).await.unwrap());
        }
    }
}
