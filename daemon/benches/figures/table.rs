//! The figures, their targets and the table they are printed in.
//!
//! A figure that was not measured is shown with its reason, never with a number.

use std::io::Write as _;

/// In what a figure is counted, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Microseconds.
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

/// What must be reached, and what is hoped for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Smaller is better: target, stretch.
    AtMost(f64, Option<f64>),
    /// Greater is better: target, stretch.
    AtLeast(f64, Option<f64>),
    /// Shown for comparison only.
    Shown,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    pub(crate) goal: Goal,
    pub(crate) ours: Result<f64, String>,
    pub(crate) note: String,
}

impl Figure {
    /// A figure that was measured.
    pub(crate) fn new(name: impl Into<String>, unit: Unit, goal: Goal, ours: f64) -> Self {
        Self { name: name.into(), unit, goal, ours: Ok(ours), note: String::new() }
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
            note: String::new(),
        }
    }

    /// Adds what is worth knowing beside the figure.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn cells(&self) -> [String; 5] {
        let (target, stretch) = match self.goal {
            Goal::AtMost(target, stretch) | Goal::AtLeast(target, stretch) => {
                (self.unit.write(target), stretch.map_or_else(|| "-".into(), |value| self.unit.write(value)))
            }
            Goal::Shown => ("-".into(), "-".into()),
        };
        match &self.ours {
            Ok(ours) => [self.name.clone(), target, stretch, self.unit.write(*ours), self.verdict(*ours)],
            Err(_) => [self.name.clone(), target, stretch, "-".into(), "not measured".into()],
        }
    }

    /// How far the target is undercut or missed.
    fn verdict(&self, ours: f64) -> String {
        let (target, stretch, ratio) = match self.goal {
            Goal::AtMost(target, stretch) => (target, stretch, ours / target),
            Goal::AtLeast(target, stretch) => (target, stretch, target / ours),
            Goal::Shown => return String::new(),
        };
        // The share of the target that was used: below 1 it is met, whichever way it is counted.
        let reached = |goal: f64| match self.goal {
            Goal::AtLeast(..) => ours >= goal,
            Goal::AtMost(..) | Goal::Shown => ours <= goal,
        };
        let word = match stretch {
            Some(stretch) if reached(stretch) => "stretch",
            _ if reached(target) => "met",
            _ => "MISSED",
        };
        format!("{word} ({ratio:.2})")
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

/// Prints the table and the notes below it.
pub(crate) fn print(figures: &[Figure]) -> std::io::Result<()> {
    let header = ["figure", "target", "stretch", "ours", "verdict (share of target)"].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(header).chain(figures.iter().map(Figure::cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths = [width(0), width(1), width(2), width(3), width(4)];
    let mut out = std::io::stdout().lock();
    for (index, row) in rows.iter().enumerate() {
        let [name, target, stretch, ours, verdict] = row;
        let [a, b, c, d, _] = widths;
        writeln!(out, "{name:<a$}  {target:>b$}  {stretch:>c$}  {ours:>d$}  {verdict}")?;
        if index == 0 {
            writeln!(out, "{}", "-".repeat(widths.iter().sum::<usize>() + 8))?;
        }
    }
    writeln!(out)?;
    for figure in figures {
        match &figure.ours {
            Err(why) => writeln!(out, "{}: not measured: {why}", figure.name)?,
            Ok(_) if !figure.note.is_empty() => writeln!(out, "{}: {}", figure.name, figure.note)?,
            Ok(_) => {}
        }
    }
    Ok(())
}
