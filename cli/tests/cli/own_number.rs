//! Own numbers: verified by a call, and by the code that it speaks.

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::Talkdrum;

/// A call: 3 is answered, 4 is busy.
fn call(id: i64, over: bool) -> Value {
    let answered = id == 3;
    let (outcome, message) = match (over, answered) {
        (false, _) => (None, "The call is being placed"),
        (true, true) => (Some("answered"), "The call was answered: heard to the end"),
        (true, false) => (Some("busy"), "The call was not answered: the line is busy"),
    };
    let charged = if over && !answered { 0 } else { 9 };
    json!({
        "id": id, "phone_number": "2348031234567", "from": null, "status": if over { "ended" } else { "calling" },
        "outcome": outcome, "over": over, "message": message, "attempts": 1, "currency": "naira", "unit_price": 9,
        "pulses": charged / 9, "charged": charged, "refunded": 9 - charged, "created_at": "2027-01-04T08:00:00Z",
        "code_expires_at": "2027-01-04T08:10:00Z", "ringing_at": null, "answered_at": null, "ended_at": null,
        "seconds": 0,
    })
}

fn daemon() -> StandIn {
    StandIn::new(|request| match request.line.as_str() {
        "POST /api/voice-call" if request.body.contains("validation_code\":\"000000") => {
            problem(400, "code_wrong", "The code is wrong: 4 tries are left")
        }
        "POST /api/voice-call" if request.body.contains("validation_code") => {
            let number = json!({
                "id": 5, "user_id": 2, "username": "ada", "phone_number": "2348031234567", "status": "verified",
                "created_at": "2027-01-04T08:00:00Z",
            });
            Answer::Json(200, json!({"details": number, "message": "Number verified"}))
        }
        "POST /api/voice-call" if request.body.contains("too often") => {
            problem(429, "too_many_codes", "You may ask for a code once a minute")
        }
        "POST /api/voice-call" => {
            let id = if request.body.contains("busy") { 4 } else { 3 };
            Answer::Json(200, json!({"details": call(id, false), "message": "Code sent"}))
        }
        "DELETE /api/own-numbers/08031234567" | "DELETE /admin/delete-own-number/5" => {
            let message = "Number withdrawn: no more calls show it; 1 campaign that calls from it is paused";
            Answer::Json(200, json!({"message": message, "campaigns_paused": 1}))
        }
        "GET /api/own-number-calls/3" => Answer::Json(200, call(3, true)),
        "GET /api/own-number-calls/4" => Answer::Json(200, call(4, true)),
        line => problem(404, "not_found", line),
    })
}

#[test]
fn a_number_is_called_and_waited_for_and_an_answer_decides_the_exit_code() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let verify = |args: &[&str]| talkdrum.run(&[&["numbers", "own", "verify"], args].concat());
    let begun = verify(&["08031234567", "--pay", "naira", "--key", "k1", "--max-charge", "9.5"]);
    let said = "Call 3 to 2348031234567: The call is being placed; 9 Naira charged\n";
    assert_eq!((begun.code, &*begun.stdout), (0, said), "{}", begun.stderr);
    assert!(begun.stderr.contains("talkdrum numbers own confirm 2348031234567 CODE"), "{}", begun.stderr);
    let heard = verify(&["08031234567", "--wait"]);
    let said = "Call 3 to 2348031234567: The call was answered: heard to the end; 9 Naira charged\n";
    assert_eq!((heard.code, &*heard.stdout), (0, said), "{}", heard.stderr);
    let busy = verify(&["busy", "--wait"]);
    let said =
        "Call 4 to 2348031234567: The call was not answered: the line is busy; 0 Naira charged, 9 refunded\n";
    assert_eq!((busy.code, &*busy.stdout), (1, said), "{}", busy.stderr);
    assert!(!busy.stderr.contains("confirm"), "{}", busy.stderr);
    for args in [&["08031234567", "--output", "json"][..], &["08031234567", "--wait", "--output", "json"]] {
        let json: Value = serde_json::from_str(&verify(args).stdout).unwrap();
        assert_eq!((&json["id"], &json["charged"]), (&json!(3), &json!(9)), "one shape, waited for or not");
    }
    assert_eq!(verify(&["too often"]).code, 1);
    assert_eq!(verify(&["08031234567", "--pay", "cash"]).code, 2);
    let first = daemon.requests().into_iter().next().unwrap();
    let asked: Value = serde_json::from_str(&first.body).unwrap();
    let expected = json!({
        "own_number": "08031234567", "payment_method": "paystack", "ttsVoice": "uk-female", "max_charge": 9.5,
    });
    assert_eq!(asked, expected);
    assert_eq!(first.header("idempotency-key"), "k1");
}

#[test]
fn the_code_of_the_call_verifies_the_number_and_a_wrong_one_says_what_is_left() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let confirmed = talkdrum.run(&["numbers", "own", "confirm", "08031234567", "123456"]);
    let said = "Number verified: 2348031234567\n";
    assert_eq!((confirmed.code, &*confirmed.stdout), (0, said), "{}", confirmed.stderr);
    let asked: Value = serde_json::from_str(&daemon.requests()[0].body).unwrap();
    assert_eq!(asked, json!({"own_number": "08031234567", "validation_code": "123456"}));
    let wrong = talkdrum.run(&["numbers", "own", "confirm", "08031234567", "000000"]);
    assert_eq!(wrong.code, 4);
    assert!(wrong.stderr.contains("The code is wrong: 4 tries are left"), "{}", wrong.stderr);
    let unasked = talkdrum.run(&["numbers", "own", "confirm", "08031234567"]);
    assert_eq!(unasked.code, 2, "there is no terminal");
}

#[test]
fn a_number_is_withdrawn_where_that_is_said() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let unasked = talkdrum.run(&["numbers", "own", "withdraw", "0803 123 4567"]);
    assert_eq!(unasked.code, 2, "there is no terminal");
    assert!(unasked.stderr.contains("--yes goes on"), "{}", unasked.stderr);
    assert_eq!(daemon.requests().len(), 0);
    let said = "Number withdrawn: no more calls show it; 1 campaign that calls from it is paused\n";
    for args in [&["withdraw", "0803 123 4567", "--yes"][..], &["delete", "5", "-y"]] {
        let withdrawn = talkdrum.run(&[&["numbers", "own"], args].concat());
        assert_eq!((withdrawn.code, &*withdrawn.stdout), (0, said), "{}", withdrawn.stderr);
    }
    assert_eq!(talkdrum.run(&["numbers", "own", "withdraw", "mine", "--yes"]).code, 2);
}
