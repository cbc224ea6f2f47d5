//! The Do-Not-Disturb list, and secrets that cannot be read.

use serde_json::json;

use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::Talkdrum;

/// A daemon whose list holds so many numbers. It knows those of [`LIST`], of which it counts one as opted out.
fn holding(total: i64) -> StandIn {
    StandIn::new(move |request| {
        let has_number = request.body.contains("08031234567");
        match request.line.as_str() {
            "GET /admin/dnd?per_page=1" => Answer::Json(200, json!({"numbers": [], "total": total})),
            "POST /api/recipients/check" if request.fields("contacts")[0].is_empty() => {
                problem(400, "recipients_required", "Recipients are required")
            }
            "POST /api/recipients/check" => {
                let numbers = i64::from(has_number);
                let counts = json!({
                    "total_contacts": numbers, "total_suppressed": numbers, "total_duplicates_removed": numbers,
                    "total_invalid": 1, "rejects": [], "columns": [], "networks": {},
                });
                Answer::Json(200, counts)
            }
            "POST /admin/dnd" if !has_number => problem(400, "numbers_required", "There is no valid number"),
            "POST /admin/dnd" => {
                Answer::Json(200, json!({"message": "", "total_read": 2, "total_invalid": 1, "total": 2}))
            }
            other => panic!("{other}"),
        }
    })
}

/// What was to be put on the list.
fn imports(daemon: &StandIn) -> Vec<serde_json::Value> {
    let is_import = |request: &Request| request.line == "POST /admin/dnd";
    let imports = daemon.requests().into_iter().filter(is_import);
    imports.map(|request| serde_json::from_str(&request.body).unwrap()).collect()
}

const LIST: &str = "08031234567\n08031234567\n08051234567\n12345\n";

#[test]
fn a_list_without_a_number_replaces_nothing() {
    let daemon = holding(1_000_000);
    let talkdrum = Talkdrum::at(&daemon);
    for junk in ["", "no number\n", "12345\n"] {
        talkdrum.file("list.csv", junk);
        for anyway in
            [&["dnd", "import", "list.csv", "--replace"][..], &["dnd", "import", "list.csv", "--dry-run"]]
        {
            let run = talkdrum.run(anyway);
            assert_eq!(run.code, 1, "{junk}");
            assert!(run.stderr.contains("no valid number in list.csv"), "{}", run.stderr);
        }
    }
    assert_eq!(imports(&daemon).len(), 0);
    for (junk, entries) in [("", 0), ("no number\n", 1), ("12345\n\n1\n", 2)] {
        let run = talkdrum.run_with(&["dnd", "import", "-", "--replace", "--allow-shrink"], junk);
        assert_eq!(run.code, 1, "{junk}");
        let said = format!("no valid number in - ({entries} entries are no numbers): nothing was changed");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
        assert_eq!(talkdrum.run_with(&["dnd", "import", "-"], junk).code, 2, "{junk}");
    }
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
    let counted = daemon.requests().into_iter().find(|request| request.line.contains("check")).unwrap();
    assert_eq!(counted.fields("contacts"), [LIST]);
    assert_eq!(imports(&daemon).len(), 0);
    let run = talkdrum.run_with(&["dnd", "import", "-", "--replace", "--allow-shrink"], LIST);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("1 entries are no numbers"), "{}", run.stderr);
    let body = imports(&daemon).remove(0);
    assert_eq!(
        (&body["numbers"], &body["replace"], &body["allow_shrink"]),
        (&LIST.into(), &true.into(), &true.into())
    );
}

#[test]
fn a_piece_without_a_number_is_left_out_and_the_next_one_replaces() {
    let daemon = holding(2);
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("list.csv", &("no number\n".repeat(60_000) + LIST));
    let run = talkdrum.run(&["dnd", "import", "list.csv", "--replace"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let [refused, replacing] = &imports(&daemon)[..] else { panic!("two pieces") };
    assert_eq!((&refused["replace"], &refused["allow_shrink"]), (&true.into(), &true.into()));
    assert_eq!((&replacing["replace"], &replacing["allow_shrink"]), (&true.into(), &false.into()));
    let left_out = refused["numbers"].as_str().unwrap().lines().count() + 1;
    assert!(run.stderr.contains(&format!("{left_out} entries are no numbers")), "{}", run.stderr);
}

#[test]
fn a_list_that_is_no_text_replaces_nothing() {
    let daemon = holding(2);
    let talkdrum = Talkdrum::at(&daemon);
    let list = [LIST.repeat(20_000).as_bytes(), b"\xff\n"].concat();
    std::fs::write(talkdrum.home.path().join("list.csv"), list).unwrap();
    let run = talkdrum.run(&["dnd", "import", "list.csv", "--replace", "--allow-shrink"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("the list breaks off"), "{}", run.stderr);
    assert_eq!(imports(&daemon).len(), 0);
}

#[test]
fn a_list_as_long_as_before_is_replaced_without_a_word_and_the_daemon_looks_again() {
    let daemon = holding(2);
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("list.csv", LIST);
    assert_eq!(talkdrum.run(&["dnd", "import", "list.csv", "--replace"]).code, 0);
    let body = imports(&daemon).remove(0);
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
