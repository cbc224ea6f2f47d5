//! `GET /api/get-campaign-history`, and what the lists of campaigns have in common.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Campaigns;
use talkdrum_api::kind::Kind;
use talkdrum_core::campaign::report::campaign_list;
use talkdrum_core::model::page::Scope;
use talkdrum_core::model::status::CampaignStatus;
use talkdrum_core::store::Tx;
use talkdrum_core::store::campaign::list::Selection;
use talkdrum_core::{Error, Result, account};

use crate::api::list_query::{asked, numbers_asked, period_asked, user_asked, window};
use crate::http::{AdminCaller, Answer, Caller, Page, Query as Parameters};
use crate::state::AppState;

/// Which campaigns.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Which {
    status: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    from: Option<String>,
    to: Option<String>,
    user_id: Option<String>,
    numbers: Option<String>,
}

/// What the lists of campaigns can be sorted by.
const SORTS: [&str; 6] = ["id", "created_at", "scheduled_at", "status", "senderid", "total_charges"];
/// The same, and whose a campaign is.
const SORTS_OF_ALL: [&str; 7] =
    ["id", "created_at", "scheduled_at", "status", "senderid", "total_charges", "username"];

impl Which {
    /// Whether with samples of the campaigns' numbers.
    pub(super) fn numbers(&self) -> Result<bool> {
        numbers_asked(self.numbers.as_deref())
    }

    /// The selection of these campaigns of the caller.
    pub(super) async fn own(&self, tx: &mut Tx, caller: &Caller, page: &Page) -> Result<Selection> {
        self.within(tx, caller, Scope::Own(caller.user_id), (page, &SORTS)).await
    }

    /// The selection of these campaigns of everybody, or of the user who was asked for.
    pub(super) async fn everybodys(
        &self,
        tx: &mut Tx,
        caller: &AdminCaller,
        page: &Page,
    ) -> Result<Selection> {
        let scope = user_asked(tx, self.user_id.as_deref()).await?.map_or(Scope::All, Scope::Own);
        self.within(tx, caller, scope, (page, &SORTS_OF_ALL)).await
    }

    async fn within(
        &self,
        tx: &mut Tx,
        caller: &account::Caller,
        scope: Scope,
        (page, sorts): (&Page, &[&'static str]),
    ) -> Result<Selection> {
        let (from, to) = period_asked(tx, caller, self.from.as_deref(), self.to.as_deref()).await?;
        Ok(Selection {
            scope,
            status: asked(self.status.as_deref()).map(status).transpose()?,
            kind: asked(self.kind.as_deref()).map(kind).transpose()?,
            from,
            to,
            q: page.q.clone(),
            sort: page.sort_among(sorts)?,
            descending: page.descending,
        })
    }
}

fn status(name: &str) -> Result<CampaignStatus> {
    CampaignStatus::from_name(name).ok_or_else(|| {
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
            format!("'{name}' is no type of message: use text, flash, unicode, wap-push or vcard"),
        )
    })
}

/// The caller's campaigns, newest first unless sorted otherwise; `q` searches sender ids and
/// texts.
#[utoipa::path(
    get, path = "/api/get-campaign-history", tag = "campaign",
    params(("status" = Option<String>, Query), ("type" = Option<String>, Query, description = "`text`, `flash`, `unicode`, `wap-push` or `vcard`"),
           ("from" = Option<String>, Query, description = "A day or a time, in the caller's zone unless it says another"),
           ("to" = Option<String>, Query, description = "Up to this time, or the end of this day"),
           ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query, description = "`id`, `created_at`, `scheduled_at` (of what goes out at once: `created_at`), `status`, `senderid` or `total_charges`"),
           ("order" = Option<String>, Query, description = "`asc` or `desc`"),
           ("numbers" = Option<i64>, Query, description = "0 leaves `contacts` and `failed_contacts` empty"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_campaigns(
    State(app): State<AppState>,
    caller: Caller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<Campaigns> {
    let mut tx = app.store.snapshot().await?;
    let selection = which.own(&mut tx, &caller, &page).await?;
    Ok(Json(campaign_list::list(&mut tx, &selection, window(&page), which.numbers()?).await?))
}
