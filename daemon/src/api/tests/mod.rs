//! What must hold of every operation, tried on each that the document lists.

mod another_user;
mod callers;
mod lasting;
mod quotas;

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::Method;
use serde_json::Value;
use talkdrum_core::model::account::user::Role;

use crate::testing::TestDaemon;

/// Operations that anybody may call. A new one is added here on purpose.
const OPEN: &[&str] = &[
    "GET /admin/get-about-us",
    "GET /admin/get-contact-address",
    "GET /admin/get-contact-email",
    "GET /admin/get-contact-phone",
    "GET /admin/get-maintenance-status",
    "GET /api/avatars/{token}",
    "GET /api/get-about-us",
    "GET /api/get-contact-address",
    "GET /api/get-contact-email",
    "GET /api/get-contact-phone",
    "GET /api/get-maintenance-status",
    "GET /api/get-sms-unit-price",
    "GET /api/get-voice-unit-price",
    "GET /api/rates",
    "GET /api/kingschat/callback",
    "GET /api/kingschat/options",
    "GET /api/recordings/{id}/audio",
    "GET /cgi-bin/sendsms",
    "GET /healthz",
    "GET /hooks/carriers/{name}/clips/{clip}",
    "GET /metrics",
    "GET /readyz",
    "POST /admin/admin-login",
    "POST /api/kingschat-login",
    "POST /api/kingschat/callback",
    "POST /api/kingschat/finish",
    "POST /api/kingschat/start",
    "POST /api/login",
    "POST /api/password/forgot",
    "POST /api/password/reset",
    "POST /api/register/resend",
    "POST /api/register/start",
    "POST /api/register/verify",
    "POST /api/verify/email",
    "POST /api/verify/email/resend",
    "POST /cgi-bin/sendsms",
    "POST /hooks/paystack",
];

fn operations() -> BTreeMap<String, Value> {
    let document = serde_json::to_value(super::document()).unwrap();
    let mut operations = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.insert(format!("{} {path}", method.to_uppercase()), operation.clone());
        }
    }
    operations
}

fn call(name: &str) -> (Method, String) {
    let (method, path) = name.split_once(' ').unwrap();
    let path: String = path
        .split('/')
        .map(|part| if part.starts_with('{') { "1" } else { part })
        .collect::<Vec<_>>()
        .join("/");
    (method.parse().unwrap(), path)
}

#[test]
fn the_document_is_the_one_that_was_accepted() {
    let document = super::document().to_pretty_json().unwrap();
    insta::with_settings!({ snapshot_path => "../..", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("openapi", document);
    });
}

/// The name of a type whose attributes derive a schema, in a line of source that declares one.
fn declared(line: &str) -> Option<&str> {
    let (visibility, name) = line.split_once("struct ").or_else(|| line.split_once("enum "))?;
    let is_item = visibility.is_empty() || visibility.starts_with("pub");
    is_item.then(|| name.split(|sign: char| !sign.is_alphanumeric()).next()).flatten()
}

fn sources(dir: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_two_schemas_share_a_name_for_one_of_them_would_be_described_as_the_other() {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&own.join("src"), &mut files);
    sources(&own.join("../core/src"), &mut files);
    sources(&own.join("../core/api/src"), &mut files);
    let mut schemas: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut renamed: Option<String> = None;
        let mut is_schema = false;
        for line in text.lines() {
            if let Some((_, name)) = line.split_once("ToSchema for ") {
                schemas.insert(name.trim_end_matches(" {}").to_owned(), file.display().to_string());
            } else if !line.starts_with("use ") {
                is_schema |= line.contains("ToSchema");
            }
            if let Some((_, rest)) = line.split_once("#[schema(as = ") {
                renamed = rest.split(|sign: char| !sign.is_alphanumeric()).next().map(str::to_owned);
            }
            let Some(name) = declared(line) else { continue };
            let name = renamed.take().unwrap_or_else(|| name.to_owned());
            if std::mem::take(&mut is_schema) {
                let before = schemas.insert(name.clone(), file.display().to_string());
                assert_eq!(before, None, "{name} is also declared in {}", file.display());
            }
        }
    }
    let document = serde_json::to_value(super::document()).unwrap();
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(
            schemas.contains_key(name) || !name.chars().all(char::is_alphanumeric),
            "{name} was not looked at"
        );
    }
}

#[test]
fn what_is_documented_as_open_is_open_on_purpose() {
    let open: Vec<_> = operations()
        .into_iter()
        .filter(|(_, operation)| operation["security"] == serde_json::json!([{}]))
        .map(|(name, _)| name)
        .collect();
    let mut expected = OPEN.to_vec();
    expected.sort_unstable();
    assert_eq!(open, expected);
}

