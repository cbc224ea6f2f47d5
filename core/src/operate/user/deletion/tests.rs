use talkdrum_api::money::{Amount, Currency, Money};

use super::*;
use crate::ledger::verify::verify;
use crate::model::account::user::Role;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::status::MessageStatus;
use crate::model::money::payment::{PaymentStatus, Provider};
use crate::operate::user::activate_user;
use crate::store::account::user_message;
use crate::store::money::payment;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::builder::{Spot, build};
use crate::testing::identity::identity;
use crate::{args, both_databases};

const NOW: Time = Time(1_700_000_100_000);

async fn delete(store: &Store, id: UserId, by: UserId) -> Result<User> {
    store.write(Lane::Interactive, (id, by), |tx, (id, by)| Box::pin(delete_user(tx, *id, *by, NOW))).await
}

async fn step(store: &Store, id: UserId) -> DeletionStep {
    step_at(store, id, NOW).await
}

async fn step_at(store: &Store, id: UserId, now: Time) -> DeletionStep {
    loop {
        let input = (id, now);
        let step = store
            .write(Lane::Interactive, input, |tx, (id, now)| Box::pin(go_on(tx, *id, *now)))
            .await
            .unwrap();
        if step != DeletionStep::Removed {
            return step;
        }
    }
}

both_databases! {
    async fn the_data_goes_once_everything_is_settled_and_the_ledger_stays(store: Store) {
        let root = make_user(&store, "root", Role::Admin).await;
        let built = build(&store, "ada")
            .chunk(&[Spot::InFlight, Spot::Tail])
            .store()
            .await;
        let second = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
        assert_eq!(delete(&store, built.user, root).await.unwrap().username, "ada");
        assert_eq!(delete(&store, built.user, root).await.unwrap_err().code(), "not_found");
        assert_eq!(step(&store, built.user).await, DeletionStep::Cancelled(built.campaign));
        assert_eq!(step(&store, built.user).await, DeletionStep::Cancelled(second.campaign));
        assert_eq!(step(&store, built.user).await, DeletionStep::Waits, "a message is in flight");
        let mut tx = store.read().await.unwrap();
        assert_eq!(leaving(&mut tx, UserId(0)).await.unwrap(), [built.user]);
        assert_eq!(rows::by_id(&mut tx, built.user).await.unwrap().unwrap().username, "ada");
        drop(tx);
        settle_in_flight(&store, built.chunks[0]).await;
        assert_eq!(step(&store, built.user).await, DeletionStep::Anonymised);
        let mut tx = store.read().await.unwrap();
        let gone = rows::by_id(&mut tx, built.user).await.unwrap().unwrap();
        assert_eq!((gone.name.as_str(), gone.phone_number.as_deref()), ("Deleted user", None));
        assert!(!gone.username.contains("ada") && !gone.email.contains("ada"), "{gone:?}");
        assert!(leaving(&mut tx, UserId(0)).await.unwrap().is_empty());
        let (_, balance) = crate::ledger::wallet(&mut tx, built.user, Currency::Espees).await.unwrap();
        assert!(balance.micros() > 0, "what was refunded is still on the books");
        assert_eq!(verify(&mut tx).await.unwrap().0, Vec::<String>::new());
        drop(tx);
        make_user(&store, "ada", Role::User).await;
    }

    async fn a_payment_that_may_still_come_is_waited_for_until_it_has_expired(store: Store) {
        let root = make_user(&store, "root", Role::Admin).await;
        let expires_at = Time(NOW.0 + 1_000);
        for (name, ends_as) in [("ada", PaymentStatus::Expired), ("eve", PaymentStatus::Failed), ("ife", PaymentStatus::Pending)] {
            let user = make_user(&store, name, Role::User).await;
            let begun = store.write(Lane::Interactive, user, |tx, user| {
                Box::pin(async move {
                    let new = payment::NewPayment {
                        user_id: *user,
                        provider: Provider::Paystack,
                        reference: format!("td-{user}"),
                        money: Money { amount: Amount(1_000_000), currency: Currency::Naira },
                        narration: String::new(),
                        product_sku: None,
                        nonce: user.to_string(),
                        mode: crate::model::money::payment::PaymentMode::Test,
                        note: "Begun",
                        next_check_at: NOW,
                        expires_at: Time(NOW.0 + 1_000),
                    };
                    payment::insert(tx, &new, NOW).await
                })
            });
            let id = begun.await.unwrap();
            delete(&store, user, root).await.unwrap();
            assert_eq!(step_at(&store, user, NOW).await, DeletionStep::Waits);
            // Past its end it is still looked after once.
            assert_eq!(step_at(&store, user, expires_at).await, DeletionStep::Waits);
            let ended = store.write(Lane::Background, (id, ends_as), |tx, (id, ends_as)| {
                Box::pin(async move {
                    payment::set_status(tx, *id, *ends_as, "told").await?;
                    payment::stop_checks(tx, *id).await
                })
            });
            ended.await.unwrap();
            if ends_as == PaymentStatus::Failed {
                assert_eq!(step_at(&store, user, NOW).await, DeletionStep::Waits, "it can be paid at another try");
            }
            assert_eq!(step_at(&store, user, expires_at).await, DeletionStep::Anonymised);
        }
    }

    async fn nothing_that_a_room_forgets_is_left(store: Store) {
        let root = make_user(&store, "root", Role::Admin).await;
        let mut users = Vec::new();
        for name in ["ada", "eve"] {
            let built = build(&store, name).chunk(&[Spot::Tail]).store().await;
            let input = (built.user, root, built.campaign);
            store.write(Lane::Interactive, input, |tx, it| Box::pin(fill(tx, *it))).await.unwrap();
            users.push(built.user);
        }
        let (ada, eve) = (users[0], users[1]);
        delete(&store, ada, root).await.unwrap();
        assert!(matches!(step(&store, ada).await, DeletionStep::Cancelled(_)));
        let before = left(&store, eve).await;
        assert_eq!(before.iter().map(|(_, rows)| *rows).min(), Some(1), "{before:?}");
        assert_eq!(step(&store, ada).await, DeletionStep::Anonymised);
        assert_eq!(left(&store, eve).await, before, "another user's stay");
        let after = left(&store, ada).await;
        assert!(after.iter().all(|(_, rows)| *rows == 0), "{after:?}");
        let mut tx = store.read().await.unwrap();
        let sql = "SELECT provider_id, chat_status FROM user_message_recipients WHERE user_id = $1";
        let row: (Option<String>, String) = tx.one(sql, args![ada]).await.unwrap();
        assert_eq!(row, (None, "refused".to_owned()));
    }

    async fn a_deleted_user_can_neither_sign_in_nor_be_activated(store: Store) {
        let root = make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        delete(&store, ada, root).await.unwrap();
        let mut tx = store.read().await.unwrap();
        assert_eq!(rows::credentials(&mut tx, "ada").await.unwrap(), None);
        assert_eq!(rows::by_username(&mut tx, "ada").await.unwrap(), None);
        drop(tx);
        for refused in [
            store
                .write(Lane::Interactive, ada, |tx, id| Box::pin(rows::signed_in(tx, *id, NOW)))
                .await
                .unwrap_err(),
            store
                .write(Lane::Interactive, (identity(&store), ada, root), |tx, (identity, id, by)| {
                    Box::pin(activate_user(tx, identity, *id, *by, NOW))
                })
                .await
                .unwrap_err(),
        ] {
            assert_eq!(refused.code(), "not_found");
        }
    }

    async fn nobody_deletes_themselves_or_the_last_administrator(store: Store) {
        let root = make_user(&store, "root", Role::Admin).await;
        let ada = make_user(&store, "ada", Role::User).await;
        assert_eq!(delete(&store, root, root).await.unwrap_err().code(), "delete_self");
        assert_eq!(delete(&store, root, ada).await.unwrap_err().code(), "last_admin");
        assert_eq!(delete(&store, UserId(999), root).await.unwrap_err().code(), "not_found");
        let second = make_user(&store, "root2", Role::Admin).await;
        delete(&store, second, root).await.unwrap();
        assert_eq!(step(&store, second).await, DeletionStep::Anonymised);
    }
}

