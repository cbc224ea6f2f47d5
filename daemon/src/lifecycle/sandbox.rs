//! `serve --sandbox`: the stand-ins in the daemon's own process.
//!
//! With them, no carrier of the configuration is spoken to.

use anyhow::Context as _;
use talkdrum_core::time::Time;

use crate::config::{CarrierSection, Settings};
use crate::sandbox::smsc::{Smsc, SmscOptions};

/// The name of the carrier that leads to the stand-in.
pub(super) const CARRIER: &str = "sandbox";
/// submit_sm outstanding at the stand-in.
const WINDOW: i64 = 1_000;

/// Starts the SMSC of `options` and makes it the only carrier of `settings`.
pub(super) async fn with_smsc(
    settings: &Settings,
    options: SmscOptions,
    now: Time,
) -> anyhow::Result<(Settings, Smsc)> {
    // Ids begin at the time of day, so that they do not repeat over restarts.
    let first_id = u64::try_from(now.millis()).unwrap_or(0) << 10;
    let smsc =
        Smsc::bind(SmscOptions { first_id, ..options }).await.context("the sandbox SMSC cannot listen")?;
    let address = smsc.local_addr();
    let mut options = toml::Table::new();
    options.insert("host".into(), address.ip().to_string().into());
    options.insert("port".into(), i64::from(address.port()).into());
    options.insert("system_id".into(), "talkdrum".into());
    options.insert("window".into(), WINDOW.into());
    let carrier = CarrierSection { name: CARRIER.into(), kind: "smpp".into(), options };
    tracing::info!(%address, "the sandbox SMSC stands in for every carrier");
    Ok((Settings { carriers: vec![carrier], routes: Vec::new(), ..settings.clone() }, smsc))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::smsc::{Chance, Faults};

    #[tokio::test]
    async fn no_carrier_of_the_configuration_remains() {
        let mut settings = Settings::default();
        let real = CarrierSection { name: "real".into(), kind: "smpp".into(), options: toml::Table::new() };
        settings.carriers.push(real);
        let faults = Faults { lose_receipts: Chance::per_million(250_000), ..Faults::default() };
        let options = SmscOptions { faults: faults.clone(), ..SmscOptions::default() };
        let (surrounded, smsc) = with_smsc(&settings, options, Time(1)).await.unwrap();
        assert_eq!(smsc.faults(), faults);
        let carriers = surrounded.carrier_plans().unwrap();
        assert_eq!((carriers.len(), carriers[0].name.as_str()), (1, CARRIER));
        let crate::config::Line::Smpp(config) = &carriers[0].line else { panic!("SMPP") };
        assert_eq!(config.port, smsc.local_addr().port());
    }
}
