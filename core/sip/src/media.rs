//! The audio of a call that is up: a clip out, 20 ms at a time, and keys in.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use crate::clip::{Clip, samples_last};
use crate::dtmf::{self, Event, Presses};
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
    /// How often both are played.
    pub(crate) plays: u8,
    /// Keys of the other party that end it: see [`AFTER_KEY`].
    pub(crate) ends_on: String,
    /// A key that is pressed for 100 ms, and when.
    pub(crate) press: Option<(Duration, char)>,
}

/// Receives the audio of a call and its pressed keys.
pub(crate) trait Ear {
    /// 20 ms of audio, or what a packet held.
    fn audio(&mut self, codec: Codec, payload: &[u8]);
    /// A key was pressed.
    fn key(&mut self, key: char);
}

/// How long a call is up after a key that ends it, in silence: a person sees that the key was heard, and may have pressed a
/// second one.
const AFTER_KEY: Duration = Duration::from_secs(1);
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
    /// How many samples of the clip were sent, all plays together.
    heard: usize,
    /// The frame that comes next, how many there are in one play, and in all.
    frame: u32,
    play: u32,
    frames: u32,
    /// A key was pressed that ends it: there is silence to the end.
    is_ended_by_key: bool,
}

impl Media {
    pub(crate) fn new(socket: UdpSocket, target: watch::Receiver<Target>, script: Script) -> Self {
        let listener = Listener::new(target.borrow().address);
        let clip = script.clip.as_ref().map_or(Duration::ZERO, Clip::duration);
        let play = frames_of(clip).saturating_add(frames_of(script.tail));
        Self {
            socket,
            target,
            listener,
            stats: MediaStats::default(),
            heard: 0,
            frame: 0,
            play,
            frames: play.saturating_mul(script.plays.into()),
            is_ended_by_key: false,
            script,
        }
    }

    /// Whether a key was pressed that ends it.
    pub(crate) const fn is_ended_by_key(&self) -> bool {
        self.is_ended_by_key
    }

    /// How long it has been talking, clip or silence.
    pub(crate) fn played(&self) -> Duration {
        FRAME * self.frame
    }

    /// How much of the clip was sent: all of it at most, however often it is played.
    pub(crate) fn heard(&self) -> Duration {
        let clip = self.script.clip.as_ref().map_or(Duration::ZERO, Clip::duration);
        samples_last(self.heard).min(clip)
    }

    /// Throws away what came so far: before the answer it is ringing and announcements of the network, from elsewhere
    /// perhaps.
    pub(crate) fn forget(&self) {
        let mut buffer = [0; MAX_DATAGRAM];
        for _ in 0..STALE_MAX {
            if self.socket.try_recv_from(&mut buffer).is_err() {
                break;
            }
        }
    }

    /// Sends and listens until everything is said, half a frame before the last one is over: BYE then ends a call of a
    /// minute's clip within the minute, and its way covers the rest. It may be dropped at any moment.
    pub(crate) async fn run(&mut self, ear: &mut impl Ear) {
        let mut buffer = [0; MAX_DATAGRAM];
        let mut sender = Sender::new();
        // Ticks that are late are made up for at once, so the pace is that of the clock however busy the machine is.
        let began = Instant::now();
        let mut over = pin!(sleep_until(self.over_at(began)));
        let mut frames = interval_at(began, FRAME);
        frames.set_missed_tick_behavior(MissedTickBehavior::Burst);
        loop {
            tokio::select! {
                biased;
                due = frames.tick(), if self.frame < self.frames => {
                    self.send(&mut sender, due.elapsed() > FRAME);
                    self.frame += 1;
                }
                () = &mut over, if self.frame == self.frames => return,
                received = self.socket.recv_from(&mut buffer) => {
                    match received {
                        Ok((length, source)) => {
                            self.hear(buffer.get(..length).unwrap_or_default(), source, ear);
                            if over.deadline() > self.over_at(began) {
                                over.as_mut().reset(self.over_at(began));
                            }
                        }
                        // Nothing that a socket of UDP should say; it must not keep others from their turn.
                        Err(_) => tokio::task::yield_now().await,
                    }
                }
            }
        }
    }

    /// When everything is said that began then.
    fn over_at(&self, began: Instant) -> Instant {
        began + (FRAME * self.frames).saturating_sub(FRAME / 2)
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
        let mut ear = KeyWatch { ear, ends_on: &self.script.ends_on, is_pressed: false };
        if self.listener.hear(target, datagram, source, &mut ear) {
            self.stats.received += 1;
        } else {
            self.stats.ignored += 1;
        }
        if ear.is_pressed && !self.is_ended_by_key {
            self.is_ended_by_key = true;
            self.frames = self.frames.min(self.frame.saturating_add(frames_of(AFTER_KEY)));
        }
    }

