//! What payments promise, on both databases, with providers that answer well, late, wrong or not at all.

mod sweep;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use talkdrum_api::money::{Amount, Currency, Money};
use wiremock::matchers::{method, path, path_regex};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::*;
use crate::entropy::SystemEntropy;
use crate::ledger::verify::verify;
use crate::model::account::id::UserId;
use crate::model::account::user::{Role, UserStatus};
use crate::settings::{Secret, SecretKey, TextKey, Vault, set_secret, set_text};
use crate::store::money::payment as rows;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::time::ManualClock;
use crate::{both_databases, ledger};

const START: Time = Time(1_700_000_000_000);
const KEY: &str = "sk_test_x";

/// Providers that answer as told, and a payments who asks them.
struct Fixture {
    server: MockServer,
    clock: Arc<ManualClock>,
    payments: PaymentService,
    ada: UserId,
}

impl Fixture {
    async fn open(store: &Store) -> Self {
        Self::open_with(store, |_| {}).await
    }

    async fn open_with(store: &Store, change: impl FnOnce(&mut PaymentConfig)) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let server = MockServer::start().await;
        let mut config = PaymentConfig {
            paystack_url: server.uri(),
            espees_url: server.uri(),
            timeout: Duration::from_millis(400),
            ..PaymentConfig::default()
        };
        change(&mut config);
        let clock = Arc::new(ManualClock::new(START));
        let vault = Vault::new([1; 32], Arc::new(SystemEntropy));
        let admin = make_user(store, "root", Role::Admin).await;
        let sealed = [
            (
                SecretKey::PaystackSecretKey,
                vault.seal(SecretKey::PaystackSecretKey.name(), &Secret::new(KEY)).unwrap(),
            ),
            (
                SecretKey::EspeeApiKey,
                vault.seal(SecretKey::EspeeApiKey.name(), &Secret::new("espees")).unwrap(),
            ),
        ];
        store
            .write(Lane::Interactive, (sealed, admin), |tx, (sealed, admin)| {
                Box::pin(async move {
                    for (key, sealed) in sealed {
                        set_secret(tx, *key, sealed, *admin, START).await?;
                    }
                    set_text(tx, TextKey::WalletAddress, "0xabc", *admin, START).await
                })
            })
            .await
            .unwrap();
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let payments =
            PaymentService::new(store.clone(), http, vault, clock.clone(), Arc::new(SystemEntropy), config);
        Self { server, clock, payments, ada: make_user(store, "ada", Role::User).await }
    }

    /// From now on Paystack begins everything, and says this of every transaction.
    async fn paystack_says(&self, answer: impl Fn(&str) -> ResponseTemplate + Send + Sync + 'static) {
        self.server.reset().await;
        let begin = |request: &Request| {
            let body: Value = request.body_json().unwrap();
            let reference = body["reference"].as_str().unwrap();
            ResponseTemplate::new(200).set_body_json(json!({ "status": true, "message": "Authorization URL created",
                "data": { "authorization_url": format!("https://checkout.example/{reference}"), "reference": reference } }))
        };
        Mock::given(method("POST"))
            .and(path("/transaction/initialize"))
            .respond_with(begin)
            .mount(&self.server)
            .await;
        let verify = move |request: &Request| answer(request.url.path().rsplit('/').next().unwrap());
        Mock::given(method("GET"))
            .and(path_regex("^/transaction/verify/.+"))
            .respond_with(verify)
            .mount(&self.server)
            .await;
    }

    /// From now on ESPEES begins everything, and says this of every payment.
    async fn espees_says(&self, status: &'static str) {
        self.server.reset().await;
        let product = |request: &Request| {
            let body: Value = request.body_json().unwrap();
            // The reference carries what has to come back.
            let packed = format!(
                "{}.{}.{}",
                body["product_sku"].as_str().unwrap(),
                body["price"],
                body["user_data"]["nonce"].as_str().unwrap()
            );
            ResponseTemplate::new(200).set_body_json(
                json!({ "statusCode": 200, "payment_ref": packed, "message": "Successfully Done" }),
            )
        };
        Mock::given(method("POST"))
            .and(path("/v2/payment/product"))
            .respond_with(product)
            .mount(&self.server)
            .await;
        let confirm = move |request: &Request| {
            let body: Value = request.body_json().unwrap();
            let packed = body["payment_ref"].as_str().unwrap();
            let (sku, rest) = packed.split_once('.').unwrap();
            let (price, nonce) = rest.rsplit_once('.').unwrap();
            ResponseTemplate::new(200)
                .set_body_json(json!({ "transaction_status": status, "product_sku": sku,
                "price": price, "user_data": { "nonce": nonce }, "status_details": "as told" }))
        };
        Mock::given(method("POST"))
            .and(path("/v2/payment/confirm/"))
            .respond_with(confirm)
            .mount(&self.server)
            .await;
    }

    fn order(&self, provider: Provider, amount: &str) -> PaymentRequest {
        PaymentRequest {
            user: self.ada,
            provider,
            amount: amount.parse().unwrap(),
            field: "amount",
            narration: "credit".into(),
            product_sku: None,
            claim: None,
        }
    }

    async fn begin(&self, provider: Provider, amount: &str) -> Payment {
        self.payments.begin(self.order(provider, amount)).await.unwrap()
    }

    async fn balance(&self, currency: Currency) -> String {
        let mut tx = self.payments.store.read().await.unwrap();
        ledger::wallet(&mut tx, self.ada, currency).await.unwrap().1.to_string()
    }

    async fn status(&self, payment: &Payment) -> PaymentStatus {
        self.payments.by_id(payment.id).await.unwrap().status
    }

    async fn assert_sound(&self) {
        let mut tx = self.payments.store.read().await.unwrap();
        assert_eq!(verify(&mut tx).await.unwrap().0, Vec::<String>::new());
    }

    async fn webhook(&self, reference: &str) -> PaymentEventOutcome {
        let body = json!({ "event": "charge.success", "data": { "reference": reference } }).to_string();
        let signature = paystack::sign(KEY, body.as_bytes());
        let heard = self.payments.hear_paystack(body.as_bytes(), &signature).await.unwrap();
        if let PaymentEventOutcome::Paid(payment) = &heard {
            let _ = self.payments.settle(payment).await;
        }
        heard
    }
}

