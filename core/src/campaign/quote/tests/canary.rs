//! Quotes with a canary: who is of it, what the quote says of it, and which forms are refused.

use std::collections::BTreeSet;

use talkdrum_api::campaign::Quote;
use talkdrum_api::canary::QuoteCanary;

use super::*;
use crate::campaign::quote::read_canary;
use crate::error::Result;
use crate::model::audience_chunk::Chunk;
use crate::model::canary::{CanarySize, CanaryTerms};
use crate::testing::campaign::numbers;

fn asked(size: &str) -> Result<Option<CanaryTerms>> {
    read_canary(Kind::Text, Some(size), None, None)
}

/// Each chunk of a quote's audience, in order.
async fn chunks(fixture: &Fixture, quote: i64) -> Vec<Chunk> {
    let sql = "SELECT a.data FROM audience_chunks a JOIN quotes q ON q.audience_id = a.audience_id WHERE q.id = $1 ORDER BY a.id";
    let rows: Vec<(Vec<u8>,)> = fixture.tx().await.all(sql, args![quote]).await.unwrap();
    rows.into_iter().map(|(data,)| Chunk::decode(&data).unwrap()).collect()
}

#[test]
fn a_canary_is_a_number_or_a_share_within_bounds() {
    let terms = |size, delivery, wait_s| Some(CanaryTerms { size, delivery, wait_s });
    assert_eq!(asked("50").unwrap(), terms(CanarySize::Recipients(50), 80, 600));
    assert_eq!(asked(" 5 % ").unwrap(), terms(CanarySize::Percent(5), 80, 600));
    let said = read_canary(Kind::Text, Some("4096"), Some("95%"), Some("86400"));
    assert_eq!(said.unwrap(), terms(CanarySize::Recipients(4_096), 95, 86_400));
    let of_calls = read_canary(Kind::Voice, Some("1"), None, None).unwrap().unwrap();
    assert_eq!(of_calls.delivery, 30, "most people do not answer");
    assert_eq!(read_canary(Kind::Text, Some(" "), None, None).unwrap(), None);
    let code = |size: &str, delivery: &str, wait_s: &str| {
        read_canary(Kind::Text, Some(size), Some(delivery), Some(wait_s)).unwrap_err().code().to_owned()
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
        assert_eq!(quote.canary, Some(QuoteCanary { size: 100, delivery: 80, wait_s: 600 }));
        let same = Quote { canary: None, quote_id: plain.quote_id, ..quote.clone() };
        assert_eq!(serde_json::to_value(same).unwrap(), serde_json::to_value(&plain).unwrap());
        assert_eq!(
            fixture.campaigns.find_quote(fixture.user, quote.quote_id).await.unwrap().canary, quote.canary, "later as well"
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
        assert_eq!(posted(form()).await.unwrap().quote_id, quote.quote_id);
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
        let late = fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap_err();
        assert_eq!(late.code(), "quote_expired");
        fixture.advance(Duration::from_secs(2));
        assert_eq!(purge().await, 1);
    }
}
