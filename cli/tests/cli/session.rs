//! Signing in, profiles, keys, and what is said to those who may not.

use serde_json::{Value, json};

use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{Talkdrum, quote};

fn user() -> Value {
    json!({
        "id": 1, "name": "Ada Okafor", "username": "ada", "email": "ada@example.com", "phone_number": null,
        "gender": null, "status": "active", "role": "admin", "created_at": "2027-01-01T00:00:00Z",
        "last_login_at": null, "espee_balance": 12.345, "paystack_balance": 0.25,
    })
}

fn daemon() -> StandIn {
    StandIn::new(|request| match (request.line.as_str(), request.header("authorization")) {
        ("POST /api/login", _) => login(request),
        ("POST /api/verify/email", _) => verify(request),
        (_, "") => problem(401, "unauthorized", "Login again"),
        ("GET /api/user-profile", _) => {
            Answer::Json(200, json!({"user": user(), "signed_in_with": "session", "scopes": []}))
        }
        ("POST /api/api-keys", _) => {
            let key = json!({
                "id": 3, "name": "cron", "prefix": "td_abcd", "scopes": ["send", "read"],
                "created_at": "2027-01-01T00:00:00Z", "last_used_at": null,
            });
            Answer::Json(201, json!({"key": "td_abcdef", "api_key": key, "message": ""}))
        }
        ("GET /admin/users?q=ada", _) => Answer::Json(200, json!({"users": [user()], "total": 1})),
        ("POST /admin/assign-naira/1", _) => {
            Answer::Json(200, json!({"message": "Credited", "paystack_balance": 500}))
        }
        ("POST /admin/users", _) => problem(403, "forbidden", "Only administrators may do this"),
        _ => Answer::Json(200, json!({"message": "Done"})),
    })
}

fn login(request: &Request) -> Answer {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    if body != json!({"username": "ada", "password": "pass word"}) {
        return problem(400, "bad_credentials", "Username or password is wrong");
    }
    let token = "session-1";
    let authorization = json!({"token": token, "type": "bearer"});
    Answer::Json(200, json!({"token": token, "authorization": authorization, "user": user(), "message": ""}))
}

/// A first sign-in with the code from the mailbox.
fn verify(request: &Request) -> Answer {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    if body != json!({"username": "ada", "code": "012345"}) {
        return problem(400, "code_wrong", "The code is wrong");
    }
    let authorization = json!({"token": "session-2", "type": "bearer"});
    Answer::Json(
        200,
        json!({"token": "session-2", "authorization": authorization, "user": user(), "message": ""}),
    )
}

#[test]
fn a_first_sign_in_says_how_to_go_on_with_the_code_from_the_mailbox() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "POST /api/login" => {
            Answer::Json(200, json!({"requires_email_verification": true, "message": "A code was sent"}))
        }
        _ => verify(request),
    });
    let talkdrum = Talkdrum::nowhere(Some(daemon.url));
    let run = talkdrum.run_with(&LOGIN, "pass word\n");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("talkdrum login --username ada --code CODE"), "{}", run.stderr);
    assert_eq!(talkdrum.run(&["login", "--username", "ada", "--code", "999999"]).code, 4);
    let run = talkdrum.run(&["login", "--username", "ada", "--code", "012345"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_profile_says_what_its_commands_leave_out() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "POST /api/login" => login(request),
        _ => Answer::Json(200, json!({"details": quote(), "message": ""})),
    });
    let mut talkdrum = Talkdrum::nowhere(Some(daemon.url.clone()));
    assert_eq!(talkdrum.run(&["profiles", "set"]).code, 2, "nothing is to be set");
    assert_eq!(talkdrum.run(&["profiles", "set", "--zone", "Mars/Base"]).code, 2);
    assert_eq!(talkdrum.run_with(&LOGIN, "pass word\n").code, 0);
    let set = ["profiles", "set", "--pay", "naira", "--from", "SHOP", "--zone", "Europe/London"];
    let run = talkdrum.run(&[&set[..], &["-o", "csv", "--columns", "name,pay,from,zone"]].concat());
    assert_eq!(run.stdout, "name,pay,from,zone\r\ndefault,naira,SHOP,Europe/London\r\n", "{}", run.stderr);
    let quote = ["quote", "--to", "1", "-m", "x", "--at", "2030-07-01 09:00"];
    assert_eq!(talkdrum.run(&quote).code, 0);
    assert_eq!(talkdrum.run(&[&quote[..], &["--pay", "espees", "--from", "OTHER"]].concat()).code, 0);
    talkdrum.token = Some("td_of_another_account");
    assert_eq!(talkdrum.run(&quote).code, 0);
    let asked: Vec<Vec<String>> = daemon.requests()[1..]
        .iter()
        .map(|request| {
            ["payment_method", "senderid", "time"].map(|name| request.fields(name).concat()).to_vec()
        })
        .collect();
    assert_eq!(
        asked,
        [
            ["paystack", "SHOP", "2030-07-01T08:00:00Z"],
            ["espees", "OTHER", "2030-07-01T08:00:00Z"],
            ["espees", "WEBSMS", "2030-07-01T08:00:00Z"], // The zone is the person's.
        ]
    );
    talkdrum.token = None;
    assert_eq!(talkdrum.run(&["profiles", "set", "--no-pay", "--zone", ""]).code, 0);
    let run = talkdrum.run(&["profiles", "list", "-o", "jsonl"]);
    let listed: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&listed["username"], &listed["from"], &listed["pay"]),
        (&json!("ada"), &json!("SHOP"), &Value::Null)
    );
    assert!(!run.stdout.contains("session-1"), "no token is shown");
}

