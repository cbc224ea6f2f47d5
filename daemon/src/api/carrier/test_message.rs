//! `POST /admin/carriers/{name}/test` and `GET /admin/carrier-tests/{id}`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::carrier::CarrierTest;
use talkdrum_api::code;
use talkdrum_core::model::platform::id::NoticeId;
use talkdrum_core::model::platform::notice::NoticeStatus;
use talkdrum_core::operate;
use talkdrum_core::phone::{self, Msisdn};
use talkdrum_core::store::Lane;
use talkdrum_core::store::carrier::test_message::TestRow;
use talkdrum_core::store::operations::idempotency::once;
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::list;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// What is sent when nothing else was asked for.
const USUAL_TEXT: &str = "This is a test.";
/// How long the answer is waited for when nothing else was asked for.
const USUAL_WAIT_S: u64 = 10;
/// The longest wait: what comes later is asked for by the test's id.
const WAIT_MAX_S: u64 = 20;
/// How often it is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A test message.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct TestCarrier {
    /// The number to send it to.
    #[serde(default)]
    to: String,
    /// What it says; `This is a test.` when left out.
    #[serde(default)]
    message: String,
    /// How many seconds its receipt is waited for, at most 20; 10 when left out.
    wait_s: Option<u64>,
}

/// Send one message over a carrier, in no campaign and charged to no account; also while the carrier is paused. Its answer
/// and its receipt are waited for. At most ten a minute.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/test", tag = "carrier",
    params(("name" = String, Path)),
    request_body = TestCarrier,
    responses((status = 200, body = CarrierTest)),
)]
pub(super) async fn test_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    Form { data, digest }: Form<TestCarrier>,
) -> Answer<CarrierTest> {
    caller.require_active()?;
    list::refuse_trunk(&app, &name)?;
    let router = app.campaigns.router.now();
    let carrier = router.carrier(&name).ok_or(Error::NotFound("carrier"))?;
    let to = number(&data.to)?;
    let text = if data.message.trim().is_empty() { USUAL_TEXT } else { &data.message };
    let test = operate::test(&app.notices, carrier, to, text)?;
    let claim = key.claim_named(&caller, "carrier.test", &name, digest);
    let input = (claim, test, caller.user_id, app.clock.now());
    let id = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, test, by, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| operate::begin_test(tx, test, *by, *now).await)
                    .await
            })
        })
        .await?;
    if let Some(workers) = &app.workers {
        workers.wake();
    }
    tracing::info!(carrier = name, test = id.0, admin_id = caller.user_id.0, "carrier.test");
    let wait = Duration::from_secs(data.wait_s.unwrap_or(USUAL_WAIT_S).min(WAIT_MAX_S));
    let over = tokio::time::Instant::now() + wait;
    loop {
        let answer = operate::answer(&mut app.store.read().await?, id).await?;
        if answer.0.is_over() || tokio::time::Instant::now() >= over || app.readiness.is_stopping() {
            return Ok(Json(shown(answer)));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// What became of a test message so far.
#[utoipa::path(
    get, path = "/admin/carrier-tests/{id}", tag = "carrier",
    params(("id" = i64, Path)),
    responses((status = 200, body = CarrierTest)),
)]
pub(super) async fn show_carrier_test(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<NoticeId>,
) -> Answer<CarrierTest> {
    Ok(Json(shown(operate::answer(&mut app.store.read().await?, id).await?)))
}

fn number(text: &str) -> Result<Msisdn> {
    phone::parse(text.trim()).map_err(|_| {
        Error::field(
            "to",
            code::BAD_NUMBER,
            format!("'{text}' is no phone number: write it as in 08031234567"),
        )
    })
}

fn shown((test, references): (TestRow, Vec<String>)) -> CarrierTest {
    let over = test.is_over();
    let error = test.error.as_deref().unwrap_or("no code");
    let message = match test.status {
        NoticeStatus::Queued => "It waits to be submitted: the carrier takes nothing now".to_owned(),
        NoticeStatus::Submitting => "It was submitted; the carrier has not answered yet".to_owned(),
        NoticeStatus::Sent => "The carrier accepted it; the receipt has not come yet".to_owned(),
        NoticeStatus::Delivered => "It was delivered".to_owned(),
        NoticeStatus::Undelivered => format!("The carrier accepted it, but it was not delivered ({error})"),
        NoticeStatus::Failed => format!("The carrier refused it ({error})"),
        NoticeStatus::Expired => "The carrier took nothing for five minutes: it was not sent".to_owned(),
        NoticeStatus::Unknown => "It is not known whether it was sent: the answer is lost".to_owned(),
    };
    CarrierTest {
        id: test.id.0,
        over,
        carrier: test.carrier,
        status: test.status.code().to_owned(),
        error: test.error,
        references,
        created_at: test.created_at.to_rfc3339(),
        done_at: test.done_at.map(Time::to_rfc3339),
        message,
    }
}
