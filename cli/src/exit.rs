//! How the command ends: an exit code that scripts can rely on and, when something went wrong, one `error:` line
//! with one `hint:` line, or one JSON object with a stable code. Nothing else in the crate chooses a number or a code.

use std::io;

use serde::Serialize;
use talkdrum_api::problem::{FieldProblem, Problem};

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
    /// It goes on: `--timeout` ended the waiting, or it could not be followed.
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

/// What the client itself finds wrong, by a stable name for `-o json`. Refusals of the daemon carry the daemon's own code;
/// where the client finds the same first, it uses the same name. `daemon/handbook/scripts.md` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// The command line is not one.
    Usage,
    /// A file or directory cannot be read or written.
    File,
    /// A file is there already, and `--force` is not given.
    FileExists,
    /// The output or the input of the process is closed or broken.
    Io,
    /// A question has no terminal to be asked on.
    NoTerminal,
    /// A person answered no.
    NotConfirmed,
    /// What is named is not there.
    NotFound,
    /// The profile that is named is not there, or not signed in.
    NoProfile,
    /// The daemon was not reached: nothing happened.
    Unreachable,
    /// The connection broke after the request left: it may have happened.
    ConnectionLost,
    /// The answer cannot be read: of another version, or of something between.
    UnreadableAnswer,
    /// `--max-charge` ended a send before it cost anything.
    MaxCharge,
    /// `--min-recipients` did.
    MinRecipients,
    /// `--abort-if` did.
    AbortIf,
    /// The daemon does not know `--canary`.
    NoCanary,
    /// The list that would replace another is much shorter.
    Shrinks,
    /// There is not enough in the wallet.
    InsufficientBalance,
    /// The prices changed since they were looked at.
    PricesChanged,
    /// Another import into the group runs on this machine.
    ImportRunning,
    /// An import did not end well.
    ImportFailed,
    /// The campaign failed.
    CampaignFailed,
    /// The campaign was cancelled.
    CampaignCancelled,
    /// A call was not answered.
    CallFailed,
    /// A condition of `--fail-if` holds.
    FailIf,
    /// The waiting ended first.
    WaitEnded,
    /// What was begun could not be followed to its end: it goes on.
    NotFollowed,
    /// Ctrl-C.
    Interrupted,
    /// What has no name of its own.
    Failed,
}

impl Code {
    /// Every code.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 28] = [
        Self::Usage,
        Self::File,
        Self::FileExists,
        Self::Io,
        Self::NoTerminal,
        Self::NotConfirmed,
        Self::NotFound,
        Self::NoProfile,
        Self::Unreachable,
        Self::ConnectionLost,
        Self::UnreadableAnswer,
        Self::MaxCharge,
        Self::MinRecipients,
        Self::AbortIf,
        Self::NoCanary,
        Self::Shrinks,
        Self::InsufficientBalance,
        Self::PricesChanged,
        Self::ImportRunning,
        Self::ImportFailed,
        Self::CampaignFailed,
        Self::CampaignCancelled,
        Self::CallFailed,
        Self::FailIf,
        Self::WaitEnded,
        Self::NotFollowed,
        Self::Interrupted,
        Self::Failed,
    ];

    /// Its name, which never changes.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::File => "file",
            Self::FileExists => "file_exists",
            Self::Io => "io",
            Self::NoTerminal => "no_terminal",
            Self::NotConfirmed => "not_confirmed",
            Self::NotFound => "not_found",
            Self::NoProfile => "no_profile",
            Self::Unreachable => "unreachable",
            Self::ConnectionLost => "connection_lost",
            Self::UnreadableAnswer => "unreadable_answer",
            Self::MaxCharge => "max_charge",
            Self::MinRecipients => "min_recipients",
            Self::AbortIf => "abort_if",
            Self::NoCanary => "no_canary",
            Self::Shrinks => "dnd_list_shrinks",
            Self::InsufficientBalance => "insufficient_balance",
            Self::PricesChanged => "prices_changed",
            Self::ImportRunning => "import_running",
            Self::ImportFailed => "import_failed",
            Self::CampaignFailed => "campaign_failed",
            Self::CampaignCancelled => "campaign_cancelled",
            Self::CallFailed => "call_failed",
            Self::FailIf => "fail_if",
            Self::WaitEnded => "wait_ended",
            Self::NotFollowed => "not_followed",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// Why the command did not do what was asked: what is wrong, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) exit: Exit,
    /// Its name for programs, where the daemon gave none.
    pub(crate) code: Code,
    /// What is wrong; empty when a person knows without a word.
    pub(crate) message: String,
    /// What to do now.
    pub(crate) hint: Option<String>,
    /// What the daemon said, where it was the daemon.
    pub(crate) problem: Option<Box<Problem>>,
}

