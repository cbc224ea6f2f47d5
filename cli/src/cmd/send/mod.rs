//! `talkdrum send` and `talkdrum quote`: quote, show, ask, confirm, and perhaps follow.

pub(super) mod confirm;
pub(super) mod follow;
mod limit;
mod quote;

use std::path::PathBuf;

use talkdrum_api::campaign::{Campaign, Quote};
use talkdrum_api::kind::Kind;

use self::confirm::confirm;
use self::follow::Patience;
use crate::args::{CanaryArgs, ConsentArgs, FollowArgs, Format, QuoteArgs, QuoteLimitArgs, SendArgs};
use crate::client::{CallError, Client};
use crate::cmd::Context;
use crate::cmd::campaign_columns::COLUMNS as CAMPAIGN_COLUMNS;
use crate::cmd::groups::find_group;
use crate::cmd::idempotency::Keys;
use crate::cmd::templates::find_template;
use crate::exit::{Exit, Failure, Result};
use crate::form::{CampaignForm, can_ask};
use crate::output::{QUOTE_COLUMNS, currency_label, json_object, quote_table, to_json};
use crate::zone::{is_from_now, is_relative};

/// How a form is sent: to whom else, whether it is asked first, and what follows.
#[derive(Debug)]
pub(crate) struct Sending {
    /// Groups that get it too.
    pub(crate) groups: Vec<String>,
    /// What ends it before it costs anything.
    pub(crate) limits: QuoteLimitArgs,
    /// Who gets it before the rest, as it is said.
    pub(crate) canary: CanaryArgs,
    /// Whether to ask first.
    pub(crate) consent: ConsentArgs,
    /// The key that makes it repeatable.
    pub(crate) key: Option<String>,
    /// When it starts, as it is said.
    pub(crate) at: Vec<String>,
    /// Where rejects are saved.
    pub(crate) rejects: Option<PathBuf>,
    /// Whether to follow the campaign.
    pub(crate) wait: bool,
    /// When the waiting ends.
    pub(crate) follow: FollowArgs,
}

/// Quotes, asks, sends.
pub(crate) async fn run(context: &Context, args: SendArgs) -> Result<Exit> {
    let mut form = CampaignForm::read(&args.form, &context.out.zone, &context.defaults)?;
    if let Some(name) = &args.form.template {
        form.set_message(find_template(&context.client()?, name).await?.text);
    }
    let sending = Sending {
        groups: args.form.recipients.group,
        limits: args.limits,
        canary: args.form.canary,
        consent: args.consent,
        key: args.key,
        at: args.form.at,
        rejects: args.form.rejects,
        wait: args.wait,
        follow: args.follow,
    };
    send_form(context, form, sending).await
}

/// Quotes a form, asks, and sends it.
pub(crate) async fn send_form(context: &Context, mut form: CampaignForm, sending: Sending) -> Result<Exit> {
    require_wait(sending.wait, &sending.follow)?;
    require_consent(sending.consent, form.reads_stdin())?;
    if sending.key.is_some() && is_from_now(&sending.at) {
        return Err(Failure::usage("--at +... does not go with --key: it is another time in each run")
            .hint("say the time: --at 'tomorrow 09:00' or --at '2027-01-04 09:00'"));
    }
    let mut context = context.saving_rejects(sending.rejects.as_deref(), form.files())?;
    let client = client_to_send(&context, sending.consent)?;
    add_groups(&client, &mut form, &sending.groups).await?;
    let starts = if is_relative(&sending.at) { form.starts(&context.out.zone) } else { Vec::new() };
    let mut keys = Keys::new(sending.key.as_deref(), starts);
    loop {
        match attempt(&context, &client, &form, &sending, &keys).await? {
            Attempt::Ended(exit) => return Ok(exit),
            Attempt::RanOut(error) if form.reads_once() || keys.next().is_none() => return Err(error),
            Attempt::RanOut(_) => {
                context.out.note("The quote of an earlier run with this key ran out.");
                // Its rejects were saved just now.
                context.out.force = true;
            }
        }
    }
}

