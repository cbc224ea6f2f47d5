//! What every command stands on: the output, the profiles, and a client that is made when it is needed.

use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use talkdrum_api::account::Message;
use talkdrum_api::code;

use crate::args::{Format, GlobalArgs, Token};
use crate::client::{CallError, Client, Credential, TokenSource, again_under};
use crate::exit::{Code, Exit, Failure, Result};
use crate::form::can_ask;
use crate::output::{Column, Columns, Output, holds_rejects, is_same_file, refuse_existing};
use crate::profile::{Defaults, Profile, Profiles};
use crate::zone::Zone;

/// The daemon's address when none is given.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// The profile that is used when none is named.
const DEFAULT_PROFILE: &str = "default";

/// What to say when Ctrl-C comes: it depends on how far the command got.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interruption(Arc<Mutex<String>>);

impl Interruption {
    /// From now on, say this.
    pub(crate) fn means(&self, note: impl Into<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = note.into();
    }

    /// What to say now.
    pub(crate) fn note(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What every command stands on.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Where data and notes go.
    pub(crate) out: Output,
    /// What Ctrl-C means right now.
    pub(crate) interruption: Interruption,
    /// What is not said on the command line.
    pub(crate) defaults: Defaults,
    global: GlobalArgs,
}

impl Context {
    /// The context of a command line.
    pub(crate) fn new(global: GlobalArgs) -> Result<Self> {
        // A token that is given may be that of another account: the defaults are of the one that signed in here.
        let is_given = global.token.as_ref().is_some_and(|token| !token.0.is_empty());
        // A damaged file is told of by the command that needs the sign-in.
        let stored =
            Profiles::of_user().and_then(|profiles| profiles.defaults(&global.profile)).unwrap_or_default();
        let zone = match Zone::of(stored.zone.as_deref()) {
            Err(_) if is_given => Zone::of(None)?,
            zone => zone?,
        };
        let defaults = if is_given { Defaults::default() } else { stored };
        if !global.columns.is_empty() && matches!(global.output, Format::Json | Format::Jsonl) {
            return Err(Failure::usage("--columns goes with -o table and -o csv"));
        }
        let columns = Columns::named(global.columns.clone());
        let out = Output { format: global.output, quiet: global.quiet, force: global.force, columns, zone };
        Ok(Self { out, interruption: Interruption::default(), defaults, global })
    }

    /// The name of the profile in use.
    pub(crate) fn profile_name(&self) -> &str {
        &self.global.profile
    }

    /// The address given on the command line or by the environment.
    pub(crate) fn given_url(&self) -> Option<&str> {
        self.global.url.as_deref().filter(|url| !url.is_empty())
    }

    /// The client of this run: options and environment before the profile. A profile's token goes to the profile's
    /// address only.
    pub(crate) fn client(&self) -> Result<Client> {
        let given = self.global.token.clone().filter(|token| !token.0.is_empty());
        let needs_profile = given.is_none() || self.given_url().is_none();
        let profile = if needs_profile { self.stored_profile(given.is_some())? } else { None };
        if given.is_none() && profile.is_none() && self.profile_name() != DEFAULT_PROFILE {
            return Err(self.no_profile()?);
        }
        let url = self.url(profile.as_ref());
        if given.as_ref().is_some_and(|token| !token.0.bytes().all(|sign| sign.is_ascii_graphic())) {
            let named = named_by("TALKDRUM_TOKEN", "--token", given.as_ref().map(|token| token.0.as_str()));
            return Err(Failure::usage(format!("the token of {named} holds a sign that no token has"))
                .hint("copy it again: a key begins with td_, and has letters, digits and '_' only"));
        }
        let credential = match (given, profile) {
            (Some(token), _) => Some(Credential { token, source: TokenSource::Given }),
            (None, Some(profile)) if same_address(&profile.url, &url) => {
                Some(Credential { token: Token(profile.token), source: TokenSource::Profile })
            }
            (None, _) => None,
        };
        self.client_at(&url, credential)
    }

