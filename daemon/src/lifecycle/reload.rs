//! Reading the configuration file again while the daemon serves: carriers and routes, and nothing else.
//!
//! The invariant: the whole new file is checked before anything changes; what cannot be used leaves everything as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use talkdrum_core::api::carrier::{CarriersReloaded, RemovedCarrier};
use talkdrum_core::audit::{self, Entry};
use talkdrum_core::campaign::routing::Router;
use talkdrum_core::operate;
use talkdrum_core::store::Lane;
use talkdrum_core::worker::supervise::Change;
use talkdrum_core::{Error, Result};

use super::{desk, workers};
use crate::config::{self, CarrierPlan, Settings};
use crate::fleet::Fleet;
use crate::state::{AppState, Surroundings};

/// A configuration that can be used.
struct Checked {
    settings: Settings,
    plans: Vec<CarrierPlan>,
    router: Router,
}

/// Reads the file again and makes the daemon's carriers and routes those of it. `by` is the administrator who asked;
/// `None` for the operator at the machine.
///
/// # Errors
/// `bad_configuration` with what is wrong; then nothing has changed. In the sandbox there is nothing to reload.
pub(crate) async fn reload(app: &AppState, by: Option<i64>) -> Result<CarriersReloaded> {
    if app.sandbox.is_some() {
        return Err(Error::conflict(
            "sandbox",
            "In the sandbox its own SMSC stands in for every carrier: there is nothing to reload",
        ));
    }
    let mut current = app.settings.lock().await;
    let checked = check(app, &current)
        .map_err(|error| Error::rule("bad_configuration", format!("Nothing has changed: {error:#}")))?;
    let Checked { settings, plans, router } = checked;
    let before = app.fleet.now();
    let fleet = Fleet::new(&settings.carriers, &plans, &before);
    let mut report = CarriersReloaded {
        started: Vec::new(),
        changed: Vec::new(),
        unchanged: Vec::new(),
        removed: Vec::new(),
        routes_changed: keys(&settings.routes)? != keys(&current.routes)?,
        needs_restart: differing(&current, &settings)?,
        message: String::new(),
    };
    for name in fleet.names() {
        if before.kind(&name).is_none() {
            report.started.push(name);
        } else if fleet.has_as_in(&before, &name) {
            report.unchanged.push(name);
        } else {
            report.changed.push(name);
        }
    }
    let gone: Vec<String> = before.names().into_iter().filter(|name| fleet.kind(name).is_none()).collect();
    report.removed = removed(app, &gone).await?;
    report.message = in_words(&report);
    record(app, by, &report).await?;
    if let Some(workers) = &app.workers {
        let around =
            Surroundings { clock: Arc::clone(&app.clock), entropy: Arc::clone(&app.entropy), sandbox: false };
        let way = workers::Way {
            hooks: &fleet.hooks,
            keys: Arc::new(workers::AdminKey { store: app.store.clone(), vault: app.vault.clone() }),
            public_url: app.public_url.clone(),
        };
        let end = report.changed.iter().chain(&gone).cloned().collect();
        workers.change(Change { end, slots: workers::slots(plans, &way, &around) }).await?;
    }
    app.fleet.swap(fleet);
    app.desk.router.swap(router);
    // What needs a restart is compared with what the daemon started with, until it is restarted.
    current.carriers = settings.carriers;
    current.routes = settings.routes;
    tracing::info!(message = report.message, "carriers.reload");
    Ok(report)
}

fn check(app: &AppState, current: &Settings) -> anyhow::Result<Checked> {
    let settings = config::load(&current.source)?;
    let plans = settings.carrier_plans()?;
    let router = desk::router(&settings, &plans, &app.desk.networks)?;
    for plan in &plans {
        plan.check_files()?;
    }
    Ok(Checked { settings, plans, router })
}

/// The carriers that are gone, with what still waits for them.
async fn removed(app: &AppState, gone: &[String]) -> Result<Vec<RemovedCarrier>> {
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let views = operate::overview(&mut app.store.read().await?, gone, app.clock.now()).await?;
    let ours = views.into_iter().filter(|view| gone.contains(&view.name));
    Ok(ours
        .map(|view| RemovedCarrier {
            waiting: view.waiting.queued() + view.waiting.later + view.notices,
            name: view.name,
        })
        .collect())
}

async fn record(app: &AppState, by: Option<i64>, report: &CarriersReloaded) -> Result<()> {
    let input = (by, report.message.clone(), app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (by, message, now)| {
            Box::pin(async move {
                let entry = Entry {
                    by: *by,
                    action: "carriers.reload",
                    subject: "carriers".to_owned(),
                    before: None,
                    after: Some(message.clone()),
                };
                audit::record(tx, &entry, *now).await
            })
        })
        .await
}

fn in_words(report: &CarriersReloaded) -> String {
    let named = |what: &str, names: &[String]| match names {
        [] => None,
        names => Some(format!("{what}: {}", names.join(", "))),
    };
    let removed: Vec<String> = report
        .removed
        .iter()
        .map(|it| match it.waiting {
            0 => it.name.clone(),
            waiting => {
                format!("{} ({waiting} messages still wait for it: reroute them, or put it back)", it.name)
            }
        })
        .collect();
    let parts = [
        named("Started", &report.started),
        named("Changed, drained and started anew", &report.changed),
        named("Removed", &removed),
        report.routes_changed.then(|| "The routes are new".to_owned()),
        named("Needs a restart", &report.needs_restart),
    ];
    let words: Vec<String> = parts.into_iter().flatten().collect();
    if words.is_empty() { "Nothing has changed".to_owned() } else { words.join(". ") }
}

/// The names of settings that differ, but for carriers and routes.
fn differing(old: &Settings, new: &Settings) -> Result<Vec<String>> {
    let (old, new) = (keys(old)?, keys(new)?);
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let is_ours = |name: &str| name.starts_with("carriers") || name.starts_with("routes");
    let differs = |name: &&String| old.get(*name) != new.get(*name) && !is_ours(name);
    Ok(names.into_iter().filter(differs).cloned().collect())
}

/// Every value under its dotted name.
fn keys(value: &impl serde::Serialize) -> Result<BTreeMap<String, String>> {
    let value = serde_json::to_value(value)
        .map_err(|error| Error::Corrupt(format!("the settings cannot be compared: {error}")))?;
    let mut found = BTreeMap::new();
    walk(&value, "", &mut found);
    Ok(found)
}

fn walk(value: &serde_json::Value, name: &str, found: &mut BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                walk(value, &name, found);
            }
        }
        other => {
            found.insert(name.to_owned(), other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_settings_that_changed_are_named_and_carriers_are_not() {
        let old = Settings::default();
        let mut new = Settings::default();
        new.limits.free_disk_mib = 7;
        new.server.shutdown_s = 9;
        new.carriers.push(config::CarrierSection {
            name: "a".into(),
            kind: "smpp".into(),
            options: toml::Table::new(),
        });
        assert_eq!(differing(&old, &new).unwrap(), ["limits.free_disk_mib", "server.shutdown_s"]);
        assert!(differing(&old, &old).unwrap().is_empty());
    }
}
