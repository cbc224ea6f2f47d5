//! Why nothing goes out, in one line, from what is stored and what the daemon that is asked knows.
//!
//! Everything that shows a reason asks here, so that the same standstill has the same words everywhere. What stops all
//! sending comes before what stops one carrier. Customers read these lines, too: they name carriers, and nothing of how
//! those are reached.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use talkdrum_api::campaign::{Campaign, Quote};

use crate::campaign::CampaignService;
use crate::carrier::vitals::Vitals;
use crate::error::Result;
use crate::model::carrier::{CarrierHealth, Hold};
use crate::model::pause::Held;
use crate::model::status::CampaignStatus;
use crate::routing::quiet_hours::QuietHours;
use crate::store::Tx;
use crate::store::account::user;
use crate::store::campaign::list::{OpenCarrier, open_carriers, promotional_waits};
use crate::store::campaign::spending;
use crate::store::carrier::state;
use crate::store::operations::generation;
use crate::time::Time;

/// What the daemon that is asked knows beside the database.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// The time.
    pub now: Time,
    /// When promotional messages wait.
    pub hours: Option<Arc<QuietHours>>,
    /// Whether too little space is left to send.
    pub low_disk: bool,
}

/// One cause. In their order the first is what a campaign shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Dispatch is held since the database was restored.
    Held,
    /// There is too little space.
    LowDisk,
    /// An administrator holds a carrier.
    CarrierHeld(String),
    /// It is too late in the day for promotional messages; until then.
    Quiet(String),
    /// No daemon has the carrier.
    Unheld(String),
    /// The carrier refuses until its configuration is corrected.
    Stopped(String),
    /// The carrier is not connected.
    Away(String),
    /// The carrier asked for less.
    Throttled(String),
    /// So many campaigns are first large sends.
    FirstSends(i64),
    /// Users are kept out.
    Maintenance,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held => f.write_str(
                "Nothing is sent since the database was restored, until an administrator releases the hold",
            ),
            Self::LowDisk => f.write_str("Nothing is sent while the server is short of disk space"),
            Self::CarrierHeld(name) => {
                write!(f, "Messages wait for the carrier '{name}', which an administrator holds for now")
            }
            Self::Quiet(until) => {
                write!(f, "Promotional messages wait for the end of the quiet hours, {until}")
            }
            Self::Unheld(name) => {
                write!(f, "Messages wait for the carrier '{name}', which no daemon serves now")
            }
            Self::Stopped(name) => write!(
                f,
                "Messages wait for the carrier '{name}', which refuses the connection until its configuration is \
                 corrected"
            ),
            Self::Away(name) => {
                write!(f, "Messages wait for the carrier '{name}', which is not connected now")
            }
            Self::Throttled(name) => {
                write!(f, "The carrier '{name}' asked to be sent less for now")
            }
            Self::FirstSends(1) => f.write_str("1 first large send waits for an administrator"),
            Self::FirstSends(count) => write!(f, "{count} first large sends wait for an administrator"),
            Self::Maintenance => f.write_str("Maintenance keeps users out"),
        }
    }
}

/// How a carrier stands in the way, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Open,
    Held,
    Stopped,
    Away,
    Throttled,
}

/// What may stop messages now.
#[derive(Clone, Debug, Default)]
pub struct Standstill {
    held: bool,
    low_disk: bool,
    quiet_until: Option<String>,
    carriers: HashMap<String, Way>,
}

impl Standstill {
    /// Reads what is stored: a few small rows.
    pub async fn read(tx: &mut Tx, around: &Around) -> Result<Self> {
        let vitals = state::vitals(tx).await?;
        let mut carriers: HashMap<String, Way> = vitals
            .into_values()
            .filter(|row| row.is_fresh(around.now))
            .map(|row| {
                let seen = serde_json::from_str::<Vitals>(&row.vitals);
                // What an older version wrote is written anew by the next heartbeat.
                (row.carrier, seen.as_ref().map_or(Way::Open, way))
            })
            .collect();
        let held = state::all(tx).await?.into_iter().filter(|(_, said)| said.state != Hold::Open);
        carriers.extend(held.map(|(name, _)| (name, Way::Held)));
        let quiet = around.hours.as_ref().filter(|hours| hours.is_quiet(around.now));
        Ok(Self {
            held: generation::is_held(tx).await?,
            low_disk: around.low_disk,
            quiet_until: quiet.map(|hours| hours.end_in_words()),
            carriers,
        })
    }

