//! Settings as administrators set them and visitors see them.

use std::sync::Arc;

use reqwest::Method;
use serde_json::json;
use talkdrum_core::Time;
use talkdrum_core::entropy::SystemEntropy;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::settings::{Secret, SecretKey, Vault, set_secret};
use talkdrum_core::store::Lane;

use crate::testing::TestDaemon;

#[tokio::test]
async fn each_setting_is_a_list_whose_first_item_has_a_value() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    for (set, field, value, get, key) in [
        ("set-wallet-address", "wallet_address", "0x12ab", "get-wallet-address", "wallet-Address"),
        ("contact-address", "address", "1 Marina, Lagos", "get-contact-address", "Contact-address"),
        ("contact-phone", "phone", "+234 803 123 4567", "get-contact-phone", "Contact-phone"),
        ("set-admin-number", "phone_number", "08031234567", "get-admin-number", "Admin-Number"),
        ("contact-email", "email", "help@example.com", "get-contact-email", "Contact-email"),
        ("about-us", "content", "<p>4.50 a page</p>", "get-about-us", "About-Us"),
    ] {
        let get = format!("/admin/{get}");
        let read = || daemon.get(&get, &admin);
        assert_eq!(read().await.json(), json!({ key: [] }), "{key}");
        let path = format!("/admin/{set}");
        assert_eq!(daemon.post(&path, &admin, &[(field, " ")]).await.status, 400, "{key}");
        let reply = daemon.post(&path, &admin, &[(field, value)]).await;
        assert_eq!(reply.status, 200, "{key}: {}", reply.text);
        let records = read().await.json();
        assert_eq!(records[key], json!([{ "value": value, "updated_at": "2023-11-14T22:13:20.000Z" }]));
    }
    for (path, key) in [
        ("get-contact-address", "Contact-address"),
        ("get-contact-email", "Contact-email"),
        ("get-contact-phone", "Contact-phone"),
        ("get-about-us", "About-Us"),
    ] {
        for base in ["/api", "/admin"] {
            let reply = daemon.get(&format!("{base}/{path}"), "").await;
            assert!(reply.json()[key][0]["value"].is_string(), "{path}: {}", reply.text);
        }
    }
    assert_eq!(daemon.get("/admin/get-admin-number", "").await.status, 401);
}

#[tokio::test]
async fn keys_are_shown_by_their_last_four_characters_only() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    for (set, get, key) in [
        ("/admin/set-sms-api-key", "/admin/get-sms-api-key", "smsApiKey"),
        ("/admin/set-espee-api-key", "/admin/get-espee-api-key", "espeeApiKey"),
    ] {
        assert_eq!(daemon.get(get, &admin).await.json(), json!({ key: [] }));
        assert_eq!(
            daemon.post(set, &admin, &[("api_key", "")]).await.json()["message"],
            "API key is required"
        );
        let reply = daemon.post(set, &admin, &[("api_key", "key_0123456789abcdef")]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let shown = daemon.get(get, &admin).await;
        assert_eq!(shown.json()[key][0]["value"], "****cdef");
        assert!(!shown.text.contains("key_0123"), "{}", shown.text);
    }
    let foreign =
        Vault::new([9; 32], Arc::new(SystemEntropy)).seal("smsApiKey", &Secret::new("key")).unwrap();
    let put = daemon.store().write(Lane::Interactive, foreign, |tx, sealed| {
        Box::pin(set_secret(tx, SecretKey::SmsApiKey, sealed, UserId(1), Time(1)))
    });
    put.await.unwrap();
    assert_eq!(daemon.get("/admin/get-sms-api-key", &admin).await.json()["smsApiKey"][0]["readable"], false);
    let set = "/admin/set-paystack-keys";
    for form in [vec![("secret_key", "sk_test_x")], vec![("public_key", "pk_test_x")], vec![]] {
        let reply = daemon.post(set, &admin, &form).await;
        assert_eq!(reply.json()["message"], "Please provide both secret and public keys.");
    }
    let swapped = [("secret_key", "pk_test_0123456789"), ("public_key", "sk_test_0123456789")];
    assert_eq!(daemon.post(set, &admin, &swapped).await.code(), "keys_swapped");
    let keys = [("secret_key", "sk_test_0123456789"), ("public_key", "pk_test_9876543210")];
    let request = daemon
        .request(Method::POST, set, &admin)
        .json(&keys.into_iter().collect::<std::collections::BTreeMap<_, _>>());
    assert_eq!(daemon.send(request).await.status, 200);
    let shown = daemon.get("/admin/get-paystack-api-key", &admin).await.json();
    assert_eq!(shown["paystack_secret_key"][0]["value"], "****6789");
    assert_eq!(shown["paystack_public_key"][0]["value"], "****3210");
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_field() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    for (path, field, value, message) in [
        ("contact-email", "email", "nowhere", "Email address is invalid"),
        ("contact-phone", "phone", "call me", "Phone must be a telephone number, such as +2348031234567"),
        ("about-us", "content", "", "Content is required"),
        ("set-wallet-address", "wallet_address", "a b", "A wallet address holds no spaces"),
        ("set-sms-api-key", "api_key", "a b", "A key is one word of at most 4096 characters"),
    ] {
        let reply = daemon.post(&format!("/admin/{path}"), &admin, &[(field, value)]).await;
        assert_eq!((reply.status, &reply.json()["message"]), (400, &message.into()), "{path}");
        assert_eq!(reply.json()["errors"][0]["field"], field);
    }
    let script = daemon.post("/admin/about-us", &admin, &[("content", "<p>a</p><script>b</script>")]).await;
    assert_eq!(script.json()["message"], "Pricing write up updated successfully!");
    assert_eq!(daemon.get("/api/get-about-us", "").await.json()["About-Us"][0]["value"], "<p>a</p>");
}
