use std::time::Duration;

use talkdrum_api::purpose::Purpose;

use super::*;
use crate::account::auth::api_key::{self, NewKey};
use crate::both_databases;
use crate::campaign::confirm::QuoteTarget;
use crate::campaign::control::{self, Authority};
use crate::campaign::quote::Form;
use crate::campaign::single::Single;
use crate::entropy::SystemEntropy;
use crate::model::account::api_key::Scopes;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, QuoteId};
use crate::model::message::status::CampaignStatus;
use crate::model::message::status::MessageStatus as S;
use crate::operate::user as operated;
use crate::sender::set_default_of_user;
use crate::store::{Lane, Store};
use crate::testing::builder::{Spot, build};
use crate::testing::campaign::{Fixture, NOW};
use crate::testing::identity::identity;
use crate::worker::jobs::scheduler;

async fn allow(store: &Store, user: UserId, allowed: bool) -> u64 {
    let job = store.write(Lane::Interactive, (user, allowed), |tx, (user, allowed)| {
        Box::pin(set(tx, *user, *allowed, UserId(1), NOW))
    });
    job.await.unwrap()
}

async fn resume(store: &Store, campaign: CampaignId, by: Authority, now: Time) -> Result<CampaignStatus> {
    store
        .write(Lane::Interactive, (campaign, by, now), |tx, (campaign, by, now)| {
            Box::pin(control::resume(tx, *campaign, *by, *now))
        })
        .await
}

/// `(status, reason)` of campaigns.
async fn states(store: &Store, campaigns: &[CampaignId]) -> Vec<(String, Option<String>)> {
    let mut tx = store.read().await.unwrap();
    let mut found = Vec::new();
    for id in campaigns {
        let sql = "SELECT status, status_reason FROM campaigns WHERE id = $1";
        found.push(tx.one(sql, crate::args![*id]).await.unwrap());
    }
    found
}

fn paused() -> (String, Option<String>) {
    ("paused".to_owned(), Some(WITHDRAWN.to_owned()))
}

fn code(fixture: &Fixture, contacts: &str) -> Form {
    Form { purpose: Ok(Some(Purpose::Otp)), ..fixture.form("Your code is 1234", contacts) }
}

