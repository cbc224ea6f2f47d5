use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use talkdrum_core::model::account::user::Role;

use crate::limit::EXPORTS_PER_USER;
use crate::testing::{Reply, TestDaemon};

const FILE: &str = "Mobile,Customer,E-mail,City\n08031234567,Efe,efe@example.com,Warri\n12345,Short,,\n\
    0805 123 4567,\"Musa, Bello\",oops,Kano\n08031234567,Twice,,\n";

fn file(text: &str) -> Form {
    Form::new().part("file", Part::bytes(text.as_bytes().to_vec()).file_name("contacts.csv"))
}

async fn post(daemon: &TestDaemon, token: &str, path: &str, form: Form) -> Reply {
    daemon.send(daemon.request(Method::POST, path, token).multipart(form)).await
}

#[tokio::test]
async fn a_file_becomes_a_group_with_rejects_to_fetch() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let form = file(FILE).text("group_name", "Customers").text("description", "All of them");
    let reply = post(&daemon, &ada, "/api/import/contacts/new/group", form).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let answer = reply.json();
    let import = &answer["import"];
    assert_eq!(
        (&import["status"], &import["added"], &import["invalid"]),
        (&"completed".into(), &2.into(), &1.into())
    );
    assert_eq!((&import["duplicates"], &import["warnings"]), (&1.into(), &1.into()));
    assert_eq!(import["file_name"], "contacts.csv");
    assert_eq!(answer["group"]["contacts_count"], 2);
    assert_eq!(answer["group"]["columns"], serde_json::json!(["city"]));
    let rejects = daemon.get(&format!("/api/imports/{}/rejects", import["id"]), &ada).await.text;
    let lines: Vec<&str> = rejects.lines().collect();
    assert_eq!(lines[0], "line,value,code,reason");
    assert!(lines[1].starts_with("3,12345,too_short,"), "{rejects}");
    assert!(lines[2].starts_with("4,2348051234567,broken_email,"), "{rejects}");
    let group = answer["group"]["id"].as_i64().unwrap();
    let again = post(&daemon, &ada, &format!("/api/import/contact/group/{group}"), file(FILE)).await.json();
    assert_eq!((&again["import"]["added"], &again["import"]["unchanged"]), (&0.into(), &2.into()));
    assert_eq!(daemon.get("/api/imports", &ada).await.json()["total"], 2);
    let eve = daemon.signed_in("eve", Role::User).await;
    for path in ["", "/rejects", "/events"] {
        let path = format!("/api/imports/{}{path}", import["id"]);
        assert_eq!(daemon.get(&path, &eve).await.status, 404, "{path}");
    }
    assert_eq!(
        post(&daemon, &eve, &format!("/api/import/contact/group/{group}"), file(FILE)).await.status,
        404
    );
}

#[tokio::test]
async fn names_of_columns_are_few_and_short_and_what_failed_keeps_little() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let path = "/api/optouts/import";
    let mut many = file(FILE);
    for n in 0..300 {
        many = many.text("ignore_column", format!("c{n}"));
    }
    let refused = post(&daemon, &ada, path, many).await;
    assert_eq!((refused.status, &*refused.code()), (400, "too_many_columns"), "{}", refused.text);
    let refused = post(&daemon, &ada, path, file(FILE).text("name_column", "n".repeat(201))).await;
    assert_eq!((refused.status, &*refused.code()), (400, "column_too_long"), "{}", refused.text);
    assert_eq!(daemon.get("/api/imports", &ada).await.json()["total"], 0);
    let wide = file(FILE).text("name_column", "n".repeat(200));
    let wide = wide.text("group_name", "Customers");
    let failed = post(&daemon, &ada, "/api/import/contacts/new/group", wide).await;
    assert_eq!((failed.status, &*failed.code()), (400, "no_such_column"), "{}", failed.text);
    let imports = daemon.get("/api/imports", &ada).await.json();
    assert_eq!(imports["total"], 1);
    let error = imports["imports"][0]["error"].as_str().unwrap();
    assert!(error.contains("City") || error.contains("city"), "{error}");
    assert!(error.len() < 1_000, "{error}");
    let kept = "SELECT COUNT(*) FROM contact_imports WHERE plan <> ''";
    let kept: (i64,) = daemon.store().read().await.unwrap().one(kept, talkdrum_core::args![]).await.unwrap();
    assert_eq!(kept.0, 0);
}

#[tokio::test]
async fn so_many_exports_of_a_user_are_under_way_at_once() {
    let daemon = TestDaemon::start().await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let reply = post(&daemon, &ada, "/api/import/contacts/new/group", file(FILE).text("group_name", "A"))
        .await
        .json();
    let (group, import) = (&reply["group"]["id"], &reply["import"]["id"]);
    let mut seats: Vec<_> = (0..EXPORTS_PER_USER).map(|_| daemon.app().exports.take(id).unwrap()).collect();
    let paths = [
        format!("/api/groups/{group}/export"),
        format!("/api/imports/{import}/rejects"),
        "/api/contacts/export".to_owned(),
        "/api/optouts/export".to_owned(),
        "/api/delivery-reports/export".to_owned(),
    ];
    for path in &paths {
        let refused = daemon.get(path, &ada).await;
        assert_eq!((refused.status, &*refused.code()), (429, "too_many_exports"), "{path}");
    }
    seats.pop();
    for path in &paths {
        assert_eq!(daemon.get(path, &ada).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn an_import_needs_a_file_and_a_group_name_in_the_words_of_the_specification() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let path = "/api/import/contacts/new/group";
    for form in [Form::new().text("group_name", "A"), file(""), file("08031234567\n")] {
        let refused = post(&daemon, &ada, path, form).await;
        assert_eq!(
            (refused.status, refused.json()["message"].as_str()),
            (400, Some("Please provide a file and group name."))
        );
    }
    let missing = file(FILE).text("group_name", "A").text("phone_column", "gsm");
    let refused = post(&daemon, &ada, path, missing).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "no_such_column"), "{}", refused.text);
    assert_eq!(daemon.get("/api/get/group", &ada).await.json()["total"], 0);
}

