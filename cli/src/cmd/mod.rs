//! What the commands do: one file a verb. Each gets its options and the [`Context`], asks the API, and prints.

mod announcements;
mod audit;
mod campaigns;
mod carriers;
mod completions;
mod contacts;
mod context;
mod dnd;
mod groups;
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
mod recipients;
mod register;
mod send;
mod senders;
mod session;
mod sessions;
mod settings;
mod status;
mod users;
mod voice;
mod wallet;
mod webhooks;

pub(crate) use context::{Context, Interruption};

use crate::args::{
    AnnouncementsCommand, CampaignsCommand, Command, ContactsCommand, DndCommand, GroupsCommand, KeysCommand,
    KingsChatCommand, MaintenanceCommand, MessagesCommand, NumbersCommand, OptOutsCommand, OwnNumberCommand,
    PasswordCommand, PaymentsCommand, PricesCommand, ProfileCommand, RecipientsCommand, SendersCommand,
    SessionsCommand, SettingsCommand, UsersCommand, VoiceCommand, WalletCommand,
};
use crate::exit::{Exit, Result};

/// Runs a command.
pub(crate) async fn run(context: &Context, command: Command) -> Result<Exit> {
    match command {
        Command::Login(args) => session::login::run(context, args).await,
        Command::Logout => session::logout::run(context).await,
        Command::Whoami => session::whoami::run(context).await,
        Command::Register(args) => register::start::run(context, args).await,
        Command::Verify(args) => register::verify::run(context, args).await,
        Command::Profile(ProfileCommand::Show) => profile::show::run(context).await,
        Command::Profile(ProfileCommand::Edit(args)) => profile::edit::run(context, args).await,
        Command::Profile(ProfileCommand::ConfirmEmail(args)) => {
            profile::confirm_email::run(context, args).await
        }
        Command::Profile(ProfileCommand::ConfirmPhone(args)) => {
            profile::confirm_phone::run(context, args).await
        }
        Command::Password(PasswordCommand::Change(args)) => password::change::run(context, args).await,
        Command::Password(PasswordCommand::Forgot(args)) => password::forgot::run(context, args).await,
        Command::Password(PasswordCommand::Reset(args)) => password::reset::run(context, args).await,
        Command::Sessions(SessionsCommand::List(args)) => sessions::list::run(context, args).await,
        Command::Sessions(SessionsCommand::Revoke(args)) => sessions::revoke::run(context, args).await,
        Command::Keys(KeysCommand::List) => keys::list::run(context).await,
        Command::Keys(KeysCommand::Create(args)) => keys::create::run(context, args).await,
        Command::Keys(KeysCommand::Revoke(args)) => keys::revoke::run(context, args).await,
        Command::KingsChat(KingsChatCommand::Show) => kingschat::show::run(context).await,
        Command::KingsChat(KingsChatCommand::Unlink) => kingschat::unlink::run(context).await,
        Command::Send(args) => send::run(context, args).await,
        Command::Quote(args) => send::quote_only(context, args).await,
        Command::Recipients(RecipientsCommand::Check(args)) => recipients::check::run(context, args).await,
        Command::Campaigns(command) => campaigns(context, command).await,
        Command::Groups(command) => groups(context, command).await,
        Command::Contacts(command) => contacts(context, command).await,
        Command::Optouts(command) => optouts(context, command).await,
        Command::Messages(command) => messages(context, command).await,
        Command::Why(args) => messages::why::run(context, args).await,
        Command::Senders(command) => senders(context, command).await,
        Command::Numbers(command) => numbers(context, command).await,
        Command::Voice(VoiceCommand::List(args)) => voice::list::run(context, args).await,
        Command::Voice(VoiceCommand::Preview(args)) => voice::preview::run(context, args).await,
        Command::Voice(VoiceCommand::Send(args)) => voice::send::run(context, *args).await,
        Command::Voice(VoiceCommand::Test(args)) => voice::test::run(context, args).await,
        Command::Voice(VoiceCommand::Recordings(args)) => voice::recordings::run(context, args).await,
        Command::Wallet(WalletCommand::Balance) => wallet::balance::run(context).await,
        Command::Wallet(WalletCommand::Statement(args)) => wallet::statement::run(context, args).await,
        Command::Fund(args) => payments::fund::run(context, args).await,
        Command::Payments(command) => payments(context, command).await,
        Command::Transfer(args) => payments::transfer::run(context, args).await,
        Command::Transactions(args) => payments::transactions::run(context, args).await,
        Command::Prices(command) => prices(context, command).await,
        Command::Settings(SettingsCommand::List) => settings::list::run(context).await,
        Command::Settings(SettingsCommand::Get { name }) => settings::get::run(context, name).await,
        Command::Settings(SettingsCommand::Set(args)) => settings::set::run(context, args).await,
        Command::Announcements(command) => announcements(context, command).await,
        Command::Maintenance(command) => maintenance(context, command).await,
        Command::Audit(args) => audit::run(context, args).await,
        Command::Status(args) => status::run(context, args).await,
        Command::Users(command) => users(context, command).await,
        Command::Webhooks(command) => webhooks::run(context, command).await,
        Command::Carriers(args) => carriers::run(context, args).await,
        Command::Margins(args) => margins::run(context, args).await,
        Command::Dnd(DndCommand::Import(args)) => dnd::import::run(context, args).await,
        Command::Dnd(DndCommand::List(args)) => dnd::list::run(context, args).await,
        Command::Completions { shell } => completions::run(context, shell),
        Command::Man { dir } => man::run(context, dir.as_deref()),
    }
}

