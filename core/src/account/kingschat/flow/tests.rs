use std::time::Duration;

use serde_json::json;
use wiremock::matchers::{body_partial_json, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::account::kingschat::KingsChatConfig;
use crate::both_databases;
use crate::entropy::SystemEntropy;
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::Role;
use crate::testing::account::make_user;
use crate::testing::identity::identity;

const NOW: Time = Time(1_700_000_000_000);

/// A KingsChat that knows the code `good` of the person 7, and is out of order for the code `down`.
async fn provider() -> (MockServer, KingsChat) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = MockServer::start().await;
    let token = ResponseTemplate::new(200).set_body_json(json!({ "access_token": "opaque" }));
    for (code, answer) in [("good", token), ("down", ResponseTemplate::new(502))] {
        Mock::given(path("/developer/api/oauth2/token"))
            .and(body_partial_json(json!({ "code": code })))
            .respond_with(answer)
            .mount(&server)
            .await;
    }
    Mock::given(path("/developer/api/user/profile"))
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({ "profile": { "id": "7", "username": "ada" } })),
        )
        .mount(&server)
        .await;
    let config = KingsChatConfig {
        api_url: server.uri(),
        platform_url: server.uri(),
        login_url: server.uri(),
        client_id: "talkdrum".into(),
        api_key: Some("key".into()),
        timeout: Duration::from_secs(2),
        ..KingsChatConfig::default()
    };
    let kingschat = KingsChat::new(reqwest::Client::new(), config);
    (server, kingschat)
}

async fn begun(store: &Store, link_to: Option<UserId>) -> Started {
    let link_to = match link_to {
        Some(user) => Some((user, signed_in(store, user).await)),
        None => None,
    };
    start(store, &SystemEntropy, link_to, false, NOW).await.unwrap()
}

/// A session of a user.
async fn signed_in(store: &Store, user: UserId) -> SessionId {
    let token = SecretToken::session(&SystemEntropy);
    store
        .write(Lane::Interactive, (user, token.hash()), |tx, (user, hash)| {
            Box::pin(crate::store::account::session::insert(
                tx,
                hash.as_bytes(),
                *user,
                NOW,
                NOW + LIVES_FOR * 2,
            ))
        })
        .await
        .unwrap()
}

async fn back(
    store: &Store,
    kingschat: &KingsChat,
    (origin, code): (&str, &str),
    browser: Option<&str>,
    now: Time,
) -> LoginOutcome {
    let back = Returned { origin, code, browser, without_browser: false };
    returned(&identity(store), kingschat, back, now).await.unwrap()
}

async fn ends(store: &Store, state: &str, now: Time) -> Result<FinishedFlow> {
    finish(
        store,
        &SystemEntropy,
        &SessionPolicy::default(),
        state,
        (&crate::testing::identity::origin(), now),
    )
    .await
}

fn over_with(code: &str) -> LoginOutcome {
    LoginOutcome::Refused(ChatRefusal::from_code(code).unwrap())
}

