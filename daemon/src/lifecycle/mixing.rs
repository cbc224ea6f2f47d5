//! Keeps sandbox and production apart: the database notes which of the two it is served for.
//!
//! In the sandbox no money is paid and nothing is sent, and its pages show every code: every visitor of a sandbox can
//! become an administrator of it. Invariant: mixing the two is refused before anything is served, unless
//! `--allow-mixing` says that it is meant.

use anyhow::bail;
use talkdrum_core::model::platform::installation::ServedFor;
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
            "--sandbox on {listen}: others can reach it, and those who do can fund wallets and read codes for nothing. \
             Listen on loopback (--listen 127.0.0.1:{}), or add --allow-mixing if that is meant",
            listen.port()
        );
    }
    if around.sandbox.is_some()
        && !around.allow_mixing
        && let Some(named) = others_named(settings)
    {
        bail!(
            "--sandbox with {named}: others may reach it through a proxy, and those who do can fund wallets and read codes for \
             nothing. Take that out of the configuration, or add --allow-mixing if that is meant"
        );
    }
    let mut tx = store.read().await?;
    let noted = installation::surroundings(&mut tx).await?;
    let before = match noted {
        Some(noted) => Some(noted),
        // Served before this was noted: by its carriers, which in the sandbox are one.
        None if generation::any(&mut tx).await? => installation::newest_carrier(&mut tx)
            .await?
            .map(|carrier| if carrier == sandbox::CARRIER { ServedFor::Sandbox } else { ServedFor::Live }),
        None => None,
    };
    drop(tx);
    match (before, around.sandbox.is_some(), around.allow_mixing) {
        (Some(ServedFor::Live | ServedFor::Mixed), true, false) => bail!(
            "--sandbox on a database that was served without it: its accounts, messages and money are real. Give the \
             sandbox a database of its own (--data-dir, --database), or add --allow-mixing if that is meant"
        ),
        (Some(ServedFor::Sandbox), false, false) => bail!(
            "this database was served with --sandbox: its wallets hold play money, which would pay for real messages. \
             Begin with an empty one (--data-dir, --database), or add --allow-mixing if that is meant"
        ),
        (Some(ServedFor::Mixed), false, _) => tracing::warn!(
            "this database was also served with --sandbox: its wallets may hold play money, which pays for real messages"
        ),
        _ => {}
    }
    let now = if around.sandbox.is_some() { ServedFor::Sandbox } else { ServedFor::Live };
    for surroundings in before.filter(|_| noted.is_none()).into_iter().chain([now]) {
        let note = (surroundings, around.clock.now());
        store
            .write(Lane::Interactive, note, |tx, (surroundings, now)| {
                Box::pin(installation::note(tx, *surroundings, *now))
            })
            .await?;
    }
    Ok(())
}

/// What in the settings says that others than this machine reach the daemon, though it listens on loopback.
fn others_named(settings: &Settings) -> Option<String> {
    let url = settings.server.public_url.as_ref().filter(|url| !is_loopback_url(url));
    let proxy = settings.server.trusted_proxies.iter().find(|proxy| !proxy.to_canonical().is_loopback());
    url.map(|url| format!("server.public_url {url}"))
        .or_else(|| proxy.map(|proxy| format!("{proxy} in server.trusted_proxies")))
}

fn is_loopback_url(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine_alone() {
        let named = |url: Option<&str>, proxies: &[&str]| {
            let mut settings = Settings::default();
            settings.server.public_url = url.map(str::to_owned);
            settings
                .server
                .trusted_proxies
                .extend(proxies.iter().map(|proxy| proxy.parse::<std::net::IpAddr>().unwrap()));
            others_named(&settings)
        };
        for own in
            [None, Some("http://127.0.0.1:8090"), Some("http://localhost:8080"), Some("http://[::1]:8080/")]
        {
            assert_eq!(named(own, &["127.0.0.2"]), None, "{own:?}");
        }
        for others in ["https://sms.example.com", "http://10.0.0.5:8080", "http://127.0.0.1.example.com"] {
            assert_eq!(named(Some(others), &[]), Some(format!("server.public_url {others}")));
        }
        assert_eq!(named(None, &["10.0.0.5"]).as_deref(), Some("10.0.0.5 in server.trusted_proxies"));
    }
}
