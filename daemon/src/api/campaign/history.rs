//! `GET /api/get-campaign-history`, and what the lists of campaigns have in common.

use axum::Json;
use axum::extract::{Query as Parameters, State};
use serde::Deserialize;
use talkdrum_core::api::campaign::Campaigns;
use talkdrum_core::campaign::history::{self, Query};
use talkdrum_core::campaign::period;
use talkdrum_core::campaign::report::Scope;
use talkdrum_core::campaign::status::CampaignStatus;
use talkdrum_core::content::Kind;
use talkdrum_core::store::{Tx, user};
use talkdrum_core::{Error, Result};

use crate::api::reading::window;
use crate::http::{AdminCaller, Answer, Caller, Page};
use crate::state::AppState;

/// Which campaigns.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Which {
    status: Option<String>,
    #[serde(rename = "type", alias = "kind")]
    kind: Option<String>,
    from: Option<String>,
    to: Option<String>,
    user_id: Option<String>,
}

impl Which {
    /// The query for these campaigns of the caller.
    pub(super) async fn own(&self, tx: &mut Tx, caller: &Caller, page: &Page) -> Result<Query> {
        self.within(tx, caller.user_id, Scope::Own(caller.user_id), page).await
    }

    /// The query for these campaigns of everybody, or of the user who was asked for.
    pub(super) async fn everybodys(&self, tx: &mut Tx, caller: &AdminCaller, page: &Page) -> Result<Query> {
        let scope = match asked(self.user_id.as_deref()) {
            Some(user) => Scope::Own(user.parse().map_err(|_| {
                Error::field("user_id", "bad_user", format!("'{user}' is no user's id: it is a number"))
            })?),
            None => Scope::All,
        };
        self.within(tx, caller.user_id, scope, page).await
    }

    async fn within(&self, tx: &mut Tx, caller: i64, scope: Scope, page: &Page) -> Result<Query> {
        let (from, to) = (asked(self.from.as_deref()), asked(self.to.as_deref()));
        let zone = match from.or(to) {
            Some(_) => user::by_id(tx, caller).await?.ok_or(Error::NotFound("user"))?.zone,
            None => String::new(),
        };
        Ok(Query {
            scope,
            status: asked(self.status.as_deref()).map(status).transpose()?,
            kind: asked(self.kind.as_deref()).map(kind).transpose()?,
            from: from.map(|from| period::from(from, &zone)).transpose()?,
            to: to.map(|to| period::to(to, &zone)).transpose()?,
            q: page.q.clone(),
        })
    }
}

fn asked(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty() && *text != "all")
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

fn kind(name: &str) -> Result<Kind> {
    Kind::from_code(name).ok_or_else(|| {
        Error::field(
            "type",
            "bad_type",
            format!("'{name}' is no type of message: use text, flash, unicode, wap-push or vcard"),
        )
    })
}

/// The caller's campaigns, newest first; `q` searches sender ids and texts.
#[utoipa::path(
    get, path = "/api/get-campaign-history", tag = "campaign",
    params(("status" = Option<String>, Query), ("type" = Option<String>, Query, description = "`text`, `flash`, `unicode`, `wap-push` or `vcard`"),
           ("from" = Option<String>, Query, description = "A day or a time, in the caller's zone unless it says another"),
           ("to" = Option<String>, Query, description = "Up to this time, or the end of this day"),
           ("q" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_campaigns(
    State(app): State<AppState>,
    caller: Caller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<Campaigns> {
    let mut tx = app.store.read().await?;
    let query = which.own(&mut tx, &caller, &page).await?;
    Ok(Json(history::list(&mut tx, &query, window(&page)).await?))
}
