//! What is decided about each column of the schema: whether it may tell of a person, and what becomes of it when the person
//! asks to be erased. `daemon/handbook/privacy.md` says the same to operators.
//!
//! Every column of every table is named here. One that a migration adds fails the tests until it is decided.

use std::collections::{BTreeMap, BTreeSet};

use DataClass::{Account, Inbound, Numbers, Receipts, Texts, Traces};
use Erasure::{Cleared, Digest, Passes, Rewritten, Row, Stays, WithAccount};

use crate::args;
use crate::model::platform::data_class::{DataClass, OnErase};
use crate::store::subject::PLACES;
use crate::store::subject::erase::rows::on_erase;
use crate::store::{Dialect, Tx};
use crate::testing::database::for_each_database;

/// What becomes of a value that tells of a number when the number is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Erasure {
    /// The row goes.
    Row,
    /// The value is emptied, or masked where others are in it.
    Cleared,
    /// The packed value is rewritten without the number: every other recipient keeps the place, and the place its pages.
    Rewritten,
    /// A keyed digest takes the place of the number.
    Digest,
    /// Not erased by number: it goes when the account is deleted.
    WithAccount,
    /// Not found by number: it goes by itself within a bounded time.
    Passes,
    /// It stays, because books or the law need it.
    Stays,
}

