//! `GET /admin/user-messages/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::user_message::{Recipient, UserMessageShown};
use talkdrum_core::Error;
use talkdrum_core::store::account::user_message as rows;
use talkdrum_core::store::account::user_message::RecipientRow;

use super::shown;
use crate::http::{AdminCaller, Answer, Page, Path};
use crate::state::AppState;

/// Show a message to users, and a page of who gets it.
#[utoipa::path(
    get, path = "/admin/user-messages/{id}", tag = "user",
    params(
        ("id" = i64, Path, description = "The message's id"),
        Page
    ),
    responses((status = 200, body = UserMessageShown)),
)]
pub(super) async fn show_user_message(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<i64>,
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

fn recipient(row: RecipientRow) -> Recipient {
    Recipient {
        user_id: row.user_id,
        username: row.username,
        sms: row
            .sms_status
            .map(|status| status.code().to_owned())
            .or(row.sms_skipped)
            .unwrap_or_else(|| "forgotten".into()),
        chat: row.chat_status.map(|status| status.code().to_owned()),
        chat_reason: row.chat_reason,
    }
}
