//! What is said to a trunk, and what is made of what it says, word for word.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a test's rig fails the test")]

mod testing;

use std::time::Duration;

use talkdrum_sip::{
    Call, CallEvent, CallRequest, CallResult, Credentials, EndedBy, Outcome, Trunk, TrunkConfig,
};
use testing::peer::{Message, Peer, sdp, sdp_of};
use testing::{CALLER, clip, config, dial, to_its_end, until};
use tokio::net::UdpSocket;

const NUMBER: &str = "2348031234567";

/// A peer, a trunk to it with a changed configuration, and a call that plays ten seconds.
async fn dialled(change: impl FnOnce(&mut TrunkConfig)) -> (Peer, Trunk, Call) {
    let peer = Peer::start().await;
    let mut config = config(peer.address());
    change(&mut config);
    let trunk = Trunk::start(config).await.unwrap();
    let call = dial(&trunk, NUMBER, 80_000).await;
    (peer, trunk, call)
}

async fn result(call: Call) -> CallResult {
    to_its_end(call).await.1
}

fn assert_ended(result: &CallResult, outcome: Outcome, code: Option<u16>, by: EndedBy) {
    assert_eq!((result.outcome, result.sip_code, result.ended_by), (outcome, code, by), "{result:?}");
    assert!(result.answered_at.is_some() || outcome != Outcome::Answered, "{result:?}");
    assert!(result.answered_at.is_none() || code == Some(200), "{result:?}");
}

#[tokio::test]
async fn an_invite_says_who_calls_whom_and_what_is_spoken() {
    let (mut peer, _trunk, call) = dialled(|config| config.plus = true).await;
    let invite = peer.next("INVITE").await;
    let host = format!("127.0.0.1:{}", peer.address().port());
    assert_eq!(invite.first_line(), format!("INVITE sip:+{NUMBER}@{host} SIP/2.0"));
    assert!(
        invite.header("From").unwrap().starts_with(&format!("<sip:+{CALLER}@{host}>;tag=")),
        "{invite:?}"
    );
    assert_eq!(invite.header("P-Asserted-Identity").unwrap(), format!("<sip:+{CALLER}@{host}>"));
    assert!(
        invite.header("Contact").unwrap().starts_with(&format!("<sip:+{CALLER}@127.0.0.1:")),
        "{invite:?}"
    );
    assert!(invite.header("Call-ID").unwrap().ends_with("@talkdrum"), "{invite:?}");
    assert!(invite.header("User-Agent").unwrap().starts_with("Talkdrum/"), "{invite:?}");
    assert!(invite.body().contains("RTP/AVP 8 0 101\r\n"), "{invite:?}");
    peer.reply(&invite, "486 Busy Here", "", "").await;
    assert_eq!(peer.next("ACK").await.sequence(), invite.sequence());
    assert_ended(&result(call).await, Outcome::Busy, Some(486), EndedBy::Callee);
}

#[tokio::test]
async fn a_trunk_that_does_not_answer_is_left_and_a_late_session_is_ended() {
    let (mut peer, trunk, call) = dialled(|config| config.first_answer = Duration::from_millis(1_300)).await;
    let invite = peer.next("INVITE").await;
    assert_ended(&result(call).await, Outcome::TrunkError, None, EndedBy::Trunk);
    assert_eq!(peer.next("INVITE").await.sequence(), invite.sequence(), "it was repeated before");
    assert!(peer.is_left_alone(Duration::from_millis(1_500)).await, "it is not repeated any more");
    peer.reply(&invite, "200 OK", "", &sdp(9)).await;
    peer.next("ACK").await;
    let bye = peer.next("BYE").await;
    peer.reply(&bye, "200 OK", "", "").await;

    let call = dial(&trunk, NUMBER, 800).await;
    let invite = peer.next("INVITE").await;
    assert_ended(&result(call).await, Outcome::TrunkError, None, EndedBy::Trunk);
    peer.reply(&invite, "180 Ringing", "", "").await;
    peer.next("CANCEL").await;
}

