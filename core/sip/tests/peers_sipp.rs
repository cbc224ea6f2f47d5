//! The trunk against `sipp`, Debian's `sip-tester`: it follows a scenario, and ends well only when all of it happened.
//!
//! These run where `TALKDRUM_PEERS=1` is set.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a test's rig fails the test")]

mod testing;

use std::time::Duration;

use talkdrum_sip::{CallEvent, CallRequest, CallResult, Credentials, EndedBy, Outcome, Trunk, TrunkConfig};
use tempfile::TempDir;
use testing::process::{Process, bound, free_port, peers_are_wanted};
use testing::{clip, config, to_its_end};

const NUMBER: &str = "2348031234567";

/// `sipp` that takes one call as its scenario says.
struct Sipp {
    process: Process,
    directory: TempDir,
    port: u16,
}

impl Sipp {
    async fn start(steps: &[String], arguments: &[&str]) -> Self {
        let directory = TempDir::new().unwrap();
        let scenario = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<scenario name=\"peer\">\n{}\n</scenario>\n",
            steps.join("\n")
        );
        std::fs::write(directory.path().join("peer.xml"), scenario).unwrap();
        let (port, media) = (free_port(), free_port());
        let (port_text, media_text) = (port.to_string(), media.to_string());
        let own =
            ["-sf", "peer.xml", "-i", "127.0.0.1", "-mi", "127.0.0.1", "-p", &port_text, "-mp", &media_text];
        let once = ["-m", "1", "-nostdin", "-timeout", "50s", "-timeout_error"];
        let arguments = [&own[..], &once, arguments].concat();
        let mut process = Process::start("sipp", directory.path(), &arguments);
        bound(&mut process, port).await;
        Self { process, directory, port }
    }

    async fn trunk(&self, change: impl FnOnce(&mut TrunkConfig)) -> Trunk {
        let mut config = config(([127, 0, 0, 1], self.port).into());
        change(&mut config);
        Trunk::start(config).await.unwrap()
    }

    /// One call of `samples` and a tail: what it told, how it ended, and that the scenario came to its end.
    async fn call(
        mut self,
        samples: usize,
        tail: Duration,
        change: impl FnOnce(&mut TrunkConfig),
    ) -> (Vec<CallEvent>, CallResult) {
        let trunk = self.trunk(change).await;
        let request = CallRequest { tail, ..CallRequest::new(NUMBER, clip(samples)) };
        let (events, result) = to_its_end(trunk.call(request).await.unwrap()).await;
        let status = self.process.ended().await;
        let log = std::fs::read_to_string(self.directory.path().join("sipp.log")).unwrap_or_default();
        assert!(status.success(), "sipp: {status}, after {result:?}\n{log}");
        (events, result)
    }
}

/// Waits for a request.
fn recv(method: &str) -> String {
    format!("<recv request=\"{method}\" rrs=\"true\"/>")
}

/// Waits for the INVITE, and notes who calls from where, for requests of its own.
fn recv_invite() -> String {
    "<recv request=\"INVITE\"><action>
       <ereg regexp=\".*\" search_in=\"hdr\" header=\"From:\" check_it=\"true\" assign_to=\"caller\"/>
       <ereg regexp=\".*\" search_in=\"hdr\" header=\"To:\" check_it=\"true\" assign_to=\"callee\"/>
       <ereg regexp=\"sip:[^>]*\" search_in=\"hdr\" header=\"Contact:\" check_it=\"true\" assign_to=\"contact\"/>
     </action></recv><Reference variables=\"caller,callee,contact\"/>"
        .into()
}

/// Answers the last request; `more` are headers, each with its end of line.
fn send(status: &str, more: &str, body: &str) -> String {
    // Its answers are repeated by itself until they are acknowledged.
    let retransmission = if status.starts_with('1') { "" } else { " retrans=\"500\"" };
    format!(
        "<send{retransmission}><![CDATA[\nSIP/2.0 {status}\n[last_Via:]\n[last_From:]\n[last_To:];tag=peer\n[last_Call-ID:]\n\
         [last_CSeq:]\nContact: <sip:peer@[local_ip]:[local_port]>\n{more}Content-Length: [len]\n\n{body}]]></send>"
    )
}

