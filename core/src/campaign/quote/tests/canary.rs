//! Quotes with a canary: who is of it, what the quote says of it, and which forms are refused.

use std::collections::BTreeSet;

use talkdrum_api::campaign::Quote;
use talkdrum_api::canary::QuoteCanary;

use super::*;
use crate::campaign::quote::CanaryForm;
use crate::error::Result;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::canary::{CanarySize, CanaryTerms};
use crate::model::campaign::id::QuoteId;
use crate::phone::Msisdn;
use crate::store::campaign::quote as rows;
use crate::testing::campaign::{numbers, opt_out};

fn asked(size: &str) -> Result<Option<CanaryTerms>> {
    CanaryForm { size: Some(size), ..CanaryForm::default() }.read(Kind::Text)
}

/// A canary of these numbers and others.
fn seeded(seeds: &str, size: Option<&str>) -> Result<Option<CanaryTerms>> {
    CanaryForm { size, seeds: Some(seeds), ..CanaryForm::default() }.read(Kind::Text)
}

/// Each chunk of a quote's audience, in order.
async fn chunks(fixture: &Fixture, quote: i64) -> Vec<Chunk> {
    let sql = "SELECT a.data FROM audience_chunks a JOIN quotes q ON q.audience_id = a.audience_id WHERE q.id = $1 ORDER BY a.id";
    let rows: Vec<(Vec<u8>,)> = fixture.tx().await.all(sql, args![quote]).await.unwrap();
    rows.into_iter().map(|(data,)| Chunk::decode(&data).unwrap()).collect()
}

#[test]
fn a_canary_is_a_number_or_a_share_within_bounds() {
    fn read(kind: Kind, size: &str, delivery: &str, wait_s: &str) -> Result<Option<CanaryTerms>> {
        let (size, delivery, wait_s) = (Some(size), Some(delivery), Some(wait_s));
        CanaryForm { size, seeds: None, delivery, wait_s }.read(kind)
    }
    let terms = |size, delivery, wait_s| Some(CanaryTerms { size, seeds: Vec::new(), delivery, wait_s });
    assert_eq!(asked("50").unwrap(), terms(CanarySize::Recipients(50), 80, 600));
    assert_eq!(asked(" 5 % ").unwrap(), terms(CanarySize::Percent(5), 80, 600));
    let said = read(Kind::Text, "4096", "95%", "86400");
    assert_eq!(said.unwrap(), terms(CanarySize::Recipients(4_096), 95, 86_400));
    let of_calls = read(Kind::Voice, "1", "", "").unwrap().unwrap();
    assert_eq!(of_calls.delivery, 30, "most people do not answer");
    assert_eq!(asked(" ").unwrap(), None);
    let code = |size: &str, delivery: &str, wait_s: &str| {
        read(Kind::Text, size, delivery, wait_s).unwrap_err().code().to_owned()
    };
    for bad in ["0", "-1", "4097", "0%", "100%", "5.5%", "many", "99999999999"] {
        assert_eq!(code(bad, "", ""), "bad_canary", "{bad}");
    }
    for bad in ["0", "101", "x"] {
        assert_eq!(code("5", bad, ""), "bad_canary_delivery", "{bad}");
    }
    for bad in ["9", "86401", "soon"] {
        assert_eq!(code("5", "", bad), "bad_canary_wait", "{bad}");
    }
    assert_eq!(code("", "80", ""), "canary_required");
}

#[test]
fn seeds_are_a_few_numbers_in_any_form_and_may_be_all_of_a_canary() {
    let number = |digits: u64| Msisdn::from_digits(digits).unwrap();
    let terms = seeded("0805 123 4567, +234 803 123 4567; 08051234567", Some("50")).unwrap().unwrap();
    assert_eq!(terms.seeds, [number(2_348_031_234_567), number(2_348_051_234_567)], "each once");
    assert_eq!(terms.size, CanarySize::Recipients(50));
    let alone = seeded("08031234567", None).unwrap().unwrap();
    assert_eq!((alone.size, alone.delivery), (CanarySize::Recipients(0), 80));
    for bad in ["me", "0803", "08031234567, me", &numbers(21)] {
        assert_eq!(seeded(bad, Some("50")).unwrap_err().code(), "bad_canary_seeds", "{bad}");
    }
    assert_eq!(seeded(&numbers(20), None).unwrap().unwrap().seeds.len(), 20);
}