/// How one round of quote and confirm went.
enum Attempt {
    /// To its end.
    Ended(Exit),
    /// The given key stands for a quote that ran out before it was confirmed: nothing was sent under it, nor
    /// ever can be.
    RanOut(Failure),
}

async fn attempt(
    context: &Context,
    client: &Client,
    form: &CampaignForm,
    args: &Sending,
    keys: &Keys,
) -> Result<Attempt> {
    let key = (!args.consent.dry_run).then(|| keys.for_quote());
    let is_old = |error: &CallError| keys.is_given() && confirm::ran_out(error);
    context.interruption.means(quote::under_given(keys).unwrap_or_default());
    let asked = quote::ask(context, client, form, key.as_deref()).await;
    context.interruption.means("");
    let quote = match asked? {
        Ok(quote) => quote,
        Err(error) if is_old(&error) => return Ok(Attempt::RanOut(error.into())),
        Err(error) => return Err(quote::failure(error, Some(keys))),
    };
    quote::save_rejects(context, client, &quote, args.rejects.as_deref()).await?;
    if args.consent.dry_run {
        let exit = dry_run(context, &quote)?;
        limit::check(&quote, &args.limits, keys.is_given())?;
        limit::check_canary(&quote, &args.canary)?;
        return Ok(Attempt::Ended(exit));
    }
    limit::check(&quote, &args.limits, keys.is_given())?;
    limit::check_canary(&quote, &args.canary)?;
    offer(context, args.consent, &quote, keys.is_given())?;
    match confirm(context, client, &quote, keys).await {
        Ok(confirmed) => {
            let campaigns = confirmed.value.campaigns;
            finish(context, client, quote, campaigns, args.wait, &args.follow, &[]).await.map(Attempt::Ended)
        }
        Err(error) if is_old(&error) => Ok(Attempt::RanOut(confirm::failure(error, &quote, keys))),
        Err(error) => Err(confirm::failure(error, &quote, keys)),
    }
}

/// Shows a quote and sends nothing.
pub(crate) async fn quote_only(context: &Context, args: QuoteArgs) -> Result<Exit> {
    let mut form = CampaignForm::read(&args.form, &context.out.zone, &context.defaults)?;
    let context = &context.saving_rejects(args.form.rejects.as_deref(), form.files())?;
    let client = context.client_showing(QUOTE_COLUMNS)?;
    add_groups(&client, &mut form, &args.form.recipients.group).await?;
    if let Some(name) = &args.form.template {
        form.set_message(find_template(&client, name).await?.text);
    }
    let quote =
        quote::ask(context, &client, &form, None).await?.map_err(|error| quote::failure(error, None))?;
    quote::save_rejects(context, &client, &quote, args.form.rejects.as_deref()).await?;
    dry_run(context, &quote)
}

/// Says what to know before going on, and which columns of numbers were not read. In every format: the charge may be as
/// wished, and the list not.
pub(crate) fn say_notices(context: &Context, notices: &[String], unread: &[String], option: &str) {
    for notice in notices {
        context.out.warn(notice);
    }
    if !unread.is_empty() {
        context.out.note(&format!("to read several columns, repeat {option} NAME for each"));
    }
}

/// Finds the groups that are sent to.
pub(crate) async fn add_groups(client: &Client, form: &mut CampaignForm, groups: &[String]) -> Result<()> {
    for name in groups {
        form.add_group(find_group(client, name).await?.id);
    }
    Ok(())
}

/// Conditions on an outcome need an outcome.
pub(crate) fn require_wait(wait: bool, follow: &FollowArgs) -> Result<()> {
    let idle = match (follow.fail_if.is_empty(), follow.receipts) {
        _ if wait => return Ok(()),
        (false, _) => "--fail-if",
        (true, 1..) => "--receipts",
        (true, 0) if follow.timeout.is_some() => "--timeout",
        (true, 0) => return Ok(()),
    };
    Err(Failure::usage(format!("{idle} needs --wait")).hint("without waiting there is no outcome to judge"))
}

