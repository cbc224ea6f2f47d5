//! `POST /api/login`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::{Authorization, LoginAnswer, SignedIn, VerificationRequired};
use talkdrum_core::Error;
use talkdrum_core::account::{self, CodeAsked, Door, SecretToken, SignIn};
use talkdrum_core::model::account::user::Email;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::caller::inactive_administrator;
use crate::http::{Answer, ApiError, Form, SignInAttempt};
use crate::state::AppState;

/// Who signs in.
#[derive(Deserialize, ToSchema)]
pub(super) struct Login {
    /// The user name or e-mail address; `email` is taken as well.
    #[serde(default)]
    username: String,
    /// The e-mail address, for clients whose form asks for one.
    #[serde(default)]
    email: String,
    /// The password.
    #[serde(default)]
    password: String,
}

/// Sign in with a user name or e-mail address.
#[utoipa::path(
    post, path = "/api/login", tag = "session", security(()),
    request_body = Login,
    responses((status = 200, body = LoginAnswer)),
)]
pub(super) async fn login(
    State(app): State<AppState>,
    SignInAttempt(origin): SignInAttempt,
    Form { data, .. }: Form<Login>,
) -> Answer<LoginAnswer> {
    enter(&app, &origin, &data, Door::Anyone).await
}

/// Signs in through either door.
pub(super) async fn enter(
    app: &AppState,
    origin: &account::Origin,
    login: &Login,
    door: Door,
) -> Answer<LoginAnswer> {
    let name = login.name()?;
    if login.password.is_empty() {
        return Err(Error::field("password", "password_required", "Password is required").into());
    }
    app.account_rate.check(name, origin.address)?;
    let credentials = (name, login.password.as_str());
    let now = app.clock.now();
    let outcome = account::sign_in(
        &app.store,
        &app.passwords,
        app.entropy.as_ref(),
        &app.sessions,
        door,
        credentials,
        (origin, now),
    )
    .await?;
    match outcome {
        SignIn::Accepted { token, user } => {
            app.account_rate.signed_in(&[&user.username, &user.email], origin.address);
            app.login_rate.signed_in(origin.address);
            Ok(Json(LoginAnswer::SignedIn(Box::new(signed_in(app, &token, &user).await?))))
        }
        SignIn::EmailUnverified { user } => {
            // The password was right, so telling that no code could be sent reveals nothing about the account.
            let asked = app.identity.send_sign_in_code(&user, origin).await?;
            Ok(Json(LoginAnswer::Verification(verification(asked, app))))
        }
        SignIn::WrongCredentials => {
            tracing::info!(address = %origin.address, "a sign-in was refused");
            Err(ApiError::new(
                axum::http::StatusCode::UNAUTHORIZED,
                "wrong_credentials",
                "The user name or the password is wrong",
            ))
        }
        SignIn::InactiveAdmin => Err(inactive_administrator()),
        SignIn::NotAdmin => Err(ApiError::forbidden("admin_only", "Only administrators may sign in here")),
    }
}

/// The answer to a right password of a user whose e-mail address is not verified.
fn verification(asked: CodeAsked, app: &AppState) -> VerificationRequired {
    let (message, resend_after_s) = match asked {
        CodeAsked::Sent => {
            let message = "A 6-digit code was sent to your email address: enter it to sign in".to_owned();
            (message, app.identity.limits.cooldown.as_secs())
        }
        CodeAsked::Wait(span) => {
            let seconds = span.as_secs() + 1;
            let message = format!(
                "No other code can be sent for {seconds} seconds: enter the newest 6-digit code that was sent to your \
                 email address, or sign in again then"
            );
            (message, seconds)
        }
    };
    let valid_for_s = account::CODE_VALID_FOR.as_secs();
    VerificationRequired { requires_email_verification: true, message, resend_after_s, valid_for_s }
}

/// The answer to a user who has just signed in.
pub(super) async fn signed_in(
    app: &AppState,
    token: &SecretToken,
    user: &talkdrum_core::model::account::user::User,
) -> Result<SignedIn, ApiError> {
    tracing::info!(user_id = user.id.0, "signed in");
    let token = token.reveal().to_owned();
    Ok(SignedIn {
        authorization: Authorization { token: token.clone(), kind: "bearer".into() },
        token,
        user: response::user(&mut app.store.read().await?, user).await?,
        message: "Logged in Successfully".into(),
    })
}

impl Login {
    /// Who wants to sign in.
    fn name(&self) -> talkdrum_core::Result<&str> {
        let (username, email) = (self.username.trim(), self.email.trim());
        if !username.is_empty() {
            return Ok(username);
        }
        if email.is_empty() {
            return Err(Error::field("username", "email_required", "Email is required"));
        }
        email.parse::<Email>()?;
        Ok(email)
    }
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("username", &self.username).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use reqwest::Method;
    use reqwest::multipart;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{PASSWORD, TestDaemon};

    #[tokio::test]
    async fn a_user_signs_in_by_name_or_address_in_every_encoding() {
        let daemon = TestDaemon::start().await;
        daemon.user("ada", Role::User).await;
        let request = || daemon.request(Method::POST, "/api/login", "");
        let multipart = multipart::Form::new().text("username", "Ada").text("password", PASSWORD);
        let json = serde_json::json!({ "email": "ada@example.com", "password": PASSWORD });
        for request in [
            request().form(&[("username", "ada"), ("password", PASSWORD)]),
            request().multipart(multipart),
            request().json(&json),
        ] {
            let reply = daemon.send(request).await;
            assert_eq!(reply.status, 200, "{}", reply.text);
            let body = reply.json();
            assert_eq!(body["token"], body["authorization"]["token"]);
            assert_eq!(body["user"]["username"], "ada");
            assert_eq!(body["message"], "Logged in Successfully");
            let token = body["token"].as_str().unwrap();
            assert_eq!(daemon.get("/api/user-profile", token).await.json()["signed_in_with"], "session");
        }
    }

