//! Calls that verify own numbers: over scripted trunks, on both databases.

mod codes;
mod limits;
mod money;
mod withdraw;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::sender::OwnNumberCall;
use tokio_util::task::TaskTracker;

use super::*;
use crate::campaign::spending_limit::CampaignLimits;
use crate::carrier::voice::{CallEvent, CallOutcome, CallResult, EndedBy, Teller, VoiceCarrier};
use crate::entropy::SeededEntropy;
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::platform::id::RunId;
use crate::model::sender::id::OwnCallId;
use crate::notice::{Notices, Outbox, Shown};
use crate::phone::{self, Msisdn};
use crate::settings::{KEY_BYTES, PriceKey, Vault};
use crate::store::operations::daemon;
use crate::store::operations::disk::DiskGuard;
use crate::store::operations::idempotency::Claim;
use crate::store::{Lane, Store};
use crate::testing::campaign::{NOW, set_price_of, user_with};
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::testing::trunk::ScriptedTrunk;
use crate::time::{Clock as _, ManualClock, Time};
use crate::voice::clip::header;
use crate::voice::single_call::{Permit, SingleCalls};
use crate::voice::speech::{CacheConfig, EngineConfig, Speech};
use crate::worker::jobs::recovery;

const HOUR: Duration = Duration::from_hours(1);
const MINUTE: Duration = Duration::from_mins(1);
/// What a pulse costs, in Naira.
const PRICE: Amount = Amount(2_333_333);
/// How long the code takes to say, in seconds: with the tail it is four pulses of six seconds.
const SAID_S: u32 = 20;

/// Permits every call.
struct Always;

impl Permit for Always {
    fn check<'a>(&'a self, _: &'a Arc<dyn VoiceCarrier>) -> BoxFuture<'a, Result<(), &'static str>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// What was spoken.
#[derive(Debug, Default)]
struct Heard(Mutex<Vec<String>>);

impl Outbox for Heard {
    fn show(&self, _: Shown) {}

    fn show_spoken(&self, _: String, text: String, _: Time) {
        self.0.lock().unwrap().push(text);
    }
}

/// A user with 100 Naira, and what calls their numbers.
struct Desk {
    calls: OwnNumberCalls,
    store: Store,
    clock: Arc<ManualClock>,
    heard: Arc<Heard>,
    house: NoticeHouse,
    ada: UserId,
    /// A run of a daemon that lives.
    run: RunId,
    dir: tempfile::TempDir,
}

impl Desk {
    async fn open(store: &Store) -> Self {
        let ada = user_with(store, "ada", "100").await;
        set_price_of(store, ada, PriceKey::voice(Currency::Naira), &PRICE.to_string()).await;
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(NOW));
        let heard = Arc::new(Heard::default());
        let house = NoticeHouse::new(store, &clock, Arc::new(ScriptedMailer::default()));
        let calls = OwnNumberCalls {
            store: store.clone(),
            clock: Arc::<ManualClock>::clone(&clock),
            entropy: Arc::new(SeededEntropy::new(7)),
            vault: Vault::new([7; KEY_BYTES], Arc::new(SeededEntropy::new(8))),
            speech: speech(dir.path(), clock.clone()),
            calls: SingleCalls::default(),
            pulse: "6/6".parse().unwrap(),
            spending: Arc::new(CampaignLimits::default()),
            hours: None,
            notices: Notices { outbox: Some(Arc::<Heard>::clone(&heard)), ..house.notices.clone() },
            under_way: TaskTracker::new(),
        };
        let run = started(store).await;
        Self { calls, store: store.clone(), clock, heard, house, ada, run, dir }
    }

    fn wanted(&self) -> OwnCallRequest {
        OwnCallRequest {
            user: self.ada,
            number: number(1),
            currency: Currency::Naira,
            voice: None,
            most: None,
            tells_keys: true,
        }
    }

    async fn begin(&self, wanted: OwnCallRequest, trunks: Vec<Arc<dyn VoiceCarrier>>) -> Result<BegunCall> {
        self.begin_under(wanted, trunks, None).await
    }

    async fn begin_under(
        &self,
        wanted: OwnCallRequest,
        trunks: Vec<Arc<dyn VoiceCarrier>>,
        claim: Option<Claim>,
    ) -> Result<BegunCall> {
        let draft = match self.calls.prepare(wanted).await? {
            Ok(draft) => draft,
            Err(why) => return Ok(BegunCall::Refused(why)),
        };
        self.calls.begin(draft, self.run, (trunks, Arc::new(Always)), claim).await
    }

    /// A call to a number of Ada's that a trunk took, and the trunk's end of it.
    async fn called(&self, wanted: OwnCallRequest) -> (OwnCallId, Teller) {
        let (trunk, mut told) = ScriptedTrunk::new("2342010000000");
        let begun = self.begin(wanted, vec![trunk]).await.unwrap();
        let BegunCall::Call(id) = begun else { panic!("{begun:?}") };
        (id, told.recv().await.unwrap())
    }

