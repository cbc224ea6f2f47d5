//! `GET /api/group/contact`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::ContactsWithGroups;
use talkdrum_core::contact;

use super::asked;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// All contacts of the caller, each with every group that holds its number.
#[utoipa::path(
    get, path = "/api/group/contact", tag = "contact",
    params(("q" = Option<String>, Query),
           ("sort" = Option<String>, Query, description = "`created_at`; up to 20,000 contacts also `phone` or `name`"),
           ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = ContactsWithGroups)),
)]
pub(super) async fn list_contacts_with_groups(
    State(app): State<AppState>,
    caller: Caller,
    page: Page,
) -> Answer<ContactsWithGroups> {
    let asked = asked(&page)?;
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::with_groups(&mut store.snapshot().await?, user, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}
