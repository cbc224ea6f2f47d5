//! What polled answers are believed.

use super::*;

#[tokio::test]
async fn an_answer_that_is_longer_than_any_call_needs_says_nothing() {
    let server = provider(takes()).await;
    let long = json!({ "status": "completed", "words": "x".repeat(64 << 10) });
    let asked = || Mock::given(method("GET")).and(path("/calls/CA-17"));
    let answer = ResponseTemplate::new(200).set_body_json(long);
    asked().respond_with(answer).up_to_n_times(1).mount(&server).await;
    let answer = ResponseTemplate::new(200).set_body_json(json!({ "status": "busy" }));
    asked().respond_with(answer).mount(&server).await;
    let poll = json!({ "url": format!("{}/calls/{{id}}", server.uri()), "every_s": 1 });
    let rig = Rig::start(server, json!({ "poll": poll, "hook_secret": null, "body": BODY })).await;
    let (_, result) = to_its_end(&mut rig.call().await).await;
    assert_eq!(result.unwrap().outcome, CallOutcome::Busy);
    assert_eq!(rig.requests("GET", 2).await.len(), 2);
}
