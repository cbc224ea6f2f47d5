//! `GET /api/campaigns/{id}/breakdown`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::breakdown::Breakdown;
use talkdrum_core::campaign::report::breakdown;
use talkdrum_core::model::campaign::id::CampaignId;

use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// What became of a campaign's messages by network, over time and by reason, as they are now. What has settled was
/// counted before; what still moves is counted for each answer, so ask every half minute rather than every second.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/breakdown", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = Breakdown)),
)]
pub(super) async fn break_down_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<CampaignId>,
) -> Answer<Breakdown> {
    // Its statements are short, so it may end with the request.
    let _turn = app.scans.take(caller.user_id).await?;
    Ok(Json(breakdown::of(&app.store, scope(&caller), id, &app.campaigns.networks).await?))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::model::message::status::MessageStatus as S;
    use talkdrum_core::testing::builder::{Spot, build};

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn an_owner_sees_what_became_of_each_network() {
        let daemon = TestDaemon::start().await;
        let token = daemon.signed_in("ada", Role::User).await;
        let stranger = daemon.signed_in("eve", Role::User).await;
        let built = build(daemon.store(), "ada")
            .chunk(&[Spot::Answered(S::Delivered), Spot::Answered(S::Rejected), Spot::Tail])
            .store()
            .await;
        let path = format!("/api/campaigns/{}/breakdown", built.campaign);
        let reply = daemon.get(&path, &token).await;
        let seen = reply.json();
        assert_eq!((reply.status, &seen["networks"][0]["ordered"]), (200, &3.into()), "{}", reply.text);
        assert_eq!(seen["networks"][0]["delivered_per_mille"], 500);
        assert_eq!((&seen["reasons"][0]["status"], &seen["bucket_s"]), (&"rejected".into(), &1.into()));
        assert_eq!(daemon.get(&path, &stranger).await.status, 404);

        // Each reason leads to its messages, under the status that it was shown with.
        let list = format!("/api/campaigns/{}/messages", built.campaign);
        let reason = seen["reasons"][0]["reason"].as_str().unwrap().replace(' ', "%20");
        let because = daemon.get(&format!("{list}?status=rejected&reason={reason}"), &token).await.json();
        assert_eq!((&because["total"], because["messages"].as_array().unwrap().len()), (&1.into(), 1));
        let other = daemon.get(&format!("{list}?status=delivered&reason={reason}"), &token).await.json();
        assert_eq!(other["total"], 0);
        for status in ["", "&status=failed"] {
            let refused = daemon.get(&format!("{list}?reason={reason}{status}"), &token).await;
            assert_eq!((refused.status, refused.code().as_str()), (400, "reason_without_status"));
        }
    }
}
