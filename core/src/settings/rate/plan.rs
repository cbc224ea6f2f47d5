//! Rate plans: a list of rates for the users that have it. A plan is there while it has rates.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::model::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::platform::rate as rows;
use crate::time::Time;

pub use rows::plan_of;

/// The plans of these users; one without a plan is left out.
pub async fn plans_of(tx: &mut Tx, users: &[i64]) -> Result<HashMap<i64, String>> {
    Ok(rows::plans_of(tx, users).await?.into_iter().collect())
}

/// How many users have each plan; a plan that no user has is left out.
pub async fn users_by_plan(tx: &mut Tx) -> Result<HashMap<String, i64>> {
    Ok(rows::users_by_plan(tx).await?.into_iter().collect())
}

/// Gives a user a plan, or takes it (`None`). What was quoted keeps its price. Nothing is done where it is so already.
///
/// # Errors
/// 404 when there is no such user, or it was deleted; `unknown_plan` on the field `plan`.
pub async fn give_plan(tx: &mut Tx, id: i64, plan: Option<&str>, by: i64, now: Time) -> Result<()> {
    let plan = plan.map(|plan| plan.trim().to_lowercase()).filter(|plan| !plan.is_empty());
    // Users before settings, as everywhere; then no change of the rates takes the plan away meanwhile.
    let before = rows::lock_plan_of(tx, id).await?.ok_or(Error::NotFound("user"))?;
    rows::lock_version(tx).await?;
    if let Some(plan) = &plan
        && !rows::is_plan(tx, plan).await?
    {
        return Err(Error::field("plan", "unknown_plan", format!("There is no rate plan '{plan}'")));
    }
    if before == plan {
        return Ok(());
    }
    rows::give_plan(tx, id, plan.as_deref(), now).await?;
    let entry = Entry::new(by, AuditAction::UserRatePlan, format!("user {id}"));
    audit::record(tx, &entry.before(before.as_deref()).after(plan.as_deref()), now).await
}
