//! Which carrier each message of a chunk went by, where the rest of the chunk was rerouted.
//!
//! Invariant: a message that may have been sent stays with the carrier that it went by, which gives its receipts, its
//! policy for unknown messages and its cost.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::CHUNK_SIZE;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::store::Tx;
use crate::store::message::reroute_rows as rows;

/// Octets of a set of places.
const OCTETS: usize = CHUNK_SIZE / 8;

/// A set of places of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkPlaces(Box<[u8; OCTETS]>);

impl Default for ChunkPlaces {
    fn default() -> Self {
        Self(Box::new([0; OCTETS]))
    }
}

impl ChunkPlaces {
    fn read(octets: &[u8]) -> Result<Self> {
        let places =
            octets.try_into().map_err(|_| Error::Corrupt("places of a chunk have another size".into()))?;
        Ok(Self(Box::new(places)))
    }

    /// Whether a place is among them.
    pub fn has(&self, place: u16) -> bool {
        self.0.get(usize::from(place / 8)).is_some_and(|octet| octet & (1 << (place % 8)) != 0)
    }

    fn set(&mut self, place: u16, is_in: bool) {
        if let Some(octet) = self.0.get_mut(usize::from(place / 8)) {
            *octet = if is_in { *octet | 1 << (place % 8) } else { *octet & !(1 << (place % 8)) };
        }
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|octet| *octet == 0)
    }
}

/// The carriers of a chunk.
#[derive(Clone, Debug)]
pub struct Reroutes {
    chunk: ChunkId,
    own: String,
    others: Vec<(String, ChunkPlaces)>,
}

impl Reroutes {
    /// Those of a chunk, whose own carrier is `own`.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of(tx: &mut Tx, chunk: ChunkId, own: &str) -> Result<Self> {
        let rows = rows::of_chunk(tx, chunk).await?;
        let others = rows.into_iter().map(|(carrier, octets)| Ok((carrier, ChunkPlaces::read(&octets)?)));
        Ok(Self { chunk, own: own.to_owned(), others: others.collect::<Result<_>>()? })
    }

    /// Those of several chunks, each given with its own carrier.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_many(tx: &mut Tx, chunks: &[(ChunkId, &str)]) -> Result<HashMap<ChunkId, Self>> {
        let of = |&(chunk, own): &(ChunkId, &str)| {
            (chunk, Self { chunk, own: own.to_owned(), others: Vec::new() })
        };
        let mut reroutes: HashMap<ChunkId, Self> = chunks.iter().map(of).collect();
        for (chunk, carrier, octets) in rows::of_chunks(tx, reroutes.keys().copied().collect()).await? {
            if let Some(reroutes) = reroutes.get_mut(&chunk) {
                reroutes.others.push((carrier, ChunkPlaces::read(&octets)?));
            }
        }
        Ok(reroutes)
    }

    /// The carrier by which the message at `place` went, or goes.
    pub fn carrier_of(&self, place: u16) -> &str {
        let other = self.others.iter().find(|(_, places)| places.has(place));
        other.map_or(&self.own, |(carrier, _)| carrier)
    }

    /// Makes some places go by other carriers than they did.
    async fn put(mut self, tx: &mut Tx, places: &[(u16, &str)]) -> Result<()> {
        let mut changed: BTreeSet<String> = BTreeSet::new();
        for (place, to) in places {
            if self.carrier_of(*place) == *to {
                continue;
            }
            for (carrier, held) in &mut self.others {
                if held.has(*place) {
                    held.set(*place, false);
                    changed.insert(carrier.clone());
                }
            }
            if *to == self.own {
                continue;
            }
            changed.insert((*to).to_owned());
            match self.others.iter_mut().find(|(carrier, _)| carrier == to) {
                Some((_, held)) => held.set(*place, true),
                None => {
                    let mut held = ChunkPlaces::default();
                    held.set(*place, true);
                    self.others.push(((*to).to_owned(), held));
                }
            }
        }
        for (carrier, held) in self.others.iter().filter(|(carrier, _)| changed.contains(carrier)) {
            if held.is_empty() {
                rows::remove(tx, self.chunk, carrier).await?;
            } else {
                rows::put(tx, self.chunk, carrier, &*held.0).await?;
            }
        }
        Ok(())
    }

    /// Whether any of the chunk went, or goes, by a carrier.
    pub fn knows(&self, carrier: &str) -> bool {
        self.own == carrier || self.others.iter().any(|(other, _)| other == carrier)
    }

    /// Makes `to` the chunk's own carrier: of the places below `cursor`, those in `again`, which are in order, go by it, too; the others stay
    /// with whom they went by.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn reroute(self, tx: &mut Tx, to: &str, cursor: u16, again: &[u16]) -> Result<()> {
        let mut carriers: Vec<(String, ChunkPlaces)> = Vec::new();
        for place in (0..cursor).filter(|place| again.binary_search(place).is_err()) {
            let carrier = self.carrier_of(place);
            if carrier == to {
                continue;
            }
            match carriers.iter_mut().find(|(known, _)| known == carrier) {
                Some((_, places)) => places.set(place, true),
                None => {
                    let mut places = ChunkPlaces::default();
                    places.set(place, true);
                    carriers.push((carrier.to_owned(), places));
                }
            }
        }
        for (carrier, _) in &self.others {
            if !carriers.iter().any(|(kept, _)| kept == carrier) {
                rows::remove(tx, self.chunk, carrier).await?;
            }
        }
        for (carrier, places) in carriers.iter().filter(|(_, places)| !places.is_empty()) {
            rows::put(tx, self.chunk, carrier, &*places.0).await?;
        }
        Ok(())
    }
}

