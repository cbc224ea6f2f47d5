//! What the ledger promises, on both databases.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::verify::verify;
use super::*;
use crate::model::account::id::UserId;
use crate::model::message::status::MessageStatus;
use crate::store::{Dialect, Lane, Store};
use crate::testing::builder::{START, Spot, build, user};
use crate::{args, both_databases};

const NAIRA: Currency = Currency::Naira;

fn naira(micros: i64) -> Money {
    Money { amount: Amount(micros), currency: NAIRA }
}

async fn credit(store: &Store, user: UserId, micros: i64, reference: &str) -> Result<Amount> {
    store
        .write(Lane::Interactive, (user, micros, reference.to_owned()), |tx, (user, micros, reference)| {
            Box::pin(credit_by_admin(tx, *user, naira(*micros), reference, START))
        })
        .await
}

async fn balance(store: &Store, user: UserId) -> Amount {
    wallet(&mut store.read().await.unwrap(), user, NAIRA).await.unwrap().1
}

/// A transfer from a user's Naira wallet to revenue.
async fn spend(store: &Store, user: UserId, micros: i64, reference: &str) -> Result<Posted> {
    store
        .write(Lane::Interactive, (user, micros, reference.to_owned()), |tx, (user, micros, reference)| {
            Box::pin(async move {
                let (debit, _) = wallet(tx, *user, NAIRA).await?;
                let transfer = Transfer {
                    debit,
                    credit: AccountId::revenue(NAIRA),
                    money: naira(*micros),
                    code: Code::Capture,
                    reference: reference.clone(),
                    narration: "spent".to_owned(),
                    campaign: None,
                };
                post(tx, &transfer, START).await
            })
        })
        .await
}

