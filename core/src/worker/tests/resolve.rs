//! A person's decision about unknown messages, after each of the things that a carrier's policy does with their money.

use std::time::Duration;

use talkdrum_api::money::{Amount, Currency, Money};

use crate::campaign::control::resolve_unknown::{Resolution, UnknownMessages, resolve, resolve_by_admin};
use crate::campaign::report::{explain, progress};
use crate::carrier::Verdict;
use crate::carrier::policy::UnknownThen;
use crate::ledger::post;
use crate::ledger::verify::verify;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus as S;
use crate::model::money::ledger::{AccountId, Code, Transfer};
use crate::model::page::RecordScope;
use crate::phone::NetworkTable;
use crate::store::platform::audit::newest;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, START, Spot, UNIT_PRICE, build};
use crate::testing::worker::{Run, answered};
use crate::time::Time;
use crate::worker::jobs::unknown_policy::{Look, tick};
use crate::{args, both_databases};

const AFTER: Duration = Duration::from_hours(1);

/// A campaign to one number whose only message is unknown since [`AFTER`], its money treated as the policy says.
async fn unknown(store: &Store, run: &mut Run, user: &str, then: UnknownThen) -> (Built, MessageId) {
    let built = build(store, user).chunk(&[Spot::Tail]).store().await;
    let sent = run.dispatch().await;
    assert_eq!(sent.len(), 1);
    run.settle(vec![answered(sent[0].message, Verdict::Unanswered)]).await;
    let later = Time(START.0 + 10 * 3_600_000);
    let settled = tick(store, "main", (AFTER, then), &mut Look::default(), later).await.unwrap();
    assert_eq!(settled, usize::from(then != UnknownThen::Keep));
    (built, sent[0].message)
}

async fn decide(store: &Store, message: MessageId, outcome: Resolution) -> crate::Result<usize> {
    let resolved = store.write(Lane::Interactive, (message, outcome), |tx, (message, outcome)| {
        Box::pin(async move { resolve(tx, &[*message], *outcome, START).await })
    });
    resolved.await.map(|messages| messages.len())
}

/// What the wallet and the reserve hold and what revenue took, in messages.
async fn money(store: &Store, built: &Built) -> (i64, i64, i64) {
    let mut tx = store.read().await.unwrap();
    let (wallet, reserve, revenue): (i64, i64, i64) = tx
        .one(
            "SELECT (SELECT balance_micros FROM accounts WHERE id = $1), \
             (SELECT balance_micros FROM accounts WHERE id = $2), \
             CAST(COALESCE((SELECT SUM(CASE WHEN credit_account_id = 1 THEN amount_micros ELSE -amount_micros END) \
               FROM transfers WHERE campaign_id = $3 AND (credit_account_id = 1 OR debit_account_id = 1)), 0) AS BIGINT)",
            args![built.wallet.0, built.reserve.0, built.campaign],
        )
        .await
        .unwrap();
    let messages = |micros: i64| {
        assert_eq!(micros % UNIT_PRICE.0, 0);
        micros / UNIT_PRICE.0
    };
    (messages(wallet), messages(reserve), messages(revenue))
}

async fn findings(store: &Store) -> Vec<String> {
    verify(&mut store.read().await.unwrap()).await.unwrap().0
}

