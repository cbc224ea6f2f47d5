//! Resolving `unknown` messages: an administrator decides what became of them.

use crate::campaign::settlement;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::{Tx, chunk, message};
use crate::time::Time;

/// Messages resolved by one call.
pub const RESOLVE_MAX: usize = 1_000;
/// Unknown messages of a campaign that are resolved in one transaction: a few hundred milliseconds of the writer.
const TOGETHER_MAX: usize = 10 * RESOLVE_MAX;

/// A person's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// It was sent, and is charged: from the reserve, or from the wallet where the money went back already.
    Sent,
    /// It was not sent: the money goes back, from the reserve or from revenue, unless it went back already.
    Refunded,
    /// As [`Resolution::Refunded`], and it is quoted again: by the caller, once the money is back.
    Resend,
}

impl Resolution {
    /// The decision of its name in the API.
    ///
    /// # Errors
    /// `bad_outcome` for anything else.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "sent" => Ok(Self::Sent),
            "refunded" => Ok(Self::Refunded),
            "resend" => Ok(Self::Resend),
            other => Err(Error::field(
                "outcome",
                "bad_outcome",
                format!("'{other}' is no outcome: use sent, refunded or resend"),
            )),
        }
    }

    /// What became of so many messages, in words.
    pub fn in_words(self, count: i64) -> String {
        let plural = if count == 1 { " was" } else { "s were" };
        match self {
            Self::Sent => format!("{count} message{plural} settled as sent"),
            Self::Refunded | Self::Resend => {
                format!("{count} message{plural} settled as not sent and refunded")
            }
        }
    }
}

/// Which messages are to be resolved.
#[derive(Clone, Debug)]
pub enum UnknownMessages {
    /// Those of these that are unknown.
    These(Vec<MessageId>),
    /// Those of this campaign.
    Campaign(CampaignId),
}

impl UnknownMessages {
    fn in_words(&self) -> String {
        match self {
            Self::Campaign(campaign) => format!("campaign {campaign}"),
            Self::These(messages) => match messages.as_slice() {
                [message] => format!("message {}", message.0),
                several => format!("{} messages from {} on", several.len(), several[0].0),
            },
        }
    }
}

/// Resolves unknown messages as an administrator decided, with an audit entry; returns them. Of a campaign with very many it
/// resolves the first.
///
/// # Errors
/// `too_many_messages`; `insufficient_balance` when messages were released, are settled as sent, and the wallet does
/// not hold their price.
pub async fn resolve_by_admin(
    tx: &mut Tx,
    which: &UnknownMessages,
    outcome: Resolution,
    by: UserId,
    now: Time,
) -> Result<Vec<MessageId>> {
    let done = match which {
        UnknownMessages::These(messages) => resolve(tx, messages, outcome, now).await?,
        UnknownMessages::Campaign(campaign) => {
            let mut done = Vec::new();
            while done.len() < TOGETHER_MAX {
                let unknown = unknown_of(tx, *campaign).await?;
                if unknown.is_empty() {
                    break;
                }
                let settled = resolve(tx, &unknown, outcome, now).await?;
                if settled.is_empty() {
                    break;
                }
                done.extend(settled);
            }
            done
        }
    };
    if !done.is_empty() {
        let after = outcome.in_words(i64::try_from(done.len()).unwrap_or(i64::MAX));
        let entry = Entry::new(by, AuditAction::MessageResolve, which.in_words());
        audit::record(tx, &entry.before(Some("unknown")).after(Some(after)), now).await?;
    }
    Ok(done)
}

/// Resolves those of the given messages that are unknown; returns them. The others are left alone.
///
/// # Errors
/// Those of [`resolve_by_admin`].
pub(crate) async fn resolve(
    tx: &mut Tx,
    messages: &[MessageId],
    outcome: Resolution,
    now: Time,
) -> Result<Vec<MessageId>> {
    if messages.len() > RESOLVE_MAX {
        return Err(Error::field(
            "messages",
            "too_many_messages",
            format!("At most {RESOLVE_MAX} messages can be resolved at once; name fewer, or a campaign"),
        ));
    }
    let (status, error) = match outcome {
        Resolution::Sent => (MessageStatus::Submitted, PlatformReason::ResolvedSent),
        Resolution::Refunded | Resolution::Resend => {
            (MessageStatus::Cancelled, PlatformReason::ResolvedRefunded)
        }
    };
    let unknown: Vec<MessageId> = message::states(tx, messages)
        .await?
        .into_iter()
        .filter(|(_, state)| state.status.is_unresolved())
        .map(|(message, _)| message)
        .collect();
    let outcomes: Vec<MessageOutcome> = unknown
        .iter()
        .map(|&message| MessageOutcome::by_platform(message, status, error, Some(now)))
        .collect();
    settlement::settle(tx, &outcomes, now).await?;
    Ok(unknown)
}

/// The unknown messages of a campaign, at most [`RESOLVE_MAX`].
async fn unknown_of(tx: &mut Tx, campaign: CampaignId) -> Result<Vec<MessageId>> {
    let mut found = Vec::new();
    for (id,) in chunk::unknown_of_campaign(tx, campaign).await? {
        found.extend(message::unknown_in(tx, id).await?);
        if found.len() >= RESOLVE_MAX {
            break;
        }
    }
    found.truncate(RESOLVE_MAX);
    Ok(found)
}
