//! What a call can come back with instead of an answer, and the sentence and hint a person gets for it.

use talkdrum_api::code;
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
#[derive(Clone, Debug)]
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
        /// Whether it was a call that only reads.
        reads: bool,
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
            Self::Refused { problem, reads, .. } => problem.status >= 500 && !reads,
            Self::Unreadable { .. } => true,
            Self::Unreachable { .. } | Self::NoColumns => false,
        }
    }

    /// The error of a call that was made again after `doubt`: what only the newest attempt is known not to have done does
    /// not say what became of the earlier one.
    pub(super) fn after(self, doubt: Option<Self>) -> Self {
        let is_settled = match &self {
            // Whether the caller is let in is asked before what the key stands for. A refusal without a code is none of the
            // daemon's: a proxy before it knows nothing of the key.
            Self::Refused { problem, .. } => {
                !problem.code.is_empty() && !matches!(problem.status, 401 | 403 | 429)
            }
            Self::Unreachable { .. } | Self::NoColumns => false,
            Self::Lost { .. } | Self::Unreadable { .. } => true,
        };
        if is_settled { self } else { doubt.unwrap_or(self) }
    }

    /// The failure of a call that does no harm when it is made again: where it is in doubt, `how` says so in place of advice
    /// to look first.
    pub(crate) fn safe_to_repeat(self, how: &str) -> Failure {
        if !self.is_in_doubt() {
            return self.into();
        }
        let detail = self.detail_hint();
        let failure = Failure::from(self);
        failure.hint(detail.map_or_else(|| how.to_owned(), |detail| format!("{detail}; {how}")))
    }

    /// The failure of looking at what the command has begun: it was done whatever became of the look, and `goes_on` says what,
    /// and that it must not be begun again.
    pub(crate) fn of_a_look(self, goes_on: &str) -> Failure {
        let hint = match &self {
            Self::Lost { .. } => None,
            Self::Refused { problem, .. } if problem.status >= 500 => self.detail_hint(),
            _ => Failure::from(self.clone()).hint,
        };
        let failure = Failure::from(self);
        // The code of a refusal would say that what was asked was not done.
        let problem = failure.problem.map(|problem| Box::new(Problem { code: String::new(), ..*problem }));
        let hint = hint.map_or_else(|| goes_on.to_owned(), |hint| format!("{goes_on}; {hint}"));
        Failure { problem, ..Failure::new(Exit::GoesOn, Code::NotFollowed, failure.message).hint(hint) }
    }

    /// Where to read more of an error of the daemon.
    fn detail_hint(&self) -> Option<String> {
        match self {
            Self::Unreadable { .. } => {
                Some("compare the versions: talkdrum --version, talkdrumd --version".into())
            }
            Self::Refused { problem, .. } if problem.status == 503 => None,
            Self::Refused { problem, .. } if problem.request_id.is_empty() => {
                Some("the daemon's log says more".into())
            }
            Self::Refused { problem, .. } => {
                Some(format!("the daemon's log says more under request {}", problem.request_id))
            }
            Self::Unreachable { .. } | Self::Lost { .. } | Self::NoColumns => None,
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

/// What to do about a call under an idempotency key of which it is not known whether it was done.
pub(crate) fn again_under(key: &str) -> String {
    format!("it is safe to run the same command again with --key {key}: what was done is not done twice")
}

/// What to do about a change of which it is not known whether it was done.
const LOOK_FIRST: &str = "look whether it was done before you try again";

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let detail = error.detail_hint();
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
                    false => LOOK_FIRST,
                })
            }
            CallError::Refused { problem, reads, .. } if problem.status >= 500 => {
                let hint = match (detail, reads) {
                    (Some(detail), true) => detail,
                    (None, true) => "try again later".to_owned(),
                    (Some(detail), false) => format!("{LOOK_FIRST}; {detail}"),
                    (None, false) => LOOK_FIRST.to_owned(),
                };
                Self::of_daemon(Exit::Failed, problem).hint(hint)
            }
            CallError::Refused { problem, url, source, .. } => refused(problem, &url, source),
            CallError::NoColumns => {
                Self::usage("this command shows no columns").hint("leave out --columns: nothing was done")
            }
            CallError::Unreadable { what } => {
                let failure =
                    Self::new(Exit::Failed, Code::UnreadableAnswer, format!("the daemon gave {what}"));
                Self { hint: detail, ..failure }
            }
        }
    }
}

