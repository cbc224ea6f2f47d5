//! Small requests: reads and single sends alone, and a read while a campaign runs.
//!
//! What a machine gives to small requests differs threefold from one to the next, so they are also judged beside a plain
//! server in the same run. The targets were set where one got 64,000 reads and 44,000 writes a second.

use std::time::{Duration, Instant};

use crate::Setup;
use crate::campaign;
use crate::load::{Load, Round};
use crate::plain;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};

/// The small read.
const READ: &str = "/api/get-espee-balance";
/// Connections of a load.
pub(crate) const CONNECTIONS: u64 = 64;
/// Target and stretch a second, of reads and of sends; and what a plain server got where they were set.
const READS: Targets = Targets { least: 40e3, stretch: 60e3, plain: 64e3 };
const SENDS: Targets = Targets { least: 15e3, stretch: 30e3, plain: 44e3 };

/// What is asked of a kind of request, a second.
#[derive(Clone, Copy, Debug)]
struct Targets {
    least: f64,
    stretch: f64,
    plain: f64,
}

impl Targets {
    const fn absolute(self) -> Goal {
        Goal::AtLeast(self.least, Some(self.stretch))
    }

    /// `ours` beside what a plain server gets here.
    fn share(self, name: &str, ours: f64, plain: f64) -> Figure {
        let of_plain = |rate: f64| rate / self.plain * 100.0;
        let goal = Goal::AtLeast(of_plain(self.least), Some(of_plain(self.stretch)));
        Figure::new(format!("{name}, of what a plain server gets"), Unit::Percent, goal, ours / plain * 100.0)
            .note(format!("{} a second", grouped(plain)))
    }
}

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
    let plain = plain::measure(CONNECTIONS, setup.load).await?;
    let before = rig.daemon.cpu();
    let reads = load(Round::Read(READ.into())).run().await?;
    let cpu = (rig.daemon.cpu() - before) * 1e6 / reads.rounds as f64;
    figures.extend([
        Figure::new("authenticated small read", Unit::PerSecond, READS.absolute(), reads.per_second)
            .note(format!("CPU {cpu:.1} us a request, p99 {:.1} ms; {shared}", reads.percentile(990))),
        READS.share("small read", reads.per_second, plain.reads),
    ]);
    let wanted = [
        (Round::Send, "single send by the API, durable", SENDS.absolute(), "one call"),
        (Round::Campaign, "the same as a campaign of one", Goal::Shown, "a quote and a confirmation"),
    ];
    for (round, name, goal, what) in wanted {
        let is_send = matches!(round, Round::Send);
        let before = rig.daemon.cpu();
        let sends = load(round).run().await?;
        let cpu = (rig.daemon.cpu() - before) * 1e6 / sends.rounds as f64;
        let ended = Instant::now();
        campaign::settle_down(&rig).await;
        let rest = ended.elapsed().as_secs_f64();
        figures.push(Figure::new(name, Unit::PerSecond, goal, sends.per_second).note(format!(
            "each is {what}, sent and receipted meanwhile, all at rest within {rest:.1} s after; CPU {cpu:.1} us a \
             message, p99 {:.1} ms; {shared}",
            sends.percentile(990)
        )));
        if is_send {
            figures.push(SENDS.share("single send", sends.per_second, plain.writes));
        }
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
