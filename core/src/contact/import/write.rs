//! Writing what was read: rejects, counters and contacts, each step in one transaction.

use talkdrum_api::purpose::OptOutReach;

use super::numbers::{self, KEPT_NUMBERS_MAX};
use super::read::Step;
use super::{Goal, INTERRUPTED};
use crate::contact::field;
use crate::contact::suppression::OptOutSource;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::ImportId;
use crate::platform::quota::Quotas;
use crate::store::contact::list::FIELDS_LISTED;
use crate::store::contact::{
    ContactBatch, group as contact_group, import as table, suppression as suppressions,
};
use crate::store::{Tx, contact as contacts};
use crate::time::Time;

/// Writes what the reading side handed over.
///
/// # Errors
/// The quotas; a group that was deleted; `import_interrupted` when the import does not run any more.
pub(super) async fn write(
    tx: &mut Tx,
    (id, user): (ImportId, UserId),
    goal: &Goal,
    (step, quotas): (&Step, &Quotas),
    now: Time,
) -> Result<()> {
    let goes_on = match step {
        Step::Rejects(from, rejects) => {
            if quotas.keeps_rejects(tx, user, rejects.len() as i64).await? {
                table::insert_rejects(tx, id, *from, rejects).await?;
            }
            true
        }
        Step::Reading(so_far) => {
            if let Goal::Group { id: group, .. } = goal
                && so_far.valid > 0
            {
                quotas.check_import(tx, user, *group, so_far.valid).await?;
            }
            table::note_reading(tx, id, so_far, now).await?
        }
        Step::Columns(columns) => {
            table::note_columns(tx, id, &columns.to_json()?).await?;
            if let Goal::Group { id: group, .. } = goal {
                let known = contact_group::lock(tx, user, *group, now).await?.ok_or_else(group_gone)?;
                let names = columns.fields.iter().map(String::as_str);
                if let Some(columns) = field::with_columns(&known, names)? {
                    contact_group::set_columns(tx, *group, &columns).await?;
                }
            }
            true
        }
        Step::Contacts(batch) => {
            let written = write_batch(tx, user, goal, batch, now).await?;
            if matches!(goal, Goal::Group { .. }) {
                keep_numbers(tx, (id, user), &batch.numbers).await?;
            }
            match goal {
                _ if written.0 == 0 => {}
                Goal::Group { .. } => quotas.check_contacts(tx, user).await?,
                Goal::OptOuts { scope, .. } if *scope == user.0 => quotas.check_opt_outs(tx, user).await?,
                Goal::OptOuts { .. } => {}
            }
            let to = batch.numbers.last().copied().unwrap_or_default();
            table::note_written(tx, id, written, to, now).await?
        }
    };
    if goes_on { Ok(()) } else { Err(Error::rule("import_interrupted", INTERRUPTED)) }
}

/// Keeps what a batch wrote, so that it can be sent to. Of a user who has many kept already no more are.
async fn keep_numbers(tx: &mut Tx, (id, user): (ImportId, UserId), batch: &[i64]) -> Result<()> {
    let Some(first) = batch.first() else { return Ok(()) };
    let size = batch.len() as i64;
    if table::kept_numbers(tx, user).await? + size > KEPT_NUMBERS_MAX {
        return Ok(());
    }
    table::keep_numbers(tx, id, (*first, size), numbers::encode(batch)).await
}

async fn write_batch(
    tx: &mut Tx,
    user: UserId,
    goal: &Goal,
    batch: &ContactBatch,
    now: Time,
) -> Result<(i64, i64, i64)> {
    match goal {
        Goal::Group { id, .. } => {
            contact_group::lock(tx, user, *id, now).await?.ok_or_else(group_gone)?;
            let merged = contacts::merge(tx, *id, batch, now).await?;
            if merged.updated > 0
                && batch.fields.iter().any(Option::is_some)
                && let Some(number) = contacts::too_long(tx, *id, batch, FIELDS_LISTED, now).await?
            {
                return Err(Error::rule(
                    field::TOO_LONG,
                    format!("{number} with the merge fields that it has in the group: {}", field::too_long()),
                ));
            }
            Ok((merged.added, merged.updated, merged.unchanged))
        }
        Goal::OptOuts { scope, reach, note } => {
            let mut added = 0;
            for each in OptOutReach::ALL {
                let is_it = |own: &Option<String>| own.as_deref().unwrap_or(reach.code()) == each.code();
                let rows = batch.numbers.iter().zip(&batch.names).filter(|(_, own)| is_it(own));
                let numbers: Vec<i64> = rows.map(|(number, _)| *number).collect();
                if !numbers.is_empty() {
                    let notes = vec![Some(note.clone()); numbers.len()];
                    added += suppressions::add(tx, *scope, numbers, notes, (OptOutSource::Import, each), now)
                        .await?;
                }
            }
            Ok((added, 0, batch.len() as i64 - added))
        }
    }
}

fn group_gone() -> Error {
    Error::rule("group_gone", "The group was deleted while its contacts were imported")
}
