//! `GET /admin/get-user-details/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::user::{UserDetails, UserTotals};
use talkdrum_core::campaign::report::campaign_list;
use talkdrum_core::campaign::report::voice_reports::voice_reports;
use talkdrum_core::ledger::transactions;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::page::{Page, RecordScope};
use talkdrum_core::sender::{Listing, list_all_sender_ids_of, list_own_numbers, list_virtual_numbers};
use talkdrum_core::settings;
use talkdrum_core::store::Tx;
use talkdrum_core::store::account::user;
use talkdrum_core::store::campaign::list::CampaignSelection;
use talkdrum_core::store::money::transactions::TransactionSort;
use talkdrum_core::store::voice::recording::RecordingRow;
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::api::user::legal_hold::shown;
use crate::api::user::response;
use crate::api::voice::url_of;
use crate::http::{AdminCaller, Answer, Path};
use crate::state::AppState;

/// Rows of each list.
const ROWS: i64 = 100;

/// Show a user with the newest 100 campaigns, calls, sender ids, numbers and movements of money, and how many there
/// are of each.
#[utoipa::path(
    get, path = "/admin/get-user-details/{id}", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = UserDetails)),
)]
pub(super) async fn show_user_details(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<UserId>,
) -> Answer<UserDetails> {
    let now = app.clock.now();
    let alive = (now, app.sessions.seen_after(now));
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, now);
    Ok(Json(details(&mut app.store.snapshot().await?, id, alive, url).await?))
}

async fn details(
    tx: &mut Tx,
    id: UserId,
    alive: (Time, Time),
    url: impl Fn(&RecordingRow) -> String,
) -> Result<UserDetails> {
    let found = user::by_id(tx, id).await?.ok_or(Error::NotFound("user"))?;
    let fields = response::user(tx, &found).await?;
    let (own, newest, first) = (RecordScope::Own(id), Listing::newest(ROWS), Page::new(1, ROWS));
    let campaigns = campaign_list::list(tx, &CampaignSelection::all(own), first, true).await?;
    let voice = voice_reports(tx, own, first, url).await?;
    let (sender_ids, senders_total) = list_all_sender_ids_of(tx, id, &newest).await?;
    let (own_numbers, own_total) = list_own_numbers(tx, id, &newest).await?;
    let (virtual_numbers, virtual_total) = list_virtual_numbers(tx, id, &newest).await?;
    let newest_first = TransactionSort::Time { newest_first: true };
    let wanted = transactions::Query { user: Some(id), ..transactions::Query::default() };
    let transactions = transactions::page(tx, &wanted, newest_first, first).await?;
    let holdings = user::holdings(tx, id, alive).await?;
    Ok(UserDetails {
        user: fields.clone(),
        fields,
        rate_plan: Some(settings::plan_of(tx, id).await?).filter(|plan| !plan.is_empty()),
        purpose: user::purpose_of(tx, id).await?,
        codes_allowed: user::without_codes(tx, vec![id]).await?.is_empty(),
        legal_hold: shown(tx, id).await?,
        deleted_at: found.deleted_at.map(|at| at.to_rfc3339()),
        campaigns: campaigns.campaigns,
        voice_sms: voice.voice_sms,
        sender_ids,
        own_numbers,
        virtual_numbers,
        transactions: transactions.transactions,
        totals: UserTotals {
            campaigns: campaigns.total,
            voice_sms: voice.total,
            sender_ids: senders_total,
            own_numbers: own_total,
            virtual_numbers: virtual_total,
            transactions: transactions.total,
            open_campaigns: holdings.open_campaigns,
            api_keys: holdings.api_keys,
            sessions: holdings.sessions,
            reserved_espees: holdings.reserved_espees,
            reserved_naira: holdings.reserved_naira,
        },
    })
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::testing::builder::{Spot, build};

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn the_details_hold_the_users_fields_and_every_tab() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        daemon.post("/api/request-senderid", &ada, &[("sender_ids", "SHOP")]).await;
        daemon.post("/api/request-virtual-number", &ada, &[]).await;
        let money = [("amount", "12.5"), ("payment_ref", "p-1")];
        daemon.post(&format!("/admin/assign-naira/{id}"), &admin, &money).await;
        let reply = daemon.get(&format!("/admin/get-user-details/{id}"), &admin).await;
        let details = reply.json();
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!((&details["username"], &details["user"]["username"]), (&"ada".into(), &"ada".into()));
        assert_eq!(details["paystack_balance"], 12.5);
        assert_eq!(details["last_login"], details["last_login_at"]);
        assert_eq!(details["sender_ids"][0]["status"], "pending");
        assert_eq!(details["virtual_numbers"][0]["username"], "ada");
        assert_eq!(
            details["transactions"][0]["payment_ref"].as_str().map(|it| it.contains("p-1")),
            Some(true)
        );
        for tab in ["campaigns", "voice_sms", "own_numbers"] {
            assert_eq!(
                (details[tab].as_array().map(Vec::len), &details["totals"][tab]),
                (Some(0), &0.into())
            );
        }
        assert_eq!(details["totals"]["sender_ids"], 1);
        assert_eq!(
            (&details["totals"]["sessions"], &details["totals"]["reserved_espees"]),
            (&1.into(), &0.into())
        );
        let built = build(daemon.store(), "ada").chunk(&[Spot::Tail, Spot::Tail]).store().await;
        daemon.post("/api/api-keys", &ada, &[("name", "cron"), ("scopes", "read")]).await;
        let totals =
            daemon.get(&format!("/admin/get-user-details/{id}"), &admin).await.json()["totals"].clone();
        assert_eq!((&totals["open_campaigns"], &totals["api_keys"]), (&1.into(), &1.into()));
        assert_eq!((built.charge_micros, &totals["reserved_espees"]), (1_000_000, &1.into()));
        assert_eq!(daemon.get("/admin/get-user-details/999", &admin).await.status, 404);
    }
}
