//! Limits on one account: what it spends in a day, and a first large send that waits for an administrator.
//! Every recipient counts towards that, those of single messages too: otherwise a large send would pass in small
//! pieces.
//!
//! Invariant: what is confirmed under a limit is counted by the transaction that confirms it, so that two concurrent
//! confirmations cannot both pass. It counts also when the campaign is cancelled later; what is given back of a call that
//! verifies a number counts no more. The days are those of one time
//! zone for all users: by changing their zone users could otherwise spend the limit two or three times.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::BoxFuture;
use talkdrum_api::money::{Amount, Currency, Money};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::{DEFAULT_ZONE, Role};
use crate::model::campaign::id::CampaignId;
use crate::model::campaign::pause::ReviewCause;
use crate::model::platform::audit::AuditAction;
use crate::payment::transfer::{self, Gift, Given};
use crate::platform::audit::{self, Entry};
use crate::sender::own_number::SpendingLimit;
use crate::store::account::user;
use crate::store::campaign::confirm::ActiveUser;
use crate::store::campaign::spending as table;
use crate::store::campaign::spending::{Spending, UserLimitsRow};
use crate::store::{Tx, campaign as campaigns};
use crate::time::Time;

/// Why a first large send waits: one campaign, or the message with which many small sends become as large.
pub const IN_REVIEW: &str = "Held: the first large send of an account, in one campaign or message by message, waits until \
                        an administrator has looked at it and resumes it";

/// Days for which it is remembered what was spent.
const KEPT: std::time::Duration = std::time::Duration::from_hours(7 * 24);

/// The platform's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CampaignLimits {
    /// What a user may confirm in a day; zero is no limit.
    pub daily_espees: Amount,
    /// The same in Naira.
    pub daily_naira: Amount,
    /// Recipients in all from which on an unproven user's sends wait for a review; 0 lets all go.
    pub first_send_review: i64,
}

impl CampaignLimits {
    /// What a user may confirm in a day; `None` without a limit.
    fn limit(&self, user_limits: &UserLimitsRow, currency: Currency) -> Option<Amount> {
        let (own, default) = match currency {
            Currency::Espees => (user_limits.daily_espees, self.daily_espees),
            Currency::Naira => (user_limits.daily_naira, self.daily_naira),
        };
        Some(own.unwrap_or(default)).filter(|limit| *limit > Amount::ZERO)
    }

    /// Whether sends of this user are counted until an administrator has looked at one.
    fn counts(&self, user: &ActiveUser) -> bool {
        self.first_send_review > 0 && user.user_limits.proven_at.is_none() && user.role != Role::Admin
    }

    /// Whether a send to so many recipients would wait for an administrator, as things stand.
    pub(crate) async fn would_review(
        &self,
        tx: &mut Tx,
        user: UserId,
        role: Role,
        recipients: i64,
    ) -> Result<bool> {
        if self.first_send_review == 0 || role == Role::Admin {
            return Ok(false);
        }
        if table::find(tx, user).await?.proven_at.is_some() {
            return Ok(false);
        }
        Ok(table::unproven(tx, user).await?.saturating_add(recipients) >= self.first_send_review)
    }

    /// Counts the recipients of unproven users; returns the users whose sends wait for an administrator: with these
    /// recipients, all they ever sent to reaches `first_send_review`.
    pub(crate) async fn for_review(
        &self,
        tx: &mut Tx,
        sends: impl Iterator<Item = (&ActiveUser, i64)>,
    ) -> Result<BTreeSet<UserId>> {
        let mut counts: BTreeMap<UserId, i64> = BTreeMap::new();
        for (user, recipients) in sends.filter(|(user, _)| self.counts(user)) {
            let count = counts.entry(user.id).or_default();
            *count = count.saturating_add(recipients);
        }
        let mut in_review = BTreeSet::new();
        for (user, recipients) in counts {
            if table::count_unproven(tx, user, recipients).await? >= self.first_send_review {
                in_review.insert(user);
            }
        }
        Ok(in_review)
    }