fn refused(problem: Box<Problem>, url: &str, source: TokenSource) -> Failure {
    let (exit, hint) = match problem.status {
        401 => (Exit::NotAllowed, Some(sign_in_hint(url, source))),
        403 if matches!(problem.code.as_str(), code::REAUTHENTICATION_REQUIRED | code::ACCOUNT_INACTIVE) => {
            (Exit::NotAllowed, None)
        }
        403 => {
            (Exit::NotAllowed, Some("talkdrum whoami shows your role and what your key may do".to_owned()))
        }
        404 => (Exit::Failed, None),
        429 => (Exit::Failed, Some("wait a moment and try again".to_owned())),
        400..=499 => (Exit::Refused, refusal_hint(&problem.code).map(str::to_owned)),
        _ => (Exit::Failed, None),
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
        code::QUOTE_EXPIRED => Some("a quote holds for 30 minutes: ask for a new one"),
        code::INSUFFICIENT_BALANCE => {
            Some("talkdrum wallet balance shows what is there; credit it in the console and try again")
        }
        code::ALL_OPTED_OUT => Some(
            "talkdrum optouts list shows who opted out of your messages, and optouts remove ID ends that for one who asks \
             for it; an administrator sees the platform's with --platform",
        ),
        code::PRICE_UNSET | code::NO_PRICE => {
            Some("an administrator sets it with: talkdrum prices set --currency CURRENCY PRICE")
        }
        code::IDEMPOTENCY_KEY_REUSED => Some(
            "this key was used for something else: look first in talkdrum campaigns list, or transactions, for what it \
                 did; another --key does it again",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16, code: &str) -> Failure {
        let (code, detail) = (code.to_owned(), "No.".to_owned());
        let problem = Box::new(Problem { status, code, detail, ..Problem::default() });
        CallError::Refused { problem, url: "http://x".to_owned(), source: TokenSource::Profile, reads: true }
            .into()
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
        let under_key = |error: CallError| hint(error.safe_to_repeat(&again_under("k1")));
        assert!(under_key(lost(false)).contains("safe to run the same command again with --key k1"));
        assert_eq!(hint(lost(false).into()), LOOK_FIRST);
        assert_eq!(hint(lost(true).into()), "nothing was changed: try again");
        assert_eq!(under_key(lost(true)), "nothing was changed: try again");
        let away = CallError::Unreachable { url: "http://x".to_owned(), reason: "refused".to_owned() };
        assert!(!under_key(away).contains("k1"), "nothing was done");
        let failed = |status, reads| {
            let problem = Box::new(Problem { status, request_id: "r-1".to_owned(), ..Problem::default() });
            CallError::Refused { problem, url: String::new(), source: TokenSource::Given, reads }
        };
        assert_eq!(hint(failed(503, true).into()), "try again later");
        assert_eq!(hint(failed(503, false).into()), LOOK_FIRST);
        assert_eq!(
            hint(failed(500, false).into()),
            format!("{LOOK_FIRST}; the daemon's log says more under request r-1")
        );
        assert!(
            under_key(failed(500, false))
                .starts_with("the daemon's log says more under request r-1; it is safe")
        );
    }

    #[test]
    fn what_came_after_a_doubt_ends_it_only_where_it_says_what_became_of_the_key() {
        let (url, reason) = ("http://x".to_owned(), "reset".to_owned());
        let lost = || CallError::Lost { url: url.clone(), reason: reason.clone(), reads: false };
        let away = || CallError::Unreachable { url: url.clone(), reason: reason.clone() };
        let refused = |status, code: &str| {
            let problem = Box::new(Problem { status, code: code.into(), ..Problem::default() });
            CallError::Refused { problem, url: url.clone(), source: TokenSource::Given, reads: false }
        };
        for unsettling in [
            away(),
            refused(401, "a"),
            refused(403, "a"),
            refused(429, "a"),
            refused(404, ""),
            refused(502, ""),
        ] {
            assert!(matches!(unsettling.after(Some(lost())), CallError::Lost { .. }));
        }
        for settling in [refused(400, "a"), refused(409, "a"), refused(503, "a")] {
            assert!(matches!(settling.after(Some(lost())), CallError::Refused { .. }));
        }
        assert!(matches!(away().after(None), CallError::Unreachable { .. }), "nothing was done");
    }

    #[test]
    fn an_expired_session_is_told_to_sign_in_again() {
        assert!(failure(401, "token_expired").hint.unwrap().contains("talkdrum login --url http://x"));
    }
}
