//! Programs that were written for Kannel: their calls, over SMPP to the handset and back to their `dlr-url`.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a test's rig fails the test")]

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use talkdrum_core::ledger::verify::Findings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::campaign_rig::{House, Reply};

const PATH: &str = "/cgi-bin/sendsms";

/// A house with money, and the secret of ada's key.
async fn house() -> (House, String) {
    let house = House::in_sandbox().await;
    house.fund("100", "start").await;
    let made = house.post("/api/api-keys", &house.ada, &[("name", "kannel"), ("scopes", "send")]).await;
    let secret = made.json()["key"].as_str().unwrap().to_owned();
    (house, secret)
}

/// A call by POST, paid in ESPEES.
async fn send(house: &House, secret: &str, parameters: &[(&str, &str)]) -> Reply {
    let mut form =
        vec![("username", "ada"), ("password", secret), ("from", "WEBSMS"), ("payment_method", "espees")];
    form.extend(parameters);
    house.post(PATH, "", &form).await
}

fn said(reply: &Reply) -> (u16, &str) {
    (reply.status, reply.text.as_str())
}

/// The newest messages of ada's to a number.
async fn messages(house: &House, number: &str) -> serde_json::Value {
    house.get(&format!("/api/messages?number={number}"), &house.ada).await.ok()
}

/// The path of the next request that comes to a listener.
async fn next_request(listener: &TcpListener) -> String {
    let request = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = vec![0; 4_096];
        let count = stream.read(&mut bytes).await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await.unwrap();
        String::from_utf8_lossy(&bytes[..count]).lines().next().unwrap_or_default().to_owned()
    };
    tokio::time::timeout(Duration::from_secs(60), request).await.expect("the dlr-url was never called")
}

#[tokio::test]
async fn a_call_is_a_message_with_a_price_and_what_becomes_of_it_is_told_at_its_dlr_url() {
    let (house, secret) = house().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap();
    let url = format!("http://{host}/dlr?d=%d&to=%p&from=%P&id=%I&who=%n&a=%A&mine=7");
    // By the address, as Kannel's guide shows it; the second number is one that the sandbox does not deliver to.
    let query = query_of(&[
        ("username", "ada"),
        ("password", &secret),
        ("from", "WEBSMS"),
        ("to", "+2348031234567 08031239002"),
        ("text", "Hello {name} & world"),
        ("payment_method", "espees"),
        ("dlr-mask", "31"),
        ("dlr-url", &url),
    ]);
    let reply = house.get(&format!("{PATH}?{query}"), "").await;
    assert_eq!(said(&reply), (202, "0: Accepted for delivery"));
    let found = messages(&house, "08031234567").await;
    let message = &found["messages"][0];
    assert_eq!((&found["total"], &message["price"]), (&json!(1), &json!(1.5)));
    let mut told = Vec::new();
    for _ in 0..4 {
        told.push(next_request(&listener).await);
    }
    told.sort();
    let id = message["id"].to_string();
    let begins = |d: u8, to: &str| format!("GET /dlr?d={d}&to={to}&from=WEBSMS&id=");
    for (line, start) in told.iter().zip([
        begins(1, "%2B2348031234567"),
        begins(2, "08031239002"),
        begins(8, "%2B2348031234567"),
        begins(8, "08031239002"),
    ]) {
        assert!(
            line.starts_with(&start) && line.contains("&who=ada&") && line.contains("&mine=7 HTTP"),
            "{line}"
        );
    }
    assert!(told[0].contains(&format!("&id={id}&")) && told[0].contains("stat%3ADELIVRD"), "{}", told[0]);
    assert!(told[1].contains("stat%3AUNDELIV") && told[2].contains("&a=ACK%2F&"), "{told:?}");
    let why = house.until_message(&format!("/api/messages/{id}"), "delivered").await;
    assert_eq!(why["text"], "Hello {name} & world", "braces are braces");
    assert_eq!(house.balances().await["espees-balance"], 97.0);
    assert_eq!(house.findings().await, Findings::default());
    house.close().await;
}

#[tokio::test]
async fn a_call_that_is_repeated_sends_again_unless_it_has_a_key() {
    let (house, secret) = house().await;
    let form = |text: &str| {
        let pairs =
            [("username", "ada"), ("password", &*secret), ("from", "WEBSMS"), ("payment_method", "espees")];
        let own = [("to", "08031234567"), ("text", text)];
        house.request(Method::POST, PATH, "").form(&[&pairs[..], &own].concat())
    };
    for _ in 0..2 {
        assert_eq!(said(&house.send(form("Hello")).await).0, 202);
    }
    assert_eq!(messages(&house, "08031234567").await["total"], 2);
    for _ in 0..2 {
        let keyed = house.send(form("Once").header("idempotency-key", "k1")).await;
        assert_eq!(said(&keyed), (202, "0: Accepted for delivery"));
    }
    assert_eq!(messages(&house, "08031234567").await["total"], 3);
    let two = [("username", "ada"), ("password", &*secret), ("from", "WEBSMS"), ("text", "x")];
    let two = [&two[..], &[("to", "08031234567 08031234568")]].concat();
    let two = house.request(Method::POST, PATH, "").form(&two).header("idempotency-key", "k2");
    let two = house.send(two).await;
    assert_eq!(said(&two), (400, "An Idempotency-Key is for one number: send to each in a call of its own"));
    let other = house.send(form("Other").header("idempotency-key", "k1")).await;
    assert_eq!(other.status, 409, "{}", other.text);
    let bad = house.send(form("Other").header("idempotency-key", "k 1")).await;
    assert_eq!(bad.status, 400);
    assert_eq!(house.balances().await["espees-balance"], 95.5);
    house.close().await;
}

