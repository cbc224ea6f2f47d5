//! What can go wrong, typed: a stable code, a sentence that says what to do, and whether trying again helps.
//!
//! The daemon turns an [`Error`] into an RFC 9457 problem document; nothing else decides status codes.

use std::borrow::Cow;

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
    /// The record does not exist, or belongs to somebody else (404).
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
    Database(#[from] sqlx::Error),
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

    /// The stable code, for problem documents, logs and metrics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rule { code, .. } | Self::Conflict { code, .. } | Self::Unavailable { code, .. } => code,
            Self::NotFound(_) => "not_found",
            Self::Database(_) => "database",
            Self::Schema(_) => "schema",
            Self::Io { .. } => "io",
            Self::Corrupt(_) => "corrupt",
            Self::Crashed => "crashed",
        }
    }

    /// Whether the same may succeed later, because the database is away, full or busy: nothing is wrong with what was to
    /// be written.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unavailable { .. } | Self::Io { .. } => true,
            Self::Database(sqlx::Error::Database(error)) => {
                self.is_retryable()
                    || error.code().is_some_and(|code| {
                        // SQLite: read-only, I/O, full, cannot open. PostgreSQL: connection, resources, operator.
                        matches!(&*code, "8" | "10" | "13" | "14")
                            || ["08", "53", "57"]
                                .iter()
                                .any(|class| code.len() == 5 && code.starts_with(class))
                    })
            }
            Self::Database(sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. }) => false,
            Self::Database(_) => true,
            _ => false,
        }
    }

    /// Whether a row is there already.
    pub fn is_duplicate(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.is_unique_violation())
    }

    /// Whether a constraint refuses what a row would hold.
    pub fn is_impossible_row(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.is_check_violation())
    }

    /// Whether the database asked for another try: a deadlock, a serialisation failure or a busy file.
    pub fn is_retryable(&self) -> bool {
        let Self::Database(sqlx::Error::Database(error)) = self else { return false };
        matches!(error.code().as_deref(), Some("40001" | "40P01" | "5" | "6" | "261" | "517"))
    }
}
