//! The quote, as the specification's confirmation dialog lists it (section 2, Compose SMS), with what else a careful
//! sender wants to know before paying.

use talkdrum_api::call::Question;
use talkdrum_api::campaign::{Quote, QuoteRate, Reject};
use talkdrum_api::canary::QuoteCanary;
use talkdrum_api::money::Currency;

use super::{Cell, Column, Table};
use crate::zone::Zone;

/// How many rejects are shown; `--rejects` saves them all.
const REJECTS_SHOWN: usize = 5;

/// A quote as CSV.
pub(crate) const QUOTE_COLUMNS: &[Column<Quote>] = &[
    Column::right("quote_id", "Quote", |quote| Cell::Number(quote.quote_id)),
    Column::left("route", "Route", |quote| Cell::text(&quote.route)),
    Column::left("sender_id", "Sender ID", |quote| Cell::text(&quote.sender_id)),
    Column::left("sms_type", "SMS type", |quote| Cell::text(&quote.sms_type)),
    Column::left("purpose", "Purpose", |quote| Cell::text(quote.purpose.code())),
    Column::right("total_contacts", "Contacts", |quote| Cell::Number(quote.total_contacts)),
    Column::right("total_duplicates_removed", "Duplicates", |quote| {
        Cell::Number(quote.total_duplicates_removed)
    }),
    Column::right("total_invalid", "Invalid", |quote| Cell::Number(quote.total_invalid)),
    Column::right("total_dnd", "Do not disturb", |quote| Cell::Number(quote.total_dnd)),
    Column::right("total_suppressed", "Suppressed", |quote| Cell::Number(quote.total_suppressed)),
    Column::right("total_pages", "Pages", |quote| Cell::Number(quote.total_pages)),
    Column::right("total_segments", "Segments", |quote| Cell::Number(quote.total_segments)),
    Column::right("unit_price", "Unit price", |quote| Cell::charge(quote.unit_price)),
    Column::right("total_charges", "Total", |quote| Cell::charge(quote.total_charges)),
    Column::left("currency", "Currency", |quote| Cell::text(&quote.currency)),
    Column::right("balance_after", "Balance after", |quote| Cell::balance(quote.balance_after)),
    Column::left("expires_at", "Expires", |quote| Cell::Time(quote.expires_at.clone())),
];

/// The quote for people.
pub(crate) fn quote_table(quote: &Quote, zone: &Zone) -> Table {
    let mut lines: Vec<(&str, String)> = vec![
        ("Route", quote.route.clone()),
        ("Sender ID", quote.sender_id.clone()),
        ("Message", quote.message.clone()),
        ("Total Contacts", quote.total_contacts.to_string()),
        ("Duplicate removed", quote.total_duplicates_removed.to_string()),
        ("Invalid", invalid(quote)),
    ];
    if quote.total_dnd > 0 {
        lines.push(("Of these, do not disturb", quote.total_dnd.to_string()));
    }
    if quote.total_suppressed > 0 {
        lines.push(("Opted out", quote.total_suppressed.to_string()));
    }
    if !quote.networks.is_empty() {
        lines.push(("Networks", networks(quote)));
    }
    let unit = match (quote.length_s, quote.pulses) {
        (Some(seconds), Some(pulses)) => {
            let plural = if pulses == 1 { "" } else { "s" };
            let pulse = quote.pulse.as_deref().unwrap_or_default();
            let length = format!(
                "{}:{:02}, at most {pulses} pulse{plural} ({pulse}) a call",
                seconds / 60,
                seconds % 60
            );
            lines.push(("Length", length));
            lines.extend(quote.poll.as_ref().map(|poll| ("Keys", keys(poll))));
            "pulse"
        }
        _ => {
            lines.extend([
                ("Pages", span(quote.pages, quote.total_pages)),
                ("Segments", span(quote.segments, quote.total_segments)),
                ("Encoding", encoding(quote)),
            ]);
            "page"
        }
    };
    lines.extend([
        ("SMS type", quote.sms_type.clone()),
        ("Purpose", quote.purpose.code().to_owned()),
        ("Campaign Start", starts(quote, zone)),
    ]);
    if let Some(finish) = &quote.estimated_finish {
        lines.push(("Estimated finish", zone.show(finish)));
    }
    lines.extend(quote.canary.as_ref().map(|canary| ("Canary", canary_line(canary, unit == "pulse"))));
    lines.extend(quote.notices.iter().map(|notice| ("Note", notice.clone())));
    let label = currency_label(&quote.currency);
    lines.push(("Unit price", format!("{} {label} a {unit}", quote.unit_price.to_fixed(5))));
    // One price is told above.
    if quote.rates.len() > 1 || quote.rates.iter().any(|rate| rate.unit_price != quote.unit_price) {
        lines.extend(quote.rates.iter().take(RATES_SHOWN).map(|rate| ("Rate", rate_line(rate, &label))));
        if let Some(more) = quote.rates.len().checked_sub(RATES_SHOWN).filter(|more| *more > 0) {
            lines.push(("Rate", format!("... and {more} more: -o json shows them all")));
        }
    }
    if quote.starts.len() > 1 {
        lines.push(("Charge per run", format!("{} {label}", quote.charges_per_run.to_fixed(5))));
    }
    lines.extend([
        (
            if unit == "pulse" { "Charge at most" } else { "Total charge" },
            format!("{} {label}", quote.total_charges.to_fixed(5)),
        ),
        (
            "Balance after",
            format!("{} {label} (now {})", quote.balance_after.to_fixed(2), quote.balance.to_fixed(2)),
        ),
        ("Quote", format!("{}, holds until {}", quote.quote_id, zone.show(&quote.expires_at))),
    ]);
    Table::of_pairs(lines.into_iter().map(|(name, value)| (name.to_owned(), value)))
}

