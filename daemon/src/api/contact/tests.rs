use reqwest::Method;
use serde_json::Value;
use talkdrum_core::model::account::user::Role;

use crate::testing::{Reply, TestDaemon};

async fn group(daemon: &TestDaemon, token: &str, name: &str) -> i64 {
    let made = daemon.post("/api/create/group", token, &[("group_name", name)]).await;
    made.json()["group"]["id"].as_i64().unwrap()
}

async fn add(daemon: &TestDaemon, token: &str, group: i64, form: &[(&str, &str)]) -> Reply {
    daemon.post(&format!("/api/create/contact/group/{group}"), token, form).await
}

fn phones(list: &Value) -> Vec<&str> {
    list["contacts"].as_array().unwrap().iter().map(|it| it["phone"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_contact_is_added_changed_found_and_removed() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let group = group(&daemon, &ada, "Customers").await;
    let form = [
        ("phone", "0803 123 4567"),
        ("name", "Efe Obi"),
        ("email", "Efe@Example.com"),
        ("field", "City=Lagos"),
        ("field", "vip=yes"),
    ];
    let made = add(&daemon, &ada, group, &form).await;
    assert_eq!((made.status, made.json()["message"].as_str()), (201, Some("Contact created successfully")));
    let contact = made.json()["contact"].clone();
    assert_eq!(
        (contact["phone"].as_str(), contact["email"].as_str()),
        (Some("2348031234567"), Some("efe@example.com"))
    );
    assert_eq!(contact["fields"], serde_json::json!({"city": "Lagos", "vip": "yes"}));
    let id = contact["id"].as_i64().unwrap();
    assert_eq!(add(&daemon, &ada, group, &[("phone", "+2348031234567")]).await.code(), "contact_exists");
    let path = format!("/api/update/contact/{id}");
    let change =
        daemon.request(Method::PUT, &path, &ada).json(&serde_json::json!({"name": "Efe", "email": ""}));
    let changed = daemon.send(change).await;
    assert_eq!(changed.json()["message"], "Contact updated successfully", "{}", changed.text);
    assert_eq!(
        (&changed.json()["contact"]["name"], &changed.json()["contact"]["email"]),
        (&"Efe".into(), &"".into())
    );
    assert_eq!(changed.json()["contact"]["fields"]["city"], "Lagos");
    let refused = daemon.send(daemon.request(Method::PUT, &path, &ada).form(&[("phone", " ")])).await;
    assert_eq!((refused.status, &refused.json()["message"]), (400, &"Please provide a phone number.".into()));
    for (q, found) in [("efe", 1), ("0803+123+4567", 1), ("1234", 1), ("9999", 0), ("musa", 0)] {
        let list = daemon.get(&format!("/api/get/contact?q={q}"), &ada).await.json();
        assert_eq!(list["total"], found, "{q}");
    }
    let path = format!("/api/delete/contact/{id}");
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &ada)).await.status, 200);
    assert_eq!(daemon.get("/api/get/group", &ada).await.json()["groups"][0]["contacts_count"], 0);
}

#[tokio::test]
async fn a_contact_needs_a_phone_in_the_words_of_the_specification() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let group = group(&daemon, &ada, "Customers").await;
    let refused = add(&daemon, &ada, group, &[("name", "Efe")]).await;
    assert_eq!(
        (refused.status, refused.json()["message"].as_str()),
        (400, Some("Please provide a phone number."))
    );
    let nine = add(&daemon, &ada, group, &[("phone", "801234567")]).await;
    assert_eq!((nine.status, nine.code().as_str()), (400, "nine_digits"));
    let email = add(&daemon, &ada, group, &[("phone", "08031234567"), ("email", "x")]).await;
    assert_eq!(email.json()["message"], "Email address is invalid");
}

