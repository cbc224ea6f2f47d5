//! Prices: one by one, and as a file that is planned and applied.

pub(super) mod apply;
mod file;
pub(super) mod get;
pub(super) mod history;
pub(super) mod plan;
pub(super) mod set;

use talkdrum_api::money::Currency;

use crate::args::Priced;

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
