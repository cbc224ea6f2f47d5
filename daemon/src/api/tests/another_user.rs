//! Every operation of the document is tried by a user on another user's things.
//!
//! An operation with an id in its path for which [`Things::path`] has no sample fails the test, so that
//! a new one cannot be forgotten.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_core::carrier::voice::VoiceCarrier;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::model::platform::id::RunId;
use talkdrum_core::store::Lane;
use talkdrum_core::store::voice::own_number_call;
use talkdrum_core::testing::mp3::Tone;
use talkdrum_core::voice::single_call::Permit;
use talkdrum_core::voice::test_call::Played;

use super::{OPEN, operations};
use crate::testing::{Reply, TestDaemon};

/// No call goes out here.
struct Never;

impl Permit for Never {
    fn check<'a>(
        &'a self,
        _trunk: &'a Arc<dyn VoiceCarrier>,
    ) -> BoxFuture<'a, std::result::Result<(), &'static str>> {
        Box::pin(std::future::ready(Err("this is a test")))
    }
}

/// Lists that need something in their query to answer.
const QUERIES: &[(&str, &str)] = &[("GET /api/messages", "number=08031239876")];

/// One of each thing of a user's own.
pub(super) struct Things {
    pub(super) daemon: TestDaemon,
    owner: String,
    other: String,
    ids: Vec<(&'static str, i64)>,
    espees_ref: String,
    naira_ref: String,
}

impl Things {
    pub(super) async fn new(daemon: TestDaemon, owner: String, other: String, admin: &str) -> Self {
        let (espees_ref, naira_ref) = (String::new(), String::new());
        let mut it = Self { daemon, owner, other, ids: Vec::new(), espees_ref, naira_ref };
        let group = it.made("/api/create/group", &[("group_name", "Mine")], "/group/id").await;
        let path = format!("/api/create/contact/group/{group}");
        let contact = it.made(&path, &[("phone", "08031239876"), ("name", "Bisi")], "/contact/id").await;
        let optout = it.made("/api/optouts", &[("phone", "08031239870")], "/optout/id").await;
        let key = it.made("/api/api-keys", &[("name", "cron"), ("scopes", "read")], "/api_key/id").await;
        let webhook = it.made("/api/webhooks", &[("url", "https://example.com/mine")], "/webhook/id").await;
        let delivery = it.made(&format!("/api/webhooks/{webhook}/test"), &[], "/id").await;
        let import = it.import().await;
        let recording = it.recording().await;
        let (draft, draft_file) = it.draft().await;
        let template = it.made("/api/templates", &[("name", "Mine"), ("text", "Mine")], "/template/id").await;
        let test_call = it.test_call().await;
        let own_number_call = it.own_number_call().await;
        let own_number = it.own_number().await;
        let (quote, campaign) = it.campaign(admin).await;
        let message = it.message(campaign).await;
        let session = it.read("/api/sessions", "/sessions/0/id").await;
        it.ids = vec![
            ("/api/api-keys/{id}", key),
            ("/api/campaigns/{id}", campaign),
            ("/api/create/contact/group/{id}", group),
            ("/api/delete/contact/{id}", contact),
            ("/api/delete/group/{id}", group),
            ("/api/drafts/{id}", draft),
            ("/api/drafts/{id}/files/{file}", draft_file),
            ("/api/get/group/contacts/{id}", group),
            ("/api/get/group/{id}", group),
            ("/api/groups/{id}", group),
            ("/api/import/contact/group/{id}", group),
            ("/api/imports/{id}", import),
            ("/api/messages/{id}", message),
            ("/api/optouts/{id}", optout),
            ("/api/own-number-calls/{id}", own_number_call),
            ("/api/own-numbers/{number}", own_number),
            ("/api/quotes/{id}", quote),
            ("/api/recordings/{id}", recording),
            ("/api/sessions/{id}", session),
            ("/api/templates/{id}", template),
            ("/api/update/contact/{id}", contact),
            ("/api/update/group/{id}", group),
            ("/api/voice-test/{id}", test_call),
            ("/api/webhooks/{id}/deliveries/{delivery}", delivery),
            ("/api/webhooks/{id}", webhook),
        ];
        it.payments().await;
        it.post("/api/request-senderid", &[("sender_ids[0]", "MINE")]).await;
        it.post("/api/request-virtual-number", &[]).await;
        it
    }

