use std::path::Path;

use super::*;
use crate::store::Lane;
use crate::time::Time;
use crate::{args, both_databases};

both_databases! {
    async fn a_statement_removes_a_bounded_number_of_rows_and_only_those_of_its_condition(store: Store) {
        let fill = store.write(Lane::Background, (), |tx, ()| Box::pin(async move {
            for id in 1..=1_203_i64 {
                let args = args![id.to_string(), Time(if id <= 1_200 { 1 } else { 9 })];
                tx.run("INSERT INTO registrations (phone_number, name, username, email, password_hash, created_at, \
                    expires_at) VALUES ($1, '', $1, $1, '', 0, $2)", args).await?;
            }
            Ok(())
        }));
        fill.await.unwrap();
        let mut removed = Vec::new();
        while removed.last() != Some(&0) {
            let step = store.write(Lane::Background, (), |tx, ()| {
                Box::pin(crate::store::account::registration::purge(tx, Time(5)))
            });
            removed.push(step.await.unwrap());
        }
        assert_eq!(removed, [PURGED_AT_ONCE, PURGED_AT_ONCE, 200, 0]);
        let mut tx = store.read().await.unwrap();
        let left: (i64,) = tx.one("SELECT COUNT(*) FROM registrations", args![]).await.unwrap();
        assert_eq!(left.0, 3);
    }
}

/// Statements that remove what one key names, or rows whose number is bounded elsewhere; each with the reason.
const OF_FEW_ROWS: &[(&str, &str)] = &[
    ("FROM traffic_open WHERE campaign_id ", "ids of a bounded argument"),
    ("FROM held_receipts WHERE id ", "ids of a bounded argument"),
    ("FROM rates WHERE id ", "a bounded list of rates"),
    ("FROM inbound_messages WHERE handled_at IS NOT NULL AND id ", "ids of a bounded argument"),
    ("FROM inbound_messages WHERE id = ANY", "ids of a bounded argument"),
    ("FROM inbound_parts WHERE message_id IS NOT NULL AND id ", "ids of a bounded argument"),
    ("FROM codes WHERE subject IN", "the forms of one number"),
    ("FROM registrations WHERE phone_number IN", "the forms of one number"),
    ("FROM suppressions WHERE scope = $1 AND id = $2", "one row"),
    ("FROM suppressions WHERE scope = $1 AND number IN ($2, $3)", "one number"),
    ("FROM receipt_calls WHERE id = ANY", "ids of a bounded argument"),
    ("FROM voice_test_calls WHERE id = ANY", "ids of a bounded argument"),
    ("FROM code_sends WHERE id = ANY", "ids of a bounded argument"),
    ("FROM notices WHERE done_at IS NOT NULL AND id ", "ids of a bounded argument"),
    ("FROM quote_rejects WHERE (quote_id, ordinal) ", "keys of a bounded argument"),
    ("FROM contact_import_rejects WHERE (import_id, ordinal) ", "keys of a bounded argument"),
    ("FROM receipts_unmatched WHERE id ", "ids of a bounded argument"),
    ("FROM webhook_events WHERE id ", "ids of a bounded argument"),
    ("FROM receipt_callbacks WHERE message_id ", "ids of a bounded argument"),
    ("FROM receipt_callback_chunks WHERE chunk_id = $1", "a row a chunk"),
    ("FROM number_index WHERE (number, recipient) ", "places of a bounded number of chunks"),
    ("FROM number_postings WHERE run = $1 AND bucket = ANY", "buckets of these places"),
    ("FROM number_postings WHERE (bucket, run) ", "the rows of a step"),
    ("FROM packing_queue WHERE chunk_id = $1", "one row"),
    ("FROM messages WHERE id >= $1 AND id < $2 ", "the rows of a chunk"),
    ("FROM number_runs WHERE id = $1 AND recipients = 0", "one row"),
    ("FROM number_runs WHERE merges_into = $1 AND recipients = 0", "the runs that are compacted together"),
    ("FROM retention_passed WHERE class = $1 AND campaign_id = $2", "one row"),
    ("FROM retention_marks WHERE class = $1 AND owner = $2", "one row"),
    ("FROM retention_marks WHERE owner = $1", "a row a class"),
    ("FROM retries WHERE message_id ", "ids of a bounded argument, or one chunk"),
    ("FROM number_index_queue WHERE audience_id ", "ids of a bounded argument"),
    (
        "FROM carrier_trace WHERE carrier = $1 AND sequence <= $2",
        "what a write puts above the bound of lines",
    ),
    ("FROM carrier_leases WHERE owner = $1", "a row a carrier"),
    ("FROM peers WHERE ", "a row a daemon"),
    ("FROM dnd_blocks", "a row for 65,536 numbers"),
    ("FROM contact_buckets WHERE group_id ", "a row for thousands of contacts"),
    ("FROM sender_ids WHERE user_id = $1", "a bounded number a user"),
    ("FROM virtual_numbers WHERE user_id = $1", "a bounded number a user"),
    ("FROM own_numbers WHERE user_id = $1", "a bounded number a user"),
    ("FROM voice_recordings WHERE user_id = $1", "a bounded number a user"),
    ("FROM api_keys WHERE user_id = $1", "a bounded number a user"),
    ("FROM drafts WHERE user_id = $1", "a bounded number a user"),
    ("FROM draft_files WHERE user_id = $1", "a bounded number a user"),
    ("FROM templates WHERE ", "one, or a bounded number a user"),
    ("FROM spending WHERE user_id = $1", "a row a day and currency, for as long as they are kept"),
    ("FROM sessions WHERE user_id = $1", "a person's sign-ins"),
    ("FROM codes WHERE purpose <> 'register' AND subject = $1", "a row a purpose"),
    ("FROM chat_logins WHERE user_id = $1", "a person's sign-ins"),
    ("FROM webhook_campaigns WHERE user_id = $1", "campaigns that are watched"),
    ("FROM webhook_chunks WHERE campaign_id ", "the chunks of one campaign"),
    ("FROM lent_retries WHERE message_id = $1 AND owner NOT IN ", "a message's"),
    ("FROM lent_retries WHERE message_id = $1 AND owner = $2 ", "a message's"),
    ("FROM lent_retries WHERE message_id IN (SELECT j.id ", "retries that are claimed at once"),
    ("FROM lent_retries WHERE owner = $1 AND ", "what one run of a daemon had in hand"),
    ("FROM worker_writes WHERE owner IN ", "a row a worker of the runs that are over"),
    ("FROM traffic_queue WHERE chunk_id = $1 ", "one chunk"),
    ("FROM resend_turns WHERE quote_id = $1 AND campaign_id IN ", "a row a campaign"),
    ("FROM resend_turns WHERE campaign_id = $1 AND turn = $2", "a row a campaign"),
];
/// A key of one row.
const KEYS: &[&str] = &[
    "id = $1",
    "id = 1",
    "key = $1",
    "user_id = $1 AND key = $2",
    "scope = $1 AND number = $2",
    "phone_number = $1",
    "instance = $1",
    "campaign_id = $1 AND campaign_id <=",
    "chunk_id = $1 AND carrier = $2",
    "carrier = $1 AND owner = $2",
    "version = ",
];
/// Tables with a row a user at most.
const ONE_A_USER: &[&str] =
    &["phone_changes", "email_changes", "avatars", "chat_links", "guards", "webhook_users", "legal_holds"];

