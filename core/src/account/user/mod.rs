//! Users: who they are, how they are named, and what makes or stops one.
//!
//! A name or an address belongs to one user, whatever case it is typed in, and the platform is never
//! left without an active administrator.

pub mod message;
pub mod profile;
pub mod registration;
pub mod right_to_codes;

use crate::model::account::id::UserId;
use crate::model::account::user::NewUser;

use crate::error::{Error, Result};
use crate::ledger;
use crate::store::Tx;
use crate::store::account::user as rows;
use crate::time::Time;

/// What of a new user another one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::account) enum Taken {
    Username,
    Email,
}

impl From<Taken> for Error {
    fn from(taken: Taken) -> Self {
        match taken {
            Taken::Username => Self::field("username", "username_taken", "Username is already taken"),
            Taken::Email => Self::field("email", "email_taken", "Email address is already registered"),
        }
    }
}

/// Makes a user, active and with empty wallets, and returns the id.
///
/// # Errors
/// A rule on `name`, `username` or `email` when the name is missing or either of the others is taken.
pub async fn create_user(tx: &mut Tx, user: &NewUser, now: Time) -> Result<UserId> {
    Ok(try_to_create(tx, user, now).await??)
}

/// [`create_user`], with what is taken as a value.
pub(in crate::account) async fn try_to_create(
    tx: &mut Tx,
    user: &NewUser,
    now: Time,
) -> Result<Result<UserId, Taken>> {
    if user.name.trim().is_empty() {
        return Err(Error::field("name", "name_required", "Name is required"));
    }
    if let Some(id) = rows::insert(tx, user, now).await? {
        ledger::open_wallets(tx, id).await?;
        return Ok(Ok(id));
    }
    let (name_taken, _) = rows::taken(tx, user.username.as_str(), user.email.as_str()).await?;
    Ok(Err(if name_taken { Taken::Username } else { Taken::Email }))
}