#[test]
fn registering_and_passwords_send_what_the_api_asks_for() {
    let sent = json!({"message": "Code sent", "resend_after_s": 60, "valid_for_s": 600});
    let daemon = StandIn::new(move |request| match request.line.as_str() {
        "POST /api/register/verify" => Answer::Json(201, json!({"user": user(), "message": "Done"})),
        "POST /api/change-password" => Answer::Json(200, json!({"message": "Done"})),
        _ => Answer::Json(200, sent.clone()),
    });
    let talkdrum = Talkdrum::at(&daemon);
    let register = [
        "register",
        "--name",
        "Ada",
        "--username",
        "ada",
        "--email",
        "a@x.com",
        "--phone",
        "0803",
        "--password-stdin",
    ];
    let run = talkdrum.run_with(&register, "pass word\n");
    assert_eq!((run.code, run.stdout.as_str()), (0, "Code sent\n"), "{}", run.stderr);
    assert!(run.stderr.contains("talkdrum verify --phone '0803' --code CODE"), "{}", run.stderr);
    assert_eq!(talkdrum.run(&["verify", "--phone", "0803", "--resend"]).code, 0);
    assert_eq!(talkdrum.run(&["verify", "--phone", "0803", "--code", "012345"]).code, 0);
    assert_eq!(talkdrum.run(&["password", "forgot", "--email", "a@x.com"]).code, 0);
    let change = talkdrum.run_with(&["password", "change", "--passwords-stdin"], "old one\nnew one\n");
    assert_eq!(change.code, 0, "{}", change.stderr);
    let bodies: Vec<Value> =
        daemon.requests().iter().map(|request| serde_json::from_str(&request.body).unwrap()).collect();
    assert_eq!(bodies[0]["password_confirmation"], "pass word");
    assert_eq!(bodies[2], json!({"phone_number": "0803", "code": "012345"}));
    let new = "new one";
    assert_eq!(
        bodies[4],
        json!({"current_password": "old one", "password": new, "password_confirmation": new})
    );
    assert_eq!(talkdrum.run(&["profile", "edit"]).code, 2, "something has to change");
    assert_eq!(talkdrum.run(&["sessions", "revoke", "1", "--others"]).code, 2);
}

