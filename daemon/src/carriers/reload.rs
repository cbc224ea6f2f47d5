//! Reading the configuration file again while the daemon serves: carriers and routes, and nothing else. An administrator
//! orders it of every daemon on the database; SIGHUP asks one.
//!
//! The whole new file is checked before anything changes; what cannot be used leaves everything as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use talkdrum_api::carrier::{CarriersReloaded, DaemonReloaded, RemovedCarrier};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::carrier::order::{CarrierGone, CarrierOrderId, ReloadReport};
use talkdrum_core::model::platform::installation::ReloadOutcome;
use talkdrum_core::routing::Router;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::{Claim, look_if_any, once};
use talkdrum_core::worker::runtime::supervisor::SupervisorChange;
use talkdrum_core::{Error, Result, operate};

use super::answers::{self, PeerAnswer};
use super::{campaign_service, order, workers};
use crate::config::live_carriers::Fleet;
use crate::config::{self, CarrierPlan, Faults, Settings};
use crate::hook::ClipLinks;
use crate::state::{AppState, Surroundings};

/// A configuration that can be used.
struct Checked {
    settings: Settings,
    plans: Vec<CarrierPlan>,
    router: Router,
}

/// What a reload will change here.
struct Prepared {
    checked: Checked,
    fleet: Fleet,
    gone: Vec<String>,
    report: ReloadReport,
}

/// An administrator's order to every daemon.
pub(crate) struct ReloadOrder {
    /// Who asks.
    pub(crate) by: UserId,
    /// The client's claim on its key.
    pub(crate) claim: Option<Claim>,
}

/// Reads the file again, makes this daemon's carriers and routes those of it, and has every other daemon on the database
/// do the same with its own; says what became of it at each.
///
/// # Errors
/// `bad_configuration` with what is wrong in the file of this daemon; then nothing has changed anywhere. In the sandbox
/// there is nothing to reload.
pub(crate) async fn reload_all(app: &AppState, order: ReloadOrder) -> Result<CarriersReloaded> {
    refuse_sandbox(app)?;
    let before = look_if_any(&mut app.store.read().await?, order.claim.as_ref()).await?;
    let (id, report): (CarrierOrderId, ReloadReport) = match before {
        Some(reference) => order::answer(&app.store, &reference).await?,
        None => {
            let mut current = app.settings.lock().await;
            let prepared = prepare(app, &current).await?;
            let report = prepared.report.clone();
            match record(app, order, &report).await? {
                Recorded::Now(id) => {
                    app.peer.take(id);
                    apply(app, prepared, &mut current).await?;
                    (id, report)
                }
                Recorded::Before(reference) => order::answer(&app.store, &reference).await?,
            }
        }
    };
    let answers = answers::answers(app, id).await?;
    Ok(shown(report, answers))
}

/// Reads the file again and makes the carriers and routes of this daemon those of it: the operator at the machine asks.
///
/// # Errors
/// Those of [`reload_all`].
pub(crate) async fn reload_here(app: &AppState) -> Result<()> {
    refuse_sandbox(app)?;
    let mut current = app.settings.lock().await;
    let prepared = prepare(app, &current).await?;
    let input = (prepared.report.message.clone(), app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (message, now)| {
            Box::pin(operate::note_reload(tx, None, message, *now))
        })
        .await?;
    apply(app, prepared, &mut current).await
}

/// Follows a reload that another daemon was asked for; `None` when this one did already.
pub(super) async fn follow(app: &AppState, id: CarrierOrderId) -> Option<Result<String>> {
    let mut current = app.settings.lock().await;
    if id <= app.peer.taken() {
        return None;
    }
    let done = async {
        let prepared = prepare(app, &current).await?;
        let message = prepared.report.message.clone();
        apply(app, prepared, &mut current).await?;
        Ok(message)
    }
    .await;
    // A file that cannot be used now is read again by the next order, not every second.
    app.peer.take(id);
    Some(done)
}

fn refuse_sandbox(app: &AppState) -> Result<()> {
    if app.sandbox.is_none() {
        return Ok(());
    }
    Err(Error::conflict(
        "sandbox",
        "In the sandbox its own SMSC stands in for every carrier: there is nothing to reload",
    ))
}

