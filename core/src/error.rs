//! What can go wrong, typed: a stable code, a sentence that says what to do, and whether trying again helps.
//!
//! The daemon turns an [`Error`] into an RFC 9457 problem document; nothing else decides status codes.

use std::borrow::Cow;

use talkdrum_api::code;
use talkdrum_api::money::MoneyError;

/// The result of a domain operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation did not happen.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule of the product refuses the request (400): validation, balance, state.
    #[error("{message}")]
    Rule {
        /// Stable, snake case, for programs.
        code: &'static str,
        /// For people: what is wrong and what to do.
        message: Cow<'static, str>,
        /// The field at fault, under its name in the API.
        field: Option<&'static str>,
    },
    /// The record does not exist, or belongs to another user (404).
    #[error("No such {0}")]
    NotFound(&'static str),
    /// The same key was used for another request, or the state moved on (409).
    #[error("{message}")]
    Conflict {
        /// Stable, snake case, for programs.
        code: &'static str,
        /// For people: what is wrong and what to do.
        message: Cow<'static, str>,
    },
    /// Not now, but later (503): low disk, a hold, a daemon that shuts down.
    #[error("{message}")]
    Unavailable {
        /// Stable, snake case, for programs.
        code: &'static str,
        /// For people: what is wrong and what to do.
        message: Cow<'static, str>,
    },
    /// The database failed (500); retried where that can help.
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
    /// The answer of a commit was lost (500): it may be stored, or not.
    #[error("the database did not say whether it stored this: {0}")]
    Doubtful(String),
    /// The database forgot what it had stored (500), as after a failover to a server that lags; with what shows it.
    /// The code that meets it holds dispatch (`worker/went_back.rs`).
    #[error("the database went back in time: {0}")]
    WentBack(String),
    /// What a write was computed from is no longer so (409): it is computed again, or given up.
    #[error("What this was computed from changed meanwhile: try again")]
    Stale,
    /// The failed messages that a quote sends again are not marked yet (409).
    #[error("The messages that this quote sends again are not marked yet: confirm it again")]
    Unmarked,
    /// No route leads to the network of a number (400), with the sentence for people.
    #[error("{0}")]
    NoRoute(String),
    /// A stored secret does not open with this daemon's key (503): it has to be entered again. With its name.
    #[error("{0} cannot be read with this daemon's secret key: enter it again")]
    Unreadable(String),
    /// Too many texts wait for the speech engine (503): in some seconds there is room.
    #[error("Too many texts wait to be spoken: try again in a few seconds")]
    SpeechBusy,
    /// A payment provider understood a request and refuses it (503), with the sentence for people.
    #[error("{0}")]
    ProviderRefused(String),
    /// The schema cannot be used.
    #[error("{0}")]
    Schema(String),
    /// A file or socket of this machine failed (500).
    #[error("{context}: {source}")]
    Io {
        /// What was being done.
        context: Cow<'static, str>,
        /// The operating system's word.
        source: std::io::Error,
    },
    /// Stored data contradicts itself (500): never ignored, never guessed around.
    #[error("stored data is damaged: {0}")]
    Corrupt(String),
    /// A test's scripted crash: the process is to be treated as dead from here on.
    #[error("the process was crashed by its test")]
    Crashed,
}

impl Error {
    /// A refusal by a rule.
    pub fn rule(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Rule { code, message: message.into(), field: None }
    }

    /// A refusal by a rule, naming the field at fault.
    pub fn field(field: &'static str, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Rule { code, message: message.into(), field: Some(field) }
    }

    /// The specification's refusal of an inactive user.
    pub fn inactive() -> Self {
        Self::rule(code::ACCOUNT_INACTIVE, "Please Contact Admin to activate your account")
    }

    /// The refusal of a code of a user who may not send any.
    pub fn codes_not_allowed() -> Self {
        let message =
            "This account may not send codes (purpose otp): choose another purpose, or ask an administrator";
        Self::field("purpose", "codes_not_allowed", message)
    }

