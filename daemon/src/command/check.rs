//! `talkdrumd check`: whether what is stored adds up. Fit for cron: silent success is exit 0, a finding is exit 1.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use talkdrum_core::entropy::{Entropy, SystemEntropy};
use talkdrum_core::ledger::verify;
use talkdrum_core::model::platform::notice::Channel;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::store::operations::last_check::{self, LastCheck};
use talkdrum_core::store::operations::{backup, generation};
use talkdrum_core::store::platform::notice;
use talkdrum_core::store::{Lane, Store};
use talkdrum_core::time::{Clock as _, SystemClock, Time};

use super::print;
use crate::config::Settings;
use crate::lifecycle::{database, secret_key};

/// How far back lost notices are looked for.
const DAY: Duration = Duration::from_hours(24);

/// The outcome of one check.
#[derive(Debug, Serialize)]
struct Outcome {
    /// What was checked.
    name: &'static str,
    /// Whether all is well.
    ok: bool,
    /// What is not.
    findings: Vec<String>,
}

impl Outcome {
    fn new(name: &'static str, findings: Vec<String>) -> Self {
        Self { name, ok: findings.is_empty(), findings }
    }
}

/// The check of the space that dispatch needs.
const DISK: &str = "disk";

pub(super) async fn run(settings: &Settings, json: bool) -> anyhow::Result<ExitCode> {
    let store = database::existing(settings).await?;
    let has_mail = settings.mail.config()?.is_some();
    let outcomes = outcomes(&store, settings, has_mail, SystemClock.now()).await;
    if let Ok(outcomes) = &outcomes {
        note(&store, outcomes).await;
    }
    store.close().await;
    let outcomes = outcomes?;
    print(&if json { as_json(&outcomes)? } else { as_text(&outcomes) })?;
    let sound = outcomes.iter().all(|outcome| outcome.ok);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Every check there is, in the order in which they are shown.
async fn outcomes(
    store: &Store,
    settings: &Settings,
    has_mail: bool,
    now: Time,
) -> anyhow::Result<Vec<Outcome>> {
    let held = generation::held(&mut store.read().await?).await?;
    let held = held.map(|hold| format!("held since {}: {}", hold.held_at, hold.reason));
    let disk = DiskGuard::new(&settings.server.data_dir, settings.limits.dispatch_free_disk_bytes());
    Ok(vec![
        Outcome::new("database", backup::damage(store).await?),
        Outcome::new("ledger", verify::verify(&mut store.read().await?).await?.0),
        Outcome::new("dispatch", held.into_iter().collect()),
        Outcome::new(DISK, disk.check().err().iter().map(ToString::to_string).collect()),
        Outcome::new("notices", undelivered(store, has_mail, now).await?),
        Outcome::new("secrets", unreadable(store, settings).await?),
    ])
}

/// Secrets that the key of this data directory does not open.
async fn unreadable(store: &Store, settings: &Settings) -> anyhow::Result<Vec<String>> {
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    Ok(match secret_key::existing(&settings.server.data_dir, &entropy) {
        Ok(vault) => secret_key::unreadable(store, vault.as_ref()).await?.into_iter().collect(),
        Err(error) => vec![format!("{error:#}")],
    })
}

/// Notes the verdict for the platform's figures. The check itself holds whether or not it can be noted. The space of this
/// machine is another in a minute, and has a gauge: it is no part of what is noted.
async fn note(store: &Store, outcomes: &[Outcome]) {
    let stored = || outcomes.iter().filter(|outcome| outcome.name != DISK);
    let findings = || stored().flat_map(|outcome| &outcome.findings);
    let verdict = LastCheck {
        checked_at: SystemClock.now(),
        ok: stored().all(|outcome| outcome.ok),
        findings: i64::try_from(findings().count()).unwrap_or(i64::MAX),
        first: findings().next().cloned(),
    };
    let noted =
        store.write(Lane::Interactive, verdict, |tx, verdict| Box::pin(last_check::note(tx, verdict))).await;
    if let Err(error) = noted {
        tracing::warn!(code = error.code(), %error, "the verdict was not noted for the figures");
    }
}

/// Codes and alerts that were not sent.
async fn undelivered(store: &Store, has_mail: bool, now: Time) -> anyhow::Result<Vec<String>> {
    let mut tx = store.read().await?;
    let mut findings = Vec::new();
    for (channel, what) in [(Channel::Email, "e-mails"), (Channel::Sms, "text messages")] {
        let lost = notice::lost(&mut tx, channel, now - DAY).await?;
        if lost > 0 {
            findings.push(format!(
                "{lost} {what} of the platform failed or came too late since yesterday: see the log"
            ));
        }
    }
    let waiting = notice::waiting(&mut tx, Channel::Email).await?;
    if waiting > 0 && !has_mail {
        findings.push(format!("{waiting} e-mails wait and cannot be sent: set [mail]"));
    }
    Ok(findings)
}

fn as_json(outcomes: &[Outcome]) -> anyhow::Result<String> {
    let ok = outcomes.iter().all(|outcome| outcome.ok);
    Ok(serde_json::to_string_pretty(&serde_json::json!({ "ok": ok, "checks": outcomes }))?)
}

fn as_text(outcomes: &[Outcome]) -> String {
    let mut lines = Vec::new();
    for outcome in outcomes {
        lines.push(format!("{}: {}", outcome.name, if outcome.ok { "ok" } else { "FAILED" }));
        lines.extend(outcome.findings.iter().map(|finding| format!("  {finding}")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use talkdrum_core::args;
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::settings::{Secret, SecretKey, set_secret};
    use talkdrum_core::store::Lane;
    use talkdrum_core::testing::account::make_user;
    use talkdrum_core::testing::database;

    use super::*;

    fn settings_in(dir: &std::path::Path) -> Settings {
        let mut settings = Settings::default();
        settings.server.data_dir = dir.to_owned();
        settings
    }

    #[tokio::test]
    async fn too_little_space_is_found_and_not_noted() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let mut settings = settings_in(dir.path());
        let wrong = async |settings: &Settings| {
            let outcomes = outcomes(&store, settings, false, Time(0)).await.unwrap();
            outcomes.into_iter().filter(|outcome| !outcome.ok).collect::<Vec<_>>()
        };
        assert!(wrong(&settings).await.is_empty());
        (settings.limits.free_disk_mib, settings.limits.dispatch_free_disk_mib) = (u32::MAX, u32::MAX);
        let wrong = wrong(&settings).await;
        note(&store, &wrong).await;
        let noted = last_check::find(&mut store.read().await.unwrap()).await.unwrap().unwrap();
        assert_eq!((noted.ok, noted.findings), (true, 0), "it is another in a minute");
        assert_eq!((wrong.len(), wrong[0].name), (1, DISK));
        assert!(wrong[0].findings[0].contains("short of disk space"), "{wrong:?}");
    }

    #[tokio::test]
    async fn a_key_that_is_missing_or_not_the_one_that_sealed_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        let settings = settings_in(dir.path());
        assert!(unreadable(&store, &settings).await.unwrap().is_empty(), "nothing is sealed yet");
        assert!(!dir.path().join("secret.key").exists(), "a check makes no key");
        let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
        let vault = secret_key::vault(dir.path(), &entropy).unwrap();
        let sealed = vault.seal("smsApiKey", &Secret::new("key")).unwrap();
        let set = store.write(Lane::Interactive, (sealed, admin), |tx, (sealed, by)| {
            Box::pin(set_secret(tx, SecretKey::SmsApiKey, sealed, *by, Time(1)))
        });
        set.await.unwrap();
        assert!(unreadable(&store, &settings).await.unwrap().is_empty());
        std::fs::remove_file(dir.path().join("secret.key")).unwrap();
        let missing = unreadable(&store, &settings).await.unwrap();
        assert!(missing[0].contains("secret.key is missing: smsApiKey"), "{missing:?}");
        secret_key::vault(dir.path(), &entropy).unwrap();
        let outcomes = outcomes(&store, &settings, false, Time(0)).await.unwrap();
        let wrong: Vec<_> = outcomes.iter().filter(|outcome| !outcome.ok).collect();
        assert_eq!((wrong.len(), wrong[0].name), (1, "secrets"));
        assert!(wrong[0].findings[0].contains("smsApiKey"), "{wrong:?}");
    }

    #[tokio::test]
    async fn a_balance_that_no_transfer_explains_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        make_user(&store, "ada", Role::User).await;
        let settings = settings_in(dir.path());
        let wrong = async || -> Vec<&'static str> {
            let outcomes = outcomes(&store, &settings, false, Time(0)).await.unwrap();
            outcomes.iter().filter(|outcome| !outcome.ok).map(|outcome| outcome.name).collect()
        };
        assert!(wrong().await.is_empty());
        let forged = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(tx.run_exactly(
                1,
                "UPDATE accounts SET balance_micros = 1 WHERE kind = 'wallet' AND currency = 'naira'",
                args![],
            ))
        });
        forged.await.unwrap();
        assert_eq!(wrong().await, ["ledger"]);
    }
}
