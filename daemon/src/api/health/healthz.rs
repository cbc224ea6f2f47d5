//! `GET /healthz`.

/// The process lives.
#[utoipa::path(get, path = "/healthz", tag = "health", security(()), responses((status = 200, body = String)))]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}
