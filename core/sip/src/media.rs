//! The audio of a call that is up: a clip out, 20 ms at a time, and keys in.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::net::UdpSocket;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::clip::{Clip, samples_last};
use crate::dtmf::{Event, Presses};
use crate::g711::Codec;
use crate::outcome::MediaStats;
use crate::rtp::{FRAME, FRAME_SAMPLES, Latch, MAX_DATAGRAM, Packet};

/// Where audio goes and what it is, as the last session description of the other party says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Where the other party listens, and whose packets are heard.
    pub(crate) address: SocketAddr,
    /// The codec and its payload type.
    pub(crate) codec: (u8, Codec),
    /// The payload type of telephone events.
    pub(crate) telephone_event: Option<u8>,
    /// Whether the other party listens: not while it holds the call. The clip goes on meanwhile, unheard, so that a call
    /// takes no longer than its clip.
    pub(crate) listens: bool,
}

/// What is said.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// First this.
    pub(crate) clip: Option<Clip>,
    /// Then silence.
    pub(crate) tail: Duration,
    /// A key that is pressed for 100 ms, and when.
    pub(crate) press: Option<(Duration, char)>,
}

/// What is told of what is heard.
pub(crate) trait Ear {
    /// 20 ms of audio, or what a packet held.
    fn audio(&mut self, codec: Codec, payload: &[u8]);
    /// A key was pressed.
    fn key(&mut self, key: char);
}

/// Packets of a pressed key that say so, then those that say it is up again.
const PRESS_PACKETS: u16 = 5;
const PRESS_END_PACKETS: u16 = 3;
/// The most datagrams that are read at once: those of before the answer, and those of the end.
const STALE_MAX: usize = 4_096;

/// The audio of one call, sent and heard on one socket.
#[derive(Debug)]
pub(crate) struct Media {
    socket: UdpSocket,
    target: watch::Receiver<Target>,
    script: Script,
    listener: Listener,
    pub(crate) stats: MediaStats,
    /// How many samples of the clip were sent.
    heard: usize,
    /// How many frames are over.
    frames: usize,
}

impl Media {
    pub(crate) fn new(socket: UdpSocket, target: watch::Receiver<Target>, script: Script) -> Self {
        let listener = Listener::new(target.borrow().address);
        Self { socket, target, script, listener, stats: MediaStats::default(), heard: 0, frames: 0 }
    }

    /// How long it has been talking, clip or silence.
    pub(crate) fn played(&self) -> Duration {
        FRAME * u32::try_from(self.frames).unwrap_or(u32::MAX)
    }

    /// How much of the clip was sent.
    pub(crate) fn heard(&self) -> Duration {
        samples_last(self.heard)
    }

    /// Sends and listens until everything is said. It may be dropped at any moment.
    pub(crate) async fn run(&mut self, ear: &mut impl Ear) {
        let mut buffer = [0; MAX_DATAGRAM];
        // What came before the answer is ringing and announcements of the network, from elsewhere perhaps.
        for _ in 0..STALE_MAX {
            if self.socket.try_recv_from(&mut buffer).is_err() {
                break;
            }
        }
        let mut sender = Sender::new();
        // Ticks that are late are made up for at once, so the pace is that of the clock however busy the machine is.
        let mut frames = interval(FRAME);
        frames.set_missed_tick_behavior(MissedTickBehavior::Burst);
        loop {
            tokio::select! {
                biased;
                due = frames.tick() => {
                    let late = due.elapsed() > FRAME;
                    if !self.send(&mut sender, late) {
                        return;
                    }
                }
                received = self.socket.recv_from(&mut buffer) => {
                    match received {
                        Ok((length, source)) => self.hear(buffer.get(..length).unwrap_or_default(), source, ear),
                        // Nothing that a socket of UDP should say; it must not keep others from their turn.
                        Err(_) => tokio::task::yield_now().await,
                    }
                }
            }
        }
    }

    /// Hears what came before the end and was not looked at yet: a busy machine reads the BYE first.
    pub(crate) fn hear_rest(&mut self, ear: &mut impl Ear) {
        let mut buffer = [0; MAX_DATAGRAM];
        for _ in 0..STALE_MAX {
            let Ok((length, source)) = self.socket.try_recv_from(&mut buffer) else { break };
            self.hear(buffer.get(..length).unwrap_or_default(), source, ear);
        }
    }

    fn hear(&mut self, datagram: &[u8], source: SocketAddr, ear: &mut impl Ear) {
        let target = *self.target.borrow();
        if self.listener.hear(target, datagram, source, ear) {
            self.stats.received += 1;
        } else {
            self.stats.ignored += 1;
        }
    }

