//! `send` and `quote`: the quote is shown, nothing is sent without consent, and nothing is ever sent twice.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote, sent_message};

/// A daemon that quotes and confirms.
fn daemon() -> StandIn {
    StandIn::new(|request| answer(request, &quote()))
}

fn answer(request: &Request, quote: &Value) -> Answer {
    match request.line.as_str() {
        "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&campaign("sending"))),
        "GET /api/quotes/12/rejects" => Answer::Text("text/csv", "line,value,code,reason\n".to_owned()),
        line if line.starts_with("POST /api/") => Answer::Json(200, json!({"details": quote, "message": ""})),
        line => problem(404, "not_found", line),
    }
}

#[test]
fn a_dry_run_shows_everything_the_confirmation_dialog_shows_and_sends_nothing() {
    let daemon = daemon();
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "08031234567", "-m", "Hello", "--dry-run"]);
    insta::assert_snapshot!(run.golden());
    assert_eq!(daemon.lines(), ["POST /api/send-text-sms"]);
    assert_eq!(daemon.requests()[0].header("idempotency-key"), "", "a dry run uses up no key");
}

#[test]
fn a_quote_beyond_what_its_caller_allows_is_not_confirmed() {
    for (code, guard, says) in [
        (
            "max_charge",
            ["--max-charge", "7"],
            "it costs 7.5 Naira, more than --max-charge 7: nothing was sent",
        ),
        (
            "min_recipients",
            ["--min-recipients", "4"],
            "it has 3 recipients, fewer than --min-recipients 4: nothing was sent",
        ),
        (
            "abort_if",
            ["--abort-if", "invalid>5%"],
            "--abort-if invalid>5% holds: 7 of 11 entries: nothing was sent",
        ),
        (
            "abort_if",
            ["--abort-if", "duplicates>0"],
            "--abort-if duplicates>0 holds: 1 of 11 entries: nothing was sent",
        ),
    ] {
        for how in ["--yes", "--dry-run"] {
            let daemon = daemon();
            let line = [&["send", "--to", "08031234567", "-m", "Hello", how][..], &guard].concat();
            let run = Talkdrum::at(&daemon).run(&line);
            assert_eq!((run.code, run.stderr.contains(says)), (4, true), "{}", run.stderr);
            assert_eq!(daemon.lines(), ["POST /api/send-text-sms"]);
            let run = Talkdrum::at(&daemon).run(&[&line[..], &["-o", "json"]].concat());
            assert!(run.stderr.contains(&format!("{{\"code\":\"{code}\",")), "{}", run.stderr);
        }
    }
    let daemon = daemon();
    let allowed =
        ["--max-charge", "7.5", "--min-recipients", "3", "--abort-if", "invalid>70%", "--abort-if", "dnd>0"];
    let line = [&["send", "--to", "08031234567", "-m", "Hello", "--yes"][..], &allowed].concat();
    assert_eq!(Talkdrum::at(&daemon).run(&line).code, 0);
    assert_eq!(daemon.lines().len(), 2, "it is confirmed");
    let bad =
        Talkdrum::at(&daemon).run(&["send", "--to", "08031234567", "-m", "x", "--abort-if", "failed>5%"]);
    assert_eq!((bad.code, bad.stderr.contains("'failed' is not counted")), (2, true), "{}", bad.stderr);
}

#[test]
fn the_form_carries_every_option_and_files_come_last() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("list.csv", "phone,name\n08031234567,Ada\n");
    talkdrum.file("text.txt", "Hello\nworld\n");
    let run = talkdrum.run_with(
        &[
            "quote",
            "--from",
            "Shop",
            "--to",
            "list.csv",
            "--to",
            "0805 123 4567",
            "--to",
            "-",
            "--message-file",
            "text.txt",
            "--type",
            "flash",
            "--pay",
            "naira",
            "--at",
            "2027-01-04 09:00",
            "--at",
            "2027-01-05T09:00:00+01:00",
            "-q",
        ],
        "08091234567\n",
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let request = &daemon.requests()[0];
    assert_eq!(request.line, "POST /api/schedule-flash-sms");
    assert_eq!(request.header("authorization"), "Bearer td_key");
    assert_eq!(request.fields("senderid"), ["Shop"]);
    assert_eq!(request.fields("payment_method"), ["paystack"]);
    assert_eq!(request.fields("message"), ["Hello\nworld"]);
    assert_eq!(request.fields("time"), ["2027-01-04T08:00:00Z", "2027-01-05T08:00:00Z"]);
    assert_eq!(request.fields("contacts"), ["0805 123 4567"]);
    assert_eq!(request.fields("file"), ["phone,name\n08031234567,Ada\n", "08091234567\n"]);
    assert!(request.body.contains("filename=\"list.csv\""));
    assert!(request.body.find("name=\"file\"") > request.body.find("name=\"contacts\""));
}

