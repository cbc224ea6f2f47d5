//! Commands that cannot hurt: what cannot be taken back asks first, files are not written over, and a wait has an end.

use serde_json::json;

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote};

fn daemon() -> StandIn {
    StandIn::new(|request| match request.line.as_str() {
        "GET /api/campaigns/7" | "POST /api/campaigns/7/cancel" => {
            Answer::Json(200, json!({"campaign": campaign("sending"), "message": ""}))
        }
        "GET /api/webhooks/5" => Answer::Json(
            200,
            json!({
                "id": 5, "user_id": 1, "username": "ada", "url": "https://ada.example/hook", "description": "",
                "events": [], "is_active": true, "inactive_reason": null, "pending": 3, "failing_since": null,
                "created_at": "2027-01-01T00:00:00Z", "updated_at": "2027-01-01T00:00:00Z",
            }),
        ),
        "GET /admin/carriers" => Answer::Json(200, json!({"carriers": [], "total": 0})),
        "POST /api/send-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
        "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&campaign("sending"))),
        "GET /api/campaigns/7/events" => {
            let mut waits = campaign("paused");
            waits["status_reason"] = json!("Held: a first large send");
            let data = json!({"campaign": waits, "rate": 0.0, "remaining_s": null});
            Answer::Text("text/event-stream", format!("event: progress\ndata: {data}\n\n"))
        }
        "GET /api/campaigns/7/export" => Answer::Text("text/csv", "to,status\n".into()),
        "GET /api/quotes/12/rejects" => Answer::Text("text/csv", "line,value\n".into()),
        line => problem(404, "not_found", line),
    })
}

#[test]
fn what_cannot_be_taken_back_needs_a_word_and_a_dry_run_changes_nothing() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let commands: [(&[&str], &str); 3] = [
        (&["campaigns", "cancel", "7"], "3 of 3 messages are not sent yet"),
        (&["webhooks", "delete", "5"], "3 events wait for webhook 5 to https://ada.example/hook"),
        (&["carriers", "reroute", "main", "--to", "spare"], "0 messages that wait at main to spare"),
    ];
    for (command, shown) in commands {
        let run = talkdrum.run(command);
        assert_eq!(run.code, 2, "{command:?} {}", run.stderr);
        assert!(run.stderr.contains("no terminal") && run.stderr.contains("--yes"), "{}", run.stderr);
        let run = talkdrum.run(&[command, &["--dry-run"]].concat());
        assert_eq!(run.code, 0, "{command:?} {}", run.stderr);
        assert!(run.stdout.contains(shown), "{}", run.stdout);
    }
    let changed = |line: &&String| !line.starts_with("GET ");
    assert_eq!(daemon.lines().iter().filter(changed).count(), 0);
    assert_eq!(talkdrum.run(&["campaigns", "cancel", "7", "--yes"]).code, 0);
    assert_eq!(daemon.lines().iter().filter(changed).count(), 1);
}

#[test]
fn a_file_that_exists_is_written_over_by_force_only_and_is_looked_at_first() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let read = |name: &str| std::fs::read_to_string(talkdrum.home.path().join(name)).unwrap();
    talkdrum.file("list.csv", "08031234567\n");
    talkdrum.file("other.csv", "08031234567\n");
    let send = ["send", "--to", "other.csv", "-m", "x", "--yes", "--rejects", "list.csv"];
    let export = ["campaigns", "export", "7", "--file", "list.csv"];
    for command in [&send[..], &export[..]] {
        let run = talkdrum.run(command);
        assert_eq!((run.code, daemon.lines().len()), (2, 0), "{}", run.stderr);
        assert!(run.stderr.contains("list.csv exists\nhint: --force"), "{}", run.stderr);
        assert_eq!(read("list.csv"), "08031234567\n");
    }
    assert_eq!(talkdrum.run(&[&export[..], &["--force"]].concat()).code, 0);
    assert_eq!(read("list.csv"), "to,status\n");
    talkdrum.file("rejects.csv", "line,value,code,reason\r\n7,x,too_short,\r\n");
    let send = ["send", "--to", "list.csv", "-m", "x", "--yes", "--key", "k", "--rejects", "rejects.csv"];
    for _ in 0..2 {
        let run = talkdrum.run(&send);
        assert_eq!((run.code, read("rejects.csv").as_str()), (0, "line,value\n"), "{}", run.stderr);
        talkdrum.file("rejects.csv", "line,value,code,reason\r\n");
    }
    let run = talkdrum.run(&[&send[..], &["--at", "+2h"]].concat());
    assert!(run.code == 2 && run.stderr.contains("another time in each run"), "{}", run.stderr);
    // An input is never written over: it may be the only copy of a list that was corrected by hand.
    let corrected = "line,value,code,reason\r\n7,08031234567,too_short,\r\n";
    talkdrum.file("rejects.csv", corrected);
    for command in [
        &["send", "--to", "rejects.csv", "-m", "x", "--yes"][..],
        &["quote", "--to", "@rejects.csv", "-m", "x"],
        &["contacts", "import", "rejects.csv", "--group", "Members"],
        &["optouts", "import", "rejects.csv"],
    ] {
        let run = talkdrum.run(&[command, &["--rejects", "./rejects.csv", "--force"]].concat());
        assert!(
            run.code == 2 && run.stderr.contains("rejects cannot be saved to it"),
            "{command:?} {}",
            run.stderr
        );
        assert_eq!(read("rejects.csv"), corrected);
    }
    talkdrum.file("made.csv", "");
    assert_eq!(talkdrum.run(&["campaigns", "export", "7", "--file", "made.csv"]).code, 0, "of mktemp");
    assert_eq!(read("made.csv"), "to,status\n");
    let run = talkdrum.run(&["campaigns", "export", "8", "--file", "list.csv", "--force"]);
    assert_eq!((run.code, read("list.csv").as_str()), (1, "to,status\n"), "a refusal leaves it alone");
}