    /// Makes a transfer to another user and counts it into what the account spends on the day; once for its claim.
    ///
    /// # Errors
    /// Those of [`transfer::give`]; `spending_cap`.
    pub async fn give(&self, tx: &mut Tx, gift: &Gift, now: Time) -> Result<Given> {
        // What the day has is locked before the wallets, as when a quote is confirmed.
        let count = async |tx: &mut Tx| self.spend_transfer(tx, gift.from, gift.money, now).await.map(drop);
        transfer::give(tx, gift, now, count).await
    }

    /// Counts what a user transfers to others, or pays for a call that verifies a number, into what the account spends on
    /// the day; which day that is, and `None` where there is no limit and nothing is counted.
    ///
    /// # Errors
    /// 404; `spending_cap` when it goes beyond it.
    async fn spend_transfer(
        &self,
        tx: &mut Tx,
        user_id: UserId,
        money: Money,
        now: Time,
    ) -> Result<Option<String>> {
        let user = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
        let user_limits = table::find(tx, user_id).await?;
        let user = ActiveUser { id: user_id, role: user.role, codes_withdrawn_at: None, user_limits };
        self.spend(tx, std::iter::once((&user, money.currency, money.amount)), now).await?;
        Ok(self.limit(&user_limits, money.currency).map(|_| table::day_of(now, DEFAULT_ZONE)))
    }

    /// Counts what these users confirm now.
    ///
    /// # Errors
    /// `spending_cap` when one of them goes beyond it.
    pub(crate) async fn spend(
        &self,
        tx: &mut Tx,
        charges: impl Iterator<Item = (&ActiveUser, Currency, Amount)>,
        now: Time,
    ) -> Result<()> {
        let mut rows: BTreeMap<(UserId, Currency), (Spending, Amount)> = BTreeMap::new();
        for (user, currency, charge) in charges {
            let Some(limit) = self.limit(&user.user_limits, currency) else { continue };
            let day = table::day_of(now, DEFAULT_ZONE);
            let (row, _) = rows
                .entry((user.id, currency))
                .or_insert_with(|| (Spending { user: user.id, currency, day, amount: Amount::ZERO }, limit));
            row.amount = row.amount.plus(charge)?;
        }
        if rows.is_empty() {
            return Ok(());
        }
        let spending: Vec<Spending> = rows.values().map(|(row, _)| row.clone()).collect();
        for (user, currency, spent) in table::spend(tx, &spending).await? {
            let Some((row, limit)) = rows.get(&(user, currency)) else { continue };
            if spent > *limit {
                return Err(beyond(*limit, spent.minus(row.amount)?, currency)?);
            }
        }
        Ok(())
    }
}

impl SpendingLimit for CampaignLimits {
    fn count<'a>(
        &'a self,
        tx: &'a mut Tx,
        user: UserId,
        money: Money,
        now: Time,
    ) -> BoxFuture<'a, Result<Option<String>>> {
        Box::pin(self.spend_transfer(tx, user, money, now))
    }
}

fn beyond(limit: Amount, before: Amount, currency: Currency) -> Result<Error> {
    let left = limit.minus(before).ok().filter(|left| *left > Amount::ZERO).unwrap_or(Amount::ZERO);
    let label = currency.label();
    Ok(Error::rule(
        "spending_cap",
        format!(
            "This goes beyond the daily limit of the account, {limit} {label}: {before} {label} was confirmed today, \
             {left} {label} is left. Send to fewer contacts, go on after midnight ({DEFAULT_ZONE}), or ask the administrator \
             for a higher limit"
        ),
    ))
}

/// The limits of a user that are in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpendingView {
    /// What was decided.
    pub decided: UserLimitsRow,
    /// The limit of a day in each currency; `None` without one.
    pub limits: Vec<(Currency, Option<Amount>)>,
    /// What was confirmed today under a limit.
    pub spent: Vec<(Currency, Amount)>,
}

