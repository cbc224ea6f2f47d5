//! Text messages at full speed while calls are up: what each costs the other.
//!
//! The daemon, the SMSC and the phones share this machine's cores. So the same messages go out twice, first alone and then
//! beside the calls, and the calls tell how many of their packets were late.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use talkdrum_sip::callee::Callee;

use crate::client::Client;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};
use crate::{Setup, campaign};

/// Calls that are up meanwhile.
pub(crate) const CALLS: u32 = 200;
/// The trunk's name.
pub(crate) const TRUNK: &str = "trunk";
/// What the calls say: over a minute of it.
const SENTENCE: &str =
    "Good morning. Your order is ready: please come to our shop at Allen Avenue before Friday. ";
const SENTENCES: usize = 15;
/// How long all of them may take to be up, and to be over.
const PATIENCE: Duration = Duration::from_secs(180);

/// Measures it.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let callee = Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await?;
    let plan = Plan { phones: Some(callee.address().port()), ..Plan::default() };
    let rig = Rig::start(&setup.programs, &plan).await?;
    let admin = rig.administrator().await?;
    admin.post("/admin/set-voice-unit-price", &[("price", "0.01")]).await?;
    // What a first campaign warms up is no part of it.
    campaign::run(&rig, setup.some / 3, 1).await?;
    let alone = campaign::run(&rig, setup.some, 2).await?;
    call_many(&rig.client).await?;
    until(&admin, |calls| calls["up"].as_u64() == Some(CALLS.into())).await?;
    let beside = campaign::run(&rig, setup.some, 3).await?;
    let up = calls_of(&admin).await?["up"].as_u64().unwrap_or_default();
    ensure!(up == u64::from(CALLS), "only {up} calls were up to the end of the messages: say more in them");
    let over = until(&admin, |calls| calls["up"].as_u64() == Some(0)).await?;
    let number = |key: &str| over[key].as_f64().with_context(|| format!("calls without {key}"));
    let (packets, late) = (number("packets")?, number("packets_late")?);
    ensure!(over["ended"]["answered"].as_u64() == Some(CALLS.into()), "not all were answered: {over}");
    figures.extend([
        Figure::new(
            format!("messages beside {CALLS} calls, of their rate alone"),
            Unit::Percent,
            Goal::AtLeast(90.0, None),
            100.0 * beside.rate() / alone.rate(),
        )
        .note(format!(
            "{} and {} messages/s, {:.1} and {:.1} us of CPU a message with what the calls take",
            grouped(alone.rate()),
            grouped(beside.rate()),
            alone.micros(),
            beside.micros()
        )),
        Figure::new(
            format!("packets of {CALLS} calls beside messages, over 20 ms late"),
            Unit::Percent,
            Goal::AtMost(0.1, None),
            100.0 * late / packets,
        )
        .note(format!("{late} of {}; daemon, SMSC and phones share the cores", grouped(packets))),
    ]);
    callee.shutdown(Duration::ZERO).await;
    Ok(())
}

/// Calls as many numbers as there are channels.
async fn call_many(client: &Client) -> anyhow::Result<()> {
    let contacts: Vec<String> = (0..CALLS).map(|nth| format!("0803{:07}", nth + 1_000)).collect();
    let (contacts, message) = (contacts.join(","), SENTENCE.repeat(SENTENCES));
    let fields = [("payment_method", "espees"), ("contacts", &contacts), ("ttsMsg", &message)];
    client.form("/api/voice-call", &fields).await?;
    Ok(())
}

async fn calls_of(admin: &Client) -> anyhow::Result<Value> {
    let list = admin.get("/admin/carriers").await?;
    let carriers = list["carriers"].as_array().context("no carriers")?;
    let trunk = carriers.iter().find(|it| it["name"] == TRUNK).context("no trunk")?;
    Ok(trunk["calls"].clone())
}

async fn until(admin: &Client, is_so: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    let began = Instant::now();
    loop {
        let calls = calls_of(admin).await?;
        if is_so(&calls) {
            return Ok(calls);
        }
        ensure!(began.elapsed() < PATIENCE, "the calls do not get there: {calls}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