#[tokio::test]
async fn nobody_gets_in_without_a_token_and_no_user_gets_into_administration() {
    let daemon = TestDaemon::start().await;
    let user = daemon.signed_in("ada", Role::User).await;
    for name in operations().keys().filter(|name| !OPEN.contains(&name.as_str())) {
        let (method, path) = call(name);
        let anonymous = daemon.send(daemon.request(method.clone(), &path, "")).await;
        assert_eq!((anonymous.status, anonymous.code().as_str()), (401, "unauthorized"), "{name}");
        let stranger =
            daemon.send(daemon.request(method.clone(), &path, &format!("tds_{}", "0".repeat(64)))).await;
        assert_eq!(stranger.status, 401, "{name}");
        if path.starts_with("/admin") {
            let reply = daemon.send(daemon.request(method, &path, &user)).await;
            assert_eq!((reply.status, reply.code().as_str()), (403, "admin_only"), "{name}");
        }
    }
}

#[tokio::test]
async fn every_list_refuses_a_parameter_and_an_order_that_it_does_not_know_and_names_those_it_does() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    for (name, operation) in operations() {
        let Some(path) = name.strip_prefix("GET ").filter(|path| !path.contains('{')) else { continue };
        let names: Vec<&str> = operation["parameters"]
            .as_array()
            .map(|all| all.iter().filter_map(|it| it["name"].as_str()).collect())
            .unwrap_or_default();
        if OPEN.contains(&name.as_str()) || !names.contains(&"page") {
            continue;
        }
        let refused = daemon.get(&format!("{path}?pgae=2"), &admin).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "unknown_parameter"), "{name}");
        assert!(refused.json()["message"].as_str().unwrap().contains("per_page"), "{name}: {}", refused.text);
        if names.contains(&"sort") {
            let refused = daemon.get(&format!("{path}?sort=password_hash"), &admin).await;
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_sort"), "{name}");
            assert!(names.contains(&"order"), "{name} can be sorted one way only");
        } else {
            for asked in ["sort=id", "order=asc"] {
                let refused = daemon.get(&format!("{path}?{asked}"), &admin).await;
                assert_eq!((refused.status, refused.code().as_str()), (400, "bad_sort"), "{name}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_problem_document_like_everything_else() {
    let daemon = TestDaemon::start().await;
    let token = daemon.signed_in("ada", Role::User).await;
    for (reply, status, code) in [
        (daemon.get("/api/nothing", "").await, 404, "not_found"),
        (daemon.get("/api/login", "").await, 405, "method_not_allowed"),
        (daemon.get("/api/api-keys?page=0", &token).await, 400, "bad_page"),
        (
            daemon.send(daemon.request(Method::POST, "/api/login", "").body("x")).await,
            400,
            "unsupported_body",
        ),
        (
            daemon
                .send(
                    daemon
                        .request(Method::POST, "/api/login", "")
                        .header("content-type", "application/json")
                        .body("{"),
                )
                .await,
            400,
            "bad_json",
        ),
        (daemon.post("/api/login", "", &[("username", &"x".repeat(2 << 20))]).await, 413, "too_large"),
    ] {
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{}", reply.text);
        assert_eq!(reply.headers["content-type"], "application/problem+json");
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert_eq!(reply.json()["request_id"].as_str(), reply.headers["x-request-id"].to_str().ok());
    }
}

#[tokio::test]
async fn health_metrics_and_documentation_are_served_to_anybody() {
    let daemon = TestDaemon::start().await;
    assert_eq!(daemon.get("/healthz", "").await.text, "ok\n");
    // A client may call its method anything; the metrics may not.
    let brewed = daemon.request(Method::from_bytes(b"BREW").unwrap(), "/healthz", "");
    assert_eq!(daemon.send(brewed).await.status, 405);
    let ready = daemon.get("/readyz", "").await;
    assert_eq!((ready.status, &ready.json()["ready"]), (200, &true.into()));
    let metrics = daemon.get("/metrics", "").await.text;
    assert!(
        metrics.contains("talkdrum_http_requests_total{method=\"GET\",path=\"/healthz\",status=\"200\"}"),
        "{metrics}"
    );
    assert!(metrics.contains("method=\"other\"") && !metrics.contains("BREW"), "{metrics}");
    let document = daemon.get("/api/openapi.json", "").await;
    assert_eq!(document.json(), serde_json::to_value(super::document()).unwrap());
    assert!(document.headers.contains_key("content-security-policy"));
    let packed = daemon.request(Method::GET, "/api/openapi.json", "");
    let packed = daemon.send(packed.header("accept-encoding", "gzip")).await;
    assert_eq!(packed.headers["content-encoding"], "gzip");
    let page = daemon.request(Method::GET, "/api/docs/", "").send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    let mut text = String::new();
    GzDecoder::new(&page.bytes().await.unwrap()[..]).read_to_string(&mut text).unwrap();
    assert!(text.contains("swagger"), "{text}");
    for part in ["default-src 'none'", "script-src 'self'", "form-action 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe-eval") && !text.contains("<script>"), "its scripts are files");
}

#[tokio::test]
async fn a_daemon_that_stops_is_not_ready_and_frees_its_database() {
    let daemon = TestDaemon::start().await;
    daemon.app().readiness.stop();
    let (dir, database) = (daemon.stop().await, "talkdrum.db");
    let lock = talkdrum_core::store::operations::lock::FileLock::of_database(&dir.path().join(database));
    assert!(lock.is_ok(), "{lock:?}");
}
