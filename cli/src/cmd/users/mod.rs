//! Users, for administrators.

pub(super) mod message;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use talkdrum_api::account::{Message, User};
use talkdrum_api::money::Amount;
use talkdrum_api::query::{OrderQuery, SearchQuery, UsersQuery};
use talkdrum_api::user::{
    UserCodes, UserDeleted, UserDetails, UserLegalHold, UserLimits, UserPurpose, UserRatePlan,
};

use crate::args::{
    CodesRight, CreateUserArgs, CreditArgs, DeleteUserArgs, HoldUserArgs, LimitsArgs, ListUsersArgs, Pay,
    RatePlanArgs, UserArgs, UserCodesArgs, UserPurposeArgs, UsersCommand,
};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::cmd::campaign_columns::COLUMNS as CAMPAIGNS;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column, rows_for_people};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: UsersCommand) -> Result<Exit> {
    match command {
        UsersCommand::List(args) => list(context, args).await,
        UsersCommand::Show(args) => show(context, args).await,
        UsersCommand::Limits(args) => limits(context, args).await,
        UsersCommand::RatePlan(args) => rate_plan(context, args).await,
        UsersCommand::Purpose(args) => purpose(context, args).await,
        UsersCommand::Codes(args) => codes(context, args).await,
        UsersCommand::Hold(args) => hold(context, args).await,
        UsersCommand::Unhold(args) => unhold(context, args).await,
        UsersCommand::Delete(args) => delete(context, args).await,
        UsersCommand::Create(args) => create(context, args).await,
        UsersCommand::Credit(args) => credit(context, args).await,
        UsersCommand::Message(args) => message::send(context, args).await,
        UsersCommand::Messages(args) => message::list(context, args).await,
        UsersCommand::Activate(args) => activate(context, args, true).await,
        UsersCommand::Deactivate(args) => activate(context, args, false).await,
    }
}

