//! Clips by what they are made of, as files.
//!
//! A file is written beside its place and then moved there, so that it is whole or not there; one that is damaged all the
//! same is made again. What was not used for the longest time goes first when there are too many bytes, and everything
//! goes when it was not used for some days. One daemon at a time has the directory. All functions read or write files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::error::{Error, Result};
use crate::store::operations::disk::DiskGuard;
use crate::time::Time;
use crate::voice::clip::Clip;

/// The digest of what a clip is made of.
pub(super) type Key = [u8; 32];

/// Where clips are kept, and how many of them.
#[derive(Clone, Debug)]
pub struct CacheConfig {
    /// The directory; it is made.
    pub dir: PathBuf,
    /// Bytes of all files; 0 keeps none.
    pub bytes_max: u64,
    /// How long a clip is kept that is not used.
    pub unused_max: Duration,
    /// Says whether there is space for more.
    pub disk: DiskGuard,
}

/// No cache of a library fits: these are files that outlast the process, with their last use by the injected clock in the
/// file's time, a bound in bytes of the disk, and an order of removal that a test can repeat.
#[derive(Debug)]
pub(super) struct Cache {
    config: CacheConfig,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<Key, Entry>,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    bytes: u64,
    used_at: Time,
}

impl Kept {
    fn insert(&mut self, key: Key, entry: Entry) {
        self.remove(&key);
        self.bytes += entry.bytes;
        self.entries.insert(key, entry);
    }

    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes = self.bytes.saturating_sub(entry.bytes);
        }
    }

    /// What has to go so that at most `bytes_max` stay, and nothing that was last used before `since`.
    fn surplus(&self, bytes_max: u64, since: Time) -> Vec<Key> {
        let mut oldest: Vec<(&Key, &Entry)> = self.entries.iter().collect();
        oldest.sort_unstable_by_key(|(key, entry)| (entry.used_at, **key));
        let mut bytes = self.bytes;
        let goes = oldest.into_iter().take_while(|(_, entry)| {
            let goes = bytes > bytes_max || entry.used_at < since;
            bytes = bytes.saturating_sub(entry.bytes);
            goes
        });
        goes.map(|(key, _)| *key).collect()
    }
}

impl Cache {
    /// Opens a directory, and removes what a crash left behind and what is too much.
    ///
    /// # Errors
    /// When the directory cannot be made or read.
    pub(super) fn open(config: CacheConfig, now: Time) -> Result<Self> {
        let failed = |error| Error::io(format!("cannot use {}", config.dir.display()), error);
        fs::create_dir_all(&config.dir).map_err(failed)?;
        let mut kept = Kept::default();
        for file in fs::read_dir(&config.dir).map_err(failed)? {
            let path = file.map_err(failed)?.path();
            match key_of(&path).zip(path.metadata().ok().filter(fs::Metadata::is_file)) {
                Some((key, file)) => {
                    // A clock that was set back makes nothing eternal.
                    let used_at = file.modified().map_or(now, in_our_time).min(now);
                    kept.insert(key, Entry { bytes: file.len(), used_at });
                }
                None => remove(&path),
            }
        }
        let cache = Self { config, kept: Mutex::new(kept) };
        cache.shrink(Time(i64::MIN));
        Ok(cache)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.config.dir.join(format!("{}.wav", hex::encode(key)))
    }

    /// The clip under a key, which counts as its use.
    pub(super) fn get(&self, key: &Key, now: Time) -> Option<Clip> {
        let entry = self.lock().entries.get(key).copied();
        let entry = entry.filter(|entry| entry.used_at >= self.oldest(now))?;
        let path = self.path(key);
        let clip = fs::read(&path).ok().and_then(Clip::stored);
        let mut kept = self.lock();
        if clip.is_none() {
            kept.remove(key);
            drop(kept);
            remove(&path);
            return None;
        }
        if let Some(entry) = kept.entries.get_mut(key) {
            entry.used_at = now;
        }
        drop(kept);
        // Once a minute is enough for what is counted in days.
        if now.0 - entry.used_at.0 > 60_000 {
            let _ = File::open(&path).and_then(|file| file.set_modified(in_system_time(now)));
        }
        clip
    }

    /// Keeps a clip, if there is room. A failure is logged: the clip is there all the same.
    pub(super) fn put(&self, key: &Key, clip: &Clip, now: Time) {
        let bytes = clip.as_ref().len() as u64;
        if bytes > self.config.bytes_max || self.config.disk.check().is_err() {
            return;
        }
        if let Err(error) = self.write(key, clip.as_ref(), now) {
            tracing::warn!(%error, "a clip of speech was not kept");
            return;
        }
        self.lock().insert(*key, Entry { bytes, used_at: now });
        self.shrink(Time(i64::MIN));
    }

