//! The trunk against `baresip`, which records what it hears, alone and behind `kamailio`, which asks for the password and
//! stays in the way of every request (Record-Route). Debian's `baresip-core` and `kamailio`.
//!
//! These run where `TALKDRUM_PEERS=1` is set.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a test's rig fails the test")]

mod testing;

use std::path::{Path, PathBuf};
use std::time::Duration;

use talkdrum_sip::{
    CallEvent, CallRequest, CallResult, Codec, Credentials, EndedBy, Outcome, Trunk, TrunkConfig,
};
use tempfile::TempDir;
use testing::process::{Process, bound, free_port, peers_are_wanted};
use testing::{clip, config, correlation, dial, eventually, sweep, to_its_end, until};

const NUMBER: &str = "2348031234567";
/// Three seconds.
const SAMPLES: usize = 24_000;

/// `baresip` that answers the calls to one number and records them.
struct Baresip {
    process: Process,
    directory: TempDir,
    port: u16,
}

impl Baresip {
    async fn start() -> Self {
        let directory = TempDir::new().unwrap();
        let (port, control) = (free_port(), free_port());
        let recordings = directory.path().join("heard");
        std::fs::create_dir(&recordings).unwrap();
        let modules =
            ["g711.so", "aubridge.so", "sndfile.so"].map(|name| format!("module {name}\n")).concat();
        let apps =
            ["account.so", "menu.so", "ctrl_tcp.so"].map(|name| format!("module_app {name}\n")).concat();
        let settings = format!(
            "sip_listen 127.0.0.1:{port}\nctrl_tcp_listen 127.0.0.1:{control}\naudio_source aubridge,phone\n\
             audio_player aubridge,phone\naudio_channels 1\nsnd_path {}\nmodule_path /usr/lib/baresip/modules\n\
             {modules}{apps}",
            recordings.display()
        );
        let account = format!(
            "<sip:{NUMBER}@127.0.0.1:{port};transport=udp>;regint=0;answermode=auto;audio_codecs=PCMA,PCMU\n"
        );
        std::fs::write(directory.path().join("config"), settings).unwrap();
        std::fs::write(directory.path().join("accounts"), account).unwrap();
        let mut process = Process::start("baresip", directory.path(), &["-f", "."]);
        // The module of control comes last: then its account is there.
        eventually("baresip's control", || {
            assert!(process.is_running(), "baresip ended");
            std::net::TcpStream::connect(("127.0.0.1", control)).ok()
        })
        .await;
        Self { process, directory, port }
    }

    /// What it heard of its only call.
    async fn heard(&mut self) -> Vec<i16> {
        let recordings = self.directory.path().join("heard");
        let process = &mut self.process;
        // The length in a recording's head is written when its call is over.
        eventually("baresip's recording", || {
            assert!(process.is_running(), "baresip ended");
            let path = recording_in(&recordings)?;
            let reader = hound::WavReader::open(path).ok()?;
            assert_eq!((reader.spec().sample_rate, reader.spec().channels), (8_000, 1));
            let samples: Vec<i16> = reader.into_samples().collect::<Result<_, _>>().ok()?;
            (samples.len() >= SAMPLES * 9 / 10).then_some(samples)
        })
        .await
    }
}

fn recording_in(directory: &Path) -> Option<PathBuf> {
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths.into_iter().find(|path| path.to_string_lossy().ends_with("-dec.wav"))
}

async fn call(config: TrunkConfig) -> CallResult {
    let trunk = Trunk::start(config).await.unwrap();
    let result = to_its_end(dial(&trunk, NUMBER, SAMPLES).await).await.1;
    trunk.shutdown(Duration::from_secs(5)).await;
    result
}

fn assert_heard_whole(result: &CallResult) {
    assert_eq!((result.outcome, result.ended_by), (Outcome::Answered, EndedBy::Caller), "{result:?}");
    assert_eq!((result.heard, result.media.sent), (Duration::from_secs(3), 150), "{result:?}");
    assert!(result.media.received > 0, "{result:?}");
}

#[tokio::test]
async fn what_baresip_records_is_the_clip_in_either_law() {
    if !peers_are_wanted() {
        return;
    }
    for codec in [Codec::Pcma, Codec::Pcmu] {
        let mut baresip = Baresip::start().await;
        let config = TrunkConfig { codecs: vec![codec], ..config(([127, 0, 0, 1], baresip.port).into()) };
        assert_heard_whole(&call(config).await);
        let alike = correlation(&sweep(SAMPLES), &baresip.heard().await);
        assert!(alike > 950, "{codec:?}: {alike} thousandths");
    }
}

