//! `POST /admin/users`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use talkdrum_api::account::User;
use talkdrum_core::Result;
use talkdrum_core::account::{Identity, check_new_password, phone_number};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::{DEFAULT_ZONE, NewUser, Role};
use talkdrum_core::operate::user as operated;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::{AdminCaller, ApiError, Form, IdempotencyKey};
use crate::state::AppState;

/// The user to be made.
#[derive(Deserialize, ToSchema)]
pub(super) struct CreateUser {
    /// The person's or business's name.
    #[serde(default)]
    name: String,
    /// The name to sign in by: 3 to 32 letters, digits, dots, dashes or underscores.
    #[serde(default)]
    username: String,
    /// The e-mail address.
    #[serde(default)]
    email: String,
    /// The phone number, as `0803...` or with a country code.
    phone_number: Option<String>,
    /// At least 8 characters.
    #[serde(default)]
    password: String,
    /// Whether the e-mail address counts as verified, as it does unless you say `false`: then the first sign-in asks for a
    /// code sent to it.
    email_verified: Option<bool>,
    /// `user` or `admin`; `user` when it is not given.
    role: Option<String>,
}

/// The user that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CreatedUser {
    /// The user.
    user: User,
    /// For people.
    message: String,
}

/// Make a user or an administrator. An administrator needs a session with a sign-in or `POST /api/sessions/reauthenticate`
/// within the last ten minutes, and is reported to all administrators.
#[utoipa::path(
    post, path = "/admin/users", tag = "user",
    request_body = CreateUser,
    responses((status = 201, body = CreatedUser)),
)]
pub(super) async fn create_user(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<CreateUser>,
) -> Result<(StatusCode, Json<CreatedUser>), ApiError> {
    let role = data.role.as_deref().unwrap_or("user").parse()?;
    if role == Role::Admin {
        caller.require_recent(&app).await?;
    }
    let user = parse(&app, data, role).await?;
    let claim = key.claim(&caller, "user.create", digest);
    let identity = app.identity.clone();
    let making = Making { claim, user, identity, by: caller.user_id, now: app.clock.now() };
    let user = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let message = format!("{} can sign in now", user.username);
    Ok((StatusCode::CREATED, Json(CreatedUser { user, message })))
}

async fn parse(app: &AppState, data: CreateUser, role: Role) -> Result<NewUser> {
    let user = NewUser {
        name: data.name.trim().to_owned(),
        username: data.username.parse()?,
        email: data.email.parse()?,
        email_verified_at: data.email_verified.unwrap_or(true).then(|| app.clock.now()),
        phone_number: data.phone_number.map(|text| phone_number(&text)).transpose()?.map(|it| it.to_string()),
        role,
        zone: DEFAULT_ZONE.into(),
        password_hash: None,
    };
    check_new_password(&data.password)?;
    Ok(NewUser { password_hash: Some(app.passwords.hash(&data.password).await?), ..user })
}

struct Making {
    claim: Option<Claim>,
    user: NewUser,
    identity: Identity,
    by: UserId,
    now: Time,
}

