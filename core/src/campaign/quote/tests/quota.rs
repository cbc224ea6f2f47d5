//! Quotas of quotes, on both databases.

use crate::both_databases;
use crate::campaign::confirm::QuoteTarget;
use crate::campaign::quote::*;
use crate::model::campaign::id::QuoteId;
use crate::platform::quota::Quota;
use crate::testing::campaign::{Fixture, numbers, user_with};

fn quotas(unfunded: Quota, funded: Quota) -> Quotas {
    Quotas { unfunded, funded }
}

fn recipients(quoted_recipients: i64) -> Quota {
    Quota { quoted_recipients, ..Quota::default() }
}

async fn nothing_is_left_but(fixture: &Fixture, quotes: i64) {
    assert_eq!(fixture.count("SELECT COUNT(*) FROM quotes").await, quotes);
    assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, quotes, "a refused list is not kept");
}

both_databases! {
    async fn recipients_of_quotes_fit_up_to_the_quota_and_not_one_more(store: Store) {
        let mut fixture = Fixture::open(&store, "1000").await;
        fixture.campaigns.quotas = quotas(recipients(1), recipients(20));
        fixture.quote("One", &numbers(12)).await;
        let second = fixture.quote("Two", &numbers(8)).await;
        let refused = fixture.campaigns.quote(fixture.form("Three", "08031234567")).await.unwrap_err();
        assert_eq!(refused.code(), "recipients_quota");
        assert!(refused.to_string().contains("20 recipients"), "{refused}");
        nothing_is_left_but(&fixture, 2).await;
        // What is confirmed does not count, nor does what is due to be removed.
        fixture.confirm(QuoteTarget::Quote(QuoteId(second.quote_id))).await.unwrap();
        fixture.quote("Three", &numbers(8)).await;
        fixture.advance(VALID_FOR + KEPT_FOR);
        fixture.quote("Four", &numbers(20)).await;
        assert_eq!(fixture.campaigns.quote(fixture.form("Five", "08031234567")).await.unwrap_err().code(), "recipients_quota");
    }

    async fn a_list_is_refused_at_the_recipient_who_is_too_many(store: Store) {
        let mut fixture = Fixture::open(&store, "1000").await;
        fixture.campaigns.quotas = quotas(Quota::default(), recipients(9_000));
        // Long enough that its chunks are written before the list is read to its end.
        let file = RecipientSource::file(std::io::Cursor::new(numbers(9_001)));
        let form = Form { sources: vec![file], ..fixture.form("All", "") };
        assert_eq!(fixture.campaigns.quote(form).await.unwrap_err().code(), "recipients_quota");
        nothing_is_left_but(&fixture, 0).await;
    }

    async fn the_quota_is_small_until_the_account_is_funded(store: Store) {
        let mut fixture = Fixture::open(&store, "0").await;
        fixture.campaigns.quotas = quotas(recipients(2), recipients(1_000));
        let refused = fixture.campaigns.quote(fixture.form("One", &numbers(3))).await.unwrap_err();
        assert_eq!(refused.code(), "recipients_quota");
        assert!(refused.to_string().contains("once money came into its wallet, an account may keep 1,000"), "{refused}");
        fixture.quote("One", &numbers(2)).await;
        fixture.user = user_with(&store, "eve", "0.5").await;
        fixture.quote("One", &numbers(3)).await;
    }

    async fn quotes_at_once_are_counted_together(store: Store) {
        let mut fixture = Fixture::open(&store, "1000").await;
        fixture.campaigns.quotas = quotas(Quota::default(), Quota { quotes: 7, quoted_recipients: 15, ..Quota::default() });
        let texts: Vec<String> = (0..24).map(|number| format!("Code {number}")).collect();
        let ask = |text: &String| fixture.campaigns.quote(fixture.form(text, &numbers(2)));
        let all = futures::future::join_all(texts.iter().map(ask)).await;
        assert_eq!(all.iter().filter(|one| one.is_ok()).count(), 7);
        let refused = all.iter().filter_map(|one| one.as_ref().err());
        assert!(refused.into_iter().all(|error| ["quotes_quota", "recipients_quota"].contains(&error.code())));
        nothing_is_left_but(&fixture, 7).await;
    }
}
