//! Statement texts and their arguments, in a form both drivers take.

use std::sync::Arc;

use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::{OptOutReach, Purpose};

use crate::model::account::api_key::Scopes;
use crate::model::account::chat_refusal::ChatRefusal;
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::id::{ApiKeyId, ChatLoginId, SessionId, UserId, UserMessageId};
use crate::model::account::user::{Role, UserStatus};
use crate::model::campaign::id::{
    AudienceChunkId, AudienceId, CampaignId, ChunkId, DraftFileId, DraftId, QuoteId, TemplateId,
};
use crate::model::campaign::pause::{PausedBy, ReviewCause};
use crate::model::carrier::breaker::BreakerState;
use crate::model::carrier::order::CarrierOrderId;
use crate::model::carrier::{Hold, OrderKind};
use crate::model::contact::id::{ContactId, GroupId, ImportId, SuppressionId};
use crate::model::contact::{ImportStatus, ImportTarget, OptOutSource};
use crate::model::message::id::{
    DeferredReceiptsId, InboundId, InboundPartId, MessageId, NumberRunId, PartId, UnmatchedReceiptId,
};
use crate::model::message::status::{CampaignStatus, MessageStatus, MoneyState, ReceiptStatus};
use crate::model::money::ledger::{AccountId, Code, TransferId};
use crate::model::money::payment;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::data_class::DataClass;
use crate::model::platform::id::{AnnouncementId, AuditEntryId, NoticeId, RunId};
use crate::model::platform::installation::{DaemonRole, ReloadOutcome, ServedFor};
use crate::model::platform::notice;
use crate::model::sender;
use crate::model::sender::id::{OwnCallId, OwnNumberId, SenderRecordId, VirtualNumberId};
use crate::model::voice::id::RecordingId;
use crate::model::webhook::event::{DeliveryStatus, EventType};
use crate::model::webhook::id::{DeliveryId, EventId, ReceiptCallId, WebhookId};
use crate::time::Time;

/// Which database is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3, one file.
    Sqlite,
    /// PostgreSQL 15 or newer.
    Postgres,
}

/// A statement: one text for both databases, or one for each where they really differ.
#[derive(Clone, Copy, Debug)]
pub struct Sql {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

impl Sql {
    /// Different texts for SQLite and PostgreSQL, with the same meaning, arguments and columns.
    pub const fn each(sqlite: &'static str, postgres: &'static str) -> Self {
        Self { sqlite, postgres }
    }
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self { sqlite: text, postgres: text }
    }
}

/// One column of a bulk argument. All columns of an argument have the same length.
#[derive(Clone, Debug)]
pub enum Column {
    /// 64-bit integers.
    Ints(Vec<i64>),
    /// 64-bit integers that may be missing.
    OptInts(Vec<Option<i64>>),
    /// Texts that may be missing.
    Texts(Vec<Option<String>>),
    /// The same for a column without a type: SQLite keeps those that are whole numbers as such, in half the space.
    Terse(Vec<Option<String>>),
}

impl Column {
    /// A column of these values, of the kind that their type asks for.
    pub fn of<T: InColumn>(values: impl IntoIterator<Item = T>) -> Self {
        T::column(values.into_iter())
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Ints(values) => values.len(),
            Self::OptInts(values) => values.len(),
            Self::Texts(values) | Self::Terse(values) => values.len(),
        }
    }

    /// Appends the JSON of the value in `row`.
    fn push_json(&self, row: usize, json: &mut String) {
        use std::fmt::Write as _;
        // Writing to a String cannot fail.
        let _ = match self {
            Self::Ints(values) => write!(json, "{}", values[row]),
            Self::OptInts(values) => match values[row] {
                Some(value) => write!(json, "{value}"),
                None => write!(json, "null"),
            },
            Self::Texts(values) | Self::Terse(values) => match &values[row] {
                Some(text) if matches!(self, Self::Terse(_)) && is_whole_number(text) => {
                    write!(json, "{text}")
                }
                Some(text) if is_plain(text) => write!(json, "\"{text}\""),
                Some(text) => write!(json, "{}", serde_json::Value::String(text.clone())),
                None => write!(json, "null"),
            },
        };
    }
}

