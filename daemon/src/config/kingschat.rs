//! `[kingschat]`: signing in by KingsChat.
//!
//! A host that is not set is that of the environment, and without a client id KingsChat sign-in is off.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use talkdrum_core::account::kingschat::KingsChatConfig;

use super::list::words;

/// KingsChat's three environments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChatEnvironment {
    /// On this machine.
    Dev,
    /// Theirs for trying.
    Staging,
    /// The real one.
    #[default]
    Prod,
}

impl ChatEnvironment {
    /// As the API names it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Staging => "staging",
            Self::Prod => "prod",
        }
    }

    /// Pages and API of the first generation, pages and API of the second.
    fn hosts(self) -> [&'static str; 4] {
        match self {
            Self::Dev => [
                "http://localhost:5050",
                "http://localhost:8000",
                "http://localhost:5050",
                "http://localhost:8000",
            ],
            Self::Staging => [
                "https://accounts.staging.kingsch.at",
                "https://kc-connect.appunite.com",
                "https://accounts.staging.kingsch.at",
                "https://kc-connect.appunite.com",
            ],
            Self::Prod => [
                "https://accounts.kingsch.at",
                "https://connect.kingsch.at",
                "https://accounts.kingschat.online",
                "https://connect.kingsch.at",
            ],
        }
    }
}

/// Signing in by KingsChat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KingsChatSection {
    /// `dev`, `staging` or `prod`: which hosts are meant where none are given.
    pub environment: ChatEnvironment,
    /// The id of our application there; empty turns signing in by KingsChat off.
    pub client_id: String,
    /// The key of our application on the developer platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
    /// A file that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<PathBuf>,
    /// As whom messages are sent on the developer platform, where it asks for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_id: Option<String>,
    /// What the popup of the first generation asks for.
    #[serde(deserialize_with = "words")]
    pub scopes: Vec<String>,
    /// Where the popup's answer may come from; its own host when empty.
    #[serde(deserialize_with = "words")]
    pub allowed_origins: Vec<String>,
    /// The popup's host (first generation).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accounts_url: Option<String>,
    /// The API's host (first generation).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_url: Option<String>,
    /// The sign-in page's host (developer platform).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login_url: Option<String>,
    /// The API's host (developer platform).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_url: Option<String>,
    /// Take tokens that do not say for which application they were made. The operator of another application can then
    /// sign in here as its users.
    pub accept_unbound_tokens: bool,
    /// Take codes that KingsChat's servers bring instead of the person's browser. An attacker who makes a person click
    /// a prepared address can then sign in here as that person.
    pub callback_without_browser: bool,
    /// How long a call may take, in seconds.
    pub timeout_s: NonZeroU32,
}

impl Default for KingsChatSection {
    fn default() -> Self {
        Self {
            environment: ChatEnvironment::default(),
            client_id: String::new(),
            api_key: None,
            api_key_file: None,
            sender_id: None,
            scopes: vec!["send_chat_message".to_owned()],
            allowed_origins: Vec::new(),
            accounts_url: None,
            api_url: None,
            login_url: None,
            platform_url: None,
            accept_unbound_tokens: false,
            callback_without_browser: false,
            timeout_s: NonZeroU32::MIN.saturating_add(9),
        }
    }
}

impl KingsChatSection {
    /// What the client needs.
    ///
    /// # Errors
    /// When a host is no address, or the key's file cannot be read.
    pub fn client(&self) -> anyhow::Result<KingsChatConfig> {
        let [accounts, api, login, platform] = self.environment.hosts();
        let key = match (&self.api_key, &self.api_key_file) {
            (Some(_), Some(_)) => anyhow::bail!("kingschat: give either api_key or api_key_file"),
            (None, Some(path)) => Some(
                std::fs::read_to_string(path)
                    .with_context(|| format!("kingschat.api_key_file {} cannot be read", path.display()))?,
            ),
            (key, None) => key.clone(),
        };
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        if let Some(key) = &key {
            anyhow::ensure!(key.bytes().all(|byte| byte.is_ascii_graphic()), "kingschat.api_key is no key");
        }
        Ok(KingsChatConfig {
            accounts_url: host("accounts_url", self.accounts_url.as_deref(), accounts)?,
            api_url: host("api_url", self.api_url.as_deref(), api)?,
            login_url: host("login_url", self.login_url.as_deref(), login)?,
            platform_url: host("platform_url", self.platform_url.as_deref(), platform)?,
            client_id: self.client_id.trim().to_owned(),
            api_key: key,
            sender_id: self.sender_id.clone(),
            accept_unbound_tokens: self.accept_unbound_tokens,
            timeout: Duration::from_secs(u64::from(self.timeout_s.get())),
        })
    }

    /// In the sandbox the stand-in has all hosts: people reach it at `public_url`, we at `own_url`.
    #[must_use]
    pub(crate) fn in_sandbox(&self, public_url: &str, own_url: &str) -> Self {
        let (pages, api) =
            (format!("{public_url}/sandbox/kingschat"), format!("{own_url}/sandbox/kingschat"));
        let or = |set: &str, usual: &str| if set.is_empty() { usual.to_owned() } else { set.to_owned() };
        Self {
            client_id: or(&self.client_id, "talkdrum-sandbox"),
            api_key: Some("sandbox".to_owned()),
            api_key_file: None,
            accounts_url: Some(pages.clone()),
            login_url: Some(pages),
            api_url: Some(api.clone()),
            platform_url: Some(api),
            ..self.clone()
        }
    }
}

fn host(name: &str, set: Option<&str>, usual: &str) -> anyhow::Result<String> {
    let text = set.unwrap_or(usual).trim_end_matches('/');
    let is_http = reqwest::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    anyhow::ensure!(is_http, "kingschat.{name} '{text}' is no address such as https://connect.example.com");
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_hosts_and_each_can_be_set() {
        let section = KingsChatSection { client_id: " id ".into(), ..KingsChatSection::default() };
        let config = section.client().unwrap();
        assert_eq!(config.login_url, "https://accounts.kingschat.online");
        assert_eq!((config.client_id.as_str(), config.api_key), ("id", None));
        let staging = KingsChatSection {
            environment: ChatEnvironment::Staging,
            api_url: Some("https://connect.example.com/".into()),
            ..section.clone()
        };
        let config = staging.client().unwrap();
        assert_eq!(config.api_url, "https://connect.example.com");
        assert_eq!(config.accounts_url, "https://accounts.staging.kingsch.at");
        let wrong = KingsChatSection { api_url: Some("ftp://x".into()), ..section };
        assert!(wrong.client().unwrap_err().to_string().contains("kingschat.api_url"));
    }

    #[test]
    fn the_key_may_stand_in_a_file_and_nowhere_twice() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "key\n").unwrap();
        let section =
            KingsChatSection { api_key_file: Some(file.path().to_owned()), ..KingsChatSection::default() };
        assert_eq!(section.client().unwrap().api_key.as_deref(), Some("key"));
        assert!(KingsChatSection { api_key: Some("other".into()), ..section }.client().is_err());
    }
}
