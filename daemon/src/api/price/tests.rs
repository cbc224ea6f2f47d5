use reqwest::Method;
use talkdrum_core::model::account::user::Role;

use crate::config::live_carriers::Fleet;
use crate::testing::TestDaemon;

#[tokio::test]
async fn an_unset_price_is_an_empty_list_and_zero_is_a_price() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let prices = daemon.get("/api/get-sms-unit-price", &admin).await.json();
    assert_eq!(
        prices,
        serde_json::json!({
            "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [],
            "SMS-ABROAD-UNIT-PRICE": [], "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": [],
        })
    );
    assert_eq!(daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "0")]).await.status, 200);
    let reply = daemon.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "3.495")]).await;
    assert_eq!(reply.json()["message"], "Unit Price updated successfully!");
    let prices = daemon.get("/api/get-sms-unit-price", &admin).await;
    assert!(prices.text.contains(r#""SMS-UNIT-PRICE-IN-NAIRA":[{"value":3.495,"#), "{}", prices.text);
    assert_eq!(prices.json()["SMS-UNIT-PRICE"][0]["value"], 0);
    let naira = daemon.get("/admin/get-sms-unit-price-naira", &admin).await.json();
    assert_eq!(naira["SMS-UNIT-PRICE-IN-NAIRA"][0]["updated_at"], "2023-11-14T22:13:20.000Z");
}

#[tokio::test]
async fn visitors_read_what_a_page_and_a_pulse_cost() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    daemon.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "4.5")]).await;
    daemon.post("/admin/set-voice-unit-price-naira", &admin, &[("price", "9")]).await;
    let page = daemon.get("/api/get-sms-unit-price", "").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(page.json()["SMS-UNIT-PRICE-IN-NAIRA"][0]["value"], 4.5);
    let pulse = daemon.get("/api/get-voice-unit-price", "").await;
    assert_eq!(pulse.status, 200, "{}", pulse.text);
    assert_eq!(pulse.json()["VOICE-UNIT-PRICE-NAIRA"][0]["value"], 9);
    assert_eq!(daemon.get("/api/get-own-price", "").await.status, 401);
}

#[tokio::test]
async fn what_is_no_price_is_refused() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    for (price, code) in [
        ("", "price_required"),
        ("-1", "price_negative"),
        ("cheap", "bad_request"),
        ("0.0000001", "bad_request"),
    ] {
        let reply = daemon.post("/admin/set-sms-unit-price", &admin, &[("price", price)]).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, code), "{price}");
        assert_eq!(reply.json()["errors"][0]["field"], "price");
    }
}

#[tokio::test]
async fn one_key_sets_one_price() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let set = |path: &'static str, price: f64| {
        let body = serde_json::json!({ "price": price });
        daemon.request(Method::POST, path, &admin).header("Idempotency-Key", "k").json(&body)
    };
    assert_eq!(daemon.send(set("/admin/set-sms-unit-price", 1.5)).await.status, 200);
    assert_eq!(daemon.send(set("/admin/set-sms-unit-price", 1.5)).await.status, 200);
    assert_eq!(daemon.send(set("/admin/set-sms-unit-price", 2.5)).await.status, 409);
    assert_eq!(daemon.send(set("/admin/set-sms-unit-price-naira", 1.5)).await.status, 409);
}