#[tokio::test]
async fn a_second_column_of_numbers_is_named_and_read_when_it_is_asked_for() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let table = "Name,Mobile,Home Phone,City\nEfe,08031234567,08021234567,Warri\nMusa,08051234567,,Kano\n";
    let path = "/api/import/contacts/new/group";
    let one = post(&daemon, &ada, path, file(table).text("group_name", "A")).await.json()["import"].clone();
    assert_eq!((&one["added"], &one["columns"]["unread"]), (&2.into(), &serde_json::json!(["Home Phone"])));
    assert_eq!(one["columns"]["notices"][0], "The column 'Home Phone' also holds numbers: not read");
    let form = file(table).text("group_name", "B").text("phone_column", "Mobile");
    let both = post(&daemon, &ada, path, form.text("phone_column", "home phone")).await.json();
    let columns = &both["import"]["columns"];
    assert_eq!(columns["phones"], serde_json::json!(["mobile", "home phone"]), "{both}");
    assert_eq!((&columns["phone"], &columns["notices"]), (&"mobile".into(), &serde_json::json!([])));
    assert_eq!(both["group"]["contacts_count"], 3);
    let path = format!("/api/get/group/contacts/{}", both["group"]["id"]);
    let named = daemon.get(&path, &ada).await.text.matches("\"Efe\"").count();
    assert_eq!(named, 2, "each number of a row is a contact with its name");
}

#[tokio::test]
async fn an_import_in_the_background_is_watched_to_its_end() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let form = file(FILE).text("group_name", "Customers");
    let begun = post(&daemon, &ada, "/api/import/contacts/new/group?background=1", form).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    let path = format!("/api/imports/{}", begun.json()["import"]["id"]);
    let stream = format!("{path}/events");
    let events = tokio::time::timeout(Duration::from_secs(20), daemon.get(&stream, &ada));
    let events = events.await.unwrap().text;
    assert!(events.contains("event: end") && events.contains("\"status\":\"completed\""), "{events}");
    assert_eq!(daemon.get(&path, &ada).await.json()["import"]["added"], 2);
}

#[tokio::test]
async fn the_same_import_under_a_key_is_done_once() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let send = async |name: &'static str| {
        let form = file(FILE).text("group_name", name);
        let request = daemon.request(Method::POST, "/api/import/contacts/new/group", &ada);
        daemon.send(request.header("Idempotency-Key", "k").multipart(form)).await
    };
    let (first, second) = (send("A").await, send("A").await);
    assert_eq!((first.status, second.status), (200, 200), "{}", second.text);
    assert_eq!(first.json()["import"]["id"], second.json()["import"]["id"]);
    assert_eq!(send("B").await.code(), "idempotency_key_reused");
}

/// All ways to begin an import of one's own.
const WAYS: [&str; 3] =
    ["/api/import/contact/group/1", "/api/import/contacts/new/group", "/api/optouts/import"];

#[tokio::test]
async fn an_inactive_user_imports_nothing() {
    let daemon = TestDaemon::start().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    let id = daemon.user("ada", Role::User).await;
    daemon.post(&format!("/admin/deactivate-user/{id}"), &root, &[]).await;
    let ada = daemon.login("ada").await;
    for path in WAYS {
        let refused = post(&daemon, &ada, path, file(FILE).text("group_name", "Customers")).await;
        assert_eq!(refused.code(), "account_inactive", "{path}: {}", refused.text);
    }
    assert_eq!(daemon.get("/api/imports", &ada).await.json()["total"], 0);
}

#[tokio::test]
async fn imports_begin_at_a_rate() {
    let daemon = TestDaemon::start().await;
    let id = daemon.user("ada", Role::User).await;
    let (ada, eve) = (daemon.login("ada").await, daemon.signed_in("eve", Role::User).await);
    while daemon.app().import_rate.check(id).is_ok() {}
    for path in WAYS {
        let refused = post(&daemon, &ada, path, file(FILE).text("group_name", "Customers")).await;
        assert_eq!((refused.status, refused.code().as_str()), (429, "too_many_requests"), "{path}");
        assert!(refused.json()["message"].as_str().unwrap().contains("try again in"), "{}", refused.text);
        assert!(refused.headers.contains_key("retry-after"));
    }
    let others = post(&daemon, &eve, WAYS[2], file("08031234567\n")).await;
    assert_eq!(others.status, 200, "{}", others.text);
}
