//! Reports that a provider returns to a poll, once.

use super::*;

/// Answers this once, and then that there is no more.
async fn handing_out(server: &MockServer, at: &str, once: Value) {
    let asked =
        || Mock::given(path(at)).and(query_param("limit", "1000")).and(header("authorization", "App s3cret"));
    asked().respond_with(ResponseTemplate::new(200).set_body_json(once)).up_to_n_times(1).mount(server).await;
    asked()
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "results": [] })))
        .mount(server)
        .await;
}

#[tokio::test]
async fn infobip_reports_are_asked_for_and_kept_until_they_are_stored() {
    let server = MockServer::start().await;
    let report = json!({ "results": [{
        "bulkId": "b", "messageId": "TD-1", "to": "2348031000000", "doneAt": "2026-11-21T09:30:00.000+0000",
        "status": { "groupId": 3, "groupName": "DELIVERED", "id": 5, "name": "DELIVERED_TO_HANDSET" },
        "error": { "groupName": "OK", "permanent": false },
    }]});
    handing_out(&server, "/sms/3/reports", report).await;
    let mut rig = Rig::start(config("infobip", &server.uri(), json!({ "poll_s": 1 })));
    let batch = tokio::time::timeout(Duration::from_secs(5), rig.events.recv()).await.unwrap().unwrap();
    let [Event::Receipt(receipt)] = batch.as_slice() else { panic!("{batch:?}") };
    assert_eq!((&*receipt.reference.0, receipt.state), ("td-1", ReceiptState::Delivered));
    assert_eq!(receipt.done_at.unwrap().to_rfc3339(), "2026-11-21T09:30:00.000Z");
    rig.carrier.acknowledge(vec![receipt.token]);
}

#[tokio::test]
async fn infobips_inbox_is_asked_for_apart_from_its_reports_and_each_message_bears_its_name() {
    let server = MockServer::start().await;
    let message = |id: &str, text: &str| {
        json!({
            "messageId": id, "from": "2348031000000", "to": "30012", "text": text, "cleanText": text, "keyword": "",
            "receivedAt": "2026-11-21T09:12:25.000+0000", "smsCount": 1, "callbackData": "x",
            "price": { "pricePerMessage": 0, "currency": "EUR" },
        })
    };
    let inbox = json!({
        "results": [message("817790313235066447", "STOP"), message("817790313235066448", "STOP")],
        "messageCount": 2, "pendingMessageCount": 0,
    });
    handing_out(&server, "/sms/1/inbox/reports", inbox).await;
    let mut rig = Rig::start(config("infobip", &server.uri(), json!({ "inbox_poll_s": 1 })));
    let batch = tokio::time::timeout(Duration::from_secs(5), rig.events.recv()).await.unwrap().unwrap();
    let [Event::Inbound(first), Event::Inbound(second)] = batch.as_slice() else { panic!("{batch:?}") };
    assert_eq!((&*first.from, &*first.to, first.text.as_str()), ("2348031000000", "30012", "STOP"));
    assert_eq!(first.reference.as_deref(), Some("817790313235066447"));
    assert_eq!(second.reference.as_deref(), Some("817790313235066448"));
    assert_eq!((&first.part, &first.mark), (&None, &None));
    rig.carrier.acknowledge(vec![first.token, second.token]);
    let asked = async || {
        let requests = server.received_requests().await.unwrap();
        requests.iter().map(|request| request.url.path().to_owned()).collect::<Vec<_>>()
    };
    tokio::time::timeout(Duration::from_secs(10), async {
        while asked().await.len() < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .expect("it is asked again once they are stored");
    assert!(asked().await.iter().all(|path| path == "/sms/1/inbox/reports"), "reports come by callback");
}
