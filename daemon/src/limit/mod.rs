//! Every bound on what a client sends and is sent.
//!
//! Sizes that an operator may want to change are in `[limits]` of the configuration, see [`crate::config::Limits`]; all
//! others are the constants below. A request whose sender is not known yet is read within [`ANONYMOUS_BYTES`], whatever
//! the operation takes. What may be held in memory at once is accounted for by [`admission`].

pub mod admission;
pub mod quota;
pub mod rate;
pub mod seats;
pub mod turns;

use std::num::NonZeroU32;
use std::time::Duration;

// Fields of a form, of JSON and of a query string.

/// Different names in one request.
pub const FIELD_NAMES: usize = 200;
/// Bytes of a name.
pub const FIELD_NAME_BYTES: usize = 256;
/// Values of one name, recipients aside.
pub const FIELD_VALUES: usize = 10_000;
/// Values of one request, recipients aside.
pub const FIELD_VALUES_IN_ALL: usize = 16_000;
/// What a repeated value is charged beside its own bytes and those of its name: the memory that a list has for it.
pub const FIELD_COST: usize = 48;
/// What the parameters of a query string may take with [`FIELD_COST`]. The HTTP library takes no longer address.
pub const QUERY_BYTES: usize = 64 << 10;

// JSON: an object whose values are scalars or lists of scalars.

/// Levels of a JSON body where it may hold more than is read.
pub const JSON_LEVELS: usize = 32;
/// Bytes of a JSON number.
pub const JSON_NUMBER_BYTES: usize = 64;

// Multipart forms.

/// Bytes of the headers of one part.
pub const PART_HEADER_BYTES: usize = 8 << 10;
/// Bytes of the boundary; RFC 2046 allows 70.
pub const BOUNDARY_BYTES: usize = 200;

// Recipients and files, of which memory holds the beginning and the disk the rest.

/// Bytes of the text that memory holds, and of all files together.
pub const SPOOL_MEMORY_BYTES: usize = 1 << 20;
/// Bytes that are gathered before they are written.
pub const SPOOL_WRITE_BYTES: usize = 32 << 10;
/// Files in one form.
pub const FILES: usize = 50;

// Whole bodies. Those of an operation with fields only, such as a text to be spoken, have `[limits] body_kib`.

/// A body whose sender is not known.
pub const ANONYMOUS_BYTES: usize = 64 << 10;
/// A JSON document that is no list of fields.
pub const DOCUMENT_BYTES: usize = 1 << 20;
/// A carrier's callback, which may hold many receipts.
pub const CALLBACK_BYTES: usize = 1 << 20;
/// A body that is larger than this is a large one.
pub const LARGE_BYTES: usize = 1 << 20;
/// How long the next bytes of a body are waited for, and the whole of it beyond the time that
/// [`BODY_BYTES_A_SECOND`] gives it.
pub const IDLE: Duration = Duration::from_secs(30);
/// A body of a sender who is known comes at least as fast.
pub const BODY_BYTES_A_SECOND: u32 = 4 << 10;
/// How long the whole body of a stranger is waited for.
pub const STRANGERS_BODY: Duration = Duration::from_secs(10);
/// A refused body is read to its end up to here, and thrown away: its sender is still writing and would not see the
/// answer otherwise.
pub const DISCARDED_BYTES: usize = 4 << 20;
/// How long that may take.
pub const DISCARDED_WITHIN: Duration = Duration::from_secs(5);

// Bodies at once. What counts is the memory that their reading may take, not their length.

/// Large bodies of a user at once.
pub const LARGE_AT_ONCE: usize = 2;
/// Bodies of a user at once, in bytes.
pub const USER_BYTES_AT_ONCE: usize = 8 << 20;
/// Bodies of a user who is not signed in, by address and at once, in bytes.
pub const ADDRESS_BYTES_AT_ONCE: usize = 1 << 20;
/// Callbacks of an address that showed a carrier's secret at once, in bytes.
pub const CALLBACK_BYTES_AT_ONCE: usize = 8 << 20;
/// Callbacks of an address that are to be proved by their signature, at once, in bytes.
pub const SIGNED_BYTES_AT_ONCE: usize = 2 << 20;
/// The same of Paystack's webhooks, which are small.
pub const PAYSTACK_BYTES_AT_ONCE: usize = 256 << 10;
/// Bodies of all users at once, in bytes.
pub const USERS_IN_ALL: usize = 128 << 20;
/// Bodies of all who are not signed in, at once, in bytes.
pub const ADDRESSES_IN_ALL: usize = 32 << 20;
/// Callbacks of all carriers at once, in bytes; those that are to be proved by their signature have as much of their own.
pub const CALLBACKS_IN_ALL: usize = 32 << 20;
/// Paystack's webhooks at once, in bytes.
pub const PAYSTACK_IN_ALL: usize = 8 << 20;

