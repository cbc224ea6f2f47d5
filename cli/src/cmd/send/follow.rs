//! Following a campaign to its end: by its events, and by asking now and then where events do not come through.

use std::pin::pin;
use std::time::{Duration, Instant};

use futures::{Stream, TryStreamExt as _};
use serde::Deserialize;
use sse_stream::Sse;
use talkdrum_api::campaign::{Campaign, Progress};

use crate::args::FollowArgs;
use crate::client::{CallError, Client};
use crate::cmd::Context;
use crate::exit::{Code, Exit, Failure, Result};
use crate::fail_if::{FailIf, Measure};
use crate::progress::Follow;

/// How many connections in a row may bring no event before the campaign is asked for instead.
const FRUITLESS_MAX: u32 = 3;
/// The pause between two connections, and between two questions.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the daemon may be away before the command gives up. The campaign goes on without it.
const AWAY_MAX: Duration = Duration::from_secs(300);

/// The answer of `GET /api/campaigns/{id}`.
#[derive(Debug, Deserialize)]
struct Shown {
    campaign: Campaign,
}

/// How long to wait: `--receipts` and `--timeout`, which begins once for all campaigns that a command follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    receipts: Duration,
    /// The seconds of `--timeout`, and when they are over.
    timeout: Option<(u64, Instant)>,
}

impl Patience {
    /// From now on.
    pub(crate) fn from_now(args: &FollowArgs) -> Self {
        let timeout = args.timeout.map(|seconds| (seconds, Instant::now() + Duration::from_secs(seconds)));
        Self { receipts: Duration::from_secs(args.receipts), timeout }
    }
}

/// Why a campaign was not followed to its end.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// `--timeout` ended the waiting.
    TimedOut(Failure),
    /// The daemon could not be asked.
    Away(CallError),
}

impl Stopped {
    /// The failure of a command that has just started the campaign, and paid for it.
    pub(crate) fn after_start(self, id: i64) -> Failure {
        match self {
            Self::TimedOut(failure) => failure,
            Self::Away(error) => error.of_a_look(&format!(
                "campaign {id} was started, and must not be sent again: talkdrum campaigns watch {id} follows it"
            )),
        }
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::TimedOut(failure) => failure,
            Stopped::Away(error) => error.into(),
        }
    }
}

/// Follows a campaign until everything is submitted to the carrier, and then as long as receipts are waited for.
pub(crate) async fn to_the_end(
    context: &Context,
    client: &Client,
    id: i64,
    patience: Patience,
) -> Result<Campaign, Stopped> {
    context.interruption.means(format!(
        "campaign {id} goes on: talkdrum campaigns watch {id} follows it, talkdrum campaigns cancel {id} stops it"
    ));
    let mut shown = Follow::new(context.out.quiet);
    let end = follow(client, id, &mut shown);
    let ended = match patience.timeout {
        Some((_, until)) => tokio::time::timeout_at(until.into(), end).await,
        None => Ok(end.await),
    };
    shown.end();
    let ended = match (ended, patience.timeout) {
        (Ok(Ok(campaign)), _) => wait_for_receipts(client, campaign, patience).await.map_err(Stopped::Away),
        (Ok(Err(error)), _) => Err(Stopped::Away(error)),
        (Err(_), timeout) => {
            Err(Stopped::TimedOut(goes_on(id, shown.last(), timeout.map_or(0, |(seconds, _)| seconds))))
        }
    };
    context.interruption.means("");
    ended
}

/// The waiting ended before the campaign did.
fn goes_on(id: i64, last: &str, seconds: u64) -> Failure {
    let last = if last.is_empty() { String::new() } else { format!(": {last}") };
    let message = format!("campaign {id} is not over after {seconds} s{last}");
    Failure::new(Exit::GoesOn, Code::WaitEnded, message).hint(format!(
        "it goes on, and must not be sent again: talkdrum campaigns watch {id} follows it, talkdrum campaigns cancel {id} \
         stops it"
    ))
}

/// Why a campaign that ended is not what its caller wanted, if it is not.
pub(crate) fn verdict(campaign: &Campaign, conditions: &[FailIf]) -> Option<Failure> {
    let id = campaign.id;
    let reason = campaign.status_reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    match campaign.status.as_str() {
        "failed" => {
            let message = format!("campaign {id} failed{reason}");
            Some(Failure::new(Exit::Failed, Code::CampaignFailed, message))
        }
        "cancelled" => {
            let message = format!("campaign {id} was cancelled{reason}");
            Some(Failure::new(Exit::Failed, Code::CampaignCancelled, message))
        }
        _ => beyond_limit(&format!("campaign {id}"), conditions, &campaign.counts, campaign.total_contacts),
    }
}

