//! Each kind of body at its bounds and over them, as clients send them.

use std::num::NonZeroU32;

use reqwest::Method;
use talkdrum_core::model::account::user::Role;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::limit::{
    ADDRESS_BYTES_AT_ONCE, ANONYMOUS_BYTES, FIELD_NAME_BYTES, FIELD_NAMES, FIELD_VALUES, FIELD_VALUES_IN_ALL,
    LARGE_BYTES, QUERY_BYTES, STRANGERS_BODY,
};
use crate::testing::{Reply, TestDaemon};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Urlencoded,
    Multipart,
    Json,
}

const KINDS: [Kind; 3] = [Kind::Urlencoded, Kind::Multipart, Kind::Json];

type Pairs = Vec<(String, String)>;

impl Kind {
    fn content_type(self) -> &'static str {
        match self {
            Self::Urlencoded => "application/x-www-form-urlencoded",
            Self::Multipart => "multipart/form-data; boundary=x",
            Self::Json => "application/json",
        }
    }

    /// A body of plain names and values; those of one name stand together.
    fn body(self, fields: &Pairs) -> String {
        let all = |each: &dyn Fn(&str, &str) -> String| -> Vec<String> {
            fields.iter().map(|(name, value)| each(name, value)).collect()
        };
        match self {
            Self::Urlencoded => all(&|name, value| format!("{name}={value}")).join("&"),
            Self::Multipart => {
                let part = |name: &str, value: &str| {
                    format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                };
                all(&part).concat() + "--x--\r\n"
            }
            Self::Json => {
                let mut lists: Vec<(&str, Vec<String>)> = Vec::new();
                for (name, value) in fields {
                    let value = format!("\"{value}\"");
                    match lists.last_mut() {
                        Some((last, values)) if last == name => values.push(value),
                        _ => lists.push((name, vec![value])),
                    }
                }
                let list = |(name, values): &(&str, Vec<String>)| match values.as_slice() {
                    [value] => format!("\"{name}\":{value}"),
                    values => format!("\"{name}\":[{}]", values.join(",")),
                };
                format!("{{{}}}", lists.iter().map(list).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// A body with one field more, so that it has this many bytes.
    fn padded(self, fields: &Pairs, name: &str, begin: &str, pad: &str, bytes: usize) -> String {
        let with = |value: String| self.body(&[fields.clone(), vec![(name.to_owned(), value)]].concat());
        let frame = with(begin.to_owned()).len();
        with(format!("{begin}{}", pad.repeat(bytes - frame)))
    }
}

fn pairs(fields: &[(&str, &str)]) -> Pairs {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The same with `names` more names, each with `values` values.
fn filled(fields: &[(&str, &str)], names: usize, values: usize) -> Pairs {
    let more = (0..names).flat_map(|name| vec![(format!("n{name}"), String::new()); values]);
    pairs(fields).into_iter().chain(more).collect()
}

async fn daemon() -> TestDaemon {
    TestDaemon::start_with(|settings| {
        let many = NonZeroU32::new(10_000).unwrap();
        settings.limits.login_burst = many;
        settings.limits.login_per_minute = many;
        settings.limits.upload_mib = NonZeroU32::new(2).unwrap();
        settings.limits.json_mib = NonZeroU32::new(2).unwrap();
    })
    .await
}

async fn post(daemon: &TestDaemon, path: &str, token: &str, kind: Kind, body: String) -> (u16, String) {
    let request = daemon.request(Method::POST, path, token).header("content-type", kind.content_type());
    let reply: Reply = daemon.send(request.body(body)).await;
    (reply.status, reply.code())
}

const LOGIN: [(&str, &str); 2] = [("username", "eve"), ("password", "guess")];
const GROUP: [(&str, &str); 1] = [("group_name", "")];

/// The errors of forms that were read: an unknown user's password, a missing name of a group.
const READ: [(&str, &str, u16); 2] =
    [("/api/login", "wrong_credentials", 401), ("/api/create/group", "", 400)];

#[tokio::test]
async fn a_body_of_each_kind_has_so_many_names_and_values_and_bytes_of_a_name() {
    let daemon = daemon().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let long = |bytes: usize| [pairs(&LOGIN), vec![("n".repeat(bytes), String::new())]].concat();
    for kind in KINDS {
        for (fields, path, token) in [(&LOGIN[..], READ[0].0, ""), (&GROUP[..], READ[1].0, ada.as_str())] {
            let status = if token.is_empty() { READ[0].2 } else { READ[1].2 };
            let most = FIELD_NAMES - fields.len();
            let at = post(&daemon, path, token, kind, kind.body(&filled(fields, most, 1))).await;
            assert!(at.0 == status && at.1 != "too_many_fields", "{kind:?} {path} {at:?}");
            let over = post(&daemon, path, token, kind, kind.body(&filled(fields, most + 1, 1))).await;
            assert_eq!(over, (400, "too_many_fields".into()), "{kind:?} {path}");
        }
        let values = async |names, values| {
            let body = kind.body(&filled(&GROUP, names, values));
            post(&daemon, "/api/create/group", &ada, kind, body).await
        };
        let refused = (400, "too_many_values".to_owned());
        assert_ne!(values(1, FIELD_VALUES).await, refused, "{kind:?}");
        assert_eq!(values(1, FIELD_VALUES + 1).await, refused, "{kind:?}");
        assert_ne!(values(2, FIELD_VALUES_IN_ALL / 2 - 1).await, refused, "{kind:?}");
        assert_eq!(values(2, FIELD_VALUES_IN_ALL / 2).await, refused, "{kind:?}");
        let name = async |bytes| post(&daemon, "/api/login", "", kind, kind.body(&long(bytes))).await;
        assert_eq!(name(FIELD_NAME_BYTES).await.0, 401, "{kind:?}");
        assert_eq!(name(FIELD_NAME_BYTES + 1).await, (400, "bad_form".into()), "{kind:?}");
        let without = [pairs(&LOGIN), pairs(&[("", "x")])].concat();
        let without = post(&daemon, "/api/login", "", kind, kind.body(&without)).await;
        assert_eq!(without, (400, "bad_form".into()), "{kind:?}");
    }
    daemon.stop().await;
}

#[tokio::test]
async fn a_body_of_each_kind_has_so_many_bytes_and_fewer_where_nobody_is_signed_in() {
    let daemon = daemon().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let large = (413, "too_large".to_owned());
    for kind in KINDS {
        let login = async |bytes| {
            let body = kind.padded(&pairs(&LOGIN), "more", "", "x", bytes);
            post(&daemon, "/api/login", "", kind, body).await
        };
        assert_eq!(login(ANONYMOUS_BYTES).await, (401, "wrong_credentials".into()), "{kind:?}");
        assert_eq!(login(ANONYMOUS_BYTES + 1).await, large, "{kind:?}");
        assert_eq!(login(800 << 10).await, large, "{kind:?}");
        let group = async |bytes| {
            let body = kind.padded(&pairs(&GROUP), "more", "", "x", bytes);
            post(&daemon, "/api/create/group", &ada, kind, body).await
        };
        assert_eq!(group(1 << 20).await.0, 400, "{kind:?}");
        assert_eq!(group((1 << 20) + 1).await, large, "{kind:?}");
        // Recipients may be more than fields.
        let check = async |bytes| {
            let body = kind.padded(&Vec::new(), "contacts", "08031234567", ",", bytes);
            post(&daemon, "/api/recipients/check", &ada, kind, body).await
        };
        assert_eq!(check(2 << 20).await, (200, String::new()), "{kind:?}");
        assert_eq!(check((2 << 20) + 1).await, large, "{kind:?}");
        let field = kind.padded(&pairs(&[("contacts", "08031234567")]), "more", "", "x", (1 << 20) + 1_000);
        assert_eq!(post(&daemon, "/api/recipients/check", &ada, kind, field).await, large, "{kind:?}");
    }
    daemon.stop().await;
}

#[tokio::test]
async fn a_list_of_recipients_is_no_list_of_fields_and_json_is_flat() {
    let daemon = daemon().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let check = async |body: String| post(&daemon, "/api/recipients/check", &ada, Kind::Json, body).await;
    let list = |count| format!("{{\"contacts\":[8031234567{}]}}", ",0".repeat(count));
    assert_eq!(check(list(100_000)).await.0, 200, "more than fields may have values");
    assert_eq!(check("{\"contacts\":[[\"08031234567\"]]}".into()).await, (400, "bad_json".into()));
    assert_eq!(check("{\"contacts\":\"08031234567\",\"more\":{}}".into()).await, (400, "bad_json".into()));
    let deep = format!("{{\"contacts\":{}", "[".repeat(500_000));
    assert_eq!(check(deep).await, (400, "bad_json".into()));
    daemon.stop().await;
}

#[tokio::test]
async fn a_query_string_has_the_bounds_of_a_body() {
    let daemon = daemon().await;
    let code = async |query: String| {
        let reply = daemon.get(&format!("/api/kingschat/callback?{query}"), "").await;
        (reply.status, reply.code())
    };
    let read = code("code=x".into()).await;
    assert_eq!(code(Kind::Urlencoded.body(&filled(&[], FIELD_NAMES, 1))).await, read);
    let over = code(Kind::Urlencoded.body(&filled(&[], FIELD_NAMES + 1, 1))).await;
    assert_eq!(over, (400, "too_many_fields".into()));
    assert_eq!(code(format!("{}=", "n".repeat(FIELD_NAME_BYTES))).await, read);
    assert_eq!(code(format!("{}=", "n".repeat(FIELD_NAME_BYTES + 1))).await, (400, "bad_form".into()));
    assert_eq!(code("=x".into()).await, (400, "bad_form".into()));
    let values = |count: usize| vec!["a="; count].join("&");
    assert_ne!(code(values(QUERY_BYTES / 49)).await.0, 413);
    assert_eq!(code(values(QUERY_BYTES / 49 + 2)).await, (413, "too_large".into()));
    daemon.stop().await;
}

/// A request whose head was sent, and of its body only the first bytes.
async fn begun_with(daemon: &TestDaemon, path: &str, length: usize, sent: usize) -> TcpStream {
    let mut stream = begun(daemon, path, "", length).await;
    stream.write_all(&vec![b'x'; sent - "contacts=".len()]).await.unwrap();
    stream
}

/// A request whose head was sent, and of its body only the beginning.
async fn begun(daemon: &TestDaemon, path: &str, token: &str, length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
    let token = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\n{token}content-type: {}\r\ncontent-length: {length}\r\n\r\ncontacts=",
        Kind::Urlencoded.content_type()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Waits until a condition on the bodies that are being read holds.
async fn until(daemon: &TestDaemon, is_so: impl Fn(usize) -> bool) {
    for _ in 0..400 {
        if is_so(daemon.app().bodies.bytes_at_once()) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("{} bytes are held", daemon.app().bodies.bytes_at_once());
}

#[tokio::test]
async fn a_user_sends_two_large_bodies_at_once_and_others_are_not_kept_from_it() {
    let daemon = daemon().await;
    let [ada, eve] = [daemon.signed_in("ada", Role::User).await, daemon.signed_in("eve", Role::User).await];
    let path = "/api/recipients/check";
    let first = begun(&daemon, path, &ada, LARGE_BYTES + 1).await;
    until(&daemon, |held| held > 0).await;
    let one = daemon.app().bodies.bytes_at_once();
    let second = begun(&daemon, path, &ada, LARGE_BYTES + 1).await;
    until(&daemon, |held| held == 2 * one).await;
    let check = async |token: &str, bytes: usize| {
        let body = Kind::Urlencoded.padded(&Vec::new(), "contacts", "08031234567", ",", bytes);
        post(&daemon, path, token, Kind::Urlencoded, body).await
    };
    assert_eq!(check(&ada, LARGE_BYTES + 1).await, (429, "too_many_bodies".into()));
    assert_eq!(check(&ada, 1_000).await.0, 200, "a small one finds room");
    assert_eq!(check(&eve, LARGE_BYTES + 1).await.0, 200);
    drop(first);
    until(&daemon, |held| held == one).await;
    assert_eq!(check(&ada, LARGE_BYTES + 1).await.0, 200);
    drop(second);
    until(&daemon, |held| held == 0).await;
    daemon.stop().await;
}

#[tokio::test]
async fn an_address_that_is_not_signed_in_sends_so_many_bytes_at_once() {
    let daemon = daemon().await;
    let mut open = Vec::new();
    for _ in 0..ADDRESS_BYTES_AT_ONCE / ANONYMOUS_BYTES {
        // The memory of a field is more than its bytes.
        open.push(begun_with(&daemon, "/api/login", ANONYMOUS_BYTES, ANONYMOUS_BYTES / 8).await);
    }
    until(&daemon, |held| held == ADDRESS_BYTES_AT_ONCE).await;
    let login = async || post(&daemon, "/api/login", "", Kind::Json, Kind::Json.body(&pairs(&LOGIN))).await;
    assert_eq!(login().await, (429, "too_many_bodies".into()));
    open.pop();
    until(&daemon, |held| held < ADDRESS_BYTES_AT_ONCE).await;
    assert_eq!(login().await.0, 401);
    drop(open);
    until(&daemon, |held| held == 0).await;
    daemon.stop().await;
}

#[tokio::test]
async fn a_body_holds_what_came_of_it_and_is_not_waited_for_for_ever() {
    let daemon = daemon().await;
    let mut open = Vec::new();
    for _ in 0..4 * ADDRESS_BYTES_AT_ONCE / ANONYMOUS_BYTES {
        open.push(begun(&daemon, "/api/login", "", ANONYMOUS_BYTES).await);
    }
    let one = "contacts=".len() * 16;
    until(&daemon, |held| held == open.len() * one).await;
    let login = async || post(&daemon, "/api/login", "", Kind::Json, Kind::Json.body(&pairs(&LOGIN))).await;
    assert_eq!(login().await.0, 401, "there is room left");
    let mut trickling = open.pop().unwrap();
    let started = std::time::Instant::now();
    let mut answer = [0; 12];
    loop {
        // Less than the time that it may be silent for.
        let read = tokio::time::timeout(std::time::Duration::from_secs(1), trickling.read_exact(&mut answer));
        if read.await.is_ok() {
            break;
        }
        assert!(started.elapsed() < 3 * STRANGERS_BODY, "it is waited for still");
        let _ = trickling.write_all(b"x").await;
    }
    assert_eq!(answer.escape_ascii().to_string(), "HTTP/1.1 408");
    drop(open);
    until(&daemon, |held| held == 0).await;
    daemon.stop().await;
}

#[tokio::test]
async fn the_rate_of_an_address_is_counted_before_its_body_is_read() {
    let daemon = TestDaemon::start_with(|settings| {
        settings.limits.login_burst = NonZeroU32::MIN;
        settings.limits.codes_burst = NonZeroU32::MIN;
        settings.limits.login_per_minute = NonZeroU32::MIN;
        settings.limits.codes_per_minute = NonZeroU32::MIN;
    })
    .await;
    for path in ["/api/login", "/api/register/start"] {
        daemon.post(path, "", &[]).await;
        // Its body never comes.
        let mut stream = begun(&daemon, path, "", 1_000).await;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer.escape_ascii().to_string(), "HTTP/1.1 429", "{path}");
    }
    daemon.stop().await;
}

#[tokio::test]
async fn a_stranger_who_guesses_does_not_lock_out_the_address_that_signed_in() {
    let daemon = TestDaemon::start_with(|settings| {
        settings.limits.login_per_minute = NonZeroU32::MIN;
        settings.limits.login_burst = NonZeroU32::new(3).unwrap();
    })
    .await;
    daemon.user("ada", Role::User).await;
    // Both come through the proxy that the tests are to the daemon.
    let login = async |from: &str, name: &str, password: &str| {
        let request = daemon.request(Method::POST, "/api/login", "").header("x-forwarded-for", from);
        daemon.send(request.form(&[("username", name), ("password", password)])).await.status
    };
    assert_eq!(login("198.51.100.2", "ada", crate::testing::PASSWORD).await, 200);
    for last in 1..=3 {
        let stranger = format!("203.0.113.{last}");
        login(&stranger, "ada", "guess").await;
        login(&stranger, "ada@example.com", "guess").await;
    }
    assert_eq!(login("203.0.113.9", "ada", "guess").await, 429);
    assert_eq!(login("198.51.100.2", "ada@example.com", crate::testing::PASSWORD).await, 200);
    assert_eq!(login("198.51.100.2", "ada", crate::testing::PASSWORD).await, 200);
    daemon.stop().await;
}
