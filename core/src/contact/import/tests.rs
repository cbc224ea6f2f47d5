//! Imports that are cut off, and go on.

use std::io::{Cursor, Read};

use super::*;
use crate::contact::NewGroup;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::contact::id::{GroupId, ImportId};
use crate::store::contact::import::ImportRow;
use crate::testing::account::make_user;
use crate::testing::builder::START;
use crate::time::ManualClock;
use crate::{args, both_databases};

/// Some batches.
const NUMBERS: i64 = 3 * read::BATCH as i64 + 2_000;

/// A file of so many numbers, one of them twice, and three that are none.
fn file() -> Vec<u8> {
    let mut text = String::from("Mobile,Customer\n12,Short\n");
    for number in 0..NUMBERS {
        text.push_str(&format!("{},Customer {number}\n", 2_348_030_000_000 + number));
    }
    text.push_str("2348030000003,Twice\nnobody,x\n,\n77,y\n");
    text.into_bytes()
}

fn importer(store: &Store, dir: &std::path::Path) -> Importer {
    let clock = Arc::new(ManualClock::new(START));
    Importer::new(store.clone(), clock, dir.to_owned(), DiskGuard::new(dir, 0), Quotas::default())
}

fn request(user: UserId, name: &str) -> ImportRequest {
    ImportRequest {
        user,
        target: ImportDestination::NewGroup(NewGroup::parse(name, "").unwrap()),
        mapping: Mapping { name: Some("Customer".into()), ..Mapping::default() },
        file_name: Some("C:\\lists\\may.csv".into()),
        source: Box::new(Cursor::new(file())),
        bytes: 0,
        claim: None,
    }
}

async fn row(store: &Store, user: UserId, id: ImportId) -> ImportRow {
    table::by_id(&mut store.read().await.unwrap(), user, id).await.unwrap().unwrap()
}

async fn files(dir: &std::path::Path) -> usize {
    std::fs::read_dir(dir.join("imports")).map_or(0, Iterator::count)
}

/// Begins an import and cuts it off, as a crash would, once it has written something.
async fn cut_off(store: &Store, importer: &Importer, user: UserId) -> ImportId {
    let begun = importer.begin(request(user, "Customers")).await.unwrap();
    let id = begun.id;
    let running = begun.running.unwrap();
    for _ in 0..20_000 {
        if row(store, user, id).await.added > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    running.abort();
    assert!(running.await.is_err() || row(store, user, id).await.status == ImportStatus::Completed);
    // Unlike a crash, this leaves a batch that is on its way to the database alone, which holds the group until it is through.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let group = GroupId(row(store, user, id).await.target_id);
    store
        .write(Lane::Background, (user, group), |tx, (user, group)| {
            Box::pin(async move { contact_group::lock(tx, *user, *group, START).await.map(|_| ()) })
        })
        .await
        .unwrap();
    id
}

/// A file that comes once its sender is gone, and not before.
struct HeldFile {
    held: std::sync::mpsc::Receiver<()>,
    file: Cursor<&'static str>,
}

impl Read for HeldFile {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let _ = self.held.recv();
        self.file.read(buffer)
    }
}

