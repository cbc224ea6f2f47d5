//! The words in statement texts are those of the types.
//!
//! A statement says `state = 'open'` in full, so that it can be searched for, read, and tried at the database by hand. Each
//! quoted word is looked up here among those that the types of its tables know; one that none of them knows is misspelt,
//! or of another table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use talkdrum_api::kind::Kind;
use talkdrum_api::money::Currency;
use talkdrum_api::purpose::{OptOutReach, Purpose};
use talkdrum_sip::Outcome as CallOutcome;

use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::user::{Role, UserStatus};
use crate::model::campaign::pause::{PausedBy, ReviewCause};
use crate::model::carrier::breaker::BreakerState;
use crate::model::carrier::{Hold, OrderKind};
use crate::model::contact::{ImportStatus, ImportTarget, OptOutSource};
use crate::model::message::status::{CampaignStatus, ChunkState};
use crate::model::money::ledger::{AccountKind, Code};
use crate::model::money::payment::{PaymentMode, PaymentStatus, Provider};
use crate::model::platform::installation::{DaemonRole, ReloadOutcome, ServedFor};
use crate::model::platform::notice::{Channel, ChatStatus, MessageWay, NoticePurpose, NoticeStatus};
use crate::model::sender::{NumberStatus, OwnCallOutcome, OwnCallStatus, SenderStatus};
use crate::model::webhook::event::DeliveryStatus;
use crate::store::message::statuses::statuses;

/// The words of types.
macro_rules! of {
    ($($name:ident),+) => {
        [$($name::ALL.iter().map(|value| value.code()).collect::<Vec<_>>()),+].concat()
    };
}

/// What the columns of each table hold in words: those of the types, and those of columns that have none.
fn known() -> BTreeMap<&'static str, Vec<&'static str>> {
    [
        ("users", of!(Role, UserStatus, Purpose)),
        ("accounts", of!(Currency, AccountKind)),
        ("breakers", of!(BreakerState)),
        ("calls", of!(CallOutcome)),
        ("campaign_chunks", of!(ChunkState)),
        ("campaigns", of!(CampaignStatus, PausedBy, ReviewCause, Kind, Currency, Purpose)),
        ("carrier_orders", of!(OrderKind)),
        ("carrier_states", of!(Hold)),
        ("chat_logins", vec!["login", "link"]),
        ("codes", of!(CodePurpose)),
        ("contact_imports", of!(ImportStatus, ImportTarget)),
        ("installation", of!(ServedFor)),
        ("money_hours", of!(Currency, Code)),
        ("notices", of!(NoticeStatus, Channel, NoticePurpose)),
        (
            "own_number_calls",
            [of!(OwnCallStatus, CallOutcome), vec![OwnCallOutcome::Unknown.code()]].concat(),
        ),
        ("own_numbers", of!(NumberStatus)),
        ("payments", of!(PaymentStatus, PaymentMode, Provider, Currency)),
        ("peers", of!(DaemonRole, ReloadOutcome)),
        ("quotes", of!(Kind, Currency, Purpose)),
        ("sender_ids", of!(SenderStatus, Purpose)),
        ("suppressions", of!(OptOutSource, OptOutReach)),
        ("transfers", of!(Currency, Code)),
        ("user_message_recipients", of!(ChatStatus, MessageWay)),
        ("virtual_numbers", of!(NumberStatus)),
        ("webhook_deliveries", of!(DeliveryStatus)),
    ]
    .into()
}

/// Words that no column holds.
const OTHERS: [(&str, &[&str]); 7] = [
    // Fields of what a message says, which is JSON.
    ("campaign/list.rs", &["title", "url", "last_name", "company"]),
    ("chunk/granted.rs", &["campaign_chunks_id_seq"]),
    ("db/migrate/mod.rs", &["table", "_sqlx_migrations"]),
    // PostgreSQL's own catalogues.
    ("db/migrate/upgrades/mod.rs", &["public", "r"]),
    // Names of sums.
    ("money/ledger.rs", &["captured", "released", "refunded"]),
    // A payment is shown as a transfer of this code; a transfer is successful, and has no status.
    ("money/transactions/mod.rs", &["payment", "successful"]),
    // A modifier of SQLite's dates.
    ("operations/daemon.rs", &["subsec"]),
];

/// The quoted words of a text: small letters and underscores.
fn words(text: &str) -> Vec<&str> {
    let quoted = text.split('\'').skip(1).step_by(2);
    let is_word =
        |it: &&str| !it.is_empty() && it.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase());
    quoted.filter(is_word).collect()
}