    /// Why messages that wait at these carriers do not go out, in order.
    pub fn causes<'a>(&self, waiting: impl Iterator<Item = (&'a str, bool)>) -> BTreeSet<Cause> {
        let mut causes = BTreeSet::new();
        if self.held {
            causes.insert(Cause::Held);
        }
        if self.low_disk {
            causes.insert(Cause::LowDisk);
        }
        for (carrier, promotional) in waiting {
            let name = || carrier.to_owned();
            causes.extend(match self.carriers.get(carrier) {
                None => Some(Cause::Unheld(name())),
                Some(Way::Open) => None,
                Some(Way::Held) => Some(Cause::CarrierHeld(name())),
                Some(Way::Stopped) => Some(Cause::Stopped(name())),
                Some(Way::Away) => Some(Cause::Away(name())),
                Some(Way::Throttled) => Some(Cause::Throttled(name())),
            });
            causes.extend(self.quiet_until.clone().filter(|_| promotional).map(Cause::Quiet));
        }
        causes
    }
}

fn way(seen: &Vitals) -> Way {
    match seen.health {
        CarrierHealth::Stopped => Way::Stopped,
        CarrierHealth::Connecting => Way::Away,
        CarrierHealth::Up if seen.line.throttled => Way::Throttled,
        CarrierHealth::Up => Way::Open,
    }
}

