//! The SMPP carrier against the sandbox's SMSC, faultless and with every fault.

mod smsc_rig;

use std::time::Duration;

use smsc_rig::{NUMBER, Rig, config, text};
use talkdrum_core::carrier::ConfigSecret;
use talkdrum_core::carrier::smpp::{BindMode, Concatenation, MessageIdFormat, ReceiptSource, SmppConfig};
use talkdrum_core::carrier::{Event, Health, SmsCarrier, Verdict};
use talkdrum_core::model::message::receipt_state::ReceiptState;
use talkdrum_daemon::sandbox::smsc::{Chance, Faults, FromHandset, IdBase, ReceiptForm, SmscOptions};

const FAULTLESS: fn() -> Faults = Faults::default;

fn with(faults: Faults) -> SmscOptions {
    SmscOptions { faults, audit: true, ..SmscOptions::default() }
}

#[tokio::test]
async fn without_faults_every_message_is_accepted_and_delivered() {
    let mut rig = Rig::start(with(FAULTLESS()), config()).await;
    rig.submit(1..=2_000).await;
    rig.until("all receipts", |rig| rig.receipts.len() == 2_000).await;
    assert!((1..=2_000).all(|message| rig.verdict(message) == &Verdict::Accepted));
    assert!((1..=2_000).all(|message| rig.state(message) == Some(ReceiptState::Delivered)));
    let counts = rig.smsc.counts();
    assert_eq!((counts.submits, counts.accepted, rig.smsc.duplicates()), (2_000, 2_000, 0));
    rig.until("acknowledgements", |rig| rig.smsc.counts().deliveries_acknowledged == 2_000).await;
}

#[tokio::test]
async fn numbers_have_their_meanings() {
    let mut rig = Rig::start(with(FAULTLESS()), config()).await;
    // The numbers of messages 9001 to 9006 end in those digits.
    rig.submit(9_001..=9_006).await;
    assert!(matches!(rig.verdict(9_001), Verdict::Refused(refusal) if refusal.code == 0x45));
    assert!(matches!(rig.verdict(9_005), Verdict::Throttled(refusal) if refusal.code == 0x58));
    rig.resubmit(9_005).await;
    assert_eq!(rig.verdict(9_005), &Verdict::Accepted);
    rig.until("four receipts", |rig| rig.receipts.len() == 4).await;
    assert_eq!(rig.state(9_002), Some(ReceiptState::Undelivered));
    assert_eq!(rig.state(9_003), Some(ReceiptState::Expired));
    assert_eq!(rig.state(9_004), None);
    assert_eq!(rig.state(9_005), Some(ReceiptState::Delivered));
    assert_eq!(rig.state(9_006), Some(ReceiptState::Delivered));
    assert_eq!(rig.receipt(9_002).and_then(|receipt| receipt.error.as_deref()), Some("027"));
}

#[tokio::test]
async fn ids_meet_however_they_are_written() {
    let cases = [
        (
            IdBase::Hex,
            IdBase::Decimal,
            12,
            MessageIdFormat::HexSubmit,
            ReceiptForm::Text,
            ReceiptSource::Auto,
        ),
        (IdBase::Decimal, IdBase::Hex, 0, MessageIdFormat::HexDeliver, ReceiptForm::Tlv, ReceiptSource::Tlv),
        (IdBase::Hex, IdBase::Hex, 8, MessageIdFormat::Raw, ReceiptForm::Both, ReceiptSource::Text),
    ];
    for (answer_ids, receipt_ids, id_width, message_id, receipt_form, receipts) in cases {
        let faults = Faults { answer_ids, receipt_ids, id_width, receipt_form, ..FAULTLESS() };
        let options = SmscOptions { first_id: 0xABCD_EF00, ..with(faults) };
        let mut rig = Rig::start(options, SmppConfig { message_id, receipts, ..config() }).await;
        rig.submit(1..=100).await;
        rig.until("all receipts", |rig| rig.receipts.len() == 100).await;
        assert!((1..=100).all(|message| rig.state(message).is_some()), "{message_id:?}");
    }
}

