use reqwest::Method;
use reqwest::multipart::{Form, Part};
use talkdrum_core::model::account::user::Role;

use crate::testing::TestDaemon;

#[tokio::test]
async fn a_column_of_the_file_says_which_messages_each_opt_out_ends() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let file = "phone,reach\n08031234561,promotional\n08031234562,all\n08031234563,\n08031234564,stop\n";
    let form = Form::new().text("reach", "promotional").part("file", Part::text(file).file_name("o.csv"));
    let sent = daemon.send(daemon.request(Method::POST, "/api/optouts/import", &ada).multipart(form)).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    let import = &sent.json()["import"];
    assert_eq!((&import["added"], &import["invalid"]), (&3.into(), &1.into()));
    let listed = daemon.get("/api/optouts", &ada).await.json();
    let mut reaches: Vec<String> = listed["optouts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["phone"].as_str().unwrap(), it["reach"].as_str().unwrap()))
        .collect();
    reaches.sort();
    assert_eq!(reaches, ["2348031234561 promotional", "2348031234562 all", "2348031234563 promotional"]);
    let rejects = daemon.get(&format!("/api/imports/{}/rejects", import["id"]), &ada).await.text;
    assert!(rejects.lines().any(|line| line.starts_with("5,2348031234564,bad_reach,")), "{rejects}");
}

#[tokio::test]
async fn numbers_opt_out_of_one_users_messages_or_of_everybodys() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let root = daemon.signed_in("root", Role::Admin).await;
    let made = daemon.post("/api/optouts", &ada, &[("phone", "0803 123 4567"), ("note", "by phone")]).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(made.json()["optout"]["source"], "manual");
    let again = daemon.post("/api/optouts", &ada, &[("phone", "+2348031234567")]).await;
    assert_eq!(again.json()["optout"], made.json()["optout"], "it stays as it is");
    daemon.post("/admin/optouts", &root, &[("phone", "08051234567")]).await;
    let own = daemon.get("/api/optouts?q=0803", &ada).await.json();
    assert_eq!((&own["total"], &own["optouts"][0]["note"]), (&1.into(), &"by phone".into()));
    assert_eq!(daemon.get("/api/optouts", &root).await.json()["total"], 0);
    assert_eq!(daemon.get("/admin/optouts", &root).await.json()["total"], 1);
    let csv = daemon.get("/api/optouts/export", &ada).await.text;
    assert!(csv.starts_with("phone,source,note,created_at,reach\r\n2348031234567,manual,by phone,"), "{csv}");
    assert!(csv.trim_end().ends_with(",all"), "{csv}");
    let narrow =
        daemon.post("/api/optouts", &ada, &[("phone", "08061234567"), ("reach", "promotional")]).await;
    assert_eq!(narrow.json()["message"], "2348061234567 gets no more promotional messages");
    let wide = daemon.post("/api/optouts", &ada, &[("phone", "08061234567"), ("reach", "all")]).await;
    let (before, after) = (&narrow.json()["optout"], &wide.json()["optout"]);
    assert_eq!((&before["reach"], &after["reach"]), (&"promotional".into(), &"all".into()));
    assert_eq!(before["id"], after["id"], "one opt-out");
    daemon.send(daemon.request(Method::DELETE, &format!("/api/optouts/{}", after["id"]), &ada)).await;
    let id = made.json()["optout"]["id"].as_i64().unwrap();
    let other = daemon.send(daemon.request(Method::DELETE, &format!("/api/optouts/{id}"), &root)).await;
    assert_eq!(other.status, 404);
    let gone = daemon.send(daemon.request(Method::DELETE, &format!("/api/optouts/{id}"), &ada)).await;
    assert_eq!(gone.status, 200, "{}", gone.text);
    assert_eq!(daemon.get("/api/optouts", &ada).await.json()["total"], 0);
    let refused = daemon.post("/api/optouts", &ada, &[("phone", "")]).await;
    assert_eq!(refused.json()["message"], "Please provide a phone number.");
    // What becomes of the platform's list is in the audit trail.
    let id = &daemon.get("/admin/optouts", &root).await.json()["optouts"][0]["id"];
    daemon.send(daemon.request(Method::DELETE, &format!("/admin/optouts/{id}"), &root)).await;
    for action in ["optout.add", "optout.remove"] {
        let trail = daemon.get(&format!("/admin/audit?action={action}"), &root).await.json();
        assert_eq!(
            (&trail["total"], &trail["audit"][0]["subject"]),
            (&1.into(), &"2348051234567".into()),
            "{trail}"
        );
    }
}

#[tokio::test]
async fn a_list_of_opt_outs_is_imported() {
    let daemon = TestDaemon::start().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    let part = Part::bytes(b"08031234567\n08051234567\nx\n".to_vec()).file_name("dnd.txt");
    let form = Form::new().part("file", part).text("note", "DND 2026").text("reach", "promotional");
    let reply =
        daemon.send(daemon.request(Method::POST, "/admin/optouts/import", &root).multipart(form)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(
        (&reply.json()["import"]["added"], &reply.json()["import"]["invalid"]),
        (&2.into(), &1.into())
    );
    let listed = daemon.get("/admin/optouts?q=dnd", &root).await.json();
    assert_eq!((&listed["total"], &listed["optouts"][1]["reach"]), (&2.into(), &"promotional".into()));
    let part = Part::bytes(b"08031234567\n".to_vec()).file_name("all.txt");
    let form = Form::new().part("file", part).text("reach", "some");
    let refused =
        daemon.send(daemon.request(Method::POST, "/admin/optouts/import", &root).multipart(form)).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "bad_reach"));
}

#[tokio::test]
async fn the_platforms_list_is_searched_by_an_administrator_once_at_a_time() {
    let daemon = TestDaemon::start().await;
    let id = daemon.user("root", Role::Admin).await;
    let root = daemon.login("root").await;
    let turn = daemon.app().scans.take(id).await.unwrap();
    let refused = daemon.get("/admin/optouts?q=phone", &root).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "too_many_searches"));
    assert_eq!(daemon.get("/admin/optouts", &root).await.status, 200);
    drop(turn);
    assert_eq!(daemon.get("/admin/optouts?q=phone", &root).await.status, 200);
}
