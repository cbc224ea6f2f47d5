//! What the calls of a campaign play: its text, spoken again, or its owner's recording.
//!
//! All calls that play the same have one handle ([`ClipCache`]), so that carriers prepare and count it once.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::TryStreamExt as _;
use futures::future::BoxFuture;
use tokio::sync::OnceCell;

use crate::carrier::calls::Clips;
use crate::carrier::voice::{CallClip, WeakClip};
use crate::content::{CallScript, ClipSource};
use crate::error::{Error, Result};
use crate::model::voice::id::RecordingId;
use crate::phone::{AllowedPrefixes, Msisdn};
use crate::store::Store;
use crate::store::voice::recording;
use crate::voice::clip::{SECONDS_MAX, samples_of};
use crate::voice::library;
use crate::voice::speech::{Speech, SpeechText};

/// Clips that are held beyond the calls that play them, of all carriers together: at most 10 MB each. No carrier has seats
/// of its own: what the calls of one play now is found again whatever the others hold, and only what no call plays is made
/// again.
const HELD: usize = 8;

/// The clips of campaigns, each made once for all its calls.
pub struct CampaignClips {
    store: Store,
    speech: Speech,
    callable: Arc<AllowedPrefixes>,
    clips: ClipCache,
}

/// A clip, once it is made.
type ClipCell = Arc<OnceCell<CallClip>>;

/// Clips by what they are made of: those used last, and those that a call plays. A library's cache forgets what it evicts; here
/// a clip that a call still plays is found again. With [`HELD`] clips a scan is as fast as a map.
#[derive(Default)]
struct ClipCache(Mutex<Cached>);

#[derive(Default)]
struct Cached {
    /// Those used last, newest first.
    held: VecDeque<(ClipSource, ClipCell)>,
    /// Every clip that was made and is not gone: as many as calls and `held` keep.
    living: Vec<(ClipSource, WeakClip)>,
}

impl ClipCache {
    fn cached(&self) -> MutexGuard<'_, Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of a clip. The first call that wants it fills it.
    fn place(&self, source: &ClipSource) -> ClipCell {
        let mut cached = self.cached();
        let held = &mut cached.held;
        let known = held.iter().position(|(known, _)| known == source).and_then(|at| held.remove(at));
        let (source, made) = known.unwrap_or_else(|| (source.clone(), ClipCell::default()));
        held.push_front((source, Arc::clone(&made)));
        held.truncate(HELD);
        made
    }

    /// The clip as a call plays it now.
    fn living(&self, source: &ClipSource) -> Option<CallClip> {
        let cached = self.cached();
        cached.living.iter().find(|(known, _)| known == source).and_then(|(_, clip)| clip.upgrade())
    }

    /// The clip; made where nothing keeps it.
    async fn get(
        &self,
        source: &ClipSource,
        make: impl AsyncFnOnce() -> Result<CallClip>,
    ) -> Result<CallClip> {
        let place = self.place(source);
        let clip = place.get_or_try_init(async || {
            if let Some(clip) = self.living(source) {
                return Ok(clip);
            }
            let clip = make().await?;
            let mut cached = self.cached();
            cached.living.retain(|(known, clip)| known != source && clip.upgrade().is_some());
            cached.living.push((source.clone(), clip.downgrade()));
            Ok(clip)
        });
        clip.await.cloned()
    }
}

impl fmt::Debug for CampaignClips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CampaignClips").finish_non_exhaustive()
    }
}

impl CampaignClips {
    /// None yet.
    pub fn new(store: Store, speech: Speech, callable: Arc<AllowedPrefixes>) -> Self {
        Self { store, speech, callable, clips: ClipCache::default() }
    }

    async fn make(&self, source: &ClipSource) -> Result<CallClip> {
        match source {
            ClipSource::Speech { text, voice } => {
                // How long it may be was asked when it was quoted.
                let text = SpeechText::parse(Some(text), Some(voice), usize::MAX)?;
                let clip = self.speech.say(text).await?;
                samples(move || clip.samples(SECONDS_MAX)).await
            }
            ClipSource::Recording { id, .. } => {
                let id = RecordingId(*id);
                let row = recording::by_id(&mut self.store.read().await?, id).await?;
                let bytes = row.ok_or(Error::NotFound("recording"))?.bytes;
                let bytes = u64::try_from(bytes).unwrap_or_default();
                let pieces: Vec<Vec<u8>> =
                    library::pcm(self.store.clone(), id, 0..bytes).try_collect().await?;
                samples(move || samples_of(&pieces.concat(), SECONDS_MAX)).await
            }
        }
    }
}

impl Clips for CampaignClips {
    fn check(&self, number: Msisdn) -> Result<()> {
        self.callable.check(number)
    }

    fn clip<'a>(&'a self, script: &'a CallScript) -> BoxFuture<'a, Result<CallClip>> {
        Box::pin(self.clips.get(&script.clip, async || self.make(&script.clip).await))
    }
}

/// Reads samples where no other task waits for it.
async fn samples(read: impl FnOnce() -> Vec<i16> + Send + 'static) -> Result<CallClip> {
    let samples = tokio::task::spawn_blocking(read).await;
    samples.map(CallClip::new).map_err(|_| Error::unavailable("shutting_down", "The daemon is shutting down"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(id: i64) -> ClipSource {
        ClipSource::Recording { id, name: "News".into() }
    }

    async fn get(cache: &ClipCache, id: i64, made: &mut u32) -> CallClip {
        let make = async || {
            *made += 1;
            Ok(CallClip::new(vec![0; 8]))
        };
        cache.get(&recording(id), make).await.unwrap()
    }

    #[tokio::test]
    async fn a_clip_that_a_call_plays_is_one_however_many_campaigns_call_meanwhile() {
        let (cache, mut made) = (ClipCache::default(), 0);
        let playing = get(&cache, 0, &mut made).await;
        let idle = get(&cache, 1, &mut made).await.downgrade();
        for other in 2..20 {
            get(&cache, other, &mut made).await;
        }
        assert!(idle.upgrade().is_none(), "eight are held, no more");
        assert_eq!(made, 20);
        assert!(get(&cache, 0, &mut made).await.is(&playing), "the call and the next one share it");
        assert_eq!(made, 20);
        get(&cache, 1, &mut made).await;
        assert_eq!(made, 21);
        assert!(cache.cached().living.len() <= HELD + 2, "what is gone is forgotten");
    }

    #[tokio::test]
    async fn a_clip_that_cannot_be_made_is_tried_again() {
        let (cache, mut made) = (ClipCache::default(), 0);
        let fails = async || Err(Error::NotFound("recording"));
        assert!(cache.get(&recording(0), fails).await.is_err());
        get(&cache, 0, &mut made).await;
        assert_eq!(made, 1);
    }
}
