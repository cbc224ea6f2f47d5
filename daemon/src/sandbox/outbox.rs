//! The stand-in for all users' phone and mailbox: what the platform itself sent, and codes that it spoke in calls
//! (`channel` is `call`), for newcomers and tests to read.
//!
//! It holds the newest [`KEPT`] only, in memory only.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use talkdrum_core::notice::{self, Shown};
use talkdrum_core::time::Time;

/// How many are kept.
const KEPT: usize = 1_000;

/// What was sent.
#[derive(Debug, Default)]
pub struct Outbox(Mutex<VecDeque<Sent>>);

/// One message.
#[derive(Clone, Debug, Serialize)]
pub struct Sent {
    to: String,
    channel: &'static str,
    subject: String,
    text: String,
    at: String,
}

impl Outbox {
    /// What is kept, newest last.
    pub fn read(&self) -> Vec<Sent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn keep(&self, sent: Sent) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back(sent);
    }
}

impl notice::Outbox for Outbox {
    fn show(&self, notice: Shown) {
        let Shown { channel, to, subject, text, at } = notice;
        self.keep(Sent { to, channel: channel.code(), subject, text, at: at.to_rfc3339() });
    }

    fn show_spoken(&self, to: String, text: String, at: Time) {
        self.keep(Sent { to, channel: "call", subject: String::new(), text, at: at.to_rfc3339() });
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_core::notice::{Channel, Outbox as _};

    use super::*;

    #[test]
    fn the_newest_thousand_are_kept_newest_last() {
        let outbox = Outbox::default();
        for number in 0..1_001 {
            outbox.show(Shown {
                channel: Channel::Sms,
                to: "2348031234567".into(),
                subject: String::new(),
                text: number.to_string(),
                at: Time(0),
            });
        }
        let read = serde_json::to_value(outbox.read()).unwrap();
        assert_eq!((read[0]["text"].as_str(), read[999]["text"].as_str()), (Some("1"), Some("1000")));
        assert_eq!(read[999]["channel"], "sms");
        outbox.show_spoken("2348031234567".into(), "Your Talkdrum code is 012345".into(), Time(0));
        let spoken = serde_json::to_value(outbox.read()).unwrap()[999].clone();
        assert_eq!((&spoken["channel"], &spoken["to"]), (&"call".into(), &"2348031234567".into()));
    }
}
