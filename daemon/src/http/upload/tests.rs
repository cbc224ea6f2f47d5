use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http;
use serde::Deserialize;
use talkdrum_core::model::account::id::UserId;

use super::*;
use crate::limit::admission::{Bodies, Sender};

#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<(String, String)>>>);

impl PartSink for Log {
    fn begin(&mut self, part: Part<'_>) -> CoreResult<()> {
        self.0.lock().unwrap().push((part.name.to_owned(), String::new()));
        Ok(())
    }
    fn chunk(&mut self, bytes: &[u8]) -> CoreResult<()> {
        let text = String::from_utf8_lossy(bytes);
        self.0.lock().unwrap().last_mut().unwrap().1.push_str(&text);
        Ok(())
    }
    fn end(&mut self) -> CoreResult<()> {
        Ok(())
    }
}

#[derive(Debug, Deserialize)]
struct Request {
    senderid: String,
    #[serde(default)]
    time: Vec<String>,
}

async fn read(content_type: &str, body: &str) -> Result<(Form<Request>, Vec<(String, String)>), ApiError> {
    let request = http::Request::builder()
        .header("content-type", content_type)
        .body(Body::from(body.to_owned()))
        .unwrap();
    let upload = Upload {
        encoding: Encoding::of(request.headers())?,
        has_key: true,
        incoming: Incoming::from_sender(request, Sender::User(UserId(1)), &Bodies::default()),
        small_bytes: 128,
        json_bytes: 1_000,
        upload_bytes: 10_000,
    };
    let mut log = Log::default();
    let form = upload.read(&["contacts", "file"], &mut log).await?;
    let parts = log.0.lock().unwrap().clone();
    Ok((form, parts))
}

const MULTIPART: &str = "multipart/form-data; boundary=x";

fn part(name: &str, value: &str) -> String {
    format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
}

#[tokio::test]
async fn every_encoding_gives_the_same_fields_parts_and_digest() {
    let multipart = format!(
        "{}{}{}{}--x--\r\n",
        part("contacts", "0803,0805"),
        part("time", "a"),
        part("senderid", "ACME"),
        part("time[]", "b")
    );
    let (form, parts) = read(MULTIPART, &multipart).await.unwrap();
    assert_eq!(form.data.senderid, "ACME");
    assert_eq!(form.data.time, ["a", "b"]);
    assert_eq!(parts, [("contacts".to_owned(), "0803,0805".to_owned())]);
    let (urlencoded, again) =
        read("application/x-www-form-urlencoded", "senderid=ACME&contacts=0803%2C0805&time=a&time=b")
            .await
            .unwrap();
    assert_eq!((again, urlencoded.digest), (parts.clone(), form.digest));
    let body = r#"{"contacts": "0803,0805", "senderid": "ACME", "time": ["a", "b"]}"#;
    let (json, again) = read("application/json", body).await.unwrap();
    assert_eq!((again, json.digest), (parts, form.digest));
    let (other, _) = read(MULTIPART, &multipart.replace("0805", "0806")).await.unwrap();
    assert_ne!(other.digest, form.digest, "a key tells files apart");
}

#[tokio::test]
async fn a_big_part_may_exceed_what_small_fields_may_not() {
    let big = "0".repeat(5_000);
    let (_, parts) =
        read(MULTIPART, &format!("{}{}--x--\r\n", part("senderid", "A"), part("file", &big))).await.unwrap();
    assert_eq!(parts[0].1.len(), 5_000);
    let refused = read(MULTIPART, &format!("{}--x--\r\n", part("senderid", &big))).await.unwrap_err();
    assert_eq!(refused.status(), 413);
    let huge = "0".repeat(20_000);
    let refused = read(MULTIPART, &format!("{}--x--\r\n", part("file", &huge))).await.unwrap_err();
    assert_eq!(refused.status(), 413);
    let refused = read("application/x-www-form-urlencoded", &format!("contacts={huge}")).await.unwrap_err();
    assert_eq!(refused.status(), 413);
}
