//! Who calls: from a bearer token to a user, a role and scopes.
//!
//! What was found is remembered for a few seconds, so that a busy client costs no look into the database. The
//! invariant: what this daemon revokes or changes takes effect on its next request; other daemons follow when their
//! memory ends, five seconds later.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use talkdrum_api::purpose::Purpose;

use super::api_key::{KeyScope, Scopes};
use super::session::SessionPolicy;
use super::token::{TokenHash, TokenKind, kind_of};
use crate::error::{Error, Result};
use crate::model::account::id::{ApiKeyId, SessionId, UserId};
use crate::model::account::user::{Role, UserStatus};
use crate::store::account::{api_key, session};
use crate::store::{Lane, Store};
use crate::time::Time;

/// How long a caller is remembered without asking the database.
const REMEMBERED_FOR: Duration = Duration::from_secs(5);
/// How many callers are remembered at most.
const REMEMBERED: usize = 16_384;
/// How precisely the last use of a key is kept.
const USED_TO: Duration = Duration::from_secs(60);

/// A user who proved their identity, with what the credential permits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The user.
    pub user_id: UserId,
    /// The user's name.
    pub username: String,
    /// What the user may do.
    pub role: Role,
    /// Whether the user may start anything.
    pub status: UserStatus,
    /// What the request showed.
    pub credential: Credential,
}

/// What a request showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A session's token: allows what its user may do.
    Session {
        /// The session's id.
        id: SessionId,
    },
    /// An API key: allows its scopes of it.
    ApiKey {
        /// The key's id.
        id: ApiKeyId,
        /// What it may do.
        scopes: Scopes,
        /// The purpose of messages that are sent with it, where they do not say one.
        purpose: Option<Purpose>,
    },
}

impl Caller {
    /// Whether the credential reaches this far. Role and scope are two questions: ask both.
    pub fn allows(&self, scope: KeyScope) -> bool {
        match self.credential {
            Credential::Session { .. } => true,
            Credential::ApiKey { scopes, .. } => scopes.allow(scope),
        }
    }

    /// What messages are for that are sent with the caller's API key and do not say so.
    pub const fn default_purpose(&self) -> Option<Purpose> {
        match self.credential {
            Credential::Session { .. } => None,
            Credential::ApiKey { purpose, .. } => purpose,
        }
    }

    /// Whether the user is an administrator whose account is active. An inactive administrator is none.
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin && self.status == UserStatus::Active
    }

    /// Whether the caller acts as an administrator, and so on all users' records: an active administrator by a session
    /// or by a key with the scope `admin`. An administrator's other keys reach that administrator's own records.
    pub fn sees_all(&self) -> bool {
        self.is_admin() && self.allows(KeyScope::Admin)
    }

    /// Whether the caller may change anything. An inactive user may, within [`Self::require_active`]; an inactive
    /// administrator only reads the own account.
    pub fn may_change(&self) -> bool {
        self.role == Role::User || self.status == UserStatus::Active
    }

    /// Refuses an inactive user: asked before every send, payment and transfer.
    ///
    /// # Errors
    /// The specification's first rule of a campaign.
    pub fn require_active(&self) -> Result<()> {
        match self.status {
            UserStatus::Active => Ok(()),
            UserStatus::Inactive => Err(Error::inactive()),
        }
    }
}

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// It is good.
    Caller(Arc<Caller>),
    /// Its session was good once.
    Expired,
    /// It is a key that has ended.
    KeyExpired,
    /// It belongs to no user, or was revoked.
    Unknown,
}

#[derive(Debug)]
struct Remembered {
    caller: Arc<Caller>,
    until: Time,
}

/// Finds callers, and remembers them.
#[derive(Debug)]
pub struct Callers {
    store: Store,
    policy: SessionPolicy,
    remembered: RwLock<HashMap<TokenHash, Remembered>>,
    /// Raised by every `forget`: what was read from the database before it is not remembered after it.
    forgotten: AtomicU64,
}

impl Callers {
    /// Callers of a store.
    pub fn new(store: Store, policy: SessionPolicy) -> Self {
        Self { store, policy, remembered: RwLock::default(), forgotten: AtomicU64::new(0) }
    }

    /// Who shows this token, if that was found out lately: the database is not asked.
    pub fn remembered(&self, token: &str, now: Time) -> Option<Arc<Caller>> {
        kind_of(token).and_then(|_| self.recall(&TokenHash::of(token), now))
    }