/// The names and keywords of a text.
fn names(text: &str) -> Vec<&str> {
    text.split(|sign: char| sign != '_' && !sign.is_alphanumeric()).filter(|it| !it.is_empty()).collect()
}

/// The tables that a text names.
fn tables(text: &str) -> BTreeSet<&str> {
    let names = names(text);
    let is_before = |name: &str| matches!(name, "FROM" | "JOIN" | "UPDATE" | "INTO");
    names.windows(2).filter(|two| is_before(two[0])).map(|two| two[1]).collect()
}

/// The tables with words that a text names. It may be in pieces, of which a table's name may be one.
fn known_tables<'k>(pieces: &[&str], known: &BTreeMap<&'k str, Vec<&'static str>>) -> BTreeSet<&'k str> {
    let named = pieces.iter().flat_map(|piece| tables(piece).into_iter().chain([*piece]));
    named.filter_map(|table| known.get_key_value(table)).map(|(table, _)| *table).collect()
}

/// The words of a text that its tables do not know; of one that names none with words, those that no table knows. The text
/// may be in pieces.
fn unknown<'t>(pieces: &[&'t str], known: &BTreeMap<&str, Vec<&'static str>>) -> Vec<&'t str> {
    let named = known_tables(pieces, known);
    let of_tables: Vec<&str> = named.iter().flat_map(|table| &known[table]).copied().collect();
    let all = || known.values().flatten().copied().collect();
    let may: Vec<&str> = if of_tables.is_empty() { all() } else { of_tables };
    pieces.iter().flat_map(|piece| words(piece)).filter(|word| !may.contains(word)).collect()
}

/// The texts in source code but its tests, in pieces: the literals in a list of arguments are one text.
fn texts(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let mut pieces = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => found.push(std::mem::take(&mut pieces)),
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let attribute = tokens.next().map(|it| it.to_string()).unwrap_or_default();
                if attribute.replace(' ', "") == "[cfg(test)]" {
                    let is_end = |it: &TokenTree| match it {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        TokenTree::Punct(punct) => punct.as_char() == ';',
                        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
                    };
                    tokens.find(is_end);
                }
            }
            TokenTree::Group(group) => texts(group.stream(), found),
            TokenTree::Literal(literal) => {
                pieces.extend(syn::parse_str::<syn::LitStr>(&literal.to_string()).map(|piece| piece.value()));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
    found.push(pieces);
}

/// Files that are compiled for tests alone.
const FOR_TESTS: [&str; 2] = ["words.rs", "personal.rs"];

/// The texts of the files in a folder, with the files' names.
fn read(root: &Path, folder: &Path, found: &mut Vec<(String, Vec<String>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            read(root, &path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && !FOR_TESTS.contains(&&*name) {
            let mut of_file = Vec::new();
            texts(fs::read_to_string(&path).unwrap().parse().unwrap(), &mut of_file);
            found.extend(of_file.into_iter().map(|pieces| (name.clone(), pieces)));
        }
    }
}

#[test]
fn every_word_in_a_statement_is_one_of_its_tables() {
    let (mut found, known) = (Vec::new(), known());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    read(&root, &root, &mut found);
    let mut count = 0;
    let mut wrong = Vec::new();
    for (file, pieces) in &found {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        count += pieces.iter().map(|piece| words(piece).len()).sum::<usize>();
        let is_other = |word: &str| OTHERS.iter().any(|(name, words)| name == file && words.contains(&word));
        let unknown = unknown(&pieces, &known).into_iter().filter(|word| !is_other(word));
        wrong.extend(unknown.map(|word| format!("{file}: '{word}' in {}", pieces.concat())));
    }
    assert!(count > 250, "{count} words: the statements were not found");
    assert!(wrong.is_empty(), "words that no type of their tables knows:\n{}", wrong.join("\n"));
}

/// The columns that count statuses which a text names by hand, but for names that it gives to sums.
fn counters_by_hand<'t>(pieces: &[&'t str]) -> Vec<&'t str> {
    let counters: Vec<&str> = statuses!(stored, " ", [column]).split(' ').collect();
    let mut named = Vec::new();
    for piece in pieces {
        let names = names(piece);
        let is_named = |(at, _): &(usize, &&str)| *at == 0 || names[at - 1] != "AS";
        named.extend(names.iter().enumerate().filter(is_named).map(|(_, name)| *name));
    }
    if !named.contains(&"campaign_chunks") {
        return Vec::new();
    }
    named.into_iter().filter(|name| counters.contains(name)).collect()
}