#[tokio::test]
async fn a_challenge_is_answered_once_in_the_header_that_belongs_to_it() {
    for (status, challenge, answer) in [
        ("401 Unauthorized", "WWW-Authenticate", "Authorization"),
        ("407 Proxy Authentication Required", "Proxy-Authenticate", "Proxy-Authorization"),
    ] {
        let credentials = Credentials { username: "talkdrum".into(), password: "secret".into() };
        let (mut peer, _trunk, call) = dialled(|config| config.credentials = Some(credentials)).await;
        let code: u16 = status[..3].parse().unwrap();
        let first = peer.next("INVITE").await;
        assert_eq!(first.header(answer), None);
        let digest =
            format!("{challenge}: Digest realm=\"trunk\", nonce=\"abc\", algorithm=MD5, qop=\"auth\"\r\n");
        peer.reply(&first, status, &digest, "").await;
        let second = peer.next("INVITE").await;
        assert_eq!(second.header("Call-ID"), first.header("Call-ID"));
        assert!(second.sequence() > first.sequence());
        let said = second.header(answer).unwrap();
        for part in ["username=\"talkdrum\"", "realm=\"trunk\"", "nonce=\"abc\"", "response=\""] {
            assert!(said.contains(part), "{said}");
        }
        assert!(!format!("{second:?}").contains("secret"));
        peer.reply(&second, status, &digest, "").await;
        assert_ended(&result(call).await, Outcome::TrunkError, Some(code), EndedBy::Trunk);
        peer.next("ACK").await;
        peer.next("ACK").await;
        assert!(peer.is_left_alone(Duration::from_millis(700)).await, "a password is not tried for ever");
    }
}

#[tokio::test]
async fn a_challenge_without_a_password_is_a_trunk_error() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.next("INVITE").await;
    let challenge = "WWW-Authenticate: Digest realm=\"trunk\", nonce=\"abc\"\r\n";
    peer.reply(&invite, "401 Unauthorized", challenge, "").await;
    assert_ended(&result(call).await, Outcome::TrunkError, Some(401), EndedBy::Trunk);
}

#[tokio::test]
async fn early_media_is_no_answer() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let audio = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let invite = peer.next("INVITE").await;
    peer.reply(&invite, "183 Session Progress", "", &sdp(audio.local_addr().unwrap().port())).await;
    audio.send_to(&rtp(101, 1, 1, &[1, 0, 0, 160]), ("127.0.0.1", invite.media_port())).await.unwrap();
    peer.reply(&invite, "408 Request Timeout", "", "").await;
    let (events, result) = to_its_end(call).await;
    assert_eq!(events, [CallEvent::Trying, CallEvent::Ringing]);
    assert_ended(&result, Outcome::NoAnswer, Some(408), EndedBy::Callee);
    assert_eq!((result.digits.as_str(), result.media.sent), ("", 0));
    assert!(audio.try_recv(&mut [0; 200]).is_err(), "nothing is played before the answer");
}

#[tokio::test]
async fn a_408_without_ringing_is_the_trunks() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.next("INVITE").await;
    peer.reply(&invite, "100 Trying", "", "").await;
    peer.reply(&invite, "408 Request Timeout", "", "").await;
    assert_ended(&result(call).await, Outcome::TrunkError, Some(408), EndedBy::Trunk);
}

#[tokio::test]
async fn a_2xx_that_crosses_our_cancel_is_acknowledged_ended_and_no_answer() {
    let (mut peer, _trunk, call) = dialled(|config| config.ring = Duration::from_millis(200)).await;
    let invite = peer.next("INVITE").await;
    peer.reply(&invite, "180 Ringing", "", "").await;
    let cancel = peer.next("CANCEL").await;
    assert_eq!(cancel.sequence(), invite.sequence());
    assert_eq!(cancel.header("Via"), invite.header("Via"));
    peer.reply(&invite, "200 OK", "", &sdp(9)).await;
    peer.reply(&cancel, "200 OK", "", "").await;
    peer.next("ACK").await;
    let bye = peer.next("BYE").await;
    peer.reply(&bye, "200 OK", "", "").await;
    let result = result(call).await;
    assert_ended(&result, Outcome::NoAnswer, Some(200), EndedBy::Caller);
    assert_eq!((result.answered_for(), result.heard), (Duration::ZERO, Duration::ZERO));
}

#[tokio::test]
async fn hanging_up_waits_for_the_first_answer_before_it_cancels() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.next("INVITE").await;
    call.hang_up();
    assert!(peer.is_left_alone(Duration::from_millis(100)).await, "no CANCEL may come before an answer");
    peer.reply(&invite, "100 Trying", "", "").await;
    let cancel = peer.next("CANCEL").await;
    peer.reply(&cancel, "200 OK", "", "").await;
    peer.reply(&invite, "487 Request Terminated", "", "").await;
    peer.next("ACK").await;
    assert_ended(&result(call).await, Outcome::Failed, Some(487), EndedBy::Caller);
}

