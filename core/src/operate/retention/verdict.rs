//! What is to become of a campaign: whether it is past its time, is over, and under no hold.

use std::collections::HashMap;
use std::time::Duration;

use super::RECEIPTS_UNTIL;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::AudienceId;
use crate::model::platform::data_class::DataClass;
use crate::store::Tx;
use crate::store::account::legal_hold;
use crate::store::retention::{self as table, Candidate, RetentionUnit};
use crate::time::Time;

/// An outcome that came so long after a campaign was over is a person's decision about a message that was `unknown`.
const LATE: Duration = Duration::from_hours(24);
/// For how long after such a decision the campaign stays, so that what was not sent can be sent again.
const SETTLED_FOR: Duration = Duration::from_hours(3 * 24);
/// How far the clocks of machines may be apart.
const CLOCKS_DIFFER: Duration = Duration::from_hours(24);

/// What is to become of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is erased, with its audience and the other runs that share it.
    Due {
        /// How many runs these are.
        runs: i64,
    },
    /// Nothing: it has nothing, goes with a later run, or is under a hold.
    Skipped,
    /// It is not over.
    Early,
    /// It may not be past its time.
    Young,
}

/// Whether a campaign was confirmed by a clock that was ahead: it does not keep the mark from those behind it.
pub(super) fn is_from_the_future(it: &Candidate, now: Time) -> bool {
    it.created_at > now + CLOCKS_DIFFER
}

/// The verdict on each, in their order.
pub(super) async fn judge(
    tx: &mut Tx,
    class: DataClass,
    found: &[Candidate],
    (edge, now): (Time, Time),
) -> Result<Vec<Verdict>> {
    let has_some = |it: &&Candidate| it.created_at <= edge && (class != DataClass::Receipts || it.is_call);
    let mut audiences: Vec<AudienceId> = found.iter().filter(has_some).map(|it| it.audience_id).collect();
    audiences.sort_unstable();
    audiences.dedup();
    let mut users: Vec<UserId> = found.iter().map(|it| it.user_id).collect();
    users.sort_unstable();
    users.dedup();
    let held = legal_hold::held_among(tx, users).await?;
    let units: HashMap<AudienceId, RetentionUnit> = if audiences.is_empty() {
        HashMap::new()
    } else {
        table::units(tx, audiences).await?.into_iter().map(|unit| (unit.audience_id, unit)).collect()
    };
    let verdict = |it: &Candidate| {
        if it.created_at > edge {
            return if is_from_the_future(it, now) { Verdict::Early } else { Verdict::Young };
        }
        let unit = units.get(&it.audience_id).filter(|unit| unit.last == it.id);
        let Some(unit) = unit.filter(|_| !held.contains(&it.user_id)) else { return Verdict::Skipped };
        let is_open = unit.open > 0 || unit.unconfirmed > 0 || unit.unknown > 0;
        let is_awaited = unit.awaited > 0 && now.since(unit.over_at) < RECEIPTS_UNTIL;
        let is_settled = unit.answered_at > unit.over_at + LATE && now.since(unit.answered_at) < SETTLED_FOR;
        let waits = class == DataClass::Numbers && unit.queued > 0;
        if is_open || is_awaited || is_settled || waits || unit.over_at > edge {
            Verdict::Early
        } else {
            Verdict::Due { runs: unit.runs }
        }
    };
    Ok(found.iter().map(verdict).collect())
}
