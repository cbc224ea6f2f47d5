//! Addresses of recordings that a browser's player opens without a session: signed under the daemon's secret key, for a
//! while.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use talkdrum_core::model::voice::id::RecordingId;
use talkdrum_core::settings::Vault;
use talkdrum_core::store::voice::recording::RecordingRow;
use talkdrum_core::time::Time;
use utoipa::IntoParams;

/// Addresses end at full hours, so that within an hour they stay the same: a list that is read again does not stop what
/// is playing. In milliseconds.
const STEP_MS: i64 = 3_600_000;

/// The address of a recording, for an hour at least and two at most.
pub(in crate::api) fn url_of(public_url: &str, vault: &Vault, recording: &RecordingRow, now: Time) -> String {
    let (id, made) = (recording.id, recording.created_at.0);
    let expires = (now.0.div_euclid(STEP_MS) + 2) * STEP_MS;
    let signature = signature(vault, id, made, expires);
    format!("{public_url}/api/recordings/{id}/audio?made={made}&expires={expires}&signature={signature}")
}

/// What proves that an address was made by this service.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Proof {
    /// When the recording was made, in milliseconds.
    #[serde(default)]
    pub(super) made: i64,
    /// When the address ends, in milliseconds.
    #[serde(default)]
    expires: i64,
    /// The signature of the rest.
    #[serde(default)]
    signature: String,
}

impl Proof {
    /// Whether the address of this recording was made here and has not expired.
    pub(super) fn is_valid(&self, vault: &Vault, id: RecordingId, now: Time) -> bool {
        let expected = signature(vault, id, self.made, self.expires);
        bool::from(expected.as_bytes().ct_eq(self.signature.as_bytes())) && now.0 < self.expires
    }
}

/// The recording that an address, or its id alone, names. Whether the address has expired does not matter: who uses it
/// here has to own the recording.
pub(super) fn id_of(url: &str) -> Option<RecordingId> {
    let url = url.trim();
    if let Ok(id) = url.parse() {
        return Some(id);
    }
    let (_, rest) = url.split_once("/api/recordings/")?;
    let (id, rest) = rest.split_once('/')?;
    (rest.split('?').next() == Some("audio")).then(|| id.parse().ok())?
}

fn signature(vault: &Vault, id: RecordingId, made: i64, expires: i64) -> String {
    URL_SAFE_NO_PAD.encode(vault.hmac("recording", format!("{id}.{made}.{expires}").as_bytes()))
}