#[tokio::test]
async fn an_answer_without_audio_of_ours_is_ended_and_fails() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.next("INVITE").await;
    peer.reply(&invite, "200 OK", "", &sdp_of(9, "18", "sendrecv")).await;
    peer.next("ACK").await;
    let bye = peer.next("BYE").await;
    peer.reply(&bye, "200 OK", "", "").await;
    let result = result(call).await;
    assert_ended(&result, Outcome::Failed, Some(200), EndedBy::Trunk);
    assert!(result.answered_at.is_some(), "it was picked up: {result:?}");
}

#[tokio::test]
async fn the_session_of_the_ringing_holds_when_the_200_describes_none() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let audio = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let invite = peer.next("INVITE").await;
    peer.reply(&invite, "183 Session Progress", "", &sdp(audio.local_addr().unwrap().port())).await;
    peer.reply(&invite, "200 OK", "", "").await;
    peer.next("ACK").await;
    audio.recv(&mut [0; 200]).await.unwrap();
    peer.request("BYE", &invite, "").await;
    assert!(peer.next("SIP/2.0").await.first_line().starts_with("SIP/2.0 200"));
    assert_ended(&result(call).await, Outcome::Answered, Some(200), EndedBy::Callee);
}

#[tokio::test]
async fn a_bye_that_overtakes_our_ack_ends_the_call() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.next("INVITE").await;
    peer.reply(&invite, "200 OK", "", &sdp(9)).await;
    peer.request("BYE", &invite, "").await;
    assert!(peer.next("SIP/2.0").await.first_line().starts_with("SIP/2.0 200"));
    assert_ended(&result(call).await, Outcome::Answered, Some(200), EndedBy::Callee);
}

#[tokio::test]
async fn what_is_lost_on_the_way_is_said_again() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let lost = peer.next("INVITE").await;
    let invite = peer.next("INVITE").await;
    assert_eq!(invite.header("Via"), lost.header("Via"), "the same request again");
    peer.reply(&invite, "200 OK", "", &sdp(9)).await;
    peer.next("ACK").await;
    peer.reply(&invite, "200 OK", "", &sdp(9)).await;
    peer.next("ACK").await;
    call.hang_up();
    let lost = peer.next("BYE").await;
    let bye = peer.next("BYE").await;
    assert_eq!(bye.header("Via"), lost.header("Via"), "the same request again");
    peer.reply(&bye, "200 OK", "", "").await;
    assert_ended(&result(call).await, Outcome::Answered, Some(200), EndedBy::Caller);
}

#[tokio::test]
async fn byes_that_cross_are_both_answered() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.pick_up(9).await;
    call.hang_up();
    let bye = peer.next("BYE").await;
    peer.request("BYE", &invite, "").await;
    assert!(peer.next("SIP/2.0").await.first_line().starts_with("SIP/2.0 200"));
    peer.reply(&bye, "200 OK", "", "").await;
    assert_ended(&result(call).await, Outcome::Answered, Some(200), EndedBy::Caller);
}

/// The status of the answer to a request in a call, and the answer.
async fn asked(peer: &mut Peer, method: &str, invite: &Message, body: &str) -> (u16, Message) {
    peer.request(method, invite, body).await;
    let answer = peer.next("SIP/2.0").await;
    (answer.first_line()[8..11].parse().unwrap(), answer)
}

/// The payload type of the next packet.
async fn payload_type(audio: &UdpSocket) -> u8 {
    let mut packet = [0; 200];
    audio.recv(&mut packet).await.unwrap();
    packet[1] & 0x7F
}

