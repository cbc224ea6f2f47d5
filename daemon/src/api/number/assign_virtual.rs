//! `POST /admin/approve-virtual-number/{id}`: the id is the user's.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::sender::{VirtualNumber, VirtualNumberAssigned};
use talkdrum_core::sender::{assign_virtual_number as assign, virtual_number};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// Which number.
#[derive(Deserialize, ToSchema)]
pub(super) struct AssignVirtualNumber {
    /// In international form, or Nigerian with its 0.
    #[serde(default)]
    virtual_num: String,
}

/// Assign a virtual number to a user: to the oldest request, or without one.
#[utoipa::path(
    post, path = "/admin/approve-virtual-number/{id}", tag = "number",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = AssignVirtualNumber,
    responses((status = 200, body = VirtualNumberAssigned)),
)]
pub(super) async fn assign_virtual_number(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(user): Path<String>,
    Form { data, digest }: Form<AssignVirtualNumber>,
) -> Answer<VirtualNumberAssigned> {
    let user = parse_user(&user, &data.virtual_num)?;
    let assignment = Assignment {
        claim: key.claim_with(&caller, "virtual_number.assign", user, digest),
        user,
        number: data.virtual_num,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let virtual_number =
        app.store.write(Lane::Interactive, assignment, |tx, it| Box::pin(apply(tx, it))).await?;
    tracing::info!(user_id = user, admin_id = caller.user_id, "virtual_number.assign");
    let message = format!("The virtual number was assigned to {}", virtual_number.username);
    Ok(Json(VirtualNumberAssigned { message, virtual_number }))
}

/// The user's id. A form whose field for it was left empty asks for the number first (specification, section 5).
fn parse_user(text: &str, number: &str) -> Result<i64> {
    let id = text.trim().parse();
    if id.is_err() && number.trim().is_empty() {
        return Err(Error::field("virtual_num", "number_required", "Kindly input User's number"));
    }
    id.map_err(|_| Error::field("id", "user_required", "Kindly input User's ID"))
}

struct Assignment {
    claim: Option<Claim>,
    user: i64,
    number: String,
    by: i64,
    now: Time,
}

async fn apply(tx: &mut Tx, it: &Assignment) -> Result<VirtualNumber> {
    let id = once(tx, it.claim.as_ref(), it.now, async |tx| {
        Ok(assign(tx, it.user, &it.number, it.by, it.now).await?.id)
    })
    .await?;
    virtual_number(tx, id).await
}