both_databases! {
    async fn an_import_whose_client_leaves_while_its_file_is_kept_runs_to_its_end(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let importer = importer(&store, dir.path());
        let (sender, held) = std::sync::mpsc::channel();
        let source = Box::new(HeldFile { held, file: Cursor::new("2348031234567,Ada\n") });
        let request = ImportRequest { source, mapping: Mapping::default(), ..request(user, "Customers") };
        let client = tokio::spawn(async move { importer.begin(request).await.map(drop) });
        let newest = async || list(&mut store.read().await.unwrap(), user, 0, 1).await.unwrap().imports.pop();
        while newest().await.is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        drop(sender);
        for _ in 0..5_000 {
            if newest().await.unwrap().status != "running" && files(dir.path()).await == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let ended = newest().await.unwrap();
        assert_eq!((ended.status.as_str(), ended.added, files(dir.path()).await), ("completed", 1, 0));
    }

    async fn files_of_imports_that_are_over_are_forgotten_and_of_others_kept(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let importer = importer(&store, dir.path());
        let source = Box::new(Cursor::new("2348031234567,Ada\n"));
        let over = ImportRequest { source, mapping: Mapping::default(), ..request(user, "A") };
        let over = importer.begin(over).await.unwrap();
        let over_file = dir.path().join(format!("imports/{}", over.id));
        over.ended().await.unwrap();
        let turn = importer.permits.begin(user).await;
        let source = Box::new(Cursor::new("2348031234567,Ada\n"));
        let waits = ImportRequest { source, mapping: Mapping::default(), ..request(user, "B") };
        let waits = importer.begin(waits).await.unwrap();
        let waits_file = dir.path().join(format!("imports/{}", waits.id));
        // Its removal failed; another's file is being copied.
        std::fs::write(&over_file, "2348031111111\n").unwrap();
        let copied = dir.path().join("imports/99.part");
        std::fs::write(&copied, "2348031111111\n").unwrap();
        importer.forget_old(importer.clock.now()).await.unwrap();
        assert!(!over_file.exists() && waits_file.exists() && copied.exists());
        drop(turn);
        waits.ended().await.unwrap();
    }

    async fn the_group_tells_whether_rows_may_change_contacts(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let importer = importer(&store, dir.path());
        let source = Box::new(Cursor::new("2348031234567,Ada\n"));
        let first = ImportRequest { source, mapping: Mapping::default(), ..request(user, "A") };
        let first = importer.begin(first).await.unwrap();
        let goal = Goal::Group { id: GroupId(row(&store, user, first.id).await.target_id), is_new: false };
        first.ended().await.unwrap();
        let used = importer.row_use(&goal).await.unwrap();
        assert_eq!(used, RowUse::Contacts { dialect: store.dialect(), is_filled: true });
        let gone = importer.row_use(&Goal::Group { id: GroupId::BEFORE_ALL, is_new: false }).await.unwrap();
        assert_eq!(gone, RowUse::Contacts { dialect: store.dialect(), is_filled: false });
    }

    async fn an_import_that_was_cut_off_goes_on_where_it_was_and_counts_as_if_nothing_had_happened(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let id = cut_off(&store, &importer(&store, dir.path()), user).await;
        let before = row(&store, user, id).await;
        assert!(before.status == ImportStatus::Running && before.added > 0 && before.added < NUMBERS, "{before:?}");
        assert_eq!(files(dir.path()).await, 1);
        // Another start on the same directory.
        let after = importer(&store, dir.path());
        assert_eq!(after.mark_silent(true).await.unwrap(), 1);
        assert_eq!(row(&store, user, id).await.status, ImportStatus::Interrupted);
        for begun in after.resume().await.unwrap() {
            begun.ended().await.unwrap();
        }
        let done = row(&store, user, id).await;
        assert_eq!((done.status, done.error), (ImportStatus::Completed, None));
        assert_eq!((done.added, done.updated, done.unchanged), (NUMBERS, 0, 0), "each was written once");
        assert_eq!(done.kept_numbers, NUMBERS, "and each is kept once, to be sent to");
        assert!(show(&mut store.read().await.unwrap(), user, id).await.unwrap().is_sendable);
        assert_eq!((done.valid, done.duplicates, done.invalid), (NUMBERS, 1, before.invalid.max(done.invalid)));
        let mut tx = store.read().await.unwrap();
        let (contacts,): (i64,) = tx.one("SELECT COUNT(*) FROM contacts", args![]).await.unwrap();
        assert_eq!(contacts, NUMBERS);
        let (written_to,): (i64,) = tx.one("SELECT written_to FROM contact_imports", args![]).await.unwrap();
        assert_eq!(written_to, 0, "it is over: no number of it is kept here");
        let kept = table::rejects(&mut tx, id, 0, 100).await.unwrap();
        assert_eq!(kept.len() as i64, done.invalid, "each reject once");
        drop(tx);
        assert_eq!(files(dir.path()).await, 0, "it is over: its file is gone");
        // Nothing is left to go on with.
        assert!(importer(&store, dir.path()).resume().await.unwrap().is_empty());
    }

    async fn an_import_that_is_cut_off_again_and_again_is_given_up_and_says_so(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let id = cut_off(&store, &importer(&store, dir.path()), user).await;
        let rejects = async || table::rejects(&mut store.read().await.unwrap(), id, 0, 100).await.unwrap().len();
        for _ in 0..2 {
            for begun in importer(&store, dir.path()).resume().await.unwrap() {
                let running = begun.running.unwrap();
                running.abort();
                let _ = running.await;
            }
            assert_eq!(row(&store, user, id).await.status, ImportStatus::Running);
        }
        let kept = rejects().await;
        assert!(importer(&store, dir.path()).resume().await.unwrap().is_empty());
        let given_up = row(&store, user, id).await;
        assert_eq!(given_up.status, ImportStatus::Failed);
        let why = given_up.error.unwrap();
        assert!(why.contains("cut off 3 times") && why.contains("in smaller files"), "{why}");
        assert_eq!(files(dir.path()).await, 0);
        assert_eq!(rejects().await, kept);
    }

    async fn what_is_over_never_runs_again_and_what_was_never_whole_is_removed(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let importer = importer(&store, dir.path());
        let begun = importer.begin(request(user, "Customers")).await.unwrap();
        let id = begun.id;
        begun.ended().await.unwrap();
        assert_eq!(row(&store, user, id).await.status, ImportStatus::Completed);
        // The daemon died between the end and the removal; and while a file was copied.
        std::fs::write(dir.path().join(format!("imports/{id}")), "2348031111111\n").unwrap();
        std::fs::write(dir.path().join("imports/99.part"), "2348031111111\n").unwrap();
        assert!(importer.resume().await.unwrap().is_empty());
        assert_eq!(files(dir.path()).await, 0);
        assert_eq!(row(&store, user, id).await.added, NUMBERS);
    }

    async fn imports_of_one_user_run_one_after_the_other_and_another_users_beside_them(store: Store) {
        let (ada, eve) = (make_user(&store, "ada", Role::User).await, make_user(&store, "eve", Role::User).await);
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(START));
        let disk = DiskGuard::new(dir.path(), 0);
        let importer =
            Importer::new(store.clone(), clock.clone(), dir.path().to_owned(), disk, Quotas::default());
        let begin = async |user: UserId| {
            let source = Box::new(Cursor::new("2348031234567,Ada\n".to_owned()));
            let request = ImportRequest { source, mapping: Mapping::default(), ..request(user, "Customers") };
            importer.begin(request).await.unwrap()
        };
        let first = importer.permits.begin(ada).await;
        let second = begin(ada).await;
        let id = second.id;
        begin(eve).await.ended().await.unwrap();
        // However long it waits, it did not die.
        clock.advance(2 * SILENT);
        assert_eq!(importer.mark_silent(false).await.unwrap(), 0);
        assert_eq!(row(&store, ada, id).await.status, ImportStatus::Running, "it waits");
        drop(first);
        second.ended().await.unwrap();
        assert_eq!(row(&store, ada, id).await.status, ImportStatus::Completed);
    }

    async fn a_long_file_is_not_sorted_on_a_disk_that_is_short_of_space(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(START));
        let disk = DiskGuard::new(dir.path(), u64::MAX);
        let importer = Importer::new(store.clone(), clock, dir.path().to_owned(), disk, Quotas::default());
        let numbers = |count: u64| (0..count).map(|n| format!("{}\n", 2_348_030_000_000 + n)).collect::<String>();
        let import = async |file: String| {
            let request = ImportRequest { source: Box::new(Cursor::new(file)), ..request(user, "Customers") };
            let request = ImportRequest { mapping: Mapping::default(), ..request };
            importer.begin(request).await.unwrap().ended().await
        };
        assert_eq!(import(numbers(151_000)).await.unwrap_err().code(), "low_disk");
        let shown = list(&mut store.read().await.unwrap(), user, 0, 10).await.unwrap().imports.remove(0);
        assert!(shown.error.unwrap().contains("short of disk space"));
        // What fits into memory needs none.
        import(numbers(10)).await.unwrap();
    }

    async fn a_file_that_cannot_be_kept_fails_and_leaves_no_group(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("imports"), "in the way").unwrap();
        importer(&store, dir.path()).begin(request(user, "Customers")).await.unwrap_err();
        let found = list(&mut store.read().await.unwrap(), user, 0, 10).await.unwrap();
        assert_eq!(found.imports[0].status, "failed");
        let mut tx = store.read().await.unwrap();
        let groups = crate::contact::list_groups(&mut tx, user, ("", None), ("id", true), (0, 10)).await.unwrap();
        assert_eq!(groups.total, 0);
    }
}
