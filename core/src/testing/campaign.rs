//! A campaigns with a user, a price and money, for the tests of this room.

use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::campaign::Quote;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency, Money};
use talkdrum_api::purpose::{OptOutReach, Purpose};

use crate::campaign::CampaignService;
use crate::campaign::audience::RecipientSource;
use crate::campaign::confirm::{Confirmation, Confirmed, QuoteTarget};
use crate::campaign::quote::Form;
use crate::contact::suppression::{self, SuppressionScope};
use crate::content::Content;
use crate::error::Result;
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::money::rate::{Destination, PageRate};
use crate::phone::{Msisdn, NetworkTable};
use crate::routing::{RouteCarrier, RouteConfig, Router};
use crate::settings::{self, PriceKey, RatesChange};
use crate::store::{Lane, Store, Tx};
use crate::testing::account::make_user;
use crate::time::{ManualClock, Time};

pub(crate) const NOW: Time = Time(1_700_000_000_000);

#[derive(Clone, Debug)]
pub(crate) struct Fixture {
    pub(crate) campaigns: CampaignService,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) user: UserId,
}

impl Fixture {
    /// A user `ada` whose wallet holds `balance` Naira; a page costs 2.5 Naira; one carrier takes everything.
    pub(crate) async fn open(store: &Store, balance: &str) -> Self {
        Self::with_routes(store, balance, &[route_carrier("main")], &[]).await
    }

    pub(crate) async fn with_routes(
        store: &Store,
        balance: &str,
        carriers: &[RouteCarrier],
        routes: &[RouteConfig],
    ) -> Self {
        let networks = Arc::new(NetworkTable::builtin().clone());
        let clock = Arc::new(ManualClock::new(NOW));
        let user = user_with(store, "ada", balance).await;
        set_price(store, user, Currency::Naira, "2.5").await;
        let campaigns = CampaignService {
            store: store.clone(),
            clock: Arc::<ManualClock>::clone(&clock),
            router: Router::new(carriers.to_vec(), routes, &networks).unwrap().into(),
            rates: crate::settings::RateCache::new(Arc::clone(&networks)),
            networks,
            opt_outs: Arc::default(),
            purposes: Arc::default(),
            disk: None,
            refund_undelivered: false,
            hours: None,
            dnd: crate::routing::dnd::DndList::default(),
            limits: crate::campaign::spending_limit::CampaignLimits::default(),
            quotas: crate::platform::quota::Quotas::default(),
            callable: Arc::new(crate::phone::AllowedPrefixes::new(&["234".to_owned()]).unwrap()),
            readings: Arc::default(),
            resends: Arc::default(),
        };
        Self { campaigns, clock, user }
    }

    /// A text message to typed contacts, paid in Naira.
    pub(crate) fn form(&self, message: &str, contacts: &str) -> Form {
        Form {
            user_id: self.user,
            kind: Kind::Text,
            sender: Some("WEBSMS".into()),
            payment_method: Some("paystack".into()),
            purpose: Ok(None),
            canary: Ok(None),
            content: Ok(Content::Text { text: message.into() }),
            times: Ok(Vec::new()),
            sources: RecipientSource::text(contacts.into()).into_iter().collect(),
            idempotency_key: None,
        }
    }

    pub(crate) async fn quote(&self, message: &str, contacts: &str) -> Quote {
        self.campaigns.quote(self.form(message, contacts)).await.unwrap()
    }

    pub(crate) async fn confirm(&self, target: QuoteTarget) -> Result<Confirmed> {
        self.confirm_with(target, None).await
    }

    pub(crate) async fn confirm_with(&self, target: QuoteTarget, key: Option<&str>) -> Result<Confirmed> {
        let idempotency_key = key.map(str::to_owned);
        self.campaigns
            .confirm(Confirmation {
                user_id: self.user,
                ordered_by: None,
                kind: Kind::Text,
                target,
                idempotency_key,
                request_hash: None,
            })
            .await
    }

    pub(crate) async fn balance(&self) -> Amount {
        ledger::wallet(&mut self.tx().await, self.user, Currency::Naira).await.unwrap().1
    }

    pub(crate) async fn tx(&self) -> Tx {
        self.campaigns.store.read().await.unwrap()
    }

    /// Rows of a table.
    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        let row: (i64,) = self.tx().await.one(sql, crate::args![]).await.unwrap();
        row.0
    }

    /// Every account, reserve and counter adds up.
    pub(crate) async fn assert_ledger_adds_up(&self) {
        let findings = ledger::verify::verify(&mut self.tx().await).await.unwrap();
        assert_eq!(findings.0, Vec::<String>::new());
    }

    pub(crate) fn advance(&self, span: Duration) {
        self.clock.advance(span);
    }
}

