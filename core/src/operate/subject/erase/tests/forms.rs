//! Numbers as people type them: what is read as the number is shown, and erased.

use super::*;
use crate::store::subject::FORMS;
use crate::testing::builder::user;

fn quoted(text: &str) -> String {
    text.replace('\'', "''")
}

async fn texts_of(store: &Store, sql: &'static str) -> Vec<String> {
    let rows: Vec<(String,)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
    rows.into_iter().map(|(text,)| text).collect()
}

/// A row of every table that keeps what was typed, for each form.
async fn fill(store: &Store, built: &Built) {
    let (user, quote) = (built.user, built.quote);
    let mut statements = vec![format!(
        "INSERT INTO contact_imports (id, user_id, target, target_id, status, columns, created_at, seen_at) \
         VALUES (1, {user}, 'group', 1, 'completed', '[]', 1, 1)"
    )];
    // Nothing of another number, however it is written.
    for (ordinal, form) in FORMS.into_iter().chain(["0803/999/9999", "٠٨٠٣٩٩٩٩٩٩٩"]).enumerate() {
        let fields = serde_json::json!({ "contacts": format!("Bisi, {form}; 08051111111") }).to_string();
        let (typed, fields) = (quoted(form), quoted(&fields));
        statements.push(format!(
            "INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
             VALUES ({quote}, {ordinal}, 1, '{typed}x', 'bad', 'Bad')"
        ));
        statements.push(format!(
            "INSERT INTO contact_import_rejects (import_id, ordinal, line, value, code) VALUES (1, {ordinal}, 1, '{typed}x', 'bad')"
        ));
        statements.push(format!(
            "INSERT INTO drafts (user_id, form, title, fields, version, created_at, updated_at) \
             VALUES ({user}, 'text', 'Day {ordinal}', '{fields}', 1, 1, 1)"
        ));
        statements.push(format!(
            "INSERT INTO audit (at, user_id, action, subject, before_text, after_text) \
             VALUES (1, NULL, 'user.hold', 'user 1', NULL, 'Complaint of {typed}')"
        ));
    }
    run(store, statements).await;
}

both_databases! {
    async fn a_number_is_shown_and_erased_in_every_form_in_which_it_is_read(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        end(&store).await;
        fill(&store, &built).await;
        let tables = ["contact_import_rejects", "quote_rejects", "drafts", "audit"];
        let shown = show(&store, &DndList::default(), wanted(), NetworkTable::builtin()).await.unwrap();
        let counted: Vec<_> = shown.tables.iter().map(|it| (&*it.table, it.count, it.rows.len())).collect();
        assert_eq!(counted, tables.map(|table| (table, FORMS.len() as i64, 5)));
        let columns = shown.tables.iter().flat_map(|it| &it.rows).flat_map(|row| row.keys());
        assert!(columns.into_iter().all(|name| !name.starts_with('_')));
        let erased = erase_all(&store).await.unwrap();
        assert_eq!(erased, tables.map(|table| (table.to_owned(), FORMS.len() as u64)));
        let left = show(&store, &DndList::default(), wanted(), NetworkTable::builtin()).await.unwrap();
        assert!(left.tables.is_empty(), "{:?}", left.tables);
        for sql in ["SELECT value FROM quote_rejects ORDER BY ordinal", "SELECT value FROM contact_import_rejects ORDER BY ordinal"] {
            assert_eq!(texts_of(&store, sql).await, ["0803/999/9999x", "٠٨٠٣٩٩٩٩٩٩٩x"]);
        }
        let drafts = texts_of(&store, "SELECT fields FROM drafts ORDER BY id").await;
        let others = |draft: &&String| draft.contains("Bisi, ") && draft.contains("; 08051111111\"}");
        assert_eq!(drafts.iter().filter(others).count(), FORMS.len() + 2, "{drafts:?}");
        assert_eq!(drafts.iter().filter(|draft| draft.contains("erased")).count(), FORMS.len());
        let entries = texts_of(&store, "SELECT after_text FROM audit WHERE action = 'user.hold' ORDER BY id").await;
        assert_eq!(entries.iter().filter(|entry| entry.contains("erased")).count(), FORMS.len());
        assert_eq!(entries.last().unwrap(), "Complaint of ٠٨٠٣٩٩٩٩٩٩٩");
    }

    async fn rows_that_only_look_like_the_number_are_passed_over_and_not_counted(store: Store) {
        let entry = |place| {
            let subject = if place % 100 == 7 { "0803–123–4567" } else { "18031234567, ٧" };
            format!("INSERT INTO audit (at, action, subject) VALUES (1, 'x', '{subject}')")
        };
        run(&store, (0..450).map(entry).collect()).await;
        let shown = show(&store, &DndList::default(), wanted(), NetworkTable::builtin()).await.unwrap();
        let counted: Vec<_> = shown.tables.iter().map(|it| (&*it.table, it.count, it.rows.len())).collect();
        assert_eq!(counted, [("audit", 5, 5)]);
        assert_eq!(erase_all(&store).await.unwrap(), [("audit".to_owned(), 5)]);
    }

    async fn a_draft_keeps_all_but_the_number_also_where_that_is_a_number_of_the_document(store: Store) {
        let user = user(&store, "ada").await;
        let draft = |fields: &str| {
            format!("INSERT INTO drafts (user_id, form, title, fields, version, created_at, updated_at) \
                     VALUES ({user}, 'text', 'Day', '{fields}', 1, 1, 1)")
        };
        run(&store, vec![
            draft(r#"{"to":2348031234567,"text":"Hi \"you\"","n":2}"#),
            draft("\n{\"to\":8.0312345670E9,\"text\":\"Hi\"}"),
        ])
        .await;
        erase_all(&store).await.unwrap();
        let left = texts_of(&store, "SELECT fields FROM drafts ORDER BY id").await;
        assert_eq!(left, [r#"{"to":"erased","text":"Hi \"you\"","n":2}"#, "\n{\"to\":\"erased\",\"text\":\"Hi\"}"]);
    }

    async fn rejects_are_looked_at_page_by_page(store: Store) {
        let user = user(&store, "ada").await;
        let mut statements = Vec::new();
        for import in 1..=3 {
            statements.push(format!(
                "INSERT INTO contact_imports (id, user_id, target, target_id, status, columns, created_at, seen_at) \
                 VALUES ({import}, {user}, 'group', 1, 'completed', '[]', 1, 1)"
            ));
            for ordinal in 0..150 {
                let value = if ordinal % 10 == 3 { "0803-123-4567x" } else { "٠٨٠٣٩٩٩٩٩٩٩" };
                statements.push(format!(
                    "INSERT INTO contact_import_rejects (import_id, ordinal, line, value, code) \
                     VALUES ({import}, {ordinal}, 1, '{value}', 'bad')"
                ));
            }
        }
        run(&store, statements).await;
        assert_eq!(erase_all(&store).await.unwrap(), [("contact_import_rejects".to_owned(), 45)]);
        let left: (i64,) =
            store.read().await.unwrap().one("SELECT COUNT(*) FROM contact_import_rejects", args![]).await.unwrap();
        assert_eq!(left.0, 405);
    }
}