    /// Who shows this token.
    pub async fn authenticate(&self, token: &str, now: Time) -> Result<Authentication> {
        let Some(kind) = kind_of(token) else { return Ok(Authentication::Unknown) };
        let hash = TokenHash::of(token);
        if let Some(caller) = self.recall(&hash, now) {
            return Ok(Authentication::Caller(caller));
        }
        let epoch = self.epoch();
        let found = match kind {
            TokenKind::Session => self.by_session(&hash, now).await?,
            TokenKind::ApiKey => self.by_key(&hash, now).await?,
        };
        Ok(match found {
            Found::Caller { caller, until } => {
                let caller = Arc::new(caller);
                self.remember(epoch, hash, &caller, until.min(now + REMEMBERED_FOR), now);
                Authentication::Caller(caller)
            }
            Found::Expired => Authentication::Expired,
            Found::KeyExpired => Authentication::KeyExpired,
            Found::Unknown => Authentication::Unknown,
        })
    }

    /// Forgets a session that was ended.
    pub fn forget_session(&self, session_id: SessionId) {
        self.forget(|caller| matches!(caller.credential, Credential::Session { id } if id == session_id));
    }

    /// Forgets a key that was revoked.
    pub fn forget_key(&self, key_id: ApiKeyId) {
        self.forget(|caller| matches!(caller.credential, Credential::ApiKey { id, .. } if id == key_id));
    }

    /// Forgets everything about a user who changed.
    pub fn forget_user(&self, user_id: UserId) {
        self.forget(|caller| caller.user_id == user_id);
    }

    fn forget(&self, is_meant: impl Fn(&Caller) -> bool) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        remembered.retain(|_, entry| !is_meant(&entry.caller));
    }

    fn recall(&self, hash: &TokenHash, now: Time) -> Option<Arc<Caller>> {
        let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner);
        let entry = remembered.get(hash)?;
        (now < entry.until).then(|| Arc::clone(&entry.caller))
    }

    /// How often something was forgotten.
    pub(crate) fn epoch(&self) -> u64 {
        self.forgotten.load(Ordering::SeqCst)
    }

    pub(crate) fn remember(&self, epoch: u64, hash: TokenHash, caller: &Arc<Caller>, until: Time, now: Time) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        if self.epoch() != epoch {
            return;
        }
        if remembered.len() >= REMEMBERED {
            remembered.retain(|_, entry| now < entry.until);
        }
        if remembered.len() < REMEMBERED {
            remembered.insert(hash, Remembered { caller: Arc::clone(caller), until });
        }
    }

    async fn by_session(&self, hash: &TokenHash, now: Time) -> Result<Found> {
        let row = session::by_token(&mut self.store.read().await?, hash.as_bytes()).await?;
        let Some(row) = row else { return Ok(Found::Unknown) };
        if now >= self.policy.ends_at(row.last_seen_at, row.expires_at) {
            return Ok(Found::Expired);
        }
        if now.since(row.last_seen_at) >= self.policy.seen_to() {
            let seen = (row.id, now);
            note(
                self.store
                    .write(Lane::Interactive, seen, |tx, seen| Box::pin(session::touch(tx, seen.0, seen.1)))
                    .await,
            );
        }
        Ok(Found::Caller {
            until: self.policy.ends_at(now, row.expires_at),
            caller: Caller {
                user_id: row.user_id,
                username: row.username,
                role: row.role,
                status: row.status,
                credential: Credential::Session { id: row.id },
            },
        })
    }

    async fn by_key(&self, hash: &TokenHash, now: Time) -> Result<Found> {
        let row = api_key::by_hash(&mut self.store.read().await?, hash.as_bytes()).await?;
        let Some(row) = row else { return Ok(Found::Unknown) };
        if row.expires_at.is_some_and(|end| now >= end) {
            return Ok(Found::KeyExpired);
        }
        if row.last_used_at.is_none_or(|used| now.since(used) >= USED_TO) {
            let used = (row.id, now);
            note(
                self.store
                    .write(Lane::Interactive, used, |tx, used| Box::pin(api_key::touch(tx, used.0, used.1)))
                    .await,
            );
        }
        Ok(Found::Caller {
            until: row.expires_at.map_or(now + REMEMBERED_FOR, |end| end.min(now + REMEMBERED_FOR)),
            caller: Caller {
                user_id: row.user_id,
                username: row.username,
                role: row.role,
                status: row.status,
                credential: Credential::ApiKey { id: row.id, scopes: row.scopes, purpose: row.purpose },
            },
        })
    }
}

enum Found {
    Caller { caller: Caller, until: Time },
    Expired,
    KeyExpired,
    Unknown,
}

/// The time of last use is a courtesy: failing to note it fails no request.
fn note(result: Result<()>) {
    if let Err(error) = result {
        tracing::warn!(code = error.code(), %error, "the last use of a credential was not noted");
    }
}