/// A value of a column.
pub trait InColumn: Sized {
    /// The column of these values.
    fn column(values: impl Iterator<Item = Self>) -> Column;
}

impl<T: InColumn + Clone> InColumn for &T {
    fn column(values: impl Iterator<Item = Self>) -> Column {
        T::column(values.cloned())
    }
}

/// Values that are as a column keeps them, or are made so.
macro_rules! in_column {
    ($($type:ty => |$values:ident| $column:expr),* $(,)?) => {$(
        impl InColumn for $type {
            fn column($values: impl Iterator<Item = Self>) -> Column {
                $column
            }
        }
    )*};
}

in_column! {
    i64 => |values| Column::Ints(values.collect()),
    Option<i64> => |values| Column::OptInts(values.collect()),
    String => |values| Column::of(values.map(Some)),
    Option<String> => |values| Column::Texts(values.collect()),
}

/// Whether a text is a whole number that reads the same when it is kept as one of 64 bits.
fn is_whole_number(text: &str) -> bool {
    (1..=18).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'))
}

/// Whether a text stands in JSON as it is.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\')
}

/// Bytes of many rows in one argument. JSON holds no bytes, so the rows say where theirs begin and how many they are:
/// `substr($n, CAST(j.begin AS INTEGER), CAST(j.length AS INTEGER))` on both databases.
#[derive(Clone, Debug, Default)]
pub struct Blobs {
    bytes: Vec<u8>,
    begins: Vec<i64>,
    lengths: Vec<i64>,
}

impl Blobs {
    /// The bytes of these rows.
    pub fn of<'b>(rows: impl IntoIterator<Item = &'b [u8]>) -> Self {
        let mut blobs = Self::default();
        for row in rows {
            // SQL counts from one.
            blobs.begins.push(blobs.bytes.len() as i64 + 1);
            blobs.lengths.push(row.len() as i64);
            blobs.bytes.extend_from_slice(row);
        }
        blobs
    }

    /// The argument, and the columns of where each row's bytes begin and of how many they are.
    pub fn into_parts(self) -> (Arg, Column, Column) {
        (Arg::Bytes(Some(self.bytes)), Column::Ints(self.begins), Column::Ints(self.lengths))
    }
}

/// An argument of a statement.
#[derive(Clone, Debug)]
pub enum Arg {
    /// BIGINT.
    Int(Option<i64>),
    /// TEXT.
    Text(Option<String>),
    /// BLOB or BYTEA.
    Bytes(Option<Vec<u8>>),
    /// BOOLEAN.
    Bool(bool),
    /// Many rows at once, always the last argument of its statement. SQLite gets them as one JSON text of arrays
    /// (`jsonb_each($n)`, then `value ->> 0`: with `json_each` each `->>` would parse its row again); PostgreSQL as one
    /// array a column (`UNNEST($n::BIGINT[], ...)`).
    Rows(Vec<Column>),
    /// The same, made ready before.
    Ready(Ready),
    /// Many rows of a key and one value, always the last argument of its statement. SQLite gets them as one JSON object
    /// (`jsonb_each($n)`, then `CAST(key AS INTEGER)` and `value`), which it takes apart faster than arrays;
    /// PostgreSQL as two arrays.
    Pairs(Vec<i64>, Column),
}

/// Bulk rows in the form that their database takes, made where there is time for it: SQLite's one writer has none.
#[derive(Clone, Debug)]
pub struct Ready {
    columns: Arc<[Column]>,
    json: Option<Arc<str>>,
}

impl Ready {
    /// Makes rows ready for a database.
    pub fn of(columns: Vec<Column>, dialect: Dialect) -> Self {
        let json = (dialect == Dialect::Sqlite).then(|| rows_as_json(&columns).into());
        Self { columns: columns.into(), json }
    }

    /// As SQLite takes them.
    pub(crate) fn into_json(self) -> Arc<str> {
        self.json.unwrap_or_else(|| rows_as_json(&self.columns).into())
    }

    /// As PostgreSQL takes them.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> {
        self.columns.iter().cloned()
    }
}

