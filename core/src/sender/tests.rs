use super::*;
use crate::both_databases;
use crate::campaign::control::{self, Authority};
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::CampaignId;
use crate::model::page::Page;
use crate::model::platform::id::RunId;
use crate::model::sender::id::SenderRecordId;
use crate::store::chunk::{self, Intent};
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, Spot, build};
use crate::time::Time;

const NOW: Time = Time(1_700_000_000_000);

async fn ask(store: &Store, user: UserId, texts: &[&str]) -> Result<Vec<SenderRecordId>> {
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    let wanted = parse_list(&texts, "TALKDRUM")?;
    store
        .write(Lane::Interactive, (user, wanted), |tx, (user, wanted)| {
            Box::pin(request(tx, *user, wanted, NOW))
        })
        .await
}

async fn approved(store: &Store, id: SenderRecordId) -> Result<()> {
    store
        .write(Lane::Interactive, id, |tx, id| {
            Box::pin(async move { approve(tx, *id, UserId(1), NOW).await.map(|_| ()) })
        })
        .await
}

async fn rejected(store: &Store, id: SenderRecordId, reason: &str) -> Result<u64> {
    store
        .write(Lane::Interactive, (id, reason.to_owned()), |tx, (id, reason)| {
            Box::pin(
                async move { reject(tx, *id, reason, UserId(1), NOW).await.map(|decided| decided.paused) },
            )
        })
        .await
}

async fn may_use(store: &Store, user: UserId, text: &str) -> bool {
    check(&mut store.read().await.unwrap(), user, text).await.is_ok()
}

async fn status_of(store: &Store, campaign: CampaignId) -> (String, Option<String>) {
    let sql = "SELECT status, status_reason FROM campaigns WHERE id = $1";
    store.read().await.unwrap().one(sql, crate::args![campaign]).await.unwrap()
}

async fn intend(store: &Store, built: &Built) -> bool {
    let intent = store
        .write(Lane::Intent, built.chunks[0], |tx, id| {
            Box::pin(async move {
                let row = chunk::claim(tx, "main", *id, RunId(7), NOW).await?.unwrap();
                Ok(Intent {
                    even_held: false,
                    chunk: *id,
                    attempt: row.attempt,
                    owner: RunId(7),
                    from: row.cursor,
                    to: row.cursor + 1,
                    opt_outs: 0,
                })
            })
        })
        .await
        .unwrap();
    store.write(Lane::Intent, intent, |tx, intent| Box::pin(chunk::store_intent(tx, *intent))).await.unwrap()
}

async fn resume(store: &Store, campaign: CampaignId) -> Result<()> {
    store
        .write(Lane::Interactive, campaign, |tx, id| {
            Box::pin(async move { control::resume(tx, *id, Authority::Admin, NOW).await.map(|_| ()) })
        })
        .await
}