both_databases! {
    async fn the_browser_that_began_gets_one_session(store: Store) {
        let (_server, kingschat) = provider().await;
        let begun = begun(&store, None).await;
        let (origin, state) = (begun.origin.reveal(), begun.state.reveal());
        assert!(matches!(ends(&store, state, NOW).await, Ok(FinishedFlow::Waiting)));
        assert_eq!(back(&store, &kingschat, (origin, "good"), Some(state), NOW).await, LoginOutcome::Done);
        match ends(&store, state, NOW).await.unwrap() {
            FinishedFlow::SignedIn(_, user) => assert_eq!(user.username, "ada"),
            other => panic!("{other:?}"),
        }
        assert_eq!(ends(&store, state, NOW).await.unwrap_err().code(), "chat_login_over");
    }

    async fn a_nonce_is_taken_once_in_time_and_from_its_browser_only(store: Store) {
        let (server, kingschat) = provider().await;
        let attackers = begun(&store, None).await;
        let victims = begun(&store, None).await;
        let prepared = (attackers.origin.reveal(), "good");
        // The victim's browser was sent to an address that an attacker prepared.
        for browser in [Some(victims.state.reveal()), None, Some("")] {
            let came = back(&store, &kingschat, prepared, browser, NOW).await;
            assert_eq!(came, over_with("chat_login_over"));
        }
        let late = NOW + LIVES_FOR;
        let own = Some(attackers.state.reveal());
        assert_eq!(back(&store, &kingschat, prepared, own, late).await, over_with("chat_login_over"));
        let unknown = ("tdc_0", "good");
        assert_eq!(back(&store, &kingschat, unknown, own, NOW).await, over_with("chat_login_over"));
        assert_eq!(server.received_requests().await.unwrap().len(), 0, "KingsChat was asked nothing");
        let first = back(&store, &kingschat, prepared, own, NOW);
        let second = back(&store, &kingschat, prepared, own, NOW);
        let both = futures::future::join(first, second).await;
        assert_eq!([&both.0, &both.1].into_iter().filter(|came| **came == LoginOutcome::Done).count(), 1, "{both:?}");
        assert_eq!(ends(&store, attackers.state.reveal(), late).await.unwrap_err().code(), "chat_login_over");
    }

    async fn a_return_without_a_browser_is_taken_where_the_operator_says_so(store: Store) {
        let (_server, kingschat) = provider().await;
        let begun = begun(&store, None).await;
        let back = Returned {
            origin: begun.origin.reveal(), code: "good", browser: None, without_browser: true,
        };
        let came = returned(&identity(&store), &kingschat, back, NOW).await.unwrap();
        assert_eq!(came, LoginOutcome::Done);
        assert!(matches!(ends(&store, begun.state.reveal(), NOW).await, Ok(FinishedFlow::SignedIn(..))));
    }

    async fn a_code_that_is_refused_and_a_provider_that_is_away_are_told_apart(store: Store) {
        let (_server, kingschat) = provider().await;
        for (code, expected) in [("bad", "chat_login_failed"), ("down", "kingschat_unavailable")] {
            let begun = begun(&store, None).await;
            let state = begun.state.reveal();
            let came = back(&store, &kingschat, (begun.origin.reveal(), code), Some(state), NOW).await;
            assert_eq!(came, over_with(expected));
            assert_eq!(ends(&store, state, NOW).await.unwrap_err().code(), expected);
            assert_eq!(ends(&store, state, NOW).await.unwrap_err().code(), "chat_login_over");
        }
    }

    async fn a_link_is_for_whoever_asked_and_begins_no_session(store: Store) {
        let (_server, kingschat) = provider().await;
        let users = [make_user(&store, "ada", Role::User).await, make_user(&store, "eve", Role::User).await];
        let [ada, eve] = users;
        let begun_by = async |user: UserId| {
            let begun = begun(&store, Some(user)).await;
            let state = begun.state.reveal().to_owned();
            (back(&store, &kingschat, (begun.origin.reveal(), "good"), Some(&state), NOW).await, state)
        };
        let (came, state) = begun_by(ada).await;
        assert_eq!(came, LoginOutcome::Done);
        assert!(matches!(ends(&store, &state, NOW).await, Ok(FinishedFlow::Linked)));
        let link = kingschat::of_user(&mut store.read().await.unwrap(), ada).await.unwrap().unwrap();
        assert_eq!(link.provider_id, "7");
        let (came, state) = begun_by(eve).await;
        assert_eq!(came, over_with("chat_account_taken"));
        assert_eq!(ends(&store, &state, NOW).await.unwrap_err().code(), "chat_account_taken");
    }

    async fn a_sign_in_that_was_not_fetched_ends_with_the_link(store: Store) {
        let (_server, kingschat) = provider().await;
        let comes_back = async || {
            let begun = begun(&store, None).await;
            let state = begun.state.reveal().to_owned();
            let came = back(&store, &kingschat, (begun.origin.reveal(), "good"), Some(&state), NOW).await;
            assert_eq!(came, LoginOutcome::Done);
            state
        };
        let FinishedFlow::SignedIn(_, user) = ends(&store, &comes_back().await, NOW).await.unwrap() else { panic!() };
        let state = comes_back().await;
        // A user without a password could not unlink.
        let linked = store.write(Lane::Interactive, user.id, |tx, user| Box::pin(async move {
            tx.run("UPDATE users SET password_hash = 'x' WHERE id = $1", crate::args![*user]).await?;
            crate::account::kingschat::login::unlink(tx, *user).await
        }));
        linked.await.unwrap();
        assert_eq!(ends(&store, &state, NOW).await.unwrap_err().code(), "chat_login_over");
    }

    async fn a_link_ends_with_the_session_that_began_it(store: Store) {
        let (_server, kingschat) = provider().await;
        let ada = make_user(&store, "ada", Role::User).await;
        let here = signed_in(&store, ada).await;
        let begun = start(&store, &SystemEntropy, Some((ada, here)), false, NOW).await.unwrap();
        let state = begun.state.reveal();
        store
            .write(Lane::Interactive, here, |tx, id| Box::pin(crate::store::account::session::delete(tx, *id)))
            .await
            .unwrap();
        // Another session of the same user, which on SQLite has the old one's id, is not that one.
        signed_in(&store, ada).await;
        let came = back(&store, &kingschat, (begun.origin.reveal(), "good"), Some(state), NOW).await;
        assert_eq!(came, over_with("chat_login_over"));
        assert_eq!(ends(&store, state, NOW).await.unwrap_err().code(), "chat_login_over");
        let mut tx = store.read().await.unwrap();
        assert_eq!(kingschat::of_user(&mut tx, ada).await.unwrap(), None);
    }

    async fn what_is_over_is_purged_and_what_is_under_way_is_bounded(store: Store) {
        begun(&store, None).await;
        let count = |now: Time, most| {
            let store = store.clone();
            async move { kingschat::under_way(&mut store.read().await.unwrap(), now, most).await.unwrap() }
        };
        begun(&store, None).await;
        assert_eq!((count(NOW, 10).await, count(NOW, 1).await, count(NOW + LIVES_FOR, 10).await), (2, 1, 0));
        let purged = |at: Time| store.write(Lane::Background, at, |tx, at| Box::pin(purge(tx, *at)));
        assert_eq!(purged(NOW).await.unwrap(), 0);
        assert_eq!(purged(NOW + LIVES_FOR).await.unwrap(), 2);
    }
}
