//! What calls are charged and given back: to the micro-unit, once, whatever ends them.

use super::*;
use crate::ledger::transactions;
use crate::model::account::user::Role;
use crate::model::page::Page;
use crate::model::platform::id::RunId;
use crate::operate::user::deletion::{self, DeletionStep};
use crate::store::money::transactions::TransactionSort;
use crate::testing::account::make_user;
use crate::{args, both_databases};

fn pulses(count: u64) -> Amount {
    PRICE.times(count).unwrap()
}

fn claim(user: UserId, input: u8) -> Claim {
    Claim { user_id: user, key: "k1".into(), operation: "own_number.verify", input_hash: [input; 32] }
}

both_databases! {
    async fn an_answered_call_is_charged_the_pulses_that_it_was_up_and_the_rest_comes_back(store: Store) {
        let desk = Desk::open(&store).await;
        let (id, teller) = desk.called(desk.wanted()).await;
        assert_eq!(desk.spent().await, pulses(4), "the most that it can take, before it is placed");
        teller.tell(CallEvent::Ringing);
        desk.until(desk.ada, id, "ringing").await;
        teller.tell(CallEvent::Answered);
        let shown = desk.until(desk.ada, id, "answered").await;
        assert_eq!((shown.pulses, shown.charged, shown.refunded), (4, pulses(4), Amount::ZERO));
        assert_eq!((shown.from.as_deref(), shown.attempts), (Some("2342010000000"), 1));
        teller.tell(CallEvent::Ended(result(CallOutcome::Answered, 6_001)));
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.pulses, shown.charged, shown.refunded), (2, pulses(2), pulses(2)));
        assert_eq!((shown.outcome.as_deref(), shown.seconds, shown.over), (Some("answered"), 7, true));
        assert_eq!(desk.spent().await, Amount(4_666_666));
        desk.assert_ledger_adds_up().await;

        let query = transactions::Query { user: Some(desk.ada), ..transactions::Query::default() };
        let order = TransactionSort::Time { newest_first: true };
        let mut tx = store.read().await.unwrap();
        let list = transactions::page(&mut tx, &query, order, Page::new(1, 20)).await.unwrap().transactions;
        let told: Vec<_> = list.iter().take(2).map(|it| (it.kind.as_str(), it.narration.as_str())).collect();
        assert_eq!(told, [
            ("refund", "The call to verify the number ending in 0001 took fewer pulses"),
            ("charge", "Call to verify the number ending in 0001"),
        ]);
        let foreign = show_call(&mut tx, UserId(desk.ada.0 + 1), id).await.unwrap_err();
        assert_eq!(foreign.code(), "not_found");
    }

    async fn a_call_that_is_not_answered_costs_nothing_and_its_code_is_void(store: Store) {
        let desk = Desk::open(&store).await;
        for outcome in [CallOutcome::Busy, CallOutcome::NoAnswer, CallOutcome::InvalidNumber, CallOutcome::Failed] {
            let (id, teller) = desk.called(desk.wanted()).await;
            teller.tell(CallEvent::Ended(result(outcome, 0)));
            let shown = desk.until(desk.ada, id, "ended").await;
            assert_eq!((shown.outcome.as_deref(), shown.pulses), (Some(outcome.code()), 0));
            assert_eq!((shown.charged, shown.refunded), (Amount::ZERO, pulses(4)));
            assert_eq!(desk.spent().await, Amount::ZERO, "{outcome:?}");
            assert_eq!(desk.confirm(number(1), "123456").await.unwrap_err().0, "code_expired");
            desk.clock.advance(MINUTE);
        }
        // No trunk takes it.
        let (gone, _none) = ScriptedTrunk::down("1");
        let BegunCall::Call(id) = desk.begin(desk.wanted(), vec![gone]).await.unwrap() else { panic!() };
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.outcome.as_deref(), shown.attempts), (Some("trunk_error"), 0));
        assert_eq!(shown.message, "The call was not placed: the trunk is down");
        assert_eq!(desk.spent().await, Amount::ZERO);
        desk.assert_ledger_adds_up().await;
    }

    async fn what_a_dead_daemon_left_comes_back_once_and_an_end_that_is_told_later_moves_nothing(store: Store) {
        let desk = Desk::open(&store).await;
        // It waits for a channel: charged, and no INVITE went out.
        let full = ScriptedTrunk::full("1");
        let BegunCall::Call(id) = desk.begin(desk.wanted(), vec![full]).await.unwrap() else { panic!() };
        assert_eq!(desk.spent().await, pulses(4));
        let me = desk.run;
        assert!(!settle_of_the_dead(&store, started(&store).await, NOW).await.unwrap());
        assert_eq!(desk.spent().await, pulses(4), "its run lives");
        desk.rescue().await;
        assert_eq!(desk.spent().await, Amount::ZERO);
        assert!(!settle_of_the_dead(&store, RunId(me.0 + 1), NOW).await.unwrap());
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.outcome.as_deref(), shown.refunded), (Some("unknown"), pulses(4)));
        assert_eq!(shown.message, "The call was cut off: how it ended is not known");
        desk.assert_ledger_adds_up().await;

        // A run that was taken for dead goes on, and tells the end of its call.
        desk.clock.advance(MINUTE);
        let (id, teller) = desk.called(desk.wanted()).await;
        teller.tell(CallEvent::Ringing);
        desk.until(desk.ada, id, "ringing").await;
        desk.rescue().await;
        assert_eq!(desk.spent().await, Amount::ZERO);
        teller.tell(CallEvent::Answered);
        teller.tell(CallEvent::Ended(result(CallOutcome::Answered, 21_000)));
        drop(teller);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.outcome.as_deref(), shown.pulses), (Some("unknown"), 0));
        assert_eq!(desk.spent().await, Amount::ZERO);
        desk.assert_ledger_adds_up().await;
    }

    async fn a_call_that_is_cut_off_after_its_answer_keeps_its_first_pulse(store: Store) {
        let desk = Desk::open(&store).await;
        // By its trunk, while the daemon lives.
        let (id, teller) = desk.called(desk.wanted()).await;
        teller.tell(CallEvent::Answered);
        drop(teller);
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.outcome.as_deref(), shown.pulses), (Some("unknown"), 1));
        assert!(desk.confirm(number(1), &desk.code()).await.is_ok(), "the code may have been heard");
        // By the end of its daemon.
        desk.clock.advance(MINUTE);
        let (id, teller) = desk.called(OwnCallRequest { number: number(2), ..desk.wanted() }).await;
        teller.tell(CallEvent::Answered);
        desk.until(desk.ada, id, "answered").await;
        desk.rescue().await;
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.pulses, shown.refunded), (1, pulses(3)));
        assert_eq!(desk.spent().await, pulses(2));
        desk.assert_ledger_adds_up().await;
        drop(teller);
    }

    async fn the_same_request_under_a_key_is_one_call(store: Store) {
        let desk = Desk::open(&store).await;
        let (trunk, mut told) = ScriptedTrunk::new("1");
        let trunks = || vec![Arc::<ScriptedTrunk>::clone(&trunk) as Arc<dyn VoiceCarrier>];
        let draft = desk.calls.prepare(desk.wanted()).await.unwrap().unwrap();
        let begin = async |input| {
            desk.calls.begin(draft.clone(), desk.run, (trunks(), Arc::new(Always)), Some(claim(desk.ada, input))).await
        };
        let (first, second) = (begin(1).await.unwrap(), begin(1).await.unwrap());
        assert_eq!(first, second);
        assert_eq!(begin(2).await.unwrap_err().code(), "idempotency_key_reused");
        let teller = told.recv().await.unwrap();
        assert_eq!((trunk.placed(), desk.spent().await), (1, pulses(4)));
        teller.tell(CallEvent::Ended(result(CallOutcome::Busy, 0)));
        let BegunCall::Call(id) = first else { panic!() };
        desk.until(desk.ada, id, "ended").await;
        assert_eq!(begin(1).await.unwrap(), first, "also when it is over");
        assert_eq!((trunk.placed(), desk.spent().await), (1, Amount::ZERO));
        // What is refused leaves the key free.
        let other = Claim { key: "k2".into(), ..claim(desk.ada, 1) };
        let refused = desk.calls.begin(draft.clone(), desk.run, (trunks(), Arc::new(Always)), Some(other.clone())).await;
        assert!(matches!(refused.unwrap(), BegunCall::Refused(NotCalled::TooMany(_))));
        desk.clock.advance(MINUTE);
        let begun = desk.calls.begin(draft.clone(), desk.run, (trunks(), Arc::new(Always)), Some(other)).await;
        assert!(matches!(begun.unwrap(), BegunCall::Call(_)));
    }

    async fn of_two_at_once_one_is_called_and_charged(store: Store) {
        let desk = Desk::open(&store).await;
        let (trunk, _told) = ScriptedTrunk::new("1");
        let drafts = [1, 2].map(|last| desk.calls.prepare(OwnCallRequest { number: number(last), ..desk.wanted() }));
        let drafts = futures::future::join_all(drafts).await.into_iter().map(|draft| draft.unwrap().unwrap());
        let begun = futures::future::join_all(drafts.map(|draft| {
            let trunks: Vec<Arc<dyn VoiceCarrier>> = vec![Arc::<ScriptedTrunk>::clone(&trunk)];
            desk.calls.begin(draft, desk.run, (trunks, Arc::new(Always)), None)
        }))
        .await;
        let called = begun.iter().filter(|begun| matches!(begun, Ok(BegunCall::Call(_)))).count();
        let refused = begun.iter().filter(|begun| matches!(begun, Ok(BegunCall::Refused(NotCalled::UnderWay(_))))).count();
        assert_eq!((called, refused), (1, 1), "{begun:?}");
        assert_eq!(desk.spent().await, pulses(4));
        assert_eq!(store.deadlocks(), 0);
    }

    async fn what_cannot_be_paid_is_refused_and_leaves_nothing(store: Store) {
        let mut desk = Desk::open(&store).await;
        let poor = user_with(&store, "poor", "9").await;
        let trunk = || vec![ScriptedTrunk::full("1") as Arc<dyn VoiceCarrier>];
        let code_of = async |wanted| desk.begin(wanted, trunk()).await.unwrap_err().code();
        assert_eq!(code_of(OwnCallRequest { user: poor, ..desk.wanted() }).await, "insufficient_balance");
        assert_eq!(code_of(OwnCallRequest { currency: Currency::Espees, ..desk.wanted() }).await, "price_unset");
        let most = Some(pulses(4).minus(Amount(1)).unwrap());
        assert_eq!(code_of(OwnCallRequest { most, ..desk.wanted() }).await, "max_charge");
        desk.calls.spending = Arc::new(CampaignLimits { daily_naira: pulses(3), ..CampaignLimits::default() });
        assert_eq!(desk.begin(desk.wanted(), trunk()).await.unwrap_err().code(), "spending_cap");
        let mut tx = store.read().await.unwrap();
        for table in ["SELECT COUNT(*) FROM own_number_calls", "SELECT COUNT(*) FROM codes"] {
            assert_eq!(tx.one::<(i64,)>(table, args![]).await.unwrap(), (0,), "{table}");
        }
        drop(tx);
        assert_eq!((desk.spent().await, desk.balance(poor).await), (Amount::ZERO, Amount(9_000_000)));
        // ESPEES have a price of their own, and a price of zero was set on purpose.
        set_price_of(&store, desk.ada, PriceKey::own_number(), "0").await;
        let (id, teller) = desk.called(OwnCallRequest { currency: Currency::Espees, ..desk.wanted() }).await;
        teller.tell(CallEvent::Ended(result(CallOutcome::Answered, 21_000)));
        let shown = desk.until(desk.ada, id, "ended").await;
        assert_eq!((shown.pulses, shown.charged, shown.currency.as_str()), (4, Amount::ZERO, "espees"));
        desk.assert_ledger_adds_up().await;
    }

    async fn a_deleted_user_s_call_is_given_back_before_their_data_goes(store: Store) {
        let desk = Desk::open(&store).await;
        let root = make_user(&store, "root", Role::Admin).await;
        let (id, teller) = desk.called(desk.wanted()).await;
        let deleted = store.write(Lane::Interactive, (desk.ada, root), |tx, (ada, root)| {
            Box::pin(deletion::delete_user(tx, *ada, *root, NOW))
        });
        deleted.await.unwrap();
        let step = async || {
            let step = store.write(Lane::Interactive, desk.ada, |tx, ada| Box::pin(deletion::go_on(tx, *ada, NOW)));
            step.await.unwrap()
        };
        assert_eq!(step().await, DeletionStep::Waits, "a call is under way");
        teller.tell(CallEvent::Ended(result(CallOutcome::NoAnswer, 0)));
        desk.until(desk.ada, id, "ended").await;
        assert_eq!(desk.spent().await, Amount::ZERO);
        let mut last = step().await;
        while last == DeletionStep::Removed {
            last = step().await;
        }
        assert_eq!(last, DeletionStep::Anonymised);
        // What counts for its number goes with the day.
        let day_after = NOW + HOUR * 25;
        let purged = store.write(Lane::Background, day_after, |tx, now| Box::pin(purge(tx, *now)));
        assert_eq!(purged.await.unwrap(), 1);
        let mut tx = store.read().await.unwrap();
        for table in [
            "SELECT COUNT(*) FROM own_number_calls WHERE number LIKE '234803%'",
            "SELECT COUNT(*) FROM codes",
            "SELECT COUNT(*) FROM transfers WHERE narration LIKE '%234803%'",
        ] {
            assert_eq!(tx.one::<(i64,)>(table, args![]).await.unwrap(), (0,), "{table}");
        }
        drop(tx);
        let refused = desk.begin(OwnCallRequest { number: number(2), ..desk.wanted() }, Vec::new()).await.unwrap_err();
        assert_eq!(refused.code(), "account_inactive");
        desk.assert_ledger_adds_up().await;
    }

    async fn what_is_given_back_is_not_spent_on_the_day_of_its_charge(store: Store) {
        let mut desk = Desk::open(&store).await;
        let spent = async || {
            let mut tx = store.read().await.unwrap();
            let sql = "SELECT day, spent_micros FROM spending ORDER BY day";
            tx.all::<(String, i64)>(sql, args![]).await.unwrap()
        };
        // What is charged without a limit is not counted, so nothing of it is taken back.
        let (id, teller) = desk.called(desk.wanted()).await;
        desk.calls.spending = Arc::new(CampaignLimits { daily_naira: pulses(5), ..CampaignLimits::default() });
        teller.tell(CallEvent::Ended(result(CallOutcome::Busy, 0)));
        desk.until(desk.ada, id, "ended").await;
        assert_eq!(spent().await, []);
        desk.clock.advance(MINUTE);
        for outcome in [CallOutcome::Busy, CallOutcome::Answered] {
            let (id, teller) = desk.called(desk.wanted()).await;
            assert_eq!(spent().await, [("2023-11-14".to_owned(), pulses(4).0)], "the cap holds while it is up");
            // It ends on the next day.
            let began_at = desk.clock.now();
            desk.clock.advance(HOUR);
            teller.tell(CallEvent::Ended(result(outcome, 5_000)));
            desk.until(desk.ada, id, "ended").await;
            desk.clock.set(began_at + MINUTE);
        }
        assert_eq!(spent().await, [("2023-11-14".to_owned(), pulses(1).0)], "what stays charged stays spent");
        desk.assert_ledger_adds_up().await;
    }

    async fn the_ends_of_calls_are_waited_for(store: Store) {
        let desk = Desk::open(&store).await;
        let (id, teller) = desk.called(desk.wanted()).await;
        let mut ended = std::pin::pin!(desk.calls.ended());
        assert!(tokio::time::timeout(Duration::from_millis(50), &mut ended).await.is_err(), "it is up");
        teller.tell(CallEvent::Ended(result(CallOutcome::Busy, 0)));
        ended.await;
        let shown = show_call(&mut store.read().await.unwrap(), desk.ada, id).await.unwrap();
        assert_eq!((shown.over, desk.spent().await), (true, Amount::ZERO));
    }
}
