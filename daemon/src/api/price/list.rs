//! `GET /admin/get-prices`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::money::Currency;
use talkdrum_api::setting::Prices;
use talkdrum_api::wallet::PriceRecord;
use talkdrum_core::Result;
use talkdrum_core::settings::{PriceKey, price_list, price_version};
use talkdrum_core::store::Tx;

use super::records;
use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// Every price, with the version that `POST /admin/set-prices` takes as `expect`.
#[utoipa::path(get, path = "/admin/get-prices", tag = "price", responses((status = 200, body = Prices)))]
pub(super) async fn list_prices(State(app): State<AppState>, _caller: AdminCaller) -> Answer<Prices> {
    Ok(Json(shown(&mut app.store.snapshot().await?).await?))
}

/// Every price.
pub(super) async fn shown(tx: &mut Tx) -> Result<Prices> {
    let list = price_list(tx).await?;
    let of = |key: PriceKey| -> Vec<PriceRecord> {
        records(list.iter().find(|(known, _)| *known == key).and_then(|(_, price)| *price))
    };
    Ok(Prices {
        sms: of(PriceKey::sms(Currency::Espees)),
        sms_naira: of(PriceKey::sms(Currency::Naira)),
        sms_abroad: of(PriceKey::sms_abroad(Currency::Espees)),
        sms_abroad_naira: of(PriceKey::sms_abroad(Currency::Naira)),
        voice: of(PriceKey::voice(Currency::Espees)),
        voice_naira: of(PriceKey::voice(Currency::Naira)),
        virtual_number: of(PriceKey::virtual_number()),
        own_number: of(PriceKey::own_number()),
        version: price_version(&list),
    })
}