/// A user in a list.
const COLUMNS: &[Column<User>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("username", "Username", |it| Cell::text(&it.username)),
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("email", "E-mail", |it| Cell::text(&it.email)),
    Column::left("role", "Role", |it| Cell::text(&it.role)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("espee_balance", "ESPEES", |it| Cell::balance(it.espee_balance)),
    Column::right("paystack_balance", "Naira", |it| Cell::balance(it.paystack_balance)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
    Column::left("last_login_at", "Last sign-in", |it| Cell::time(it.last_login_at.as_ref())),
];

/// The lists of users: each answers under its own name.
#[derive(Debug, Deserialize)]
struct Users {
    #[serde(alias = "active_users", alias = "inactive_users")]
    users: Vec<User>,
    #[serde(default)]
    total: i64,
}

/// Which users.
#[derive(Clone, Copy, Debug)]
enum Of {
    Active,
    Inactive,
    Both,
}

/// The users of one list that a query asks for.
async fn users(
    client: &Client,
    of: Of,
    query: &(impl Query + Sync),
) -> Result<Answer<Users>, crate::client::CallError> {
    let path = match of {
        Of::Active => "/admin/get-all-active-users",
        Of::Inactive => "/admin/get-all-inactive-users",
        Of::Both => "/admin/users",
    };
    client.get(path, query).await
}

/// The id of a user given by id, username or e-mail address.
pub(super) async fn id_of(client: &Client, who: &str) -> Result<i64> {
    if let Ok(id) = who.parse() {
        return Ok(id);
    }
    let found = users(client, Of::Both, &SearchQuery::new(Some(who.to_owned()))).await?.value.users;
    let exact = |user: &User| user.username == who || user.email.eq_ignore_ascii_case(who);
    if let Some(user) = found.into_iter().find(exact) {
        return Ok(user.id);
    }
    Err(Failure::not_found(format!("there is no user '{who}'"))
        .hint("give the id, the username or the whole e-mail address, as talkdrum users list shows them"))
}

/// Lists the active users, the inactive ones or both.
async fn list(context: &Context, args: ListUsersArgs) -> Result<Exit> {
    let (search, order) = (SearchQuery::new(args.search), OrderQuery::new(args.sort, args.ascending));
    let of_plan = UsersQuery { role: None, rate_plan: args.rate_plan };
    let query = args.page.query().and(search).and(order).and(of_plan);
    let of = match (args.all, args.inactive) {
        (true, _) => Of::Both,
        (_, true) => Of::Inactive,
        _ => Of::Active,
    };
    let answer = users(&context.client()?, of, &query).await?;
    context.out.list(&answer.json, &answer.value.users, answer.value.total, COLUMNS)?;
    context.out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

/// What a user has of everything.
const TOTALS: &[Column<UserDetails>] = &[
    Column::left("phone_number", "Phone", |it| Cell::maybe(it.user.phone_number.as_ref())),
    Column::left("deleted_at", "Deleted", |it| Cell::time(it.deleted_at.as_ref())),
    Column::left("legal_hold", "Legal hold", |it| {
        Cell::maybe(it.legal_hold.as_ref().map(|hold| &hold.reason))
    }),
    Column::left("held_at", "Held", |it| Cell::time(it.legal_hold.as_ref().map(|hold| &hold.held_at))),
    Column::left("codes_allowed", "May send codes", |it| {
        Cell::text(if it.codes_allowed { "yes" } else { "no" })
    }),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.map_or("", |it| it.code()))),
    Column::left("rate_plan", "Rate plan", |it| Cell::maybe(it.rate_plan.as_ref())),
    Column::right("campaigns", "Campaigns", |it| Cell::Number(it.totals.campaigns)),
    Column::right("voice_sms", "Calls to many", |it| Cell::Number(it.totals.voice_sms)),
    Column::right("sender_ids", "Sender IDs", |it| Cell::Number(it.totals.sender_ids)),
    Column::right("virtual_numbers", "Virtual numbers", |it| Cell::Number(it.totals.virtual_numbers)),
    Column::right("own_numbers", "Own numbers", |it| Cell::Number(it.totals.own_numbers)),
    Column::right("transactions", "Movements", |it| Cell::Number(it.totals.transactions)),
];

/// Campaigns that people are shown; programs get all that the API answers.
const NEWEST: usize = 10;

/// Shows a user and what belongs to them.
async fn show(context: &Context, args: UserArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let answer: Answer<UserDetails> = client.get(&format!("/admin/get-user-details/{id}"), &()).await?;
    let (out, details) = (&context.out, &answer.value);
    out.record(&answer.json, &details.user, COLUMNS)?;
    if out.is_table() {
        out.record(&answer.json, details, TOTALS)?;
        if !details.campaigns.is_empty() {
            out.line("")?;
            let newest = &details.campaigns[..details.campaigns.len().min(NEWEST)];
            out.data(&rows_for_people(newest, CAMPAIGNS, &out.zone))?;
        }
    }
    out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

const LIMIT_COLUMNS: &[Column<UserLimits>] = &[
    Column::right("user_id", "User", |it| Cell::Number(it.user_id)),
    Column::left("cap_espees", "ESPEES a day", |it| cap(it.cap_espees, it.cap_espees_is_default)),
    Column::left("cap_naira", "Naira a day", |it| cap(it.cap_naira, it.cap_naira_is_default)),
    Column::right("spent_espees", "ESPEES today", |it| Cell::balance(it.spent_espees)),
    Column::right("spent_naira", "Naira today", |it| Cell::balance(it.spent_naira)),
    Column::left("proven", "Proven", |it| Cell::text(if it.proven { "yes" } else { "no" })),
];

fn cap(cap: Option<Amount>, is_default: bool) -> Cell {
    let cap = cap.map_or_else(|| "none".to_owned(), |cap| cap.to_fixed(2));
    Cell::text(&if is_default { format!("{cap} (default)") } else { cap })
}

/// Sets what was named, and shows what is in effect.
async fn limits(context: &Context, args: LimitsArgs) -> Result<Exit> {
    let client = context.client_showing(LIMIT_COLUMNS)?;
    let path = format!("/admin/users/{}/limits", id_of(&client, &args.user).await?);
    let mut change = Map::new();
    for (field, value) in [("cap_espees", args.cap_espees), ("cap_naira", args.cap_naira)] {
        change.extend(value.map(|value| (field.to_owned(), Value::String(value))));
    }
    if args.proven || args.not_proven {
        change.insert("proven".to_owned(), Value::Bool(args.proven));
    }
    let answer: Answer<UserLimits> =
        if change.is_empty() { client.get(&path, &()).await? } else { client.put(&path, &change).await? };
    context.out.record(&answer.json, &answer.value, LIMIT_COLUMNS)?;
    context.out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

/// Sets or removes a user's rate plan.
async fn rate_plan(context: &Context, args: RatePlanArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/admin/users/{}/rate-plan", id_of(&client, &args.user).await?);
    let answer: Answer<UserRatePlan> =
        client.put(&path, &json!({ "plan": args.plan.unwrap_or_default() })).await?;
    let told = match &answer.value.plan {
        Some(plan) => {
            format!("{} has the rate plan '{plan}'; quotes that were given keep their price", args.user)
        }
        None => format!("{} has no rate plan; quotes that were given keep their price", args.user),
    };
    context.out.done(&answer.json, &told)?;
    Ok(Exit::Done)
}

/// Sets or removes the default purpose of a user's messages.
async fn purpose(context: &Context, args: UserPurposeArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/admin/users/{}/purpose", id_of(&client, &args.user).await?);
    let answer: Answer<UserPurpose> =
        client.put(&path, &json!({ "purpose": args.default.purpose.unwrap_or_default() })).await?;
    let told = match answer.value.purpose {
        Some(purpose) => {
            let (user, purpose) = (&args.user, purpose.code());
            format!(
                "Messages of {user} are {purpose} unless the request, its API key or its sender ID says otherwise"
            )
        }
        None => format!("Messages of {} have no default purpose: they are transactional", args.user),
    };
    context.out.done(&answer.json, &told)?;
    Ok(Exit::Done)
}

/// Withdraws the right to send codes, or gives it back.
async fn codes(context: &Context, args: UserCodesArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/admin/users/{}/codes", id_of(&client, &args.user).await?);
    let body = json!({ "allowed": args.right == CodesRight::Allow });
    let answer: Answer<UserCodes> = client.put(&path, &body).await?;
    let user = &args.user;
    let told = match (answer.value.codes_allowed, answer.value.campaigns_paused) {
        (true, _) => {
            format!("{user} may send codes; campaigns that were paused wait for {user} to resume them")
        }
        (false, 0) => format!("{user} may not send codes"),
        (false, paused) => format!("{user} may not send codes; campaigns of codes that paused: {paused}"),
    };
    context.out.done(&answer.json, &told)?;
    Ok(Exit::Done)
}

/// Puts a user's data under a legal hold.
async fn hold(context: &Context, args: HoldUserArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/admin/users/{}/legal-hold", id_of(&client, &args.user).await?);
    let answer: Answer<UserLegalHold> = client.put(&path, &json!({ "reason": args.reason })).await?;
    let told = format!("The data of {} is under a legal hold: nothing of it is erased", args.user);
    context.out.done(&answer.json, &told)?;
    Ok(Exit::Done)
}

/// Lifts the legal hold on a user's data.
async fn unhold(context: &Context, args: UserArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/admin/users/{}/legal-hold", id_of(&client, &args.user).await?);
    let answer: Answer<UserLegalHold> = client.delete(&path).await?;
    let told = format!("There is no legal hold on the data of {}: what is past its time goes", args.user);
    context.out.done(&answer.json, &told)?;
    Ok(Exit::Done)
}

/// Deletes a user, after asking.
async fn delete(context: &Context, args: DeleteUserArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let question = format!("Delete user {id} ({}) and cancel their campaigns for good?", args.user);
    context.agree(args.yes, &question, "no one was deleted")?;
    let answer: Answer<UserDeleted> = client.delete(&format!("/admin/delete-user/{id}")).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// `{"user": ..., "message": ...}`.
#[derive(Debug, Deserialize)]
struct Created {
    user: User,
}

/// Makes a user.
async fn create(context: &Context, args: CreateUserArgs) -> Result<Exit> {
    let password = context.password(args.password_stdin, &format!("Password for {}:", args.username))?;
    let body = json!({
        "name": args.name.as_ref().unwrap_or(&args.username),
        "username": args.username,
        "email": args.email,
        "phone_number": args.phone,
        "password": password,
        "role": args.role.code(),
        "email_verified": !args.email_unverified,
    });
    let client = context.client()?;
    // Stdin, if it is read at all, has the new user's password.
    let answer: Answer<Created> =
        context.proven(&client, false, async || client.post("/admin/users", &body, None).await).await?;
    let user = &answer.value.user;
    context.out.done(&answer.json, &format!("User {} made: {} ({})", user.id, user.username, user.role))?;
    Ok(Exit::Done)
}

/// The message and the new balance of the wallet that was credited.
#[derive(Debug, Deserialize)]
struct Credited {
    #[serde(default)]
    message: String,
    espee_balance: Option<Amount>,
    paystack_balance: Option<Amount>,
}

/// Credits a wallet. The payment reference makes it safe to run twice: the second time is refused.
async fn credit(context: &Context, args: CreditArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let (call, field) = match args.currency {
        Pay::Espees => ("assign-espee", "espees"),
        Pay::Naira => ("assign-naira", "amount"),
    };
    let body = json!({ field: args.amount, "payment_ref": args.reference });
    let path = format!("/admin/{call}/{id}");
    let again = format!(
        "it is safe to run the same command again: under the reference {} nothing is credited twice",
        args.reference
    );
    let answer: Answer<Credited> = context.repeatable(&again, client.post(&path, &body, None)).await?;
    let balance = answer.value.espee_balance.or(answer.value.paystack_balance);
    let label = args.currency.currency().label();
    let mut sentence = answer.value.message.clone();
    if let Some(balance) = balance {
        sentence.push_str(&format!(" (balance now {} {label})", balance.to_fixed(2)));
    }
    context.out.done(&answer.json, sentence.trim_start())?;
    Ok(Exit::Done)
}

/// Lets a user send, or stops it.
async fn activate(context: &Context, args: UserArgs, active: bool) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let call = if active { "activate-user" } else { "deactivate-user" };
    let (path, body) = (format!("/admin/{call}/{id}"), json!({}));
    let answer: Answer<Message> =
        context.proven(&client, false, async || client.post(&path, &body, None).await).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