#[tokio::test]
async fn every_price_is_set_and_read_under_its_name() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let ada = daemon.signed_in("ada", Role::User).await;
    daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "1.5")]).await;
    let voice = daemon.get("/api/get-voice-unit-price", &ada).await.json();
    assert_eq!(voice["VOICE-UNIT-PRICE"][0]["value"], 1.5, "that of a page where voice has none");
    assert_eq!(voice["SMS-UNIT-PRICE"], voice["VOICE-UNIT-PRICE"]);
    assert_eq!(
        daemon.get("/admin/get-voice-unit-price", &admin).await.json()["VOICE-UNIT-PRICE"],
        serde_json::json!([])
    );
    for (set, get, key) in [
        ("set-sms-abroad-unit-price", "/admin/get-prices", "SMS-ABROAD-UNIT-PRICE"),
        ("set-sms-abroad-unit-price-naira", "/api/get-sms-unit-price", "SMS-ABROAD-UNIT-PRICE-IN-NAIRA"),
        ("set-voice-unit-price", "/admin/get-voice-unit-price", "VOICE-UNIT-PRICE"),
        ("set-voice-unit-price", "/api/get-voice-unit-price", "VOICE-UNIT-PRICE"),
        ("set-voice-unit-price", "/api/get-voice-unit-price", "SMS-UNIT-PRICE"),
        ("set-voice-unit-price-naira", "/admin/get-voice-unit-price-naira", "VOICE-UNIT-PRICE-NAIRA"),
        ("set-virtual-unit-price", "/admin/get-virtual-price", "VIRTUAL-UNIT-PRICE"),
        ("set-virtual-unit-price", "/api/get-virtual-price", "VIRTUAL-UNIT-PRICE"),
        ("set-own-number-unit-price", "/admin/get-own-price", "OWN-UNIT-PRICE"),
        ("set-own-number-unit-price", "/api/get-own-price", "OWN-UNIT-PRICE"),
    ] {
        let reply = daemon.post(&format!("/admin/{set}"), &admin, &[("price", "2.25")]).await;
        assert!(reply.json()["message"].as_str().unwrap().ends_with("Unit Price updated successfully!"));
        assert_eq!(daemon.get(get, &admin).await.json()[key][0]["value"], 2.25, "{get}");
    }
}

#[tokio::test]
async fn prices_are_changed_together_from_what_was_seen_and_their_history_is_told() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let version =
        daemon.get("/admin/get-prices", &admin).await.json()["version"].as_str().unwrap().to_owned();
    let form = [("SMS-UNIT-PRICE", "1.5"), ("VOICE-UNIT-PRICE-NAIRA", "9"), ("expect", version.as_str())];
    let reply = daemon.post("/admin/set-prices", &admin, &form).await;
    assert_eq!(reply.json()["changed"], 2, "{}", reply.text);
    assert_eq!(reply.json()["prices"]["VOICE-UNIT-PRICE-NAIRA"][0]["value"], 9);
    let late = daemon.post("/admin/set-prices", &admin, &form).await;
    assert_eq!((late.status, late.code().as_str()), (409, "prices_changed"));
    let same = daemon.post("/admin/set-prices", &admin, &form[..2]).await;
    assert_eq!(same.json()["message"], "No price changed");
    daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "2")]).await;
    let history = daemon.get("/admin/price-history?price=SMS-UNIT-PRICE", &admin).await.json();
    assert_eq!(history["total"], 2);
    let newest = &history["prices"][0];
    assert_eq!(
        (&newest["before"], &newest["after"], &newest["username"]),
        (&"1.5".into(), &"2".into(), &"root".into())
    );
    assert_eq!(daemon.get("/admin/price-history?price=X", &admin).await.status, 400);
    assert_eq!(daemon.post("/admin/set-prices", &admin, &[]).await.code(), "prices_required");
}

async fn put_rates(daemon: &TestDaemon, admin: &str, body: &serde_json::Value) -> crate::testing::Reply {
    daemon.send(daemon.request(Method::PUT, "/admin/rates", admin).json(body)).await
}

