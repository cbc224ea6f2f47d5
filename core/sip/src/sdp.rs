//! Session descriptions: one audio stream of G.711 with telephone events, offered and answered (RFC 4566, RFC 3264).

use std::net::{IpAddr, SocketAddr};

use crate::dtmf;
use crate::g711::{Codec, SAMPLE_RATE};

/// The largest description that is read, in bytes.
pub(crate) const MAX_SDP: usize = 8 * 1024;
/// The most streams of a description that is read.
const MAX_STREAMS: usize = 8;

/// Who sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    SendRecv,
    SendOnly,
    RecvOnly,
    Inactive,
}

impl Direction {
    const ALL: [Self; 4] = [Self::SendRecv, Self::SendOnly, Self::RecvOnly, Self::Inactive];

    const fn name(self) -> &'static str {
        match self {
            Self::SendRecv => "sendrecv",
            Self::SendOnly => "sendonly",
            Self::RecvOnly => "recvonly",
            Self::Inactive => "inactive",
        }
    }

    /// What the answer to an offer of this direction says.
    pub(crate) const fn answer(self) -> Self {
        match self {
            Self::SendRecv => Self::SendRecv,
            Self::SendOnly => Self::RecvOnly,
            Self::RecvOnly => Self::SendOnly,
            Self::Inactive => Self::Inactive,
        }
    }

    /// Whether the party that says so listens.
    pub(crate) const fn receives(self) -> bool {
        matches!(self, Self::SendRecv | Self::RecvOnly)
    }
}

/// Why a description cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SdpError {
    #[error("the session description is larger than {MAX_SDP} bytes or has more than {MAX_STREAMS} streams")]
    TooLarge,
    #[error("the session description is not text")]
    NotText,
    #[error("the session description has no audio stream")]
    NoAudio,
    #[error("the session description names no address of its audio stream")]
    NoAddress,
    #[error("the session description has neither PCMA nor PCMU")]
    NoCodec,
}

/// What the other party's description says of its audio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    /// Where it listens.
    pub(crate) media: SocketAddr,
    /// Its payload types that are G.711, in its order.
    pub(crate) codecs: Vec<(u8, Codec)>,
    /// Its payload type of telephone events.
    pub(crate) telephone_event: Option<u8>,
    pub(crate) direction: Direction,
    /// All its streams in order: `None` is the audio stream, the others are refused, by what their `m=` line says.
    streams: Vec<Option<Refused>>,
}

/// Media, transport and first format of a stream that is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refused {
    media: Box<str>,
    transport: Box<str>,
    format: Box<str>,
}

impl Description {
    /// Reads a description.
    ///
    /// # Errors
    /// When it is too large, or has no audio stream in G.711 at an address that is not a name.
    pub(crate) fn parse(body: &[u8]) -> Result<Self, SdpError> {
        if body.len() > MAX_SDP {
            return Err(SdpError::TooLarge);
        }
        let text = std::str::from_utf8(body).map_err(|_| SdpError::NotText)?;
        let mut session = Level::default();
        let mut audio: Option<Audio> = None;
        let mut in_audio = false;
        let mut streams = Vec::new();
        for line in text.lines() {
            let Some((kind, value)) = line.split_once('=') else { continue };
            if kind == "m" {
                if streams.len() == MAX_STREAMS {
                    return Err(SdpError::TooLarge);
                }
                let found = if audio.is_none() { Audio::of_line(value) } else { None };
                in_audio = found.is_some();
                streams.push(if in_audio { None } else { Some(Refused::of_line(value)) });
                audio = found.or(audio);
            } else if let (true, Some(audio)) = (in_audio, &mut audio) {
                audio.line(kind, value);
            } else if streams.is_empty() {
                session.line(kind, value);
            }
        }
        let audio = audio.ok_or(SdpError::NoAudio)?;
        let address = audio.level.address.or(session.address).ok_or(SdpError::NoAddress)?;
        let codecs = audio.codecs();
        if codecs.is_empty() {
            return Err(SdpError::NoCodec);
        }
        let mut direction = audio.level.direction.or(session.direction).unwrap_or(Direction::SendRecv);
        // The old way to hold a call (RFC 3264, section 8.4).
        if address.is_unspecified() && direction.receives() {
            direction = Direction::SendOnly;
        }
        Ok(Self {
            media: SocketAddr::new(address, audio.port),
            codecs,
            telephone_event: audio.telephone_event,
            direction,
            streams,
        })
    }

    /// The first of `codecs` that it has too, with its payload type.
    pub(crate) fn best_of(&self, codecs: &[Codec]) -> Option<(u8, Codec)> {
        codecs.iter().find_map(|wanted| self.codecs.iter().find(|(_, codec)| codec == wanted)).copied()
    }
}

/// What a session and a stream both may say.
#[derive(Debug, Default)]
struct Level {
    address: Option<IpAddr>,
    direction: Option<Direction>,
}

