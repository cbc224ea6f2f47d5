//! The form of a campaign as a client posted it, and its terms once it is checked.
//!
//! The rules are checked in the order of the specification's section 5, so that the client learns of
//! the same fault first that a browser would show.

use sha2::{Digest, Sha256};
use talkdrum_api::code;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Currency, MoneyError};
use talkdrum_api::purpose::Purpose;

use crate::campaign::audience::RecipientSource;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::canary::CanaryTerms;
use crate::sender;
use crate::store::Tx;
use crate::time::Time;

/// A campaign's form. A field that could not be read holds its error, which is reported in the order of the rules.
#[derive(Debug)]
pub struct Form {
    /// Who posted it.
    pub user_id: UserId,
    /// The kind in the call's path.
    pub kind: Kind,
    /// `senderid`.
    pub sender: Option<String>,
    /// `payment_method`: `espees`, or `paystack` (alias `naira`).
    pub payment_method: Option<String>,
    /// What [`read_purpose`] made of `purpose`; else the default of the API key that posts it.
    pub purpose: Result<Option<Purpose>>,
    /// What [`CanaryForm::read`](super::CanaryForm::read) made of `canary` and the fields that belong to it.
    pub canary: Result<Option<CanaryTerms>>,
    /// What [`Content::parse`] made of the message, title and card fields.
    pub content: Result<Content>,
    /// What [`crate::time::start::parse`] made of every `time`; none means at once.
    pub times: Result<Vec<Time>>,
    /// `contacts` and files, in the order in which they came.
    pub sources: Vec<RecipientSource>,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency_key: Option<String>,
}

/// The terms of a form.
#[derive(Debug)]
pub(crate) struct Terms {
    pub(crate) user: UserId,
    pub(crate) kind: Kind,
    pub(crate) sender: String,
    pub(crate) currency: Currency,
    /// What it is for. None says that the sender's default, else the account's, is to be looked up.
    pub(crate) purpose: Option<Purpose>,
    pub(crate) content: Content,
    pub(crate) times: Vec<Time>,
    /// Who is to get it before the rest.
    pub(crate) canary: Option<CanaryTerms>,
}

impl Form {
    /// Checks rules 2 to 7 of the specification's section 5 (the first is about the user), and hands out the terms
    /// with the recipients.
    pub(crate) fn read(self) -> Result<(Terms, Vec<RecipientSource>)> {
        let sender = required(self.sender, "senderid", "sender_required", "Sender ID is required")?;
        let method = required(
            self.payment_method,
            "payment_method",
            "payment_required",
            "Payment method is required",
        )?;
        let currency = method
            .parse()
            .map_err(|error: MoneyError| Error::field("payment_method", error.code(), error.to_string()))?;
        if self.sources.is_empty() {
            return Err(recipients_required());
        }
        let purpose = self.purpose?;
        let content = self.content?;
        if content.kind() != self.kind {
            return Err(Error::Corrupt("a form's content is not of the form's kind".into()));
        }
        let mut times = self.times?;
        times.sort_unstable();
        times.dedup();
        let canary = self.canary?;
        let (user, kind) = (self.user_id, self.kind);
        Ok((Terms { user, kind, sender, currency, purpose, content, times, canary }, self.sources))
    }
}

/// The `purpose` of a form or of a setting: one of three words, or nothing.
///
/// # Errors
/// `bad_purpose`, which names the words.
pub fn read_purpose(text: Option<&str>) -> Result<Option<Purpose>> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(None) };
    let found = Purpose::ALL.into_iter().find(|purpose| purpose.code() == text);
    found.map(Some).ok_or_else(|| {
        let words = Purpose::ALL.map(Purpose::code).join(", ");
        Error::field("purpose", "bad_purpose", format!("A message's purpose is one of: {words}"))
    })
}

fn required(
    value: Option<String>,
    field: &'static str,
    code: &'static str,
    message: &'static str,
) -> Result<String> {
    let value = value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    value.ok_or_else(|| Error::field(field, code, message))
}

pub(crate) fn recipients_required() -> Error {
    Error::field("contacts", code::RECIPIENTS_REQUIRED, "Recipients are required")
}

impl Terms {
    /// What it is for, its default looked up.
    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose.unwrap_or_default()
    }

    /// Looks up what it is for where the form does not say it: the sender's default, else the account's, else it is
    /// transactional.
    pub(crate) async fn settle_purpose(&mut self, tx: &mut Tx) -> Result<()> {
        if self.purpose.is_none() {
            self.purpose =
                Some(sender::default_purpose(tx, self.user, &self.sender).await?.unwrap_or_default());
        }
        Ok(())
    }

    /// The identity of a form: SHA-256 over its kind, sender, currency, content, times, purpose, canary, and the SHA-256 of
    /// each source of recipients, each with its length before it so that no two forms run into one. Two forms of one hash get
    /// one quote: a new field belongs in it.
    pub(crate) fn hash(&self, sources: &[[u8; 32]]) -> Result<[u8; 32]> {
        // The user is beside the hash wherever it is looked up.
        let Self { user: _, kind, sender, currency, purpose: _, content, times, canary } = self;
        let content = serde_json::to_vec(content)
            .map_err(|error| Error::Corrupt(format!("the content cannot be written: {error}")))?;
        let times: Vec<u8> = times.iter().flat_map(|time| time.0.to_be_bytes()).collect();
        let mut digest = Sha256::new();
        let parts = [
            b"talkdrum form 1".as_slice(),
            kind.code().as_bytes(),
            sender.as_bytes(),
            currency.code().as_bytes(),
            &content,
            &times,
            sources.as_flattened(),
        ];
        // What is transactional hashes as before there were purposes.
        let purpose = Some(self.purpose()).filter(|purpose| *purpose != Purpose::Transactional);
        // So does what has no canary.
        let canary = canary.as_ref().map(|CanaryTerms { size, seeds, delivery, wait_s }| {
            let seeds = seeds.iter().map(|seed| format!(", seed {seed}"));
            format!("canary {size}, {delivery}% within {wait_s} s{}", seeds.collect::<String>())
        });
        let purpose = purpose.as_ref().map(|purpose| purpose.code().as_bytes());
        for part in parts.into_iter().chain(purpose).chain(canary.as_ref().map(String::as_bytes)) {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Ok(digest.finalize().into())
    }
}

/// Reads the sources for their digests alone.
pub(crate) async fn digests(sources: Vec<RecipientSource>) -> Result<Vec<[u8; 32]>> {
    tokio::task::spawn_blocking(move || sources.into_iter().map(RecipientSource::digest).collect())
        .await
        .unwrap_or_else(|panic| Err(Error::Corrupt(format!("reading the recipients failed: {panic}"))))
}