/// The limits of a user now.
///
/// # Errors
/// 404.
pub async fn of_user(tx: &mut Tx, limits: &CampaignLimits, id: UserId, now: Time) -> Result<SpendingView> {
    user::by_id(tx, id).await?.ok_or(Error::NotFound("user"))?;
    let decided = table::find(tx, id).await?;
    let today = table::spent(tx, id, &table::day_of(now, DEFAULT_ZONE)).await?;
    let currencies = [Currency::Espees, Currency::Naira];
    let spent_in = |currency: Currency| {
        today.iter().find(|(one, _)| *one == currency).map_or(Amount::ZERO, |(_, spent)| *spent)
    };
    Ok(SpendingView {
        decided,
        limits: currencies.map(|currency| (currency, limits.limit(&decided, currency))).to_vec(),
        spent: currencies.map(|currency| (currency, spent_in(currency))).to_vec(),
    })
}

/// What an administrator changes; what is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitsChange {
    /// The limit of a day: a positive amount, zero for none, `Some(None)` for the default.
    pub daily_espees: Option<Option<Amount>>,
    /// The same in Naira.
    pub daily_naira: Option<Option<Amount>>,
    /// Whether large sends go out without an administrator's approval.
    pub proven: Option<bool>,
}

/// Changes the limits of a user, and records it in the audit trail.
///
/// # Errors
/// 404; `amount_negative`.
pub async fn change(tx: &mut Tx, user: UserId, change: LimitsChange, by: UserId, now: Time) -> Result<()> {
    user::by_id(tx, user).await?.ok_or(Error::NotFound("user"))?;
    for (field, limit) in [("cap_espees", change.daily_espees), ("cap_naira", change.daily_naira)] {
        if limit.flatten().is_some_and(|limit| limit < Amount::ZERO) {
            return Err(Error::field(
                field,
                "amount_negative",
                "A daily limit is an amount of money; 0 is no limit",
            ));
        }
    }
    let before = table::find(tx, user).await?;
    let mut after = before;
    if let Some(limit) = change.daily_espees {
        after.daily_espees = limit;
    }
    if let Some(limit) = change.daily_naira {
        after.daily_naira = limit;
    }
    match change.proven {
        Some(true) => after.proven_at = before.proven_at.or(Some(now)),
        Some(false) => after.proven_at = None,
        None => {}
    }
    if after == before {
        return Ok(());
    }
    table::set(tx, user, after, by).await?;
    let entry = Entry::new(by, AuditAction::UserLimits, format!("user {user}"));
    let (was, is) = (in_words(&before), in_words(&after));
    audit::record(tx, &entry.before(Some(was.as_str())).after(Some(is.as_str())), now).await
}

/// An administrator's resume of a first large send marks the account as proven.
pub async fn prove_by_resume(tx: &mut Tx, campaign: CampaignId, by: UserId, now: Time) -> Result<()> {
    match campaigns::lock(tx, campaign).await? {
        Some(controlled) if controlled.held == Some(ReviewCause::FirstSend) => {
            change(
                tx,
                controlled.user_id,
                LimitsChange { proven: Some(true), ..LimitsChange::default() },
                by,
                now,
            )
            .await
        }
        _ => Ok(()),
    }
}

fn in_words(user_limits: &UserLimitsRow) -> String {
    let limit = |limit: Option<Amount>| match limit {
        None => "default".to_owned(),
        Some(Amount::ZERO) => "none".to_owned(),
        Some(limit) => limit.to_string(),
    };
    let proven = if user_limits.proven_at.is_some() { "yes" } else { "no" };
    format!(
        "daily limit ESPEES {}, Naira {}; proven {proven}",
        limit(user_limits.daily_espees),
        limit(user_limits.daily_naira)
    )
}

/// Forgets what was spent long ago.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    table::purge(tx, &table::day_of(now - KEPT, DEFAULT_ZONE)).await
}

#[cfg(test)]
mod tests;
