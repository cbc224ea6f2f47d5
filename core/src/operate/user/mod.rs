//! What administrators do to users: make, activate, deactivate, delete.
//!
//! The platform is never left without an active administrator.

pub mod deletion;
pub mod legal_hold;

use std::fmt;

use crate::account::{self, Identity};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::{NewUser, Role, UserStatus};
use crate::model::message::status::CampaignStatus;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::sender;
use crate::store::account::{api_key, session, user as rows};
use crate::store::{Tx, campaign};
use crate::time::Time;

/// What became of the campaigns that only an inactive account kept back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reactivated {
    /// They send again.
    pub sending: u64,
    /// They wait for their time again.
    pub scheduled: u64,
    /// They stay paused: their sender may not be used any more.
    pub paused: u64,
}

impl fmt::Display for Reactivated {
    /// What follows "active", as in "active: 2 campaigns sending again"; empty when there were none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.sending, "sending again"),
            (self.scheduled, "scheduled again"),
            (self.paused, "still paused, as the sender id may not be used"),
        ];
        let mut before = ": ";
        for (count, what) in all.iter().filter(|(count, _)| *count > 0) {
            let plural = if *count == 1 { "" } else { "s" };
            write!(f, "{before}{count} campaign{plural} {what}")?;
            before = ", ";
        }
        Ok(())
    }
}

/// Makes a user, with an audit entry, and returns the id. A new administrator is reported to all administrators.
///
/// # Errors
/// Those of [`account::create_user`].
pub async fn create_user(
    tx: &mut Tx,
    identity: &Identity,
    user: &NewUser,
    by: UserId,
    now: Time,
) -> Result<UserId> {
    let username = user.username.as_str();
    if user.role == Role::Admin {
        // Before there is the new one, who needs no telling.
        let email = user.email.as_str();
        let what = format!("{{}} made a new administrator of Talkdrum: {username} ({email}).");
        identity.tell_administrators(tx, by, ("A new administrator", &what), now).await?;
    }
    let id = account::create_user(tx, user, now).await?;
    let made = format!("{username} ({})", user.role.code());
    let entry = Entry::new(by, AuditAction::UserCreate, format!("user {id}")).after(Some(made));
    audit::record(tx, &entry, now).await?;
    Ok(id)
}

/// Lets a user send and pay again, with an audit entry. Campaigns that nothing but the inactive account kept back go on with
/// it. An administrator who is active again is reported to all administrators.
///
/// # Errors
/// When there is no such user.
pub async fn activate_user(
    tx: &mut Tx,
    identity: &Identity,
    id: UserId,
    by: UserId,
    now: Time,
) -> Result<Reactivated> {
    let user = rows::by_id(tx, id).await?.ok_or(Error::NotFound("user"))?;
    if user.role == Role::Admin && user.status != UserStatus::Active {
        let what = format!("{{}} activated the administrator {} of Talkdrum.", user.username);
        identity.tell_administrators(tx, by, ("An administrator was activated", &what), now).await?;
    }
    set_status(tx, id, UserStatus::Active, now).await?;
    let went_on = let_campaigns_go(tx, id, now).await?;
    let entry = Entry::new(by, AuditAction::UserActivate, format!("user {id}"));
    let entry = entry.before(Some(user.status.code())).after(Some(format!("active{went_on}")));
    audit::record(tx, &entry, now).await?;
    Ok(went_on)
}

async fn let_campaigns_go(tx: &mut Tx, id: UserId, now: Time) -> Result<Reactivated> {
    let mut went_on = Reactivated::default();
    for sender in campaign::senders_kept_back(tx, id).await? {
        match sender::check_and_lock(tx, id, &sender).await {
            Ok(_) => {
                for status in campaign::let_go(tx, id, &sender, now).await? {
                    let counted = match status {
                        CampaignStatus::Scheduled => &mut went_on.scheduled,
                        _ => &mut went_on.sending,
                    };
                    *counted += 1;
                }
            }
            Err(Error::Rule { message, .. }) => {
                went_on.paused += campaign::keep_back(tx, id, &sender, &message).await?;
            }
            Err(other) => return Err(other),
        }
    }
    Ok(went_on)
}

/// Stops a user from starting anything, and ends the sessions and API keys that the user has, with an audit entry. An
/// inactive user signs in again, reads, and changes what costs nothing; an inactive administrator signs in and reads the own
/// account.
///
/// # Errors
/// When there is no such user, or it is the last active administrator.
pub async fn deactivate_user(tx: &mut Tx, id: UserId, by: UserId, now: Time) -> Result<()> {
    let before = rows::by_id(tx, id).await?.ok_or(Error::NotFound("user"))?.status;
    stop(tx, id, now).await?;
    let entry = Entry::new(by, AuditAction::UserDeactivate, format!("user {id}"));
    let entry = entry.before(Some(before.code())).after(Some(UserStatus::Inactive.code()));
    audit::record(tx, &entry, now).await
}

/// What a deactivation and a deletion begin with.
async fn stop(tx: &mut Tx, id: UserId, now: Time) -> Result<()> {
    let admins = rows::active_admins(tx).await?;
    set_status(tx, id, UserStatus::Inactive, now).await?;
    if admins > 0 && rows::active_admins(tx).await? == 0 {
        return Err(Error::rule(
            "last_admin",
            "This is the last active administrator: activate or make another one first",
        ));
    }
    Ok(())
}

async fn set_status(tx: &mut Tx, id: UserId, status: UserStatus, now: Time) -> Result<()> {
    if !rows::set_status(tx, id, status, now).await? {
        return Err(Error::NotFound("user"));
    }
    if status == UserStatus::Inactive {
        // A stolen token or key must not work again once the account is activated.
        session::delete_all(tx, id).await?;
        api_key::revoke_all(tx, id, now).await?;
        // What runs stops at its next intent; both that and what is scheduled go on when the account is activated.
        campaign::pause_all_of(tx, id).await?;
    }
    Ok(())
}
