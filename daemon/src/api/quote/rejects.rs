//! `GET /api/quotes/{id}/rejects`.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use talkdrum_core::api::campaign::Reject;

use crate::http::{ApiError, Caller, Path};
use crate::state::AppState;

/// The entries of a quote that are no usable number, as CSV: line, value, code, reason. At most the first thousand.
#[utoipa::path(
    get, path = "/api/quotes/{id}/rejects", tag = "quote",
    params(("id" = i64, Path, description = "The quote's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn list_quote_rejects(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Result<impl IntoResponse, ApiError> {
    let user = super::seen_as(&app, &caller, id).await?;
    let rejects = app.desk.quote_rejects(user, id).await?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"rejects.csv\""),
    ];
    Ok((headers, csv(&rejects)))
}

fn csv(rejects: &[Reject]) -> String {
    let mut text = String::from("line,value,code,reason\r\n");
    for reject in rejects {
        text.push_str(&reject.line.to_string());
        for field in [&reject.value, &reject.code, &reject.reason] {
            text.push(',');
            push_field(&mut text, field);
        }
        text.push_str("\r\n");
    }
    text
}

/// A field in quotes where it needs them. What a spreadsheet would take for a formula gets an apostrophe in front,
/// as in the delivery report.
fn push_field(text: &mut String, field: &str) {
    let formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let mark = if formula { "'" } else { "" };
    if field.contains([',', '"', '\r', '\n']) {
        text.push('"');
        text.push_str(mark);
        text.push_str(&field.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(mark);
        text.push_str(field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_in_its_cell_and_is_no_formula() {
        let reject = |value: &str| Reject {
            line: 7,
            value: value.into(),
            code: "too_short".into(),
            reason: "Too short, it seems".into(),
        };
        let text = csv(&[reject("a\"b"), reject("=1+1"), reject("-\n")]);
        assert_eq!(
            text,
            "line,value,code,reason\r\n7,\"a\"\"b\",too_short,\"Too short, it seems\"\r\n\
             7,'=1+1,too_short,\"Too short, it seems\"\r\n7,\"'-\n\",too_short,\"Too short, it seems\"\r\n"
        );
    }
}
