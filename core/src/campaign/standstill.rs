//! Why nothing goes out, in one line, from what is stored and what the daemon that is asked knows.
//!
//! Everything that shows a reason asks here, so that the same standstill has the same words everywhere. What stops all
//! sending comes before what stops one carrier. Administrators read what to look at; customers read that it is seen to, and
//! nothing of carriers or machines.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use talkdrum_api::campaign::{Campaign, Quote};

use crate::campaign::CampaignService;
use crate::campaign::report::canary::why_it_waits;
use crate::carrier::vitals::Vitals;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::{CampaignId, QuoteId};
use crate::model::campaign::pause::ReviewCause;
use crate::model::carrier::breaker::PARKED_MAX;
use crate::model::carrier::{CarrierHealth, Hold};
use crate::model::message::status::CampaignStatus;
use crate::model::page::RecordScope;
use crate::routing::quiet_hours::QuietHours;
use crate::store::Tx;
use crate::store::account::user;
use crate::store::campaign::list::{awaited_carriers, promotional_waits};
use crate::store::campaign::{audience, quote, spending};
use crate::store::carrier::breaker::{self, BreakerRow};
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
    pub space: Space,
}

/// The space of the daemon that is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// It is enough, or nothing is sent from there.
    #[default]
    Enough,
    /// It is too little, and there is no other daemon.
    Low,
    /// It is too little at this daemon; others may have more.
    LowAt(String),
}

/// One cause. In their order the first is what a campaign shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Dispatch is held, for this reason.
    Held(String),
    /// There is too little space, at this daemon where there may be others.
    LowDisk(Option<String>),
    /// An administrator holds a carrier.
    CarrierHeld(String),
    /// No daemon has the carrier.
    Unheld(String),
    /// The carrier refuses until its configuration is corrected.
    Stopped(String),
    /// The carrier is not connected.
    Away(String),
    /// The carrier refuses all that it is given.
    Refusing(String),
    /// It is too late in the day for promotional messages; until then.
    Quiet(String),
    /// Too few promotional messages to a network are delivered.
    Breaker {
        /// The network.
        network: String,
        /// By this carrier.
        carrier: String,
    },
    /// The carrier asked for less.
    Throttled(String),
    /// So many campaigns are first large sends.
    FirstSends(i64),
    /// Users are kept out.
    Maintenance,
}

/// What customers read where the platform waits as a whole.
const ON_HOLD: &str = "Sending is on hold for now; nothing needs to be sent again";

impl Cause {
    /// The cause in the words of those who see these records.
    fn told(&self, scope: RecordScope) -> String {
        match (scope, self) {
            (RecordScope::All, _) | (RecordScope::Own(_), Self::Quiet(_)) => self.to_string(),
            (RecordScope::Own(_), Self::Breaker { network, .. }) => format!(
                "{} does not deliver at present: promotional messages to it wait until it does, and need not be sent again",
                network_in_words(network)
            ),
            (
                RecordScope::Own(_),
                Self::Held(_) | Self::LowDisk(_) | Self::Maintenance | Self::FirstSends(_),
            ) => ON_HOLD.to_owned(),
            (
                RecordScope::Own(_),
                Self::CarrierHeld(_) | Self::Unheld(_) | Self::Stopped(_) | Self::Away(_),
            ) => "Messages wait for the connection to a network; they need not be sent again".to_owned(),
            (RecordScope::Own(_), Self::Refusing(_)) => "A network refuses messages for now".to_owned(),
            (RecordScope::Own(_), Self::Throttled(_)) => {
                "A network asked for messages to be sent more slowly for now".to_owned()
            }
        }
    }
}

