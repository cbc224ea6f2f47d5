//! Which times hold, and what goes by its age alone.

use super::*;

both_databases! {
    async fn a_new_or_shorter_time_holds_a_day_later_and_a_longer_one_at_once(store: Store) {
        let now = later();
        let of = async |texts: Option<u32>, now: Time| {
            let terms = in_force(&store, RetentionDays { texts, ..RetentionDays::default() }, now).await.unwrap();
            assert_eq!(terms.of(DataClass::Numbers), Term::Unset);
            terms.of(DataClass::Texts)
        };
        assert_eq!(of(Some(90), now).await, Term::PutOff);
        assert_eq!(of(Some(90), now + GRACE - Duration::from_millis(1)).await, Term::PutOff);
        assert_eq!(of(Some(90), now + GRACE).await, Term::Days(90));
        assert_eq!(of(Some(30), now + GRACE).await, Term::PutOff, "it is shorter");
        let now = now + GRACE + GRACE;
        assert_eq!(of(Some(60), now).await, Term::Days(60), "it is longer than the one of a day ago");
        assert_eq!(of(None, now).await, Term::PutOff, "that there is none may be shorter, too");
        assert_eq!(of(None, now + GRACE).await, Term::Unset);
        assert_eq!(of(Some(60), now + GRACE).await, Term::PutOff, "it is new");
    }

    async fn two_daemons_that_differ_put_each_other_off_and_fill_no_audit_trail(store: Store) {
        let mut now = later();
        let of = |days| RetentionDays { numbers: Some(days), ..RetentionDays::default() };
        let class = DataClass::Numbers;
        in_force(&store, of(90), now).await.unwrap();
        assert!(is_put_off(&mut store.read().await.unwrap(), of(90), class, now).await.unwrap(), "it is new");
        now = now + GRACE;
        assert_eq!(in_force(&store, of(90), now).await.unwrap().of(class), Term::Days(90));
        for configured in [of(90), RetentionDays::default()] {
            assert!(!is_put_off(&mut store.read().await.unwrap(), configured, class, now).await.unwrap());
        }
        for _ in 0..6 * 24 * 2 {
            now = now + Duration::from_mins(10);
            for days in [30, 90] {
                let terms = in_force(&store, of(days), now).await.unwrap();
                assert_eq!(terms.of(class), Term::PutOff);
            }
        }
        assert!(is_put_off(&mut store.read().await.unwrap(), of(90), class, now).await.unwrap());
        let sql = "SELECT COUNT(*) FROM audit WHERE action = 'retention.term'";
        let (entries,): (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
        assert!((5..=12).contains(&entries), "{entries} entries of two days");
    }

    async fn a_step_of_a_pass_that_began_before_another_time_was_seen_erases_nothing(store: Store) {
        let built = build(&store, "ada").chunk(&delivered(2)).store().await;
        built.merge_all(&store).await;
        end(&store, &built).await;
        hold_for(&store, DataClass::Numbers, 300).await;
        assert!(!tick(&store, DataClass::Numbers, DAYS, later()).await.unwrap());
        assert_eq!(numbers(&store, &built).await, 2);
        assert!(all(&store, DataClass::Numbers, later()).await.unwrap() > 0);
        assert_eq!(numbers(&store, &built).await, 0);
    }

    async fn what_handsets_sent_and_programs_were_told_goes_by_its_age_but_for_customers_under_a_hold(store: Store) {
        let now = later();
        let user = make_user(&store, "ada", Role::User).await;
        let held = make_user(&store, "bola", Role::User).await;
        let day = |days: u64| (now - Duration::from_hours(24 * days)).0;
        let mut rows = vec![format!("INSERT INTO legal_holds (user_id, reason, held_at, held_by) VALUES ({held}, 'x', 1, 1)")];
        // The held customer's are the oldest, and more than a step takes.
        for (user, count, age) in [(held, 501, 500), (user, 2, 450), (user, 3, 10), (user, 1, 3)] {
            for _ in 0..count {
                rows.push(format!(
                    "INSERT INTO inbound_messages (carrier, sender, recipient, text, user_id, received_at, handled_at)                      VALUES ('main', '1', '2', 'Hello', {user}, {0}, {0})", day(age)
                ));
                rows.push(format!("INSERT INTO webhook_events (user_id, type, body, created_at) VALUES ({user}, 'x', '{{}}', {})", day(age)));
            }
        }
        run(&store, rows).await;
        let pass = async |configured: RetentionDays, at: Time| {
            let terms = in_force(&store, configured, at).await.unwrap();
            for rows in WALKED_BY_AGE {
                let Some(mut pass) = AgedPass::begin(rows, &terms) else { continue };
                while pass.step(&store, at).await.unwrap().is_some() {}
            }
            let sql = "SELECT (SELECT COUNT(*) FROM inbound_messages), (SELECT COUNT(*) FROM webhook_events)";
            store.read().await.unwrap().one::<(i64, i64)>(sql, args![]).await.unwrap()
        };
        let none = RetentionDays::default();
        let five = RetentionDays { inbound: Some(5), receipts: Some(5), ..none };
        // What is put off is kept also by the time that holds where nothing is configured.
        assert_eq!(pass(five, now).await, (507, 507));
        assert_eq!(pass(none, now).await, (507, 507), "and so it is when a time was taken back");
        assert_eq!(pass(none, now + GRACE).await, (505, 505), "400 and 30 days");
        let longer = RetentionDays { receipts: Some(50), inbound: Some(5), ..none };
        assert_eq!(pass(longer, now + GRACE).await, (505, 505));
        assert_eq!(pass(longer, now + GRACE + GRACE).await, (502, 505));
        let sql = "SELECT class, items FROM retention_days ORDER BY class";
        let counted: Vec<(String, i64)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
        assert_eq!(counted, [("inbound".to_owned(), 3)]);
        run(&store, vec!["DELETE FROM legal_holds".to_owned()]).await;
        assert_eq!(pass(longer, now + GRACE + GRACE).await, (1, 4));
    }
}