both_databases! {
    async fn what_a_user_holds_is_read_from_the_accounts_that_hold_something(store: Store) {
        let ada = user(&store, "ada").await;
        credit(&store, ada, 5_000_000, "bank-1").await.unwrap();
        let built = build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let mut tx = store.read().await.unwrap();
        let (espees, naira) = table::holdings(&mut tx, ada).await.unwrap();
        assert_eq!((espees.wallet, espees.reserved), (Amount::ZERO, Amount(built.charge_micros)));
        assert_eq!((naira.wallet, naira.reserved), (Amount(5_000_000), Amount::ZERO));
        if tx.dialect() == Dialect::Sqlite {
            let plan = tx.explain(table::HOLDINGS, args![ada]).await.unwrap().join("; ");
            assert!(plan.contains("accounts_reserves_open") && plan.contains("accounts_wallet"), "{plan}");
        }
    }

    async fn a_reference_is_credited_once(store: Store) {
        let ada = user(&store, "ada").await;
        assert_eq!(credit(&store, ada, 5_000_000, "bank-1").await.unwrap(), Amount(5_000_000));
        let again = credit(&store, ada, 5_000_000, "bank-1").await.unwrap_err();
        assert_eq!(again.code(), "duplicate_reference");
        let in_other_case = credit(&store, ada, 5_000_000, "BANK-1").await.unwrap_err();
        assert_eq!(in_other_case.code(), "duplicate_reference");
        assert!(credit(&store, ada, 0, "bank-2").await.is_err());
        assert_eq!(balance(&store, ada).await, Amount(5_000_000));
    }

    async fn a_reference_in_two_cases_is_credited_once_at_the_same_moment(store: Store) {
        let ada = user(&store, "ada").await;
        let (credited, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let job = (ada, Arc::clone(&credited), Arc::clone(&go_on));
        let first = store.write(Lane::Background, job, |tx, (ada, credited, go_on)| Box::pin(async move {
            credit_by_admin(tx, *ada, naira(5_000_000), "bank-1", START).await?;
            credited.notify_one();
            go_on.notified().await;
            Ok(())
        }));
        let second = async {
            credited.notified().await;
            let second = credit(&store, ada, 5_000_000, "BANK-1");
            tokio::pin!(second);
            // It waits for the first, where it does not overlook it.
            let early = tokio::time::timeout(Duration::from_millis(200), &mut second).await;
            go_on.notify_one();
            match early {
                Ok(early) => early,
                Err(_) => second.await,
            }
        };
        let (first, second) = tokio::join!(first, second);
        first.unwrap();
        assert_eq!(second.unwrap_err().code(), "duplicate_reference");
        assert_eq!(balance(&store, ada).await, Amount(5_000_000));
    }

    async fn a_wallet_cannot_go_below_zero_and_says_how_much_is_short(store: Store) {
        let ada = user(&store, "ada").await;
        credit(&store, ada, 1_000_000, "bank-1").await.unwrap();
        let short = spend(&store, ada, 1_000_001, "a").await.unwrap_err();
        assert_eq!(short.code(), "insufficient_balance");
        assert!(short.to_string().contains("0.000001 Naira more is needed"), "{short}");
        assert!(matches!(spend(&store, ada, 1_000_000, "b").await.unwrap(), Posted::Now { .. }));
        assert_eq!(spend(&store, ada, 1_000_000, "b").await.unwrap(), Posted::Before);
        assert_eq!(balance(&store, ada).await, Amount::ZERO);
    }

    async fn of_many_at_once_only_as_many_as_the_wallet_holds_are_posted(store: Store) {
        let ada = user(&store, "ada").await;
        credit(&store, ada, 3, "bank-1").await.unwrap();
        let references: Vec<String> = (0..12).map(|number| number.to_string()).collect();
        let spends = references.iter().map(|reference| spend(&store, ada, 1, reference));
        let posted = futures::future::join_all(spends).await.into_iter().filter(Result::is_ok).count();
        assert_eq!(posted, 3);
        assert_eq!(balance(&store, ada).await, Amount::ZERO);
        assert_eq!(verify(&mut store.read().await.unwrap()).await.unwrap().0, Vec::<String>::new());
    }

    async fn the_database_itself_refuses_to_change_the_past_or_to_overdraw(store: Store) {
        let ada = user(&store, "ada").await;
        credit(&store, ada, 1_000_000, "bank-1").await.unwrap();
        for tampering in [
            "UPDATE transfers SET amount_micros = 2",
            "DELETE FROM transfers",
            "UPDATE accounts SET balance_micros = -1 WHERE kind = 'wallet'",
            "UPDATE accounts SET user_id = NULL WHERE kind = 'wallet'",
            "UPDATE accounts SET campaign_id = 1 WHERE kind = 'wallet'",
            "INSERT INTO accounts (kind, currency, user_id, balance_micros) SELECT 'reserve', 'naira', MIN(id), 0 FROM users",
            "INSERT INTO transfers (debit_account_id, credit_account_id, amount_micros, currency, code, reference, \
               narration, created_at) VALUES (3, 1, 1, 'naira', 'a', 'a', '', 0)",
            "INSERT INTO transfers (debit_account_id, credit_account_id, amount_micros, currency, code, reference, \
               narration, created_at) VALUES (1, 4, 1, 'espees', 'a', 'b', '', 0)",
        ] {
            let outcome = store
                .write(Lane::Interactive, tampering, |tx, sql| {
                    let sql: &'static str = sql;
                    Box::pin(async move { tx.run(sql, args![]).await })
                })
                .await;
            assert!(outcome.is_err(), "{tampering}");
        }
        assert_eq!(balance(&store, ada).await, Amount(1_000_000));
    }

    async fn the_database_itself_refuses_counters_and_states_that_cannot_be(store: Store) {
        let spots = [Spot::Answered(MessageStatus::Delivered), Spot::InFlight, Spot::Tail];
        build(&store, "ada").chunk(&spots).store().await;
        for impossible in [
            "UPDATE campaign_chunks SET tail_cancelled = 2",
            "UPDATE campaign_chunks SET tail_cancelled = -1",
            "UPDATE campaign_chunks SET cursor = 0",
            "UPDATE campaign_chunks SET delivered = 2",
            "UPDATE campaign_chunks SET delivered = 2, submitted = -1",
            "UPDATE campaign_chunks SET answered = 2",
            "UPDATE campaign_chunks SET state = 'done'",
            "UPDATE campaigns SET chunks_open = -1",
            "UPDATE messages SET status = 11",
            "UPDATE messages SET status = 2",
            "UPDATE messages SET money = 5",
            "INSERT INTO campaign_chunks (campaign_id, audience_chunk_id, carrier, size, charge_micros, state) \
             SELECT campaign_id, audience_chunk_id, carrier, size, charge_micros, state FROM campaign_chunks",
        ] {
            let write = store.write(Lane::Interactive, impossible, |tx, sql| {
                let sql: &'static str = sql;
                Box::pin(async move { tx.run(sql, args![]).await })
            });
            assert!(write.await.is_err(), "{impossible}");
        }
        assert_eq!(verify(&mut store.read().await.unwrap()).await.unwrap().0, Vec::<String>::new());
    }

    async fn the_check_names_whatever_disagrees(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 3]).store().await;
        assert_eq!(verify(&mut store.read().await.unwrap()).await.unwrap().0, Vec::<String>::new());
        for (tampering, named) in [
            ("UPDATE accounts SET balance_micros = balance_micros + 1 WHERE kind = 'wallet' AND currency = 'naira'", "account"),
            ("UPDATE campaign_chunks SET released_micros = released_micros + 1", "its reserve holds"),
            ("UPDATE campaign_chunks SET cursor = cursor + 1, answered = answered + 1, delivered = delivered + 1", "its counters"),
            ("UPDATE campaigns SET chunks_open = chunks_open + 1", "chunks are open"),
        ] {
            store
                .write(Lane::Interactive, tampering, |tx, sql| {
                    let sql: &'static str = sql;
                    Box::pin(async move { tx.run(sql, args![]).await })
                })
                .await
                .unwrap();
            let findings = verify(&mut store.read().await.unwrap()).await.unwrap().0;
            assert!(findings.iter().any(|finding| finding.contains(named)), "{named}: {findings:?}");
        }
    }

    async fn a_write_that_fails_takes_nothing_else_with_it(store: Store) {
        let ada = user(&store, "ada").await;
        let names: Vec<String> = (0..40).map(|number| format!("bank-{number}")).collect();
        // Every fourth is refused; on SQLite all of them share a few commits.
        let credits = names.iter().enumerate().map(|(index, name)| {
            credit(&store, ada, if index % 4 == 0 { 0 } else { 1 }, name)
        });
        let outcomes = futures::future::join_all(credits).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 30);
        assert_eq!(balance(&store, ada).await, Amount(30));
    }
}
