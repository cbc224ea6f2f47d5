//! `talkdrum voice send`.

use crate::args::SendVoiceArgs;
use crate::cmd::Context;
use crate::cmd::send::{Sending, send_form};
use crate::exit::Exit;
use crate::exit::Result;
use crate::form::CampaignForm;

/// Quotes calls to many, asks, and places them.
pub(crate) async fn run(context: &Context, args: SendVoiceArgs) -> Result<Exit> {
    let form = CampaignForm::of_calls(&args, &context.out.zone)?;
    let sending = Sending {
        groups: args.recipients.group,
        guards: args.guards,
        consent: args.consent,
        key: args.key,
        rejects: args.rejects,
        wait: args.wait,
        follow: args.follow,
    };
    send_form(context, form, sending).await
}
