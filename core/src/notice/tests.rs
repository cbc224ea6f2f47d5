//! The queue, the post, the way of text messages, and a real SMTP conversation.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use super::{
    Channel, DueTexts, Mail, MailConfig, MailFault, MailWorker, Mailer as _, NoticeAnswer, NoticePurpose,
    Notices, SmtpMailer, Tls, answer, receipt,
};
use crate::both_databases;
use crate::carrier::{Accepted, Answer, Reference, Refusal, Submission, Verdict};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::model::platform::id::{NoticeId, RunId};
use crate::phone::Msisdn;
use crate::store::db::once::Once;
use crate::store::platform::notice::{CLAIM, EMAILS_OF, NEXT_DUE, SHARE, counts};
use crate::store::{Lane, Store};
use crate::testing::notice::{CARRIER, NoticeHouse, ScriptedMailer};
use crate::time::{ManualClock, Time};

const NOW: Time = Time(1_700_000_000_000);
const SECOND: Duration = Duration::from_secs(1);

fn number() -> Msisdn {
    Msisdn::from_digits(2_348_031_234_567).unwrap()
}

fn house(store: &Store, faults: Vec<MailFault>) -> NoticeHouse {
    NoticeHouse::new(store, &Arc::new(ManualClock::new(NOW)), Arc::new(ScriptedMailer::failing(faults)))
}

async fn claim(notices: &Notices, now: Time) -> Vec<Submission> {
    let claims = Once::new(notices.store.clone(), RunId(0), "test");
    notices.claim_sms(&claims, CARRIER, DueTexts::All, 64, now).await.unwrap().batch
}

async fn answered(store: &Store, message: MessageId, verdict: Verdict, parts: &[(u8, &str)], now: Time) {
    let accepted =
        parts.iter().map(|(part, reference)| (*part, Reference((*reference).into()))).collect::<Vec<_>>();
    let reply = NoticeAnswer::of(&Answer { message, verdict, accepted: Accepted::Many(accepted) }).unwrap();
    store
        .write(Lane::Background, (reply, now), |tx, (reply, now)| Box::pin(answer(tx, CARRIER, reply, *now)))
        .await
        .unwrap();
}

/// All statuses, with how many notices have each.
async fn statuses(store: &Store) -> String {
    let mut counts = counts(&mut store.read().await.unwrap()).await.unwrap();
    counts.sort_by_key(|(status, _)| status.code());
    counts.iter().map(|(status, count)| format!("{}:{count}", status.code())).collect::<Vec<_>>().join(" ")
}

fn throttled() -> Verdict {
    Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true })
}

