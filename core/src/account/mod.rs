//! Users and how they prove who they are: registration, passwords, codes, sessions, API keys.
//!
//! Nothing here knows HTTP: the daemon hands over a bearer token and gets a [`Caller`]. The invariant: no secret is
//! kept in a form it could be used in. Passwords are argon2id hashes, tokens and keys SHA-256 hashes.

pub mod api_key;
mod caller;
pub mod chat_flow;
pub mod chat_login;
mod code;
mod email;
mod identity;
pub mod kingschat;
mod password;
mod phone;
mod profile;
mod reauthentication;
mod registration;
pub mod removal;
mod secret;
mod session;
mod token;
mod user;
pub mod user_message;

pub use api_key::{NewKey, Scope, Scopes};
pub use caller::{Authentication, Caller, Callers, Credential};
pub use code::{Caps, VALID_FOR as CODE_VALID_FOR};
pub use identity::{CodeAsked, Identity, Origin, purge_identity};
pub use password::{Passwords, check_new_password};
pub use profile::{AVATAR_MAX, ProfileChanged, ProfileForm};
pub use reauthentication::{PROVEN_FOR, RemainingAccess, WebhookChange};
pub use registration::{RegistrationForm, phone_number};
pub use secret::Reset;
pub use session::{Door, SessionPolicy, SignIn, purge, sign_in, sign_out};
pub use token::{SecretToken, TokenHash};
pub use user::{
    DEFAULT_ZONE, Email, NewUser, Reactivated, Role, User, UserStatus, Username, activate_user, create_user,
    deactivate_user, is_reachable,
};

#[cfg(test)]
mod identity_tests;
#[cfg(test)]
mod misuse_tests;
#[cfg(test)]
mod tests;
