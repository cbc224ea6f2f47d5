//! The Do-Not-Disturb list: numbers that promotional routes leave alone or send another way.
//!
//! It is imported by the operator and held in memory by every daemon that quotes: two bytes a number, in blocks of
//! 65,536. A quote uses the list as the database had it when the quote was asked for.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use talkdrum_api::code;
use talkdrum_api::dnd::shrinks;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::phone::Msisdn;
use crate::platform::audit::{self, Entry};
use crate::store::contact::dnd as table;
use crate::store::operations::idempotency::{Claim, once};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// The numbers, as of one import.
#[derive(Clone, Debug, Default)]
pub struct DndSnapshot {
    generation: i64,
    /// By number / 65,536: the last 16 bits, sorted, big endian.
    blocks: HashMap<u64, Box<[u8]>>,
}

impl DndSnapshot {
    /// A list of these numbers.
    pub fn of(numbers: impl IntoIterator<Item = Msisdn>) -> Self {
        let blocks = blocks(numbers).into_iter().map(|(block, lows)| (block, octets(&lows).into())).collect();
        Self { generation: 0, blocks }
    }

    /// Whether a number is on it.
    pub fn has(&self, number: Msisdn) -> bool {
        let (block, low) = split(number);
        let Some(octets) = self.blocks.get(&block) else { return false };
        let (mut from, mut to) = (0, octets.len() / 2);
        while from < to {
            let middle = from.midpoint(to);
            match low_at(octets, middle).cmp(&low) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        false
    }
}

/// The list as a daemon holds it. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct DndList(Arc<RwLock<Arc<DndSnapshot>>>);

impl DndList {
    /// The list as it stands in the database; read again only when it changed.
    pub async fn current(&self, tx: &mut Tx) -> Result<Arc<DndSnapshot>> {
        let held = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let generation = table::generation(tx).await?;
        if generation == held.generation {
            return Ok(held);
        }
        let rows = table::blocks(tx).await?;
        let blocks = rows.into_iter().map(|(block, octets)| (block.cast_unsigned(), octets.into())).collect();
        let fresh = Arc::new(DndSnapshot { generation, blocks });
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&fresh);
        Ok(fresh)
    }
}

/// Numbers to be put on the list.
#[derive(Debug)]
pub struct Import {
    /// The numbers, in any order.
    pub numbers: Vec<Msisdn>,
    /// Whether the list is emptied first.
    pub replace: bool,
    /// Whether a list that is replaced may shrink by more than a tenth.
    pub allow_shrink: bool,
    /// The administrator.
    pub by: UserId,
    /// The `Idempotency-Key`, if there was one.
    pub claim: Option<Claim>,
}

/// Adds numbers to the list, or replaces it; returns how many it holds then.
///
/// # Errors
/// `numbers_required` without a number; `dnd_list_shrinks` when the list would shrink by more than a tenth and
/// `allow_shrink` does not say that it may.
pub async fn import(store: &Store, import: Import, now: Time) -> Result<i64> {
    let Import { numbers, replace, allow_shrink, by, claim } = import;
    if numbers.is_empty() {
        return Err(Error::field(
            "numbers",
            code::NUMBERS_REQUIRED,
            "Give the numbers to put on the list: there is no valid number among them",
        ));
    }
    let added = numbers.len();
    let input = (blocks(numbers), (replace, allow_shrink), now, by, claim, added);
    store
        .write(Lane::Interactive, input, |tx, (blocks, (replace, allow_shrink), now, by, claim, added)| {
            Box::pin(once(tx, claim.as_ref(), *now, async move |tx| {
                let held = table::size(tx).await?;
                if *replace {
                    let new: usize = blocks.values().map(Vec::len).sum();
                    let new = i64::try_from(new).unwrap_or(i64::MAX);
                    if shrinks(held, new) && !allow_shrink {
                        return Err(Error::conflict(
                            "dnd_list_shrinks",
                            format!("The list would shrink from {held} to {new} numbers: say with allow_shrink that it may"),
                        ));
                    }
                    table::clear(tx).await?;
                }
                for (block, lows) in blocks {
                    let block = block.cast_signed();
                    let held = table::block(tx, block).await?.unwrap_or_default();
                    let mut merged: Vec<u16> = (0..held.len() / 2).map(|at| low_at(&held, at)).collect();
                    merged.extend(lows);
                    merged.sort_unstable();
                    merged.dedup();
                    table::put_block(tx, block, merged.len() as i64, &octets(&merged)).await?;
                }
                table::raise(tx, *now).await?;
                let size = table::size(tx).await?;
                let action = if *replace { AuditAction::DndReplace } else { AuditAction::DndImport };
                let entry = Entry::new(*by, action, format!("{added} numbers"))
                    .before(Some(held.to_string()))
                    .after(Some(size.to_string()));
                audit::record(tx, &entry, *now).await?;
                Ok(size)
            }))
        })
        .await
}

