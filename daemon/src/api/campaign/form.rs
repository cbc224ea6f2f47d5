//! The form of a campaign as it comes over the wire, whatever its kind, its step and its encoding.
//!
//! Nothing is refused here that the campaign service would refuse later in the order of the
//! specification; what cannot be read is handed on as the error it gave.

use serde::Deserialize;
use talkdrum_api::kind::Kind;
use talkdrum_core::campaign::audience::RecipientSource;
use talkdrum_core::campaign::quote::{CanaryForm, Form};
use talkdrum_core::model::contact::id::GroupId;
use talkdrum_core::store::account::user;
use talkdrum_core::time::{Time, start};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::spool::Spool;
use crate::api::content::ContentForm;
use crate::http::{ApiError, Caller, IdempotencyKey, Upload};
use crate::state::AppState;

/// The parts that may be of any size.
pub(in crate::api) const BIG: [&str; 2] = ["contacts", "file"];
/// Groups in one form.
const GROUPS_MAX: usize = 1_000;
/// Earlier lists in one form.
const AUDIENCES_MAX: usize = 20;
/// Columns of numbers in one form: as many as a table may have.
const COLUMNS_MAX: usize = 64;

/// When the messages go out, as the call's path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// `send-...`: at once, unless a time is given.
    Now,
    /// `schedule-...`: at the times given.
    Later,
}

/// A campaign's form.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct CampaignForm {
    /// The sender id: `WEBSMS`, or an approved one.
    senderid: Option<String>,
    /// `espees` or `paystack` (alias `naira`).
    payment_method: Option<String>,
    /// What the messages are for: `promotional`, `transactional` or `otp`. It decides their route, which opt-outs hold, and
    /// whether they wait in the quiet hours. Left out: the default of the API key, else of the sender ID, else of the account,
    /// else `transactional`.
    purpose: Option<String>,
    /// Recipients in any form: numbers with commas, spaces or new lines, prose. May be repeated.
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    contacts: Option<String>,
    /// Recipients as a CSV or text file of any size. May be repeated; columns of a CSV fill merge fields.
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    file: Option<String>,
    /// A column of the file that is read as numbers; detected when it is not given. May be repeated: each number of a row
    /// is a recipient with the row's fields.
    #[serde(default)]
    column: Vec<String>,
    /// Ids of contact groups that get it too. May be repeated; the contacts' fields fill merge fields.
    #[serde(default)]
    groups: Vec<i64>,
    /// The same as `groups`.
    #[serde(default)]
    group_ids: Vec<i64>,
    /// Lists that are here already: `campaign:ID`, the recipients of an earlier campaign, `campaign:ID:failed` those of them
    /// who got nothing (or any other status of a message), `import:ID` the numbers of an import. May be repeated, 20 times.
    #[serde(default)]
    audience: Vec<String>,
    /// What its messages say.
    #[serde(flatten)]
    content: ContentForm,
    /// When to send: RFC 3339, or `YYYY-MM-DD HH:MM` in the user's time zone. May be repeated: one run for each.
    #[serde(default)]
    time: Vec<String>,
    /// A canary: how many recipients get the message first, spread over the networks, as `50` (4,096 at most) or `5%`. The rest
    /// waits until enough of their messages were delivered; otherwise the campaign pauses, and its owner resumes or cancels it.
    canary: Option<String>,
    /// Numbers of one's own that are among the first beside these, in any form: 20 at most. They may be all of the canary. One that
    /// is not on the list becomes a recipient, is charged as one, and gets the merge fields of the first recipient.
    canary_seeds: Option<String>,
    /// How many of a hundred messages of the canary must be delivered, 1 to 100; 80 unless given.
    canary_delivery: Option<String>,
    /// How many seconds receipts of the canary are waited for, from when each was handed to a carrier once: 10 to 86,400;
    /// 600 unless given.
    canary_wait_s: Option<String>,
    /// To confirm: the quote that `send-...` answered. Without it the whole form is posted again.
    quote_id: Option<i64>,
}

