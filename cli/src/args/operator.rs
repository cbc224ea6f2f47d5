//! `prices ...` and `users ...`: what administrators do.

use clap::{Args, Subcommand, ValueEnum};
use talkdrum_core::money::Amount;

use super::Pay;

/// `talkdrum prices`.
#[derive(Debug, Subcommand)]
pub(crate) enum PricesCommand {
    /// Show the price of a page in both currencies
    Get,
    /// Set the price of a page (administrators)
    Set(SetPriceArgs),
}

/// `talkdrum prices set`.
#[derive(Args, Debug)]
pub(crate) struct SetPriceArgs {
    /// Which price
    #[arg(long, value_enum)]
    pub(crate) currency: Pay,
    /// The price of a page, with at most six decimals
    #[arg(value_parser = parse_amount)]
    pub(crate) price: Amount,
}

/// `talkdrum users`.
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// List users
    List(ListUsersArgs),
    /// Make a user
    Create(CreateUserArgs),
    /// Credit a wallet; the same reference never credits twice
    Credit(CreditArgs),
    /// Let a user send again
    Activate(UserArgs),
    /// Stop a user from sending; running campaigns pause
    Deactivate(UserArgs),
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

/// One user.
#[derive(Args, Debug)]
pub(crate) struct UserArgs {
    /// The user's id, username or e-mail address
    pub(crate) user: String,
}

/// An amount that is not negative.
pub(super) fn parse_amount(text: &str) -> Result<Amount, String> {
    let amount: Amount = text.parse().map_err(|error: talkdrum_core::Error| error.to_string())?;
    if amount < Amount::ZERO { Err("an amount cannot be negative".to_owned()) } else { Ok(amount) }
}
