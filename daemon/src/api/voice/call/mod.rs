//! `POST /api/voice-call`: calls to many, in one step or in two.

mod form;
mod own_number;

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use talkdrum_api::code;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::Amount;
use talkdrum_api::voice::{VoiceCallAnswer, VoiceCallSent};
use talkdrum_core::campaign::audience::RecipientSource;
use talkdrum_core::campaign::confirm::{Confirmation, QuoteTarget};
use talkdrum_core::campaign::quote::{CanaryForm, Form};
use talkdrum_core::content::{CallScript, CallerNumber, Content, Poll};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::campaign::id::QuoteId;
use talkdrum_core::model::voice::id::RecordingId;
use talkdrum_core::store::account::user;
use talkdrum_core::store::sender::number as virtual_number;
use talkdrum_core::time::{Time, start};
use talkdrum_core::voice::clip::SECONDS_MAX;
use talkdrum_core::voice::library;
use talkdrum_core::voice::recording::Recording;
use talkdrum_core::{Error, Result};

use self::form::{Parts, VoiceCallForm, VoiceSource};
use crate::api::campaign::{Payer, confirm_quote, offer, payer};
use crate::http::{Answer, ApiError, Caller, Form as Body, IdempotencyKey, Upload};
use crate::state::AppState;

/// Call many numbers and play them a text that is spoken, an MP3, or a recording that was kept.
///
/// With `quote=1` it answers what the calls will cost at most, and charges nothing; with `quote_id` it confirms exactly
/// that, once. With neither it quotes and confirms in one call; `max_charge` bounds what that may cost. Each call is billed
/// by pulses from its answer on: the most that all can cost is reserved, and the rest is released. A call that is not
/// answered costs nothing. An MP3 is kept as a recording.
///
/// With `digits` it asks a question that is answered by key, and `plays` says how often it is played at most while no key is
/// pressed: all of that is reserved. The key 9 opts the number out, in every call.
///
/// With `own_number`, no contacts and nothing to play, a call to that number speaks a code of six digits, twice. The most
/// that it can take is charged before it is placed, at the own-number price; what it does not take, and all of it where it is
/// not answered, is refunded. The answer is `Code sent`, and `GET /api/own-number-calls/{id}` tells how it goes. With
/// `validation_code` the number is verified, and calls may be from it. A code is good for 10 minutes and 5 tries. How many such
/// calls there may be:
///
/// - of a user one a minute, 5 an hour and 10 a day, and 5 a day to one number; otherwise 429
/// - of all users to one number one a minute, 10 an hour and 30 a day; otherwise 429
/// - none at night: 409 `quiet_hours`
/// - none while no money came into the account: 403 `verifications_unfunded`
///
/// The verified phone of the user's profile is called at any hour, and calls to it that other users asked for do not count;
/// only one of theirs that is under way holds it up.
#[utoipa::path(
    post, path = "/api/voice-call", tag = "voice",
    request_body(content = VoiceCallForm, content_type = "multipart/form-data"),
    responses((status = 200, body = VoiceCallAnswer)),
)]
pub(super) async fn call_many(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    upload: Upload,
) -> Answer<VoiceCallAnswer> {
    caller.require_active()?;
    let mut parts = Parts::new(&app);
    let Body { data, digest } = upload.read::<VoiceCallForm>(&form::BIG, &mut parts).await?;
    if let Some(id) = data.quote_id {
        return confirm(&app, &caller, QuoteId(id), key.0, None).await;
    }
    let Parts { spool, mp3, .. } = parts;
    let sources = data.sources(spool);
    if sources.as_ref().is_ok_and(Vec::is_empty) && data.verifies_number(mp3.is_filled()) {
        let claim = key.claim(&caller, "own_number.verify", digest);
        return own_number::verify(&app, &caller, &data, claim).await;
    }
    // In one step the key stands for the whole request: done before, it is answered before anything is checked again.
    if !data.is_quote()
        && let Some(key) = &key.0
        && let Some(id) = app.campaigns.confirmed_by(caller.user_id, key, digest).await?
    {
        return confirm(&app, &caller, id, Some(key.clone()), Some(digest)).await;
    }
    let source = data.source(mp3.is_filled())?;
    let sources = sources?;
    let is_quote = data.is_quote();
    if sources.is_empty() {
        return Err(Error::field("contacts", code::RECIPIENTS_REQUIRED, "Recipients are required").into());
    }
    if data.payment_method.is_none() {
        return Err(Error::field("payment_method", "payment_required", "Payment method is required").into());
    }
    let most = data.most()?;
    let number = match data.caller_number()? {
        Some(number) => Some(kind_of(&app, caller.user_id, number).await?),
        None => None,
    };
    let poll = Poll::parse(&data.digits, data.plays.as_deref())?;
    let times = times(&app, &caller, &data.start_time).await?;
    let script = match source {
        VoiceSource::Speech(message, voice) => {
            spoken(&app, &caller, (message.as_deref(), voice.as_deref()), number.clone()).await?
        }
        VoiceSource::Upload => {
            let (file, name) = mp3.into_file()?;
            let (limits, quotas, user) = (app.recording_limits, app.quotas, caller.user_id);
            let name = library::name_of(None, name.as_deref())?;
            let (store, clock) = (app.store.clone(), app.clock.clone());
            let add = async move {
                let recording = Recording::decode_in_background(file, limits).await?;
                library::add(&store, &*clock, (user, name), &recording, quotas, None).await
            };
            let added = app.decodings.read(true, user, add).await?;
            recorded(&app, user, added.id, number.clone()).await?
        }
        VoiceSource::Recording(id) => recorded(&app, caller.user_id, id, number.clone()).await?,
    };
    let script = script.asking(poll, Duration::from_secs(SECONDS_MAX.into()))?;
    let label = data.default_id.filter(|label| !label.trim().is_empty());
    let sender = number.as_ref().map(|number| number.number().to_owned()).or(label);
    let form = Form {
        user_id: caller.user_id,
        kind: Kind::Voice,
        sender: Some(sender.unwrap_or_else(|| form::LABEL.to_owned())),
        payment_method: data.payment_method,
        purpose: caller.purpose_or_default(data.purpose.as_deref()),
        canary: CanaryForm {
            size: data.canary.as_deref(),
            seeds: data.canary_seeds.as_deref(),
            delivery: data.canary_delivery.as_deref(),
            wait_s: data.canary_wait_s.as_deref(),
        }
        .read(Kind::Voice),
        content: Ok(Content::Voice(script)),
        times,
        sources,
        idempotency_key: key.0.clone().filter(|_| is_quote),
    };
    let quote = app.campaigns.quote(form).await?;
    if is_quote {
        return Ok(Json(VoiceCallAnswer::Quoted(offer(&app, caller.user_id, quote).await)));
    }
    if let Some(most) = most.filter(|most| quote.total_charges > *most) {
        return Err(Error::rule(
            "max_charge",
            format!(
                "The calls may cost {} {}, more than the {most} that max_charge allows; nothing was charged",
                quote.total_charges, quote.currency
            ),
        )
        .into());
    }
    confirm(&app, &caller, QuoteId(quote.quote_id), key.0, Some(digest)).await
}

