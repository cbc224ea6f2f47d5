//! Users and how they prove who they are: passwords, sessions, API keys.
//!
//! Nothing here knows HTTP: the daemon hands over a bearer token and gets a [`Caller`]. The invariant: no secret is
//! kept in a form it could be used in. Passwords are argon2id hashes, tokens and keys SHA-256 hashes.

pub mod api_key;
mod caller;
mod password;
mod session;
mod token;
mod user;

pub use api_key::{NewKey, Scope, Scopes};
pub use caller::{Authentication, Caller, Callers, Credential};
pub use password::{Passwords, check_new_password};
pub use session::{Door, SessionPolicy, SignIn, purge, sign_in, sign_out};
pub use token::{SecretToken, TokenHash};
pub use user::{
    DEFAULT_ZONE, Email, NewUser, Role, User, UserStatus, Username, activate_user, create_user,
    deactivate_user,
};

#[cfg(test)]
mod tests;
