//! Signing in and out.
//!
//! A session ends after a time without use, and at the latest after its absolute life. An answer to
//! a failed sign-in says nothing about whether the user exists.

use std::time::Duration;

use super::password::Passwords;
use super::token::SecretToken;
use crate::account::origin::Origin;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::{Role, User, UserStatus};
use crate::store::account::{profile, session, user};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// How long an ended session is still told from one that never was.
const EXPIRED_KNOWN_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long sessions live.
#[derive(Clone, Copy, Debug)]
pub struct SessionPolicy {
    /// A session ends when it is not used for this long.
    pub inactive_after: Duration,
    /// A session ends this long after it began, whatever happens.
    pub lives_for: Duration,
}

impl Default for SessionPolicy {
    /// 12 hours without use, 30 days in all.
    fn default() -> Self {
        Self {
            inactive_after: Duration::from_secs(12 * 3600),
            lives_for: Duration::from_secs(30 * 24 * 3600),
        }
    }
}

impl SessionPolicy {
    /// When a session last used at `last_seen` and ending at `expires_at` is over.
    pub(crate) fn ends_at(&self, last_seen: Time, expires_at: Time) -> Time {
        expires_at.min(last_seen + self.inactive_after)
    }

    /// A session that was not used since then is over.
    pub fn seen_after(&self, now: Time) -> Time {
        now - self.inactive_after
    }

    /// How stale the time of last use may become: a minute, or less where sessions are short.
    pub(crate) fn seen_to(&self) -> Duration {
        Duration::from_secs(60).min(self.inactive_after / 10)
    }
}

/// Which sign-in was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// The sign-in for all users.
    Anyone,
    /// The sign-in for administrators only.
    Admin,
}

/// What became of a sign-in.
#[derive(Debug)]
pub enum SignIn {
    /// A session began.
    Accepted {
        /// Its token, shown once.
        token: SecretToken,
        /// Who signed in.
        user: Box<User>,
    },
    /// The password is right, but the address was never proven: no session yet.
    EmailUnverified {
        /// Who signs in.
        user: Box<User>,
    },
    /// No user has this name or address with this password.
    WrongCredentials,
    /// The password is right, but the user is no administrator.
    NotAdmin,
    /// The password is right, but the administrator's account is inactive.
    InactiveAdmin,
}

/// Checks a password and begins a session. `login` is a user name or an e-mail address in any case.
pub async fn sign_in(
    store: &Store,
    passwords: &Passwords,
    entropy: &dyn Entropy,
    policy: &SessionPolicy,
    door: Door,
    (login, password): (&str, &str),
    (origin, now): (&Origin, Time),
) -> Result<SignIn> {
    let login = login.trim().to_lowercase();
    let found = user::credentials(&mut store.read().await?, &login).await?;
    let hash = found.as_ref().and_then(|(_, hash)| hash.as_deref());
    let matches = match origin.is_known {
        true => passwords.verify(password, hash).await?,
        false => passwords.verify_of_stranger(password, hash).await?,
    };
    let Some((user_id, hash)) = found.filter(|_| matches) else { return Ok(SignIn::WrongCredentials) };
    let user = known(&mut store.read().await?, user_id).await?;
    if door == Door::Admin && user.role != Role::Admin {
        return Ok(SignIn::NotAdmin);
    }
    if door == Door::Admin && user.status != UserStatus::Active {
        return Ok(SignIn::InactiveAdmin);
    }
    if user.email_verified_at.is_none() {
        return Ok(SignIn::EmailUnverified { user: Box::new(user) });
    }
    let token = SecretToken::session(entropy);
    let begun = Begun {
        user_id,
        hash: token.hash().0,
        now,
        expires_at: now + policy.lives_for,
        client: origin.client(),
        address: origin.address.to_string(),
    };
    let user = store
        .write(Lane::Interactive, (begun, hash), |tx, (begun, hash)| {
            Box::pin(async move {
                let user = begin(tx, begun).await?;
                // The check took its time. The user's row is locked by now: a new password is either seen here, or sees this
                // session and ends it.
                if profile::password_hash(tx, begun.user_id).await? != *hash {
                    return Err(Error::Stale);
                }
                Ok(user)
            })
        })
        .await;
    match user {
        Ok(user) => Ok(SignIn::Accepted { token, user: Box::new(user) }),
        // The session is undone: it was begun by a password that is not the account's any more.
        Err(Error::Stale) => Ok(SignIn::WrongCredentials),
        Err(error) => Err(error),
    }
}

/// A session to be begun.
pub(crate) struct Begun {
    pub(crate) user_id: UserId,
    pub(crate) hash: [u8; 32],
    pub(crate) now: Time,
    pub(crate) expires_at: Time,
    pub(crate) client: String,
    pub(crate) address: String,
}

/// Begins a session. The caller has proven who the user is.
pub(crate) async fn begin(tx: &mut Tx, begun: &Begun) -> Result<User> {
    user::signed_in(tx, begun.user_id, begun.now).await?;
    let id = session::insert(tx, &begun.hash, begun.user_id, begun.now, begun.expires_at).await?;
    session::describe(tx, id, &begun.client, &begun.address).await?;
    known(tx, begun.user_id).await
}

async fn known(tx: &mut Tx, user_id: UserId) -> Result<User> {
    user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))
}

/// Ends a session. Ending it twice is no error.
pub async fn sign_out(store: &Store, session_id: SessionId) -> Result<()> {
    store.write(Lane::Interactive, session_id, |tx, id| Box::pin(session::delete(tx, *id))).await
}

/// Forgets sessions that ended long ago; returns how many.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    session::purge(tx, now - EXPIRED_KNOWN_FOR).await
}
