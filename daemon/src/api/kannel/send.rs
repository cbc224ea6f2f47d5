//! The call itself: who makes it, and what is answered.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method};
use talkdrum_core::account::{Authentication, Caller, Credential, KeyScope, is_shown_as};
use talkdrum_core::campaign::single::{Sent, Single};
use talkdrum_core::model::account::id::UserId;

use super::form::{Call, SendSms};
use super::params::Params;
use super::reply::Reply;
use crate::api::message::send_all;
use crate::http::{ApiError, ClientAddress, IdempotencyKey, body};
use crate::limit::ANONYMOUS_BYTES;
use crate::limit::admission::{HeldRoom, Sender};
use crate::state::AppState;

type Answer = std::result::Result<Reply, Reply>;

/// Send messages as Kannel's smsbox does, by parameters of the address.
///
/// Others than Kannel write addresses into logs, and with them the API key: use POST where you can. Each number is a message
/// like one of `POST /api/messages`, with its price. A call that is repeated sends again, unless it has an
/// `Idempotency-Key`.
#[utoipa::path(
    get, path = "/cgi-bin/sendsms", tag = "kannel",
    params(SendSms), security(()),
    responses(
        (status = 202, description = "`0: Accepted for delivery`, or `3: Queued for later delivery`; numbers that get no message follow.",
         body = String, content_type = "text/plain", headers(
             ("x-message-ids" = String, description = "The ids of the messages, with commas between them."),
             ("x-failed-receivers" = String, description = "The numbers that got no message by a fault, with commas between them: digits only."),
         )),
        (status = 400, description = "What Kannel says of the parameter at fault, or why the platform refuses the message.", body = String, content_type = "text/plain"),
        (status = 403, description = "`Authorization failed for sendsms`", body = String, content_type = "text/plain"),
        (status = "default", description = "`Temporal failure, try again later.` with 503, 500 where the message may have been sent, or another refusal in words.", body = String, content_type = "text/plain"),
    ),
)]
pub(super) async fn send_sms_by_url(
    State(app): State<AppState>,
    address: ClientAddress,
    key: std::result::Result<IdempotencyKey, ApiError>,
    request: Request,
) -> Answer {
    // The router takes HEAD for GET; it must not send.
    if request.method() == Method::HEAD {
        return Err(Reply::refused("Use GET or POST"));
    }
    count_stranger(&app, address.0)?;
    let mut params = Params::default();
    params.read(query(&request))?;
    let held = request.extensions().get::<HeldRoom>().cloned().unwrap_or_default();
    send(&app, &held, address, key, &params).await
}

/// Send messages as Kannel's smsbox does.
///
/// The parameters stand in the body, or in the address. A body of `text/plain` or `application/octet-stream` is the text
/// itself; the parameters are then headers such as `X-Kannel-To`, as Kannel has it. See the call by GET.
#[utoipa::path(
    post, path = "/cgi-bin/sendsms", tag = "kannel",
    request_body(content = SendSms, content_type = "application/x-www-form-urlencoded"), security(()),
    responses(
        (status = 202, description = "`0: Accepted for delivery`, or `3: Queued for later delivery`; numbers that get no message follow.",
         body = String, content_type = "text/plain", headers(
             ("x-message-ids" = String, description = "The ids of the messages, with commas between them."),
             ("x-failed-receivers" = String, description = "The numbers that got no message by a fault, with commas between them: digits only."),
         )),
        (status = 400, description = "What Kannel says of the parameter at fault, or why the platform refuses the message.", body = String, content_type = "text/plain"),
        (status = 403, description = "`Authorization failed for sendsms`", body = String, content_type = "text/plain"),
        (status = "default", description = "`Temporal failure, try again later.` with 503, 500 where the message may have been sent, or another refusal in words.", body = String, content_type = "text/plain"),
    ),
)]
pub(super) async fn send_sms(
    State(app): State<AppState>,
    address: ClientAddress,
    key: std::result::Result<IdempotencyKey, ApiError>,
    request: Request,
) -> Answer {
    // Who calls stands in the body, so it is read as that of a stranger.
    count_stranger(&app, address.0)?;
    let mut params = Params::default();
    params.read(query(&request))?;
    let held = request.extensions().get::<HeldRoom>().cloned().unwrap_or_default();
    let headers = request.headers().clone();
    let body = body::callback(request, &app, (Sender::Address, ANONYMOUS_BYTES)).await?;
    read_body(&mut params, &headers, body)?;
    send(&app, &held, address, key, &params).await
}

/// The parameters of the address, which the server takes up to 64 KiB of.
fn query(request: &Request) -> &[u8] {
    request.uri().query().unwrap_or_default().as_bytes()
}

