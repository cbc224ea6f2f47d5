//! The form of calls to many, in the specification's field names, and its big parts.

use serde::Deserialize;
use talkdrum_api::money::Amount;
use talkdrum_core::model::voice::id::RecordingId;
use talkdrum_core::{Error, Result, phone};
use utoipa::ToSchema;

use crate::api::campaign::Spool;
use crate::api::voice::link::id_of;
use crate::api::voice::mp3_file::Mp3File;
use crate::http::upload::{Part, PartSink};
use crate::state::AppState;

/// The parts that may be of any size.
pub(super) const BIG: [&str; 3] = ["contacts", "file", "audioFile"];
/// The label of calls that have none.
pub(super) const LABEL: &str = "WEBSMS";

/// Calls to many.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct VoiceCallForm {
    /// The label, `WEBSMS` unless given: a sender id of the caller's. The phone shows a number, not this.
    #[serde(rename = "defaultId")]
    pub(super) default_id: Option<String>,
    /// `TTS`, `voice` (an MP3) or `past` (a recording); it follows from what is filled in.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// A text that is spoken, of at most `voice.text_chars` (1,600) characters.
    #[serde(rename = "ttsMsg")]
    tts_msg: Option<String>,
    /// `uk-female`, which it is when it is left out, `us-female`, `uk-male` or `us-male`.
    #[serde(rename = "ttsVoice")]
    pub(super) tts_voice: Option<String>,
    /// An MP3, as `POST /api/recordings` takes it.
    #[serde(rename = "audioFile")]
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the decoder; here for the document")]
    audio_file: Option<String>,
    /// A recording of the caller's: its `audioFileUrl`, or its id.
    #[serde(rename = "audioUrl")]
    audio_url: Option<String>,
    /// Recipients in any form: numbers with commas, spaces or new lines, prose. May be repeated.
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    contacts: Option<String>,
    /// Recipients as a CSV or text file of any size. May be repeated.
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    file: Option<String>,
    /// A column of the file that is read as numbers; detected when it is not given. May be repeated.
    #[serde(default)]
    pub(super) column: Vec<String>,
    /// Ids of contact groups that are called too. May be repeated.
    #[serde(default)]
    pub(super) groups: Vec<i64>,
    /// The same as `groups`.
    #[serde(default)]
    pub(super) group_ids: Vec<i64>,
    /// Lists that are here already and are called too, as in the form of a campaign: `campaign:ID`, `campaign:ID:failed`,
    /// `import:ID`. May be repeated.
    #[serde(default)]
    pub(super) audience: Vec<String>,
    /// `espees` or `paystack` (alias `naira`).
    pub(super) payment_method: Option<String>,
    /// What the calls are for: `promotional`, `transactional` or `otp`. Left out: the default of the API key, else of the
    /// account, else `transactional`.
    pub(super) purpose: Option<String>,
    /// A canary: how many recipients are called before the rest, as `50` (4,096 at most) or `5%`. The rest waits until enough
    /// of them answered; otherwise the campaign pauses, and its owner resumes or cancels it.
    pub(super) canary: Option<String>,
    /// Numbers of one's own that are called before the rest beside these, in any form: 20 at most. They may be all of the canary.
    /// One that is not on the list becomes a recipient, and is charged as one.
    pub(super) canary_seeds: Option<String>,
    /// How many of a hundred calls of the canary must be answered, 1 to 100; 30 unless given.
    pub(super) canary_delivery: Option<String>,
    /// How many seconds after each of them was placed once the canary is decided at the latest: 10 to 86,400; 600 unless given.
    pub(super) canary_wait_s: Option<String>,
    /// When to call: seconds since 1970, RFC 3339, or `YYYY-MM-DD HH:MM` in the user's time zone. May be repeated: one run
    /// for each.
    #[serde(rename = "startTime", default)]
    pub(super) start_time: Vec<String>,
    /// An own number of the caller's, verified, that the calls are from. Without contacts and anything to play: a number that
    /// is to be verified.
    own_number: Option<String>,
    /// The code that a call spoke to `own_number`, six digits: it verifies the number.
    pub(super) validation_code: Option<String>,
    /// A virtual number of the caller's, approved, that the calls are from.
    virtual_number: Option<String>,
    /// The keys that answer a question, each with what it stands for: `1=yes` (repeated), `digits[1]=yes`, or an object
    /// `{"1": "yes"}`. At most 10 of `0` to `8`, `*` and `#`; 9 always opts out. A key that is pressed ends the call.
    #[serde(default)]
    pub(super) digits: Vec<String>,
    /// How often the question is played at most, 1 to 3, while no key is pressed.
    pub(super) plays: Option<String>,
    /// `1` for a quote: nothing is charged.
    pub(super) quote: Option<String>,
    /// To confirm: the quote that `quote=1` answered.
    pub(super) quote_id: Option<i64>,
    /// The most that the calls may cost, in the currency they are paid in, where they are quoted and confirmed in one call.
    pub(super) max_charge: Option<Amount>,
}

