//! Settings but prices: each is read and set by its own call.

pub(super) mod set;

use clap::ValueEnum as _;
use serde::Serialize;
use serde_json::{Map, Value};
use talkdrum_api::setting::SettingRecord;

use crate::args::{Format, Setting, SettingsCommand};
use crate::client::{Answer, CallError, Client};
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column, json_object, to_json};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: SettingsCommand) -> Result<Exit> {
    match command {
        SettingsCommand::List => list(context).await,
        SettingsCommand::Get { name } => get(context, name).await,
        SettingsCommand::Set(args) => set::run(context, args).await,
    }
}

/// How a setting is read and set.
struct Calls {
    /// The call that reads it.
    read: &'static str,
    /// The call that sets it.
    set: &'static str,
    /// The fields of that call's form: the value has a line for each.
    fields: &'static [&'static str],
    /// Whether the value must not be seen on a command line.
    is_secret: bool,
}

impl Calls {
    const fn text(read: &'static str, set: &'static str, fields: &'static [&'static str]) -> Self {
        Self { read, set, fields, is_secret: false }
    }

    const fn secret(read: &'static str, set: &'static str, fields: &'static [&'static str]) -> Self {
        Self { read, set, fields, is_secret: true }
    }
}

/// The calls of a setting. A new setting is a variant of [`Setting`], and a line here.
const fn calls(setting: Setting) -> Calls {
    match setting {
        Setting::WalletAddress => {
            Calls::text("/admin/get-wallet-address", "/admin/set-wallet-address", &["wallet_address"])
        }
        Setting::ContactAddress => {
            Calls::text("/admin/get-contact-address", "/admin/contact-address", &["address"])
        }
        Setting::ContactEmail => Calls::text("/admin/get-contact-email", "/admin/contact-email", &["email"]),
        Setting::ContactPhone => Calls::text("/admin/get-contact-phone", "/admin/contact-phone", &["phone"]),
        Setting::AdminNumber => {
            Calls::text("/admin/get-admin-number", "/admin/set-admin-number", &["phone_number"])
        }
        Setting::AboutUs => Calls::text("/admin/get-about-us", "/admin/about-us", &["content"]),
        Setting::SmsApiKey => Calls::secret("/admin/get-sms-api-key", "/admin/set-sms-api-key", &["api_key"]),
        Setting::EspeeApiKey => {
            Calls::secret("/admin/get-espee-api-key", "/admin/set-espee-api-key", &["api_key"])
        }
        Setting::PaystackKeys => Calls::secret(
            "/admin/get-paystack-api-key",
            "/admin/set-paystack-keys",
            &["secret_key", "public_key"],
        ),
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
async fn read(client: &Client, setting: Setting) -> Result<Vec<Shown>> {
    let answer: Answer<Map<String, Value>> = client.get(calls(setting).read, &()).await?;
    let mut shown = Vec::new();
    for (name, records) in answer.value {
        let records: Vec<SettingRecord> = serde_json::from_value(records).map_err(|error| {
            CallError::Unreadable { what: format!("a setting this version cannot read ({error})") }
        })?;
        let first = records.into_iter().next();
        let readable = first.as_ref().is_none_or(|it| it.readable);
        let (value, updated_at) = first.map(|it| (it.value, it.updated_at)).unzip();
        shown.push(Shown { name, value, updated_at, readable });
    }
    Ok(shown)
}

fn settings_json(shown: &[Shown]) -> Result<String> {
    Ok(json_object(&[("settings", to_json(&shown)?), ("total", shown.len().to_string())]))
}

/// How much of a long value a table shows.
const SHOWN: usize = 60;

const COLUMNS: &[Column<Shown>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("value", "Value", |it| Cell::maybe(it.value.as_ref())),
    Column::left("updated_at", "Set", |it| Cell::time(it.updated_at.as_ref())),
];

/// Shows all settings.
async fn list(context: &Context) -> Result<Exit> {
    let client = context.client()?;
    let mut rows = Vec::new();
    for &setting in Setting::value_variants() {
        rows.extend(read(&client, setting).await?);
    }
    if context.out.is_table() {
        for value in rows.iter_mut().filter_map(|row| row.value.as_mut()) {
            *value = one_line(value);
        }
    }
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    context.out.list(&settings_json(&rows)?, &rows, total, COLUMNS)?;
    Ok(Exit::Done)
}

fn one_line(value: &str) -> String {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN {
        return line;
    }
    format!("{}...", line.chars().take(SHOWN).collect::<String>())
}

/// Prints one setting's value, and nothing else; of several, one a line.
async fn get(context: &Context, setting: Setting) -> Result<Exit> {
    let shown = read(&context.client()?, setting).await?;
    match context.out.format {
        Format::Json => context.out.line(&settings_json(&shown)?)?,
        Format::Jsonl => context.out.json_lines(&shown)?,
        Format::Table | Format::Csv => {}
    }
    if let Some(closed) = shown.iter().find(|it| !it.readable) {
        return Err(Failure::failed(format!("{} cannot be read with the daemon's secret key", closed.name))
            .hint("put the right secret.key back, or enter it again with talkdrum settings set"));
    }
    if matches!(context.out.format, Format::Json | Format::Jsonl) {
        return Ok(Exit::Done);
    }
    if let Some(unset) = shown.iter().find(|it| it.value.is_none()) {
        return Err(
            Failure::not_found(format!("{} is not set", unset.name)).hint("talkdrum settings set sets it")
        );
    }
    for value in shown.into_iter().filter_map(|it| it.value) {
        context.out.line(&value)?;
    }
    Ok(Exit::Done)
}
