//! What a call can come back with instead of an answer, and the sentence and hint a person gets for it.

use talkdrum_api::problem::Problem;

use crate::exit::{Code, Exit, Failure};

/// Where the token came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenSource {
    /// `--token` or `TALKDRUM_TOKEN`.
    Given,
    /// A stored profile.
    Profile,
    /// There is none.
    Missing,
}

/// Why a call has no answer.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The daemon was not reached: the call did not happen.
    Unreachable {
        /// The daemon's address.
        url: String,
        /// Why.
        reason: String,
    },
    /// The connection broke after the request left: the call may have happened.
    Lost {
        /// The daemon's address.
        url: String,
        /// Why.
        reason: String,
        /// Whether it was a call that only reads.
        reads: bool,
    },
    /// The daemon refused.
    Refused {
        /// What it said.
        problem: Box<Problem>,
        /// The daemon's address.
        url: String,
        /// Which token was refused.
        source: TokenSource,
    },
    /// `--columns` names columns, and the command that would change something shows none: it was not asked.
    NoColumns,
    /// The answer makes no sense.
    Unreadable {
        /// What came.
        what: String,
    },
}

impl CallError {
    /// The error of a connection.
    pub(super) fn lost(url: &str, error: &reqwest::Error, reads: bool) -> Self {
        let (url, reason) = (url.to_owned(), root(error));
        if error.is_connect() { Self::Unreachable { url, reason } } else { Self::Lost { url, reason, reads } }
    }

    /// Whether the daemon may have done what was asked without an answer that says so.
    pub(crate) fn is_in_doubt(&self) -> bool {
        match self {
            Self::Lost { reads, .. } => !reads,
            Self::Refused { problem, .. } => problem.status >= 500,
            Self::Unreadable { .. } => true,
            Self::Unreachable { .. } | Self::NoColumns => false,
        }
    }

    /// The failure of a call under an idempotency key: what is in doubt is safe to repeat.
    pub(crate) fn under_key(self, key: &str) -> Failure {
        self.safe_to_repeat(&format!(
            "it is safe to run the same command again with --key {key}: what was done is not done twice"
        ))
    }

    /// The failure of a call that does no harm when it is made again: where it is in doubt, `how` says so in place of advice
    /// to look first.
    pub(crate) fn safe_to_repeat(self, how: &str) -> Failure {
        let (is_in_doubt, is_lost) = (self.is_in_doubt(), matches!(self, Self::Lost { .. }));
        let failure = Failure::from(self);
        match failure.hint.clone().filter(|_| !is_lost) {
            _ if !is_in_doubt => failure,
            Some(hint) => failure.hint(format!("{hint}; {how}")),
            None => failure.hint(how),
        }
    }

    /// Whether the same call may succeed later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Lost { .. } => true,
            Self::Refused { problem, .. } => matches!(problem.status, 429 | 502 | 503 | 504),
            Self::NoColumns | Self::Unreadable { .. } => false,
        }
    }

    /// The status and the stable code of a refusal.
    pub(crate) fn refusal(&self) -> Option<(u16, &str)> {
        match self {
            Self::Refused { problem, .. } => Some((problem.status, problem.code.as_str())),
            _ => None,
        }
    }
}

/// The innermost cause: `Connection refused (os error 111)` rather than the four layers around it.
pub(super) fn root(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    let mut source = error.source();
    while let Some(next) = source {
        cause = next;
        source = next.source();
    }
    cause.to_string()
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unreachable { url, reason } => {
                let message = format!("the daemon at {url} cannot be reached: {reason}");
                Self::new(Exit::Failed, Code::Unreachable, message).hint(format!(
                    "is it running? start it with: talkdrumd serve, or name another address with --url (now {url})"
                ))
            }
            CallError::Lost { url, reason, reads } => {
                let message = format!("the connection to {url} broke: {reason}");
                Self::new(Exit::Failed, Code::ConnectionLost, message).hint(match reads {
                    true => "nothing was changed: try again",
                    false => "what was asked may or may not have happened: look before trying again",
                })
            }
            CallError::Refused { problem, url, source } => refused(problem, &url, source),
            CallError::NoColumns => {
                Self::usage("this command shows no columns").hint("leave out --columns: nothing was done")
            }
            CallError::Unreadable { what } => {
                Self::new(Exit::Failed, Code::UnreadableAnswer, format!("the daemon gave {what}"))
                    .hint("compare the versions: talkdrum --version, talkdrumd --version")
            }
        }
    }
}

