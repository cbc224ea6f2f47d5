//! What each kind of caller may do, written down once, and tried on every operation of the document. A refusal is looked
//! at by its effects too: it leaves every row of the database as it was.

use reqwest::Method;
use talkdrum_core::account::PROVEN_FOR;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::{Role, UserStatus};
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::user;
use talkdrum_core::testing::database::dump;

use super::another_user::{Things, with_an_id};
use super::{OPEN, call, operations};
use crate::testing::{START, TestDaemon};

/// Tables that the daemon writes by itself.
const RESTLESS: &[&str] = &["peers", "daemons"];

/// Operations that need a session: an API key may not use them.
const SESSION_ONLY: &[&str] = &[
    "DELETE /api/api-keys/{id}",
    "DELETE /api/kingschat/link",
    "DELETE /api/sessions",
    "DELETE /api/sessions/{id}",
    "POST /api/api-keys",
    "POST /api/change-password",
    "POST /api/confirm-email",
    "POST /api/confirm-phone",
    "POST /api/edit-profile",
    "POST /api/kingschat/link",
    "POST /api/kingschat/link/start",
    "POST /api/logout",
    "POST /api/sessions/reauthenticate",
    "POST /api/webhooks",
    "POST /api/webhooks/{id}/rotate",
];

/// Operations of administrators that need a session: a key with the scope `admin` may not use them.
const ADMIN_SESSION_ONLY: &[&str] = &[
    "POST /admin/set-espee-api-key",
    "POST /admin/set-paystack-keys",
    "POST /admin/set-sms-api-key",
    "POST /admin/set-wallet-address",
];

/// Operations whose effects outlast the session: it needs a password of the last ten minutes. Others need one by what is
/// asked for, which `lasting` tries; KingsChat is off here.
const FRESH: &[&str] = &[
    "POST /admin/set-espee-api-key",
    "POST /admin/set-paystack-keys",
    "POST /admin/set-sms-api-key",
    "POST /admin/set-wallet-address",
    "POST /api/api-keys",
    "POST /api/webhooks",
    "POST /api/webhooks/{id}/rotate",
];

/// Keep nothing of what they are sent: a key that may read is enough.
const READING: [&str; 2] = ["POST /api/recipients/check", "POST /api/voice-preview"];

/// Operations that only end the caller's own sessions and keys: an inactive administrator may.
const LEAVING: &[&str] =
    &["DELETE /api/api-keys/{id}", "DELETE /api/sessions", "DELETE /api/sessions/{id}", "POST /api/logout"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    InactiveUser,
    InactiveUsersKey,
    InactiveAdmin,
    InactiveAdminsKey,
    AdminsReadKey,
    AdminsSendKey,
    AdminsKey,
    AdminsOldSession,
    RevokedSession,
    RevokedKey,
    DeletedUser,
    DeletedUsersKey,
}

impl Who {
    /// How an operation refuses this caller; `None` where it lets the caller in.
    fn refusal(self, name: &str) -> Option<(u16, &'static str)> {
        let administers = name.contains(" /admin/");
        let changes = !name.starts_with("GET ");
        let needs_session = SESSION_ONLY.contains(&name);
        let leaves = LEAVING.contains(&name);
        match self {
            Self::RevokedSession | Self::RevokedKey | Self::DeletedUser | Self::DeletedUsersKey => {
                Some((401, "unauthorized"))
            }
            Self::InactiveUser | Self::InactiveUsersKey if administers => Some((403, "admin_only")),
            Self::InactiveAdmin | Self::InactiveAdminsKey if administers => Some((403, "account_inactive")),
            Self::AdminsReadKey | Self::AdminsSendKey if administers => Some((403, "scope_missing")),
            Self::InactiveUsersKey | Self::InactiveAdminsKey | Self::AdminsReadKey | Self::AdminsSendKey
                if needs_session =>
            {
                Some((403, "session_only"))
            }
            Self::AdminsKey if needs_session || ADMIN_SESSION_ONLY.contains(&name) => {
                Some((403, "session_only"))
            }
            Self::AdminsOldSession if FRESH.contains(&name) => Some((403, "reauthentication_required")),
            Self::InactiveAdmin if changes && !leaves => Some((403, "account_inactive")),
            Self::InactiveAdminsKey if changes => Some((403, "account_inactive")),
            Self::AdminsReadKey if changes && !READING.contains(&name) => Some((403, "scope_missing")),
            _ => None,
        }
    }
}

async fn key(daemon: &TestDaemon, session: &str, scopes: &str) -> String {
    let made = daemon.post("/api/api-keys", session, &[("name", "cron"), ("scopes", scopes)]).await;
    made.json()["key"].as_str().unwrap_or_else(|| panic!("{}", made.text)).to_owned()
}

