//! What was said to a number, in events, previews and figures.

use super::*;
use crate::campaign::report::progress;
use crate::content::{CallScript, ClipSource, Poll, PollKey, Pulse};

both_databases! {
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
