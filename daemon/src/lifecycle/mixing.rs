//! Keeps sandbox and life apart: which of both a database is served for is noted in it.
//!
//! In the sandbox nobody pays and nothing is sent, and its pages show every code: whoever reaches it is an administrator of
//! it. The invariant: what mixes both is refused before anything is served, unless `--allow-mixing` says that it is meant.

use anyhow::bail;
use talkdrum_core::store::operations::{generation, installation};
use talkdrum_core::store::{Lane, Store};

use crate::config::Settings;
use crate::lifecycle::sandbox;
use crate::state::Surroundings;

/// Looks at address and database, and notes what the database is served for from now on.
///
/// # Errors
/// When the sandbox would be reached by others, or share a database with life.
pub(super) async fn check(store: &Store, settings: &Settings, around: &Surroundings) -> anyhow::Result<()> {
    let listen = settings.server.listen;
    let is_open = around.sandbox.is_some() && !listen.ip().is_loopback();
    if is_open && !around.allow_mixing {
        bail!(
            "--sandbox on {listen}: others can reach it, and whoever does can fund wallets and read codes for nothing. \
             Listen on loopback (--listen 127.0.0.1:{}), or add --allow-mixing if that is meant",
            listen.port()
        );
    }
    let mut tx = store.read().await?;
    let noted = installation::surroundings(&mut tx).await?;
    let before = match noted.clone() {
        Some(noted) => Some(noted),
        // Served before this was noted: by its carriers, which in the sandbox are one.
        None if generation::any(&mut tx).await? => installation::newest_carrier(&mut tx)
            .await?
            .map(|carrier| if carrier == sandbox::CARRIER { "sandbox" } else { "live" }.to_owned()),
        None => None,
    };
    drop(tx);
    match (before.as_deref(), around.sandbox.is_some(), around.allow_mixing) {
        (Some("live" | "mixed"), true, false) => bail!(
            "--sandbox on a database that was served without it: its accounts, messages and money are real. Give the \
             sandbox a database of its own (--data-dir, --database), or add --allow-mixing if that is meant"
        ),
        (Some("sandbox"), false, false) => bail!(
            "this database was served with --sandbox: its wallets hold play money, which would pay for real messages. \
             Begin with an empty one (--data-dir, --database), or add --allow-mixing if that is meant"
        ),
        (Some("mixed"), false, _) => tracing::warn!(
            "this database was also served with --sandbox: its wallets may hold play money, which pays for real messages"
        ),
        _ => {}
    }
    let now = if around.sandbox.is_some() { "sandbox" } else { "live" };
    for surroundings in before.filter(|_| noted.is_none()).as_deref().into_iter().chain([now]) {
        let note = (surroundings.to_owned(), around.clock.now());
        store
            .write(Lane::Interactive, note, |tx, (surroundings, now)| {
                Box::pin(installation::note(tx, surroundings, *now))
            })
            .await?;
    }
    Ok(())
}
