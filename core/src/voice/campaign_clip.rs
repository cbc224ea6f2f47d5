//! What the calls of a campaign play: its text, spoken again, or its owner's recording.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures::TryStreamExt as _;
use futures::future::BoxFuture;
use tokio::sync::OnceCell;

use crate::carrier::calls::Clips;
use crate::carrier::voice::CallClip;
use crate::content::{CallScript, ClipSource};
use crate::error::{Error, Result};
use crate::phone::{AllowedPrefixes, Msisdn};
use crate::store::Store;
use crate::store::voice::recording;
use crate::voice::clip::{SECONDS_MAX, samples_of};
use crate::voice::library;
use crate::voice::speech::{Speech, SpeechText};

/// Clips that are held beyond the calls that play them: at most 10 MB each.
const HELD: usize = 8;

/// The clips of campaigns, each made once for all its calls.
pub struct CampaignClips {
    store: Store,
    speech: Speech,
    callable: Arc<AllowedPrefixes>,
    /// Those used last, newest first.
    held: Mutex<VecDeque<(ClipSource, Made)>>,
}

type Made = Arc<OnceCell<CallClip>>;

impl fmt::Debug for CampaignClips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CampaignClips").finish_non_exhaustive()
    }
}

impl CampaignClips {
    /// None yet.
    pub const fn new(store: Store, speech: Speech, callable: Arc<AllowedPrefixes>) -> Self {
        Self { store, speech, callable, held: Mutex::new(VecDeque::new()) }
    }

    /// The place of a clip. The first call that wants it fills it.
    fn place(&self, source: &ClipSource) -> Made {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let known = held.iter().position(|(known, _)| known == source).and_then(|at| held.remove(at));
        let (source, made) = known.unwrap_or_else(|| (source.clone(), Made::default()));
        held.push_front((source, Arc::clone(&made)));
        held.truncate(HELD);
        made
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
                let row = recording::by_id(&mut self.store.read().await?, *id).await?;
                let bytes = row.ok_or(Error::NotFound("recording"))?.bytes;
                let bytes = u64::try_from(bytes).unwrap_or_default();
                let pieces: Vec<Vec<u8>> =
                    library::pcm(self.store.clone(), *id, 0..bytes).try_collect().await?;
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
        Box::pin(async move {
            let made = self.place(&script.clip);
            made.get_or_try_init(|| self.make(&script.clip)).await.cloned()
        })
    }
}

/// Reads samples where no other task waits for it.
async fn samples(read: impl FnOnce() -> Vec<i16> + Send + 'static) -> Result<CallClip> {
    let samples = tokio::task::spawn_blocking(read).await;
    samples.map(CallClip::new).map_err(|_| Error::unavailable("shutting_down", "The daemon is shutting down"))
}
