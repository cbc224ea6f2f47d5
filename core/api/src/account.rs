//! Users, sessions and API keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;
use crate::purpose::Purpose;

/// A user as the API shows it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// The user's id.
    pub id: i64,
    /// The person's or business's name.
    pub name: String,
    /// The name used to sign in.
    pub username: String,
    /// The e-mail address.
    pub email: String,
    /// E.164 without `+`, where known.
    pub phone_number: Option<String>,
    /// As given.
    pub gender: Option<String>,
    /// `active` or `inactive`.
    pub status: String,
    /// `user` or `admin`.
    pub role: String,
    /// When the user was made.
    pub created_at: String,
    /// The last sign-in.
    pub last_login_at: Option<String>,
    /// The last sign-in, under the specification's other name.
    #[serde(default)]
    pub last_login: Option<String>,
    /// Where the picture is, if there is one.
    #[serde(default)]
    pub avatar: Option<String>,
    /// Whether the e-mail address is proven.
    #[serde(default)]
    pub email_verified: bool,
    /// The time zone in which times are shown.
    #[serde(default)]
    pub zone: String,
    /// The wallet in ESPEES.
    pub espee_balance: Amount,
    /// The wallet in Naira.
    pub paystack_balance: Amount,
}

/// A page of users.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Users {
    /// Newest first, unless sorted otherwise.
    pub users: Vec<User>,
    /// How many there are.
    pub total: i64,
}

/// The answer to a sign-in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SignedIn {
    /// The bearer token.
    pub token: String,
    /// The same token where other clients look for it.
    pub authorization: Authorization,
    /// Who signed in.
    pub user: User,
    /// For people.
    pub message: String,
}

/// The answer to a right password: a session, or the wish for a code.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum LoginAnswer {
    /// Signed in.
    SignedIn(Box<SignedIn>),
    /// The e-mail address has to be proven first: `POST /api/verify/email` with the code that was sent to it.
    Verification(VerificationRequired),
}

/// A sign-in that waits for the code sent to the e-mail address.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VerificationRequired {
    /// Always true.
    pub requires_email_verification: bool,
    /// For people.
    pub message: String,
    /// Before another code can be sent.
    #[serde(default)]
    pub resend_after_s: u64,
    /// How long a code is good that was sent now.
    #[serde(default)]
    pub valid_for_s: u64,
}

/// A code was sent, if there is anybody to send it to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CodeSent {
    /// For people.
    pub message: String,
    /// Before another one can be asked for.
    pub resend_after_s: u64,
    /// How long it is good.
    pub valid_for_s: u64,
}

/// Somebody whose phone number is proven.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Registered {
    /// The new user.
    pub user: User,
    /// For people.
    pub message: String,
}

/// A profile after a change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EditedProfile {
    /// The user.
    pub user: User,
    /// Whether a new e-mail address waits for its code.
    pub requires_email_verification: bool,
    /// Whether a new phone number waits for its code.
    #[serde(default)]
    pub requires_phone_verification: bool,
    /// For people.
    pub message: String,
}

/// Where a user is signed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Session {
    /// The session's id.
    pub id: i64,
    /// Whether it is the one that asks.
    pub is_current: bool,
    /// When it began.
    pub created_at: String,
    /// When it was last used, to the minute.
    pub last_seen_at: String,
    /// When it ends whatever happens.
    pub expires_at: String,
    /// What the client called itself.
    pub client: String,
    /// The address it signed in from.
    pub address: String,
}

/// A page of sessions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Sessions {
    /// The sessions, the newest use first.
    pub sessions: Vec<Session>,
    /// How many there are.
    pub total: i64,
}

/// A bearer token.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Authorization {
    /// The token.
    pub token: String,
    /// Always `bearer`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The answer of `GET /api/user-profile`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// Who is signed in.
    pub user: User,
    /// `session` or `api_key`.
    pub signed_in_with: String,
    /// What an API key may do; a session may do everything its user may.
    pub scopes: Vec<String>,
}

/// The KingsChat account of a user.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ChatLink {
    /// Whether there is one.
    pub linked: bool,
    /// What the person is called there.
    pub username: Option<String>,
    /// The person's picture there.
    pub avatar_url: Option<String>,
    /// When it was linked.
    pub linked_at: Option<String>,
    /// When it was last signed in with.
    pub last_login_at: Option<String>,
}

/// An API key without its secret.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiKey {
    /// The key's id.
    pub id: i64,
    /// What its owner calls it.
    pub name: String,
    /// The first characters of the key, to recognise it by.
    pub prefix: String,
    /// What it may do: `send`, `read`, `admin`.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: String,
    /// When it was last used, to the minute.
    pub last_used_at: Option<String>,
    /// When it ends by itself; `null` for never.
    #[serde(default)]
    pub expires_at: Option<String>,
    /// What messages are for that are sent with it and do not say so; `null` where the sender ID or the account decides.
    #[serde(default)]
    pub purpose: Option<Purpose>,
}

/// The answer to making a key: the only time its secret is shown.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewApiKey {
    /// The key itself, `td_...`.
    pub key: String,
    /// What was made.
    pub api_key: ApiKey,
    /// For people.
    pub message: String,
}

/// A page of API keys.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiKeys {
    /// The keys, newest first.
    pub api_keys: Vec<ApiKey>,
    /// How many there are.
    pub total: i64,
}

/// A password that was reset, and what still opens the account beside it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PasswordReset {
    /// For people.
    pub message: String,
    /// API keys that go on working, the newest first, at most ten.
    #[serde(default)]
    pub api_keys: Vec<ApiKey>,
    /// How many there are.
    #[serde(default)]
    pub total_api_keys: i64,
    /// Whether a KingsChat account is linked, which signs in without the password.
    #[serde(default)]
    pub kingschat_linked: bool,
}

/// An answer that is only a sentence.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Message {
    /// For people.
    pub message: String,
}
