//! Administrators' messages to one user or to all.

mod send;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use talkdrum_api::user_message::{Recipient, UserMessage, UserMessageShown, UserMessages};
use talkdrum_core::model::account::id::UserMessageId;
use talkdrum_core::model::platform::notice::{MessageWay, NoticeStatus};
use talkdrum_core::store::Tx;
use talkdrum_core::store::account::user_message as rows;
use talkdrum_core::store::account::user_message::{CountRow, RecipientRow, UserMessageRow};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Page, Path};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(send::send_user_message))
        .routes(routes!(list_user_messages))
        .routes(routes!(show_user_message))
}

/// Messages, newest first, as the API shows them.
async fn shown(tx: &mut Tx, found: Vec<UserMessageRow>) -> Result<Vec<UserMessage>> {
    let (Some(newest), Some(oldest)) = (found.first(), found.last()) else { return Ok(Vec::new()) };
    let (newest, oldest) = (newest.id, oldest.id);
    let counts = rows::counts(tx, oldest, newest).await?;
    let of = |id: UserMessageId, way: MessageWay| -> BTreeMap<String, i64> {
        let shown = |count: &CountRow| match way {
            MessageWay::Sms => Some(sms(count.sms_status, count.sms_skipped.clone())),
            MessageWay::Chat => count.chat_status.map(|status| status.code().to_owned()),
        };
        let mut words = BTreeMap::new();
        for count in counts.iter().filter(|count| count.message_id == id && count.way == way) {
            if let Some(word) = shown(count) {
                *words.entry(word).or_default() += count.count;
            }
        }
        words
    };
    let one = |row: UserMessageRow| {
        let sms = of(row.id, MessageWay::Sms);
        UserMessage {
            id: row.id.0,
            status: if row.spread_at.is_some() { "given_out" } else { "giving_out" }.into(),
            recipients: sms.values().sum(),
            chat: of(row.id, MessageWay::Chat),
            sms,
            user_id: row.to_user_id.map(|user| user.0),
            username: row.to_username,
            by_user_id: row.by_user_id.0,
            message: row.message,
            created_at: row.created_at.to_rfc3339(),
            given_out_at: row.spread_at.map(Time::to_rfc3339),
        }
    };
    Ok(found.into_iter().map(one).collect())
}

/// The most messages of one answer: each is counted.
const MOST: i64 = 100;

/// List administrators' messages to users, newest first, with where they stand.
#[utoipa::path(
    get, path = "/admin/user-messages", tag = "user",
    params(Page),
    responses((status = 200, body = UserMessages)),
)]
async fn list_user_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<UserMessages> {
    let mut tx = app.store.snapshot().await?;
    let (found, total) = rows::page(&mut tx, page.offset, page.limit.min(MOST)).await?;
    Ok(Json(UserMessages { user_messages: shown(&mut tx, found).await?, total }))
}

/// Show a message to users, and a page of who gets it.
#[utoipa::path(
    get, path = "/admin/user-messages/{id}", tag = "user",
    params(
        ("id" = i64, Path, description = "The message's id"),
        Page
    ),
    responses((status = 200, body = UserMessageShown)),
)]
async fn show_user_message(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<UserMessageId>,
    page: Page,
) -> Answer<UserMessageShown> {
    let mut tx = app.store.snapshot().await?;
    let found = rows::by_id(&mut tx, id).await?.ok_or(Error::NotFound("message"))?;
    let (recipients, total) = rows::recipients(&mut tx, id, page.offset, page.limit).await?;
    let user_message = shown(&mut tx, vec![found]).await?.pop().ok_or(Error::NotFound("message"))?;
    Ok(Json(UserMessageShown {
        user_message,
        recipients: recipients.into_iter().map(recipient).collect(),
        total,
    }))
}

/// Where a text message stands, or what kept it from being queued.
fn sms(status: Option<NoticeStatus>, skipped: Option<String>) -> String {
    status.map(|status| status.code().to_owned()).or(skipped).unwrap_or_else(|| "forgotten".to_owned())
}

fn recipient(row: RecipientRow) -> Recipient {
    Recipient {
        user_id: row.user_id.0,
        username: row.username,
        sms: sms(row.sms_status, row.sms_skipped),
        chat: row.chat_status.map(|status| status.code().to_owned()),
        chat_reason: row.chat_reason,
    }
}
