use futures::TryStreamExt as _;
use serde_json::json;

use super::*;
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::model::account::user::Role;
use crate::model::message::status::MessageStatus as S;
use crate::store::platform::audit as trail;
use crate::testing::account::make_user;
use crate::testing::builder::{Spot, build};
use crate::{args, both_databases};
use talkdrum_api::purpose::OptOutReach;

const OTHER: i64 = 2_348_039_999_999;

fn wanted() -> Msisdn {
    Msisdn::from_digits(2_348_031_234_567).unwrap()
}

/// A message to the number, and rows of every other kind, beside those of another number.
async fn fill(store: &Store) -> UserId {
    let built = build(store, "ada")
        .text("Dear customer")
        .chunk(&[Spot::Answered(S::Delivered), Spot::Answered(S::Delivered)])
        .number(0, 1, wanted())
        .store()
        .await;
    built.merge_packed(store).await;
    let body = json!({"type": "messages.updated", "data": {"messages": [
        {"id": 1, "to": OTHER.to_string()}, {"id": 2, "to": wanted().to_string()},
    ]}});
    let filling = store.write(Lane::Interactive, (built, body.to_string()), |tx, (built, body)| {
        Box::pin(async move {
            let user = built.user;
            tx.run(
                "INSERT INTO contact_groups (id, user_id, name, name_key, description, columns, created_at, updated_at) \
                 VALUES (1, $1, 'Clients', 'clients', '', '[]', 1, 1)",
                args![user],
            )
            .await?;
            for number in [wanted().digits().cast_signed(), OTHER] {
                tx.run(
                    "INSERT INTO contacts (group_id, number, name, email, fields, created_at, updated_at) \
                     VALUES (1, $1, 'Bisi', 'b@example.com', $2, 1700000000000, 1)",
                    args![number, r#"{"city":"Jos"}"#],
                )
                .await?;
            }
            let number = Msisdn::from_digits(OTHER.cast_unsigned()).unwrap();
            for number in [wanted(), number] {
                let optout = (OptOutSource::Manual, OptOutReach::All);
                suppression::add(tx, SuppressionScope::User(user), number, optout, Time(1)).await?;
            }
            for sender in ["+2348031234567", "08031234567", "+2348039999999"] {
                tx.run(
                    "INSERT INTO inbound_messages (carrier, sender, recipient, text, received_at) \
                     VALUES ('main', $1, '2347000000000', 'Hello', 1)",
                    args![sender],
                )
                .await?;
            }
            for (ordinal, value) in ["0803 123-4567", "0803 999-9999", "+1 803 123 4567"].into_iter().enumerate() {
                tx.run(
                    "INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
                     VALUES ($1, $2, 1, $3, 'opted_out', 'Opted out')",
                    args![built.quote, ordinal as i64, value],
                )
                .await?;
            }
            tx.run(
                "INSERT INTO webhook_events (user_id, type, body, created_at) VALUES ($1, 'messages.updated', $2, 1)",
                args![user, body],
            )
            .await?;
            tx.run(
                "INSERT INTO voice_test_calls (user_id, phone, began_at) VALUES ($1, $2, 1)",
                args![user, wanted().to_string()],
            )
            .await?;
            Ok(user)
        })
    });
    filling.await.unwrap()
}

fn counts(subject: &Subject) -> Vec<(&str, &str, i64)> {
    subject.tables.iter().map(|it| (&*it.table, &*it.class, it.count)).collect()
}

both_databases! {
    async fn what_is_held_about_a_number_is_shown_and_nothing_of_another(store: Store) {
        let user = fill(&store).await;
        let dnd = DndList::default();
        let found = show(&store, &dnd, wanted(), NetworkTable::builtin()).await.unwrap();
        assert_eq!(found.number, "2348031234567");
        assert!(!found.on_dnd_list);
        assert_eq!(counts(&found), [
            ("messages", "texts", 1),
            ("contacts", "numbers", 1),
            ("suppressions", "numbers", 1),
            ("quote_rejects", "numbers", 1),
            ("inbound_messages", "inbound", 2),
            ("webhook_events", "receipts", 1),
            ("voice_test_calls", "account", 1),
        ]);
        assert!(found.tables.iter().all(|it| !it.has_more && it.rows.len() as i64 == it.count));
        let row = |table: &str| found.tables.iter().find(|it| it.table == table).unwrap().rows[0].clone();
        assert_eq!(Value::from(row("contacts")), json!({
            "user_id": user, "group_name": "Clients", "number": 2_348_031_234_567_i64, "name": "Bisi",
            "email": "b@example.com", "fields": {"city": "Jos"}, "created_at": "2023-11-14T22:13:20.000Z",
            "updated_at": "1970-01-01T00:00:00.001Z",
        }));
        let messages = json!([{"id": 2, "to": "2348031234567"}]);
        assert_eq!(row("webhook_events")["body"]["data"]["messages"], messages);
        assert_eq!(row("quote_rejects")["value"], "0803 123-4567");
        let nothing = Msisdn::from_digits(2_348_031_111_111).unwrap();
        let found = show(&store, &dnd, nothing, NetworkTable::builtin()).await.unwrap();
        assert_eq!(counts(&found), []);
    }

    async fn an_export_has_every_row_and_the_text_of_messages(store: Store) {
        fill(&store).await;
        let many = store.write(Lane::Interactive, (), |tx, ()| Box::pin(async move {
            for _ in 0..2 * 50 + 1 {
                let sql = "INSERT INTO voice_test_calls (user_id, phone, began_at) VALUES (1, $1, 2)";
                tx.run(sql, args![wanted().to_string()]).await?;
            }
            Ok(())
        }));
        many.await.unwrap();
        let dnd = DndList::default();
        let pieces = export(&store, &dnd, wanted(), NetworkTable::builtin(), Time(1_700_000_000_000));
        let bytes: Vec<Vec<u8>> = pieces.try_collect().await.unwrap();
        let text = String::from_utf8(bytes.concat()).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let head = json!({
            "number": "2348031234567", "on_dnd_list": false, "exported_at": "2023-11-14T22:13:20.000Z",
        });
        assert_eq!(lines.next().unwrap(), head);
        let lines: Vec<Value> = lines.collect();
        let of = |table: &str| lines.iter().filter(|line| line["table"] == table).count();
        let found = ["contacts", "suppressions", "inbound_messages", "webhook_events", "quote_rejects"].map(of);
        assert_eq!((found, of("voice_test_calls")), ([1, 1, 2, 1, 1], 102));
        assert_eq!(lines.last().unwrap(), &json!({ "complete": true }));
        let last = &lines[lines.len() - 2];
        assert_eq!((&last["table"], &last["class"]), (&json!("messages"), &json!("texts")));
        let (told, to) = (&last["row"]["text"], &last["row"]["message"]["to"]);
        assert_eq!((told, to), (&json!("Dear customer"), &json!("2348031234567")));
        assert!(!text.contains("9999"), "{text}");
    }

    async fn the_trail_tells_who_looked_and_not_the_number(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        note(&store, admin, AuditAction::SubjectShow, wanted(), Time(9)).await.unwrap();
        let found = trail::newest(&mut store.read().await.unwrap(), 10).await.unwrap();
        assert_eq!((found[0].user_id, found[0].action.as_str()), (Some(admin), "subject.show"));
        assert_eq!(found[0].subject, "a number that ends in 4567");
    }
}
