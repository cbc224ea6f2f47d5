//! Accounts by KingsChat: signing in, linking, unlinking.
//!
//! What a browser says of a person is never read here: a [`ChatProfile`] is KingsChat's own answer. An
//! account belongs to one id at KingsChat, and an account that was there before is found by its address only when both
//! sides proved that address; an administrator's never is.

use crate::account::auth::session::{self, Begun};
use crate::account::auth::token::SecretToken;
use crate::account::identity::Identity;
use crate::account::kingschat::ChatProfile;
use crate::account::origin::Origin;
use crate::account::user::{Taken, try_to_create};
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::chat_refusal::ChatRefusal;
use crate::model::account::id::UserId;
use crate::model::account::user::{DEFAULT_ZONE, Email, NewUser, Role, User, Username};
use crate::store::account::{kingschat, user, user_message};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// What came of a sign-in or link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginOutcome {
    /// It was done.
    Done,
    /// It failed.
    Refused(ChatRefusal),
}

/// Numbers tried behind a user name that is taken, before chance decides.
const NUMBERS_TRIED: u32 = 9;
/// How much of a user name is kept, so that a number or chance fits behind it.
const NAME_KEPT: usize = 22;
/// How often a sign-in that met another one of the same person is tried again.
const TRIES: u32 = 3;

/// Signs in the user that KingsChat names; makes an account where there is none.
pub async fn sign_in(
    identity: &Identity,
    profile: &ChatProfile,
    (origin, now): (&Origin, Time),
) -> Result<(SecretToken, User)> {
    let entropy = identity.entropy.as_ref();
    let token = SecretToken::session(entropy);
    let mut tries = 1;
    loop {
        let input = Entering {
            profile: profile.clone(),
            origin: origin.clone(),
            spare: spare(entropy),
            hash: token.hash().0,
            identity: identity.clone(),
            now,
            expires_at: now + identity.sessions.lives_for,
        };
        match identity.store.write(Lane::Interactive, input, |tx, input| Box::pin(enter(tx, input))).await {
            Err(Error::Conflict { .. }) if tries < TRIES => tries += 1,
            other => return Ok((token, other?)),
        }
    }
}

struct Entering {
    profile: ChatProfile,
    origin: Origin,
    spare: String,
    hash: [u8; 32],
    identity: Identity,
    now: Time,
    expires_at: Time,
}

async fn enter(tx: &mut Tx, input: &Entering) -> Result<User> {
    let user_id = account_of(tx, &input.identity, &input.profile, &input.spare, input.now).await?;
    let begun = Begun {
        user_id,
        hash: input.hash,
        now: input.now,
        expires_at: input.expires_at,
        client: input.origin.client(),
        address: input.origin.address.to_string(),
    };
    session::begin(tx, &begun).await
}

/// A random suffix that makes a user name unique.
pub(crate) fn spare(entropy: &dyn Entropy) -> String {
    format!("{:08x}", entropy.u64() >> 32)
}

/// The account of a person: by the id, else by an address both sides proved, else a new one.
///
/// # Errors
/// A conflict when the same person came through another door at this moment: try again.
pub(crate) async fn account_of(
    tx: &mut Tx,
    identity: &Identity,
    profile: &ChatProfile,
    spare: &str,
    now: Time,
) -> Result<UserId> {
    let (username, avatar) = (profile.username.as_deref(), profile.avatar_url.as_deref());
    let user_id = match kingschat::by_provider(tx, &profile.id).await? {
        Some(link) => link.user_id,
        None => {
            let known = same_address(tx, profile).await?;
            let user_id = match known {
                Some(user_id) => user_id,
                None => create(tx, profile, spare, now).await?,
            };
            if !kingschat::link(tx, user_id, &profile.id, username, avatar, now).await? {
                return Err(Error::conflict("chat_link_race", "Login failed. Please try again."));
            }
            if known.is_some() {
                identity.tell_of_link(tx, user_id, now).await?;
            }
            user_id
        }
    };
    kingschat::signed_in(tx, user_id, username, avatar, now).await?;
    Ok(user_id)
}

/// The user whose address KingsChat proved and we did too, if no other KingsChat account is linked to that user.
async fn same_address(tx: &mut Tx, profile: &ChatProfile) -> Result<Option<UserId>> {
    let Some(email) = profile.email.as_ref().filter(|_| profile.email_verified) else { return Ok(None) };
    let Some((id, _)) = user::credentials(tx, email.as_str()).await? else { return Ok(None) };
    let proven = user::by_id(tx, id)
        .await?
        .is_some_and(|user| user.email_verified_at.is_some() && user.role == Role::User);
    Ok(if proven && kingschat::of_user(tx, id).await?.is_none() { Some(id) } else { None })
}

