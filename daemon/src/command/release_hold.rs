//! `talkdrumd release-hold`.

use std::process::ExitCode;
use std::sync::Arc;

use talkdrum_core::entropy::{Entropy, SystemEntropy};
use talkdrum_core::error::Error;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::generation::{self, Released};

use super::say;
use crate::config::Settings;
use crate::lifecycle::{database, secret_key};

pub(super) async fn run(settings: &Settings, all: bool) -> anyhow::Result<ExitCode> {
    // By the key it is told whether opt-outs of erased numbers are to be given up.
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let vault = secret_key::existing(&settings.server.data_dir, &entropy)?;
    let store = database::existing_with(settings, vault.as_ref()).await?;
    let released = store
        .write(Lane::Interactive, all, |tx, all| {
            Box::pin(async move {
                match generation::held(tx).await? {
                    Some(hold) if !all && hold.has_several_causes() => Err(several(&hold.reason)),
                    _ => generation::release(tx).await,
                }
            })
        })
        .await;
    store.close().await;
    say(&match released? {
        Some(Released { hold, gave_up }) => {
            let what =
                if gave_up { " Opt-outs of numbers that were erased before are given up." } else { "" };
            format!("dispatch goes on; it was held since {}: {}{what}", hold.held_at, hold.reason)
        }
        None => "nothing was held".to_owned(),
    });
    Ok(ExitCode::SUCCESS)
}

/// The one who settled a reason may not know of another, a restore above all.
fn several(reasons: &str) -> Error {
    let says = format!(
        "dispatch is held for several reasons: {reasons}. When all are settled: talkdrumd release-hold --all"
    );
    Error::rule("several_reasons", says)
}
