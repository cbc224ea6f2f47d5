//! Payments whose customers do not come back from the provider's page.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::money::Currency;
use wiremock::ResponseTemplate;

use super::super::event::PaymentEventOutcome;
use super::super::{PaymentStatus, Provider};
use super::{Fixture, state, success};
use crate::both_databases;
use crate::payment::PaymentService;

both_databases! {
    async fn confirmations_webhooks_and_the_sweeper_at_once_credit_once(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|reference| success(reference, 50_050)).await;
        let payment = fixture.begin(Provider::Paystack, "500.50").await;
        assert_eq!(payment.checkout_url.as_deref(), Some(&*format!("https://checkout.example/{}", payment.reference)));
        fixture.clock.advance(Duration::from_secs(3_600));
        let confirms = futures::future::join_all((0..20).map(|_| fixture.payments.settle(&payment)));
        let webhooks = futures::future::join_all((0..5).map(|_| fixture.webhook(&payment.reference)));
        let sweeps = futures::future::join_all((0..3).map(|_| fixture.payments.sweep()));
        let (confirmed, heard, swept) = tokio::join!(confirms, webhooks, sweeps);
        assert!(confirmed.iter().all(|it| it.as_ref().is_ok_and(|it| it.status == PaymentStatus::Settled)));
        assert!(heard.iter().all(|it| matches!(it, PaymentEventOutcome::Paid(_))));
        assert!(swept.iter().all(Result::is_ok));
        assert_eq!(fixture.balance(Currency::Naira).await, "500.5");
        let kept = fixture.payments.by_id(payment.id).await.unwrap();
        assert_eq!((kept.settled_at.is_some(), kept.next_check_at, kept.note.as_str()), (true, None, "Paid"));
        fixture.assert_sound().await;
    }

    async fn a_provider_that_is_late_or_talks_nonsense_changes_nothing_and_is_asked_again(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|_| state("ongoing")).await;
        let payment = fixture.begin(Provider::Paystack, "100").await;
        let nonsense: [fn(&str) -> ResponseTemplate; 5] = [
            |_| ResponseTemplate::new(200).set_delay(Duration::from_secs(5)),
            |_| ResponseTemplate::new(503),
            |_| ResponseTemplate::new(200).set_body_string("success"),
            |_| ResponseTemplate::new(200).set_body_json(json!({ "status": true, "data": "success" })),
            |_| ResponseTemplate::new(401).set_body_json(json!({ "status": false, "message": "Invalid key" })),
        ];
        for answer in nonsense {
            fixture.paystack_says(answer).await;
            assert_eq!(fixture.payments.settle(&payment).await.unwrap_err().code(), "provider_unavailable");
            assert_eq!(fixture.status(&payment).await, PaymentStatus::Pending);
        }
        fixture.clock.advance(Duration::from_secs(61));
        assert_eq!(fixture.payments.sweep().await.unwrap(), 1);
        assert_eq!(fixture.payments.sweep().await.unwrap(), 0, "it is not due again so soon");
        fixture.paystack_says(|reference| success(reference, 10_000)).await;
        fixture.clock.advance(Duration::from_secs(121));
        assert_eq!(fixture.payments.sweep().await.unwrap(), 1);
        assert_eq!(fixture.balance(Currency::Naira).await, "100");
    }

    async fn a_payment_expires_and_its_late_success_is_credited(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|_| state("abandoned")).await;
        let (late, never) =
            (fixture.begin(Provider::Paystack, "100").await, fixture.begin(Provider::Paystack, "200").await);
        for _ in 0..40 {
            fixture.clock.advance(Duration::from_secs(3_600));
            fixture.payments.sweep().await.unwrap();
        }
        assert_eq!(fixture.status(&late).await, PaymentStatus::Expired);
        let reference = late.reference.clone();
        fixture.paystack_says(move |asked| if asked == reference { success(asked, 10_000) } else { state("abandoned") }).await;
        fixture.clock.advance(Duration::from_secs(6 * 3_600));
        fixture.payments.sweep().await.unwrap();
        assert_eq!((fixture.status(&late).await, fixture.balance(Currency::Naira).await.as_str()), (PaymentStatus::Settled, "100"));
        // The sweeper gives up one day; a webhook still settles.
        fixture.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        fixture.payments.sweep().await.unwrap();
        assert_eq!(fixture.payments.by_id(never.id).await.unwrap().next_check_at, None);
        fixture.paystack_says(|reference| success(reference, 20_000)).await;
        assert!(matches!(fixture.webhook(&never.reference).await, PaymentEventOutcome::Paid(_)));
        assert_eq!((fixture.status(&never).await, fixture.balance(Currency::Naira).await.as_str()), (PaymentStatus::Settled, "300"));
        fixture.assert_sound().await;
    }

    async fn the_last_look_is_one_that_is_answered(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|_| ResponseTemplate::new(503)).await;
        let (late, never) =
            (fixture.begin(Provider::Paystack, "100").await, fixture.begin(Provider::Paystack, "200").await);
        fixture.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        assert_eq!(fixture.payments.sweep().await.unwrap(), 2);
        let reference = late.reference.clone();
        fixture.paystack_says(move |asked| if asked == reference { success(asked, 10_000) } else { ResponseTemplate::new(503) }).await;
        fixture.clock.advance(Duration::from_secs(6 * 3_600));
        assert_eq!(fixture.payments.sweep().await.unwrap(), 2);
        assert_eq!((fixture.status(&late).await, fixture.balance(Currency::Naira).await.as_str()), (PaymentStatus::Settled, "100"));
        assert!(fixture.payments.by_id(never.id).await.unwrap().next_check_at.is_some());
        fixture.clock.advance(Duration::from_secs(60 * 24 * 3_600));
        fixture.payments.sweep().await.unwrap();
        let given_up = fixture.payments.by_id(never.id).await.unwrap();
        assert_eq!((given_up.status, given_up.next_check_at), (PaymentStatus::Expired, None));
    }

    async fn of_several_daemons_one_looks_after_a_payment(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|_| state("ongoing")).await;
        for _ in 0..5 {
            fixture.begin(Provider::Paystack, "100").await;
        }
        fixture.clock.advance(Duration::from_secs(61));
        let others = [fixture.payments.clone(), fixture.payments.clone(), fixture.payments.clone()];
        let looked = futures::future::join_all(others.iter().map(PaymentService::sweep)).await;
        assert_eq!(looked.into_iter().map(Result::unwrap).sum::<usize>(), 5);
    }
}
