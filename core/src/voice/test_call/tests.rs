use super::*;
use crate::carrier::voice::{CallEvent, CallOutcome, EndedBy, PlaceError};
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::store::voice::test_call as rows;
use crate::testing::account::make_user;
use crate::testing::campaign::user_with;
use crate::testing::database;
use crate::testing::trunk::ScriptedTrunk;
use crate::time::ManualClock;
use crate::{both_databases, phone};

fn result(outcome: CallOutcome) -> CallResult {
    let is_answered = outcome == CallOutcome::Answered;
    let is_trunks_fault = outcome == CallOutcome::TrunkError;
    CallResult {
        outcome,
        reason: "as the test says",
        code: Some(200),
        ringing_at: (!is_trunks_fault).then_some(Time(1_000)),
        answered_at: is_answered.then_some(Time(2_000)),
        ended_at: Time(5_500),
        up: if is_answered { Duration::from_millis(3_500) } else { Duration::ZERO },
        heard: Duration::from_millis(500),
        digits: String::new(),
        ended_by: if is_trunks_fault { EndedBy::Trunk } else { EndedBy::Caller },
    }
}

const LIMITS: TestCallLimits = TestCallLimits { unfunded: 3, funded: 15 };
const HOUR: Duration = Duration::from_hours(1);

/// The calls of a fresh SQLite file, whose user 1 has no money.
struct Desk {
    calls: TestCalls,
    store: Store,
    clock: Arc<ManualClock>,
    permit: Arc<Switch>,
    _dir: tempfile::TempDir,
}

/// Permits calls until it is told not to.
#[derive(Default)]
struct Switch(Mutex<Option<&'static str>>);

impl Permit for Switch {
    fn check<'a>(&'a self, _trunk: &'a Arc<dyn VoiceCarrier>) -> BoxFuture<'a, Result<(), &'static str>> {
        Box::pin(std::future::ready(self.0.lock().unwrap().map_or(Ok(()), Err)))
    }
}

impl Switch {
    fn off(&self, why: &'static str) {
        *self.0.lock().unwrap() = Some(why);
    }
}

impl Desk {
    async fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        assert_eq!(make_user(&store, "ada", Role::User).await, UserId(1));
        let clock = Arc::new(ManualClock::new(Time(1_700_000_000_000)));
        let calls = TestCalls::new(store.clone(), clock.clone(), LIMITS, SingleCalls::default());
        Self { calls, store, clock, permit: Arc::default(), _dir: dir }
    }

    async fn begin(&self, trunks: Vec<Arc<dyn VoiceCarrier>>) -> TestCallId {
        self.begin_of(UserId(1), to(), trunks).await
    }

    async fn begin_of(&self, user: UserId, to: Msisdn, trunks: Vec<Arc<dyn VoiceCarrier>>) -> TestCallId {
        let admitted = self.calls.admit(user, to).await.unwrap().unwrap();
        admitted.begin(trunks, self.permit.clone(), played()).await.unwrap().unwrap()
    }
}

fn played() -> Played {
    Played { clip: clip(), recording: None }
}

fn to() -> Msisdn {
    phone::parse("2348031234567").unwrap()
}

fn clip() -> CallClip {
    CallClip::new(vec![0; 4_000])
}