pub(crate) fn route_carrier(name: &str) -> RouteCarrier {
    RouteCarrier { name: name.into(), kinds: Kind::SMS.to_vec(), ..RouteCarrier::default() }
}

/// Has a number opt out.
pub(crate) async fn opt_out(store: &Store, scope: SuppressionScope, digits: u64) {
    let number = Msisdn::from_digits(digits).unwrap();
    let job = store.write(Lane::Interactive, (scope, number), |tx, (scope, number)| {
        Box::pin(suppression::add(
            tx,
            *scope,
            *number,
            (suppression::OptOutSource::Manual, OptOutReach::All),
            NOW,
        ))
    });
    assert!(job.await.unwrap());
}

pub(crate) async fn user_with(store: &Store, name: &str, balance: &str) -> UserId {
    let user = make_user(store, name, Role::User).await;
    let amount: Amount = balance.parse().unwrap();
    store
        .write(Lane::Interactive, (user, amount), |tx, (user, amount)| {
            Box::pin(async move {
                if *amount > Amount::ZERO {
                    let money = Money { amount: *amount, currency: Currency::Naira };
                    ledger::credit_by_admin(tx, *user, money, &format!("test:{user}"), NOW).await?;
                }
                Ok(())
            })
        })
        .await
        .unwrap();
    user
}

pub(crate) async fn set_price(store: &Store, by: UserId, currency: Currency, price: &str) {
    set_price_of(store, by, PriceKey::sms(currency), price).await;
}

pub(crate) async fn set_price_of(store: &Store, by: UserId, key: PriceKey, price: &str) {
    let amount: Amount = price.parse().unwrap();
    store
        .write(Lane::Interactive, (by, key, amount), |tx, (by, key, amount)| {
            Box::pin(async move {
                settings::set_price(tx, *key, *amount, *by, NOW).await?;
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// A rate in Naira: prefix, network (empty is every one), price.
type RateText<'t> = (&'t str, &'t str, &'t str);

/// Makes these the rates in Naira: prefix, network (empty is every one), price.
pub(crate) async fn set_rates(store: &Store, by: UserId, rates: &[RateText<'_>]) {
    let rates = Some(naira_rates(rates));
    change_rates(store, by, RatesChange { rates, knows_purposes: true, ..RatesChange::default() })
        .await
        .unwrap();
}

/// Makes these the plans, each as [`set_rates`] has a list.
pub(crate) async fn set_plans(store: &Store, by: UserId, plans: &[(&str, &[RateText<'_>])]) -> Result<()> {
    let plans = plans.iter().map(|(name, rates)| ((*name).to_owned(), naira_rates(rates)));
    change_rates(
        store,
        by,
        RatesChange { plans: Some(plans.collect()), knows_purposes: true, ..RatesChange::default() },
    )
    .await
}

/// Gives a user a plan, or takes it.
pub(crate) async fn give_plan(store: &Store, by: UserId, user: UserId, plan: Option<&str>) -> Result<()> {
    let input = (by, user, plan.map(str::to_owned));
    store
        .write(Lane::Interactive, input, |tx, (by, user, plan)| {
            Box::pin(async move { settings::give_plan(tx, *user, plan.as_deref(), *by, NOW).await })
        })
        .await
}

/// A place as a test says it: a network may have a purpose behind it, as in `mtn for otp` and ` for promotional`.
fn destination(prefix: &str, network: &str) -> Destination {
    let (network, purpose) = network.split_once(" for ").unwrap_or((network, ""));
    let purpose = Purpose::ALL.into_iter().find(|it| it.code() == purpose);
    Destination { prefix: prefix.into(), network: network.into(), purpose }
}

fn naira_rates(rates: &[RateText<'_>]) -> Vec<PageRate> {
    let rate = |(prefix, network, naira): &(&str, &str, &str)| PageRate {
        plan: String::new(),
        destination: destination(prefix, network),
        espees: None,
        naira: Some(naira.parse().unwrap()),
        updated_at: NOW,
    };
    rates.iter().map(rate).collect()
}

async fn change_rates(store: &Store, by: UserId, change: RatesChange) -> Result<()> {
    store
        .write(Lane::Interactive, (by, change), |tx, (by, rates)| {
            Box::pin(async move {
                settings::change_rates(tx, rates, NetworkTable::builtin(), None, *by, NOW).await.map(|_| ())
            })
        })
        .await
}

/// `count` different Nigerian numbers, one a line.
pub(crate) fn numbers(count: usize) -> String {
    (0..count).map(|n| format!("0803{:07}\n", n)).collect()
}
