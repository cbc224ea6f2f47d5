//! Quotas of contacts, opt-outs and imports, on both databases.

use std::io::Cursor;
use std::sync::Arc;

use talkdrum_api::contact::Import;
use talkdrum_api::purpose::OptOutReach;

use crate::contact::import::{ImportDestination, ImportRequest, Importer, Mapping, rejects, show};
use crate::contact::suppression::SuppressionScope;
use crate::contact::{Asked, NewContact, NewGroup, create, create_group, of_user};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::contact::id::{ContactId, GroupId, ImportId};
use crate::platform::quota::{Quota, Quotas};
use crate::store::contact::list::Slice;
use crate::store::operations::disk::DiskGuard;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};
use crate::time::{ManualClock, Time};
use crate::{args, both_databases};

const NOW: Time = Time(1_700_000_000_000);

struct Account {
    store: Store,
    importer: Importer,
    quotas: Quotas,
    user: UserId,
    _dir: tempfile::TempDir,
}

impl Account {
    async fn open(store: &Store, unfunded: Quota) -> Self {
        let user = make_user(store, "ada", Role::User).await;
        let dir = tempfile::tempdir().unwrap();
        let quotas = Quotas { unfunded, funded: Quota::default() };
        let disk = DiskGuard::new(dir.path(), 0);
        let clock = Arc::new(ManualClock::new(NOW));
        let importer = Importer::new(store.clone(), clock, dir.path().to_owned(), disk, quotas);
        Self { store: store.clone(), importer, quotas, user, _dir: dir }
    }

    async fn group(&self, name: &str) -> GroupId {
        let group = (self.user, NewGroup::parse(name, "").unwrap());
        self.store
            .write(Lane::Interactive, group, |tx, (user, new)| Box::pin(create_group(tx, *user, new, NOW)))
            .await
            .unwrap()
    }

    async fn import(&self, target: ImportDestination, file: String) -> Result<Import> {
        let bytes = file.len() as u64;
        let source = Box::new(Cursor::new(file));
        let request = ImportRequest {
            user: self.user,
            target,
            mapping: Mapping::default(),
            file_name: None,
            source,
            bytes,
            claim: None,
        };
        let begun = self.importer.begin(request).await?;
        let id = begun.id;
        begun.ended().await?;
        show(&mut self.store.read().await?, self.user, id).await
    }

    async fn add(&self, group: GroupId, phone: &str) -> Result<ContactId> {
        let new = NewContact::parse(phone, "", "", &[]).unwrap();
        let input = (self.user, group, new, self.quotas);
        self.store
            .write(Lane::Interactive, input, |tx, (user, group, new, quotas)| {
                Box::pin(create(tx, *user, *group, (new, quotas), NOW))
            })
            .await
    }

    async fn count(&self, sql: &'static str) -> i64 {
        let (rows,): (i64,) = self.store.read().await.unwrap().one(sql, args![]).await.unwrap();
        rows
    }
}

fn contacts(contacts: i64) -> Quota {
    Quota { contacts, ..Quota::default() }
}

fn new_group(name: &str) -> ImportDestination {
    ImportDestination::NewGroup(NewGroup::parse(name, "").unwrap())
}

fn numbers(from: i64, count: i64) -> String {
    (from..from + count).map(|number| format!("{}\n", 2_348_030_000_000 + number)).collect()
}

const CONTACTS: &str = "SELECT COUNT(*) FROM contacts";