#[test]
fn a_key_is_made_once_the_password_is_given_again() {
    let proven = std::sync::atomic::AtomicBool::new(false);
    let daemon = StandIn::new(move |request| match request.line.as_str() {
        "POST /api/sessions/reauthenticate" => {
            proven.store(true, std::sync::atomic::Ordering::SeqCst);
            Answer::Json(200, json!({"message": "Your password is confirmed"}))
        }
        _ if !proven.load(std::sync::atomic::Ordering::SeqCst) => {
            problem(403, "reauthentication_required", "Enter your password again to do this")
        }
        _ => Answer::Json(
            201,
            json!({
                "key": "td_secret", "message": "Keep it",
                "api_key": {
                    "id": 1, "name": "cron", "prefix": "td_sec", "scopes": ["read"],
                    "created_at": "2026-01-01T00:00:00.000Z", "last_used_at": null, "expires_at": null,
                },
            }),
        ),
    });
    let talkdrum = Talkdrum::at(&daemon);
    let create = ["keys", "create", "--name", "cron", "--scope", "read"];
    let run = talkdrum.run(&create);
    assert_eq!(run.code, 2, "no terminal to ask at: {}", run.stderr);
    assert!(run.stderr.contains("--password-stdin"), "{}", run.stderr);
    let run = talkdrum.run_with(&[&create[..], &["--password-stdin"]].concat(), "pass word\n");
    assert_eq!((run.code, run.stdout.as_str()), (0, "td_secret\n"), "{}", run.stderr);
    let expected = [
        "POST /api/api-keys",
        "POST /api/api-keys",
        "POST /api/sessions/reauthenticate",
        "POST /api/api-keys",
    ];
    assert_eq!(daemon.lines(), expected);
    assert_eq!(daemon.requests()[2].body, r#"{"password":"pass word"}"#);
}

#[test]
fn what_outlasts_a_session_is_asked_for_again_once_the_password_is_given() {
    let webhook = json!({
        "id": 5, "user_id": 1, "username": "ada", "url": "https://example.com/hook", "description": "",
        "events": ["campaign.completed"], "is_active": true, "inactive_reason": null, "pending": 0,
        "failing_since": null, "created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-01T00:00:00.000Z",
    });
    let shown = json!({ "webhook": webhook, "secret": "whsec_x", "message": "Done" });
    let proven = std::sync::atomic::AtomicBool::new(false);
    let daemon = StandIn::new(move |request| match request.line.as_str() {
        "POST /api/sessions/reauthenticate" => {
            proven.store(true, std::sync::atomic::Ordering::SeqCst);
            Answer::Json(200, json!({"message": "Your password is confirmed"}))
        }
        // For one call only, so that each command has to ask.
        _ if !proven.swap(false, std::sync::atomic::Ordering::SeqCst) => {
            problem(403, "reauthentication_required", "Enter your password again to do this")
        }
        _ => Answer::Json(200, shown.clone()),
    });
    let talkdrum = Talkdrum::at(&daemon);
    for (command, call) in [
        (&["webhooks", "create", "https://example.com/hook"][..], "POST /api/webhooks"),
        (&["webhooks", "rotate", "5"], "POST /api/webhooks/5/rotate"),
        (&["webhooks", "edit", "5", "--to", "https://example.com/hook"], "PUT /api/webhooks/5"),
    ] {
        let run = talkdrum.run_with(&[command, &["--password-stdin"]].concat(), "pass word\n");
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        let lines = daemon.lines();
        assert_eq!(lines[lines.len() - 3..], [call, "POST /api/sessions/reauthenticate", call]);
    }
    // Stdin has the value: the password is the one of the environment.
    let mut talkdrum = Talkdrum::at(&daemon);
    for (command, call) in [
        (&["settings", "set", "espee-api-key"][..], "POST /admin/set-espee-api-key"),
        (&["settings", "set", "wallet-address", "0xabc"], "POST /admin/set-wallet-address"),
    ] {
        let refused = talkdrum.run_with(command, "key\n");
        assert!(refused.code == 2 && refused.stderr.contains("TALKDRUM_PASSWORD"), "{}", refused.stderr);
        talkdrum.password = Some("pass word");
        let run = talkdrum.run_with(command, "key\n");
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        let lines = daemon.lines();
        assert_eq!(lines[lines.len() - 3..], [call, "POST /api/sessions/reauthenticate", call]);
        talkdrum.password = None;
    }
}

const LOGIN: [&str; 4] = ["login", "--username", "ada", "--password-stdin"];

#[test]
fn a_sign_in_is_remembered_until_it_is_ended() {
    let daemon = daemon();
    let talkdrum = Talkdrum::nowhere(Some(daemon.url.clone()));
    let run = talkdrum.run_with(&LOGIN, "pass word\n");
    assert_eq!(run.stdout, "Signed in to http://daemon as ada (profile default)\n", "{}", run.stderr);
    insta::assert_snapshot!(talkdrum.run(&["whoami"]).golden());
    assert_eq!(daemon.requests()[1].header("authorization"), "Bearer session-1");
    assert_eq!(talkdrum.run(&["logout"]).code, 0);
    assert_eq!(talkdrum.run(&["logout"]).code, 3);
    insta::assert_snapshot!("not_signed_in", talkdrum.run(&["whoami"]).golden());
}

#[test]
fn a_profile_s_token_goes_to_its_own_address_only() {
    let (daemon, other) = (daemon(), daemon());
    let talkdrum = Talkdrum::nowhere(Some(daemon.url.clone()));
    talkdrum.run_with(&LOGIN, "pass word\n");
    assert_eq!(talkdrum.run(&["whoami", "--url", &other.url]).code, 3);
    assert_eq!(other.requests()[0].header("authorization"), "");
    assert_eq!(talkdrum.run(&["whoami", "--url", &format!("{}/", daemon.url)]).code, 0);
}

#[test]
fn signing_out_ends_the_profile_s_session_and_no_other() {
    let daemon = daemon();
    let mut talkdrum = Talkdrum::nowhere(Some(daemon.url.clone()));
    talkdrum.run_with(&LOGIN, "pass word\n");
    talkdrum.token = Some("td_key");
    assert_eq!(talkdrum.run(&["logout"]).code, 0);
    assert_eq!(daemon.requests()[1].line, "POST /api/logout");
    assert_eq!(daemon.requests()[1].header("authorization"), "Bearer session-1");
}

#[test]
fn a_profile_gives_the_address_too() {
    let daemon = daemon();
    let talkdrum = Talkdrum::nowhere(None);
    let login = [&LOGIN[..], &["--url", &daemon.url, "--profile", "work"]].concat();
    assert_eq!(talkdrum.run_with(&login, "pass word\n").code, 0);
    assert_eq!(talkdrum.run(&["whoami", "--profile", "work"]).code, 0);
}

#[test]
fn a_wrong_password_stores_nothing() {
    let daemon = daemon();
    let talkdrum = Talkdrum::nowhere(Some(daemon.url));
    let run = talkdrum.run_with(&LOGIN, "wrong\n");
    assert_eq!(run.code, 3);
    assert!(run.stderr.starts_with("error: Username or password is wrong"), "{}", run.stderr);
    assert!(!talkdrum.home.path().join("talkdrum").exists());
}

#[test]
fn a_new_key_is_all_there_is_on_stdout() {
    let daemon = daemon();
    let run = Talkdrum::at(&daemon)
        .run(&["keys", "create", "--name", "cron", "--scope", "send", "--scope", "read"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "td_abcdef\n"));
    let body: Value = serde_json::from_str(&daemon.requests()[0].body).unwrap();
    assert_eq!(body, json!({"name": "cron", "scopes": "send,read", "expires_at": null, "purpose": null}));
}

#[test]
fn a_user_is_credited_by_name_and_under_a_reference() {
    let daemon = daemon();
    let run = Talkdrum::at(&daemon).run(&[
        "users",
        "credit",
        "ada",
        "500.000001",
        "--currency",
        "naira",
        "--ref",
        "bank-77",
    ]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "Credited (balance now 500.00 Naira)\n"),
        "{}",
        run.stderr
    );
    let body: Value = serde_json::from_str(&daemon.requests()[1].body).unwrap();
    assert_eq!(body.to_string(), r#"{"amount":500.000001,"payment_ref":"bank-77"}"#);
}

#[test]
fn who_may_not_is_told_so() {
    let daemon = daemon();
    let create = ["users", "create", "--username", "bo", "--email", "bo@example.com", "--password-stdin"];
    insta::assert_snapshot!(Talkdrum::at(&daemon).run_with(&create, "a long password\n").golden());
}

#[test]
fn a_daemon_that_is_away_is_named() {
    let talkdrum = Talkdrum::nowhere(Some("http://127.0.0.1:1".to_owned()));
    let run = talkdrum.run(&["wallet", "balance"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("error: the daemon at http://daemon cannot be reached: "),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("\nhint: is it running? start it with: talkdrumd serve"), "{}", run.stderr);
}

#[test]
fn an_address_or_a_zone_that_is_none_is_refused() {
    let talkdrum = Talkdrum::nowhere(None);
    assert_eq!(talkdrum.run(&["whoami", "--url", "localhost:8080"]).code, 2);
    assert_eq!(talkdrum.run(&["whoami", "--url", "ftp://x"]).code, 2);
    let run = Talkdrum::nowhere(Some("localhost:8080".to_owned())).run(&["whoami"]);
    assert!(
        run.stderr.starts_with("error: TALKDRUM_URL: 'http://daemon' is not an address"),
        "{}",
        run.stderr
    );
    let mut broken = Talkdrum::nowhere(None);
    broken.token = Some("td_\u{201d}");
    let run = broken.run(&["whoami"]);
    assert!(run.code == 2 && run.stderr.contains("the token of TALKDRUM_TOKEN holds"), "{}", run.stderr);
}

#[test]
fn a_profile_that_is_not_there_is_answered_with_those_that_are() {
    let daemon = daemon();
    let talkdrum = Talkdrum::nowhere(Some(daemon.url));
    let run = talkdrum.run(&["whoami", "--profile", "wrok"]);
    let none = "error: there is no profile 'wrok', which --profile names\n\
                hint: sign in under that name with: talkdrum login --profile wrok\n";
    assert_eq!((run.code, run.stderr.as_str()), (3, none));
    for name in ["work", "home"] {
        assert_eq!(talkdrum.run_with(&[&LOGIN[..], &["--profile", name]].concat(), "pass word\n").code, 0);
    }
    assert_eq!(talkdrum.run(&["logout", "--profile", "home"]).code, 0);
    assert_eq!(talkdrum.run(&["profiles", "set", "--profile", "home", "--from", "SHOP"]).code, 0);
    let run = talkdrum.run(&["whoami", "--profile", "wrok"]);
    assert!(run.stderr.contains("hint: signed in are: work; sign in under"), "{}", run.stderr);
    let run = talkdrum.run(&["whoami", "--profile", "home"]);
    assert!(run.stderr.starts_with("error: profile 'home' is not signed in"), "{}", run.stderr);
    let run = talkdrum.run(&["logout", "--profile", "wrok"]);
    assert!(run.code == 3 && run.stderr.contains("signed in are: work"), "{}", run.stderr);
}