#[test]
fn a_column_of_numbers_that_was_not_read_is_said_and_columns_are_chosen_by_name() {
    let mut told = quote();
    told["unread_columns"] = json!(["Phone 2"]);
    told["notices"] = json!(["The column 'Phone 2' also holds numbers: not read"]);
    let daemon = StandIn::new(move |request| answer(request, &told));
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("two.csv", "Name,Phone 1,Phone 2\nAda,08031234567,08021234567\n");
    for args in [
        &["send", "--to", "two.csv", "-m", "x", "--yes"][..],
        &["send", "--to", "two.csv", "-m", "x", "--dry-run", "-o", "json"],
        &["quote", "--to", "two.csv", "-m", "x", "-q"],
    ] {
        let run = talkdrum.run(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
        let said = "The column 'Phone 2' also holds numbers: not read";
        assert_eq!(run.stderr.matches(said).count(), 1, "{args:?}: {}", run.stderr);
        assert_eq!(run.stderr.contains("repeat --column NAME"), !args.contains(&"-q"), "{args:?}");
    }
    let both = ["--to", "two.csv", "--column", "Phone 1", "--column", "Phone 2"];
    talkdrum.run(&[&["quote", "-m", "x"][..], &both].concat());
    talkdrum.run(&[&["recipients", "check"][..], &both].concat());
    let requests = daemon.requests();
    for request in &requests[requests.len() - 2..] {
        assert_eq!(request.fields("column"), ["Phone 1", "Phone 2"], "{}", request.line);
    }
    let asked = requests.len();
    let run = talkdrum.run(&["quote", "--to", "08031234567", "-m", "x", "--column", "Phone 1"]);
    assert_eq!((run.code, run.stderr.contains("--column needs a file")), (2, true), "{}", run.stderr);
    assert_eq!(daemon.requests().len(), asked);
}

#[test]
fn wap_push_and_business_cards_have_their_own_fields() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("ada.vcf", "BEGIN:VCARD\nN:Okafor;Ada\nTEL:0803\nEND:VCARD\n");
    talkdrum.run(&["quote", "--to", "1", "--type", "vcard", "--vcard", "ada.vcf"]);
    let wap = ["quote", "--to", "1", "--type", "wap-push", "--wap-title", "Hi", "--wap-url", "http://a.b"];
    talkdrum.run(&wap);
    let requests = daemon.requests();
    assert_eq!(requests[0].line, "POST /api/send-vcard-sms");
    assert_eq!(
        (requests[0].fields("first_name"), requests[0].fields("telephone")),
        (vec!["Ada".into()], vec!["0803".into()])
    );
    assert_eq!(requests[1].line, "POST /api/send-wap-push-sms");
    assert_eq!(requests[1].fields("wap_title"), ["Hi"]);
}

#[test]
fn options_of_another_kind_are_refused_before_anything_is_asked() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    for args in [
        &["quote", "--to", "1", "--type", "wap-push", "-m", "x", "--wap-title", "a", "--wap-url", "b"][..],
        &["quote", "--to", "1", "-m", "x", "--wap-title", "a"],
        &["quote", "--to", "1", "--type", "vcard"],
        &["quote", "--to", "1"],
        &["quote", "--to", "missing.csv", "-m", "x"],
        &["quote", "--to", "1", "-m", "x", "--at", "soon"],
    ] {
        let run = talkdrum.run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains("hint: "), "{args:?}: {}", run.stderr);
    }
    assert!(daemon.lines().is_empty());
}

#[test]
fn without_a_person_to_ask_yes_has_to_be_said() {
    let daemon = daemon();
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x"]);
    insta::assert_snapshot!(run.golden());
    assert!(daemon.lines().is_empty());
}

#[test]
fn a_send_confirms_the_quote_and_names_the_campaign() {
    let daemon = daemon();
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.ends_with("Campaign 7: sending\n"), "{}", run.stdout);
    assert!(run.stderr.contains("talkdrum campaigns watch 7"));
    assert_eq!(daemon.lines(), ["POST /api/send-text-sms", "POST /api/confirm-send-text-sms"]);
    assert_eq!(daemon.requests()[1].body, r#"{"quote_id":12}"#);
}

