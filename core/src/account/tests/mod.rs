//! Sessions, keys and the memory of callers, on both databases.

mod code_budget;
mod identity;
mod misuse;

use std::sync::Arc;
use std::time::Duration;

use super::{
    Authentication, Caller, Callers, Credential, Door, KeyScope, NewKey, Passwords, SecretToken,
    SessionPolicy, SignIn, create_user, purge, sign_in, sign_out,
};
use crate::account::auth::api_key;
use crate::both_databases;
use crate::entropy::{Entropy, SeededEntropy};
use crate::model::account::id::{ApiKeyId, SessionId, UserId};
use crate::model::account::user::{NewUser, Role, UserStatus};
use crate::operate::user::deactivate_user;
use crate::store::{Lane, Store};
use crate::testing::account::{make_user, new_user};
use crate::testing::identity::origin;
use crate::time::Time;

const NOW: Time = Time(1_700_000_000_000);
const HOUR: Duration = Duration::from_secs(3600);

/// What a test acts with.
struct House {
    store: Store,
    entropy: Arc<dyn Entropy>,
    passwords: Passwords,
    callers: Callers,
}

impl House {
    fn new(store: &Store) -> Self {
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(3));
        Self {
            store: store.clone(),
            passwords: Passwords::new(Arc::clone(&entropy)),
            entropy,
            callers: Callers::new(store.clone(), SessionPolicy::default()),
        }
    }

    async fn user(&self, name: &str, role: Role) -> UserId {
        let hash = Some(self.passwords.hash("correct horse").await.unwrap());
        let user = NewUser { password_hash: hash, ..new_user(name, role) };
        self.store
            .write(Lane::Interactive, user, |tx, user| Box::pin(create_user(tx, user, NOW)))
            .await
            .unwrap()
    }

    async fn sign_in(&self, login: &str, password: &str, door: Door, now: Time) -> SignIn {
        let policy = SessionPolicy::default();
        sign_in(
            &self.store,
            &self.passwords,
            self.entropy.as_ref(),
            &policy,
            door,
            (login, password),
            (&origin(), now),
        )
        .await
        .unwrap()
    }

    async fn session(&self, login: &str) -> SecretToken {
        match self.sign_in(login, "correct horse", Door::Anyone, NOW).await {
            SignIn::Accepted { token, .. } => token,
            other => panic!("{other:?}"),
        }
    }

    async fn key(&self, user_id: UserId, scopes: &str) -> (ApiKeyId, SecretToken) {
        let key = NewKey::new(user_id, "cron", scopes.parse().unwrap(), self.entropy.as_ref()).unwrap();
        let secret = key.secret.clone();
        let row = self
            .store
            .write(Lane::Interactive, key, |tx, key| Box::pin(api_key::create(tx, key, NOW)))
            .await
            .unwrap();
        (row.id, secret)
    }

    async fn ask(&self, token: &SecretToken, now: Time) -> Authentication {
        self.callers.authenticate(token.reveal(), now).await.unwrap()
    }

    async fn caller(&self, token: &SecretToken, now: Time) -> Arc<Caller> {
        match self.ask(token, now).await {
            Authentication::Caller(caller) => caller,
            other => panic!("{other:?}"),
        }
    }
}

