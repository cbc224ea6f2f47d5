//! `GET /api/user-profile`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Profile;
use talkdrum_core::Error;
use talkdrum_core::account::Credential;
use talkdrum_core::store::account::user;

use crate::api::user::response;
use crate::http::{Answer, Caller};
use crate::state::AppState;

/// Who is signed in, with balances.
#[utoipa::path(get, path = "/api/user-profile", tag = "profile", responses((status = 200, body = Profile)))]
pub(super) async fn show_profile(State(app): State<AppState>, caller: Caller) -> Answer<Profile> {
    let mut tx = app.store.snapshot().await?;
    let user = user::by_id(&mut tx, caller.user_id).await?.ok_or(Error::NotFound("user"))?;
    let (signed_in_with, scopes) = match caller.credential {
        Credential::Session { .. } => ("session", Vec::new()),
        Credential::ApiKey { scopes, .. } => ("api_key", scopes.codes()),
    };
    Ok(Json(Profile {
        user: response::user(&mut tx, &user).await?,
        signed_in_with: signed_in_with.into(),
        scopes: scopes.into_iter().map(str::to_owned).collect(),
    }))
}
