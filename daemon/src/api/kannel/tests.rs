use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use reqwest::Method;
use talkdrum_api::kind::Kind;
use talkdrum_core::Time;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::webhook::endpoint::Reach;

use super::form::{Call, NUMBERS_MAX};
use super::params::Params;
use super::reply::Reply;
use super::send::answer;
use crate::limit::ANONYMOUS_PER_MINUTE;
use crate::testing::{START, TestDaemon};

const PATH: &str = "/cgi-bin/sendsms";
const TO: &str = "from=WEBSMS&to=08031234567";

fn read(query: &str) -> Result<Call, String> {
    let mut params = Params::default();
    params.read(query.as_bytes()).unwrap();
    Call::read(&params, "ada", Reach::Public, START).map_err(|reply| format!("{reply:?}"))
}

fn refusal(query: &str) -> String {
    read(query).map(|call| format!("{call:?}")).unwrap_err()
}

#[test]
fn a_parameter_at_fault_is_refused_with_kannels_words() {
    let many = (0..=NUMBERS_MAX).map(|n| format!("080312345{n:02}")).collect::<Vec<_>>().join("+");
    for (query, words) in [
        ("from=A&text=x", "Missing receiver number, rejected"),
        ("from=A&to=&text=x", "Empty receiver number not allowed, rejected"),
        ("from=A&to=++&text=x", "Empty receiver number not allowed, rejected"),
        ("to=0803&text=x", "Sender missing and no global set, rejected"),
        ("to=0803&text=x&from=+", "Sender missing and no global set, rejected"),
        (&format!("from=A&text=x&to={many}"), "Too many receivers, rejected: at most 50"),
        (&format!("{TO}&account=a%5Bb"), "Account field misformed or too long, rejected"),
        (&format!("{TO}&account={}", "a".repeat(65)), "Account field misformed or too long, rejected"),
        (&format!("{TO}&binfo={}", "a".repeat(256)), "BInfo field too long, rejected"),
        (&format!("{TO}&udh=%05%00%03%01%02%01"), "UDH is not supported, rejected"),
        (&format!("{TO}&mwi=0"), "MWI is not supported, rejected"),
        (&format!("{TO}&compress=1"), "Compress is not supported, rejected"),
        (&format!("{TO}&dlr-mask=64"), "DLR-Mask field misformed, rejected"),
        (&format!("{TO}&dlrmask=x"), "DLR-Mask field misformed, rejected"),
        (&format!("{TO}&dlr-mask=1&dlr-url=ftp://x.example/"), "DLR-URL field misformed, rejected"),
        (&format!("{TO}&dlr-mask=1&dlrurl=http://127.0.0.1/"), "DLR-URL field misformed, rejected"),
        (&format!("{TO}&dlr-url={}", "x".repeat(2_001)), "DLR-URL field misformed, rejected"),
        (&format!("{TO}&mclass=4"), "MClass field misformed, rejected"),
        (&format!("{TO}&mclass=2"), "MClass 2 and 3 are not supported, rejected"),
        (&format!("{TO}&coding=3"), "Coding field misformed, rejected"),
        (&format!("{TO}&coding=1"), "Coding 1 (8 bit) is not supported, rejected"),
        (&format!("{TO}&coding=2&mclass=0"), "MClass 0 with coding 2 is not supported, rejected"),
        (&format!("{TO}&validity=-5"), "Validity field misformed, rejected"),
        (&format!("{TO}&deferred=soon"), "Deferred field misformed, rejected"),
        (&format!("{TO}&priority=4"), "Priority field misformed, rejected"),
        (&format!("{TO}&text=%FF"), "Charset or body misformed, rejected"),
        (&format!("{TO}&text=x&charset=klingon"), "Charset or body misformed, rejected"),
        (&format!("{TO}&text=a%00b"), "Charset or body misformed, rejected"),
        (&format!("{TO}&text=%00A%00&coding=2"), "Charset or body misformed, rejected"),
    ] {
        let said = refusal(query);
        assert!(said.contains(words) && said.contains("400"), "{query}: {said}");
    }
}

#[test]
fn what_changes_nothing_of_the_message_is_left_out() {
    let query = format!(
        "{TO}&text=x&smsc=a&pid=1&rpi=1&alt-dcs=1&meta-data=%3Fa%3Fb%3Dc&compress=0&udh=&validity=60&priority=2\
         &dlr-mask=-1&dlr-url=http://example.com/&mclass=1&coding=0&deferred=0&foo=bar"
    );
    let call = read(&query).unwrap();
    assert_eq!((call.kind, call.text.as_str(), call.start), (Kind::Text, "x", None));
    assert!(call.callback("0803").is_none(), "a mask that is undefined asks for nothing");
}