/// As administrators read it.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(reason) => {
                write!(f, "Nothing is sent until an administrator releases the hold: {reason}")
            }
            Self::LowDisk(None) => f.write_str("Nothing is sent while the server is short of disk space"),
            Self::LowDisk(Some(daemon)) => {
                write!(f, "The daemon {daemon} sends nothing while its machine is short of disk space")
            }
            Self::CarrierHeld(name) => {
                write!(f, "Messages wait for the carrier '{name}', which an administrator holds for now")
            }
            Self::Quiet(until) => {
                write!(f, "Promotional messages wait for the end of the quiet hours, {until}")
            }
            Self::Breaker { network, carrier } => write!(
                f,
                "Promotional messages to {} wait: too few are delivered by the carrier '{carrier}'. A few are tried now \
                 and then, and the rest goes when they are delivered",
                network_in_words(network)
            ),
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
            Self::Refusing(name) => {
                write!(f, "The carrier '{name}' refuses all that it is given for now")
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

/// A network as people write it: `MTN`, `Airtel`.
fn network_in_words(name: &str) -> String {
    match name {
        "mtn" => "MTN".to_owned(),
        "other" => "a network".to_owned(),
        "abroad" => "a network abroad".to_owned(),
        _ => {
            let mut letters = name.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

/// What keeps a carrier from taking messages, or nothing: it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CarrierState {
    Open,
    Held,
    Stopped,
    Away,
    Refusing,
    Throttled,
}

/// What may stop messages now.
#[derive(Clone, Debug, Default)]
pub struct Standstill {
    held: Option<String>,
    space: Space,
    quiet_until: Option<String>,
    carriers: HashMap<String, CarrierState>,
    /// Breakers that hold messages back.
    breakers: Vec<HeldNetwork>,
}

/// A breaker that holds messages back.
#[derive(Clone, Debug)]
struct HeldNetwork {
    carrier: String,
    network: String,
    /// Whether messages wait singly for it.
    is_awaited: bool,
    /// So many wait at its carrier that other promotional ones wait, too.
    is_full: bool,
}

impl HeldNetwork {
    fn cause(&self) -> Cause {
        Cause::Breaker { network: self.network.clone(), carrier: self.carrier.clone() }
    }
}

impl Standstill {
    /// Reads what is stored: a few small rows.
    pub async fn read(tx: &mut Tx, around: &Around) -> Result<Self> {
        let vitals = state::vitals(tx).await?;
        let mut carriers: HashMap<String, CarrierState> = vitals
            .into_values()
            .filter(|row| row.is_fresh(around.now))
            // What an older version wrote is rewritten by the next heartbeat.
            .map(|row| (row.carrier, row.vitals.0.as_ref().map_or(CarrierState::Open, state_of)))
            .collect();
        let held = state::all(tx).await?.into_iter().filter(|(_, said)| said.state != Hold::Open);
        carriers.extend(held.map(|(name, _)| (name, CarrierState::Held)));
        let quiet = around.hours.as_ref().filter(|hours| hours.is_quiet(around.now));
        let breakers = held_networks(tx).await?;
        Ok(Self {
            breakers,
            held: generation::held(tx).await?.map(|hold| hold.reason),
            space: around.space.clone(),
            quiet_until: quiet.map(|hours| hours.end_in_words()),
            carriers,
        })
    }

    /// Why messages that wait at these carriers do not go out, in order.
    pub fn causes<'a>(&self, waiting: impl Iterator<Item = (&'a str, bool)>) -> BTreeSet<Cause> {
        let mut causes = BTreeSet::new();
        causes.extend(self.held.clone().map(Cause::Held));
        causes.extend(match &self.space {
            Space::Enough => None,
            Space::Low => Some(Cause::LowDisk(None)),
            Space::LowAt(daemon) => Some(Cause::LowDisk(Some(daemon.clone()))),
        });
        for (carrier, promotional) in waiting {
            let name = || carrier.to_owned();
            causes.extend(match self.carriers.get(carrier) {
                None => Some(Cause::Unheld(name())),
                Some(CarrierState::Open) => None,
                Some(CarrierState::Held) => Some(Cause::CarrierHeld(name())),
                Some(CarrierState::Stopped) => Some(Cause::Stopped(name())),
                Some(CarrierState::Away) => Some(Cause::Away(name())),
                Some(CarrierState::Refusing) => Some(Cause::Refusing(name())),
                Some(CarrierState::Throttled) => Some(Cause::Throttled(name())),
            });
            causes.extend(self.quiet_until.clone().filter(|_| promotional).map(Cause::Quiet));
            let full = self.breakers.iter().filter(|it| promotional && it.is_full && it.carrier == carrier);
            causes.extend(full.map(HeldNetwork::cause));
        }
        causes
    }
}

async fn held_networks(tx: &mut Tx) -> Result<Vec<HeldNetwork>> {
    let mut held: Vec<HeldNetwork> = Vec::new();
    let mut awaited = Vec::new();
    for row in breaker::all(tx).await?.into_iter().filter(BreakerRow::holds) {
        // In order of their carriers.
        let is_full = match held.last().filter(|before| before.carrier == row.carrier) {
            Some(before) => before.is_full,
            None => {
                awaited = breaker::awaited_at(tx, &row.carrier).await?;
                !awaited.is_empty() && breaker::parked(tx, &row.carrier, &awaited).await? >= PARKED_MAX
            }
        };
        let is_awaited = awaited.contains(&row.network);
        held.push(HeldNetwork { carrier: row.carrier, network: row.network, is_awaited, is_full });
    }
    Ok(held)
}

fn state_of(seen: &Vitals) -> CarrierState {
    if seen.takes_messages() {
        return if seen.line.throttled { CarrierState::Throttled } else { CarrierState::Open };
    }
    match seen.health {
        CarrierHealth::Stopped => CarrierState::Stopped,
        CarrierHealth::Refusing => CarrierState::Refusing,
        CarrierHealth::Connecting | CarrierHealth::Up => CarrierState::Away,
    }
}

/// Gives campaigns that are being sent the reason why what is left of them waits, where there is one, in the words for
/// `reader`.
pub async fn explain(
    tx: &mut Tx,
    campaigns: &mut [Campaign],
    reader: RecordScope,
    around: &Around,
) -> Result<()> {
    let sending =
        |campaign: &Campaign| campaign.status == CampaignStatus::Sending.code() && campaign.counts.queued > 0;
    let ids: Vec<CampaignId> =
        campaigns.iter().filter(|it| sending(it)).map(|it| CampaignId(it.id)).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let standstill = Standstill::read(tx, around).await?;
    let held = match standstill.breakers.is_empty() {
        true => Vec::new(),
        false => breaker::awaited(tx, ids.clone()).await?,
    };
    let awaited = awaited_carriers(tx, ids).await?;
    for campaign in campaigns.iter_mut().filter(|it| sending(it)) {
        let own = awaited.iter().filter(|it| it.campaign_id.0 == campaign.id);
        let waits = own.map(|it| (it.carrier.as_str(), it.promotional));
        let mut causes = standstill.causes(waits);
        let held = held.iter().filter(|(id, ..)| id.0 == campaign.id);
        causes.extend(held.map(|(_, carrier, network)| Cause::Breaker {
            network: network.clone(),
            carrier: carrier.clone(),
        }));
        let first = causes.pop_first();
        let why = first.map(|cause| cause.told(reader)).or_else(|| why_it_waits(campaign));
        campaign.status_reason = why.or(campaign.status_reason.take());
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
    causes.extend(standstill.breakers.iter().filter(|it| it.is_awaited).map(HeldNetwork::cause));
    let held = spending::count_in_review(tx, ReviewCause::FirstSend).await?;
    causes.extend((held > 0).then_some(Cause::FirstSends(held)));
    causes.extend(is_maintenance.then_some(Cause::Maintenance));
    let causes: Vec<String> = causes.iter().map(Cause::to_string).collect();
    Ok((!causes.is_empty()).then(|| causes.join("; ")))
}

/// What a quote says of a first large send.
const FIRST_SEND: &str =
    "This is a first large send: once confirmed, it waits until an administrator has looked at it";

impl CampaignService {
    /// The quote with what would keep it from going out once confirmed, as it stands now. A quote that cannot be looked
    /// at so is as good without.
    pub async fn with_outlook(&self, user_id: UserId, mut quote: Quote, space: Space) -> Quote {
        match self.outlook(user_id, &quote, space).await {
            Ok(mut notices) => {
                notices.append(&mut quote.notices);
                quote.notices = notices;
            }
            Err(error) => {
                tracing::warn!(code = error.code(), %error, quote = quote.quote_id, "a quote has no outlook");
            }
        }
        quote
    }

    async fn outlook(&self, user_id: UserId, quote: &Quote, space: Space) -> Result<Vec<String>> {
        let (mut tx, id) = (self.store.read().await?, QuoteId(quote.quote_id));
        let agreed = quote::by_id(&mut tx, id).await?.map(|row| row.agreed);
        let user = user::by_id(&mut tx, user_id).await?;
        let (Some(agreed), Some(user)) = (agreed, user) else { return Ok(Vec::new()) };
        if agreed.confirmed_at.is_some() {
            return Ok(Vec::new());
        }
        let around = Around { now: self.clock.now(), hours: None, space };
        let reader = if user.role == Role::Admin { RecordScope::All } else { RecordScope::Own(user_id) };
        // How a carrier is now says nothing of a later start.
        let carriers = match quote.starts.is_empty() {
            true => audience::carriers(&mut tx, id).await?,
            false => Vec::new(),
        };
        let standstill = Standstill::read(&mut tx, &around).await?;
        let mut causes = standstill.causes(carriers.iter().map(|name| (name.as_str(), false)));
        // That is over before the quote is read.
        causes.retain(|cause| !matches!(cause, Cause::Throttled(_)));
        let told = causes.iter().map(|cause| cause.told(reader));
        // Several have the same words.
        let mut notices: Vec<String> = told.collect::<BTreeSet<_>>().into_iter().collect();
        let runs = i64::try_from(quote.starts.len().max(1)).unwrap_or(i64::MAX);
        let recipients = quote.total_contacts.saturating_mul(runs);
        if self.limits.would_review(&mut tx, user_id, user.role, recipients).await? {
            notices.push(FIRST_SEND.to_owned());
        }
        Ok(notices)
    }
}

#[cfg(test)]
mod tests;
