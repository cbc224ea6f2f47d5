//! Counting what became of a chunk's messages.

use std::collections::BTreeMap;

use crate::model::campaign::audience_chunk::Chunk;
use crate::model::message::delivery_counts::{Happened, OTHER, Outcomes, REASONS, Tally, Timeline};
use crate::model::message::status::MessageStatus as S;
use crate::phone::NetworkTable;
use crate::store::message::delivery_counts::Rows;

/// Counts a chunk: its recipients and the rows of its messages.
pub fn count_chunk(recipients: &Chunk, rows: &Rows, networks: &NetworkTable) -> Tally {
    let mut by_network = vec![Outcomes::default(); networks.len()];
    let network_of =
        |place: usize| recipients.numbers().get(place).map(|number| usize::from(networks.lookup(*number).0));
    for place in 0..recipients.len() {
        if let Some(outcomes) = network_of(place).and_then(|network| by_network.get_mut(network)) {
            outcomes.ordered += 1;
        }
    }
    let (mut times, mut reasons) = (Timeline::default(), BTreeMap::new());
    for row in rows.iter() {
        let status = row.status;
        if let Some(outcomes) =
            network_of(usize::from(row.place)).and_then(|network| by_network.get_mut(network))
        {
            outcomes.count(status);
        }
        let may_be_unsent = status == S::Unknown || status.is_given_up();
        if let Some(at) = row.submitted_at.filter(|_| !may_be_unsent) {
            times.note(at.0, Happened::SUBMITTED);
        }
        let end = match status {
            S::Delivered => Some(Happened::DELIVERED),
            _ if status.is_failure() => Some(Happened::FAILED),
            _ => None,
        };
        if let (Some(end), Some(at)) = (end, row.done_at.or(row.submitted_at)) {
            times.note(at.0, end);
        }
        if status.has_reason() {
            let known = reasons.len() < REASONS || reasons.contains_key(&(status, row.error));
            let reason = if known { row.error } else { Some(OTHER) };
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