/// A table: its columns that may tell of a person, with what is decided, and all the others.
type Table = (&'static str, &'static [(&'static str, DataClass, Erasure)], &'static str);

#[rustfmt::skip]
const TABLES: &[Table] = &[
    ("accounts", &[], "id kind currency user_id campaign_id gateway balance_micros closed_at"),
    ("announcements", &[], "id text is_active created_at updated_at"),
    ("api_keys", &[("name", Account, WithAccount)], "id user_id prefix key_hash scopes created_at last_used_at revoked_at expires_at purpose"),
    ("audience_chunks", &[("data", Numbers, Rewritten)], "id audience_id carrier size pages segments promotional minds_dnd abroad unit_price_micros spares"),
    ("audiences", &[], "id user_id columns created_at"),
    ("audit", &[("subject", Account, Cleared), ("before_text", Account, Cleared), ("after_text", Account, Cleared)], "id at user_id action"),
    ("avatars", &[("data", Account, WithAccount)], "user_id token media_type updated_at"),
    ("breakers", &[], "carrier network state revision delivered failed opened_at probe_at changed_at changed_by"),
    ("calls", &[("digits", Receipts, Cleared), ("answer", Receipts, Stays)], "message_id attempts outcome code ringing_at answered_at ended_at up_ms heard_ms pulses ended_by tries"),
    ("campaign_chunks", &[], "id campaign_id audience_chunk_id carrier size charge_micros state cursor attempt owner sequence tail_cancelled answered submitted delivered undelivered rejected expired unknown cancelled suppressed captured_micros released_micros answered_at refund_undelivered promotional counted minds_dnd refunded_micros charged_micros unit_price_micros spares"),
    ("campaigns", &[("content", Texts, Cleared), ("sender", Numbers, Stays)], "id quote_id run user_id audience_id reserve_account_id wallet_account_id kind currency unit_price_micros charge_micros refund_undelivered size chunks_open status status_reason paused_from resend_of created_at scheduled_at started_at completed_at held paused_by purpose canary_from canary_size canary_delivery canary_wait_s canary_handed_at canary_failed_at canary_passed_at"),
    ("carrier_leases", &[], "carrier owner"),
    ("carrier_orders", &[], "id kind asked_by asked_at report"),
    ("carrier_states", &[], "carrier state reason changed_by changed_at trace_until hang_up_at"),
    ("carrier_tests", &[], "notice_id carrier requested_by created_at"),
    ("carrier_trace", &[("line", Traces, Passes)], "carrier sequence at"),
    ("carrier_traffic", &[], "chunk_id day network carrier currency messages segments revenue_micros segment_cost_micros cost_currency"),
    ("carrier_vitals", &[], "carrier owner seen_at vitals"),
    ("chat_links", &[("provider_id", Account, WithAccount), ("username", Account, WithAccount), ("avatar_url", Account, WithAccount)], "user_id linked_at last_login_at"),
    ("chat_logins", &[], "id origin_hash browser_hash purpose user_id created_at expires_at claimed_at settled_at refusal session_hash"),
    ("chunk_detours", &[], "chunk_id carrier places"),
    ("chunk_tallies", &[], "chunk_id sequence tally"),
    ("code_sends", &[("destination", Account, Passes), ("prefix", Account, Passes), ("address", Account, Passes)], "id sent_at budget subnet_56 subnet_48"),
    ("codes", &[("subject", Account, Passes)], "purpose code_hash tries failures sent_at expires_at"),
    ("contact_buckets", &[], "group_id bucket contacts"),
    ("contact_groups", &[("name", Account, WithAccount), ("name_key", Account, WithAccount), ("description", Account, WithAccount)], "id user_id columns contacts_count created_at updated_at deleted_at"),
    ("contact_import_numbers", &[("data", Numbers, Passes)], "import_id first"),
    ("contact_import_rejects", &[("value", Numbers, Row)], "import_id ordinal line code"),
    ("contact_imports", &[("file_name", Account, Passes), ("written_to", Numbers, Passes)], "id user_id target target_id status error columns rows_read valid added updated unchanged duplicates invalid warnings created_at seen_at finished_at plan kept_bytes kept_rejects resumes kept_numbers"),
    ("contacts", &[("number", Numbers, Row), ("name", Numbers, Row), ("email", Numbers, Row), ("fields", Numbers, Row)], "id group_id created_at updated_at"),
    ("daemons", &[], "id started_at heartbeat_at stopped_at knows_canaries"),
    ("dispatch_hold", &[], "id reason held_at"),
    ("dnd_blocks", &[("numbers", Numbers, Stays)], "block size"),
    ("dnd_list", &[], "id generation updated_at"),
    ("draft_file_pieces", &[("data", Numbers, Passes)], "file_id place"),
    ("draft_files", &[("name", Account, WithAccount)], "id draft_id user_id bytes created_at purge_at"),
    ("drafts", &[("fields", Texts, Cleared), ("title", Account, Cleared)], "id user_id form version created_at updated_at client_key"),
    ("email_changes", &[("email", Account, WithAccount)], "user_id created_at"),
    ("erasure_key", &[], "id digest noted_at"),
    ("figures_progress", &[], "name upto"),
    ("generations", &[], "instance value raised_at"),
    ("guards", &[], "user_id cap_espees_micros cap_naira_micros proven_at proven_by unproven_recipients"),
    ("held_receipts", &[], "id owner receipts set_aside_at"),
    ("idempotency", &[("key", Account, Passes), ("input_hash", Account, Passes)], "user_id operation reference created_at"),
    ("inbound_messages", &[("sender", Inbound, Row), ("recipient", Inbound, Row), ("text", Inbound, Row), ("mark", Inbound, Row)], "id carrier received_at user_id action handled_at carrier_ref parts_total parts_missing"),
    ("inbound_parts", &[("sender", Inbound, Row), ("recipient", Inbound, Row), ("octets", Inbound, Row)], "id carrier reference total place script received_at message_id"),
    ("installation", &[], "id surroundings noted_at"),
    ("last_check", &[], "id checked_at ok findings first"),
    ("legal_holds", &[("reason", Account, Stays)], "user_id held_at held_by"),
    ("lent_retries", &[], "message_id owner carrier"),
    ("message_parts", &[], "id carrier_ref status error"),
    ("message_resends", &[], "message_id quote_id"),
    ("messages", &[], "id status money sequence submitted_at done_after carrier_ref error"),
    ("money_hours", &[], "hour currency code transfers amount_micros"),
    ("notice_references", &[], "carrier carrier_ref notice_id"),
    ("notices", &[("destination", Account, Row), ("subject", Account, Row), ("body", Account, Row)], "id channel purpose priority carrier spares status tries parts_done due_at expires_at error created_at done_at"),
    ("number_index", &[("number", Numbers, Row)], "recipient"),
    ("number_index_queue", &[], "audience_id next_chunk due_at"),
    ("number_postings", &[("body", Numbers, Rewritten)], "bucket run"),
    ("number_runs", &[], "id audience_id first_recipient last_recipient recipients has_narrow_buckets made_of next_bucket merges_into"),
    ("own_number_calls", &[("number", Account, Passes), ("caller", Account, Passes)], "id user_id currency unit_price_micros pulses kept_pulses owner status outcome message attempts created_at ringing_at answered_at ended_at up_ms paid_in counted_on verified_at refused_at"),
    ("own_numbers", &[("phone_number", Account, WithAccount)], "id user_id status created_at verified_at"),
    ("packed_messages", &[], "chunk_id messages packed"),
    ("packing_progress", &[], "id upto"),
    ("packing_queue", &[], "chunk_id due_at"),
    ("payment_events", &[("summary", Account, Stays)], "id provider event reference payment_id body_hash received_at"),
    ("payments", &[("narration", Account, Stays), ("note", Account, Stays)], "id user_id provider reference provider_ref checkout_url amount_micros currency product_sku nonce mode status ledger_position transfer_id settled_by checks next_check_at expires_at created_at updated_at settled_at"),
    ("peers", &[], "instance name role seen_at reload outcome message"),
    ("phone_changes", &[("phone_number", Account, WithAccount)], "user_id created_at"),
    ("poll_answers", &[], "campaign_id answer calls"),
    ("quote_rejects", &[("value", Numbers, Row)], "quote_id ordinal line code reason"),
    ("quotes", &[("content", Texts, Cleared), ("details", Texts, Cleared), ("form_hash", Numbers, Cleared), ("sender", Numbers, Stays)], "id user_id audience_id kind currency unit_price_micros charge_micros size runs resend_of created_at expires_at confirmed_at abroad_price_micros purpose canary canary_expires_at"),
    ("rates", &[], "id prefix network espees_micros naira_micros updated_at plan purpose"),
    ("receipt_callback_chunks", &[], "chunk_id tally looks quiet_looks look_at"),
    ("receipt_callbacks", &[("url", Receipts, Passes), ("details", Receipts, Passes)], "message_id user_id mask told"),
    ("receipt_calls", &[("url", Receipts, Passes)], "id user_id message_id attempts due_at"),
    ("receipts_unmatched", &[("recipient", Receipts, Row), ("sender", Receipts, Row)], "id carrier carrier_ref state error done_at received_at tried_at"),
    ("reference_index", &[], "carrier carrier_ref part_id"),
    ("registrations", &[("phone_number", Account, Passes), ("name", Account, Passes), ("username", Account, Passes), ("email", Account, Passes), ("password_hash", Account, Passes)], "created_at expires_at"),
    ("resend_turns", &[], "campaign_id turn quote_id marked marked_at"),
    ("retention_days", &[], "day class campaigns items noted_at"),
    ("retention_marks", &[], "class owner upto chunk until"),
    ("retention_passed", &[], "class campaign_id chunk look_at"),
    ("retention_terms", &[], "class days since"),
    ("retries", &[("caller", Account, Passes)], "message_id carrier tries parts_done due_at reason attempts tried network"),
    ("sender_ids", &[("sender_id", Account, WithAccount), ("reason", Account, WithAccount)], "id user_id status created_at decided_at decided_by purpose"),
    ("sessions", &[("client", Account, WithAccount), ("address", Account, WithAccount)], "id token_hash user_id created_at last_seen_at expires_at proven_at"),
    ("settings", &[], "key value updated_at updated_by"),
    ("spending", &[], "user_id currency day spent_micros"),
    ("suppression_scopes", &[], "scope version removals numbers"),
    ("suppressions", &[("number", Numbers, Digest), ("note", Numbers, Cleared)], "id scope source created_at reach kept_reach"),
    ("templates", &[("name", Texts, WithAccount), ("name_key", Texts, WithAccount), ("text", Texts, WithAccount)], "id user_id created_at updated_at"),
    ("traffic", &[("sender", Numbers, Stays)], "hour currency campaigns ordered awaited delivered undelivered rejected expired unknown charged_micros"),
    ("traffic_networks", &[], "hour network ordered awaited delivered undelivered rejected expired unknown"),
    ("traffic_open", &[], "campaign_id due_at counted awaited delivered undelivered rejected expired unknown charged_micros"),
    ("traffic_queue", &[], "chunk_id due_at"),
    ("transfers", &[("narration", Account, Stays)], "id debit_account_id credit_account_id amount_micros currency code reference campaign_id debit_balance_micros credit_balance_micros created_at"),
    ("trusted_clock", &[], "id at doubted_at doubted_ms"),
    ("user_message_recipients", &[("provider_id", Account, WithAccount)], "message_id user_id notice_id sms_skipped chat_status chat_attempts chat_due_at chat_reason"),
    ("user_messages", &[("message", Account, Passes)], "id by_user_id to_user_id last_user_id next_user_id created_at spread_at"),
    ("users", &[("name", Account, WithAccount), ("username", Account, WithAccount), ("email", Account, WithAccount), ("phone_number", Account, WithAccount), ("gender", Account, WithAccount), ("password_hash", Account, WithAccount)], "id email_verified_at role status zone created_at updated_at last_login_at phone_verified_at deleted_at anonymised_at purpose rate_plan codes_withdrawn_at"),
    ("virtual_numbers", &[("virtual_num", Account, WithAccount)], "id user_id status created_at decided_at decided_by"),
    ("voice_campaigns", &[("message", Texts, Stays), ("audio_url", Texts, Stays)], "id user_id status length_s units currency captured_micros released_micros sent failed created_at"),
    ("voice_recording_pieces", &[("pcm", Texts, WithAccount)], "recording_id place"),
    ("voice_recordings", &[("name", Texts, WithAccount), ("audio_url", Texts, WithAccount)], "id user_id created_at sha256 length_ms loudness_dbfs bytes used_at purge_at"),
    ("voice_test_calls", &[("phone", Account, Passes)], "id user_id began_at"),
    ("webhook_campaigns", &[], "campaign_id user_id told_status looks look_at quiet_looks"),
    ("webhook_chunks", &[], "chunk_id campaign_id tally told"),
    ("webhook_deliveries", &[("note", Receipts, Passes)], "id webhook_id event_id status attempts due_at tried_at answer delivered_at"),
    ("webhook_events", &[("body", Receipts, Cleared)], "id user_id type created_at campaign_id"),
    ("webhook_users", &[], "user_id campaign_cursor"),
    ("webhooks", &[("url", Account, WithAccount), ("description", Account, WithAccount)], "id user_id events secret old_secret old_secret_ends_at is_active inactive_reason created_at updated_at pending failing_since quiet_until"),
    ("worker_writes", &[], "owner writer sequence"),
];

async fn columns(tx: &mut Tx) -> BTreeSet<(String, String)> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => {
            "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND t.name <> '_sqlx_migrations'"
        }
        Dialect::Postgres => {
            "SELECT c.relname::text, a.attname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 \
               AND NOT a.attisdropped AND c.relname <> '_sqlx_migrations'"
        }
    };
    tx.all(sql, args![]).await.unwrap().into_iter().collect()
}