both_databases! {
    async fn without_the_right_no_code_is_quoted_confirmed_or_sent_and_all_else_is(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let before = fixture.campaigns.quote(code(&fixture, "08031234567")).await.unwrap();
        assert_eq!(allow(&store, fixture.user, false).await, 0);
        let refused = |error: Error| assert_eq!(error.code(), "codes_not_allowed");
        refused(fixture.campaigns.quote(code(&fixture, "08031234567")).await.unwrap_err());
        refused(fixture.confirm(QuoteTarget::Quote(QuoteId(before.quote_id))).await.unwrap_err());
        let single = |purpose: Purpose| Single {
            user_id: fixture.user,
            kind: talkdrum_api::kind::Kind::Text,
            sender: Some("WEBSMS".into()),
            payment_method: Some("paystack".into()),
            purpose: Ok(Some(purpose)),
            contact: "08031234567".into(),
            content: Ok(crate::content::Content::Text { text: "1234".into() }),
            max_charge: None,
            start: None,
            callback: None,
            claim: None,
        };
        // Sent at once with others, it alone is refused.
        let send = |purpose| fixture.campaigns.send_single(single(purpose));
        let (otp, alert) = futures::join!(send(Purpose::Otp), send(Purpose::Transactional));
        refused(otp.unwrap_err());
        assert!(alert.is_ok());
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap(), "the alert alone was charged");
        // Nor is it a default.
        let job = store.write(Lane::Interactive, fixture.user, |tx, user| {
            Box::pin(set_default_of_user(tx, *user, Some(Purpose::Otp), UserId(1), NOW))
        });
        refused(job.await.unwrap_err());
        let key = NewKey::new(fixture.user, "codes", "send".parse::<Scopes>().unwrap(), &SystemEntropy).unwrap();
        let key = NewKey { purpose: Some(Purpose::Otp), ..key };
        let made = store.write(Lane::Interactive, key, |tx, key| Box::pin(api_key::create(tx, key, NOW)));
        refused(made.await.unwrap_err());
        allow(&store, fixture.user, true).await;
        assert!(fixture.confirm(QuoteTarget::Quote(QuoteId(before.quote_id))).await.is_ok());
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_default_that_was_set_before_sends_no_code_either(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let job = store.write(Lane::Interactive, fixture.user, |tx, user| {
            Box::pin(set_default_of_user(tx, *user, Some(Purpose::Otp), UserId(1), NOW))
        });
        job.await.unwrap();
        allow(&store, fixture.user, false).await;
        let quoted = fixture.campaigns.quote(fixture.form("1234", "08031234567")).await;
        assert_eq!(quoted.unwrap_err().code(), "codes_not_allowed");
    }

    async fn the_failed_codes_of_a_campaign_are_not_sent_again_without_the_right(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let failed = build(&store, "ada").purpose(Purpose::Otp).chunk(&[Spot::Answered(S::Undelivered)]).store().await;
        allow(&store, fixture.user, false).await;
        let again = fixture.campaigns.resend(fixture.user, failed.campaign, None, None).await;
        assert_eq!(again.unwrap_err().code(), "codes_not_allowed");
    }

    async fn runs_that_were_confirmed_before_pause_and_go_on_once_their_owner_resumes_them(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let hours = |hours: u64| NOW + Duration::from_hours(hours);
        let form = Form { times: Ok(vec![hours(1), hours(48)]), ..code(&fixture, "08031234567") };
        let quote = QuoteId(fixture.campaigns.quote(form).await.unwrap().quote_id);
        let runs = fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap().campaigns;
        let form = Form { times: Ok(vec![hours(1)]), ..fixture.form("Your statement", "08031234567") };
        let quote = QuoteId(fixture.campaigns.quote(form).await.unwrap().quote_id);
        let alert = fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap().campaigns[0];
        let sends = build(&store, "ada").purpose(Purpose::Otp).chunk(&[Spot::Tail]).store().await.campaign;
        let others = build(&store, "eve").purpose(Purpose::Otp).chunk(&[Spot::Tail]).store().await.campaign;
        assert_eq!(allow(&store, fixture.user, false).await, 3);
        let all = [runs[0], runs[1], sends];
        assert_eq!(states(&store, &all).await, vec![paused(); 3]);
        assert_eq!(scheduler::tick(&store, hours(2)).await.unwrap(), [alert]);
        assert_eq!(states(&store, &[others]).await[0].0, "sending");
        for by in [Authority::Owner(fixture.user), Authority::Admin] {
            let resumed = resume(&store, runs[0], by, hours(2)).await;
            assert_eq!(resumed.unwrap_err().code(), "codes_not_allowed", "{by:?}");
        }
        allow(&store, fixture.user, true).await;
        assert_eq!(states(&store, &all).await, vec![paused(); 3], "nothing goes on by itself");
        for (run, status) in all.into_iter().zip(["sending", "scheduled", "sending"]) {
            let resumed = resume(&store, run, Authority::Owner(fixture.user), hours(2)).await.unwrap();
            assert_eq!(resumed.code(), status);
        }
    }

    async fn codes_that_an_inactive_account_kept_back_do_not_go_on_with_it(store: Store) {
        let campaign = build(&store, "ada").purpose(Purpose::Otp).chunk(&[Spot::Tail]).store().await;
        let job = store.write(Lane::Interactive, campaign.user, |tx, user| {
            Box::pin(operated::deactivate_user(tx, *user, *user, NOW))
        });
        job.await.unwrap();
        assert_eq!(allow(&store, campaign.user, false).await, 1);
        let job = store.write(Lane::Interactive, (identity(&store), campaign.user), |tx, (identity, user)| {
            Box::pin(operated::activate_user(tx, identity, *user, *user, NOW))
        });
        job.await.unwrap();
        assert_eq!(states(&store, &[campaign.campaign]).await, [paused()]);
    }
}