    /// Sends the next frame.
    fn send(&mut self, sender: &mut Sender, late: bool) {
        let target = *self.target.borrow();
        let (payload_type, codec) = target.codec;
        let clip = self.script.clip.as_ref().map_or(&[][..], |clip| clip.bytes(codec));
        let at = self.frame.checked_rem(self.play).unwrap_or_default();
        let said = clip.chunks(FRAME_SAMPLES).nth(at as usize).filter(|_| !self.is_ended_by_key);
        let said = said.unwrap_or_default();
        let samples = said.len();
        let press = self.script.press.zip(target.telephone_event);
        let event =
            press.and_then(|((after, key), format)| Some((format, press_at(self.frame, after, key)?)));
        let sent = match event {
            _ if !target.listens => false,
            Some((format, (event, began))) => {
                sender.event(&self.socket, target.address, format, event, (began, self.frame))
            }
            None => {
                let mut payload = [codec.silence(); FRAME_SAMPLES];
                payload.iter_mut().zip(said).for_each(|(to, &byte)| *to = byte);
                sender.audio(&self.socket, target.address, payload_type, self.frame, &payload)
            }
        };
        if sent {
            self.heard += samples;
            self.stats.sent += 1;
            self.stats.late += u64::from(late);
        }
    }
}

/// Hands on what is heard, and sees whether a key is among it that ends the call.
struct KeyWatch<'a, E> {
    ear: &'a mut E,
    ends_on: &'a str,
    is_pressed: bool,
}

impl<E: Ear> Ear for KeyWatch<'_, E> {
    fn audio(&mut self, codec: Codec, payload: &[u8]) {
        self.ear.audio(codec, payload);
    }

    fn key(&mut self, key: char) {
        self.is_pressed |= self.ends_on.contains(key);
        self.ear.key(key);
    }
}

/// The frames that so long a time takes.
fn frames_of(duration: Duration) -> u32 {
    u32::try_from(duration.as_micros().div_ceil(FRAME.as_micros())).unwrap_or(u32::MAX / 2)
}

/// The event to send instead of audio in a frame while a key is pressed, with the frame that it began in.
fn press_at(frame: u32, after: Duration, key: char) -> Option<(Event, u32)> {
    let began = frames_of(after);
    let nth = u16::try_from(frame.checked_sub(began)?).ok()?.checked_add(1)?;
    if nth > PRESS_PACKETS + PRESS_END_PACKETS {
        return None;
    }
    let duration = nth.min(PRESS_PACKETS) * 160;
    Some((Event { key, end: nth > PRESS_PACKETS, duration }, began))
}

/// Our stream: its numbers begin at random (RFC 3550, section 5.1).
#[derive(Debug)]
struct Sender {
    ssrc: u32,
    sequence: u16,
    began: u32,
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
            spurt: true,
            datagram: Vec::with_capacity(FRAME_SAMPLES + 12),
        }
    }

    fn timestamp_of(&self, frame: u32) -> u32 {
        self.began.wrapping_add(frame.wrapping_mul(FRAME_SAMPLES as u32))
    }

    /// `frames` are the one in which the key went down, and this one.
    fn event(
        &mut self,
        socket: &UdpSocket,
        to: SocketAddr,
        format: u8,
        event: Event,
        (began, now): (u32, u32),
    ) -> bool {
        let Some(payload) = event.payload() else { return false };
        self.spurt = true;
        self.packet(socket, to, format, began == now, self.timestamp_of(began), &payload)
    }

    fn audio(&mut self, socket: &UdpSocket, to: SocketAddr, format: u8, frame: u32, payload: &[u8]) -> bool {
        let marker = std::mem::take(&mut self.spurt);
        self.packet(socket, to, format, marker, self.timestamp_of(frame), payload)
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
        let is_audio = packet.payload_type == target.codec.0;
        // Some send events under the number that they answered, others under the one that was offered.
        let is_event = !is_audio
            && target
                .telephone_event
                .is_some_and(|it| [it, dtmf::PAYLOAD_TYPE].contains(&packet.payload_type));
        if !is_audio && !is_event {
            return false;
        }
        if !self.latch.accepts(source, &packet, Instant::now().into_std()) {
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
