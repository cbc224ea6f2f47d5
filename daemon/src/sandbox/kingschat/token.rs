//! Tokens of the form that KingsChat's have.

use talkdrum_core::entropy::Entropy;
use talkdrum_core::time::Time;

/// What a token or code stands for.
#[derive(Clone, Debug)]
pub(crate) struct Grant {
    pub(crate) person: String,
    pub(crate) application: String,
    pub(crate) expires_at: Time,
}

/// A token with claims as KingsChat's were seen to have: expiry in ms, the application as `acid`, scopes as `aud`. It is
/// known by its whole text, so its signature is only chance.
pub(crate) fn shaped(entropy: &dyn Entropy, grant: &Grant, now: Time) -> String {
    let claims = serde_json::json!({
        "sub": grant.person, "iss": "kingschat", "iat": now.millis(), "exp": grant.expires_at.millis(),
        "aud": ["send_chat_message"], "acid": grant.application,
    });
    let header = serde_json::json!({ "alg": "RS256", "typ": "JWT" });
    let part = |value: &serde_json::Value| base64(value.to_string().as_bytes());
    format!("{}.{}.{}", part(&header), part(&claims), random(entropy))
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// 192 random bits.
pub(crate) fn random(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 24];
    entropy.fill(&mut bytes);
    base64(&bytes)
}
