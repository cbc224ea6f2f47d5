use std::io::{Seek as _, Write as _};

use futures::TryStreamExt as _;

use super::*;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::{DraftFileId, DraftId};
use crate::operate::user::deletion;
use crate::platform::quota::Quota;
use crate::testing::account::make_user;
use crate::time::ManualClock;
use crate::{args, both_databases};

const NOW: Time = Time(1_800_000_000_000);
const MIB: i64 = 1 << 20;

fn quotas() -> Quotas {
    let quota = Quota { draft_bytes: 2 * MIB, ..Quota::default() };
    Quotas { unfunded: quota, funded: quota }
}

struct Desk {
    store: Store,
    clock: ManualClock,
    user: UserId,
}

impl Desk {
    async fn of(store: Store) -> Self {
        let user = make_user(&store, "ada", Role::User).await;
        Self { store, clock: ManualClock::new(NOW), user }
    }

    async fn create(&self, title: &str) -> Result<DraftId> {
        let written = written(title, "{\"message\":\"Hello\"}".to_owned())?;
        let input = (self.user, written, self.clock.now());
        let write = self.store.write(Lane::Interactive, input, |tx, (user, written, now)| {
            Box::pin(create(tx, None, (*user, None), "sms", written, *now))
        });
        write.await
    }

    async fn create_called(&self, key: &str, fields: &str) -> Result<DraftId> {
        let input = (self.user, key_of(Some(key))?, written("Hello", fields.to_owned())?, self.clock.now());
        let write = self.store.write(Lane::Interactive, input, |tx, (user, key, written, now)| {
            Box::pin(create(tx, None, (*user, key.as_deref()), "sms", written, *now))
        });
        write.await
    }

    async fn delete_called(&self, key: &str, version: Option<i64>) -> Result<()> {
        let input = (self.user, key.to_owned(), version, self.clock.now());
        let write = self.store.write(Lane::Interactive, input, |tx, (user, key, version, now)| {
            Box::pin(delete_by_key(tx, (*user, key), *version, *now))
        });
        write.await
    }

    async fn save(&self, draft: Version, fields: &str) -> Result<()> {
        let input = (draft, written("Hello", fields.to_owned())?, self.clock.now());
        let write = self.store.write(Lane::Interactive, input, |tx, (draft, written, now)| {
            Box::pin(save(tx, *draft, written, *now))
        });
        write.await
    }

    async fn add(&self, draft: Version, name: &str, bytes: &[u8]) -> Result<DraftFileId> {
        let mut file = SpooledTempFile::new(1 << 16);
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        let new = NewFile { name: Some(name.to_owned()), file, bytes: bytes.len() as u64 };
        add_file(&self.store, &self.clock, draft, new, quotas()).await
    }

    async fn remove(&self, draft: Version, file: DraftFileId) -> Result<()> {
        let input = (draft, file, self.clock.now());
        let write = self.store.write(Lane::Interactive, input, |tx, (draft, file, now)| {
            Box::pin(remove_file(tx, *draft, *file, *now))
        });
        write.await
    }

    async fn delete(&self, id: DraftId) -> Result<()> {
        self.delete_version(id, None).await
    }

    async fn delete_version(&self, id: DraftId, version: Option<i64>) -> Result<()> {
        let input = ((self.user, id), version, self.clock.now());
        let write = self.store.write(Lane::Interactive, input, |tx, (draft, version, now)| {
            Box::pin(delete(tx, *draft, *version, *now))
        });
        write.await
    }

    async fn shown(&self, id: DraftId) -> Result<FormDraft> {
        show(&mut self.store.read().await.unwrap(), self.user, id).await
    }

    async fn listed(&self, form: Option<&str>) -> Vec<FormDraft> {
        list(&mut self.store.read().await.unwrap(), self.user, form).await.unwrap()
    }

    async fn read(&self, draft: DraftId, file: DraftFileId) -> Result<Vec<u8>> {
        let (_, pieces) = content(&self.store, (self.user, draft, file)).await?;
        Ok(pieces.try_collect::<Vec<_>>().await?.concat())
    }

    /// Rows of drafts, of files and of pieces.
    async fn rows(&self) -> (i64, i64, i64) {
        let sql = "SELECT (SELECT COUNT(*) FROM drafts), (SELECT COUNT(*) FROM draft_files), \
                   (SELECT COUNT(*) FROM draft_file_pieces)";
        self.store.read().await.unwrap().one(sql, args![]).await.unwrap()
    }

    /// The rows of each step until nothing is left.
    async fn purge(&self) -> Vec<u64> {
        let mut steps = Vec::new();
        loop {
            let now = self.clock.now();
            let step = self.store.write(Lane::Background, now, |tx, now| Box::pin(purge(tx, *now)));
            match step.await.unwrap() {
                0 => return steps,
                rows => steps.push(rows),
            }
        }
    }
}

fn numbers(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| b'0' + (at % 7) as u8).collect()
}

