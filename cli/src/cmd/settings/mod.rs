//! Settings but prices: each is read and set by its own call.

pub(super) mod get;
pub(super) mod list;
pub(super) mod set;

use serde::Serialize;
use serde_json::{Map, Value};
use talkdrum_api::setting::SettingRecord;

use crate::args::Setting;
use crate::client::{Answer, Client};
use crate::exit::{Failure, Result};

/// All settings, in the order in which they are shown.
const ALL: [Setting; 9] = [
    Setting::WalletAddress,
    Setting::ContactAddress,
    Setting::ContactEmail,
    Setting::ContactPhone,
    Setting::AdminNumber,
    Setting::AboutUs,
    Setting::SmsApiKey,
    Setting::EspeeApiKey,
    Setting::PaystackKeys,
];

/// The call that reads it.
const fn read_call(setting: Setting) -> &'static str {
    match setting {
        Setting::WalletAddress => "/admin/get-wallet-address",
        Setting::ContactAddress => "/admin/get-contact-address",
        Setting::ContactEmail => "/admin/get-contact-email",
        Setting::ContactPhone => "/admin/get-contact-phone",
        Setting::AdminNumber => "/admin/get-admin-number",
        Setting::AboutUs => "/admin/get-about-us",
        Setting::SmsApiKey => "/admin/get-sms-api-key",
        Setting::EspeeApiKey => "/admin/get-espee-api-key",
        Setting::PaystackKeys => "/admin/get-paystack-api-key",
    }
}

/// A setting as it is shown.
#[derive(Debug, Serialize)]
struct Shown {
    /// The specification's name.
    name: String,
    value: Option<String>,
    updated_at: Option<String>,
    /// False of a secret that the daemon's key does not open.
    readable: bool,
}

/// Reads a setting; the Paystack keys are two.
async fn read(client: &Client, setting: Setting) -> Result<(Vec<Shown>, Map<String, Value>)> {
    let answer: Answer<Map<String, Value>> = client.get(read_call(setting), &[]).await?;
    let mut shown = Vec::new();
    for (name, records) in &answer.value {
        let records: Vec<SettingRecord> = serde_json::from_value(records.clone()).map_err(|error| {
            Failure::failed(format!("the daemon gave a setting this version cannot read ({error})"))
        })?;
        let first = records.into_iter().next();
        let readable = first.as_ref().is_none_or(|it| it.readable);
        let (value, updated_at) = first.map(|it| (it.value, it.updated_at)).unzip();
        shown.push(Shown { name: name.clone(), value, updated_at, readable });
    }
    Ok((shown, answer.value))
}
