//! `register`, `verify`, `profile ...`, `password ...` and `sessions ...`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::PageArgs;

/// `talkdrum register`.
#[derive(Args, Debug)]
pub(crate) struct RegisterArgs {
    /// The person's or business's name
    #[arg(long)]
    pub(crate) name: String,
    /// The name to sign in with
    #[arg(short, long)]
    pub(crate) username: String,
    /// The e-mail address
    #[arg(long)]
    pub(crate) email: String,
    /// The phone number: a code is sent to it
    #[arg(long)]
    pub(crate) phone: String,
    /// Read the password from stdin; asked for at a terminal otherwise
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

/// `talkdrum verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The phone number of the registration
    #[arg(long)]
    pub(crate) phone: String,
    /// The six digits that came; asked for at a terminal
    #[arg(long, conflicts_with = "resend")]
    pub(crate) code: Option<String>,
    /// Another user name, where the one that was registered is taken
    #[arg(short, long, conflicts_with = "resend")]
    pub(crate) username: Option<String>,
    /// Ask for another code instead
    #[arg(long)]
    pub(crate) resend: bool,
}

/// `talkdrum profile`.
#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Show your profile
    Show,
    /// Change your profile
    Edit(EditProfileArgs),
    /// Confirm a new e-mail address by the code sent to it
    ConfirmEmail(CodeArgs),
    /// Confirm a new phone number by the code sent to it
    ConfirmPhone(CodeArgs),
}

/// `talkdrum profile edit`.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct EditProfileArgs {
    /// The person's or business's name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// A new phone number: it counts once its code is confirmed
    #[arg(long)]
    pub(crate) phone: Option<String>,
    /// The gender
    #[arg(long)]
    pub(crate) gender: Option<String>,
    /// The time zone, such as Africa/Lagos
    #[arg(long)]
    pub(crate) zone: Option<String>,
    /// A new e-mail address: it counts once its code is confirmed
    #[arg(long)]
    pub(crate) email: Option<String>,
    /// A picture: PNG, JPEG or WebP, up to 512 KiB
    #[arg(long, value_name = "FILE", conflicts_with = "remove_avatar")]
    pub(crate) avatar: Option<PathBuf>,
    /// Take the picture away
    #[arg(long)]
    pub(crate) remove_avatar: bool,
    /// Read the password from stdin, should a new address want it: the sign-in is older than ten minutes
    #[arg(long, requires = "email")]
    pub(crate) password_stdin: bool,
}

/// A six-digit code.
#[derive(Args, Debug)]
pub(crate) struct CodeArgs {
    /// The six digits that came; asked for at a terminal
    #[arg(long)]
    pub(crate) code: Option<String>,
}

/// `talkdrum password`.
#[derive(Debug, Subcommand)]
pub(crate) enum PasswordCommand {
    /// Change your password; your other sessions end
    Change(ChangePasswordArgs),
    /// Have a code for a new password sent to an e-mail address
    Forgot(ForgotPasswordArgs),
    /// Set a new password by that code; all sessions end
    Reset(ResetPasswordArgs),
}

/// `talkdrum password change`.
#[derive(Args, Debug)]
pub(crate) struct ChangePasswordArgs {
    /// Read the current password and the new one from stdin, a line each
    #[arg(long)]
    pub(crate) passwords_stdin: bool,
}

/// `talkdrum password forgot`.
#[derive(Args, Debug)]
pub(crate) struct ForgotPasswordArgs {
    /// The account's e-mail address
    #[arg(long)]
    pub(crate) email: String,
}

/// `talkdrum password reset`.
#[derive(Args, Debug)]
pub(crate) struct ResetPasswordArgs {
    /// The account's e-mail address
    #[arg(long)]
    pub(crate) email: String,
    /// The six digits that came; asked for at a terminal
    #[arg(long)]
    pub(crate) code: Option<String>,
    /// Read the new password from stdin
    #[arg(long)]
    pub(crate) password_stdin: bool,
    /// Also revoke all API keys
    #[arg(long)]
    pub(crate) revoke_keys: bool,
}

/// `talkdrum sessions`.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List where you are signed in
    List(PageArgs),
    /// End a session, or all others
    Revoke(RevokeSessionArgs),
}

/// `talkdrum sessions revoke`.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct RevokeSessionArgs {
    /// The session's id
    #[arg(value_name = "SESSION")]
    pub(crate) id: Option<i64>,
    /// All but the one of this sign-in
    #[arg(long)]
    pub(crate) others: bool,
}
