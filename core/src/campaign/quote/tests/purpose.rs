//! What messages are for: where it comes from, and which opt-outs hold.

use talkdrum_api::purpose::{OptOutReach, Purpose};

use super::*;
use crate::args;
use crate::campaign::quote::read_purpose;
use crate::campaign::report::campaign_list;
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::model::account::id::UserId;
use crate::model::campaign::id::QuoteId;
use crate::model::page::{Page, RecordScope};
use crate::model::sender::id::SenderRecordId;
use crate::phone::Msisdn;
use crate::sender;
use crate::store::campaign::list::CampaignSelection;
use crate::store::{Lane, Store};
use crate::testing::campaign::NOW;

async fn set_default(store: &Store, who: Of, purpose: Purpose) {
    let job = store.write(Lane::Interactive, (who, purpose), |tx, (who, purpose)| {
        Box::pin(async move {
            match *who {
                Of::User(id) => sender::set_default_of_user(tx, id, Some(*purpose), id, NOW).await,
                Of::Sender(id, by) => sender::set_default_of_sender(tx, id, Some(*purpose), by, NOW).await,
            }
        })
    });
    job.await.unwrap();
}

/// Whose default.
#[derive(Clone, Copy)]
enum Of {
    User(UserId),
    /// The row of a sender ID, by a user.
    Sender(SenderRecordId, UserId),
}

async fn add_sender(store: &Store, user: UserId) -> Of {
    let job = store.write(Lane::Interactive, user, |tx, user| {
        Box::pin(async move {
            let sql = "INSERT INTO sender_ids (user_id, sender_id, status, created_at) \
                       VALUES ($1, 'Bank', 'approved', $2) RETURNING id";
            let (id,): (SenderRecordId,) = tx.one(sql, args![*user, NOW]).await?;
            Ok(Of::Sender(id, *user))
        })
    });
    job.await.unwrap()
}

async fn opt_out_of(store: &Store, scope: SuppressionScope, digits: u64, reach: OptOutReach) {
    let number = Msisdn::from_digits(digits).unwrap();
    let job = store.write(Lane::Interactive, (scope, number, reach), |tx, (scope, number, reach)| {
        Box::pin(suppression::add(tx, *scope, *number, (OptOutSource::Stop, *reach), NOW))
    });
    assert!(job.await.unwrap());
}

#[test]
fn a_word_that_is_no_purpose_is_refused_with_those_that_are() {
    assert_eq!(read_purpose(None).unwrap(), None);
    assert_eq!(read_purpose(Some(" ")).unwrap(), None);
    assert_eq!(read_purpose(Some("otp")).unwrap(), Some(Purpose::Otp));
    let refused = read_purpose(Some("marketing")).unwrap_err();
    assert_eq!(refused.code(), "bad_purpose");
    assert!(refused.to_string().contains("promotional, transactional, otp"), "{refused}");
}

