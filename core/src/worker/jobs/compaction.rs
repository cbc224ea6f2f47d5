//! Compacting the packed part of the number index, behind the merge into it (`store/message/run_compaction.rs`).
//!
//! A step is one transaction, short enough that other writes hardly wait. After a crash the next step goes on.

use crate::error::Result;
use crate::store::message::run_compaction;
use crate::store::subject::erase::overwrite_removed;
use crate::store::{Lane, Store, Tx, retention};

/// Makes some steps, where runs are to be compacted; true when there may be more to do.
pub async fn tick(store: &Store, steps: usize) -> Result<bool> {
    for _ in 0..steps {
        if !run_compaction::is_due(&mut store.read().await?).await? {
            return Ok(false);
        }
        store.write(Lane::Background, (), |tx, ()| Box::pin(step(tx))).await?;
    }
    Ok(true)
}

/// A number that is erased later must be nowhere else in the file: what is moved is overwritten where it was.
async fn step(tx: &mut Tx) -> Result<()> {
    retention::lock(tx).await?;
    overwrite_removed(tx, true).await?;
    let done = run_compaction::step(tx).await;
    overwrite_removed(tx, false).await?;
    done
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::message::postings::NumberPosting;
    use crate::store::Dialect;
    use crate::store::message::number_runs::{self, NewRun};
    use crate::store::message::{number_index, run_compaction};
    use crate::testing::builder::{Spot, build};
    use crate::{args, both_databases};

    /// Adds a run of twelve numbers of four wide buckets; of each pair of runs some are the same.
    async fn add_run(store: &Store, name: &str, shift: i64) -> Vec<NumberPosting> {
        let built = build(store, name).chunk(&[Spot::Tail; 12]).store().await;
        let number = |n: i64| 2_348_031_200_000 + n % 4 * 100_000 + n / 4 * 9_999 + n * shift;
        let mut rows: Vec<NumberPosting> =
            (0..12).map(|n| (number(n), built.audience_chunks[0].recipient(0) + n)).collect();
        rows.sort_unstable();
        let run = NewRun::of(built.audience, &rows);
        store.write(Lane::Background, run, |tx, run| Box::pin(number_runs::add(tx, run))).await.unwrap();
        rows
    }

    /// What the runs hold, once every number was found by a search.
    async fn held(store: &Store) -> BTreeSet<NumberPosting> {
        let mut tx = store.read().await.unwrap();
        let all = number_runs::all(&mut tx).await.unwrap();
        let held: BTreeSet<NumberPosting> = all.iter().copied().collect();
        assert_eq!(held.len(), all.len(), "each is in one run");
        for (number, _) in &held {
            let found = number_index::recipients(&mut tx, *number, 100).await.unwrap();
            let mut here: Vec<i64> = held.iter().filter(|it| it.0 == *number).map(|it| it.1).collect();
            here.reverse();
            assert_eq!(found, here, "{number}");
        }
        held
    }

    async fn take_out(store: &Store, gone: BTreeSet<NumberPosting>) {
        let taken = store.write(Lane::Background, gone, |tx, gone| {
            Box::pin(async move {
                retention::lock(tx).await?;
                number_runs::remove(tx, gone).await
            })
        });
        taken.await.unwrap();
    }

    async fn one_step(store: &Store) {
        store.write(Lane::Background, (), |tx, ()| Box::pin(step(tx))).await.unwrap();
    }

    /// Recipients of the runs, and whether these have narrow buckets.
    async fn runs(store: &Store) -> Vec<(i64, bool)> {
        let sql = "SELECT recipients, has_narrow_buckets FROM number_runs ORDER BY id";
        store.read().await.unwrap().all(sql, args![]).await.unwrap()
    }

    both_databases! {
        async fn old_runs_become_one_and_no_number_is_lost_or_found_twice_meanwhile(store: Store) {
            let mut known = BTreeSet::new();
            for (name, shift) in [("ada", 0), ("bola", 0), ("chidi", 1), ("dapo", 7)] {
                assert!(!tick(&store, 16).await.unwrap(), "too few wait");
                known.extend(add_run(&store, name, shift).await);
            }
            let young = add_run(&store, "efe", 0).await;
            known.extend(&young);
            for moved in [4, 8, 12] {
                one_step(&store).await;
                assert_eq!(held(&store).await, known);
                assert_eq!(runs(&store).await.last(), Some(&(moved * 3, true)));
            }
            while tick(&store, 16).await.unwrap() {}
            assert_eq!(held(&store).await, known);
            assert_eq!(runs(&store).await, [(12, false), (48, true)]);
            one_step(&store).await;
            assert_eq!(runs(&store).await, [(12, false), (48, true)], "nothing is due");
        }

        async fn what_is_erased_before_while_and_after_runs_become_one_is_gone(store: Store) {
            let mut known = Vec::new();
            for name in ["ada", "bola", "chidi", "dapo"] {
                known.push(add_run(&store, name, 0).await);
            }
            let mut left: BTreeSet<NumberPosting> = known.iter().flatten().copied().collect();
            // Some of each run, at each moment; of the last run all in the middle.
            for place in 0..3 {
                let mut gone: BTreeSet<NumberPosting> = known.iter().map(|run| run[place * 4]).collect();
                if place == 1 {
                    gone.extend(&known[3]);
                }
                left.retain(|posting| !gone.contains(posting));
                take_out(&store, gone).await;
                assert_eq!(held(&store).await, left);
                one_step(&store).await;
                assert_eq!(held(&store).await, left);
            }
            while tick(&store, 16).await.unwrap() {}
            assert_eq!(held(&store).await, left);
            assert_eq!(runs(&store).await, [(left.len() as i64, true)]);
            take_out(&store, left).await;
            assert_eq!((held(&store).await, runs(&store).await), (BTreeSet::new(), vec![]));
        }

        async fn runs_whose_last_recipients_go_while_they_become_one_leave_nothing(store: Store) {
            let mut all = BTreeSet::new();
            for name in ["ada", "bola", "chidi", "dapo"] {
                all.extend(add_run(&store, name, 0).await);
            }
            one_step(&store).await;
            take_out(&store, all).await;
            assert_eq!(runs(&store).await, [(0, true)], "it is to take more");
            while tick(&store, 16).await.unwrap() {}
            assert_eq!(runs(&store).await, []);
        }

        async fn a_row_that_cannot_be_read_stays_and_holds_up_no_other(store: Store) {
            for name in ["ada", "bola", "chidi", "dapo"] {
                add_run(&store, name, 0).await;
            }
            let damaged = store.write(Lane::Background, (), |tx, ()| {
                let sql = "UPDATE number_postings SET body = substr(body, 1, 2) WHERE bucket = 23480313 \
                           AND run = (SELECT MIN(run) FROM number_postings)";
                Box::pin(tx.run_exactly(1, sql, args![]))
            });
            damaged.await.unwrap();
            while tick(&store, 16).await.unwrap() {}
            assert_eq!(runs(&store).await, [(3, false), (45, true)]);
            for name in ["efe", "femi", "gozie", "halima"] {
                add_run(&store, name, 0).await;
            }
            while tick(&store, 16).await.unwrap() {}
            assert_eq!(runs(&store).await, [(3, false), (45, true), (48, true)]);
        }

        async fn a_step_reads_the_postings_in_their_order(store: Store) {
            let mut tx = store.read().await.unwrap();
            if tx.dialect() == Dialect::Sqlite {
                for plan in run_compaction::plans(&mut tx).await.unwrap() {
                    assert!(plan[0].starts_with("SEARCH number_postings USING PRIMARY KEY (bucket"), "{plan:#?}");
                    assert!(plan.iter().all(|line| !line.contains("TEMP B-TREE")), "{plan:#?}");
                }
            }
        }
    }
}
