//! The way in for receipts, and what of a carrier's settings is refused or hidden.

use super::*;

fn hook(kind: &str, more: Value) -> Hook {
    let mut options = json!({ "hook_secret": SECRET });
    options.as_object_mut().unwrap().extend(members(more));
    Hook::new(&config(kind, "http://127.0.0.1:9", options), Inbox::default())
}

fn call<'a>(headers: &'a HeaderMap, query: &'a str, body: &'a str) -> Callback<'a> {
    Callback { headers, query, body: body.as_bytes() }
}

#[test]
fn every_providers_receipts_are_read() {
    let none = HeaderMap::new();
    let read = |kind: &str, query: &str, body: &str| {
        let reports = hook(kind, json!({})).read(Some(SECRET), &call(&none, query, body)).unwrap();
        let report = reports.into_iter().next().expect("a report");
        (report.reference.0.to_string(), report.state, report.error.map(String::from))
    };
    let delivered = r#"{"type":"outbound","id":"x","message_id":"30","receiver":"2348031000000","status":"Delivered | Message delivered to handset"}"#;
    assert_eq!(read("termii", "", delivered), ("30:2348031000000".into(), ReceiptState::Delivered, None));
    let dnd = r#"{"type":"outbound","message_id":30,"receiver":"2348031000000","status":"DND Active on Phone Number"}"#;
    let said = Some("DND Active on Phone Number".to_owned());
    assert_eq!(read("termii", "", dnd), ("30:2348031000000".into(), ReceiptState::Rejected, said));
    let absent = "id=ATXid_1&status=AbsentSubscriber&phoneNumber=%2B2348031000000&networkCode=62130&failureReason=DeliveryFailure";
    let said = Some("DeliveryFailure".to_owned());
    assert_eq!(read("africastalking", "", absent), ("atxid_1".into(), ReceiptState::Undelivered, said));
    let infobip = r#"{"results":[{"messageId":"td1-2","to":"2348031000000","status":{"groupId":4,"name":"EXPIRED_EXPIRED"},"error":{"groupName":"HANDSET_ERRORS","description":"Absent"}}]}"#;
    assert_eq!(read("infobip", "", infobip), ("td1-2".into(), ReceiptState::Expired, Some("Absent".into())));
    let kannel =
        "id=td1-2&type=2&to=%2B2348031000000&ts=1700000000&err=id%3A7+stat%3AUNDELIV+err%3A027+text%3A";
    assert_eq!(read("kannel", kannel, ""), ("td1-2".into(), ReceiptState::Undelivered, Some("027".into())));
    let template = json!({ "receipts": { "id": "/data/ref", "status": "/data/state", "states": { "gone": "expired" } } });
    let body = r#"{"data":{"ref":"AB","state":"GONE"}}"#;
    let reports = hook("template", template).read(Some(SECRET), &call(&none, "", body)).unwrap();
    assert_eq!((&*reports[0].reference.0, reports[0].state), ("ab", ReceiptState::Expired));
}

#[test]
fn a_callback_without_the_secret_is_not_read_and_termii_signs() {
    let none = HeaderMap::new();
    let body = r#"{"type":"outbound","message_id":"30","receiver":"2348031000000","status":"Delivered"}"#;
    let open = hook("termii", json!({}));
    for secret in [None, Some(""), Some("0123456789abcdeF"), Some("0123456789abcdef0")] {
        assert_eq!(open.read(secret, &call(&none, "", body)), Err(HookError::Unknown), "{secret:?}");
    }
    assert_eq!(open.read(Some(SECRET), &call(&none, "", "{")), Err(HookError::Unreadable));
    // HMAC-SHA512 of this body under `sk_test_x`: the vector of the provider papers.
    let vector = r#"{"event":"charge.success","data":{"reference":"r1"}}"#;
    let signed = hook("termii", json!({ "signature_secret": "sk_test_x" }));
    assert_eq!(signed.read(Some(SECRET), &call(&none, "", vector)), Err(HookError::Unknown), "unsigned");
    let digest = {
        use hmac::{KeyInit as _, Mac as _};
        let mac = hmac::Hmac::<sha2::Sha512>::new_from_slice(b"sk_test_x").unwrap().chain_update(vector);
        hex::encode(mac.finalize().into_bytes())
    };
    assert!(digest.starts_with("7382b8bb18d737c1") && digest.ends_with("68f62783233"), "{digest}");
    let mut headers = HeaderMap::new();
    headers.insert("x-termii-signature", HeaderValue::from_str(&digest).unwrap());
    assert_eq!(signed.read(None, &call(&headers, "", vector)), Ok(vec![]), "signed, and no receipt");
    assert_eq!(
        signed.read(None, &call(&headers, "", body)),
        Err(HookError::Unknown),
        "signed for another body"
    );
}

