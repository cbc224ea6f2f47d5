use futures::TryStreamExt as _;

use super::*;
use crate::model::account::id::UserId;
use crate::model::account::user::{Role, UserStatus};
use crate::model::voice::id::RecordingId;
use crate::operate::user::deletion;
use crate::platform::quota::Quota;
use crate::testing::account::make_user;
use crate::time::ManualClock;
use crate::voice::clip::Clip;
use crate::{args, both_databases};

const NOW: Time = Time(1_800_000_000_000);
const QUOTA: Quota = Quota {
    recordings: 3,
    recording_bytes: 3 << 20,
    contacts: 0,
    opt_outs: 0,
    quotes: 0,
    quoted_recipients: 0,
    import_bytes: 0,
    import_rejects: 0,
    draft_bytes: 0,
};
const QUOTAS: Quotas = Quotas { unfunded: QUOTA, funded: QUOTA };

/// A recording of so many seconds that differs from others by its seed.
fn recording(seconds: u32, seed: u32) -> Recording {
    let samples: Vec<i16> =
        (0..8_000 * seconds).map(|n| (n.wrapping_mul(2_654_435_761 + 2 * seed) >> 18) as i16).collect();
    Recording {
        clip: Clip::of_samples(&samples).unwrap(),
        length_ms: i64::from(seconds) * 1_000,
        loudness_dbfs: -12,
    }
}

struct Shelf {
    store: Store,
    clock: ManualClock,
    user: UserId,
}

impl Shelf {
    async fn of(store: Store) -> Self {
        let user = make_user(&store, "ada", Role::User).await;
        Self { store, clock: ManualClock::new(NOW), user }
    }

    async fn add(&self, recording: &Recording, claim: Option<Claim>) -> Result<AddedRecording> {
        add(&self.store, &self.clock, (self.user, "Hello".to_owned()), recording, QUOTAS, claim).await
    }

    async fn listed(&self) -> Vec<VoiceRecord> {
        let mut tx = self.store.read().await.unwrap();
        let url = |row: &RecordingRow| format!("/{}", row.id);
        page(&mut tx, self.user, Page::first(), url).await.unwrap().0
    }

    async fn heard(&self, id: RecordingId, range: Range<u64>) -> Result<Vec<u8>> {
        Ok(pcm(self.store.clone(), id, range).try_collect::<Vec<_>>().await?.concat())
    }

    async fn count(&self, sql: &'static str) -> i64 {
        let mut tx = self.store.read().await.unwrap();
        tx.one::<(i64,)>(sql, args![]).await.unwrap().0
    }

    async fn rows(&self) -> (i64, i64) {
        let recordings = self.count("SELECT COUNT(*) FROM voice_recordings").await;
        (recordings, self.count("SELECT COUNT(*) FROM voice_recording_pieces").await)
    }

    async fn delete(&self, user: UserId, id: RecordingId) -> Result<()> {
        let input = (user, id, self.clock.now());
        let write = self
            .store
            .write(Lane::Interactive, input, |tx, (user, id, now)| Box::pin(delete(tx, *user, *id, *now)));
        write.await
    }

    /// The rows of each step until nothing is left.
    async fn purge(&self) -> Vec<u64> {
        let mut steps = Vec::new();
        loop {
            let step =
                self.store.write(Lane::Background, self.clock.now(), |tx, now| Box::pin(purge(tx, *now)));
            match step.await.unwrap() {
                0 => return steps,
                rows => steps.push(rows),
            }
        }
    }

    fn claim(&self, key: &str, input: u8) -> Option<Claim> {
        let key = key.to_owned();
        Some(Claim { user_id: self.user, key, operation: "recording.add", input_hash: [input; 32] })
    }

    async fn set_status(&self, status: UserStatus) {
        let input = (self.user, status);
        let write = self.store.write(Lane::Interactive, input, |tx, (user, status)| {
            Box::pin(user::set_status(tx, *user, *status, NOW))
        });
        assert!(write.await.unwrap());
    }

    /// One that is begun.
    async fn begun(&self) -> (RecordingId, NewRecording) {
        let new = NewRecording {
            user_id: self.user,
            name: "Half".to_owned(),
            sha256: [7; 32],
            length_ms: 20_000,
            loudness_dbfs: -12,
            bytes: 320_000,
        };
        let write = self.store.write(Lane::Interactive, (new, self.clock.now()), |tx, (new, now)| {
            Box::pin(async move {
                let id = rows::begin(tx, new, *now).await?;
                RECORDINGS.put(tx, id.0, 1, &vec![0; 57_856]).await?;
                Ok((id, new.clone()))
            })
        });
        write.await.unwrap()
    }

    /// Begins to store one and stops, as a daemon that is killed does.
    async fn cut_off(&self) {
        let (id, new) = self.begun().await;
        let input = (id, new, self.clock.now());
        let complete = self.store.write(Lane::Interactive, input, |tx, (id, new, now)| {
            Box::pin(rows::complete(tx, *id, new, *now))
        });
        assert_eq!(complete.await.unwrap_err().code(), "corrupt", "pieces are missing");
    }
}

