//! The daemon's settings: file, then environment, then flags, each overruling the one before.
//!
//! Invariant: an unknown key is refused, so that a misspelt limit is never silently the default.

mod carrier;
mod codes;
mod faults;
mod kingschat;
mod limits;
mod list;
pub mod live_carriers;
mod mail;
mod mask;
mod payment;
mod read;
mod retention;
mod rules;
mod secret_key;
mod sections;
mod source;
mod voice;

use std::path::PathBuf;

pub use carrier::{CarrierPlan, CarrierSection, HTTP_VOICE, Line, SIP, places_calls};
pub use codes::Codes;
pub use faults::{BadConfiguration, Faults};
pub use kingschat::{ChatEnvironment, KingsChatSection};
pub use limits::Limits;
pub use mail::{Mail, MailTls, NoticeSection};
pub use mask::masked;
pub use payment::Payment;
pub use read::Reading;
pub use retention::RetentionSection;
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
/// Everything that is wrong with them, each with its file and line, its variable or its flag.
pub fn load(overrides: &Overrides) -> Result<Settings, BadConfiguration> {
    read(overrides).finish()
}

/// Reads the settings, right or wrong.
pub fn read(overrides: &Overrides) -> Reading {
    Reading::new(overrides, None)
}

#[cfg(test)]
mod tests;
