//! Calls by a provider's HTTP API, against one that stands in for it: it fetches what it plays and tells how calls went.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use talkdrum_core::ledger::verify::verify;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::profile;
use talkdrum_core::testing::mp3::Tone;

use crate::config::CarrierSection;
use crate::testing::{START, TestDaemon};

const SECRET: &str = "0123456789abcdef";

/// A call that the provider was asked for.
#[derive(Clone, Debug)]
struct Asked {
    to: String,
    from: String,
    max_seconds: u64,
    /// The path of what is played.
    plays: String,
    hook: String,
    reference: String,
    /// What was fetched, once it was.
    heard: Vec<u8>,
}

/// The provider. Where it is told to wait, calls go on until the test ends them.
#[derive(Default)]
struct Provider {
    daemon: OnceLock<SocketAddr>,
    calls: Mutex<Vec<Asked>>,
    waits: std::sync::atomic::AtomicBool,
}

impl Provider {
    fn calls(&self) -> Vec<Asked> {
        self.calls.lock().unwrap().clone()
    }

    async fn asked(&self, count: usize) -> Vec<Asked> {
        for _ in 0..1_200 {
            let calls = self.calls();
            if calls.len() >= count {
                return calls;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{count} calls were never asked for: {:?}", self.calls());
    }

    /// What becomes of a call: by the last digits of the number, as the phones of the sandbox do.
    async fn carry(&self, index: usize) {
        let call = self.calls()[index].clone();
        let base = format!("http://{}", self.daemon.get().unwrap());
        let client = reqwest::Client::new();
        let tell = async |body: Value| {
            let told = client.post(format!("{base}{}", call.hook)).json(&body).send().await.unwrap();
            assert_eq!(told.status(), 200, "{body}");
        };
        let id = format!("CA{index}");
        let over = |status: &str, seconds: u64| json!({ "id": id, "status": status, "seconds": seconds });
        match &call.to[call.to.len() - 4..] {
            "9101" => return tell(over("busy", 0)).await,
            "9104" => return tell(over("no-such-number", 0)).await,
            _ => {}
        }
        tell(json!({ "id": id, "status": "ringing" })).await;
        let address = format!("{base}{}", call.plays);
        let whole = client.get(&address).send().await.unwrap();
        assert_eq!(
            (whole.status().as_u16(), &whole.headers()["content-type"]),
            (200, &"audio/wav".parse().unwrap())
        );
        let whole = whole.bytes().await.unwrap().to_vec();
        let part = client.get(&address).header("range", "bytes=40-1043").send().await.unwrap();
        assert_eq!(part.status(), 206);
        assert!(part.bytes().await.unwrap()[..] == whole[40..1_044]);
        self.calls.lock().unwrap()[index].heard = whole;
        tell(json!({ "id": id, "status": "in-progress" })).await;
        if self.waits.load(std::sync::atomic::Ordering::Relaxed) {
            return;
        }
        let seconds = if call.to.ends_with("20") { 20 } else { 65 };
        tell(over("completed", seconds)).await;
        tell(over("completed", seconds)).await;
    }
}

/// The path of an address of ours: the provider of the test reaches the daemon elsewhere.
fn path_of(address: &Value) -> String {
    address.as_str().unwrap().strip_prefix("http://drum.test").unwrap().to_owned()
}

async fn take(State(provider): State<Arc<Provider>>, Json(body): Json<Value>) -> Json<Value> {
    let call = Asked {
        to: body["to"].as_str().unwrap().into(),
        from: body["from"].as_str().unwrap().into(),
        max_seconds: body["max"].as_u64().unwrap(),
        plays: path_of(&body["play"]),
        hook: path_of(&body["hook"]),
        reference: body["ref"].as_str().unwrap().into(),
        heard: Vec::new(),
    };
    let index = {
        let mut calls = provider.calls.lock().unwrap();
        calls.push(call);
        calls.len() - 1
    };
    let carried = Arc::clone(&provider);
    tokio::spawn(async move { carried.carry(index).await });
    Json(json!({ "data": { "id": format!("CA{index}") } }))
}

/// A daemon with a provider of calls, where a pulse costs 9 Naira, and a user with 1,000 Naira and a verified phone.
struct Rig {
    daemon: TestDaemon,
    provider: Arc<Provider>,
    section: CarrierSection,
    ada: String,
    admin: String,
}

/// Settings with this carrier.
fn with(section: CarrierSection) -> impl FnOnce(&mut crate::config::Settings) {
    move |settings| {
        settings.server.public_url = Some("http://drum.test".into());
        settings.carriers = vec![section];
    }
}

impl Rig {
    async fn start() -> Self {
        let provider = Arc::<Provider>::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new().route("/calls", post(take)).with_state(Arc::clone(&provider));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let options = format!(
            "url = 'http://{address}/calls'\nid_pointer = '/data/id'\ncaller_id = '2342012345678'\nchannels = 4\n\
             rate = 50\nhook_secret = '{SECRET}'\n\
             body = '{{\"to\":\"{{to}}\",\"from\":\"{{from}}\",\"play\":\"{{audio_url}}\",\"hook\":\"{{callback_url}}\",\
             \"ref\":\"{{ref}}\",\
             \"max\":{{max_seconds}}}}'\n\
             [call]\nid = 'id'\nref = 'ref'\nstatus = 'status'\nseconds = 'seconds'\n\
             statuses = {{ ringing = 'ringing', in-progress = 'in_progress', completed = 'answered', busy = 'busy', \
             no-such-number = 'invalid_number' }}"
        );
        let options = toml::from_str(&options).unwrap();
        let section = CarrierSection { name: "dialler".into(), kind: "http-voice".into(), options };
        let daemon = TestDaemon::start_with(with(section.clone())).await;
        provider.daemon.set(daemon.address()).unwrap();
        let admin = daemon.signed_in("root", Role::Admin).await;
        let prices = [("VOICE-UNIT-PRICE-NAIRA", "9"), ("VOICE-UNIT-PRICE", "0.5")];
        assert_eq!(daemon.post("/admin/set-prices", &admin, &prices).await.status, 200);
        let id = daemon.user("ada", Role::User).await;
        let money = [("amount", "1000"), ("payment_ref", "p-1")];
        let funded = daemon.post(&format!("/admin/assign-naira/{id}"), &admin, &money).await;
        assert_eq!(funded.status, 200, "{}", funded.text);
        let set = daemon.store().write(Lane::Interactive, id, |tx, id| {
            Box::pin(profile::set_phone(tx, *id, "2348031230020", START))
        });
        assert!(set.await.unwrap());
        let ada = daemon.login("ada").await;
        Self { daemon, provider, section, ada, admin }
    }

    /// The id of a new recording of so many seconds.
    async fn recording(&self, seconds: f32) -> String {
        let mp3 = Part::bytes(Tone::of(seconds).mp3()).file_name("Tone.mp3");
        let form = Form::new().part("audioFile", mp3);
        let request = self.daemon.request(Method::POST, "/api/recordings", &self.ada).multipart(form);
        let reply = self.daemon.send(request).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        reply.json()["recording"]["id"].to_string()
    }

    /// The id of a campaign of calls.
    async fn calls(&self, recording: &str, contacts: &str) -> Value {
        let fields = [("payment_method", "naira"), ("contacts", contacts), ("audioUrl", recording)];
        let form =
            fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, (*value).to_owned()));
        let request = self.daemon.request(Method::POST, "/api/voice-call", &self.ada).multipart(form);
        let reply = self.daemon.send(request).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["details"]["id"].clone()
    }