/// The conditions of `--fail-if` that hold of the counts of `what`, of so many in all; `None` when none does.
pub(crate) fn beyond_limit<M: Measure>(
    what: &str,
    conditions: &[FailIf<M>],
    counts: &M::Counts,
    total: i64,
) -> Option<Failure> {
    let broken = conditions.iter().filter(|condition| condition.holds(counts, total));
    let said: Vec<String> =
        broken.map(|it| format!("{it} holds ({} of {total})", it.observed(counts))).collect();
    let message = format!("{what}: {}", said.join(", "));
    (!said.is_empty()).then(|| Failure::new(Exit::BeyondLimit, Code::FailIf, message))
}

async fn follow(client: &Client, id: i64, shown: &mut Follow) -> Result<Campaign, CallError> {
    let mut fruitless = 0;
    let mut away_since: Option<Instant> = None;
    loop {
        let (fruitful, end) = if fruitless < FRUITLESS_MAX {
            listen(client, id, shown).await
        } else {
            ask(client, id, shown).await
        };
        match end {
            Ok(Some(campaign)) => return Ok(campaign),
            Ok(None) => {}
            Err(error) if is_final(&error) => return Err(error),
            Err(error) if !fruitful => {
                let since = *away_since.get_or_insert_with(Instant::now);
                if error.is_passing() && since.elapsed() > AWAY_MAX {
                    return Err(error);
                }
            }
            Err(_) => {}
        }
        if fruitful {
            away_since = None;
        }
        if fruitless < FRUITLESS_MAX {
            fruitless = if fruitful { 0 } else { fruitless + 1 };
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Refusals that waiting does not change: not signed in, not allowed, no such campaign.
fn is_final(error: &CallError) -> bool {
    error.refusal().is_some_and(|(status, _)| matches!(status, 400..=499) && status != 429)
}

/// Listens to one connection. Whether it brought anything, and the campaign if it ended.
async fn listen(client: &Client, id: i64, shown: &mut Follow) -> (bool, Result<Option<Campaign>, CallError>) {
    let events = match client.events(&format!("/api/campaigns/{id}/events")).await {
        Ok(events) => events,
        Err(error) => return (false, Err(error)),
    };
    let mut events = pin!(events);
    let mut fruitful = false;
    loop {
        match next(&mut events).await {
            Ok(Some(progress)) => {
                fruitful = true;
                shown.show(&progress);
                if is_over(&progress.campaign) {
                    return (true, Ok(Some(progress.campaign)));
                }
            }
            Ok(None) => return (fruitful, Ok(None)),
            Err(error) => return (fruitful, Err(error)),
        }
    }
}

/// The next progress of a stream; events of other names are for other readers.
async fn next(
    events: &mut (impl Stream<Item = Result<Sse, CallError>> + Unpin),
) -> Result<Option<Progress>, CallError> {
    while let Some(event) = events.try_next().await? {
        if let (Some("progress" | "end"), Some(data)) = (event.event.as_deref(), &event.data) {
            return serde_json::from_str(data).map(Some).map_err(|error| CallError::Unreadable {
                what: format!("an event this version cannot read ({error})"),
            });
        }
    }
    Ok(None)
}

async fn ask(client: &Client, id: i64, shown: &mut Follow) -> (bool, Result<Option<Campaign>, CallError>) {
    match fetch(client, id).await {
        Ok(campaign) => {
            let progress = Progress { campaign, rate: 0.0, remaining_s: None };
            shown.show(&progress);
            (true, Ok(Some(progress.campaign).filter(is_over)))
        }
        Err(error) => (false, Err(error)),
    }
}

/// The campaign as it is now.
pub(crate) async fn fetch(client: &Client, id: i64) -> Result<Campaign, CallError> {
    Ok(client.get::<Shown>(&format!("/api/campaigns/{id}"), &()).await?.value.campaign)
}

/// Waits until no receipt is outstanding, or for so long. A campaign that is over stays so when `--timeout` is; a daemon that
/// is away is waited for as in [`follow`].
async fn wait_for_receipts(
    client: &Client,
    mut campaign: Campaign,
    patience: Patience,
) -> Result<Campaign, CallError> {
    let start = Instant::now();
    let left = patience.timeout.map_or(Duration::MAX, |(_, until)| until.saturating_duration_since(start));
    let limit = patience.receipts.min(left);
    let mut away_since: Option<Instant> = None;
    while campaign.counts.awaited() > 0 && start.elapsed() < limit {
        tokio::time::sleep(PAUSE.min(limit)).await;
        match fetch(client, campaign.id).await {
            Ok(now) => (campaign, away_since) = (now, None),
            Err(error) => {
                let since = *away_since.get_or_insert_with(Instant::now);
                if !error.is_passing() || since.elapsed() > AWAY_MAX {
                    return Err(error);
                }
            }
        }
    }
    Ok(campaign)
}

/// Whether nothing is left to send.
pub(crate) fn is_over(campaign: &Campaign) -> bool {
    matches!(campaign.status.as_str(), "completed" | "cancelled" | "failed")
}