#[test]
fn an_export_in_another_format_is_refused() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    for export in [&["campaigns", "export", "7"][..], &["contacts", "export"], &["optouts", "export"]] {
        let run = talkdrum.run(&[export, &["-o", "jsonl"]].concat());
        assert_eq!((run.code, daemon.lines().len()), (2, 0), "{}", run.stderr);
    }
    assert_eq!(talkdrum.run(&["campaigns", "export", "7", "-o", "csv"]).stdout, "to,status\n");
}

#[test]
fn a_wait_ends_after_its_time_with_6_and_the_reason() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let send = ["send", "--to", "1", "-m", "x", "--yes", "-q", "--timeout", "1"];
    let run = talkdrum.run(&[&send[..], &["--wait"]].concat());
    assert_eq!(run.code, 6, "{}", run.stderr);
    assert!(
        run.stderr.contains("not over after 1 s: paused (Held: a first large send), 0/3 submitted"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("must not be sent again"), "{}", run.stderr);
    assert_eq!(talkdrum.run(&["campaigns", "watch", "7", "-q", "--timeout", "1"]).code, 6);
    assert_eq!(talkdrum.run(&send).code, 2, "there is no wait to end");
}

#[test]
fn a_wait_for_several_campaigns_tells_of_all_when_its_time_is_over() {
    let daemon = StandIn::new(|request| {
        let of = |id: i64, status: &str| {
            let mut shown = campaign(status);
            shown["id"] = json!(id);
            shown
        };
        let status = |id: i64| if id == 8 { "completed" } else { "sending" };
        let id = request.line.split('/').nth(3).and_then(|id| id.parse().ok()).unwrap_or_default();
        match request.line.as_str() {
            "POST /api/schedule-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
            line if line.starts_with("POST /api/confirm-") => {
                let campaigns: Vec<_> = (7..10).map(|id| of(id, "scheduled")).collect();
                Answer::Json(200, json!({"details": campaigns[0], "campaigns": campaigns, "message": ""}))
            }
            line if line.ends_with("/events") => {
                let data = json!({"campaign": of(id, status(id)), "rate": 0.0, "remaining_s": null});
                Answer::Text("text/event-stream", format!("event: progress\ndata: {data}\n\n"))
            }
            line if line.starts_with("GET /api/campaigns/") => {
                Answer::Json(200, json!({"campaign": of(id, status(id)), "message": ""}))
            }
            line => problem(404, "not_found", line),
        }
    });
    let at = ["--at", "2030-01-04T09:00:00Z", "--at", "2030-01-05T09:00:00Z", "--at", "2030-01-06T09:00:00Z"];
    let send = ["send", "--to", "1", "-m", "x", "--yes", "--wait", "--timeout", "1", "-q", "-o", "csv"];
    let run = Talkdrum::at(&daemon).run(&[&send[..], &at, &["--columns", "id,status"]].concat());
    assert_eq!(run.code, 6, "{}", run.stderr);
    assert!(run.stderr.contains("campaign 7 is not over") && run.stderr.contains("campaign 9 is not over"));
    assert!(!run.stderr.contains("campaign 8"), "it is over: {}", run.stderr);
    assert_eq!(run.stdout, "id,status\r\n7,sending\r\n8,completed\r\n9,sending\r\n");
}

#[test]
fn a_message_is_read_from_stdin_where_nothing_else_is() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let quote = ["quote", "--message-file", "-", "--to"];
    let run = talkdrum.run_with(&[&quote[..], &["1"]].concat(), "Water is back\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(daemon.requests()[0].fields("message"), ["Water is back"], "its last line break is dropped");
    let run = talkdrum.run_with(&[&quote[..], &["-"]].concat(), "x");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("one stdin"), "{}", run.stderr);
}

#[test]
fn a_file_that_is_not_there_is_a_usage_error_in_words_that_fit() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let commands: [&[&str]; 3] = [
        &["voice", "recordings", "add", "gone.mp3"],
        &["quote", "--to", "@gone.csv", "-m", "x"],
        &["quote", "--to", "1", "--message-file", "gone.txt"],
    ];
    for command in commands {
        let run = talkdrum.run(command);
        assert_eq!((run.code, daemon.lines().len()), (2, 0), "{}", run.stderr);
        assert!(run.stderr.starts_with("error: cannot read gone."), "{}", run.stderr);
    }
}