/// `kamailio` that asks for a password and hands on to `baresip`.
async fn kamailio(directory: &TempDir, onward: u16) -> (Process, u16) {
    let port = free_port();
    let modules = ["tm", "tmx", "sl", "rr", "pv", "maxfwd", "textops", "siputils", "auth"]
        .map(|name| format!("loadmodule \"{name}.so\"\n"))
        .concat();
    let script = format!(
        r#"#!KAMAILIO
debug=1
log_stderror=yes
fork=no
children=2
disable_tcp=yes
auto_aliases=no
listen=udp:127.0.0.1:{port}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/:/usr/lib/aarch64-linux-gnu/kamailio/modules/:/usr/lib/kamailio/modules/"
{modules}
request_route {{
    if (is_method("OPTIONS") && !has_totag()) {{ sl_send_reply("200", "OK"); exit; }}
    if (is_method("CANCEL")) {{ if (t_check_trans()) {{ t_relay(); }} exit; }}
    if (has_totag()) {{
        if (loose_route()) {{ t_relay(); }} else {{ if (is_method("ACK")) {{ t_relay(); }} else {{ sl_send_reply("404", "Not here"); }} }}
        exit;
    }}
    if (is_method("INVITE")) {{
        if (!pv_proxy_authenticate("trunk", "secret", "0")) {{ proxy_challenge("trunk", "1"); exit; }}
        consume_credentials();
        record_route();
        $du = "sip:127.0.0.1:{onward}";
        t_relay();
        exit;
    }}
    sl_send_reply("405", "Method Not Allowed");
}}
"#
    );
    std::fs::write(directory.path().join("kamailio.cfg"), script).unwrap();
    let runtime = directory.path().to_str().unwrap();
    let arguments = ["-DD", "-E", "-f", "kamailio.cfg", "-Y", runtime, "-w", runtime];
    let mut process = Process::start("kamailio", directory.path(), &arguments);
    bound(&mut process, port).await;
    (process, port)
}

#[tokio::test]
async fn a_proxy_is_given_the_password_and_stays_in_the_way() {
    if !peers_are_wanted() {
        return;
    }
    let mut baresip = Baresip::start().await;
    let directory = TempDir::new().unwrap();
    let (_kamailio, port) = kamailio(&directory, baresip.port).await;
    let credentials = Credentials { username: "talkdrum".into(), password: "secret".into() };
    let with = |credentials| TrunkConfig { credentials, ..config(([127, 0, 0, 1], port).into()) };
    assert_heard_whole(&call(with(Some(credentials))).await);
    let alike = correlation(&sweep(SAMPLES), &baresip.heard().await);
    assert!(alike > 950, "{alike} thousandths");

    let wrong = Credentials { username: "talkdrum".into(), password: "wrong".into() };
    for credentials in [Some(wrong), None] {
        let refused = call(with(credentials)).await;
        assert_eq!((refused.outcome, refused.sip_code), (Outcome::TrunkError, Some(407)), "{refused:?}");
    }
}

#[tokio::test]
async fn a_call_through_a_proxy_is_hung_up_by_us() {
    if !peers_are_wanted() {
        return;
    }
    let baresip = Baresip::start().await;
    let directory = TempDir::new().unwrap();
    let (_kamailio, port) = kamailio(&directory, baresip.port).await;
    let credentials = Credentials { username: "talkdrum".into(), password: "secret".into() };
    let config = TrunkConfig { credentials: Some(credentials), ..config(([127, 0, 0, 1], port).into()) };
    let trunk = Trunk::start(config).await.unwrap();
    let mut call = trunk.call(CallRequest::new(NUMBER, clip(800_000))).await.unwrap();
    until(&mut call, &CallEvent::Answered).await;
    call.hang_up();
    assert_eq!(to_its_end(call).await.1.ended_by, EndedBy::Caller);
    // It waits for the answer to the BYE, which came back along the way of the call.
    trunk.shutdown(Duration::from_secs(20)).await;
    let said = std::fs::read_to_string(baresip.directory.path().join("baresip.log")).unwrap();
    assert!(said.contains("session closed") || said.contains("terminated"), "{said}");
}
