//! What became of a campaign: where its messages are, and where its money is.

use talkdrum_api::campaign::Campaign;
use talkdrum_api::canary::CampaignCanary;

use super::Table;
use super::quote::currency_label;

/// The outcome for people: statuses with no message are left out, but for the delivered.
pub(crate) fn outcome_table(campaign: &Campaign) -> Table {
    let mut lines = vec![
        ("Campaign".to_owned(), campaign.id.to_string()),
        ("Status".to_owned(), status(campaign)),
        ("Messages".to_owned(), campaign.total_contacts.to_string()),
    ];
    lines.extend(campaign.canary.as_ref().map(|it| ("Canary".to_owned(), canary(it))));
    for (name, count) in campaign.counts.by_status() {
        if count > 0 || name == "delivered" {
            lines.push((format!("  {name}"), format!("{count}{}", remark(name))));
        }
    }
    let label = currency_label(&campaign.currency);
    let mut money = |name: &str, amount: talkdrum_api::money::Amount| {
        lines.push((name.to_owned(), format!("{} {label}", amount.to_fixed(5))));
    };
    money("Charged", campaign.captured);
    money("Refunded", campaign.released);
    if campaign.refunded.micros() != 0 {
        money("Refunded after the charge", campaign.refunded);
    }
    if campaign.reserved.micros() != 0 {
        money("Still reserved", campaign.reserved);
    }
    Table::of_pairs(lines)
}

fn status(campaign: &Campaign) -> String {
    match &campaign.status_reason {
        Some(reason) => format!("{} ({reason})", campaign.status),
        None => campaign.status.clone(),
    }
}

/// As in `running, 12 of 50 delivered, 3 failed, 40 needed`.
fn canary(canary: &CampaignCanary) -> String {
    let CampaignCanary { state, size, delivered, failed, needed, .. } = canary;
    format!("{state}, {delivered} of {size} delivered, {failed} failed, {needed} needed")
}

fn remark(status: &str) -> &'static str {
    match status {
        "submitted" => ", receipts awaited",
        "unknown" => ", to be settled by a person: talkdrum messages unknown",
        _ => "",
    }
}
