//! Failures for programs: one object on stderr, of the daemon and of the client alike.

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::{Run, Talkdrum, campaign, completed, quote};

/// The object on the last line of stderr.
fn error(run: &Run) -> Value {
    let last = run.stderr.lines().last().unwrap_or_default();
    let error: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{}", run.stderr));
    assert_eq!(error["exit"], json!(run.code), "{error}");
    let members: Vec<&str> = error.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["code", "errors", "exit", "hint", "message", "request_id"], "always the same");
    error
}

#[test]
fn a_refusal_has_the_daemon_s_code_and_its_fields() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "POST /api/send-text-sms" => {
            let Answer::Json(status, mut document) =
                problem(400, "senderid_required", "Sender ID is required")
            else {
                unreachable!()
            };
            document["errors"] = json!([{"field": "senderid", "message": "Sender ID is required"}]);
            Answer::Json(status, document)
        }
        "GET /api/campaigns/7" => problem(404, "not_found", "No such campaign"),
        _ => Answer::Text("text/html", "<html>a proxy's</html>".into()),
    });
    let talkdrum = Talkdrum::at(&daemon);
    let run = talkdrum.run(&["send", "--to", "1", "-m", "x", "--yes", "-o", "json"]);
    assert_eq!((run.code, run.stdout.as_str()), (4, ""));
    let told = json!({
        "code": "senderid_required", "message": "Sender ID is required", "hint": null, "exit": 4,
        "errors": [{"field": "senderid", "message": "Sender ID is required"}], "request_id": "r-1",
    });
    assert_eq!(error(&run), told);
    let run = talkdrum.run(&["campaigns", "show", "7", "-o", "jsonl"]);
    assert_eq!((run.code, &error(&run)["code"]), (1, &json!("not_found")));
    let run = talkdrum.run(&["campaigns", "show", "7", "-o", "csv"]);
    assert_eq!(run.stderr, "error: No such campaign\n", "for people elsewhere");
    let run = talkdrum.run(&["wallet", "balance", "-o", "json"]);
    assert_eq!((run.code, &error(&run)["code"]), (1, &json!("unreadable_answer")));
}

#[test]
fn what_the_client_finds_itself_has_a_code_too() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "POST /api/send-text-sms" => {
            let mut poor = quote();
            poor["balance_after"] = json!(-75);
            Answer::Json(200, json!({"details": poor, "message": ""}))
        }
        "GET /api/campaigns/7/events" => {
            let data = json!({"campaign": completed(), "rate": 0.0, "remaining_s": null});
            Answer::Text("text/event-stream", format!("event: end\ndata: {data}\n\n"))
        }
        "GET /api/campaigns/8/events" => {
            let data = json!({"campaign": campaign("cancelled"), "rate": 0.0, "remaining_s": null});
            Answer::Text("text/event-stream", format!("event: end\ndata: {data}\n\n"))
        }
        "GET /api/campaigns/7" => Answer::Json(200, json!({"campaign": campaign("sending"), "message": ""})),
        _ => Answer::HangUp,
    });
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("there.csv", "x\n");
    let send = ["send", "--to", "1", "-m", "x", "--yes"];
    let cases: [(&[&str], &str, i32); 11] = [
        (&[], "usage", 2),
        (&["wallt"], "usage", 2),
        (&["wallet"], "usage", 2),
        (&["why"], "usage", 2),
        (&["send", "--to", "@gone.csv", "-m", "x", "--yes"], "file", 2),
        (&[&send[..], &["--rejects", "there.csv"]].concat(), "file_exists", 2),
        (&["campaigns", "cancel", "7"], "no_terminal", 2),
        (&send, "insufficient_balance", 4),
        (&["campaigns", "watch", "7", "--fail-if", "failed>0"], "fail_if", 5),
        (&["campaigns", "watch", "8"], "campaign_cancelled", 1),
        (&["wallet", "balance"], "connection_lost", 1),
    ];
    for (command, code, exit) in cases {
        let run = talkdrum.run(&[command, &["-o", "json"]].concat());
        assert_eq!((&error(&run)["code"], run.code), (&json!(code), exit), "{command:?} {}", run.stderr);
    }
    let run = talkdrum.run(&["-o", "json"]);
    assert_eq!(error(&run)["message"], json!("a command is missing"), "and not its help");
    for url in ["http://ada:secret@127.0.0.1:1", "ftp://ada:secret@host", "ada:secret@host"] {
        let run = Talkdrum::nowhere(None).run(&["--url", url, "wallet", "balance"]);
        assert!(!run.stderr.contains("secret") && run.code != 0, "{}", run.stderr);
    }
    let away = Talkdrum::nowhere(Some("http://127.0.0.1:1".to_owned()));
    let run = away.run(&["-o", "json", "wallet", "balance"]);
    assert_eq!(error(&run)["code"], json!("unreachable"));
    let run = Talkdrum::nowhere(None).run(&["whoami", "--profile", "gone", "-o", "json"]);
    assert_eq!((&error(&run)["code"], run.code), (&json!("no_profile"), 3));
}

#[test]
fn what_was_cut_off_says_whether_it_is_safe_to_run_again_and_how() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "POST /api/send-flash-sms" => problem(400, "all_opted_out", "every number given has opted out"),
        _ => Answer::HangUp,
    });
    let talkdrum = Talkdrum::at(&daemon);
    let cases: [(&[&str], &str); 7] = [
        (
            &["messages", "send", "0803", "-m", "x", "--key", "code-7"],
            "run the same command again with --key code-7",
        ),
        (
            &["users", "message", "5", "--message", "x", "--key", "k-9"],
            "with --key k-9: what was done is not",
        ),
        (
            &["users", "credit", "5", "10", "--currency", "naira", "--ref", "b-1"],
            "under the reference b-1 nothing",
        ),
        (&["send", "--to", "1", "-m", "x", "--yes"], "nothing was sent or charged: it is safe"),
        (&["wallet", "balance"], "nothing was changed: try again"),
        (&["campaigns", "pause", "7"], "look whether it was done before you try again"),
        (
            &["send", "--to", "1", "-m", "x", "--yes", "--type", "flash"],
            "talkdrum optouts list shows who opted out",
        ),
    ];
    for (command, hint) in cases {
        let run = talkdrum.run(command);
        let told = run.stderr.split("hint: ").nth(1).unwrap_or_default();
        assert!(told.contains(hint), "{command:?} {}", run.stderr);
    }
    // A random key is told, too: it is that of what was sent.
    let run = talkdrum.run(&["messages", "send", "0803", "-m", "x"]);
    let sent = daemon.requests().last().unwrap().header("idempotency-key").to_owned();
    assert!(sent.len() > 20 && run.stderr.contains(&format!("--key {sent}:")), "{}", run.stderr);
}
