//! `GET /api/delivery-reports/export`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::IntoResponse;
use talkdrum_api::query::{ExportQuery, PeriodQuery};
use talkdrum_core::campaign::report::export;

use super::history::kind;
use crate::api::list_query::{asked, bounds};
use crate::http::{ApiError, Caller, Query};
use crate::state::AppState;

/// The delivery reports of all of the caller's campaigns of a period as one CSV, streamed: one line a message with its
/// `campaign_id`, oldest campaign first. The period is that in which the campaigns were made.
#[utoipa::path(
    get, path = "/api/delivery-reports/export", tag = "campaign",
    params(PeriodQuery, ExportQuery),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn export_delivery_reports(
    State(app): State<AppState>,
    caller: Caller,
    Query(period): Query<PeriodQuery>,
    Query(filter): Query<ExportQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let mut tx = app.store.read().await?;
    let (from, to) = bounds(&period, &mut tx, &caller).await?;
    drop(tx);
    let kind = asked(filter.kind.as_deref()).map(kind).transpose()?;
    let filter = super::filter(asked(filter.status.as_deref()))?;
    let period = export::Period { user: caller.user_id, kind, from, to, filter };
    let networks = Arc::clone(&app.campaigns.networks);
    Ok(super::csv_answer(
        app.exports.take(caller.0.user_id)?,
        export::csv_of_period(&app.store, period, networks),
        None,
    ))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::model::message::status::MessageStatus as S;
    use talkdrum_core::testing::builder::{Spot, build};

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn an_export_of_a_period_is_one_file_and_a_bad_filter_is_named() {
        let daemon = TestDaemon::start().await;
        let token = daemon.signed_in("ada", Role::User).await;
        for _ in 0..2 {
            build(daemon.store(), "ada")
                .chunk(&[Spot::Answered(S::Delivered), Spot::Answered(S::Rejected)])
                .store()
                .await;
        }
        let reply = daemon.get("/api/delivery-reports/export?from=2023-11-14&status=failed", &token).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.headers["content-type"], "text/csv; charset=utf-8");
        let lines: Vec<&str> = reply.text.lines().collect();
        assert!(lines[0].starts_with("campaign_id,to,status,"), "{}", lines[0]);
        assert_eq!(lines.len(), 3, "{}", reply.text);
        let later = daemon.get("/api/delivery-reports/export?from=2023-11-16", &token).await;
        assert_eq!(later.text.lines().count(), 1);
        for (query, code) in
            [("status=gone", "bad_status"), ("type=fax", "bad_type"), ("form=1", "unknown_parameter")]
        {
            let refused = daemon.get(&format!("/api/delivery-reports/export?{query}"), &token).await;
            assert_eq!((refused.status, refused.code().as_str()), (400, code));
        }
    }
}
