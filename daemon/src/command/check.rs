//! `talkdrumd check`: whether what is stored adds up. Fit for cron: silent success is exit 0, a finding is exit 1.

use std::process::ExitCode;

use serde::Serialize;
use talkdrum_core::ledger::verify;
use talkdrum_core::store::{Store, backup, generation};

use super::print;
use crate::config::Settings;
use crate::lifecycle::database;

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

pub(super) async fn run(settings: &Settings, json: bool) -> anyhow::Result<ExitCode> {
    let store = database::existing(settings).await?;
    let outcomes = outcomes(&store).await;
    store.close().await;
    let outcomes = outcomes?;
    print(&if json { as_json(&outcomes)? } else { as_text(&outcomes) })?;
    let sound = outcomes.iter().all(|outcome| outcome.ok);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Every check there is, in the order in which they are shown.
async fn outcomes(store: &Store) -> anyhow::Result<Vec<Outcome>> {
    let held = generation::held(&mut store.read().await?).await?;
    let held = held.map(|hold| format!("held since {}: {}", hold.held_at, hold.reason));
    Ok(vec![
        Outcome::new("database", backup::damage(store).await?),
        Outcome::new("ledger", verify::verify(&mut store.read().await?).await?.0),
        Outcome::new("dispatch", held.into_iter().collect()),
    ])
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
    use talkdrum_core::account::Role;
    use talkdrum_core::args;
    use talkdrum_core::store::Lane;
    use talkdrum_core::testing::account::make_user;
    use talkdrum_core::testing::database;

    use super::*;

    #[tokio::test]
    async fn a_balance_that_no_transfer_explains_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        make_user(&store, "ada", Role::User).await;
        let wrong = async || -> Vec<&'static str> {
            let outcomes = outcomes(&store).await.unwrap();
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