both_databases! {
    async fn a_canary_changes_who_is_first_and_neither_price_nor_counts(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        // Two networks of the built-in table, in shares of nine and one.
        let list = (0..9_000).map(|n| format!("0803{n:07}\n")).chain((0..1_000).map(|n| format!("0805{n:07}\n")));
        let list: String = list.collect();
        let plain = fixture.quote("Hello", &list).await;
        assert_eq!(plain.canary, None);
        let form = || Form { canary: asked("100"), ..fixture.form("Hello", &list) };
        let quote = fixture.campaigns.quote(form()).await.unwrap();
        assert_eq!(quote.canary, Some(QuoteCanary { size: 100, seeds: 0, delivery: 80, wait_s: 600 }));
        let finish = async |id| rows::details(&mut fixture.tx().await, id).await.unwrap().estimated_finish.unwrap();
        let later = finish(QuoteId(plain.quote_id)).await + Duration::from_secs(600);
        assert_eq!(finish(QuoteId(quote.quote_id)).await, later, "the rest waits so long at most");
        let same = Quote {
            canary: None,
            quote_id: plain.quote_id,
            estimated_finish: plain.estimated_finish.clone(),
            ..quote.clone()
        };
        assert_eq!(serde_json::to_value(same).unwrap(), serde_json::to_value(&plain).unwrap());
        assert_eq!(
            fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap().canary, quote.canary, "later as well"
        );
        let (without, with) = (chunks(&fixture, plain.quote_id).await, chunks(&fixture, quote.quote_id).await);
        let numbers = |chunks: &[Chunk]| -> BTreeSet<Msisdn> { chunks.iter().flat_map(|it| it.numbers().to_vec()).collect() };
        assert_eq!(numbers(&without), numbers(&with));
        let (canary, rest) = with.split_last().unwrap();
        assert_eq!((canary.len(), rest.iter().map(Chunk::len).sum::<usize>()), (100, 9_900));
        let network = |number: &&Msisdn| number.digits() / 10_000_000 == 234_803;
        assert_eq!(canary.numbers().iter().filter(network).count(), 90, "in proportion");
        let first: Vec<Msisdn> = without[0].numbers()[..100].to_vec();
        assert_ne!(canary.numbers()[..90], first[..90], "at random");
        // Another canary is another form.
        let posted = |form: Form| fixture.confirm(QuoteTarget::Form(Box::new(form)));
        assert_eq!(posted(Form { canary: asked("101"), ..form() }).await.unwrap_err().code(), "quote_missing");
        assert_eq!(posted(form()).await.unwrap().quote_id, QuoteId(quote.quote_id));
    }

    async fn a_canary_that_would_be_the_whole_list_is_none_and_the_quote_says_so(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quoted = async |size: &str, contacts: usize| {
            let form = Form { canary: asked(size), ..fixture.form("Hello", &numbers(contacts)) };
            fixture.campaigns.quote(form).await.unwrap()
        };
        let whole = quoted("50", 20).await;
        assert_eq!(whole.canary, None);
        assert_eq!(whole.notices, ["A canary of 50 would be all 20 recipients: there is none, and all are sent to at once"]);
        let most = quoted("99%", 20).await;
        assert_eq!((most.canary, most.notices), (None, vec!["A canary of 99% would be all 20 recipients: there is none, and all are sent to at once".to_owned()]));
        let part = quoted("50%", 21).await;
        assert_eq!((part.canary.unwrap().size, part.notices), (11, Vec::new()));
        let large = quoted("50%", 10_000).await;
        assert_eq!(large.canary.unwrap().size, 4_096);
        assert!(large.notices[0].starts_with("The canary is 4096 recipients and not 50%"), "{:?}", large.notices);
    }

    async fn seeds_are_of_the_canary_beside_the_sample_and_are_charged_where_they_are_not_on_the_list(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let list: String = (0..1_000).map(|n| format!("0803{n:07}\n")).collect();
        // One on the list, one that is not.
        let form = |size| Form { canary: seeded("08030000007, 08051234567", size), ..fixture.form("Hello", &list) };
        let plain = fixture.quote("Hello", &list).await;
        let quote = fixture.campaigns.quote(form(Some("50"))).await.unwrap();
        assert_eq!(quote.canary, Some(QuoteCanary { size: 52, seeds: 2, delivery: 80, wait_s: 600 }));
        assert_eq!((quote.total_contacts, quote.total_duplicates_removed), (1_001, 0));
        assert_eq!(quote.total_charges, plain.total_charges.plus(plain.unit_price).unwrap());
        assert_eq!(quote.networks, [("glo".to_owned(), 1), ("mtn".to_owned(), 1_000)].into());
        let seeds = [2_348_030_000_007, 2_348_051_234_567].map(|digits| Msisdn::from_digits(digits).unwrap());
        let parted = async |quote: i64| {
            let (canary, rest): (Vec<Chunk>, Vec<Chunk>) =
                chunks(&fixture, quote).await.into_iter().partition(|chunk| chunk.len() < 100);
            let numbers = |chunks: &[Chunk]| -> Vec<Msisdn> { chunks.iter().flat_map(|it| it.numbers().to_vec()).collect() };
            (numbers(&canary), numbers(&rest))
        };
        let (canary, rest) = parted(quote.quote_id).await;
        assert_eq!((canary.len(), rest.len()), (52, 949));
        assert!(seeds.iter().all(|seed| canary.contains(seed) && !rest.contains(seed)), "each once, and first");
        let alone = fixture.campaigns.quote(form(None)).await.unwrap();
        assert_eq!(alone.canary, Some(QuoteCanary { size: 2, seeds: 2, delivery: 80, wait_s: 600 }));
        assert_eq!(parted(alone.quote_id).await.0, seeds);
        // Other seeds are another form.
        let other = Form { canary: seeded("08030000007", Some("50")), ..fixture.form("Hello", &list) };
        let posted = fixture.confirm(QuoteTarget::Form(Box::new(other))).await;
        assert_eq!(posted.unwrap_err().code(), "quote_missing");
    }

    async fn seeds_are_the_canary_of_a_list_too_small_for_another_and_none_where_all_are_seeds(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quoted = async |seeds: &str, size, contacts: &str| {
            let form = Form { canary: seeded(seeds, size), ..fixture.form("Hello", contacts) };
            let quote = fixture.campaigns.quote(form).await.unwrap();
            (quote.total_contacts, quote.canary.map(|canary| (canary.size, canary.seeds)), quote.notices)
        };
        let small = quoted("08051234567", Some("50"), &numbers(20)).await;
        let notice = "A canary of 50 would be all 20 other recipients: it is the 1 of your own alone";
        assert_eq!(small, (21, Some((1, 1)), vec![notice.to_owned()]));
        let all = quoted("08031234567,08051234567", None, "08051234567").await;
        let notice = "A canary of numbers of your own would be all 2 recipients: there is none, and all are sent to at once";
        assert_eq!(all, (2, None, vec![notice.to_owned()]));
        assert_eq!(quoted("08051234567", None, &numbers(20)).await, (21, Some((1, 1)), Vec::new()));
    }

    async fn a_seed_that_gets_no_message_is_refused_with_its_reason(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        opt_out(&store, SuppressionScope::User(fixture.user), 2_348_051_234_567).await;
        let refused = async |seeds: &str, contacts: &str| {
            let form = Form { canary: seeded(seeds, Some("5")), ..fixture.form("Hello", contacts) };
            let error = fixture.campaigns.quote(form).await.unwrap_err();
            (error.code().to_owned(), error.to_string())
        };
        for contacts in [numbers(20), format!("{},08051234567", numbers(20))] {
            let (code, message) = refused("08051234567", &contacts).await;
            assert_eq!(code, "canary_seed_refused");
            assert!(message.contains("2348051234567") && message.contains("opted out"), "{message}");
        }
        let (code, message) = refused("+14155552671", &numbers(20)).await;
        assert_eq!(code, "canary_seed_refused", "{message}");
        // A list that reaches no one is not made one by a seed.
        assert_eq!(refused("08031234567", "08051234567").await.0, "all_opted_out");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM quotes").await, 0);
    }

    async fn a_seed_that_is_not_on_the_list_reads_what_the_first_recipient_does(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let rows: String = (0..300).map(|n| format!("0803{n:07},name {n}\n")).collect();
        let form = |seeds: &str| Form {
            sources: vec![file(format!("number,name\n{rows}"))],
            canary: seeded(seeds, None),
            ..fixture.form("Dear {name}", "")
        };
        let fields = async |seeds: &str| {
            let quote = fixture.campaigns.quote(form(seeds)).await.unwrap();
            let chunks = chunks(&fixture, quote.quote_id).await;
            let recipient = chunks.last().unwrap().recipient(0).unwrap();
            (recipient.number.digits(), recipient.fields()[0].to_string())
        };
        assert_eq!(fields("08051234567").await, (2_348_051_234_567, "name 0".to_owned()));
        assert_eq!(fields("08030000009").await, (2_348_030_000_009, "name 9".to_owned()), "its own, where it is on the list");
    }

    async fn a_canary_by_a_carrier_without_receipts_is_refused(store: Store) {
        let carriers = [route_carrier("main"), RouteCarrier { no_receipts: true, ..route_carrier("mute") }];
        let route = |carrier: &str, prefix: &str| RouteConfig {
            carrier: carrier.into(),
            prefixes: vec![prefix.into()],
            ..RouteConfig::default()
        };
        let routes = [route("mute", "234805"), route("main", "234")];
        let fixture = Fixture::with_routes(&store, "100", &carriers, &routes).await;
        let form = |contacts: &str| Form { canary: asked("1"), ..fixture.form("Hello", contacts) };
        assert!(fixture.campaigns.quote(form("08031234567,08031234568")).await.unwrap().canary.is_some());
        let refused = fixture.campaigns.quote(form("08031234567,08051234568")).await.unwrap_err();
        assert_eq!(refused.code(), "canary_needs_receipts");
    }

    async fn fields_of_the_canary_and_of_the_rest_stay_with_their_numbers(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let rows: String = (0..3_000).map(|n| format!("0803{n:07},name {n}\n")).collect();
        let sources = vec![file(format!("number,name\n{rows}"))];
        let form = Form { sources, canary: asked("64"), ..fixture.form("Dear {name}", "") };
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!(quote.canary.unwrap().size, 64);
        let mut seen = 0;
        for chunk in chunks(&fixture, quote.quote_id).await {
            for place in 0..chunk.len() {
                let recipient = chunk.recipient(place).unwrap();
                let n = recipient.number.digits() - 2_348_030_000_000;
                assert_eq!(&*recipient.fields()[0], format!("name {n}"));
                seen += 1;
            }
        }
        assert_eq!(seen, 3_000);
    }

    async fn a_quote_with_a_canary_expires_and_is_removed_as_others_are(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let form = || Form { canary: asked("5"), ..fixture.form("Hello", &numbers(20)) };
        let quote = fixture.campaigns.quote(form()).await.unwrap().quote_id;
        fixture.campaigns.quote(form()).await.unwrap();
        let purge = async || {
            let now = fixture.campaigns.now();
            let purged = store.write(Lane::Background, now, |tx, now| Box::pin(expire_quotes(tx, *now))).await;
            purged.unwrap()
        };
        fixture.advance(VALID_FOR + KEPT_FOR - Duration::from_secs(1));
        assert_eq!(purge().await, 0);
        let late = fixture.confirm(QuoteTarget::Quote(QuoteId(quote))).await.unwrap_err();
        assert_eq!(late.code(), "quote_expired");
        fixture.advance(Duration::from_secs(2));
        assert_eq!(purge().await, 1);
    }
}
