//! Campaigns.

pub(super) mod export;
pub(super) mod resend;

use serde::{Deserialize, Serialize};
use serde_json::json;
use talkdrum_api::breakdown::{Breakdown, NetworkOutcome, ReasonCount};
use talkdrum_api::campaign::{Campaign, Campaigns};
use talkdrum_api::query::UserQuery;

use crate::args::{CampaignsCommand, CancelArgs, IdArgs, ListCampaignsArgs, SureArgs, WatchArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::campaign_columns::COLUMNS;
use crate::cmd::send::follow::{self, Patience};
use crate::cmd::users::id_of;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, answer_table, outcome_table, rows_for_people, to_json};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: CampaignsCommand) -> Result<Exit> {
    match command {
        CampaignsCommand::List(args) => list(context, args).await,
        CampaignsCommand::Show(args) => show(context, args).await,
        CampaignsCommand::Breakdown(args) => breakdown(context, args).await,
        CampaignsCommand::Watch(args) => watch(context, args).await,
        CampaignsCommand::Pause(args) => control(context, args, "pause").await,
        CampaignsCommand::Resume(args) => control(context, args, "resume").await,
        CampaignsCommand::Cancel(args) => cancel(context, args).await,
        CampaignsCommand::Resend(args) => resend::run(context, args).await,
        CampaignsCommand::Export(args) => export::run(context, args).await,
    }
}

/// `{"campaign": ...}`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Shown {
    pub(super) campaign: Campaign,
    #[serde(default)]
    pub(super) message: String,
}

/// Lists campaigns, newest first.
async fn list(context: &Context, args: ListCampaignsArgs) -> Result<Exit> {
    let path = if args.all { "/admin/get-all-camapaign-history" } else { "/api/get-campaign-history" };
    let client = context.client()?;
    let user_id = match &args.user {
        Some(user) => Some(id_of(&client, user).await?.to_string()),
        None => None,
    };
    let query = args.page.query().and(args.filter.query()).and(UserQuery { user_id });
    let answer: Answer<Campaigns> = client.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.campaigns, answer.value.total, COLUMNS)?;
    context.out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

/// What a campaign is, above what became of it.
const DETAILS: &[Column<Campaign>] = &[
    Column::left("sms_type", "SMS type", |it| Cell::text(&it.sms_type)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.code())),
    Column::left("senderid", "Sender ID", |it| Cell::text(&it.senderid)),
    Column::left("msg", "Message", |it| Cell::text(&it.msg)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::right("quote_id", "Quote", |it| Cell::Number(it.quote_id)),
    Column::left("created_at", "Confirmed", |it| Cell::Time(it.created_at.clone())),
    Column::left("scheduled_at", "Scheduled", |it| Cell::time(it.scheduled_at.as_ref())),
    Column::left("started_at", "Started", |it| Cell::time(it.started_at.as_ref())),
    Column::left("completed_at", "Completed", |it| Cell::time(it.completed_at.as_ref())),
    Column::right("total_charges", "Quoted", |it| Cell::charge(it.total_charges)),
];