both_databases! {
    async fn only_an_approved_sender_id_of_the_user_may_be_used(store: Store) {
        make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        let eve = make_user(&store, "eve", Role::User).await;
        assert!(may_use(&store, ada, "WEBSMS").await && !may_use(&store, ada, "SHOP").await);
        let ids = ask(&store, ada, &[" SHOP ", "", "SHOP", "My Shop 24"]).await.unwrap();
        assert_eq!(ids.len(), 2);
        assert!(!may_use(&store, ada, "SHOP").await, "it waits");
        approved(&store, ids[0]).await.unwrap();
        approved(&store, ids[0]).await.unwrap();
        assert!(may_use(&store, ada, "SHOP").await);
        assert!(!may_use(&store, ada, "shop").await, "networks tell case apart");
        assert!(!may_use(&store, eve, "SHOP").await, "it is another user's");
        rejected(&store, ids[0], "Not yours").await.unwrap();
        assert!(!may_use(&store, ada, "SHOP").await);
    }

    async fn requests_are_refused_in_the_words_of_the_specification_and_whole(store: Store) {
        make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        for (texts, code, message) in [
            (&[][..], "sender_required", "Please add a sender ID"),
            (&["  "], "sender_required", "Please add a sender ID"),
            (&["OK", "TWELVE CHARS"], "sender_too_long", "Sender ID cannot be more than 11 characters."),
            (&["234803123456789"], "sender_too_long", "Sender ID cannot be more than 14 digits."),
            (&["CAFÉ"], "sender_invalid", "Sender ID cannot hold 'É', which not every network shows"),
            (&["WebSMS"], "sender_approved", "WEBSMS is there for all users"),
            (&["Talk-Drum"], "sender_reserved", "The sender ID 'Talk-Drum' is reserved"),
        ] {
            let refused = ask(&store, ada, texts).await.unwrap_err();
            assert_eq!(refused.code(), code, "{texts:?}");
            assert!(refused.to_string().starts_with(message), "{refused}");
        }
        let many: Vec<String> = (0..=MOST_AT_ONCE).map(|n| format!("S{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(ask(&store, ada, &many).await.unwrap_err().code(), "too_many_senders");
        let unread: Vec<&str> = many.iter().map(|_| "TWELVE CHARS").collect();
        assert_eq!(ask(&store, ada, &unread).await.unwrap_err().code(), "too_many_senders", "counted, then read");
        let all = list_sender_ids(&mut store.read().await.unwrap(), ada, &Listing::newest(100)).await.unwrap();
        assert_eq!(all.total, 1, "only WEBSMS: what was refused left nothing");
        ask(&store, ada, &["SHOP"]).await.unwrap();
        assert_eq!(ask(&store, ada, &["NEW", "SHOP"]).await.unwrap_err().code(), "sender_requested");
        assert_eq!(ask(&store, ada, &["12345678901234"]).await.unwrap().len(), 1);
    }

    async fn a_rejection_needs_a_reason_and_something_to_reject(store: Store) {
        make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        let id = ask(&store, ada, &["SHOP"]).await.unwrap()[0];
        assert_eq!(rejected(&store, id, " ").await.unwrap_err().code(), "reason_required");
        assert_eq!(rejected(&store, SenderRecordId(id.0 + 1), "No").await.unwrap_err().code(), "not_found");
        rejected(&store, id, "Not yours").await.unwrap();
        assert_eq!(rejected(&store, id, "Still not").await.unwrap_err().code(), "sender_disapproved");
        let shown = one_sender_id(&mut store.read().await.unwrap(), id).await.unwrap();
        assert_eq!((shown.status.as_str(), shown.reason.as_deref()), ("disapproved", Some("Not yours")));
        assert_eq!(ask(&store, ada, &["SHOP"]).await.unwrap(), [id], "it may be asked for again");
        let shown = one_sender_id(&mut store.read().await.unwrap(), id).await.unwrap();
        assert_eq!((shown.status.as_str(), shown.reason), ("pending", None));
        rejected(&store, id, "No").await.unwrap();
        approved(&store, id).await.unwrap();
        assert_eq!(ask(&store, ada, &["SHOP"]).await.unwrap_err().code(), "sender_approved");
    }

    async fn what_is_withdrawn_pauses_its_campaigns_and_stops_their_intents(store: Store) {
        make_user(&store, "root", Role::Admin).await;
        let shop = build(&store, "ada").sender("SHOP").chunk(&[Spot::Tail; 3]).store().await;
        let other = build(&store, "ada").sender("OTHER").chunk(&[Spot::Tail]).store().await;
        let theirs = build(&store, "eve").sender("SHOP").chunk(&[Spot::Tail]).store().await;
        assert!(intend(&store, &shop).await);
        let all = list_all_sender_ids(&mut store.read().await.unwrap(), &Listing::newest(10)).await.unwrap().0;
        let id = SenderRecordId(all.iter().find(|it| it.sender_id == "SHOP" && it.user_id == Some(shop.user.0)).unwrap().id);
        assert_eq!(rejected(&store, id, "A complaint").await.unwrap(), 1);
        let (status, reason) = status_of(&store, shop.campaign).await;
        assert_eq!((status.as_str(), reason.as_deref()), ("paused", Some("The sender ID 'SHOP' was withdrawn")));
        for goes_on in [&other, &theirs] {
            assert_eq!(status_of(&store, goes_on.campaign).await.0, "sending");
        }
        assert_eq!(resume(&store, shop.campaign).await.unwrap_err().code(), "sender_not_allowed");
        approved(&store, id).await.unwrap();
        resume(&store, shop.campaign).await.unwrap();
        assert!(intend(&store, &shop).await);
    }

    async fn an_intent_from_a_sender_that_is_gone_pauses_the_campaign(store: Store) {
        let shop = build(&store, "ada").sender("SHOP").chunk(&[Spot::Tail; 3]).store().await;
        store
            .write(Lane::Interactive, shop.user, |tx, user| {
                Box::pin(crate::store::sender::delete_all_of(tx, *user))
            })
            .await
            .unwrap();
        assert!(!intend(&store, &shop).await);
        let (status, reason) = status_of(&store, shop.campaign).await;
        assert_eq!((status.as_str(), reason.as_deref()), ("paused", Some("The sender ID 'SHOP' was withdrawn")));
    }

    async fn a_virtual_number_is_requested_assigned_used_and_deleted(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        let eve = make_user(&store, "eve", Role::User).await;
        let requested = async |user: UserId| {
            store
                .write(Lane::Interactive, user, |tx, user| Box::pin(request_virtual_number(tx, *user, NOW)))
                .await
        };
        let assigned = async |user: UserId, number: &str| {
            store
                .write(Lane::Interactive, (user, number.to_owned(), admin), |tx, (user, number, by)| {
                    Box::pin(assign_virtual_number(tx, *user, number, *by, NOW))
                })
                .await
        };
        let id = requested(ada).await.unwrap();
        assert_eq!(requested(ada).await.unwrap_err().code(), "virtual_number_requested");
        let number = assigned(ada, "+234 201 234 5678").await.unwrap();
        assert_eq!((number.id, number.virtual_num.as_deref()), (id.0, Some("2342012345678")));
        assert_eq!(assigned(eve, "02012345678").await.unwrap_err().code(), "number_taken");
        assert_eq!(assigned(UserId(999), "02012345679").await.unwrap_err().code(), "not_found");
        assert_eq!(assigned(eve, "02012345679").await.unwrap().status, "approved", "without a request");
        assert!(may_use(&store, ada, "2342012345678").await && !may_use(&store, eve, "2342012345678").await);
        let deleted = store
            .write(Lane::Interactive, (id, admin), |tx, (id, by)| {
                Box::pin(delete_virtual_number(tx, *id, *by, NOW))
            })
            .await
            .unwrap();
        assert_eq!(deleted.virtual_num.as_deref(), Some("2342012345678"));
        assert!(!may_use(&store, ada, "2342012345678").await);
        let gone = store
            .write(Lane::Interactive, (id, admin), |tx, (id, by)| {
                Box::pin(delete_virtual_number(tx, *id, *by, NOW))
            })
            .await;
        assert_eq!(gone.unwrap_err().code(), "not_found");
    }

    async fn lists_are_filtered_searched_sorted_and_paged(store: Store) {
        make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        let eve = make_user(&store, "eve", Role::User).await;
        let ids = ask(&store, ada, &["SHOP", "BAKERY", "50_OFF"]).await.unwrap();
        ask(&store, eve, &["CINEMA"]).await.unwrap();
        approved(&store, ids[0]).await.unwrap();
        let mut tx = store.read().await.unwrap();
        let mut all = async |listing: Listing| {
            let (rows, total) = list_all_sender_ids(&mut tx, &listing).await.unwrap();
            (rows.into_iter().map(|row| row.sender_id).collect::<Vec<_>>().join(" "), total)
        };
        let newest = || Listing::newest(10);
        assert_eq!(all(newest()).await, ("CINEMA 50_OFF BAKERY SHOP".to_owned(), 4));
        assert_eq!(all(Listing { status: "pending", ..newest() }).await.1, 3);
        assert_eq!(all(Listing { q: "bak".into(), ..newest() }).await.0, "BAKERY");
        assert_eq!(all(Listing { q: "EVE".into(), ..newest() }).await.0, "CINEMA");
        assert_eq!(all(Listing { q: "_".into(), ..newest() }).await.0, "50_OFF");
        let by_name = Listing { sort: "sender_id", descending: false, page: Page::new(2, 2), ..newest() };
        assert_eq!(all(by_name).await, ("CINEMA SHOP".to_owned(), 4));
        let own = list_sender_ids(&mut tx, ada, &Listing { status: "approved", ..newest() }).await.unwrap();
        let own: Vec<_> = own.sender_ids.into_iter().map(|it| it.sender_id).collect();
        assert_eq!(own, ["WEBSMS", "SHOP"]);
        assert_eq!(list_own_numbers(&mut tx, ada, &newest()).await.unwrap().1, 0);
    }
}
