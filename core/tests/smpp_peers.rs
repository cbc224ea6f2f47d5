//! The SMPP carrier against SMSCs that others wrote: the npm package `smpp`, and Kannel's `drive_smpp`.
//!
//! They run where `TALKDRUM_PEERS=1` is set and the peers are installed: `npm ci` in `core/tests/peers`, and Debian's
//! `kannel-extras`.

#![expect(clippy::unwrap_used, reason = "what fails in a test's rig fails the test")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use talkdrum_api::kind::Kind;
use talkdrum_core::Time;
use talkdrum_core::carrier::ConfigSecret;
use talkdrum_core::carrier::smpp::{
    BindMode, Concatenation, FlashMode, MessageIdFormat, SmppCarrier, SmppConfig, SmppDeps,
};
use talkdrum_core::carrier::{Event, Events, Health, SmsCarrier, Submission, Verdict};
use talkdrum_core::content::{Body, Encoding, Part};
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::model::message::receipt_state::ReceiptState;
use talkdrum_core::phone::Msisdn;
use tokio::sync::mpsc;

const PATIENCE: Duration = Duration::from_secs(10);

fn peers_are_wanted() -> bool {
    let wanted = std::env::var("TALKDRUM_PEERS").is_ok_and(|value| value == "1");
    if !wanted {
        eprintln!("skipped: set TALKDRUM_PEERS=1 to run against independent peers");
    }
    wanted
}

/// A process that does not outlive its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The npm SMSC, and what it says it understood.
struct NodeSmsc {
    _process: Process,
    lines: mpsc::UnboundedReceiver<String>,
    port: u16,
}

impl NodeSmsc {
    async fn start() -> Self {
        let peers = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");
        let installed = std::path::Path::new(peers).join("node_modules/smpp").exists();
        assert!(installed, "run `npm ci` in core/tests/peers first");
        let mut process = Command::new("node")
            .args(["smsc.js", "secret"])
            .current_dir(peers)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || said.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let mut smsc = Self { _process: Process(process), lines, port: 0 };
        smsc.port = smsc.next("listening").await.as_u64().unwrap().try_into().unwrap();
        smsc
    }

    /// The next fact of a kind.
    async fn next(&mut self, kind: &str) -> Value {
        let fact = async {
            loop {
                let line = self.lines.recv().await.unwrap();
                let mut fact: Value = serde_json::from_str(&line).unwrap();
                assert!(fact.get("error").is_none(), "{fact}");
                if let Some(value) = fact.get_mut(kind) {
                    return value.take();
                }
            }
        };
        tokio::time::timeout(PATIENCE, fact).await.unwrap_or_else(|_| panic!("the peer never said `{kind}`"))
    }
}

fn config(port: u16) -> SmppConfig {
    SmppConfig {
        name: "peer".into(),
        port,
        system_id: "talkdrum".into(),
        password: ConfigSecret::new("secret"),
        message_id: MessageIdFormat::HexSubmit,
        ..SmppConfig::default()
    }
}

fn body(encoding: Encoding, parts: &[&[u8]]) -> Body {
    let parts = parts.iter().map(|data| Part { data: (*data).into() }).collect();
    Body { kind: Kind::Text, encoding, flash: false, ports: None, parts, call: None }
}

