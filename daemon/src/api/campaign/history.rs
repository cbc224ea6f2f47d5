//! `GET /api/get-campaign-history`, and what the lists of campaigns have in common.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Campaigns;
use talkdrum_api::kind::Kind;
use talkdrum_api::query::{CampaignQuery, PeriodQuery};
use talkdrum_core::campaign::quote::read_purpose;
use talkdrum_core::campaign::report::campaign_list;
use talkdrum_core::campaign::standstill;
use talkdrum_core::model::message::status::CampaignStatus;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::store::Tx;
use talkdrum_core::store::campaign::list::CampaignSelection;
use talkdrum_core::{Error, Result, account};

use crate::api::list_query::{Numbers, asked, bounds, is_bounded, window};
use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

const SCHEDULED_AT: &str = "`scheduled_at` is `created_at` for what goes out at once.";

/// What a user's lists of campaigns can be sorted by.
pub(super) enum OwnCampaignColumns {}

impl Columns for OwnCampaignColumns {
    const NAMES: &'static [&'static str] =
        &["id", "created_at", "scheduled_at", "status", "senderid", "total_charges"];
    const NOTE: &'static str = SCHEDULED_AT;
}

/// What the list of all campaigns can be sorted by.
pub(super) enum AllColumns {}

impl Columns for AllColumns {
    const NAMES: &'static [&'static str] =
        &["id", "created_at", "scheduled_at", "status", "senderid", "total_charges", "username"];
    const NOTE: &'static str = SCHEDULED_AT;
}

/// Whether the list is found by looking at all campaigns in scope, which takes a turn: any but the newest of all kinds.
pub(super) fn is_scan<C: Columns>(
    filter: &CampaignQuery,
    period: &PeriodQuery,
    page: &SortedPage<C>,
) -> bool {
    asked(filter.status.as_deref()).is_some()
        || asked(filter.kind.as_deref()).is_some()
        || asked(filter.purpose.as_deref()).is_some()
        || is_bounded(period)
        || !page.is_plain()
}

/// The selection of these campaigns in `scope`.
pub(super) async fn selection<C>(
    filter: &CampaignQuery,
    tx: &mut Tx,
    (caller, scope): (&account::Caller, RecordScope),
    period: &PeriodQuery,
    page: &SortedPage<C>,
) -> Result<CampaignSelection> {
    let (from, to) = bounds(period, tx, caller).await?;
    Ok(CampaignSelection {
        scope,
        status: asked(filter.status.as_deref()).map(status).transpose()?,
        kind: asked(filter.kind.as_deref()).map(kind).transpose()?,
        purpose: read_purpose(asked(filter.purpose.as_deref()))?,
        from,
        to,
        q: page.q.clone(),
        sort: page.sort,
        descending: page.descending,
    })
}

fn status(name: &str) -> Result<CampaignStatus> {
    CampaignStatus::from_code(name).ok_or_else(|| {
        Error::field(
            "status",
            "bad_status",
            format!(
                "'{name}' is no status of a campaign: use scheduled, sending, paused, completed, cancelled or failed"
            ),
        )
    })
}

pub(super) fn kind(name: &str) -> Result<Kind> {
    Kind::from_code(name).ok_or_else(|| {
        Error::field(
            "type",
            "bad_type",
            format!("'{name}' is no type of message: use text, flash, unicode, wap-push, vcard or voice"),
        )
    })
}

/// The caller's campaigns, newest first unless sorted otherwise; `q` searches sender ids and
/// texts.
#[utoipa::path(
    get, path = "/api/get-campaign-history", tag = "campaign",
    params(CampaignQuery, PeriodQuery, Numbers, SortedPage<OwnCampaignColumns>),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_campaigns(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<CampaignQuery>,
    Query(period): Query<PeriodQuery>,
    Query(numbers): Query<Numbers>,
    page: SortedPage<OwnCampaignColumns>,
) -> Answer<Campaigns> {
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, is_scan(&filter, &period, &page));
    let around = app.around();
    let read = async move {
        let mut tx = store.snapshot().await?;
        let selection =
            selection(&filter, &mut tx, (&caller, RecordScope::Own(user)), &period, &page).await?;
        let mut list = campaign_list::list(&mut tx, &selection, window(&page.page), numbers.asked()?).await?;
        standstill::explain(&mut tx, &mut list.campaigns, RecordScope::Own(user), &around).await?;
        Ok(list)
    };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn lists_of_campaigns_take_a_turn_unless_they_are_plain() {
        let daemon = TestDaemon::start().await;
        let id = daemon.user("root", Role::Admin).await;
        let root = daemon.login("root").await;
        let lists =
            ["/api/get-campaign-history", "/api/get-sent-messages", "/admin/get-all-camapaign-history"];
        let asked = [
            "status=completed",
            "type=text",
            "purpose=otp",
            "from=2026-01-01",
            "to=2026-01-01",
            "sort=senderid",
            "order=asc",
            "q=sale",
        ];
        let scans = lists.iter().flat_map(|list| asked.map(|asked| format!("{list}?page=1&{asked}")));
        let scans: Vec<String> = scans.collect();
        let turn = daemon.app().scans.take(id).await.unwrap();
        let refused = futures::future::join_all(scans.iter().map(|path| daemon.get(path, &root))).await;
        for (reply, path) in refused.iter().zip(&scans) {
            assert_eq!((reply.status, reply.code().as_str()), (429, "too_many_searches"), "{path}");
        }
        for list in lists {
            let plain = format!("{list}?page=1&status=all&type=&sort=id&order=desc");
            for path in [list, plain.as_str()] {
                assert_eq!(daemon.get(path, &root).await.status, 200, "{path}");
            }
        }
        drop(turn);
        assert_eq!(daemon.get(&scans[0], &root).await.status, 200);
    }
}
