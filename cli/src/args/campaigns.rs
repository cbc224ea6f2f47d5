//! `campaigns ...`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ConsentArgs, FollowArgs, PageArgs, SureArgs};
use crate::query::Query;
use talkdrum_api::query::{CampaignQuery, OrderQuery, PeriodQuery, SearchQuery};

/// `talkdrum campaigns`.
#[derive(Debug, Subcommand)]
pub(crate) enum CampaignsCommand {
    /// List campaigns, newest first
    List(ListCampaignsArgs),
    /// Show one campaign: money, counts, times
    Show(IdArgs),
    /// Show what became of a campaign by network, and why messages failed
    Breakdown(IdArgs),
    /// Follow a campaign until everything is submitted to the carrier
    Watch(WatchArgs),
    /// Stop handing messages to the carrier, for now
    Pause(IdArgs),
    /// Go on with a paused campaign
    Resume(IdArgs),
    /// Stop for good; what was not sent is refunded
    Cancel(CancelArgs),
    /// Quote the failed messages of a campaign again, ask, and send them
    Resend(ResendArgs),
    /// Write the delivery report of a campaign, or of all of a period, as CSV
    Export(ExportArgs),
}

/// `talkdrum campaigns list`.
#[derive(Args, Debug)]
pub(crate) struct ListCampaignsArgs {
    /// Which campaigns.
    #[command(flatten)]
    pub(crate) filter: CampaignFilter,
    /// Campaigns of all users (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// With --all: only those of this user, by id, username or e-mail address
    #[arg(long, requires = "all")]
    pub(crate) user: Option<String>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// Which campaigns of a list.
#[derive(Args, Clone, Debug)]
pub(crate) struct CampaignFilter {
    /// Only this status: scheduled, sending, paused, completed, cancelled or failed
    #[arg(long)]
    pub(crate) status: Option<String>,
    /// Only this type: text, flash, unicode, wap-push or vcard
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,
    /// Only this purpose
    #[arg(long, value_parser = super::purposes())]
    pub(crate) purpose: Option<String>,
    /// Only those made at or after this: 2030-01-31, 2030-01-31 09:30 or RFC 3339
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Only those made up to this; a day without a time counts whole
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<String>,
    /// Only those whose sender, text or user name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Sort by id, created_at, scheduled_at, status, senderid, total_charges or, with --all, username
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sort: Option<String>,
    /// Upwards instead of downwards
    #[arg(long)]
    pub(crate) ascending: bool,
}

impl CampaignFilter {
    /// As the API's query parameters.
    pub(crate) fn query(self) -> impl Query {
        CampaignQuery { status: self.status, kind: self.kind, purpose: self.purpose }
            .and(PeriodQuery { from: self.from, to: self.to })
            .and(SearchQuery::new(self.search))
            .and(OrderQuery::new(self.sort, self.ascending))
    }
}

/// One campaign.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct IdArgs {
    /// The campaign's id
    #[arg(value_name = "CAMPAIGN")]
    pub(crate) id: i64,
}

/// `talkdrum campaigns cancel`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct CancelArgs {
    /// The campaign's id
    #[arg(value_name = "CAMPAIGN")]
    pub(crate) id: i64,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: SureArgs,
}

/// `talkdrum campaigns watch`.
#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// The campaign's id
    #[arg(value_name = "CAMPAIGN")]
    pub(crate) id: i64,
    /// When to stop, and what counts as failure.
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
}

/// `talkdrum campaigns resend`.
#[derive(Args, Debug)]
pub(crate) struct ResendArgs {
    /// The campaign's id
    #[arg(value_name = "CAMPAIGN")]
    pub(crate) id: i64,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    /// Follow the new campaign until everything is submitted to the carrier
    #[arg(long, help_heading = "Sending")]
    pub(crate) wait: bool,
    /// When the waiting ends and what then counts as failure.
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
}

/// `talkdrum campaigns export`.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The campaign's id; without it all campaigns of a period
    #[arg(value_name = "CAMPAIGN", required_unless_present_any = ["from", "to"])]
    pub(crate) id: Option<i64>,
    /// Campaigns made at or after this: 2030-01-31, 2030-01-31 09:30 or RFC 3339
    #[arg(long, value_name = "TIME", conflicts_with = "id")]
    pub(crate) from: Option<String>,
    /// Campaigns made up to this; a day without a time counts whole
    #[arg(long, value_name = "TIME", conflicts_with = "id")]
    pub(crate) to: Option<String>,
    /// Only campaigns of this type: text, flash, unicode, wap-push or vcard
    #[arg(long = "type", value_name = "TYPE", conflicts_with = "id")]
    pub(crate) kind: Option<String>,
    /// Only messages in this status, or failed
    #[arg(long, conflicts_with = "id")]
    pub(crate) status: Option<String>,
    /// Where to write it [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