#[test]
fn statements_name_the_counters_of_statuses_by_their_sets() {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    read(&root, &root, &mut found);
    let of_chunks = |pieces: &&(String, Vec<String>)| pieces.1.concat().contains("campaign_chunks");
    assert!(found.iter().filter(of_chunks).count() > 30, "the statements were not found");
    let mut wrong = Vec::new();
    for (file, pieces) in &found {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        wrong.extend(
            counters_by_hand(&pieces)
                .into_iter()
                .map(|name| format!("{file}: {name} in {}", pieces.concat())),
        );
    }
    assert!(
        wrong.is_empty(),
        "a new status would be missed here; take a set of `statuses!`:\n{}",
        wrong.join("\n")
    );
    let by_hand = counters_by_hand(&["campaign_chunks ch", " WHERE ch.unknown > 0"]);
    assert_eq!(by_hand, ["unknown"], "also where a macro says FROM");
    assert!(counters_by_hand(&["SELECT 1 AS unknown FROM campaign_chunks"]).is_empty(), "a sum has a name");
}

/// What a condition on a table takes and leaves of a type's values.
struct Decision {
    table: &'static str,
    condition: &'static str,
    taken: Vec<&'static str>,
    left: Vec<&'static str>,
}

/// The decisions for each value, which the compiler asks for.
macro_rules! decided {
    ($($table:ident: $condition:literal: $name:ident takes $($taken:ident)|+, leaves $($left:ident)|+;)+) => {
        [$({
            let takes = |value: $name| match value {
                $($name::$taken)|+ => true,
                $($name::$left)|+ => false,
            };
            let those = |wanted: bool| {
                $name::ALL.iter().filter(|value| takes(**value) == wanted).map(|value| value.code()).collect()
            };
            Decision { table: stringify!($table), condition: $condition, taken: those(true), left: those(false) }
        },)+]
    };
}

/// Every condition that takes or leaves some of a type's words in one go. Those on messages and campaigns are made of sets:
/// see `message/statuses.rs` and `campaign/mod.rs`.
fn decisions() -> Vec<Decision> {
    decided! {
        payments: "status <> 'settled'": PaymentStatus
            takes Initiated | Pending | Failed | Expired | Mismatch, leaves Settled;
        payments: "status IN ('initiated', 'pending')": PaymentStatus
            takes Initiated | Pending, leaves Settled | Failed | Expired | Mismatch;
        payments: "status IN ('initiated', 'pending', 'failed')": PaymentStatus
            takes Initiated | Pending | Failed, leaves Settled | Expired | Mismatch;
        transfers: "code <> 'capture'": Code
            takes Credit | Reserve | Release | Refund | Charge | Payment | Transfer, leaves Capture;
        transfers: "code <> 'payment'": Code
            takes Credit | Reserve | Capture | Release | Refund | Charge | Transfer, leaves Payment;
        transfers: "code IN ('payment', 'credit')": Code
            takes Payment | Credit, leaves Reserve | Capture | Release | Refund | Charge | Transfer;
        sender_ids: "status <> 'disapproved'": SenderStatus takes Pending | Approved, leaves Disapproved;
        own_number_calls: "status <> 'ended'": OwnCallStatus takes Calling | Ringing | Answered, leaves Ended;
        own_number_calls: "status IN ('calling', 'ringing')": OwnCallStatus takes Calling | Ringing, leaves Answered | Ended;
        contact_imports: "status <> 'running'": ImportStatus takes Completed | Failed | Interrupted, leaves Running;
        contact_imports: "status IN ('running', 'interrupted')": ImportStatus
            takes Running | Interrupted, leaves Completed | Failed;
        user_message_recipients: "chat_status IN ('sending', 'unknown')": ChatStatus
            takes Sending | Unknown, leaves Queued | Sent | Refused | Failed;
        carrier_states: "state <> 'open'": Hold takes Paused | Draining, leaves Open;
        installation: "surroundings NOT IN ('mixed', excluded.surroundings)": ServedFor takes Live | Sandbox, leaves Mixed;
        // What may fall below zero.
        accounts: "kind NOT IN ('wallet', 'reserve')": AccountKind
            takes Clearing | Adjustment | Revenue, leaves Wallet | Reserve;
        // What is of a user, whose id the subject is.
        codes: "purpose <> 'register'": CodePurpose takes SignIn | Reset | Email | Phone | OwnNumber, leaves Register;
        // What was claimed, or was to be: a finish comes once.
        notices: "status IN ('queued', 'submitting', 'unknown')": NoticeStatus
            takes Queued | Submitting | Unknown, leaves Sent | Delivered | Undelivered | Failed | Expired;
        // What a receipt may still say something of.
        notices: "status IN ('submitting', 'sent', 'unknown', 'delivered')": NoticeStatus
            takes Submitting | Sent | Unknown | Delivered, leaves Queued | Undelivered | Failed | Expired;
        // What may be removed when it is old.
        notices: "status NOT IN ('queued', 'submitting')": NoticeStatus
            takes Sent | Delivered | Undelivered | Failed | Expired | Unknown, leaves Queued | Submitting;
        notices: "status IN ('failed', 'expired')": NoticeStatus
            takes Failed | Expired, leaves Queued | Submitting | Sent | Delivered | Undelivered | Unknown;
    }
    .into()
}

