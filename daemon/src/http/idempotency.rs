//! The `Idempotency-Key` header.
//!
//! ```ignore
//! async fn create(caller: AdminCaller, key: IdempotencyKey, Form { data, digest }: Form<NewThing>) -> Answer<Thing> {
//!     let input = (key.claim(&caller, "thing.create", digest), data, now);
//!     app.store.write(Lane::Interactive, input, |tx, (claim, data, now)| Box::pin(async move {
//!         if let Some(reference) = begin_if_any(tx, claim.as_ref(), *now).await? { return replayed(tx, &reference).await; }
//!         let id = thing::create(tx, data, *now).await?;
//!         finish_if_any(tx, claim.as_ref(), &id.to_string()).await?;
//!         ...
//! ```
//!
//! The invariant: the key is claimed in the transaction of the effects, never beside it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use talkdrum_core::account::Caller;
use talkdrum_core::store::operations::idempotency::Claim;

use super::problem::ApiError;

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
        use sha2::{Digest as _, Sha256};
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
        use sha2::{Digest as _, Sha256};
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
        use sha2::{Digest as _, Sha256};
        let input_hash = Sha256::new().chain_update(record.to_be_bytes()).chain_update(digest).finalize();
        self.claim(caller, operation, input_hash.into())
    }
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut values = parts.headers.get_all(HEADER).iter();
        let Some(value) = values.next() else { return Ok(Self(None)) };
        let key = value.as_bytes();
        let visible = (1..=LONGEST).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
        match (visible, values.next(), value.to_str()) {
            (true, None, Ok(key)) => Ok(Self(Some(key.to_owned()))),
            _ => Err(ApiError::bad_request(
                None,
                "bad_idempotency_key",
                "Idempotency-Key must be one value of 1 to 255 visible ASCII characters",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    async fn key(values: &[&[u8]]) -> Result<IdempotencyKey, ApiError> {
        let mut request = Request::builder();
        for value in values {
            request = request.header(HEADER, *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        IdempotencyKey::from_request_parts(&mut parts, &()).await
    }

    #[tokio::test]
    async fn a_key_is_1_to_255_visible_signs() {
        assert_eq!(key(&[]).await.unwrap().0, None);
        assert_eq!(key(&[b"0b6e-7"]).await.unwrap().0.as_deref(), Some("0b6e-7"));
        assert!(key(&[&[b'k'; 255]]).await.is_ok());
        for bad in [b"".as_slice(), b"a b", "é".as_bytes(), &[b'k'; 256]] {
            assert!(key(&[bad]).await.is_err());
        }
        assert!(key(&[b"a", b"b"]).await.is_err());
    }
}