    /// What the owner posts, which must be taken.
    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Value {
        let reply = self.daemon.post(path, &self.owner, form).await;
        assert!((200..300).contains(&reply.status), "{path}: {}", reply.text);
        reply.json()
    }

    /// A test call of the owner's that no trunk took.
    async fn test_call(&self) -> i64 {
        let user = self.read("/api/user-profile", "/user/id").await;
        let to = talkdrum_core::phone::parse("08031239876").unwrap();
        let clip = talkdrum_core::carrier::voice::CallClip::new(vec![0; 800]);
        let app = self.daemon.app();
        let (permit, played) = (Arc::new(Never), Played { clip, recording: None });
        let admitted = app.test_calls.admit(UserId(user), to).await.unwrap().unwrap();
        admitted.begin(Vec::new(), permit, played).await.unwrap().unwrap().0
    }

    /// A call that verifies a number of the owner's, free of charge.
    async fn own_number_call(&self) -> i64 {
        let user = self.read("/api/user-profile", "/user/id").await;
        let written = self.daemon.store().write(Lane::Interactive, user, |tx, user| {
            let call = own_number_call::NewCall {
                user: UserId(*user),
                number: "2348031239876",
                currency: Currency::Naira,
                unit_price: Amount::ZERO,
                pulses: 1,
                owner: RunId(i64::MAX),
                has_paid_in: true,
            };
            Box::pin(async move { own_number_call::insert(tx, &call, crate::testing::START).await })
        });
        written.await.unwrap().0
    }

    /// An own number of the owner's.
    async fn own_number(&self) -> i64 {
        let user = self.read("/api/user-profile", "/user/id").await;
        let put = self.daemon.store().write(Lane::Interactive, user, |tx, user| {
            let now = crate::testing::START;
            Box::pin(talkdrum_core::store::sender::number::put_verified(
                tx,
                UserId(*user),
                "2348031239878",
                now,
                now,
            ))
        });
        put.await.unwrap();
        2_348_031_239_878
    }

    async fn made(&self, path: &str, form: &[(&str, &str)], id: &str) -> i64 {
        let answer = self.post(path, form).await;
        answer.pointer(id).and_then(Value::as_i64).unwrap_or_else(|| panic!("{path}: no {id} in {answer}"))
    }

    async fn read(&self, path: &str, id: &str) -> i64 {
        let reply = self.daemon.get(path, &self.owner).await;
        let found = reply.json().pointer(id).and_then(Value::as_i64);
        found.unwrap_or_else(|| panic!("{path}: no {id} in {}", reply.text))
    }

    async fn import(&self) -> i64 {
        let form = Form::new().part("file", contacts()).text("group_name", "Imported");
        let request = self.daemon.request(Method::POST, "/api/import/contacts/new/group", &self.owner);
        let reply = self.daemon.send(request.multipart(form)).await;
        reply.json()["import"]["id"].as_i64().unwrap_or_else(|| panic!("{}", reply.text))
    }

    async fn recording(&self) -> i64 {
        let mp3 = Part::bytes(Tone::default().mp3()).file_name("hello.mp3");
        let request = self.daemon.request(Method::POST, "/api/recordings", &self.owner);
        let reply = self.daemon.send(request.multipart(Form::new().part("audioFile", mp3))).await;
        reply.json()["recording"]["id"].as_i64().unwrap_or_else(|| panic!("{}", reply.text))
    }

    /// A draft and its file.
    async fn draft(&self) -> (i64, i64) {
        let form = [("form", "sms"), ("title", "Mine"), ("fields", "{}")];
        let draft = self.made("/api/drafts", &form, "/draft/id").await;
        let path = format!("/api/drafts/{draft}/files");
        let request = self.daemon.request(Method::POST, &path, &self.owner);
        let form = Form::new().part("file", contacts()).text("version", "1");
        let reply = self.daemon.send(request.multipart(form)).await;
        (draft, reply.json()["file_id"].as_i64().unwrap_or_else(|| panic!("{}", reply.text)))
    }

