//! `GET /api/get-sent-messages`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::SentMessages;
use talkdrum_core::campaign::report::campaign_list;

use super::history::Which;
use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page, Query as Parameters};
use crate::state::AppState;

/// The caller's campaigns in the form of the specification's sent messages, one row each, newest first
/// unless sorted otherwise.
#[utoipa::path(
    get, path = "/api/get-sent-messages", tag = "campaign",
    params(("status" = Option<String>, Query), ("type" = Option<String>, Query, description = "`text`, `flash`, `unicode`, `wap-push` or `vcard`"),
           ("from" = Option<String>, Query, description = "A day or a time, in the caller's zone unless it says another"),
           ("to" = Option<String>, Query, description = "Up to this time, or the end of this day"),
           ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query, description = "`id`, `created_at`, `scheduled_at` (of what goes out at once: `created_at`), `status`, `senderid` or `total_charges`"),
           ("order" = Option<String>, Query, description = "`asc` or `desc`"),
           ("numbers" = Option<i64>, Query, description = "0 leaves `contacts` and `failed_contacts` empty"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = SentMessages)),
)]
pub(super) async fn list_sent_messages(
    State(app): State<AppState>,
    caller: Caller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<SentMessages> {
    let mut tx = app.store.snapshot().await?;
    let selection = which.own(&mut tx, &caller, &page).await?;
    Ok(Json(campaign_list::sent_messages(&mut tx, &selection, window(&page), which.numbers()?).await?))
}