/// What is to be played.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum VoiceSource {
    /// A text and the voice that speaks it.
    Speech(Option<String>, Option<String>),
    /// The MP3 of the form.
    Upload,
    /// A recording that was kept.
    Recording(RecordingId),
}

impl VoiceCallForm {
    /// What is to be played.
    ///
    /// # Errors
    /// 'Voice Message is required', 'Voice is required', 'Past audio file is required'; several without a type.
    pub(super) fn source(&self, has_mp3: bool) -> Result<VoiceSource> {
        let given = |field: &Option<String>| field.as_deref().is_some_and(|text| !text.trim().is_empty());
        let speech = || VoiceSource::Speech(self.tts_msg.clone(), self.tts_voice.clone());
        match self.kind.as_deref().map(str::trim).filter(|kind| !kind.is_empty()) {
            Some(kind) if kind.eq_ignore_ascii_case("tts") => self.require(given(&self.tts_msg), speech()),
            Some(kind) if kind.eq_ignore_ascii_case("voice") && has_mp3 => Ok(VoiceSource::Upload),
            Some(kind) if kind.eq_ignore_ascii_case("voice") => {
                Err(Error::field("audioFile", "voice_required", "Voice is required"))
            }
            Some(kind) if kind.eq_ignore_ascii_case("past") => self.recording(),
            Some(kind) => Err(Error::field(
                "type",
                "unknown_voice_type",
                format!("There is no type '{kind}': use TTS, voice or past"),
            )),
            None => {
                let filled = [given(&self.tts_msg), has_mp3, given(&self.audio_url)];
                match filled {
                    [true, false, false] | [false, false, false] => self.require(filled[0], speech()),
                    [false, true, false] => Ok(VoiceSource::Upload),
                    [false, false, true] => self.recording(),
                    _ => Err(Error::field(
                        "type",
                        "several_voices",
                        "A call plays one thing: fill in one of ttsMsg, audioFile and audioUrl, or say which by type",
                    )),
                }
            }
        }
    }

    fn require(&self, is_filled: bool, source: VoiceSource) -> Result<VoiceSource> {
        let missing = || Error::field("ttsMsg", "voice_message_required", "Voice Message is required");
        is_filled.then_some(source).ok_or_else(missing)
    }

    fn recording(&self) -> Result<VoiceSource> {
        let missing = || Error::field("audioUrl", "past_audio_required", "Past audio file is required");
        let url =
            self.audio_url.as_deref().map(str::trim).filter(|url| !url.is_empty()).ok_or_else(missing)?;
        id_of(url).map(VoiceSource::Recording).ok_or_else(|| {
            let says = "This is no recording of yours: take audioFileUrl from the list of recordings";
            Error::field("audioUrl", "bad_audio_url", says)
        })
    }

    /// Whether a form without contacts is about verifying an own number: it names one, and nothing to play.
    pub(super) fn verifies_number(&self, has_mp3: bool) -> bool {
        let given = |field: &Option<String>| field.as_deref().is_some_and(|text| !text.trim().is_empty());
        let plays = has_mp3 || given(&self.tts_msg) || given(&self.audio_url);
        given(&self.own_number) && (given(&self.validation_code) || !plays)
    }

    /// The number of the customer that the calls are from. Whether it is theirs is asked with the quote.
    ///
    /// # Errors
    /// Both at once; what is no number.
    pub(super) fn caller_number(&self) -> Result<Option<String>> {
        let given = |field: &Option<String>| {
            field.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let (field, text) = match (given(&self.own_number), given(&self.virtual_number)) {
            (None, None) => return Ok(None),
            (Some(own), None) => ("own_number", own),
            (None, Some(number)) => ("virtual_number", number),
            (Some(_), Some(_)) => {
                let says = "Calls are from one number: leave out own_number or virtual_number";
                return Err(Error::field("own_number", "two_caller_numbers", says));
            }
        };
        let number =
            phone::parse(&text).map_err(|error| Error::field(field, error.code(), error.to_string()))?;
        Ok(Some(number.to_string()))
    }
}

/// The big parts of the form, each on its way to where it is read.
pub(super) struct Parts {
    pub(super) spool: Spool,
    pub(super) mp3: Mp3File,
    /// Whether the part that is being read is the MP3.
    in_mp3: bool,
}

impl Parts {
    /// None yet.
    pub(super) fn new(app: &AppState) -> Self {
        Self {
            spool: Spool::new(app.spool_dir.clone(), app.disk.clone()),
            mp3: Mp3File::new(app.spool_dir.clone(), app.disk.clone(), app.recording_limits),
            in_mp3: false,
        }
    }
}

impl PartSink for Parts {
    fn begin(&mut self, part: Part<'_>) -> Result<()> {
        self.in_mp3 = part.name == "audioFile";
        if self.in_mp3 { self.mp3.begin(part) } else { self.spool.begin(part) }
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        if self.in_mp3 { self.mp3.chunk(bytes) } else { self.spool.chunk(bytes) }
    }

    fn end(&mut self) -> Result<()> {
        if self.in_mp3 { self.mp3.end() } else { self.spool.end() }
    }
}
