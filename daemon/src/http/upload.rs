//! Bodies with big parts: recipients as a file or as text, of any size, handed to a consumer piece by piece.
//!
//! ```ignore
//! async fn quote(caller: Caller, upload: Upload) -> Answer<QuoteAnswer> {
//!     let mut intake = Intake::new();
//!     let form: Form<QuoteRequest> = upload.read(&["contacts", "file"], &mut intake).await?;
//! ```
//!
//! Parts may come in any order, so the consumer must not need the small fields. The invariant: of a big part no more
//! than one piece is held; only a JSON body, which cannot be cut, is held whole and is limited to `limits.json_mib`.

use axum::body::Body;
use axum::extract::multipart::Field;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use futures::StreamExt as _;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use talkdrum_core::Result as CoreResult;

use super::body::{Encoding, Form, broken_form, json, multipart, whole};
use super::fields::Fields;
use super::idempotency;
use super::problem::ApiError;
use super::urlencoded::{Decoder, Pieces};
use crate::state::AppState;

/// What is known of a big part before its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The field's name.
    pub name: &'a str,
    /// The file's name, where the client gave one.
    pub file_name: Option<&'a str>,
}

/// Takes big parts, one after the other.
pub trait PartSink: Send {
    /// A part begins.
    fn begin(&mut self, part: Part<'_>) -> CoreResult<()>;
    /// The next bytes of it; cut anywhere, also within a character.
    fn chunk(&mut self, bytes: &[u8]) -> CoreResult<()>;
    /// The part is complete.
    fn end(&mut self) -> CoreResult<()>;
}

/// A body that is not read yet.
#[derive(Debug)]
pub struct Upload {
    request: Request,
    encoding: Encoding,
    small_bytes: usize,
    json_bytes: usize,
    upload_bytes: usize,
    /// Whether a key asks if the same was sent before: the digest of a long file is worth its time for nothing else.
    has_key: bool,
}

impl FromRequest<AppState> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        Ok(Self {
            encoding: Encoding::of(request.headers())?,
            has_key: request.headers().contains_key(idempotency::HEADER),
            request,
            small_bytes: app.limits.body_bytes(),
            json_bytes: app.limits.json_bytes(),
            upload_bytes: app.limits.upload_bytes(),
        })
    }
}

impl Upload {
    /// Reads the body: parts named in `big` go to `sink`, the rest becomes the typed request. The digest covers both where
    /// there is an `Idempotency-Key`, else the rest only.
    ///
    /// # Errors
    /// 400 or 413 for the body, or whatever the sink refuses.
    pub async fn read<T: DeserializeOwned>(
        self,
        big: &[&str],
        sink: &mut dyn PartSink,
    ) -> Result<Form<T>, ApiError> {
        let mut sorter = Sorter::new(big, sink, self.small_bytes, self.has_key);
        match self.encoding {
            Encoding::Multipart => read_multipart(self.request, self.upload_bytes, &mut sorter).await?,
            Encoding::Urlencoded => {
                read_urlencoded(self.request.into_body(), self.upload_bytes, &mut sorter).await?;
            }
            Encoding::Json => {
                sorter.json(json(&whole(self.request.into_body(), self.json_bytes).await?)?)?;
            }
            Encoding::Nothing => {
                return Err(ApiError::bad_request(None, "unsupported_body", "The body has no Content-Type"));
            }
        }
        sorter.finish()
    }
}

async fn read_multipart(mut request: Request, limit: usize, sorter: &mut Sorter<'_>) -> Result<(), ApiError> {
    DefaultBodyLimit::max(limit).apply(&mut request);
    let mut parts = multipart(request).await?;
    while let Some(mut part) = parts.next_field().await.map_err(|error| broken_form(&error, limit))? {
        begin_part(&part, sorter)?;
        while let Some(bytes) = part.chunk().await.map_err(|error| broken_form(&error, limit))? {
            sorter.piece(&bytes)?;
        }
        sorter.end()?;
    }
    Ok(())
}

fn begin_part(part: &Field<'_>, sorter: &mut Sorter<'_>) -> Result<(), ApiError> {
    let name = part.name().unwrap_or_default().to_owned();
    sorter.start(&name, part.file_name())
}

async fn read_urlencoded(body: Body, limit: usize, sorter: &mut Sorter<'_>) -> Result<(), ApiError> {
    let mut stream = body.into_data_stream();
    let mut decoder = Decoder::default();
    let mut taken = 0_usize;
    while let Some(bytes) = stream.next().await {
        let bytes = bytes.map_err(|_| {
            ApiError::bad_request(None, "broken_body", "The body ended before it was complete")
        })?;
        taken = taken.saturating_add(bytes.len());
        if taken > limit {
            return Err(ApiError::too_large(limit));
        }
        decoder.push(&bytes, sorter)?;
    }
    decoder.finish(sorter)
}

