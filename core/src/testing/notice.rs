//! A queue of notices with one carrier, and what was handed over from it.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use talkdrum_api::kind::Kind;

use crate::entropy::{Entropy, SeededEntropy};
use crate::model::platform::id::RunId;
use crate::notice::{Mail, MailFault, MailWorker, Mailer, Notices, Outbox, Shown};
use crate::phone::NetworkTable;
use crate::routing::{RouteCarrier, RouteConfig, Router};
use crate::settings::Vault;
use crate::store::Store;
use crate::store::db::once::Once;
use crate::time::{Clock, ManualClock, Time};

/// The name of the carrier.
pub const CARRIER: &str = "main";

/// Everything that was handed over.
#[derive(Debug, Default)]
pub struct Handed(Mutex<Vec<Shown>>);

impl Outbox for Handed {
    fn show(&self, notice: Shown) {
        self.0.lock().expect("no test panics here").push(notice);
    }

    /// Only notices are handed over here.
    fn show_spoken(&self, _: String, _: String, _: Time) {}
}

/// Accepts every e-mail, or fails as the test asks.
#[derive(Debug, Default)]
pub struct ScriptedMailer(Mutex<Vec<MailFault>>);

impl ScriptedMailer {
    /// Fails with these, the last first, then takes everything.
    pub fn failing(faults: Vec<MailFault>) -> Self {
        Self(Mutex::new(faults))
    }
}

impl Mailer for ScriptedMailer {
    fn send<'a>(&'a self, _: Mail<'a>) -> BoxFuture<'a, Result<(), MailFault>> {
        let fault = self.0.lock().expect("no test panics here").pop();
        Box::pin(async move { fault.map_or(Ok(()), Err) })
    }
}

/// A queue and what drives it.
#[derive(Debug)]
pub struct NoticeHouse {
    /// The queue.
    pub notices: Notices,
    /// The time.
    pub clock: Arc<ManualClock>,
    handed: Arc<Handed>,
    mailer: Arc<dyn Mailer>,
}

impl NoticeHouse {
    /// A queue whose e-mails are taken by `mailer`.
    ///
    /// # Panics
    /// When the fixture is wrong.
    pub fn new(store: &Store, clock: &Arc<ManualClock>, mailer: Arc<dyn Mailer>) -> Self {
        Self::with_spares(store, clock, mailer, &[])
    }

    /// The same, where others take over from the carrier.
    ///
    /// # Panics
    /// When the fixture is wrong.
    pub fn with_spares(
        store: &Store,
        clock: &Arc<ManualClock>,
        mailer: Arc<dyn Mailer>,
        spares: &[&str],
    ) -> Self {
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(11));
        let carrier = |name: &&str| RouteCarrier {
            name: (*name).into(),
            kinds: Kind::SMS.to_vec(),
            ..RouteCarrier::default()
        };
        let carriers = [&[CARRIER], spares].concat().iter().map(carrier).collect();
        let spares = spares.iter().map(|name| (*name).to_owned()).collect();
        let route = RouteConfig { carrier: CARRIER.into(), spares, ..RouteConfig::default() };
        let networks = Arc::new(NetworkTable::builtin().clone());
        let router = Router::new(carriers, &[route], &networks).expect("a router").into();
        let handed = Arc::new(Handed::default());
        let time: Arc<dyn Clock> = Arc::clone(clock) as Arc<dyn Clock>;
        let outbox: Arc<dyn Outbox> = Arc::clone(&handed) as Arc<dyn Outbox>;
        let notices = Notices {
            store: store.clone(),
            clock: time,
            vault: Vault::new([7; 32], entropy),
            router,
            networks,
            sender: "WEBSMS".into(),
            outbox: Some(outbox),
        };
        Self { notices, clock: Arc::clone(clock), handed, mailer }
    }

    /// Hands over what is due by both channels and returns all that was handed over since the last call.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn deliver(&self) -> Vec<Shown> {
        let now = self.clock.now();
        let claims = Once::new(self.notices.store.clone(), RunId(0), "test");
        while !self
            .notices
            .claim_sms(&claims, CARRIER, crate::notice::DueTexts::All, 64, now)
            .await
            .expect("a claim")
            .batch
            .is_empty()
        {}
        let post = MailWorker::new(self.notices.clone(), Some(Arc::clone(&self.mailer)));
        while post.tick(now).await.expect("a tick") {}
        std::mem::take(&mut *self.handed.0.lock().expect("no test panics here"))
    }
}
