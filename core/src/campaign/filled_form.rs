//! The form of a campaign, filled in as it was: what "Duplicate" begins with.
//!
//! Its groups are those that are still there, as they are now. Where it went to others, too, or
//! to groups that are gone, the campaign itself (`campaign:ID`) stands for all of its recipients, and the next quote reads them ([`crate::campaign::audience::RecipientSource::earlier`]).

use talkdrum_api::call::QuestionKey;
use talkdrum_api::filled_form::FilledForm;
use talkdrum_api::money::Currency;

use crate::campaign::erased::refuse_erased;
use crate::campaign::single::OWN_TEXT;
use crate::content::{CallScript, CallerNumber, ClipSource, Content};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::voice::id::RecordingId;
use crate::store::Tx;
use crate::store::campaign::{quote, resend};
use crate::store::contact::group;
use crate::store::voice::recording;

/// What the form of a user's campaign said.
///
/// # Errors
/// 404 when there is no such campaign, or it belongs to another user; `text_erased` where its text was.
pub async fn of_campaign(tx: &mut Tx, user: UserId, id: CampaignId) -> Result<FilledForm> {
    let row = resend::campaign(tx, id).await?.filter(|row| row.user_id == user);
    let row = row.ok_or(Error::NotFound("campaign"))?;
    refuse_erased(&row.content)?;
    let sent_to = quote::details(tx, row.quote_id).await?.groups;
    let mut groups = Vec::with_capacity(sent_to.ids.len());
    for id in &sent_to.ids {
        if group::by_id(tx, *id).await?.is_some_and(|row| row.user_id == user) {
            groups.push(id.0);
        }
    }
    let canary = quote::canary(tx, row.quote_id).await?.filter(|canary| canary.size > canary.seeds);
    let is_whole = sent_to.are_all && groups.len() == sent_to.ids.len() && !groups.is_empty();
    let mut form = FilledForm {
        sms_type: row.kind.code().to_owned(),
        senderid: row.sender,
        payment_method: method(row.currency).to_owned(),
        purpose: row.purpose,
        canary: canary.map(|it| (it.size - it.seeds).to_string()),
        canary_delivery: canary.and_then(|it| it.delivery.try_into().ok()),
        canary_wait_s: canary.and_then(|it| it.wait_s.try_into().ok()),
        groups,
        audience: if is_whole { Vec::new() } else { vec![format!("campaign:{id}")] },
        ..FilledForm::default()
    };
    match row.content {
        // Single messages whose texts differ have no text in common, and are no campaign that someone would copy.
        Content::Text { text } | Content::Flash { text } | Content::Unicode { text } if text == OWN_TEXT => {
            form.audience = Vec::new();
        }
        Content::Text { text } | Content::Flash { text } | Content::Unicode { text } => {
            form.message = Some(text);
        }
        Content::WapPush { title, url } => (form.wap_title, form.wap_url) = (Some(title), Some(url)),
        Content::Vcard(card) => {
            form.first_name = Some(card.first_name);
            form.last_name = Some(card.last_name);
            form.company = Some(card.company);
            form.job_title = Some(card.job_title);
            form.telephone = Some(card.telephone);
            form.email = Some(card.email);
        }
        Content::Voice(script) => fill_call(tx, user, &mut form, script).await?,
    }
    Ok(form)
}

async fn fill_call(tx: &mut Tx, user: UserId, form: &mut FilledForm, script: CallScript) -> Result<()> {
    match script.clip {
        ClipSource::Speech { text, voice } => (form.tts_msg, form.tts_voice) = (Some(text), Some(voice)),
        ClipSource::Recording { id, .. } => {
            // It may be deleted by now.
            let kept = recording::by_id(tx, RecordingId(id)).await?.is_some_and(|row| row.user_id == user);
            form.audio_url = kept.then(|| id.to_string());
        }
    }
    match script.caller {
        Some(CallerNumber::Own(number)) => form.own_number = Some(number),
        Some(CallerNumber::Virtual(number)) => form.virtual_number = Some(number),
        None => {}
    }
    if let Some(poll) = script.poll {
        let keys = poll.keys.into_iter();
        form.digits = keys.map(|it| QuestionKey { key: it.key.to_string(), label: it.label }).collect();
        form.plays = Some(poll.plays);
    }
    Ok(())
}

/// As forms name it.
const fn method(currency: Currency) -> &'static str {
    match currency {
        Currency::Espees => "espees",
        Currency::Naira => "paystack",
    }
}

#[cfg(test)]
mod tests;
