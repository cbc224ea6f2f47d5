//! `POST /admin/dnd`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::dnd::DndImported;
use talkdrum_core::phone::{Msisdn, RejectReason, RowFields, Sink, extract};
use talkdrum_core::routing::dnd::{self, Import};
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// Numbers for the list.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ImportDnd {
    /// Numbers, separated by anything: up to the limit of a body (about 60,000). Longer lists are sent in pieces.
    numbers: Option<String>,
    /// Whether the list is emptied first.
    #[serde(default)]
    replace: bool,
    /// Whether a list that is replaced may shrink by more than a tenth; without it that is refused. A list that comes in
    /// pieces says so with its first piece, which alone replaces.
    #[serde(default)]
    allow_shrink: bool,
}

#[derive(Default)]
struct Collected {
    numbers: Vec<Msisdn>,
    invalid: i64,
}

impl Sink for Collected {
    fn columns(&mut self, _columns: &[String]) {}

    fn recipient(&mut self, _line: u64, number: Msisdn, _fields: RowFields<'_>) {
        self.numbers.push(number);
    }

    fn reject(&mut self, _line: u64, _text: &str, _reason: RejectReason) {
        self.invalid += 1;
    }
}

/// Put numbers on the Do-Not-Disturb list. Quotes from then on respect it where their route does.
#[utoipa::path(
    post, path = "/admin/dnd", tag = "carrier",
    request_body = ImportDnd,
    responses((status = 200, body = DndImported)),
)]
pub(super) async fn import_dnd(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<ImportDnd>,
) -> Answer<DndImported> {
    caller.require_active()?;
    let text = data.numbers.unwrap_or_default();
    let mut collected = Collected::default();
    extract(&text, &mut collected);
    let total_read = i64::try_from(collected.numbers.len()).unwrap_or(i64::MAX);
    let import = Import {
        numbers: collected.numbers,
        replace: data.replace,
        allow_shrink: data.allow_shrink,
        by: caller.user_id,
        claim: key.claim(&caller, "dnd.import", digest),
    };
    let total = dnd::import(&app.store, import, app.clock.now()).await?;
    let message = format!("{total_read} numbers were read, {total} are on the Do-Not-Disturb list");
    Ok(Json(DndImported { message, total_read, total_invalid: collected.invalid, total }))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_list_is_imported_shown_and_replaced() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let reply =
            daemon.post("/admin/dnd", &admin, &[("numbers", "08031234567, +2348021234567\nhello 12")]).await;
        assert_eq!((reply.status, &reply.json()["total"]), (200, &2.into()), "{}", reply.text);
        let reply = daemon.get("/admin/dnd?page=1&per_page=1", &admin).await;
        assert_eq!(reply.json()["numbers"], serde_json::json!(["2348021234567"]));
        assert_eq!(reply.json()["total"], 2);
        let reply = daemon.post("/admin/dnd", &admin, &[("numbers", "")]).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "numbers_required"));
        for junk in ["", "no number here"] {
            let reply = daemon.post("/admin/dnd", &admin, &[("numbers", junk), ("replace", "true")]).await;
            assert_eq!((reply.status, reply.code().as_str()), (400, "numbers_required"), "{junk}");
        }
        let one = [("numbers", "08031234567"), ("replace", "true")];
        let reply = daemon.post("/admin/dnd", &admin, &one).await;
        assert_eq!((reply.status, reply.code().as_str()), (409, "dnd_list_shrinks"));
        assert_eq!(daemon.get("/admin/dnd", &admin).await.json()["total"], 2);
        let reply = daemon.post("/admin/dnd", &admin, &[one[0], one[1], ("allow_shrink", "true")]).await;
        assert_eq!((reply.status, &reply.json()["total"]), (200, &1.into()), "{}", reply.text);
    }
}
