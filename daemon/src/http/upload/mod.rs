//! Bodies with big parts: recipients as a file or as text, of any size, handed to a consumer piece by piece.
//!
//! ```ignore
//! async fn quote(caller: Caller, upload: Upload) -> Answer<QuoteAnswer> {
//!     let mut intake = Intake::new();
//!     let form: Form<QuoteRequest> = upload.read(&["contacts", "file"], &mut intake).await?;
//! ```
//!
//! Parts may come in any order, so the consumer must not need the small fields. Of a big part no more than one piece is
//! held, whatever the encoding.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use talkdrum_core::Result as CoreResult;

use super::body::{Encoding, Form, without_type};
use super::fields::{Fields, Pieces};
use super::idempotency;
use super::incoming::{Bounds, Incoming};
use super::json::Deeper;
use crate::limit::SPOOL_MEMORY_BYTES;
use crate::problem::ApiError;
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

/// Takes nothing, for forms without big parts.
struct NoParts;

impl PartSink for NoParts {
    fn begin(&mut self, _: Part<'_>) -> CoreResult<()> {
        Ok(())
    }
    fn chunk(&mut self, _: &[u8]) -> CoreResult<()> {
        Ok(())
    }
    fn end(&mut self) -> CoreResult<()> {
        Ok(())
    }
}

/// A body that is not read yet.
#[derive(Debug)]
pub struct Upload {
    incoming: Incoming,
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
            small_bytes: app.limits.body_bytes(),
            json_bytes: app.limits.json_bytes(),
            upload_bytes: app.limits.upload_bytes(),
            incoming: Incoming::of(request, app)?,
        })
    }
}

impl Upload {
    /// Reads the body: parts named in `big` go to `sink`, the rest becomes the typed request. The digest covers both where
    /// there is an `Idempotency-Key`, else the rest only.
    ///
    /// # Errors
    /// 400, 408, 413, 429 or 503 for the body, or whatever the sink refuses.
    pub async fn read<T: DeserializeOwned>(
        self,
        big: &[&str],
        sink: &mut dyn PartSink,
    ) -> Result<Form<T>, ApiError> {
        let length = match self.encoding {
            Encoding::Multipart(_) | Encoding::Urlencoded => self.upload_bytes,
            Encoding::Json => self.json_bytes,
            Encoding::Nothing => return Err(without_type()),
        };
        // The spool holds so much of the typed recipients, and so much of all files together.
        let bounds = Bounds { length, memory: self.small_bytes + 2 * SPOOL_MEMORY_BYTES };
        let fields = Fields::within(self.incoming.memory(self.small_bytes));
        let mut sorter = Sorter::new(big, sink, fields, self.has_key);
        self.decode(bounds, Deeper::Refused, &mut sorter).await?;
        sorter.finish()
    }

    /// Reads a body that has no big parts.
    pub(super) async fn fields(self, deeper: Deeper) -> Result<Fields, ApiError> {
        let bounds = Bounds::held(self.small_bytes);
        let fields = Fields::within(self.incoming.memory(self.small_bytes));
        let mut nothing = NoParts;
        let mut sorter = Sorter::new(&[], &mut nothing, fields, false);
        self.decode(bounds, deeper, &mut sorter).await?;
        Ok(sorter.fields)
    }

    async fn decode(self, bounds: Bounds, deeper: Deeper, sorter: &mut Sorter<'_>) -> Result<(), ApiError> {
        let mut decoder = self.encoding.decoder(deeper)?;
        self.incoming.read(bounds, |bytes| decoder.push(bytes, sorter)).await?;
        decoder.finish(sorter)
    }
}

/// Sorts parts into small fields and big ones.
struct Sorter<'a> {
    big: &'a [&'a str],
    sink: &'a mut dyn PartSink,
    fields: Fields,
    current: Current,
    /// The digest of the big parts, where the caller asks for it.
    digest: Option<Sha256>,
}

enum Current {
    Small { name: String, value: Vec<u8> },
    Big { bytes: u64 },
}

impl<'a> Sorter<'a> {
    fn new(big: &'a [&'a str], sink: &'a mut dyn PartSink, fields: Fields, has_key: bool) -> Self {
        let current = Current::Big { bytes: 0 };
        Self { big, sink, fields, current, digest: has_key.then(Sha256::new) }
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
    fn begin(&mut self, name: &str, file_name: Option<&str>) -> Result<(), ApiError> {
        let plain = name.split('[').next().unwrap_or(name);
        if self.big.contains(&plain) {
            self.count_in(plain.as_bytes());
            self.current = Current::Big { bytes: 0 };
            return Ok(self.sink.begin(Part { name: plain, file_name })?);
        }
        self.current = Current::Small { name: name.to_owned(), value: Vec::new() };
        Ok(())
    }

    fn piece(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        match &mut self.current {
            Current::Big { bytes: count } => {
                *count += bytes.len() as u64;
                self.count_in(bytes);
                Ok(self.sink.chunk(bytes)?)
            }
            Current::Small { value, .. } => {
                self.fields.has_room_for(value.len() + bytes.len())?;
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
                let value = String::from_utf8(value)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
                self.fields.push(&name, value)
            }
        }
    }
}

#[cfg(test)]
mod tests;
