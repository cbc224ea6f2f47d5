//! The command line: what can be written, and how `--help` explains it. No behaviour lives here.

mod account;
mod campaigns;
mod carriers;
mod contacts;
mod help;
mod identity;
mod kingschat;
mod messages;
mod operator;
mod payments;
mod platform;
mod profiles;
mod send;
mod senders;
mod subject;
mod templates;
mod text;
mod voice_send;
mod webhooks;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand, ValueEnum};
use talkdrum_api::purpose::{OptOutReach, Purpose};
use talkdrum_api::query::PageQuery;
use talkdrum_api::version;

pub(crate) use account::{
    CreateKeyArgs, KeysCommand, LoginArgs, RevokeKeyArgs, StatementArgs, WalletCommand,
};
pub(crate) use campaigns::{
    CampaignFilter, CampaignsCommand, CancelArgs, ExportArgs, IdArgs, ListCampaignsArgs, ResendArgs,
    WatchArgs,
};
pub(crate) use carriers::{
    BreakerArgs, CarriersArgs, CarriersCommand, DndCommand, DrainCarrierArgs, HangUpCarrierArgs,
    HoldCarrierArgs, ImportDndArgs, ListDndArgs, MarginsArgs, RerouteCarrierArgs, TestCarrierArgs,
    TraceCarrierArgs,
};
pub(crate) use contacts::{
    AddContactArgs, AddOptOutArgs, ColumnArgs, ContactsCommand, CreateGroupArgs, DeleteGroupArgs,
    EditContactArgs, ExportContactsArgs, ExportOptOutsArgs, GroupsCommand, ImportContactsArgs,
    ImportOptOutsArgs, ImportsArgs, ListContactsArgs, ListGroupsArgs, ListOptOutsArgs, OptOutsCommand,
    OutcomeArgs, RemoveContactArgs, RemoveOptOutArgs, RenameGroupArgs, ShowGroupArgs,
};
pub(crate) use help::parse;
pub(crate) use identity::{
    ChangePasswordArgs, CodeArgs, EditProfileArgs, ForgotPasswordArgs, PasswordCommand, ProfileCommand,
    RegisterArgs, ResetPasswordArgs, RevokeSessionArgs, SessionsCommand, VerifyArgs,
};
pub(crate) use kingschat::KingsChatCommand;
pub(crate) use messages::{
    FailedArgs, FindArgs, InboundArgs, ListMessagesArgs, MessagesCommand, Outcome, ResolveArgs,
    SendMessageArgs, SentArgs, UnknownArgs, WhyArgs,
};
pub(crate) use operator::{
    CodesRight, CreateUserArgs, CreditArgs, DeleteUserArgs, HoldUserArgs, LimitsArgs, ListUsersArgs,
    MessageUsersArgs, RatePlanArgs, UserArgs, UserCodesArgs, UserMessagesArgs, UserPurposeArgs, UsersCommand,
};
pub(crate) use payments::{
    ConfirmPaymentArgs, FundArgs, ListPaymentsArgs, PaymentsCommand, RecheckPaymentArgs, TransactionsArgs,
    TransferArgs,
};
pub(crate) use platform::{
    AnnouncementsCommand, ApplyPricesArgs, AuditArgs, ListAnnouncementsArgs, MaintenanceCommand,
    PlanPricesArgs, PriceHistoryArgs, Priced, PricesCommand, RatesArgs, SetPriceArgs, SetSettingArgs,
    Setting, SettingsCommand, StatusArgs,
};
pub(crate) use profiles::{ProfilesCommand, SetProfileArgs};
pub(crate) use send::{
    CanaryArgs, ConsentArgs, ContentArgs, FollowArgs, FormArgs, Pay, QuoteArgs, QuoteLimitArgs,
    RecipientArgs, RecipientsCommand, SendArgs,
};
pub(crate) use senders::{
    AddRecordingArgs, ApproveNumberArgs, ConfirmNumberArgs, DeleteOwnNumberArgs, DownloadRecordingArgs,
    ListNumbersArgs, ListSendersArgs, ListVoiceArgs, NumberArgs, NumbersCommand, OwnNumberCommand,
    PreviewVoiceArgs, RecordingArgs, RecordingsCommand, RejectSenderArgs, RequestSendersArgs, SenderArgs,
    SenderPurposeArgs, SendersCommand, TestVoiceArgs, VerifyNumberArgs, VoiceCommand, VoiceRecordingsArgs,
    WithdrawNumberArgs,
};
pub(crate) use subject::{EraseSubjectArgs, ExportSubjectArgs, ShowSubjectArgs, SubjectCommand};
pub(crate) use templates::{AddTemplateArgs, EditTemplateArgs, TemplateArgs, TemplatesCommand};
pub(crate) use voice_send::SendVoiceArgs;
pub(crate) use webhooks::{
    CreateWebhookArgs, DeleteWebhookArgs, EditWebhookArgs, ListWebhooksArgs, RedeliverArgs,
    RotateWebhookArgs, WebhookArgs, WebhookLogArgs, WebhooksCommand,
};

