use reqwest::Method;
use reqwest::multipart::{Form, Part};
use talkdrum_core::model::account::user::Role;

use crate::testing::{Reply, TestDaemon};

async fn save(daemon: &TestDaemon, token: &str, id: &str, version: &str, fields: &str) -> Reply {
    let form = [("version", version), ("title", "Later"), ("fields", fields)];
    daemon.send(daemon.request(Method::PUT, &format!("/api/drafts/{id}"), token).form(&form)).await
}

async fn add(daemon: &TestDaemon, token: &str, id: &str, version: &str, bytes: Vec<u8>) -> Reply {
    let form = Form::new().part("file", Part::bytes(bytes).file_name("may.csv"));
    let request = daemon.request(Method::POST, &format!("/api/drafts/{id}/files"), token);
    daemon.send(request.multipart(form.text("version", version.to_owned()))).await
}

#[tokio::test]
async fn a_draft_is_kept_with_its_file_and_never_overwritten_unseen() {
    let daemon = TestDaemon::start_with(|settings| settings.limits.drafts_mib_unfunded = 1).await;
    let token = daemon.signed_in("ada", Role::User).await;
    let fields = r#"{"message":"Half a thought","groups":[1]}"#;
    let form = [("form", "sms"), ("title", "Half a thought"), ("fields", fields)];
    let made = daemon.post("/api/drafts", &token, &form).await;
    assert_eq!((made.status, &made.json()["draft"]["version"]), (201, &1.into()), "{}", made.text);
    let id = made.json()["draft"]["id"].to_string();

    let numbers: Vec<u8> = b"phone\n08031234567\n".repeat(20_000);
    let added = add(&daemon, &token, &id, "1", numbers.clone()).await;
    assert_eq!(added.status, 201, "{}", added.text);
    let file = added.json()["file_id"].to_string();
    let read = daemon.get(&format!("/api/drafts/{id}/files/{file}"), &token).await;
    assert_eq!(read.status, 200);
    assert!(read.text.as_bytes() == numbers, "the file as it was");
    let refused = add(&daemon, &token, &id, "2", vec![b'1'; 1 << 20]).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "drafts_quota"), "{}", refused.text);

    let stale = save(&daemon, &token, &id, "1", "{}").await;
    assert_eq!((stale.status, stale.code().as_str()), (409, "draft_changed"), "{}", stale.text);
    let saved = save(&daemon, &token, &id, "2", r#"{"message":"Later"}"#).await;
    assert_eq!((saved.status, &saved.json()["draft"]["version"]), (200, &3.into()), "{}", saved.text);

    let listed = daemon.get("/api/drafts?form=sms", &token).await.json();
    assert_eq!(
        (&listed["drafts"][0]["title"], &listed["drafts"][0]["files"][0]["name"]),
        (&"Later".into(), &"may.csv".into())
    );
    assert_eq!(listed["drafts"][0].get("fields"), None, "lists are short");
    let shown = daemon.get(&format!("/api/drafts/{id}"), &token).await.json();
    assert_eq!(shown["fields"], r#"{"message":"Later"}"#);

    let path = format!("/api/drafts/{id}/files/{file}");
    let removed = daemon.send(daemon.request(Method::DELETE, &format!("{path}?version=3"), &token)).await;
    assert_eq!((removed.status, &removed.json()["draft"]["version"]), (200, &4.into()), "{}", removed.text);
    assert_eq!(daemon.get(&path, &token).await.status, 404);
    let deleted = daemon.send(daemon.request(Method::DELETE, &format!("/api/drafts/{id}"), &token)).await;
    assert_eq!(deleted.status, 200, "{}", deleted.text);
    assert_eq!(daemon.get("/api/drafts", &token).await.json()["drafts"].as_array().unwrap().len(), 0);
    assert_eq!(save(&daemon, &token, &id, "4", "{}").await.status, 404);
}

#[tokio::test]
async fn a_draft_that_was_begun_with_a_key_is_found_and_deleted_by_it() {
    let daemon = TestDaemon::start().await;
    let token = daemon.signed_in("ada", Role::User).await;
    let form = [("form", "sms"), ("fields", "{}"), ("key", "k-1")];
    let made = daemon.post("/api/drafts", &token, &form).await;
    assert_eq!((made.status, &made.json()["draft"]["key"]), (201, &"k-1".into()), "{}", made.text);
    assert_eq!(
        daemon.post("/api/drafts", &token, &form).await.json()["draft"]["id"],
        made.json()["draft"]["id"]
    );
    let delete =
        |query: &str| daemon.send(daemon.request(Method::DELETE, &format!("/api/drafts?{query}"), &token));
    assert_eq!(delete("key=k-1&version=2").await.code(), "draft_changed");
    assert_eq!((delete("key=k-2").await.status, delete("version=1").await.status), (404, 404));
    assert_eq!(delete("key=k-1&version=1").await.status, 200);
    assert_eq!(daemon.get("/api/drafts", &token).await.json()["drafts"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn what_is_no_draft_is_refused() {
    let daemon = TestDaemon::start().await;
    let token = daemon.signed_in("ada", Role::User).await;
    for (form, fields, code) in [("mail", "{}", "bad_form"), ("sms", "[]", "bad_fields")] {
        let reply = daemon.post("/api/drafts", &token, &[("form", form), ("fields", fields)]).await;
        assert_eq!(reply.code(), code, "{}", reply.text);
    }
    let keyed = |key: &'static str| {
        let form = [("form", "call"), ("fields", "{}")];
        daemon.send(
            daemon.request(Method::POST, "/api/drafts", &token).header("Idempotency-Key", key).form(&form),
        )
    };
    assert_eq!(keyed("a").await.json()["draft"]["id"], keyed("a").await.json()["draft"]["id"]);
    let id = keyed("a").await.json()["draft"]["id"].to_string();
    let empty = add(&daemon, &token, &id, "1", Vec::new()).await;
    assert_eq!(empty.code(), "file_required", "{}", empty.text);
}
