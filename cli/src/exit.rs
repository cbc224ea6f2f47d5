//! How the command ends: an exit code that scripts can rely on and, when something went wrong, one `error:` line
//! with one `hint:` line. Nothing else in the crate chooses a number.

use std::io;

/// The exit codes, as `--help` and the manual list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked for is done.
    Done,
    /// It failed: the daemon is away, what is named is not there, a file cannot be written, the campaign failed.
    Failed,
    /// A usage error, or a file that cannot be read: the daemon was not asked.
    Usage,
    /// Not signed in, or not allowed.
    NotAllowed,
    /// A rule refused it: balance, validation, a conflict.
    Refused,
    /// Done, with more failures than `--fail-if` allows.
    BeyondLimit,
    /// It goes on: `--timeout` ended the waiting.
    GoesOn,
    /// Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The number the process ends with.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NotAllowed => 3,
            Self::Refused => 4,
            Self::BeyondLimit => 5,
            Self::GoesOn => 6,
            Self::Interrupted => 130,
        }
    }
}

/// Why the command did not do what was asked: what is wrong, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) exit: Exit,
    /// What is wrong; empty when there is nothing to say.
    pub(crate) message: String,
    /// What to do now.
    pub(crate) hint: Option<String>,
}

/// The result of everything that can end the command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure with its exit code and its sentence.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hint: None }
    }

    /// Something outside the command line went wrong (exit code 1).
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, message)
    }

    /// A usage error (exit code 2).
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// A rule refuses it (exit code 4).
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(Exit::Refused, message)
    }

    /// An end with nothing to say.
    pub(crate) fn silent(exit: Exit) -> Self {
        Self::new(exit, "")
    }

    /// The same failure with advice.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A file that cannot be read (exit code 2).
    pub(crate) fn unreadable(path: &std::path::Path, error: &io::Error) -> Self {
        Self::usage(format!("cannot read {}: {error}", path.display()))
    }

    /// A file that cannot be used.
    pub(crate) fn file(what: &str, path: &std::path::Path, error: &io::Error) -> Self {
        Self::failed(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl From<io::Error> for Failure {
    /// Output that cannot be written. A reader that went away (`| head`) is no error.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::silent(Exit::Done);
        }
        Self::failed(format!("cannot write the output: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure.exit, Exit::Done);
        assert!(failure.message.is_empty());
    }
}