#[tokio::test]
async fn lists_are_paged_sorted_and_tell_every_group_of_a_number() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let (first, second) = (group(&daemon, &ada, "A").await, group(&daemon, &ada, "B").await);
    for (phone, name) in [("08031234569", "c"), ("08031234567", "B"), ("08031234568", "a")] {
        add(&daemon, &ada, first, &[("phone", phone), ("name", name)]).await;
    }
    add(&daemon, &ada, second, &[("phone", "08031234567"), ("name", "B")]).await;
    let list = async |query: &str| {
        daemon.get(&format!("/api/get/group/contacts/{first}?{query}"), &ada).await.json()
    };
    let newest = list("page=1&per_page=2").await;
    assert_eq!((phones(&newest), &newest["total"]), (vec!["2348031234568", "2348031234567"], &3.into()));
    assert_eq!(phones(&list("page=2&per_page=2").await), ["2348031234569"]);
    assert_eq!(
        phones(&list("sort=phone&order=asc").await),
        ["2348031234567", "2348031234568", "2348031234569"]
    );
    assert_eq!(
        phones(&list("sort=name&order=asc").await),
        ["2348031234568", "2348031234567", "2348031234569"]
    );
    assert_eq!(daemon.get("/api/get/contact", &ada).await.json()["total"], 4);
    let with = daemon.get("/api/group/contact?page=1&per_page=1", &ada).await.json();
    assert_eq!(with["contacts"][0]["phone"], "2348031234567");
    let groups: Vec<_> =
        with["contacts"][0]["groups"].as_array().unwrap().iter().map(|it| &it["group_name"]).collect();
    assert_eq!(groups, ["A", "B"]);
    let csv = daemon.get(&format!("/api/groups/{first}/export"), &ada).await;
    assert_eq!(csv.text.lines().next(), Some("phone,name,email"));
    assert_eq!(csv.text.lines().count(), 4);
    let all = daemon.get("/api/contacts/export", &ada).await.text;
    assert_eq!((all.lines().next(), all.lines().count()), (Some("group,phone,name,email"), 5));
}

#[tokio::test]
async fn a_user_s_lists_are_searched_by_text_one_at_a_time_and_by_number_at_any_time() {
    let daemon = TestDaemon::start().await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let eve = daemon.signed_in("eve", Role::User).await;
    let group = group(&daemon, &ada, "Customers").await;
    add(&daemon, &ada, group, &[("phone", "08031234567"), ("name", "Efe")]).await;
    let of_group = format!("/api/get/group/contacts/{group}?page=1&q=efe");
    let searches = [
        "/api/get/contact?page=1&q=efe",
        "/api/group/contact?page=1&q=1234",
        of_group.as_str(),
        "/api/optouts?page=1&q=0803+123+4567",
        "/api/get-campaign-history?page=1&q=sale",
        "/api/get-sent-messages?page=1&q=sale",
        "/api/get-transaction-history?page=1&q=refund",
        "/api/payments?page=1&q=ref",
        "/api/inbound-messages?page=1&q=stop",
    ];
    let turn = daemon.app().scans.take(id).await.unwrap();
    let scans = searches.into_iter().chain(["/api/campaigns/1/breakdown"]);
    let refused = futures::future::join_all(scans.map(|path| daemon.get(path, &ada))).await;
    assert_eq!(refused.len(), 10);
    for reply in refused {
        assert_eq!((reply.status, reply.code().as_str()), (429, "too_many_searches"), "{}", reply.text);
        assert_eq!(reply.headers["retry-after"], "5");
    }
    let lists = searches.map(|path| path.split(['&', '?']).next().unwrap_or_default());
    for path in lists.into_iter().chain(["/api/get/contact?q=0803+123+4567"]) {
        assert_eq!(daemon.get(path, &ada).await.status, 200, "{path}");
    }
    assert_eq!(daemon.get(searches[0], &eve).await.status, 200, "others do not wait for it");
    drop(turn);
    for path in searches {
        assert_eq!(daemon.get(path, &ada).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_campaign_goes_to_groups_by_id() {
    let daemon = TestDaemon::start().await;
    let root = daemon.signed_in("root", Role::Admin).await;
    daemon.post("/admin/set-sms-unit-price", &root, &[("price", "1")]).await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let id = group(&daemon, &ada, "Customers").await;
    add(&daemon, &ada, id, &[("phone", "08031234567"), ("name", "Efe")]).await;
    let (id, message) = (id.to_string(), "Dear {name}");
    let form = [
        ("senderid", "WEBSMS"),
        ("payment_method", "espees"),
        ("message", message),
        ("groups[]", id.as_str()),
    ];
    let quote = daemon.post("/api/send-text-sms", &ada, &form).await;
    // A daemon without carriers has no route; what was read is what is looked at here.
    assert!(quote.code() != "recipients_required" && quote.status != 404, "{}", quote.text);
    let eve = daemon.signed_in("eve", Role::User).await;
    let quote = daemon.post("/api/send-text-sms", &eve, &form).await;
    assert_eq!(quote.status, 404, "{}", quote.text);
}