both_databases! {
    async fn a_decision_leaves_the_money_where_it_belongs_whatever_the_policy_did(store: Store) {
        let mut run = Run::start(&store).await;
        for (then, name, codes) in [
            (UnknownThen::Keep, "sent", ["reserve", "capture"].as_slice()),
            (UnknownThen::Keep, "refunded", &["reserve", "release"]),
            (UnknownThen::Keep, "resend", &["reserve", "release"]),
            (UnknownThen::Capture, "sent", &["reserve", "capture"]),
            (UnknownThen::Capture, "refunded", &["reserve", "capture", "refund"]),
            (UnknownThen::Capture, "resend", &["reserve", "capture", "refund"]),
            (UnknownThen::Release, "sent", &["reserve", "release", "charge"]),
            (UnknownThen::Release, "refunded", &["reserve", "release"]),
            (UnknownThen::Release, "resend", &["reserve", "release"]),
        ] {
            let user = format!("{then:?}{name}").to_lowercase();
            let (built, message) = unknown(&store, &mut run, &user, then).await;
            let before = match then {
                UnknownThen::Keep => (0, 1, 0),
                UnknownThen::Capture => (0, 0, 1),
                UnknownThen::Release => (1, 0, 0),
            };
            assert_eq!(money(&store, &built).await, before, "{user}");
            assert_eq!(decide(&store, message, Resolution::from_name(name).unwrap()).await.unwrap(), 1);
            let is_sent = name == "sent";
            let after = if is_sent { (0, 0, 1) } else { (1, 0, 0) };
            assert_eq!(money(&store, &built).await, after, "{user}");
            // The same decision again decides nothing.
            assert_eq!(decide(&store, message, Resolution::from_name(name).unwrap()).await.unwrap(), 0);
            assert_eq!(money(&store, &built).await, after, "{user}");
            assert_eq!(findings(&store).await, Vec::<String>::new(), "{user}");

            let mut tx = store.read().await.unwrap();
            let shown = progress::view(&mut tx, RecordScope::Own(built.user), built.campaign).await.unwrap();
            assert_eq!(shown.captured.plus(shown.released).unwrap(), shown.total_charges, "{user}");
            let kept = shown.captured.minus(shown.refunded).unwrap();
            assert_eq!(kept, if is_sent { UNIT_PRICE } else { Amount::ZERO }, "{user}");
            let status = if is_sent { S::Submitted } else { S::Cancelled };
            assert_eq!((shown.counts.unknown, shown.counts.submitted), (0, i64::from(is_sent)), "{user}");
            let told = explain::message(&mut tx, RecordScope::All, message, NetworkTable::builtin()).await.unwrap();
            let named: Vec<&str> = told.entries.iter().map(|entry| entry.code.as_str()).collect();
            assert_eq!((told.message.status.as_str(), named.as_slice()), (status.code(), codes), "{user}");
        }
    }

    async fn what_an_administrator_decides_is_in_the_audit_trail_and_what_decides_nothing_is_not(store: Store) {
        let mut run = Run::start(&store).await;
        for (user, named) in [("ada", true), ("ben", false)] {
            let (built, message) = unknown(&store, &mut run, user, UnknownThen::Keep).await;
            let (which, subject) = if named {
                (UnknownMessages::These(vec![message]), format!("message {}", message.0))
            } else {
                (UnknownMessages::Campaign(built.campaign), format!("campaign {}", built.campaign))
            };
            for resolved in [vec![message], vec![]] {
                let deciding = store.write(Lane::Interactive, (which.clone(), built.user), |tx, (which, by)| {
                    Box::pin(resolve_by_admin(tx, which, Resolution::Sent, *by, START))
                });
                assert_eq!(deciding.await.unwrap(), resolved, "{user}");
            }
            let trail = newest(&mut store.read().await.unwrap(), 10).await.unwrap();
            assert_eq!(trail.len(), if named { 1 } else { 2 });
            let last = &trail[0];
            assert_eq!((last.user_id, &*last.action, &*last.subject), (Some(built.user), "message.resolve", &*subject));
            let texts = (last.before.as_deref(), last.after.as_deref());
            assert_eq!(texts, (Some("unknown"), Some("1 message was settled as sent")));
        }
    }

    async fn a_dry_wallet_is_not_charged_for_what_was_given_back(store: Store) {
        let mut run = Run::start(&store).await;
        let (built, message) = unknown(&store, &mut run, "ada", UnknownThen::Release).await;
        let spent = Transfer {
            debit: built.wallet,
            credit: AccountId::adjustment(Currency::Espees),
            money: Money { amount: UNIT_PRICE, currency: Currency::Espees },
            code: Code::Credit,
            reference: "spent".into(),
            narration: "Spent".into(),
            campaign: None,
        };
        let spending = store.write(Lane::Interactive, spent, |tx, spent| {
            Box::pin(async move { post(tx, spent, START).await.map(|_| ()) })
        });
        spending.await.unwrap();
        let refused = decide(&store, message, Resolution::Sent).await.unwrap_err();
        assert_eq!(refused.code(), "insufficient_balance");
        assert!(refused.to_string().contains("Credit the wallet first"), "{refused}");
        assert_eq!(money(&store, &built).await, (0, 0, 0));
        assert_eq!(decide(&store, message, Resolution::Refunded).await.unwrap(), 1);
        assert_eq!(findings(&store).await, Vec::<String>::new());
    }

    async fn the_check_sees_messages_whose_money_is_elsewhere(store: Store) {
        let mut run = Run::start(&store).await;
        for (user, then, outcome, forged, told) in [
            ("ada", UnknownThen::Capture, Resolution::Refunded, 1, "was not given back"),
            ("ben", UnknownThen::Release, Resolution::Sent, 2, "is not charged"),
            ("cyd", UnknownThen::Release, Resolution::Refunded, 3, "no transfer says so"),
            ("dan", UnknownThen::Keep, Resolution::Sent, 4, "no transfer says so"),
        ] {
            let (_, message) = unknown(&store, &mut run, user, then).await;
            decide(&store, message, outcome).await.unwrap();
            assert_eq!(findings(&store).await, Vec::<String>::new(), "{user}");
            let forge = |money: i64| {
                store.write(Lane::Interactive, (message, money), |tx, (message, money)| {
                    Box::pin(tx.run_exactly(1, "UPDATE messages SET money = $2 WHERE id = $1", args![message.0, *money]))
                })
            };
            let mut tx = store.read().await.unwrap();
            let (is,): (i64,) =
                tx.one("SELECT money FROM messages WHERE id = $1", args![message.0]).await.unwrap();
            drop(tx);
            forge(forged).await.unwrap();
            let found = findings(&store).await;
            assert!(matches!(found.as_slice(), [one] if one.contains(told)), "{user}: {found:?}");
            forge(is).await.unwrap();
        }
    }

    async fn chunks_of_one_campaign_have_each_its_own_price_of_a_page(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Tail; 3]).chunk(&[Spot::Tail; 2]).store().await;
        store
            .write(Lane::Interactive, built.chunks[1], |tx, chunk| {
                Box::pin(async move {
                    // The rest of its charge stays in the reserve.
                    let sql = "UPDATE campaign_chunks SET unit_price_micros = 7 WHERE id = $1";
                    tx.run_exactly(1, sql, args![*chunk]).await
                })
            })
            .await
            .unwrap();
        let mut run = Run::start(&store).await;
        assert_eq!(run.send_all().await.len(), 5);
        let captured: Vec<(i64,)> = store
            .read()
            .await
            .unwrap()
            .all("SELECT captured_micros FROM campaign_chunks ORDER BY id", args![])
            .await
            .unwrap();
        assert_eq!(captured, [(3 * UNIT_PRICE.0,), (14,)]);
        run.verify().await;
    }
}