    /// A campaign that was confirmed, and a quote that was not.
    async fn campaign(&self, admin: &str) -> (i64, i64) {
        let owner = self.read("/api/user-profile", "/user/id").await;
        let path = format!("/admin/assign-espee/{owner}");
        let form = [("espees", "100"), ("payment_ref", "start")];
        let credited = self.daemon.post(&path, admin, &form).await;
        assert_eq!(credited.status, 200, "{}", credited.text);
        let form = [
            ("senderid", "WEBSMS"),
            ("payment_method", "espees"),
            ("contacts", "08031239876"),
            ("message", "mine"),
        ];
        let confirmed = self.made("/api/send-text-sms", &form, "/details/quote_id").await;
        let form_id = [("quote_id", &*confirmed.to_string())];
        let campaign = self.made("/api/confirm-send-text-sms", &form_id, "/details/id").await;
        (self.made("/api/send-text-sms", &form, "/details/quote_id").await, campaign)
    }

    /// Its message, once it was handed over.
    async fn message(&self, campaign: i64) -> i64 {
        let path = format!("/api/campaigns/{campaign}/messages");
        for _ in 0..400 {
            let messages = self.daemon.get(&path, &self.owner).await.json();
            if let Some(id) = messages.pointer("/messages/0/id").and_then(Value::as_i64) {
                return id;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("nothing was sent");
    }

    async fn payments(&mut self) {
        let form = [("price", "5"), ("narration", "credit"), ("product_sku", "SKU-1")];
        let begun = self.post("/api/payment-initiate", &form).await;
        self.espees_ref = begun["payment-ref"].as_str().unwrap().to_owned();
        let begun = self.post("/api/paystack-payment-initiate", &[("amount", "500")]).await;
        self.naira_ref = begun["reference"].as_str().unwrap().to_owned();
    }

    /// The path of an operation with the owner's id in it.
    fn path(&self, template: &str) -> Option<String> {
        let (known, id) = self
            .ids
            .iter()
            .filter(|(known, _)| template == *known || template.starts_with(&format!("{known}/")))
            .max_by_key(|(known, _)| known.len())?;
        let (head, last) = known.rsplit_once("/{")?;
        assert!(last.ends_with('}'), "{known}");
        let head = if head.contains('{') { self.path(head)? } else { head.to_owned() };
        let rest = template.strip_prefix(known)?;
        (!rest.contains('{')).then(|| format!("{head}/{id}{rest}"))
    }

    /// The answer of an operation on the owner's thing to another user.
    pub(super) async fn status(&self, name: &str, token: &str) -> (u16, String) {
        let (method, template) = name.split_once(' ').unwrap();
        let path = self.path(template).unwrap_or_else(|| panic!("{name}: no sample of such an id in Things"));
        let request = self.daemon.request(method.parse().unwrap(), &path, token);
        let response = filled(template, request).send().await.unwrap();
        let status = response.status().as_u16();
        // Streams have no end to wait for.
        (status, if status == 200 { String::new() } else { response.text().await.unwrap() })
    }
}

fn contacts() -> Part {
    Part::bytes(b"phone\n08031239876\n123\n".to_vec()).file_name("contacts.csv")
}

/// What an operation needs to come as far as its id.
fn filled(template: &str, request: RequestBuilder) -> RequestBuilder {
    match template {
        "/api/create/contact/group/{id}" => request.form(&[("phone", "08031239875")]),
        "/api/drafts/{id}" => request.form(&[("version", "2"), ("fields", "{\"by\":\"another\"}")]),
        "/api/drafts/{id}/files" => {
            request.multipart(Form::new().part("file", contacts()).text("version", "2"))
        }
        "/api/import/contact/group/{id}" => request.multipart(Form::new().part("file", contacts())),
        "/api/templates/{id}" => request.form(&[("name", "Theirs"), ("text", "Theirs")]),
        "/api/update/contact/{id}" => request.form(&[("name", "Theirs")]),
        "/api/update/group/{id}" => request.form(&[("group_name", "Theirs")]),
        "/api/webhooks/{id}" => request.form(&[("url", "https://example.com/theirs")]),
        _ => request,
    }
}

/// Every list and record that has no id in its address, as one user reads it.
async fn everything(daemon: &TestDaemon, token: &str) -> Vec<(String, Value)> {
    let mut seen = Vec::new();
    for name in operations().into_keys() {
        let Some(path) = name.strip_prefix("GET ") else { continue };
        if path.contains('{') || path.starts_with("/admin") || OPEN.contains(&name.as_str()) {
            continue;
        }
        let query = QUERIES.iter().find(|(asked, _)| *asked == name).map_or("", |(_, query)| query);
        let reply: Reply = daemon.get(&format!("{path}?{query}"), token).await;
        assert_eq!(reply.status, 200, "{name}: {}", reply.text);
        let answer = if reply.json().is_null() { Value::from(reply.text) } else { reply.json() };
        seen.push((name, answer));
    }
    seen
}

pub(super) fn with_an_id() -> Vec<String> {
    let mut names: Vec<_> = operations()
        .into_keys()
        .filter(|name| name.contains("/{") && !name.contains(" /admin/") && !OPEN.contains(&name.as_str()))
        .collect();
    // What deletes comes last: the owner must still find what the others are about.
    names.sort_by_key(|name| {
        let deletes = name.starts_with("DELETE");
        // A part goes before the whole.
        let depth = if deletes { name.matches('/').count() } else { 0 };
        (deletes, name.contains("group"), name.contains("sessions"), std::cmp::Reverse(depth), name.clone())
    });
    names
}

#[tokio::test]
async fn another_users_things_are_not_there() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let priced = daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "1")]).await;
    assert_eq!(priced.status, 200, "{}", priced.text);
    let eve = daemon.signed_in("eve", Role::User).await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let before = everything(&daemon, &eve).await;
    let things = Things::new(daemon, ada.clone(), eve.clone(), &admin).await;

    for (before, after) in before.iter().zip(everything(&things.daemon, &eve).await) {
        assert_eq!(*before, after, "what one user makes shows in what another reads");
    }
    let names = with_an_id();
    for name in &names {
        let (status, text) = things.status(name, &eve).await;
        assert_eq!(status, 404, "{name} to another user: {text}");
    }
    for (path, form) in [
        ("/api/payment-confirm", vec![("payment_ref", things.espees_ref.as_str())]),
        ("/api/paystack-payment-confirm", vec![("reference", things.naira_ref.as_str())]),
        ("/api/confirm-send-text-sms", vec![("quote_id", &*things.id("/api/quotes/{id}"))]),
        (
            "/api/send-text-sms",
            vec![
                ("senderid", "WEBSMS"),
                ("payment_method", "espees"),
                ("message", "theirs"),
                ("groups", &*things.id("/api/groups/{id}")),
            ],
        ),
    ] {
        let reply = things.daemon.post(path, &things.other, &form).await;
        assert_eq!(reply.status, 404, "{path} to another user: {}", reply.text);
    }
    // Without this a wrong sample would pass for another user's.
    for name in &names {
        let (status, text) = things.status(name, &things.owner).await;
        assert_ne!((status, name.as_str()), (404, name.as_str()), "to its owner: {text}");
    }
}

