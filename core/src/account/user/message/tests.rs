use std::sync::Arc;

use serde_json::json;
use wiremock::matchers::{body_partial_json, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use talkdrum_api::purpose::OptOutReach;

use super::*;
use crate::account::create_user;
use crate::account::kingschat::{ChatProfile, KingsChatConfig, login};
use crate::model::account::id::{UserId, UserMessageId};
use crate::model::account::user::{NewUser, Role};
use crate::store::account::kingschat;
use crate::store::account::user_message::{FORGET_CHATS, RecipientRow};
use crate::testing::account::new_user;
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::time::ManualClock;
use crate::{args, both_databases};

const NOW: Time = Time(1_700_000_000_000);
const MINUTE: Duration = Duration::from_mins(1);

fn house(store: &Store) -> NoticeHouse {
    NoticeHouse::new(store, &Arc::new(ManualClock::new(NOW)), Arc::new(ScriptedMailer::default()))
}

/// A KingsChat that answers messages to each id as told, and 200 to others'.
async fn kingschat(answers: &[(&str, u16)]) -> (MockServer, KingsChat) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = MockServer::start().await;
    for (id, status) in answers {
        Mock::given(method("POST"))
            .and(path("/developer/api/messages"))
            .and(body_partial_json(json!({ "recipient_id": id })))
            .respond_with(ResponseTemplate::new(*status).set_body_json(json!({})))
            .mount(&server)
            .await;
    }
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({})))
        .mount(&server)
        .await;
    let config = KingsChatConfig {
        platform_url: server.uri(),
        client_id: "talkdrum".into(),
        api_key: Some("key".into()),
        timeout: Duration::from_secs(2),
        ..KingsChatConfig::default()
    };
    let client = KingsChat::new(reqwest::Client::new(), config);
    (server, client)
}

