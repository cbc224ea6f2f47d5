//! `GET /api/get/group/contacts/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::Contacts;
use talkdrum_core::contact;

use super::{ContactColumns, asked};
use crate::http::{Answer, Caller, Path, SortedPage};
use crate::state::AppState;

/// The contacts of a group; `q` searches number, name and e-mail address.
#[utoipa::path(
    get, path = "/api/get/group/contacts/{id}", tag = "contact",
    params(("id" = i64, Path, description = "The group's id"), SortedPage<ContactColumns>),
    responses((status = 200, body = Contacts)),
)]
pub(super) async fn list_group_contacts(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
    page: SortedPage<ContactColumns>,
) -> Answer<Contacts> {
    let asked = asked(page);
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::of_group(&mut store.snapshot().await?, user, id, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}
