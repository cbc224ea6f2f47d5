//! `serve --sandbox`: the stand-ins in the daemon's own process.
//!
//! With them, no carrier of the configuration is spoken to.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::Context as _;
use talkdrum_core::time::Time;
use talkdrum_sip::callee::Callee;

use crate::config::{CarrierSection, SIP, Settings};
use crate::sandbox::smsc::{Smsc, SmscOptions};

/// The name of the carrier that leads to the stand-in.
pub(super) const CARRIER: &str = "sandbox";
/// The name of the trunk that leads to the stand-in for everybody's phone.
const TRUNK: &str = "sandbox-voice";
/// submit_sm outstanding at the stand-in.
const WINDOW: i64 = 1_000;
/// How long a phone rings before it is picked up.
const RINGS: Duration = Duration::from_millis(500);

/// Starts the SMSC of `options` and the phones, and makes them the only carriers of `settings`.
pub(super) async fn with_stand_ins(
    settings: &Settings,
    options: SmscOptions,
    now: Time,
) -> anyhow::Result<(Settings, Smsc, Callee)> {
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
    let listen = SocketAddr::new(IpAddr::from([127, 0, 0, 1]), 0);
    let callee = Callee::start(listen, RINGS).await.context("the sandbox's phones cannot listen")?;
    tracing::info!(address = %callee.address(), "the sandbox's phones stand in for every trunk");
    let carriers = vec![carrier, trunk(callee.address())];
    Ok((Settings { carriers, routes: Vec::new(), ..settings.clone() }, smsc, callee))
}

/// The trunk to the phones.
fn trunk(address: SocketAddr) -> CarrierSection {
    let mut options = toml::Table::new();
    options.insert("host".into(), address.ip().to_string().into());
    options.insert("port".into(), i64::from(address.port()).into());
    options.insert("listen".into(), address.ip().to_string().into());
    options.insert("caller_id".into(), "2342010000000".into());
    options.insert("channels".into(), 100.into());
    options.insert("rate".into(), 50.into());
    options.insert("ring_s".into(), 15.into());
    options.insert("options_s".into(), 5.into());
    CarrierSection { name: TRUNK.into(), kind: SIP.into(), options }
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
        let (surrounded, smsc, callee) = with_stand_ins(&settings, options, Time(1)).await.unwrap();
        assert_eq!(smsc.faults(), faults);
        let carriers = surrounded.carrier_plans().unwrap();
        assert_eq!((carriers.len(), carriers[0].name.as_str()), (2, CARRIER));
        let crate::config::Line::Sip(config) = &carriers[1].line else { panic!("SIP") };
        assert_eq!(config.port, callee.address().port());
        let crate::config::Line::Smpp(config) = &carriers[0].line else { panic!("SMPP") };
        assert_eq!(config.port, smsc.local_addr().port());
    }
}
