//! Prices as a file, and what it would change. What a file does not name stays as it is.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::setting::Prices;
use talkdrum_api::wallet::PriceRecord;

use super::ALL;
use crate::args::Priced;
use crate::client::{Answer, Client};
use crate::exit::{Code, Failure, Result};
use crate::output::{Cell, Column};

/// The largest file.
const LARGEST_BYTES: u64 = 64 * 1024;

/// A file of prices.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceFile {
    #[serde(default)]
    espees: InEspees,
    #[serde(default)]
    naira: InNaira,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct InEspees {
    sms: Option<Amount>,
    sms_abroad: Option<Amount>,
    voice: Option<Amount>,
    virtual_number: Option<Amount>,
    own_number: Option<Amount>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct InNaira {
    sms: Option<Amount>,
    sms_abroad: Option<Amount>,
    voice: Option<Amount>,
}

impl PriceFile {
    /// Reads a file, or stdin for `-`.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut text = String::new();
        let read = if path == Path::new("-") {
            std::io::stdin().take(LARGEST_BYTES).read_to_string(&mut text)
        } else {
            std::fs::File::open(path).and_then(|file| file.take(LARGEST_BYTES).read_to_string(&mut text))
        };
        read.map_err(|error| Failure::unreadable(path, &error))?;
        Self::parse(&text).map_err(|reason| {
            Failure::refused(Code::File, format!("{} is no list of prices: {reason}", path.display()))
                .hint("examples/prices.toml shows how it is written")
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        for (of, currency, _) in ALL {
            if file.price(of, currency).is_some_and(|price| price < Amount::ZERO) {
                return Err(format!("{}.{} is below zero", currency.code(), of.name()));
            }
        }
        Ok(file)
    }

    fn price(&self, of: Priced, currency: Currency) -> Option<Amount> {
        match (of, currency) {
            (Priced::Sms, Currency::Espees) => self.espees.sms,
            (Priced::SmsAbroad, Currency::Espees) => self.espees.sms_abroad,
            (Priced::SmsAbroad, Currency::Naira) => self.naira.sms_abroad,
            (Priced::Voice, Currency::Espees) => self.espees.voice,
            (Priced::VirtualNumber, Currency::Espees) => self.espees.virtual_number,
            (Priced::OwnNumber, Currency::Espees) => self.espees.own_number,
            (Priced::Sms, Currency::Naira) => self.naira.sms,
            (Priced::Voice, Currency::Naira) => self.naira.voice,
            (Priced::VirtualNumber | Priced::OwnNumber, Currency::Naira) => None,
        }
    }
}

/// A price that a file names otherwise than it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Change {
    /// The specification's name.
    #[serde(skip)]
    pub(super) key: &'static str,
    of: &'static str,
    currency: &'static str,
    before: Option<Amount>,
    pub(super) after: Amount,
}

impl Change {
    fn difference(&self) -> Option<Amount> {
        self.after.minus(self.before?).ok()
    }
}

/// Changes as a table.
pub(super) const CHANGE_COLUMNS: &[Column<Change>] = &[
    Column::left("of", "Price of", |it| Cell::text(it.of)),
    Column::left("currency", "Currency", |it| Cell::text(it.currency)),
    Column::right("before", "Now", |it| it.before.map_or(Cell::Empty, Cell::charge)),
    Column::right("after", "Then", |it| Cell::charge(it.after)),
    Column::right("difference", "Change", |it| it.difference().map_or(Cell::Empty, Cell::charge)),
];

/// What a file would change, and the version of the prices it was compared with.
#[derive(Debug, Serialize)]
pub(super) struct Plan {
    /// The version.
    pub(super) version: String,
    /// The changes; none when the prices are the file's already.
    pub(super) changes: Vec<Change>,
}

/// Compares a file with the prices of a daemon.
pub(super) async fn plan_file(client: &Client, file: &PriceFile) -> Result<Plan> {
    let answer: Answer<Prices> = client.get("/admin/get-prices", &()).await?;
    Ok(compare(file, &answer.value))
}

fn compare(file: &PriceFile, prices: &Prices) -> Plan {
    let changes = ALL.into_iter().filter_map(|(of, currency, key)| {
        let after = file.price(of, currency)?;
        let before = records(prices, of, currency).first().map(|record| record.value);
        let change = Change { key, of: of.name(), currency: currency.code(), before, after };
        (before != Some(after)).then_some(change)
    });
    Plan { version: prices.version.clone(), changes: changes.collect() }
}

fn records(prices: &Prices, of: Priced, currency: Currency) -> &[PriceRecord] {
    match (of, currency) {
        (Priced::Sms, Currency::Espees) => &prices.sms,
        (Priced::Sms, Currency::Naira) => &prices.sms_naira,
        (Priced::SmsAbroad, Currency::Espees) => &prices.sms_abroad,
        (Priced::SmsAbroad, Currency::Naira) => &prices.sms_abroad_naira,
        (Priced::Voice, Currency::Espees) => &prices.voice,
        (Priced::Voice, Currency::Naira) => &prices.voice_naira,
        (Priced::VirtualNumber, Currency::Espees) => &prices.virtual_number,
        (Priced::OwnNumber, Currency::Espees) => &prices.own_number,
        (Priced::VirtualNumber | Priced::OwnNumber, Currency::Naira) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(text: &str) -> PriceRecord {
        PriceRecord { value: text.parse().unwrap(), updated_at: String::new() }
    }

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let prices = Prices {
            sms: vec![price("1.5")],
            sms_naira: vec![price("4.5")],
            sms_abroad: Vec::new(),
            sms_abroad_naira: vec![price("60")],
            voice: Vec::new(),
            voice_naira: vec![price("9")],
            virtual_number: Vec::new(),
            own_number: Vec::new(),
            version: "v".into(),
        };
        let file =
            PriceFile::parse("[espees]\nsms = 1.50\nvoice = '2'\n[naira]\nsms = 4.75\nsms_abroad = 60\n")
                .unwrap();
        let plan = compare(&file, &prices);
        let told: Vec<_> = plan.changes.iter().map(|it| (it.key, it.difference())).collect();
        assert_eq!(told, [("SMS-UNIT-PRICE-IN-NAIRA", Some(Amount(250_000))), ("VOICE-UNIT-PRICE", None)]);
        assert!(compare(&PriceFile::default(), &prices).changes.is_empty());
    }

    #[test]
    fn what_is_no_price_is_refused_by_name() {
        for text in [
            "[espees]\nsms = -1",
            "[naira]\nsms_abroad = -1",
            "[espees]\nmms = 1",
            "[naira]\nown_number = 1",
            "sms = 1",
            "[naira]\nsms = 1.1234567",
        ] {
            assert!(PriceFile::parse(text).is_err(), "{text}");
        }
    }
}
