//! Campaigns against carriers with habits: slow answers, receipts in any order; and campaigns of different sizes.

use std::time::Duration;

use crate::Setup;
use crate::bare;
use crate::campaign;
use crate::rig::{Plan, Rig, WINDOW};
use crate::table::{Figure, Goal, Unit, grouped};

/// The carrier's delay in milliseconds, as the target has it.
const DELAY_MS: f64 = 20.0;
/// The small campaign, and how many of them make up for its size.
const SMALL: usize = 10_000;

/// Receipts that the carrier kept back until all was submitted, and then sends in any order, as fast as they are taken.
pub(crate) async fn receipts(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    // Late enough that all is submitted when the first receipt comes.
    let delay_ms = 1_500 + setup.some / 40;
    let faults =
        flags(&[("--receipt-outage-ms", delay_ms.to_string()), ("--receipt-jitter-ms", "500".into())]);
    let rig = Rig::start(&setup.programs, &Plan { faults, ..Plan::default() }).await?;
    let cost = campaign::run(&rig, setup.some, 3).await?;
    let from = cost.reached.first + delay_ms as f64 / 1e3;
    let rate = cost.size as f64 / (cost.reached.delivered - from);
    figures.push(
        Figure::new("receipts taken in, any order", Unit::PerSecond, Goal::AtLeast(1e5, Some(3e5)), rate).note(
            format!(
                "{} messages submitted in {:.2} s; {delay_ms} ms after the first all receipts are due, shuffled over half \
                 a second; CPU {:.2} us a message in all",
                grouped(cost.size as f64),
                cost.reached.submitted,
                cost.micros()
            ),
        ),
    );
    rig.close().map(|_| ())
}

/// A carrier that answers after 20 ms: window / delay is the most that can be had. The delay is that which a message alone
/// sees: timers are a little late. A median of three, each beside a bare client.
pub(crate) async fn delay(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let faults = flags(&[("--answer-delay-ms", format!("{DELAY_MS:.0}"))]);
    let rig = Rig::start(&setup.programs, &Plan { faults, ..Plan::default() }).await?;
    let alone = bare::rate(rig.smsc_port, 1, Duration::from_secs(2)).await?;
    let possible = f64::from(WINDOW) * alone;
    let mut rounds = Vec::new();
    for round in 0..3 {
        let cost = campaign::run(&rig, setup.some, 5 + 2 * round).await?;
        campaign::settle_down(&rig).await;
        let bare = bare::rate(rig.smsc_port, WINDOW, Duration::from_secs(3)).await?;
        rounds.push((cost.size as f64 / cost.reached.submitted, bare));
    }
    rounds.sort_by(|one, other| (one.0 / one.1).total_cmp(&(other.0 / other.1)));
    let (rate, bare) = rounds[1];
    let share = |of: f64| rate / of * 100.0;
    let goal = Goal::AtLeast(95.0, Some(98.0));
    figures.extend([
        Figure::new("with 20 ms of carrier delay, of window / delay", Unit::Percent, goal, share(possible)).note(
            format!(
                "{} of {} messages a second: a message alone is answered after {:.1} ms",
                grouped(rate),
                grouped(possible),
                1e3 / alone
            ),
        ),
        Figure::new("with 20 ms of carrier delay, of what a bare client gets", Unit::Percent, goal, share(bare)).note(format!(
            "a client that only keeps the window full gets {} answers a second from the same SMSC; in the other rounds \
             {:.1} and {:.1} %",
            grouped(bare),
            rounds[0].0 / rounds[0].1 * 100.0,
            rounds[2].0 / rounds[2].1 * 100.0
        )),
    ]);
    rig.close().map(|_| ())
}

/// What a message costs in campaigns of 10,000 and in a large one.
pub(crate) async fn scale(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    let rounds = setup.messages.min(200_000) / SMALL;
    let (mut cpu, mut messages) = (0.0, 0.0);
    for round in 0..rounds {
        let cost = campaign::run(&rig, SMALL, 11 + 2 * round as u64).await?;
        cpu += cost.cpu;
        messages += cost.size as f64;
    }
    let small = cpu * 1e6 / messages;
    campaign::settle_down(&rig).await;
    let large = campaign::run(&rig, setup.messages.min(1_000_000), 9).await?;
    figures.push(
        Figure::new(
            format!("cost of a message, {} against {SMALL} recipients", large.size),
            Unit::Times,
            Goal::AtMost(1.15, Some(1.0)),
            large.micros() / small,
        )
        .note(format!(
            "{small:.2} us in {rounds} campaigns of {SMALL}, {:.2} us in the large one",
            large.micros()
        )),
    );
    rig.close().map(|_| ())
}

fn flags(flags: &[(&str, String)]) -> Vec<String> {
    flags.iter().flat_map(|(flag, value)| [(*flag).to_owned(), value.clone()]).collect()
}
