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
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { last: Option<(Instant, String)> },
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
        Self { shown }
    }

    /// Shows where the campaign is.
    pub(crate) fn show(&mut self, progress: &Progress) {
        let campaign = &progress.campaign;
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_length(u64::try_from(campaign.total_contacts).unwrap_or(0));
                bar.set_position(u64::try_from(handed_over(campaign)).unwrap_or(0));
                bar.set_prefix(format!("Campaign {}: {}", campaign.id, campaign.status));
                bar.set_message(pace(progress));
            }
            Shown::Lines { last } => {
                let due = last
                    .as_ref()
                    .is_none_or(|(at, status)| at.elapsed() >= LINE_INTERVAL || *status != campaign.status);
                if due {
                    *last = Some((Instant::now(), campaign.status.clone()));
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

/// Messages that have left the queue for good.
fn handed_over(campaign: &Campaign) -> i64 {
    campaign.total_contacts - campaign.counts.queued - campaign.counts.submitting
}

/// One line of progress: `campaign 7: sending, 1200/3000 submitted, 250/s, 7 s left`.
fn summary(progress: &Progress) -> String {
    let campaign = &progress.campaign;
    let reason = campaign.status_reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let pace = pace(progress);
    let pace = if pace.is_empty() { pace } else { format!(", {pace}") };
    format!(
        "campaign {}: {}{reason}, {}/{} submitted{pace}",
        campaign.id,
        campaign.status,
        handed_over(campaign),
        campaign.total_contacts
    )
}

/// Rate and remaining time, while there are any.
fn pace(progress: &Progress) -> String {
    if progress.campaign.status != "sending" {
        return String::new();
    }
    match progress.remaining_s {
        Some(seconds) => format!("{:.0}/s, {seconds:.0} s left", progress.rate),
        None => format!("{:.0}/s", progress.rate),
    }
}

/// A template that does not parse would be ours; the plain bar is shown then.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn line(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
