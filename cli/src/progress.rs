//! Progress on stderr: a bar at a terminal, a line now and then anywhere else, nothing when quiet.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use talkdrum_api::campaign::{Campaign, Progress};

/// How often a line is written where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// The progress of an upload.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    bar: ProgressBar,
}

impl Upload {
    /// An upload of `bytes`; `None` when the size is not known.
    pub(crate) fn new(bytes: Option<u64>, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let bar = match bytes {
            Some(bytes) => ProgressBar::new(bytes)
                .with_style(style("{msg} {bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} left")),
            None => ProgressBar::new_spinner().with_style(style("{msg} {bytes} {bytes_per_sec}")),
        };
        Self { bar: bar.with_message("Uploading") }
    }

    /// A download: of as many bytes as are known.
    pub(crate) fn download(bytes: Option<u64>, quiet: bool) -> Self {
        let this = Self::new(bytes, quiet);
        this.bar.set_message("Downloading");
        this
    }

    /// `bytes` more went through.
    pub(crate) fn add(&self, bytes: usize) {
        self.bar.inc(u64::try_from(bytes).unwrap_or(u64::MAX));
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of a campaign.
#[derive(Debug)]
pub(crate) struct Follow {
    shown: Shown,
    /// What was last seen, in a line.
    last: String,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// When the last line was written, and of which state.
    Lines {
        last: Option<(Instant, String)>,
    },
}

impl Follow {
    /// The progress of one campaign.
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            Shown::Bar(bar.with_style(style("{prefix} {bar:30} {pos}/{len} {msg}")))
        } else {
            Shown::Lines { last: None }
        };
        Self { shown, last: String::new() }
    }

    /// What was last seen, in a line; empty when nothing was.
    pub(crate) fn last(&self) -> &str {
        &self.last
    }

    /// Shows where the campaign is.
    pub(crate) fn show(&mut self, progress: &Progress) {
        let campaign = &progress.campaign;
        self.last = standing(campaign);
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_length(u64::try_from(campaign.total_contacts).unwrap_or(0));
                bar.set_position(u64::try_from(campaign.counts.handed_over()).unwrap_or(0));
                bar.set_prefix(format!("Campaign {}: {}", campaign.id, campaign.status));
                let said = [campaign.status_reason.clone().unwrap_or_default(), pace(progress)];
                bar.set_message(said.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", "));
            }
            Shown::Lines { last } => {
                let state = state(campaign);
                let due =
                    last.as_ref().is_none_or(|(at, told)| at.elapsed() >= LINE_INTERVAL || *told != state);
                if due {
                    *last = Some((Instant::now(), state));
                    line(&summary(progress));
                }
            }
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// One line of progress: `campaign 7: sending, 1200/3000 submitted, 250/s, 7 s left`.
fn summary(progress: &Progress) -> String {
    let campaign = &progress.campaign;
    let pace = pace(progress);
    let pace = if pace.is_empty() { pace } else { format!(", {pace}") };
    format!("campaign {}: {}{pace}", campaign.id, standing(campaign))
}

/// Its status, with the reason why it stands still where there is one.
fn state(campaign: &Campaign) -> String {
    let reason = campaign.status_reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    format!("{}{reason}", campaign.status)
}

/// `sending, 1200/3000 submitted`.
fn standing(campaign: &Campaign) -> String {
    let handed_over = campaign.counts.handed_over();
    format!("{}, {handed_over}/{} submitted", state(campaign), campaign.total_contacts)
}

/// Rate and remaining time, while there are any: a connection that was made just now has no rate yet, and none is no rate
/// of zero.
fn pace(progress: &Progress) -> String {
    if progress.campaign.status != "sending" || progress.rate <= 0.0 {
        return String::new();
    }
    let rate = if progress.rate < 0.1 {
        "under 0.1/s".to_owned()
    } else if progress.rate < 10.0 {
        format!("{:.1}/s", progress.rate)
    } else {
        format!("{:.0}/s", progress.rate)
    };
    match progress.remaining_s {
        Some(seconds) => format!("{rate}, {seconds:.0} s left"),
        None => rate,
    }
}

/// A template that does not parse would be ours; the plain bar is shown then.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn line(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