/// A failure as `-o json` prints it. Every member is always there.
#[derive(Debug, Serialize)]
pub(crate) struct FailureJson<'a> {
    code: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
    exit: u8,
    errors: &'a [FieldProblem],
    request_id: Option<&'a str>,
}

/// The result of everything that can end the command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure with its exit code and its sentence.
    pub(crate) fn new(exit: Exit, code: Code, message: impl Into<String>) -> Self {
        Self { exit, code, message: message.into(), hint: None, problem: None }
    }

    /// A refusal of the daemon, in its words.
    pub(crate) fn of_daemon(exit: Exit, problem: Box<Problem>) -> Self {
        let message = problem.detail.clone();
        Self { problem: Some(problem), ..Self::new(exit, Code::UnreadableAnswer, message) }
    }

    /// The fields at fault that the message does not name already.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &FieldProblem> {
        let fields = self.problem.iter().flat_map(|problem| &problem.errors);
        fields.filter(|field| !self.message.contains(&field.message))
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> FailureJson<'_> {
        let problem = self.problem.as_deref();
        let given = |text: fn(&Problem) -> &String| problem.map(text).filter(|text| !text.is_empty());
        FailureJson {
            code: given(|problem| &problem.code).map_or(self.code.name(), String::as_str),
            message: if self.message.is_empty() { self.code.name() } else { &self.message },
            hint: self.hint.as_deref(),
            exit: self.exit.code(),
            errors: problem.map_or(&[], |problem| &problem.errors),
            request_id: given(|problem| &problem.request_id).map(String::as_str),
        }
    }

    /// Something outside the command line went wrong (exit code 1).
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, Code::Failed, message)
    }

    /// What is named is not there (exit code 1).
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, Code::NotFound, message)
    }

    /// A person answered no (exit code 1); `nothing` says what then was not done.
    pub(crate) fn not_confirmed(nothing: &str) -> Self {
        Self::new(Exit::Failed, Code::NotConfirmed, format!("not confirmed: {nothing}"))
    }

    /// There is no terminal for what had to be asked (exit code 2), such as `to confirm on`.
    pub(crate) fn no_terminal(what_for: &str) -> Self {
        Self::new(Exit::Usage, Code::NoTerminal, format!("there is no terminal {what_for}"))
    }

    /// A usage error (exit code 2).
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, Code::Usage, message)
    }

    /// A rule refuses it (exit code 4).
    pub(crate) fn refused(code: Code, message: impl Into<String>) -> Self {
        Self::new(Exit::Refused, code, message)
    }

    /// A person ended it, and knows.
    pub(crate) fn interrupted() -> Self {
        Self::new(Exit::Interrupted, Code::Interrupted, "")
    }

    /// The same failure with advice.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A file that cannot be read (exit code 2).
    pub(crate) fn unreadable(path: &std::path::Path, error: &io::Error) -> Self {
        Self::new(Exit::Usage, Code::File, format!("cannot read {}: {error}", path.display()))
    }

    /// A file that cannot be used.
    pub(crate) fn file(what: &str, path: &std::path::Path, error: &io::Error) -> Self {
        Self::new(Exit::Failed, Code::File, format!("cannot {what} {}: {error}", path.display()))
    }
}

impl From<io::Error> for Failure {
    /// Output that cannot be written. A reader that went away (`| head`) is no error.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(Exit::Done, Code::Io, "");
        }
        Self::new(Exit::Failed, Code::Io, format!("cannot write the output: {error}"))
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

    #[test]
    fn fields_at_fault_are_named_once() {
        let field = |name: &str, message: &str| FieldProblem { field: name.into(), message: message.into() };
        let problem = Problem {
            detail: "Sender ID is required".to_owned(),
            errors: vec![field("senderid", "Sender ID is required"), field("time", "is in the past")],
            ..Problem::default()
        };
        let failure = Failure::of_daemon(Exit::Refused, Box::new(problem));
        let named: Vec<&str> = failure.fields().map(|it| it.field.as_str()).collect();
        assert_eq!(named, ["time"]);
        assert_eq!(failure.json().errors.len(), 2);
    }

    #[test]
    fn the_handbook_lists_every_code() {
        let page = include_str!("../../daemon/handbook/scripts.md").split("\n## Errors\n").nth(1).unwrap();
        for code in Code::ALL {
            assert!(page.contains(&format!("| `{}` |", code.name())), "{}", code.name());
        }
        let listed = page.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(listed, Code::ALL.len());
    }
}