/// Makes an account inactive and leaves its sessions and keys, as a daemon of an older version did.
async fn make_inactive(daemon: &TestDaemon, id: UserId) {
    let written = daemon.store().write(Lane::Interactive, id, |tx, id| {
        Box::pin(user::set_status(tx, *id, UserStatus::Inactive, START))
    });
    assert!(written.await.unwrap());
    daemon.app().callers.forget_user(id);
}

/// A session and a key of each kind.
async fn callers(daemon: &TestDaemon, root: &str) -> Vec<(Who, String)> {
    let idle = daemon.user("idle", Role::User).await;
    let idle_session = daemon.login("idle").await;
    let idle_key = key(daemon, &idle_session, "read,send").await;
    make_inactive(daemon, idle).await;
    let boss = daemon.user("boss", Role::Admin).await;
    let boss_session = daemon.login("boss").await;
    let boss_key = key(daemon, &boss_session, "read,send,admin").await;
    make_inactive(daemon, boss).await;
    let left = daemon.signed_in("left", Role::Admin).await;
    let revoked = key(daemon, &left, "read,send,admin").await;
    let listed = daemon.get("/api/api-keys", &left).await.json()["api_keys"][0]["id"].to_string();
    for path in [format!("/api/api-keys/{listed}"), "/api/sessions".into()] {
        let ended = daemon.send(daemon.request(Method::DELETE, &path, &left)).await;
        assert_eq!(ended.status, 200, "{}", ended.text);
    }
    assert_eq!(daemon.post("/api/logout", &left, &[]).await.status, 200);
    let gone = daemon.user("gone", Role::User).await;
    let gone_session = daemon.login("gone").await;
    let gone_key = key(daemon, &gone_session, "read,send").await;
    let path = format!("/admin/delete-user/{gone}");
    let deleted = daemon.send(daemon.request(Method::DELETE, &path, root)).await;
    assert_eq!(deleted.status, 200, "{}", deleted.text);
    vec![
        (Who::InactiveUser, idle_session),
        (Who::InactiveUsersKey, idle_key),
        (Who::InactiveAdmin, boss_session),
        (Who::InactiveAdminsKey, boss_key),
        (Who::AdminsReadKey, key(daemon, root, "read").await),
        (Who::AdminsSendKey, key(daemon, root, "read,send").await),
        (Who::AdminsKey, key(daemon, root, "read,send,admin").await),
        (Who::RevokedSession, left),
        (Who::RevokedKey, revoked),
        (Who::DeletedUser, gone_session),
        (Who::DeletedUsersKey, gone_key),
    ]
}

#[tokio::test]
async fn every_operation_treats_each_kind_of_caller_as_written_and_a_refusal_changes_nothing() {
    let daemon = TestDaemon::start().await;
    let old = daemon.signed_in("old", Role::Admin).await;
    daemon.pass(PROVEN_FOR);
    let root = daemon.signed_in("root", Role::Admin).await;
    daemon.user("ada", Role::User).await;
    let mut callers = callers(&daemon, &root).await;
    callers.push((Who::AdminsOldSession, old));
    for (who, token) in callers {
        // The first use of a key is noted.
        daemon.get("/api/user-profile", &token).await;
        let before = dump(daemon.store(), RESTLESS).await;
        for name in operations().keys().filter(|name| !OPEN.contains(&name.as_str())) {
            let (method, path) = call(name);
            let is_safe = method.is_safe();
            match who.refusal(name) {
                Some(refusal) => {
                    let reply = daemon.send(daemon.request(method, &path, &token)).await;
                    assert_eq!(
                        (reply.status, reply.code().as_str()),
                        refusal,
                        "{who:?}: {name}: {}",
                        reply.text
                    );
                }
                // Streams have no end to wait for; what changes something is tried below.
                None if is_safe => {
                    let status = daemon.request(method, &path, &token).send().await.unwrap().status();
                    assert!(![401, 403].contains(&status.as_u16()), "{who:?}: {name}: {status}");
                }
                None => {}
            }
        }
        for (table, rows) in dump(daemon.store(), RESTLESS).await {
            assert_eq!(before.get(&table), Some(&rows), "{who:?} changed {table}");
        }
    }
}