    #[tokio::test]
    async fn a_wrong_password_and_an_unknown_user_get_the_same_answer() {
        let daemon = TestDaemon::start().await;
        daemon.user("ada", Role::User).await;
        let wrong = daemon.post("/api/login", "", &[("username", "ada"), ("password", "wrong horse")]).await;
        let unknown =
            daemon.post("/api/login", "", &[("username", "eve"), ("password", "wrong horse")]).await;
        let without_id = |reply: &crate::testing::Reply| {
            let mut body = reply.json();
            body["request_id"] = "".into();
            (reply.status, body)
        };
        assert_eq!(wrong.status, 401);
        assert_eq!(wrong.code(), "wrong_credentials");
        assert_eq!(without_id(&wrong), without_id(&unknown));
    }

    #[tokio::test]
    async fn what_is_missing_is_named_with_the_words_of_the_specification() {
        let daemon = TestDaemon::start().await;
        let reply = daemon.post("/api/login", "", &[("password", PASSWORD)]).await;
        assert_eq!((reply.status, reply.json()["message"].as_str()), (400, Some("Email is required")));
        let reply = daemon.post("/api/login", "", &[("email", "ada"), ("password", PASSWORD)]).await;
        assert_eq!(reply.json()["message"], "Email address is invalid");
        let reply = daemon.post("/api/login", "", &[("username", "ada")]).await;
        assert_eq!((reply.status, reply.json()["message"].as_str()), (400, Some("Password is required")));
        assert_eq!(reply.headers["content-type"], "application/problem+json");
        assert_eq!(reply.json()["request_id"].as_str(), reply.headers["x-request-id"].to_str().ok());
    }

    #[tokio::test]
    async fn an_unused_session_expires_with_the_text_that_clients_look_for() {
        let daemon = TestDaemon::start().await;
        let token = daemon.signed_in("ada", Role::User).await;
        daemon.pass(Duration::from_secs(11 * 3600));
        assert_eq!(daemon.get("/api/user-profile", &token).await.status, 200, "use keeps it alive");
        daemon.pass(Duration::from_secs(11 * 3600));
        assert_eq!(daemon.get("/api/user-profile", &token).await.status, 200);
        daemon.pass(Duration::from_secs(12 * 3600));
        let reply = daemon.get("/api/user-profile", &token).await;
        assert_eq!((reply.status, reply.code().as_str()), (401, "token_expired"));
        assert_eq!(reply.json()["error"], "Token error: Token has expired");
    }

    #[tokio::test]
    async fn a_session_ends_after_its_absolute_life_however_busy_it_is() {
        let daemon = TestDaemon::start_with(|settings| settings.session.days = NonZeroU32::MIN).await;
        let token = daemon.signed_in("ada", Role::User).await;
        for _ in 0..2 {
            daemon.pass(Duration::from_secs(10 * 3600));
            assert_eq!(daemon.get("/api/user-profile", &token).await.status, 200);
        }
        daemon.pass(Duration::from_secs(5 * 3600));
        assert_eq!(daemon.get("/api/user-profile", &token).await.code(), "token_expired");
    }

    #[tokio::test]
    async fn logging_out_ends_the_session_at_once_and_no_other() {
        let daemon = TestDaemon::start().await;
        let token = daemon.signed_in("ada", Role::User).await;
        let other = daemon.login("ada").await;
        assert_eq!(daemon.get("/api/user-profile", &token).await.status, 200);
        assert_eq!(daemon.post("/api/logout", &token, &[]).await.status, 200);
        assert_eq!(daemon.get("/api/user-profile", &token).await.code(), "unauthorized");
        assert_eq!(daemon.get("/api/user-profile", &other).await.status, 200);
    }

    #[tokio::test]
    async fn the_administrators_door_is_closed_to_users() {
        let daemon = TestDaemon::start().await;
        daemon.user("ada", Role::User).await;
        daemon.user("root", Role::Admin).await;
        let enter = |name: &'static str| [("username", name), ("password", PASSWORD)];
        let refused = daemon.post("/admin/admin-login", "", &enter("ada")).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "admin_only"));
        assert_eq!(daemon.post("/admin/admin-login", "", &enter("root")).await.status, 200);
    }

    #[tokio::test]
    async fn an_address_that_guesses_too_often_has_to_wait() {
        let daemon = TestDaemon::start_with(|settings| {
            settings.limits.login_burst = NonZeroU32::new(2).unwrap();
            settings.limits.login_per_minute = NonZeroU32::MIN;
        })
        .await;
        let guess = [("username", "ada"), ("password", "guess")];
        for _ in 0..2 {
            assert_eq!(daemon.post("/api/login", "", &guess).await.status, 401);
        }
        let reply = daemon.post("/api/login", "", &guess).await;
        assert_eq!((reply.status, reply.code().as_str()), (429, "too_many_requests"));
        assert!(reply.headers.contains_key("retry-after"));
    }
}
