//! What outlasts the session or key that does it: new administrators, where customers' money goes, webhooks. It needs a
//! session whose user gave the password lately, and those concerned are told.

use std::time::Duration;

use reqwest::Method;
use talkdrum_core::account::PROVEN_FOR;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::testing::database::dump;

use crate::testing::{PASSWORD, Reply, TestDaemon};

/// A method, a path and a form.
type Call<'c> = (Method, String, Vec<(&'c str, &'c str)>);

fn post<'c>(path: impl Into<String>, form: &[(&'c str, &'c str)]) -> Call<'c> {
    (Method::POST, path.into(), form.to_vec())
}

async fn ask(daemon: &TestDaemon, token: &str, (method, path, form): &Call<'_>) -> Reply {
    daemon.send(daemon.request(method.clone(), path, token).form(form)).await
}

async fn key(daemon: &TestDaemon, session: &str, scopes: &str) -> String {
    let made = daemon.post("/api/api-keys", session, &[("name", "cron"), ("scopes", scopes)]).await;
    made.json()["key"].as_str().unwrap_or_else(|| panic!("{}", made.text)).to_owned()
}

/// Waits until an e-mail to an address says this.
async fn told(daemon: &TestDaemon, to: &str, phrase: &str) {
    let mut texts = Vec::new();
    for _ in 0..400 {
        let sent = daemon.get("/sandbox/outbox", "").await.json();
        let sent = sent.as_array().unwrap().iter().filter(|sent| sent["to"] == to);
        texts = sent.map(|sent| sent["text"].as_str().unwrap().to_owned()).collect();
        if texts.iter().any(|text| text.contains(phrase)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{to} was not told '{phrase}': {texts:?}");
}

/// Tries calls by a key and by a session whose password is old, which leaves everything as it was, then by a fresh one.
async fn only_a_fresh_session_may(daemon: &TestDaemon, who: &str, key: &str, calls: &[Call<'_>]) {
    let old = daemon.login(who).await;
    daemon.pass(PROVEN_FOR);
    // Uses are noted to the minute.
    daemon.get("/api/user-profile", &old).await;
    daemon.get("/api/user-profile", key).await;
    let concerned = ["users", "settings", "webhooks", "audit"];
    let rows = async || {
        let mut rows = dump(daemon.store(), &[]).await;
        rows.retain(|table, _| concerned.contains(&table.as_str()));
        rows
    };
    let before = rows().await;
    for (token, code) in [(key, "session_only"), (&*old, "reauthentication_required")] {
        for call in calls {
            let refused = ask(daemon, token, call).await;
            assert_eq!((refused.status, refused.code().as_str()), (403, code), "{call:?}: {}", refused.text);
        }
    }
    assert_eq!(rows().await, before);
    let proven = daemon.post("/api/sessions/reauthenticate", &old, &[("password", PASSWORD)]).await;
    assert_eq!(proven.status, 200, "{}", proven.text);
    for call in calls {
        let done = ask(daemon, &old, call).await;
        assert!((200..300).contains(&done.status), "{call:?}: {}", done.text);
    }
}

#[tokio::test]
async fn administrators_and_where_money_goes_need_a_fresh_password_and_all_administrators_are_told() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    daemon.user("second", Role::Admin).await;
    let idle = daemon.user("idle", Role::Admin).await;
    let done = daemon.post(&format!("/admin/deactivate-user/{idle}"), &root, &[]).await;
    assert_eq!(done.status, 200, "{}", done.text);
    let key = key(&daemon, &root, "read,send,admin").await;
    let eve = [
        ("name", "Eve"),
        ("username", "eve"),
        ("email", "eve@example.com"),
        ("password", PASSWORD),
        ("role", "admin"),
    ];
    let calls = [
        post("/admin/users", &eve),
        post(format!("/admin/activate-user/{idle}"), &[]),
        post("/admin/set-wallet-address", &[("wallet_address", "0xbad")]),
        post("/admin/set-espee-api-key", &[("api_key", "key_0123456789espees")]),
        post("/admin/set-sms-api-key", &[("api_key", "key_0123456789sms")]),
        post("/admin/set-paystack-keys", &[("secret_key", "sk_test_1234"), ("public_key", "pk_test_5678")]),
    ];
    only_a_fresh_session_may(&daemon, "root", &key, &calls).await;
    for to in ["root@example.com", "second@example.com"] {
        for phrase in [
            "root made a new administrator of Talkdrum: eve (eve@example.com)",
            "root activated the administrator idle",
            "from none to 0xbad",
            "****pees",
            "****9sms",
            "****1234",
        ] {
            told(&daemon, to, phrase).await;
        }
    }
    // API keys may still do what does not last, or costs nothing.
    let ada = [("name", "Ada"), ("username", "ada"), ("email", "ada@example.com"), ("password", PASSWORD)];
    assert_eq!(daemon.post("/admin/users", &key, &ada).await.status, 201);
    assert_eq!(
        daemon.post("/admin/contact-phone", &key, &[("phone", "+234 803 123 4567")]).await.status,
        200
    );
}

#[tokio::test]
async fn webhooks_are_added_repointed_and_rotated_by_a_fresh_session_and_their_owner_is_told() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let key = key(&daemon, &ada, "read,send").await;
    let first = [("url", "https://example.com/first?token=secret")];
    let made = daemon.post("/api/webhooks", &ada, &first).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let path = format!("/api/webhooks/{}", made.json()["webhook"]["id"]);
    let calls = [
        post("/api/webhooks", &[("url", "https://example.com/second")]),
        post(format!("{path}/rotate"), &[]),
        (Method::PUT, path.clone(), vec![("url", "https://example.com/third")]),
    ];
    only_a_fresh_session_may(&daemon, "ada", &key, &calls).await;
    for phrase in [
        "A webhook was added to your Talkdrum account ada: https://example.com/first.",
        "A webhook was added to your Talkdrum account ada: https://example.com/second.",
        "(https://example.com/first) has a new secret",
        "has another address: https://example.com/third.",
    ] {
        told(&daemon, "ada@example.com", phrase).await;
    }
    let same = [("url", "https://example.com/third"), ("description", "mine"), ("is_active", "false")];
    let edited = daemon.send(daemon.request(Method::PUT, &path, &key).form(&same)).await;
    assert_eq!(edited.status, 200, "a key changes all but where it leads: {}", edited.text);
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &key)).await.status, 200);
}