/// A form that was read, with its recipients.
#[derive(Debug)]
pub(super) struct Posted {
    /// The quote that is meant, when confirming.
    pub(super) quote_id: Option<i64>,
    /// The form itself.
    pub(super) form: Form,
}

/// Reads a form to its end.
pub(super) async fn read(
    app: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    upload: Upload,
    (kind, when): (Kind, When),
) -> Result<Posted, ApiError> {
    // Before a large upload, not after it: an inactive user gets nowhere anyway.
    caller.require_active()?;
    let mut spool = Spool::new(app.spool_dir.clone(), app.disk.clone());
    let data = upload.read::<CampaignForm>(&BIG, &mut spool).await?.data;
    let times = times(app, caller, &data.time, when).await?;
    let groups = data.groups.iter().chain(&data.group_ids).copied().collect();
    let sources = sources(spool, groups, &data.audience, &data.column)?;
    let form = Form {
        user_id: caller.user_id,
        kind,
        canary: CanaryForm {
            size: data.canary.as_deref(),
            seeds: data.canary_seeds.as_deref(),
            delivery: data.canary_delivery.as_deref(),
            wait_s: data.canary_wait_s.as_deref(),
        }
        .read(kind),
        content: data.content.content(kind),
        sender: data.senderid,
        payment_method: data.payment_method,
        purpose: caller.purpose_or_default(data.purpose.as_deref()),
        times,
        sources,
        idempotency_key: key.0,
    };
    Ok(Posted { quote_id: data.quote_id, form })
}

/// All recipients of a form: what was put in the spool, of files these columns if any are named, groups, and earlier lists.
///
/// # Errors
/// Too many groups, lists or columns; what names no list; columns without a file; what was put on disk cannot be read.
pub(in crate::api) fn sources(
    spool: Spool,
    mut groups: Vec<i64>,
    audiences: &[String],
    columns: &[String],
) -> Result<Vec<RecipientSource>> {
    groups.sort_unstable();
    groups.dedup();
    if groups.len() > GROUPS_MAX {
        let message = format!("At most {GROUPS_MAX} groups can be sent to in one form");
        return Err(Error::field("groups", "too_many_groups", message));
    }
    let mut lists: Vec<&str> =
        audiences.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    lists.sort_unstable();
    lists.dedup();
    if lists.len() > AUDIENCES_MAX {
        let message = format!("At most {AUDIENCES_MAX} earlier lists can be sent to in one form");
        return Err(Error::field("audience", "too_many_audiences", message));
    }
    let columns = columns_of(columns, spool.has_files())?;
    let mut sources = spool.into_sources()?;
    if !columns.is_empty() {
        sources = sources.into_iter().map(|source| source.with_columns(&columns)).collect();
    }
    sources.extend(groups.into_iter().map(|id| RecipientSource::group(GroupId(id))));
    for list in lists {
        sources.push(RecipientSource::earlier(list)?);
    }
    Ok(sources)
}

/// The columns that were named.
fn columns_of(columns: &[String], has_files: bool) -> Result<Vec<String>> {
    let named = columns.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    let named: Vec<String> = named.map(str::to_owned).collect();
    if named.len() > COLUMNS_MAX {
        let message = format!("At most {COLUMNS_MAX} columns can be read");
        return Err(Error::field("column", "too_many_columns", message));
    }
    if !named.is_empty() && !has_files {
        let message = "Columns can be chosen in a file only: attach one, or leave the columns out";
        return Err(Error::field("column", "column_without_file", message));
    }
    Ok(named)
}

/// The start times; the campaign service reports the inner error in its turn.
async fn times(
    app: &AppState,
    caller: &Caller,
    texts: &[String],
    when: When,
) -> Result<Result<Vec<Time>>, ApiError> {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    if texts.is_empty() {
        return Ok(if when == When::Later { Err(time_required()) } else { Ok(Vec::new()) });
    }
    let user = user::by_id(&mut app.store.read().await?, caller.user_id).await?;
    let zone = user.ok_or(Error::NotFound("user"))?.zone;
    Ok(texts.into_iter().map(|text| start::parse(text, &zone)).collect())
}

fn time_required() -> Error {
    Error::field("time", "time_required", "Time is required: give the time to send at, or send now")
}