#[tokio::test]
async fn what_the_platform_refuses_costs_nothing_and_says_why() {
    let (house, secret) = house().await;
    let added = house.post("/api/optouts", &house.ada, &[("phone", "08031234569")]).await;
    assert!(added.status < 300, "{}", added.text);
    let one = async |to: &str, text: &str| send(&house, &secret, &[("to", to), ("text", text)]).await;
    let refused = one("abc", "Hello").await;
    assert_eq!(said(&refused), (400, "Number(s) has/have been denied by white- and/or black-lists."));
    let refused = one("08031234569", "Hello").await;
    assert!(refused.status == 400 && refused.text.contains("opted out"), "{}", refused.text);
    let refused = one("08031234567", "").await;
    assert_eq!(said(&refused), (400, "Message is required"));
    let refused = send(&house, &secret, &[("from", "NOBODY"), ("to", "08031234567"), ("text", "x")]).await;
    assert_eq!(refused.status, 202, "the first `from` counts");
    let form = [("username", "ada"), ("password", &*secret), ("to", "08031234567"), ("text", "x")];
    let strange = house.post(PATH, "", &[&form[..], &[("from", "NOBODY")]].concat()).await;
    assert_eq!(strange.status, 400, "{}", strange.text);
    let poor = house.post(PATH, "", &[&form[..], &[("from", "WEBSMS")]].concat()).await;
    assert_eq!(poor.status, 400, "there is no price in Naira: {}", poor.text);
    let some = one("08031234567 08031234569 abc", "Hello").await;
    assert_eq!(said(&some), (202, "0: Accepted for delivery Denied receivers are: 08031234569 abc"));
    assert_eq!(house.balances().await["espees-balance"], 97.0);
    house.close().await;
}

#[tokio::test]
async fn a_deferred_call_waits_for_its_time_and_one_in_kannels_own_form_of_post_is_taken() {
    let (house, secret) = house().await;
    let waits = send(&house, &secret, &[("to", "08031234567"), ("text", "Later"), ("deferred", "60")]).await;
    assert_eq!(said(&waits), (202, "3: Queued for later delivery"));
    let message = messages(&house, "08031234567").await["messages"][0].clone();
    assert_eq!(message["status"], "queued");
    let campaign = house.get(&format!("/api/campaigns/{}", message["campaign_id"]), &house.ada).await.ok();
    assert_eq!(campaign["campaign"]["status"], "scheduled", "{campaign}");
    let far = send(&house, &secret, &[("to", "08031234567"), ("text", "x"), ("deferred", "600000")]).await;
    assert_eq!(said(&far), (400, "Deferred field misformed, rejected"));

    let request = house.request(Method::POST, PATH, "");
    let request = request
        .header("content-type", "text/plain; charset=iso-8859-1")
        .header("X-Kannel-Username", "ada")
        .header("X-Kannel-Password", &secret)
        .header("X-Kannel-From", "WEBSMS")
        .header("X-Kannel-To", "08031234568")
        .header("X-Kannel-MClass", "0")
        .body(b"caf\xE9".to_vec());
    let refused = house.send(request.try_clone().unwrap()).await;
    assert_eq!(refused.status, 400, "nothing says what pays, and there is no price in Naira");
    let taken = house.send(request.header("X-Kannel-Payment_Method", "espees")).await;
    assert_eq!(said(&taken), (202, "0: Accepted for delivery"));
    let found = messages(&house, "08031234568").await["messages"][0].clone();
    let why = house.until_message(&format!("/api/messages/{}", found["id"]), "delivered").await;
    assert_eq!(why["text"], "café");
    house.close().await;
}

/// What is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_secret_and_no_text_of_a_call_is_logged() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_env_filter("trace,hyper=info,hyper_util=info,reqwest=info,mio=info")
        .with_writer(move || writer.clone())
        .init();
    let (house, secret) = house().await;
    let url = "http://127.0.0.1:1/dlr-of-mine";
    for text in ["Some text", ""] {
        let call = [("to", "08031234567"), ("text", text), ("dlr-mask", "31"), ("dlr-url", url)];
        send(&house, &secret, &call).await;
        let query = query_of(&[&[("username", "ada"), ("password", &*secret)], &call[..]].concat());
        house.get(&format!("{PATH}?{query}"), "").await;
        house.get(&format!("{PATH}?{query}x&user=eve"), "").await;
    }
    let found = messages(&house, "08031234567").await["messages"][0].clone();
    house.until_message(&format!("/api/messages/{}", found["id"]), "delivered").await;
    let called = async {
        while !String::from_utf8_lossy(&log.0.lock().unwrap()).contains("a receipt callback failed") {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), called).await.expect("the dlr-url was never tried");
    house.close().await;
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(log.contains(PATH), "the calls are logged");
    for hidden in [&secret[..], "dlr-of-mine", "Some text", "Some+text"] {
        assert!(!log.contains(hidden), "'{hidden}' is logged");
    }
}

fn query_of(pairs: &[(&str, &str)]) -> String {
    let url = reqwest::Url::parse_with_params("http://x/", pairs).unwrap();
    url.query().unwrap().to_owned()
}
