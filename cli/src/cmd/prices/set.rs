//! `talkdrum prices set`.

use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::money::Currency;

use crate::args::{Priced, SetPriceArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Sets one price. Quotes that were given keep theirs.
pub(crate) async fn run(context: &Context, args: SetPriceArgs) -> Result<Exit> {
    let currency = args.currency.currency();
    let path = match (args.of, currency) {
        (Priced::Sms, Currency::Espees) => "/admin/set-sms-unit-price",
        (Priced::Sms, Currency::Naira) => "/admin/set-sms-unit-price-naira",
        (Priced::SmsAbroad, Currency::Espees) => "/admin/set-sms-abroad-unit-price",
        (Priced::SmsAbroad, Currency::Naira) => "/admin/set-sms-abroad-unit-price-naira",
        (Priced::Voice, Currency::Espees) => "/admin/set-voice-unit-price",
        (Priced::Voice, Currency::Naira) => "/admin/set-voice-unit-price-naira",
        (Priced::VirtualNumber, Currency::Espees) => "/admin/set-virtual-unit-price",
        (Priced::OwnNumber, Currency::Espees) => "/admin/set-own-number-unit-price",
        (Priced::VirtualNumber | Priced::OwnNumber, Currency::Naira) => {
            return Err(Failure::usage("numbers have a price in ESPEES only")
                .hint("in Naira, such calls cost the price of voice: talkdrum prices set --of voice --currency naira"));
        }
    };
    let answer: Answer<Message> = context.client()?.post(path, &json!({ "price": args.price }), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