fn refused(problem: Box<Problem>, url: &str, source: TokenSource) -> Failure {
    let (exit, hint) = match problem.status {
        401 => (Exit::NotAllowed, Some(sign_in_hint(url, source))),
        403 if matches!(problem.code.as_str(), "reauthentication_required" | "account_inactive") => {
            (Exit::NotAllowed, None)
        }
        403 => {
            (Exit::NotAllowed, Some("talkdrum whoami shows your role and what your key may do".to_owned()))
        }
        404 => (Exit::Failed, None),
        429 => (Exit::Failed, Some("wait a moment and try again".to_owned())),
        400..=499 => (Exit::Refused, refusal_hint(&problem.code).map(str::to_owned)),
        503 => (Exit::Failed, Some("try again later".to_owned())),
        _ if problem.request_id.is_empty() => (Exit::Failed, Some("the daemon's log says more".to_owned())),
        _ => {
            let request = &problem.request_id;
            (Exit::Failed, Some(format!("the daemon's log says more under request {request}")))
        }
    };
    Failure { hint, ..Failure::of_daemon(exit, problem) }
}

fn sign_in_hint(url: &str, source: TokenSource) -> String {
    match source {
        TokenSource::Given => "the token given by --token or TALKDRUM_TOKEN is not valid here".to_owned(),
        TokenSource::Profile => format!("sign in again with: talkdrum login --url {url}"),
        TokenSource::Missing => {
            format!("sign in with: talkdrum login --url {url}, or set TALKDRUM_TOKEN to an API key")
        }
    }
}

fn refusal_hint(code: &str) -> Option<&'static str> {
    match code {
        "quote_expired" => Some("a quote holds for 30 minutes: ask for a new one"),
        code if code.contains("balance") || code.contains("insufficient") => {
            Some("talkdrum wallet balance shows what is there; credit it in the console and try again")
        }
        "all_opted_out" => Some(
            "talkdrum optouts list shows who opted out of your messages, and optouts remove ID ends that for one who asks \
             for it; an administrator sees the platform's with --platform",
        ),
        code if code.contains("price") => {
            Some("an administrator sets it with: talkdrum prices set --currency CURRENCY PRICE")
        }
        code if code.contains("idempotency") => {
            Some("this key was used for something else: use another --key, or repeat the very same command")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16, code: &str) -> Failure {
        let (code, detail) = (code.to_owned(), "No.".to_owned());
        let problem = Box::new(Problem { status, code, detail, ..Problem::default() });
        CallError::Refused { problem, url: "http://x".to_owned(), source: TokenSource::Profile }.into()
    }

    #[test]
    fn a_status_decides_the_exit_code() {
        for (status, exit) in [
            (400, Exit::Refused),
            (401, Exit::NotAllowed),
            (403, Exit::NotAllowed),
            (404, Exit::Failed),
            (409, Exit::Refused),
            (413, Exit::Refused),
            (429, Exit::Failed),
            (500, Exit::Failed),
            (503, Exit::Failed),
        ] {
            assert_eq!(failure(status, "x").exit, exit, "{status}");
        }
    }

    #[test]
    fn what_is_in_doubt_is_safe_to_repeat_under_its_key_and_what_only_reads_always() {
        let lost = |reads| CallError::Lost { url: "http://x".to_owned(), reason: "reset".to_owned(), reads };
        let hint = |failure: Failure| failure.hint.unwrap();
        assert!(
            hint(lost(false).under_key("k1")).contains("safe to run the same command again with --key k1")
        );
        assert!(hint(lost(false).into()).contains("look before trying again"));
        assert_eq!(hint(lost(true).into()), "nothing was changed: try again");
        assert_eq!(hint(lost(true).under_key("k1")), "nothing was changed: try again");
        let away = CallError::Unreachable { url: "http://x".to_owned(), reason: "refused".to_owned() };
        assert!(!hint(away.under_key("k1")).contains("k1"), "nothing was done");
    }

    #[test]
    fn an_expired_session_is_told_to_sign_in_again() {
        assert!(failure(401, "token_expired").hint.unwrap().contains("talkdrum login --url http://x"));
    }
}
