//! The effective settings for people, without secrets.
//!
//! A value whose key sounds secret is masked, also in sections that only a carrier understands. Headers, query strings and
//! bodies of requests are always masked, as providers want their API keys there.

use anyhow::Context as _;
use toml::Value;

use super::Settings;
use super::secret_key::is_secret;

/// Stands for a secret.
const MASK: &str = "********";

/// The settings as TOML, secrets masked.
///
/// # Errors
/// When they cannot be written as TOML.
pub fn masked(settings: &Settings) -> anyhow::Result<String> {
    let mut settings = settings.clone();
    settings.database.url = Some(settings.database_url());
    let mut value = Value::try_from(&settings).context("the settings cannot be shown")?;
    mask("", &mut value);
    toml::to_string_pretty(&value).context("the settings cannot be shown")
}

fn mask(key: &str, value: &mut Value) {
    match value {
        Value::Table(headers) if key == "headers" => {
            headers.iter_mut().for_each(|(_, value)| *value = Value::String(MASK.into()));
        }
        Value::String(body) if key == "body" && !body.is_empty() => *body = MASK.into(),
        Value::Table(table) => table.iter_mut().for_each(|(key, value)| mask(key, value)),
        Value::Array(items) => items.iter_mut().for_each(|item| mask(key, item)),
        // Yes and no are no secrets, whatever is asked.
        Value::Boolean(_) => {}
        secret if is_secret(key) => *secret = Value::String(MASK.into()),
        Value::String(text) => *text = without_query(&without_password(text)),
        _ => {}
    }
}

/// `scheme://user:password@host` without the password.
fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let authority = rest.split(['/', '?']).next().unwrap_or(rest);
    match authority.rsplit_once('@').and_then(|(who, _)| who.split_once(':')) {
        Some((user, password)) => {
            let tail = &rest[user.len() + 1 + password.len()..];
            format!("{scheme}://{user}:{MASK}{tail}")
        }
        None => text.to_owned(),
    }
}

/// `scheme://host/path?name=value` without the values, but for those that are one of our placeholders, such as `{to}`.
/// PostgreSQL's options, which are no secrets but for a password, stay.
fn without_query(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let Some((address, query)) = text.split_once('?') else { return text.to_owned() };
    let is_database = address.starts_with("postgres");
    let masked = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if is_open(value) || (is_database && !is_secret(name)) => {
            format!("{name}={value}")
        }
        Some((name, _)) => format!("{name}={MASK}"),
        None => MASK.to_owned(),
    });
    format!("{address}?{}", masked.collect::<Vec<_>>().join("&"))
}

/// Whether a value is empty or nothing but a placeholder.
fn is_open(value: &str) -> bool {
    let name = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    value.is_empty()
        || name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CarrierSection;

    #[test]
    fn requests_of_template_carriers_are_shown_without_what_may_be_a_key() {
        let mut settings = Settings::default();
        settings.database.url = Some("postgres://db/talk?password=hunter2&sslmode=require".into());
        let options = toml::toml! {
            url = "https://api.example.com/send?user=hunter2&to={to}&hunter2&text={text}"
            body = "{\"key\":\"hunter2\",\"to\":\"{to}\"}"
            success = "\"ok\""
        };
        settings.carriers.push(CarrierSection { name: "other".into(), kind: "template".into(), options });
        let text = masked(&settings).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        assert!(
            text.contains("https://api.example.com/send?user=********&to={to}&********&text={text}"),
            "{text}"
        );
        assert!(text.contains("postgres://db/talk?password=********&sslmode=require"), "{text}");
    }

    #[test]
    fn secrets_are_masked_and_everything_else_is_shown() {
        let mut settings = Settings::default();
        settings.database.url =
            Some("postgres://drum:hunter2@db.example.com:5432/talk?sslmode=require".into());
        let options = toml::toml! {
            host = "127.0.0.1"
            password = "hunter2"
            password_file = "/run/pass"
            send_token = true
            [headers]
            Authorization = "hunter2"
            X-Gateway = "hunter2"
        };
        settings.carriers.push(CarrierSection { name: "main".into(), kind: "smpp".into(), options });
        let text = masked(&settings).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("postgres://drum:********@db.example.com:5432/talk?sslmode=require"), "{text}");
        assert!(text.contains("send_token = true"), "{text}");
        assert!(text.contains("/run/pass") && text.contains("127.0.0.1:8080"), "{text}");
    }
}
