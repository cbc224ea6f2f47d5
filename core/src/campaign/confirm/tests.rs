use std::time::Duration;

use talkdrum_api::money::{Amount, Currency, Money};

use super::*;
use crate::campaign::quote::VALID_FOR;
use crate::content::{CallScript, ClipSource, Content, Pulse};
use crate::model::campaign::audience_chunk::CHUNK_SIZE;
use crate::model::campaign::id::CampaignId;
use crate::model::message::reason::PlatformReason;
use crate::routing::{RouteCarrier, RouteConfig};
use crate::settings::PriceKey;
use crate::store::campaign::resend as resends;
use crate::store::{Column, Dialect};
use crate::testing::campaign::{Fixture, NOW, numbers, route_carrier, set_price, set_price_of, user_with};
use crate::{args, both_databases, ledger};

/// `(status, chunks_open, scheduled_at, refund_undelivered, reserve)` of a campaign.
async fn campaign(fixture: &Fixture, id: CampaignId) -> (String, i64, Option<i64>, bool, i64) {
    fixture
        .tx()
        .await
        .one(
            "SELECT c.status, c.chunks_open, c.scheduled_at, c.refund_undelivered, a.balance_micros \
             FROM campaigns c JOIN accounts a ON a.id = c.reserve_account_id AND a.campaign_id = c.id \
             WHERE c.id = $1",
            args![id],
        )
        .await
        .unwrap()
}

