//! The Do-Not-Disturb list, and secrets that cannot be read.

use serde_json::json;

use crate::stand_in::{Answer, StandIn};
use crate::talkdrum::Talkdrum;

/// A daemon whose list holds so many numbers.
fn holding(total: i64) -> StandIn {
    StandIn::new(move |request| match request.line.as_str() {
        "GET /admin/dnd?per_page=1" => Answer::Json(200, json!({"numbers": [], "total": total})),
        _ => Answer::Json(200, json!({"message": "", "total_read": 2, "total_invalid": 1, "total": 2})),
    })
}

fn posts(daemon: &StandIn) -> usize {
    daemon.lines().iter().filter(|line| line.starts_with("POST")).count()
}

const LIST: &str = "08031234567\n08031234567\n08051234567\n12345\n";

#[test]
fn a_list_without_a_number_replaces_nothing() {
    let daemon = holding(1_000_000);
    let talkdrum = Talkdrum::at(&daemon);
    for junk in ["", "no number\n", "12345\n"] {
        talkdrum.file("list.csv", junk);
        let run = talkdrum.run(&["dnd", "import", "list.csv", "--replace", "--allow-shrink"]);
        assert_eq!(run.code, 1, "{junk}");
        assert!(run.stderr.contains("no valid number in list.csv"), "{}", run.stderr);
        assert_eq!(talkdrum.run_with(&["dnd", "import", "-", "--replace", "--allow-shrink"], junk).code, 1);
    }
    assert_eq!(posts(&daemon), 0);
}

#[test]
fn a_list_that_shrinks_by_much_wants_to_be_confirmed() {
    let daemon = holding(10);
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("list.csv", LIST);
    let run = talkdrum.run(&["dnd", "import", "list.csv", "--replace"]);
    assert_eq!(run.code, 4);
    assert!(run.stderr.contains("from 10 to 2") && run.stderr.contains("--allow-shrink"), "{}", run.stderr);
    let run = talkdrum.run(&["dnd", "import", "list.csv", "--replace", "--dry-run"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("2 numbers would take the place of the 10"), "{}", run.stdout);
    assert_eq!(posts(&daemon), 0);
    let run = talkdrum.run_with(&["dnd", "import", "-", "--replace", "--allow-shrink"], LIST);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("1 entries are no numbers"), "{}", run.stderr);
    let posted = daemon.requests().into_iter().rfind(|request| request.line.starts_with("POST")).unwrap();
    let body: serde_json::Value = serde_json::from_str(&posted.body).unwrap();
    assert_eq!((&body["replace"], &body["allow_shrink"]), (&true.into(), &true.into()));
}

#[test]
fn a_list_as_long_as_before_is_replaced_without_a_word_and_the_daemon_looks_again() {
    let daemon = holding(2);
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("list.csv", LIST);
    assert_eq!(talkdrum.run(&["dnd", "import", "list.csv", "--replace"]).code, 0);
    let posted = daemon.requests().into_iter().rfind(|request| request.line.starts_with("POST")).unwrap();
    let body: serde_json::Value = serde_json::from_str(&posted.body).unwrap();
    assert_eq!((&body["replace"], &body["allow_shrink"]), (&true.into(), &false.into()));
}

#[test]
fn a_secret_that_cannot_be_read_is_a_failure() {
    let at = "2027-01-01T00:00:00Z";
    let closed = json!({"smsApiKey": [{"value": "(not readable)", "updated_at": at, "readable": false}]});
    let daemon = StandIn::new(move |_| Answer::Json(200, closed.clone()));
    let run = Talkdrum::at(&daemon).run(&["settings", "get", "sms-api-key"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("smsApiKey cannot be read"), "{}", run.stderr);
}
