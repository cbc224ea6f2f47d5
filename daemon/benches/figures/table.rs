//! The figures, their targets and the table they are printed in.
//!
//! A figure that was not measured is shown with its reason, never with a number.

use std::io::Write as _;

/// Cells of a line.
const COLUMNS: usize = 7;
/// What got worse by more than this has slipped.
const SLIP: f64 = 1.1;

/// In what a figure is counted, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Microseconds of CPU.
    Micros,
    /// Milliseconds.
    Millis,
    /// Seconds.
    Seconds,
    /// Events a second.
    PerSecond,
    /// 1,048,576 bytes.
    Mebibytes,
    /// Bytes.
    Bytes,
    /// Hundredths.
    Percent,
    /// One figure over another.
    Times,
}

/// What a figure must keep to, and where it is to go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Smaller is better: held by every change, next.
    AtMost(f64, Option<f64>),
    /// Greater is better: held by every change, next.
    AtLeast(f64, Option<f64>),
    /// Shown for comparison only; smaller is better.
    Shown,
    /// Shown for comparison only; greater is better.
    ShownRate,
}

impl Goal {
    /// How much worse the second figure is than the first: above 1 it is worse, whichever way it is counted.
    pub(crate) fn worsening(self, before: f64, now: f64) -> f64 {
        match self {
            Self::AtMost(..) | Self::Shown => now / before,
            Self::AtLeast(..) | Self::ShownRate => before / now,
        }
    }
}

/// What another program needs for the same.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Peer {
    /// Measured in this run.
    Here(&'static str, f64),
    /// Measured in November 2026 on two shared cores of another machine.
    Elsewhere(&'static str, f64),
}

/// A line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    pub(crate) goal: Goal,
    pub(crate) ours: Result<f64, String>,
    peer: Option<Peer>,
    note: String,
}

impl Figure {
    /// A figure that was measured.
    pub(crate) fn new(name: impl Into<String>, unit: Unit, goal: Goal, ours: f64) -> Self {
        Self { name: name.into(), unit, goal, ours: Ok(ours), peer: None, note: String::new() }
    }

    /// Gives it another name.
    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// A figure that was not, and why.
    pub(crate) fn missing(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: Unit::Times,
            goal: Goal::Shown,
            ours: Err(why.into()),
            peer: None,
            note: String::new(),
        }
    }

    /// Puts what another program needs beside it.
    pub(crate) fn beside(mut self, peer: Peer) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Adds what is worth knowing beside the figure.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn cells(&self, last: Option<f64>) -> [String; COLUMNS] {
        let write = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| self.unit.write(value));
        let (hold, next) = match self.goal {
            Goal::AtMost(hold, next) | Goal::AtLeast(hold, next) => (Some(hold), next),
            Goal::Shown | Goal::ShownRate => (None, None),
        };
        let ours = self.ours.as_ref().ok().copied();
        let peer = self.peer.map_or_else(
            || "-".into(),
            |peer| match peer {
                Peer::Here(who, value) => format!("{} {who}", self.unit.write(value)),
                Peer::Elsewhere(who, value) => format!("({} {who})", self.unit.write(value)),
            },
        );
        let (verdict, change) = match ours {
            Some(ours) => (self.verdict(ours), last.map_or_else(String::new, |last| self.change(last, ours))),
            None => ("not measured".into(), String::new()),
        };
        [self.name.clone(), write(hold), write(next), write(ours), peer, verdict, change]
    }

    /// Whether what must be held is, and the share of it that was used: below 1 it is, whichever way it is counted.
    fn verdict(&self, ours: f64) -> String {
        let (Goal::AtMost(hold, next) | Goal::AtLeast(hold, next)) = self.goal else { return String::new() };
        let share = |goal: f64| self.goal.worsening(goal, ours);
        let word = match next {
            Some(next) if share(next) <= 1.0 => "next",
            _ if share(hold) <= 1.0 => "held",
            _ => "MISSED",
        };
        format!("{word} ({:.2})", share(hold))
    }

    /// How it went since the last run that was kept.
    fn change(&self, last: f64, ours: f64) -> String {
        let worsening = self.goal.worsening(last, ours);
        if !worsening.is_finite() {
            return "was 0".into();
        }
        let word = if worsening > SLIP { " SLIPPED" } else { "" };
        format!("{:.2}{word}", worsening)
    }
}

impl Unit {
    fn write(self, value: f64) -> String {
        match self {
            Self::Micros => format!("{value:.2} us"),
            Self::Millis => format!("{value:.1} ms"),
            Self::Seconds => format!("{value:.2} s"),
            Self::PerSecond => format!("{}/s", grouped(value)),
            Self::Mebibytes => format!("{value:.1} MiB"),
            Self::Bytes => format!("{value:.1} B"),
            Self::Percent => format!("{value:.1} %"),
            Self::Times => format!("{value:.2}x"),
        }
    }
}

/// A count with its thousands apart.
pub(crate) fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Prints the table, what costs the processor first, and the notes below it. `last` is what was kept of a figure.
pub(crate) fn print(figures: &mut [Figure], last: impl Fn(&Figure) -> Option<f64>) -> std::io::Result<()> {
    // What the machine's other users disturb least comes first: CPU, then ratios of one run.
    figures.sort_by_key(|figure| match (&figure.ours, figure.unit) {
        (Err(_), _) => 3,
        (_, Unit::Micros) => 0,
        (_, Unit::Times | Unit::Percent) => 1,
        _ => 2,
    });
    let header = ["figure", "hold", "next", "ours", "peer", "share of hold", "over last"].map(str::to_owned);
    let rows: Vec<[String; COLUMNS]> =
        std::iter::once(header).chain(figures.iter().map(|figure| figure.cells(last(figure)))).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut out = std::io::stdout().lock();
    for (index, row) in rows.iter().enumerate() {
        let [name, hold, next, ours, peer, verdict, change] = row;
        let [a, b, c, d, e, f, _] = widths;
        writeln!(out, "{name:<a$}  {hold:>b$}  {next:>c$}  {ours:>d$}  {peer:<e$}  {verdict:<f$}  {change}")?;
        if index == 0 {
            writeln!(out, "{}", "-".repeat(widths.iter().sum::<usize>() + 2 * (COLUMNS - 1)))?;
        }
    }
    writeln!(out, "\nIn parentheses: measured in November 2026 on two shared cores of another machine.\n")?;
    for figure in figures.iter() {
        match &figure.ours {
            Err(why) => writeln!(out, "{}: not measured: {why}", figure.name)?,
            Ok(_) if !figure.note.is_empty() => writeln!(out, "{}: {}", figure.name, figure.note)?,
            Ok(_) => {}
        }
    }
    Ok(())
}
