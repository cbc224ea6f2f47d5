//! The first step: post the form, streamed, and get what it would be and cost.

use std::path::Path;

use talkdrum_api::campaign::{Quote, QuoteAnswer};

use crate::client::{Answer, CallError, Client};
use crate::cmd::Context;
use crate::cmd::download::download;
use crate::cmd::idempotency::Keys;
use crate::exit::{Failure, Result};
use crate::form::CampaignForm;
use crate::progress::Upload;

/// Asks for the quote of a form.
pub(super) async fn ask(
    context: &Context,
    client: &Client,
    form: &CampaignForm,
    key: Option<&str>,
) -> Result<Result<Quote, CallError>> {
    let upload = Upload::new(form.upload_bytes(), context.out.quiet || !form.has_files());
    let multipart = form.multipart(&upload).await?;
    let answer: Result<Answer<QuoteAnswer>, _> = client.post_form(&form.path(), multipart, key).await;
    upload.end();
    Ok(answer.map(|answer| answer.value.details))
}

/// What a failed quote means: whatever became of it, nothing was sent; an earlier run with the given key may have.
pub(super) fn failure(error: CallError, keys: Option<&Keys>) -> Failure {
    match keys.and_then(under_given) {
        None => error.safe_to_repeat("nothing was sent or charged: it is safe to run the same command again"),
        Some(again) if error.is_in_doubt() => error.safe_to_repeat(&again),
        Some(_) => {
            let failure = Failure::from(error);
            match failure.hint {
                Some(_) => failure,
                None => failure.hint(
                    "an earlier run with this key may have sent it: talkdrum campaigns list shows that",
                ),
            }
        }
    }
}

/// What to do about a quote under a key that the caller chose, and so may have used before.
pub(super) fn under_given(keys: &Keys) -> Option<String> {
    keys.is_given()
        .then(|| format!("this run sent nothing; {}: it never sends or charges twice", keys.again()))
}

/// Saves every entry that is no usable number.
pub(super) async fn save_rejects(
    context: &Context,
    client: &Client,
    quote: &Quote,
    file: Option<&Path>,
) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    download(context, client, &format!("/api/quotes/{}/rejects", quote.quote_id), &(), Some(file)).await
}