fn decided() -> BTreeMap<(String, String), Option<(DataClass, Erasure)>> {
    let of = |&(table, held, others): &Table| {
        let held = held.iter().map(|&(column, class, erasure)| (column, Some((class, erasure))));
        let others = others.split_whitespace().map(|column| (column, None));
        held.chain(others).map(|(column, it)| ((table.to_owned(), column.to_owned()), it)).collect::<Vec<_>>()
    };
    let all: Vec<_> = TABLES.iter().flat_map(of).collect();
    let count = all.len();
    let decided: BTreeMap<_, _> = all.into_iter().collect();
    assert_eq!(decided.len(), count, "a column is named twice");
    decided
}

#[tokio::test]
async fn every_column_of_the_schema_is_decided() {
    for_each_database(|store| async move {
        let columns = columns(&mut store.read().await.unwrap()).await;
        let decided: BTreeSet<_> = decided().into_keys().collect();
        let open: Vec<_> = columns.difference(&decided).collect();
        assert!(open.is_empty(), "say in TABLES whether these may tell of a person: {open:?}");
        let gone: Vec<_> = decided.difference(&columns).collect();
        assert!(gone.is_empty(), "these are not in the schema any more: {gone:?}");
    })
    .await;
}

/// A column with such a name holds what it says.
#[test]
fn no_column_that_is_named_after_a_number_or_a_text_is_taken_for_harmless() {
    const TELLING: [&str; 7] = ["phone", "email", "destination", "content", "body", "message", "text"];
    /// Counts, ids, and what administrators tell everyone.
    const HARMLESS: [&str; 4] =
        ["announcements.text", "own_number_calls.message", "payment_events.body_hash", "peers.message"];
    for ((table, column), held) in decided() {
        let name = format!("{table}.{column}");
        let is_about =
            column.ends_with("_id") || column.ends_with("_verified_at") || HARMLESS.contains(&&*name);
        if TELLING.iter().any(|word| column.split('_').any(|part| part == *word)) && !is_about {
            assert!(held.is_some(), "{name} is called harmless");
        }
    }
}

