//! `GET /admin/get-all-camapaign-history`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Campaigns;
use talkdrum_core::campaign::report::campaign_list;

use super::history::Which;
use crate::api::list_query::window;
use crate::http::{AdminCaller, Answer, Page, Query as Parameters};
use crate::state::AppState;

/// Everybody's campaigns, newest first; `q` searches sender ids, texts and user names.
#[utoipa::path(
    get, path = "/admin/get-all-camapaign-history", tag = "campaign",
    params(("status" = Option<String>, Query), ("type" = Option<String>, Query, description = "`text`, `flash`, `unicode`, `wap-push` or `vcard`"),
           ("from" = Option<String>, Query, description = "A day or a time, in the caller's zone unless it says another"),
           ("to" = Option<String>, Query, description = "Up to this time, or the end of this day"),
           ("user_id" = Option<String>, Query, description = "A user's id or user name"), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query, description = "`id`, `created_at`, `scheduled_at` (of what goes out at once: `created_at`), `status`, `senderid`, `total_charges` or `username`"),
           ("order" = Option<String>, Query, description = "`asc` or `desc`"),
           ("numbers" = Option<i64>, Query, description = "0 leaves `contacts` and `failed_contacts` empty"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_all_campaigns(
    State(app): State<AppState>,
    caller: AdminCaller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<Campaigns> {
    let mut tx = app.store.snapshot().await?;
    let selection = which.everybodys(&mut tx, &caller, &page).await?;
    Ok(Json(campaign_list::list(&mut tx, &selection, window(&page), which.numbers()?).await?))
}