/// Sorts parts into small fields and big ones.
struct Sorter<'a> {
    big: &'a [&'a str],
    sink: &'a mut dyn PartSink,
    /// Bytes of small fields that may still come.
    room: usize,
    limit: usize,
    fields: Fields,
    current: Current,
    /// Of the big parts, where somebody wants to know.
    digest: Option<Sha256>,
}

enum Current {
    Small { name: String, value: Vec<u8> },
    Big { bytes: u64 },
}

impl<'a> Sorter<'a> {
    fn new(big: &'a [&'a str], sink: &'a mut dyn PartSink, limit: usize, has_key: bool) -> Self {
        Self {
            big,
            sink,
            room: limit,
            limit,
            fields: Fields::default(),
            current: Current::Big { bytes: 0 },
            digest: has_key.then(Sha256::new),
        }
    }

    fn start(&mut self, name: &str, file_name: Option<&str>) -> Result<(), ApiError> {
        let plain = name.split('[').next().unwrap_or(name);
        if self.big.contains(&plain) {
            self.count_in(plain.as_bytes());
            self.current = Current::Big { bytes: 0 };
            return Ok(self.sink.begin(Part { name: plain, file_name })?);
        }
        self.room = self.room.checked_sub(name.len()).ok_or_else(|| ApiError::too_large(self.limit))?;
        self.current = Current::Small { name: name.to_owned(), value: Vec::new() };
        Ok(())
    }

    /// JSON: big fields are texts or lists of texts, each a part; the rest are fields.
    fn json(&mut self, body: serde_json::Value) -> Result<(), ApiError> {
        let serde_json::Value::Object(mut object) = body else { return self.fields.push_json(body) };
        for name in self.big {
            let texts = match object.remove(*name) {
                None | Some(serde_json::Value::Null) => continue,
                Some(serde_json::Value::Array(items)) => items,
                Some(other) => vec![other],
            };
            for text in texts {
                let text = match text {
                    serde_json::Value::String(text) => text,
                    serde_json::Value::Number(number) => number.to_string(),
                    _ => {
                        return Err(ApiError::bad_request(
                            Some(name),
                            "bad_json",
                            format!("{name} must be a text or a list of texts"),
                        ));
                    }
                };
                self.start(name, None)?;
                self.piece(text.as_bytes())?;
                self.end()?;
            }
        }
        self.fields.push_json(serde_json::Value::Object(object))
    }

    fn count_in(&mut self, bytes: &[u8]) {
        if let Some(digest) = &mut self.digest {
            digest.update(bytes);
        }
    }

    fn finish<T: DeserializeOwned>(mut self) -> Result<Form<T>, ApiError> {
        let fields = self.fields.digest();
        let digest = self.digest.take().map_or(fields, |big| big.chain_update(fields).finalize().into());
        Ok(Form { digest, data: self.fields.parse()? })
    }
}

impl Pieces for Sorter<'_> {
    fn begin(&mut self, name: &str) -> Result<(), ApiError> {
        self.start(name, None)
    }

    fn piece(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        match &mut self.current {
            Current::Big { bytes: count } => {
                *count += bytes.len() as u64;
                self.count_in(bytes);
                Ok(self.sink.chunk(bytes)?)
            }
            Current::Small { value, .. } => {
                self.room =
                    self.room.checked_sub(bytes.len()).ok_or_else(|| ApiError::too_large(self.limit))?;
                value.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn end(&mut self) -> Result<(), ApiError> {
        match std::mem::replace(&mut self.current, Current::Big { bytes: 0 }) {
            Current::Big { bytes } => {
                self.count_in(&bytes.to_be_bytes());
                Ok(self.sink.end()?)
            }
            Current::Small { name, value } => {
                self.fields.push(&name, String::from_utf8_lossy(&value).into_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use axum::http;
    use serde::Deserialize;

    use super::*;

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

    async fn read(
        content_type: &str,
        body: &str,
    ) -> Result<(Form<Request>, Vec<(String, String)>), ApiError> {
        let request = http::Request::builder()
            .header("content-type", content_type)
            .body(Body::from(body.to_owned()))
            .unwrap();
        let upload = Upload {
            encoding: Encoding::of(request.headers())?,
            has_key: true,
            request,
            small_bytes: 64,
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
            read(MULTIPART, &format!("{}{}--x--\r\n", part("senderid", "A"), part("file", &big)))
                .await
                .unwrap();
        assert_eq!(parts[0].1.len(), 5_000);
        let refused = read(MULTIPART, &format!("{}--x--\r\n", part("senderid", &big))).await.unwrap_err();
        assert_eq!(refused.status(), 413);
        let huge = "0".repeat(20_000);
        let refused = read(MULTIPART, &format!("{}--x--\r\n", part("file", &huge))).await.unwrap_err();
        assert_eq!(refused.status(), 413);
        let refused =
            read("application/x-www-form-urlencoded", &format!("contacts={huge}")).await.unwrap_err();
        assert_eq!(refused.status(), 413);
    }
}
