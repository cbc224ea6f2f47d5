use super::*;
use crate::account::user::create_user;
use crate::both_databases;
use crate::model::account::id::UserId;
use crate::model::account::user::is_reachable;
use crate::store::Store;
use crate::testing::account::new_user;
use crate::testing::identity::identity;

const NOW: Time = Time(1_700_000_000_000);

fn profile(id: &str, username: &str) -> ChatProfile {
    ChatProfile {
        id: id.into(),
        username: Some(username.into()),
        name: Some("Ada Obi".into()),
        email: None,
        email_verified: false,
        avatar_url: None,
    }
}

fn with_email(id: &str, email: &str, email_verified: bool) -> ChatProfile {
    ChatProfile { email: Some(email.parse().unwrap()), email_verified, ..profile(id, "ada") }
}

async fn enters(store: &Store, profile: &ChatProfile) -> User {
    sign_in(&identity(store), profile, (&crate::testing::identity::origin(), NOW)).await.unwrap().1
}

async fn local(store: &Store, username: &str, role: Role, verified: bool) -> UserId {
    let user = NewUser { email_verified_at: verified.then_some(NOW), ..new_user(username, role) };
    store.write(Lane::Interactive, user, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap()
}

async fn linked(store: &Store, user_id: UserId, profile: &ChatProfile) -> Result<()> {
    store
        .write(
            Lane::Interactive,
            (identity(store), user_id, profile.clone()),
            |tx, (identity, id, profile)| Box::pin(link(tx, identity, *id, profile, NOW)),
        )
        .await
}

both_databases! {
    async fn a_person_has_one_account_however_the_profile_changes(store: Store) {
        let first = enters(&store, &profile("7", "Ada.Obi")).await;
        assert_eq!((first.username.as_str(), first.name.as_str()), ("ada.obi", "Ada Obi"));
        assert!(!is_reachable(&first.email) && first.email_verified_at.is_none());
        let again = enters(&store, &with_email("7", "new@example.com", true)).await;
        assert_eq!(again.id, first.id);
        assert_eq!(again.last_login_at, Some(NOW));
        let other = enters(&store, &profile("8", "Ada.Obi")).await;
        assert_eq!((other.username.as_str(), other.id == first.id), ("ada.obi-2", false));
        let (_, naira) = crate::ledger::wallet(
            &mut store.read().await.unwrap(), other.id, talkdrum_api::money::Currency::Naira,
        ).await.unwrap();
        assert_eq!(naira.0, 0, "wallets are open");
    }

    async fn an_address_leads_to_an_account_only_when_both_sides_proved_it(store: Store) {
        let proven = local(&store, "ada", Role::User, true).await;
        let unproven = local(&store, "eve", Role::User, false).await;
        let admin = local(&store, "root", Role::Admin, true).await;
        assert_ne!(enters(&store, &with_email("1", "ada@example.com", false)).await.id, proven);
        assert_ne!(enters(&store, &with_email("2", "eve@example.com", true)).await.id, unproven);
        assert_ne!(enters(&store, &with_email("3", "root@example.com", true)).await.id, admin);
        assert_eq!(enters(&store, &with_email("4", "ada@example.com", true)).await.id, proven);
        let second = enters(&store, &with_email("5", "ada@example.com", true)).await;
        assert_ne!(second.id, proven, "it is linked already");
        assert!(!is_reachable(&second.email), "an address belongs to one user");
        let free = enters(&store, &with_email("6", "free@example.com", true)).await;
        assert_eq!((free.email.as_str(), free.email_verified_at), ("free@example.com", Some(NOW)));
        let unsaid = enters(&store, &with_email("9", "unsaid@example.com", false)).await;
        assert!(!is_reachable(&unsaid.email), "an address nobody proved is not occupied");
    }

    async fn many_sign_ins_of_a_new_person_at_once_make_one_account(store: Store) {
        let person = profile("7", "ada");
        let entering = (0..6).map(|_| enters(&store, &person));
        let users = futures::future::join_all(entering).await;
        assert!(users.iter().all(|user| user.id == users[0].id), "{users:?}");
    }

    async fn linking_is_one_to_one_and_unlinking_never_locks_out(store: Store) {
        let ada = local(&store, "ada", Role::User, false).await;
        let eve = local(&store, "eve", Role::User, false).await;
        linked(&store, ada, &profile("7", "x")).await.unwrap();
        linked(&store, ada, &profile("7", "x")).await.unwrap();
        assert_eq!(linked(&store, ada, &profile("8", "x")).await.unwrap_err().code(), "chat_other_linked");
        assert_eq!(linked(&store, eve, &profile("7", "x")).await.unwrap_err().code(), "chat_account_taken");
        assert_eq!(enters(&store, &profile("7", "x")).await.id, ada);
        let unlinking = |id: UserId| store.write(Lane::Interactive, id, |tx, id| Box::pin(unlink(tx, *id)));
        assert_eq!(unlinking(ada).await.unwrap_err().code(), "last_sign_in");
        assert_eq!(unlinking(eve).await.unwrap_err().code(), "not_found");
        let keyed = NewUser { password_hash: Some("$argon2id$".into()), ..new_user("kay", Role::User) };
        let kay = store
            .write(Lane::Interactive, keyed, |tx, user| Box::pin(create_user(tx, user, NOW)))
            .await
            .unwrap();
        linked(&store, kay, &profile("9", "x")).await.unwrap();
        unlinking(kay).await.unwrap();
        assert_ne!(enters(&store, &profile("9", "x")).await.id, kay);
    }
}

#[test]
fn user_names_follow_our_rules_whatever_kingschat_allows() {
    let names = |username: Option<&str>, name: Option<&str>| {
        let mut profile = profile("7", "");
        profile.username = username.map(str::to_owned);
        profile.name = name.map(str::to_owned);
        usernames(&profile, "0badcafe").into_iter().map(|name| name.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(Some("Ada Obi"), None)[0], "ada.obi");
    assert_eq!(names(Some("@_Ada"), None)[0], "ada");
    assert_eq!(names(Some("Ọ̀yẹ́"), Some("ignored"))[0], "usery");
    assert_eq!(names(None, Some("Ada"))[0], "ada");
    assert_eq!(names(None, None)[0], "user");
    let long = names(Some(&"a".repeat(90)), None);
    assert_eq!((long.len(), long.last().unwrap().as_str()), (11, "user-0badcafe"));
    assert_eq!(long[9], format!("{}-0badcafe", "a".repeat(22)));
}