async fn campaigns(context: &Context, command: CampaignsCommand) -> Result<Exit> {
    match command {
        CampaignsCommand::List(args) => campaigns::list::run(context, args).await,
        CampaignsCommand::Show(args) => campaigns::show::run(context, args).await,
        CampaignsCommand::Breakdown(args) => campaigns::breakdown::run(context, args).await,
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
        GroupsCommand::Show(args) => groups::show::run(context, args).await,
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
        MessagesCommand::Send(args) => messages::send::run(context, args).await,
        MessagesCommand::Find(args) => messages::find::run(context, args).await,
        MessagesCommand::Sent(args) => messages::sent::run(context, args).await,
        MessagesCommand::Failed(args) => messages::failed::run(context, args).await,
        MessagesCommand::Last => messages::last::run(context).await,
        MessagesCommand::List(args) => messages::list::run(context, args).await,
        MessagesCommand::Inbound(args) => messages::inbound::run(context, args).await,
        MessagesCommand::Unknown(args) => messages::unknown::run(context, args).await,
        MessagesCommand::Resolve(args) => messages::resolve::run(context, args).await,
    }
}

async fn prices(context: &Context, command: PricesCommand) -> Result<Exit> {
    match command {
        PricesCommand::Get => prices::get::run(context).await,
        PricesCommand::Set(args) => prices::set::run(context, args).await,
        PricesCommand::Plan(args) => prices::plan::run(context, args).await,
        PricesCommand::Apply(args) => prices::apply::run(context, args).await,
        PricesCommand::History(args) => prices::history::run(context, args).await,
    }
}

async fn announcements(context: &Context, command: AnnouncementsCommand) -> Result<Exit> {
    use announcements::{list, manage, show};
    match command {
        AnnouncementsCommand::List(args) => list::run(context, args).await,
        AnnouncementsCommand::Show { id } => show::run(context, id).await,
        AnnouncementsCommand::Create { text } => manage::run(context, "create", None, Some(text)).await,
        AnnouncementsCommand::Edit { id, text } => manage::run(context, "edit", Some(id), Some(text)).await,
        AnnouncementsCommand::Activate { id } => manage::run(context, "activate", Some(id), None).await,
        AnnouncementsCommand::Deactivate { id } => manage::run(context, "deactivate", Some(id), None).await,
        AnnouncementsCommand::Delete { id } => manage::run(context, "delete", Some(id), None).await,
    }
}

async fn maintenance(context: &Context, command: MaintenanceCommand) -> Result<Exit> {
    match command {
        MaintenanceCommand::On { message } => maintenance::switch::run(context, Some(message)).await,
        MaintenanceCommand::Off => maintenance::switch::run(context, None).await,
        MaintenanceCommand::Status => maintenance::status::run(context).await,
    }
}

async fn senders(context: &Context, command: SendersCommand) -> Result<Exit> {
    match command {
        SendersCommand::List(args) => senders::list::run(context, args).await,
        SendersCommand::Request(args) => senders::request::run(context, args).await,
        SendersCommand::Approve(args) => senders::decide::approve(context, args).await,
        SendersCommand::Reject(args) => senders::decide::reject(context, args).await,
    }
}

async fn numbers(context: &Context, command: NumbersCommand) -> Result<Exit> {
    match command {
        NumbersCommand::List(args) => numbers::list::run(context, args).await,
        NumbersCommand::Request => numbers::request::run(context).await,
        NumbersCommand::Approve(args) => numbers::approve::run(context, args).await,
        NumbersCommand::Delete(args) => numbers::delete::run(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Verify(args)) => numbers::own::verify(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Confirm(args)) => numbers::own::confirm(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Withdraw(args)) => numbers::own::withdraw(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Delete(args)) => numbers::own::delete(context, args).await,
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
        UsersCommand::Show(args) => users::show::run(context, args).await,
        UsersCommand::Limits(args) => users::limits::run(context, args).await,
        UsersCommand::Delete(args) => users::delete::run(context, args).await,
        UsersCommand::Create(args) => users::create::run(context, args).await,
        UsersCommand::Credit(args) => users::credit::run(context, args).await,
        UsersCommand::Message(args) => users::message::send(context, args).await,
        UsersCommand::Messages(args) => users::message::list(context, args).await,
        UsersCommand::Activate(args) => users::activate::run(context, args, true).await,
        UsersCommand::Deactivate(args) => users::activate::run(context, args, false).await,
    }
}