#[tokio::test]
async fn lost_answers_leave_messages_unanswered_and_the_link_up() {
    let faults = Faults { lose_answers: Chance::per_million(100_000), ..FAULTLESS() };
    let mut rig = Rig::start(with(faults), SmppConfig { response_timeout_ms: 300, ..config() }).await;
    rig.submit(1..=1_000).await;
    let unanswered = rig.count(&Verdict::Unanswered);
    let counts = rig.smsc.counts();
    assert_eq!(counts.answers_lost, unanswered as u64);
    assert_eq!(rig.count(&Verdict::Accepted) + unanswered, 1_000);
    assert!(unanswered > 50, "{unanswered}");
    assert_eq!(counts.binds, 1, "enquire_link was answered: no reason to reconnect");
}

#[tokio::test]
async fn silently_dropped_messages_are_unanswered() {
    let faults = Faults { drop_submits: Chance::per_million(50_000), ..FAULTLESS() };
    let mut rig = Rig::start(with(faults), SmppConfig { response_timeout_ms: 300, ..config() }).await;
    rig.submit(1..=500).await;
    assert_eq!(rig.smsc.counts().dropped, rig.count(&Verdict::Unanswered) as u64);
    assert!(rig.count(&Verdict::Unanswered) > 0);
}

#[tokio::test]
async fn receipts_early_late_twice_lost_and_out_of_order_are_all_reported_once_each() {
    let faults = Faults {
        early_receipts: Chance::per_million(300_000),
        duplicate_receipts: Chance::per_million(100_000),
        reorder_receipts: Chance::per_million(200_000),
        lose_receipts: Chance::per_million(50_000),
        answer_delay_ms: 1,
        answer_jitter_ms: 5,
        receipt_delay_ms: 1,
        receipt_jitter_ms: 10,
        ..FAULTLESS()
    };
    let mut rig = Rig::start(with(faults), config()).await;
    rig.submit(1..=1_000).await;
    rig.until("acknowledgements", |rig| {
        let counts = rig.smsc.counts();
        rig.smsc.receipts_waiting() == 0 && counts.deliveries_sent == counts.deliveries_acknowledged
    })
    .await;
    let counts = rig.smsc.counts();
    assert_eq!(rig.receipts.len() as u64, counts.deliveries_sent);
    let with_receipt = (1..=1_000).filter(|message| rig.state(*message).is_some()).count() as u64;
    assert_eq!(with_receipt + counts.receipts_lost, 1_000);
    assert!(counts.receipts_lost > 0 && counts.deliveries_sent > with_receipt);
    assert!(rig.receipts_before_answers > 0);
}

#[tokio::test]
async fn a_throttled_carrier_is_left_alone_for_a_while_and_everything_goes_out() {
    let faults = Faults { rate_max: 2_000, ..FAULTLESS() };
    let fast = SmppConfig { throttle_pause_ms: 20, throttle_pause_max_ms: 100, ..config() };
    let mut rig = Rig::start(with(faults), fast).await;
    rig.submit(1..=1_000).await;
    let mut tries = 0;
    loop {
        let throttled: Vec<i64> =
            (1..=1_000).filter(|message| matches!(rig.verdict(*message), Verdict::Throttled(_))).collect();
        if throttled.is_empty() {
            break;
        }
        tries += 1;
        assert!(tries < 200, "{} are throttled still", throttled.len());
        rig.submit(throttled).await;
    }
    assert!(tries > 0, "nothing was throttled");
    assert_eq!(rig.count(&Verdict::Accepted), 1_000);
    assert_eq!(rig.smsc.duplicates(), 0);
}

