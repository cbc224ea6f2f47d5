//! The rows of recordings and of calls to many.

use crate::api::voice::{VoiceRecord, VoiceReport};
use crate::args;
use crate::error::Result;
use crate::money::Amount;
use crate::store::Tx;
use crate::store::message::report::{Page, Scope};
use crate::time::Time;

/// A page of a user's recordings, newest first, and how many there are.
pub async fn recordings(tx: &mut Tx, user: i64, page: Page) -> Result<(Vec<VoiceRecord>, i64)> {
    let total: (i64,) =
        tx.one("SELECT COUNT(*) FROM voice_recordings WHERE user_id = $1", args![user]).await?;
    let rows: Vec<(i64, String, i64)> = tx
        .all(
            "SELECT id, audio_url, created_at FROM voice_recordings WHERE user_id = $1 \
             ORDER BY id DESC LIMIT $2 OFFSET $3",
            args![user, page.size(), page.skip()],
        )
        .await?;
    let shown =
        |(id, audio_file_url, at)| VoiceRecord { id, audio_file_url, created_at: Time(at).to_rfc3339() };
    Ok((rows.into_iter().map(shown).collect(), total.0))
}

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    user_id: i64,
    username: String,
    status: String,
    message: String,
    audio_url: Option<String>,
    length_s: i64,
    units: i64,
    currency: String,
    captured_micros: i64,
    released_micros: i64,
    sent: i64,
    failed: i64,
    created_at: i64,
}

/// A page of calls to many, newest first, and how many there are.
pub async fn reports(tx: &mut Tx, scope: Scope, page: Page) -> Result<(Vec<VoiceReport>, i64)> {
    let user = match scope {
        Scope::Own(user) => user,
        Scope::All => 0,
    };
    let total: (i64,) =
        tx.one("SELECT COUNT(*) FROM voice_campaigns WHERE $1 = 0 OR user_id = $1", args![user]).await?;
    let rows: Vec<Row> = tx
        .all(
            "SELECT v.id, v.user_id, u.username, v.status, v.message, v.audio_url, v.length_s, v.units, v.currency, \
             v.captured_micros, v.released_micros, v.sent, v.failed, v.created_at \
             FROM voice_campaigns v JOIN users u ON u.id = v.user_id WHERE $1 = 0 OR v.user_id = $1 \
             ORDER BY v.id DESC LIMIT $2 OFFSET $3",
            args![user, page.size(), page.skip()],
        )
        .await?;
    Ok((rows.into_iter().map(shown).collect(), total.0))
}

fn shown(row: Row) -> VoiceReport {
    let deducted =
        |currency| if row.currency == currency { Amount(row.captured_micros) } else { Amount::ZERO };
    VoiceReport {
        id: row.id,
        broadcast_id: row.id,
        user_id: row.user_id,
        espees_deducted: deducted("espees"),
        naira_deducted: deducted("naira"),
        username: row.username,
        status: row.status,
        msg: row.message,
        msg_length: row.length_s,
        units: row.units,
        no_of_sent_contacts: row.sent,
        no_of_failed_contacts: row.failed,
        refunded_amount: Amount(row.released_micros),
        audio_file_url: row.audio_url,
        created_at: Time(row.created_at).to_rfc3339(),
    }
}
