//! Numbers that are taken back.

use super::codes::audit_of;
use super::*;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::CampaignId;
use crate::model::sender::id::OwnNumberId;
use crate::sender;
use crate::store::voice::own_number_call as rows;
use crate::testing::account::make_user;
use crate::testing::builder::{Spot, build};
use crate::{args, both_databases};

async fn take_back(desk: &Desk, key: OwnNumberKey, by: UserId) -> Result<i64> {
    let input = (desk.calls.notices.clone(), key, by);
    desk.store
        .write(Lane::Interactive, input, |tx, (notices, key, by)| {
            Box::pin(withdraw(tx, notices, key, *by, NOW))
        })
        .await
}

both_databases! {
    async fn a_withdrawn_number_is_shown_by_no_later_call_and_its_owner_is_told(store: Store) {
        let desk = Desk::open(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        let eve = user_with(&store, "eve", "100").await;
        for user in [desk.ada, eve] {
            let code = desk.heard(OwnCallRequest { user, ..desk.wanted() }).await;
            desk.calls.confirm(user, number(1), &code, None).await.unwrap();
            desk.clock.advance(MINUTE);
        }
        desk.told().await;
        let may_call = async |user: UserId| {
            sender::check(&mut store.read().await.unwrap(), user, "2348031230001").await.is_ok()
        };
        let sending = build(&store, "ada").sender("2348031230001").chunk(&[Spot::Tail]).store().await;
        let theirs = build(&store, "eve").sender("2348031230001").chunk(&[Spot::Tail]).store().await;
        let other = build(&store, "ada").sender("SHOP").chunk(&[Spot::Tail]).store().await;
        assert_eq!((sending.user, theirs.user), (desk.ada, eve));
        // The builder approved it as a sender ID, too.
        let numbers_alone = store.write(Lane::Background, (), |tx, ()| {
            Box::pin(tx.run("DELETE FROM sender_ids WHERE sender_id <> 'SHOP'", args![]))
        });
        assert_eq!(numbers_alone.await.unwrap(), 2);
        let key = || OwnNumberKey::OfUser(desk.ada, "2348031230001".to_owned());
        assert_eq!(take_back(&desk, key(), desk.ada).await.unwrap(), 1);
        assert_eq!((may_call(desk.ada).await, may_call(eve).await), (false, true), "another user proved it, too");
        let was_verified = async |user: UserId| {
            rows::was_verified(&mut store.read().await.unwrap(), user, "2348031230001").await.unwrap()
        };
        assert_eq!((was_verified(desk.ada).await, was_verified(eve).await), (false, true), "no call at night any more");
        let status = async |campaign: CampaignId| {
            let mut tx = store.read().await.unwrap();
            tx.one::<(String,)>("SELECT status FROM campaigns WHERE id = $1", args![campaign]).await.unwrap().0
        };
        assert_eq!(status(sending.campaign).await, "paused");
        assert_eq!((status(theirs.campaign).await, status(other.campaign).await), ("sending".into(), "sending".into()));
        let resumed = store.write(Lane::Interactive, sending.campaign, |tx, id| {
            use crate::campaign::control::{self, Authority};
            Box::pin(control::resume(tx, *id, Authority::Admin, NOW))
        });
        assert_eq!(resumed.await.unwrap_err().code(), "sender_not_allowed");
        let listed = list_own_numbers(&mut store.read().await.unwrap(), desk.ada, &Listing::newest(9)).await.unwrap();
        assert_eq!(listed.1, 0);
        let told = desk.told().await;
        assert_eq!((told.len(), told[0].0.as_str()), (1, "ada@example.com"));
        let says = "The number ending in 0001 was withdrawn from your account: no more calls show it. A campaign that \
                    called from it is paused. If that was not you, change your password.";
        assert_eq!(told[0].1, says);
        assert_eq!(take_back(&desk, key(), desk.ada).await.unwrap_err().code(), "not_found", "once");
        // An administrator takes another user's back.
        let record = list_own_numbers(&mut store.read().await.unwrap(), eve, &Listing::newest(9)).await.unwrap().0[0].id;
        assert_eq!(take_back(&desk, OwnNumberKey::Record(OwnNumberId(record)), admin).await.unwrap(), 1);
        assert!(!may_call(eve).await);
        let told = desk.told().await;
        assert_eq!(told[0].0, "eve@example.com");
        assert!(told[0].1.contains("withdrawn by an administrator") && !told[0].1.contains("password"), "{told:?}");
        assert_eq!(audit_of(&store, "own_number.withdraw").await.len(), 2);
        // It can be verified again, and then the campaign goes on.
        desk.clock.advance(MINUTE);
        let code = desk.heard(desk.wanted()).await;
        desk.confirm(number(1), &code).await.unwrap();
        assert!(may_call(desk.ada).await);
    }
}
