use std::collections::BTreeSet;

use futures::future::join_all;
use talkdrum_api::purpose::Purpose;

use super::*;
use crate::both_databases;
use crate::campaign::report::progress;
use crate::contact::suppression;
use crate::model::account::user::Role;
use crate::model::campaign::id::{CampaignId, QuoteId};
use crate::model::webhook::receipt_callback::CallbackDetails;
use crate::phone::NetworkTable;
use crate::routing::RouteConfig;
use crate::routing::quiet_hours::QuietHours;
use crate::settings::PriceKey;
use crate::store::BatchWrite as _;
use crate::store::webhook::receipt_callback;
use crate::testing::account::make_user;
use crate::testing::campaign::{
    Fixture, NOW, give_plan, opt_out, route_carrier, set_plans, set_price_of, set_rates, user_with,
};

fn single(fixture: &Fixture, contact: &str, text: &str) -> Single {
    Single {
        user_id: fixture.user,
        kind: Kind::Text,
        sender: Some("WEBSMS".into()),
        payment_method: Some("paystack".into()),
        purpose: Ok(None),
        contact: contact.into(),
        content: Ok(Content::Text { text: text.into() }),
        max_charge: None,
        start: None,
        callback: None,
        claim: None,
    }
}

fn claim(fixture: &Fixture, key: &str, hash: u8) -> Option<Claim> {
    Some(Claim { user_id: fixture.user, key: key.into(), operation: "message.send", input_hash: [hash; 32] })
}

/// Has the messages carried out as one batch.
async fn together(fixture: &Fixture, singles: Vec<Single>) -> Result<Vec<Sent>> {
    let mut orders = Vec::new();
    for single in singles {
        orders.push(fixture.campaigns.draft(single).await?);
    }
    let outcomes = fixture
        .campaigns
        .store
        .write(Lane::Interactive, orders, |tx, orders| SingleOrder::apply_batch(tx, orders));
    let sent = outcomes.await?.into_iter().map(|outcome| match outcome {
        SingleOutcome::New(sent) => *sent,
        other => panic!("{other:?}"),
    });
    Ok(sent.collect())
}

/// What is told of a message: `(campaign, number, price, text)`.
async fn told(fixture: &Fixture, message: i64) -> (i64, String, Amount, String) {
    let (scope, networks) = (RecordScope::Own(fixture.user), NetworkTable::builtin());
    let why = explain::message(&mut fixture.tx().await, scope, MessageId(message), networks).await.unwrap();
    (why.message.campaign_id, why.message.to, why.message.price, why.text)
}

async fn campaigns(fixture: &Fixture) -> i64 {
    fixture.count("SELECT COUNT(*) FROM campaigns").await
}

