//! `GET /api/group/contact`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::ContactsWithGroups;
use talkdrum_core::contact;

use super::{ContactColumns, asked};
use crate::http::{Answer, Caller, SortedPage};
use crate::state::AppState;

/// All contacts of the caller, each with every group that holds its number.
#[utoipa::path(
    get, path = "/api/group/contact", tag = "contact",
    params(SortedPage<ContactColumns>),
    responses((status = 200, body = ContactsWithGroups)),
)]
pub(super) async fn list_contacts_with_groups(
    State(app): State<AppState>,
    caller: Caller,
    page: SortedPage<ContactColumns>,
) -> Answer<ContactsWithGroups> {
    let asked = asked(page);
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::with_groups(&mut store.snapshot().await?, user, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}