#[tokio::test]
async fn an_administrators_narrow_key_and_an_inactive_administrator_reach_nothing_of_other_users() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    let priced = daemon.post("/admin/set-sms-unit-price", &root, &[("price", "1")]).await;
    assert_eq!(priced.status, 200, "{}", priced.text);
    let ada = daemon.signed_in("ada", Role::User).await;
    let boss = daemon.user("boss", Role::Admin).await;
    let inactive = daemon.login("boss").await;
    make_inactive(&daemon, boss).await;
    let (read, send) = (key(&daemon, &root, "read").await, key(&daemon, &root, "read,send").await);
    let things = Things::new(daemon, ada.clone(), inactive.clone(), &root).await;
    let campaign = format!("/api/campaigns/{}", things.id("/api/campaigns/{id}"));
    let shown = async || things.daemon.get(&campaign, &ada).await.json()["campaign"]["status"].clone();
    for name in with_an_id() {
        for (token, who) in
            [(&read, Who::AdminsReadKey), (&send, Who::AdminsSendKey), (&inactive, Who::InactiveAdmin)]
        {
            let expected = who.refusal(&name).map_or(404, |(status, _)| status);
            let (status, text) = things.status(&name, token).await;
            assert_eq!(status, expected, "{name} to {who:?}: {text}");
        }
    }
    let quote = things.id("/api/quotes/{id}");
    let confirmed = things.daemon.post("/api/confirm-send-text-sms", &send, &[("quote_id", &*quote)]).await;
    assert_eq!(confirmed.status, 404, "{}", confirmed.text);
    // It goes on, or is over by now: it was neither paused nor cancelled.
    let status = shown().await;
    assert!(["sending", "completed"].contains(&status.as_str().unwrap()), "{status}");
    // The wider key shows that the samples are there.
    let wide = key(&things.daemon, &root, "read,send,admin").await;
    assert_eq!(things.daemon.get(&campaign, &wide).await.status, 200);
}

#[tokio::test]
async fn a_deactivated_administrator_is_signed_out_reads_the_own_account_and_never_comes_back_alone() {
    let daemon = TestDaemon::start().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    let boss = daemon.user("boss", Role::Admin).await;
    let session = daemon.login("boss").await;
    let admin_key = key(&daemon, &session, "read,send,admin").await;
    let done = daemon.post(&format!("/admin/deactivate-user/{boss}"), &root, &[]).await;
    assert_eq!(done.status, 200, "{}", done.text);
    for token in [&session, &admin_key] {
        assert_eq!(daemon.get("/api/user-profile", token).await.status, 401, "sessions and keys end");
    }
    let form = [("username", "boss"), ("password", crate::testing::PASSWORD)];
    let refused = daemon.post("/admin/admin-login", "", &form).await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "account_inactive"));
    let again = daemon.login("boss").await;
    assert_eq!(daemon.get("/api/user-profile", &again).await.json()["user"]["status"], "inactive");
    let before = dump(daemon.store(), RESTLESS).await;
    let itself = format!("/admin/activate-user/{boss}");
    let another = [("name", "Eve"), ("username", "eve"), ("email", "eve@example.com"), ("role", "admin")];
    for (path, form) in
        [(&*itself, &[][..]), ("/admin/users", &another), ("/admin/set-sms-unit-price", &[("price", "1")])]
    {
        let refused = daemon.post(path, &again, form).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "account_inactive"), "{path}");
    }
    assert_eq!(dump(daemon.store(), RESTLESS).await, before);
    assert_eq!(daemon.post("/api/logout", &again, &[]).await.status, 200);
    assert_eq!(daemon.post(&itself, &root, &[]).await.status, 200);
    let form = [("username", "boss"), ("password", crate::testing::PASSWORD)];
    assert_eq!(daemon.post("/admin/admin-login", "", &form).await.status, 200);
    assert_eq!(daemon.get("/api/user-profile", &admin_key).await.status, 401, "an old key stays revoked");
}

#[tokio::test]
async fn an_inactive_user_starts_no_send_payment_or_transfer() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    daemon.post("/admin/set-sms-unit-price", &root, &[("price", "1")]).await;
    daemon.user("eve", Role::User).await;
    let ada = daemon.user("ada", Role::User).await;
    let session = daemon.login("ada").await;
    let credit = [("espees", "100"), ("payment_ref", "start")];
    assert_eq!(daemon.post(&format!("/admin/assign-espee/{ada}"), &root, &credit).await.status, 200);
    let form = [
        ("senderid", "WEBSMS"),
        ("payment_method", "espees"),
        ("contacts", "08031239876"),
        ("message", "Hello"),
    ];
    let quote =
        daemon.post("/api/send-text-sms", &session, &form).await.json()["details"]["quote_id"].to_string();
    let key = key(&daemon, &session, "read,send").await;
    make_inactive(&daemon, ada).await;
    let money = async || {
        let mut dump = dump(daemon.store(), &[]).await;
        dump.retain(|table, _| {
            ["campaigns", "messages", "payments", "accounts", "transfers"].contains(&&**table)
        });
        assert!(dump.len() >= 4, "{:?}", dump.keys());
        dump
    };
    let before = money().await;
    for token in [&session, &key] {
        for (path, form) in [
            ("/api/send-text-sms", &form[..]),
            ("/api/confirm-send-text-sms", &[("quote_id", &*quote)]),
            ("/api/messages", &form),
            ("/api/payment-initiate", &[("price", "5"), ("narration", "c"), ("product_sku", "S")]),
            ("/api/paystack-payment-initiate", &[("amount", "500")]),
            ("/api/transfer-fund", &[("recipient_username", "eve"), ("amount", "1")]),
        ] {
            let refused = daemon.post(path, token, form).await;
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (400, "account_inactive"),
                "{path}: {}",
                refused.text
            );
        }
    }
    assert_eq!(money().await, before);
}