// Answers at once. Each is built as a whole, and held until its client has read it.

/// An answer that is not counted: any page of 20 rows is smaller.
pub const SMALL_ANSWER_BYTES: u64 = 32 << 10;
/// Rows of a page that is read without asking for room first.
pub const SHORT_PAGE_ROWS: i64 = 100;
/// What is reserved for each row of a longer page until its length is known: a contact with all its merge fields, or a
/// campaign with its text.
pub const ROW_BYTES: usize = 8 << 10;
/// Answers to a user at once, in bytes: two of the longest pages.
pub const ANSWERS_AT_ONCE: usize = 16 << 20;
/// Answers to all users at once, in bytes.
pub const ANSWERS_IN_ALL: usize = 128 << 20;
/// Answers to all who are not signed in, at once, in bytes: pages, pictures and the API's document.
pub const STRANGERS_ANSWERS_IN_ALL: usize = 64 << 20;
/// How long a client may leave an answer unread in all, beyond the time that [`ANSWER_BYTES_A_SECOND`] gives it.
pub const UNREAD_FOR: Duration = Duration::from_secs(30);
/// A client that reads this many bytes a second is never cut off.
pub const ANSWER_BYTES_A_SECOND: u32 = 8 << 10;

/// How long a request waits for room before it is refused.
pub const WAIT_FOR_ROOM: Duration = Duration::from_secs(2);

// Reads at once that look at every row of a long list: searches by text, lists of campaigns that are filtered or sorted, and
// breakdowns.

/// Those of a user at once.
pub const SCANS_PER_USER: usize = 1;
/// Those of all users at once: most readers of the database are for others.
pub const SCANS_IN_ALL: usize = 2;
/// How long a request waits for its turn before it is refused.
pub const WAIT_FOR_TURN: Duration = Duration::from_secs(3);

// Texts that are spoken at once.

/// Those of a user at once.
pub const PREVIEWS_PER_USER: usize = 1;
/// Those of all users at once; `[voice]` says how many engines there are for them.
pub const PREVIEWS_IN_ALL: usize = 8;
/// Texts that a user may have spoken in a minute, and at once.
pub const PREVIEWS_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(29);

// Recordings that are decoded at once; `[voice]` says how large and how long one may be.

/// Those of a user at once.
pub const DECODINGS_PER_USER: usize = 1;
/// Those of all users at once: each holds some 30 MB while a recording of ten minutes becomes a clip.
pub const DECODINGS_IN_ALL: usize = 2;

// Rates. Those of signing in and of codes are in `[limits]`.

/// Bodies that an address may send in a minute, and at once, without being signed in.
pub const ANONYMOUS_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(599);
/// Requests with an `Idempotency-Key` that a user may send in a day, and at once, beside single sends.
pub const KEYS_PER_DAY: NonZeroU32 = NonZeroU32::MIN.saturating_add(49_999);
/// Imports that a user may begin at once, of contacts and of opt-outs, and then one a minute: each leaves a row of some KiB for
/// a month.
pub const IMPORTS_PER_DAY: NonZeroU32 = NonZeroU32::MIN.saturating_add(1_399);
/// Trials of webhooks, and deliveries made again, that a user may ask for in a minute, and at once: a trial leaves rows for
/// a month, and an address may be another's.
pub const TRIALS_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(29);
/// Addresses, accounts or users that a rate remembers before those that have been quiet are dropped.
pub const REMEMBERED: usize = 65_536;

// Answers without an end.

/// Event streams of one user at once.
pub const STREAMS_PER_USER: usize = 20;
/// Those of all users at once.
pub const STREAMS_IN_ALL: usize = 4_096;
/// Exports of one user at once.
pub const EXPORTS_PER_USER: usize = 4;
/// Those of all users at once: each holds up to two MiB.
pub const EXPORTS_IN_ALL: usize = 64;
/// Recordings of one user that are played at once.
pub const PLAYERS_PER_USER: usize = 8;
/// Those of all users at once: each holds about half a MiB.
pub const PLAYERS_IN_ALL: usize = 128;
/// Clips of calls that providers fetch at once, each of which holds a piece in memory.
pub const CLIPS_IN_ALL: usize = 256;