impl Level {
    fn line(&mut self, kind: &str, value: &str) {
        match kind {
            "c" => {
                let address = value.split_whitespace().nth(2).unwrap_or_default();
                self.address = address.split('/').next().and_then(|address| address.parse().ok());
            }
            "a" => {
                let named = Direction::ALL.into_iter().find(|direction| direction.name() == value.trim());
                self.direction = named.or(self.direction);
            }
            _ => {}
        }
    }
}

/// The stream that is taken.
#[derive(Debug)]
struct Audio {
    port: u16,
    formats: Vec<u8>,
    named: Vec<(u8, Codec)>,
    telephone_event: Option<u8>,
    level: Level,
}

impl Audio {
    /// `None` when the line is no audio over RTP, or its port says that the stream is refused.
    fn of_line(value: &str) -> Option<Self> {
        let mut words = value.split_whitespace();
        let (media, port, transport) = (words.next()?, words.next()?, words.next()?);
        let port = port.split('/').next()?.parse().ok().filter(|&port| port != 0)?;
        if media != "audio" || !matches!(transport, "RTP/AVP" | "RTP/AVPF") {
            return None;
        }
        let formats = words.filter_map(|format| format.parse().ok()).collect();
        Some(Self { port, formats, named: Vec::new(), telephone_event: None, level: Level::default() })
    }

    fn line(&mut self, kind: &str, value: &str) {
        let Some(map) = value.strip_prefix("rtpmap:").filter(|_| kind == "a") else {
            return self.level.line(kind, value);
        };
        let mut words = map.split_whitespace();
        let (Some(format), Some(encoding)) = (words.next(), words.next()) else { return };
        let mut parts = encoding.split('/');
        let (Ok(format), Some(name), Some(rate)) = (format.parse(), parts.next(), parts.next()) else {
            return;
        };
        if !self.formats.contains(&format) || rate.parse() != Ok(SAMPLE_RATE) {
            return;
        }
        if let Some(codec) = Codec::of_name(name) {
            self.named.push((format, codec));
        } else if name.eq_ignore_ascii_case("telephone-event") {
            self.telephone_event.get_or_insert(format);
        }
    }

    /// The formats that are G.711: static payload types need no `rtpmap`.
    fn codecs(&self) -> Vec<(u8, Codec)> {
        let codec = |format: &u8| {
            let named = self.named.iter().find(|(named, _)| named == format).map(|&(_, codec)| codec);
            Some((*format, named.or(Codec::of_payload_type(*format))?))
        };
        self.formats.iter().filter_map(codec).collect()
    }
}

impl Refused {
    fn of_line(value: &str) -> Self {
        let mut words = value.split_whitespace();
        let mut word = |position, default: &str| words.nth(position).unwrap_or(default).into();
        Self { media: word(0, "audio"), transport: word(1, "RTP/AVP"), format: word(0, "0") }
    }
}

/// Our side of a session. Its version grows with each description that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) media: SocketAddr,
    pub(crate) session: u32,
    pub(crate) version: u32,
}

impl Local {
    /// An offer of these codecs and of telephone events.
    pub(crate) fn offer(&self, codecs: &[Codec]) -> String {
        let formats: Vec<_> = codecs.iter().map(|&codec| (codec.payload_type(), codec)).collect();
        let mut text = self.head();
        self.audio(&mut text, &formats, Some(dtmf::PAYLOAD_TYPE), Direction::SendRecv);
        text
    }

    /// The answer to an offer: its stream in one codec, with telephone events where it has them; other streams refused.
    pub(crate) fn answer(&self, offer: &Description, codec: (u8, Codec)) -> String {
        let mut text = self.head();
        for stream in &offer.streams {
            match stream {
                None => self.audio(&mut text, &[codec], offer.telephone_event, offer.direction.answer()),
                Some(Refused { media, transport, format }) => {
                    text.push_str(&format!("m={media} 0 {transport} {format}\r\n"));
                }
            }
        }
        text
    }

    fn head(&self) -> String {
        let Self { session, version, .. } = self;
        let family = if self.media.is_ipv4() { "IP4" } else { "IP6" };
        let address = self.media.ip();
        format!(
            "v=0\r\no=- {session} {version} IN {family} {address}\r\ns=-\r\nc=IN {family} {address}\r\nt=0 0\r\n"
        )
    }

