//! What was said to a number, in events, previews and figures.

use super::*;
use crate::campaign::report::progress;
use crate::content::{CallScript, ClipSource, Poll, PollKey, Pulse};

both_databases! {
    async fn a_preview_that_does_not_say_whose_it_is_goes_with_any_of_them_and_so_does_the_digest_of_a_form(store: Store) {
        let spots = [Spot::Answered(S::Delivered); 3];
        let with = |text: &str| build(&store, "ada").text(text).chunk(&spots).number(0, 1, wanted());
        let own = with("{message}").store().await;
        let same = with("Dear all").store().await;
        let of_another = with("{message}").store().await;
        let without = build(&store, "ada").text("{message}").chunk(&spots).store().await;
        let set = |quote: i64, to: &str| {
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
        built.merge_all(&store).await;
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
