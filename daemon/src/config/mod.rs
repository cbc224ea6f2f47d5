//! The daemon's settings: file, then environment, then flags, each overruling the one before.
//!
//! Invariant: an unknown key is refused, so that a misspelt limit is never silently the default.

mod carrier;
mod codes;
mod kingschat;
mod limits;
mod list;
pub mod live_carriers;
mod mail;
mod mask;
mod payment;
mod sections;
mod voice;

use std::path::PathBuf;

use anyhow::Context as _;
use config::{Config, Environment, File, FileFormat};

pub use carrier::{CarrierPlan, CarrierSection, HTTP_VOICE, Line, SIP, places_calls};
pub use codes::Codes;
pub use kingschat::{ChatEnvironment, KingsChatSection};
pub use limits::Limits;
pub use mail::{Mail, MailTls, NoticeSection};
pub use mask::masked;
pub use payment::Payment;
pub use sections::{Database, Log, LogFormat, RouteSection, Server, Session, Settings, Webhooks};
pub use voice::VoiceSection;

/// What the command line says about settings; it overrules file and environment.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The configuration file.
    pub file: Option<PathBuf>,
    /// `server.data_dir`.
    pub data_dir: Option<PathBuf>,
    /// `server.listen`.
    pub listen: Option<String>,
    /// `database.url`.
    pub database: Option<String>,
}

/// Reads the settings.
///
/// # Errors
/// A sentence that names the file or variable, when a key is unknown or a value cannot be read.
pub fn load(overrides: &Overrides) -> anyhow::Result<Settings> {
    load_from(overrides, None)
}

/// [`load`] with the environment given, for tests; `None` reads the process's.
fn load_from(
    overrides: &Overrides,
    environment: Option<std::collections::HashMap<String, String>>,
) -> anyhow::Result<Settings> {
    let mut builder = Config::builder();
    if let Some(file) = &overrides.file {
        builder = builder.add_source(File::from(file.as_path()).format(FileFormat::Toml).required(true));
    }
    builder = builder.add_source(
        Environment::with_prefix("TALKDRUM").prefix_separator("__").separator("__").source(environment),
    );
    let path = |path: &PathBuf| path.to_string_lossy().into_owned();
    let mut settings: Settings = builder
        .set_override_option("server.data_dir", overrides.data_dir.as_ref().map(path))?
        .set_override_option("server.listen", overrides.listen.clone())?
        .set_override_option("database.url", overrides.database.clone())?
        .build()
        .and_then(Config::try_deserialize)
        .context("the configuration cannot be used")?;
    settings.check()?;
    settings.source = overrides.clone();
    Ok(settings)
}

#[cfg(test)]
mod tests;