async fn person(store: &Store, name: &str, role: Role, phone: Option<&str>, chat: Option<&str>) -> UserId {
    let user = NewUser { phone_number: phone.map(str::to_owned), ..new_user(name, role) };
    let id =
        store.write(Lane::Interactive, user, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap();
    if let Some(chat) = chat {
        let profile = ChatProfile {
            id: chat.into(),
            username: None,
            name: None,
            email: None,
            email_verified: false,
            avatar_url: None,
        };
        store
            .write(Lane::Interactive, (id, profile), |tx, (id, profile)| {
                Box::pin(kingschat::link(tx, *id, &profile.id, None, None, NOW))
            })
            .await
            .unwrap();
    }
    id
}

async fn written(store: &Store, by: UserId, to: Option<UserId>) -> Result<UserMessageId> {
    store
        .write(Lane::Interactive, (by, to), |tx, (by, to)| Box::pin(write(tx, *by, *to, "We are open", NOW)))
        .await
}

async fn given_out(store: &Store, house: &NoticeHouse, chat: &KingsChat) {
    while give_out(store, &house.notices, chat, house.clock.now()).await.unwrap() {}
}

async fn chats_sent(store: &Store, house: &NoticeHouse, chat: &KingsChat) {
    while send_chats(store, chat, house.clock.as_ref()).await.unwrap() {}
}

async fn recipients(store: &Store, message: UserMessageId) -> Vec<RecipientRow> {
    rows::recipients(&mut store.read().await.unwrap(), message, 0, 1_000).await.unwrap().0
}

/// Where the one KingsChat message is, its tries, and the id it goes to.
async fn chat_of(store: &Store, message: UserMessageId) -> (String, i64, Option<String>) {
    store
        .read()
        .await
        .unwrap()
        .one(
            "SELECT chat_status, chat_attempts, provider_id FROM user_message_recipients \
             WHERE message_id = $1 AND chat_status IS NOT NULL",
            args![message],
        )
        .await
        .unwrap()
}

both_databases! {
    async fn a_message_of_long_ago_is_forgotten_with_its_recipients(store: Store) {
        let (house, (_server, chat)) = (house(&store), kingschat(&[]).await);
        let root = person(&store, "root", Role::Admin, None, None).await;
        let ada = person(&store, "ada", Role::User, Some("2348030000002"), Some("k-ada")).await;
        let message = written(&store, root, Some(ada)).await.unwrap();
        given_out(&store, &house, &chat).await;
        chats_sent(&store, &house, &chat).await;
        let purged = async |now: Time| {
            store.write(Lane::Background, now, |tx, now| Box::pin(purge(tx, *now))).await.unwrap()
        };
        assert_eq!(purged(NOW + KEPT_FOR).await, 0);
        assert_eq!(recipients(&store, message).await.len(), 1);
        let later = NOW + KEPT_FOR + MINUTE;
        while purged(later).await > 0 {}
        assert!(rows::by_id(&mut store.read().await.unwrap(), message).await.unwrap().is_none());
        assert!(recipients(&store, message).await.is_empty());
    }

    async fn all_users_there_were_get_it_once_by_the_ways_that_lead_to_them(store: Store) {
        let (house, (server, chat)) = (house(&store), kingschat(&[]).await);
        let root = person(&store, "root", Role::Admin, Some("2348030000001"), None).await;
        person(&store, "ada", Role::User, Some("2348031234567"), Some("7")).await;
        person(&store, "bola", Role::User, None, Some("8")).await;
        person(&store, "chi", Role::User, Some("12"), None).await;
        person(&store, "dupe", Role::User, Some("2348031234568"), None).await;
        store
            .write(Lane::Interactive, (), |tx, ()| {
                let note = vec![None];
                let stop = suppression::add(tx, suppression::PLATFORM, vec![2_348_031_234_568], note, (crate::model::contact::OptOutSource::Stop, OptOutReach::All), NOW);
                Box::pin(async move { stop.await.map(|_| ()) })
            })
            .await
            .unwrap();
        let id = written(&store, root, None).await.unwrap();
        person(&store, "late", Role::User, Some("2348031234569"), Some("9")).await;
        given_out(&store, &house, &chat).await;
        given_out(&store, &house, &chat).await;
        chats_sent(&store, &house, &chat).await;
        let said: Vec<_> = house.deliver().await.into_iter().map(|it| (it.to, it.text)).collect();
        assert_eq!(said, [("2348031234567".to_owned(), "We are open".to_owned())]);
        assert_eq!(server.received_requests().await.unwrap().len(), 2);
        let told: Vec<_> = recipients(&store, id)
            .await
            .into_iter()
            .map(|row| {
                let sms = row.sms_status.map(|status| status.code().to_owned()).or(row.sms_skipped).unwrap();
                (row.username, sms, row.chat_status.map_or("", ChatStatus::code).to_owned())
            })
            .collect();
        let told: Vec<_> = told.iter().map(|(who, sms, chat)| (who.as_str(), sms.as_str(), chat.as_str())).collect();
        assert_eq!(told, [
            ("ada", "submitting", "sent"),
            ("bola", "no_phone", "sent"),
            ("chi", "bad_phone", ""),
            ("dupe", "opted_out", ""),
        ]);
        let mut tx = store.read().await.unwrap();
        assert!(rows::by_id(&mut tx, id).await.unwrap().unwrap().spread_at.is_some());
        let mut counts: Vec<_> = rows::counts(&mut tx, id, id).await.unwrap().into_iter()
            .map(|it| {
                let sms = it.sms_status.map(|status| status.code().to_owned()).or(it.sms_skipped);
                (it.way.code(), sms.or(it.chat_status.map(|status| status.code().to_owned())), it.count)
            })
            .collect();
        counts.sort();
        let counts: Vec<_> = counts.iter().map(|(way, word, count)| (*way, word.as_deref().unwrap(), *count)).collect();
        assert_eq!(counts, [
            ("chat", "sent", 2),
            ("sms", "bad_phone", 1),
            ("sms", "no_phone", 1),
            ("sms", "opted_out", 1),
            ("sms", "submitting", 1),
        ]);
        let entries = crate::store::platform::audit::newest(&mut tx, 10).await.unwrap();
        assert_eq!((entries[0].action.as_str(), entries[0].subject.as_str()), ("user.message", "all users"));
        assert_eq!(entries[0].after.as_deref(), Some("We are open"));
    }

    async fn many_users_get_it_in_batches_and_none_twice(store: Store) {
        let (house, (_server, chat)) = (house(&store), kingschat(&[]).await);
        let root = person(&store, "root", Role::Admin, None, None).await;
        store
            .write(Lane::Interactive, (), |tx, ()| {
                Box::pin(async move {
                    for number in 0..250 {
                        let user = NewUser {
                            phone_number: Some((2_348_030_000_000_i64 + number).to_string()),
                            ..new_user(&format!("user{number}"), Role::User)
                        };
                        create_user(tx, &user, NOW).await?;
                    }
                    Ok(())
                })
            })
            .await
            .unwrap();
        let id = written(&store, root, None).await.unwrap();
        // Two daemons look at once.
        let batch = || give_out(&store, &house.notices, &chat, NOW);
        let (one, other) = tokio::join!(batch(), batch());
        assert!(one.unwrap() && other.unwrap());
        given_out(&store, &house, &chat).await;
        let mut tx = store.read().await.unwrap();
        let (_, total) = rows::recipients(&mut tx, id, 0, 1).await.unwrap();
        let notices = crate::store::platform::notice::counts(&mut tx).await.unwrap();
        assert_eq!((total, notices), (250, vec![(crate::model::platform::notice::NoticeStatus::Queued, 250)]));
    }

    async fn what_kingschat_refuses_is_final_what_it_cannot_take_is_tried_again_and_what_nobody_knows_is_not(store: Store) {
        let (house, (server, chat)) =
            (house(&store), kingschat(&[("refused", 404), ("busy", 503), ("odd", 500)]).await);
        let root = person(&store, "root", Role::Admin, None, None).await;
        let mut messages = Vec::new();
        for id in ["refused", "busy", "odd"] {
            let user = person(&store, id, Role::User, None, Some(id)).await;
            messages.push(written(&store, root, Some(user)).await.unwrap());
        }
        given_out(&store, &house, &chat).await;
        chats_sent(&store, &house, &chat).await;
        assert_eq!(chat_of(&store, messages[0]).await, ("refused".into(), 1, None));
        assert_eq!(chat_of(&store, messages[1]).await, ("queued".into(), 1, Some("busy".into())));
        assert_eq!(chat_of(&store, messages[2]).await, ("unknown".into(), 1, None));
        for _ in 0..10 {
            house.clock.advance(MINUTE * 61);
            chats_sent(&store, &house, &chat).await;
        }
        assert_eq!(chat_of(&store, messages[1]).await, ("failed".into(), 5, None), "tries are bounded");
        assert_eq!(server.received_requests().await.unwrap().len(), 7);
    }

    async fn what_a_dead_daemon_had_in_hand_is_not_sent_again(store: Store) {
        let (house, (server, chat)) = (house(&store), kingschat(&[]).await);
        let root = person(&store, "root", Role::Admin, None, None).await;
        let ada = person(&store, "ada", Role::User, None, Some("7")).await;
        let id = written(&store, root, Some(ada)).await.unwrap();
        given_out(&store, &house, &chat).await;
        let due = rows::chat_due(&mut store.read().await.unwrap(), NOW, 10).await.unwrap();
        let claim = || {
            let row = due[0].clone();
            store.write(Lane::Background, row, |tx, row| Box::pin(rows::chat_claim(tx, row, NOW + IN_HAND)))
        };
        assert!(claim().await.unwrap());
        assert!(!claim().await.unwrap(), "it is in hand");
        assert_eq!(give_up_abandoned(&store, NOW + MINUTE).await.unwrap(), 0);
        assert_eq!(give_up_abandoned(&store, NOW + IN_HAND).await.unwrap(), 1);
        house.clock.advance(MINUTE * 600);
        chats_sent(&store, &house, &chat).await;
        assert_eq!(chat_of(&store, id).await.0, "unknown");
        assert!(server.received_requests().await.unwrap().is_empty());
    }

    async fn nothing_is_sent_to_an_account_that_was_unlinked_and_its_id_is_forgotten(store: Store) {
        let (house, (server, chat)) = (house(&store), kingschat(&[]).await);
        let root = person(&store, "root", Role::Admin, None, None).await;
        let ada = person(&store, "ada", Role::User, None, Some("7")).await;
        let id = written(&store, root, Some(ada)).await.unwrap();
        given_out(&store, &house, &chat).await;
        store.write(Lane::Interactive, ada, |tx, id| Box::pin(login::forget(tx, *id))).await.unwrap();
        chats_sent(&store, &house, &chat).await;
        assert_eq!(chat_of(&store, id).await, ("refused".into(), 0, None));
        assert!(server.received_requests().await.unwrap().is_empty());
        let mut tx = store.read().await.unwrap();
        let plan = tx.explain(FORGET_CHATS, args![ada]).await.unwrap().join("\n");
        let sqlite = tx.dialect() == crate::store::Dialect::Sqlite;
        assert!(!sqlite || plan.contains("user_message_linked"), "{plan}");
    }

    async fn codes_are_not_held_up_and_messages_are_bounded(store: Store) {
        let (house, (_server, chat)) = (house(&store), kingschat(&[]).await);
        let root = person(&store, "root", Role::Admin, None, None).await;
        let ada = person(&store, "ada", Role::User, Some("2348031234567"), None).await;
        for _ in 0..OPEN_MAX {
            written(&store, root, Some(ada)).await.unwrap();
        }
        assert_eq!(written(&store, root, Some(ada)).await.unwrap_err().code(), "messages_crowded");
        let waiting = house.notices.draft_sms(number(SAMPLE).unwrap(), "x", NoticePurpose::Message).unwrap();
        store
            .write(Lane::Background, waiting, |tx, waiting| {
                Box::pin(async move {
                    for _ in 0..WAITING_MAX {
                        notice::queue(tx, waiting, NOW).await?;
                    }
                    Ok(())
                })
            })
            .await
            .unwrap();
        given_out(&store, &house, &chat).await;
        let open = rows::open_count(&mut store.read().await.unwrap(), 100).await.unwrap();
        assert_eq!(open, OPEN_MAX, "nothing is given out while so many wait");
        house.deliver().await;
        given_out(&store, &house, &chat).await;
        assert_eq!(house.deliver().await.len(), usize::try_from(OPEN_MAX).unwrap());
        written(&store, root, Some(ada)).await.unwrap();
    }

    async fn a_text_must_fit_and_the_user_must_be_there(store: Store) {
        let house = house(&store);
        let root = person(&store, "root", Role::Admin, None, None).await;
        let code = |text: &str| check(&house.notices, text).map_err(|error| error.code().to_owned());
        assert_eq!(code(" "), Err("message_required".into()));
        assert!(code(&"x".repeat(5_000)).is_err());
        assert_eq!((code("We are open"), code("Ẹ káàbọ̀ {name}")), (Ok(()), Ok(())));
        assert_eq!(written(&store, root, Some(UserId(99))).await.unwrap_err().code(), "not_found");
    }
}