/// Each statement that deletes says how many rows it may take at most, or is known above.
#[test]
fn no_statement_removes_rows_without_a_bound() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store"), &mut files);
    let mut unbounded = Vec::new();
    let mut seen = 0;
    // Those of pieces.rs remove eight pieces, or one file.
    let elsewhere = ["purge.rs", "purge/tests.rs", "db/pieces.rs", "migrate/tests.rs"];
    for file in files.iter().filter(|file| !elsewhere.iter().any(|end| file.ends_with(end))) {
        let text = std::fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for statement in text.split("DELETE ").skip(1) {
            seen += 1;
            let statement = statement.split(';').next().unwrap_or_default().replace("\\\n", " ");
            let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
            if !is_bounded(&statement) {
                unbounded.push(format!("{}: {statement}", file.display()));
            }
        }
    }
    assert!(seen > 40, "{seen}");
    assert_eq!(unbounded, Vec::<String>::new(), "use store::purge::bounded!, or say above why they are few");
}

fn is_bounded(statement: &str) -> bool {
    let text = statement.split('"').next().unwrap_or_default();
    let condition = text.split_once(" WHERE ").map_or("", |(_, condition)| condition);
    let one_a_user =
        ONE_A_USER.iter().any(|table| text.starts_with(&format!("FROM {table} WHERE user_id = $1")));
    text.contains(" LIMIT ")
        || one_a_user
        || KEYS.iter().any(|key| condition.starts_with(key))
        || OF_FEW_ROWS.iter().any(|(few, _)| text.starts_with(few))
}

fn sources(dir: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, files),
            false => files.push(path),
        }
    }
}