    /// The code of a call that was answered and heard, the newest one.
    async fn heard(&self, wanted: OwnCallRequest) -> String {
        let user = wanted.user;
        let (id, teller) = self.called(wanted).await;
        teller.tell(CallEvent::Answered);
        teller.tell(CallEvent::Ended(result(CallOutcome::Answered, 21_000)));
        self.until(user, id, "ended").await;
        self.code()
    }

    /// The code that was spoken last.
    fn code(&self) -> String {
        let heard = self.heard.0.lock().unwrap();
        heard.last().unwrap().rsplit(' ').next().unwrap().to_owned()
    }

    async fn until(&self, user: UserId, id: OwnCallId, status: &str) -> OwnNumberCall {
        for _ in 0..2_000 {
            let shown = show_call(&mut self.store.read().await.unwrap(), user, id).await.unwrap();
            if shown.status == status {
                return shown;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it is never {status}");
    }

    async fn confirm(&self, number: Msisdn, code: &str) -> Result<OwnNumber, (&'static str, String)> {
        let confirmed = self.calls.confirm(self.ada, number, code, None).await;
        confirmed.map_err(|error| (error.code(), error.to_string()))
    }

    /// Asks for a call that is over at once, and costs nothing.
    async fn used(&self, user: UserId, to: Msisdn) -> BegunCall {
        let begun =
            self.begin(OwnCallRequest { user, number: to, ..self.wanted() }, Vec::new()).await.unwrap();
        if let BegunCall::Call(id) = begun {
            self.until(user, id, "ended").await;
        }
        begun
    }

    /// What was told by e-mail since the last look: to whom, and what.
    async fn told(&self) -> Vec<(String, String)> {
        self.house.deliver().await.into_iter().map(|shown| (shown.to, shown.text)).collect()
    }

    async fn balance(&self, user: UserId) -> Amount {
        ledger::wallet(&mut self.store.read().await.unwrap(), user, Currency::Naira).await.unwrap().1
    }

    /// What was taken of the 100 Naira.
    async fn spent(&self) -> Amount {
        Amount(100_000_000).minus(self.balance(self.ada).await).unwrap()
    }

    async fn assert_ledger_adds_up(&self) {
        let findings = ledger::verify::verify(&mut self.store.read().await.unwrap()).await.unwrap();
        assert_eq!(findings.0, Vec::<String>::new());
    }

    /// The run is over, and another one settles what it left.
    async fn rescue(&self) {
        let (run, now) = (self.run, self.clock.now());
        let stopped = self
            .store
            .write(Lane::Interactive, (run, now), |tx, (run, now)| Box::pin(daemon::stop(tx, *run, *now)));
        stopped.await.unwrap();
        self.settle_by_another().await;
    }

    /// Another run settles what runs left that are over.
    async fn settle_by_another(&self) {
        let next = started(&self.store).await;
        assert_eq!(recovery::tick(&self.store, next, None, self.clock.now()).await.unwrap(), (0, false));
    }
}

async fn started(store: &Store) -> RunId {
    store.write(Lane::Interactive, NOW, |tx, now| Box::pin(daemon::start(tx, *now))).await.unwrap()
}

/// An engine that says everything as a tone of [`SAID_S`].
fn speech(dir: &std::path::Path, clock: Arc<ManualClock>) -> Speech {
    let tone = (0..SAID_S * 8_000).map(|n| if n / 10 % 2 == 0 { 9_000_i16 } else { -9_000 });
    let pcm: Vec<u8> = tone.flat_map(i16::to_le_bytes).collect();
    let wav = [&header(u32::try_from(pcm.len()).unwrap())[..], &pcm].concat();
    let file = dir.join("tone.wav");
    std::fs::write(&file, wav).unwrap();
    let engine = EngineConfig {
        command: vec!["/bin/cat".to_owned(), file.display().to_string()],
        voices: std::collections::BTreeMap::new(),
        timeout: Duration::from_secs(20),
        at_once: 2,
    };
    let cache = CacheConfig {
        dir: dir.join("speech"),
        bytes_max: 1 << 20,
        unused_max: HOUR,
        disk: DiskGuard::new(dir, 0),
    };
    Speech::open(engine, cache, clock).unwrap()
}

fn number(last: u64) -> Msisdn {
    phone::parse(&format!("23480312300{last:02}")).unwrap()
}

fn result(outcome: CallOutcome, up_ms: u64) -> CallResult {
    let is_answered = outcome == CallOutcome::Answered;
    let is_trunks_fault = outcome == CallOutcome::TrunkError;
    CallResult {
        outcome,
        reason: "as the test says",
        code: Some(200),
        ringing_at: (!is_trunks_fault).then_some(NOW + Duration::from_secs(1)),
        answered_at: is_answered.then_some(NOW + Duration::from_secs(2)),
        ended_at: NOW + Duration::from_secs(30),
        up: Duration::from_millis(up_ms),
        heard: Duration::ZERO,
        digits: String::new(),
        ended_by: if is_trunks_fault { EndedBy::Trunk } else { EndedBy::Caller },
    }
}
