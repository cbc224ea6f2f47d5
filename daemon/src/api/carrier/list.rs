//! `GET /admin/carriers`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::Result;
use talkdrum_core::api::carrier::{Carrier, Carriers};
use talkdrum_core::carrier::{Health, SmsCarrier};
use talkdrum_core::store::carrier::{self, Open};

use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// The configured carriers: whether they are connected, and what is open at them.
#[utoipa::path(
    get, path = "/admin/carriers", tag = "carrier",
    responses((status = 200, body = Carriers)),
)]
pub(super) async fn list_carriers(State(app): State<AppState>, _caller: AdminCaller) -> Answer<Carriers> {
    let carriers = all(&app).await?;
    let total = i64::try_from(carriers.len()).unwrap_or(i64::MAX);
    Ok(Json(Carriers { carriers, total }))
}

/// The configured carriers, in the order of the configuration.
pub(crate) async fn all(app: &AppState) -> Result<Vec<Carrier>> {
    let open = carrier::open(&mut app.store.read().await?).await?;
    let held = app.workers.as_ref().map(|workers| workers.carriers()).unwrap_or_default();
    Ok(app
        .carriers
        .iter()
        .map(|(name, kind)| {
            let rate =
                app.desk.router.exits().iter().find(|exit| *exit.name == **name).map_or(0, |it| it.rate);
            let held = held.iter().find(|held| held.name() == name);
            let open = open.get(name).copied().unwrap_or_default();
            shown((name, kind, rate), held.map(AsRef::as_ref), open)
        })
        .collect())
}

fn shown((name, kind, rate): (&str, &str, u32), held: Option<&dyn SmsCarrier>, open: Open) -> Carrier {
    let (health, reason) = match held.map(SmsCarrier::health) {
        Some(Health::Up) => ("up", None),
        Some(Health::Connecting { reason }) => ("connecting", Some(reason)),
        Some(Health::Stopped { reason }) => ("stopped", Some(reason)),
        None => ("elsewhere", Some("This daemon does not hold it".to_owned())),
    };
    Carrier {
        name: name.to_owned(),
        kind: kind.to_owned(),
        health: health.to_owned(),
        reason,
        window: held.map(|held| held.capabilities().window),
        rate,
        unmatched_receipts: open.unmatched_receipts,
        unknown_messages: open.unknown_messages,
    }
}
