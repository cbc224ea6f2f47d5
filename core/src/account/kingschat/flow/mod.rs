//! The newer flow of KingsChat, which redirects away from the page and comes back with a code.
//!
//! ```text
//! browser -- start --> nonce for KingsChat, secret for the browser
//! browser -- nonce --> KingsChat -- code, nonce --> us: the nonce is spent, the code exchanged, the account found
//! browser -- secret --> us: a session, once
//! ```
//!
//! A nonce is taken once, and only from the browser that asked for it, so that a prepared address cannot
//! make a stranger sign in for the attacker. Where KingsChat calls us from its own servers no browser can be seen: that
//! has to be allowed by the configuration.

use std::time::Duration;

use subtle::ConstantTimeEq as _;

use crate::account::auth::session::{self, Begun, SessionPolicy};
use crate::account::auth::token::{SecretToken, TokenHash};
use crate::account::identity::Identity;
use crate::account::kingschat::login::{self, LoginOutcome, account_of, linking, refusal};
use crate::account::kingschat::{ChatError, ChatProfile, KingsChat};
use crate::account::origin::Origin;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::chat_refusal::ChatRefusal;
use crate::model::account::id::{ChatLoginId, SessionId, UserId};
use crate::model::account::user::User;
use crate::store::account::kingschat;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// How long a person may take to sign in at KingsChat.
pub const LIVES_FOR: Duration = Duration::from_secs(15 * 60);
/// Sign-ins under way at once, in all: strangers begin them.
const UNDER_WAY: i64 = 10_000;
/// How many more are allowed for a signed-in user, or from an address that signed in recently.
const KEPT: i64 = 1_000;

/// A sign-in that was begun.
#[derive(Debug)]
pub struct Started {
    /// Goes to KingsChat and comes back with the code.
    pub origin: SecretToken,
    /// Stays with the browser, and gets the session.
    pub state: SecretToken,
    /// When both are worth nothing any more.
    pub expires_at: Time,
}

/// The answer to a browser that asks for its session.
#[derive(Debug)]
pub enum FinishedFlow {
    /// KingsChat has not answered yet.
    Waiting,
    /// A session began.
    SignedIn(SecretToken, Box<User>),
    /// The account of the user who asked is linked.
    Linked,
}

/// Begins a sign-in, or a link for a signed-in user (the user's id and the session's) that is good as long as that session.
/// A known address is one with a recent sign-in.
///
/// # Errors
/// When too many are under way.
pub async fn start(
    store: &Store,
    entropy: &dyn Entropy,
    link_to: Option<(UserId, SessionId)>,
    is_known: bool,
    now: Time,
) -> Result<Started> {
    let (origin, state) = (SecretToken::chat(entropy), SecretToken::chat(entropy));
    let expires_at = now + LIVES_FOR;
    let most = if is_known || link_to.is_some() { UNDER_WAY + KEPT } else { UNDER_WAY };
    let input = (origin.hash(), state.hash(), link_to, most, now, expires_at);
    store
        .write(Lane::Interactive, input, |tx, (origin, state, link_to, most, now, expires_at)| {
            Box::pin(async move {
                if kingschat::under_way(tx, *now, *most).await? >= *most {
                    return Err(Error::unavailable(
                        "too_many_logins",
                        "Too many people are signing in by KingsChat: try again in a few minutes",
                    ));
                }
                let hashes = (origin.as_bytes(), state.as_bytes());
                kingschat::begin(tx, hashes, *link_to, *now, *expires_at).await
            })
        })
        .await?;
    Ok(Started { origin, state, expires_at })
}

/// What came back from KingsChat.
#[derive(Clone, Copy, Debug)]
pub struct Returned<'a> {
    /// The nonce.
    pub origin: &'a str,
    /// The code.
    pub code: &'a str,
    /// The secret of the browser that brought it; `None` when no browser did.
    pub browser: Option<&'a str>,
    /// Whether a return without a browser is taken.
    pub without_browser: bool,
}