#[test]
fn a_cron_job_is_quiet_when_all_is_well() {
    let run = Talkdrum::at(&daemon()).run(&["send", "--to", "1", "-m", "x", "--yes", "-q"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
}

#[test]
fn json_holds_the_quote_and_the_campaigns_and_nothing_else() {
    let run = Talkdrum::at(&daemon()).run(&["send", "--to", "1", "-m", "x", "--yes", "-o", "json"]);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["quote"]["quote_id"], 12);
    assert_eq!(answer["campaigns"][0]["id"], 7);
    assert_eq!(answer["quote"]["total_charges"].to_string(), "7.5");
}

#[test]
fn the_same_key_is_sent_in_every_run_and_both_steps_have_their_own() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    for _ in 0..2 {
        assert_eq!(talkdrum.run(&["send", "--to", "1", "-m", "x", "--yes", "--key", "monday"]).code, 0);
    }
    let keys: Vec<String> =
        daemon.requests().iter().map(|request| request.header("idempotency-key").to_owned()).collect();
    assert_eq!(keys, ["monday/quote", "monday/confirm", "monday/quote", "monday/confirm"]);
}

#[test]
fn a_confirm_that_is_cut_off_is_tried_again_under_the_same_key() {
    let confirms = AtomicU32::new(0);
    let daemon = StandIn::new(move |request| {
        if !request.line.contains("/confirm-") {
            return answer(request, &quote());
        }
        match confirms.fetch_add(1, Ordering::SeqCst) {
            0 => Answer::HangUp,
            1 => problem(503, "shutting_down", "The daemon is shutting down"),
            _ => answer(request, &quote()),
        }
    });
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let keys: Vec<String> =
        daemon.requests()[1..].iter().map(|request| request.header("idempotency-key").to_owned()).collect();
    assert_eq!(keys.len(), 3);
    assert!(keys[0].ends_with("/confirm") && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert!(run.stderr.contains("confirming again in 0.5 s: The daemon is shutting down"), "{}", run.stderr);
}

#[test]
fn a_refused_confirm_is_not_tried_again() {
    let daemon = StandIn::new(|request| {
        if request.line.contains("/confirm-") {
            return problem(409, "idempotency_key_reused", "This key was used for another request");
        }
        answer(request, &quote())
    });
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes", "--key", "k", "-q"]);
    insta::assert_snapshot!(run.golden());
    assert_eq!(daemon.lines().len(), 2);
}

#[test]
fn a_key_whose_quote_ran_out_unconfirmed_gets_a_new_quote() {
    let daemon = StandIn::new(|request| match request.header("idempotency-key") {
        "k/confirm" => problem(400, "quote_expired", "The quote ran out"),
        _ => answer(request, &quote()),
    });
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes", "--key", "k", "-q"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let keys: Vec<String> =
        daemon.requests().iter().map(|request| request.header("idempotency-key").to_owned()).collect();
    assert_eq!(keys, ["k/quote", "k/confirm", "k/quote.2", "k/confirm.2"]);
}

#[test]
fn a_key_whose_quote_was_purged_gets_a_new_one_too() {
    let daemon = StandIn::new(|request| match request.header("idempotency-key") {
        "k/quote" => problem(404, "not_found", "No such quote"),
        _ => answer(request, &quote()),
    });
    let send = ["send", "--to", "1", "-m", "x", "--yes", "-q"];
    assert_eq!(Talkdrum::at(&daemon).run(&[&send[..], &["--key", "k"]].concat()).code, 0);
    assert_eq!(daemon.requests()[2].header("idempotency-key"), "k/confirm.2");
}

#[test]
fn a_key_does_not_go_on_asking_for_ever() {
    let daemon = StandIn::new(|_| problem(404, "not_found", "No such call"));
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes", "-q", "--key", "k"]);
    assert_eq!((run.code, daemon.lines().len()), (1, 9));
}

#[test]
fn a_wallet_that_does_not_suffice_is_told_how_much_is_missing() {
    let poor = || {
        let mut quote = quote();
        quote["balance"] = json!(5);
        quote["balance_after"] = json!(-2.5);
        quote
    };
    let daemon = StandIn::new(move |request| answer(request, &poor()));
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes", "-q"]);
    insta::assert_snapshot!(run.golden());
    assert_eq!(daemon.lines(), ["POST /api/send-text-sms"]);
    let run = Talkdrum::at(&daemon).run(&["quote", "--to", "1", "-m", "x"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("warning: the wallet is 2.50000 Naira short"), "{}", run.stderr);
}

#[test]
fn a_key_that_paid_already_is_not_refused_for_what_it_spent() {
    let mut spent = quote();
    spent["balance_after"] = json!(-1);
    let daemon = StandIn::new(move |request| answer(request, &spent));
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes", "--key", "k", "-q"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn rejects_are_saved_whole() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let run = talkdrum.run(&["quote", "--to", "1", "-m", "x", "--rejects", "bad.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let saved = std::fs::read_to_string(talkdrum.home.path().join("bad.csv")).unwrap();
    assert_eq!(saved, "line,value,code,reason\n");
    assert!(!talkdrum.home.path().join("bad.csv.part").exists());
}

#[test]
fn a_rule_of_the_daemon_is_shown_in_its_words() {
    let daemon = StandIn::new(|_| problem(400, "price_unset", "No price is set for Naira"));
    insta::assert_snapshot!(Talkdrum::at(&daemon).run(&["quote", "--to", "1", "-m", "x"]).golden());
}

#[test]
fn one_message_takes_one_call_under_a_key() {
    let daemon = StandIn::new(|_| Answer::Json(200, sent_message()));
    let talkdrum = Talkdrum::at(&daemon);
    let line = [
        "messages",
        "send",
        "0803 123 4567",
        "-m",
        "Code {1}",
        "--type",
        "flash",
        "--pay",
        "naira",
        "--max-charge",
        "2.50",
        "--key",
        "k",
    ];
    let run = talkdrum.run(&line);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for shown in ["4096", "2348031234567", "2.50000", "97.50000"] {
        assert!(run.stdout.contains(shown), "{shown}: {}", run.stdout);
    }
    assert!(run.stderr.contains("SMS Sent. What becomes of it: talkdrum why 4096"), "{}", run.stderr);
    let request = &daemon.requests()[0];
    assert_eq!((request.line.as_str(), request.header("idempotency-key")), ("POST /api/messages", "k"));
    let posted: Value = serde_json::from_str(&request.body).unwrap();
    let expected = json!({
        "senderid": "WEBSMS", "payment_method": "paystack", "sms_type": "flash", "contacts": "0803 123 4567",
        "message": "Code {1}", "max_charge": "2.5",
    });
    assert_eq!(posted, expected);
    talkdrum.run(&["messages", "send", "08031234567", "-m", "Hello"]);
    talkdrum.run(&["messages", "send", "08031234567", "-m", "Hello"]);
    let keys: Vec<String> =
        daemon.requests()[1..].iter().map(|request| request.header("idempotency-key").to_owned()).collect();
    assert!(keys[0].len() == 32 && keys[0] != keys[1], "each has its own: {keys:?}");
}

#[test]
fn a_template_is_sent_to_earlier_lists_and_neither_is_read_here() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "GET /api/templates" => Answer::Json(
            200,
            json!({"templates": [{
                "id": 5, "name": "Big sale", "text": "Dear {name}, come", "created_at": "2027-01-04T08:00:00Z",
                "updated_at": "2027-01-04T08:00:00Z",
            }]}),
        ),
        _ => answer(request, &quote()),
    });
    let lists = ["--audience", "campaign:7:failed", "--audience", "import:9"];
    let line = [&["send", "--template", "big SALE", "--dry-run"][..], &lists].concat();
    let run = Talkdrum::at(&daemon).run(&line);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let asked = daemon.requests().pop().unwrap();
    assert_eq!(asked.fields("audience"), ["campaign:7:failed", "import:9"]);
    assert_eq!(asked.fields("message"), ["Dear {name}, come"]);
    assert_eq!(asked.fields("contacts"), Vec::<String>::new());
    let unknown =
        Talkdrum::at(&daemon).run(&["send", "--template", "Other", "--to", "08031234567", "--dry-run"]);
    assert_eq!((unknown.code, unknown.stderr.contains("there is no template 'Other'")), (1, true));
    let both =
        Talkdrum::at(&daemon).run(&["send", "--template", "Big sale", "-m", "x", "--to", "08031234567"]);
    assert_eq!(both.code, 2, "{}", both.stderr);
}