    async fn until(&self, path: &str, token: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut shown = Value::Null;
        for _ in 0..1_200 {
            shown = self.daemon.get(path, token).await.json();
            if wanted(&shown) {
                return shown;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{path} was never as wanted: {shown}");
    }
}

#[tokio::test]
async fn a_campaign_over_a_provider_is_charged_by_its_seconds_to_the_micro_unit() {
    let rig = Rig::start().await;
    let recording = rig.recording(70.0).await;
    let id = rig.calls(&recording, "08031230020 08031230065 08031239101 08031239104").await;
    let messages = format!("/api/campaigns/{id}/messages");
    rig.until(&messages, &rig.ada, |shown| {
        let text = shown.to_string();
        text.contains("The line was busy") && text.matches("\"delivered\"").count() == 2
    })
    .await;
    assert_eq!(rig.provider.calls().len(), 4, "each was submitted once");
    // The busy one is called once more, five minutes later.
    rig.daemon.clock.advance(Duration::from_secs(301));
    let path = format!("/api/campaigns/{id}");
    let shown = rig.until(&path, &rig.ada, |shown| shown["campaign"]["status"] == "completed").await;
    let campaign = &shown["campaign"];
    let counts = |name: &str| campaign["counts"][name].as_i64().unwrap();
    assert_eq!((counts("delivered"), counts("rejected"), counts("undelivered")), (2, 1, 1), "{campaign}");
    // Two pulses were reserved of each; 20 seconds are one, and 65 are two.
    assert_eq!((&campaign["captured"], &campaign["released"]), (&json!(27), &json!(45)), "{campaign}");
    let balance = rig.daemon.get("/api/get-espee-balance", &rig.ada).await.json();
    assert_eq!(balance["paystack_balance"], 973, "{balance}");
    let mut tx = rig.daemon.store().read().await.unwrap();
    assert!(verify(&mut tx).await.unwrap().0.is_empty(), "the ledger adds up");
    drop(tx);

    let calls = rig.provider.calls();
    let of = |to: &str| calls.iter().filter(|call| call.to == to).collect::<Vec<_>>();
    assert_eq!((calls.len(), of("2348031239101").len()), (5, 2));
    let heard = of("2348031230065")[0];
    assert_eq!((heard.from.as_str(), heard.plays == of("2348031230020")[0].plays), ("2342012345678", true));
    assert!((70..75).contains(&heard.max_seconds), "{heard:?}");
    assert_eq!((&heard.heard[..4], &heard.heard[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    let rows = rig.daemon.get(&messages, &rig.ada).await.json()["messages"].clone();
    let row = |to: &str| rows.as_array().unwrap().iter().find(|row| row["to"] == to).unwrap().clone();
    let (short, busy) = (row("2348031230020"), row("2348031239101"));
    assert_eq!((&short["price"], &short["call"]["heard_ms"]), (&json!(9), &json!(20_000)), "{short}");
    assert_eq!((&busy["call"]["attempts"], &busy["call"]["outcome"]), (&json!(2), &json!("busy")), "{busy}");
    let gone = rig.daemon.get(&heard.plays, "").await;
    assert_eq!((gone.status, gone.code().as_str()), (404, "not_found"), "no call plays it any more");
    rig.daemon.stop().await;
}

#[tokio::test]
async fn a_test_call_is_placed_and_its_carrier_is_shown_paused_and_given_back() {
    let rig = Rig::start().await;
    let recording = rig.recording(1.0).await;
    let list = rig.until("/admin/carriers", &rig.admin, |shown| shown["carriers"][0]["health"] == "up").await;
    let shown = &list["carriers"][0];
    assert_eq!(
        (&shown["kind"], &shown["window"], &shown["rate"], &shown["binds"][0]["role"]),
        (&json!("http-voice"), &json!(4), &json!(50), &json!("trunk"))
    );
    let refused = rig.daemon.post("/admin/carriers/dialler/test", &rig.admin, &[("to", "08031234567")]).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "carries_calls"), "{}", refused.text);
    let begun = rig.daemon.post("/api/voice-test", &rig.ada, &[("audioUrl", &recording)]).await;
    assert_eq!(begun.status, 200, "{}", begun.text);
    let path = format!("/api/voice-test/{}", begun.json()["id"]);
    let call = rig.until(&path, &rig.ada, |shown| shown["over"] == true).await;
    assert_eq!(
        (&call["outcome"], &call["seconds"], &call["message"]),
        (&json!("answered"), &json!(20), &json!("The call was answered: heard to the end"))
    );
    assert_eq!(rig.provider.asked(1).await[0].to, "2348031230020");
    let paused = rig.daemon.post("/admin/carriers/dialler/pause", &rig.admin, &[]).await;
    assert_eq!(paused.json()["message"], "No new calls go out by the carrier dialler, 0 are up");
    let refused = rig.daemon.post("/api/voice-test", &rig.ada, &[("audioUrl", &recording)]).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "trunk_paused"), "{}", refused.text);
    rig.daemon.stop().await;
}

#[tokio::test]
async fn a_clip_s_address_expires_and_neither_it_nor_a_webhook_can_be_forged() {
    let rig = Rig::start().await;
    rig.provider.waits.store(true, std::sync::atomic::Ordering::Relaxed);
    let recording = rig.recording(1.0).await;
    let id = rig.calls(&recording, "08031230020").await;
    let call = rig.provider.asked(1).await.remove(0);
    let fetched = async |path: &str| rig.daemon.request(Method::GET, path, "").send().await.unwrap().status();
    assert_eq!(fetched(&call.plays).await, 200);
    let (bare, _) = call.plays.split_once('?').unwrap();
    for forged in [
        bare.to_owned(),
        call.plays.replace("expires=", "expires=9"),
        call.plays.replace(".wav", ".mp3"),
        call.plays.replace("dialler", "other"),
        format!("{}A", call.plays),
    ] {
        let refused = rig.daemon.get(&forged, &rig.ada).await;
        assert_eq!((refused.status, &*refused.code()), (403, "link_expired"), "{forged}");
    }
    let over = json!({ "id": "CA0", "status": "completed", "seconds": 600 });
    let told = async |path: &str| {
        let request = rig.daemon.request(Method::POST, path, "").json(&over);
        rig.daemon.send(request).await.status
    };
    for forged in ["/hooks/carriers/dialler", "/hooks/carriers/dialler/0123456789abcdeF"] {
        assert_eq!(told(forged).await, 404, "{forged}");
    }
    // As long as a call may take, and an hour more at most.
    rig.daemon.pass(Duration::from_secs(600));
    assert_eq!(fetched(&call.plays).await, 200);
    rig.daemon.pass(Duration::from_secs(3_600));
    assert_eq!(fetched(&call.plays).await, 403);
    let campaign = format!("/api/campaigns/{id}");
    let shown = rig.daemon.get(&campaign, &rig.ada).await.json();
    assert_eq!(shown["campaign"]["counts"]["delivered"], 0, "nothing forged was heard: {shown}");
    assert_eq!(told(&call.hook).await, 200);
    let shown = rig.until(&campaign, &rig.ada, |shown| shown["campaign"]["status"] == "completed").await;
    // No provider bills more than was reserved.
    assert_eq!(shown["campaign"]["captured"], 9, "{shown}");
    rig.daemon.stop().await;
}

#[tokio::test]
async fn the_end_of_a_call_that_its_daemon_left_is_heard_by_the_next_one() {
    let rig = Rig::start().await;
    rig.provider.waits.store(true, std::sync::atomic::Ordering::Relaxed);
    let recording = rig.recording(1.0).await;
    let id = rig.calls(&recording, "08031230020").await;
    let call = rig.provider.asked(1).await.remove(0);
    let Rig { daemon, section, ada, .. } = rig;
    // The provider cannot be asked to end it: it goes on.
    let daemon = TestDaemon::start_again(daemon.stop().await, with(section)).await;
    let campaign = format!("/api/campaigns/{id}");
    let counts = async || daemon.get(&campaign, &ada).await.json()["campaign"].clone();
    let shown = counts().await;
    assert_eq!((&shown["counts"]["unknown"], &shown["captured"]), (&json!(1), &json!(0)), "{shown}");
    let told = async |body: Value| {
        let request = daemon.request(Method::POST, &call.hook, "").json(&body);
        daemon.send(request).await.status
    };
    let over = json!({ "id": "CA0", "ref": call.reference, "status": "completed", "seconds": 20 });
    for _ in 0..2 {
        assert_eq!(told(over.clone()).await, 200);
    }
    let shown = counts().await;
    assert_eq!((&shown["counts"]["delivered"], &shown["captured"]), (&json!(1), &json!(9)), "{shown}");
    // There is no such message: it need not be told again.
    assert_eq!(
        told(json!({ "ref": format!("td{:016x}0001{:08x}", 9 << 12, 7), "status": "busy" })).await,
        200
    );
    let findings = verify(&mut daemon.store().read().await.unwrap()).await.unwrap();
    assert_eq!(findings.0, Vec::<String>::new());
    daemon.stop().await;
}