/// Something of a user in every table that a room forgets, and a message under way.
async fn fill(tx: &mut Tx, (user, root, campaign): (UserId, UserId, CampaignId)) -> Result<()> {
    let hash = |kind: u8| vec![kind, u8::try_from(user.0).unwrap()];
    for (sql, args) in [
        (
            "INSERT INTO avatars (user_id, token, media_type, data, updated_at) VALUES ($1, $2, 'image/png', $3, 0)",
            args![user, user.to_string(), hash(0)],
        ),
        (
            "INSERT INTO email_changes (user_id, email, created_at) VALUES ($1, 'new@example.com', 0)",
            args![user],
        ),
        (
            "INSERT INTO phone_changes (user_id, phone_number, created_at) VALUES ($1, '2348031234567', 0)",
            args![user],
        ),
        (
            "INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at) VALUES ($2, $1, 0, 0, 0)",
            args![user, hash(1)],
        ),
        (
            "INSERT INTO chat_links (user_id, provider_id, linked_at) VALUES ($1, $2, 0)",
            args![user, user.to_string()],
        ),
        (
            "INSERT INTO chat_logins (origin_hash, browser_hash, purpose, user_id, created_at, expires_at) \
             VALUES ($2, $3, 'link', $1, 0, 0)",
            args![user, hash(2), hash(3)],
        ),
        (
            "INSERT INTO contact_groups (user_id, name, name_key, description, columns, created_at, updated_at) \
             VALUES ($1, 'Friends', 'friends', '', '[]', 0, 0)",
            args![user],
        ),
        (
            "INSERT INTO suppressions (scope, number, source, note, created_at) VALUES ($1, 1, 'manual', '', 0)",
            args![user],
        ),
        (
            "INSERT INTO suppression_scopes (scope, version, removals, numbers) VALUES ($1, 1, 0, 1)",
            args![user],
        ),
        (
            "INSERT INTO webhooks (user_id, url, description, events, secret, is_active, created_at, updated_at) \
             VALUES ($1, 'https://example.com/', '', '', '', true, 0, 0)",
            args![user],
        ),
        (
            "INSERT INTO contact_imports (user_id, target, target_id, status, columns, created_at, seen_at) \
             VALUES ($1, 'group', 1, 'completed', '[]', 0, 0)",
            args![user],
        ),
        ("INSERT INTO webhook_users (user_id, campaign_cursor) VALUES ($1, 0)", args![user]),
        (
            "INSERT INTO receipt_callbacks (message_id, user_id, mask, url, details) VALUES ($1, $1, 3, '', '{}')",
            args![user],
        ),
        ("INSERT INTO receipt_calls (user_id, message_id, url, due_at) VALUES ($1, 1, '', 0)", args![user]),
        (
            "INSERT INTO webhook_campaigns (campaign_id, user_id, told_status, look_at) VALUES ($2, $1, '', 0)",
            args![user, campaign],
        ),
    ] {
        tx.run_exactly(1, sql, args).await?;
    }
    let message = user_message::insert(tx, root, Some(user), "Hello", NOW).await?;
    let recipient = user_message::NewRecipient {
        user_id: user,
        notice_id: None,
        sms_skipped: Some("no_phone"),
        provider_id: Some(user.to_string()),
    };
    user_message::add(tx, message, &recipient, NOW).await
}