both_databases! {
    async fn the_nearest_that_says_what_messages_are_for_is_believed(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (ada, bank) = (Of::User(fixture.user), add_sender(&store, fixture.user).await);
        let quoted = async |sender: &str, purpose: Option<Purpose>| {
            let form = Form { sender: Some(sender.into()), purpose: Ok(purpose), ..fixture.form("Hi", "08031234567") };
            fixture.campaigns.quote(form).await.unwrap()
        };
        assert_eq!(quoted("Bank", None).await.purpose, Purpose::Transactional);
        set_default(&store, ada, Purpose::Promotional).await;
        assert_eq!(quoted("Bank", None).await.purpose, Purpose::Promotional, "the account");
        set_default(&store, bank, Purpose::Otp).await;
        let by_sender = quoted("Bank", None).await;
        assert_eq!(by_sender.purpose, Purpose::Otp, "the sender ID before the account");
        assert_eq!(quoted("WEBSMS", None).await.purpose, Purpose::Promotional);
        assert_eq!(quoted("Bank", Some(Purpose::Transactional)).await.purpose, Purpose::Transactional);
        // What was quoted holds, whatever the defaults are by now.
        set_default(&store, bank, Purpose::Promotional).await;
        fixture.confirm(QuoteTarget::Quote(QuoteId(by_sender.quote_id))).await.unwrap();
        let stored: (Purpose,) = fixture.tx().await.one("SELECT purpose FROM campaigns", args![]).await.unwrap();
        assert_eq!(stored.0, Purpose::Otp);
        assert_eq!(fixture.campaigns.find_quote(fixture.user, QuoteId(by_sender.quote_id)).await.unwrap().purpose, Purpose::Otp);
    }

    async fn a_list_holds_the_campaigns_of_the_purpose_that_is_asked_for(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let mut made = Vec::new();
        for purpose in Purpose::ALL {
            let form = Form { purpose: Ok(Some(purpose)), ..fixture.form("Hi", "08031234567") };
            let quote = fixture.campaigns.quote(form).await.unwrap();
            made.push(fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0]);
        }
        for (purpose, id) in Purpose::ALL.into_iter().zip(made) {
            for scope in [RecordScope::All, RecordScope::Own(fixture.user)] {
                let wanted = CampaignSelection { purpose: Some(purpose), ..CampaignSelection::all(scope) };
                let found = campaign_list::list(&mut fixture.tx().await, &wanted, Page::first(), false).await.unwrap();
                let found_ids: Vec<_> = found.campaigns.iter().map(|it| (it.id, it.purpose)).collect();
                assert_eq!((found.total, found_ids), (1, vec![(id.0, purpose)]));
                let sent = campaign_list::sent_messages(&mut fixture.tx().await, &wanted, Page::first(), false).await;
                assert_eq!(sent.unwrap().messages[0].purpose, purpose);
            }
        }
    }

    async fn who_opted_out_is_counted_and_not_charged(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        opt_out(&store, SuppressionScope::User(fixture.user), 2_348_031_234_567).await;
        opt_out(&store, SuppressionScope::Platform, 2_348_031_234_568).await;
        opt_out(&store, SuppressionScope::User(UserId(fixture.user.0 + 1)), 2_348_031_234_569).await;
        let quote = fixture.quote("Hello", "08031234567 08031234567 08031234568 08031234569").await;
        assert_eq!((quote.total_contacts, quote.total_suppressed), (1, 2));
        assert_eq!(quote.total_duplicates_removed, 1);
        assert_eq!(quote.total_charges, "2.5".parse().unwrap());
        let error = refused(&fixture, |_| {}).await;
        assert_eq!(error.code(), "all_opted_out");
    }

    async fn an_opt_out_ends_what_it_was_meant_for(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        opt_out_of(&store, SuppressionScope::User(fixture.user), 2_348_031_234_567, OptOutReach::Promotional).await;
        opt_out_of(&store, SuppressionScope::Platform, 2_348_031_234_568, OptOutReach::Promotional).await;
        opt_out_of(&store, SuppressionScope::User(fixture.user), 2_348_031_234_569, OptOutReach::All).await;
        opt_out_of(&store, SuppressionScope::Platform, 2_348_031_234_570, OptOutReach::All).await;
        let list = "08031234567 08031234568 08031234569 08031234570 08031234571";
        for (purpose, ended) in Purpose::ALL.into_iter().zip([4, 2, 0]) {
            let form = Form { purpose: Ok(Some(purpose)), ..fixture.form("Hi", list) };
            let quote = fixture.campaigns.quote(form).await.unwrap();
            assert_eq!((quote.total_suppressed, quote.total_contacts), (ended, 5 - ended), "{purpose:?}");
            let sources = fixture.form("Hi", list).sources;
            let check = fixture.campaigns.check_recipients(fixture.user, Some(purpose), sources).await.unwrap();
            assert_eq!(check.total_suppressed, ended, "{purpose:?}");
        }
    }
}