fn success(reference: &str, kobo: i64) -> ResponseTemplate {
    verified(&json!({ "status": "success", "domain": "test", "reference": reference, "amount": kobo + 150,
        "requested_amount": kobo, "currency": "NGN" }))
}

fn verified(data: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200)
        .set_body_json(json!({ "status": true, "message": "Verification successful", "data": data }))
}

fn state(status: &str) -> ResponseTemplate {
    verified(&json!({ "status": status, "gateway_response": "as told" }))
}

both_databases! {
    async fn the_reference_is_stored_before_the_provider_is_called_and_survives_its_silence(store: Store) {
        let fixture = Fixture::open(&store).await;
        for silence in [
            ResponseTemplate::new(200).set_delay(Duration::from_secs(5)),
            ResponseTemplate::new(502),
            ResponseTemplate::new(200).set_body_string("<html>"),
        ] {
            fixture.server.reset().await;
            Mock::given(method("POST")).respond_with(silence).mount(&fixture.server).await;
            let refused = fixture.payments.begin(fixture.order(Provider::Paystack, "100")).await.unwrap_err();
            assert_eq!(refused.code(), "provider_unavailable");
        }
        let all = rows::PaymentSelection { user: Some(fixture.ada), ..rows::PaymentSelection::default() };
        let (kept, total) = rows::list(&mut store.read().await.unwrap(), &all, 0, 10).await.unwrap();
        assert_eq!((total, kept[0].payment.status, kept[0].username.as_str()), (3, PaymentStatus::Initiated, "ada"));
        // It came through after all, and was paid: the sweeper finds out.
        fixture.paystack_says(|reference| success(reference, 10_000)).await;
        fixture.clock.advance(Duration::from_secs(61));
        assert_eq!(fixture.payments.sweep().await.unwrap(), 3);
        assert_eq!(fixture.balance(Currency::Naira).await, "300");
        fixture.assert_sound().await;
    }

    async fn what_was_paid_must_be_what_was_stored(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|reference| success(reference, 9_999)).await;
        let payment = fixture.begin(Provider::Paystack, "100").await;
        let settled = fixture.payments.settle(&payment).await.unwrap();
        assert_eq!((settled.status, settled.next_check_at), (PaymentStatus::Mismatch, None));
        assert!(settled.note.contains("requested_amount 9999"), "{}", settled.note);
        assert_eq!(require_settled(&settled).unwrap_err().code(), "payment_mismatch");
        assert_eq!(fixture.balance(Currency::Naira).await, "0");
        // A person credits what came, under the payment's reference: that is the end of it.
        let credit = async |reference: String| {
            store
                .write(Lane::Interactive, (fixture.ada, reference), |tx, (user, reference)| {
                    Box::pin(async move {
                        let money = Money { amount: "99.99".parse()?, currency: Currency::Naira };
                        credit_by_admin(tx, UserId(1), *user, money, reference, START).await
                    })
                })
                .await
        };
        assert_eq!(credit(payment.reference.clone()).await.unwrap().to_string(), "99.99");
        assert_eq!(credit(payment.reference.clone()).await.unwrap_err().code(), "duplicate_reference");
        fixture.paystack_says(|reference| success(reference, 10_000)).await;
        let fresh = fixture.payments.by_id(payment.id).await.unwrap();
        assert_eq!((fresh.status, fresh.settled_by), (PaymentStatus::Settled, Some(UserId(1))));
        fixture.payments.settle(&payment).await.unwrap();
        assert_eq!(fixture.balance(Currency::Naira).await, "99.99");
        fixture.assert_sound().await;
    }

    async fn what_settled_by_itself_cannot_be_credited_by_hand_nor_for_another(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.espees_says("APPROVED").await;
        let payment = fixture.begin(Provider::Espees, "12.345678").await;
        let eve = make_user(&store, "eve", Role::User).await;
        let credit = async |user: UserId| {
            store
                .write(Lane::Interactive, (user, payment.known_as().to_owned()), |tx, (user, reference)| {
                    Box::pin(async move {
                        let money = Money { amount: Amount(1), currency: Currency::Espees };
                        credit_by_admin(tx, UserId(1), *user, money, reference, START).await
                    })
                })
                .await
        };
        assert_eq!(credit(eve).await.unwrap_err().code(), "reference_of_another");
        assert_eq!(fixture.payments.settle(&payment).await.unwrap().status, PaymentStatus::Settled);
        assert_eq!(credit(fixture.ada).await.unwrap_err().code(), "duplicate_reference");
        assert_eq!(fixture.balance(Currency::Espees).await, "12.345678");
        fixture.assert_sound().await;
    }

    async fn a_payment_is_recognised_in_another_case_and_under_the_other_currency(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.espees_says("APPROVED").await;
        let espees = fixture.begin(Provider::Espees, "5").await;
        fixture.paystack_says(|reference| success(reference, 10_000)).await;
        let naira = fixture.begin(Provider::Paystack, "100").await;
        let credit = async |reference: String, currency: Currency| {
            store
                .write(Lane::Interactive, (fixture.ada, reference, currency), |tx, (user, reference, currency)| {
                    Box::pin(async move {
                        let money = Money { amount: Amount(1), currency: *currency };
                        credit_by_admin(tx, UserId(1), *user, money, reference, START).await
                    })
                })
                .await
        };
        // In the other currency it would be credited beside the payment.
        for (payment, other) in [(&espees, Currency::Naira), (&naira, Currency::Espees)] {
            for reference in [payment.known_as().to_owned(), payment.reference.to_uppercase()] {
                let refused = credit(reference, other).await.unwrap_err();
                assert_eq!(refused.code(), "reference_of_payment");
                let named = format!("payment {} of {}", payment.known_as(), payment.money);
                assert!(refused.to_string().contains(&named), "{refused}");
            }
        }
        // In another case it is that payment, which is then done.
        credit(naira.reference.to_uppercase(), Currency::Naira).await.unwrap();
        let again = credit(naira.reference.clone(), Currency::Naira).await.unwrap_err();
        assert_eq!(again.code(), "duplicate_reference");
        fixture.payments.settle(&naira).await.unwrap();
        assert_eq!(fixture.balance(Currency::Naira).await, "0.000001");
        fixture.espees_says("APPROVED").await;
        assert_eq!(fixture.payments.settle(&espees).await.unwrap().status, PaymentStatus::Settled);
        assert_eq!(fixture.balance(Currency::Espees).await, "5");
        fixture.assert_sound().await;
    }

    async fn espees_settle_on_their_word_only_and_decline_is_not_the_end(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.espees_says("NOT FOUND").await;
        let payment = fixture.begin(Provider::Espees, "0.5").await;
        assert_eq!(payment.known_as(), payment.provider_ref.as_deref().unwrap());
        assert!(payment.checkout_url.as_deref().unwrap().ends_with(payment.known_as()));
        assert_eq!(fixture.payments.settle(&payment).await.unwrap().status, PaymentStatus::Pending);
        fixture.espees_says("DECLINE").await;
        let failed = fixture.payments.settle(&payment).await.unwrap();
        assert_eq!(require_settled(&failed).unwrap_err().code(), "payment_failed");
        fixture.espees_says("PENDING").await;
        assert_eq!(fixture.payments.settle(&failed).await.unwrap().status, PaymentStatus::Pending);
        fixture.espees_says("APPROVED").await;
        assert_eq!(fixture.payments.settle(&failed).await.unwrap().status, PaymentStatus::Settled);
        assert_eq!(fixture.balance(Currency::Espees).await, "0.5");
    }

    async fn of_two_pages_opened_at_once_both_answers_name_the_one_that_is_asked_for(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.espees_says("APPROVED").await;
        let packed = |request: &Request| {
            let body: Value = request.body_json().unwrap();
            let sku = body["product_sku"].as_str().unwrap();
            format!("{sku}.{}.{}", body["price"], body["user_data"]["nonce"].as_str().unwrap())
        };
        fixture.server.reset().await;
        let opened = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counter = Arc::clone(&opened);
        let product = move |request: &Request| {
            let page = counter.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            // The first request is answered last.
            let delay = Duration::from_millis(if page == 0 { 200 } else { 0 });
            let body = json!({ "statusCode": 200, "payment_ref": format!("{page}-{}", packed(request)) });
            ResponseTemplate::new(200).set_body_json(body).set_delay(delay)
        };
        Mock::given(method("POST")).and(path("/v2/payment/product")).respond_with(product).mount(&fixture.server).await;
        let claim = crate::store::operations::idempotency::Claim {
            user_id: fixture.ada, key: "k".into(), operation: "payment.begin", input_hash: [1; 32],
        };
        let begin = || fixture.payments.begin(PaymentRequest { claim: Some(claim.clone()), ..fixture.order(Provider::Espees, "10") });
        let (one, other) = tokio::join!(begin(), begin());
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!(opened.load(std::sync::atomic::Ordering::SeqCst), 2, "ESPEES opens a page each time");
        assert_eq!(one.checkout_url, other.checkout_url);
        let kept = fixture.payments.by_id(one.id).await.unwrap();
        let asked = kept.provider_ref.unwrap();
        assert!(one.checkout_url.unwrap().ends_with(&asked), "the page that is paid at is the one that is asked for");
    }

    async fn a_repeated_request_begins_nothing_new(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|_| state("ongoing")).await;
        let claim = crate::store::operations::idempotency::Claim {
            user_id: fixture.ada, key: "k".into(), operation: "payment.begin", input_hash: [1; 32],
        };
        let order = || PaymentRequest { claim: Some(claim.clone()), ..fixture.order(Provider::Paystack, "100") };
        let first = fixture.payments.begin(order()).await.unwrap();
        assert_eq!(fixture.payments.begin(order()).await.unwrap().reference, first.reference);
        assert_ne!(fixture.begin(Provider::Paystack, "100").await.reference, first.reference);
    }

    async fn an_inactive_user_begins_nothing_and_what_runs_still_settles(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|reference| success(reference, 10_000)).await;
        let payment = fixture.begin(Provider::Paystack, "100").await;
        store
            .write(Lane::Interactive, fixture.ada, |tx, user| {
                Box::pin(crate::store::account::user::set_status(tx, *user, UserStatus::Inactive, START))
            })
            .await
            .unwrap();
        let refused = fixture.payments.begin(fixture.order(Provider::Paystack, "100")).await.unwrap_err();
        assert_eq!(refused.to_string(), "Please Contact Admin to activate your account");
        assert_eq!(fixture.payments.settle(&payment).await.unwrap().status, PaymentStatus::Settled);
    }

    async fn what_is_not_set_up_or_not_allowed_says_so(store: Store) {
        let fixture = Fixture::open_with(&store, |config| config.open_max = 1).await;
        fixture.paystack_says(|_| state("ongoing")).await;
        let code = async |provider, amount: &str| {
            fixture.payments.begin(fixture.order(provider, amount)).await.map(|_| ()).map_err(|error| error.code())
        };
        assert_eq!(code(Provider::Paystack, "100").await, Ok(()));
        assert_eq!(code(Provider::Paystack, "100").await, Err("too_many_open_payments"));
        assert_eq!(code(Provider::Paystack, "100.001").await, Err("amount_inexact"));
        let stranger = PaymentService { vault: Vault::new([2; 32], Arc::new(SystemEntropy)), ..fixture.payments.clone() };
        let refused = stranger.begin(fixture.order(Provider::Paystack, "100")).await.unwrap_err();
        assert_eq!(refused.code(), "secret_unreadable");
        store
            .write(Lane::Interactive, (), |tx, ()| {
                Box::pin(async move { tx.run("DELETE FROM settings", crate::args![]).await })
            })
            .await
            .unwrap();
        assert_eq!(code(Provider::Paystack, "100").await, Err("payment_not_set_up"));
        assert_eq!(fixture.payments.hear_paystack(b"{}", "00").await.unwrap(), PaymentEventOutcome::Unsigned);
    }

    async fn a_provider_s_refusal_ends_a_payment(store: Store) {
        let fixture = Fixture::open(&store).await;
        Mock::given(method("POST"))
            .respond_with(ResponseTemplate::new(400).set_body_json(json!({ "status": false, "message": "Invalid Email" })))
            .mount(&fixture.server)
            .await;
        let refused = fixture.payments.begin(fixture.order(Provider::Paystack, "100")).await.unwrap_err();
        assert!(refused.code() == "provider_refused" && refused.to_string().contains("Invalid Email"), "{refused}");
        // ESPEES refuses with status 200.
        fixture.server.reset().await;
        Mock::given(method("POST"))
            .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "statusCode": 400, "message": "bad wallet",
                "payment_ref": "x" })))
            .mount(&fixture.server)
            .await;
        let refused = fixture.payments.begin(fixture.order(Provider::Espees, "1")).await.unwrap_err();
        assert_eq!(refused.code(), "provider_refused");
        let all = rows::PaymentSelection { status: Some(PaymentStatus::Failed), ..rows::PaymentSelection::default() };
        let (failed, total) = rows::list(&mut store.read().await.unwrap(), &all, 0, 10).await.unwrap();
        assert_eq!((total, failed[0].payment.next_check_at), (2, None));
        let asked = fixture.payments.settle(&failed[0].payment).await.unwrap();
        assert_eq!(asked.status, PaymentStatus::Failed);
    }

    async fn refunds_and_disputes_are_kept_once_and_move_no_money(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.paystack_says(|reference| success(reference, 10_000)).await;
        let payment = fixture.begin(Provider::Paystack, "100").await;
        fixture.payments.settle(&payment).await.unwrap();
        let hear = async |body: &Value| {
            let body = body.to_string();
            let signature = paystack::sign(KEY, body.as_bytes());
            fixture.payments.hear_paystack(body.as_bytes(), &signature).await.unwrap()
        };
        let refund = json!({ "event": "refund.processed", "data": { "status": "processed", "amount": "10000",
            "currency": "NGN", "transaction_reference": payment.reference } });
        let dispute = json!({ "event": "charge.dispute.create", "data": { "refund_amount": 10_000, "status": "awaiting-merchant-feedback",
            "transaction": { "reference": "another-shop" } } });
        for body in [&refund, &refund, &dispute] {
            assert_eq!(hear(body).await, PaymentEventOutcome::Kept);
        }
        assert_eq!(hear(&json!({ "event": "subscription.create", "data": {} })).await, PaymentEventOutcome::Ignored);
        assert_eq!(hear(&json!({ "event": "charge.success", "data": { "reference": "nobody's" } })).await, PaymentEventOutcome::Ignored);
        assert_eq!(hear(&json!("no object")).await, PaymentEventOutcome::Ignored);
        // It was begun here, and the database went back in time since.
        let lost = json!({ "event": "charge.success", "data": { "reference": "td-0123456789ab", "amount": 5_000, "currency": "NGN" } });
        for _ in 0..2 {
            assert_eq!(hear(&lost).await, PaymentEventOutcome::Kept);
        }
        let (events, total) = rows::events(&mut store.read().await.unwrap(), 0, 10).await.unwrap();
        assert_eq!(total, 3);
        assert_eq!((events[2].payment_id, events[2].username.as_deref()), (Some(payment.id), Some("ada")));
        assert_eq!(events[2].summary, "100 NGN, status: processed");
        assert_eq!((events[1].payment_id, events[1].reference.as_deref()), (None, Some("another-shop")));
        assert_eq!((events[0].event.as_str(), events[0].summary.as_str()), ("charge.success", "50 NGN"));
        assert_eq!(fixture.balance(Currency::Naira).await, "100");
    }

    async fn another_s_payment_is_not_found(store: Store) {
        let fixture = Fixture::open(&store).await;
        fixture.espees_says("APPROVED").await;
        let payment = fixture.begin(Provider::Espees, "1").await;
        let eve = make_user(&store, "eve", Role::User).await;
        for reference in [payment.reference.as_str(), payment.known_as()] {
            assert_eq!(fixture.payments.find(Provider::Espees, reference, fixture.ada).await.unwrap().id, payment.id);
            assert!(fixture.payments.find(Provider::Espees, reference, eve).await.is_err());
            assert!(fixture.payments.find(Provider::Paystack, reference, fixture.ada).await.is_err());
        }
    }
}
