//! Users: who they are, how they are named, and what makes or stops one.
//!
//! A name or an address belongs to one user, whatever case it is typed in, and the platform is never
//! left without an active administrator.

pub mod message;
pub mod profile;
pub mod registration;

use crate::model::user::NewUser;

use crate::error::{Error, Result};
use crate::ledger;
use crate::store::Tx;
use crate::store::account::user as rows;
use crate::time::Time;

/// Makes a user, active and with empty wallets, and returns the id.
///
/// # Errors
/// A rule on `name`, `username` or `email` when the name is missing or either of the others is taken.
pub async fn create_user(tx: &mut Tx, user: &NewUser, now: Time) -> Result<i64> {
    if user.name.trim().is_empty() {
        return Err(Error::field("name", "name_required", "Name is required"));
    }
    if let Some(id) = rows::insert(tx, user, now).await? {
        ledger::open_wallets(tx, id).await?;
        return Ok(id);
    }
    let (name_taken, _) = rows::taken(tx, user.username.as_str(), user.email.as_str()).await?;
    Err(if name_taken {
        Error::field("username", "username_taken", "Username is already taken")
    } else {
        Error::field("email", "email_taken", "Email address is already registered")
    })
}
