//! What the commands do: one file a verb. Each gets its options and the [`Context`], asks the API, and prints.

mod campaigns;
mod carriers;
mod completions;
mod contacts;
mod context;
mod groups;
mod keys;
mod man;
mod messages;
mod optouts;
mod payments;
mod prices;
mod send;
mod session;
mod users;
mod wallet;

pub(crate) use context::{Context, Interruption};

use crate::args::{
    CampaignsCommand, Command, ContactsCommand, GroupsCommand, KeysCommand, MessagesCommand, OptOutsCommand,
    PaymentsCommand, PricesCommand, UsersCommand, WalletCommand,
};
use crate::exit::{Exit, Result};

/// Runs a command.
pub(crate) async fn run(context: &Context, command: Command) -> Result<Exit> {
    match command {
        Command::Login(args) => session::login::run(context, args).await,
        Command::Logout => session::logout::run(context).await,
        Command::Whoami => session::whoami::run(context).await,
        Command::Keys(KeysCommand::List) => keys::list::run(context).await,
        Command::Keys(KeysCommand::Create(args)) => keys::create::run(context, args).await,
        Command::Keys(KeysCommand::Revoke(args)) => keys::revoke::run(context, args).await,
        Command::Send(args) => send::run(context, args).await,
        Command::Quote(args) => send::quote_only(context, args).await,
        Command::Campaigns(command) => campaigns(context, command).await,
        Command::Groups(command) => groups(context, command).await,
        Command::Contacts(command) => contacts(context, command).await,
        Command::Optouts(command) => optouts(context, command).await,
        Command::Messages(command) => messages(context, command).await,
        Command::Why(args) => messages::why::run(context, args).await,
        Command::Wallet(WalletCommand::Balance) => wallet::balance::run(context).await,
        Command::Wallet(WalletCommand::Statement(args)) => wallet::statement::run(context, args).await,
        Command::Fund(args) => payments::fund::run(context, args).await,
        Command::Payments(command) => payments(context, command).await,
        Command::Transfer(args) => payments::transfer::run(context, args).await,
        Command::Transactions(args) => payments::transactions::run(context, args).await,
        Command::Prices(PricesCommand::Get) => prices::get::run(context).await,
        Command::Prices(PricesCommand::Set(args)) => prices::set::run(context, args).await,
        Command::Users(command) => users(context, command).await,
        Command::Carriers => carriers::run(context).await,
        Command::Completions { shell } => completions::run(context, shell),
        Command::Man { dir } => man::run(context, dir.as_deref()),
    }
}

async fn campaigns(context: &Context, command: CampaignsCommand) -> Result<Exit> {
    match command {
        CampaignsCommand::List(args) => campaigns::list::run(context, args).await,
        CampaignsCommand::Show(args) => campaigns::show::run(context, args).await,
        CampaignsCommand::Watch(args) => campaigns::watch::run(context, args).await,
        CampaignsCommand::Pause(args) => campaigns::control::run(context, args, "pause").await,
        CampaignsCommand::Resume(args) => campaigns::control::run(context, args, "resume").await,
        CampaignsCommand::Cancel(args) => campaigns::control::run(context, args, "cancel").await,
        CampaignsCommand::Resend(args) => campaigns::resend::run(context, args).await,
        CampaignsCommand::Export(args) => campaigns::export::run(context, args).await,
    }
}

async fn groups(context: &Context, command: GroupsCommand) -> Result<Exit> {
    match command {
        GroupsCommand::List(args) => groups::list::run(context, args).await,
        GroupsCommand::Create(args) => groups::create::run(context, args).await,
        GroupsCommand::Rename(args) => groups::rename::run(context, args).await,
        GroupsCommand::Delete(args) => groups::delete::run(context, args).await,
    }
}

async fn contacts(context: &Context, command: ContactsCommand) -> Result<Exit> {
    match command {
        ContactsCommand::List(args) => contacts::list::run(context, args).await,
        ContactsCommand::Add(args) => contacts::add::run(context, args).await,
        ContactsCommand::Edit(args) => contacts::edit::run(context, args).await,
        ContactsCommand::Remove(args) => contacts::remove::run(context, args).await,
        ContactsCommand::Import(args) => contacts::import::run(context, args).await,
        ContactsCommand::Imports(args) => contacts::imports::run(context, args).await,
        ContactsCommand::Export(args) => contacts::export::run(context, args).await,
    }
}

async fn optouts(context: &Context, command: OptOutsCommand) -> Result<Exit> {
    match command {
        OptOutsCommand::List(args) => optouts::list::run(context, args).await,
        OptOutsCommand::Add(args) => optouts::add::run(context, args).await,
        OptOutsCommand::Remove(args) => optouts::remove::run(context, args).await,
        OptOutsCommand::Import(args) => optouts::import::run(context, args).await,
        OptOutsCommand::Export(args) => optouts::export::run(context, args).await,
    }
}

async fn messages(context: &Context, command: MessagesCommand) -> Result<Exit> {
    match command {
        MessagesCommand::Find(args) => messages::find::run(context, args).await,
        MessagesCommand::List(args) => messages::list::run(context, args).await,
        MessagesCommand::Unknown(args) => messages::unknown::run(context, args).await,
        MessagesCommand::Resolve(args) => messages::resolve::run(context, args).await,
    }
}

async fn payments(context: &Context, command: PaymentsCommand) -> Result<Exit> {
    match command {
        PaymentsCommand::List(args) => payments::list::run(context, args).await,
        PaymentsCommand::Confirm(args) => payments::confirm::run(context, args).await,
        PaymentsCommand::Recheck(args) => payments::recheck::run(context, args).await,
        PaymentsCommand::Events(args) => payments::events::run(context, args).await,
    }
}

async fn users(context: &Context, command: UsersCommand) -> Result<Exit> {
    match command {
        UsersCommand::List(args) => users::list::run(context, args).await,
        UsersCommand::Create(args) => users::create::run(context, args).await,
        UsersCommand::Credit(args) => users::credit::run(context, args).await,
        UsersCommand::Activate(args) => users::activate::run(context, args, true).await,
        UsersCommand::Deactivate(args) => users::activate::run(context, args, false).await,
    }
}
