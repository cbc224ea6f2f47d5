//! `POST /admin/payments/{id}/recheck`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::payment::Rechecked;
use talkdrum_core::payment::Status;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::store::Lane;

use crate::http::{AdminCaller, Answer, Path};
use crate::state::AppState;

/// Ask the provider again what became of a payment, in whatever status it is; what was paid is credited. Safe to repeat.
#[utoipa::path(
    post, path = "/admin/payments/{id}/recheck", tag = "payment",
    params(("id" = i64, Path, description = "The payment's id")),
    responses((status = 200, body = Rechecked)),
)]
pub(super) async fn recheck_payment(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<i64>,
) -> Answer<Rechecked> {
    caller.require_active()?;
    let before = app.cashier.by_id(id).await?;
    // Who asked is noted before the provider is: what follows from its answer is not the administrator's doing.
    let entry = Entry::new(caller.user_id, "payment.recheck", format!("payment {id}"))
        .before(Some(before.status.code()));
    let noted = (entry, app.clock.now());
    app.store
        .write(Lane::Interactive, noted, |tx, (entry, now)| Box::pin(audit::record(tx, entry, *now)))
        .await?;
    let after = app.cashier.settle(&before).await?;
    let message = match (before.status, after.status) {
        (Status::Settled, _) => "It was credited before; nothing was credited again".to_owned(),
        (_, Status::Settled) => format!("It was paid: {} credited", after.money),
        (_, status) => format!("It is {status}: {}", after.note),
    };
    Ok(Json(Rechecked { message, payment: after.into() }))
}