    /// Sends what is due; whether there was anything.
    fn send(&mut self, sender: &mut Sender, late: bool) -> bool {
        let target = *self.target.borrow();
        let (payload_type, codec) = target.codec;
        let at = sender.frame * FRAME_SAMPLES;
        let clip = self.script.clip.as_ref().map_or(&[][..], |clip| clip.bytes(codec));
        let said = clip.get(at..).unwrap_or_default();
        let said = said.get(..FRAME_SAMPLES).unwrap_or(said);
        if said.is_empty() && samples_last(at.saturating_sub(clip.len())) >= self.script.tail {
            return false;
        }
        let samples = said.len();
        let press = self.script.press.zip(target.telephone_event);
        let event = press.and_then(|((after, key), format)| Some((format, sender.press(after, key)?)));
        let sent = match event {
            _ if !target.listens => false,
            Some((format, (event, began))) => {
                sender.event(&self.socket, target.address, format, event, began)
            }
            None => {
                let mut payload = [codec.silence(); FRAME_SAMPLES];
                payload.iter_mut().zip(said).for_each(|(to, &byte)| *to = byte);
                sender.audio(&self.socket, target.address, payload_type, &payload)
            }
        };
        if sent {
            self.heard += samples;
            self.stats.sent += 1;
            self.stats.late += u64::from(late);
        }
        sender.frame += 1;
        self.frames += 1;
        true
    }
}

/// Our stream: its numbers begin at random (RFC 3550, section 5.1).
#[derive(Debug)]
struct Sender {
    ssrc: u32,
    sequence: u16,
    began: u32,
    /// The frame that is sent next.
    frame: usize,
    /// Whether the last packet was no audio: then the next one begins a talkspurt.
    spurt: bool,
    datagram: Vec<u8>,
}

impl Sender {
    fn new() -> Self {
        Self {
            ssrc: rand::random(),
            sequence: rand::random(),
            began: rand::random(),
            frame: 0,
            spurt: true,
            datagram: Vec::with_capacity(FRAME_SAMPLES + 12),
        }
    }

    fn timestamp_of(&self, frame: usize) -> u32 {
        // Wraps as it shall.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an RTP timestamp is the count of samples modulo 2^32"
        )]
        self.began.wrapping_add((frame * FRAME_SAMPLES) as u32)
    }

    /// The event to send instead of audio in this frame, with the frame it began in.
    fn press(&self, after: Duration, key: char) -> Option<(Event, usize)> {
        let began = usize::try_from(after.as_millis() / FRAME.as_millis()).ok()?;
        let nth = u16::try_from(self.frame.checked_sub(began)?).ok()? + 1;
        if nth > PRESS_PACKETS + PRESS_END_PACKETS {
            return None;
        }
        let duration = nth.min(PRESS_PACKETS) * 160;
        Some((Event { key, end: nth > PRESS_PACKETS, duration }, began))
    }

    fn event(&mut self, socket: &UdpSocket, to: SocketAddr, format: u8, event: Event, began: usize) -> bool {
        let Some(payload) = event.payload() else { return false };
        self.spurt = true;
        self.packet(socket, to, format, self.frame == began, self.timestamp_of(began), &payload)
    }

    fn audio(&mut self, socket: &UdpSocket, to: SocketAddr, format: u8, payload: &[u8]) -> bool {
        let marker = std::mem::take(&mut self.spurt);
        self.packet(socket, to, format, marker, self.timestamp_of(self.frame), payload)
    }

    fn packet(
        &mut self,
        socket: &UdpSocket,
        to: SocketAddr,
        payload_type: u8,
        marker: bool,
        timestamp: u32,
        payload: &[u8],
    ) -> bool {
        let packet =
            Packet { payload_type, marker, sequence: self.sequence, timestamp, ssrc: self.ssrc, payload };
        packet.write(&mut self.datagram);
        self.sequence = self.sequence.wrapping_add(1);
        // What the machine cannot take now is lost, as anything on the way may be.
        socket.try_send_to(&self.datagram, to).is_ok()
    }
}

/// The other party's stream.
#[derive(Debug)]
struct Listener {
    latch: Latch,
    presses: Presses,
}

impl Listener {
    fn new(address: SocketAddr) -> Self {
        Self { latch: Latch::new(address.ip()), presses: Presses::default() }
    }

    /// Whether a datagram was the other party's, and of a kind that was agreed on.
    fn hear(&mut self, target: Target, datagram: &[u8], source: SocketAddr, ear: &mut impl Ear) -> bool {
        self.latch.name(target.address.ip());
        let Some(packet) = Packet::parse(datagram) else { return false };
        let is_event = Some(packet.payload_type) == target.telephone_event;
        if !is_event && packet.payload_type != target.codec.0 {
            return false;
        }
        if !self.latch.accepts(source, &packet, Instant::now()) {
            return false;
        }
        if is_event {
            let press =
                Event::parse(packet.payload).and_then(|event| self.presses.press(event, packet.timestamp));
            if let Some(key) = press {
                ear.key(key);
            }
        } else {
            ear.audio(target.codec.1, packet.payload);
        }
        true
    }
}