both_databases! {
    async fn codes_go_before_alerts_and_those_before_messages(store: Store) {
        let house = house(&store, vec![]);
        for (text, purpose) in [("m", NoticePurpose::Message), ("a", NoticePurpose::Alert), ("c", NoticePurpose::Code)] {
            house.notices.sms(number(), text, purpose).await.unwrap();
        }
        let claims = Once::new(store.clone(), RunId(0), "test");
        let one_by_one = async || house.notices.claim_sms(&claims, CARRIER, DueTexts::All, 1, NOW).await.unwrap().batch.len();
        assert_eq!((one_by_one().await, one_by_one().await, one_by_one().await, one_by_one().await), (1, 1, 1, 0));
        let said: Vec<_> = house.deliver().await.into_iter().map(|shown| shown.text).collect();
        assert_eq!(said, ["c", "a", "m"]);
    }

    async fn a_text_message_is_accepted_and_its_receipt_found(store: Store) {
        let house = house(&store, vec![]);
        let id = house.notices.sms(number(), "12 {3}", NoticePurpose::Message).await.unwrap();
        let batch = claim(&house.notices, NOW).await;
        assert_eq!(batch[0].message, MessageId::of_notice(id));
        assert_eq!((batch[0].to, &*batch[0].from), (number(), "WEBSMS"));
        answered(&store, batch[0].message, Verdict::Accepted, &[(0, "77")], NOW).await;
        assert_eq!(statuses(&store).await, "sent:1");
        let note = async |reference: &'static str, status| {
            store
                .write(Lane::Background, (reference, status), |tx, (reference, status)| {
                    Box::pin(receipt(tx, (CARRIER, reference), *status, None, NOW))
                })
                .await
                .unwrap()
        };
        assert!(!note("78", MessageStatus::Delivered).await, "somebody else's");
        assert!(note("77", MessageStatus::Delivered).await);
        assert_eq!(statuses(&store).await, "delivered:1");
    }

    async fn what_was_throttled_or_never_written_is_tried_again_without_the_parts_that_were_taken(store: Store) {
        let house = house(&store, vec![]);
        house.notices.sms(number(), &"x".repeat(400), NoticePurpose::Message).await.unwrap();
        let message = claim(&house.notices, NOW).await[0].message;
        answered(&store, message, throttled(), &[(0, "1")], NOW).await;
        assert!(claim(&house.notices, NOW).await.is_empty(), "not at once");
        assert_eq!(claim(&house.notices, NOW + SECOND).await[0].parts_done, 1);
        answered(&store, message, Verdict::Unsent, &[], NOW + SECOND).await;
        let mut now = NOW + SECOND;
        for _ in 0..30 {
            now = now + SECOND * 2;
            for submission in claim(&house.notices, now).await {
                answered(&store, submission.message, throttled(), &[], now).await;
            }
        }
        assert_eq!(statuses(&store).await, "failed:1", "tries are bounded");
    }

    async fn a_text_message_that_may_have_gone_out_is_never_sent_again(store: Store) {
        let house = house(&store, vec![]);
        for _ in 0..2 {
            house.notices.sms(number(), "code", NoticePurpose::Message).await.unwrap();
        }
        let batch = claim(&house.notices, NOW).await;
        answered(&store, batch[0].message, Verdict::Unanswered, &[], NOW).await;
        house.notices.sweep(NOW + SECOND * 119).await.unwrap();
        assert_eq!(statuses(&store).await, "submitting:1 unknown:1");
        house.notices.sweep(NOW + SECOND * 120).await.unwrap();
        assert_eq!(statuses(&store).await, "unknown:2");
        assert!(claim(&house.notices, NOW + SECOND * 200).await.is_empty());
        answered(&store, batch[1].message, Verdict::Accepted, &[(0, "9")], NOW + SECOND * 200).await;
        assert_eq!(statuses(&store).await, "sent:1 unknown:1", "a late answer counts");
    }

    async fn a_code_that_comes_too_late_is_given_up(store: Store) {
        let house = house(&store, vec![]);
        house.notices.sms(number(), "code", NoticePurpose::Code).await.unwrap();
        house.notices.email(&"ada@example.com".parse().unwrap(), "Hello", "Hello").await.unwrap();
        assert!(claim(&house.notices, NOW + SECOND * 600).await.is_empty());
        house.notices.sweep(NOW + SECOND * 600).await.unwrap();
        assert_eq!(statuses(&store).await, "expired:1 queued:1");
    }

    async fn an_e_mail_is_tried_again_ever_more_rarely_and_given_up_at_a_final_no(store: Store) {
        let fault = |is_final| MailFault { is_final, reason: "no".into() };
        let house = house(&store, vec![fault(true), fault(false), fault(false)]);
        house.notices.email(&"ada@example.com".parse().unwrap(), "Hello\nBcc: x", "Hello").await.unwrap();
        assert!(house.deliver().await.is_empty());
        house.clock.advance(SECOND * 4);
        house.deliver().await;
        assert_eq!(statuses(&store).await, "queued:1");
        house.clock.advance(SECOND);
        house.deliver().await;
        house.clock.advance(SECOND * 10);
        house.deliver().await;
        assert_eq!(statuses(&store).await, "failed:1");
    }

    async fn without_a_way_out_e_mails_wait(store: Store) {
        let house = house(&store, vec![]);
        house.notices.email(&"ada@example.com".parse().unwrap(), "Hello", "Hello").await.unwrap();
        assert!(!MailWorker::new(house.notices.clone(), None).tick(NOW).await.unwrap());
        assert_eq!(house.notices.waiting_emails().await.unwrap(), 1);
        assert_eq!(house.deliver().await[0].channel, Channel::Email);
    }

    async fn the_operator_s_people_get_one_e_mail_of_a_subject_a_day(store: Store) {
        let house = house(&store, vec![]);
        let write = async |subject: &str| {
            house.notices.email(&"root@example.com".parse().unwrap(), subject, "Look at it").await.unwrap();
        };
        for _ in 0..20 {
            write("A first large send by ada waits for you").await;
        }
        write("A first large send by eve waits for you").await;
        assert_eq!(house.deliver().await.len(), 2);
        house.clock.advance(SECOND * 24 * 3600);
        write("A first large send by ada waits for you").await;
        assert_eq!(house.deliver().await.len(), 1);
    }

    async fn claims_are_found_by_index(store: Store) {
        let mut tx = store.read().await.unwrap();
        let sqlite = tx.dialect() == crate::store::Dialect::Sqlite;
        for (sql, args) in [
            (CLAIM, crate::args!["sms", CARRIER, NOW, NOW, 8_i64]),
            (NEXT_DUE, crate::args!["sms", CARRIER]),
            (SHARE, crate::args![1_i64, 100_i64]),
            (EMAILS_OF, crate::args!["ada@example.com", "Hello", NOW, 10_i64]),
        ] {
            let plan = tx.explain(sql, args).await.unwrap().join("\n");
            let by_index = ["notices_due", "notices_share", "notices_subject"].iter().any(|index| plan.contains(index));
            assert!(!sqlite || (by_index && !plan.contains("SCAN notices")), "{plan}");
        }
    }
}