#[tokio::test]
async fn over_random_disconnects_every_submission_is_answered_once_and_truly() {
    for seed in 1..=6 {
        let faults = Faults {
            disconnect: Chance::per_million(5_000),
            answer_jitter_ms: u32::try_from(seed % 3).unwrap(),
            lose_answers: Chance::per_million(2_000),
            ..FAULTLESS()
        };
        let fast = SmppConfig {
            reconnect_min_ms: 5,
            reconnect_max_ms: 20,
            response_timeout_ms: 500,
            binds: u8::try_from(seed % 2 + 1).unwrap(),
            ..config()
        };
        let mut rig = Rig::start(SmscOptions { seed, ..with(faults) }, fast).await;
        rig.submit(1..=3_000).await;
        rig.carrier.close(Duration::from_secs(1)).await;
        let (accepted, unanswered) = (rig.count(&Verdict::Accepted), rig.count(&Verdict::Unanswered));
        let unsent = rig.count(&Verdict::Unsent);
        assert_eq!(accepted + unanswered + unsent, 3_000, "seed {seed}");
        assert!(rig.smsc.counts().disconnects > 0 && unanswered > 0, "seed {seed}: nothing happened");
        assert!((accepted + unanswered) as u64 >= rig.smsc.counts().accepted, "seed {seed}");
        for message in 1..=3_000 {
            let (seen, taken) =
                (rig.smsc.times_seen(NUMBER(message)), rig.smsc.times_accepted(NUMBER(message)));
            match rig.verdict(message) {
                Verdict::Accepted => assert_eq!((seen, taken), (1, 1), "seed {seed}, message {message}"),
                Verdict::Unsent => assert_eq!(seen, 0, "seed {seed}, message {message} was seen"),
                Verdict::Unanswered => assert!(seen <= 1, "seed {seed}, message {message} was sent twice"),
                other => panic!("seed {seed}, message {message}: {other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn what_is_handed_over_while_nothing_is_connected_comes_back_unsent() {
    let faults = Faults { refuse_binds: 0x08, ..FAULTLESS() };
    let mut rig = Rig::start(with(faults), config()).await;
    rig.submit_unready(1..=50).await;
    assert_eq!(rig.count(&Verdict::Unsent), 50);
    assert!(matches!(rig.carrier.health(), Health::Connecting { .. }));
    rig.smsc.set_faults(FAULTLESS());
    rig.submit(51..=60).await;
    assert_eq!(rig.count(&Verdict::Accepted), 10);
    assert_eq!(rig.carrier.health(), Health::Up);
}

#[tokio::test]
async fn wrong_credentials_stop_the_carrier_and_nothing_is_sent() {
    let credentials = Some(("talkdrum".to_owned(), "right".to_owned()));
    let options = SmscOptions { credentials, ..with(FAULTLESS()) };
    let mut rig = Rig::start(options, SmppConfig { password: ConfigSecret::new("wrong"), ..config() }).await;
    rig.until("a stop", |rig| matches!(rig.carrier.health(), Health::Stopped { .. })).await;
    let Health::Stopped { reason } = rig.carrier.health() else { panic!() };
    assert!(reason.contains("password"), "{reason}");
    rig.submit_unready(1..=3).await;
    assert_eq!(rig.count(&Verdict::Unsent), 3);
    assert_eq!(rig.smsc.counts().binds_refused, 1);
}

#[tokio::test]
async fn a_transmitter_and_a_receiver_share_the_work() {
    let config = SmppConfig { bind: BindMode::TransmitterReceiver, binds: 2, ..config() };
    let mut rig = Rig::start(with(FAULTLESS()), config).await;
    rig.submit(1..=500).await;
    rig.until("all receipts", |rig| rig.receipts.len() == 500).await;
    rig.until("four binds", |rig| rig.smsc.counts().binds == 4).await;
    assert_eq!(rig.carrier.health(), Health::Up);
}

#[tokio::test]
async fn receipts_not_acknowledged_come_again_at_the_next_bind() {
    let mut rig = Rig::start(with(FAULTLESS()), SmppConfig { reconnect_min_ms: 5, ..config() }).await;
    rig.acknowledges = false;
    rig.submit(1..=20).await;
    rig.until("the receipts", |rig| rig.receipts.len() == 20).await;
    let stale: Vec<_> = rig.receipts.iter().map(|receipt| receipt.token).collect();
    rig.smsc.disconnect_all();
    rig.until("the receipts again", |rig| rig.receipts.len() == 40).await;
    rig.carrier.acknowledge(stale);
    let fresh = rig.receipts[20..].iter().map(|receipt| receipt.token).collect();
    rig.carrier.acknowledge(fresh);
    rig.until("acknowledgements", |rig| rig.smsc.counts().deliveries_acknowledged == 20).await;
}

#[tokio::test]
async fn a_worker_that_takes_nothing_holds_receipts_up_and_not_the_link() {
    let quick = SmppConfig { enquire_link_ms: 20, response_timeout_ms: 200, window: 1_000, ..config() };
    let options = SmscOptions { receipt_window: 100, ..with(FAULTLESS()) };
    let mut rig = Rig::start(options, quick).await;
    rig.acknowledges = false;
    rig.submit(1..=3_000).await;
    rig.until("a full window", |rig| rig.receipts.len() == 100).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!((rig.smsc.counts().binds, rig.carrier.health()), (1, Health::Up));
    assert_eq!(rig.smsc.counts().deliveries_sent, 100);
    rig.acknowledges = true;
    let held = rig.receipts.iter().map(|receipt| receipt.token).collect();
    rig.carrier.acknowledge(held);
    rig.until("all receipts", |rig| rig.receipts.len() == 3_000).await;
}

#[tokio::test]
async fn a_worker_that_falls_far_behind_misses_nothing_when_it_comes_back() {
    let options = SmscOptions { receipt_window: 50_000, ..with(FAULTLESS()) };
    let mut rig = Rig::start(options, SmppConfig { window: 2_000, ..config() }).await;
    rig.carrier.ready().await;
    let plain = |message: &i64| !(9_001..=9_005).contains(&(message % 10_000));
    let messages = rig.messages((1..=40_000).filter(plain));
    let count = messages.len();
    rig.carrier.submit(messages);
    // Nothing is taken until the session has stopped reading, and with it the SMSC's answers.
    let mut submits = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let now = rig.smsc.counts().submits;
        if now > 0 && now == submits {
            break;
        }
        submits = now;
    }
    assert!(submits < count as u64, "the carrier took everything in at once");
    rig.until("all receipts", |rig| rig.receipts.len() == count).await;
    assert_eq!((rig.count(&Verdict::Accepted), rig.smsc.duplicates()), (count, 0));
    assert_eq!(rig.smsc.counts().binds, 1);
}

#[tokio::test]
async fn long_messages_are_accepted_part_by_part() {
    for concatenation in
        [Concatenation::Udh8, Concatenation::Udh16, Concatenation::Sar, Concatenation::Payload]
    {
        let config = SmppConfig { concatenation, window: 2, ..config() };
        let mut rig = Rig::start(with(FAULTLESS()), config).await;
        rig.text = text(&["part one ", "part two ", "part three"]);
        rig.submit(1..=20).await;
        let parts = if concatenation == Concatenation::Payload { 1 } else { 3 };
        let complete = |message| rig.answers[&message].accepted.iter().count() == parts;
        assert!((1..=20).all(complete), "{concatenation:?}");
        assert_eq!(
            (rig.smsc.counts().accepted, rig.smsc.duplicates()),
            (20 * parts as u64, 0),
            "{concatenation:?}"
        );
    }
}

#[tokio::test]
async fn parts_accepted_before_are_not_sent_again() {
    let mut rig = Rig::start(with(FAULTLESS()), config()).await;
    rig.text = text(&["part one ", "part two ", "part three"]);
    rig.parts_done = 0b101;
    rig.submit(1..=1).await;
    let parts: Vec<u8> = rig.answers[&1].accepted.iter().map(|(part, _)| part).collect();
    assert_eq!((parts, rig.smsc.counts().submits), (vec![1], 1));
}

#[tokio::test]
async fn a_throttled_part_is_retried_alone() {
    let quick = SmppConfig { throttle_pause_ms: 10, throttle_pause_max_ms: 10, window: 1, ..config() };
    let mut rig = Rig::start(with(FAULTLESS()), quick).await;
    rig.text = text(&["part one ", "part two "]);
    rig.submit(9_005..=9_005).await;
    assert!(matches!(rig.verdict(9_005), Verdict::Throttled(_)));
    assert_eq!(rig.smsc.counts().submits, 1, "the second part was not written");
    rig.resubmit(9_005).await;
    assert_eq!((rig.verdict(9_005), rig.smsc.duplicates()), (&Verdict::Accepted, 0));
}

#[tokio::test]
async fn a_message_from_a_handset_is_reported_and_acknowledged() {
    let mut rig = Rig::start(with(FAULTLESS()), config()).await;
    let stop = FromHandset { from: "2348031234567".into(), to: "32811".into(), text: "STOP ✋".into() };
    rig.smsc.send_from_handset("talkdrum", &stop);
    rig.until("the message", |rig| rig.inbound.len() == 1).await;
    let seen = &rig.inbound[0];
    assert_eq!((&*seen.from, &*seen.to, seen.text.as_str()), ("2348031234567", "32811", "STOP ✋"));
    rig.until("an acknowledgement", |rig| rig.smsc.counts().deliveries_acknowledged == 1).await;
    let long = FromHandset { from: "2348031234567".into(), to: "32811".into(), text: "✋".repeat(100) };
    rig.smsc.send_from_handset("talkdrum", &long);
    rig.until("both parts", |rig| rig.inbound.len() == 3).await;
    let places: Vec<_> = rig.inbound[1..]
        .iter()
        .map(|it| it.part.as_ref().map(|part| (part.total, part.place, part.octets.len())))
        .collect();
    assert_eq!(places, [Some((2, 1, 134)), Some((2, 2, 66))]);
}

#[tokio::test]
async fn a_few_wait_behind_a_full_window_and_take_the_places_that_fall_free() {
    let faults = Faults { answer_delay_ms: 400, ..FAULTLESS() };
    let mut rig = Rig::start(with(faults), SmppConfig { window: 16, ..config() }).await;
    assert_eq!(rig.carrier.ready().await, 20);
    let messages = rig.messages(1..=16);
    rig.carrier.submit(messages);
    assert_eq!(rig.carrier.ready().await, 4);
    let messages = rig.messages(17..=20);
    rig.carrier.submit(messages);
    let waited = tokio::time::timeout(Duration::from_millis(100), rig.carrier.ready()).await;
    assert!(waited.is_err(), "no more than that");
    assert_eq!((rig.smsc.counts().submits, rig.carrier.line().used), (16, 16), "the window is kept");
    rig.until("every answer", |rig| rig.answers.len() == 20).await;
    assert_eq!(rig.count(&Verdict::Accepted), 20);
    let slow = SmppConfig { window: 16, rate: 5, ..config() };
    let rig = Rig::start(with(FAULTLESS()), slow).await;
    assert_eq!(rig.carrier.ready().await, 5, "no more than a second of the rate");
}

#[tokio::test]
async fn closing_waits_for_answers_and_answers_the_rest() {
    let faults = Faults { answer_delay_ms: 100, ..FAULTLESS() };
    let mut rig = Rig::start(with(faults), SmppConfig { window: 10, ..config() }).await;
    rig.carrier.ready().await;
    let messages = rig.messages(1..=100);
    rig.carrier.submit(messages);
    rig.until("ten on the wire", |rig| rig.smsc.counts().submits >= 10).await;
    let carrier = std::sync::Arc::clone(&rig.carrier);
    let closing = tokio::spawn(async move { carrier.close(Duration::from_secs(5)).await });
    rig.until("every answer", |rig| rig.answers.len() == 100).await;
    closing.await.unwrap();
    let (accepted, unsent) = (rig.count(&Verdict::Accepted), rig.count(&Verdict::Unsent));
    assert_eq!((accepted as u64, accepted + unsent), (rig.smsc.counts().accepted, 100));
    rig.submit_unready(101..=101).await;
    assert_eq!(rig.verdict(101), &Verdict::Unsent);
}

#[tokio::test]
async fn a_silent_carrier_is_found_out_by_enquire_link() {
    // A listener that accepts a bind and never says another word.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let silent = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut held = Vec::new();
        for binds in 1_usize.. {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 64];
            let _ = stream.read(&mut request).await.unwrap();
            let answer = b"\0\0\0\x12\x80\0\0\x09\0\0\0\0\0\0\0\x01x\0";
            stream.write_all(answer).await.unwrap();
            held.push(stream);
            if binds == 2 {
                return;
            }
        }
    });
    let quick =
        SmppConfig { enquire_link_ms: 20, response_timeout_ms: 100, reconnect_min_ms: 5, port, ..config() };
    let (carrier, mut events) =
        talkdrum_core::carrier::smpp::SmppCarrier::start(quick, Default::default()).unwrap();
    carrier.ready().await;
    carrier.submit(smsc_rig::messages(1..=1, &text(&["Hi"]), 0));
    let Some(batch) = events.recv().await else { panic!("no answer") };
    assert!(matches!(&batch[..], [Event::Answer(answer)] if answer.verdict == Verdict::Unanswered));
    tokio::time::timeout(Duration::from_secs(20), silent).await.unwrap().unwrap();
}
