//! `POST /api/edit-profile`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::EditedProfile;
use talkdrum_core::account::{AVATAR_MAX, CodeAsked, ProfileForm};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::fields::sent;
use crate::http::upload::{Part, PartSink};
use crate::http::{Answer, ApiError, IdempotencyKey, Origin, SessionCaller, Upload};
use crate::state::AppState;

/// What changes; what is not sent stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct EditProfile {
    /// The person's or business's name.
    #[serde(default, deserialize_with = "sent")]
    name: Option<String>,
    /// A new phone number, as `0803...` or with a country code: a code is sent there, and it counts once
    /// `/api/confirm-phone` has the code. `phone` is taken as well.
    #[serde(default, alias = "phone", deserialize_with = "sent")]
    phone_number: Option<String>,
    /// As you put it; nothing, to take it back.
    #[serde(default, deserialize_with = "sent")]
    gender: Option<String>,
    /// A time zone such as `Africa/Lagos`.
    zone: Option<String>,
    /// A new e-mail address: a code is sent there, and it counts once `/api/confirm-email` has the code. Needs a sign-in
    /// or `POST /api/sessions/reauthenticate` within the last ten minutes, unless it is the present address.
    email: Option<String>,
    /// A picture as a file: PNG, JPEG or WebP, at most 512 KiB; `photo` is taken as well.
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "documented here, read as a part of its own")]
    avatar: Option<String>,
    /// Takes the picture away.
    #[serde(default)]
    remove_avatar: bool,
}

/// Takes the picture, and no more than it may have.
#[derive(Debug, Default)]
struct PictureSink(Vec<u8>);

impl PartSink for PictureSink {
    fn begin(&mut self, _: Part<'_>) -> Result<()> {
        self.0.clear();
        Ok(())
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        if self.0.len() + bytes.len() > AVATAR_MAX {
            return Err(Error::field("avatar", "avatar_large", "The picture must have at most 512 KiB"));
        }
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Change your profile.
#[utoipa::path(
    post, path = "/api/edit-profile", tag = "profile",
    request_body(content = EditProfile, content_type = "multipart/form-data"),
    responses((status = 200, body = EditedProfile)),
)]
pub(super) async fn edit_profile(
    State(app): State<AppState>,
    caller: SessionCaller,
    key: IdempotencyKey,
    Origin(origin): Origin,
    upload: Upload,
) -> Answer<EditedProfile> {
    let mut picture = PictureSink::default();
    let form = upload.read::<EditProfile>(&["avatar", "photo"], &mut picture).await?;
    let (data, claim) = (form.data, key.claim(&caller, "profile.edit", form.digest));
    if let Some(email) = &data.email {
        let user = response::by_id(&mut app.store.read().await?, caller.user_id).await?;
        if !user.email.eq_ignore_ascii_case(email.trim()) {
            caller.require_recent(&app).await?;
        }
    }
    let edit = ProfileForm {
        name: data.name,
        phone_number: data.phone_number,
        gender: data.gender,
        zone: data.zone,
        email: data.email,
        avatar: Some(picture.0).filter(|bytes| !bytes.is_empty()),
        remove_avatar: data.remove_avatar,
    };
    let asked = app.identity.edit_profile(caller.user_id, edit, &origin, claim).await?;
    if let Some(CodeAsked::Wait(span)) = asked.email.into_iter().chain(asked.phone).max_by_key(waits) {
        return Err(ApiError::too_many(span.as_secs() + 1));
    }
    let message = match (asked.email.is_some(), asked.phone.is_some()) {
        (false, false) => "Your profile is changed",
        (true, false) => {
            "Your profile is changed; the new e-mail address counts once you enter the code that was sent to it"
        }
        (false, true) => {
            "Your profile is changed; the new phone number counts once you enter the code that was sent to it"
        }
        (true, true) => {
            "Your profile is changed; the new e-mail address and the new phone number each count once you enter the \
             code that was sent to it"
        }
    };
    Ok(Json(EditedProfile {
        user: response::by_id(&mut app.store.read().await?, caller.user_id).await?,
        requires_email_verification: asked.email.is_some(),
        requires_phone_verification: asked.phone.is_some(),
        message: message.to_owned(),
    }))
}

