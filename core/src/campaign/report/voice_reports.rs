//! Lists of campaigns of calls, in the specification's form.

use std::collections::HashMap;

use talkdrum_api::campaign::Campaign;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::Amount;
use talkdrum_api::voice::{VoiceReport, VoiceReports};

use super::campaign_list::with_content;
use crate::content::{CallScript, ClipSource, Content};
use crate::error::Result;
use crate::model::campaign::id::CampaignId;
use crate::model::page::{Page, RecordScope};
use crate::model::voice::id::RecordingId;
use crate::store::Tx;
use crate::store::campaign::list::{self as table, CampaignSelection};
use crate::store::voice::recording::{self, RecordingRow};

/// A page of calls to many, newest first, with samples of their numbers. `url` says where a recording is heard.
pub async fn voice_reports(
    tx: &mut Tx,
    scope: RecordScope,
    page: Page,
    url: impl Fn(&RecordingRow) -> String,
) -> Result<VoiceReports> {
    let selection = CampaignSelection { kind: Some(Kind::Voice), ..CampaignSelection::all(scope) };
    let (campaigns, total) = with_content(tx, &selection, page, true).await?;
    let ids: Vec<CampaignId> = campaigns.iter().map(|(campaign, _)| CampaignId(campaign.id)).collect();
    let prices: HashMap<CampaignId, Amount> = table::unit_prices(tx, ids).await?.into_iter().collect();
    let mut voice_sms = Vec::with_capacity(campaigns.len());
    for (campaign, content) in campaigns {
        let script = match content {
            Some(Content::Voice(script)) => Some(script),
            _ => None,
        };
        let recorded = match script.as_ref().map(|script| &script.clip) {
            Some(ClipSource::Recording { id, .. }) => recording::by_id(tx, RecordingId(*id)).await?,
            _ => None,
        };
        let price = prices.get(&CampaignId(campaign.id)).copied().unwrap_or_default();
        voice_sms.push(shown(campaign, script, price, recorded.as_ref().map(&url)));
    }
    Ok(VoiceReports { voice_sms, total })
}

fn shown(
    campaign: Campaign,
    script: Option<CallScript>,
    price: Amount,
    audio_file_url: Option<String>,
) -> VoiceReport {
    // All that is charged is whole pulses at one price.
    let units = campaign.captured.0.checked_div(price.0).unwrap_or_default();
    let charged = Amount(campaign.captured.0.saturating_sub(campaign.refunded.0));
    let in_currency = |code: &str| if campaign.currency == code { charged } else { Amount::ZERO };
    let length_ms = script.as_ref().map_or(0, |script| script.length_ms);
    VoiceReport {
        espees_deducted: in_currency("espees"),
        naira_deducted: in_currency("naira"),
        id: campaign.id,
        broadcast_id: campaign.id,
        user_id: campaign.user_id,
        username: campaign.username,
        status: campaign.status,
        msg: campaign.msg,
        tts_voice: script.and_then(|script| match script.clip {
            ClipSource::Speech { voice, .. } => Some(voice),
            ClipSource::Recording { .. } => None,
        }),
        msg_length: length_ms.div_ceil(1_000).cast_signed(),
        units,
        contacts: campaign.contacts,
        no_of_contacts: campaign.total_contacts,
        failed_contacts: campaign.failed_contacts,
        no_of_sent_contacts: campaign.counts.delivered,
        no_of_failed_contacts: campaign.no_of_failed_contacts,
        reserved: campaign.reserved,
        refunded_amount: Amount(campaign.released.0.saturating_add(campaign.refunded.0)),
        currency: campaign.currency,
        audio_file_url,
        poll: campaign.poll,
        created_at: campaign.created_at,
        messages_url: campaign.messages_url,
    }
}
