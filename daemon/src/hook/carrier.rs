//! `/hooks/carriers/{name}/{secret}`: what carriers over HTTP tell; without a secret where the provider signs.
//!
//! Reports of a call go to the call. Receipts go to the carrier's worker where this daemon runs it; else they are stored for
//! the daemon that does. Messages from handsets are stored by the daemon that receives them.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use talkdrum_core::carrier::http::voice::{CallHook, CallHookOutcome as CallHeard, CallReport};
use talkdrum_core::carrier::http::{
    Callback, CallbackReport, HookAdmission, HookDelivery, HookError, Report, Said,
};
use talkdrum_core::inbound;
use talkdrum_core::model::message::id::UnmatchedReceiptId;
use talkdrum_core::model::message::status::{MessageStatus, ReceiptStatus};
use talkdrum_core::store::Lane;
use talkdrum_core::store::message::inbound::NewInbound;
use talkdrum_core::store::message::unmatched_receipt::{self, Unmatched};
use talkdrum_core::worker::settle::late_call::{self, Late};

use crate::http::{ApiError, body};
use crate::limit::CALLBACK_BYTES;
use crate::limit::admission::Sender;
use crate::state::AppState;

/// How long the provider waits for the commit: shorter than any of them gives us.
const COMMIT_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn signed(
    State(app): State<AppState>,
    Path(name): Path<String>,
    request: Request,
) -> Result<StatusCode, ApiError> {
    take(&app, (&name, None), request).await
}

pub(super) async fn secret(
    State(app): State<AppState>,
    Path((name, secret)): Path<(String, String)>,
    request: Request,
) -> Result<StatusCode, ApiError> {
    take(&app, (&name, Some(&secret)), request).await
}

async fn take(
    app: &AppState,
    (name, secret): (&str, Option<&str>),
    request: Request,
) -> Result<StatusCode, ApiError> {
    let fleet = app.fleet.now();
    if let Some(hook) = fleet.call_hooks.iter().find(|hook| hook.name() == name) {
        return take_of_call(app, hook, secret, request).await;
    }
    let Some(hook) = fleet.hooks.iter().find(|hook| hook.name() == name) else {
        return Ok(StatusCode::NOT_FOUND);
    };
    // Before a byte of the body is read: a stranger takes no room from the carrier.
    let Some(sender) = sender(hook.admits(secret, request.headers())) else {
        return Ok(StatusCode::NOT_FOUND);
    };
    let (headers, uri) = (request.headers().clone(), request.uri().clone());
    let body = body::callback(request, app, (sender, CALLBACK_BYTES)).await?;
    let callback = Callback { headers: &headers, query: uri.query().unwrap_or_default(), body: &body };
    let CallbackReport { reports, messages } = match hook.read(secret, &callback) {
        Ok(heard) => heard,
        Err(HookError::Unknown) => return Ok(StatusCode::NOT_FOUND),
        Err(HookError::Unreadable) => {
            tracing::warn!(carrier = name, bytes = body.len(), "a callback could not be read");
            return Ok(StatusCode::BAD_REQUEST);
        }
    };
    hook.inbox().note_messages(&messages);
    let stored = match hook.inbox().deliver(reports.clone(), COMMIT_WITHIN).await {
        HookDelivery::Committed => Ok(()),
        HookDelivery::Late => return Ok(StatusCode::SERVICE_UNAVAILABLE),
        HookDelivery::Elsewhere => keep(app, name, &reports).await,
    };
    // After the receipts: those may come again and change nothing, but a message without a name would be another one.
    let stored = match stored {
        Ok(()) => keep_messages(app, name, messages).await,
        failed => failed,
    };
    Ok(match stored {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::error!(carrier = name, code = error.code(), %error, "what a carrier told was not stored");
            StatusCode::SERVICE_UNAVAILABLE
        }
    })
}

/// Whose room a body takes; `None` where it is not read at all.
fn sender(admission: HookAdmission) -> Option<fn(IpAddr) -> Sender> {
    match admission {
        HookAdmission::Shown => Some(Sender::Carrier),
        HookAdmission::Signed => Some(Sender::SignedCarrier),
        HookAdmission::Refused => None,
    }
}

/// Gives a report to the call that this daemon places. Any other daemon refuses it, so that the provider repeats it; where
/// polling is configured, the call is also asked about meanwhile. A report of a call that no daemon follows any more
/// settles its message.
async fn take_of_call(
    app: &AppState,
    hook: &CallHook,
    secret: Option<&str>,
    request: Request,
) -> Result<StatusCode, ApiError> {
    let Some(sender) = sender(hook.admits(secret)) else { return Ok(StatusCode::NOT_FOUND) };
    let (headers, uri) = (request.headers().clone(), request.uri().clone());
    let body = body::callback(request, app, (sender, CALLBACK_BYTES)).await?;
    let callback = Callback { headers: &headers, query: uri.query().unwrap_or_default(), body: &body };
    match hook.read(secret, &callback) {
        Ok(report) => Ok(match hook.inbox().tell(report.clone()) {
            CallHeard::Here => StatusCode::OK,
            heard => late(app, hook.name(), &report, heard).await,
        }),
        Err(HookError::Unknown) => Ok(StatusCode::NOT_FOUND),
        Err(HookError::Unreadable) => {
            tracing::warn!(
                carrier = hook.name(),
                bytes = body.len(),
                "a webhook names no call that could be read"
            );
            Ok(StatusCode::BAD_REQUEST)
        }
    }
}

