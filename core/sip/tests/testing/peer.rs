//! A party written by hand, in text, so that a test says exactly what comes when.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::UdpSocket;

use super::PATIENCE;

/// Answers of `m=audio` at a port, in PCMA with telephone events.
pub(crate) fn sdp(port: u16) -> String {
    sdp_of(port, "8 101", "sendrecv")
}

pub(crate) fn sdp_of(port: u16, formats: &str, direction: &str) -> String {
    format!(
        "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio {port} RTP/AVP {formats}\r\n\
         a=rtpmap:101 telephone-event/8000\r\na={direction}\r\n"
    )
}

/// A message as it came.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    text: String,
    from: SocketAddr,
}

impl Message {
    pub(crate) fn first_line(&self) -> &str {
        self.text.lines().next().unwrap()
    }

    pub(crate) fn method(&self) -> &str {
        self.first_line().split(' ').next().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split("\r\n\r\n").next().unwrap();
        head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn body(&self) -> &str {
        self.text.split_once("\r\n\r\n").unwrap().1
    }

    /// The port of its audio.
    pub(crate) fn media_port(&self) -> u16 {
        let line = self.body().lines().find_map(|line| line.strip_prefix("m=audio ")).unwrap();
        line.split(' ').next().unwrap().parse().unwrap()
    }

    pub(crate) fn sequence(&self) -> u32 {
        self.header("CSeq").unwrap().split(' ').next().unwrap().parse().unwrap()
    }
}

/// The party.
pub(crate) struct Peer {
    socket: UdpSocket,
    later: VecDeque<Message>,
    sequence: u32,
}

impl Peer {
    pub(crate) async fn start() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        Self { socket, later: VecDeque::new(), sequence: 1 }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.socket.local_addr().unwrap()
    }

    async fn receive(&mut self) -> Message {
        let mut buffer = vec![0; 65_536];
        let received = tokio::time::timeout(PATIENCE, self.socket.recv_from(&mut buffer));
        let (length, from) = received.await.expect("nothing came").unwrap();
        Message { text: String::from_utf8(buffer[..length].to_vec()).unwrap(), from }
    }

    /// The next request of a method, or the next response as "SIP/2.0"; what comes before it is kept for later, but for
    /// repetitions of the INVITE.
    pub(crate) async fn next(&mut self, method: &str) -> Message {
        if let Some(place) = self.later.iter().position(|message| message.method() == method) {
            return self.later.remove(place).unwrap();
        }
        loop {
            let message = self.receive().await;
            if message.method() == method {
                return message;
            }
            if message.method() != "INVITE" {
                self.later.push_back(message);
            }
        }
    }

    /// Whether nothing comes for a moment.
    pub(crate) async fn is_left_alone(&mut self, moment: Duration) -> bool {
        let mut buffer = vec![0; 65_536];
        tokio::time::timeout(moment, self.socket.recv_from(&mut buffer)).await.is_err()
    }

    /// Answers a request; `more` are headers, each with its end of line.
    pub(crate) async fn reply(&self, request: &Message, status: &str, more: &str, body: &str) {
        let copied: String = request
            .text
            .lines()
            .filter(|line| ["Via:", "From:", "Call-ID:", "CSeq:"].iter().any(|name| line.starts_with(name)))
            .map(|line| format!("{line}\r\n"))
            .collect();
        let to = request.header("To").unwrap();
        let tag = if to.contains(";tag=") || status.starts_with("100") { "" } else { ";tag=peer" };
        let content = if body.is_empty() { "" } else { "Content-Type: application/sdp\r\n" };
        let text = format!(
            "SIP/2.0 {status}\r\n{copied}To: {to}{tag}\r\nContact: <sip:peer@{}>\r\n{more}{content}Content-Length: {}\r\n\r\n{body}",
            self.address(),
            body.len()
        );
        self.socket.send_to(text.as_bytes(), request.from).await.unwrap();
    }

    /// Sends a request within the dialog of an INVITE that was answered, and returns it.
    pub(crate) async fn request(&mut self, method: &str, invite: &Message, body: &str) {
        self.sequence += 1;
        self.request_numbered(method, invite, body, self.sequence, "peer").await;
    }

    pub(crate) async fn request_numbered(
        &self,
        method: &str,
        invite: &Message,
        body: &str,
        sequence: u32,
        tag: &str,
    ) {
        let uri = invite.header("Contact").unwrap().trim_matches(['<', '>']);
        let content = if body.is_empty() { "" } else { "Content-Type: application/sdp\r\n" };
        let text = format!(
            "{method} {uri} SIP/2.0\r\nVia: SIP/2.0/UDP {address};branch=z9hG4bK{method}{sequence}{tag};rport\r\n\
             From: {to};tag={tag}\r\nTo: {from}\r\nCall-ID: {call}\r\nCSeq: {sequence} {method}\r\n\
             Contact: <sip:peer@{address}>\r\nMax-Forwards: 70\r\n{content}Content-Length: {length}\r\n\r\n{body}",
            address = self.address(),
            to = invite.header("To").unwrap(),
            from = invite.header("From").unwrap(),
            call = invite.header("Call-ID").unwrap(),
            length = body.len(),
        );
        self.socket.send_to(text.as_bytes(), invite.from).await.unwrap();
    }

    /// Sends text as it is.
    pub(crate) async fn send(&self, text: &str, to: SocketAddr) {
        self.socket.send_to(text.as_bytes(), to).await.unwrap();
    }

    /// The INVITE that a trunk sends, answered with 200 and acknowledged.
    pub(crate) async fn pick_up(&mut self, port: u16) -> Message {
        let invite = self.next("INVITE").await;
        self.reply(&invite, "200 OK", "", &sdp(port)).await;
        self.next("ACK").await;
        invite
    }
}
