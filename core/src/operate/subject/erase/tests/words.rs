//! What was said to a number, in events, previews and figures.

use serde_json::Value;

use super::*;
use crate::campaign::report::progress;
use crate::content::{CallScript, ClipSource, Poll, PollKey, Pulse};
use crate::model::campaign::id::QuoteId;
use crate::webhook::watch;

/// Has a program of a user hear of all that was sent, and makes the events.
async fn tell(store: &Store, user: UserId) {
    run(store, vec![
        format!(
            "INSERT INTO webhooks (id, user_id, url, description, events, secret, is_active, created_at, updated_at) \
             VALUES (1, {user}, 'https://example.com', '', 'campaign.completed,messages.updated', 'x', 1 = 1, 1, 1)"
        ),
        format!("INSERT INTO webhook_users (user_id, campaign_cursor) VALUES ({user}, 0)"),
    ])
    .await;
    while watch::tick(store, NetworkTable::builtin(), NOW).await.unwrap() {}
}

async fn bodies(store: &Store) -> Vec<String> {
    let mut tx = store.read().await.unwrap();
    let rows: Vec<(String,)> = tx.all("SELECT body FROM webhook_events ORDER BY id", args![]).await.unwrap();
    rows.into_iter().map(|(body,)| body).collect()
}

both_databases! {
    async fn a_text_to_the_number_alone_leaves_the_events_of_its_campaign_which_are_delivered(store: Store) {
        let text = "Dear Zebulon, 08031234567: PIN";
        let spots = [Spot::Answered(S::Delivered); 2];
        let alone = build(&store, "ada").text(text).chunk(&spots[..1]).number(0, 0, wanted()).store().await;
        let shared = build(&store, "ada").text("Call 0803 123-4567").chunk(&spots).store().await;
        for built in [&alone, &shared] {
            built.merge_packed(&store).await;
        }
        end(&store).await;
        tell(&store, alone.user).await;
        let before = bodies(&store).await;
        assert!(before.len() == 4 && before.iter().any(|body| body.contains(text)), "{before:?}");
        erase_all(&store).await.unwrap();
        let expected: Vec<String> = before.iter().map(|body| body.replace(text, "text erased")).collect();
        assert_eq!(bodies(&store).await, expected);
        let sql = "SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending'";
        assert_eq!(store.read().await.unwrap().one::<(i64,)>(sql, args![]).await.unwrap().0, 4);
        run(&store, vec!["UPDATE webhook_deliveries SET status = 'delivered'".into()]).await;
        assert_eq!(erase_all(&store).await.unwrap(), [("webhook_events".to_owned(), 2)]);
        let after = bodies(&store).await;
        assert!(after.iter().all(|body| serde_json::from_str::<Value>(body).is_ok()), "{after:?}");
        assert!(after.iter().any(|body| body.contains("\"msg\":\"Call erased\"")), "{after:?}");
        assert!(after.iter().any(|body| body.contains("\"to\":\"erased\"")), "{after:?}");
        let left = show(&store, &DndList::default(), wanted(), NetworkTable::builtin()).await.unwrap();
        assert!(left.tables.is_empty(), "{left:?}");
    }

    async fn an_event_with_an_id_of_the_same_digits_stays_as_it_is(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let told = format!(r#"{{"data":{{"messages":[{{"id":8031234567,"to":"{}"}}]}}}}"#, other());
        run(&store, vec![format!(
            "INSERT INTO webhook_events (user_id, type, body, created_at) VALUES ({user}, 'messages.updated', '{told}', 1)"
        )]).await;
        assert_eq!(erase_all(&store).await.unwrap(), []);
        assert_eq!(bodies(&store).await, [told]);
    }

    async fn a_preview_that_does_not_say_whose_it_is_goes_with_any_of_them_and_so_does_the_digest_of_a_form(store: Store) {
        let spots = [Spot::Answered(S::Delivered); 3];
        let with = |text: &str| build(&store, "ada").text(text).chunk(&spots).number(0, 1, wanted());
        let own = with("{message}").store().await;
        let same = with("Dear all").store().await;
        let of_another = with("{message}").store().await;
        let without = build(&store, "ada").text("{message}").chunk(&spots).store().await;
        let set = |quote: QuoteId, to: &str| {
            let details = format!(r#"{{"message":"Dear Zebulon","message_to":{to}}}"#);
            format!("UPDATE quotes SET details = '{details}' WHERE id = {quote}")
        };
        for built in [&own, &same, &of_another, &without] {
            built.merge_all(&store).await;
        }
        end(&store).await;
        run(&store, vec![
            set(own.quote, "null"),
            set(same.quote, "null"),
            set(of_another.quote, &format!("\"{}\"", other())),
            set(without.quote, "null"),
        ])
        .await;
        let job = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move { tx.run("UPDATE quotes SET form_hash = $1", args![[7_u8; 32].as_slice()]).await })
        });
        job.await.unwrap();
        erase_all(&store).await.unwrap();
        let mut has_preview = Vec::new();
        for built in [&own, &same, &of_another, &without] {
            has_preview.push(texts(&store, built).await[2].contains("Zebulon"));
        }
        assert_eq!(has_preview, [false, true, true, true]);
        let sql = "SELECT form_hash FROM quotes ORDER BY id";
        let forms: Vec<(Vec<u8>,)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
        assert_eq!(forms, [0, 0, 0, 7].map(|byte| (vec![byte; 32],)));
    }

    async fn the_figures_of_a_question_stay_when_who_was_asked_is_erased(store: Store) {
        let script = CallScript {
            clip: ClipSource::Speech { text: "Dear Zebulon".into(), voice: "uk-male".into() },
            caller: None,
            length_ms: 1_000,
            tail_ms: 0,
            pulse: Pulse::MINUTES,
            poll: Some(Poll { keys: vec![PollKey { key: '1', label: "yes".into() }], plays: 1 }),
        };
        let built = build(&store, "ada").content(&Content::Voice(script)).chunk(&[Spot::Answered(S::Delivered)]);
        let built = built.number(0, 0, wanted()).store().await;
        built.merge_packed(&store).await;
        end(&store).await;
        let id = built.campaign;
        run(&store, vec![format!("INSERT INTO poll_answers (campaign_id, answer, calls) VALUES ({id}, '1', 1)")]).await;
        let shown = async || progress::views(&mut store.read().await.unwrap(), &[id]).await.unwrap().pop().unwrap();
        let before = shown().await;
        erase_all(&store).await.unwrap();
        let after = shown().await;
        assert_eq!((&*before.msg, &*after.msg), ("Dear Zebulon", "text erased"));
        let figures = |poll: &Option<Vec<talkdrum_api::call::PollAnswer>>| -> Vec<(String, String, i64)> {
            let answers = poll.iter().flatten();
            answers.map(|it| (it.key.clone(), it.label.clone(), it.count)).collect()
        };
        assert_eq!(figures(&after.poll), figures(&before.poll));
        assert!(figures(&after.poll).contains(&("1".into(), "yes".into(), 1)));
    }
}
