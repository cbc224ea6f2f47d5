//! Virtual numbers, assigned by administrators, and own numbers.

mod request_virtual;
mod withdraw_own;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_api::query::{OwnNumberQuery, VirtualNumberQuery};
use talkdrum_api::sender::{OwnNumbers, VirtualNumber, VirtualNumberAssigned, VirtualNumbers};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::sender::id::VirtualNumberId;
use talkdrum_core::sender::{
    self, assign_virtual_number as assign, delete_virtual_number as delete, virtual_number,
};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::api::list_query::{listing, status_asked};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller, Columns, Form, IdempotencyKey, Path, Query, SortedPage};
use crate::state::AppState;

/// What virtual numbers can be.
const VIRTUAL_STATUSES: [&str; 2] = ["pending", "approved"];
/// What own numbers can be.
const OWN_STATUSES: [&str; 2] = ["pending", "verified"];

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(request_virtual::request_virtual_number))
        .routes(routes!(list_virtual_numbers))
        .routes(routes!(list_all_virtual_numbers))
        .routes(routes!(assign_virtual_number))
        .routes(routes!(delete_virtual_number))
        .routes(routes!(list_own_numbers))
        .routes(routes!(list_all_own_numbers))
        .routes(routes!(withdraw_own::withdraw_own_number))
        .routes(routes!(withdraw_own::delete_own_number))
}

/// What the list can be sorted by.
enum ListColumns {}

impl Columns for ListColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "virtual_num", "status"];
}

/// The caller's virtual numbers, and the request that waits for one.
#[utoipa::path(
    get, path = "/api/get-virtual-number", tag = "number",
    params(VirtualNumberQuery, SortedPage<ListColumns>),
    responses((status = 200, body = VirtualNumbers)),
)]
async fn list_virtual_numbers(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<VirtualNumberQuery>,
    page: SortedPage<ListColumns>,
) -> Answer<VirtualNumbers> {
    let status = status_asked(filter.status.as_deref(), &VIRTUAL_STATUSES)?;
    let listing = listing(&page, status);
    let (virtual_numbers, total) =
        sender::list_virtual_numbers(&mut app.store.snapshot().await?, caller.user_id, &listing).await?;
    Ok(Json(VirtualNumbers { virtual_numbers, total }))
}

/// Which number.
#[derive(Deserialize, ToSchema)]
struct AssignVirtualNumber {
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
async fn assign_virtual_number(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(user): Path<String>,
    Form { data, digest }: Form<AssignVirtualNumber>,
) -> Answer<VirtualNumberAssigned> {
    let user = parse_user(&user, &data.virtual_num)?;
    let assignment = NumberAssignment {
        claim: key.claim_with(&caller, "virtual_number.assign", user.0, digest),
        user,
        number: data.virtual_num,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let virtual_number =
        app.store.write(Lane::Interactive, assignment, |tx, it| Box::pin(apply(tx, it))).await?;
    tracing::info!(user_id = user.0, admin_id = caller.user_id.0, "virtual_number.assign");
    let message = format!("The virtual number was assigned to {}", virtual_number.username);
    Ok(Json(VirtualNumberAssigned { message, virtual_number }))
}

/// The user's id. A form whose field for it was left empty asks for the number first (specification, section 5).
fn parse_user(text: &str, number: &str) -> Result<UserId> {
    let id = text.trim().parse().map(UserId);
    if id.is_err() && number.trim().is_empty() {
        return Err(Error::field("virtual_num", "number_required", "Kindly input User's number"));
    }
    id.map_err(|_| Error::field("id", "user_required", "Kindly input User's ID"))
}

struct NumberAssignment {
    claim: Option<Claim>,
    user: UserId,
    number: String,
    by: UserId,
    now: Time,
}

async fn apply(tx: &mut Tx, it: &NumberAssignment) -> Result<VirtualNumber> {
    let id = once(tx, it.claim.as_ref(), it.now, async |tx| {
        Ok(VirtualNumberId(assign(tx, it.user, &it.number, it.by, it.now).await?.id))
    })
    .await?;
    virtual_number(tx, id).await
}

/// Take a virtual number, or a request for one, away: campaigns that are being sent from it pause.
#[utoipa::path(
    delete, path = "/admin/delete-virtual-number/{id}", tag = "number",
    params(("id" = i64, Path, description = "The virtual number's record")),
    responses((status = 200, body = Message)),
)]
async fn delete_virtual_number(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<VirtualNumberId>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "virtual_number.delete", id.0), id, caller.user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, id, by, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    delete(tx, *id, *by, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    tracing::info!(virtual_number = id.0, admin_id = caller.user_id.0, "virtual_number.delete");
    Ok(Json(Message { message: "Virtual Number deleted successfully".into() }))
}

/// What the list can be sorted by.
enum OwnNumberColumns {}

impl Columns for OwnNumberColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "phone_number", "status"];
}

/// The caller's own numbers, which calls verified: see `POST /api/voice-call`.
#[utoipa::path(
    get, path = "/api/get-own-number", tag = "number",
    params(OwnNumberQuery, SortedPage<OwnNumberColumns>),
    responses((status = 200, body = OwnNumbers)),
)]
async fn list_own_numbers(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<OwnNumberQuery>,
    page: SortedPage<OwnNumberColumns>,
) -> Answer<OwnNumbers> {
    let status = status_asked(filter.status.as_deref(), &OWN_STATUSES)?;
    let listing = listing(&page, status);
    let (own_numbers, total) =
        sender::list_own_numbers(&mut app.store.snapshot().await?, caller.user_id, &listing).await?;
    Ok(Json(OwnNumbers { own_numbers, total }))
}

/// What the list can be sorted by.
enum AllOwnColumns {}

impl Columns for AllOwnColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "phone_number", "username", "status"];
}

/// All users' own numbers; `q` searches numbers and user names.
#[utoipa::path(
    get, path = "/admin/get-own-numbers", tag = "number",
    params(OwnNumberQuery, SortedPage<AllOwnColumns>),
    responses((status = 200, body = OwnNumbers)),
)]
async fn list_all_own_numbers(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<OwnNumberQuery>,
    page: SortedPage<AllOwnColumns>,
) -> Answer<OwnNumbers> {
    let status = status_asked(filter.status.as_deref(), &OWN_STATUSES)?;
    let listing = listing(&page, status);
    let (own_numbers, total) =
        sender::list_all_own_numbers(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(OwnNumbers { own_numbers, total }))
}

/// What the list can be sorted by.
enum AllVirtualColumns {}

impl Columns for AllVirtualColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "virtual_num", "username", "status"];
}

/// All users' virtual numbers and requests for one; `q` searches numbers and user names.
#[utoipa::path(
    get, path = "/admin/get-virtual-numbers", tag = "number",
    params(VirtualNumberQuery, SortedPage<AllVirtualColumns>),
    responses((status = 200, body = VirtualNumbers)),
)]
async fn list_all_virtual_numbers(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<VirtualNumberQuery>,
    page: SortedPage<AllVirtualColumns>,
) -> Answer<VirtualNumbers> {
    let status = status_asked(filter.status.as_deref(), &VIRTUAL_STATUSES)?;
    let listing = listing(&page, status);
    let (virtual_numbers, total) =
        sender::list_all_virtual_numbers(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(VirtualNumbers { virtual_numbers, total }))
}