/// The rows of the handbook's tables, by the name in their first cell.
fn page() -> BTreeMap<String, BTreeSet<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../daemon/handbook/privacy.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let classes: BTreeSet<String> = cells[2].split(", ").map(str::to_owned).collect();
        for table in cells[1].split('`').skip(1).step_by(2) {
            assert!(rows.insert(table.to_owned(), classes.clone()).is_none(), "{table} is in two rows");
        }
    }
    rows
}

#[test]
fn the_handbook_names_each_table_that_may_tell_of_a_person_with_its_classes() {
    let of = |&(table, held, _): &Table| {
        let classes: BTreeSet<String> = held.iter().map(|(_, class, _)| class.code().to_owned()).collect();
        (!held.is_empty()).then(|| (table.to_owned(), classes))
    };
    let decided: BTreeMap<String, BTreeSet<String>> = TABLES.iter().filter_map(of).collect();
    assert!(decided.len() > 40, "{}", decided.len());
    assert_eq!(page(), decided);
}

/// Tables that are not searched for a number, and why.
const ELSEWHERE: [&str; 5] = [
    // The messages to a number, which are found by the index, are shown with text, keys and answer.
    "audience_chunks",
    "number_index",
    "number_postings",
    "quotes",
    "calls",
];

#[test]
fn what_is_erased_by_number_is_shown_by_number() {
    let is_found = |&&(_, _, erasure): &&(&str, DataClass, Erasure)| {
        matches!(erasure, Row | Cleared | Rewritten | Digest)
    };
    for (table, held, _) in TABLES {
        let Some((_, class, _)) = held.iter().find(is_found) else { continue };
        let place = PLACES.iter().find(|place| place.table == *table);
        assert_eq!(place.is_none(), ELSEWHERE.contains(table), "{table}");
        if let Some(place) = place {
            assert!(held.iter().any(|(_, class, _)| *class == place.class), "{table} is no {class:?}");
        }
    }
}

#[test]
fn what_is_decided_about_rows_that_hold_a_number_is_what_erasing_does() {
    for place in PLACES {
        let (_, held, _) = TABLES.iter().find(|(table, ..)| *table == place.table).unwrap();
        let is = |wanted: Erasure| held.iter().any(|(_, _, erasure)| *erasure == wanted);
        let expected = match place.table {
            // Those from the number stay; texts to it are found by its messages.
            "campaigns" => OnErase::Kept,
            _ if is(Row) => OnErase::Removed,
            _ if is(Digest) => OnErase::Digest,
            _ if is(Cleared) => OnErase::Masked,
            _ => OnErase::Kept,
        };
        assert_eq!(on_erase(place), expected, "{}", place.table);
    }
}