#[test]
fn a_text_is_read_in_its_charset_and_coding() {
    for (query, kind, text) in [
        ("text=caf%C3%A9+%2B", Kind::Text, "café +"),
        ("text=caf%E9&charset=ISO-8859-1", Kind::Text, "café"),
        ("text=%80&charset=windows-1252", Kind::Text, "€"),
        ("text=%1E%B9%00A&coding=2", Kind::Unicode, "ẹA"),
        ("text=%E1%BA%B9&coding=2&charset=utf-8", Kind::Unicode, "ẹ"),
        ("text=%00h&charset=UTF-16BE", Kind::Text, "h"),
        ("text=%00h&charset=UTF-16", Kind::Text, "h"),
        ("text=%00h&charset=ucs-2", Kind::Text, "h"),
        ("text=%00h&charset=ISO-10646-UCS-2", Kind::Text, "h"),
        ("text=%00h&charset=unicode", Kind::Text, "h"),
        ("text=%00h&charset=UCS-2BE", Kind::Text, "h"),
        ("text=%FE%FF%00h&charset=UTF-16", Kind::Text, "h"),
        ("text=%FF%FEh%00&charset=UTF-16", Kind::Text, "h"),
        ("text=h%00&charset=UTF-16LE", Kind::Text, "h"),
        ("text=h%00&charset=ucs-2le", Kind::Text, "h"),
        ("text=%1E%B9&coding=02", Kind::Unicode, "ẹ"),
        ("text=x&mclass=0", Kind::Flash, "x"),
        ("text=x&text=y", Kind::Text, "x"),
    ] {
        let call = read(&format!("{TO}&{query}")).unwrap();
        assert_eq!((call.kind, call.text.as_str()), (kind, text), "{query}");
    }
}

#[test]
fn numbers_come_once_and_each_has_a_callback_of_its_own() {
    let call = read(
        "from=A&to=08031234567+%2B2348031234568+08031234567+2348031234567+08031234568&text=x&deferred=90&account=acc&binfo=b\
                     &dlr-mask=31&dlr-url=http%3A%2F%2Fexample.com%2F%3Fd%3D%25d",
    );
    let call = call.unwrap();
    assert_eq!(call.numbers, ["08031234567", "+2348031234568"]);
    assert_eq!(call.start, Some(Time(START.0 + 90 * 60_000)));
    assert_eq!(call.payment_method, "paystack");
    let callback = call.callback(&call.numbers[1]).unwrap();
    assert_eq!((callback.url.as_str(), callback.mask), ("http://example.com/?d=%d", 31));
    let details = callback.details;
    assert_eq!((&*details.to, &*details.from, &*details.service), ("+2348031234568", "A", "ada"));
    assert_eq!((&*details.account, &*details.billing), ("acc", "b"));
}

#[test]
fn a_number_that_is_too_long_is_refused_and_not_cut() {
    let long = "8".repeat(33);
    let call = read(&format!("{TO}+{long}+abc&text=x")).unwrap();
    assert_eq!((call.numbers, call.too_long), (vec!["08031234567".to_owned(), "abc".to_owned()], vec![long]));
}

