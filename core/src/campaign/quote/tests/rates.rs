//! Rates by destination: what is quoted, rejected, confirmed and given back.

use talkdrum_api::campaign::QuoteRate;

use super::*;
use crate::model::campaign::id::{ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::settings;
use crate::testing::campaign::set_rates;

/// Lines as `prefix network: recipients, pages at a price = charges`.
fn lines(quote: &Quote) -> Vec<String> {
    let line = |it: &QuoteRate| {
        let prefix = it.prefix.as_deref().unwrap_or("elsewhere");
        let network = it.network.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        let purpose = it.purpose.map_or_else(String::new, |purpose| format!(" for {}", purpose.code()));
        format!(
            "{prefix}{network}{purpose}: {}, {} at {} = {}",
            it.contacts, it.pages, it.unit_price, it.charges
        )
    };
    quote.rates.iter().map(line).collect()
}

/// One number each of MTN, Airtel, Britain, Britain's 7911 and France.
const LIST: &str = "08031234567\n08021234567\n+447400123456\n+447911123456\n+33612345678\n";

both_databases! {
    async fn each_destination_costs_its_rate_and_one_without_is_rejected_and_costs_nothing(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        set_rates(&store, fixture.user, &[("44", "", "60"), ("447911", "", "75.25"), ("234", "mtn", "2.000001")]).await;
        // Two pages each.
        let quote = fixture.quote(&"x".repeat(157), LIST).await;
        assert_eq!(lines(&quote), [
            "234: 1, 2 at 2.5 = 5",
            "234 mtn: 1, 2 at 2.000001 = 4.000002",
            "44: 1, 2 at 60 = 120",
            "447911: 1, 2 at 75.25 = 150.5",
        ]);
        assert_eq!((quote.total_contacts, quote.total_invalid, quote.total_pages), (4, 1, 8));
        assert_eq!((quote.rejects[0].code.as_str(), quote.rejects[0].reason.as_str()), ("no_price", "No price is set for +33"));
        assert_eq!(quote.total_charges, "279.500002".parse().unwrap());
        let sum = quote.rates.iter().try_fold(Amount::ZERO, |sum, line| sum.plus(line.charges)).unwrap();
        assert_eq!(sum, quote.charges_per_run);
        assert_eq!((quote.abroad_contacts, quote.abroad_pages, quote.abroad_unit_price), (2, 4, None));
        // The price abroad serves where there is no rate.
        set_price_of(&store, fixture.user, PriceKey::sms_abroad(Currency::Naira), "90").await;
        let quote = fixture.quote("Hello", LIST).await;
        assert_eq!((quote.total_invalid, quote.abroad_unit_price), (0, Some("90".parse().unwrap())));
        assert_eq!(lines(&quote)[1], "elsewhere: 1, 1 at 90 = 90");
        assert_eq!(fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap().rates, quote.rates);
    }

    async fn a_rate_of_a_purpose_comes_before_that_of_any_and_after_prefix_and_network(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        set_rates(&store, fixture.user, &[
            ("234", "", "3"), ("234", " for otp", "1.5"), ("234", "mtn", "2.25"), ("44", " for promotional", "60"),
            ("44", "", "50"), ("33", " for otp", "40"),
        ]).await;
        let quoted = async |purpose| {
            let form = Form { purpose: Ok(Some(purpose)), ..fixture.form("Hello", LIST) };
            let quote = fixture.campaigns.quote(form).await.unwrap();
            (lines(&quote), quote.total_charges.to_string())
        };
        // The network says more than the purpose: MTN costs the same whatever it is for.
        let (mtn, french) = ("234 mtn: 1, 1 at 2.25 = 2.25", "33 for otp: 1, 1 at 40 = 40");
        for (purpose, lines, charges) in [
            (Purpose::Otp, vec!["234 for otp: 1, 1 at 1.5 = 1.5", mtn, french, "44: 2, 2 at 50 = 100"], "143.75"),
            (Purpose::Promotional, vec!["234: 1, 1 at 3 = 3", mtn, "44 for promotional: 2, 2 at 60 = 120"], "125.25"),
            (Purpose::Transactional, vec!["234: 1, 1 at 3 = 3", mtn, "44: 2, 2 at 50 = 100"], "105.25"),
        ] {
            assert_eq!(quoted(purpose).await, (lines.into_iter().map(String::from).collect(), charges.to_owned()));
        }
        let check = async |purpose| {
            let sources = fixture.form("", LIST).sources;
            fixture.campaigns.check_recipients(fixture.user, Some(purpose), sources).await.unwrap().rates
        };
        let checked = check(Purpose::Otp).await;
        let line = checked.iter().find(|it| it.prefix.as_deref() == Some("33")).unwrap();
        assert_eq!((line.purpose, line.unit_price), (Some(Purpose::Otp), "40".parse().unwrap()));
        assert!(check(Purpose::Promotional).await.iter().all(|it| it.prefix.as_deref() != Some("33")));
        // One more of the same place and another purpose changes the list; each is told by itself.
        set_rates(&store, fixture.user, &[("234", " for otp", "1.25"), ("234", " for promotional", "1.25")]).await;
        assert_eq!(quoted(Purpose::Otp).await.0[0], "234 for otp: 2, 2 at 1.25 = 2.5");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audit WHERE subject = 'RATE +234 for otp naira'").await, 2);
    }

    async fn the_price_that_was_quoted_holds_and_each_part_settles_at_its_own(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        set_rates(&store, fixture.user, &[("44", "", "60"), ("447911", "", "75.25"), ("234", "mtn", "2.000001")]).await;
        let quote = fixture.quote("Hello", LIST).await;
        assert_eq!(quote.total_charges, "139.750001".parse().unwrap());
        set_rates(&store, fixture.user, &[("44", "", "1000")]).await;
        let campaign = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
        assert_eq!(fixture.balance().await, "860.249999".parse().unwrap());
        let chunks: Vec<(ChunkId, i64, Option<i64>)> = fixture.tx().await
            .all("SELECT id, charge_micros, unit_price_micros FROM campaign_chunks WHERE campaign_id = $1 ORDER BY id",
                args![campaign]).await.unwrap();
        let charges: Vec<_> = chunks.iter().map(|(_, charge, price)| (*charge, *price)).collect();
        assert_eq!(charges, [
            (2_500_000, None),
            (2_000_001, Some(2_000_001)),
            (60_000_000, Some(60_000_000)),
            (75_250_000, Some(75_250_000)),
        ]);
        fixture.assert_ledger_adds_up().await;
        // All are claimed, and the dearest is refused: its own price comes back.
        let refused = MessageId::new(chunks[3].0, 0);
        let outcome = MessageOutcome {
            error: Some("0xb".into()),
            ..MessageOutcome::by_platform(refused, MessageStatus::Rejected, PlatformReason::Unfit, Some(NOW))
        };
        store.write(Lane::Background, outcome, |tx, outcome| Box::pin(async move {
            tx.run_exactly(1, "UPDATE campaign_chunks SET cursor = 1 WHERE id = $1", args![outcome.message.chunk()]).await?;
            settlement::settle(tx, std::slice::from_ref(outcome), NOW).await.map(|_| ())
        })).await.unwrap();
        assert_eq!(fixture.balance().await, "935.499999".parse().unwrap());
        let message = explain::message(&mut fixture.tx().await, Seen::All, refused, &fixture.campaigns.networks).await.unwrap();
        assert_eq!(message.message.price, "75.25".parse().unwrap());
        // What failed is quoted again at the rates of today.
        let again = fixture.campaigns.resend(fixture.user, campaign, None, None).await.unwrap();
        assert_eq!(lines(&again), ["44: 1, 1 at 1000 = 1000"]);
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_change_of_rates_is_seen_by_the_next_quote_and_none_are_left_behind(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let price = async || fixture.quote("Hello", "08031234567").await.total_charges.to_string();
        assert_eq!(price().await, "2.5");
        set_rates(&store, fixture.user, &[("234803", "", "1")]).await;
        assert_eq!(price().await, "1");
        set_rates(&store, fixture.user, &[("234803", "", "1.5")]).await;
        assert_eq!(price().await, "1.5");
        set_rates(&store, fixture.user, &[]).await;
        assert_eq!(price().await, "2.5");
        // In the other currency there was never one.
        set_rates(&store, fixture.user, &[("234803", "", "1")]).await;
        let espees = refused(&fixture, |form| form.payment_method = Some("espees".into())).await;
        assert_eq!(espees.code(), "price_unset");
    }

    async fn a_quote_from_before_there_were_rates_has_its_lines_and_is_confirmed_at_its_prices(store: Store) {
        let fixture = Fixture::open(&store, "200").await;
        set_price_of(&store, fixture.user, PriceKey::sms_abroad(Currency::Naira), "40").await;
        let quote = fixture.quote("Hello", "08031234567, +447911123456").await;
        let as_then = quote.quote_id;
        store.write(Lane::Interactive, as_then, |tx, id| Box::pin(async move {
            let details = table::details(tx, QuoteId(*id)).await?;
            let text = details.to_json()?.replace("\"rates\":", "\"unknown\":");
            tx.run_exactly(1, "UPDATE quotes SET details = $2 WHERE id = $1", args![*id, text]).await
        })).await.unwrap();
        let shown = fixture.campaigns.find_quote(fixture.user, QuoteId(as_then)).await.unwrap();
        assert_eq!(lines(&shown), ["234: 1, 1 at 2.5 = 2.5", "elsewhere: 1, 1 at 40 = 40"]);
        assert_eq!(shown.rates, quote.rates);
        set_rates(&store, fixture.user, &[("44", "", "1")]).await;
        fixture.confirm(QuoteTarget::Quote(QuoteId(as_then))).await.unwrap();
        assert_eq!(fixture.balance().await, "157.5".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn merge_fields_of_many_rates_are_held_within_a_bound(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let prefixes = ["234803", "234805", "234802"];
        let rates = [(prefixes[0], "", "1"), (prefixes[1], "", "2"), (prefixes[2], "", "3")];
        set_rates(&store, fixture.user, &rates).await;
        // A chunk of each holds 1.4 MB, and is not full.
        let mut list = String::from("phone,word\n");
        for (place, prefix) in (0..4_800).zip(prefixes.iter().cycle()) {
            list.push_str(&format!("{prefix}{:07},{}\n", 1_000_000 + place, "x".repeat(900)));
        }
        let mut form = fixture.form("{word}", "");
        form.sources = vec![file(list)];
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!((quote.total_contacts, quote.rates.len()), (4_800, 3));
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audience_chunks").await, 5, "the two largest were closed");
        let campaign = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
        assert!(campaign.0 > 0);
        fixture.assert_ledger_adds_up().await;
    }

    async fn rates_of_one_price_share_a_chunk_and_keep_their_lines(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        set_rates(&store, fixture.user, &[("44", "", "60"), ("33", "", "60"), ("234", "mtn", "60")]).await;
        let quote = fixture.quote("Hello", LIST).await;
        assert_eq!(lines(&quote), [
            "234: 1, 1 at 2.5 = 2.5",
            "234 mtn: 1, 1 at 60 = 60",
            "33: 1, 1 at 60 = 60",
            "44: 2, 2 at 60 = 120",
        ]);
        fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!(fixture.count("SELECT COUNT(*) FROM campaign_chunks").await, 2);
        assert_eq!(fixture.balance().await, "757.5".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn rates_that_change_while_they_are_read_are_held_under_their_own_version(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let price = async |campaigns: &CampaignService| {
            campaigns.quote(fixture.form("Hello", "08031234567")).await.unwrap().total_charges.to_string()
        };
        set_rates(&store, fixture.user, &[("234803", "", "1")]).await;
        let version = settings::rates(&mut fixture.tx().await).await.unwrap().1;
        // A daemon read that version; before it read the rates, they were changed and changed back.
        set_rates(&store, fixture.user, &[("234803", "", "9")]).await;
        let slow = CampaignService {
            rates: settings::RateCache::new(Arc::clone(&fixture.campaigns.networks)),
            ..fixture.campaigns.clone()
        };
        let prices = UnitPrices { home: Some(Amount(2_500_000)), abroad: None };
        let of = settings::RatesOf { plan: "", purpose: Purpose::Transactional };
        slow.rates.of_messages(&mut fixture.tx().await, prices, Currency::Naira, &version, of).await.unwrap();
        set_rates(&store, fixture.user, &[("234803", "", "1")]).await;
        assert_eq!((price(&slow).await, price(&fixture.campaigns).await), ("1".to_owned(), "1".to_owned()));
    }
}