async fn make(tx: &mut Tx, it: &Making) -> Result<User> {
    let made = once(tx, it.claim.as_ref(), it.now, async |tx| {
        operated::create_user(tx, &it.identity, &it.user, it.by, it.now).await
    })
    .await?;
    response::by_id(tx, made).await
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{PASSWORD, TestDaemon};

    const ADA: [(&str, &str); 5] = [
        ("name", "Ada Obi"),
        ("username", "Ada"),
        ("email", "Ada@Example.com"),
        ("phone_number", "0803 123 4567"),
        ("password", PASSWORD),
    ];

    #[tokio::test]
    async fn an_administrator_makes_a_user_who_can_sign_in() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let reply = daemon.post("/admin/users", &admin, &ADA).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        let user = &reply.json()["user"];
        assert_eq!((user["username"].as_str(), user["role"].as_str()), (Some("ada"), Some("user")));
        assert_eq!(user["phone_number"], "2348031234567");
        assert!(!reply.text.contains("argon2"));
        daemon.login("ada").await;
    }

    #[tokio::test]
    async fn a_taken_name_or_address_is_refused_by_field_in_whatever_case() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        daemon.post("/admin/users", &admin, &ADA).await;
        let with = |field: &'static str, value: &'static str| {
            ADA.map(|(name, old)| if name == field { (name, value) } else { (name, old) })
        };
        for (form, field) in
            [(with("email", "x@example.com"), "username"), (with("username", "other"), "email")]
        {
            let reply = daemon.post("/admin/users", &admin, &form).await;
            assert_eq!(reply.status, 400);
            assert_eq!(reply.json()["errors"][0]["field"], field);
        }
        for (form, message) in [
            (with("name", " "), "Name is required"),
            (with("email", "nowhere"), "Email address is invalid"),
            (with("password", "short"), "Password must have at least 8 characters"),
        ] {
            assert_eq!(daemon.post("/admin/users", &admin, &form).await.json()["message"], message);
        }
    }

    #[tokio::test]
    async fn an_address_that_nobody_vouches_for_is_proven_at_the_first_sign_in() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let form = [&ADA[..], &[("email_verified", "false")]].concat();
        assert_eq!(daemon.post("/admin/users", &admin, &form).await.json()["user"]["email_verified"], false);
        let login = daemon.post("/api/login", "", &[("username", "ada"), ("password", PASSWORD)]).await;
        assert_eq!(login.json()["requires_email_verification"], true);
        assert_eq!(
            (&login.json()["resend_after_s"], &login.json()["valid_for_s"]),
            (&60.into(), &600.into()),
            "{}",
            login.text
        );
        let again =
            daemon.post("/api/login", "", &[("username", "ada"), ("password", PASSWORD)]).await.json();
        let said = again["message"].as_str().unwrap();
        assert!(said.starts_with("No other code can be sent for 61 seconds: enter the newest"), "{said}");
        assert_eq!(again["resend_after_s"], 61);
        let code = daemon.code_for("ada@example.com").await;
        let reply = daemon.post("/api/verify/email", "", &[("username", "ada"), ("code", &code)]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
    }

    #[tokio::test]
    async fn the_same_request_twice_makes_one_user() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let request =
            || daemon.request(Method::POST, "/admin/users", &admin).header("Idempotency-Key", "a").form(&ADA);
        let (first, second) = (daemon.send(request()).await, daemon.send(request()).await);
        assert_eq!((first.status, second.status), (201, 201));
        assert_eq!(first.json(), second.json());
        assert_eq!(daemon.get("/admin/get-all-active-users", &admin).await.json()["total"], 2);
    }

    #[tokio::test]
    async fn users_are_searched_paged_and_moved_between_the_lists() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.user("ada", Role::User).await;
        daemon.user("ada_b", Role::User).await;
        let users = |query: &'static str| daemon.get(query, &admin);
        let found = users("/admin/get-all-active-users?q=ADA&page=1&per_page=1").await.json();
        assert_eq!((&found["total"], found["active_users"].as_array().unwrap().len()), (&2.into(), 1));
        assert_eq!(found["active_users"][0]["username"], "ada_b", "newest first");
        assert_eq!(users("/admin/get-all-active-users?q=a_b").await.json()["total"], 1, "no wildcard");
        let reply = daemon.post(&format!("/admin/deactivate-user/{ada}"), &admin, &[]).await;
        assert_eq!(reply.json()["message"], "ada is inactive now");
        let inactive = users("/admin/get-all-inactive-users").await.json();
        assert_eq!(inactive["inactive_users"][0]["id"], ada.0);
        let details = daemon.get(&format!("/admin/get-user-details/{ada}"), &admin).await.json();
        assert_eq!(details["user"]["status"], "inactive");
        assert_eq!(daemon.post(&format!("/admin/activate-user/{ada}"), &admin, &[]).await.status, 200);
        assert_eq!(users("/admin/get-all-inactive-users").await.json()["total"], 0);
    }

    #[tokio::test]
    async fn an_inactive_user_signs_in_again_and_reads_and_the_change_is_seen_at_once() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        assert_eq!(daemon.get("/api/user-profile", &ada).await.json()["user"]["status"], "active");
        daemon.post(&format!("/admin/deactivate-user/{id}"), &admin, &[]).await;
        assert_eq!(daemon.get("/api/user-profile", &ada).await.status, 401, "sessions end");
        let reply = daemon.get("/api/user-profile", &daemon.login("ada").await).await;
        assert_eq!((reply.status, reply.json()["user"]["status"].as_str()), (200, Some("inactive")));
    }

    #[tokio::test]
    async fn the_last_active_administrator_stays() {
        let daemon = TestDaemon::start().await;
        let id = daemon.user("root", Role::Admin).await;
        let admin = daemon.login("root").await;
        let reply = daemon.post(&format!("/admin/deactivate-user/{id}"), &admin, &[]).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "last_admin"));
        for missing in ["999", "x"] {
            assert_eq!(
                daemon.post(&format!("/admin/activate-user/{missing}"), &admin, &[]).await.status,
                404
            );
        }
    }
}