const fn waits(asked: &CodeAsked) -> Duration {
    match asked {
        CodeAsked::Sent => Duration::ZERO,
        CodeAsked::Wait(span) => *span,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::Method;
    use reqwest::multipart::{Form, Part};
    use serde_json::Value;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    fn png() -> Vec<u8> {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        png.extend([0; 64]);
        png
    }

    #[tokio::test]
    async fn a_profile_is_changed_field_by_field_and_a_new_address_or_number_by_its_code() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let edit = async |fields: &[(&str, &str)]| daemon.post("/api/edit-profile", &ada, fields).await;
        let reply = edit(&[("name", "Ada O."), ("phone", "08031234567"), ("gender", "female")]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let user = &reply.json()["user"];
        assert_eq!((&user["name"], &user["gender"]), (&"Ada O.".into(), &"female".into()));
        assert_eq!((&user["phone_number"], &user["zone"]), (&Value::Null, &"Africa/Lagos".into()), "not yet");
        assert_eq!(reply.json()["requires_phone_verification"], true);
        let kept = edit(&[("zone", "Africa/Accra")]).await.json();
        assert_eq!(kept["user"]["gender"], "female", "it was not sent");
        assert_eq!(edit(&[("gender", "")]).await.json()["user"]["gender"], Value::Null);
        assert_eq!(edit(&[("zone", "Africa/Lagos")]).await.status, 200);
        let code = daemon.code_for("2348031234567").await;
        let wrong = daemon.post("/api/confirm-phone", &ada, &[("code", "12345")]).await;
        assert_eq!(wrong.json()["message"], "Please enter the 6-digit code");
        let reply = daemon.post("/api/confirm-phone", &ada, &[("code", &code)]).await;
        assert_eq!(reply.json()["user"]["phone_number"], "2348031234567", "{}", reply.text);
        let again = edit(&[("phone", "+234 803 123 4567")]).await.json();
        assert_eq!(again["requires_phone_verification"], false, "it is proven");
        for (field, message) in
            [("name", "Name is required"), ("phone_number", "Please provide a phone number.")]
        {
            let refused = edit(&[(field, " ")]).await;
            assert_eq!((refused.status, &refused.json()["message"]), (400, &message.into()));
        }
        assert_eq!(edit(&[("zone", "Mars/Base")]).await.json()["errors"][0]["field"], "zone");
        let reply = edit(&[("email", "new@example.com")]).await;
        assert_eq!(reply.json()["user"]["email"], "ada@example.com", "not yet");
        assert_eq!(reply.json()["requires_email_verification"], true);
        let code = daemon.code_for("new@example.com").await;
        let reply = daemon.post("/api/confirm-email", &ada, &[("code", &code)]).await;
        assert_eq!(reply.json()["user"]["email"], "new@example.com", "{}", reply.text);
        assert!(daemon.outbox_to("ada@example.com").await.contains("is now another one"));
    }

    #[tokio::test]
    async fn another_accounts_number_is_never_taken_and_its_owner_is_told() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let phone = [("phone_number", "08031234567")];
        daemon.post("/api/edit-profile", &ada, &phone).await;
        let code = daemon.code_for("2348031234567").await;
        assert_eq!(daemon.post("/api/confirm-phone", &ada, &[("code", &code)]).await.status, 200);
        let eve = daemon.signed_in("eve", Role::User).await;
        daemon.pass(Duration::from_secs(3_600));
        let told = daemon.post("/api/edit-profile", &eve, &phone).await;
        let told = (told.status, told.json()["requires_phone_verification"].as_bool());
        assert_eq!(told, (200, Some(true)), "what everybody hears");
        let refused = daemon.post("/api/confirm-phone", &eve, &[("code", &code)]).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "code_wrong"));
        for _ in 0..200 {
            if daemon.outbox_to("2348031234567").await.contains("has an account already") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("its owner was not told");
    }

    #[tokio::test]
    async fn a_picture_is_shown_as_what_it_is_and_nothing_else_is_taken() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let put = async |bytes: Vec<u8>| {
            let part = Part::bytes(bytes).file_name("me.html").mime_str("text/html").unwrap();
            let form = Form::new().part("avatar", part);
            daemon.send(daemon.request(Method::POST, "/api/edit-profile", &ada).multipart(form)).await
        };
        let reply = put(b"<script>alert(1)</script>".to_vec()).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "avatar_kind"));
        assert_eq!(put(vec![0; (512 << 10) + 1]).await.code(), "avatar_large");
        let reply = put(png()).await;
        let path = reply.json()["user"]["avatar"].as_str().unwrap().to_owned();
        let shown = daemon.get(&path, "").await;
        assert_eq!((shown.status, shown.headers["content-type"].to_str().unwrap()), (200, "image/png"));
        assert_eq!(shown.headers["x-content-type-options"], "nosniff");
        assert!(shown.headers["content-security-policy"].to_str().unwrap().contains("sandbox"));
        assert_eq!(daemon.get("/api/avatars/00000000000000000000000000000000", "").await.status, 404);
        let gone = daemon.post("/api/edit-profile", &ada, &[("remove_avatar", "1")]).await;
        assert!(gone.json()["user"]["avatar"].is_null());
        assert_eq!(daemon.get(&path, "").await.status, 404);
    }
}