both_databases! {
    async fn a_message_is_paid_and_on_its_way_in_one_call(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let text = "x".repeat(157);
        let sent = fixture.campaigns.send_single(single(&fixture, "0803 123 4567", &text)).await.unwrap();
        let row = &sent.message;
        assert_eq!((row.to.as_str(), row.network.as_str(), row.status.as_str()), ("2348031234567", "mtn", "queued"));
        assert_eq!((row.pages, row.price, row.currency.as_str()), (2, "5".parse().unwrap(), "naira"));
        assert_eq!((sent.balance, fixture.balance().await), ("95".parse().unwrap(), "95".parse().unwrap()));
        assert!(!sent.is_in_review && !sent.was_sent);
        assert_eq!(told(&fixture, row.id).await, (row.campaign_id, row.to.clone(), row.price, text));
        let (status, confirmed): (String, i64) = fixture.tx().await
            .one("SELECT c.status, q.confirmed_at FROM campaigns c JOIN quotes q ON q.id = c.quote_id", crate::args![])
            .await.unwrap();
        assert_eq!((status.as_str(), confirmed), ("sending", NOW.0));
        assert_eq!(fixture.count("SELECT COUNT(*) FROM number_index_queue").await, 1);
        fixture.assert_ledger_adds_up().await;
    }

    async fn the_preview_of_messages_that_were_sent_together_says_whose_it_is(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let texts = [("08031234567", "Dear Zebulon"), ("08021234567", "Dear Ada")];
        together(&fixture, texts.map(|(to, text)| single(&fixture, to, text)).into()).await.unwrap();
        let sql = "SELECT content, details FROM quotes";
        let (content, details): (String, String) = fixture.tx().await.one(sql, crate::args![]).await.unwrap();
        assert!(content.contains("{message}"), "{content}");
        let details = QuoteDetails::from_json(&details).unwrap();
        assert_eq!((&*details.message, details.message_to.as_deref()), ("Dear Zebulon", Some("2348031234567")));
    }

    async fn messages_cost_the_rate_of_where_they_go_and_share_a_campaign_all_the_same(store: Store) {
        let fixture = Fixture::open(&store, "500").await;
        set_rates(&store, fixture.user, &[("44", "", "60"), ("447911", "", "75.25"), ("234", "mtn", "2.000001")]).await;
        let wanted = ["08031234567", "08021234567", "+447400123456", "+447911123456", "07031234567"];
        let sent = together(&fixture, wanted.map(|to| single(&fixture, to, "Hi")).into()).await.unwrap();
        let prices: Vec<String> = sent.iter().map(|sent| sent.message.price.to_string()).collect();
        assert_eq!(prices, ["2.000001", "2.5", "60", "75.25", "2.000001"]);
        assert_eq!((campaigns(&fixture).await, fixture.count("SELECT COUNT(*) FROM campaign_chunks").await), (1, 4));
        for sent in &sent {
            assert_eq!(told(&fixture, sent.message.id).await.2, sent.message.price);
        }
        assert_eq!(fixture.balance().await, "358.249998".parse().unwrap());
        let quote: (i64,) = fixture.tx().await.one("SELECT id FROM quotes", crate::args![]).await.unwrap();
        let quote = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.0)).await.unwrap();
        let lines: Vec<_> = quote.rates.iter().map(|it| (it.prefix.as_deref(), it.contacts, it.pages)).collect();
        assert_eq!(lines, [(Some("234"), 1, 1), (Some("234"), 2, 2), (Some("44"), 1, 1), (Some("447911"), 1, 1)]);
        let refused = fixture.campaigns.send_single(single(&fixture, "+33612345678", "Hi")).await.unwrap_err();
        assert_eq!(refused.code(), "no_price");
        fixture.assert_ledger_adds_up().await;
    }

    async fn messages_of_users_with_different_plans_that_are_paid_together_cost_what_each_plan_says(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let root = make_user(&store, "root", Role::Admin).await;
        let (bob, eve) = (user_with(&store, "bob", "10").await, user_with(&store, "eve", "10").await);
        set_plans(&store, root, &[("gold", &[("234", "", "1")]), ("silver", &[("234", "", "2.000001")])]).await.unwrap();
        give_plan(&store, root, fixture.user, Some("gold")).await.unwrap();
        give_plan(&store, root, bob, Some("silver")).await.unwrap();
        let of = |user_id| Single { user_id, ..single(&fixture, "08031234567", "Hi") };
        let sent = together(&fixture, [fixture.user, bob, eve, fixture.user].map(of).into()).await.unwrap();
        let prices: Vec<String> = sent.iter().map(|sent| sent.message.price.to_string()).collect();
        assert_eq!(prices, ["1", "2.000001", "2.5", "1"]);
        assert_eq!(fixture.balance().await, "98".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn messages_at_the_same_time_share_a_campaign_and_keep_their_texts_and_prices(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let long = "{name} costs ₦5 ".repeat(12);
        let wanted = [
            ("08031234567", "Your code is 1111"),
            ("08051234567", long.as_str()),
            ("08021234567", "Your code is 3333"),
        ];
        let sent = together(&fixture, wanted.map(|(to, text)| single(&fixture, to, text)).into()).await.unwrap();
        assert_eq!(campaigns(&fixture).await, 1);
        for (sent, (to, text)) in sent.iter().zip(wanted) {
            let (campaign, number, price, said) = told(&fixture, sent.message.id).await;
            assert_eq!((campaign, number.as_str()), (sent.message.campaign_id, &*format!("234{}", &to[1..])));
            assert_eq!((price, &said), (sent.message.price, &sent.text));
            assert_eq!(said, text.replace('₦', "N"), "braces stay, look-alikes are replaced");
        }
        let prices: Vec<String> = sent.iter().map(|sent| sent.message.price.to_string()).collect();
        assert_eq!(prices, ["2.5", "5", "2.5"]);
        assert_eq!(fixture.balance().await, "90".parse().unwrap());
        let quote: (i64,) = fixture.tx().await.one("SELECT id FROM quotes", crate::args![]).await.unwrap();
        let quote = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.0)).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_pages, quote.pages), (3, 4, (1, 2)));
        assert_eq!((quote.total_charges, quote.networks["mtn"]), ("10".parse().unwrap(), 1));
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_message_with_a_callback_or_a_start_leaves_both_and_one_without_leaves_neither(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let callback = ReceiptCallback { url: "http://example.com/%d".into(), mask: 3, details: CallbackDetails::default() };
        let start = NOW + std::time::Duration::from_secs(3_600);
        let watched = |contact: &str| Single { callback: Some(callback.clone()), ..single(&fixture, contact, "Hello") };
        let sent = together(&fixture, vec![
            watched("08031234567"),
            single(&fixture, "08031234568", "Hello"),
            Single { start: Some(start), ..watched("08031234569") },
        ]).await.unwrap();
        let starts: Vec<(i64, Option<i64>, String)> = fixture.tx().await
            .all("SELECT id, scheduled_at, status FROM campaigns ORDER BY id", crate::args![]).await.unwrap();
        assert_eq!(starts, [
            (sent[0].message.campaign_id, None, "sending".to_owned()),
            (sent[2].message.campaign_id, Some(start.0), "scheduled".to_owned()),
        ], "what starts at other times shares no campaign");
        assert_eq!(sent[1].message.campaign_id, sent[0].message.campaign_id);
        for (sent, is_watched) in sent.iter().zip([true, false, true]) {
            let rows = receipt_callback::of_chunk(&mut fixture.tx().await, MessageId(sent.message.id).chunk()).await.unwrap();
            let own = rows.into_iter().find(|row| row.message.0 == sent.message.id);
            assert_eq!(own.map(|row| (row.user_id, row.callback)), is_watched.then(|| (fixture.user, callback.clone())));
        }
        let again = Single { claim: claim(&fixture, "k", 1), ..watched("08031234570") };
        fixture.campaigns.send_single(again).await.unwrap();
        let again = Single { claim: claim(&fixture, "k", 1), ..watched("08031234570") };
        assert!(fixture.campaigns.send_single(again).await.unwrap().was_sent);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM receipt_callbacks").await, 3, "a repeated request leaves none");
        let far = Single { start: Some(NOW + std::time::Duration::from_secs(400 * 86_400)), ..watched("08031234571") };
        assert_eq!(fixture.campaigns.send_single(far).await.unwrap_err().code(), "time_too_far");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM receipt_callbacks").await, 3);
        fixture.assert_ledger_adds_up().await;
    }

    async fn one_text_to_several_numbers_is_kept_once(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let sent = together(&fixture, vec![
            single(&fixture, "08031234567", "We {open} at 9"),
            single(&fixture, "08031234568", "We {open} at 9"),
        ]).await.unwrap();
        let columns: (String,) = fixture.tx().await.one("SELECT columns FROM audiences", crate::args![]).await.unwrap();
        assert_eq!(columns.0, "[]");
        for sent in sent {
            assert_eq!(told(&fixture, sent.message.id).await.3, "We {open} at 9");
            let (mut tx, scope) = (fixture.tx().await, RecordScope::Own(fixture.user));
            let shown = progress::view(&mut tx, scope, CampaignId(sent.message.campaign_id)).await.unwrap();
            assert_eq!(shown.msg, "We {open} at 9");
        }
    }

    async fn what_differs_has_a_campaign_of_its_own(store: Store) {
        let route = |carrier: &str, prefix: &str| RouteConfig {
            carrier: carrier.into(),
            prefixes: vec![prefix.into()],
            ..RouteConfig::default()
        };
        let spared = RouteConfig { spares: vec!["second".into()], ..route("first", "234803") };
        let routes = [spared, route("second", "2348")];
        let fixture = Fixture::with_routes(&store, "100", &[route_carrier("first"), route_carrier("second")], &routes).await;
        let flash = Single {
            kind: Kind::Flash,
            content: Ok(Content::Flash { text: "Now".into() }),
            ..single(&fixture, "08031234569", "")
        };
        let push = |title: &str, to: &str| Single {
            kind: Kind::WapPush,
            content: Ok(Content::WapPush { title: title.into(), url: "https://example.com".into() }),
            ..single(&fixture, to, "")
        };
        let sent = together(&fixture, vec![
            single(&fixture, "08031234567", "Code 1"),
            // The same number again: once in a campaign.
            single(&fixture, "08031234567", "Code 2"),
            // Another way: a chunk of its own.
            single(&fixture, "08051234567", "Code 3"),
            flash,
            push("News", "08031234570"),
            push("News", "08031234571"),
            push("Other", "08031234572"),
        ]).await.unwrap();
        let of: Vec<i64> = sent.iter().map(|sent| sent.message.campaign_id).collect();
        assert_eq!(of[0], of[2]);
        assert_eq!(of[4], of[5]);
        assert_eq!(of.iter().collect::<BTreeSet<_>>().len(), 5);
        assert_eq!(sent.iter().map(|sent| sent.message.id).collect::<BTreeSet<_>>().len(), 7);
        let expected = ["Code 1", "Code 2", "Code 3", "Now", "News", "News", "Other"];
        for (sent, text) in sent.iter().zip(expected) {
            let (campaign, number, _, said) = told(&fixture, sent.message.id).await;
            assert_eq!((campaign, &number), (sent.message.campaign_id, &sent.message.to));
            assert!(said.starts_with(text), "{said}");
        }
        let carriers: Vec<(String, i64)> = fixture.tx().await
            .all("SELECT carrier, size FROM campaign_chunks ORDER BY id LIMIT 2", crate::args![]).await.unwrap();
        assert_eq!(carriers, [("first".to_owned(), 1), ("second".to_owned(), 1)]);
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_campaign_holds_as_many_as_workers_claim_at_once(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let one = |it: i64| single(&fixture, &(2_348_031_234_000 + it).to_string(), &format!("Code {it}"));
        let sent = together(&fixture, (0..65).map(one).collect()).await.unwrap();
        let sizes: Vec<(i64,)> =
            fixture.tx().await.all("SELECT size FROM campaigns ORDER BY id", crate::args![]).await.unwrap();
        assert_eq!(sizes, [(64,), (1,)]);
        assert_eq!(told(&fixture, sent[64].message.id).await.3, "Code 64");
        fixture.assert_ledger_adds_up().await;
    }

    async fn messages_of_different_purposes_share_no_campaign_and_mind_their_own_opt_outs(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        opt_out(&store, suppression::SuppressionScope::Platform, 2_348_031_234_560).await;
        let mut orders = Vec::new();
        for (place, purpose) in Purpose::ALL.into_iter().chain(Purpose::ALL).enumerate() {
            let contact = if place < 3 { "08031234560".to_owned() } else { format!("0803123457{place}") };
            let single = Single { purpose: Ok(Some(purpose)), ..single(&fixture, &contact, "Hello") };
            orders.push(fixture.campaigns.draft(single).await.unwrap());
        }
        let outcomes = store.write(Lane::Interactive, orders, |tx, orders| SingleOrder::apply_batch(tx, orders)).await.unwrap();
        let told: Vec<&str> = outcomes.iter().map(|outcome| match outcome {
            SingleOutcome::New(_) => "sent",
            SingleOutcome::Before(_) => "before",
            SingleOutcome::Refused(error) => error.code(),
        }).collect();
        assert_eq!(told, ["opted_out", "opted_out", "sent", "sent", "sent", "sent"]);
        let campaigns: Vec<(Purpose, i64)> =
            fixture.tx().await.all("SELECT purpose, size FROM campaigns ORDER BY id", crate::args![]).await.unwrap();
        assert_eq!(campaigns, [(Purpose::Otp, 2), (Purpose::Promotional, 1), (Purpose::Transactional, 1)]);
        fixture.assert_ledger_adds_up().await;
    }

    async fn who_is_refused_in_a_batch_stands_in_nobodys_way_and_keeps_the_key(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        opt_out(&store, suppression::SuppressionScope::Platform, 2_348_031_234_568).await;
        let stranger = || Single { sender: Some("Shop".into()), ..single(&fixture, "08031234569", "Hello") };
        let keyed = |contact: &str| Single { claim: claim(&fixture, "k", 1), ..single(&fixture, contact, "Hello") };
        let mut orders = Vec::new();
        for single in [single(&fixture, "08031234567", "One"), keyed("08031234568"), stranger(), single(&fixture, "08031234570", "Two")] {
            orders.push(fixture.campaigns.draft(single).await.unwrap());
        }
        let outcomes = store.write(Lane::Interactive, orders, |tx, orders| SingleOrder::apply_batch(tx, orders)).await.unwrap();
        let told: Vec<&str> = outcomes.iter().map(|outcome| match outcome {
            SingleOutcome::New(sent) => sent.text.as_str(),
            SingleOutcome::Before(_) => "before",
            SingleOutcome::Refused(error) => error.code(),
        }).collect();
        assert_eq!(told, ["One", "opted_out", "sender_not_allowed", "Two"]);
        assert_eq!(campaigns(&fixture).await, 1);
        assert!(fixture.campaigns.send_single(keyed("08031234571")).await.is_ok());
    }

    async fn a_wallet_that_runs_dry_in_a_batch_refuses_the_rest_of_its_messages_alone(store: Store) {
        let fixture = Fixture::open(&store, "6").await;
        let rich = user_with(&store, "rich", "100").await;
        let keyed = |key: &str, contact: &str, text: &str| {
            let claim = claim(&fixture, key, 1);
            Single { claim, ..single(&fixture, contact, text) }
        };
        let other = Single { user_id: rich, ..single(&fixture, "08031234570", "Of another") };
        let mut orders = Vec::new();
        let long = "x".repeat(157);
        for single in [keyed("a", "08031234567", "One"), keyed("b", "08031234568", &long), keyed("c", "08031234569", "Two"), other] {
            orders.push(fixture.campaigns.draft(single).await.unwrap());
        }
        let outcomes = store.write(Lane::Interactive, orders, |tx, orders| SingleOrder::apply_batch(tx, orders)).await.unwrap();
        let told: Vec<String> = outcomes.iter().map(|outcome| match outcome {
            SingleOutcome::New(sent) => format!("{} {}", sent.text, sent.balance),
            SingleOutcome::Before(_) => "before".to_owned(),
            SingleOutcome::Refused(error) => error.to_string(),
        }).collect();
        assert_eq!((told[0].as_str(), told[2].as_str(), told[3].as_str()), ("One 3.5", "Two 1", "Of another 97.5"));
        assert!(told[1].contains("3.5 does not cover 5: 1.5 Naira more"), "{}", told[1]);
        assert_eq!(fixture.balance().await, "1".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
        // The key of what was refused is free.
        let again = fixture.campaigns.send_single(keyed("b", "08031234568", &long)).await.unwrap_err();
        assert_eq!(again.code(), "insufficient_balance");
    }

    async fn of_many_at_once_only_those_beyond_the_balance_are_refused(store: Store) {
        let fixture = Fixture::open(&store, "12").await;
        let all = (0..9).map(|it| single(&fixture, &format!("0803123456{it}"), &format!("Code {it}")));
        let all = join_all(all.map(|single| fixture.campaigns.send_single(single))).await;
        let (sent, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
        assert_eq!((sent.len(), refused.len()), (4, 5));
        assert!(refused.iter().all(|it| it.as_ref().unwrap_err().code() == "insufficient_balance"));
        assert_eq!(fixture.balance().await, "2".parse().unwrap());
        assert_eq!(fixture.count("SELECT CAST(SUM(size) AS BIGINT) FROM campaigns").await, 4);
        fixture.assert_ledger_adds_up().await;
    }

    async fn the_same_key_sends_once_and_answers_even_what_would_be_refused_by_now(store: Store) {
        let fixture = Fixture::open(&store, "2.5").await;
        let keyed = |hash| Single { claim: claim(&fixture, "k", hash), ..single(&fixture, "08031234567", "Code {1}") };
        let first = fixture.campaigns.send_single(keyed(1)).await.unwrap();
        // Nothing is left to pay with, and the number has opted out since.
        opt_out(&store, suppression::SuppressionScope::User(fixture.user), 2_348_031_234_567).await;
        let again = fixture.campaigns.send_single(keyed(1)).await.unwrap();
        assert_eq!((again.message.id, again.was_sent, again.text.as_str()), (first.message.id, true, "Code {1}"));
        assert_eq!((again.message.price, again.balance), (first.message.price, Amount::ZERO));
        assert_eq!(campaigns(&fixture).await, 1);
        let other = fixture.campaigns.send_single(keyed(2)).await.unwrap_err();
        assert_eq!(other.code(), "idempotency_key_reused");
    }

    async fn one_key_posted_many_times_at_once_sends_one_message(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let all = join_all((0..8).map(|_| {
            let keyed = Single { claim: claim(&fixture, "k", 1), ..single(&fixture, "08031234567", "Code") };
            fixture.campaigns.send_single(keyed)
        })).await;
        let ids: BTreeSet<i64> = all.into_iter().map(|sent| sent.unwrap().message.id).collect();
        assert_eq!((ids.len(), campaigns(&fixture).await), (1, 1));
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
    }

    async fn what_is_refused_leaves_nothing_behind(store: Store) {
        let mut fixture = Fixture::open(&store, "100").await;
        fixture.campaigns.limits.daily_naira = "4".parse().unwrap();
        opt_out(&store, suppression::SuppressionScope::User(fixture.user), 2_348_031_234_560).await;
        let one = |contact: &str, text: &str| single(&fixture, contact, text);
        let capped = Single { max_charge: Some("2.49".parse().unwrap()), ..one("08031234567", "Hello") };
        let refused = [
            (one("", "Hello"), "recipients_required"),
            (one("080", "Hello"), "bad_number"),
            (one("08031234567, 08031234568", "Hello"), "bad_number"),
            (one("08031234560", "Hello"), "opted_out"),
            (one("08031234567", "Hello 中"), "not_gsm7"),
            (one("08031234567", &"x".repeat(2_000)), "message_too_long"),
            (one("08031234567", &"x".repeat(157)), "spending_cap"),
            (Single { sender: None, ..one("08031234567", "Hello") }, "sender_required"),
            (Single { sender: Some("Shop".into()), ..one("08031234567", "Hello") }, "sender_not_allowed"),
            (Single { payment_method: None, ..one("08031234567", "Hello") }, "payment_required"),
            (capped, "max_charge"),
            (Single { max_charge: Some(Amount(-1)), ..one("08031234567", "Hello") }, "amount_negative"),
        ];
        for (single, code) in refused {
            assert_eq!(fixture.campaigns.send_single(single).await.unwrap_err().code(), code);
        }
        for table in ["SELECT COUNT(*) FROM audiences", "SELECT COUNT(*) FROM quotes", "SELECT COUNT(*) FROM campaigns"] {
            assert_eq!(fixture.count(table).await, 0, "{table}");
        }
        assert_eq!(fixture.balance().await, "100".parse().unwrap());
        let just = Single { max_charge: Some("2.5".parse().unwrap()), ..one("08031234567", "Hello") };
        assert!(fixture.campaigns.send_single(just).await.is_ok());
    }

    async fn a_number_abroad_is_refused_until_it_has_a_price_and_costs_that(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let abroad = || single(&fixture, "+447911123456", "Hello");
        let refused = fixture.campaigns.send_single(abroad()).await.unwrap_err();
        assert_eq!((refused.code(), refused.to_string().as_str()), ("no_price", "No price is set for +44"));
        assert_eq!((fixture.balance().await, campaigns(&fixture).await), ("100".parse().unwrap(), 0));
        set_price_of(&store, fixture.user, PriceKey::sms_abroad(Currency::Naira), "40").await;
        let capped = Single { max_charge: Some("39".parse().unwrap()), ..abroad() };
        assert_eq!(fixture.campaigns.send_single(capped).await.unwrap_err().code(), "max_charge");
        // In one batch with one at home: each at its own price.
        let sent = together(&fixture, vec![abroad(), single(&fixture, "08031234567", "Hello")]).await.unwrap();
        let (there, here) = (told(&fixture, sent[0].message.id).await, told(&fixture, sent[1].message.id).await);
        assert_eq!((there.1.as_str(), there.2), ("447911123456", "40".parse().unwrap()));
        assert_eq!((here.1.as_str(), here.2), ("2348031234567", "2.5".parse().unwrap()));
        assert_eq!(fixture.balance().await, "57.5".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn the_night_is_told_to_who_sends_into_it(store: Store) {
        let route = RouteConfig { carrier: "main".into(), promotional: true, ..RouteConfig::default() };
        let mut fixture = Fixture::with_routes(&store, "100", &[route_carrier("main")], &[route]).await;
        fixture.campaigns.hours = QuietHours::new("20:00", "08:00", "Africa/Lagos").unwrap().map(Arc::new);
        // 23:13 in Lagos.
        let sent = fixture.campaigns.send_single(single(&fixture, "08031234567", "Sale")).await.unwrap();
        let starts = sent.delayed_start.unwrap();
        assert!(starts.starts_with("2023-11-15T07:00:00"), "{starts}");
    }

    async fn single_messages_count_until_the_account_is_proven(store: Store) {
        let mut fixture = Fixture::open(&store, "100").await;
        fixture.campaigns.limits.first_send_review = 4;
        let three = (0..3).map(|it| single(&fixture, &format!("0803123456{it}"), "Hello")).collect();
        let sent = together(&fixture, three).await.unwrap();
        assert_eq!(campaigns(&fixture).await, 1);
        assert!(sent.iter().all(|sent| !sent.is_in_review));
        let held = fixture.campaigns.send_single(single(&fixture, "08031234569", "Hello")).await.unwrap();
        assert!(held.is_in_review);
    }

    async fn orders_of_one_user_at_once_share_transactions_and_each_keeps_its_own_rules(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let keyed = |it: u8| {
            let claim = claim(&fixture, &format!("key {it}"), it);
            Single { claim, ..single(&fixture, &format!("080312345{it:02}"), &format!("Code {it}")) }
        };
        // The wallet pays for forty; three say that theirs must cost less than it does.
        let at_most = |it: u8| (it < 3).then(|| "2.4".parse().unwrap());
        let all = (0..63).map(|it| Single { max_charge: at_most(it), ..keyed(it) });
        let all = join_all(all.map(|single| fixture.campaigns.send_single(single))).await;
        let told: Vec<&str> = all.iter().map(|sent| sent.as_ref().map_or_else(Error::code, |_| "sent")).collect();
        assert_eq!(told[..3], ["max_charge"; 3]);
        let count = |what: &str| told.iter().filter(|told| **told == what).count();
        assert_eq!((count("sent"), count("insufficient_balance")), (40, 20));
        // One transaction each would have made a campaign each.
        let made = campaigns(&fixture).await;
        assert!(made <= 4, "{made} campaigns");
        assert_eq!(fixture.balance().await, Amount::ZERO);
        fixture.assert_ledger_adds_up().await;
        // What was sent is answered again; the key of what was refused is free.
        let again = join_all((0..63).map(|it| fixture.campaigns.send_single(keyed(it)))).await;
        for (it, (again, first)) in again.iter().zip(&all).enumerate() {
            match (again, first) {
                (Ok(again), Ok(first)) => assert_eq!((again.message.id, again.was_sent), (first.message.id, true)),
                (Err(error), Err(_)) => assert_eq!(error.code(), "insufficient_balance"),
                _ => panic!("{it}: {again:?}"),
            }
        }
        assert_eq!(campaigns(&fixture).await, made);
    }
}
