//! Imports from a file to the group, on both databases.

mod quota;

use std::io::Cursor;
use std::sync::Arc;

use talkdrum_api::contact::{Contact, Import};
use talkdrum_api::purpose::OptOutReach;

use super::import::{ImportDestination, ImportRequest, Importer, Mapping, rejects, show as show_import};
use super::list::Asked;
use super::suppression::{self, SuppressionScope};
use super::{NewContact, NewGroup, Patch, create, create_group, edit, of_group};
use crate::both_databases;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::contact::ImportTarget;
use crate::model::contact::id::{GroupId, ImportId};
use crate::platform::quota::Quotas;
use crate::store::contact::list::Slice;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::time::{ManualClock, Time};

const NOW: Time = Time(1_700_000_000_000);

struct Desk {
    store: Store,
    importer: Importer,
    user: UserId,
    _dir: tempfile::TempDir,
}

impl Desk {
    async fn open(store: &Store) -> Self {
        let user = make_user(store, "ada", Role::User).await;
        let clock = Arc::new(ManualClock::new(NOW));
        let dir = tempfile::tempdir().unwrap();
        let disk = crate::store::operations::disk::DiskGuard::new(dir.path(), 0);
        let importer = Importer::new(store.clone(), clock, dir.path().to_owned(), disk, Quotas::default());
        Self { store: store.clone(), importer, user, _dir: dir }
    }

    async fn import(&self, target: ImportDestination, mapping: Mapping, file: &str) -> Result<Import> {
        let source = Box::new(Cursor::new(file.to_owned()));
        let request = ImportRequest {
            user: self.user,
            target,
            mapping,
            file_name: None,
            source,
            bytes: file.len() as u64,
            claim: None,
        };
        let begun = self.importer.begin(request).await?;
        let id = begun.id;
        begun.ended().await?;
        show_import(&mut self.store.read().await?, self.user, id).await
    }

    async fn contacts(&self, group: GroupId) -> Vec<Contact> {
        let slice = Slice { offset: 0, limit: 100, descending: false };
        let asked = Asked { sort: "phone", slice, q: String::new() };
        of_group(&mut self.store.read().await.unwrap(), self.user, group, &asked).await.unwrap().contacts
    }
}

fn new_group(name: &str) -> ImportDestination {
    ImportDestination::NewGroup(NewGroup::parse(name, "").unwrap())
}

const DIRTY: &str = "\u{feff}Phone;Full Name;E-mail;City\r\n\
    0803 123 4567;Ada Obi;Ada@Example.com;Lagos\r\n\
    +234-805-123-4567;\"Bello; Musa\";not an address;Kano\r\n\
    08031234567;Ada again;;Jos\r\n\
    8.03E+09;Rounded;;\r\n\
    12345;Short;;\r\n";

