//! Prices: one by one, and as a file that is planned and applied; rates by destination.

mod file;
pub(super) mod get;
mod plan;
pub(super) mod rates;

use file::PriceFile;
use plan::{CHANGE_COLUMNS, Plan};
use serde::Serialize;
use serde_json::{Map, Value, json};
use talkdrum_api::account::Message;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::query::PriceQuery;
use talkdrum_api::setting::{PriceChange, PriceHistory, PricesChanged, Rate, RatesChanged};

use crate::args::{ApplyPricesArgs, PlanPricesArgs, PriceHistoryArgs, Priced, PricesCommand, SetPriceArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Code, Exit, Failure, Result};
use crate::form::can_ask;
use crate::output::{Cell, Column, json_object, rows_for_people, to_json};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: PricesCommand) -> Result<Exit> {
    match command {
        PricesCommand::Get => get::run(context).await,
        PricesCommand::Set(args) => set(context, args).await,
        PricesCommand::Plan(args) => plan(context, args).await,
        PricesCommand::Apply(args) => apply(context, args).await,
        PricesCommand::History(args) => history(context, args).await,
    }
}

/// Every price with the specification's name, in the order in which they are shown.
const ALL: [(Priced, Currency, &str); 8] = [
    (Priced::Sms, Currency::Espees, "SMS-UNIT-PRICE"),
    (Priced::Sms, Currency::Naira, "SMS-UNIT-PRICE-IN-NAIRA"),
    (Priced::SmsAbroad, Currency::Espees, "SMS-ABROAD-UNIT-PRICE"),
    (Priced::SmsAbroad, Currency::Naira, "SMS-ABROAD-UNIT-PRICE-IN-NAIRA"),
    (Priced::Voice, Currency::Espees, "VOICE-UNIT-PRICE"),
    (Priced::Voice, Currency::Naira, "VOICE-UNIT-PRICE-NAIRA"),
    (Priced::VirtualNumber, Currency::Espees, "VIRTUAL-UNIT-PRICE"),
    (Priced::OwnNumber, Currency::Espees, "OWN-UNIT-PRICE"),
];

/// In the order in which they are shown.
const CURRENCIES: [Currency; 2] = [Currency::Espees, Currency::Naira];

/// Where a rate is in force, as in `+44`, `+234 mtn` and `+234 mtn for otp`.
fn destination(rate: &Rate) -> String {
    let network = rate.network.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    let purpose = rate.purpose.map_or_else(String::new, |purpose| format!(" for {}", purpose.code()));
    format!("+{}{network}{purpose}", rate.prefix)
}

/// Its price in a currency.
const fn rate_in(rate: &Rate, currency: Currency) -> Option<Amount> {
    match currency {
        Currency::Espees => rate.espees,
        Currency::Naira => rate.naira,
    }
}