#[tokio::test]
async fn an_e_mail_goes_out_over_smtp_and_a_refused_address_is_final() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Arc::new(std::sync::Mutex::new(String::new()));
    let log = Arc::clone(&seen);
    let server = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, Arc::clone(&log)));
        }
    });
    let config = MailConfig {
        host: "127.0.0.1".into(),
        port,
        tls: Tls::None,
        credentials: None,
        from: "Talkdrum <drum@example.com>".into(),
    };
    let mail =
        |to| Mail { id: NoticeId(5), to, subject: "Your code", text: "123456 is your code\n", at: NOW };
    let mailer = SmtpMailer::new(&config).unwrap();
    mailer.send(mail("ada@example.com")).await.unwrap();
    assert!(mailer.send(mail("gone@example.com")).await.unwrap_err().is_final);
    drop(mailer);
    let other = SmtpMailer::new(&MailConfig { port: 1, ..config }).unwrap();
    assert!(!other.send(mail("ada@example.com")).await.unwrap_err().is_final, "nobody is there");
    server.abort();
    let seen = seen.lock().unwrap();
    assert!(seen.contains("123456 is your code") && seen.contains("<notice-5@example.com>"), "{seen}");
}

/// One connection of a submission server that knows no mailbox called `gone`.
async fn converse(stream: tokio::net::TcpStream, log: Arc<std::sync::Mutex<String>>) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 here\r\n").await.unwrap();
    let mut in_data = false;
    while let Ok(Some(line)) = lines.next_line().await {
        log.lock().unwrap().push_str(&format!("{line}\n"));
        let reply = match line.as_str() {
            "." => "250 taken\r\n",
            _ if in_data => continue,
            "DATA" => "354 go on\r\n",
            "QUIT" => "221 bye\r\n",
            line if line.contains("gone@example.com") => "550 no such mailbox\r\n",
            _ => "250 ok\r\n",
        };
        in_data = line == "DATA";
        write.write_all(reply.as_bytes()).await.unwrap();
    }
}
