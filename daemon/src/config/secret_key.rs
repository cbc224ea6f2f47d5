//! Which keys of the configuration hold secrets.

/// Whether a key sounds secret, also in a section that only a carrier understands: not where it names a file or a variable of the
/// environment that holds the secret.
pub(super) fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let sounds_secret = ["password", "secret", "token", "api_key", "apikey", "authorization"]
        .iter()
        .any(|word| key.contains(word));
    sounds_secret && !key.ends_with("_file") && !key.ends_with("_env")
}