/// A report of a call that this daemon does not follow settles its message, if that is unknown. Of other calls a daemon
/// that does not run the carrier knows nothing, and has the provider repeat the report.
async fn late(app: &AppState, carrier: &str, report: &CallReport, heard: CallHeard) -> StatusCode {
    match late_call::settle(&app.store, carrier, report, app.clock.now()).await {
        Ok(Late::Settled | Late::Known) => StatusCode::OK,
        // A call of no campaign that is over here, or one whose end is about to be stored.
        Ok(Late::Elsewhere) if heard == CallHeard::Over && report.of().is_none() => StatusCode::OK,
        Ok(Late::Elsewhere) => StatusCode::SERVICE_UNAVAILABLE,
        Err(error) => {
            tracing::error!(carrier, code = error.code(), %error, "the late end of a call was not stored");
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

async fn keep_messages(app: &AppState, carrier: &str, messages: Vec<Said>) -> talkdrum_core::Result<()> {
    if messages.is_empty() {
        return Ok(());
    }
    let messages: Vec<NewInbound> = messages.into_iter().map(NewInbound::from).collect();
    app.store
        .write(
            Lane::Background,
            (carrier.to_owned(), messages, app.clock.now()),
            |tx, (carrier, messages, now)| Box::pin(inbound::take(tx, carrier, messages, *now)),
        )
        .await
}

/// Stores receipts for the daemon that holds the carrier.
async fn keep(app: &AppState, carrier: &str, reports: &[Report]) -> talkdrum_core::Result<()> {
    let now = app.clock.now();
    let unmatched = |report: &Report| {
        let status = MessageStatus::from_receipt(report.state)?;
        Some(Unmatched {
            id: UnmatchedReceiptId::NONE,
            carrier_ref: report.reference.0.to_string(),
            status: ReceiptStatus(status),
            recipient: report.to.and_then(|number| i64::try_from(number.digits()).ok()),
            sender: None,
            error: report.error.as_deref().map(str::to_owned),
            done_at: report.done_at,
            received_at: now,
        })
    };
    let kept: Vec<Unmatched> = reports.iter().filter_map(unmatched).collect();
    let input = (carrier.to_owned(), kept);
    app.store
        .write(Lane::Background, input, |tx, (carrier, kept)| {
            Box::pin(unmatched_receipt::keep_unmatched(tx, carrier, kept))
        })
        .await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;
    use talkdrum_core::contact::suppression::{self, SuppressionScope};
    use talkdrum_core::model::account::user::Role;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
    use tokio::time::timeout;

    use crate::config::CarrierSection;
    use crate::testing::TestDaemon;

    const ADDRESS: &str = "/hooks/carriers/talking/0123456789abcdef";

    async fn with_a_provider() -> TestDaemon {
        let options = "username = 'talkdrum'\nurl = 'http://127.0.0.1:9'\napi_key = 's3cret'\n\
                       hook_secret = '0123456789abcdef'";
        let options = toml::from_str(options).unwrap();
        let section = CarrierSection { name: "talking".into(), kind: "africastalking".into(), options };
        TestDaemon::start_with(|settings| settings.carriers = vec![section]).await
    }

    #[tokio::test]
    async fn a_wrong_secret_is_refused_before_the_body_comes_and_a_right_one_waits_for_it() {
        let daemon = with_a_provider().await;
        let begun = async |secret: &str| {
            let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
            let head = format!(
                "POST /hooks/carriers/talking{secret} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\nfrom="
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut answer = [0; 12];
            // A refused body is read on for some seconds, so that its sender sees the answer.
            let read = timeout(Duration::from_secs(30), stream.read_exact(&mut answer));
            if secret == "/0123456789abcdef" {
                let held = daemon.app().bodies.bytes_at_once();
                assert!(timeout(Duration::from_millis(300), read).await.is_err(), "it is waited for, {held}");
                return String::new();
            }
            read.await.expect("it is answered at once").unwrap();
            answer.escape_ascii().to_string()
        };
        for wrong in ["/0123456789abcdeF", "/0", ""] {
            assert_eq!(begun(wrong).await, "HTTP/1.1 404", "{wrong}");
            assert_eq!(daemon.app().bodies.bytes_at_once(), 0);
        }
        begun("/0123456789abcdef").await;
    }

    #[tokio::test]
    async fn a_stop_by_callback_is_kept_once_and_makes_an_opt_out() {
        let daemon = with_a_provider().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let message = [("from", "+2348031234567"), ("to", "30012"), ("text", "Stop"), ("id", "a1")];
        let wrong = daemon.post("/hooks/carriers/talking/0123456789abcdeF", "", &message).await;
        assert_eq!(wrong.status, 404);
        for _ in 0..2 {
            assert_eq!(daemon.post(ADDRESS, "", &message).await.status, 200);
        }
        assert_eq!(daemon.post(ADDRESS, "", &[("nothing", "known")]).await.status, 400);
        let mut shown = Value::Null;
        for _ in 0..400 {
            shown = daemon.get("/api/inbound-messages", &admin).await.json();
            if shown["messages"][0]["action"] == "stop" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(
            (&shown["total"], &shown["messages"][0]["action"]),
            (&1.into(), &"stop".into()),
            "{shown}"
        );
        assert_eq!(shown["messages"][0]["carrier"], "talking");
        assert_eq!(shown["messages"][0]["parts_missing"], 0);
        let mut tx = daemon.store().read().await.unwrap();
        let everybodys = suppression::list(&mut tx, SuppressionScope::Platform, "", 0, 10).await.unwrap();
        assert_eq!((everybodys.total, everybodys.optouts[0].source.as_str()), (1, "stop"));
    }
}