both_databases! {
    async fn a_key_makes_one_draft_and_finds_it_again(store: Store) {
        let desk = Desk::of(store).await;
        let id = desk.create_called("k-1", "{\"message\":\"Hello\"}").await.unwrap();
        desk.save((desk.user, id, 1), "{\"message\":\"Later\"}").await.unwrap();
        // The answer was lost, and the page asks again: nothing is overwritten, and no second one is begun.
        assert_eq!(desk.create_called("k-1", "{\"message\":\"Hello\"}").await.unwrap(), id);
        let shown = desk.shown(id).await.unwrap();
        assert_eq!((shown.version, shown.fields.as_deref()), (2, Some("{\"message\":\"Later\"}")));
        assert_eq!(shown.key.as_deref(), Some("k-1"));
        let other = desk.create("No key").await.unwrap();
        assert_ne!(desk.create("No key").await.unwrap(), other);
        assert_eq!(desk.delete_called("k-1", Some(1)).await.unwrap_err().code(), "draft_changed");
        assert!(matches!(desk.delete_called("k-2", None).await, Err(Error::NotFound("draft"))));
        desk.delete_called("k-1", Some(2)).await.unwrap();
        assert_eq!(desk.listed(None).await.len(), 2);
        // The key is free again, and another user's is another draft.
        assert_ne!(desk.create_called("k-1", "{}").await.unwrap(), id);
        let eve = Desk { user: make_user(&desk.store, "eve", Role::User).await, ..desk };
        assert!(matches!(eve.delete_called("k-1", None).await, Err(Error::NotFound("draft"))));
        eve.create_called("k-1", "{}").await.unwrap();
        assert!(key_of(Some("a b")).is_err() && key_of(Some(&"k".repeat(KEY_CHARS_MAX + 1))).is_err());
    }

    async fn a_draft_and_its_file_come_back_as_they_were(store: Store) {
        let desk = Desk::of(store).await;
        let id = desk.create("  Half a\nthought ").await.unwrap();
        let file = numbers(PIECE_BYTES * 2 + 5);
        let file_id = desk.add((desk.user, id, 1), "C:\\lists\\may.csv", &file).await.unwrap();
        assert_eq!(desk.rows().await, (1, 1, 3), "pieces");
        let shown = desk.shown(id).await.unwrap();
        assert_eq!((&*shown.title, shown.version), ("Half a thought", 2));
        assert_eq!(shown.fields.as_deref(), Some("{\"message\":\"Hello\"}"));
        assert_eq!((&*shown.files[0].name, shown.files[0].bytes), ("may.csv", file.len() as i64));
        assert!(desk.read(id, file_id).await.unwrap() == file);
        let listed = desk.listed(Some("sms")).await;
        assert_eq!((listed.len(), &listed[0].fields, listed[0].files.len()), (1, &None, 1));
        assert!(desk.listed(Some("call")).await.is_empty());
    }

    async fn of_two_devices_the_second_overwrites_nothing(store: Store) {
        let desk = Desk::of(store).await;
        let id = desk.create("Hello").await.unwrap();
        desk.save((desk.user, id, 1), "{\"by\":\"phone\"}").await.unwrap();
        // An answer that was lost: the same is saved again.
        desk.save((desk.user, id, 1), "{\"by\":\"phone\"}").await.unwrap();
        let late = desk.save((desk.user, id, 1), "{\"by\":\"desk\"}").await;
        assert_eq!(late.unwrap_err().code(), "draft_changed");
        assert_eq!(desk.add((desk.user, id, 1), "a.csv", b"0803").await.unwrap_err().code(), "draft_changed");
        let file = desk.add((desk.user, id, 2), "a.csv", b"0803").await.unwrap();
        assert_eq!(desk.remove((desk.user, id, 2), file).await.unwrap_err().code(), "draft_changed");
        assert_eq!(desk.shown(id).await.unwrap().fields.unwrap(), "{\"by\":\"phone\"}");
        desk.remove((desk.user, id, 3), file).await.unwrap();
        let shown = desk.shown(id).await.unwrap();
        assert_eq!((shown.version, shown.files.len()), (4, 0));
        // Asked again, as after an answer that was lost: it is not taken for a draft that is gone.
        assert_eq!(desk.remove((desk.user, id, 3), file).await.unwrap_err().code(), "draft_changed");
        assert_eq!(desk.remove((desk.user, id, 4), file).await.unwrap_err().code(), "not_found");
        assert_eq!(desk.read(id, file).await.unwrap_err().code(), "not_found");
    }

    async fn an_account_keeps_so_many_drafts_and_so_much_of_files(store: Store) {
        let desk = Desk::of(store).await;
        let first = desk.create("0").await.unwrap();
        for more in 1..DRAFTS_MAX {
            desk.create(&more.to_string()).await.unwrap();
        }
        assert_eq!(desk.create("more").await.unwrap_err().code(), "drafts_full");
        let large = numbers(MIB as usize + 1);
        let kept = desk.add((desk.user, first, 1), "a.csv", &large).await.unwrap();
        assert_eq!(desk.add((desk.user, first, 2), "b.csv", &large).await.unwrap_err().code(), "drafts_quota");
        let shown = desk.shown(first).await.unwrap();
        assert_eq!((shown.version, shown.files.len()), (2, 1), "what was refused left nothing");
        // What is taken out is no longer counted, and may be as much again until it is gone.
        desk.remove((desk.user, first, 2), kept).await.unwrap();
        let kept = desk.add((desk.user, first, 3), "b.csv", &large).await.unwrap();
        desk.remove((desk.user, first, 4), kept).await.unwrap();
        assert_eq!(desk.add((desk.user, first, 5), "c.csv", &large).await.unwrap_err().code(), "drafts_quota");
        desk.purge().await;
        desk.add((desk.user, first, 5), "c.csv", &large).await.unwrap();
    }

    async fn drafts_go_after_thirty_days_without_a_change_and_their_files_in_small_steps(store: Store) {
        let desk = Desk::of(store).await;
        let old = desk.create("old").await.unwrap();
        desk.add((desk.user, old, 1), "a.csv", &numbers(PIECE_BYTES * 7)).await.unwrap();
        let used = desk.create("used").await.unwrap();
        desk.clock.advance(rows::KEPT_FOR);
        assert_eq!(desk.purge().await, Vec::<u64>::new());
        desk.save((desk.user, used, 1), "{}").await.unwrap();
        desk.clock.advance(std::time::Duration::from_millis(1));
        assert_eq!(desk.purge().await, [1, 7, 1], "the draft, the pieces, the file");
        assert_eq!(desk.rows().await, (1, 0, 0));
        assert_eq!(desk.shown(old).await.unwrap_err().code(), "not_found");
    }

    async fn what_is_deleted_is_gone_at_once_and_so_is_all_of_a_deleted_account(store: Store) {
        let desk = Desk::of(store).await;
        let other = make_user(&desk.store, "eve", Role::User).await;
        let id = desk.create("Hello").await.unwrap();
        let file = desk.add((desk.user, id, 1), "a.csv", b"08031234567").await.unwrap();
        // Never another user's.
        assert_eq!(desk.add((other, id, 2), "b.csv", b"1").await.unwrap_err().code(), "not_found");
        assert_eq!(content(&desk.store, (other, id, file)).await.err().unwrap().code(), "not_found");
        assert_eq!(desk.save((other, id, 2), "{}").await.unwrap_err().code(), "not_found");
        let version = desk.shown(id).await.unwrap().version;
        assert_eq!(desk.delete_version(id, Some(version - 1)).await.unwrap_err().code(), "draft_changed");
        desk.delete_version(id, Some(version)).await.unwrap();
        assert_eq!(desk.delete(id).await.unwrap_err().code(), "not_found");
        assert_eq!(desk.read(id, file).await.unwrap_err().code(), "not_found");
        assert_eq!(desk.add((desk.user, id, 2), "b.csv", b"1").await.unwrap_err().code(), "not_found");
        desk.purge().await;
        assert_eq!(desk.rows().await, (0, 0, 0));

        let id = desk.create("Last").await.unwrap();
        desk.add((desk.user, id, 1), "a.csv", &numbers(PIECE_BYTES)).await.unwrap();
        let user = desk.user;
        let leave = desk.store.write(Lane::Interactive, user, |tx, user| {
            Box::pin(async move {
                let sql = "UPDATE users SET deleted_at = $2, status = 'inactive' WHERE id = $1";
                tx.run(sql, args![*user, NOW]).await.map(|_| ())
            })
        });
        leave.await.unwrap();
        assert_eq!(desk.create("late").await.unwrap_err().code(), "account_inactive");
        for _ in 0..20 {
            let step = desk.store.write(Lane::Background, user, |tx, user| {
                Box::pin(deletion::go_on(tx, *user, NOW))
            });
            if step.await.unwrap() == deletion::DeletionStep::Anonymised {
                break;
            }
        }
        assert_eq!(desk.rows().await, (0, 0, 0));
    }
}

#[test]
fn fields_are_an_object_and_bounded() {
    assert_eq!(written("", "{\"a\":1}".into()).unwrap().fields, "{\"a\":1}");
    for bad in ["", "[]", "{\"a\":}", "1", "{} {}"] {
        assert_eq!(written("", bad.into()).unwrap_err().code(), "bad_fields", "{bad}");
    }
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(FIELDS_BYTES_MAX));
    assert_eq!(written("", long).unwrap_err().code(), "draft_too_long");
    assert_eq!(written(&"x".repeat(200), "{}".into()).unwrap().title.len(), TITLE_CHARS_MAX);
    assert_eq!(form_of("mail").unwrap_err().code(), "bad_form");
}
