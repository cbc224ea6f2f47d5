//! `POST /api/register/start`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::CodeSent;
use talkdrum_core::account::RegistrationForm;
use utoipa::ToSchema;

use super::told;
use crate::http::{Answer, CodeAttempt, Form};
use crate::state::AppState;

/// Who registers.
#[derive(Deserialize, ToSchema)]
#[serde(default)]
#[derive(Default)]
pub(super) struct StartRegistration {
    /// The person's or business's name.
    name: String,
    /// To sign in by: 3 to 32 letters, digits, dots, dashes or underscores.
    username: String,
    /// The e-mail address.
    email: String,
    /// The phone number, as `0803...` or with a country code.
    phone_number: String,
    /// At least 8 characters.
    password: String,
    /// The password again.
    password_confirmation: String,
}

/// Register: a six-digit code goes to the phone number. An address or number that has an account gets the same answer,
/// and its owner is told.
#[utoipa::path(
    post, path = "/api/register/start", tag = "register", security(()),
    request_body = StartRegistration,
    responses((status = 200, body = CodeSent)),
)]
pub(super) async fn start_registration(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<StartRegistration>,
) -> Answer<CodeSent> {
    let form = RegistrationForm {
        name: data.name,
        username: data.username,
        email: data.email,
        phone_number: data.phone_number,
        password: data.password,
        password_confirmation: data.password_confirmation,
    };
    let asked = app.identity.start_registration(&form, &origin).await?;
    Ok(Json(told(asked, "Code sent", &app)?))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::Method;
    use serde_json::json;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{PASSWORD, TestDaemon};

    const PHONE: &str = "0803 123 4567";

    fn form(name: &'static str, phone: &'static str) -> Vec<(&'static str, String)> {
        vec![
            ("name", "Ada Obi".into()),
            ("username", name.into()),
            ("email", format!("{name}@example.com")),
            ("phone_number", phone.into()),
            ("password", PASSWORD.into()),
            ("password_confirmation", PASSWORD.into()),
        ]
    }

    async fn start(daemon: &TestDaemon, form: &[(&'static str, String)]) -> crate::testing::Reply {
        daemon.send(daemon.request(Method::POST, "/api/register/start", "").form(form)).await
    }

    #[tokio::test]
    async fn somebody_registers_proves_number_and_address_and_is_signed_in() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let reply = start(&daemon, &form("ada", PHONE)).await;
        assert_eq!(
            (reply.status, reply.json()["message"].as_str()),
            (200, Some("Code sent")),
            "{}",
            reply.text
        );
        let early = daemon.post("/api/login", "", &[("username", "ada"), ("password", PASSWORD)]).await;
        assert_eq!(early.status, 401, "nobody before the code");
        let code = daemon.code_for("2348031234567").await;
        let reply =
            daemon.post("/api/register/verify", "", &[("code", &code), ("phone_number", PHONE)]).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        let login = json!({"email": "ada@example.com", "password": PASSWORD});
        let reply = daemon.send(daemon.request(Method::POST, "/api/login", "").json(&login)).await;
        assert_eq!((reply.status, &reply.json()["requires_email_verification"]), (200, &true.into()));
        assert!(reply.json()["token"].is_null() && !reply.json()["message"].as_str().unwrap().is_empty());
        let code = daemon.code_for("ada@example.com").await;
        let reply = daemon.post("/api/verify/email", "", &[("username", "ada"), ("code", &code)]).await;
        assert_eq!((reply.status, reply.json()["message"].as_str()), (200, Some("Logged in Successfully")));
        let token = reply.json()["token"].as_str().unwrap().to_owned();
        let profile = daemon.get("/api/user-profile", &token).await.json();
        assert_eq!(profile["user"]["phone_number"], "2348031234567");
        daemon.login("ada").await;
    }

    #[tokio::test]
    async fn who_has_an_account_is_answered_like_who_has_none() {
        let daemon = TestDaemon::start_in_sandbox().await;
        daemon.user("ada", Role::User).await;
        let mut known = form("eve", "08031000001");
        known[2].1 = "Ada@example.com".into();
        let known = start(&daemon, &known).await;
        let unknown = start(&daemon, &form("bob", "08031000002")).await;
        assert_eq!((known.status, known.text), (200, unknown.text));
        let told = daemon.outbox_to("ada@example.com").await;
        assert!(told.contains("has an account already"), "{told}");
        let forgot =
            async |email: &str| daemon.post("/api/password/forgot", "", &[("email", email)]).await.text;
        daemon.pass(Duration::from_secs(61));
        assert_eq!(forgot("ada@example.com").await, forgot("nobody@example.com").await);
    }

    #[tokio::test]
    async fn codes_are_a_minute_apart_and_what_is_missing_is_named() {
        let daemon = TestDaemon::start_in_sandbox().await;
        start(&daemon, &form("ada", PHONE)).await;
        let resend = async || daemon.post("/api/register/resend", "", &[("phone_number", PHONE)]).await;
        let reply = resend().await;
        assert_eq!((reply.status, reply.code().as_str()), (429, "too_many_requests"));
        assert_eq!(reply.headers["retry-after"], "61");
        daemon.pass(Duration::from_secs(61));
        assert_eq!(resend().await.json()["message"], "Code sent");
        let verify = async |fields: &[(&str, &str)]| {
            let reply = daemon.post("/api/register/verify", "", fields).await;
            (reply.status, reply.json()["message"].as_str().unwrap().to_owned())
        };
        assert_eq!(verify(&[]).await, (400, "Please enter your phone number".into()));
        let short = [("phone_number", PHONE), ("code", "12")];
        assert_eq!(verify(&short).await, (400, "Please enter the 6-digit code".into()));
        let reply = start(&daemon, &form("", PHONE)).await;
        assert_eq!((reply.status, reply.json()["message"].as_str()), (400, Some("Username is required")));
    }
}
