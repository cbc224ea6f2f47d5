//! Quotes that were made: what they promise, and which entries they left out.

mod rejects;
mod show;

use talkdrum_core::Result;
use talkdrum_core::account::Caller;
use talkdrum_core::store::campaign::quote;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show::show_quote)).routes(routes!(rejects::list_quote_rejects))
}

/// Under whose name a caller sees a quote: its owner's, where the caller [sees all](Caller::sees_all), else the own.
async fn seen_as(app: &AppState, caller: &Caller, id: i64) -> Result<i64> {
    if !caller.sees_all() {
        return Ok(caller.user_id);
    }
    let row = quote::by_id(&mut app.store.read().await?, id).await?;
    Ok(row.map_or(caller.user_id, |row| row.agreed.user_id))
}
