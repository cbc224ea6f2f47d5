//! Who may tell of calls, and what of it is believed.

use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::header::HeaderValue;
use sha2::Sha256;

use super::*;

fn signed(key: &[u8], body: &[u8]) -> HeaderMap {
    let mac = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(body);
    let signature = hex::encode(mac.finalize().into_bytes());
    [("x-signature".parse().unwrap(), HeaderValue::from_str(&signature).unwrap())].into_iter().collect()
}

#[tokio::test]
async fn a_webhook_that_does_not_prove_its_sender_is_not_read() {
    let rig = Rig::start(provider(takes()).await, json!({})).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    let body = json!({ "ref": ours, "status": "completed", "duration": 600 }).to_string();
    let none = HeaderMap::new();
    let callback = Callback { headers: &none, query: "", body: body.as_bytes() };
    for secret in [None, Some("0123456789abcdeF"), Some("")] {
        assert_eq!(rig.hook.admits(secret), HookAdmission::Refused);
        assert_eq!(rig.hook.read(secret, &callback), Err(HookError::Unknown));
    }
    assert_eq!(rig.hook.admits(Some(SECRET)), HookAdmission::Shown);
    assert_eq!(rig.tell(&json!({ "status": "completed" })), Err(HookError::Unreadable), "of which call?");
    rig.tell(&json!({ "ref": ours, "status": "busy" })).unwrap();
    assert_eq!(to_its_end(&mut call).await.1.unwrap().outcome, CallOutcome::Busy);

    let signed = json!({ "signature_header": "X-Signature", "signature_secret": "key", "hook_secret": null });
    let config = config("http://127.0.0.1:9", signed);
    assert_eq!(config.callback_url().unwrap(), "https://drum.example/hooks/carriers/dialler");
    let hook = CallHook::new(&config, CallInbox::default());
    assert_eq!(
        (hook.admits(None), hook.admits(Some(SECRET))),
        (HookAdmission::Signed, HookAdmission::Refused)
    );
    assert_eq!(hook.read(None, &callback), Err(HookError::Unknown));
    let mac = Hmac::<Sha256>::new_from_slice(b"key").unwrap().chain_update(body.as_bytes());
    let right = hex::encode(mac.finalize().into_bytes());
    for (signature, opens) in
        [(right.clone(), true), (format!("sha256={right}"), true), (right.replace('a', "b"), false)]
    {
        let mut headers = HeaderMap::new();
        headers.insert("x-signature", HeaderValue::from_str(&signature).unwrap());
        let callback = Callback { headers: &headers, query: "", body: body.as_bytes() };
        assert_eq!(hook.read(None, &callback).is_ok(), opens || signature == right, "{signature}");
    }
}

#[test]
fn a_signature_covers_the_body_alone_so_nothing_else_is_read() {
    let more = json!({ "signature_header": "X-Signature", "signature_secret": "key", "hook_secret": null });
    let hook = CallHook::new(&config("http://127.0.0.1:9", more), CallInbox::default());
    let body = json!({ "id": "17", "status": "completed" }).to_string();
    let headers = signed(b"key", body.as_bytes());
    let query = "ref=another&seconds=9999&%2Fduration=9999";
    let told = hook.read(None, &Callback { headers: &headers, query, body: body.as_bytes() }).unwrap();
    assert_eq!((told.ours, told.news.up), (None, None));
    let (empty, query) = (signed(b"key", b""), "ref=another&status=completed");
    let nothing = hook.read(None, &Callback { headers: &empty, query, body: b"" });
    assert_eq!(nothing, Err(HookError::Unreadable));
}

#[test]
fn an_id_that_is_no_id_is_not_kept() {
    let hook = CallHook::new(&config("http://127.0.0.1:9", json!({})), CallInbox::default());
    let body = json!({ "id": "7".repeat(201), "status": "completed" }).to_string();
    let headers = HeaderMap::new();
    let told = hook.read(Some(SECRET), &Callback { headers: &headers, query: "", body: body.as_bytes() });
    assert_eq!(told, Err(HookError::Unreadable));
}

#[test]
fn secrets_are_read_from_the_first_lines_of_their_files() {
    let dir = tempfile::tempdir().unwrap();
    let (key, signature) = (dir.path().join("key"), dir.path().join("signature"));
    let more = json!({
        "api_key": null, "api_key_file": key, "signature_header": "X-Signature",
        "signature_secret_file": signature,
    });
    let config = config("https://voice.example", more);
    assert!(config.check_files().unwrap_err().to_string().contains("api_key_file"));
    std::fs::write(&key, "\n").unwrap();
    assert!(config.check_files().unwrap_err().to_string().contains("is empty"));
    std::fs::write(&key, "from-file\nsecond\n").unwrap();
    assert!(config.check_files().unwrap_err().to_string().contains("signature_secret_file"));
    std::fs::write(&signature, "sig\n").unwrap();
    let read = config.clone().with_secrets().unwrap();
    assert_eq!(read.link.api_key.reveal(), "from-file");
    assert_eq!(read.signature.unwrap().secret.reveal(), "sig");
    // Webhooks are proved by what is in the file, and never by nothing.
    let body = json!({ "id": "17", "status": "completed" }).to_string();
    let hook = |config: &HttpVoiceConfig| CallHook::new(config, CallInbox::default());
    let reads = |hook: &CallHook, key: &[u8]| {
        let headers = signed(key, body.as_bytes());
        hook.read(None, &Callback { headers: &headers, query: "", body: body.as_bytes() }).is_ok()
    };
    assert_eq!((reads(&hook(&config), b"sig"), reads(&hook(&config), b"")), (true, false));
    std::fs::remove_file(&signature).unwrap();
    assert!(!reads(&hook(&config), b"") && !reads(&hook(&config), b"sig"));
}