/// A page of the list, in order.
pub async fn list(store: &Store, offset: i64, limit: i64) -> Result<(Vec<Msisdn>, i64)> {
    let mut tx = store.snapshot().await?;
    let total = table::size(&mut tx).await?;
    let (mut skip, mut found) = (offset.max(0), Vec::new());
    for (block, size) in table::sizes(&mut tx).await? {
        if found.len() as i64 >= limit {
            break;
        }
        if skip >= size {
            skip -= size;
            continue;
        }
        let held = table::block(&mut tx, block).await?.unwrap_or_default();
        let wanted = usize::try_from(limit).unwrap_or(0) - found.len();
        let numbers = (0..held.len() / 2)
            .skip(usize::try_from(skip).unwrap_or(0))
            .take(wanted)
            .filter_map(|at| Msisdn::from_digits(block.cast_unsigned() << 16 | u64::from(low_at(&held, at))));
        found.extend(numbers);
        skip = 0;
    }
    Ok((found, total))
}

fn split(number: Msisdn) -> (u64, u16) {
    (number.digits() >> 16, (number.digits() & 0xffff) as u16)
}

fn blocks(numbers: impl IntoIterator<Item = Msisdn>) -> BTreeMap<u64, Vec<u16>> {
    let mut blocks: BTreeMap<u64, Vec<u16>> = BTreeMap::new();
    for (block, low) in numbers.into_iter().map(split) {
        blocks.entry(block).or_default().push(low);
    }
    for lows in blocks.values_mut() {
        lows.sort_unstable();
        lows.dedup();
    }
    blocks
}

fn octets(lows: &[u16]) -> Vec<u8> {
    lows.iter().flat_map(|low| low.to_be_bytes()).collect()
}

fn low_at(octets: &[u8], place: usize) -> u16 {
    u16::from_be_bytes([octets[place * 2], octets[place * 2 + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::database::for_each_database;

    fn number(digits: u64) -> Msisdn {
        Msisdn::from_digits(digits).unwrap()
    }

    #[tokio::test]
    async fn an_import_adds_to_the_list_or_replaces_it_and_quotes_see_it_at_once() {
        for_each_database(|store| async move {
            let admin =
                crate::testing::account::make_user(&store, "root", crate::model::account::user::Role::Admin)
                    .await;
            let ask = |numbers: Vec<Msisdn>, replace: bool| Import {
                numbers,
                replace,
                allow_shrink: true,
                by: admin,
                claim: None,
            };
            let held = DndList::default();
            assert!(
                !held.current(&mut store.read().await.unwrap()).await.unwrap().has(number(2_348_031_000_001))
            );
            let first = vec![number(2_348_031_000_001), number(2_348_099_999_999), number(2_348_031_000_001)];
            assert_eq!(import(&store, ask(first, false), Time(1)).await.unwrap(), 2);
            let more = vec![number(2_348_031_000_000)];
            assert_eq!(import(&store, ask(more, false), Time(2)).await.unwrap(), 3);
            let seen = held.current(&mut store.read().await.unwrap()).await.unwrap();
            assert!(seen.has(number(2_348_031_000_001)) && seen.has(number(2_348_031_000_000)));
            assert!(!seen.has(number(2_348_031_000_002)));
            let (page, total) = list(&store, 1, 2).await.unwrap();
            assert_eq!((page, total), (vec![number(2_348_031_000_001), number(2_348_099_999_999)], 3));
            let refused = Import { allow_shrink: false, ..ask(vec![number(2_348_055_555_555)], true) };
            let refused = import(&store, refused, Time(3)).await.unwrap_err();
            assert_eq!(refused.code(), "dnd_list_shrinks");
            assert!(refused.to_string().contains("from 3 to 1"), "{refused}");
            let nothing = import(&store, ask(Vec::new(), true), Time(3)).await.unwrap_err();
            assert_eq!(nothing.code(), "numbers_required");
            assert_eq!(list(&store, 0, 5).await.unwrap().1, 3, "the list is as it was");
            assert_eq!(import(&store, ask(vec![number(2_348_055_555_555)], true), Time(3)).await.unwrap(), 1);
            assert!(
                !held.current(&mut store.read().await.unwrap()).await.unwrap().has(number(2_348_031_000_001))
            );
        })
        .await;
    }
}