both_databases! {
    async fn a_sign_in_that_waited_while_the_password_was_changed_begins_no_session(store: Store) {
        let house = House::new(&store);
        let id = house.user("ada", Role::User).await;
        let new = house.passwords.hash("another horse").await.unwrap();
        let held = house.passwords.held().await;
        let free = house.passwords.free_places();
        let changed = async {
            while house.passwords.free_places() == free {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            store
                .write(Lane::Interactive, (id, new), |tx, (id, new)| {
                    Box::pin(async move {
                        assert!(crate::store::account::profile::set_password(tx, *id, new, None, NOW).await?);
                        crate::store::account::session::delete_others(tx, *id, SessionId::NONE).await
                    })
                })
                .await
                .unwrap();
            drop(held);
        };
        let (came, ()) = futures::future::join(house.sign_in("ada", "correct horse", Door::Anyone, NOW), changed).await;
        assert!(matches!(came, SignIn::WrongCredentials), "{came:?}");
        let mut tx = store.read().await.unwrap();
        let over = (NOW, Time(0));
        assert_eq!(crate::store::account::session::of_user(&mut tx, id, over, (0, 9)).await.unwrap().1, 0);
        drop(tx);
        assert!(matches!(house.sign_in("ada", "another horse", Door::Anyone, NOW).await, SignIn::Accepted { .. }));
    }

    async fn the_right_password_opens_and_everything_else_looks_alike(store: Store) {
        let house = House::new(&store);
        house.user("ada", Role::User).await;
        make_user(&store, "nopass", Role::User).await;
        assert!(matches!(
            house.sign_in(" ADA@example.com ", "correct horse", Door::Anyone, NOW).await,
            SignIn::Accepted { user, .. } if user.last_login_at == Some(NOW)
        ));
        for (login, password) in [("ada", "wrong"), ("eve", "correct horse"), ("nopass", ""), ("", "")] {
            assert!(
                matches!(house.sign_in(login, password, Door::Anyone, NOW).await, SignIn::WrongCredentials),
                "{login}"
            );
        }
        assert!(matches!(house.sign_in("ada", "correct horse", Door::Admin, NOW).await, SignIn::NotAdmin));
        assert!(matches!(house.sign_in("ada", "wrong", Door::Admin, NOW).await, SignIn::WrongCredentials));
        house.user("root", Role::Admin).await;
        let idle = house.user("idle", Role::Admin).await;
        store.write(Lane::Interactive, idle, |tx, id| Box::pin(deactivate_user(tx, *id, *id, NOW))).await.unwrap();
        assert!(matches!(house.sign_in("idle", "correct horse", Door::Admin, NOW).await, SignIn::InactiveAdmin));
        assert!(matches!(house.sign_in("root", "correct horse", Door::Admin, NOW).await, SignIn::Accepted { .. }));
    }

    async fn a_session_lives_on_by_use_and_expires_without(store: Store) {
        let house = House::new(&store);
        house.user("ada", Role::User).await;
        let token = house.session("ada").await;
        house.caller(&token, NOW + 11 * HOUR).await;
        house.caller(&token, NOW + 22 * HOUR).await;
        assert_eq!(house.ask(&token, NOW + 34 * HOUR).await, Authentication::Expired);
    }

    async fn a_session_ends_after_thirty_days_and_is_forgotten_thirty_later(store: Store) {
        let house = House::new(&store);
        house.user("ada", Role::User).await;
        let token = house.session("ada").await;
        let days = |count: u32| NOW + count * 24 * HOUR;
        for half_day in 1..75 {
            let now = NOW + half_day * 10 * HOUR;
            let expected = now < days(30);
            assert_eq!(matches!(house.ask(&token, now).await, Authentication::Caller(_)), expected, "{half_day}");
        }
        let purge = |now: Time| store.write(Lane::Background, now, |tx, now| Box::pin(purge(tx, *now)));
        assert_eq!(purge(days(59)).await.unwrap(), 0);
        assert_eq!(house.ask(&token, days(59)).await, Authentication::Expired);
        assert_eq!(purge(days(61)).await.unwrap(), 1);
        assert_eq!(house.ask(&token, days(61)).await, Authentication::Unknown);
    }

    async fn what_is_revoked_here_is_refused_here_at_once(store: Store) {
        let house = House::new(&store);
        let id = house.user("ada", Role::User).await;
        let session = house.session("ada").await;
        let (key_id, key) = house.key(id, "send").await;
        let by_session = house.caller(&session, NOW).await;
        let by_key = house.caller(&key, NOW).await;
        assert!(by_session.allows(KeyScope::Admin) && !by_session.is_admin());
        assert!(by_key.allows(KeyScope::Send) && !by_key.allows(KeyScope::Admin));
        let Credential::Session { id: session_id } = by_session.credential else { panic!("a session") };
        sign_out(&store, session_id).await.unwrap();
        house.callers.forget_session(session_id);
        assert_eq!(house.ask(&session, NOW).await, Authentication::Unknown);
        store
            .write(Lane::Interactive, (id, key_id), |tx, (id, key)| {
                Box::pin(api_key::revoke(tx, *id, *key, NOW))
            })
            .await
            .unwrap();
        house.callers.forget_key(key_id);
        assert_eq!(house.ask(&key, NOW).await, Authentication::Unknown);
    }

    async fn another_daemon_follows_within_seconds(store: Store) {
        let (here, there) = (House::new(&store), House::new(&store));
        make_user(&store, "root", Role::Admin).await;
        let id = here.user("ada", Role::User).await;
        let token = here.session("ada").await;
        assert_eq!(there.caller(&token, NOW).await.status, UserStatus::Active);
        store
            .write(Lane::Interactive, id, |tx, id| Box::pin(deactivate_user(tx, *id, *id, NOW)))
            .await
            .unwrap();
        here.callers.forget_user(id);
        assert_eq!(here.ask(&token, NOW).await, Authentication::Unknown, "its session has ended");
        let later = NOW + Duration::from_millis(4_999);
        assert_eq!(there.caller(&token, later).await.status, UserStatus::Active, "remembered");
        assert_eq!(there.ask(&token, NOW + Duration::from_secs(5)).await, Authentication::Unknown);
        let again = here.session("ada").await;
        assert!(here.caller(&again, NOW).await.require_active().is_err());
    }

    async fn a_remembered_caller_costs_no_look_into_the_database(store: Store) {
        let house = House::new(&store);
        house.user("ada", Role::User).await;
        let token = house.session("ada").await;
        house.caller(&token, NOW).await;
        store.close().await;
        house.caller(&token, NOW + Duration::from_secs(4)).await;
        assert!(house.callers.authenticate(token.reveal(), NOW + Duration::from_secs(5)).await.is_err());
    }
}

#[tokio::test]
async fn what_was_read_before_a_revocation_is_not_remembered_after_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = crate::testing::database::sqlite(dir.path()).await;
    let house = House::new(&store);
    house.user("ada", Role::User).await;
    let token = house.session("ada").await;
    let caller = house.caller(&token, NOW).await;
    let Credential::Session { id } = caller.credential else { panic!("a session") };
    house.callers.forget_session(id);
    let before = house.callers.epoch();
    sign_out(&store, id).await.unwrap();
    house.callers.forget_session(id);
    house.callers.remember(before, token.hash(), &caller, NOW + HOUR, NOW);
    assert_eq!(house.ask(&token, NOW).await, Authentication::Unknown);
}
