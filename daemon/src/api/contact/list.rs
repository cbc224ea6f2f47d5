//! `GET /api/get/contact`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::Contacts;
use talkdrum_core::contact;

use super::{ContactColumns, asked};
use crate::http::{Answer, Caller, SortedPage};
use crate::state::AppState;

/// All contacts of the caller; `q` searches number, name and e-mail address.
#[utoipa::path(
    get, path = "/api/get/contact", tag = "contact",
    params(SortedPage<ContactColumns>),
    responses((status = 200, body = Contacts)),
)]
pub(super) async fn list_contacts(
    State(app): State<AppState>,
    caller: Caller,
    page: SortedPage<ContactColumns>,
) -> Answer<Contacts> {
    let asked = asked(page);
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::of_user(&mut store.snapshot().await?, user, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}
