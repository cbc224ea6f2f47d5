//! Users and how they prove who they are: registration, passwords, codes, sessions, API keys.
//!
//! Nothing here knows HTTP: the daemon hands over a bearer token and gets a [`Caller`]. No secret is
//! kept in a form it could be used in. Passwords are argon2id hashes, tokens and keys SHA-256 hashes.

pub mod auth;
mod identity;
pub mod kingschat;
mod origin;
pub mod user;
pub mod verification;

pub use auth::api_key::{KeyScope, NewKey, Scopes};
pub use auth::caller::{Authentication, Caller, Callers, Credential};
pub use auth::password::{Passwords, check_new_password};
pub use auth::password_reset::Reset;
pub use auth::reauthentication::{PROVEN_FOR, RemainingAccess, WebhookChange};
pub use auth::session::{Door, SessionPolicy, SignIn, purge, sign_in, sign_out};
pub use auth::token::{SecretToken, TokenHash, is_shown_as};
pub use identity::{CodeAsked, Identity, purge_identity};
pub use origin::Origin;
pub use user::create_user;
pub use user::profile::{AVATAR_MAX, ProfileChanged, ProfileForm};
pub use user::registration::{RegistrationForm, phone_number};
pub use verification::code::{CodeLimits, VALID_FOR as CODE_VALID_FOR};

#[cfg(test)]
mod tests;