/// Answers a request that needs no acknowledgement.
fn send_once(status: &str, cseq: &str) -> String {
    format!(
        "<send><![CDATA[\nSIP/2.0 {status}\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n{cseq}\n\
         Content-Length: 0\n\n]]></send>"
    )
}

const AUDIO: &str = "Content-Type: application/sdp\n";

fn sdp() -> String {
    "v=0\no=- 1 1 IN IP4 [local_ip]\ns=-\nc=IN IP4 [media_ip]\nt=0 0\nm=audio [media_port] RTP/AVP 8 101\n\
     a=rtpmap:8 PCMA/8000\na=rtpmap:101 telephone-event/8000\na=fmtp:101 0-15\n"
        .into()
}

/// Sends a request of its own within the call.
fn request(method: &str, sequence: u32, more: &str, body: &str) -> String {
    let retransmission = if method == "ACK" { "" } else { " retrans=\"500\"" };
    format!(
        "<send{retransmission}><![CDATA[\n{method} [$contact] SIP/2.0\n\
         Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\nFrom:[$callee];tag=peer\nTo:[$caller]\n\
         [last_Call-ID:]\nCSeq: {sequence} {method}\nContact: <sip:peer@[local_ip]:[local_port]>\nMax-Forwards: 70\n\
         {more}Content-Length: [len]\n\n{body}]]></send>"
    )
}

fn recv_answer() -> String {
    "<recv response=\"200\"/>".into()
}

fn pause(milliseconds: u32) -> String {
    format!("<pause milliseconds=\"{milliseconds}\"/>")
}

/// Waits for our BYE and answers it.
fn recv_bye() -> Vec<String> {
    vec![recv("BYE"), send_once("200 OK", "[last_CSeq:]")]
}

#[tokio::test]
async fn a_final_answer_is_what_its_code_says() {
    if !peers_are_wanted() {
        return;
    }
    for (status, outcome) in [
        ("486 Busy Here", Outcome::Busy),
        ("404 Not Found", Outcome::InvalidNumber),
        ("403 Forbidden", Outcome::TrunkError),
        ("603 Decline", Outcome::Rejected),
        ("480 Temporarily Unavailable", Outcome::NoAnswer),
        ("503 Service Unavailable", Outcome::TrunkError),
    ] {
        let steps = [recv("INVITE"), send("100 Trying", "", ""), send(status, "", ""), recv("ACK")];
        let (_, result) = Sipp::start(&steps, &[]).await.call(800, Duration::ZERO, |_| ()).await;
        assert_eq!((result.outcome, result.sip_code), (outcome, status[..3].parse().ok()), "{status}");
    }
}

#[tokio::test]
async fn ringing_for_too_long_is_cancelled() {
    if !peers_are_wanted() {
        return;
    }
    let steps = [
        recv("INVITE"),
        send("180 Ringing", "", ""),
        recv("CANCEL"),
        send_once("200 OK", "[last_CSeq:]"),
        send("487 Request Terminated", "", "").replace("[last_CSeq:]", "CSeq: [cseq] INVITE"),
        recv("ACK"),
    ];
    let sipp = Sipp::start(&steps, &[]).await;
    let (events, result) = sipp.call(800, Duration::ZERO, |it| it.ring = Duration::from_millis(500)).await;
    assert_eq!(events, [CallEvent::Trying, CallEvent::Ringing]);
    assert_eq!((result.outcome, result.sip_code), (Outcome::NoAnswer, Some(487)));
}

/// Challenges, and goes on only when what comes back is of the password.
fn challenge() -> Vec<String> {
    let verify = "<recv request=\"INVITE\"><action>
        <verifyauth assign_to=\"right\" username=\"talkdrum\" password=\"secret\"/>
      </action></recv>
      <nop condexec=\"right\" condexec_inverse=\"true\"><action><error message=\"the digest is wrong\"/></action></nop>";
    let digest = "WWW-Authenticate: Digest realm=\"trunk\", nonce=\"47ebe028cda119c35d4877b383027d28da013815\", algorithm=MD5\n";
    let mut steps = vec![
        recv("INVITE"),
        send("401 Unauthorized", digest, ""),
        recv("ACK"),
        verify.into(),
        send("200 OK", AUDIO, &sdp()),
        recv("ACK"),
    ];
    steps.extend(recv_bye());
    steps
}

