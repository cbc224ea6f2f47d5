use reqwest::Method;
use talkdrum_core::model::account::user::Role;

use crate::testing::TestDaemon;

#[tokio::test]
async fn a_group_is_made_listed_renamed_and_deleted() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let form = [("group_name", " Customers "), ("description", "Who buys")];
    let made = daemon.post("/api/create/group", &ada, &form).await;
    assert_eq!((made.status, made.json()["message"].as_str()), (201, Some("Group Created")));
    let id = made.json()["group"]["id"].as_i64().unwrap();
    assert_eq!(made.json()["group"]["group_name"], "Customers");
    let again = daemon.post("/api/create/group", &ada, &[("group_name", "CUSTOMERS")]).await;
    assert_eq!((again.status, again.code().as_str()), (400, "group_name_taken"));
    let path = format!("/api/update/group/{id}");
    let renamed =
        daemon.send(daemon.request(Method::PUT, &path, &ada).form(&[("group_name", "Buyers")])).await;
    assert_eq!(renamed.json()["message"], "Group Edit", "{}", renamed.text);
    daemon.post("/api/create/group", &ada, &[("group_name", "Customers")]).await;
    let listed = daemon.get("/api/get/group?sort=group_name&order=asc&page=1", &ada).await.json();
    let names: Vec<_> =
        listed["groups"].as_array().unwrap().iter().map(|it| it["group_name"].as_str().unwrap()).collect();
    assert_eq!((names, &listed["total"]), (vec!["Buyers", "Customers"], &2.into()));
    assert_eq!(listed["groups"][0]["contacts_count"], 0);
    assert_eq!(daemon.get("/api/get/group?group_name=BUYERS", &ada).await.json()["groups"][0]["id"], id);
    let path = format!("/api/delete/group/{id}");
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &ada)).await.status, 200);
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &ada)).await.status, 404);
    assert_eq!(daemon.get("/api/get/group", &ada).await.json()["total"], 1);
}

#[tokio::test]
async fn a_group_needs_a_name_in_the_words_of_the_specification() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    for name in ["", "  "] {
        let refused = daemon.post("/api/create/group", &ada, &[("group_name", name)]).await;
        assert_eq!(refused.status, 400);
        assert_eq!(refused.json()["message"], "Please provide a group name.");
        assert_eq!(refused.json()["errors"][0]["field"], "group_name");
    }
}

#[tokio::test]
async fn another_users_groups_and_contacts_are_not_there() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let eve = daemon.signed_in("eve", Role::User).await;
    let made = daemon.post("/api/create/group", &ada, &[("group_name", "Customers")]).await;
    let group = made.json()["group"]["id"].as_i64().unwrap();
    let path = format!("/api/create/contact/group/{group}");
    let contact = daemon.post(&path, &ada, &[("phone", "08031234567")]).await;
    let contact = contact.json()["contact"]["id"].as_i64().unwrap();
    for (method, path) in [
        (Method::PUT, format!("/api/update/group/{group}")),
        (Method::DELETE, format!("/api/delete/group/{group}")),
        (Method::GET, format!("/api/get/group/contacts/{group}")),
        (Method::GET, format!("/api/groups/{group}/export")),
        (Method::POST, format!("/api/create/contact/group/{group}")),
        (Method::PUT, format!("/api/update/contact/{contact}")),
        (Method::DELETE, format!("/api/delete/contact/{contact}")),
    ] {
        let form = [("group_name", "Mine"), ("phone", "08051234567")];
        let request = daemon.request(method.clone(), &path, &eve);
        let request = if method == Method::GET { request } else { request.form(&form) };
        assert_eq!(daemon.send(request).await.status, 404, "{method} {path}");
    }
    assert_eq!(daemon.get("/api/get/contact", &eve).await.json()["total"], 0);
    assert_eq!(daemon.get("/api/get/group?q=cust", &eve).await.json()["total"], 0);
}

#[tokio::test]
async fn the_same_request_twice_makes_one_group() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let request = || {
        daemon
            .request(Method::POST, "/api/create/group", &ada)
            .header("Idempotency-Key", "a")
            .form(&[("group_name", "Customers")])
    };
    let (first, second) = (daemon.send(request()).await, daemon.send(request()).await);
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(first.json(), second.json());
}