/// The JSON form of keys with one value each, as SQLite takes them.
pub(crate) fn pairs_as_json(keys: &[i64], values: &Column) -> String {
    use std::fmt::Write as _;
    let mut json = String::with_capacity(keys.len() * 32 + 2);
    json.push('{');
    for (row, key) in keys.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(json, "{}\"{key}\":", if row == 0 { "" } else { "," });
        values.push_json(row, &mut json);
    }
    json.push('}');
    json
}

/// The JSON form of bulk rows, as SQLite takes them.
pub(crate) fn rows_as_json(columns: &[Column]) -> String {
    let rows = columns.first().map_or(0, Column::len);
    let mut json = String::with_capacity(rows * columns.len() * 12 + 2);
    json.push('[');
    for row in 0..rows {
        json.push_str(if row == 0 { "[" } else { ",[" });
        for (index, column) in columns.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            column.push_json(row, &mut json);
        }
        json.push(']');
    }
    json.push(']');
    json
}

macro_rules! arg_from {
    ($($from:ty => $make:expr),* $(,)?) => {$(
        impl From<$from> for Arg {
            fn from(value: $from) -> Self {
                #[allow(clippy::redundant_closure_call, reason = "the macro applies one conversion to one value")]
                ($make)(value)
            }
        }
    )*};
}

arg_from! {
    i64 => |value| Self::Int(Some(value)),
    Option<i64> => Self::Int,
    i32 => |value: i32| Self::Int(Some(i64::from(value))),
    u8 => |value: u8| Self::Int(Some(i64::from(value))),
    u32 => |value: u32| Self::Int(Some(i64::from(value))),
    &String => |value: &String| Self::Text(Some(value.clone())),
    String => |value| Self::Text(Some(value)),
    Option<String> => Self::Text,
    Vec<u8> => |value| Self::Bytes(Some(value)),
    &[u8] => |value: &[u8]| Self::Bytes(Some(value.to_vec())),
    Option<Vec<u8>> => Self::Bytes,
    bool => Self::Bool,
    Vec<Column> => Self::Rows,
    Ready => Self::Ready,
}

/// Values with a type of their own as arguments and in columns, alone and where they may be missing.
macro_rules! arg_from_value {
    ($($type:ty => $variant:ident $store:expr),* $(,)?) => {$(
        impl From<$type> for Arg {
            fn from(value: $type) -> Self {
                Self::from(Some(value))
            }
        }

        impl From<Option<$type>> for Arg {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map($store))
            }
        }

        in_column! {
            $type => |values| Column::of(values.map($store)),
            Option<$type> => |values| Column::of(values.map(|value| value.map($store))),
        }
    )*};
}