/// The client of a command that quotes and sends: it shows the quote, or the campaigns that were made of it.
pub(crate) fn client_to_send(context: &Context, consent: ConsentArgs) -> Result<Client> {
    if consent.dry_run {
        context.client_showing(QUOTE_COLUMNS)
    } else {
        context.client_showing(CAMPAIGN_COLUMNS)
    }
}

/// Without a person to ask, `--yes` has to be given; better said before the upload than after it.
pub(crate) fn require_consent(consent: ConsentArgs, stdin_is_taken: bool) -> Result<()> {
    if consent.yes || consent.dry_run || (can_ask() && !stdin_is_taken) {
        return Ok(());
    }
    Err(Failure::no_terminal("to confirm on")
        .hint("--yes goes on without asking, --dry-run stops after the quote"))
}

/// Prints the quote as the result.
pub(crate) fn dry_run(context: &Context, quote: &Quote) -> Result<Exit> {
    let out = &context.out;
    say_notices(context, &quote.notices, &quote.unread_columns, "--column");
    match out.format {
        Format::Table => out.data(&quote_table(quote, &out.zone).render())?,
        Format::Csv => out.csv(std::slice::from_ref(quote), QUOTE_COLUMNS)?,
        Format::Json => out.line(&json_object(&[("quote", to_json(quote)?)]))?,
        Format::Jsonl => out.json_lines(std::slice::from_ref(quote))?,
    }
    if let Some((short, label)) = confirm::shortfall(quote) {
        out.warn(&format!("the wallet is {} {label} short of this", short.to_fixed(5)));
    }
    Ok(Exit::Done)
}

/// Shows the quote and asks. Too little in the wallet ends it here, unless the key is one that may have paid
/// already: then the daemon decides.
pub(crate) fn offer(
    context: &Context,
    consent: ConsentArgs,
    quote: &Quote,
    key_is_given: bool,
) -> Result<()> {
    say_notices(context, &quote.notices, &quote.unread_columns, "--column");
    let table = quote_table(quote, &context.out.zone).render();
    if context.out.is_table() && !context.out.quiet {
        context.out.data(&table)?;
    } else if !consent.yes {
        // A person decides on what stdout's reader gets in another form.
        context.out.note(table.trim_end());
    }
    if let Some((short, label)) = confirm::shortfall(quote).filter(|_| !key_is_given) {
        return Err(confirm::too_poor(quote, short, &label));
    }
    if !consent.yes && !context.confirm(&question(quote))? {
        return Err(Failure::not_confirmed("nothing was sent").hint("the quote runs out by itself"));
    }
    Ok(())
}

/// What a person is asked, with what it means.
fn question(quote: &Quote) -> String {
    let (contacts, runs) = (quote.total_contacts, quote.starts.len().max(1));
    let (verb, one, many, most) = match quote.sms_type == Kind::Voice.code() {
        true => ("Call", "number", "numbers", "at most "),
        false => ("Send", "message", "messages", ""),
    };
    let what = if contacts == 1 { one } else { many };
    let times = if runs == 1 { String::new() } else { format!(" {runs} times") };
    let (charge, currency) = (grouped(&quote.total_charges.to_fixed(5)), currency_label(&quote.currency));
    format!("{verb} {} {what}{times} for {most}{charge} {currency}?", grouped(&contacts.to_string()))
}

/// A number that is not below zero, with commas between thousands: people decide by it.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut text = String::with_capacity(number.len() + whole.len() / 3);
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