/// Takes a code: spends the nonce, asks KingsChat who it is, and finds or makes the account. A second return of the same
/// nonce, and one by another browser, is refused and asks KingsChat nothing.
pub async fn returned(
    identity: &Identity,
    kingschat: &KingsChat,
    back: Returned<'_>,
    now: Time,
) -> Result<LoginOutcome> {
    let store = &identity.store;
    let unknown = || Ok(LoginOutcome::Refused(ChatRefusal::Over));
    let origin = TokenHash::of(back.origin);
    let row = kingschat::by_origin(&mut store.read().await?, origin.as_bytes(), now).await?;
    let Some(row) = row else { return unknown() };
    let same_browser = match back.browser {
        Some(secret) => TokenHash::of(secret).as_bytes().ct_eq(&row.browser_hash).into(),
        None => back.without_browser,
    };
    if !same_browser {
        tracing::warn!("a KingsChat sign-in came back by another browser than began it");
        return unknown();
    }
    let claimed = (row.id, now);
    if !store
        .write(Lane::Interactive, claimed, |tx, (id, now)| Box::pin(kingschat::claim(tx, *id, *now)))
        .await?
    {
        return unknown();
    }
    let profile = kingschat.profile_by_code(back.code, now).await;
    if let Err(error) = &profile {
        tracing::warn!(%error, "a KingsChat code brought no profile");
    }
    let settling = Settling {
        id: row.id,
        link_to: row.user_id,
        profile: profile.map_err(|error| match error {
            ChatError::Refused(_) => ChatRefusal::Failed,
            ChatError::Unreachable(_) | ChatError::Unclear(_) => ChatRefusal::Unreachable,
        }),
        spare: login::spare(identity.entropy.as_ref()),
        identity: identity.clone(),
        now,
    };
    let id = row.id;
    match store.write(Lane::Interactive, settling, |tx, settling| Box::pin(settle(tx, settling))).await {
        // The nonce is spent: the person begins again.
        Err(Error::Conflict { .. }) => {
            let lost = (id, now);
            store
                .write(Lane::Interactive, lost, |tx, (id, now)| {
                    Box::pin(kingschat::settle(tx, *id, None, Some(ChatRefusal::Failed), *now))
                })
                .await?;
            Ok(LoginOutcome::Refused(ChatRefusal::Failed))
        }
        other => other,
    }
}

struct Settling {
    id: ChatLoginId,
    link_to: Option<UserId>,
    profile: Result<ChatProfile, ChatRefusal>,
    spare: String,
    identity: Identity,
    now: Time,
}

async fn settle(tx: &mut Tx, settling: &Settling) -> Result<LoginOutcome> {
    let (outcome, user_id) = match (&settling.profile, settling.link_to) {
        (Err(why), _) => (LoginOutcome::Refused(*why), None),
        // Signed out, or the password was changed: what was begun before is over.
        (Ok(_), Some(_)) if !kingschat::is_session_there(tx, settling.id, settling.now).await? => {
            (LoginOutcome::Refused(ChatRefusal::Over), None)
        }
        (Ok(profile), Some(user_id)) => {
            (linking(tx, &settling.identity, user_id, profile, settling.now).await?, None)
        }
        (Ok(profile), None) => {
            let account = account_of(tx, &settling.identity, profile, &settling.spare, settling.now).await?;
            (LoginOutcome::Done, Some(account))
        }
    };
    let refused = match outcome {
        LoginOutcome::Done => None,
        LoginOutcome::Refused(why) => Some(why),
    };
    if !kingschat::settle(tx, settling.id, user_id, refused, settling.now).await? {
        return Err(Error::conflict(ChatRefusal::Over.code(), "This sign-in is over: begin again"));
    }
    Ok(outcome)
}

/// What the browser with this secret gets: nothing yet, a session once, or why not.
///
/// # Errors
/// When the sign-in is over, or failed.
pub async fn finish(
    store: &Store,
    entropy: &dyn Entropy,
    policy: &SessionPolicy,
    state: &str,
    (origin, now): (&Origin, Time),
) -> Result<FinishedFlow> {
    let hash = TokenHash::of(state);
    let row = kingschat::by_browser(&mut store.read().await?, hash.as_bytes(), now).await?;
    if row.as_ref().is_some_and(|row| row.settled_at.is_none()) {
        return Ok(FinishedFlow::Waiting);
    }
    let row = row.ok_or_else(over)?;
    let refused = row.refusal;
    let token = SecretToken::session(entropy);
    let input = (row, token.hash().0, now, now + policy.lives_for, origin.clone());
    let user = store
        .write(Lane::Interactive, input, |tx, (row, hash, now, expires_at, origin)| {
            Box::pin(async move {
                if !kingschat::finish(tx, row.id).await? {
                    return Err(over());
                }
                match (&row.refusal, row.signs_in, row.user_id) {
                    (None, true, Some(user_id)) => {
                        let begun = Begun {
                            user_id,
                            hash: *hash,
                            now: *now,
                            expires_at: *expires_at,
                            client: origin.client(),
                            address: origin.address.to_string(),
                        };
                        session::begin(tx, &begun).await.map(Some)
                    }
                    _ => Ok(None),
                }
            })
        })
        .await?;
    match (refused, user) {
        (Some(why), _) => Err(refusal(why)),
        (None, Some(user)) => Ok(FinishedFlow::SignedIn(token, Box::new(user))),
        (None, None) => Ok(FinishedFlow::Linked),
    }
}

fn over() -> Error {
    refusal(ChatRefusal::Over)
}

/// Forgets sign-ins whose time is over; returns how many.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    kingschat::purge(tx, now).await
}

#[cfg(test)]
mod tests;
