//! Which messages an opt-out ends, once they are confirmed.

use talkdrum_api::purpose::{OptOutReach, Purpose};

use crate::both_databases;
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::inbound;
use crate::model::message::status::MessageStatus;
use crate::phone::Msisdn;
use crate::store::message::inbound::NewInbound;
use crate::store::{Lane, Store};
use crate::testing::builder::{START, Spot, build};
use crate::testing::campaign::Fixture;
use crate::testing::worker::Run;

/// A handset says something to a number of the platform.
async fn says(store: &Store, from: Msisdn, text: &str) {
    let message = NewInbound {
        sender: from.to_string(),
        recipient: "30012".into(),
        text: text.into(),
        ..NewInbound::default()
    };
    let job = store.write(Lane::Background, vec![message], |tx, messages| {
        Box::pin(inbound::take(tx, "main", messages, START))
    });
    job.await.unwrap();
    while inbound::tick(store, START).await.unwrap() {}
}

both_databases! {
    async fn an_opt_out_after_the_confirmation_ends_what_it_was_meant_for(store: Store) {
        // Every opt-out ends a campaign of before there were purposes, as it did then.
        let kept = |purpose: Option<Purpose>| match purpose {
            Some(Purpose::Promotional) | None => [false, false],
            Some(Purpose::Transactional) => [true, false],
            Some(Purpose::Otp) => [true, true],
        };
        let purposes = Purpose::ALL.map(Some).into_iter().chain([None]);
        for (purpose, name) in purposes.zip(["ada", "bisi", "chidi", "dayo"]) {
            let built = build(&store, name).purpose(purpose).chunk(&[Spot::Tail; 3]).store().await;
            for (place, reach) in OptOutReach::ALL.into_iter().enumerate() {
                let input = (built.user, built.numbers[place], reach);
                let job = store.write(Lane::Interactive, input, |tx, (user, number, reach)| {
                    let scope = SuppressionScope::User(*user);
                    Box::pin(suppression::add(tx, scope, *number, (OptOutSource::Stop, *reach), START))
                });
                assert!(job.await.unwrap());
            }
            let mut run = Run::start(&store).await;
            let sent = run.send_all().await;
            let got = [0, 1, 2].map(|place| sent.iter().any(|one| one.to == built.numbers[place]));
            let [stop, all] = kept(purpose);
            assert_eq!(got, [stop, all, true], "{purpose:?}");
            run.verify().await;
        }
    }

    async fn what_a_handset_answers_ends_at_the_quote_and_at_the_intent_what_it_says(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let wrote = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Delivered)]).number(0, 0, number);
        assert_eq!(wrote.store().await.user, fixture.user);
        let steps = [
            ("Stop", [false, true, true]),
            ("STOP ALL", [false, false, true]),
            ("STOP", [false, false, true]),
            ("START", [true; 3]),
            ("StopAll.", [false, false, true]),
            ("start", [true; 3]),
        ];
        for (text, kept) in steps {
            // What waits already, and what is quoted from now on.
            let mut waiting = Vec::new();
            for purpose in Purpose::ALL {
                let builder = build(&store, "ada").purpose(purpose).chunk(&[Spot::Tail]).number(0, 0, number);
                waiting.push(builder.store().await);
            }
            says(&store, number, text).await;
            for (purpose, kept) in Purpose::ALL.into_iter().zip(kept) {
                let form = fixture.form("Hi", &format!("{number} 08031119999"));
                let quote = fixture.campaigns.quote(crate::campaign::quote::Form { purpose: Ok(Some(purpose)), ..form });
                assert_eq!(quote.await.unwrap().total_suppressed, i64::from(!kept), "{text}: {purpose:?}");
            }
            let mut run = Run::start(&store).await;
            let sent = run.send_all().await;
            let got: Vec<bool> = waiting
                .iter()
                .map(|built| sent.iter().any(|one| built.chunks.contains(&one.message.chunk())))
                .collect();
            assert_eq!(got, kept, "{text}");
            run.verify().await;
        }
    }
}
