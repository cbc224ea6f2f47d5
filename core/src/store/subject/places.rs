//! The statements: which rows of each table hold a number, and what is shown of them.
//!
//! What is not the person's own is left out: the addresses of customers' programs, other recipients of a draft. The list
//! of opt-outs and contacts are found by their indexes, whose scopes and groups are few; the others are read whole, and are
//! bounded by their retention or by the number of accounts.

use super::NumberForm::{Integer, Stored, Text, Told, Typed};
use super::SubjectPlace;
use crate::model::platform::data_class::DataClass::{Account, Inbound, Numbers, Receipts, Texts};
use crate::sql;

/// A table, its class and how it has the number; then the key, what is shown, where from, and the condition. `$1` is the key
/// to go on after, `$2` the limit and `$3` the number. What is selected under a name that begins with `_` is not shown.
macro_rules! place {
    ($table:literal, $class:ident, $form:ident, $key:literal, $shown:literal, $from:literal, $condition:expr) => {
        place!($table, $class, $form, ($key, concat!($key, " > $1"), $key), $shown, $from, $condition)
    };
    // Of a key in two columns, `after` and `order` are those that its index has.
    (
        $table:literal, $class:ident, $form:ident, ($key:literal, $after:expr, $order:literal), $shown:literal, $from:literal,
        $condition:expr
    ) => {
        SubjectPlace {
            table: $table,
            class: $class,
            form: $form,
            count: sql!(
                "SELECT COUNT(*) FROM (SELECT ",
                $key,
                " AS place FROM ",
                $from,
                " WHERE ",
                $after,
                " AND (",
                $condition,
                ") LIMIT $2) AS found"
            ),
            rows: sql!(
                "SELECT ",
                $key,
                " AS place, ",
                $shown,
                " FROM ",
                $from,
                " WHERE ",
                $after,
                " AND (",
                $condition,
                ") ORDER BY ",
                $order,
                " LIMIT $2"
            ),
        }
    };
}

/// Whether a column is the number in one of its forms.
macro_rules! is {
    ($column:literal) => {
        concat!($column, " IN (SELECT j.form FROM UNNEST($3::TEXT[]) AS j (form))")
    };
}

/// Whether a text may hold the number as it was typed: it has the digits in order, or some in another script (`$4`). The texts
/// themselves are looked at then, so each is among what is selected.
macro_rules! typed {
    ($column:literal) => {
        concat!(
            "(",
            $column,
            " LIKE $3 OR (octet_length(",
            $column,
            ") > length(",
            $column,
            ") AND EXISTS (SELECT 1 FROM UNNEST($4::TEXT[]) AS j (digit) WHERE ",
            $column,
            " LIKE j.digit)))"
        )
    };
}

