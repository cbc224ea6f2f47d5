//! The clips of the calls that are under way, for the provider to fetch: each once, however many calls play it.
//!
//! They are in memory: the daemon that places the calls has them, and no other one. What is on the shelf together is
//! bounded by [`BYTES_MAX`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::carrier::voice::CallClip;
use crate::entropy::Entropy;

/// Bytes of clips together: some 26 of the longest.
const BYTES_MAX: usize = 256 << 20;

/// See the module. A cheap handle.
#[derive(Clone, Debug, Default)]
pub struct ClipShelf(Arc<Mutex<Shelf>>);

#[derive(Debug, Default)]
struct Shelf {
    clips: HashMap<u64, (CallClip, usize)>,
    bytes: usize,
}

impl ClipShelf {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A clip that a call plays now.
    pub fn clip(&self, id: u64) -> Option<CallClip> {
        self.shelf().clips.get(&id).map(|(clip, _)| clip.clone())
    }

    /// Puts a clip there for one more call; `None` where there is no room.
    pub(super) fn put(&self, clip: &CallClip, entropy: &dyn Entropy) -> Option<OnShelf> {
        let mut shelf = self.shelf();
        let known = shelf.clips.iter_mut().find(|(_, (known, _))| known.is(clip));
        if let Some((id, (_, calls))) = known {
            *calls += 1;
            return Some(OnShelf { shelf: self.clone(), id: *id });
        }
        let bytes = bytes(clip);
        if shelf.bytes + bytes > BYTES_MAX {
            return None;
        }
        let mut id = entropy.u64();
        while shelf.clips.contains_key(&id) {
            id = entropy.u64();
        }
        shelf.bytes += bytes;
        shelf.clips.insert(id, (clip.clone(), 1));
        Some(OnShelf { shelf: self.clone(), id })
    }
}

fn bytes(clip: &CallClip) -> usize {
    2 * clip.samples().len()
}

/// Keeps a clip on the shelf until it is dropped.
#[derive(Debug)]
pub(super) struct OnShelf {
    shelf: ClipShelf,
    id: u64,
}

impl OnShelf {
    /// What it is asked for by.
    pub(super) const fn id(&self) -> u64 {
        self.id
    }
}

impl Drop for OnShelf {
    fn drop(&mut self) {
        let mut shelf = self.shelf.shelf();
        let Some((clip, calls)) = shelf.clips.get_mut(&self.id) else { return };
        *calls -= 1;
        if *calls == 0 {
            let bytes = bytes(clip);
            shelf.bytes -= bytes;
            shelf.clips.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    #[test]
    fn a_clip_is_there_once_while_a_call_plays_it_and_no_more_than_there_is_room_for() {
        let (shelf, entropy) = (ClipShelf::default(), SeededEntropy::new(7));
        let clip = CallClip::new(vec![0; 800]);
        let first = shelf.put(&clip, &entropy).unwrap();
        let second = shelf.put(&clip, &entropy).unwrap();
        assert_eq!((first.id(), shelf.shelf().bytes), (second.id(), 1_600));
        let other = shelf.put(&CallClip::new(vec![0; 800]), &entropy).unwrap();
        assert_ne!(first.id(), other.id());
        let id = first.id();
        drop((first, other));
        assert!(shelf.clip(id).is_some_and(|held| held.is(&clip)));
        let long = CallClip::new(vec![0; BYTES_MAX / 2]);
        assert!(shelf.put(&long, &entropy).is_none());
        drop(second);
        assert!(shelf.clip(id).is_none() && shelf.shelf().bytes == 0);
        assert!(shelf.put(&long, &entropy).is_some());
    }
}