    /// A conflict with what exists.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Conflict { code, message: message.into() }
    }

    /// A refusal for the time being.
    pub fn unavailable(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable { code, message: message.into() }
    }

    /// An I/O failure with what was being done.
    pub fn io(context: impl Into<Cow<'static, str>>, source: std::io::Error) -> Self {
        Self::Io { context: context.into(), source }
    }

    /// The sentence for people who are not the operator: what failed within stays in the log.
    pub fn for_people(&self) -> String {
        match self {
            Self::Database(_)
            | Self::Doubtful(_)
            | Self::WentBack(_)
            | Self::Schema(_)
            | Self::Io { .. }
            | Self::Corrupt(_)
            | Self::Crashed => "The server failed: its log says more".to_owned(),
            Self::Rule { .. }
            | Self::NotFound(_)
            | Self::Conflict { .. }
            | Self::Unavailable { .. }
            | Self::Stale
            | Self::Unmarked
            | Self::NoRoute(_)
            | Self::Unreadable(_)
            | Self::SpeechBusy
            | Self::ProviderRefused(_) => self.to_string(),
        }
    }

    /// The stable code, for problem documents, logs and metrics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rule { code, .. } | Self::Conflict { code, .. } | Self::Unavailable { code, .. } => code,
            Self::NotFound(_) => code::NOT_FOUND,
            Self::Database(_) | Self::Doubtful(_) => "database",
            Self::WentBack(_) => "database_went_back",
            Self::Stale => "stale",
            Self::Unmarked => "resend_unmarked",
            Self::NoRoute(_) => "no_route",
            Self::Unreadable(_) => "secret_unreadable",
            Self::SpeechBusy => "speech_busy",
            Self::ProviderRefused(_) => "provider_refused",
            Self::Schema(_) => "schema",
            Self::Io { .. } => "io",
            Self::Corrupt(_) => "corrupt",
            Self::Crashed => "crashed",
        }
    }

    /// Whether the same may succeed later, because the database is away, full, read-only or busy: nothing is wrong with
    /// what was to be written.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unavailable { .. }
            | Self::Unreadable(_)
            | Self::SpeechBusy
            | Self::ProviderRefused(_)
            | Self::Io { .. }
            | Self::Doubtful(_)
            | Self::WentBack(_)
            | Self::Crashed => true,
            Self::Database(sqlx::Error::Database(error)) => {
                !error.code().is_some_and(|code| is_fault_of_write(&code))
            }
            Self::Database(
                sqlx::Error::RowNotFound
                | sqlx::Error::TypeNotFound { .. }
                | sqlx::Error::ColumnIndexOutOfBounds { .. }
                | sqlx::Error::ColumnNotFound(_)
                | sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::Encode(_)
                | sqlx::Error::Decode(_),
            ) => false,
            Self::Database(_) => true,
            _ => false,
        }
    }

    /// Whether a row is there already.
    pub fn is_duplicate(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.is_unique_violation())
    }

    /// Whether PostgreSQL ended the transaction so that another one could go on.
    pub fn is_deadlock(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.code().as_deref() == Some("40P01"))
    }

    /// Whether the user of PostgreSQL lacks a right.
    pub fn is_not_permitted(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42501"))
    }

    /// Whether a row would break a condition of its table.
    pub fn is_check_violation(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.is_check_violation())
    }

    /// Whether the database asked for another try: a deadlock, a serialisation failure, a lock or a busy file.
    pub fn is_retryable(&self) -> bool {
        let Self::Database(sqlx::Error::Database(error)) = self else { return false };
        let Some(code) = error.code() else { return false };
        match sqlite_code(&code) {
            Some(code) => matches!(code, 5 | 6),
            None => matches!(&*code, "40001" | "40P01" | "55P03"),
        }
    }
}

impl Error {
    /// The same damage with the row that it is in.
    pub(crate) fn in_row(self, of: &str, id: impl std::fmt::Display) -> Self {
        match self {
            Self::Corrupt(what) => Self::Corrupt(format!("{of} {id}: {what}")),
            other => other,
        }
    }
}

impl From<sqlx::Error> for Error {
    /// A column's type may fail with an error of its own (`json_column!`): that one is returned.
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::ColumnDecode { index, source } => match source.downcast::<Self>() {
                Ok(own) => *own,
                Err(source) => Self::Database(sqlx::Error::ColumnDecode { index, source }),
            },
            other => Self::Database(other),
        }
    }
}

impl From<MoneyError> for Error {
    fn from(error: MoneyError) -> Self {
        Self::rule(error.code(), error.to_string())
    }
}

/// SQLite's primary result code, which is the low byte of the extended one that the driver gives; `None` for a SQLSTATE
/// of PostgreSQL, which has five characters.
fn sqlite_code(code: &str) -> Option<u32> {
    if code.len() == 5 { None } else { code.parse::<u32>().ok().map(|code| code & 0xff) }
}

/// Whether a database's code says that the statement or its values are wrong, so that trying them again is in vain.
fn is_fault_of_write(code: &str) -> bool {
    match sqlite_code(code) {
        // An SQL error, too big, a constraint, a mismatch, misuse, out of range.
        Some(code) => matches!(code, 1 | 18 | 19 | 20 | 21 | 25),
        // Not supported, cardinality, data, integrity, a transaction that failed before, syntax, WITH CHECK OPTION, a
        // limit of the program, PL/pgSQL.
        None => {
            code == "25P02"
                || ["0A", "21", "22", "23", "42", "44", "54", "P0"]
                    .iter()
                    .any(|class| code.starts_with(class))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::doubt::coded;

    #[test]
    fn what_passes_is_told_from_what_is_wrong_by_the_code_of_either_database() {
        // SQLite's extended codes: IOERR_READ, IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE, READONLY_DBMOVED, CANTOPEN,
        // BUSY_SNAPSHOT, FULL. PostgreSQL: connection, read-only, resources, locks, operator, I/O, internal.
        let passing = [
            "266", "522", "778", "1034", "1544", "1032", "270", "517", "13", "08006", "08P01", "25006",
            "40001", "40P01", "53100", "53300", "55P03", "57P01", "57P02", "57P03", "58030", "XX000",
        ];
        for code in passing {
            assert!(coded(code).is_passing(), "{code}");
        }
        // CONSTRAINT_PRIMARYKEY, CONSTRAINT_UNIQUE, TOOBIG, ERROR.
        for code in ["1555", "2067", "18", "1", "23505", "22003", "42601", "25P02", "54000"] {
            assert!(!coded(code).is_passing(), "{code}");
        }
        for code in ["5", "6", "261", "262", "517", "773", "40001", "40P01", "55P03"] {
            assert!(coded(code).is_retryable(), "{code}");
        }
        assert!(!coded("23505").is_retryable() && !coded("266").is_retryable());
        assert!(Error::Doubtful(String::new()).is_passing());
    }
    #[test]
    fn what_failed_within_is_not_told_to_those_without() {
        let within = [
            coded("53300"),
            Error::Corrupt("user 7 has two wallets".into()),
            Error::Doubtful("COMMIT".into()),
        ];
        assert!(within.iter().all(|error| error.for_people() == "The server failed: its log says more"));
        assert_eq!(
            Error::ProviderRefused("Paystack: Invalid key".into()).for_people(),
            "Paystack: Invalid key"
        );
    }
}