#[tokio::test]
async fn a_delivery_is_committed_when_the_worker_says_so_and_late_when_it_does_not() {
    let mut rig = Rig::start(config("termii", "http://127.0.0.1:9", json!({})));
    let body = r#"{"type":"outbound","message_id":"30","receiver":"2348031000000","status":"Delivered"}"#;
    let none = HeaderMap::new();
    let reports = hook("termii", json!({})).read(Some(SECRET), &call(&none, "", body)).unwrap();
    let inbox = rig.inbox.clone();
    let (given, waits) = (reports.clone(), inbox.clone());
    let delivering = tokio::spawn(async move { waits.deliver(given, Duration::from_secs(5)).await });
    let batch = rig.events.recv().await.unwrap();
    let [Event::Receipt(receipt)] = batch.as_slice() else { panic!("{batch:?}") };
    assert!(!delivering.is_finished());
    rig.carrier.acknowledge(vec![receipt.token]);
    assert_eq!(delivering.await.unwrap(), Delivery::Committed);
    assert_eq!(inbox.deliver(reports.clone(), Duration::from_millis(50)).await, Delivery::Late);
    rig.carrier.close(Duration::ZERO).await;
    assert_eq!(inbox.deliver(reports, Duration::from_millis(50)).await, Delivery::Elsewhere);
}

#[test]
fn what_cannot_be_used_is_refused_at_start_with_the_setting_named() {
    let cases = [
        ("kannel", json!({}), "username"),
        ("termii", json!({}), "url"),
        ("infobip", json!({ "url": "ftp://x" }), "http://"),
        ("africastalking", json!({}), "username"),
        ("termii", json!({ "url": "https://x.example", "chanel": "dnd" }), "chanel"),
        ("termii", json!({ "url": "https://x.example", "hook_secret": "short" }), "hook_secret"),
        ("termii", json!({ "url": "https://x.example", "public_url": "https://y.example" }), "hook_secret"),
        ("termii", json!({ "url": "https://x.example", "window": 0 }), "window"),
        ("template", json!({ "url": "https://x.example/{tO}?{whom}" }), "{whom}"),
        ("template", json!({ "url": "https://x.example", "success": "(" }), "success"),
        ("template", json!({ "url": "https://x.example", "receipts": { "states": { "a": "b" } } }), "'b'"),
        ("pigeon", json!({ "url": "https://x.example" }), "pigeon"),
    ];
    for (kind, options, named) in cases {
        let error =
            HttpConfig::read("main", kind, options.as_object().unwrap().clone()).unwrap_err().to_string();
        assert!(error.contains(named) && error.contains("'main'"), "{kind}: {error}");
    }
}

#[test]
fn a_key_never_shows() {
    for kind in KINDS {
        let config = config(kind, "http://127.0.0.1:9", json!({ "hook_secret": SECRET }));
        let shown = format!("{config:?}");
        assert!(!shown.contains("s3cret") && !shown.contains(SECRET), "{shown}");
    }
    let written_out = json!({
        "url": "http://127.0.0.1:9/send?key=in-the-address&to={to}",
        "headers": { "Authorization": "Bearer in-a-header" },
        "body": "in-the-body {text}",
    });
    let Value::Object(options) = written_out else { panic!("options are an object") };
    let shown = format!("{:?}", HttpConfig::read("main", "template", options).unwrap());
    assert!(!shown.contains("in-"), "{shown}");
}

proptest! {
    #[test]
    fn garbage_is_never_an_acceptance_and_never_a_panic(status in 100_u16..700, body in any::<Vec<u8>>(), text in ".{0,80}") {
        let none = HeaderMap::new();
        for kind in KINDS {
            let config = config(kind, "http://127.0.0.1:9", json!({}));
            let items: Vec<super::super::provider::Item> = submissions(&content("Hello"), 2).into_iter().map(|it| super::super::provider::Item {
                message: it.message, part: None, to: it.to, from: it.from, body: it.body, ours: "td1".into(), expires_at: None,
            }).collect();
            for octets in [body.as_slice(), text.as_bytes()] {
                let reading = config.provider.read(&items, status, octets);
                // A template without patterns takes every 2xx for a yes: that is what it was told.
                if kind != "template" || !(200..300).contains(&status) {
                    let taken = match &reading {
                        Reading::Each(outcomes) => outcomes.iter().any(|it| matches!(it, super::super::provider::Outcome::Accepted(_))),
                        Reading::Whole(outcome) => matches!(outcome, super::super::provider::Outcome::Accepted(_)),
                        Reading::Unclear => false,
                    };
                    assert!(!taken, "{kind} {status} {octets:?}");
                }
                let callback = Callback { headers: &none, query: &text, body: octets };
                let _ = config.provider.receipts(&callback);
            }
        }
    }
}
