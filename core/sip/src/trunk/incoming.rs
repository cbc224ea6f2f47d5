//! What the trunk asks us: in a call, to end or to change it; outside of one, whether we are there.

use std::sync::Arc;
use std::time::Duration;

use rsipstack::dialog::DialogId;
use rsipstack::dialog::dialog::DialogState;
use rsipstack::sip::{Header, HeadersExt, Method, SipMessage, StatusCode, typed};
use rsipstack::transaction::TransactionReceiver;
use rsipstack::transaction::key::TransactionRole;
use rsipstack::transaction::transaction::Transaction;
use tokio::sync::Semaphore;

use crate::leg::Leg;
use crate::line::Line;
use crate::stack::allow;

/// Requests that are being answered at the same time, outside of calls and in them. More are dropped, and repeated by
/// those who mean them.
const ANSWERING_MAX: usize = 1_024;

/// Answers until it is dropped.
pub(crate) async fn answer_all(line: Arc<Line>, mut incoming: TransactionReceiver) {
    let answering = Arc::new(Semaphore::new(ANSWERING_MAX));
    while let Some(transaction) = incoming.recv().await {
        let Ok(permit) = answering.clone().try_acquire_owned() else { continue };
        let line = line.clone();
        tokio::spawn(async move {
            if let Err(error) = answer(&line, transaction).await {
                tracing::debug!(%error, "a request was not answered");
            }
            drop(permit);
        });
    }
}

async fn answer(line: &Line, mut request: Transaction) -> rsipstack::Result<()> {
    let id = DialogId::try_from((&request.original, TransactionRole::Server))?;
    let method = request.original.method;
    if id.local_tag.is_empty() {
        return match method {
            Method::Options => request.reply_with(StatusCode::OK, vec![allow()], None).await,
            // Calls are placed here, and none is taken.
            Method::Invite => request.reply(StatusCode::Forbidden).await,
            _ => request.reply_with(StatusCode::MethodNotAllowed, vec![allow()], None).await,
        };
    }
    let Some(leg) = line.legs.find(&id) else {
        return request.reply(StatusCode::CallTransactionDoesNotExist).await;
    };
    if !leg.in_order(request.original.cseq_header()?.seq()?) {
        return request.reply(StatusCode::ServerInternalError).await;
    }
    match method {
        Method::Bye => end(&leg, request).await,
        Method::Invite | Method::Update => change_session(&leg, request).await,
        Method::Options => request.reply_with(StatusCode::OK, vec![allow(), contact(&leg)], None).await,
        // An INFO says nothing that we act on, and to refuse it ends calls with some.
        Method::Info => request.reply(StatusCode::OK).await,
        _ => request.reply_with(StatusCode::MethodNotAllowed, vec![allow()], None).await,
    }
}

/// How often, and after what pause, a BYE looks whether the 200 before it was taken in yet.
const CONFIRMED_TRIES: u32 = 20;
const CONFIRMED_PAUSE: Duration = Duration::from_millis(10);

/// Their BYE: the call hears of it through its dialog.
async fn end(leg: &Leg, mut request: Transaction) -> rsipstack::Result<()> {
    let mut dialog = leg.dialog.clone();
    for _ in 0..CONFIRMED_TRIES {
        if matches!(dialog.state(), DialogState::Confirmed(..)) {
            return dialog.handle(&mut request).await;
        }
        tokio::time::sleep(CONFIRMED_PAUSE).await;
    }
    request.reply(StatusCode::CallTransactionDoesNotExist).await
}

/// A re-INVITE or an UPDATE: to hold a call, to send its audio elsewhere, or to see whether we are still there. The dialog
/// of the stack is not asked, as it could send no BYE until the ACK came.
async fn change_session(leg: &Leg, mut request: Transaction) -> rsipstack::Result<()> {
    let is_invite = request.original.method == Method::Invite;
    let offer = std::mem::take(&mut request.original.body);
    if offer.is_empty() && !is_invite {
        return request.reply_with(StatusCode::OK, vec![allow(), contact(leg)], None).await;
    }
    let answer = match leg.answer(&offer) {
        Ok(answer) => answer,
        Err(code) => return request.reply(code).await,
    };
    let headers = vec![allow(), contact(leg), Header::ContentType("application/sdp".into())];
    request.reply_with(StatusCode::OK, headers, Some(answer.into_bytes())).await?;
    if !is_invite {
        return Ok(());
    }
    // Until the ACK comes the transaction repeats the answer, for 32 s at most.
    while let Some(message) = request.receive().await {
        if let SipMessage::Request(ack) = message
            && ack.method == Method::Ack
        {
            if offer.is_empty() {
                leg.take_answer(&ack.body);
            }
            break;
        }
    }
    Ok(())
}

fn contact(leg: &Leg) -> Header {
    let contact = typed::Contact { display_name: None, uri: leg.contact.clone(), params: Vec::new() };
    Header::Contact(contact.into())
}
