//! `talkdrum profiles`: the sign-ins of this machine. The daemon is not asked.

use serde::Serialize;

use crate::args::{ProfilesCommand, SetProfileArgs};
use crate::client::without_userinfo;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, json_object, to_json};
use crate::profile::{Defaults, Profile, Profiles};
use crate::zone::Zone;

/// A profile, without its token.
#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    /// Whether commands use it unless another is named.
    current: bool,
    url: Option<String>,
    username: Option<String>,
    #[serde(flatten)]
    defaults: Defaults,
}

const COLUMNS: &[Column<Listed>] = &[
    Column::left("name", "Profile", |it| Cell::text(&it.name)),
    Column::left("current", "Current", |it| Cell::text(if it.current { "yes" } else { "no" })),
    Column::left("username", "Signed in as", |it| Cell::maybe(it.username.as_ref())),
    Column::left("url", "Daemon", |it| Cell::maybe(it.url.as_ref())),
    Column::left("pay", "Pays", |it| it.defaults.pay.map_or(Cell::Empty, |pay| Cell::text(pay.name()))),
    Column::left("from", "Sender ID", |it| Cell::maybe(it.defaults.from.as_ref())),
    Column::left("zone", "Zone", |it| Cell::maybe(it.defaults.zone.as_ref())),
];

/// Runs `talkdrum profiles`.
pub(crate) fn run(context: &Context, command: ProfilesCommand) -> Result<Exit> {
    match command {
        ProfilesCommand::List => list(context),
        ProfilesCommand::Set(args) => set(context, args),
    }
}

fn listed(context: &Context, name: String, profile: Option<Profile>, defaults: Defaults) -> Listed {
    let current = name == context.profile_name();
    let (url, username) = profile.map(|profile| (without_userinfo(&profile.url), profile.username)).unzip();
    Listed { name, current, url, username, defaults }
}

fn profile_json(row: &Listed) -> Result<String> {
    Ok(json_object(&[("profile", to_json(row)?)]))
}

/// The profile in use as JSON, after it changed.
pub(super) fn current_json(context: &Context) -> Result<String> {
    let (profiles, name) = (Profiles::of_user()?, context.profile_name());
    profile_json(&listed(context, name.to_owned(), profiles.find(name)?, profiles.defaults(name)?))
}

fn list(context: &Context) -> Result<Exit> {
    let all = Profiles::of_user()?.all()?;
    let rows: Vec<Listed> =
        all.into_iter().map(|(name, (profile, defaults))| listed(context, name, profile, defaults)).collect();
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    context.out.list(
        &serde_json::json!({ "profiles": rows, "total": total }).to_string(),
        &rows,
        total,
        COLUMNS,
    )?;
    Ok(Exit::Done)
}

fn set(context: &Context, args: SetProfileArgs) -> Result<Exit> {
    // All that may be refused before anything is written.
    context.out.columns.of(COLUMNS)?;
    if let Some(zone) = args.zone.as_deref().filter(|zone| !zone.is_empty()) {
        Zone::named(zone)?;
    }
    let (profiles, name) = (Profiles::of_user()?, context.profile_name());
    let mut defaults = profiles.defaults(name)?;
    if args.no_pay || args.pay.is_some() {
        defaults.pay = args.pay;
    }
    for (kept, given) in [(&mut defaults.from, args.from), (&mut defaults.zone, args.zone)] {
        if let Some(given) = given {
            *kept = Some(given).filter(|given| !given.is_empty());
        }
    }
    profiles.set_defaults(name, defaults)?;
    let defaults = profiles.defaults(name)?;
    if context.has_given_token() {
        context.out.warn("TALKDRUM_TOKEN is set: under it only the zone of a profile counts");
    }
    let profile = profiles.find(name)?;
    if profile.is_none() {
        context.out.note(&format!("profile {name} is not signed in yet"));
    }
    let row = listed(context, name.to_owned(), profile, defaults);
    context.out.record(&profile_json(&row)?, &row, COLUMNS)?;
    Ok(Exit::Done)
}
