//! `POST /api/recipients/check`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::RecipientsCheck;
use utoipa::ToSchema;

use crate::api::campaign::{BIG, Spool, sources};
use crate::http::{Answer, ReadingCaller, Upload};
use crate::state::AppState;

/// The recipients of a campaign's form.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct RecipientsForm {
    /// Recipients in any form: numbers with commas, spaces or new lines, prose. May be repeated.
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    contacts: Option<String>,
    /// Recipients as a CSV or text file of any size. May be repeated.
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    file: Option<String>,
    /// A column of the file that is read as numbers; detected when it is not given. May be repeated.
    #[serde(default)]
    column: Vec<String>,
    /// Ids of contact groups. May be repeated.
    #[serde(default)]
    groups: Vec<i64>,
    /// Lists that are here already, as in the form of a campaign: `campaign:ID`, `campaign:ID:failed`, `import:ID`. May be
    /// repeated.
    #[serde(default)]
    audience: Vec<String>,
    /// What the messages are for, which decides whose opt-outs hold: `promotional`, `transactional` or `otp`. Left out: the
    /// default of the account, else `transactional`.
    purpose: Option<String>,
}

/// What recipients are: how many, how many of them twice, invalid or opted out, their networks, and the columns that a
/// message to them can use. Nothing is priced and nothing is kept.
#[utoipa::path(
    post, path = "/api/recipients/check", tag = "campaign",
    request_body = RecipientsForm,
    responses((status = 200, body = RecipientsCheck)),
)]
pub(super) async fn check_recipients(
    State(app): State<AppState>,
    caller: ReadingCaller,
    upload: Upload,
) -> Answer<RecipientsCheck> {
    caller.require_active()?;
    let mut spool = Spool::new(app.spool_dir.clone(), app.disk.clone());
    let form = upload.read::<RecipientsForm>(&BIG, &mut spool).await?.data;
    let purpose = caller.purpose_or_default(form.purpose.as_deref())?;
    let sources = sources(spool, form.groups, &form.audience, &form.column)?;
    Ok(Json(app.campaigns.check_recipients(caller.user_id, purpose, sources).await?))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_key_that_may_only_read_counts_a_list_and_so_does_one_that_only_administers() {
        let daemon = TestDaemon::start().await;
        let root = daemon.signed_in("root", Role::Admin).await;
        for scopes in ["read", "admin"] {
            let made = daemon.post("/api/api-keys", &root, &[("name", "cron"), ("scopes", scopes)]).await;
            let key = made.json()["key"].as_str().unwrap().to_owned();
            let checked = daemon.post("/api/recipients/check", &key, &[("contacts", "08031234567")]).await;
            assert_eq!(
                (checked.status, checked.json()["total_contacts"].as_i64()),
                (200, Some(1)),
                "{scopes}"
            );
        }
    }

    #[tokio::test]
    async fn typed_numbers_and_groups_are_counted_without_a_message() {
        let daemon = TestDaemon::start().await;
        let token = daemon.signed_in("ada", Role::User).await;
        let stranger = daemon.signed_in("eve", Role::User).await;
        let group = daemon.post("/api/create/group", &token, &[("group_name", "Mine")]).await.json();
        let group = group["group"]["id"].as_i64().unwrap();
        let path = format!("/api/create/contact/group/{group}");
        daemon.post(&path, &token, &[("phone", "08031234567"), ("name", "Bisi")]).await;
        let id = group.to_string();
        let form = [("contacts", "08031234567, 08051234567, 0805"), ("groups", id.as_str())];
        let reply = daemon.post("/api/recipients/check", &token, &form).await;
        let seen = reply.json();
        assert_eq!((reply.status, &seen["total_contacts"]), (200, &2.into()), "{}", reply.text);
        assert_eq!((&seen["total_duplicates_removed"], &seen["total_invalid"]), (&1.into(), &1.into()));
        assert_eq!(seen["networks"]["mtn"], 1);
        let nobody = daemon.post("/api/recipients/check", &token, &[("contacts", " ")]).await;
        assert_eq!((nobody.status, nobody.code().as_str()), (400, "recipients_required"));
        assert_eq!(daemon.post("/api/recipients/check", &stranger, &form).await.status, 404);
        let list = async |list| daemon.post("/api/recipients/check", &token, &[("audience", list)]).await;
        assert_eq!(list("campaign:7").await.status, 404);
        let bad = list("campaign:x").await;
        assert_eq!((bad.status, bad.code().as_str()), (400, "bad_audience"), "{}", bad.text);
        let many: Vec<String> = (1..=21).map(|id| format!("import:{id}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|list| ("audience", list.as_str())).collect();
        assert_eq!(daemon.post("/api/recipients/check", &token, &many).await.code(), "too_many_audiences");
    }
}
