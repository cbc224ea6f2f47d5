//! `webhooks ...`.

use clap::{Args, Subcommand, ValueEnum};

use super::{PageArgs, SureArgs};

/// `talkdrum webhooks`.
#[derive(Debug, Subcommand)]
pub(crate) enum WebhooksCommand {
    /// List your webhooks (administrators: --all)
    List(ListWebhooksArgs),
    /// Add an address; the secret that signs its requests is shown this once
    Create(CreateWebhookArgs),
    /// Show one webhook
    Show(WebhookArgs),
    /// Change a webhook, or turn it on or off
    Edit(EditWebhookArgs),
    /// Delete a webhook with its log
    Delete(DeleteWebhookArgs),
    /// Give a webhook a new secret; the old one signs beside it for 24 hours
    Rotate(RotateWebhookArgs),
    /// Send a test event to a webhook
    Test(WebhookArgs),
    /// Show what was sent to a webhook, newest first, or one delivery with its body
    Log(WebhookLogArgs),
    /// Deliver one event again, or everything that was given up
    Redeliver(RedeliverArgs),
}

/// Which webhook.
#[derive(Args, Debug)]
pub(crate) struct WebhookArgs {
    /// The webhook's id
    #[arg(value_name = "WEBHOOK")]
    pub(crate) id: i64,
}

/// `talkdrum webhooks delete`.
#[derive(Args, Debug)]
pub(crate) struct DeleteWebhookArgs {
    /// The webhook's id
    #[arg(value_name = "WEBHOOK")]
    pub(crate) id: i64,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: SureArgs,
}

/// `talkdrum webhooks list`.
#[derive(Args, Debug)]
pub(crate) struct ListWebhooksArgs {
    /// All users', newest first (administrators)
    #[arg(long)]
    pub(crate) all: bool,
    /// Which rows of all users'.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `talkdrum webhooks create`.
#[derive(Args, Debug)]
pub(crate) struct CreateWebhookArgs {
    /// Where requests go: https://...
    // Not `url`: that is the daemon's address, an option of every command.
    #[arg(value_name = "URL")]
    pub(crate) target: String,
    /// What you say of it
    #[arg(long, default_value = "")]
    pub(crate) description: String,
    /// Events that it receives, such as campaign.completed or messages.updated; may be repeated [default: everything]
    #[arg(long = "event", value_delimiter = ',')]
    pub(crate) events: Vec<String>,
    /// Read the password from stdin, should it be wanted: the sign-in is older than ten minutes
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

/// `talkdrum webhooks rotate`.
#[derive(Args, Debug)]
pub(crate) struct RotateWebhookArgs {
    /// The webhook's id
    #[arg(value_name = "WEBHOOK")]
    pub(crate) id: i64,
    /// Read the password from stdin, should it be wanted: the sign-in is older than ten minutes
    #[arg(long)]
    pub(crate) password_stdin: bool,
}

/// `talkdrum webhooks edit`.
#[derive(Args, Debug)]
pub(crate) struct EditWebhookArgs {
    /// The webhook's id
    #[arg(value_name = "WEBHOOK")]
    pub(crate) id: i64,
    /// Where requests go: https://...
    #[arg(long = "to", value_name = "URL")]
    pub(crate) target: Option<String>,
    /// What you say of it
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// Events that it receives; may be repeated
    #[arg(long = "event", value_delimiter = ',')]
    pub(crate) events: Vec<String>,
    /// Turn it on
    #[arg(long, conflicts_with = "off")]
    pub(crate) on: bool,
    /// Turn it off
    #[arg(long)]
    pub(crate) off: bool,
    /// Read the password from stdin, should another address want it: the sign-in is older than ten minutes
    #[arg(long, requires = "target")]
    pub(crate) password_stdin: bool,
}

/// `talkdrum webhooks log`.
#[derive(Args, Debug)]
pub(crate) struct WebhookLogArgs {
    /// The webhook's id
    #[arg(value_name = "WEBHOOK")]
    pub(crate) id: i64,
    /// One delivery, with the body that was sent
    #[arg(value_name = "DELIVERY")]
    pub(crate) delivery: Option<i64>,
    /// Only these
    #[arg(long, value_enum)]
    pub(crate) status: Option<DeliveryStatus>,
    /// Which rows.
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// Where a delivery is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeliveryStatus {
    /// Still to be made
    Pending,
    /// Taken
    Delivered,
    /// Given up
    Failed,
}

impl DeliveryStatus {
    /// The API's word.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// `talkdrum webhooks redeliver`.
#[derive(Args, Debug)]
pub(crate) struct RedeliverArgs {
    /// The webhook's id
    #[arg(value_name = "WEBHOOK")]
    pub(crate) id: i64,
    /// One delivery
    #[arg(value_name = "DELIVERY", required_unless_present = "failed")]
    pub(crate) delivery: Option<i64>,
    /// Everything that was given up, up to 1,000 deliveries
    #[arg(long, conflicts_with = "delivery")]
    pub(crate) failed: bool,
}