/// As in `52 recipients first, 2 of your own; the rest once 80% of these are delivered, within 600 s`.
fn canary_line(canary: &QuoteCanary, are_calls: bool) -> String {
    let QuoteCanary { size, seeds, delivery, wait_s } = canary;
    let plural = if *size == 1 { "" } else { "s" };
    let done = if are_calls { "answered" } else { "delivered" };
    let seeds = if *seeds > 0 { format!(", {seeds} of your own") } else { String::new() };
    format!(
        "{size} recipient{plural} first{seeds}; the rest once {delivery}% of these are {done}, within {wait_s} s"
    )
}

/// Lines of rates that a table shows.
const RATES_SHOWN: usize = 20;

/// As in `+44: 2 recipients, 3 pages at 60.00000 Naira = 180.00000 Naira`.
fn rate_line(rate: &QuoteRate, label: &str) -> String {
    let prefix = rate.prefix.as_ref().map_or_else(|| "elsewhere".to_owned(), |prefix| format!("+{prefix}"));
    let network = rate.network.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    let purpose = rate.purpose.map_or_else(String::new, |purpose| format!(" for {}", purpose.code()));
    let plural = |count: i64| if count == 1 { "" } else { "s" };
    format!(
        "{prefix}{network}{purpose}: {} recipient{}, {} page{} at {} {label} = {} {label}",
        rate.contacts,
        plural(rate.contacts),
        rate.pages,
        plural(rate.pages),
        rate.unit_price.to_fixed(5),
        rate.charges.to_fixed(5)
    )
}

/// `ESPEES` or `Naira`; an unknown code as it came.
pub(crate) fn currency_label(code: &str) -> String {
    code.parse::<Currency>().map_or_else(|_| code.to_owned(), |currency| currency.label().to_owned())
}

/// The keys of a question, and how often it is played.
fn keys(poll: &Question) -> String {
    let named = poll.keys.iter().map(|it| format!("{} = {}", it.key, it.label));
    let named: Vec<String> = named.chain(["9 always opts out".to_owned()]).collect();
    let plays = if poll.plays > 1 { format!("\nPlayed up to {} times", poll.plays) } else { String::new() };
    format!("{}{plays}", named.join(", "))
}

fn invalid(quote: &Quote) -> String {
    let mut text = quote.total_invalid.to_string();
    for reject in quote.rejects.iter().take(REJECTS_SHOWN) {
        text.push('\n');
        text.push_str(&reject_line(reject));
    }
    let shown = i64::try_from(quote.rejects.len().min(REJECTS_SHOWN)).unwrap_or(0);
    if quote.total_invalid > shown && shown > 0 {
        text.push_str(&format!(
            "\n... and {} more: --rejects FILE saves them all",
            quote.total_invalid - shown
        ));
    }
    text
}

fn reject_line(reject: &Reject) -> String {
    format!("line {}: '{}': {}", reject.line, reject.value, reject.reason)
}

fn networks(quote: &Quote) -> String {
    let parts: Vec<String> = quote.networks.iter().map(|(name, count)| format!("{name} {count}")).collect();
    parts.join(", ")
}

fn span((fewest, most): (u8, u8), total: i64) -> String {
    if fewest == most {
        return format!("{most} a message, {total} in all");
    }
    format!("{fewest}-{most} a message, {total} in all")
}

fn encoding(quote: &Quote) -> String {
    let mut text = quote.encoding.clone();
    for change in &quote.replacements {
        let times = if change.count == 1 { "once".to_owned() } else { format!("{} times", change.count) };
        text.push_str(&format!("\n'{}' is sent as '{}', {times}", change.from, change.to));
    }
    text
}

fn starts(quote: &Quote, zone: &Zone) -> String {
    if quote.starts.is_empty() {
        return "Sending Now".to_owned();
    }
    let times: Vec<String> = quote.starts.iter().map(|time| zone.show(time)).collect();
    times.join("\n")
}