    /// The profile that is named is not signed in: which ones are.
    pub(crate) fn no_profile(&self) -> Result<Failure> {
        let name = self.profile_name();
        let named = named_by("TALKDRUM_PROFILE", "--profile", Some(name));
        let all = Profiles::of_user()?.all()?;
        let signed_in: Vec<&str> =
            all.iter().filter(|(_, (profile, _))| profile.is_some()).map(|(name, _)| name.as_str()).collect();
        let others = match signed_in.as_slice() {
            [] => String::new(),
            names => format!("signed in are: {}; ", names.join(", ")),
        };
        let message = match all.contains_key(name) || name == DEFAULT_PROFILE {
            true => format!("profile '{name}' is not signed in"),
            false => format!("there is no profile '{name}', which {named} names"),
        };
        Ok(Failure::new(Exit::NotAllowed, Code::NoProfile, message)
            .hint(format!("{others}sign in under that name with: talkdrum login --profile {name}")))
    }

    /// The context in which rejects of `inputs` are saved to `path`: those of an earlier run are written over, another file
    /// is not, and one of the inputs never, as it may be the only copy of a list.
    ///
    /// # Errors
    /// Usage when another file is there, or an input.
    pub(crate) fn saving_rejects<'p>(
        &self,
        path: Option<&Path>,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Self> {
        if let Some(path) = path
            && inputs.into_iter().any(|input| is_same_file(input, path))
        {
            return Err(Failure::usage(format!(
                "{} is read, so rejects cannot be saved to it",
                path.display()
            ))
            .hint("name another file with --rejects"));
        }
        let mut context = self.clone();
        context.out.force |= path.is_some_and(holds_rejects);
        refuse_existing(path, &context.out)?;
        Ok(context)
    }

    /// The client of a command that changes something and then shows rows of these columns: those that are asked for are
    /// looked for first.
    pub(crate) fn client_showing<T>(&self, columns: &[Column<T>]) -> Result<Client> {
        self.out.columns.of(columns)?;
        self.client()
    }

    /// A client that is signed in by a profile, whatever token the environment holds.
    pub(crate) fn client_of(&self, profile: Profile) -> Result<Client> {
        let credential = Credential { token: Token(profile.token), source: TokenSource::Profile };
        self.client_at(&profile.url, Some(credential))
    }

    /// Whether a token from the options or the environment comes before every profile.
    pub(crate) fn has_given_token(&self) -> bool {
        self.global.token.as_ref().is_some_and(|token| !token.0.is_empty())
    }

    /// A client without a sign-in, at the address given, else the profile's, else the default.
    pub(crate) fn anonymous_client(&self) -> Result<Client> {
        let profile = if self.given_url().is_none() { self.stored_profile(true)? } else { None };
        self.client_at(&self.url(profile.as_ref()), None)
    }

    fn client_at(&self, url: &str, credential: Option<Credential>) -> Result<Client> {
        let client = Client::new(url, credential).map_err(|failure| {
            let named = match self.given_url() {
                Some(given) => named_by("TALKDRUM_URL", "--url", Some(given)).to_owned(),
                None => format!("profile {}", self.profile_name()),
            };
            Failure { message: format!("{named}: {}", failure.message), ..failure }
        })?;
        Ok(client.with_columns(self.out.columns.clone()))
    }

    fn url(&self, profile: Option<&Profile>) -> String {
        self.given_url()
            .map(str::to_owned)
            .unwrap_or_else(|| profile.map_or_else(|| DEFAULT_URL.to_owned(), |profile| profile.url.clone()))
    }

