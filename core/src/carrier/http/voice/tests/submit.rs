//! What the answer to a submit means for its call, and for others.

use super::*;

#[tokio::test]
async fn what_was_certainly_not_taken_was_not_placed_and_marks_the_health_until_it_is_tried_again() {
    let refused = |status: u16| ResponseTemplate::new(status).set_body_string("no such route");
    let rig = Rig::start(provider(refused(422)).await, json!({})).await;
    let why = not_placed(&mut rig.call().await).await;
    assert_eq!(why, PlaceError::Refused("the provider refused the call (HTTP 422)".into()));
    assert_eq!(rig.carrier.health().0, Health::Up, "others may be called");

    for (status, says) in [(401, "refused the credentials"), (429, "rate limit")] {
        let rig = Rig::start(provider(refused(status)).await, json!({})).await;
        let why = not_placed(&mut rig.call().await).await;
        assert!(matches!(&why, PlaceError::Down(reason) if reason.contains(says)), "{why:?}");
        let health = rig.carrier.health().0;
        assert!(matches!(&health, Health::Connecting { reason } if reason.contains(says)), "{health:?}");
        let at_once = rig.carrier.place(request()).await.unwrap_err();
        assert!(matches!(&at_once, PlaceError::Down(reason) if reason.contains(says)), "{at_once:?}");
        while rig.carrier.health().0 != Health::Up {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        rig.server.reset().await;
        Mock::given(method("POST")).respond_with(takes()).mount(&rig.server).await;
        let mut call = rig.call().await;
        let ours = rig.submitted(1).await["ref"].clone();
        rig.tell(&json!({ "ref": ours, "status": "busy" })).unwrap();
        assert_eq!(to_its_end(&mut call).await.1.unwrap().outcome, CallOutcome::Busy);
        assert_eq!(rig.carrier.health().0, Health::Up);
    }

    let server = provider(takes()).await;
    let rig = Rig::start(server, json!({ "url": "http://127.0.0.1:1/calls" })).await;
    let why = not_placed(&mut rig.call().await).await;
    assert!(matches!(why, PlaceError::Down(_)), "{why:?}");
    let Health::Connecting { reason } = rig.carrier.health().0 else { panic!() };
    assert!(reason.starts_with("The provider cannot be reached"), "{reason}");
}

#[tokio::test]
async fn while_it_is_not_clear_that_the_provider_takes_calls_one_is_submitted_at_a_time() {
    let server = provider(ResponseTemplate::new(500)).await;
    let call = json!({ "id": "id", "status": "status", "statuses": { "completed": "answered" } });
    let rig = Rig::start(server, json!({ "call": call })).await;
    assert_eq!(to_its_end(&mut rig.call().await).await, (vec![], None));
    while rig.carrier.health().0 != Health::Up {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    rig.server.reset().await;
    let slow = ResponseTemplate::new(500).set_delay(Duration::from_millis(200));
    Mock::given(method("POST")).respond_with(slow).mount(&rig.server).await;
    let (first, second) = (rig.carrier.place(request()), rig.carrier.place(request()));
    let (first, second) = tokio::join!(first, second);
    assert!(first.is_ok() && matches!(second, Err(PlaceError::Down(_))), "{second:?}");
    assert_eq!(rig.requests("POST", 1).await.len(), 1);
}

#[tokio::test]
async fn what_the_provider_says_of_one_number_keeps_no_other_call_back() {
    let answers = ResponseTemplate::new(403).set_body_string("account 17: you may not call there");
    let rig = Rig::start(provider(answers).await, json!({})).await;
    for _ in 0..2 {
        let (_, result) = to_its_end(&mut rig.call().await).await;
        let result = result.unwrap();
        assert_eq!((result.outcome, result.code), (CallOutcome::TrunkError, Some(403)));
        assert_eq!(rig.carrier.health().0, Health::Up);
    }
}

#[tokio::test]
async fn a_question_is_asked_where_the_request_has_a_place_for_it() {
    let asking = CallRequest { plays: 3, ends_on: "12#9".into(), ..request() };
    let body = r##"{"to":"{to}","play":"{audio_url}","ref":"{ref}","plays":{plays},"keys":"{digits}","max":{max_seconds}}"##;
    let rig = Rig::start(provider(takes()).await, json!({ "body": body })).await;
    let _call = rig.carrier.place(asking.clone()).await.unwrap();
    let submitted = rig.submitted(1).await;
    // Three times a second of the clip and half a second of its tail.
    assert_eq!(
        (&submitted["plays"], &submitted["keys"], &submitted["max"]),
        (&json!(3), &json!("12#9"), &json!(5))
    );
    let can = rig.carrier.capabilities();
    assert_eq!((can.keys, can.repeats), (true, true));

    // Another one plays it once, whatever is asked for.
    let rig = Rig::start(provider(takes()).await, json!({})).await;
    let _call = rig.carrier.place(asking).await.unwrap();
    assert_eq!(rig.submitted(1).await["max"], 2);
    assert_eq!((rig.carrier.capabilities().keys, rig.carrier.capabilities().repeats), (true, false));
}