#[tokio::test]
async fn a_call_is_moved_held_and_asked_about_while_it_lasts() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let first = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let second = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let port = |socket: &UdpSocket| socket.local_addr().unwrap().port();
    let invite = peer.pick_up(port(&first)).await;
    assert_eq!(payload_type(&first).await, 8);

    let (code, answer) =
        asked(&mut peer, "INVITE", &invite, &sdp_of(port(&second), "0 101", "sendrecv")).await;
    assert_eq!(code, 200, "{answer:?}");
    assert!(
        answer.body().contains(&format!("m=audio {} RTP/AVP 0 101\r\n", invite.media_port())),
        "{answer:?}"
    );
    assert!(answer.header("Contact").is_some());
    peer.request_numbered("ACK", &invite, "", 2, "peer").await;
    assert_eq!(payload_type(&second).await, 0, "it moved, and speaks the other law");

    let (code, answer) = asked(&mut peer, "UPDATE", &invite, &sdp_of(port(&first), "8", "sendonly")).await;
    assert_eq!((code, answer.body().contains("a=recvonly\r\n")), (200, true), "{answer:?}");
    tokio::time::sleep(Duration::from_millis(100)).await;
    while first.try_recv(&mut [0; 200]).is_ok() {}
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(first.try_recv(&mut [0; 200]).is_err(), "who holds the call is not sent to");

    let (code, answer) = asked(&mut peer, "INVITE", &invite, "").await;
    assert!(
        code == 200 && answer.body().contains("RTP/AVP 8 0 101\r\n"),
        "an offer is asked for: {answer:?}"
    );
    peer.request_numbered("ACK", &invite, &sdp(port(&first)), 4, "peer").await;
    assert_eq!(payload_type(&first).await, 8, "it goes on");

    assert_eq!(asked(&mut peer, "UPDATE", &invite, "").await.0, 200);
    assert_eq!(asked(&mut peer, "OPTIONS", &invite, "").await.0, 200);
    assert_eq!(asked(&mut peer, "INFO", &invite, "").await.0, 200);
    assert_eq!(asked(&mut peer, "REFER", &invite, "").await.0, 405);
    assert_eq!(asked(&mut peer, "UPDATE", &invite, &sdp_of(port(&first), "18", "sendrecv")).await.0, 488);
    peer.request_numbered("UPDATE", &invite, "", 2, "late").await;
    assert!(
        peer.next("SIP/2.0").await.first_line().starts_with("SIP/2.0 500"),
        "older than the last request"
    );
    payload_type(&first).await;

    assert_eq!(asked(&mut peer, "BYE", &invite, "").await.0, 200);
    let result = result(call).await;
    assert_ended(&result, Outcome::Answered, Some(200), EndedBy::Callee);
    assert!(!result.heard.is_zero() && result.heard < Duration::from_secs(10));
    assert_eq!(asked(&mut peer, "OPTIONS", &invite, "").await.0, 481, "the call is over");
}

#[tokio::test]
async fn what_the_trunk_asks_outside_of_calls_is_told_that_no_calls_are_taken_here() {
    let (mut peer, _trunk, call) = dialled(|_| ()).await;
    let invite = peer.pick_up(9).await;
    let to = invite.header("Contact").unwrap().trim_matches(['<', '>']).to_owned();
    let address = to.rsplit('@').next().unwrap().parse().unwrap();
    for (method, status) in [("INVITE", "403"), ("OPTIONS", "200"), ("REGISTER", "405"), ("BYE", "405")] {
        let text = format!(
            "{method} {to} SIP/2.0\r\nVia: SIP/2.0/UDP {};branch=z9hG4bKs{method};rport\r\nFrom: <sip:x@y>;tag=1\r\n\
             To: <{to}>\r\nCall-ID: s{method}\r\nCSeq: 1 {method}\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n",
            peer.address()
        );
        peer.send(&text, address).await;
        let answer = peer.next("SIP/2.0").await;
        assert!(answer.first_line().starts_with(&format!("SIP/2.0 {status}")), "{method}: {answer:?}");
    }
    for junk in
        ["", "\r\n\r\n", "INVITE", "INVITE sip:a SIP/2.0\r\n\r\n", "SIP/2.0 200 OK\r\n\r\n", "\u{0}\u{1}ü"]
    {
        peer.send(junk, address).await;
    }
    assert_eq!(asked(&mut peer, "OPTIONS", &invite, "").await.0, 200, "junk did not disturb");
    drop(call);
    peer.next("BYE").await;
}

