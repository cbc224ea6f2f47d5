//! `users ...`: what administrators do with accounts.

use clap::{Args, Subcommand, ValueEnum};
use talkdrum_api::money::Amount;

use super::{PageArgs, Pay};

/// `talkdrum users`.
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// List users
    List(ListUsersArgs),
    /// Show a user with campaigns, sender ids, numbers and money
    Show(UserArgs),
    /// Make a user
    Create(CreateUserArgs),
    /// Credit a wallet; the same reference never credits twice
    Credit(CreditArgs),
    /// Message one user or all, by text message and KingsChat
    Message(MessageUsersArgs),
    /// List the messages to users, or who gets one of them
    Messages(UserMessagesArgs),
    /// Let a user send again
    Activate(UserArgs),
    /// Stop a user from sending; running campaigns pause
    Deactivate(UserArgs),
    /// Show or set what a user may spend in a day, and whether large sends wait for an administrator
    Limits(LimitsArgs),
    /// Set or remove a user's rate plan
    RatePlan(RatePlanArgs),
    /// Set or remove the default purpose of a user's messages
    Purpose(UserPurposeArgs),
    /// Withdraw from a user the right to send codes, or give it back
    Codes(UserCodesArgs),
    /// Put a user's data under a legal hold: nothing of it is erased, and the account is not deleted
    Hold(HoldUserArgs),
    /// Lift the legal hold on a user's data
    Unhold(UserArgs),
    /// Delete a user: campaigns are cancelled, the person's data goes, the ledger stays
    Delete(DeleteUserArgs),
}

/// `talkdrum users list`.
#[derive(Args, Debug)]
pub(crate) struct ListUsersArgs {
    /// Only users whose name, username or e-mail contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// The deactivated instead of the active
    #[arg(long)]
    pub(crate) inactive: bool,
    /// The active and the deactivated
    #[arg(long, conflicts_with = "inactive")]
    pub(crate) all: bool,
    /// Only users who have this rate plan
    #[arg(long, value_name = "NAME")]
    pub(crate) rate_plan: Option<String>,
    /// Sort by id, username, name, email or last_login_at
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sort: Option<String>,
    /// Upwards instead of downwards
    #[arg(long)]
    pub(crate) ascending: bool,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum users create`.
#[derive(Args, Debug)]
pub(crate) struct CreateUserArgs {
    /// The name to sign in with
    #[arg(long)]
    pub(crate) username: String,
    /// The e-mail address
    #[arg(long)]
    pub(crate) email: String,
    /// The person's or business's name [default: the username]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The phone number
    #[arg(long)]
    pub(crate) phone: Option<String>,
    /// What the user may do
    #[arg(long, value_enum, default_value_t = Role::User)]
    pub(crate) role: Role,
    /// Do not mark the e-mail address as verified: the first sign-in asks for a code sent to it
    #[arg(long)]
    pub(crate) email_unverified: bool,
    /// Read the password from stdin; asked for at a terminal otherwise
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

/// The roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// Sends
    User,
    /// Administers
    Admin,
}

impl Role {
    /// As the API names it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Admin => "admin",
        }
    }
}

/// `talkdrum users credit`.
#[derive(Args, Debug)]
pub(crate) struct CreditArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// How much, with at most six decimals
    #[arg(value_parser = parse_amount)]
    pub(crate) amount: Amount,
    /// Which wallet
    #[arg(long, value_enum)]
    pub(crate) currency: Pay,
    /// The payment this answers; the same reference never credits twice
    #[arg(long = "ref", value_name = "REF")]
    pub(crate) reference: String,
}

/// `talkdrum users message`.
#[derive(Args, Debug)]
pub(crate) struct MessageUsersArgs {
    /// The user's id, username or e-mail address
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(crate) user: Option<String>,
    /// All users
    #[arg(long)]
    pub(crate) all: bool,
    /// What to say
    #[arg(short, long)]
    pub(crate) message: String,
    /// Do not ask before all users are messaged
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// A key under which this is done once, however often it is run
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

/// `talkdrum users messages`.
#[derive(Args, Debug)]
pub(crate) struct UserMessagesArgs {
    /// Who gets this one; all messages when it is not given
    #[arg(value_name = "MESSAGE")]
    pub(crate) id: Option<i64>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// One user.
#[derive(Args, Debug)]
pub(crate) struct UserArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
}

/// `talkdrum users delete`.
#[derive(Args, Debug)]
pub(crate) struct DeleteUserArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `talkdrum users limits`.
#[derive(Args, Debug)]
pub(crate) struct LimitsArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// ESPEES of a day: an amount, 'none' for no limit, 'default' for the platform's
    #[arg(long, value_name = "AMOUNT", value_parser = parse_limit)]
    pub(crate) cap_espees: Option<String>,
    /// Naira of a day, likewise
    #[arg(long, value_name = "AMOUNT", value_parser = parse_limit)]
    pub(crate) cap_naira: Option<String>,
    /// Sends go out without waiting, however many recipients they reach in all
    #[arg(long)]
    pub(crate) proven: bool,
    /// The next large send waits for an administrator
    #[arg(long, conflicts_with = "proven")]
    pub(crate) not_proven: bool,
}

/// `talkdrum users rate-plan`.
#[derive(Args, Debug)]
pub(crate) struct RatePlanArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// The plan's name
    #[arg(required_unless_present = "none")]
    pub(crate) plan: Option<String>,
    /// Remove the plan: the rates for all apply
    #[arg(long, conflicts_with = "plan")]
    pub(crate) none: bool,
}

/// `talkdrum users hold`.
#[derive(Args, Debug)]
pub(crate) struct HoldUserArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// Why: shown to administrators and in the audit trail
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

/// `talkdrum users purpose`.
#[derive(Args, Debug)]
pub(crate) struct UserPurposeArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// The default.
    #[command(flatten)]
    pub(crate) default: DefaultPurposeArgs,
}

/// `talkdrum users codes`.
#[derive(Args, Debug)]
pub(crate) struct UserCodesArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
    /// Whether messages with the purpose otp may be sent
    #[arg(value_enum)]
    pub(crate) right: CodesRight,
}

/// Whether codes may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CodesRight {
    /// Codes may be sent, as with a new account
    Allow,
    /// Codes are refused, and campaigns of codes pause
    Withdraw,
}

/// A default purpose.
#[derive(Args, Debug)]
pub(crate) struct DefaultPurposeArgs {
    /// The purpose of messages that name none
    #[arg(required_unless_present = "none", value_parser = super::purposes())]
    pub(crate) purpose: Option<String>,
    /// Remove the default
    #[arg(long, conflicts_with = "purpose")]
    pub(crate) none: bool,
}

/// A limit as the API takes it.
fn parse_limit(text: &str) -> Result<String, String> {
    match text {
        "none" => Ok("0".to_owned()),
        "default" => Ok("default".to_owned()),
        amount => parse_amount(amount).map(|amount| amount.to_string()),
    }
}

/// An amount that is not negative.
pub(super) fn parse_amount(text: &str) -> Result<Amount, String> {
    let amount: Amount = text.parse().map_err(|error: talkdrum_api::money::MoneyError| error.to_string())?;
    if amount < Amount::ZERO { Err("an amount cannot be negative".to_owned()) } else { Ok(amount) }
}
