use super::*;
use crate::phone;
use crate::testing::trunk::ScriptedTrunk;
use crate::time::ManualClock;

fn result(outcome: CallOutcome) -> CallResult {
    let is_answered = outcome == CallOutcome::Answered;
    CallResult {
        outcome,
        reason: "as the test says",
        code: Some(200),
        ringing_at: Some(Time(1_000)),
        answered_at: is_answered.then_some(Time(2_000)),
        ended_at: Time(5_500),
        up: if is_answered { Duration::from_millis(3_500) } else { Duration::ZERO },
        heard: Duration::from_millis(500),
        digits: String::new(),
        ended_by: EndedBy::Caller,
    }
}

fn calls() -> (TestCalls, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(Time(1_700_000_000_000)));
    (TestCalls::new(clock.clone()), clock)
}

fn to() -> Msisdn {
    phone::parse("2348031234567").unwrap()
}

fn clip() -> CallClip {
    CallClip::new(vec![0; 4_000])
}

async fn until(calls: &TestCalls, id: i64, status: &str) -> VoiceTest {
    for _ in 0..1_000 {
        let shown = calls.show(1, id).unwrap();
        if shown.status == status {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{:?}", calls.show(1, id));
}

#[tokio::test]
async fn a_test_call_is_shown_from_its_ringing_to_its_end() {
    let (calls, _) = calls();
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let id = calls.admit(1, to()).unwrap().begin(vec![trunk], clip());
    let teller = told.recv().await.unwrap();
    let shown = until(&calls, id, "calling").await;
    assert_eq!((shown.over, shown.length_ms, shown.to.as_str()), (false, 500, "2348031234567"));
    teller.tell(CallEvent::Ringing);
    until(&calls, id, "ringing").await;
    teller.tell(CallEvent::Answered);
    teller.tell(CallEvent::Key('4'));
    let shown = until(&calls, id, "answered").await;
    assert_eq!(shown.from.as_deref(), Some("2342012345678"));
    teller.tell(CallEvent::Ended(result(CallOutcome::Answered)));
    let shown = until(&calls, id, "ended").await;
    assert_eq!((shown.outcome.as_deref(), shown.over, shown.attempts), (Some("answered"), true, 1));
    assert_eq!((shown.seconds, shown.heard_ms, shown.digits.as_str()), (4, 500, "4"));
    assert_eq!(shown.message, "The call was answered: as the test says");
    assert_eq!(calls.show(2, id).unwrap_err().code(), "not_found", "it is another user's");
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
        let (calls, _) = calls();
        let (gone, _none) = ScriptedTrunk::down("1");
        let (first, mut told) = ScriptedTrunk::new("2");
        let (second, mut told_second) = ScriptedTrunk::new("3");
        let trunks: Vec<Arc<dyn VoiceCarrier>> = vec![gone.clone(), first, second.clone()];
        let id = calls.admit(1, to()).unwrap().begin(trunks, clip());
        told.recv().await.unwrap().tell(CallEvent::Ended(result(outcome)));
        if tries == 1 {
            told_second.recv().await.unwrap().tell(CallEvent::Ended(result(CallOutcome::Busy)));
        }
        let shown = until(&calls, id, "ended").await;
        assert_eq!(second.placed(), tries, "{outcome:?}");
        assert_eq!(gone.placed(), 1, "it is down, and passed over");
        assert_eq!(shown.attempts as usize, 1 + tries);
        assert_eq!(shown.outcome.as_deref(), Some(if tries == 1 { "busy" } else { outcome.code() }));
    }
}

#[tokio::test]
async fn a_call_that_no_trunk_takes_or_that_is_cut_off_is_over() {
    let (calls, clock) = calls();
    let (gone, _none) = ScriptedTrunk::down("1");
    let id = calls.admit(1, to()).unwrap().begin(vec![gone], clip());
    let shown = until(&calls, id, "ended").await;
    assert_eq!((shown.outcome.as_deref(), shown.attempts), (Some("trunk_error"), 0));
    assert_eq!(shown.message, "The call was not placed: the trunk is down");
    let (trunk, mut told) = ScriptedTrunk::new("1");
    clock.advance(Duration::from_secs(1));
    let id = calls.admit(1, to()).unwrap().begin(vec![trunk], clip());
    drop(told.recv().await.unwrap());
    assert_eq!(until(&calls, id, "ended").await.outcome.as_deref(), Some("unknown"));
}

#[tokio::test]
async fn a_user_has_few_an_hour_and_a_day_and_one_at_once() {
    let (calls, clock) = calls();
    let (trunk, mut told) = ScriptedTrunk::new("1");
    let mut begun = 0;
    let mut begin = async |calls: &TestCalls| {
        let id = calls.admit(1, to())?.begin(vec![trunk.clone()], clip());
        assert_eq!(calls.admit(1, to()).unwrap_err(), NotAdmitted::UnderWay(id));
        told.recv().await.unwrap().tell(CallEvent::Ended(result(CallOutcome::Busy)));
        until(calls, id, "ended").await;
        begun += 1;
        Ok::<_, NotAdmitted>(())
    };
    for hour in 0..PER_DAY / PER_HOUR {
        for _ in 0..PER_HOUR {
            begin(&calls).await.unwrap();
        }
        let refused = begin(&calls).await.unwrap_err();
        let wait = if (hour + 1) * PER_HOUR == PER_DAY { DAY - HOUR * 2 } else { HOUR };
        assert!(
            matches!(refused, NotAdmitted::TooMany(told) if told == HOUR || told == wait),
            "{hour}: {refused:?}"
        );
        clock.advance(HOUR);
    }
    assert!(matches!(begin(&calls).await.unwrap_err(), NotAdmitted::TooMany(wait) if wait == DAY - HOUR * 3));
    clock.advance(DAY - HOUR * 3);
    for _ in 0..PER_HOUR {
        begin(&calls).await.unwrap();
    }
    assert_eq!(begun, PER_DAY + PER_HOUR);
    assert_eq!(calls.lock().calls.len(), PER_DAY, "those of the day before are forgotten");
}

#[tokio::test]
async fn users_together_have_few_at_once_and_what_was_not_begun_does_not_count() {
    let (calls, _) = calls();
    let phone_of = |user| Msisdn::from_digits(2_348_031_230_000 + user as u64).unwrap();
    let admitted: Vec<Admission> =
        (0..AT_ONCE as i64).map(|user| calls.admit(user, phone_of(user)).unwrap()).collect();
    assert_eq!(calls.admit(99, to()).unwrap_err(), NotAdmitted::Busy);
    let ids = admitted.iter().map(|it| it.id).collect::<Vec<_>>();
    assert_eq!(
        calls.admit(98, phone_of(3)).unwrap_err(),
        NotAdmitted::UnderWay(ids[3]),
        "the phone of another"
    );
    drop(admitted);
    for _ in 0..PER_DAY * 2 {
        drop(calls.admit(1, to()).unwrap());
    }
    assert!(calls.admit(99, to()).is_ok());
}