async fn create(tx: &mut Tx, profile: &ChatProfile, spare: &str, now: Time) -> Result<UserId> {
    let proven = profile.email.clone().filter(|_| profile.email_verified);
    let mut email = match proven {
        Some(email) if !user::taken(tx, "", email.as_str()).await?.1 => Some(email),
        _ => None,
    };
    for username in usernames(profile, spare) {
        let new = NewUser {
            name: profile.name.clone().unwrap_or_else(|| username.as_str().to_owned()),
            username,
            email_verified_at: email.is_some().then_some(now),
            email: email.clone().unwrap_or_else(|| Email::nobody(&format!("{} {spare}", profile.id))),
            phone_number: None,
            role: Role::User,
            zone: DEFAULT_ZONE.into(),
            password_hash: None,
        };
        match try_to_create(tx, &new, now).await? {
            Ok(user_id) => return Ok(user_id),
            Err(Taken::Username) => {}
            Err(Taken::Email) if email.is_some() => email = None,
            Err(taken) => return Err(taken.into()),
        }
    }
    Err(Error::conflict("chat_name_race", "Login failed. Please try again."))
}

/// User names to try: the one at KingsChat as far as our rules allow, with a number behind it, with chance behind it.
fn usernames(profile: &ChatProfile, spare: &str) -> Vec<Username> {
    let wanted = profile.username.as_deref().or(profile.name.as_deref()).unwrap_or_default();
    let kept: String = wanted
        .to_lowercase()
        .chars()
        .map(|sign| if sign.is_whitespace() { '.' } else { sign })
        .filter(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || "._-".contains(*sign))
        .skip_while(|sign| !sign.is_ascii_alphanumeric())
        .take(NAME_KEPT)
        .collect();
    let base = if kept.len() < 3 { format!("user{kept}") } else { kept };
    let numbered = (2..=NUMBERS_TRIED).map(|number| format!("{base}-{number}"));
    // Twice by chance: a lost race for the address takes one turn.
    let by_chance = [format!("{base}-{spare}"), format!("user-{spare}")];
    std::iter::once(base.clone())
        .chain(numbered)
        .chain(by_chance)
        .filter_map(|name| name.parse().ok())
        .collect()
}

/// Links a signed-in user's account to the KingsChat user of this profile. Linking the same twice is no error.
///
/// # Errors
/// A conflict when either of them is linked to another.
pub async fn link(
    tx: &mut Tx,
    identity: &Identity,
    user_id: UserId,
    profile: &ChatProfile,
    now: Time,
) -> Result<()> {
    match linking(tx, identity, user_id, profile, now).await? {
        LoginOutcome::Done => Ok(()),
        LoginOutcome::Refused(why) => Err(refusal(why)),
    }
}

/// [`link`], with a refusal as a value.
pub(crate) async fn linking(
    tx: &mut Tx,
    identity: &Identity,
    user_id: UserId,
    profile: &ChatProfile,
    now: Time,
) -> Result<LoginOutcome> {
    if let Some(link) = kingschat::of_user(tx, user_id).await? {
        return Ok(if link.provider_id == profile.id {
            LoginOutcome::Done
        } else {
            LoginOutcome::Refused(ChatRefusal::OtherLinked)
        });
    }
    // Of two at once, one is refused: each is linked to one only.
    let (username, avatar) = (profile.username.as_deref(), profile.avatar_url.as_deref());
    if !kingschat::link(tx, user_id, &profile.id, username, avatar, now).await? {
        return Ok(LoginOutcome::Refused(ChatRefusal::AccountTaken));
    }
    identity.tell_of_link(tx, user_id, now).await?;
    Ok(LoginOutcome::Done)
}

/// A refusal with its sentence.
pub(crate) fn refusal(why: ChatRefusal) -> Error {
    let code = why.code();
    match why {
        ChatRefusal::OtherLinked => {
            Error::conflict(code, "Another KingsChat account is linked to this account: unlink it first")
        }
        ChatRefusal::AccountTaken => Error::conflict(
            code,
            "This KingsChat account is linked to another account: sign in with it and unlink it there first",
        ),
        ChatRefusal::Unreachable => {
            Error::unavailable(code, "KingsChat cannot be reached: try again in a moment")
        }
        ChatRefusal::Over => Error::rule(code, "This sign-in is over: begin again"),
        ChatRefusal::Failed => Error::rule(code, "Login failed. Please try again."),
    }
}

/// Ends the link of a user.
///
/// # Errors
/// When there is none, or the user has no password and could not sign in any more.
pub async fn unlink(tx: &mut Tx, user_id: UserId) -> Result<()> {
    let found = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
    let password = user::credentials(tx, &found.username).await?.and_then(|(_, hash)| hash);
    if kingschat::of_user(tx, user_id).await?.is_none() {
        return Err(Error::NotFound("KingsChat link"));
    }
    if password.is_none() {
        return Err(Error::rule(
            "last_sign_in",
            "KingsChat is the only way to sign in to this account: set a password first",
        ));
    }
    end(tx, user_id).await
}

/// Ends a link, what was to be sent by it, and sign-ins by it that are under way or not fetched yet.
async fn end(tx: &mut Tx, user_id: UserId) -> Result<()> {
    kingschat::forget_flows(tx, user_id).await?;
    user_message::forget_chats(tx, user_id).await?;
    kingschat::unlink(tx, user_id).await?;
    Ok(())
}

/// Drops all that is kept of a user's KingsChat account: for a user who is deleted.
pub async fn forget(tx: &mut Tx, user_id: UserId) -> Result<()> {
    end(tx, user_id).await
}

#[cfg(test)]
mod tests;
