//! Small requests: reads and single sends alone, and a read while a campaign runs.
//!
//! What a machine gives to small requests differs threefold from one to the next, so a plain server in the same run
//! stands beside them.

use std::time::{Duration, Instant};

use crate::Setup;
use crate::campaign;
use crate::load::{Load, Outcome, Round};
use crate::plain;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Peer, Unit, grouped};

/// The small read.
const READ: &str = "/api/get-espee-balance";
/// Connections of a load.
pub(crate) const CONNECTIONS: u64 = 64;
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
    let plain = plain::measure(CONNECTIONS, setup.load).await?;
    let before = rig.daemon.cpu();
    let reads = load(Round::Read(READ.into())).run().await?;
    let asked = Asked { cpu: rig.daemon.cpu() - before, load: reads, plain: plain.reads };
    let goals = Goals {
        rate: Goal::AtLeast(25e3, Some(60e3)),
        cpu: Goal::AtMost(55.0, Some(20.0)),
        p99: Goal::Shown,
    };
    figures.extend(asked.figures("authenticated small read", goals));
    let before = rig.daemon.cpu();
    let sends = load(Round::Send).run().await?;
    let asked = Asked { cpu: rig.daemon.cpu() - before, load: sends, plain: plain.writes };
    let rest = at_rest(&rig).await;
    let goals = Goals {
        rate: Goal::AtLeast(10e3, Some(25e3)),
        cpu: Goal::AtMost(120.0, Some(40.0)),
        p99: Goal::AtMost(150.0, Some(15.0)),
    };
    let [cpu, rate, p99] = asked.figures("single send by the API, durable", goals);
    let what = format!("one call each, sent and receipted meanwhile, all at rest within {rest:.1} s after");
    figures.extend([cpu, rate.note(what), p99]);
    let pairs = load(Round::Campaign).run().await?;
    let rest = at_rest(&rig).await;
    figures.push(
        Figure::new("campaign of one by the API", Unit::PerSecond, Goal::ShownRate, pairs.per_second).note(
            format!(
                "each is a quote and a confirmation, p99 {:.1} ms, all at rest within {rest:.1} s after",
                pairs.percentile(990)
            ),
        ),
    );
    during_a_campaign(setup, &rig, figures).await?;
    rig.close().map(|_| ())
}

/// What is asked of a kind of request.
#[derive(Clone, Copy, Debug)]
struct Goals {
    rate: Goal,
    cpu: Goal,
    p99: Goal,
}

/// A load of requests, and what it cost.
#[derive(Debug)]
struct Asked {
    load: Outcome,
    /// CPU seconds of the daemon.
    cpu: f64,
    /// Requests a second of a plain server.
    plain: f64,
}

impl Asked {
    /// CPU, rate and the 99th percentile. The load shares the machine's cores with the daemon.
    fn figures(&self, name: &str, goals: Goals) -> [Figure; 3] {
        let cpu = self.cpu * 1e6 / self.load.rounds as f64;
        [
            Figure::new(format!("{name}: CPU a request"), Unit::Micros, goals.cpu, cpu),
            Figure::new(name, Unit::PerSecond, goals.rate, self.load.per_second)
                .beside(Peer::Here("plain axum", self.plain)),
            Figure::new(format!("{name}: p99"), Unit::Millis, goals.p99, self.load.percentile(990)),
        ]
    }
}

/// Seconds until the daemon has nothing to do.
async fn at_rest(rig: &Rig) -> f64 {
    let ended = Instant::now();
    campaign::settle_down(rig).await;
    ended.elapsed().as_secs_f64()
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
            "authenticated small read while a campaign runs: p99",
            Unit::Millis,
            Goal::AtMost(10.0, Some(3.0)),
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
