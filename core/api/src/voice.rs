//! Voice reports and recordings, in the specification's field names.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::call::PollAnswer;
use crate::campaign::{Campaign, Confirmed, QuoteAnswer};
use crate::money::Amount;
use crate::sender::{OwnNumberCalled, OwnNumberVerified};

/// A recording that can be called with, any number of times.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VoiceRecord {
    /// Its id.
    pub id: i64,
    /// Where it is heard, as a WAV, for an hour at least and without a session.
    #[serde(rename = "audioFileUrl")]
    pub audio_file_url: String,
    /// What it is called.
    pub name: String,
    /// How long it takes, in milliseconds.
    pub length_ms: i64,
    /// How loud it is: `quiet`, `good` or `loud`.
    pub loudness: String,
    /// The same in figures: its root mean square against full scale, in dBFS.
    pub loudness_dbfs: i64,
    /// Bytes that it takes of what a user may keep.
    pub bytes: i64,
    /// When it was last called with; none where it never was.
    pub used_at: Option<String>,
    /// When it was uploaded.
    pub created_at: String,
}

/// `POST /api/recordings`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RecordingAdded {
    /// `Recording added`, or that the same one is kept already.
    pub message: String,
    /// The recording.
    pub recording: VoiceRecord,
}

/// `GET /api/get-voice-records`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VoiceRecords {
    /// Newest first.
    #[serde(rename = "audioUrls")]
    pub audio_urls: Vec<VoiceRecord>,
    /// How many there are.
    pub total: i64,
}

/// What became of calls to many.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VoiceReport {
    /// Its id.
    pub id: i64,
    /// Its id, under the specification's name.
    #[serde(rename = "broadcastId")]
    pub broadcast_id: i64,
    /// Whose it is.
    pub user_id: i64,
    /// The owner's user name.
    pub username: String,
    /// Where it is.
    pub status: String,
    /// What was said: the text, or the name of the recording.
    pub msg: String,
    /// Who spoke it; none of a recording.
    #[serde(rename = "ttsVoice")]
    pub tts_voice: Option<String>,
    /// How long that takes, in seconds.
    #[serde(rename = "msgLength")]
    pub msg_length: i64,
    /// Pulses that were charged.
    pub units: i64,
    /// The first 1,000 numbers, joined by commas.
    pub contacts: String,
    /// How many numbers there are.
    pub no_of_contacts: i64,
    /// Numbers whose calls were not answered, the first 1,000, joined by commas.
    pub failed_contacts: String,
    /// Calls that were answered.
    pub no_of_sent_contacts: i64,
    /// Calls that were not.
    pub no_of_failed_contacts: i64,
    /// What it took from the ESPEES wallet; 0 when it was paid in Naira.
    pub espees_deducted: Amount,
    /// What it took from the Naira wallet; 0 when it was paid in ESPEES.
    pub naira_deducted: Amount,
    /// What is reserved for calls that are not over.
    pub reserved: Amount,
    /// What was refunded: of calls that were not answered, and of pulses that were not used.
    pub refunded_amount: Amount,
    /// `espees` or `naira`.
    pub currency: String,
    /// Where the recording is heard; none of a text, and of a recording that was deleted.
    #[serde(rename = "audioFileUrl")]
    pub audio_file_url: Option<String>,
    /// Of calls that ask a question: how often each answer was given so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll: Option<Vec<PollAnswer>>,
    /// When it was confirmed.
    pub created_at: String,
    /// Its calls, one by one.
    pub messages_url: String,
}

/// `GET /api/get-sent-voice-sms` and `GET /admin/get-all-sent-voice-sms`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VoiceReports {
    /// Newest first.
    #[serde(rename = "Voice-Sms")]
    pub voice_sms: Vec<VoiceReport>,
    /// How many there are.
    pub total: i64,
}

/// A test call: `POST /api/voice-test` and `GET /api/voice-test/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoiceTest {
    /// Its id.
    pub id: i64,
    /// The number that is called: the user's own.
    pub to: String,
    /// The number that it is from; none until a trunk has it.
    pub from: Option<String>,
    /// `calling`, `ringing`, `answered` or `ended`.
    pub status: String,
    /// How it ended: `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`, `trunk_error`, `failed`, or `unknown`
    /// where it was cut off; none before.
    pub outcome: Option<String>,
    /// Whether it is over.
    pub over: bool,
    /// In words.
    pub message: String,
    /// Trunks that it was tried over.
    pub attempts: u32,
    /// How long what is played takes, in milliseconds.
    pub length_ms: i64,
    /// When it was asked for.
    pub created_at: String,
    /// When it rang; told at its end.
    pub ringing_at: Option<String>,
    /// When it was picked up; told at its end.
    pub answered_at: Option<String>,
    /// When it ended.
    pub ended_at: Option<String>,
    /// How long it was up, in seconds, rounded up; 0 where it was not picked up.
    pub seconds: i64,
    /// How much of the message was played, in milliseconds.
    pub heard_ms: i64,
    /// The keys that were pressed.
    pub digits: String,
    /// The trunk's code of how it ended.
    pub code: Option<u16>,
    /// Who ended it: `caller` (the platform), `callee` or `trunk`.
    pub ended_by: Option<String>,
}

/// `POST /api/voice-call`: a quote, the calls that were confirmed, the call that verifies an own number, or the number that
/// was verified.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum VoiceCallAnswer {
    /// With `quote=1`.
    Quoted(QuoteAnswer),
    /// Calls to many.
    Sent(VoiceCallSent),
    /// A call that speaks a code.
    Called(OwnNumberCalled),
    /// The code was right.
    Verified(OwnNumberVerified),
}

/// Calls that were confirmed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VoiceCallSent {
    /// The campaign, or the first run of several.
    pub details: VoiceCampaign,
    /// Each run.
    pub campaigns: Vec<Campaign>,
    /// `Voice SMS Sent`, or when it will be.
    pub message: String,
}

/// A campaign of calls.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VoiceCampaign {
    /// Its id, under the specification's name.
    #[serde(rename = "broadcastId")]
    pub broadcast_id: i64,
    /// The campaign.
    #[serde(flatten)]
    pub campaign: Campaign,
}

impl VoiceCallSent {
    /// Of a confirmed quote whose first run has this id.
    pub fn of(confirmed: Confirmed, id: i64) -> Self {
        let Confirmed { details, campaigns, message } = confirmed;
        Self { details: VoiceCampaign { broadcast_id: id, campaign: details }, campaigns, message }
    }
}
