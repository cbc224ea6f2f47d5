//! Users, sessions and API keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;

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
    /// The wallet in ESPEES.
    pub espee_balance: Amount,
    /// The wallet in Naira.
    pub paystack_balance: Amount,
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

/// An answer that is only a sentence.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Message {
    /// For people.
    pub message: String,
}