#[tokio::test]
async fn rates_are_set_whole_from_what_was_seen_and_visitors_read_them() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let none = daemon.get("/admin/rates", &admin).await.json();
    assert_eq!(
        none,
        serde_json::json!({ "rates": [], "plans": [], "total": 0, "version": "", "purposes": true })
    );
    let wanted = serde_json::json!({
        "rates": [
            { "prefix": "+44", "espees": "0.08", "naira": 60 },
            { "prefix": "234", "network": "MTN", "naira": 3.9 },
        ],
        "expect": "",
    });
    assert_eq!(put_rates(&daemon, &ada, &wanted).await.status, 403);
    let set = put_rates(&daemon, &admin, &wanted).await;
    assert_eq!((set.status, &set.json()["changed"]), (200, &3.into()), "{}", set.text);
    let shown = daemon.get("/api/rates", "").await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    let shown = shown.json();
    assert_eq!(shown["rates"][0]["network"], "mtn");
    assert_eq!(
        (&shown["rates"][1]["prefix"], &shown["rates"][1]["espees"]),
        (&"44".into(), &serde_json::json!(0.08)),
        "{shown}"
    );
    // What was read can be sent back, and is what there is.
    let mut same = daemon.get("/admin/rates", &admin).await.json();
    assert_eq!(put_rates(&daemon, &admin, &same).await.json()["message"], "No price changed");
    same["rates"].as_array_mut().unwrap().remove(0);
    same["expect"] = same["version"].clone();
    assert_eq!(put_rates(&daemon, &admin, &same).await.json()["changed"], 1);
    assert_eq!(
        put_rates(&daemon, &admin, &same).await.json()["changed"],
        0,
        "repeated, nothing is left to do"
    );
    same["rates"][0]["naira"] = 61.into();
    let late = put_rates(&daemon, &admin, &same).await;
    assert_eq!((late.status, late.code().as_str()), (409, "rates_changed"), "{}", late.text);
    same.as_object_mut().unwrap().remove("expect");
    let late = put_rates(&daemon, &admin, &same).await;
    assert_eq!(late.code(), "rates_changed", "the version that came with the list is expected, too");
    let one = daemon.get("/admin/price-history?price=RATE%20%2B44%20naira", &admin).await.json();
    assert_eq!((&one["total"], &one["prices"][0]["after"]), (&1.into(), &"60".into()), "{one}");
    let history = daemon.get("/admin/price-history?q=RATE", &admin).await.json();
    assert_eq!(
        (&history["total"], &history["prices"][0]["price"], &history["prices"][0]["after"]),
        (&4.into(), &"RATE +234 mtn naira".into(), &serde_json::Value::Null),
        "{history}"
    );
}

#[tokio::test]
async fn prices_and_rates_are_set_together_or_not_at_all() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let prices = daemon.get("/admin/get-prices", &admin).await.json()["version"].clone();
    let both = |rate: serde_json::Value| {
        serde_json::json!({
            "rates": [rate], "prices": { "SMS-UNIT-PRICE": "1.5" }, "expect": "", "expect_prices": prices,
        })
    };
    let bad = put_rates(&daemon, &admin, &both(serde_json::json!({ "prefix": "0044", "naira": 1 }))).await;
    assert_eq!((bad.status, bad.code().as_str()), (400, "bad_prefix"), "{}", bad.text);
    assert_eq!(bad.json()["errors"][0]["field"], "rates");
    let read = async || daemon.get("/admin/get-prices", &admin).await.json()["SMS-UNIT-PRICE"].clone();
    assert_eq!(read().await, serde_json::json!([]), "a rate that is refused leaves the price alone");
    let good = serde_json::json!({ "prefix": "44", "naira": 1 });
    assert_eq!(put_rates(&daemon, &admin, &both(good.clone())).await.json()["changed"], 2);
    assert_eq!(read().await[0]["value"], 1.5);
    let late = put_rates(&daemon, &admin, &both(good)).await;
    assert_eq!((late.status, late.code().as_str()), (409, "prices_changed"), "{}", late.text);
    for (body, code) in [
        (serde_json::json!({ "rates": [], "prices": { "MMS": 1 } }), "unknown_price"),
        (serde_json::json!({ "rates": [{ "prefix": "44", "niara": 1 }] }), "bad_request"),
        (serde_json::json!({ "rates": [{ "prefix": "44", "naira": 0.0000001 }] }), "bad_request"),
        (serde_json::json!({ "prices": {} }), "rates_required"),
    ] {
        let reply = put_rates(&daemon, &admin, &body).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, code), "{body}: {}", reply.text);
    }
    let form =
        daemon.send(daemon.request(Method::PUT, "/admin/rates", &admin).form(&[("rates", "44")])).await;
    assert_eq!(form.code(), "unsupported_body", "{}", form.text);
    let large =
        serde_json::json!({ "rates": [{ "prefix": "4".repeat(crate::limit::DOCUMENT_BYTES), "naira": 1 }] });
    assert_eq!(put_rates(&daemon, &admin, &large).await.status, 413);
}

