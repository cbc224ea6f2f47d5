//! Codes that come back.

use talkdrum_api::purpose::OptOutReach;

use super::*;
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::model::account::id::UserId;
use crate::sender;
use crate::store::Dialect;
use crate::store::sender::number as table;
use crate::store::voice::own_number_call as rows;
use crate::testing::builder::{Spot, build};
use crate::testing::identity::wrong;
use crate::time::Clock as _;
use crate::{args, both_databases};

pub(super) async fn audit_of(store: &Store, action: &'static str) -> Vec<(Option<String>,)> {
    let mut tx = store.read().await.unwrap();
    tx.all("SELECT after_text FROM audit WHERE action = $1", args![action]).await.unwrap()
}

both_databases! {
    async fn the_code_that_was_spoken_makes_the_number_one_that_calls_may_be_from(store: Store) {
        let desk = Desk::open(&store).await;
        let may_call = async || {
            sender::check(&mut store.read().await.unwrap(), desk.ada, "2348031230001").await.is_ok()
        };
        let code = desk.heard(desk.wanted()).await;
        assert_eq!((code.len(), may_call().await), (6, false));
        let (typed, rest) = code.split_at(3);
        let verified = desk.confirm(number(1), &format!("{typed}-{rest}")).await.unwrap();
        assert_eq!((verified.phone_number.as_str(), verified.status.as_str()), ("2348031230001", "verified"));
        assert_eq!(verified.created_at, NOW.to_rfc3339(), "when its call began");
        assert!(may_call().await);
        assert_eq!(audit_of(&store, "own_number.verify").await, [(Some("ending in 0001".to_owned()),)]);
        let told = desk.told().await;
        assert_eq!((told.len(), told[0].0.as_str()), (1, "ada@example.com"));
        assert!(told[0].1.starts_with("The number ending in 0001 was verified for your account"), "{told:?}");
        // Once.
        assert_eq!(desk.confirm(number(1), &code).await.unwrap_err().0, "own_number_verified");
        desk.clock.advance(MINUTE);
        let again = desk.begin(desk.wanted(), Vec::new()).await.unwrap_err();
        assert_eq!(again.code(), "own_number_verified");
        // Another user has the same phone in hand.
        let eve = user_with(&store, "eve", "100").await;
        let code = desk.heard(OwnCallRequest { user: eve, ..desk.wanted() }).await;
        desk.calls.confirm(eve, number(1), &code, None).await.unwrap();
        assert!(may_call().await);
    }

    async fn a_code_is_spoken_to_a_number_that_opted_out_of_everything_but_codes(store: Store) {
        let desk = Desk::open(&store).await;
        for scope in [SuppressionScope::Platform, SuppressionScope::User(desk.ada)] {
            let out = store.write(Lane::Interactive, scope, |tx, scope| {
                Box::pin(suppression::add(tx, *scope, number(1), (OptOutSource::Stop, OptOutReach::All), NOW))
            });
            assert!(out.await.unwrap());
        }
        assert!(matches!(desk.begin(desk.wanted(), Vec::new()).await.unwrap(), BegunCall::Call(_)));
    }

    async fn who_presses_nine_in_such_a_call_opts_out_and_the_code_proves_nothing(store: Store) {
        let desk = Desk::open(&store).await;
        let (id, teller) = desk.called(desk.wanted()).await;
        teller.tell(CallEvent::Answered);
        let pressed = CallResult { digits: "49".into(), ..result(CallOutcome::Answered, 21_000) };
        teller.tell(CallEvent::Ended(pressed));
        desk.until(desk.ada, id, "ended").await;
        assert_eq!(desk.spent().await, PRICE.times(4).unwrap(), "the call is charged all the same");
        let found = suppression::of_number(&mut store.read().await.unwrap(), SuppressionScope::User(desk.ada), number(1)).await;
        let found = found.unwrap();
        assert_eq!((found.source.as_str(), found.note.as_str()), ("stop", "Pressed 9 in a call"));
        assert_eq!(desk.confirm(number(1), &desk.code()).await.unwrap_err().0, "code_expired");
        desk.clock.advance(MINUTE);
        assert_eq!(desk.begin(desk.wanted(), Vec::new()).await.unwrap_err().code(), "opted_out");
        desk.assert_ledger_adds_up().await;
    }

    async fn nine_counts_also_where_the_end_of_the_call_is_never_told(store: Store) {
        let desk = Desk::open(&store).await;
        let is_listed = async |user: UserId, to: u64| {
            suppression::of_number(&mut store.read().await.unwrap(), SuppressionScope::User(user), number(to)).await.is_ok()
        };
        let (id, teller) = desk.called(desk.wanted()).await;
        teller.tell(CallEvent::Answered);
        teller.tell(CallEvent::Key('4'));
        teller.tell(CallEvent::Key('9'));
        while !is_listed(desk.ada, 1).await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(desk.confirm(number(1), &desk.code()).await.unwrap_err().0, "code_expired", "it is up yet");
        drop(teller);
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!(shown.outcome.as_deref(), Some("unknown"));
        // Nor is it forgotten where the daemon ends first.
        desk.clock.advance(MINUTE);
        let (_, teller) = desk.called(OwnCallRequest { number: number(2), ..desk.wanted() }).await;
        teller.tell(CallEvent::Answered);
        teller.tell(CallEvent::Key('9'));
        let is_noted = async || {
            let sql = "SELECT COUNT(*) FROM own_number_calls WHERE refused_at IS NOT NULL";
            store.read().await.unwrap().one::<(i64,)>(sql, args![]).await.unwrap().0 == 2
        };
        while !is_noted().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        desk.rescue().await;
        assert!(is_listed(desk.ada, 2).await);
        // Nor where another run ended the call, as it took this one for dead.
        desk.clock.advance(MINUTE);
        let (id, teller) = desk.called(OwnCallRequest { number: number(3), ..desk.wanted() }).await;
        teller.tell(CallEvent::Answered);
        desk.until(desk.ada, id, "answered").await;
        desk.settle_by_another().await;
        desk.until(desk.ada, id, "ended").await;
        let pressed = CallResult { digits: "9".into(), ..result(CallOutcome::Answered, 21_000) };
        teller.tell(CallEvent::Ended(pressed));
        while !is_listed(desk.ada, 3).await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        desk.assert_ledger_adds_up().await;
    }

    async fn a_number_where_nine_was_pressed_is_called_for_no_account_for_a_week(store: Store) {
        let desk = Desk::open(&store).await;
        let eve = user_with(&store, "eve", "100").await;
        let of_eve = OwnCallRequest { user: eve, ..desk.wanted() };
        let (id, teller) = desk.called(desk.wanted()).await;
        teller.tell(CallEvent::Answered);
        let pressed = CallResult { digits: "9".into(), ..result(CallOutcome::Answered, 21_000) };
        teller.tell(CallEvent::Ended(pressed));
        desk.until(desk.ada, id, "ended").await;
        desk.clock.advance(HOUR);
        // Taking it off the account's own list changes nothing.
        let removed = store.write(Lane::Interactive, desk.ada, |tx, ada| {
            Box::pin(suppression::remove(tx, SuppressionScope::User(*ada), number(1)))
        });
        assert!(removed.await.unwrap());
        for wanted in [desk.wanted(), of_eve.clone()] {
            let refused = desk.begin(wanted, Vec::new()).await.unwrap_err();
            assert_eq!(refused.code(), "opted_out");
            assert!(refused.to_string().contains("9 was pressed"), "{refused}");
        }
        // But by the account whose profile has proven to have it.
        let proven = store.write(Lane::Interactive, eve, |tx, eve| {
            let sql = "UPDATE users SET phone_number = '2348031230001', phone_verified_at = 1 WHERE id = $1";
            Box::pin(tx.run(sql, args![*eve]))
        });
        assert_eq!(proven.await.unwrap(), 1);
        assert!(matches!(desk.begin(of_eve, Vec::new()).await.unwrap(), BegunCall::Call(_)));
        // The row stays as long as it counts, also of an account that is erased.
        let erased = store.write(Lane::Interactive, desk.ada, |tx, ada| {
            Box::pin(tx.run("UPDATE users SET anonymised_at = 1 WHERE id = $1", args![*ada]))
        });
        assert_eq!(erased.await.unwrap(), 1);
        let bola = user_with(&store, "bola", "100").await;
        for (days, may_call) in [(6, false), (2, true)] {
            desk.clock.advance(Duration::from_hours(24 * days));
            let purged = store.write(Lane::Background, desk.clock.now(), |tx, now| Box::pin(purge(tx, *now)));
            purged.await.unwrap();
            let begun = desk.begin(OwnCallRequest { user: bola, ..desk.wanted() }, Vec::new()).await;
            assert_eq!(begun.is_ok(), may_call, "{begun:?}");
        }
    }

    async fn nine_takes_back_what_the_code_of_the_same_call_verified(store: Store) {
        let desk = Desk::open(&store).await;
        let (id, teller) = desk.called(desk.wanted()).await;
        teller.tell(CallEvent::Answered);
        desk.until(desk.ada, id, "answered").await;
        desk.confirm(number(1), &desk.code()).await.unwrap();
        let sending = build(&store, "ada").sender("2348031230001").chunk(&[Spot::Tail]).store().await;
        // The builder approved it as a sender ID, too.
        let number_alone = store.write(Lane::Background, (), |tx, ()| {
            Box::pin(tx.run("DELETE FROM sender_ids", args![]))
        });
        assert_eq!((sending.user, number_alone.await.unwrap()), (desk.ada, 1));
        let pressed = CallResult { digits: "9".into(), ..result(CallOutcome::Answered, 21_000) };
        teller.tell(CallEvent::Ended(pressed));
        desk.until(desk.ada, id, "ended").await;
        let mut tx = store.read().await.unwrap();
        assert!(sender::check(&mut tx, desk.ada, "2348031230001").await.is_err());
        assert!(!rows::was_verified(&mut tx, desk.ada, "2348031230001").await.unwrap());
        let sql = "SELECT status, status_reason FROM campaigns WHERE id = $1";
        let (status, reason): (String, Option<String>) = tx.one(sql, args![sending.campaign]).await.unwrap();
        assert_eq!(status, "paused");
        assert_eq!(reason.as_deref(), Some("The number 2348031230001 was withdrawn"));
        drop(tx);
        assert_eq!(audit_of(&store, "own_number.refuse").await.len(), 1);
        let told = desk.told().await;
        let (to, text) = told.last().unwrap();
        assert_eq!(to, "ada@example.com");
        assert!(text.contains("pressed 9") && text.ends_with("A campaign that called from it is paused."), "{text}");
    }

    async fn nothing_that_is_stored_holds_a_code(store: Store) {
        let desk = Desk::open(&store).await;
        let code = desk.heard(desk.wanted()).await;
        if store.dialect() == Dialect::Sqlite {
            for (name, rows) in crate::testing::database::dump(&store, &["daemons"]).await {
                // The id of a run is a moment of the machine's clock.
                let rows = rows.replace(&desk.run.to_string(), "");
                assert!(!rows.contains(&code), "{name}: {rows}");
            }
        }
        let cached = std::fs::read_dir(desk.dir.path().join("speech")).unwrap().count();
        assert_eq!(cached, 0, "nor is its sound kept");
    }

    async fn a_wrong_code_says_how_many_tries_are_left_and_the_fifth_voids_it(store: Store) {
        let desk = Desk::open(&store).await;
        let code = desk.heard(desk.wanted()).await;
        assert_eq!(desk.confirm(number(1), "12 34").await.unwrap_err().0, "code_digits");
        for left in ["4 tries are left", "3 tries are left", "2 tries are left", "1 try is left", "void after 5 tries"] {
            let (error, says) = desk.confirm(number(1), &wrong(&code)).await.unwrap_err();
            assert!(error == "code_wrong" && says.contains(left), "{error}: {says}");
        }
        let (error, says) = desk.confirm(number(1), &code).await.unwrap_err();
        assert_eq!(error, "code_expired");
        assert!(says.contains("request a new one"), "{says}");
        desk.clock.advance(MINUTE);
        let code = desk.heard(desk.wanted()).await;
        assert!(desk.confirm(number(1), &code).await.is_ok());
    }

    async fn a_right_code_forgives_no_wrong_ones_of_other_phones(store: Store) {
        let desk = Desk::open(&store).await;
        let failures = async || {
            let mut tx = store.read().await.unwrap();
            tx.one::<(i64,)>("SELECT failures FROM codes WHERE purpose = 'own_number'", args![]).await.unwrap().0
        };
        let code = desk.heard(desk.wanted()).await;
        for _ in 0..3 {
            desk.confirm(number(1), &wrong(&code)).await.unwrap_err();
        }
        desk.confirm(number(1), &code).await.unwrap();
        assert_eq!(failures().await, 3, "those that were wrong, and not the one that was right");
        let almost = store.write(Lane::Background, (), |tx, ()| {
            Box::pin(tx.run("UPDATE codes SET failures = 99", args![]))
        });
        almost.await.unwrap();
        desk.clock.advance(MINUTE);
        let code = desk.heard(OwnCallRequest { number: number(2), ..desk.wanted() }).await;
        desk.confirm(number(2), &wrong(&code)).await.unwrap_err();
        desk.clock.advance(MINUTE);
        let blocked = desk.begin(OwnCallRequest { number: number(3), ..desk.wanted() }, Vec::new()).await.unwrap_err();
        assert_eq!(blocked.code(), "codes_blocked");
    }

    async fn tries_at_once_are_as_few_as_one_by_one(store: Store) {
        let desk = Desk::open(&store).await;
        let code = desk.heard(desk.wanted()).await;
        let wrong = wrong(&code);
        let tries = futures::future::join_all((0..12).map(|_| desk.confirm(number(1), &wrong))).await;
        let compared = tries.iter().filter(|it| it.as_ref().unwrap_err().0 == "code_wrong").count();
        assert_eq!(compared, 5);
        let right = futures::future::join_all((0..4).map(|_| desk.confirm(number(1), &code))).await;
        assert!(right.iter().all(Result::is_err));
    }

    async fn a_code_expires_and_is_void_for_another_number_and_after_a_newer_one(store: Store) {
        let desk = Desk::open(&store).await;
        let first = desk.heard(desk.wanted()).await;
        let second = number(2);
        assert_eq!(desk.confirm(second, &first).await.unwrap_err().0, "no_code", "it was never called");
        desk.clock.advance(MINUTE);
        let code = desk.heard(OwnCallRequest { number: second, ..desk.wanted() }).await;
        assert_eq!(desk.confirm(number(1), &first).await.unwrap_err().0, "code_expired", "a newer call voids it");
        desk.clock.advance(crate::account::CODE_VALID_FOR);
        assert_eq!(desk.confirm(second, &code).await.unwrap_err().0, "code_expired");
        let code = desk.heard(OwnCallRequest { number: second, ..desk.wanted() }).await;
        desk.clock.advance(MINUTE * 9);
        assert!(desk.confirm(second, &code).await.is_ok());
    }

    async fn a_confirmed_code_is_answered_again_under_its_key(store: Store) {
        let desk = Desk::open(&store).await;
        let code = desk.heard(desk.wanted()).await;
        let claim = Claim { user_id: desk.ada, key: "c1".into(), operation: "own_number.verify", input_hash: [1; 32] };
        let confirm = async || desk.calls.confirm(desk.ada, number(1), &code, Some(claim.clone())).await;
        let (first, second) = (confirm().await.unwrap(), confirm().await.unwrap());
        assert_eq!(first, second);
        assert_eq!(audit_of(&store, "own_number.verify").await.len(), 1);
    }

    async fn a_user_has_so_many_own_numbers(store: Store) {
        let desk = Desk::open(&store).await;
        let fill = store.write(Lane::Background, desk.ada, |tx, ada| Box::pin(async move {
            for last in 0..crate::sender::MOST_NUMBERS_OF_A_USER {
                table::put_verified(tx, *ada, &format!("23480399900{last:02}"), NOW, NOW).await?;
            }
            Ok(())
        }));
        fill.await.unwrap();
        assert_eq!(desk.begin(desk.wanted(), Vec::new()).await.unwrap_err().code(), "too_many_numbers");
        assert_eq!(desk.spent().await, Amount::ZERO);
    }

    async fn what_ended_long_ago_is_forgotten_and_what_is_under_way_is_not(store: Store) {
        let desk = Desk::open(&store).await;
        desk.used(desk.ada, number(1)).await;
        desk.clock.advance(MINUTE);
        let (id, teller) = desk.called(desk.wanted()).await;
        desk.clock.advance(HOUR * 24 * 31);
        let purged = store.write(Lane::Background, desk.clock.now(), |tx, now| Box::pin(purge(tx, *now)));
        assert_eq!(purged.await.unwrap(), 1);
        desk.until(desk.ada, id, "calling").await;
        drop(teller);
    }
}
