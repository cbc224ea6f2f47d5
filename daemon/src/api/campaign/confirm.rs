//! The second step: a quote becomes campaigns, once.

use axum::Json;
use talkdrum_api::campaign::Confirmed;
use talkdrum_api::kind::Kind;
use talkdrum_core::campaign::confirm::{Confirmation, QuoteTarget};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::campaign::id::QuoteId;
use talkdrum_core::store::account::user;
use talkdrum_core::store::campaign::{quote, spending};
use talkdrum_core::{Error, Result};

use super::form::{self, Posted, When};
use crate::http::{Answer, Caller, IdempotencyKey, Upload};
use crate::state::AppState;

/// Confirms the quote that a form names, or the newest one for the identical form.
pub(super) async fn confirm(
    app: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    upload: Upload,
    call: (Kind, When),
) -> Answer<Confirmed> {
    let Posted { quote_id, mut form } = form::read(app, caller, key, upload, call).await?;
    let key = form.idempotency_key.take();
    let (target, payer, idempotency_key) = match quote_id.map(QuoteId) {
        Some(id) => {
            let (payer, key) = payer(app, caller, id, key).await?;
            (QuoteTarget::Quote(id), payer, key)
        }
        None => (QuoteTarget::Form(Box::new(form)), Payer { user_id: caller.user_id, ordered_by: None }, key),
    };
    let Payer { user_id, ordered_by } = payer;
    let confirmation =
        Confirmation { user_id, ordered_by, kind: call.0, target, idempotency_key, request_hash: None };
    Ok(Json(confirm_quote(app, confirmation).await?))
}

/// Confirms a quote, wakes the workers, and tells administrators of what waits for them.
pub(in crate::api) async fn confirm_quote(app: &AppState, confirmation: Confirmation) -> Result<Confirmed> {
    let Confirmation { user_id, ordered_by, .. } = confirmation;
    let confirmed = app.campaigns.confirm(confirmation).await?;
    if let Some(workers) = &app.workers {
        workers.wake();
    }
    let message = confirmed.message(app.clock.now());
    if confirmed.is_in_review() && !confirmed.was_confirmed {
        let held = confirmed.shown.iter().map(|it| (it.id, it.total_contacts, it.senderid.clone()));
        tell_administrators(app, user_id, &held.collect::<Vec<_>>()).await;
    }
    if !confirmed.was_confirmed {
        for it in &confirmed.shown {
            tracing::info!(
                campaign = it.id,
                quote = it.quote_id,
                user_id = user_id.0,
                ordered_by = ordered_by.map(|by| by.0),
                kind = it.sms_type,
                recipients = it.total_contacts,
                charge = %it.total_charges,
                currency = it.currency,
                start = it.scheduled_at.as_deref(),
                status = it.status,
                "a campaign was confirmed"
            );
        }
    }
    let campaigns = confirmed.shown;
    let details = campaigns.first().cloned();
    let details = details.ok_or_else(|| Error::Corrupt("a confirmed quote has no campaign".into()))?;
    Ok(Confirmed { details, campaigns, message })
}

/// A campaign that waits: its id, recipients and sender.
type HeldCampaign = (i64, i64, String);

/// Tells administrators of campaigns that wait for them. They wait, and are listed as paused, told or not.
pub(in crate::api) async fn tell_administrators(app: &AppState, user_id: UserId, held: &[HeldCampaign]) {
    if let Err(error) = write_to_administrators(app, user_id, held).await {
        tracing::warn!(code = error.code(), %error, user_id = user_id.0, "administrators are not told of a held campaign");
    }
}

async fn write_to_administrators(app: &AppState, user_id: UserId, held: &[HeldCampaign]) -> Result<()> {
    let mut tx = app.store.read().await?;
    let addresses = spending::administrators(&mut tx).await?;
    let user = user::by_id(&mut tx, user_id).await?.ok_or(Error::NotFound("user"))?;
    drop(tx);
    let subject = format!("A first large send by {} waits for you", user.username);
    let mut text =
        format!("{} (user {user_id}) confirmed a first large send. It is paused:\n\n", user.username);
    for (campaign, recipients, sender) in held {
        text.push_str(&format!("campaign {campaign}: {recipients} recipients, sender {sender}\n"));
    }
    text.push_str(
        "\nLook at it, and let it go on ('talkdrum campaigns resume ID'; later sends of this user then go out by \
         themselves) or cancel it ('talkdrum campaigns cancel ID'; the customer gets the money back).\n",
    );
    text.push_str(&format!(
        "'talkdrum users limits {} --proven' lets later sends go out without that; what waits is resumed one by one.\n",
        user.username
    ));
    for (address,) in addresses {
        app.notices.email(&address.parse()?, &subject, &text).await?;
    }
    Ok(())
}

/// Whose quote is confirmed.
#[derive(Clone, Copy, Debug)]
pub(in crate::api) struct Payer {
    /// Its owner.
    pub(in crate::api) user_id: UserId,
    /// The administrator who confirms it for the owner.
    pub(in crate::api) ordered_by: Option<UserId>,
}

/// Whose quote a caller confirms, and under which key: one's own; an administrator also that of messages which were settled to
/// be sent again, at their owner's expense. Any other quote is confirmed by its owner alone.
pub(in crate::api) async fn payer(
    app: &AppState,
    caller: &Caller,
    quote_id: QuoteId,
    key: Option<String>,
) -> Result<(Payer, Option<String>)> {
    let own = (Payer { user_id: caller.user_id, ordered_by: None }, key);
    if !caller.sees_all() {
        return Ok(own);
    }
    let row = quote::by_id(&mut app.store.read().await?, quote_id).await?;
    let payer = row.filter(|row| row.agreed.resend_of.is_some()).map(|row| row.agreed.user_id);
    let Some(user_id) = payer.filter(|payer| *payer != caller.user_id) else { return Ok(own) };
    tracing::info!(
        quote_id = quote_id.0,
        user_id = user_id.0,
        admin_id = caller.user_id.0,
        "campaign.confirm_for"
    );
    let ordered_by = Some(caller.user_id);
    Ok((Payer { user_id, ordered_by }, own.1.map(|key| administrators_key(caller.user_id, &key))))
}

/// An administrator's key in the key space of the owner. Keys of clients hold no blank, so the owner can use none of these.
fn administrators_key(admin_id: UserId, key: &str) -> String {
    format!("admin {admin_id} {key}")
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use super::administrators_key;
    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn an_owner_cannot_take_the_key_of_an_administrator_who_confirms() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let keyed = async |key: &str| {
            let request = daemon.request(Method::POST, "/api/optouts", &ada).header("Idempotency-Key", key);
            daemon.send(request.form(&[("phone", "08031239876")])).await
        };
        let taken = keyed(&administrators_key(UserId(1), "k1")).await;
        assert_eq!((taken.status, taken.code().as_str()), (400, "bad_idempotency_key"), "{}", taken.text);
        assert_ne!(keyed("k1").await.code(), "bad_idempotency_key");
    }
}