both_databases! {
    async fn a_dirty_file_becomes_contacts_and_rejects_with_their_lines(store: Store) {
        let campaigns = Desk::open(&store).await;
        let import = campaigns.import(new_group("Customers"), Mapping::default(), DIRTY).await.unwrap();
        assert_eq!(import.status, "completed");
        assert_eq!((import.added, import.updated, import.unchanged), (2, 0, 0));
        assert_eq!((import.rows_read, import.valid, import.duplicates), (5, 2, 1));
        assert_eq!((import.invalid, import.warnings), (2, 1));
        assert_eq!(import.columns.phone.as_deref(), Some("phone"));
        assert_eq!(import.columns.name, ["full name"]);
        assert_eq!(import.columns.fields, ["city"]);
        let contacts = campaigns.contacts(GroupId(import.group_id.unwrap())).await;
        let told: Vec<_> =
            contacts.iter().map(|it| (it.phone.as_str(), it.name.as_str(), it.email.as_str())).collect();
        assert_eq!(
            told,
            [("2348031234567", "Ada Obi", "ada@example.com"), ("2348051234567", "Bello; Musa", "")],
            "the first line of a number counts"
        );
        assert_eq!(contacts[0].fields["city"], "Lagos");
        let rejected = rejects(&mut store.read().await.unwrap(), campaigns.user, ImportId(import.id), 0).await.unwrap();
        let told: Vec<_> = rejected.iter().map(|it| (it.line, it.code.as_str())).collect();
        assert_eq!(told, [(3, "broken_email"), (5, "spreadsheet_rounded"), (6, "too_short")]);
    }

    async fn importing_again_doubles_nothing_and_erases_nothing(store: Store) {
        let campaigns = Desk::open(&store).await;
        let first = campaigns.import(new_group("Customers"), Mapping::default(), DIRTY).await.unwrap();
        let group = ImportDestination::Group(GroupId(first.group_id.unwrap()));
        let again = campaigns.import(group.clone(), Mapping::default(), DIRTY).await.unwrap();
        assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 2));
        let list = "08051234567\n08061234567\n";
        let more = campaigns.import(group.clone(), Mapping::default(), list).await.unwrap();
        assert_eq!((more.added, more.updated, more.unchanged), (1, 0, 1));
        let newer = "phone,name,email\n08051234567,,musa@example.com\n";
        let newer = campaigns.import(group, Mapping::default(), newer).await.unwrap();
        assert_eq!((newer.added, newer.updated), (0, 1));
        let contacts = campaigns.contacts(GroupId(first.group_id.unwrap())).await;
        assert_eq!((contacts[1].name.as_str(), contacts[1].email.as_str()), ("Bello; Musa", "musa@example.com"));
    }

    async fn what_cannot_be_read_fails_with_a_sentence_and_leaves_no_empty_group(store: Store) {
        let campaigns = Desk::open(&store).await;
        let workbook = campaigns.import(new_group("Customers"), Mapping::default(), "PK\u{3}\u{4}....").await;
        assert!(workbook.is_err(), "{workbook:?}");
        let mapping = Mapping { phone: vec!["gsm".into()], ..Mapping::default() };
        let missing = campaigns.import(new_group("Customers"), mapping, "phone,name\n08031234567,Ada\n").await;
        assert_eq!(missing.unwrap_err().code(), "no_such_column");
        let mapping = Mapping { email: Some("post".into()), ..Mapping::default() };
        let missing = campaigns.import(new_group("Customers"), mapping, "phone,name\n08031234567,Ada\n").await;
        assert_eq!(missing.unwrap_err().code(), "no_such_column");
        let mut tx = store.read().await.unwrap();
        let groups = super::list_groups(&mut tx, campaigns.user, ("", None), ("id", true), (0, 10)).await.unwrap();
        assert_eq!(groups.total, 0);
        let stranger = campaigns.import(ImportDestination::Group(GroupId(99)), Mapping::default(), "x").await;
        assert_eq!(stranger.unwrap_err().code(), "not_found");
    }

    async fn an_import_that_died_is_marked_and_repeating_it_completes_it(store: Store) {
        let campaigns = Desk::open(&store).await;
        let group = campaigns.import(new_group("Customers"), Mapping::default(), "08031234567\n").await.unwrap();
        let dead = store.write(Lane::Interactive, (campaigns.user, group.group_id.unwrap()), |tx, (user, group)| {
            Box::pin(crate::store::contact::import::insert(tx, *user, (ImportTarget::Group, *group), ("", ""), NOW))
        });
        let dead = dead.await.unwrap();
        assert_eq!(campaigns.importer.mark_silent(false).await.unwrap(), 0, "it may be another daemon's");
        assert_eq!(campaigns.importer.mark_silent(true).await.unwrap(), 1);
        let shown = show_import(&mut store.read().await.unwrap(), campaigns.user, dead).await.unwrap();
        assert_eq!(shown.status, "interrupted");
        assert!(shown.error.unwrap().contains("nothing is doubled"));
        let target = ImportDestination::Group(GroupId(group.group_id.unwrap()));
        let again = campaigns.import(target, Mapping::default(), "08031234567\n08051234567\n").await.unwrap();
        assert_eq!((again.status.as_str(), again.added, again.unchanged), ("completed", 1, 1));
    }

    async fn opt_outs_are_imported_once_each(store: Store) {
        let campaigns = Desk::open(&store).await;
        let target = ImportDestination::OptOuts { scope: SuppressionScope::User(campaigns.user), reach: OptOutReach::Promotional, note: "old list".into() };
        let file = "08031234567\n08051234567\n08031234567\nx\n";
        let import = campaigns.import(target.clone(), Mapping::default(), file).await.unwrap();
        assert_eq!((import.added, import.unchanged, import.duplicates, import.group_id), (2, 0, 1, None));
        let again = campaigns.import(target, Mapping::default(), file).await.unwrap();
        assert_eq!((again.added, again.unchanged), (0, 2));
        let mut tx = store.read().await.unwrap();
        let list = suppression::list(&mut tx, SuppressionScope::User(campaigns.user), "", 0, 10).await.unwrap();
        assert_eq!(list.total, 2);
        assert_eq!((list.optouts[0].source.as_str(), list.optouts[0].note.as_str()), ("import", "old list"));
        assert_eq!(list.optouts[0].reach, OptOutReach::Promotional);
        let found = suppression::list(&mut tx, SuppressionScope::User(campaigns.user), "0805 123", 0, 10).await.unwrap();
        assert_eq!(found.total, 1);
        assert_eq!(suppression::list(&mut tx, SuppressionScope::Platform, "", 0, 10).await.unwrap().total, 0);
    }

    async fn a_contact_is_edited_field_by_field(store: Store) {
        let campaigns = Desk::open(&store).await;
        let group = store.write(Lane::Interactive, campaigns.user, |tx, user| {
            let new = NewGroup::parse("Friends", "").unwrap();
            Box::pin(async move { create_group(tx, *user, &new, NOW).await })
        });
        let group = group.await.unwrap();
        let add = |phone: &'static str| {
            store.write(Lane::Interactive, (campaigns.user, group, phone), |tx, (user, group, phone)| {
                let new = NewContact::parse(phone, "Ada", "", &["city=Lagos".into(), "vip=yes".into()]).unwrap();
                Box::pin(async move { create(tx, *user, *group, (&new, &Quotas::default()), NOW).await })
            })
        };
        let id = add("0803 123 4567").await.unwrap();
        add("08051234567").await.unwrap();
        assert_eq!(add("+2348031234567").await.unwrap_err().code(), "contact_exists");
        let change = |phone: Option<&'static str>| {
            store.write(Lane::Interactive, (campaigns.user, id, phone), |tx, (user, id, phone)| {
                let fields = ["city=".to_owned(), "vip=no".to_owned()];
                let patch = Patch::parse(*phone, None, Some("ada@example.com"), &fields).unwrap();
                Box::pin(async move { edit(tx, *user, *id, &patch, NOW).await })
            })
        };
        assert_eq!(change(Some("08051234567")).await.unwrap_err().code(), "contact_exists");
        change(Some("08061234567")).await.unwrap();
        let contacts = campaigns.contacts(group).await;
        let edited = contacts.iter().find(|contact| contact.id == id.0).unwrap();
        assert_eq!((edited.phone.as_str(), edited.name.as_str()), ("2348061234567", "Ada"));
        assert_eq!((edited.email.as_str(), edited.fields.len()), ("ada@example.com", 1));
        assert_eq!(edited.fields["vip"], "no");
    }
}
