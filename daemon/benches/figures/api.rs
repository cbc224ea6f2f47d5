//! Small requests: reads and single sends alone, and a read while a campaign runs.

use std::time::{Duration, Instant};

use crate::Setup;
use crate::campaign;
use crate::load::{Load, Round};
use crate::plain::{self, Plain};
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};

/// The small read.
const READ: &str = "/api/get-espee-balance";
/// Connections of a load.
const CONNECTIONS: u64 = 64;

/// Measures them.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    let load = |round: Round| Load {
        port: rig.client.port,
        token: rig.client.token.clone(),
        round,
        connections: CONNECTIONS,
        duration: setup.load,
        pause: Duration::ZERO,
    };
    let shared = "the load shares the machine's cores with the daemon";
    let Plain { reads: plain_reads, writes: plain_writes } = plain::measure(CONNECTIONS, setup.load).await?;
    let of = |ours: f64, plain: f64| {
        format!("{:.0} % of the {} of a plain server", ours / plain * 100.0, grouped(plain))
    };
    let before = rig.daemon.cpu();
    let reads = load(Round::Read(READ.into())).run().await?;
    let cpu = (rig.daemon.cpu() - before) * 1e6 / reads.rounds as f64;
    figures.push(
        Figure::new(
            "authenticated small read",
            Unit::PerSecond,
            Goal::AtLeast(4e4, Some(6e4)),
            reads.per_second,
        )
        .note(format!(
            "{}; CPU {cpu:.1} us a request, p99 {:.1} ms; {shared}",
            of(reads.per_second, plain_reads),
            reads.percentile(990)
        )),
    );
    let wanted = [
        (Round::Send, "single send by the API, durable", Goal::AtLeast(15e3, Some(3e4)), "one call"),
        (Round::Campaign, "the same as a campaign of one", Goal::Shown, "a quote and a confirmation"),
    ];
    for (round, name, goal, what) in wanted {
        let before = rig.daemon.cpu();
        let sends = load(round).run().await?;
        let cpu = (rig.daemon.cpu() - before) * 1e6 / sends.rounds as f64;
        let ended = Instant::now();
        campaign::settle_down(&rig).await;
        let rest = ended.elapsed().as_secs_f64();
        figures.push(Figure::new(name, Unit::PerSecond, goal, sends.per_second).note(format!(
            "{} that writes one row a request; each is {what}, sent and receipted meanwhile, all at rest within \
             {rest:.1} s after; CPU {cpu:.1} us a message, p99 {:.1} ms; {shared}",
            of(sends.per_second, plain_writes),
            sends.percentile(990)
        )));
    }
    during_a_campaign(setup, &rig, figures).await?;
    rig.close().map(|_| ())
}

async fn during_a_campaign(setup: &Setup, rig: &Rig, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let reading = Load {
        port: rig.client.port,
        token: rig.client.token.clone(),
        round: Round::Read(READ.into()),
        connections: 4,
        duration: Duration::from_secs(1) + Duration::from_micros(5) * u32::try_from(setup.some)?,
        pause: Duration::from_millis(5),
    };
    let (cost, reads) = tokio::join!(campaign::run(rig, setup.some, 7), reading.run());
    let (cost, reads) = (cost?, reads?);
    figures.push(
        Figure::new(
            "the same read's p99 while a campaign runs",
            Unit::Millis,
            Goal::AtMost(25.0, Some(5.0)),
            reads.percentile(990),
        )
        .note(format!(
            "{} reads, p50 {:.1} ms; the campaign went at {} messages a second",
            grouped(reads.rounds as f64),
            reads.percentile(500),
            grouped(cost.rate())
        )),
    );
    Ok(())
}
