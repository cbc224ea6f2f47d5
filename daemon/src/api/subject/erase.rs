//! `POST /admin/subjects/{number}/erase`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::subject::{EraseSubject, ErasedSubject};
use talkdrum_core::operate::subject;

use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// Erase a number: its contacts, what came from it, and its place in what was sent, which keeps status and price. Opt-outs are
/// kept under a keyed digest. The call goes on for some seconds, and answers with `next` where there is more: call again with
/// `from`. Doing it again changes nothing. It is in the audit trail, which names the last digits alone.
///
/// 409 `messages_open` while a message to the number may still go out, or is awaited.
#[utoipa::path(
    post, path = "/admin/subjects/{number}/erase", tag = "subject",
    params(("number" = String, Path, description = "The number, in any usual form")),
    request_body = EraseSubject,
    responses((status = 200, body = ErasedSubject)),
)]
pub(super) async fn erase_subject(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(number): Path<String>,
    form: Form<EraseSubject>,
) -> Answer<ErasedSubject> {
    let number = super::number_of(&number)?;
    let _seat = app.exports.take(caller.user_id)?;
    let (networks, from) = (&app.campaigns.networks, form.data.from.as_deref());
    let erased =
        subject::erase(&app.store, app.clock.as_ref(), caller.user_id, (number, from), networks).await?;
    Ok(Json(erased))
}
