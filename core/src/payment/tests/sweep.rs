//! Payments whose customers do not come back from the provider's page.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::money::Currency;
use wiremock::ResponseTemplate;

use super::super::event::Heard;
use super::super::{Provider, Status};
use super::{Till, state, success};
use crate::both_databases;
use crate::payment::PaymentService;

both_databases! {
    async fn confirmations_webhooks_and_the_sweeper_at_once_credit_once(store: Store) {
        let till = Till::open(&store).await;
        till.paystack_says(|reference| success(reference, 50_050)).await;
        let payment = till.begin(Provider::Paystack, "500.50").await;
        assert_eq!(payment.checkout_url.as_deref(), Some(&*format!("https://checkout.example/{}", payment.reference)));
        till.clock.advance(Duration::from_secs(3_600));
        let confirms = futures::future::join_all((0..20).map(|_| till.cashier.settle(&payment)));
        let webhooks = futures::future::join_all((0..5).map(|_| till.webhook(&payment.reference)));
        let sweeps = futures::future::join_all((0..3).map(|_| till.cashier.sweep()));
        let (confirmed, heard, swept) = tokio::join!(confirms, webhooks, sweeps);
        assert!(confirmed.iter().all(|it| it.as_ref().is_ok_and(|it| it.status == Status::Settled)));
        assert!(heard.iter().all(|it| matches!(it, Heard::Paid(_))));
        assert!(swept.iter().all(Result::is_ok));
        assert_eq!(till.balance(Currency::Naira).await, "500.5");
        let kept = till.cashier.by_id(payment.id).await.unwrap();
        assert_eq!((kept.settled_at.is_some(), kept.next_check_at, kept.note.as_str()), (true, None, "Paid"));
        till.assert_sound().await;
    }

    async fn a_provider_that_is_late_or_talks_nonsense_changes_nothing_and_is_asked_again(store: Store) {
        let till = Till::open(&store).await;
        till.paystack_says(|_| state("ongoing")).await;
        let payment = till.begin(Provider::Paystack, "100").await;
        let nonsense: [fn(&str) -> ResponseTemplate; 5] = [
            |_| ResponseTemplate::new(200).set_delay(Duration::from_secs(5)),
            |_| ResponseTemplate::new(503),
            |_| ResponseTemplate::new(200).set_body_string("success"),
            |_| ResponseTemplate::new(200).set_body_json(json!({ "status": true, "data": "success" })),
            |_| ResponseTemplate::new(401).set_body_json(json!({ "status": false, "message": "Invalid key" })),
        ];
        for answer in nonsense {
            till.paystack_says(answer).await;
            assert_eq!(till.cashier.settle(&payment).await.unwrap_err().code(), "provider_unavailable");
            assert_eq!(till.status(&payment).await, Status::Pending);
        }
        till.clock.advance(Duration::from_secs(61));
        assert_eq!(till.cashier.sweep().await.unwrap(), 1);
        assert_eq!(till.cashier.sweep().await.unwrap(), 0, "it is not due again so soon");
        till.paystack_says(|reference| success(reference, 10_000)).await;
        till.clock.advance(Duration::from_secs(121));
        assert_eq!(till.cashier.sweep().await.unwrap(), 1);
        assert_eq!(till.balance(Currency::Naira).await, "100");
    }

    async fn a_payment_expires_and_its_late_success_is_credited(store: Store) {
        let till = Till::open(&store).await;
        till.paystack_says(|_| state("abandoned")).await;
        let (late, never) =
            (till.begin(Provider::Paystack, "100").await, till.begin(Provider::Paystack, "200").await);
        for _ in 0..40 {
            till.clock.advance(Duration::from_secs(3_600));
            till.cashier.sweep().await.unwrap();
        }
        assert_eq!(till.status(&late).await, Status::Expired);
        let reference = late.reference.clone();
        till.paystack_says(move |asked| if asked == reference { success(asked, 10_000) } else { state("abandoned") }).await;
        till.clock.advance(Duration::from_secs(6 * 3_600));
        till.cashier.sweep().await.unwrap();
        assert_eq!((till.status(&late).await, till.balance(Currency::Naira).await.as_str()), (Status::Settled, "100"));
        // The sweeper gives up one day; a webhook still settles.
        till.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        till.cashier.sweep().await.unwrap();
        assert_eq!(till.cashier.by_id(never.id).await.unwrap().next_check_at, None);
        till.paystack_says(|reference| success(reference, 20_000)).await;
        assert!(matches!(till.webhook(&never.reference).await, Heard::Paid(_)));
        assert_eq!((till.status(&never).await, till.balance(Currency::Naira).await.as_str()), (Status::Settled, "300"));
        till.assert_sound().await;
    }

    async fn the_last_look_is_one_that_is_answered(store: Store) {
        let till = Till::open(&store).await;
        till.paystack_says(|_| ResponseTemplate::new(503)).await;
        let (late, never) =
            (till.begin(Provider::Paystack, "100").await, till.begin(Provider::Paystack, "200").await);
        till.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        assert_eq!(till.cashier.sweep().await.unwrap(), 2);
        let reference = late.reference.clone();
        till.paystack_says(move |asked| if asked == reference { success(asked, 10_000) } else { ResponseTemplate::new(503) }).await;
        till.clock.advance(Duration::from_secs(6 * 3_600));
        assert_eq!(till.cashier.sweep().await.unwrap(), 2);
        assert_eq!((till.status(&late).await, till.balance(Currency::Naira).await.as_str()), (Status::Settled, "100"));
        assert!(till.cashier.by_id(never.id).await.unwrap().next_check_at.is_some());
        till.clock.advance(Duration::from_secs(60 * 24 * 3_600));
        till.cashier.sweep().await.unwrap();
        let given_up = till.cashier.by_id(never.id).await.unwrap();
        assert_eq!((given_up.status, given_up.next_check_at), (Status::Expired, None));
    }

    async fn of_several_daemons_one_looks_after_a_payment(store: Store) {
        let till = Till::open(&store).await;
        till.paystack_says(|_| state("ongoing")).await;
        for _ in 0..5 {
            till.begin(Provider::Paystack, "100").await;
        }
        till.clock.advance(Duration::from_secs(61));
        let others = [till.cashier.clone(), till.cashier.clone(), till.cashier.clone()];
        let looked = futures::future::join_all(others.iter().map(PaymentService::sweep)).await;
        assert_eq!(looked.into_iter().map(Result::unwrap).sum::<usize>(), 5);
    }
}
