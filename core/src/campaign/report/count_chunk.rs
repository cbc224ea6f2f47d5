//! Counting what became of a chunk's messages.

use std::collections::BTreeMap;

use crate::model::campaign::audience_chunk::Chunk;
use crate::model::message::delivery_counts::{Happened, OTHER, Outcomes, REASONS, Tally, Timeline};
use crate::model::message::status::MessageStatus as S;
use crate::phone::NetworkTable;
use crate::store::message::answered::AnsweredMessage;

/// Counts a chunk: its recipients and its messages that were answered.
pub fn count_chunk(recipients: &Chunk, messages: &[AnsweredMessage], networks: &NetworkTable) -> Tally {
    let mut by_network = vec![Outcomes::default(); networks.len()];
    let network_of =
        |place: usize| recipients.numbers().get(place).map(|number| usize::from(networks.lookup(*number).0));
    for place in 0..recipients.len() {
        if let Some(outcomes) = network_of(place).and_then(|network| by_network.get_mut(network)) {
            outcomes.ordered += 1;
        }
    }
    let (mut times, mut reasons) = (Timeline::default(), BTreeMap::new());
    for message in messages {
        let status = message.status;
        if let Some(outcomes) =
            network_of(usize::from(message.place)).and_then(|network| by_network.get_mut(network))
        {
            outcomes.count(status);
        }
        let may_be_unsent = status == S::Unknown || status.is_given_up();
        if let Some(at) = message.submitted_at.filter(|_| !may_be_unsent) {
            times.note(at.0, Happened::SUBMITTED);
        }
        let end = match status {
            S::Delivered => Some(Happened::DELIVERED),
            _ if status.is_failure() => Some(Happened::FAILED),
            _ => None,
        };
        if let (Some(end), Some(at)) = (end, message.done_at.or(message.submitted_at)) {
            times.note(at.0, end);
        }
        if status.has_reason() {
            let error = message.error.as_deref();
            let known = reasons.len() < REASONS || reasons.contains_key(&(status, error));
            let reason = if known { error } else { Some(OTHER) };
            *reasons.entry((status, reason)).or_insert(0) += 1;
        }
    }
    let named = |(network, outcomes): (usize, Outcomes)| {
        let network = u8::try_from(network).ok()?;
        (outcomes.ordered > 0).then(|| (networks.name(crate::phone::NetworkId(network)).to_owned(), outcomes))
    };
    Tally {
        networks: by_network.into_iter().enumerate().filter_map(named).collect(),
        times,
        reasons: reasons
            .into_iter()
            .map(|((status, reason), count)| (status, reason.map(str::to_owned), count))
            .collect(),
    }
}