/// Notes by which carriers these messages go from now on. Their chunks are locked.
///
/// # Errors
/// Those of the store.
pub async fn lead_places(tx: &mut Tx, messages: &[(MessageId, &str)]) -> Result<()> {
    let mut chunks: BTreeMap<ChunkId, Vec<(u16, &str)>> = BTreeMap::new();
    for (message, carrier) in messages {
        chunks.entry(message.chunk()).or_default().push((message.place(), carrier));
    }
    for (chunk, places) in chunks {
        let Some(own) = rows::carrier_of(tx, chunk).await? else { continue };
        Reroutes::of(tx, chunk, &own).await?.put(tx, &places).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::message::status::MessageStatus as S;
    use crate::store::{Lane, Store};
    use crate::testing::builder::{Spot, build};

    async fn led(store: &Store, chunk: ChunkId, from: &str, to: &'static str, cursor: u16, again: Vec<u16>) {
        let input = (chunk, from.to_owned(), to, cursor, again);
        store
            .write(Lane::Interactive, input, |tx, (chunk, from, to, cursor, again)| {
                Box::pin(async move {
                    Reroutes::of(tx, *chunk, from).await?.reroute(tx, to, *cursor, again).await
                })
            })
            .await
            .unwrap();
    }

    both_databases! {
        async fn each_place_stays_with_the_carrier_it_went_by(store: Store) {
            let chunk = build(&store, "ada").chunk(&[Spot::Answered(S::Submitted); 3]).store().await.chunks[0];
            // 0, 1, 2 went by a; 2 is tried again by b; then 3 went by b, and c takes the rest with 3.
            led(&store, chunk, "a", "b", 3, vec![2]).await;
            led(&store, chunk, "b", "c", 4, vec![3]).await;
            let mut tx = store.read().await.unwrap();
            let reroutes = Reroutes::of(&mut tx, chunk, "c").await.unwrap();
            let carriers: Vec<&str> = (0..6).map(|place| reroutes.carrier_of(place)).collect();
            assert_eq!(carriers, ["a", "a", "b", "c", "c", "c"]);
            drop(tx);
            // Back to a: nothing is told apart any more but what b and c had.
            led(&store, chunk, "c", "a", 5, vec![]).await;
            let mut tx = store.read().await.unwrap();
            let reroutes = Reroutes::of(&mut tx, chunk, "a").await.unwrap();
            let carriers: Vec<&str> = (0..6).map(|place| reroutes.carrier_of(place)).collect();
            assert_eq!(carriers, ["a", "a", "b", "c", "c", "a"]);
        }

        async fn a_place_that_goes_to_another_carrier_and_back_is_noted_once(store: Store) {
            let chunk = build(&store, "ada").chunk(&[Spot::Answered(S::Submitted); 3]).store().await.chunks[0];
            let mut tx = store.read().await.unwrap();
            let own = rows::carrier_of(&mut tx, chunk).await.unwrap().unwrap();
            drop(tx);
            let reroute = async |moves: &[(u16, Option<&str>)]| {
                let to = |to: Option<&str>| to.map_or_else(|| own.clone(), str::to_owned);
                let moves: Vec<(MessageId, String)> =
                    moves.iter().map(|(place, name)| (MessageId::new(chunk, *place), to(*name))).collect();
                store
                    .write(Lane::Interactive, moves, |tx, moves| {
                        Box::pin(async move {
                            let moves: Vec<(MessageId, &str)> =
                                moves.iter().map(|(message, to)| (*message, to.as_str())).collect();
                            lead_places(tx, &moves).await
                        })
                    })
                    .await
                    .unwrap();
                let mut tx = store.read().await.unwrap();
                let reroutes = Reroutes::of(&mut tx, chunk, "own").await.unwrap();
                (0..3).map(|place| reroutes.carrier_of(place).to_owned()).collect::<Vec<_>>()
            };
            assert_eq!(reroute(&[(0, Some("a")), (1, Some("b"))]).await, ["a", "b", "own"]);
            assert_eq!(reroute(&[(0, Some("b")), (2, Some("b"))]).await, ["b", "b", "b"]);
            assert_eq!(reroute(&[(0, None), (1, None), (2, None)]).await, ["own", "own", "own"]);
            let rows = rows::of_chunk(&mut store.read().await.unwrap(), chunk).await.unwrap();
            assert!(rows.is_empty(), "{rows:?}");
        }
    }
}