/// Sets one price. Quotes that were given keep theirs.
async fn set(context: &Context, args: SetPriceArgs) -> Result<Exit> {
    let currency = args.currency.currency();
    let path = match (args.of, currency) {
        (Priced::Sms, Currency::Espees) => "/admin/set-sms-unit-price",
        (Priced::Sms, Currency::Naira) => "/admin/set-sms-unit-price-naira",
        (Priced::SmsAbroad, Currency::Espees) => "/admin/set-sms-abroad-unit-price",
        (Priced::SmsAbroad, Currency::Naira) => "/admin/set-sms-abroad-unit-price-naira",
        (Priced::Voice, Currency::Espees) => "/admin/set-voice-unit-price",
        (Priced::Voice, Currency::Naira) => "/admin/set-voice-unit-price-naira",
        (Priced::VirtualNumber, Currency::Espees) => "/admin/set-virtual-unit-price",
        (Priced::OwnNumber, Currency::Espees) => "/admin/set-own-number-unit-price",
        (Priced::VirtualNumber | Priced::OwnNumber, Currency::Naira) => {
            return Err(in_espees_only());
        }
    };
    let answer: Answer<Message> = context.client()?.post(path, &json!({ "price": args.price }), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

fn in_espees_only() -> Failure {
    Failure::usage("numbers have a price in ESPEES only")
        .hint("in Naira, such calls cost the price of voice: talkdrum prices set --of voice --currency naira")
}

/// Shows what a file would change.
async fn plan(context: &Context, args: PlanPricesArgs) -> Result<Exit> {
    let file = PriceFile::read(&args.file)?;
    let plan = Plan::of(&context.client()?, &file).await?;
    plan.warnings.iter().for_each(|warning| context.out.warn(warning));
    if plan.changes.is_empty() && context.out.is_table() {
        context.out.line("No price changes: they are the file's already")?;
        return Ok(Exit::Done);
    }
    let total = i64::try_from(plan.changes.len()).unwrap_or(i64::MAX);
    context.out.list(&to_json(&plan)?, &plan.changes, total, CHANGE_COLUMNS)?;
    context.out.note(&format!(
        "set them with: talkdrum prices apply {} --expect {}",
        args.file.display(),
        plan.version
    ));
    Ok(Exit::Done)
}

/// Sets the prices of a file, all or none, and only from the prices that were compared with.
async fn apply(context: &Context, args: ApplyPricesArgs) -> Result<Exit> {
    let file = PriceFile::read(&args.file)?;
    let client = context.client_showing(CHANGE_COLUMNS)?;
    let plan = Plan::of(&client, &file).await?;
    plan.warnings.iter().for_each(|warning| context.out.warn(warning));
    if plan.changes.is_empty() {
        context.out.done(&to_json(&plan)?, "No price changes: they are the file's already")?;
        return Ok(Exit::Done);
    }
    if let Some(expected) = args.expect.as_ref().filter(|expected| **expected != plan.version) {
        let message = format!(
            "the prices were changed since the plan: they are at version {}, not {expected}",
            plan.version
        );
        return Err(Failure::refused(Code::PricesChanged, message)
            .hint(format!("look again with: talkdrum prices plan {}", args.file.display())));
    }
    if !args.yes {
        if !can_ask() {
            return Err(Failure::no_terminal("to confirm on")
                .hint("--yes goes on without asking, talkdrum prices plan shows what would be done"));
        }
        // Beside the data: of that there is one answer, to what is done.
        context.out.note(rows_for_people(&plan.changes, CHANGE_COLUMNS, &context.out.zone).trim_end());
        context.agree(false, "Change these prices?", "no price was changed")?;
    }
    if let Some(order) = plan.with_rates() {
        let answer: Answer<RatesChanged> = client.put("/admin/rates", &order).await?;
        context.out.done(&answer.json, &answer.value.message)?;
        return Ok(Exit::Done);
    }
    let mut body: Map<String, Value> =
        plan.prices().into_iter().map(|(key, price)| (key, json!(price.to_string()))).collect();
    body.insert("expect".to_owned(), plan.version_of_prices().into());
    let answer: Answer<PricesChanged> = client.post("/admin/set-prices", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// A change of a price, under the names that the other commands have for it.
#[derive(Debug, Serialize)]
struct Changed {
    id: i64,
    at: String,
    of: String,
    /// The rate plan; `None` of prices and of rates for all.
    plan: Option<String>,
    currency: Option<&'static str>,
    before: Option<Amount>,
    after: Option<Amount>,
    user_id: Option<i64>,
    username: Option<String>,
}

impl From<PriceChange> for Changed {
    fn from(it: PriceChange) -> Self {
        let known = ALL.into_iter().find(|(.., key)| *key == it.price);
        let rate = it.price.strip_prefix("RATE ").and_then(|rate| rate.rsplit_once(' '));
        let of_rate = rate.and_then(|(of, code)| Some((of, code.parse::<Currency>().ok()?)));
        let (plan, of_rate) = match of_rate.map(|(of, currency)| (of.split_once(' '), of, currency)) {
            Some((Some((plan, destination)), _, currency)) if !plan.starts_with('+') => {
                (Some(plan.to_owned()), Some((destination.to_owned(), currency)))
            }
            Some((_, of, currency)) => (None, Some((of.to_owned(), currency))),
            None => (None, None),
        };
        let named = known.map(|(of, currency, _)| (of.name().to_owned(), currency)).or(of_rate);
        // A newer daemon may have prices that this client does not know.
        let (of, currency) = named.map_or((it.price, None), |(of, currency)| (of, Some(currency.code())));
        let amount = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let (before, after) = (amount(it.before), amount(it.after));
        Self {
            id: it.id,
            at: it.at,
            of,
            plan,
            currency,
            before,
            after,
            user_id: it.user_id,
            username: it.username,
        }
    }
}

/// What a price is of, in a table: as in `sms`, `+44` and `+44 (plan gold)`.
fn named(of: &str, plan: Option<&str>) -> String {
    plan.map_or_else(|| of.to_owned(), |plan| format!("{of} (plan {plan})"))
}

const HISTORY_COLUMNS: &[Column<Changed>] = &[
    Column::left("at", "When", |it| Cell::Time(it.at.clone())),
    Column::left("of", "Price of", |it| Cell::text(named(&it.of, it.plan.as_deref()))),
    Column::left("currency", "Currency", |it| it.currency.map_or(Cell::Empty, Cell::text)),
    Column::right("before", "Before", |it| it.before.map_or(Cell::Empty, Cell::charge)),
    Column::right("after", "After", |it| it.after.map_or(Cell::Empty, Cell::charge)),
    Column::left("username", "By", |it| Cell::maybe(it.username.as_ref())),
];

/// Lists every change of a price.
async fn history(context: &Context, args: PriceHistoryArgs) -> Result<Exit> {
    let mut price = None;
    if let (Some(of), Some(pay)) = (args.of, args.currency) {
        let wanted = (of, pay.currency());
        let known = ALL.into_iter().find(|(of, currency, _)| (*of, *currency) == wanted);
        let (.., key) = known.ok_or_else(in_espees_only)?;
        price = Some(key.to_owned());
    }
    let query = args.page.query().and(PriceQuery { price });
    let answer: Answer<PriceHistory> = context.client()?.get("/admin/price-history", &query).await?;
    let PriceHistory { prices, total } = answer.value;
    let changes: Vec<Changed> = prices.into_iter().map(Changed::from).collect();
    let json = json_object(&[("prices", to_json(&changes)?), ("total", total.to_string())]);
    context.out.list(&json, &changes, total, HISTORY_COLUMNS)?;
    Ok(Exit::Done)
}
