//! Addresses of recordings that a browser's player opens without a session: signed under the daemon's secret key, for a
//! while.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;
use talkdrum_core::settings::Vault;
use talkdrum_core::time::Time;

/// Addresses end at full hours, so that within an hour they stay the same: a list that is read again does not stop what
/// is playing. In milliseconds.
const STEP_MS: i64 = 3_600_000;

/// The address of a recording, for an hour at least and two at most.
pub(super) fn url_of(public_url: &str, vault: &Vault, id: i64, now: Time) -> String {
    let expires = (now.0.div_euclid(STEP_MS) + 2) * STEP_MS;
    let signature = signature(vault, id, expires);
    format!("{public_url}/api/recordings/{id}/audio?expires={expires}&signature={signature}")
}

/// Whether an address was made here and has not expired.
pub(super) fn is_valid(vault: &Vault, id: i64, expires: i64, given: &str, now: Time) -> bool {
    let expected = signature(vault, id, expires);
    bool::from(expected.as_bytes().ct_eq(given.as_bytes())) && now.0 < expires
}

fn signature(vault: &Vault, id: i64, expires: i64) -> String {
    URL_SAFE_NO_PAD.encode(vault.hmac("recording", format!("{id}.{expires}").as_bytes()))
}