/// Gives campaigns that are being sent the reason why what is left of them waits, where there is one.
pub async fn explain(tx: &mut Tx, campaigns: &mut [Campaign], around: &Around) -> Result<()> {
    let sending = |campaign: &Campaign| {
        campaign.status == CampaignStatus::Sending.code()
            && campaign.counts.queued + campaign.counts.submitting > 0
    };
    let ids: Vec<i64> = campaigns.iter().filter(|it| sending(it)).map(|it| it.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let standstill = Standstill::read(tx, around).await?;
    let open = open_carriers(tx, ids).await?;
    for campaign in campaigns.iter_mut().filter(|it| sending(it)) {
        let own = open.iter().filter(|it| it.campaign_id == campaign.id);
        let first = standstill.causes(own.map(OpenCarrier::way)).pop_first();
        campaign.status_reason = first.map(|cause| cause.to_string()).or(campaign.status_reason.take());
    }
    Ok(())
}

/// Why messages wait on the whole platform, in one line: at these carriers, and before they may go out at all. `None` when
/// nothing stands in the way of any.
pub async fn of_platform(
    tx: &mut Tx,
    waiting: &[String],
    is_maintenance: bool,
    around: &Around,
) -> Result<Option<String>> {
    let standstill = Standstill::read(tx, around).await?;
    let promotional = standstill.quiet_until.is_some() && promotional_waits(tx).await?;
    let mut causes = standstill.causes(waiting.iter().map(|name| (name.as_str(), promotional)));
    let held = spending::count_held(tx, Held::FirstSend).await?;
    causes.extend((held > 0).then_some(Cause::FirstSends(held)));
    causes.extend(is_maintenance.then_some(Cause::Maintenance));
    let causes: Vec<String> = causes.iter().map(Cause::to_string).collect();
    Ok((!causes.is_empty()).then(|| causes.join("; ")))
}

/// What a quote says of a first large send.
const FIRST_SEND: &str =
    "This is a first large send: once confirmed, it waits until an administrator has looked at it";

impl CampaignService {
    /// The quote with what would keep it from going out once confirmed, as it stands now.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn with_outlook(&self, user_id: i64, mut quote: Quote, low_disk: bool) -> Result<Quote> {
        let mut tx = self.store.read().await?;
        let around = Around { now: self.clock.now(), hours: None, low_disk };
        let standstill = Standstill::read(&mut tx, &around).await?;
        let mut notices: Vec<String> =
            standstill.causes(std::iter::empty()).iter().map(Cause::to_string).collect();
        let runs = i64::try_from(quote.starts.len().max(1)).unwrap_or(i64::MAX);
        let recipients = quote.total_contacts.saturating_mul(runs);
        let row = user::by_id(&mut tx, user_id).await?;
        if let Some(row) = row
            && self.guards.would_hold(&mut tx, user_id, row.role, recipients).await?
        {
            notices.push(FIRST_SEND.to_owned());
        }
        notices.append(&mut quote.notices);
        Ok(Quote { notices, ..quote })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::report::progress;
    use crate::model::page::Scope;
    use crate::model::user::Role;
    use crate::operate;
    use crate::store::operations::daemon;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;
    use crate::testing::builder::{START, Spot, build};
    use crate::testing::campaign::Fixture;
    use crate::{args, both_databases};

    /// How the carrier `main` is, as its daemon said at the start.
    async fn note(store: &Store, owner: i64, health: CarrierHealth, throttled: bool) {
        let mut vitals = Vitals { health, ..Vitals::default() };
        vitals.line.throttled = throttled;
        operate::note(store, owner, vec![("main".to_owned(), vitals)], START).await.unwrap();
    }

    async fn reason(store: &Store, campaign: i64, around: &Around) -> Option<String> {
        let mut tx = store.read().await.unwrap();
        let mut shown = vec![progress::view(&mut tx, Scope::All, campaign).await.unwrap()];
        explain(&mut tx, &mut shown, around).await.unwrap();
        shown.pop().unwrap().status_reason
    }

    both_databases! {
        async fn what_stops_all_comes_before_what_stops_one_carrier(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let built = build(&store, "ada").chunk(&[Spot::Tail, Spot::Tail]).store().await;
            let owner = store.write(Lane::Interactive, (), |tx, ()| Box::pin(daemon::start(tx, START))).await.unwrap();
            let mut around = Around { now: START, ..Around::default() };
            let seen = async |around: &Around| reason(&store, built.campaign, around).await.unwrap_or_default();
            assert!(seen(&around).await.ends_with("'main', which no daemon serves now"));
            note(&store, owner, CarrierHealth::Up, false).await;
            assert_eq!(seen(&around).await, "");
            note(&store, owner, CarrierHealth::Up, true).await;
            assert_eq!(seen(&around).await, "The carrier 'main' asked to be sent less for now");
            note(&store, owner, CarrierHealth::Connecting, false).await;
            assert!(seen(&around).await.ends_with("'main', which is not connected now"));
            note(&store, owner, CarrierHealth::Stopped, false).await;
            assert!(seen(&around).await.contains("until its configuration is corrected"));
            let later = Around { now: START + std::time::Duration::from_secs(30), ..around.clone() };
            assert!(seen(&later).await.contains("no daemon serves"), "what was seen long ago is not so now");
            around.hours = QuietHours::new("00:00", "23:59", "UTC").unwrap().map(Arc::new);
            assert!(seen(&around).await.contains("'main'"), "it is not promotional");
            store
                .write(Lane::Interactive, (), |tx, ()| {
                    Box::pin(async { tx.run("UPDATE campaign_chunks SET promotional = TRUE", args![]).await })
                })
                .await
                .unwrap();
            assert_eq!(
                seen(&around).await,
                "Promotional messages wait for the end of the quiet hours, 23:59 (UTC)"
            );
            store
                .write(Lane::Interactive, admin, |tx, admin| {
                    Box::pin(operate::set(tx, "main", Hold::Paused, "", *admin, START))
                })
                .await
                .unwrap();
            assert!(seen(&around).await.contains("which an administrator holds for now"));
            around.low_disk = true;
            assert_eq!(seen(&around).await, "Nothing is sent while the server is short of disk space");
            store
                .write(Lane::Interactive, (), |tx, ()| Box::pin(generation::hold(tx, "restored", START)))
                .await
                .unwrap();
            assert!(seen(&around).await.contains("since the database was restored"));
            let mut tx = store.read().await.unwrap();
            let all = of_platform(&mut tx, &["main".to_owned()], true, &around).await.unwrap().unwrap();
            assert_eq!(all.matches("; ").count(), 4, "{all}");
            assert!(all.ends_with("; Maintenance keeps users out"), "{all}");
        }

        async fn a_quote_says_that_a_first_large_send_waits_and_its_campaign_counts(store: Store) {
            let mut fixture = Fixture::open(&store, "1000").await;
            fixture.campaigns.guards.first_send_hold = 2;
            let one = fixture.quote("Hello", "08031234567").await;
            let outlook = async |quote: Quote| {
                fixture.campaigns.with_outlook(fixture.user, quote, false).await.unwrap().notices
            };
            assert!(outlook(one.clone()).await.is_empty());
            let two = Quote { total_contacts: 2, ..one };
            assert_eq!(outlook(two).await, [FIRST_SEND]);
            store
                .write(Lane::Interactive, (), |tx, ()| Box::pin(generation::hold(tx, "restored", START)))
                .await
                .unwrap();
            let one = fixture.quote("Hello", "08031234567").await;
            assert_eq!(outlook(one).await, [Cause::Held.to_string()]);
        }
    }
}