async fn until(calls: &TestCalls, id: TestCallId, status: &str) -> VoiceTest {
    for _ in 0..1_000 {
        let shown = calls.show(UserId(1), id).unwrap();
        if shown.status == status {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{:?}", calls.show(UserId(1), id));
}

#[tokio::test]
async fn a_test_call_is_shown_from_its_ringing_to_its_end() {
    let desk = Desk::open().await;
    let calls = &desk.calls;
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let id = desk.begin(vec![trunk]).await;
    let teller = told.recv().await.unwrap();
    let shown = until(calls, id, "calling").await;
    assert_eq!((shown.over, shown.length_ms, shown.to.as_str()), (false, 500, "2348031234567"));
    teller.tell(CallEvent::Ringing);
    until(calls, id, "ringing").await;
    teller.tell(CallEvent::Answered);
    teller.tell(CallEvent::Key('4'));
    let shown = until(calls, id, "answered").await;
    assert_eq!(shown.from.as_deref(), Some("2342012345678"));
    teller.tell(CallEvent::Ended(result(CallOutcome::Answered)));
    let shown = until(calls, id, "ended").await;
    assert_eq!((shown.outcome.as_deref(), shown.over, shown.attempts), (Some("answered"), true, 1));
    assert_eq!((shown.seconds, shown.heard_ms, shown.digits.as_str()), (4, 500, "4"));
    assert_eq!(shown.message, "The call was answered: as the test says");
    assert_eq!(calls.show(UserId(2), id).unwrap_err().code(), "not_found", "it is another user's");
}

#[tokio::test]
async fn only_what_is_the_trunk_s_fault_is_tried_over_another_trunk() {
    for (outcome, tries) in [
        (CallOutcome::TrunkError, 1),
        (CallOutcome::Busy, 0),
        (CallOutcome::NoAnswer, 0),
        (CallOutcome::Rejected, 0),
        (CallOutcome::InvalidNumber, 0),
        (CallOutcome::Failed, 0),
        (CallOutcome::Answered, 0),
    ] {
        let desk = Desk::open().await;
        let (gone, _none) = ScriptedTrunk::down("1");
        let (first, mut told) = ScriptedTrunk::new("2");
        let (second, mut told_second) = ScriptedTrunk::new("3");
        let trunks: Vec<Arc<dyn VoiceCarrier>> = vec![gone.clone(), first, second.clone()];
        let id = desk.begin(trunks).await;
        told.recv().await.unwrap().tell(CallEvent::Ended(result(outcome)));
        if tries == 1 {
            told_second.recv().await.unwrap().tell(CallEvent::Ended(result(CallOutcome::Busy)));
        }
        let shown = until(&desk.calls, id, "ended").await;
        assert_eq!(second.placed(), tries, "{outcome:?}");
        assert_eq!(gone.placed(), 1, "it is down, and passed over");
        assert_eq!(shown.attempts as usize, 1 + tries);
        assert_eq!(shown.outcome.as_deref(), Some(if tries == 1 { "busy" } else { outcome.code() }));
    }
}

#[tokio::test]
async fn what_was_permitted_is_asked_again_before_the_next_trunk_and_while_a_channel_is_waited_for() {
    let desk = Desk::open().await;
    let (first, mut told) = ScriptedTrunk::new("1");
    let (second, _none) = ScriptedTrunk::new("2");
    let id = desk.begin(vec![first, second.clone()]).await;
    let teller = told.recv().await.unwrap();
    desk.permit.off("the operator has paused calls");
    teller.tell(CallEvent::Ended(result(CallOutcome::TrunkError)));
    let shown = until(&desk.calls, id, "ended").await;
    assert_eq!((second.placed(), shown.attempts), (0, 1));
    assert_eq!(shown.message, "The call was not placed: the operator has paused calls");

    desk.permit.0.lock().unwrap().take();
    let full = ScriptedTrunk::full("1");
    let id = desk.begin(vec![full.clone()]).await;
    while full.placed() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    desk.permit.off("calls are held at the moment");
    let shown = until(&desk.calls, id, "ended").await;
    assert_eq!(
        (shown.message.as_str(), shown.attempts),
        ("The call was not placed: calls are held at the moment", 0)
    );
}

#[tokio::test]
async fn half_of_a_trunk_s_channels_are_left_to_others() {
    let desk = Desk::open().await;
    let (trunk, mut told) = ScriptedTrunk::new("1");
    let mut ids = Vec::new();
    for user in 1..=5_i64 {
        if user > 1 {
            make_user(&desk.store, &format!("user{user}"), Role::User).await;
        }
        let phone = Msisdn::from_digits(2_348_031_230_000 + user as u64).unwrap();
        ids.push(desk.begin_of(UserId(user), phone, vec![trunk.clone()]).await);
    }
    let mut tellers = Vec::new();
    for _ in 0..4 {
        tellers.push(told.recv().await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(trunk.placed(), 4, "it has nine channels");
    drop(tellers.remove(0));
    let fifth = told.recv().await.unwrap();
    fifth.tell(CallEvent::Ringing);
    assert_eq!(trunk.placed(), 5);
}

#[tokio::test]
async fn an_answer_that_failed_is_no_call_that_was_not_answered() {
    let desk = Desk::open().await;
    let (trunk, mut told) = ScriptedTrunk::new("1");
    let id = desk.begin(vec![trunk]).await;
    let failed = CallResult { answered_at: Some(Time(2_000)), ..result(CallOutcome::Failed) };
    told.recv().await.unwrap().tell(CallEvent::Ended(failed));
    let shown = until(&desk.calls, id, "ended").await;
    assert_eq!(shown.message, "The call was picked up and failed: as the test says");
    assert!(shown.answered_at.is_some());
}

#[tokio::test]
async fn a_call_that_was_not_placed_after_all_goes_over_the_next_trunk() {
    let desk = Desk::open().await;
    let (first, mut told) = ScriptedTrunk::new("2");
    let (second, mut told_second) = ScriptedTrunk::new("3");
    let id = desk.begin(vec![first, second]).await;
    told.recv().await.unwrap().tell(CallEvent::NotPlaced(PlaceError::Down("out of reach".into())));
    let why = PlaceError::Refused("they do not call there".into());
    told_second.recv().await.unwrap().tell(CallEvent::NotPlaced(why));
    let shown = until(&desk.calls, id, "ended").await;
    assert_eq!(shown.message, "The call was not placed: they do not call there");
}

#[tokio::test]
async fn a_call_that_no_trunk_takes_or_that_is_cut_off_is_over() {
    let desk = Desk::open().await;
    let (gone, _none) = ScriptedTrunk::down("1");
    let id = desk.begin(vec![gone]).await;
    let shown = until(&desk.calls, id, "ended").await;
    assert_eq!((shown.outcome.as_deref(), shown.attempts), (Some("trunk_error"), 0));
    assert_eq!(shown.message, "The call was not placed: the trunk is down");
    let (trunk, mut told) = ScriptedTrunk::new("1");
    desk.clock.advance(Duration::from_secs(1));
    let id = desk.begin(vec![trunk]).await;
    drop(told.recv().await.unwrap());
    assert_eq!(until(&desk.calls, id, "ended").await.outcome.as_deref(), Some("unknown"));
}

#[tokio::test]
async fn users_together_have_few_at_once_and_what_was_not_begun_does_not_count() {
    let desk = Desk::open().await;
    let phone_of = |user| Msisdn::from_digits(2_348_031_230_000 + user as u64).unwrap();
    let mut admitted = Vec::new();
    for user in 1..=AT_ONCE as i64 {
        if user > 1 {
            make_user(&desk.store, &format!("user{user}"), Role::User).await;
        }
        admitted.push(desk.calls.admit(UserId(user), phone_of(user)).await.unwrap().unwrap());
    }
    let refused = async |user, to| desk.calls.admit(user, to).await.unwrap().unwrap_err();
    assert_eq!(refused(UserId(1), phone_of(99)).await, NotAdmitted::UnderWay(admitted[0].id));
    assert_eq!(
        refused(UserId(99), phone_of(3)).await,
        NotAdmitted::UnderWay(admitted[2].id),
        "the phone of another"
    );
    assert_eq!(refused(UserId(99), phone_of(99)).await, NotAdmitted::Busy);
    drop(admitted);
    for _ in 0..LIMITS.funded * 2 {
        drop(desk.calls.admit(UserId(1), to()).await.unwrap().unwrap());
    }
}

/// Begins one that no trunk takes, and is over soon.
async fn used(calls: &TestCalls, user: UserId, to: Msisdn) -> Result<Result<TestCallId, NotAdmitted>> {
    let admitted = match calls.admit(user, to).await? {
        Ok(admitted) => admitted,
        Err(why) => return Ok(Err(why)),
    };
    let begun = admitted.begin(Vec::new(), Arc::new(Switch::default()), played()).await?;
    if let Ok(id) = begun {
        while calls.show(user, id)?.status != "ended" {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    Ok(begun)
}

both_databases! {
    async fn the_caps_of_a_user_and_of_a_phone_hold_over_daemons_and_restarts(store: Store) {
        let clock = Arc::new(ManualClock::new(Time(1_700_000_000_000)));
        let daemon = || TestCalls::new(store.clone(), clock.clone(), LIMITS, SingleCalls::default());
        let (ada, eve) = (user_with(&store, "ada", "1").await, user_with(&store, "eve", "1").await);
        for hour in 0..LIMITS.funded / limits::PER_HOUR {
            for _ in 0..limits::PER_HOUR {
                used(&daemon(), ada, to()).await.unwrap().unwrap();
            }
            let refused = used(&daemon(), ada, to()).await.unwrap().unwrap_err();
            let is_last = hour == 2;
            let wait = if is_last { HOUR * 22 } else { HOUR };
            assert_eq!(refused, NotAdmitted::TooMany { an_hour: 5, a_day: 15, wait }, "{hour}");
            clock.advance(HOUR);
        }
        let other = phone::parse("2348031239999").unwrap();
        assert!(matches!(used(&daemon(), ada, other).await.unwrap(), Err(NotAdmitted::TooMany { .. })));
        let refused = used(&daemon(), eve, to()).await.unwrap();
        assert!(matches!(refused, Err(NotAdmitted::TooMany { .. })), "the phone changed hands");
        used(&daemon(), eve, other).await.unwrap().unwrap();
        clock.advance(HOUR * 21);
        used(&daemon(), ada, to()).await.unwrap().unwrap();

        clock.advance(HOUR * 20);
        let purge = async || {
            let write = store.write(Lane::Background, clock.now(), |tx, now| Box::pin(limits::purge(tx, *now)));
            write.await.unwrap()
        };
        assert_eq!((purge().await, purge().await), (16, 0), "the last one counts yet");
    }

    async fn an_account_without_money_has_fewer_and_none_where_they_are_turned_off(store: Store) {
        let clock = Arc::new(ManualClock::new(Time(1_700_000_000_000)));
        let poor = make_user(&store, "poor", Role::User).await;
        let root = make_user(&store, "root", Role::Admin).await;
        let rich = user_with(&store, "rich", "1").await;
        let with = |unfunded, funded| TestCalls::new(store.clone(), clock.clone(), TestCallLimits { unfunded, funded }, SingleCalls::default());
        let phone_of = |user: UserId| Msisdn::from_digits(2_348_031_230_000 + user.0 as u64).unwrap();
        let ask = async |calls: &TestCalls, user| used(calls, user, phone_of(user)).await.unwrap();
        for _ in 0..2 {
            ask(&with(2, 9), poor).await.unwrap();
        }
        let wait = HOUR * 24;
        assert_eq!(ask(&with(2, 9), poor).await.unwrap_err(), NotAdmitted::TooMany { an_hour: 2, a_day: 2, wait });
        assert_eq!(ask(&with(0, 9), poor).await.unwrap_err(), NotAdmitted::Unfunded);
        assert_eq!(ask(&with(0, 0), poor).await.unwrap_err(), NotAdmitted::TurnedOff);
        for user in [rich, root] {
            ask(&with(0, 9), user).await.unwrap();
            assert_eq!(ask(&with(9, 0), user).await.unwrap_err(), NotAdmitted::TurnedOff);
        }
    }

    async fn two_at_once_do_not_both_take_the_last_one_and_a_full_day_says_so(store: Store) {
        let clock = Arc::new(ManualClock::new(Time(1_700_000_000_000)));
        let ada = make_user(&store, "ada", Role::User).await;
        let limits = TestCallLimits { unfunded: 1, funded: 1 };
        let daemons = [1, 2].map(|_| TestCalls::new(store.clone(), clock.clone(), limits, SingleCalls::default()));
        let admitted = [daemons[0].admit(ada, to()).await, daemons[1].admit(ada, to()).await];
        let begun = admitted.map(|it| it.unwrap().unwrap().begin(Vec::new(), Arc::new(Switch::default()), played()));
        let begun = futures::future::join_all(begun).await;
        assert_eq!(begun.iter().filter(|it| it.as_ref().unwrap().is_ok()).count(), 1);

        let fill = store.write(Lane::Background, clock.now() - HOUR, |tx, at| Box::pin(async move {
            for _ in 1..limits::ALL_PER_DAY {
                rows::note(tx, UserId(99), "99", *at).await?;
            }
            Ok(())
        }));
        fill.await.unwrap();
        let eve = make_user(&store, "eve", Role::User).await;
        let phone = phone::parse("2348031239999").unwrap();
        let refused = used(&daemons[0], eve, phone).await.unwrap().unwrap_err();
        assert_eq!(refused, NotAdmitted::DayFull(HOUR * 23));
        assert!(refused.to_string().contains("1000 test calls"), "{refused}");
    }
}