impl Things {
    pub(super) fn id(&self, known: &str) -> String {
        self.ids.iter().find(|(it, _)| *it == known).unwrap().1.to_string()
    }
}

#[tokio::test]
async fn an_id_of_nothing_is_not_found_by_administrators_either() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    for name in operations().into_keys().filter(|name| name.contains('{') && !OPEN.contains(&name.as_str())) {
        let (method, template) = name.split_once(' ').unwrap();
        for id in ["987654321", "x"] {
            let path: Vec<_> =
                template.split('/').map(|part| if part.starts_with('{') { id } else { part }).collect();
            let request = daemon.request(method.parse().unwrap(), &path.join("/"), &admin);
            let reply = daemon.send(filled_by_admin(template, request)).await;
            // The specification has a sentence for whom a number is given without an id.
            let is_asked_for = id == "x" && reply.code() == "user_required";
            assert!(reply.status == 404 || is_asked_for, "{name} with {id}: {}", reply.text);
        }
    }
}

/// The same for administrators, whose forms are checked before anything is looked for.
fn filled_by_admin(template: &str, request: RequestBuilder) -> RequestBuilder {
    match template {
        "/admin/approve-virtual-number/{id}" => request.form(&[("virtual_num", "+2342012345678")]),
        "/admin/assign-espee/{id}" => request.form(&[("espees", "1"), ("payment_ref", "r")]),
        "/admin/assign-naira/{id}" => request.form(&[("amount", "1")]),
        "/admin/users/{id}/codes" => request.form(&[("allowed", "false")]),
        "/admin/disapprove-senderid/{id}" | "/admin/users/{id}/legal-hold" => {
            request.form(&[("reason", "copied")])
        }
        _ => filled(template, request),
    }
}
