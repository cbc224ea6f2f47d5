use super::*;

const fn stood(status: MessageStatus, money: MoneyState) -> Option<MessageState> {
    Some(MessageState { status, money })
}

#[test]
fn an_accepted_message_is_charged_and_a_refused_one_released() {
    use MessageStatus as S;
    let cases = [
        (S::Submitted, LedgerEffect::Capture),
        (S::Delivered, LedgerEffect::Capture),
        (S::Rejected, LedgerEffect::Release),
        (S::Cancelled, LedgerEffect::Release),
        (S::Expired, LedgerEffect::Release),
        (S::Unknown, LedgerEffect::None),
    ];
    for (next, effect) in cases {
        assert_eq!(transition(None, next, false).unwrap().1, effect, "{next}");
    }
}

#[test]
fn an_unknown_message_keeps_its_money_until_somebody_knows() {
    use MessageStatus as S;
    let unknown = stood(S::Unknown, MoneyState::Reserved);
    assert_eq!(transition(unknown, S::Delivered, false).unwrap().1, LedgerEffect::Capture);
    assert_eq!(transition(unknown, S::Cancelled, false).unwrap().1, LedgerEffect::Release);
    assert_eq!(transition(unknown, S::Rejected, false).unwrap().1, LedgerEffect::Capture);
}

#[test]
fn a_refusal_that_comes_late_still_costs_nothing() {
    let refusal = MessageOutcome {
        message: MessageId(1),
        status: MessageStatus::Rejected,
        reference: None,
        submitted_at: Some(Time(1)),
        done_at: None,
        error: None,
        units: None,
    };
    let unknown = stood(MessageStatus::Unknown, MoneyState::Reserved);
    assert_eq!(refusal.follows(unknown, false).unwrap().1, LedgerEffect::Release);
    let receipt = MessageOutcome { submitted_at: None, ..refusal };
    assert_eq!(receipt.follows(unknown, false).unwrap().1, LedgerEffect::Capture);
}

#[test]
fn what_the_platform_gave_up_unsent_costs_nothing_whatever_was_thought_of_it_meanwhile() {
    use MessageStatus as S;
    let moved = [
        (MoneyState::Reserved, LedgerEffect::Release, MoneyState::Released),
        (MoneyState::Captured, LedgerEffect::Refund, MoneyState::Refunded),
        (MoneyState::Released, LedgerEffect::None, MoneyState::Released),
    ];
    for (status, error) in [
        (S::Expired, PlatformReason::Expired),
        (S::Rejected, PlatformReason::Unfit),
        (S::Suppressed, PlatformReason::OptedOut),
        (S::Suppressed, PlatformReason::DoNotDisturb),
        (S::Cancelled, PlatformReason::Cancelled),
    ] {
        let given_up = MessageOutcome::by_platform(MessageId(1), status, error, None);
        for (money, effect, left) in moved {
            let after = MessageState { status, money: left };
            let unknown = stood(S::Unknown, money);
            assert_eq!(given_up.follows(unknown, false), Some((after, effect)), "{error:?} {money:?}");
        }
    }
    for code in ["err:045", PlatformReason::Expired.code(), PlatformReason::ResolvedSent.code()] {
        let given_up = MessageOutcome::by_platform(MessageId(1), S::Expired, PlatformReason::Expired, None);
        let receipt = MessageOutcome { error: Some(code.into()), ..given_up };
        assert_eq!(
            receipt.follows(stood(S::Unknown, MoneyState::Reserved), false).unwrap().1,
            LedgerEffect::Capture,
            "a receipt says that it was sent, whatever its code"
        );
    }
}

#[test]
fn an_unknown_message_is_written_off_once_and_a_receipt_still_tells() {
    let unknown = stood(MessageStatus::Unknown, MoneyState::Reserved);
    let off = |error: PlatformReason| {
        MessageOutcome::by_platform(MessageId(1), MessageStatus::Unknown, error, None)
    };
    let (after, effect) = off(PlatformReason::UnknownReleased).follows(unknown, false).unwrap();
    assert_eq!((after.status, effect), (MessageStatus::Unknown, LedgerEffect::Release));
    assert_eq!(
        off(PlatformReason::UnknownCaptured).follows(Some(after), false),
        None,
        "its money is settled"
    );
    assert_eq!(
        off(PlatformReason::UnknownCaptured).follows(unknown, false).unwrap().1,
        LedgerEffect::Capture
    );
    assert_eq!(
        off(PlatformReason::UnknownCaptured).follows(None, false).map(|(_, moved)| moved),
        Some(LedgerEffect::None)
    );
    let (told, effect) = transition(Some(after), MessageStatus::Delivered, false).unwrap();
    assert_eq!((told.money, effect), (MoneyState::Released, LedgerEffect::None));
}

#[test]
fn a_receipt_after_a_release_changes_the_status_and_no_money() {
    let released = stood(MessageStatus::Unknown, MoneyState::Released);
    let (after, effect) = transition(released, MessageStatus::Delivered, false).unwrap();
    assert_eq!((after.money, effect), (MoneyState::Released, LedgerEffect::None));
}

#[test]
fn a_decision_corrects_what_the_policy_did_with_the_money() {
    let unknown = |money| stood(MessageStatus::Unknown, money);
    let sent = MessageOutcome::by_platform(
        MessageId(1),
        MessageStatus::Submitted,
        PlatformReason::ResolvedSent,
        None,
    );
    let refunded = MessageOutcome::by_platform(
        MessageId(1),
        MessageStatus::Cancelled,
        PlatformReason::ResolvedRefunded,
        None,
    );
    let refusal = MessageOutcome {
        submitted_at: Some(Time(1)),
        error: None,
        status: MessageStatus::Rejected,
        ..refunded.clone()
    };
    for (outcome, money, moved) in [
        (&sent, MoneyState::Reserved, LedgerEffect::Capture),
        (&sent, MoneyState::Captured, LedgerEffect::None),
        (&sent, MoneyState::Released, LedgerEffect::Charge),
        (&refunded, MoneyState::Reserved, LedgerEffect::Release),
        (&refunded, MoneyState::Captured, LedgerEffect::Refund),
        (&refunded, MoneyState::Released, LedgerEffect::None),
        (&refusal, MoneyState::Captured, LedgerEffect::Refund),
        (&refusal, MoneyState::Released, LedgerEffect::None),
    ] {
        assert_eq!(outcome.follows(unknown(money), false).unwrap().1, moved, "{outcome:?} {money:?}");
    }
    let late =
        transition(stood(MessageStatus::Submitted, MoneyState::Charged), MessageStatus::Undelivered, true);
    assert_eq!(late.unwrap().1, LedgerEffect::Refund);
}

#[test]
fn undelivered_is_kept_unless_the_policy_refunds_it() {
    let submitted = stood(MessageStatus::Submitted, MoneyState::Captured);
    assert_eq!(transition(submitted, MessageStatus::Undelivered, false).unwrap().1, LedgerEffect::None);
    assert_eq!(transition(submitted, MessageStatus::Undelivered, true).unwrap().1, LedgerEffect::Refund);
    let refunded = stood(MessageStatus::Undelivered, MoneyState::Refunded);
    assert_eq!(transition(refunded, MessageStatus::Delivered, true).unwrap().1, LedgerEffect::None);
}

#[test]
fn what_was_said_before_says_nothing_new() {
    let delivered = stood(MessageStatus::Delivered, MoneyState::Captured);
    for next in [MessageStatus::Delivered, MessageStatus::Undelivered, MessageStatus::Submitted] {
        assert_eq!(transition(delivered, next, true), None);
    }
}