async fn prepare(app: &AppState, current: &Settings) -> Result<Prepared> {
    let checked = check(app, current)
        .map_err(|error| Error::rule("bad_configuration", format!("Nothing has changed: {error:#}")))?;
    let settings = &checked.settings;
    let before = app.fleet.now();
    let fleet = Fleet::new(&settings.carriers, &checked.plans, &before);
    let mut report = ReloadReport {
        started: Vec::new(),
        changed: Vec::new(),
        unchanged: Vec::new(),
        removed: Vec::new(),
        routes_changed: keys(&settings.routes)? != keys(&current.routes)?,
        needs_restart: differing(current, settings)?,
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
    Ok(Prepared { checked, fleet, gone, report })
}

async fn apply(app: &AppState, prepared: Prepared, current: &mut Settings) -> Result<()> {
    let Prepared { checked: Checked { settings, plans, router }, fleet, gone, report } = prepared;
    if let Some(workers) = &app.workers {
        let around = Surroundings {
            clock: Arc::clone(&app.clock),
            entropy: Arc::clone(&app.entropy),
            ..Surroundings::of_life()
        };
        let context = workers::SlotContext {
            hooks: &fleet.hooks,
            call_hooks: &fleet.call_hooks,
            addresses: Arc::new(ClipLinks(app.vault.clone())),
            keys: Arc::new(workers::AdminKey { store: app.store.clone(), vault: app.vault.clone() }),
            public_url: app.public_url.clone(),
            networks: Arc::clone(&app.campaigns.networks),
        };
        let end = report.changed.iter().chain(&gone).cloned().collect();
        workers.change(SupervisorChange { end, slots: workers::slots(plans, &context, &around) }).await?;
    }
    app.fleet.swap(fleet);
    if let Some(warning) = router.warning() {
        tracing::warn!("{warning}");
    }
    app.campaigns.router.swap(router);
    // What needs a restart is compared with what the daemon started with, until it is restarted.
    current.carriers = settings.carriers;
    current.routes = settings.routes;
    tracing::info!(message = report.message, "carriers.reload");
    Ok(())
}

fn check(app: &AppState, current: &Settings) -> anyhow::Result<Checked> {
    let settings = config::load(&current.source)?;
    let mut faults = Faults::default();
    settings.check_to_use_carriers(&mut faults);
    settings.check_carrier_files(&mut faults);
    settings.refuse(faults)?;
    let plans = settings.carrier_plans()?;
    let router = campaign_service::router(&settings, &plans, &app.campaigns.networks)?;
    Ok(Checked { settings, plans, router })
}

/// The carriers that are gone, with what still waits for them.
async fn removed(app: &AppState, gone: &[String]) -> Result<Vec<CarrierGone>> {
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let views = operate::overview(&mut app.store.read().await?, gone, app.clock.now()).await?;
    let ours = views.into_iter().filter(|view| gone.contains(&view.name));
    Ok(ours
        .map(|view| CarrierGone {
            waiting: view.waiting.queued() + view.waiting.later + view.notices,
            name: view.name,
        })
        .collect())
}

/// What became of noting an order.
enum Recorded {
    /// It is the order of this number.
    Now(CarrierOrderId),
    /// The same request came before, and this is what its key refers to.
    Before(String),
}

async fn record(app: &AppState, order: ReloadOrder, report: &ReloadReport) -> Result<Recorded> {
    let stored = order::as_stored(report)?;
    let instance = app.peer.instance().to_owned();
    let input = (order, report.message.clone(), stored, instance, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (order, message, stored, instance, now)| {
            Box::pin(async move {
                let mut made = None;
                let reference: String = once(tx, order.claim.as_ref(), *now, async |tx| {
                    let id = operate::order_reload(tx, instance, (stored, message), order.by, *now).await?;
                    made = Some(id);
                    Ok(id.to_string())
                })
                .await?;
                Ok(made.map_or(Recorded::Before(reference), Recorded::Now))
            })
        })
        .await
}

/// The report as it is shown, with what became of the reload at each daemon.
fn shown(report: ReloadReport, answers: Vec<PeerAnswer>) -> CarriersReloaded {
    let ReloadReport { started, changed, unchanged, removed, routes_changed, needs_restart, mut message } =
        report;
    message.push_str(&others_in_words(&answers));
    let removed = removed.into_iter().map(|CarrierGone { name, waiting }| RemovedCarrier { name, waiting });
    CarriersReloaded {
        started,
        changed,
        unchanged,
        removed: removed.collect(),
        routes_changed,
        needs_restart,
        daemons: answers.into_iter().map(DaemonReloaded::from).collect(),
        message,
    }
}

/// What the others did, where there are any.
fn others_in_words(daemons: &[PeerAnswer]) -> String {
    let named = |outcome: Option<ReloadOutcome>| {
        let names: Vec<&str> =
            daemons.iter().filter(|it| it.outcome == outcome).map(|it| it.name.as_str()).collect();
        names.join(", ")
    };
    let mut words = String::new();
    if daemons.len() > 1 {
        let has_followed = |outcome| matches!(outcome, ReloadOutcome::Reloaded | ReloadOutcome::Started);
        let followed = daemons.iter().filter(|it| it.outcome.is_some_and(has_followed)).count();
        words = format!(". {followed} of {} daemons took it", daemons.len());
    }
    for (outcome, what) in [(Some(ReloadOutcome::Refused), "Refused by"), (None, "Nothing heard from")] {
        let names = named(outcome);
        if !names.is_empty() {
            words.push_str(&format!(". {what} {names}"));
        }
    }
    words
}

fn in_words(report: &ReloadReport) -> String {
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
        named("Changed, drained and restarted", &report.changed),
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
    use talkdrum_core::model::platform::installation::DaemonRole;

    use super::*;

    #[test]
    fn the_answer_says_who_did_not_follow() {
        let daemon = |name: &str, outcome| PeerAnswer {
            name: name.into(),
            role: DaemonRole::All,
            outcome,
            message: String::new(),
        };
        assert_eq!(others_in_words(&[daemon("a:1", Some(ReloadOutcome::Reloaded))]), "");
        let all = [
            daemon("a:1", Some(ReloadOutcome::Reloaded)),
            daemon("b:1", Some(ReloadOutcome::Started)),
            daemon("c:1", Some(ReloadOutcome::Refused)),
            daemon("d:1", None),
        ];
        assert_eq!(others_in_words(&all), ". 2 of 4 daemons took it. Refused by c:1. Nothing heard from d:1");
    }

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