both_databases! {
    async fn a_recording_is_listed_and_heard_from_anywhere_as_it_was_stored(store: Store) {
        let shelf = Shelf::of(store).await;
        let recording = recording(40, 1);
        let added = shelf.add(&recording, None).await.unwrap();
        assert!(added.is_new);
        assert_eq!(shelf.rows().await, (1, 3), "pieces of 16 seconds");
        let listed = shelf.listed().await;
        let [shown] = &listed[..] else { panic!("{listed:?}") };
        assert_eq!((shown.id, &*shown.name, &*shown.audio_file_url), (added.id.0, "Hello", &*format!("/{}", added.id)));
        assert_eq!((shown.length_ms, &*shown.loudness, shown.bytes), (40_000, "good", 640_000));
        let samples = recording.clip.pcm();
        let mut tx = shelf.store.read().await.unwrap();
        assert_eq!(pcm_bytes(&mut tx, added.id, NOW).await.unwrap(), (640_000, shelf.user));
        let earlier = pcm_bytes(&mut tx, added.id, NOW - std::time::Duration::from_millis(1)).await;
        assert_eq!(earlier.unwrap_err().code(), "not_found", "another one had this id");
        drop(tx);
        for range in [0..640_000, 0..1, 262_143..262_145, 300_000..640_000, 639_999..640_000, 5..5] {
            let wanted = &samples[range.start as usize..range.end as usize];
            assert_eq!(shelf.heard(added.id, range.clone()).await.unwrap(), wanted, "{range:?}");
        }
        assert_eq!(shelf.heard(added.id, 639_999..640_001).await.unwrap_err().code(), "not_found");
    }

    async fn the_same_samples_are_kept_once_a_user(store: Store) {
        let shelf = Shelf::of(store).await;
        let first = shelf.add(&recording(2, 1), None).await.unwrap();
        let again = shelf.add(&recording(2, 1), None).await.unwrap();
        assert_eq!(again, AddedRecording { id: first.id, is_new: false });
        let eve = make_user(&shelf.store, "eve", Role::User).await;
        let name = (eve, "Mine".to_owned());
        let hers = add(&shelf.store, &shelf.clock, name, &recording(2, 1), QUOTAS, None).await.unwrap();
        assert!(hers.is_new && hers.id != first.id);
        assert_eq!(shelf.listed().await.len(), 1);
    }

    async fn two_uploads_of_the_same_at_once_leave_one(store: Store) {
        let shelf = Shelf::of(store).await;
        let recording = recording(3, 1);
        let (one, two) = tokio::join!(shelf.add(&recording, None), shelf.add(&recording, None));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!(one.id, two.id);
        assert!(one.is_new != two.is_new, "{one:?} {two:?}");
        shelf.purge().await;
        assert_eq!(shelf.rows().await, (1, 1));
    }

    async fn a_key_is_used_once(store: Store) {
        let shelf = Shelf::of(store).await;
        let first = shelf.add(&recording(2, 1), shelf.claim("k", 1)).await.unwrap();
        assert_eq!(shelf.add(&recording(2, 1), shelf.claim("k", 1)).await.unwrap().id, first.id);
        let other = shelf.add(&recording(2, 2), shelf.claim("k", 2)).await.unwrap_err();
        assert!(matches!(other, Error::Conflict { .. }), "{other:?}");
        assert_eq!(shelf.listed().await.len(), 1);
        shelf.purge().await;
        assert_eq!(shelf.rows().await, (1, 1), "what was stored for nothing goes at once");
    }

    async fn a_user_keeps_so_many_and_so_much(store: Store) {
        let shelf = Shelf::of(store).await;
        let mut ids = Vec::new();
        for seed in 1..=3 {
            ids.push(shelf.add(&recording(2, seed), None).await.unwrap().id);
        }
        let refused = shelf.add(&recording(2, 4), None).await.unwrap_err();
        assert_eq!(refused.code(), "recordings_quota");
        assert_eq!(refused.to_string(), "Your account may keep 3 recordings: delete one that you no longer need");
        assert!(!shelf.add(&recording(2, 3), None).await.unwrap().is_new, "what is kept takes no room");
        shelf.delete(shelf.user, ids[0]).await.unwrap();
        let long = shelf.add(&recording(200, 5), None).await.unwrap_err();
        assert_eq!(
            long.to_string(),
            "Your account may keep 3 minutes of recordings: delete some that you no longer need, or shorten this one"
        );
        ids[0] = shelf.add(&recording(2, 6), None).await.unwrap().id;
        for seed in 7..=8 {
            shelf.delete(shelf.user, ids[0]).await.unwrap();
            ids[0] = shelf.add(&recording(2, seed), None).await.unwrap().id;
        }
        shelf.delete(shelf.user, ids[0]).await.unwrap();
        let refused = shelf.add(&recording(2, 9), None).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "The recordings that you deleted are still being removed: try again in ten minutes"
        );
        shelf.purge().await;
        shelf.add(&recording(2, 9), None).await.unwrap();
        assert_eq!(shelf.rows().await, (3, 3));
    }

    async fn what_is_deleted_is_gone_at_once_and_purged_by_and_by(store: Store) {
        let shelf = Shelf::of(store).await;
        let id = shelf.add(&recording(190, 1), None).await.unwrap().id;
        let eve = make_user(&shelf.store, "eve", Role::User).await;
        assert_eq!(shelf.delete(eve, id).await.unwrap_err().code(), "not_found");
        let mut tx = shelf.store.read().await.unwrap();
        assert_eq!(show(&mut tx, eve, id, |_| String::new()).await.unwrap_err().code(), "not_found");
        assert!(show(&mut tx, shelf.user, id, |_| String::new()).await.is_ok());
        drop(tx);
        assert_eq!(shelf.purge().await, Vec::<u64>::new());
        shelf.delete(shelf.user, id).await.unwrap();
        assert_eq!(shelf.delete(shelf.user, id).await.unwrap_err().code(), "not_found");
        assert!(shelf.listed().await.is_empty());
        let mut tx = shelf.store.read().await.unwrap();
        assert_eq!(pcm_bytes(&mut tx, id, NOW).await.unwrap_err().code(), "not_found");
        drop(tx);
        assert_eq!(shelf.purge().await, [8, 4, 1], "a few pieces a transaction");
        assert_eq!(shelf.rows().await, (0, 0));
        assert!(shelf.add(&recording(190, 1), None).await.unwrap().is_new);
    }

    async fn what_ends_after_its_owner_is_gone_is_not_kept(store: Store) {
        let shelf = Shelf::of(store).await;
        let (id, new) = shelf.begun().await;
        let kept = shelf.add(&recording(3, 1), None).await.unwrap().id;
        shelf.set_status(UserStatus::Inactive).await;
        let played = pcm_bytes(&mut shelf.store.read().await.unwrap(), kept, NOW).await;
        assert_eq!(played.unwrap_err().code(), "not_found");
        assert_eq!(shelf.add(&recording(2, 1), None).await.unwrap_err().code(), "account_inactive");
        assert_eq!(shelf.rows().await.0, 2, "not even begun");
        let ended = store_pieces(&shelf.store, &shelf.clock, id, &vec![0; 320_000], (new, None)).await;
        assert_eq!(ended.unwrap_err().code(), "account_inactive");
        shelf.set_status(UserStatus::Active).await;
        assert_eq!(shelf.listed().await.len(), 1);
        assert!(shelf.add(&recording(2, 1), None).await.unwrap().is_new);
    }

    async fn an_upload_that_was_cut_off_is_never_seen_and_purged_after_ten_minutes(store: Store) {
        let shelf = Shelf::of(store).await;
        shelf.cut_off().await;
        assert!(shelf.listed().await.is_empty());
        assert_eq!(shelf.purge().await, Vec::<u64>::new(), "it may be under way on another machine");
        shelf.clock.advance(std::time::Duration::from_secs(601));
        assert_eq!(shelf.purge().await, [1, 1]);
    }

    async fn recordings_go_with_their_user(store: Store) {
        let shelf = Shelf::of(store).await;
        let root = make_user(&shelf.store, "root", Role::Admin).await;
        shelf.add(&recording(190, 1), None).await.unwrap();
        shelf.cut_off().await;
        let input = (shelf.user, root);
        let deleted = shelf.store.write(Lane::Interactive, input, |tx, (user, root)| {
            Box::pin(deletion::delete_user(tx, *user, *root, NOW))
        });
        deleted.await.unwrap();
        let mut steps = 0;
        loop {
            let step = shelf.store.write(Lane::Background, shelf.user, |tx, user| {
                Box::pin(deletion::go_on(tx, *user, NOW))
            });
            match step.await.unwrap() {
                deletion::DeletionStep::Removed => steps += 1,
                step => break assert_eq!(step, deletion::DeletionStep::Anonymised),
            }
        }
        assert!(steps >= 3, "{steps} steps");
        assert_eq!(shelf.rows().await, (0, 0));
    }
}

#[test]
fn a_recording_is_called_as_said_or_as_its_file() {
    for (given, file, name) in [
        (Some(" Easter \n sale "), Some("x.mp3"), "Easter sale"),
        (None, Some("Easter sale.v2.mp3"), "Easter sale.v2"),
        (Some(" "), Some("C:\\music\\hello.mp3"), "hello"),
        (None, Some(".mp3"), "Recording"),
        (None, None, "Recording"),
    ] {
        assert_eq!(name_of(given, file).unwrap(), name);
    }
    let long = "ä".repeat(101);
    assert_eq!(name_of(None, Some(&long)).unwrap().chars().count(), 100);
    let refused = name_of(Some(&long), None).unwrap_err();
    assert_eq!(refused.to_string(), "The name has 101 characters, and may have 100: shorten it");
    assert!(name_of(Some(&long[2..]), None).is_ok());
}