/// What `--version` prints: which JSON `-o json` is, too. The number changes when a member is renamed, removed or given another
/// type; `daemon/handbook/scripts.md` promises that.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| format!("{}\njson 1", version::full()));

/// Talkdrum at the terminal: quote, send, watch and explain bulk SMS.
#[derive(Debug, Parser)]
#[command(name = "talkdrum", version = version::full(), long_version = LONG_VERSION.as_str())]
#[command(after_help = text::AFTER_HELP, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What holds for every command.
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// The daemon's address [default: the profile's, else http://127.0.0.1:8080]
    #[arg(long, global = true, env = "TALKDRUM_URL", hide_env_values = true)]
    pub(crate) url: Option<String>,
    /// A session token or an API key; better given by the environment than on the command line
    #[arg(long, global = true, env = "TALKDRUM_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<Token>,
    /// Which stored sign-in to use
    #[arg(
        long,
        global = true,
        env = "TALKDRUM_PROFILE",
        hide_env_values = true,
        value_name = "NAME",
        default_value = "default"
    )]
    pub(crate) profile: String,
    /// How data is printed
    #[arg(short, long, global = true, value_enum, default_value_t = Format::Table)]
    pub(crate) output: Format,
    /// Only these columns of a table or CSV, by their names in the CSV
    #[arg(long, global = true, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Say nothing but errors and data that was asked for
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Write over files that exist
    #[arg(long, global = true)]
    pub(crate) force: bool,
    /// Print no colours
    #[arg(long, global = true)]
    pub(crate) no_color: bool,
}

/// A bearer token, which never shows itself in debug output.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(pub(crate) String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(...)")
    }
}

impl FromStr for Token {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.trim().to_owned()))
    }
}