    fn write(&self, key: &Key, wav: &[u8], now: Time) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.config.dir)?;
        std::io::Write::write_all(&mut file, wav)?;
        file.as_file().set_modified(in_system_time(now))?;
        file.as_file().sync_data()?;
        file.persist(self.path(key))?;
        Ok(())
    }

    /// Removes what is too old by now, and what is too much.
    pub(super) fn tidy(&self, now: Time) {
        self.shrink(self.oldest(now));
    }

    /// Removes what was last used before `oldest`, and what is too much.
    fn shrink(&self, oldest: Time) {
        let mut kept = self.lock();
        let surplus = kept.surplus(self.config.bytes_max, oldest);
        for key in surplus {
            kept.remove(&key);
            // Under the lock, so that no clip that is just being kept again goes with it.
            remove(&self.path(&key));
        }
    }

    fn oldest(&self, now: Time) -> Time {
        let unused_max = i64::try_from(self.config.unused_max.as_millis()).unwrap_or(i64::MAX);
        Time(now.0.saturating_sub(unused_max))
    }
}

/// The key that a file is named after.
fn key_of(path: &Path) -> Option<Key> {
    let name = path.file_name()?.to_str()?.strip_suffix(".wav")?;
    let mut key = Key::default();
    hex::decode_to_slice(name, &mut key).ok()?;
    Some(key)
}

fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(path = %path.display(), %error, "a file of speech was not removed");
    }
}

fn in_our_time(time: SystemTime) -> Time {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn in_system_time(time: Time) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(time.0.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 3_600 * 1_000;
    const NOW: Time = Time(1_700_000_000_000);

    fn after(days: i64) -> Time {
        Time(NOW.0 + days * DAY)
    }

    /// A clip of a second; `n` makes it another one.
    fn clip(n: i16) -> Clip {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: 8_000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut wav = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut wav, spec).unwrap();
        (0..8_000).for_each(|at| writer.write_sample(at + n).unwrap());
        writer.finalize().unwrap();
        Clip::stored(wav.into_inner()).unwrap()
    }

    const CLIP_BYTES: u64 = 16_044;

    fn config(dir: &Path, clips: u64) -> CacheConfig {
        CacheConfig {
            dir: dir.join("speech"),
            bytes_max: clips * CLIP_BYTES,
            unused_max: Duration::from_secs(30 * 24 * 3_600),
            disk: DiskGuard::new(dir, 0),
        }
    }

    fn files(dir: &Path) -> usize {
        fs::read_dir(dir.join("speech")).unwrap().count()
    }

    #[test]
    fn a_clip_is_found_again_also_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(config(dir.path(), 3), NOW).unwrap();
        assert_eq!(cache.get(&[1; 32], NOW), None);
        cache.put(&[1; 32], &clip(1), NOW);
        assert_eq!(cache.get(&[1; 32], NOW), Some(clip(1)));
        fs::write(dir.path().join("speech/.tmpXYZ"), "left by a crash").unwrap();
        let again = Cache::open(config(dir.path(), 3), after(1)).unwrap();
        assert_eq!(again.get(&[1; 32], after(1)), Some(clip(1)));
        assert_eq!(files(dir.path()), 1);
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_goes_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(config(dir.path(), 2), NOW).unwrap();
        cache.put(&[1; 32], &clip(1), NOW);
        cache.put(&[2; 32], &clip(2), after(1));
        assert!(cache.get(&[1; 32], after(2)).is_some());
        cache.put(&[3; 32], &clip(3), after(3));
        let there = [1, 2, 3].map(|n| cache.get(&[n; 32], after(3)).is_some());
        assert_eq!((there, files(dir.path())), ([true, false, true], 2));
        // The order of use outlasts a restart.
        drop(cache);
        let cache = Cache::open(config(dir.path(), 1), after(4)).unwrap();
        let there = [1, 3].map(|n| cache.get(&[n; 32], after(4)).is_some());
        assert_eq!((there.iter().filter(|it| **it).count(), files(dir.path())), (1, 1));
    }

    #[test]
    fn what_is_not_used_for_days_goes_and_nothing_is_kept_without_room() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(config(dir.path(), 2), NOW).unwrap();
        cache.put(&[1; 32], &clip(1), NOW);
        cache.put(&[2; 32], &clip(2), after(20));
        assert_eq!(cache.get(&[1; 32], after(31)), None);
        drop(cache);
        let cache = Cache::open(config(dir.path(), 2), after(31)).unwrap();
        assert_eq!(files(dir.path()), 2, "by the clock nothing goes as it starts");
        cache.tidy(after(31));
        assert_eq!(files(dir.path()), 1);
        let none = Cache::open(config(dir.path(), 0), after(31)).unwrap();
        none.put(&[3; 32], &clip(3), after(31));
        assert_eq!((none.get(&[3; 32], after(31)), files(dir.path())), (None, 0));
        let full = CacheConfig { disk: DiskGuard::new(dir.path(), u64::MAX), ..config(dir.path(), 2) };
        let full = Cache::open(full, NOW).unwrap();
        full.put(&[4; 32], &clip(4), NOW);
        assert_eq!(files(dir.path()), 0);
    }

    #[test]
    fn a_damaged_file_is_none_and_makes_place() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(config(dir.path(), 2), NOW).unwrap();
        cache.put(&[1; 32], &clip(1), NOW);
        fs::write(cache.path(&[1; 32]), "junk").unwrap();
        assert_eq!(cache.get(&[1; 32], NOW), None);
        assert_eq!(files(dir.path()), 0);
        cache.put(&[1; 32], &clip(1), NOW);
        assert_eq!(cache.get(&[1; 32], NOW), Some(clip(1)));
    }
}