/// The conditions of a text that leave words out, or take several: `status <> 'ended'`, `status IN ('a', 'b')`.
fn conditions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for operator in [" <> '", " NOT IN ('", " IN ('"] {
        for (at, _) in text.match_indices(operator) {
            let column = text[..at].rsplit(|sign: char| sign != '_' && !sign.is_alphanumeric()).next();
            // The second half of `NOT IN`.
            let Some(column) = column.filter(|it| *it != "NOT") else { continue };
            let rest = &text[at..];
            let end = if operator.contains('(') {
                rest.find(')').map(|end| end + 1)
            } else {
                rest[operator.len()..].find('\'').map(|end| operator.len() + end + 1)
            };
            if let Some(end) = end.filter(|end| !words(&rest[..*end]).is_empty()) {
                found.push(format!("{column}{}", &rest[..end]));
            }
        }
    }
    found
}

#[test]
fn a_condition_takes_the_values_that_were_decided() {
    let (decisions, known) = (decisions(), known());
    for Decision { table, condition, taken, left } in &decisions {
        let foreign = taken.iter().chain(left).find(|word| !known[table].contains(word));
        assert_eq!(foreign, None, "a word of no type of {table} in {condition}");
        let (named, which) = (words(condition), if condition.contains(" IN (") { taken } else { left });
        let which = if condition.contains("NOT IN") { left } else { which };
        assert_eq!(
            named.iter().collect::<BTreeSet<_>>(),
            which.iter().collect::<BTreeSet<_>>(),
            "{condition}"
        );
    }
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    read(&root, &root, &mut found);
    let mut used = BTreeSet::new();
    for (file, pieces) in &found {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let tables = known_tables(&pieces, &known);
        for condition in conditions(&pieces.concat()) {
            match decided(&decisions, &tables, &condition).as_slice() {
                [one] => used.insert((one.table, one.condition)),
                several => panic!("{file}: {condition} on {tables:?} has {} decisions", several.len()),
            };
        }
    }
    let all: BTreeSet<_> = decisions.iter().map(|it| (it.table, it.condition)).collect();
    assert_eq!(used, all, "conditions in statements, and those that were decided");
}

/// The decisions on a condition of a text that names these tables; of one that names none with words, those of any table.
fn decided<'d>(decisions: &'d [Decision], tables: &BTreeSet<&str>, condition: &str) -> Vec<&'d Decision> {
    let is_of =
        |it: &&Decision| it.condition == condition && (tables.is_empty() || tables.contains(it.table));
    decisions.iter().filter(is_of).collect()
}

#[test]
fn a_condition_is_decided_for_its_table() {
    let decisions = decisions();
    let count = |tables: &[&'static str], condition: &str| {
        decided(&decisions, &tables.iter().copied().collect(), condition).len()
    };
    assert_eq!(count(&["accounts", "payments"], "status <> 'settled'"), 1);
    assert_eq!(count(&["campaigns"], "status IN ('failed', 'expired')"), 0, "it was decided for notices");
    assert_eq!(count(&[], "code <> 'capture'"), 1);
}

#[test]
fn a_misspelt_word_and_one_of_another_table_are_found() {
    let known = known();
    let unknown = |pieces: &[&'static str]| unknown(pieces, &known);
    assert!(unknown(&["UPDATE campaign_chunks SET state = 'open' WHERE id = $1"]).is_empty());
    assert_eq!(unknown(&["UPDATE campaign_chunks SET state = 'opne' WHERE id = $1"]), ["opne"]);
    assert_eq!(unknown(&["SELECT id FROM campaigns WHERE", " status IN ('sending', 'queued')"]), ["queued"]);
    assert_eq!(unknown(&["'scheduled', 'sending', 'pausd'"]), ["pausd"], "of no table");
}
