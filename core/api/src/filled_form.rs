//! The form of a campaign, filled in as it was.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::call::QuestionKey;
use crate::purpose::Purpose;

/// `GET /api/campaigns/{id}/form`: what the form of a campaign said, under the names of the forms' fields. Fields of other
/// kinds are left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct FilledForm {
    /// `text`, `flash`, `unicode`, `wap-push`, `vcard`, or `voice`.
    pub sms_type: String,
    /// The sender id; of calls the label, or the number that they came from.
    pub senderid: String,
    /// `espees` or `paystack`.
    pub payment_method: String,
    /// What its messages were for, where that was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// How many got their message first. Numbers of the sender's own, which did too, are not kept and not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<String>,
    /// How many of a hundred of these had to be delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary_delivery: Option<u8>,
    /// How many seconds receipts were waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary_wait_s: Option<u32>,
    /// The text, with its merge fields unfilled; of unicode, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The title of a WAP push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wap_title: Option<String>,
    /// The link of a WAP push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wap_url: Option<String>,
    /// The first name on a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// The last name on a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// The company on a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// The job title on a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_title: Option<String>,
    /// The telephone on a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telephone: Option<String>,
    /// The e-mail address on a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The text that calls speak.
    #[serde(rename = "ttsMsg", default, skip_serializing_if = "Option::is_none")]
    pub tts_msg: Option<String>,
    /// Its voice.
    #[serde(rename = "ttsVoice", default, skip_serializing_if = "Option::is_none")]
    pub tts_voice: Option<String>,
    /// The id of the recording that calls play, while it is kept.
    #[serde(rename = "audioUrl", default, skip_serializing_if = "Option::is_none")]
    pub audio_url: Option<String>,
    /// The own number that calls came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_number: Option<String>,
    /// The virtual number that calls came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_number: Option<String>,
    /// The keys of the question that calls ask; empty where they ask none.
    #[serde(default)]
    pub digits: Vec<QuestionKey>,
    /// How often the question is played at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<u8>,
    /// Ids of its groups that are still there.
    pub groups: Vec<i64>,
    /// `campaign:ID` for its recipients, where those groups are not all of them.
    pub audience: Vec<String>,
}