arg_from_value! {
    &str => Text str::to_owned,
    Time => Int |time| time.0,
    Amount => Int |amount| amount.0,
    UserId => Int |id| id.0,
    SessionId => Int |id| id.0,
    ApiKeyId => Int |id| id.0,
    ChatLoginId => Int |id| id.0,
    UserMessageId => Int |id| id.0,
    AudienceId => Int |id| id.0,
    QuoteId => Int |id| id.0,
    CampaignId => Int |id| id.0,
    ChunkId => Int |id| id.0,
    AudienceChunkId => Int |id| id.0,
    DraftId => Int |id| id.0,
    DraftFileId => Int |id| id.0,
    TemplateId => Int |id| id.0,
    GroupId => Int |id| id.0,
    ContactId => Int |id| id.0,
    ImportId => Int |id| id.0,
    SuppressionId => Int |id| id.0,
    SenderRecordId => Int |id| id.0,
    VirtualNumberId => Int |id| id.0,
    OwnNumberId => Int |id| id.0,
    OwnCallId => Int |id| id.0,
    RecordingId => Int |id| id.0,
    NoticeId => Int |id| id.0,
    RunId => Int |id| id.0,
    CarrierOrderId => Int |id| id.0,
    AuditEntryId => Int |id| id.0,
    AnnouncementId => Int |id| id.0,
    WebhookId => Int |id| id.0,
    EventId => Int |id| id.0,
    DeliveryId => Int |id| id.0,
    ReceiptCallId => Int |id| id.0,
    DeferredReceiptsId => Int |id| id.0,
    MessageId => Int |id| id.0,
    UnmatchedReceiptId => Int |id| id.0,
    PartId => Int |id| id.0,
    InboundId => Int |id| id.0,
    InboundPartId => Int |id| id.0,
    NumberRunId => Int |id| id.0,
    payment::PaymentId => Int |id| id.0,
    payment::PaymentEventId => Int |id| id.0,
    AccountId => Int |id| id.0,
    TransferId => Int |id| id.0,
    Code => Text |code| code.code().to_owned(),
    notice::NoticeStatus => Text |status| status.code().to_owned(),
    notice::Channel => Text |channel| channel.code().to_owned(),
    notice::NoticePurpose => Text |purpose| purpose.code().to_owned(),
    notice::ChatStatus => Text |status| status.code().to_owned(),
    ChatRefusal => Text |why| why.code().to_owned(),
    payment::Provider => Text |provider| provider.code().to_owned(),
    payment::PaymentStatus => Text |status| status.code().to_owned(),
    MessageStatus => Int MessageStatus::number,
    MoneyState => Int MoneyState::number,
    Scopes => Text |scopes| scopes.to_string(),
    Currency => Text |currency| currency.code().to_owned(),
    Kind => Text |kind| kind.code().to_owned(),
    CampaignStatus => Text |status| status.code().to_owned(),
    PausedBy => Text |by| by.code().to_owned(),
    ReviewCause => Text |held| held.code().to_owned(),
    CodePurpose => Text |purpose| purpose.code().to_owned(),
    Role => Text |role| role.code().to_owned(),
    UserStatus => Text |status| status.code().to_owned(),
    sender::SenderStatus => Text |status| status.code().to_owned(),
    sender::OwnCallOutcome => Text |outcome| outcome.code().to_owned(),
    ReceiptStatus => Text |status| status.0.code().to_owned(),
    AuditAction => Text |action| action.code().to_owned(),
    DataClass => Text |class| class.code().to_owned(),
    payment::PaymentMode => Text |mode| mode.code().to_owned(),
    EventType => Text |kind| kind.code().to_owned(),
    DeliveryStatus => Text |status| status.code().to_owned(),
    OptOutSource => Text |source| source.code().to_owned(),
    OptOutReach => Text |reach| reach.code().to_owned(),
    Purpose => Text |purpose| purpose.code().to_owned(),
    DaemonRole => Text |role| role.code().to_owned(),
    ReloadOutcome => Text |outcome| outcome.code().to_owned(),
    ServedFor => Text |surroundings| surroundings.code().to_owned(),
    Hold => Text |hold| hold.code().to_owned(),
    BreakerState => Text |state| state.code().to_owned(),
    OrderKind => Text |kind| kind.code().to_owned(),
    ImportTarget => Text |target| target.code().to_owned(),
    ImportStatus => Text |status| status.code().to_owned(),
}

/// The arguments of a statement, each converted by [`Arg::from`].
#[macro_export]
macro_rules! args {
    ($($value:expr),* $(,)?) => { vec![$($crate::store::Arg::from($value)),*] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bulk_rows_become_json_arrays_with_every_text_escaped() {
        let json = rows_as_json(&[
            Column::of([MessageId(1), MessageId(2)]),
            Column::of([Some("a\"b\n"), None]),
            Column::of([None, Some(Time(-3))]),
        ]);
        assert_eq!(json, r#"[[1,"a\"b\n",null],[2,null,-3]]"#);
    }

    #[test]
    fn of_terse_texts_those_are_numbers_that_read_the_same_afterwards() {
        let texts = ["17", "0", "007", "", "1e3", "-4", "999999999999999999", "1000000000000000000", "a1"];
        let json = rows_as_json(&[Column::Terse(texts.map(|text| Some(text.to_owned())).to_vec())]);
        assert_eq!(
            json,
            r#"[[17],[0],["007"],[""],["1e3"],["-4"],[999999999999999999],["1000000000000000000"],["a1"]]"#
        );
    }

    #[test]
    fn pairs_become_a_json_object_with_every_text_escaped() {
        let texts = Column::Texts(vec![Some("17".into()), Some("a\\\"é".into()), None]);
        let json = pairs_as_json(&[4_096, 4_097, 4_098], &texts);
        assert_eq!(json, r#"{"4096":"17","4097":"a\\\"é","4098":null}"#);
        assert_eq!(pairs_as_json(&[], &texts), "{}");
    }
}
