//! What a quote says beside its columns: stored as JSON, for the answer when the quote is asked for again.
//!
//! Older rows hold the whole answer that the API gave, with times in RFC 3339. They are read, too: a field that is not
//! here is passed over, and one that was added later has a default.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use talkdrum_api::money::Amount;
use talkdrum_api::purpose::Purpose;

use crate::model::contact::id::GroupId;
use crate::time::Time;

/// The counts of a quote's recipients, and what was found out about its message. Counts are of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteDetails {
    /// Numbers given more than once and dropped.
    pub total_duplicates_removed: i64,
    /// Entries left out: invalid numbers, and numbers that cannot be sent to.
    pub total_invalid: i64,
    /// Of these, numbers on the Do-Not-Disturb list.
    #[serde(default)]
    pub total_dnd: i64,
    /// Numbers left out because they opted out.
    pub total_suppressed: i64,
    /// The names of the routes, or `DEFAULT`.
    pub route: String,
    /// What the first recipient reads.
    pub message: String,
    /// That recipient; older rows do not say.
    #[serde(default)]
    pub message_to: Option<String>,
    /// Billed pages of one message, the fewest and the most over the recipients.
    pub pages: (u8, u8),
    /// Short messages on the air of one message, the fewest and the most.
    pub segments: (u8, u8),
    /// Billed pages in all.
    pub total_pages: i64,
    /// Short messages in all.
    pub total_segments: i64,
    /// `gsm7`, `ucs2` or `binary`; `audio` of calls.
    pub encoding: String,
    /// Characters that were replaced so that the text fits GSM-7.
    pub replacements: Vec<Replaced>,
    /// Recipients outside Nigeria.
    #[serde(default)]
    pub abroad_contacts: i64,
    /// Billed pages of their messages.
    #[serde(default)]
    pub abroad_pages: i64,
    /// What its pages cost, a line for each price; older rows have none.
    #[serde(default)]
    pub rates: Vec<RateLine>,
    /// Recipients by network.
    pub networks: BTreeMap<String, i64>,
    /// When promotional messages of the first run go out, where its start falls into the quiet hours.
    #[serde(default, deserialize_with = "moment")]
    pub delayed_start: Option<Time>,
    /// How many recipients wait for it.
    #[serde(default)]
    pub delayed_contacts: i64,
    /// Columns of the files whose numbers were read.
    #[serde(default)]
    pub number_columns: Vec<String>,
    /// Columns of the files that also hold numbers and were not read.
    #[serde(default)]
    pub unread_columns: Vec<String>,
    /// What to know before confirming, in sentences.
    #[serde(default)]
    pub notices: Vec<String>,
    /// When the last run should have been handed to the carrier.
    #[serde(default, deserialize_with = "moment")]
    pub estimated_finish: Option<Time>,
    /// The groups among its recipients, for the form of the next campaign.
    #[serde(default)]
    pub groups: GroupsSentTo,
}

/// Which groups a form was sent to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupsSentTo {
    /// Their ids.
    pub ids: Vec<GroupId>,
    /// Whether there were no other recipients.
    pub are_all: bool,
}

/// The recipients that have one price of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateLine {
    /// What their numbers begin with; `None` of all others outside Nigeria.
    pub prefix: Option<String>,
    /// Their network, where the price holds for one.
    pub network: Option<String>,
    /// Their purpose, where the price holds for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// Recipients.
    pub contacts: i64,
    /// Billed pages of their messages.
    pub pages: i64,
    /// What one costs.
    pub unit_price: Amount,
}

impl RateLine {
    /// Of recipients without a rate of their own.
    pub fn without_rate(is_abroad: bool, unit_price: Amount) -> Self {
        let prefix = (!is_abroad).then(|| HOME_PREFIX.to_owned());
        Self { prefix, network: None, purpose: None, contacts: 0, pages: 0, unit_price }
    }
}

/// The calling code of Nigeria.
const HOME_PREFIX: &str = "234";

/// A character that was replaced by a look-alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// What was written.
    pub from: String,
    /// What is sent.
    pub to: String,
    /// How often.
    pub count: i64,
}

/// When the runs of a quote start; `None` is at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStarts(pub Vec<Option<Time>>);

json_column!(RunStarts);
json_column!(QuoteDetails);

/// Reads a time in milliseconds, or in RFC 3339 as older rows hold it.
fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Time>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Moment {
        Millis(Time),
        Text(String),
    }

    Ok(match Option::deserialize(deserializer)? {
        None => None,
        Some(Moment::Millis(time)) => Some(time),
        Some(Moment::Text(text)) => {
            let stamp: jiff::Timestamp = text.parse().map_err(serde::de::Error::custom)?;
            Some(Time(stamp.as_millisecond()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer of the API, as it was stored before there was a type for the store.
    const BEFORE: &str = r#"{"quote_id":0,"total_contacts":2,"total_duplicates_removed":1,"total_invalid":1,
        "rejects":[{"line":3,"value":"080","code":"too_short","reason":"It is too short"}],"total_suppressed":0,
        "total_charges":"5","charges_per_run":"5","sms_type":"text","route":"DEFAULT","sender_id":"ACME",
        "message":"Hello","pages":[1,1],"segments":[1,1],"total_pages":2,"total_segments":2,"encoding":"gsm7",
        "replacements":[{"from":"‘","to":"'","count":2}],"unit_price":"2.5","currency":"espees","balance":"0",
        "balance_after":"0","networks":{"mtn":2},"starts":[],"delayed_start":"2023-11-14T22:43:20.123Z",
        "estimated_finish":"2023-11-14T22:44:20.000Z","expires_at":"2023-11-14T22:43:20.000Z"}"#;

    #[test]
    fn the_answer_that_older_rows_hold_is_read() {
        let details = QuoteDetails::from_json(BEFORE).unwrap();
        assert_eq!((details.total_duplicates_removed, details.total_dnd, &*details.message), (1, 0, "Hello"));
        assert_eq!(details.networks, BTreeMap::from([("mtn".to_owned(), 2)]));
        assert_eq!(details.replacements[0].count, 2);
        assert_eq!(details.delayed_start.unwrap().to_rfc3339(), "2023-11-14T22:43:20.123Z");
        assert_eq!(details.estimated_finish, Some(Time(1_700_001_860_000)));
        assert_eq!(QuoteDetails::from_json(&details.to_json().unwrap()).unwrap(), details);
    }
}