#[tokio::test]
async fn sip_is_taken_from_the_trunk_and_from_what_is_allowed_alone() {
    for allowed in [None, Some(std::net::IpAddr::from([127, 0, 0, 3]))] {
        let (mut peer, _trunk, _call) = dialled(|config| config.allowed.extend(allowed)).await;
        let invite = peer.pick_up(9).await;
        let to = invite.header("Contact").unwrap().trim_matches(['<', '>']).to_owned();
        let address: std::net::SocketAddr = to.rsplit('@').next().unwrap().parse().unwrap();
        let text = |from: &UdpSocket| {
            let from = from.local_addr().unwrap();
            format!(
                "OPTIONS {to} SIP/2.0\r\nVia: SIP/2.0/UDP {from};branch=z9hG4bK{port};rport\r\nFrom: <sip:x@y>;tag=1\r\n\
                 To: <{to}>\r\nCall-ID: {from}\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n",
                port = from.port()
            )
        };
        let stranger = UdpSocket::bind("127.0.0.2:0").await.unwrap();
        let other = UdpSocket::bind("127.0.0.3:0").await.unwrap();
        for socket in [&stranger, &other] {
            socket.send_to(text(socket).as_bytes(), address).await.unwrap();
        }
        // The trunk asked later, and has its answer.
        assert_eq!(asked(&mut peer, "OPTIONS", &invite, "").await.0, 200, "the trunk's own address is taken");
        let mut answer = [0; 2_000];
        if allowed.is_some() {
            other.recv(&mut answer).await.unwrap();
            assert!(answer.starts_with(b"SIP/2.0 200"));
        }
        for socket in [&stranger, &other] {
            assert!(socket.try_recv(&mut answer).is_err());
        }
    }
}

fn rtp(payload_type: u8, timestamp: u32, ssrc: u32, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x80, payload_type, 0, 1];
    packet.extend(timestamp.to_be_bytes());
    packet.extend(ssrc.to_be_bytes());
    packet.extend(payload);
    packet
}

#[tokio::test]
async fn a_key_is_heard_under_the_number_that_was_answered_and_under_the_offered_one() {
    let (mut peer, _trunk, mut call) = dialled(|_| ()).await;
    let audio = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let invite = peer.next("INVITE").await;
    let port = audio.local_addr().unwrap().port();
    let answer = sdp_of(port, "8 96", "sendrecv").replace("rtpmap:101", "rtpmap:96");
    peer.reply(&invite, "200 OK", "", &answer).await;
    audio.recv(&mut [0; 200]).await.unwrap();
    let to = ("127.0.0.1", invite.media_port());
    audio.send_to(&rtp(96, 160, 7, &[1, 0, 0, 160]), to).await.unwrap();
    until(&mut call, &CallEvent::Key('1')).await;
    audio.send_to(&rtp(101, 320, 7, &[2, 0, 0, 160]), to).await.unwrap();
    until(&mut call, &CallEvent::Key('2')).await;
}

#[tokio::test]
async fn keys_of_others_are_not_heard() {
    let (mut peer, trunk, call) = dialled(|_| ()).await;
    drop(call);
    let call =
        trunk.call(CallRequest { from: Some("2349".into()), ..CallRequest::new(NUMBER, clip(80_000)) });
    let mut call = call.await.unwrap();
    let own = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let stranger = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let elsewhere = UdpSocket::bind("127.0.0.2:0").await.unwrap();
    let invite = loop {
        let invite = peer.next("INVITE").await;
        if invite.header("From").unwrap().contains("sip:2349@") {
            break invite;
        }
    };
    peer.reply(&invite, "200 OK", "", &sdp(own.local_addr().unwrap().port())).await;
    // The first packet says that what came before the answer was thrown away.
    own.recv(&mut [0; 200]).await.unwrap();
    let to = ("127.0.0.1", invite.media_port());
    elsewhere.send_to(&rtp(101, 1, 7, &[9, 0, 0, 160]), to).await.unwrap();
    own.send_to(&rtp(8, 1, 7, &[0xD5; 160]), to).await.unwrap();
    // The key of the party itself tells that all before it was looked at: datagrams of one host stay in order.
    stranger.send_to(&rtp(101, 160, 7, &[9, 0, 0, 160]), to).await.unwrap();
    own.send_to(&rtp(101, 160, 8, &[9, 0, 0, 160]), to).await.unwrap();
    own.send_to(&rtp(97, 160, 7, &[9, 0, 0, 160]), to).await.unwrap();
    own.send_to(&rtp(101, 160, 7, &[16, 0, 0, 160]), to).await.unwrap();
    own.send_to(b"junk", to).await.unwrap();
    for duration in [160, 255] {
        own.send_to(&rtp(101, 320, 7, &[4, 0x80, 0, duration]), to).await.unwrap();
    }
    until(&mut call, &CallEvent::Key('4')).await;
    call.hang_up();
    let result = result(call).await;
    assert_eq!(result.digits, "4");
    assert_eq!((result.media.received, result.media.ignored), (4, 5), "{:?}", result.media);
}