    fn audio(&self, text: &mut String, formats: &[(u8, Codec)], events: Option<u8>, direction: Direction) {
        text.push_str(&format!("m=audio {} RTP/AVP", self.media.port()));
        for format in formats.iter().map(|(format, _)| *format).chain(events) {
            text.push_str(&format!(" {format}"));
        }
        text.push_str("\r\n");
        for (format, codec) in formats {
            text.push_str(&format!("a=rtpmap:{format} {}/{SAMPLE_RATE}\r\n", codec.name()));
        }
        if let Some(format) = events {
            text.push_str(&format!(
                "a=rtpmap:{format} telephone-event/{SAMPLE_RATE}\r\na=fmtp:{format} 0-15\r\n"
            ));
        }
        text.push_str(&format!("a=ptime:20\r\na={}\r\n", direction.name()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::*;

    fn local() -> Local {
        Local { media: "127.0.0.1:40000".parse().unwrap(), session: 5, version: 1 }
    }

    fn parse(lines: &[&str]) -> Result<Description, SdpError> {
        Description::parse(lines.join("\r\n").as_bytes())
    }

    #[test]
    fn an_offer_reads_as_what_it_offers() {
        let offer = local().offer(&[Codec::Pcma, Codec::Pcmu]);
        assert!(offer.contains("m=audio 40000 RTP/AVP 8 0 101\r\n"), "{offer}");
        let read = Description::parse(offer.as_bytes()).unwrap();
        assert_eq!(read.media, local().media);
        assert_eq!(read.codecs, [(8, Codec::Pcma), (0, Codec::Pcmu)]);
        assert_eq!(read.telephone_event, Some(101));
        assert_eq!(read.direction, Direction::SendRecv);
        assert_eq!(read.best_of(&[Codec::Pcmu, Codec::Pcma]), Some((0, Codec::Pcmu)));
    }

    #[test]
    fn an_answer_takes_one_codec_and_refuses_other_streams_in_their_order() {
        let offer = parse(&[
            "v=0",
            "c=IN IP4 10.0.0.1",
            "m=video 5000 RTP/AVP 31",
            "a=sendonly",
            "m=audio 5002 RTP/AVP 96 97 98",
            "c=IN IP4 10.0.0.2",
            "a=rtpmap:96 opus/48000/2",
            "a=rtpmap:97 pcmu/8000",
            "a=rtpmap:98 telephone-event/8000",
            "a=sendonly",
            "m=audio 5004 RTP/SAVP 0",
            "c=IN IP4 10.0.0.3",
        ])
        .unwrap();
        assert_eq!(offer.media, "10.0.0.2:5002".parse().unwrap());
        assert_eq!(offer.codecs, [(97, Codec::Pcmu)]);
        let answer = local().answer(&offer, offer.codecs[0]);
        let lines: Vec<_> = answer.lines().filter(|line| line.starts_with("m=")).collect();
        assert_eq!(
            lines,
            ["m=video 0 RTP/AVP 31", "m=audio 40000 RTP/AVP 97 98", "m=audio 0 RTP/SAVP 0"],
            "{answer}"
        );
        assert!(
            answer.contains("a=rtpmap:97 PCMU/8000\r\n") && answer.contains("a=recvonly\r\n"),
            "{answer}"
        );
        assert!(Description::parse(answer.as_bytes()).unwrap().direction.receives());
    }

    #[test]
    fn static_payload_types_need_no_name_and_a_name_overrules_them() {
        let read = parse(&["c=IN IP4 10.0.0.1", "m=audio 6 RTP/AVP 8 0 18", "a=rtpmap:0 PCMA/8000"]).unwrap();
        assert_eq!(read.codecs, [(8, Codec::Pcma), (0, Codec::Pcma)]);
        assert_eq!(read.telephone_event, None);
    }

    #[test]
    fn a_call_is_held_in_two_ways() {
        let held = ["c=IN IP4 0.0.0.0", "m=audio 6 RTP/AVP 8"];
        assert_eq!(parse(&held).unwrap().direction, Direction::SendOnly);
        let held = ["c=IN IP4 1.2.3.4", "a=inactive", "m=audio 6 RTP/AVP 8"];
        assert_eq!(parse(&held).unwrap().direction.answer(), Direction::Inactive);
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        let address = "c=IN IP4 10.0.0.1";
        assert_eq!(parse(&[address]), Err(SdpError::NoAudio));
        assert_eq!(parse(&[address, "m=audio 0 RTP/AVP 8"]), Err(SdpError::NoAudio));
        assert_eq!(parse(&["c=IN IP4 a.name", "m=audio 6 RTP/AVP 8"]), Err(SdpError::NoAddress));
        assert_eq!(parse(&[address, "m=audio 6 RTP/AVP 18"]), Err(SdpError::NoCodec));
        assert_eq!(parse(&["m=video 6 RTP/AVP 31"; 9]), Err(SdpError::TooLarge));
        assert_eq!(Description::parse(&[b'a'; MAX_SDP + 1]), Err(SdpError::TooLarge));
        assert_eq!(Description::parse(b"v=\xFF"), Err(SdpError::NotText));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(body in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Description::parse(&body);
        }

        #[test]
        fn no_lines_make_it_panic(lines in prop::collection::vec("[mca]=[a-z0-9 :/.]{0,30}", 0..12)) {
            let _ = Description::parse(lines.join("\n").as_bytes());
        }

        #[test]
        fn what_is_read_can_be_answered(codec in 0_usize..3, port in 1_u16.., address: [u8; 4]) {
            let lines = [
                format!("c=IN IP4 {}", IpAddr::from(address)),
                format!("m=audio {port} RTP/AVP {} 101", [8, 0, 18][codec]),
                "a=rtpmap:101 telephone-event/8000".into(),
            ];
            if let Ok(read) = Description::parse(lines.join("\r\n").as_bytes()) {
                let answer = local().answer(&read, read.codecs[0]);
                let answered = Description::parse(answer.as_bytes()).unwrap();
                assert_eq!(answered.codecs, read.codecs);
                assert_eq!(answered.direction, read.direction.answer());
            }
        }
    }
}
