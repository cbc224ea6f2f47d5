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

/// A callback with a receipt, and what it says: the query, the body, the reference, the state and the error.
type Sample = (&'static str, &'static str, &'static str, ReceiptState, Option<&'static str>);

/// Receipts of each kind, as the provider documents them.
fn samples(kind: &str) -> Vec<Sample> {
    use ReceiptState::{Delivered, Expired, Rejected, Undelivered};
    match kind {
        "termii" => vec![
            (
                "",
                r#"{"type":"outbound","id":"x","message_id":"30","receiver":"2348031000000","status":"Delivered | Message delivered to handset"}"#,
                "30:2348031000000",
                Delivered,
                None,
            ),
            (
                "",
                r#"{"type":"outbound","message_id":30,"receiver":"2348031000000","status":"DND Active on Phone Number"}"#,
                "30:2348031000000",
                Rejected,
                Some("DND Active on Phone Number"),
            ),
        ],
        "africastalking" => vec![(
            "",
            "id=ATXid_1&status=AbsentSubscriber&phoneNumber=%2B2348031000000&networkCode=62130&failureReason=DeliveryFailure",
            "atxid_1",
            Undelivered,
            Some("DeliveryFailure"),
        )],
        "infobip" => vec![(
            "",
            r#"{"results":[{"messageId":"td1-2","to":"2348031000000","status":{"groupId":4,"name":"EXPIRED_EXPIRED"},"error":{"groupName":"HANDSET_ERRORS","description":"Absent"}}]}"#,
            "td1-2",
            Expired,
            Some("Absent"),
        )],
        "kannel" => vec![(
            "id=td1-2&type=2&to=%2B2348031000000&ts=1700000000&err=id%3A7+stat%3AUNDELIV+err%3A027+text%3A",
            "",
            "td1-2",
            Undelivered,
            Some("027"),
        )],
        "template" => vec![("", r#"{"data":{"ref":"AB","state":"GONE"}}"#, "ab", Expired, Some("GONE"))],
        other => panic!("{other} has no receipt here: add one"),
    }
}

#[test]
fn every_providers_receipts_are_read() {
    let none = HeaderMap::new();
    for kind in KINDS {
        let more = match kind {
            "template" => {
                json!({ "receipts": { "id": "/data/ref", "status": "/data/state", "states": { "gone": "expired" } } })
            }
            _ => json!({}),
        };
        for (query, body, reference, state, error) in samples(kind) {
            let read = hook(kind, more.clone()).read(Some(SECRET), &call(&none, query, body)).unwrap();
            let [report] = read.reports.as_slice() else { panic!("{kind}: {read:?}") };
            assert_eq!((&*report.reference.0, report.state), (reference, state), "{kind}");
            assert_eq!(report.error.clone().map(String::from).as_deref(), error, "{kind}");
        }
    }
}

/// What the callback says: from, to, text, and the provider's id.
fn heard(hook: &Hook, query: &str, body: &str) -> (String, String, String, Option<String>) {
    let none = HeaderMap::new();
    let heard = hook.read(Some(SECRET), &call(&none, query, body)).unwrap();
    assert_eq!(heard.reports, vec![], "no receipt");
    let [said] = heard.messages.as_slice() else { panic!("{heard:?}") };
    assert_eq!(said.part, None);
    (said.from.clone(), said.to.clone(), said.text.clone(), said.reference.clone())
}

fn says(from: &str, to: &str, text: &str, id: Option<&str>) -> (String, String, String, Option<String>) {
    (from.into(), to.into(), text.into(), id.map(str::to_owned))
}

#[test]
fn every_providers_messages_from_handsets_are_read() {
    let termii = r#"{"type":"inbound","id":"250b71d3","message_id":"2512111104563240011111145","receiver":"2347880234567",
        "sender":"2348031000000","message":"Stop ✋","received_at":"2026-11-21T09:12:25.000Z","cost":"3","status":"Received","channel":"generic"}"#;
    let expected = says("2348031000000", "2347880234567", "Stop ✋", Some("2512111104563240011111145"));
    assert_eq!(heard(&hook("termii", json!({})), "", termii), expected);
    let talking = hook("africastalking", json!({}));
    let message = "date=2026-11-21+09%3A12%3A25&from=%2B2348031000000&id=a1b2&linkId=SampleLinkId123&text=stop+it%21&to=30012&networkCode=62130";
    assert_eq!(heard(&talking, "", message), says("+2348031000000", "30012", "stop it!", Some("a1b2")));
    let opted_out = "senderId=TALKDRUM&phoneNumber=%2B2348031000000";
    assert_eq!(heard(&talking, "", opted_out), says("+2348031000000", "TALKDRUM", "STOP", None));
    let infobip = r#"{"results":[{"messageId":"817790313235066447","from":"2348031000000","to":"30012","text":"QUIZ Correct answer is Paris",
        "cleanText":"Correct answer is Paris","keyword":"QUIZ","receivedAt":"2026-11-21T09:12:25.000+0000","smsCount":1,
        "price":{"pricePerMessage":0,"currency":"EUR"},"callbackData":"callbackData"}],"messageCount":1,"pendingMessageCount":0}"#;
    let expected = says("2348031000000", "30012", "QUIZ Correct answer is Paris", Some("817790313235066447"));
    assert_eq!(heard(&hook("infobip", json!({})), "", infobip), expected);
}