/// Confirms a quote. With `request_hash` the key is that of a request which quoted it, too.
async fn confirm(
    app: &AppState,
    caller: &Caller,
    id: QuoteId,
    key: Option<String>,
    request_hash: Option<[u8; 32]>,
) -> Answer<VoiceCallAnswer> {
    let (Payer { user_id, ordered_by }, idempotency_key) = payer(app, caller, id, key).await?;
    let (kind, target) = (Kind::Voice, QuoteTarget::Quote(id));
    let confirmation = Confirmation { user_id, ordered_by, kind, target, idempotency_key, request_hash };
    let confirmed = confirm_quote(app, confirmation).await?;
    let id = confirmed.details.id;
    Ok(Json(VoiceCallAnswer::Sent(VoiceCallSent::of(confirmed, id))))
}

async fn spoken(
    app: &AppState,
    caller: &Caller,
    (message, voice): (Option<&str>, Option<&str>),
    number: Option<CallerNumber>,
) -> Result<CallScript, ApiError> {
    use talkdrum_core::voice::speech::SpeechText;
    let text = SpeechText::parse(message, voice, app.speech_characters_max)?;
    app.preview_rate.check(caller.user_id)?;
    let (speech, terms) = (app.speech.clone(), app.call_terms);
    app.previews.read(true, caller.user_id, async move { terms.spoken(&speech, text, number).await }).await
}

async fn recorded(
    app: &AppState,
    user: UserId,
    id: RecordingId,
    number: Option<CallerNumber>,
) -> Result<CallScript, ApiError> {
    let mut tx = app.store.read().await?;
    Ok(app.call_terms.recorded(&mut tx, user, id, number).await?)
}

/// A number of the caller's by its kind, which decides the price. Whether they may call from it is asked with the quote.
async fn kind_of(app: &AppState, user: UserId, number: String) -> Result<CallerNumber> {
    let holder = virtual_number::holder(&mut app.store.read().await?, &number).await?;
    Ok(if holder == Some(user) { CallerNumber::Virtual(number) } else { CallerNumber::Own(number) })
}

/// The start times: seconds since 1970, as the specification's client sends them, or as in every other form.
async fn times(app: &AppState, caller: &Caller, texts: &[String]) -> Result<Result<Vec<Time>>, ApiError> {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    if texts.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let user = user::by_id(&mut app.store.read().await?, caller.user_id).await?;
    let zone = user.ok_or(Error::NotFound("user"))?.zone;
    let read = |text: &str| match text.parse::<u32>() {
        Ok(seconds) => Ok(Time(i64::from(seconds) * 1_000)),
        Err(_) => start::parse(text, &zone),
    };
    Ok(texts.into_iter().map(read).collect())
}

impl VoiceCallForm {
    /// Whether a quote is asked for.
    fn is_quote(&self) -> bool {
        self.quote.as_deref().is_some_and(|quote| matches!(quote.trim(), "1" | "true" | "yes"))
    }

    /// The most that it may cost.
    fn most(&self) -> Result<Option<Amount>> {
        if self.max_charge.is_some_and(|most| most < Amount::ZERO) {
            let message = "max_charge is the most that the calls may cost: zero or more";
            return Err(Error::field("max_charge", "amount_negative", message));
        }
        Ok(self.max_charge)
    }

    fn sources(&self, spool: crate::api::campaign::Spool) -> Result<Vec<RecipientSource>> {
        let groups = self.groups.iter().chain(&self.group_ids).copied().collect();
        crate::api::campaign::sources(spool, groups, &self.audience, &self.column)
    }
}

#[cfg(test)]
mod tests;
