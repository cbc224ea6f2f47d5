//! Administrators' messages to one user or to all.

mod list;
mod send;
mod show;

use std::collections::BTreeMap;

use talkdrum_api::user_message::UserMessage;
use talkdrum_core::Result;
use talkdrum_core::store::Tx;
use talkdrum_core::store::account::user_message as rows;
use talkdrum_core::store::account::user_message::MessageRow;
use talkdrum_core::time::Time;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(send::send_user_message))
        .routes(routes!(list::list_user_messages))
        .routes(routes!(show::show_user_message))
}

/// Messages, newest first, as the API shows them.
async fn shown(tx: &mut Tx, found: Vec<MessageRow>) -> Result<Vec<UserMessage>> {
    let newest = found.first().map_or(0, |row| row.id);
    let oldest = found.last().map_or(1, |row| row.id);
    let counts = rows::counts(tx, oldest, newest).await?;
    let of = |id: i64, what: &str| -> BTreeMap<String, i64> {
        let own = counts.iter().filter(|count| count.message_id == id && count.what == what);
        own.map(|count| (count.status.clone(), count.count)).collect()
    };
    let one = |row: MessageRow| {
        let sms = of(row.id, "sms");
        UserMessage {
            id: row.id,
            status: if row.spread_at.is_some() { "given_out" } else { "giving_out" }.into(),
            recipients: sms.values().sum(),
            chat: of(row.id, "chat"),
            sms,
            user_id: row.to_user_id,
            username: row.to_username,
            by_user_id: row.by_user_id,
            message: row.message,
            created_at: row.created_at.to_rfc3339(),
            given_out_at: row.spread_at.map(Time::to_rfc3339),
        }
    };
    Ok(found.into_iter().map(one).collect())
}
