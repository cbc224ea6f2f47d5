//! Voice: texts that are spoken ([`speech`]), recordings ([`recording`]) and where they are kept ([`library`]), both as clips
//! ([`clip`]); calls that try one on its author ([`test_call`]); and calls to many as customers and administrators see them.

pub mod campaign_clip;
pub mod clip;
pub mod library;
pub mod prefixes;
pub mod recording;
mod resample;
pub mod speech;
pub mod test_call;

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::voice::VoiceReport;

use crate::error::Result;
use crate::model::page::{Page, Scope};
use crate::store::Tx;
use crate::store::voice::{self as rows, ReportRow};

/// A page of calls to many, newest first, and how many there are.
pub async fn reports(tx: &mut Tx, scope: Scope, page: Page) -> Result<(Vec<VoiceReport>, i64)> {
    let (reports, total) = rows::reports(tx, scope, page).await?;
    Ok((reports.into_iter().map(shown).collect(), total))
}

fn shown(row: ReportRow) -> VoiceReport {
    let deducted = |currency| if row.currency == currency { row.captured } else { Amount::ZERO };
    VoiceReport {
        id: row.id,
        broadcast_id: row.id,
        user_id: row.user_id,
        espees_deducted: deducted(Currency::Espees),
        naira_deducted: deducted(Currency::Naira),
        username: row.username,
        status: row.status,
        msg: row.message,
        msg_length: row.length_s,
        units: row.units,
        no_of_sent_contacts: row.sent,
        no_of_failed_contacts: row.failed,
        refunded_amount: row.released,
        audio_file_url: row.audio_url,
        created_at: row.created_at.to_rfc3339(),
    }
}