fn ucs2(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn submission(message: i64, from: &str, body: Body) -> Submission {
    Submission {
        message: MessageId(message),
        to: Msisdn::from_digits(2_348_031_234_567).unwrap(),
        from: from.into(),
        body: Arc::new(body),
        parts_done: 0,
        tries: 0,
        caller: None,
        expires_at: Some(Time(1_795_253_400_000)),
    }
}

/// Takes events until `parts` receipts came, acknowledging them; returns the answer's references and the receipts'.
async fn references(carrier: &SmppCarrier, events: &mut Events, parts: usize) -> (Vec<String>, Vec<String>) {
    let (mut answered, mut receipted) = (Vec::new(), Vec::new());
    while answered.is_empty() || receipted.len() < parts {
        for event in tokio::time::timeout(PATIENCE, events.recv()).await.unwrap().unwrap() {
            match event {
                Event::Answer(answer) => {
                    assert_eq!(answer.verdict, Verdict::Accepted);
                    answered.extend(answer.accepted.iter().map(|(_, reference)| reference.0.to_string()));
                }
                Event::Receipt(receipt) => {
                    assert_eq!(receipt.state, ReceiptState::Delivered);
                    assert_eq!(receipt.to, Msisdn::from_digits(2_348_031_234_567));
                    assert_eq!(receipt.done_at, Some(Time(1_795_253_460_000)));
                    carrier.acknowledge(vec![receipt.token]);
                    receipted.push(receipt.reference.0.to_string());
                }
                other @ (Event::Inbound(_) | Event::OptOut(_)) => panic!("{other:?}"),
            }
        }
    }
    (answered, receipted)
}

/// Sends one message to the npm SMSC and returns what it understood of its parts.
async fn understood(
    config: impl FnOnce(u16) -> SmppConfig,
    from: &str,
    body: Body,
    parts: usize,
) -> Vec<Value> {
    let mut smsc = NodeSmsc::start().await;
    let (carrier, mut events) = SmppCarrier::start(config(smsc.port), SmppDeps::default()).unwrap();
    carrier.ready().await;
    carrier.submit(vec![submission(1, from, body)]);
    let (answered, receipted) = references(&carrier, &mut events, parts).await;
    assert_eq!(answered, receipted, "ids in answers and receipts");
    let mut seen = Vec::new();
    for _ in 0..parts {
        seen.push(smsc.next("submit").await);
    }
    smsc.next("acknowledged").await;
    carrier.close(PATIENCE).await;
    smsc.next("unbound").await;
    seen
}

#[tokio::test]
async fn node_smpp_understands_a_text_and_its_receipt_is_understood() {
    if !peers_are_wanted() {
        return;
    }
    // "Hi @ {€}" in GSM 03.38.
    let septets = b"Hi \x00 \x1b\x28\x1b\x65\x1b\x29";
    let seen = understood(config, "Talkdrum", body(Encoding::Gsm7, &[septets]), 1).await;
    let seen = &seen[0];
    assert_eq!(seen["text"], "Hi @ {€}");
    assert_eq!((&seen["to"], &seen["from"]), (&json!("2348031234567"), &json!("Talkdrum")));
    assert_eq!((&seen["source_ton"], &seen["registered_delivery"]), (&json!(5), &json!(1)));
    assert_eq!(seen["validity"], "2026-11-21T09:30:00.000Z");
}

#[tokio::test]
async fn node_smpp_understands_unicode_and_flash() {
    if !peers_are_wanted() {
        return;
    }
    let text = "Ẹ kú àárọ̀ 😀";
    let seen = understood(config, "32811", body(Encoding::Ucs2, &[&ucs2(text)]), 1).await;
    assert_eq!((&seen[0]["text"], &seen[0]["data_coding"]), (&json!(text), &json!(8)));
    assert_eq!(seen[0]["source_ton"], 3);
    let flash = Body { flash: true, ..body(Encoding::Gsm7, &[b"Now"]) };
    let with = |port| SmppConfig { flash: FlashMode::Class10, ..config(port) };
    let seen = understood(with, "Talkdrum", flash, 1).await;
    assert_eq!(seen[0]["data_coding"], 0x10);
}

#[tokio::test]
async fn node_smpp_understands_parts_by_every_method() {
    if !peers_are_wanted() {
        return;
    }
    let long = || body(Encoding::Gsm7, &[&[b'a'; 152], b"the end"]);
    let with = |concatenation| move |port| SmppConfig { concatenation, ..config(port) };

    let seen = understood(with(Concatenation::Udh8), "Talkdrum", long(), 2).await;
    let headers = [&seen[0]["udh"], &seen[1]["udh"]].map(|header| header.as_str().unwrap().to_owned());
    assert!(headers[0].ends_with("0201") && headers[1].ends_with("0202"), "{headers:?}");
    assert_eq!(headers[0][..headers[0].len() - 2], headers[1][..headers[1].len() - 2]);
    assert_eq!(seen[1]["text"], "the end");

    let seen = understood(with(Concatenation::Sar), "Talkdrum", long(), 2).await;
    assert_eq!(seen[0]["sar"].as_array().unwrap()[1..], [json!(2), json!(1)]);
    assert_eq!(seen[1]["sar"].as_array().unwrap()[1..], [json!(2), json!(2)]);
    assert_eq!(seen[0]["sar"][0], seen[1]["sar"][0]);

    let seen = understood(with(Concatenation::Payload), "Talkdrum", long(), 1).await;
    assert_eq!(seen[0]["text"].as_str().unwrap().len(), 159);
}

#[tokio::test]
async fn node_smpp_understands_a_wap_push() {
    if !peers_are_wanted() {
        return;
    }
    let push =
        Body { ports: Some((2948, 9200)), ..body(Encoding::Binary, &[b"\x01\x06\x01\xAE\x02\x05\x6A\x00"]) };
    let seen = understood(config, "Talkdrum", push, 1).await;
    assert_eq!((&seen[0]["data_coding"], &seen[0]["esm_class"]), (&json!(4), &json!(0x40)));
    assert!(seen[0]["udh"].as_str().unwrap().contains("0b8423f0"), "{}", seen[0]);
    assert_eq!(seen[0]["text"], "010601ae02056a00");
}

#[tokio::test]
async fn node_smpp_refuses_a_wrong_password_and_the_carrier_stops() {
    if !peers_are_wanted() {
        return;
    }
    let smsc = NodeSmsc::start().await;
    let wrong = SmppConfig { password: ConfigSecret::new("guess"), ..config(smsc.port) };
    let (carrier, _events) = SmppCarrier::start(wrong, SmppDeps::default()).unwrap();
    let deadline = std::time::Instant::now() + PATIENCE;
    while !matches!(carrier.health(), Health::Stopped { .. }) {
        assert!(std::time::Instant::now() < deadline, "{:?}", carrier.health());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A port nothing listens on.
async fn free_port() -> u16 {
    tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

/// Kannel's `drive_smpp` sends messages to a receiver, an enquire_link after each, and counts those of a transmitter.
#[tokio::test]
async fn kannels_drive_smpp_gets_an_answer_for_each_of_its_messages() {
    const COUNT: usize = 100;
    const DRIVE: &str = "/usr/lib/kannel/test/drive_smpp";
    if !peers_are_wanted() {
        return;
    }
    assert!(std::path::Path::new(DRIVE).exists(), "install Debian's kannel-extras first");
    let port = free_port().await;
    // It was made to stand on both sides of a Kannel, and insists on a smsbox port that takes its connection.
    let smsbox = tokio::net::TcpListener::bind(("127.0.0.1", 13_001)).await;
    let logs = tempfile::tempdir().unwrap();
    let log = logs.path().join("drive.log");
    let drive = Command::new(DRIVE)
        .args(["-v", "0", "-p", &port.to_string(), "-m", &COUNT.to_string()])
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let drive = Process(drive);
    let said = || String::from_utf8_lossy(&std::fs::read(&log).unwrap_or_default()).into_owned();
    let both = SmppConfig {
        bind: BindMode::TransmitterReceiver,
        reconnect_min_ms: 20,
        reconnect_max_ms: 50,
        message_id: MessageIdFormat::Raw,
        ..config(port)
    };
    let (carrier, mut events) = SmppCarrier::start(both, SmppDeps::default()).unwrap();
    let (mut inbound, mut accepted) = (0, 0);
    while inbound < COUNT || accepted < COUNT {
        let batch = tokio::time::timeout(PATIENCE, events.recv()).await;
        let batch =
            batch.unwrap_or_else(|_| panic!("{inbound} came, {accepted} went; {:?}", carrier.health()));
        for event in batch.unwrap() {
            match event {
                Event::Inbound(message) => {
                    carrier.acknowledge(vec![message.token]);
                    inbound += 1;
                    let id = i64::try_from(inbound).unwrap();
                    carrier.ready().await;
                    carrier.submit(vec![submission(id, "123", body(Encoding::Gsm7, &[b"an answer"]))]);
                }
                Event::Answer(answer) => {
                    assert_eq!(answer.verdict, Verdict::Accepted);
                    accepted += 1;
                }
                Event::Receipt(receipt) => carrier.acknowledge(vec![receipt.token]),
                Event::OptOut(message) => panic!("message {} was called", message.0),
            }
        }
    }
    carrier.close(PATIENCE).await;
    let deadline = std::time::Instant::now() + PATIENCE;
    while !said().contains("ESME has submitted all messages to SMSC") {
        assert!(std::time::Instant::now() < deadline, "drive_smpp misses messages: {}", said());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    carrier.close(PATIENCE).await;
    assert!(!said().contains("PANIC:"), "{}", said());
    drop((drive, smsbox));
}
