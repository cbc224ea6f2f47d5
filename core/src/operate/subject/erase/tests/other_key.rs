//! Erasing and dispatch where the process has another key than opt-outs of erased numbers are kept under.

use super::*;
use crate::phone::DigestKey;

async fn held(store: &Store) -> Option<String> {
    let hold = generation::held(&mut store.read().await.unwrap()).await.unwrap();
    hold.map(|hold| hold.reason)
}

async fn noted(store: &Store) -> i64 {
    let sql = "SELECT digest FROM erasure_key";
    store.read().await.unwrap().one::<(i64,)>(sql, args![]).await.unwrap().0
}

/// Opt-outs that are not under a digest.
async fn plain(store: &Store) -> i64 {
    let sql = "SELECT COUNT(*) FROM suppressions WHERE number > 0";
    store.read().await.unwrap().one::<(i64,)>(sql, args![]).await.unwrap().0
}

/// As if the process had another key than before.
async fn change_key(store: &Store, noted: i64) {
    run(store, vec![format!("UPDATE erasure_key SET digest = {noted}")]).await;
}

/// Releases dispatch; whether opt-outs were given up.
async fn release(store: &Store) -> bool {
    let released =
        store.write(Lane::Interactive, (), |tx, ()| Box::pin(generation::release(tx))).await.unwrap();
    released.unwrap().gave_up
}

both_databases! {
    async fn under_another_key_nothing_is_erased_until_the_right_one_is_back(store: Store) {
        check_key(&store, NOW).await.unwrap();
        assert_eq!(held(&store).await, None, "nothing was erased");
        opt_out(&store, SuppressionScope::User(UserId(7)), (OptOutSource::Stop, OptOutReach::All)).await;
        erase_all(&store).await.unwrap();
        check_key(&store, NOW).await.unwrap();
        assert_eq!(held(&store).await, None, "it is this one");
        let own = noted(&store).await;
        opt_out(&store, SuppressionScope::User(UserId(8)), (OptOutSource::Stop, OptOutReach::All)).await;
        let other = DigestKey::new([1; 16]).digest(Msisdn::ERASED);
        change_key(&store, other).await;
        // Before the hold, and under it however often the key is compared.
        for _ in 0..3 {
            assert_eq!(erase_all(&store).await.unwrap_err().code(), "other_key");
            check_key(&store, NOW).await.unwrap();
            assert_eq!(held(&store).await.as_deref(), Some(OTHER_KEY));
        }
        assert_eq!((noted(&store).await, plain(&store).await), (other, 1), "the opt-out is as it was");
        // An erasure that began before the key was noted stops where it would write a digest.
        let place = PLACES.iter().find(|place| place.table == "suppressions").unwrap();
        let refused = some_rows(&store, place, (wanted(), 0), NOW).await.unwrap_err();
        assert_eq!((refused.code(), plain(&store).await), ("other_key", 1));
        change_key(&store, own).await;
        check_key(&store, NOW).await.unwrap();
        erase_all(&store).await.unwrap();
        assert_eq!((noted(&store).await, plain(&store).await), (own, 0));
        assert!(!release(&store).await, "the key is back");
        check_key(&store, NOW).await.unwrap();
        assert_eq!((noted(&store).await, held(&store).await), (own, None));
        let copies = OptOuts::default();
        for user in [7, 8] {
            let snapshot = copies.of(&store, UserId(user)).await.unwrap();
            assert!(snapshot.contains(wanted(), Purpose::Promotional), "user {user}");
        }
    }

    async fn who_releases_dispatch_gives_up_what_is_kept_under_a_lost_key(store: Store) {
        opt_out(&store, SuppressionScope::User(UserId(7)), (OptOutSource::Stop, OptOutReach::All)).await;
        erase_all(&store).await.unwrap();
        let own = noted(&store).await;
        opt_out(&store, SuppressionScope::User(UserId(8)), (OptOutSource::Stop, OptOutReach::All)).await;
        change_key(&store, DigestKey::new([1; 16]).digest(Msisdn::ERASED)).await;
        let hold = |reason: &'static str| {
            store.write(Lane::Interactive, reason, |tx, reason| Box::pin(generation::hold(tx, reason, NOW)))
        };
        hold("by hand").await.unwrap();
        assert!(!release(&store).await, "that was another reason");
        assert_eq!(erase_all(&store).await.unwrap_err().code(), "other_key");
        hold("by hand").await.unwrap();
        check_key(&store, NOW).await.unwrap();
        let both = generation::held(&mut store.read().await.unwrap()).await.unwrap().unwrap();
        assert!(both.is_for(OTHER_KEY) && both.has_several_causes(), "{}", both.reason);
        assert!(release(&store).await);
        check_key(&store, NOW).await.unwrap();
        assert_eq!((held(&store).await, noted(&store).await), (None, own), "this key is the one from now on");
        erase_all(&store).await.unwrap();
        assert_eq!(plain(&store).await, 0);
    }
}