both_databases! {
    async fn confirming_reserves_exactly_the_quote_and_makes_the_campaign(store: Store) {
        let mut fixture = Fixture::open(&store, "100").await;
        fixture.campaigns.refund_undelivered = true;
        let quote = fixture.quote(&"x".repeat(157), "08031234567 08021234567").await;
        let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert!(!confirmed.was_confirmed && confirmed.first_start.is_none());
        assert_eq!(fixture.balance().await, "90".parse().unwrap());
        let row = campaign(&fixture, confirmed.campaigns[0]).await;
        assert_eq!(row, ("sending".to_owned(), 1, None, true, 10_000_000));
        assert_eq!(fixture.count("SELECT COUNT(*) FROM number_index_queue").await, 1);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM transfers WHERE code = 'reserve'").await, 1);
        let shown = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        assert_eq!((shown.balance, shown.balance_after), (fixture.balance().await, fixture.balance().await));
        fixture.assert_ledger_adds_up().await;
    }

    async fn every_chunk_of_a_long_list_becomes_one_row_in_order(store: Store) {
        let fixture = Fixture::open(&store, "1000000").await;
        let quote = fixture.quote("Hello", &numbers(CHUNK_SIZE * 3 + 1)).await;
        let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        let rows: Vec<(i64, i64, i64)> = fixture.tx().await
            .all("SELECT audience_chunk_id, size, charge_micros FROM campaign_chunks ORDER BY id", args![])
            .await.unwrap();
        assert_eq!(rows.len(), 4);
        assert!(rows.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!((rows[0].1, rows[0].2, rows[3].1, rows[3].2), (4_096, 10_240_000_000, 1, 2_500_000));
        assert_eq!(campaign(&fixture, confirmed.campaigns[0]).await.1, 4);
        fixture.assert_ledger_adds_up().await;
    }

    async fn confirming_again_answers_the_same_campaign_and_charges_nothing(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = fixture.quote("Hello", "08031234567").await;
        let first = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        // Also long after it would have expired.
        fixture.advance(VALID_FOR * 2);
        let second = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!(first.campaigns, second.campaigns);
        assert!(second.was_confirmed);
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
    }

    async fn two_confirms_at_once_charge_once(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        let all = futures::future::join_all((0..8).map(|_| fixture.confirm(QuoteTarget::Quote(quote)))).await;
        let all: Vec<Confirmed> = all.into_iter().map(Result::unwrap).collect();
        assert!(all.iter().all(|one| one.campaigns == all[0].campaigns && one.campaigns.len() == 1));
        assert_eq!(all.iter().filter(|one| !one.was_confirmed).count(), 1);
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn two_quotes_at_once_cannot_spend_the_same_money(store: Store) {
        let fixture = Fixture::open(&store, "2.5").await;
        let (a, b) = (fixture.quote("A", "08031234567").await, fixture.quote("B", "08031234567").await);
        let (a, b) = futures::join!(
            fixture.confirm(QuoteTarget::Quote(QuoteId(a.quote_id))),
            fixture.confirm(QuoteTarget::Quote(QuoteId(b.quote_id)))
        );
        assert_eq!(u8::from(a.is_ok()) + u8::from(b.is_ok()), 1);
        assert_eq!(a.err().or(b.err()).unwrap().code(), "insufficient_balance");
        assert_eq!(fixture.balance().await, Amount::ZERO);
        fixture.assert_ledger_adds_up().await;
    }

    async fn many_at_once_are_each_confirmed_or_refused_as_if_alone(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let poor = user_with(&store, "obi", "2").await;
        let mut quotes = Vec::new();
        for number in 0..12 {
            let quote = fixture.quote(&format!("Code {number}"), "08031234567").await;
            quotes.push((fixture.user, QuoteId(quote.quote_id)));
        }
        let mut form = fixture.form("Hello", "08031234567");
        form.user_id = poor;
        quotes.push((poor, QuoteId(fixture.campaigns.quote(form).await.unwrap().quote_id)));
        quotes.push((fixture.user, QuoteId(999)));
        let confirm = |(number, (user_id, quote)): (usize, &(UserId, QuoteId))| {
            let (target, key) = (QuoteTarget::Quote(*quote), (number % 2 == 0).then(|| format!("key-{number}")));
            fixture.campaigns.confirm(Confirmation { user_id: *user_id, ordered_by: None, kind: Kind::Text, target, idempotency_key: key, request_hash: None })
        };
        let all = futures::future::join_all(quotes.iter().enumerate().map(confirm)).await;
        let codes: Vec<&str> = all.iter().filter_map(|one| one.as_ref().err()).map(Error::code).collect();
        assert_eq!(codes, ["insufficient_balance", "not_found"]);
        for (one, (_, quote)) in all.iter().flatten().zip(&quotes) {
            assert_eq!((one.quote_id, one.was_confirmed, one.campaigns.len()), (*quote, false, 1));
            assert_eq!((one.shown[0].id, one.shown[0].quote_id), (one.campaigns[0].0, quote.0));
            assert_eq!((one.shown[0].counts.queued, one.shown[0].reserved), (1, "2.5".parse().unwrap()));
        }
        assert_eq!(fixture.balance().await, "70".parse().unwrap());
        // The statement shows each with the balance after it.
        let rows: Vec<(i64, i64)> = fixture.tx().await
            .all("SELECT debit_balance_micros, credit_balance_micros FROM transfers WHERE code = 'reserve' \
                  ORDER BY id", args![])
            .await.unwrap();
        let mut left: Vec<i64> = rows.iter().map(|row| row.0).collect();
        left.sort_unstable_by_key(|left| std::cmp::Reverse(*left));
        assert_eq!(left, (1..=12).map(|count| 100_000_000 - count * 2_500_000).collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row.1 == 2_500_000));
        // Once more, all at once: nothing is charged again.
        let again = futures::future::join_all(quotes[..12].iter().enumerate().map(confirm)).await;
        for (one, before) in again.into_iter().map(Result::unwrap).zip(all.iter().flatten()) {
            assert_eq!((one.was_confirmed, &one.campaigns), (true, &before.campaigns));
        }
        assert_eq!(fixture.balance().await, "70".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn one_unit_short_refuses_everything_and_the_quote_stays_open(store: Store) {
        let fixture = Fixture::open(&store, "4.999999").await;
        let quote = fixture.quote("Hello", "08031234567 08031234568").await;
        assert_eq!(quote.balance_after, Amount(-1));
        let error = fixture.confirm_with(QuoteTarget::Quote(QuoteId(quote.quote_id)), Some("k")).await.unwrap_err();
        assert_eq!(error.code(), "insufficient_balance");
        assert!(error.to_string().contains("0.000001 Naira more"), "{error}");
        for table in ["SELECT COUNT(*) FROM campaigns", "SELECT COUNT(*) FROM campaign_chunks",
            "SELECT COUNT(*) FROM idempotency", "SELECT COUNT(*) FROM number_index_queue"] {
            assert_eq!(fixture.count(table).await, 0, "{table}");
        }
        assert_eq!(fixture.balance().await, Amount(4_999_999));
        // Funded, the same quote and the same key go through.
        store.write(Lane::Interactive, fixture.user, |tx, user| Box::pin(async move {
            let money = Money { amount: Amount(1), currency: Currency::Naira };
            ledger::credit_by_admin(tx, *user, money, "one", NOW).await
        })).await.unwrap();
        fixture.confirm_with(QuoteTarget::Quote(QuoteId(quote.quote_id)), Some("k")).await.unwrap();
        assert_eq!(fixture.balance().await, Amount::ZERO);
    }

    async fn runs_are_paid_together_or_not_at_all_and_start_when_they_are_due(store: Store) {
        let fixture = Fixture::open(&store, "7.4").await;
        let at = |hours: u64| NOW + Duration::from_secs(hours * 3600);
        let timed = || {
            let mut form = fixture.form("Hello", "08031234567");
            form.times = Ok(vec![NOW, at(1), at(2)]);
            form
        };
        let quote = fixture.campaigns.quote(timed()).await.unwrap();
        let error = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap_err();
        assert!(error.code() == "insufficient_balance" && error.to_string().contains("7.5 for 3 runs"), "{error}");
        assert_eq!(fixture.balance().await, "7.4".parse().unwrap());
        store.write(Lane::Interactive, fixture.user, |tx, user| Box::pin(async move {
            let money = Money { amount: Amount(100_000), currency: Currency::Naira };
            ledger::credit_by_admin(tx, *user, money, "more", NOW).await
        })).await.unwrap();
        let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!((confirmed.campaigns.len(), confirmed.first_start), (3, Some(NOW)));
        assert_eq!(fixture.balance().await, Amount::ZERO);
        let due = campaign(&fixture, confirmed.campaigns[0]).await;
        assert_eq!((&*due.0, due.2), ("sending", Some(NOW.0)));
        let later = campaign(&fixture, confirmed.campaigns[2]).await;
        assert_eq!((&*later.0, later.2, later.4), ("scheduled", Some(at(2).0), 2_500_000));
        assert_eq!(fixture.count("SELECT COUNT(DISTINCT audience_id) FROM campaigns").await, 1);
        fixture.assert_ledger_adds_up().await;
    }

    async fn the_whole_form_again_confirms_its_newest_quote_once(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let form = || QuoteTarget::Form(Box::new(fixture.form("Hello", "08031234567\n08021234567")));
        let missing = fixture.confirm(form()).await.unwrap_err();
        assert_eq!(missing.code(), "quote_missing");
        fixture.quote("Hello", "08031234567\n08021234567").await;
        let newest = fixture.quote("Hello", "08031234567\n08021234567").await;
        fixture.quote("Hello", "08031234567").await;
        let first = fixture.confirm(form()).await.unwrap();
        let second = fixture.confirm(form()).await.unwrap();
        assert_eq!((first.quote_id, second.quote_id), (QuoteId(newest.quote_id), QuoteId(newest.quote_id)));
        assert_eq!(first.campaigns, second.campaigns);
        assert_eq!(fixture.balance().await, "95".parse().unwrap());
        let mut empty = fixture.form("Hello", "");
        empty.sender = None;
        let error = fixture.confirm(QuoteTarget::Form(Box::new(empty))).await.unwrap_err();
        assert_eq!(error.to_string(), "Sender ID is required");
    }

    async fn an_idempotency_key_replays_its_confirmation_and_no_other(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        let other = QuoteId(fixture.quote("Other", "08031234567").await.quote_id);
        let first = fixture.confirm_with(QuoteTarget::Quote(quote), Some("k")).await.unwrap();
        let replay = fixture.confirm_with(QuoteTarget::Quote(quote), Some("k")).await.unwrap();
        assert_eq!((first.campaigns, true), (replay.campaigns, replay.was_confirmed));
        // Also when it is sent again twice at once, and without its key.
        let again = || fixture.confirm_with(QuoteTarget::Quote(quote), Some("k"));
        let (second, third, keyless) = futures::join!(again(), again(), fixture.confirm(QuoteTarget::Quote(quote)));
        for one in [second, third, keyless] {
            let one = one.unwrap();
            assert_eq!((one.was_confirmed, one.shown.len(), one.shown[0].id), (true, 1, one.campaigns[0].0));
        }
        let error = fixture.confirm_with(QuoteTarget::Quote(other), Some("k")).await.unwrap_err();
        assert_eq!(error.code(), "idempotency_key_reused");
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
    }

    async fn an_expired_quote_is_refused_with_what_to_do(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        fixture.advance(VALID_FOR);
        let error = fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap_err();
        assert_eq!(error.code(), "quote_expired");
        assert!(error.to_string().contains("Ask for a new one"), "{error}");
        assert_eq!(fixture.balance().await, "100".parse().unwrap());
    }

    async fn a_quote_is_confirmed_by_its_owner_as_its_kind_and_while_active(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        let other = user_with(&store, "obi", "100").await;
        let confirm = |user_id, kind| fixture.campaigns.confirm(Confirmation {
            user_id, ordered_by: None, kind, target: QuoteTarget::Quote(quote), idempotency_key: None, request_hash: None });
        assert_eq!(confirm(other, Kind::Text).await.unwrap_err().code(), "not_found");
        assert_eq!(confirm(fixture.user, Kind::Flash).await.unwrap_err().code(), "quote_kind");
        store.write(Lane::Interactive, fixture.user, |tx, user| Box::pin(
            tx.run_exactly(1, "UPDATE users SET status = 'inactive' WHERE id = $1", args![*user])
        )).await.unwrap();
        assert_eq!(confirm(fixture.user, Kind::Text).await.unwrap_err().code(), "account_inactive");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM campaigns").await, 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM quotes WHERE confirmed_at IS NOT NULL").await, 0);
    }

    async fn what_an_administrator_confirms_for_a_user_is_in_the_audit_trail_once(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let admin = crate::testing::account::make_user(&store, "root", crate::model::account::user::Role::Admin).await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        let confirm = |ordered_by| fixture.campaigns.confirm(Confirmation {
            user_id: fixture.user,
            ordered_by,
            kind: Kind::Text,
            target: QuoteTarget::Quote(quote),
            idempotency_key: None,
            request_hash: None,
        });
        confirm(Some(admin)).await.unwrap();
        assert!(confirm(Some(admin)).await.unwrap().was_confirmed);
        let sql = "SELECT user_id, subject FROM audit WHERE action = 'campaign.confirm'";
        let entries: Vec<(Option<UserId>, String)> = fixture.tx().await.all(sql, args![]).await.unwrap();
        assert_eq!(entries, [(Some(admin), format!("quote {quote} of user {}", fixture.user))]);
    }

    async fn a_campaign_that_costs_nothing_moves_nothing(store: Store) {
        let fixture = Fixture::open(&store, "0").await;
        set_price(&store, fixture.user, Currency::Naira, "0").await;
        let quote = fixture.quote("Hello", "08031234567").await;
        let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!(campaign(&fixture, confirmed.campaigns[0]).await.4, 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM transfers").await, 0);
        fixture.assert_ledger_adds_up().await;
    }

    async fn the_price_of_the_quote_holds_when_the_price_changes(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = fixture.quote("Hello", "08031234567").await;
        set_price(&store, fixture.user, Currency::Naira, "50").await;
        fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
    }

    async fn no_policy_of_a_carrier_charges_calls_that_were_missed(store: Store) {
        let keeps = RouteCarrier { kinds: vec![Kind::Voice], refund_undelivered: Some(false), ..route_carrier("trunk") };
        let fixture = Fixture::with_routes(&store, "100", &[keeps], &[]).await;
        set_price_of(&store, fixture.user, PriceKey::voice(Currency::Naira), "9").await;
        let clip = ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() };
        let script =
            CallScript { clip, caller: None, length_ms: 1_000, tail_ms: 0, pulse: Pulse::MINUTES, poll: None };
        let form = Form {
            kind: Kind::Voice,
            content: Ok(Content::Voice(script)),
            ..fixture.form("", "08031234567")
        };
        let quote = fixture.campaigns.quote(form).await.unwrap();
        let confirmation = Confirmation {
            user_id: fixture.user,
            ordered_by: None,
            kind: Kind::Voice,
            target: QuoteTarget::Quote(QuoteId(quote.quote_id)),
            idempotency_key: None,
            request_hash: None,
        };
        // Neither the platform nor the trunk refunds messages that are not delivered.
        assert!(!fixture.campaigns.refund_undelivered);
        let confirmed = fixture.campaigns.confirm(confirmation).await.unwrap();
        assert!(campaign(&fixture, confirmed.campaigns[0]).await.3, "the campaign does");
        let sql = "SELECT refund_undelivered FROM campaign_chunks";
        let of_chunk: (Option<bool>,) = fixture.tx().await.one(sql, args![]).await.unwrap();
        assert_eq!(of_chunk.0, None, "and no chunk of it has another policy");
    }

    async fn what_a_carrier_agreed_to_is_frozen_into_its_chunks_of_each_campaign(store: Store) {
        let carriers = [
            route_carrier("main"),
            RouteCarrier { refund_undelivered: Some(true), ..route_carrier("refunds") },
            RouteCarrier { refund_undelivered: Some(false), ..route_carrier("as-the-house") },
        ];
        let route = |carrier: &str, prefix: &str, promotional| RouteConfig {
            carrier: carrier.into(),
            prefixes: vec![prefix.into()],
            promotional,
            ..RouteConfig::default()
        };
        let routes = [
            route("refunds", "2348031", true),
            route("refunds", "2348032", false),
            route("as-the-house", "234805", false),
            route("main", "234802", true),
        ];
        let fixture = Fixture::with_routes(&store, "100", &carriers, &routes).await;
        let (all, one) = futures::join!(
            fixture.quote("All", "08031234567 08032234567 08051234567 08021234567"),
            fixture.quote("One", "08021234567")
        );
        let (all, one) = futures::join!(
            fixture.confirm(QuoteTarget::Quote(QuoteId(all.quote_id))),
            fixture.confirm(QuoteTarget::Quote(QuoteId(one.quote_id)))
        );
        let chunks = async |campaign: CampaignId| -> Vec<(String, bool, Option<bool>, i64)> {
            let sql = "SELECT carrier, promotional, refund_undelivered, size FROM campaign_chunks \
                       WHERE campaign_id = $1 ORDER BY carrier, promotional";
            fixture.tx().await.all(sql, args![campaign]).await.unwrap()
        };
        let of = |carrier: &str, promotional, refund| (carrier.to_owned(), promotional, refund, 1);
        let main = of("main", true, None);
        assert_eq!(chunks(one.unwrap().campaigns[0]).await, std::slice::from_ref(&main));
        assert_eq!(
            chunks(all.unwrap().campaigns[0]).await,
            [
                of("as-the-house", false, None),
                main,
                of("refunds", false, Some(true)),
                of("refunds", true, Some(true)),
            ]
        );
        fixture.assert_ledger_adds_up().await;
    }

    async fn carriers_that_take_over_are_named_by_the_quote_and_fixed_in_its_chunks(store: Store) {
        let carriers =
            [route_carrier("main"), RouteCarrier { max_parts: 1, ..route_carrier("short") }, route_carrier("spare")];
        let spares = vec!["short".to_owned(), "spare".to_owned()];
        let routes = [RouteConfig { carrier: "main".into(), spares, ..RouteConfig::default() }];
        let fixture = Fixture::with_routes(&store, "100", &carriers, &routes).await;
        for (text, spares) in [("Hello".to_owned(), "short\nspare"), ("Hello ".repeat(40), "spare")] {
            let quote = fixture.quote(&text, "08031234567 08032234567").await;
            assert_eq!(quote.route, "main then short then spare");
            let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
            let sql = "SELECT carrier, spares FROM campaign_chunks WHERE campaign_id = $1";
            let chunks: Vec<(String, Option<String>)> =
                fixture.tx().await.all(sql, args![confirmed.campaigns[0]]).await.unwrap();
            assert_eq!(chunks, [("main".to_owned(), Some(spares.to_owned()))]);
        }
    }

    async fn a_sender_that_was_withdrawn_refuses_its_quote_and_not_those_beside_it(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let set = async |status: &'static str| {
            store.write(Lane::Interactive, (fixture.user, status), |tx, (user, status)| Box::pin(
                tx.run("INSERT INTO sender_ids (user_id, sender_id, status, created_at) VALUES ($1, 'SHOP', $2, 1) \
                        ON CONFLICT (user_id, sender_id) DO UPDATE SET status = $2", args![*user, *status])
            )).await.unwrap();
        };
        set("approved").await;
        let mut form = fixture.form("Hello", "08031234567");
        form.sender = Some("SHOP".into());
        let withdrawn = QuoteId(fixture.campaigns.quote(form).await.unwrap().quote_id);
        let other = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        set("disapproved").await;
        let (refused, made) =
            futures::join!(fixture.confirm(QuoteTarget::Quote(withdrawn)), fixture.confirm(QuoteTarget::Quote(other)));
        assert_eq!(refused.unwrap_err().code(), "sender_not_allowed");
        assert!(!made.unwrap().was_confirmed);
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_carrier_that_is_gone_refuses_the_quote_before_anything_is_charged(store: Store) {
        let mut fixture = Fixture::open(&store, "100").await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        let router = Router::new(vec![route_carrier("other")], &[], &fixture.campaigns.networks).unwrap();
        fixture.campaigns.router = router.into();
        let error = fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap_err();
        assert!(error.code() == "route_changed" && error.to_string().contains("'main'"), "{error}");
        assert_eq!(fixture.balance().await, "100".parse().unwrap());
        assert_eq!(fixture.count("SELECT COUNT(*) FROM campaigns").await, 0);
    }

    async fn no_statement_of_quoting_and_confirming_reads_a_whole_table(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Postgres {
            tx.run("SET enable_seqscan = off", args![]).await.unwrap();
        }
        let (ints, texts) = (Column::Ints(vec![1]), Column::Texts(vec![None]));
        let policies = args![vec![ints.clone(), texts.clone(), ints.clone()]];
        let campaigns = args![1_i64, vec![ints.clone(), ints.clone(), ints.clone(), ints.clone(), texts, ints]];
        let plans = [
            (tx.explain(table::INSERT_CHUNKS, args![vec![Column::Ints(vec![1]); 4]]).await,
                ["audience_chunks_audience"; 2]),
            (tx.explain(table::INSERT_CAMPAIGNS, campaigns).await, ["SEARCH q USING INTEGER PRIMARY KEY", "quotes_pkey"]),
            (tx.explain(table::FREEZE_REFUNDS, policies).await, ["campaign_chunks_campaign"; 2]),
            (tx.explain(quotes::EXPIRED, args![1_i64, 8_i64]).await, ["quotes_expiry"; 2]),
            (tx.explain(crate::store::account::quota::STANDINGS, args![vec![Column::Ints(vec![1])], 1_i64]).await,
                ["quotes_unconfirmed"; 2]),
            (tx.explain(resends::FAILED, args![1_i64, 2_i64, PlatformReason::ResolvedRefunded.code()]).await,
                ["SEARCH m USING INTEGER PRIMARY KEY", "messages_pkey"]),
            (tx.explain(resends::COUNT, args![1_i64, PlatformReason::ResolvedRefunded.code()]).await,
                ["SEARCH r USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", "message_resends_pkey"]),
            (tx.explain(resends::MARK, args![1_i64, PlatformReason::ResolvedRefunded.code(), vec![Column::Ints(vec![1])]]).await,
                ["SEARCH m USING INTEGER PRIMARY KEY", "messages_pkey"]),
        ];
        for (plan, indices) in plans {
            let plan = plan.unwrap().join("\n");
            assert!(indices.iter().any(|index| plan.contains(index)), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}

#[test]
fn the_customer_is_told_when_it_goes_out() {
    let confirmed = |first_start| Confirmed {
        quote_id: QuoteId(1),
        campaigns: vec![CampaignId(1)],
        shown: vec![],
        first_start,
        was_confirmed: false,
    };
    assert_eq!(confirmed(None).message(NOW), "SMS Sent");
    assert_eq!(confirmed(Some(NOW)).message(NOW), "SMS Sent");
    assert!(confirmed(Some(NOW + VALID_FOR)).message(NOW).starts_with("SMS scheduled for 2023-11-14T22:43"));
}