/// How many rows of a user each table has that a room forgets.
async fn left(store: &Store, user: UserId) -> Vec<(String, i64)> {
    let mut tx = store.read().await.unwrap();
    let mut left = Vec::new();
    for table in table::FORGOTTEN {
        let tail = if *table == "contact_groups" { " AND deleted_at IS NULL" } else { "" };
        let sql: String = format!("SELECT COUNT(*) FROM {table} WHERE user_id = $1{tail}");
        let (rows,): (i64,) = tx.one(&*sql.leak(), args![user]).await.unwrap();
        left.push(((*table).to_owned(), rows));
    }
    let (rows,): (i64,) =
        tx.one("SELECT COUNT(*) FROM suppressions WHERE scope = $1", args![user]).await.unwrap();
    left.push(("suppressions".to_owned(), rows));
    left
}

async fn settle_in_flight(store: &Store, chunk: ChunkId) {
    use crate::campaign::settlement::settle;
    use crate::model::message::id::MessageId;
    use crate::model::message::outcome::MessageOutcome;
    let outcome = MessageOutcome {
        message: MessageId::new(chunk, 0),
        status: MessageStatus::Rejected,
        reference: None,
        submitted_at: Some(NOW),
        done_at: Some(NOW),
        error: None,
        units: None,
    };
    store
        .write(Lane::Interactive, outcome, |tx, outcome| {
            Box::pin(async move { settle(tx, std::slice::from_ref(outcome), NOW).await.map(|_| ()) })
        })
        .await
        .unwrap();
}
