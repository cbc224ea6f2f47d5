//! `POST /admin/set-prices`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::setting::PricesChanged;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::settings::{self, PriceKey};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::{shown, told};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// Prices to be set together; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SetPrices {
    /// One page of a short message, in ESPEES.
    #[serde(rename = "SMS-UNIT-PRICE")]
    sms: Option<Amount>,
    /// One page of a short message, in Naira.
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA")]
    sms_naira: Option<Amount>,
    /// One page of a short message to a number outside Nigeria, in ESPEES.
    #[serde(rename = "SMS-ABROAD-UNIT-PRICE")]
    sms_abroad: Option<Amount>,
    /// One page of a short message to a number outside Nigeria, in Naira.
    #[serde(rename = "SMS-ABROAD-UNIT-PRICE-IN-NAIRA")]
    sms_abroad_naira: Option<Amount>,
    /// One pulse of a call, in ESPEES.
    #[serde(rename = "VOICE-UNIT-PRICE")]
    voice: Option<Amount>,
    /// One pulse of a call, in Naira.
    #[serde(rename = "VOICE-UNIT-PRICE-NAIRA")]
    voice_naira: Option<Amount>,
    /// One pulse of a call from a virtual number, in ESPEES.
    #[serde(rename = "VIRTUAL-UNIT-PRICE")]
    virtual_number: Option<Amount>,
    /// One pulse of a call from an own number, in ESPEES.
    #[serde(rename = "OWN-UNIT-PRICE")]
    own_number: Option<Amount>,
    /// The version of the prices that these were decided on: refused (409) when they are others by now.
    expect: Option<String>,
}

impl SetPrices {
    fn prices(&self) -> Vec<(PriceKey, Amount)> {
        [
            (PriceKey::sms(Currency::Espees), self.sms),
            (PriceKey::sms(Currency::Naira), self.sms_naira),
            (PriceKey::sms_abroad(Currency::Espees), self.sms_abroad),
            (PriceKey::sms_abroad(Currency::Naira), self.sms_abroad_naira),
            (PriceKey::voice(Currency::Espees), self.voice),
            (PriceKey::voice(Currency::Naira), self.voice_naira),
            (PriceKey::virtual_number(), self.virtual_number),
            (PriceKey::own_number(), self.own_number),
        ]
        .into_iter()
        .filter_map(|(key, amount)| Some((key, amount?)))
        .collect()
    }
}

/// Set several prices at once, all or none. Quotes that stand keep theirs.
#[utoipa::path(
    post, path = "/admin/set-prices", tag = "price",
    request_body = SetPrices,
    responses((status = 200, body = PricesChanged)),
)]
pub(super) async fn change_prices(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<SetPrices>,
) -> Answer<PricesChanged> {
    let prices = data.prices();
    if prices.is_empty() {
        return Err(Error::rule("prices_required", "Price is required: name at least one").into());
    }
    let changing = Changing {
        claim: key.claim(&caller, "price.set_all", digest),
        prices,
        expect: data.expect,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let changed = app.store.write(Lane::Interactive, changing, |tx, it| Box::pin(apply(tx, it))).await?;
    tracing::info!(changed = changed.changed, admin_id = caller.user_id.0, "price.set_all");
    Ok(Json(changed))
}

struct Changing {
    claim: Option<Claim>,
    prices: Vec<(PriceKey, Amount)>,
    expect: Option<String>,
    by: UserId,
    now: Time,
}

async fn apply(tx: &mut Tx, it: &Changing) -> Result<PricesChanged> {
    let changed: i64 = once(tx, it.claim.as_ref(), it.now, async |tx| {
        let changed = settings::change_prices(tx, &it.prices, it.expect.as_deref(), it.by, it.now).await?;
        Ok(i64::try_from(changed).unwrap_or(i64::MAX))
    })
    .await?;
    let message = told(changed);
    Ok(PricesChanged { changed, prices: shown(tx).await?, message })
}