/// How data is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// The API's own answer, one object
    Json,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated, with a header line
    Csv,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Sign in and remember the session in a profile
    Login(LoginArgs),
    /// End the session and forget it
    Logout,
    /// Show who is signed in, how, and where
    Whoami,
    /// Register: a code goes to your phone
    Register(RegisterArgs),
    /// Finish a registration with the code that came
    Verify(VerifyArgs),
    /// Your profile
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// The sign-ins of this machine and what they take by default
    #[command(subcommand)]
    Profiles(ProfilesCommand),
    /// Change or replace your password
    #[command(subcommand)]
    Password(PasswordCommand),
    /// Where you are signed in
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// API keys for scripts
    #[command(subcommand)]
    Keys(KeysCommand),
    /// The KingsChat account linked to yours
    #[command(subcommand, name = "kingschat")]
    KingsChat(KingsChatCommand),
    /// Quote a campaign, ask, and send it
    #[command(after_help = text::SEND_HELP)]
    Send(SendArgs),
    /// Show what a campaign would be and cost, and send nothing
    Quote(QuoteArgs),
    /// Recipients before there is a message for them
    #[command(subcommand)]
    Recipients(RecipientsCommand),
    /// Campaigns: what was sent and what is going out
    #[command(subcommand)]
    Campaigns(CampaignsCommand),
    /// Texts that you write often
    #[command(subcommand)]
    Templates(TemplatesCommand),
    /// Groups of contacts
    #[command(subcommand)]
    Groups(GroupsCommand),
    /// Contacts: list, edit, import, export
    #[command(subcommand)]
    Contacts(ContactsCommand),
    /// Numbers that get no promotional messages, or none but codes
    #[command(subcommand)]
    Optouts(OptOutsCommand),
    /// Single messages: find, list, settle
    #[command(subcommand)]
    Messages(MessagesCommand),
    /// Explain one message: what happened to it and to its money
    Why(WhyArgs),
    /// Sender ids: what messages may be from
    #[command(subcommand)]
    Senders(SendersCommand),
    /// Virtual numbers, and own numbers
    #[command(subcommand)]
    Numbers(NumbersCommand),
    /// Calls to many and their recordings
    #[command(subcommand)]
    Voice(VoiceCommand),
    /// Balances and the statement
    #[command(subcommand)]
    Wallet(WalletCommand),
    /// Fund a wallet
    Fund(FundArgs),
    /// Payments into wallets
    #[command(subcommand)]
    Payments(PaymentsCommand),
    /// Transfer to another user
    Transfer(TransferArgs),
    /// The history of the wallets, with open and failed payments
    Transactions(TransactionsArgs),
    /// What a unit costs: one by one, or as a file
    #[command(subcommand)]
    Prices(PricesCommand),
    /// What a page costs by where it goes; 'prices apply' sets it
    Rates(RatesArgs),
    /// Contact details, the pricing write-up, keys (administrators)
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// What users are told on every page
    #[command(subcommand)]
    Announcements(AnnouncementsCommand),
    /// Keep users and visitors out for a while
    #[command(subcommand)]
    Maintenance(MaintenanceCommand),
    /// What administrators changed, and when (administrators)
    Audit(AuditArgs),
    /// What is held about a person, by number (administrators)
    #[command(subcommand)]
    Subject(SubjectCommand),
    /// Traffic, money, what waits and how the carriers are (administrators)
    Status(StatusArgs),
    /// Users and their credit (administrators)
    #[command(subcommand)]
    Users(UsersCommand),
    /// Webhook endpoints, and what was delivered to them
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
    /// The carriers: how they are, held, tested, traced (administrators)
    Carriers(CarriersArgs),
    /// What carriers were given, what it brought in and what it costs (administrators)
    Margins(MarginsArgs),
    /// The Do-Not-Disturb list (administrators)
    #[command(subcommand)]
    Dnd(DndCommand),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write all of them into a directory
    Man {
        /// Where to write one page a command
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// Whether to ask before something that cannot be taken back.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SureArgs {
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Which page of a list.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct PageArgs {
    /// Which page, from 1
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: u32,
    /// Rows a page, up to 1000
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) per_page: u32,
}

impl PageArgs {
    /// As the API's query parameters.
    pub(crate) fn query(self) -> PageQuery {
        PageQuery::new(self.page.into(), self.per_page.into())
    }
}

/// The words of a purpose.
fn purposes() -> [&'static str; 3] {
    Purpose::ALL.map(Purpose::code)
}

/// The words of an opt-out's reach.
fn reaches() -> [&'static str; 2] {
    OptOutReach::ALL.map(OptOutReach::code)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_token_never_shows_itself() {
        let cli = Cli::try_parse_from(["talkdrum", "--token", "td_secret", "whoami"]).unwrap();
        assert!(!format!("{cli:?}").contains("td_secret"));
    }
}
