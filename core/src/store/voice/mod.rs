//! The rows of recordings ([`recording`]) and of calls ([`call`]).

pub mod call;
pub mod recording;

use talkdrum_api::money::{Amount, Currency};

use crate::args;
use crate::error::Result;
use crate::model::page::{Page, Scope};
use crate::store::Tx;
use crate::time::Time;

/// A call to many.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ReportRow {
    pub id: i64,
    pub user_id: i64,
    pub username: String,
    pub status: String,
    pub message: String,
    pub audio_url: Option<String>,
    pub length_s: i64,
    pub units: i64,
    pub currency: Currency,
    #[sqlx(rename = "captured_micros")]
    pub captured: Amount,
    #[sqlx(rename = "released_micros")]
    pub released: Amount,
    pub sent: i64,
    pub failed: i64,
    pub created_at: Time,
}

/// A page of calls to many, newest first, and how many there are.
pub async fn reports(tx: &mut Tx, scope: Scope, page: Page) -> Result<(Vec<ReportRow>, i64)> {
    let user = match scope {
        Scope::Own(user) => user,
        Scope::All => 0,
    };
    let total: (i64,) =
        tx.one("SELECT COUNT(*) FROM voice_campaigns WHERE $1 = 0 OR user_id = $1", args![user]).await?;
    let rows = tx
        .all(
            "SELECT v.id, v.user_id, u.username, v.status, v.message, v.audio_url, v.length_s, v.units, v.currency, \
             v.captured_micros, v.released_micros, v.sent, v.failed, v.created_at \
             FROM voice_campaigns v JOIN users u ON u.id = v.user_id WHERE $1 = 0 OR v.user_id = $1 \
             ORDER BY v.id DESC LIMIT $2 OFFSET $3",
            args![user, page.size(), page.skip()],
        )
        .await?;
    Ok((rows, total.0))
}
