//! Kannel, an independent client, against the sandbox's SMSC: it binds, sends, and gets its receipt. And our own carrier
//! over Kannel's HTTP interface, with the sandbox's SMSC behind it.
//!
//! It runs where `TALKDRUM_PEERS=1` is set and Debian's `kannel` is installed.

#![expect(clippy::unwrap_used, reason = "what fails in a test's rig fails the test")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use talkdrum_core::carrier::http::{Callback, Hook, HttpCarrier, HttpConfig, HttpDeps, Inbox};
use talkdrum_core::carrier::{Event, SmsCarrier, Submission, Verdict};
use talkdrum_core::content::{Content, Scratch, no_values};
use talkdrum_core::model::campaign::id::ChunkId;
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::model::message::receipt_state::ReceiptState;
use talkdrum_core::phone::Msisdn;
use talkdrum_daemon::sandbox::smsc::{FromHandset, IdBase, Smsc, SmscOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const PATIENCE: Duration = Duration::from_secs(40);

/// A process that does not outlive its test.
struct Process(Child);

impl Process {
    fn start(program: &str, conf: &Path) -> Self {
        let child = Command::new(program)
            .args(["-v", "4"])
            .arg(conf)
            .current_dir(conf.parent().unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

async fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// Asks again until the answer holds a text.
async fn get_until(port: u16, path: &str, wanted: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = get(port, path).await.unwrap_or_default();
        if answer.contains(wanted) {
            return answer;
        }
        assert!(Instant::now() < deadline, "no `{wanted}` at {path}: {answer}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The path of the next request that comes to a listener.
async fn next_request(listener: &TcpListener) -> String {
    let request = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut octets = vec![0; 4_096];
        let count = stream.read(&mut octets).await.unwrap();
        stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").await.unwrap();
        let line = String::from_utf8_lossy(&octets[..count]).lines().next().unwrap_or_default().to_owned();
        line.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    tokio::time::timeout(PATIENCE, request)
        .await
        .unwrap_or_else(|_| panic!("Kannel never called the URL it was given"))
}

/// Kannel's configuration; `msg-id-type` 1 says that answers have hexadecimal ids and receipts decimal ones.
fn configuration(smsc: u16, [admin, boxes, http, callbacks]: [u16; 4]) -> String {
    format!(
        "group = core\nadmin-port = {admin}\nadmin-interface = 127.0.0.1\nadmin-password = bar\n\
         smsbox-port = {boxes}\nsmsbox-interface = 127.0.0.1\nbox-deny-ip = \"*.*.*.*\"\n\
         box-allow-ip = \"127.0.0.1\"\n\n\
         group = smsc\nsmsc = smpp\nsmsc-id = sandbox\nhost = 127.0.0.1\nport = {smsc}\n\
         transceiver-mode = true\nsystem-type = \"\"\naddress-range = \"\"\nsmsc-username = kannel\n\
         smsc-password = secret\nmsg-id-type = 0x01\nenquire-link-interval = 1\n\n\
         group = smsbox\nbearerbox-host = 127.0.0.1\nsendsms-port = {http}\n\
         sendsms-interface = 127.0.0.1\nglobal-sender = 123\n\n\
         group = sendsms-user\nusername = tester\npassword = foobar\nconcatenation = true\nmax-messages = 5\n\n\
         group = sms-service\nkeyword = default\nget-url = \"http://127.0.0.1:{callbacks}/mo?from=%p&text=%a\"\n\
         max-messages = 0\n"
    )
}

#[tokio::test]
async fn kannel_binds_sends_and_gets_its_receipt_and_its_inbound_message() {
    if std::env::var("TALKDRUM_PEERS").is_ok_and(|value| value == "1") {
        assert!(Path::new("/usr/sbin/bearerbox").exists(), "install Debian's kannel first");
    } else {
        eprintln!("skipped: set TALKDRUM_PEERS=1 to run against independent peers");
        return;
    }
    let mut options = SmscOptions {
        credentials: Some(("kannel".into(), "secret".into())),
        first_id: 0x00AB_CDEF_0123,
        audit: true,
        ..SmscOptions::default()
    };
    options.faults.answer_ids = IdBase::Hex;
    let smsc = Smsc::bind(options).await.unwrap();
    let callbacks = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ports =
        [free_port().await, free_port().await, free_port().await, callbacks.local_addr().unwrap().port()];
    let [admin, _, http, callback] = ports;
    let dir = tempfile::tempdir().unwrap();
    let conf = dir.path().join("kannel.conf");
    std::fs::write(&conf, configuration(smsc.local_addr().port(), ports)).unwrap();

    let _bearerbox = Process::start("/usr/sbin/bearerbox", &conf);
    get_until(admin, "/status.txt?password=bar", "(online").await;
    let _smsbox = Process::start("/usr/sbin/smsbox", &conf);
    get_until(admin, "/status.txt?password=bar", "smsbox").await;

    let dlr_url = format!("http%3A%2F%2F127.0.0.1%3A{callback}%2Fdlr%3Ftype%3D%25d%26to%3D%25p");
    let send = |to: &str, text: &str| {
        format!(
            "/cgi-bin/sendsms?username=tester&password=foobar&from=Talkdrum&to={to}&text={text}\
             &dlr-mask=3&dlr-url={dlr_url}"
        )
    };
    get_until(http, &send("2348031234567", "Hello"), "Accepted for delivery").await;
    assert_eq!(next_request(&callbacks).await, "/dlr?type=1&to=2348031234567");
    get_until(http, &send("2348031239002", "Hello"), "Accepted for delivery").await;
    assert_eq!(next_request(&callbacks).await, "/dlr?type=2&to=2348031239002");

    get_until(http, &send("2348031230000", &"long+".repeat(60)), "Accepted for delivery").await;
    assert_eq!(next_request(&callbacks).await, "/dlr?type=1&to=2348031230000");
    let deadline = Instant::now() + PATIENCE;
    while smsc.times_accepted(2_348_031_230_000) < 2 {
        assert!(Instant::now() < deadline, "one part of two");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((smsc.times_accepted(2_348_031_230_000), smsc.duplicates()), (2, 0), "two parts");

    let message = FromHandset { from: "2348030000001".into(), to: "32811".into(), text: "STOP".into() };
    smsc.send_from_handset("kannel", &message);
    assert_eq!(
        next_request(&callbacks).await,
        "/mo?from=%2B2348030000001&text=%00S%00T%00O%00P",
        "UCS-2 as it is"
    );
    let deadline = Instant::now() + PATIENCE;
    while smsc.counts().deliveries_acknowledged < smsc.counts().deliveries_sent {
        assert!(Instant::now() < deadline, "{:?}", smsc.counts());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn our_kannel_carrier_sends_every_kind_through_a_real_kannel_and_reads_its_receipts() {
    if !std::env::var("TALKDRUM_PEERS").is_ok_and(|value| value == "1") {
        eprintln!("skipped: set TALKDRUM_PEERS=1 to run against independent peers");
        return;
    }
    let smsc = Smsc::bind(SmscOptions {
        credentials: Some(("kannel".into(), "secret".into())),
        first_id: 0x00AB_CDEF_0123,
        audit: true,
        ..SmscOptions::default()
    })
    .await
    .unwrap();
    let callbacks = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ports =
        [free_port().await, free_port().await, free_port().await, callbacks.local_addr().unwrap().port()];
    let [admin, _, http, callback] = ports;
    let dir = tempfile::tempdir().unwrap();
    let conf = dir.path().join("kannel.conf");
    // As `examples/config/talkdrum.toml` tells operators to hand messages from handsets on.
    let service =
        "/hooks/carriers/kannel/0123456789abcdef?id=%I&from=%p&to=%P&coding=%c&charset=%C&udh=%u&text=%b";
    let configured = configuration(smsc.local_addr().port(), ports)
        .replace("msg-id-type = 0x01\n", "")
        .replace("global-sender = 123\n", "")
        .replace("/mo?from=%p&text=%a", service);
    std::fs::write(&conf, configured).unwrap();
    let _bearerbox = Process::start("/usr/sbin/bearerbox", &conf);
    get_until(admin, "/status.txt?password=bar", "(online").await;
    let _smsbox = Process::start("/usr/sbin/smsbox", &conf);
    get_until(admin, "/status.txt?password=bar", "smsbox").await;

    let options = serde_json::json!({
        "url": format!("http://127.0.0.1:{http}/cgi-bin/sendsms"), "username": "tester", "password": "foobar",
        "public_url": format!("http://127.0.0.1:{callback}"), "hook_secret": "0123456789abcdef",
    });
    let config = HttpConfig::read("kannel", "kannel", options.as_object().unwrap().clone()).unwrap();
    let inbox = Inbox::default();
    let hook = Hook::new(&config, inbox.clone());
    let (carrier, mut events) = HttpCarrier::start(config, HttpDeps::default(), inbox).unwrap();
    let contents = [
        (2_348_031_230_001, Content::Text { text: "Hello {}".replace("{}", &"long ".repeat(50)) }, 2),
        (2_348_031_230_002, Content::Flash { text: "Now [10€]".into() }, 1),
        (2_348_031_230_003, Content::Unicode { text: "Ẹ káàárọ̀ 🙂".into() }, 1),
        (
            2_348_031_230_004,
            Content::WapPush { title: "Hi".into(), url: "http://www.example.com/".into() },
            1,
        ),
    ];
    for (place, (number, content, parts)) in contents.into_iter().enumerate() {
        let body = content.prepare().unwrap().encode(no_values, &mut Scratch::default()).unwrap();
        carrier.submit(vec![Submission {
            message: MessageId::new(ChunkId(7), u16::try_from(place).unwrap()),
            to: Msisdn::from_digits(number).unwrap(),
            from: "Talkdrum".into(),
            body: std::sync::Arc::new(body),
            parts_done: 0,
            tries: 0,
            caller: None,
            expires_at: None,
        }]);
        let batch = tokio::time::timeout(PATIENCE, events.recv()).await.unwrap().unwrap();
        let [Event::Answer(answer)] = batch.as_slice() else { panic!("{batch:?}") };
        assert_eq!(answer.verdict, Verdict::Accepted, "{content:?}");
        let mut expected: Vec<String> =
            answer.accepted.iter().map(|(_, reference)| reference.0.to_string()).collect();
        assert_eq!(expected.len(), parts, "{content:?}");
        // Each part is reported by its own reference: accepted by the SMSC (8), then delivered (1).
        while !expected.is_empty() {
            let path = next_request(&callbacks).await;
            let (address, query) = path.split_once('?').unwrap();
            assert_eq!(address, "/hooks/carriers/kannel/0123456789abcdef");
            let headers = reqwest::header::HeaderMap::new();
            let reports = hook
                .read(Some("0123456789abcdef"), &Callback { headers: &headers, query, body: b"" })
                .unwrap_or_else(|error| panic!("{error:?}: {query}"))
                .reports;
            assert_eq!(reports[0].to, Msisdn::from_digits(number), "{query}");
            if reports[0].state == ReceiptState::Delivered {
                expected.retain(|reference| **reference != *reports[0].reference.0);
            } else {
                assert_eq!(reports[0].state, ReceiptState::Enroute, "{query}");
            }
        }
        assert_eq!(smsc.times_accepted(number), u32::try_from(parts).unwrap(), "{content:?}");
    }
    // A short message, and a long one, which Kannel joins.
    for text in ["STOP ✋".to_owned(), "Ẹ káàárọ̀ 🙂 ".repeat(12)] {
        let message = FromHandset { from: "2348030000001".into(), to: "32811".into(), text: text.clone() };
        smsc.send_from_handset("kannel", &message);
        let path = next_request(&callbacks).await;
        let (address, query) = path.split_once('?').unwrap();
        assert_eq!(address, "/hooks/carriers/kannel/0123456789abcdef");
        let headers = reqwest::header::HeaderMap::new();
        let heard = hook
            .read(Some("0123456789abcdef"), &Callback { headers: &headers, query, body: b"" })
            .unwrap_or_else(|error| panic!("{error:?}: {query}"));
        let [said] = heard.messages.as_slice() else { panic!("{heard:?}: {query}") };
        assert_eq!((&*said.from, &*said.to), ("+2348030000001", "+32811"), "{query}");
        assert_eq!((said.text.trim(), &said.part), (text.trim(), &None), "{query}");
        assert!(said.reference.as_ref().is_some_and(|id| id.len() > 20), "Kannel's own id: {query}");
    }
    carrier.close(Duration::from_secs(1)).await;
}