#[tokio::test]
async fn a_challenge_is_answered_with_the_password_and_a_wrong_one_is_noticed() {
    if !peers_are_wanted() {
        return;
    }
    let wrong = Credentials { username: "talkdrum".into(), password: "wrong".into() };
    let mut sipp = Sipp::start(&challenge(), &[]).await;
    let trunk = sipp.trunk(|it| it.credentials = Some(wrong)).await;
    let call = trunk.call(CallRequest::new(NUMBER, clip(800))).await.unwrap();
    assert!(!sipp.process.ended().await.success(), "sipp takes any password");
    drop(call);

    let sipp = Sipp::start(&challenge(), &[]).await;
    let credentials = Credentials { username: "talkdrum".into(), password: "secret".into() };
    let (_, result) = sipp.call(800, Duration::ZERO, |it| it.credentials = Some(credentials)).await;
    assert_eq!((result.outcome, result.sip_code), (Outcome::Answered, Some(200)));
}

#[tokio::test]
async fn audio_is_heard_both_ways_and_their_bye_ends_the_call() {
    if !peers_are_wanted() {
        return;
    }
    let mut steps = vec![recv_invite(), send("200 OK", AUDIO, &sdp()), recv("ACK"), pause(1_000)];
    steps.extend([request("BYE", 1, "", ""), recv_answer()]);
    let sipp = Sipp::start(&steps, &["-rtp_echo"]).await;
    let (_, result) = sipp.call(80_000, Duration::ZERO, |_| ()).await;
    assert_eq!((result.outcome, result.ended_by), (Outcome::Answered, EndedBy::Callee));
    assert!(result.media.sent > 20 && result.media.sent < 500, "{:?}", result.media);
    assert!(result.media.received + 10 > result.media.sent, "what was sent came back: {:?}", result.media);
    assert_eq!(result.media.ignored, 0);
}

#[tokio::test]
async fn a_re_invite_and_an_update_are_answered() {
    if !peers_are_wanted() {
        return;
    }
    let mut steps = vec![recv_invite(), send("200 OK", AUDIO, &sdp()), recv("ACK"), pause(200)];
    steps.extend([request("INVITE", 1, AUDIO, &sdp()), recv_answer(), request("ACK", 1, "", ""), pause(200)]);
    steps.extend([request("UPDATE", 2, AUDIO, &sdp()), recv_answer()]);
    steps.extend([request("OPTIONS", 3, "", ""), recv_answer()]);
    steps.extend(recv_bye());
    let sipp = Sipp::start(&steps, &[]).await;
    let (_, result) = sipp.call(16_000, Duration::ZERO, |_| ()).await;
    assert_eq!((result.outcome, result.ended_by), (Outcome::Answered, EndedBy::Caller));
    assert_eq!((result.media.sent, result.heard), (100, Duration::from_secs(2)));
}

#[tokio::test]
async fn each_recorded_key_is_told_once() {
    if !peers_are_wanted() {
        return;
    }
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    if !own.lines().any(|line| line.starts_with("Uid:") && line.split_whitespace().nth(2) == Some("0")) {
        eprintln!("skipped: sipp plays recorded packets as root only");
        return;
    }
    let mut steps = vec![recv_invite(), send("200 OK", AUDIO, &sdp()), recv("ACK"), pause(300)];
    for key in ["1", "9", "pound"] {
        let path = format!("/usr/share/sip-tester/dtmf_2833_{key}.pcap");
        steps.push(format!("<nop><action><exec play_pcap_audio=\"{path}\"/></action></nop>"));
        steps.push(pause(600));
    }
    steps.extend(recv_bye());
    let sipp = Sipp::start(&steps, &[]).await;
    let (events, result) = sipp.call(800, Duration::from_secs(4), |_| ()).await;
    assert_eq!(result.digits, "19#", "{result:?}");
    let keys = ['1', '9', '#'].map(CallEvent::Key);
    assert!(events.ends_with(&keys), "{events:?}");
    assert_eq!(result.heard, Duration::from_millis(100));
}