#[test]
fn a_message_that_may_have_been_sent_is_not_to_be_sent_again() {
    let reply = Reply::from(talkdrum_core::Error::Doubtful("lost".into()));
    let said = format!("{reply:?}");
    assert!(said.contains("may have been sent") && !said.contains("try again"), "{said}");
    assert_eq!(reply.into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
}

#[test]
fn numbers_that_failed_are_no_denied_ones() {
    let call = read("from=A&to=0803+0804+0805&text=x").unwrap();
    let refused = || Err(talkdrum_core::Error::rule("x", "Fund the wallet"));
    let full = || Err(talkdrum_core::Error::unavailable("disk", "The disk is full"));
    let doubtful = || Err(talkdrum_core::Error::Doubtful("lost".into()));
    let status = |outcomes| match answer(UserId(1), &call, outcomes) {
        Ok(reply) | Err(reply) => reply.into_response().status().as_u16(),
    };
    assert_eq!(status(vec![refused(), refused(), refused()]), 400);
    assert_eq!(status(vec![refused(), full(), refused()]), 503);
    assert_eq!(status(vec![doubtful(), full(), refused()]), 500);
    assert_eq!(status(vec![full(), doubtful(), refused()]), 500);
    let (denied, failed) = (["0803".to_owned()], vec!["+0804".to_owned(), "0805".to_owned()]);
    let reply = Reply::taken(vec![7], false, &denied, failed);
    assert!(format!("{reply:?}").contains("Denied receivers are: 0803\""), "{reply:?}");
    let response = reply.into_response();
    assert_eq!(response.headers()["x-failed-receivers"], "0804,0805");
    assert_eq!(response.headers()["x-message-ids"], "7");
}

#[test]
fn what_is_sent_is_told_apart_by_all_but_who_sends_it() {
    let digest = |query: &str| {
        let mut params = Params::default();
        params.read(query.as_bytes()).unwrap();
        assert!(!format!("{params:?}").contains("secret"), "values are not shown");
        params.digest()
    };
    let one = digest("username=ada&password=secret&to=1&text=x");
    assert_eq!(one, digest("text=x&to=1&user=ada&pass=secret2"));
    assert_ne!(one, digest("username=ada&password=secret&to=1&text=y"));
    assert_ne!(one, digest("username=ada&password=secret&to=1t&ext=x"));
}

#[test]
fn failures_of_the_platform_are_kannels_temporal_one() {
    for error in [
        talkdrum_core::Error::Corrupt("row 7".into()),
        talkdrum_core::Error::unavailable("disk", "The disk is full"),
    ] {
        let response = Reply::from(error).into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    }
    let refused = Reply::from(talkdrum_core::Error::rule("x", "Fund the wallet")).into_response();
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
}

async fn key(daemon: &TestDaemon, session: &str, scopes: &str) -> String {
    let made = daemon.post("/api/api-keys", session, &[("name", "kannel"), ("scopes", scopes)]).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["key"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_an_api_key_of_the_named_user_gets_in() {
    let daemon = TestDaemon::start().await;
    let session = daemon.signed_in("ada", Role::User).await;
    daemon.user("eve", Role::User).await;
    let (sends, reads) = (key(&daemon, &session, "send").await, key(&daemon, &session, "read").await);
    let ask = async |name: &str, secret: &str| {
        daemon.get(&format!("{PATH}?username={name}&password={secret}"), "").await
    };
    let no = (403, "Authorization failed for sendsms".to_owned());
    for (name, secret) in [
        ("", ""),
        ("ada", ""),
        ("ada", "correct+horse"),
        ("ada", session.as_str()),
        ("eve", sends.as_str()),
        ("", sends.as_str()),
        ("td_", sends.as_str()),
        (&reads[..11], sends.as_str()),
        ("ada", &format!("td_{}", "0".repeat(64))),
    ] {
        let reply = ask(name, secret).await;
        assert_eq!((reply.status, reply.text), no, "{name}");
        assert_eq!(reply.headers["content-type"], "text/plain; charset=utf-8");
    }
    let missing = (400, "Missing receiver number, rejected".to_owned());
    for name in ["ada", "ADA", &sends[..11]] {
        let reply = ask(name, &sends).await;
        assert_eq!((reply.status, reply.text), missing, "{name}");
    }
    let reply = daemon.get(&format!("{PATH}?user=ada&pass={sends}"), "").await;
    assert_eq!((reply.status, reply.text), missing, "the short names");
    let reply = ask("ada", &reads).await;
    assert_eq!((reply.status, reply.text.as_str()), (403, "This API key has no scope 'send'"));
    let reply = daemon.get(&format!("{PATH}?to=08031234567"), &sends).await;
    assert_eq!((reply.status, reply.text), no, "a bearer token is not read");
}

#[tokio::test]
async fn a_call_by_head_sends_nothing_and_one_by_post_is_read_in_kannels_ways() {
    let daemon = TestDaemon::start().await;
    let session = daemon.signed_in("ada", Role::User).await;
    let secret = key(&daemon, &session, "send").await;
    let query = format!("{PATH}?username=ada&password={secret}");
    let head = daemon.send(daemon.request(Method::HEAD, &query, "")).await;
    assert_eq!(head.status, 400);
    let post = |path: &str| daemon.request(Method::POST, path, "");
    let credentials = [("username", "ada"), ("password", &*secret), ("to", "")];
    let empty = (400, "Empty receiver number not allowed, rejected".to_owned());
    for request in [
        post(PATH).form(&credentials),
        post(&format!("{query}&to=")),
        post(PATH)
            .header("content-type", "text/plain; charset=utf-8")
            .header("X-Kannel-Username", "ada")
            .header("X-Kannel-Password", &*secret)
            .header("X-Kannel-To", "")
            .body("Hello"),
    ] {
        let reply = daemon.send(request).await;
        assert_eq!((reply.status, reply.text), empty);
    }
    let wide = post(PATH)
        .header("content-type", "text/plain; format=flowed; Charset=\"klingon\"")
        .header("X-Kannel-Username", "ada")
        .header("X-Kannel-Password", &*secret)
        .header("X-Kannel-From", "WEBSMS")
        .header("X-Kannel-To", "08031234567")
        .body("Hello");
    let reply = daemon.send(wide).await;
    assert_eq!((reply.status, reply.text.as_str()), (400, "Charset or body misformed, rejected"));
    let json = daemon.send(post(PATH).json(&credentials)).await;
    assert_eq!((json.status, json.text.as_str()), (400, "Unsupported content-type, rejected"));
    let large = daemon.send(post(PATH).form(&[("text", "x".repeat(70_000))])).await;
    assert_eq!(large.status, 413);
}

#[tokio::test]
async fn strangers_and_wrong_credentials_are_counted_and_right_ones_are_not() {
    let daemon = TestDaemon::start().await;
    let session = daemon.signed_in("ada", Role::User).await;
    let secret = key(&daemon, &session, "send").await;
    let right = format!("{PATH}?username=ada&password={secret}");
    assert_eq!(daemon.get(&right, "").await.status, 400);
    let address = "127.0.0.1".parse().unwrap();
    assert!(daemon.app().sendsms_rate.knows(address));
    while daemon.app().sendsms_rate.check(address).is_ok() {}
    let wrong = daemon.get(PATH, "").await;
    assert_eq!((wrong.status, wrong.text.as_str()), (503, "Temporal failure, try again later."));
    assert!(wrong.headers.contains_key("retry-after"));
    assert_eq!(daemon.get(&right, "").await.status, 400, "who pays may call");
    let stranger = "192.0.2.1".parse().unwrap();
    for _ in 0..ANONYMOUS_PER_MINUTE.get() {
        assert!(daemon.app().sendsms_rate.check(stranger).is_ok());
    }
    assert!(daemon.app().sendsms_rate.check(stranger).is_err());
}

#[tokio::test]
async fn maintenance_and_an_inactive_account_send_nothing() {
    let daemon = TestDaemon::start().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    let session = daemon.signed_in("ada", Role::User).await;
    let secret = key(&daemon, &session, "send").await;
    let call = format!("{PATH}?username=ada&password={secret}&{TO}&text=x");
    let on = daemon.post("/admin/enable-maintenance-mode", &root, &[("message", "Later")]).await;
    assert_eq!(on.status, 200, "{}", on.text);
    let refused = daemon.get(&call, "").await;
    assert_eq!((refused.status, refused.text.as_str()), (503, "Temporal failure, try again later."));
}

#[tokio::test]
async fn a_key_of_codes_sends_none_once_its_user_may_not() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let id = daemon.user("ada", Role::User).await;
    let session = daemon.login("ada").await;
    daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "1")]).await;
    let money = [("espees", "100"), ("payment_ref", "p-1")];
    daemon.post(&format!("/admin/assign-espee/{id}"), &admin, &money).await;
    let asked = [("name", "kannel"), ("scopes", "send"), ("purpose", "otp")];
    let made = daemon.post("/api/api-keys", &session, &asked).await.json();
    let secret = made["key"].as_str().unwrap();
    let call = format!("{PATH}?username=ada&password={secret}&{TO}&text=1234&payment_method=espees");
    let sent = daemon.get(&call, "").await;
    assert_eq!((sent.status, sent.text.as_str()), (202, "0: Accepted for delivery"));
    let path = format!("/admin/users/{id}/codes");
    let withdrawn = daemon.request(Method::PUT, &path, &admin).json(&serde_json::json!({ "allowed": false }));
    assert_eq!(daemon.send(withdrawn).await.status, 200);
    let refused = daemon.get(&call, "").await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert!(refused.text.contains("may not send codes"), "{}", refused.text);
}