#[test]
fn kannel_hands_messages_on_in_their_coding_and_parts_where_it_does_not_join_them() {
    let kannel = hook("kannel", json!({}));
    let from = "id=5f2c&from=%2B2348031000000&to=30012";
    let expected = |text: &str| says("+2348031000000", "30012", text, Some("5f2c"));
    let query = format!("{from}&coding=0&charset=UTF-8&udh=&text=Caf%C3%A9+%E2%82%AC");
    assert_eq!(heard(&kannel, &query, ""), expected("Café €"));
    let query = format!("{from}&coding=2&charset=UTF-16BE&udh=&text=%00S%00T%00O%00P%27%0B");
    assert_eq!(heard(&kannel, &query, ""), expected("STOP✋"));
    let query = format!("{from}&coding=0&charset=WINDOWS-1252&text=Caf%E9");
    assert_eq!(heard(&kannel, &query, ""), expected("Café"));
    let query = format!("{from}&coding=1&charset=binary&text=%DE%AD");
    assert_eq!(heard(&kannel, &query, ""), expected("DEAD"));
    assert_eq!(heard(&kannel, &format!("{from}&coding=0&text="), ""), expected(""));
    let none = HeaderMap::new();
    let query = format!("{from}&coding=2&charset=UTF-16BE&udh=%05%00%03%07%02%01&text=%D8%3D");
    let heard = kannel.read(Some(SECRET), &call(&none, &query, "")).unwrap();
    let part = heard.messages[0].part.clone().unwrap();
    assert_eq!((part.reference, part.total, part.place, &*part.octets), (7, 2, 1, b"\xD8\x3D".as_slice()));
    assert_eq!(heard.messages[0].text, "");
}

#[test]
fn a_templates_messages_are_told_from_its_receipts_by_their_fields_or_by_what_the_operator_says() {
    let none = HeaderMap::new();
    let receipts = json!({ "id": "id", "status": "status" });
    let by_fields = json!({ "receipts": receipts, "inbound": { "id": "id", "from": "/msisdn", "to": "/short/code", "text": "text" } });
    let by_fields = hook("template", by_fields);
    let body = r#"{"id":7,"msisdn":2348031000000,"short":{"code":"30012"},"text":"Yes"}"#;
    assert_eq!(heard(&by_fields, "", body), says("2348031000000", "30012", "Yes", Some("7")));
    let receipt = by_fields.read(Some(SECRET), &call(&none, "id=7&status=delivered&text=Hi", "")).unwrap();
    assert_eq!((receipt.reports.len(), receipt.messages.len()), (1, 0));
    // One that gives its messages a status, too.
    let named = json!({ "receipts": receipts, "inbound": { "from": "from", "text": "text", "when": { "kind": "MO" } } });
    let named = hook("template", named);
    let query = "kind=mo&id=7&status=received&from=2348031000000&text=Yes";
    assert_eq!(heard(&named, query, ""), says("2348031000000", "", "Yes", None));
    let receipt =
        named.read(Some(SECRET), &call(&none, "kind=dlr&id=7&status=delivered&from=1&text=Hi", "")).unwrap();
    assert_eq!((receipt.reports.len(), receipt.messages.len()), (1, 0));
    let neither = named.read(Some(SECRET), &call(&none, "kind=mo&from=1", ""));
    assert_eq!(neither, Ok(CallbackReport::default()), "heard, and nothing in it");
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
    assert_eq!(
        signed.read(None, &call(&headers, "", vector)),
        Ok(CallbackReport::default()),
        "signed, and no receipt"
    );
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
    let reports = hook("termii", json!({})).read(Some(SECRET), &call(&none, "", body)).unwrap().reports;
    let inbox = rig.inbox.clone();
    let (given, waits) = (reports.clone(), inbox.clone());
    let delivering = tokio::spawn(async move { waits.deliver(given, Duration::from_secs(5)).await });
    let batch = rig.events.recv().await.unwrap();
    let [Event::Receipt(receipt)] = batch.as_slice() else { panic!("{batch:?}") };
    assert!(!delivering.is_finished());
    rig.carrier.acknowledge(vec![receipt.token]);
    assert_eq!(delivering.await.unwrap(), HookDelivery::Committed);
    assert_eq!(inbox.deliver(reports.clone(), Duration::from_millis(50)).await, HookDelivery::Late);
    rig.carrier.close(Duration::ZERO).await;
    assert_eq!(inbox.deliver(reports, Duration::from_millis(50)).await, HookDelivery::Elsewhere);
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
                let _ = config.provider.messages(&callback);
            }
        }
    }
}