/// Reports what was started; follows it where that is wanted. Whatever comes of following one, all are reported. JSON has
/// the members of `beside` too.
pub(crate) async fn finish(
    context: &Context,
    client: &Client,
    quote: Quote,
    campaigns: Vec<Campaign>,
    wait: bool,
    follow: &FollowArgs,
    beside: &[(&str, String)],
) -> Result<Exit> {
    let mut exit = Exit::Done;
    let mut last = Vec::with_capacity(campaigns.len());
    let mut failures = Vec::new();
    let patience = Patience::from_now(follow);
    for campaign in campaigns {
        if !wait {
            started(context, &campaign)?;
            last.push(campaign);
            continue;
        }
        let (now, failure) = match follow::to_the_end(context, client, campaign.id, patience).await {
            Ok(ended) => (ended, None),
            Err(stopped) => {
                let failure = stopped.after_start(campaign.id);
                let now = follow::fetch(client, campaign.id).await.unwrap_or(campaign);
                // It may have ended while another one was waited for.
                let goes_on = failure.exit != Exit::GoesOn || !follow::is_over(&now);
                (now, Some(failure).filter(|_| goes_on))
            }
        };
        if failure.is_none() && context.out.is_table() && !context.out.quiet {
            context.out.data(&format!("\n{}", crate::output::outcome_table(&now).render()))?;
        }
        if let Some(failure) = failure.or_else(|| follow::verdict(&now, &follow.fail_if)) {
            failures.push(failure);
        }
        last.push(now);
    }
    let out = &context.out;
    // The worst is last, where a program reads why the command ended as it did.
    failures.sort_by_key(|failure| grade(failure.exit));
    for failure in &failures {
        out.failure(failure);
        exit = failure.exit;
    }
    match out.format {
        Format::Table => {}
        Format::Csv => out.csv(&last, CAMPAIGN_COLUMNS)?,
        Format::Jsonl => out.json_lines(&last)?,
        Format::Json => {
            let own = [("quote", to_json(&quote)?), ("campaigns", to_json(&last)?)];
            out.line(&json_object(&[beside, &own[..]].concat()))?;
        }
    }
    Ok(exit)
}

/// How bad the end of a campaign is: a failure is worse than what is not known yet, and that than a limit.
fn grade(exit: Exit) -> u8 {
    match exit {
        Exit::Done => 0,
        Exit::BeyondLimit => 1,
        Exit::GoesOn => 2,
        _ => 3,
    }
}

fn started(context: &Context, campaign: &Campaign) -> Result<()> {
    if !context.out.is_table() || context.out.quiet {
        return Ok(());
    }
    let start = match &campaign.scheduled_at {
        Some(time) => format!("starts at {}", context.out.zone.show(time)),
        None => campaign.status.clone(),
    };
    context.out.line(&format!("Campaign {}: {start}", campaign.id))?;
    context.out.note(&format!("watch it with: talkdrum campaigns watch {}", campaign.id));
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_question_says_how_many_for_how_much() {
        let asked = |contacts: i64, charge: &str, kind: &str, runs: usize| {
            let quote = json!({
                "quote_id": 12, "total_contacts": contacts, "total_duplicates_removed": 0, "total_invalid": 0,
                "rejects": [], "total_suppressed": 0, "total_charges": charge, "charges_per_run": charge,
                "sms_type": kind, "route": "DEFAULT", "sender_id": "WEBSMS", "message": "Hello", "pages": [1, 1],
                "segments": [1, 1], "total_pages": contacts, "total_segments": contacts, "encoding": "gsm7",
                "replacements": [], "unit_price": 4.5, "currency": "naira", "balance": 0, "balance_after": 0,
                "networks": {}, "starts": vec![""; runs], "estimated_finish": null, "expires_at": "",
            });
            question(&serde_json::from_value(quote).unwrap())
        };
        assert_eq!(asked(2_685, "12082.5", "text", 0), "Send 2,685 messages for 12,082.50000 Naira?");
        assert_eq!(asked(1, "999", "text", 1), "Send 1 message for 999.00000 Naira?");
        assert_eq!(asked(100, "1000", "voice", 2), "Call 100 numbers 2 times for at most 1,000.00000 Naira?");
    }
}
