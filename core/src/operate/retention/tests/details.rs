//! What a person settled, forms and previews, keys of calls, and two daemons.

use super::*;
use crate::model::campaign::id::CampaignId;

both_databases! {
    async fn what_a_person_settled_stays_for_some_days_so_that_it_can_be_sent_again(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Answered(S::Unknown)]).store().await;
        built.merge_packed(&store).await;
        end(&store, &built).await;
        both(&store).await;
        let settled = later() + Duration::from_hours(1);
        run(&store, vec![format!(
            "UPDATE campaign_chunks SET cancelled = cancelled + unknown, unknown = 0, answered_at = {} WHERE campaign_id = {}",
            settled.0, built.campaign
        )]).await;
        for (days, left) in [(1, 1), (2, 1), (4, 0)] {
            for class in WALKED {
                all(&store, class, settled + Duration::from_hours(24 * days)).await.unwrap();
            }
            let has_text = texts(&store, &built).await[0].contains("Hello");
            assert_eq!((numbers(&store, &built).await, has_text), (left, left == 1), "{days} days");
        }
    }

    async fn the_digest_of_a_form_and_a_preview_that_names_no_number_go_with_the_numbers(store: Store) {
        let own = build(&store, "ada").text("Dear {name}").chunk(&delivered(2)).store().await;
        let same = build(&store, "ada").text("Dear all").chunk(&delivered(2)).store().await;
        for built in [&own, &same] {
            built.merge_all(&store).await;
            end(&store, built).await;
            run(&store, vec![format!("UPDATE quotes SET details = '{{\"message\":\"Dear Bisi\"}}' WHERE id = {}", built.quote)]).await;
        }
        let job = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move { tx.run("UPDATE quotes SET form_hash = $1", args![[7_u8; 32].as_slice()]).await })
        });
        job.await.unwrap();
        all(&store, DataClass::Numbers, later()).await.unwrap();
        assert!(!texts(&store, &own).await[2].contains("Bisi"));
        assert!(texts(&store, &same).await[2].contains("Bisi"), "it is the same for all, and goes with the text");
        let forms: Vec<(Vec<u8>,)> = store.read().await.unwrap().all("SELECT form_hash FROM quotes", args![]).await.unwrap();
        assert_eq!(forms, [(vec![0; 32],), (vec![0; 32],)]);
    }

    async fn a_text_that_was_kept_for_long_enough_leaves_the_events_of_its_campaign(store: Store) {
        let built = build(&store, "ada").text("Sale at 4711").chunk(&delivered(2)).store().await;
        let open = build(&store, "ada").text("Sale at 4711").chunk(&[Spot::InFlight]).store().await;
        end(&store, &built).await;
        let body = |campaign: CampaignId, text: &str| format!(
            r#"{{"type":"campaign.sending","timestamp":"2026","data":{{"id":{campaign},"msg":"{text}","currency":"naira"}}}}"#
        );
        let event = |campaign: CampaignId| format!(
            "INSERT INTO webhook_events (user_id, type, campaign_id, body, created_at) \
             VALUES ({}, 'campaign.sending', {campaign}, '{}', 1)",
            built.user, body(campaign, "Sale at 4711")
        );
        run(&store, vec![event(built.campaign), event(open.campaign), event(built.campaign)]).await;
        all(&store, DataClass::Texts, later()).await.unwrap();
        let sql = "SELECT body FROM webhook_events ORDER BY id";
        let told: Vec<(String,)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
        let erased = body(built.campaign, "text erased");
        assert_eq!(told, [(erased.clone(),), (body(open.campaign, "Sale at 4711"),), (erased,)]);
    }

    async fn what_two_daemons_step_through_at_once_is_erased_and_counted_once(store: Store) {
        let mut made = vec![build(&store, "ada").chunk(&delivered(4_000)).chunk(&delivered(4_000)).store().await];
        for _ in 0..5 {
            made.push(build(&store, "ada").chunk(&delivered(2_000)).store().await);
        }
        for built in &made {
            built.merge_packed(&store).await;
            end(&store, built).await;
        }
        let other = store.clone();
        let (one, two) = tokio::join!(
            all(&store, DataClass::Numbers, later()),
            all(&other, DataClass::Numbers, later())
        );
        one.unwrap();
        two.unwrap();
        for built in &made {
            assert_eq!(numbers(&store, built).await, 0);
        }
        let sql = "SELECT campaigns, items FROM retention_days";
        let counted: (i64, i64) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
        assert_eq!(counted, (6, 18_000));
    }

    async fn keys_that_were_pressed_go_after_their_own_time_and_the_answers_stay(store: Store) {
        let built = build(&store, "ada").chunk(&delivered(2)).store().await;
        end(&store, &built).await;
        let sms = build(&store, "ada").chunk(&delivered(2)).store().await;
        end(&store, &sms).await;
        let id = MessageId::new(built.chunks[0], 1).0;
        run(&store, vec![
            format!("UPDATE campaigns SET kind = 'voice' WHERE id = {}", built.campaign),
            format!("INSERT INTO calls (message_id, attempts, tries, outcome, ended_at, up_ms, heard_ms, pulses, digits, ended_by, answer) \
                     VALUES ({id}, 1, 1, 'answered', 1, 60000, 0, 1, '4711#', 'callee', '4')"),
        ]).await;
        let keys = async || {
            let sql = "SELECT digits, answer, pulses FROM calls";
            store.read().await.unwrap().one::<(String, Option<String>, i64)>(sql, args![]).await.unwrap()
        };
        all(&store, DataClass::Receipts, START + Duration::from_hours(24 * 29)).await.unwrap();
        assert_eq!(keys().await.0, "4711#");
        all(&store, DataClass::Receipts, later()).await.unwrap();
        assert_eq!(keys().await, (String::new(), Some("4".to_owned()), 1));
        assert_eq!((numbers(&store, &built).await, numbers(&store, &sms).await), (2, 2));
    }

    async fn the_runs_that_share_an_audience_count_in_what_a_step_takes(store: Store) {
        let mut whole = Vec::new();
        for _ in 0..2 {
            let first = build(&store, "ada").chunk(&delivered(1)).store().await;
            let mut runs = vec![first];
            for run_number in 1..3 {
                let other = build(&store, "ada").chunk(&delivered(1)).store().await;
                run(&store, vec![
                    format!("UPDATE campaigns SET quote_id = {}, run = {run_number}, audience_id = {} WHERE id = {}",
                        runs[0].quote, runs[0].audience, other.campaign),
                    format!("UPDATE campaign_chunks SET audience_chunk_id = {} WHERE campaign_id = {}",
                        runs[0].audience_chunks[0], other.campaign),
                ]).await;
                runs.push(other);
            }
            whole.extend(runs);
        }
        for built in &whole {
            end(&store, built).await;
        }
        // Three and three are more than five.
        assert_eq!(all(&store, DataClass::Texts, later()).await.unwrap(), 2);
        for built in &whole {
            assert!(!texts(&store, built).await[0].contains("Hello"));
        }
    }

    async fn campaigns_that_are_still_not_over_wait_on_together_and_keep_no_other(store: Store) {
        let mut open = Vec::new();
        for _ in 0..4 {
            open.push(build(&store, "ada").chunk(&[Spot::InFlight]).store().await);
        }
        all(&store, DataClass::Texts, later()).await.unwrap();
        end(&store, &open[2]).await;
        let day_after = later() + Duration::from_hours(25);
        assert_eq!(all(&store, DataClass::Texts, day_after).await.unwrap(), 1, "three wait on and one is erased, in a step");
        let has_text = async |built: &Built| texts(&store, built).await[0].contains("Hello");
        assert!(!has_text(&open[2]).await && has_text(&open[0]).await && has_text(&open[3]).await);
        let passed = table::passed(&mut store.read().await.unwrap(), DataClass::Texts, day_after, 10).await.unwrap();
        assert_eq!(passed, [], "they are looked at a day later");
        for built in &open {
            end(&store, built).await;
        }
        all(&store, DataClass::Texts, day_after + Duration::from_hours(25)).await.unwrap();
        assert!(!has_text(&open[0]).await && !has_text(&open[3]).await);
    }
}