    /// The stored profile. Where it is only a convenience, a machine without a home is no error.
    fn stored_profile(&self, optional: bool) -> Result<Option<Profile>> {
        match Profiles::of_user() {
            Ok(profiles) => profiles.find(self.profile_name()),
            Err(_) if optional || self.given_url().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks a person for a password without showing it, or reads it from stdin.
    pub(crate) fn password(&self, from_stdin: bool, question: &str) -> Result<String> {
        if from_stdin {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| Failure::unreadable(Path::new("the password from stdin"), &error))?;
            return Ok(text.trim_end_matches(['\r', '\n']).to_owned());
        }
        if !std::io::stdin().is_terminal() {
            return Err(Failure::no_terminal("to ask for the password")
                .hint("give it on stdin with --password-stdin"));
        }
        inquire::Password::new(question).without_confirmation().prompt().map_err(unanswered)
    }

    /// Makes a call that a session may make for ten minutes after its password only. When the daemon asks for the password
    /// again, gives it the one of `TALKDRUM_PASSWORD`, of stdin, or of the person at the terminal, and calls once more.
    pub(crate) async fn proven<T>(
        &self,
        client: &Client,
        from_stdin: bool,
        call: impl AsyncFn() -> Result<T, CallError>,
    ) -> Result<T> {
        match call().await {
            Err(error)
                if error.refusal().is_some_and(|(_, code)| code == code::REAUTHENTICATION_REQUIRED) =>
            {
                let given =
                    std::env::var("TALKDRUM_PASSWORD").ok().filter(|it| !it.is_empty() && !from_stdin);
                let password = match given {
                    Some(password) => password,
                    None if !from_stdin && !std::io::stdin().is_terminal() => {
                        return Err(Failure::no_terminal("to ask for your password again").hint(
                            "give it in TALKDRUM_PASSWORD, or with --password-stdin where the command has it",
                        ));
                    }
                    None => self.password(from_stdin, "Password, to confirm that it is you:")?,
                };
                let body = serde_json::json!({ "password": password });
                client.post::<Message>("/api/sessions/reauthenticate", &body, None).await?;
                Ok(call().await?)
            }
            other => Ok(other?),
        }
    }

    /// Makes a call under an idempotency key: where it is not known whether it was done, also when Ctrl-C ends it, the key is
    /// told.
    pub(crate) async fn keyed<T>(
        &self,
        key: &str,
        call: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T> {
        self.repeatable(&again_under(key), call).await
    }

    /// Makes a call that does no harm when it is made again: where it is not known whether it was done, also when Ctrl-C ends
    /// it, `how` says how.
    pub(crate) async fn repeatable<T>(
        &self,
        how: &str,
        call: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T> {
        self.interruption.means(format!("whether it was done is not known: {how}"));
        let answer = call.await;
        self.interruption.means("");
        answer.map_err(|error| error.safe_to_repeat(how))
    }

    /// The six digits of a code: those given, else asked for.
    pub(crate) fn code(&self, given: Option<String>) -> Result<String> {
        match given {
            Some(code) => Ok(code),
            None => Ok(self.ask("six-digit code", "give it with --code")?.trim().to_owned()),
        }
    }

    /// Asks a yes-or-no question; no is the default.
    pub(crate) fn confirm(&self, question: &str) -> Result<bool> {
        inquire::Confirm::new(question).with_default(false).prompt().map_err(unanswered)
    }

    /// Whether to go on with what cannot be taken back: by `--yes`, or by a person's word. `nothing` says what then was not
    /// done.
    ///
    /// # Errors
    /// Usage when there is no person to ask; a failure when the answer is no.
    pub(crate) fn agree(&self, yes: bool, question: &str, nothing: &str) -> Result<()> {
        if yes {
            return Ok(());
        }
        if !can_ask() {
            return Err(Failure::no_terminal("to confirm on").hint("--yes goes on without asking"));
        }
        match self.confirm(question)? {
            true => Ok(()),
            false => Err(Failure::not_confirmed(nothing)),
        }
    }

    /// Asks for a line of text.
    pub(crate) fn ask(&self, question: &str, hint: &str) -> Result<String> {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::no_terminal(&format!("to ask for the {question}")).hint(hint));
        }
        inquire::Text::new(&format!("{question}:")).prompt().map_err(unanswered)
    }
}

/// What gave a value: the environment's variable where it holds the very same, else the option.
fn named_by(variable: &'static str, option: &'static str, value: Option<&str>) -> &'static str {
    match std::env::var(variable).ok().as_deref().map(str::trim) {
        Some(text) if Some(text) == value => variable,
        _ => option,
    }
}

/// Whether two addresses are the same but for a slash at the end.
fn same_address(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

fn unanswered(error: inquire::InquireError) -> Failure {
    match error {
        inquire::InquireError::OperationCanceled | inquire::InquireError::OperationInterrupted => {
            Failure::interrupted()
        }
        other => Failure::new(Exit::Failed, Code::Io, format!("cannot ask: {other}")),
    }
}
