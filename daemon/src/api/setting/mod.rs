//! The administrator's settings but prices: contact details, the pricing write-up, keys. Each is read in the
//! specification's shape, a list of records whose first item has a value; secrets show their last four characters.
//!
//! What visitors need is open, under `/admin` as the specification's client asks for it and under `/api`.

mod set_paystack;
mod set_secret;
mod set_text;
mod show;
mod show_secret;

use talkdrum_api::setting::SettingRecord;
use talkdrum_core::store::platform::setting::SettingRow;

use crate::http::routes::Operations;

pub(super) fn router() -> Operations {
    Operations::new()
        .merge(set_text::router())
        .merge(set_secret::router())
        .merge(set_paystack::router())
        .merge(show::router())
        .merge(show_secret::router())
}

/// The records of a text: one, or none while it is not set.
fn records(text: Option<SettingRow>) -> Vec<SettingRecord> {
    text.map(|text| SettingRecord {
        value: text.value,
        updated_at: text.updated_at.to_rfc3339(),
        readable: true,
    })
    .into_iter()
    .collect()
}

#[cfg(test)]
mod tests;
