//! The `Idempotency-Key` header.
//!
//! ```ignore
//! async fn create(caller: AdminCaller, key: IdempotencyKey, Form { data, digest }: Form<NewThing>) -> Answer<Thing> {
//!     let input = (key.claim(&caller, "thing.create", digest), data, now);
//!     app.store.write(Lane::Interactive, input, |tx, (claim, data, now)| Box::pin(async move {
//!         let id = once(tx, claim.as_ref(), *now, async |tx| thing::create(tx, data, *now).await).await?;
//!         thing::show(tx, id).await
//!     })).await
//! ```
//!
//! The key is claimed in the transaction of the effects, never beside it.

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use sha2::{Digest as _, Sha256};
use talkdrum_core::account::Caller;
use talkdrum_core::store::operations::idempotency::Claim;

use super::caller::SignedIn;
use crate::problem::ApiError;
use crate::state::AppState;

/// Where single messages are sent.
const SINGLE_SENDS: &str = "/api/messages";
/// The header's name.
pub(super) const HEADER: &str = "idempotency-key";
/// The longest key.
const LONGEST: usize = 255;

/// The client's key, if it sent one: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(pub Option<String>);

impl IdempotencyKey {
    /// The claim of this request on the key. `operation` is a stable name, with the record where the path names one.
    pub fn claim(self, caller: &Caller, operation: &'static str, input_hash: [u8; 32]) -> Option<Claim> {
        self.0.map(|key| Claim { user_id: caller.user_id, key, operation, input_hash })
    }

    /// The claim of a request whose input is only the id of a record in its path.
    pub fn claim_on(self, caller: &Caller, operation: &'static str, record: i64) -> Option<Claim> {
        let input_hash = Sha256::digest(record.to_be_bytes()).into();
        self.claim(caller, operation, input_hash)
    }

    /// The claim of a request whose input is a name in its path and what was sent.
    pub fn claim_named(
        self,
        caller: &Caller,
        operation: &'static str,
        name: &str,
        digest: [u8; 32],
    ) -> Option<Claim> {
        let input_hash = Sha256::new().chain_update(digest).chain_update(name).finalize();
        self.claim(caller, operation, input_hash.into())
    }

    /// The claim of a request whose input is the id of a record in its path and what was sent.
    pub fn claim_with(
        self,
        caller: &Caller,
        operation: &'static str,
        record: i64,
        digest: [u8; 32],
    ) -> Option<Claim> {
        let input_hash = Sha256::new().chain_update(record.to_be_bytes()).chain_update(digest).finalize();
        self.claim(caller, operation, input_hash.into())
    }
}

/// Counts the requests of a user that show a key, as each may leave a row for 30 days: single sends aside, which are paid
/// for one by one.
impl FromRequestParts<AppState> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let key = read(&parts.headers)?;
        if key.is_some()
            && let Some(SignedIn(user)) = parts.extensions.get()
            && parts.extensions.get::<MatchedPath>().is_none_or(|path| path.as_str() != SINGLE_SENDS)
        {
            app.key_rate.check(*user)?;
        }
        Ok(Self(key))
    }
}

/// The one key among these headers.
fn read(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let key = value.as_bytes();
    let visible = (1..=LONGEST).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    match (visible, values.next(), value.to_str()) {
        (true, None, Ok(key)) => Ok(Some(key.to_owned())),
        _ => Err(ApiError::bad_request(
            None,
            "bad_idempotency_key",
            "Idempotency-Key must be one value of 1 to 255 visible ASCII characters",
        )),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use super::*;
    use crate::limit::KEYS_PER_DAY;
    use crate::testing::TestDaemon;

    fn key(values: &[&[u8]]) -> Result<Option<String>, ApiError> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_bytes(value).unwrap());
        }
        read(&headers)
    }

    #[test]
    fn a_key_is_1_to_255_visible_signs() {
        assert_eq!(key(&[]).unwrap(), None);
        assert_eq!(key(&[b"0b6e-7"]).unwrap().as_deref(), Some("0b6e-7"));
        assert!(key(&[&[b'k'; 255]]).is_ok());
        for bad in [b"".as_slice(), b"a b", "é".as_bytes(), &[b'k'; 256]] {
            assert!(key(&[bad]).is_err());
        }
        assert!(key(&[b"a", b"b"]).is_err());
    }

    #[tokio::test]
    async fn a_user_shows_so_many_keys_a_day_beside_those_of_single_sends() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.user("ada", Role::User).await;
        let token = daemon.login("ada").await;
        for _ in 0..KEYS_PER_DAY.get() {
            daemon.app().key_rate.check(ada).unwrap();
        }
        let post = async |path: &str, key: &str| {
            let request = daemon.request(Method::POST, path, &token).form(&[("group_name", key)]);
            daemon.send(if key.is_empty() { request } else { request.header(HEADER, key) }).await
        };
        let refused = post("/api/create/group", "k1").await;
        assert_eq!((refused.status, refused.code().as_str()), (429, "too_many_requests"));
        assert_eq!(post("/api/create/group", "").await.code(), "group_name_required");
        assert_ne!(post(SINGLE_SENDS, "k2").await.status, 429);
        let eve = daemon.signed_in("eve", Role::User).await;
        let request = daemon.request(Method::POST, "/api/create/group", &eve).form(&[("group_name", "A")]);
        assert_eq!(daemon.send(request.header(HEADER, "k1")).await.status, 201);
        daemon.stop().await;
    }
}
