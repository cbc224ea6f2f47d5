//! What the commands do: a file a noun, and one more where a verb has much to do. Each gets its options and the [`Context`],
//! asks the API, and prints. What several nouns need is a file beside them: `campaign_columns`, `download`, `idempotency`.

mod announcements;
mod audit;
mod campaign_columns;
mod campaigns;
mod carriers;
mod completions;
mod contacts;
mod context;
mod dnd;
mod download;
mod groups;
mod idempotency;
mod keys;
mod kingschat;
mod maintenance;
mod man;
mod margins;
mod messages;
mod numbers;
mod optouts;
mod password;
mod payments;
mod prices;
mod profile;
mod profiles;
mod recipients;
mod register;
mod send;
mod senders;
mod session;
mod sessions;
mod settings;
mod status;
mod subject;
mod templates;
mod users;
mod voice;
mod wallet;
mod webhooks;

pub(crate) use context::{Context, Interruption};

use crate::args::Command;
use crate::exit::{Exit, Result};

/// Runs a command.
pub(crate) async fn run(context: &Context, command: Command) -> Result<Exit> {
    match command {
        Command::Login(args) => session::login::run(context, args).await,
        Command::Logout => session::logout(context).await,
        Command::Whoami => session::whoami(context).await,
        Command::Register(args) => register::start(context, args).await,
        Command::Verify(args) => register::verify(context, args).await,
        Command::Profile(command) => profile::run(context, command).await,
        Command::Profiles(command) => profiles::run(context, command),
        Command::Password(command) => password::run(context, command).await,
        Command::Sessions(command) => sessions::run(context, command).await,
        Command::Keys(command) => keys::run(context, command).await,
        Command::KingsChat(command) => kingschat::run(context, command).await,
        Command::Send(args) => send::run(context, args).await,
        Command::Quote(args) => send::quote_only(context, args).await,
        Command::Recipients(command) => recipients::run(context, command).await,
        Command::Campaigns(command) => campaigns::run(context, command).await,
        Command::Templates(command) => templates::run(context, command).await,
        Command::Groups(command) => groups::run(context, command).await,
        Command::Contacts(command) => contacts::run(context, command).await,
        Command::Optouts(command) => optouts::run(context, command).await,
        Command::Messages(command) => messages::run(context, command).await,
        Command::Why(args) => messages::why::run(context, args).await,
        Command::Senders(command) => senders::run(context, command).await,
        Command::Numbers(command) => numbers::run(context, command).await,
        Command::Voice(command) => voice::run(context, command).await,
        Command::Wallet(command) => wallet::run(context, command).await,
        Command::Fund(args) => payments::fund::run(context, args).await,
        Command::Payments(command) => payments::run(context, command).await,
        Command::Transfer(args) => payments::transfer(context, args).await,
        Command::Transactions(args) => payments::transactions::run(context, args).await,
        Command::Prices(command) => prices::run(context, command).await,
        Command::Rates(args) => prices::rates::run(context, args).await,
        Command::Settings(command) => settings::run(context, command).await,
        Command::Announcements(command) => announcements::run(context, command).await,
        Command::Maintenance(command) => maintenance::run(context, command).await,
        Command::Audit(args) => audit::run(context, args).await,
        Command::Subject(command) => subject::run(context, command).await,
        Command::Status(args) => status::run(context, args).await,
        Command::Users(command) => users::run(context, command).await,
        Command::Webhooks(command) => webhooks::run(context, command).await,
        Command::Carriers(args) => carriers::run(context, args).await,
        Command::Margins(args) => margins::run(context, args).await,
        Command::Dnd(command) => dnd::run(context, command).await,
        Command::Completions { shell } => completions::run(context, shell),
        Command::Man { dir } => man::run(context, dir.as_deref()),
    }
}