both_databases! {
    async fn rows_with_too_long_merge_fields_are_rejected_and_none_become_so_by_being_imported_again(store: Store) {
        let account = Account::open(&store, Quota::default()).await;
        let group = account.group("Customers").await;
        let row = |phone: &str, value: usize| format!("{phone},{}\n", vec!["x".repeat(value); 5].join(","));
        let file = |titles: &str, rows: [String; 2]| format!("Phone,{titles}\n{}", rows.concat());
        let rows = [row("08031234567", 1_000), row("08031234568", 500)];
        let import = account.import(ImportDestination::Group(group), file("a,b,c,d,e", rows.clone())).await.unwrap();
        assert_eq!((import.added, import.invalid), (1, 1));
        let rejected = rejects(&mut store.read().await.unwrap(), account.user, ImportId(import.id), 0).await.unwrap();
        assert_eq!((rejected[0].line, rejected[0].value.as_str()), (2, "2348031234567"));
        let reason = crate::contact::import::reason(&rejected[0].code);
        assert!(reason.contains("more than 4096 bytes"), "{reason}");
        // Opt-outs have no merge fields.
        let optouts = ImportDestination::OptOuts { scope: SuppressionScope::User(account.user), reach: OptOutReach::All, note: String::new() };
        assert_eq!(account.import(optouts, file("a,b,c,d,e", rows)).await.unwrap().added, 2);
        let again = file("f,g,h,i,j", [row("08031234568", 500), row("08031234569", 500)]);
        let refused = account.import(ImportDestination::Group(group), again).await.unwrap_err();
        assert_eq!(refused.code(), "fields_too_long");
        assert!(refused.to_string().contains("2348031234568"), "{refused}");
        assert_eq!(account.count(CONTACTS).await, 1);
    }

    async fn contacts_with_longer_merge_fields_from_before_are_read_where_they_are_few(store: Store) {
        let account = Account::open(&store, Quota::default()).await;
        let group = account.group("Customers").await;
        account.import(ImportDestination::Group(group), numbers(0, 50)).await.unwrap();
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(100_000));
        store
            .write(Lane::Interactive, long.clone(), |tx, long| {
                Box::pin(async move {
                    tx.run("UPDATE contacts SET fields = $1", args![long.as_str()]).await?;
                    tx.run("UPDATE contacts SET fields = NULL WHERE number % 2 = 0", args![]).await
                })
            })
            .await
            .unwrap();
        let page = async |limit: i64, q: &str| {
            let slice = Slice { offset: 0, limit, descending: true };
            let asked = Asked { sort: "created_at", slice, q: q.to_owned() };
            of_user(&mut store.read().await.unwrap(), account.user, &asked).await
        };
        for q in ["", "23480300000"] {
            let few = page(20, q).await.unwrap().contacts;
            let lengths: Vec<usize> = few.iter().map(|it| it.fields.get("a").map_or(0, String::len)).collect();
            assert_eq!((lengths[0] + lengths[1], few.len()), (100_000, 20), "{lengths:?}");
        }
        store
            .write(Lane::Interactive, long, |tx, long| {
                Box::pin(async move { tx.run("UPDATE contacts SET fields = $1", args![long.as_str()]).await })
            })
            .await
            .unwrap();
        assert_eq!(page(1_000, "").await.unwrap_err().code(), "page_too_large");
        assert_eq!(page(20, "").await.unwrap().contacts.len(), 20);
    }

    async fn contacts_fit_up_to_the_quota_of_all_groups_and_not_one_more(store: Store) {
        let account = Account::open(&store, contacts(5)).await;
        let group = account.group("Friends").await;
        account.add(group, "08039999999").await.unwrap();
        account.import(new_group("Customers"), numbers(0, 4)).await.unwrap();
        let refused = account.add(group, "08039999998").await.unwrap_err();
        assert_eq!(refused.code(), "contacts_quota");
        assert!(refused.to_string().contains("may keep 5 contacts in all groups"), "{refused}");
        assert!(refused.to_string().contains("has no such limit"), "{refused}");
        // What is there already can be imported again.
        let customers = account.count("SELECT MAX(id) FROM contact_groups").await;
        let again = account.import(ImportDestination::Group(GroupId(customers)), numbers(0, 4)).await.unwrap();
        assert_eq!((again.added, again.unchanged), (0, 4));
        assert_eq!(account.count(CONTACTS).await, 5);
    }

    async fn a_file_with_too_many_numbers_is_refused_before_the_first_is_written(store: Store) {
        let account = Account::open(&store, contacts(5)).await;
        let refused = account.import(new_group("Customers"), numbers(0, 6)).await.unwrap_err();
        assert_eq!(refused.code(), "contacts_quota");
        assert_eq!(account.count(CONTACTS).await, 0);
        assert_eq!(account.count("SELECT COUNT(*) FROM contact_groups WHERE deleted_at IS NULL").await, 0);
        let error: (String,) = store.read().await.unwrap()
            .one("SELECT error FROM contact_imports", args![]).await.unwrap();
        assert!(error.0.contains("may keep 5 contacts"), "{error:?}");
    }

    async fn a_file_that_a_group_knows_in_part_goes_beyond_the_quota_with_none_of_its_batch(store: Store) {
        let account = Account::open(&store, contacts(5)).await;
        let group = account.group("Customers").await;
        account.import(ImportDestination::Group(group), numbers(0, 4)).await.unwrap();
        let refused = account.import(ImportDestination::Group(group), numbers(2, 4)).await.unwrap_err();
        assert_eq!((refused.code(), account.count(CONTACTS).await), ("contacts_quota", 4));
    }

    async fn imports_and_contacts_at_once_are_counted_together(store: Store) {
        let account = Account::open(&store, contacts(10)).await;
        let mut groups = Vec::new();
        for number in 0..4 {
            groups.push(account.group(&format!("Group {number}")).await);
        }
        let imports = groups.iter().map(|group| account.import(ImportDestination::Group(*group), numbers(0, 4)));
        let imported = futures::future::join_all(imports).await;
        assert_eq!(imported.iter().filter(|one| one.is_ok()).count(), 2, "{imported:?}");
        let phones: Vec<String> = (0..8).map(|number| format!("0803888000{number}")).collect();
        let adding = phones.iter().zip(groups.iter().cycle()).map(|(phone, group)| account.add(*group, phone));
        let added = futures::future::join_all(adding).await;
        assert_eq!(added.iter().filter(|one| one.is_ok()).count(), 2);
        let refused = imported.iter().filter_map(|one| one.as_ref().err());
        assert!(refused.chain(added.iter().filter_map(|one| one.as_ref().err())).all(|it| it.code() == "contacts_quota"));
        assert_eq!(account.count(CONTACTS).await, 10);
        assert_eq!(account.count("SELECT CAST(SUM(contacts_count) AS BIGINT) FROM contact_groups").await, 10);
    }

    async fn opt_outs_fit_up_to_the_quota_but_stop_is_always_heard(store: Store) {
        let account = Account::open(&store, Quota { opt_outs: 3, ..Quota::default() }).await;
        let mine = || ImportDestination::OptOuts { scope: SuppressionScope::User(account.user), reach: OptOutReach::All, note: String::new() };
        account.import(mine(), numbers(0, 3)).await.unwrap();
        assert_eq!(account.import(mine(), numbers(0, 3)).await.unwrap().added, 0);
        assert_eq!(account.import(mine(), numbers(3, 1)).await.unwrap_err().code(), "optouts_quota");
        let user = account.user;
        store.write(Lane::Interactive, user, |tx, user| {
            let number = crate::phone::parse("08037777777").unwrap();
            Box::pin(crate::contact::suppression::add(tx, SuppressionScope::User(*user), number, (crate::contact::suppression::OptOutSource::Stop, OptOutReach::All), NOW))
        }).await.unwrap();
        assert_eq!(account.count("SELECT COUNT(*) FROM suppressions").await, 4);
    }

    async fn files_of_imports_that_are_not_over_fit_up_to_the_quota(store: Store) {
        let account = Account::open(&store, Quota { import_bytes: 100, ..Quota::default() }).await;
        assert_eq!(account.import(new_group("One"), numbers(0, 8)).await.unwrap_err().code(), "imports_quota");
        assert_eq!(account.count("SELECT COUNT(*) FROM contact_imports").await, 0, "it was not begun");
        // One that is over counts no more.
        account.import(new_group("One"), numbers(0, 7)).await.unwrap();
        account.import(new_group("Two"), numbers(0, 7)).await.unwrap();
        // One that was cut off does, until its daemon must be back.
        store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move {
                let sql = "UPDATE contact_imports SET status = 'interrupted', kept_bytes = 60, seen_at = $1 \
                    WHERE id = (SELECT MIN(id) FROM contact_imports)";
                tx.run(sql, args![NOW]).await
            })
        }).await.unwrap();
        assert_eq!(account.import(new_group("Three"), numbers(0, 3)).await.unwrap_err().code(), "imports_quota");
    }

    async fn rejects_are_kept_up_to_the_quota_and_counted_beyond_it(store: Store) {
        let account = Account::open(&store, Quota { import_rejects: 3, ..Quota::default() }).await;
        let file = || format!("{}12\n13\n", numbers(0, 2));
        let first = account.import(new_group("One"), file()).await.unwrap();
        let second = account.import(new_group("Two"), file()).await.unwrap();
        assert_eq!((first.invalid, second.invalid), (2, 2));
        let mut tx = store.read().await.unwrap();
        assert_eq!(rejects(&mut tx, account.user, ImportId(first.id), 0).await.unwrap().len(), 2);
        assert_eq!(rejects(&mut tx, account.user, ImportId(second.id), 0).await.unwrap().len(), 0);
    }
}

/// On PostgreSQL transactions run side by side: all of them add before the first of them counts.
#[tokio::test]
async fn of_transactions_that_add_side_by_side_only_so_many_count_themselves_in() {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let database = PostgresDatabase::create(&server).await;
    let store = database.open().await;
    let account = Account::open(&store, contacts(1)).await;
    let all_added = Arc::new(tokio::sync::Barrier::new(3));
    let mut adding = Vec::new();
    for number in 0..3 {
        let group = account.group(&format!("Group {number}")).await;
        let input = (account.user, group, account.quotas, Arc::clone(&all_added));
        adding.push(store.write(Lane::Interactive, input, |tx, (user, group, quotas, all_added)| {
            Box::pin(async move {
                let new = NewContact::parse("08031234567", "", "", &[])?;
                create(tx, *user, *group, (&new, &Quotas::default()), NOW).await?;
                all_added.wait().await;
                quotas.check_contacts(tx, *user).await
            })
        }));
    }
    let added = futures::future::join_all(adding).await;
    assert_eq!(added.iter().filter(|one| one.is_ok()).count(), 1, "{added:?}");
    assert_eq!(account.count(CONTACTS).await, 1);
    store.close().await;
    database.drop().await;
}
