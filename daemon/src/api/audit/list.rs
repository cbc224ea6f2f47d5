//! `GET /admin/audit`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::query::{AuditQuery, PeriodQuery, UserQuery};
use talkdrum_api::setting::{AuditEntry, AuditTrail};
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::platform::audit::{self, AuditSelection};

use crate::api::list_query::{bounds, user_asked};
use crate::http::{AdminCaller, Answer, Page, Query, Search};
use crate::state::AppState;

/// What administrators changed, newest first. `user_id` is the administrator; `action` and `subject` are exact; `from`
/// and `to` are days, which count whole, or times; `q` searches everything.
#[utoipa::path(
    get, path = "/admin/audit", tag = "audit",
    params(UserQuery, AuditQuery, PeriodQuery, Search, Page),
    responses((status = 200, body = AuditTrail)),
)]
pub(super) async fn list_audit(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(by): Query<UserQuery>,
    Query(filter): Query<AuditQuery>,
    Query(period): Query<PeriodQuery>,
    search: Search,
    page: Page,
) -> Answer<AuditTrail> {
    let given =
        |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let mut tx = app.store.snapshot().await?;
    let (from, to) = bounds(&period, &mut tx, &caller).await?;
    let selection = AuditSelection {
        user_id: user_asked(&by, &mut tx).await?,
        action: given(filter.action).unwrap_or_default(),
        subject: given(filter.subject).unwrap_or_default(),
        from,
        to,
        pattern: like_pattern(&search.q.to_lowercase()),
    };
    let (rows, total) = audit::page(&mut tx, &selection, page.offset, page.limit).await?;
    let audit = rows
        .into_iter()
        .map(|row| AuditEntry {
            id: row.id.0,
            at: row.at.to_rfc3339(),
            user_id: row.user_id.map(|user| user.0),
            username: row.username,
            action: row.action,
            subject: row.subject,
            before: row.before,
            after: row.after,
        })
        .collect();
    Ok(Json(AuditTrail { audit, total }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use talkdrum_core::model::account::user::Role;

    use crate::testing::{PASSWORD, TestDaemon};

    #[tokio::test]
    async fn what_administrators_do_is_in_the_trail_and_no_secret_of_it() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.user("ada", Role::User).await;
        let user =
            [("name", "Eve"), ("username", "eve"), ("email", "eve@example.com"), ("password", PASSWORD)];
        assert_eq!(daemon.post("/admin/users", &admin, &user).await.status, 201);
        for (path, form) in [
            (format!("/admin/assign-espee/{ada}"), vec![("espees", "5"), ("payment_ref", "p-1")]),
            (format!("/admin/assign-naira/{ada}"), vec![("amount", "7"), ("payment_ref", "p-2")]),
            (format!("/admin/deactivate-user/{ada}"), vec![]),
            (format!("/admin/activate-user/{ada}"), vec![]),
            ("/admin/set-sms-unit-price".into(), vec![("price", "1.5")]),
            ("/admin/set-espee-api-key".into(), vec![("api_key", "esp_0123456789abcdef")]),
        ] {
            let reply = daemon.post(&path, &admin, &form).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        }
        let trail = daemon.get("/admin/audit", &admin).await;
        let all = trail.json();
        let actions: Vec<&str> =
            all["audit"].as_array().unwrap().iter().map(|it| it["action"].as_str().unwrap()).collect();
        assert_eq!(
            actions,
            [
                "setting.set",
                "price.set",
                "user.activate",
                "user.deactivate",
                "wallet.credit",
                "wallet.credit",
                "user.create"
            ]
        );
        assert!(!trail.text.contains("esp_0123") && !trail.text.contains(PASSWORD), "{}", trail.text);
        assert_eq!(all["audit"][0]["after"], "****cdef");
        assert_eq!(
            (&all["audit"][4]["after"], &all["audit"][5]["subject"]),
            (&"7 Naira (+7 Naira, p-2)".into(), &format!("user {ada}").into())
        );
    }

    #[tokio::test]
    async fn the_trail_is_filtered_by_whom_what_and_when() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "1.5")]).await;
        daemon.pass(Duration::from_secs(24 * 3600));
        let admin = daemon.login("root").await;
        daemon.post("/admin/set-own-number-unit-price", &admin, &[("price", "2")]).await;
        let total = async |query: &str| {
            daemon.get(&format!("/admin/audit?{query}"), &admin).await.json()["total"].as_i64().unwrap()
        };
        assert_eq!(total("").await, 2);
        assert_eq!(total("user_id=root").await, 2);
        assert_eq!(total("action=price.set&subject=OWN-UNIT-PRICE").await, 1);
        assert_eq!(total("from=2023-11-15T00:00").await, 1);
        assert_eq!(total("to=2023-11-14").await, 1);
        assert_eq!(total("q=own-unit").await, 1);
        for (query, code) in [
            ("from=yesterday", "bad_time"),
            ("user_id=nobody", "unknown_user"),
            ("actor=root", "unknown_parameter"),
        ] {
            let refused = daemon.get(&format!("/admin/audit?{query}"), &admin).await;
            assert_eq!((refused.status, refused.code().as_str()), (400, code), "{query}");
        }
    }
}