/// Every table that may hold a number, but for what [`super`] names.
pub const PLACES: &[SubjectPlace] = &[
    place!(
        "contacts",
        Numbers,
        Integer,
        "c.id",
        "g.user_id, g.name AS group_name, c.number, c.name, c.email, c.fields, c.created_at, c.updated_at",
        "contact_groups g CROSS JOIN contacts c",
        "c.group_id = g.id AND c.number = $3"
    ),
    place!(
        "contact_import_rejects",
        Numbers,
        Typed,
        (
            "(r.import_id * 1000000 + r.ordinal)",
            "(r.import_id, r.ordinal) > ($1 / 1000000, $1 % 1000000) AND i.id = r.import_id",
            "r.import_id, r.ordinal"
        ),
        "i.user_id, r.import_id, r.line, r.value, r.code",
        "contact_import_rejects r CROSS JOIN contact_imports i",
        typed!("r.value")
    ),
    place!(
        "suppressions",
        Numbers,
        Stored,
        "s.id",
        "s.scope, s.number, s.source, s.reach, s.note, s.created_at",
        "suppression_scopes o CROSS JOIN suppressions s",
        "s.scope = o.scope AND s.number IN (SELECT j.stored FROM UNNEST($3::BIGINT[]) AS j (stored))"
    ),
    place!(
        "quote_rejects",
        Numbers,
        Typed,
        (
            "(r.quote_id * 1000000 + r.ordinal)",
            "(r.quote_id, r.ordinal) > ($1 / 1000000, $1 % 1000000) AND q.id = r.quote_id",
            "r.quote_id, r.ordinal"
        ),
        "q.user_id, r.quote_id, r.line, r.value, r.code, r.reason",
        "quote_rejects r CROSS JOIN quotes q",
        typed!("r.value")
    ),
    // Those that were sent from the number.
    place!(
        "campaigns",
        Numbers,
        Text,
        "id",
        "user_id, kind, sender, size, created_at",
        "campaigns",
        is!("sender")
    ),
    place!(
        "drafts",
        Texts,
        Typed,
        "id",
        "user_id, title, created_at, updated_at, fields AS _fields",
        "drafts",
        concat!(typed!("fields"), " OR ", typed!("title"))
    ),
    // What came from the number; what came to it is its customer's.
    place!(
        "inbound_messages",
        Inbound,
        Text,
        "id",
        "user_id, carrier, sender, recipient, text, action, received_at",
        "inbound_messages",
        is!("sender")
    ),
    place!(
        "inbound_parts",
        Inbound,
        Text,
        "id",
        "carrier, sender, recipient, place AS part, total, script, octets, received_at",
        "inbound_parts",
        is!("sender")
    ),
    place!(
        "receipts_unmatched",
        Receipts,
        Integer,
        "id",
        "carrier, carrier_ref, state, recipient, sender, error, done_at, received_at",
        "receipts_unmatched",
        "recipient = $3"
    ),
    place!(
        "receipt_callbacks",
        Receipts,
        Typed,
        "message_id",
        "user_id, message_id, details AS _details, url AS _url",
        "receipt_callbacks",
        concat!(typed!("details"), " OR ", typed!("url"))
    ),
    place!(
        "receipt_calls",
        Receipts,
        Typed,
        "id",
        "user_id, message_id, due_at, url AS _url",
        "receipt_calls",
        typed!("url")
    ),
    // Events of messages, which are the large ones, have it as its digits; those of campaigns in what the campaign says, too.
    place!(
        "webhook_events",
        Receipts,
        Told,
        "id",
        "user_id, type, body, created_at",
        "webhook_events",
        "body LIKE $3 OR substr(type, 1, 9) = 'campaign.' AND EXISTS \
           (SELECT 1 FROM UNNEST($4::TEXT[]) AS j (pattern) WHERE body LIKE j.pattern)"
    ),
    place!(
        "users",
        Account,
        Text,
        "id",
        "name, username, email, phone_number, gender, role, status, created_at, last_login_at",
        "users",
        is!("phone_number")
    ),
    place!(
        "registrations",
        Account,
        Text,
        "created_at",
        "name, username, email, phone_number, created_at, expires_at",
        "registrations",
        is!("phone_number")
    ),
    place!(
        "phone_changes",
        Account,
        Text,
        "user_id",
        "user_id, phone_number, created_at",
        "phone_changes",
        is!("phone_number")
    ),
    place!(
        "codes",
        Account,
        Text,
        "sent_at",
        "purpose, subject, sent_at, expires_at",
        "codes",
        is!("subject")
    ),
    place!(
        "code_sends",
        Account,
        Text,
        "id",
        "destination, address, sent_at",
        "code_sends",
        is!("destination")
    ),
    place!(
        "notices",
        Account,
        Text,
        "id",
        "channel, purpose, destination, subject, status, created_at, done_at",
        "notices",
        is!("destination")
    ),
    place!(
        "own_numbers",
        Account,
        Text,
        "id",
        "user_id, phone_number, status, created_at, verified_at",
        "own_numbers",
        is!("phone_number")
    ),
    place!(
        "virtual_numbers",
        Account,
        Text,
        "id",
        "user_id, virtual_num, status, created_at, decided_at",
        "virtual_numbers",
        is!("virtual_num")
    ),
    place!(
        "own_number_calls",
        Account,
        Text,
        "id",
        "user_id, number, caller, status, outcome, created_at, ended_at",
        "own_number_calls",
        concat!(is!("number"), " OR ", is!("caller"))
    ),
    place!(
        "voice_test_calls",
        Account,
        Text,
        "id",
        "user_id, phone, began_at",
        "voice_test_calls",
        is!("phone")
    ),
    place!(
        "audit",
        Account,
        Typed,
        "id",
        "at, user_id, action, subject, before_text, after_text",
        "audit",
        concat!(typed!("subject"), " OR ", typed!("before_text"), " OR ", typed!("after_text"))
    ),
];