fn read_body(params: &mut Params, headers: &HeaderMap, body: Vec<u8>) -> std::result::Result<(), Reply> {
    let announced = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (essence, rest) = announced.split_once(';').unwrap_or((announced, ""));
    match essence.trim().to_ascii_lowercase().as_str() {
        "application/x-www-form-urlencoded" => params.read(&body)?,
        "" if body.is_empty() => {}
        "text/plain" | "application/octet-stream" => {
            params.read_headers(headers)?;
            let mut parameters = rest.split(';').filter_map(|parameter| parameter.split_once('='));
            if let Some((_, charset)) =
                parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
            {
                params.add("charset", charset.trim().trim_matches('"').as_bytes().to_vec())?;
            }
            params.add("text", body)?;
        }
        _ => return Err(Reply::refused("Unsupported content-type, rejected")),
    }
    Ok(())
}

/// Counts a call from an address that never gave right credentials. Those that did may call as often as they pay for.
fn count_stranger(app: &AppState, address: IpAddr) -> std::result::Result<(), Reply> {
    if app.sendsms_rate.knows(address) {
        return Ok(());
    }
    app.sendsms_rate.check(address).map_err(Reply::from)
}

async fn send(
    app: &AppState,
    held: &HeldRoom,
    ClientAddress(address): ClientAddress,
    key: std::result::Result<IdempotencyKey, ApiError>,
    params: &Params,
) -> Answer {
    let caller = authenticated(app, address, params).await?;
    held.is_for(caller.user_id);
    if !caller.allows(KeyScope::Send) {
        let scope = KeyScope::Send.code();
        return Err(
            ApiError::forbidden("scope_missing", format!("This API key has no scope '{scope}'")).into()
        );
    }
    caller.require_active()?;
    if !caller.sees_all() && app.maintenance.message(&app.store, app.clock.now()).await?.is_some() {
        return Err(Reply::unavailable(None));
    }
    let key = key?;
    let call = Call::read(params, &caller.username, app.webhook_reach, app.clock.now())?;
    let digest = params.digest();
    if key.0.is_some() && call.numbers.len() + call.too_long.len() > 1 {
        return Err(Reply::refused(
            "An Idempotency-Key is for one number: send to each in a call of its own",
        ));
    }
    let singles = call.numbers.iter().map(|number| Single {
        user_id: caller.user_id,
        kind: call.kind,
        sender: Some(call.sender.clone()),
        payment_method: Some(call.payment_method.clone()),
        purpose: Ok(caller.default_purpose()),
        contact: number.clone(),
        content: call.content(),
        max_charge: None,
        start: call.start,
        callback: call.callback(number),
        claim: key.clone().claim(&caller, "kannel.sendsms", digest),
    });
    let outcomes = send_all(app, caller.user_id, singles.collect()).await.map_err(|_| Reply::doubtful())?;
    answer(caller.user_id, &call, outcomes)
}

/// What is answered, by what became of each number.
pub(super) fn answer(user: UserId, call: &Call, outcomes: Vec<talkdrum_core::Result<Sent>>) -> Answer {
    let (mut messages, mut failed, mut waits) = (Vec::new(), Vec::new(), call.start.is_some());
    let mut denied = call.too_long.clone();
    let mut refusal = (!denied.is_empty()).then(Reply::bad_number);
    let mut fault: Option<Reply> = None;
    for (number, outcome) in call.numbers.iter().zip(outcomes) {
        match outcome {
            Ok(sent) => {
                waits |= sent.delayed_start.is_some() || sent.is_in_review;
                messages.push(sent.message.id);
            }
            Err(error) => {
                let code = error.code();
                let reply = Reply::from(error);
                if reply.is_fault() {
                    tracing::warn!(
                        user = user.0,
                        code,
                        "a number of a sendsms call got no message by a fault"
                    );
                    failed.push(number.clone());
                    // One that may have been sent must not be sent again because others may.
                    fault = fault.filter(|fault| fault.is_doubtful() || !reply.is_doubtful()).or(Some(reply));
                } else {
                    denied.push(number.clone());
                    refusal.get_or_insert(reply);
                }
            }
        }
    }
    match fault.or(refusal) {
        Some(reply) if messages.is_empty() => Err(reply),
        _ => Ok(Reply::taken(messages, waits, &denied, failed)),
    }
}

/// The owner of the API key that is the password. What is not remembered to be right is counted by address before the
/// database is asked.
async fn authenticated(
    app: &AppState,
    address: IpAddr,
    params: &Params,
) -> std::result::Result<std::sync::Arc<Caller>, Reply> {
    let (name, secret) = (params.text(&["username", "user"]), params.text(&["password", "pass"]));
    let is_right = |caller: &Caller| {
        matches!(caller.credential, Credential::ApiKey { .. })
            && (caller.username.eq_ignore_ascii_case(&name) || is_shown_as(&secret, &name))
    };
    let now = app.clock.now();
    let is_remembered = app.callers.remembered(&secret, now).is_some_and(|caller| is_right(&caller));
    // Strangers were counted before.
    if app.sendsms_rate.knows(address) && !is_remembered {
        app.sendsms_rate.check(address)?;
    }
    match app.callers.authenticate(&secret, now).await? {
        Authentication::Caller(caller) if is_right(&caller) => {
            app.sendsms_rate.signed_in(address);
            Ok(caller)
        }
        _ => Err(Reply::unauthorized()),
    }
}
