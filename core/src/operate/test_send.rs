//! A test message: one short message over one carrier, in no campaign and charged to no user, also while the carrier is
//! held.
//!
//! It is a notice (`core: notice`), which has the carrier's dispatcher, window and settler like every message. The
//! invariant: tests are bounded in number, and each is in the audit trail, with its number masked.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::id::NoticeId;
use crate::notice::{self, NewNotice, Notices};
use crate::phone::Msisdn;
use crate::platform::audit::{self, Entry};
use crate::routing::RouteCarrier;
use crate::store::Tx;
use crate::store::carrier::test_message::{self as rows, TestRow};
use crate::time::Time;

/// Tests of all carriers together within [`SPAN`].
const TESTS_MAX: i64 = 10;
/// The span they are counted over.
const SPAN: Duration = Duration::from_mins(1);
/// How long a test is of use.
const USEFUL: Duration = Duration::from_mins(5);

/// A test to be sent.
#[derive(Clone, Debug)]
pub struct Test {
    notice: NewNotice,
    to: Msisdn,
}

/// A test of `carrier`.
///
/// # Errors
/// The carrier takes no such message, or it cannot be sent at all.
pub fn test(notices: &Notices, carrier: &RouteCarrier, to: Msisdn, text: &str) -> Result<Test> {
    let mut notice = notices.draft_test(to, text, carrier)?;
    notice.expires_at = notices.clock.now() + USEFUL;
    Ok(Test { notice, to })
}

/// Queues a test; returns its id.
///
/// # Errors
/// `too_many_tests` when there were too many lately.
pub async fn begin_test(tx: &mut Tx, test: &Test, by: UserId, now: Time) -> Result<NoticeId> {
    if rows::since(tx, now - SPAN).await? >= TESTS_MAX {
        return Err(Error::unavailable(
            "too_many_tests",
            format!("At most {TESTS_MAX} test messages a minute: try again in a minute"),
        ));
    }
    let id = notice::queue(tx, &test.notice, now).await?;
    rows::insert(tx, id, &test.notice.carrier, by, now).await?;
    let subject = format!("carrier {}", test.notice.carrier);
    let entry =
        Entry::new(by, AuditAction::CarrierTest, subject).after(Some(format!("to {}", masked(test.to))));
    audit::record(tx, &entry, now).await?;
    Ok(id)
}

/// A number with its country and last two digits.
fn masked(number: Msisdn) -> String {
    crate::carrier::masked_number(&number.to_string())
}

/// What became of a test so far, and the carrier's references of its parts.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn answer(tx: &mut Tx, id: NoticeId) -> Result<(TestRow, Vec<String>)> {
    let row = rows::find(tx, id).await?.ok_or(Error::NotFound("test"))?;
    Ok((row, rows::references(tx, id).await?))
}
