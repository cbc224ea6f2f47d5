//! People for tests.

use crate::account::create_user;
use crate::model::account::id::UserId;
use crate::model::account::user::{DEFAULT_ZONE, NewUser, Role};
use crate::store::{Lane, Store};
use crate::time::Time;

/// A user to be made, with the proven address `<username>@example.com` and no password.
///
/// # Panics
/// When the name breaks the rules.
pub fn new_user(username: &str, role: Role) -> NewUser {
    NewUser {
        name: username.to_owned(),
        username: username.parse().expect("a user name"),
        email: format!("{username}@example.com").parse().expect("an address"),
        email_verified_at: Some(Time(1_700_000_000_000)),
        phone_number: None,
        role,
        zone: DEFAULT_ZONE.to_owned(),
        password_hash: None,
    }
}

/// Makes a user without a password and returns the id.
///
/// # Panics
/// When it cannot be stored.
pub async fn make_user(store: &Store, username: &str, role: Role) -> UserId {
    store
        .write(Lane::Interactive, new_user(username, role), |tx, user| {
            Box::pin(create_user(tx, user, Time(1_700_000_000_000)))
        })
        .await
        .expect("a user")
}