/// Shows one campaign.
async fn show(context: &Context, args: IdArgs) -> Result<Exit> {
    let answer: Answer<Shown> = context.client()?.get(&format!("/api/campaigns/{}", args.id), &()).await?;
    let (out, campaign) = (&context.out, &answer.value.campaign);
    if !out.is_table() {
        out.record(&answer.json, campaign, COLUMNS)?;
        return Ok(Exit::Done);
    }
    out.record(&answer.json, campaign, DETAILS)?;
    out.line("")?;
    out.data(&outcome_table(campaign).render())?;
    if let Some(poll) = &campaign.poll {
        out.line("")?;
        out.data(&answer_table(poll).render())?;
    }
    out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

const NETWORKS: &[Column<NetworkOutcome>] = &[
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::right("ordered", "Ordered", |it| Cell::Number(it.ordered)),
    Column::right("delivered", "Delivered", |it| Cell::Number(it.delivered)),
    Column::right("awaited", "Awaited", |it| Cell::Number(it.awaited)),
    Column::right("undelivered", "Undelivered", |it| Cell::Number(it.undelivered)),
    Column::right("rejected", "Rejected", |it| Cell::Number(it.rejected)),
    Column::right("expired", "Expired", |it| Cell::Number(it.expired)),
    Column::right("unknown", "Unknown", |it| Cell::Number(it.unknown)),
    Column::right("delivered_per_mille", "Delivered ‰", |it| {
        it.delivered_per_mille.map_or(Cell::Empty, Cell::Number)
    }),
];

const REASONS: &[Column<ReasonCount>] = &[
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("count", "Messages", |it| Cell::Number(it.count)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
];

/// Shows what became of a campaign by network, and why messages failed. Its buckets over time are in the JSON.
async fn breakdown(context: &Context, args: IdArgs) -> Result<Exit> {
    let path = format!("/api/campaigns/{}/breakdown", args.id);
    let answer: Answer<Breakdown> = context.client()?.get(&path, &()).await?;
    let (out, Breakdown { networks, reasons, .. }) = (&context.out, &answer.value);
    let total = i64::try_from(networks.len()).unwrap_or(i64::MAX);
    out.list(&answer.json, networks, total, NETWORKS)?;
    if out.is_table() && !reasons.is_empty() {
        out.line("")?;
        out.data(&rows_for_people(reasons, REASONS, &out.zone))?;
    }
    out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

/// Follows a campaign to its end and reports what became of it.
async fn watch(context: &Context, args: WatchArgs) -> Result<Exit> {
    let client = context.client_showing(COLUMNS)?;
    let patience = Patience::from_now(&args.follow);
    let campaign = follow::to_the_end(context, &client, args.id, patience).await?;
    let failure = follow::verdict(&campaign, &args.follow.fail_if);
    let out = &context.out;
    if !out.is_table() {
        let shown = Shown { campaign, message: String::new() };
        out.record(&to_json(&shown)?, &shown.campaign, COLUMNS)?;
    } else if !out.quiet {
        out.data(&outcome_table(&campaign).render())?;
    }
    failure.map_or(Ok(Exit::Done), Err)
}

/// Ends a campaign, after a question that says what of it is left.
async fn cancel(context: &Context, args: CancelArgs) -> Result<Exit> {
    let SureArgs { yes, dry_run } = args.consent;
    if !yes || dry_run {
        let answer: Answer<Shown> =
            context.client()?.get(&format!("/api/campaigns/{}", args.id), &()).await?;
        let campaign = &answer.value.campaign;
        let queued = campaign.counts.queued;
        let left = format!("{queued} of {} messages are not sent yet", campaign.total_contacts);
        if dry_run {
            let sentence = format!(
                "Campaign {} is {}: {left}. Cancelling it refunds what is reserved for them; nothing was changed",
                campaign.id, campaign.status
            );
            context.out.done(&answer.json, &sentence)?;
            return Ok(Exit::Done);
        }
        let question = format!("Cancel campaign {} ({}) for good? {left}", campaign.id, campaign.status);
        context.agree(yes, &question, "the campaign is as it was")?;
    }
    control(context, IdArgs { id: args.id }, "cancel").await
}

/// Asks for one of the three; `verb` is the last part of the call's path.
async fn control(context: &Context, args: IdArgs, verb: &str) -> Result<Exit> {
    let path = format!("/api/campaigns/{}/{verb}", args.id);
    let answer: Answer<Shown> = context.client()?.post(&path, &json!({}), None).await?;
    let Shown { campaign, message } = &answer.value;
    let sentence = match message.as_str() {
        "" => format!("Campaign {}: {}", campaign.id, campaign.status),
        message => format!("Campaign {}: {} ({message})", campaign.id, campaign.status),
    };
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