#[tokio::test]
async fn rates_by_purpose_are_told_with_what_their_carriers_charge_to_administrators_alone() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let cost = serde_json::json!({ "currency": "naira", "segment": "2.2", "networks": { "mtn": "2.5" } });
    let costs = [("sandbox".to_owned(), serde_json::from_value(cost).unwrap())].into();
    let mut fleet = Fleet::clone(&daemon.app().fleet.now());
    fleet.costs = costs;
    daemon.app().fleet.swap(fleet);
    let rates = serde_json::json!({ "rates": [
        { "prefix": "234", "naira": 4 },
        { "prefix": "234", "network": "mtn", "purpose": "otp", "naira": 2.4 },
        { "prefix": "234", "network": "mtn", "naira": 3 },
    ]});
    assert_eq!(put_rates(&daemon, &admin, &rates).await.json()["changed"], 3);
    let told = |rates: &serde_json::Value| -> Vec<String> {
        let rates = rates["rates"].as_array().unwrap().iter();
        rates.map(|it| format!("{}/{}/{}", it["network"], it["purpose"], it["cost_naira"])).collect()
    };
    let shown = daemon.get("/admin/rates", &admin).await.json();
    assert_eq!(told(&shown), ["null/null/2.2", "\"mtn\"/null/2.5", "\"mtn\"/\"otp\"/2.5"], "{shown}");
    assert!(shown["rates"][0].get("cost_espees").is_none(), "{shown}");
    assert_eq!(put_rates(&daemon, &admin, &shown).await.json()["changed"], 0, "it can be sent back");
    // What knows nothing of purposes drops none of them.
    let mut old = shown.clone();
    old.as_object_mut().unwrap().remove("purposes");
    old["rates"].as_array_mut().unwrap().remove(2);
    assert_eq!(put_rates(&daemon, &admin, &old).await.code(), "rates_have_purposes");
    let of_ada = daemon.get("/api/rates", &ada).await;
    assert!(!of_ada.text.contains("cost"), "{}", of_ada.text);
    assert_eq!(of_ada.json()["rates"][2]["purpose"], "otp");
    let ask = async |who: &str, body: &serde_json::Value| {
        daemon.send(daemon.request(Method::POST, "/admin/rate-costs", who).json(body)).await
    };
    let asked = serde_json::json!({
        "rates": [{ "prefix": "+234", "network": "Glo", "naira": 1 }],
        "plans": [{ "name": "gold", "rates": [{ "prefix": "234", "naira": 1 }] }],
    });
    let costs = ask(&admin, &asked).await;
    assert_eq!(told(&costs.json()), ["\"Glo\"/null/2.2"], "{}", costs.text);
    assert_eq!(told(&costs.json()["plans"][0]), ["null/null/2.5"], "{}", costs.text);
    assert_eq!(ask(&ada, &asked).await.status, 403);
    let wrong = serde_json::json!({ "rates": [{ "prefix": "234", "purpose": "promo", "naira": 1 }] });
    assert_eq!(put_rates(&daemon, &admin, &wrong).await.code(), "bad_request");
    let twice = serde_json::json!({ "rates": [
        { "prefix": "234", "purpose": "otp", "naira": 1 }, { "prefix": "234", "purpose": "otp", "espees": 1 },
    ]});
    let twice = put_rates(&daemon, &admin, &twice).await;
    assert!(twice.text.contains("+234 for otp is given twice"), "{}", twice.text);
}
