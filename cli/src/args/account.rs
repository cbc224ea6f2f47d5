//! `login`, `keys ...` and `wallet ...`.

use clap::{Args, Subcommand};

use super::{PageArgs, Pay};

/// `talkdrum login`.
#[derive(Args, Debug)]
pub(crate) struct LoginArgs {
    /// Username or e-mail address; asked for at a terminal
    #[arg(short, long)]
    pub(crate) username: Option<String>,
    /// Read the password from stdin
    #[arg(long)]
    pub(crate) password_stdin: bool,
    /// The six digits of a first sign-in, as they came by e-mail: the password is not needed then
    #[arg(long, conflicts_with = "password_stdin", requires = "username")]
    pub(crate) code: Option<String>,
    /// Ask for another code of a first sign-in instead
    #[arg(long, conflicts_with_all = ["password_stdin", "code"], requires = "username")]
    pub(crate) resend: bool,
}

/// `talkdrum keys`.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// List the API keys, without their secrets
    List,
    /// Make an API key; it is shown this once
    Create(CreateKeyArgs),
    /// Revoke an API key
    Revoke(RevokeKeyArgs),
}

/// `talkdrum keys create`.
#[derive(Args, Debug)]
pub(crate) struct CreateKeyArgs {
    /// What to call it
    #[arg(long)]
    pub(crate) name: String,
    /// What it may do; may be repeated
    #[arg(long = "scope", required = true, value_delimiter = ',', value_parser = ["read", "send", "admin"])]
    pub(crate) scopes: Vec<String>,
    /// When it ends by itself: 2030-01-31 (the end of that day), '2030-01-31 09:30' or RFC 3339 [default: never]
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
    /// Purpose of messages sent with it that name none
    #[arg(long, value_parser = super::purposes())]
    pub(crate) purpose: Option<String>,
    /// Read the password from stdin, should it be wanted: the sign-in is older than ten minutes
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

/// `talkdrum keys revoke`.
#[derive(Args, Debug)]
pub(crate) struct RevokeKeyArgs {
    /// The key's id
    #[arg(value_name = "KEY")]
    pub(crate) id: i64,
}

/// `talkdrum wallet`.
#[derive(Debug, Subcommand)]
pub(crate) enum WalletCommand {
    /// Show both balances and what is reserved
    Balance,
    /// List every movement, newest first
    Statement(StatementArgs),
}

/// `talkdrum wallet statement`.
#[derive(Args, Debug)]
pub(crate) struct StatementArgs {
    /// Only this wallet
    #[arg(long, value_enum)]
    pub(crate) currency: Option<Pay>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}
