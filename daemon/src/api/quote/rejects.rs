//! `GET /api/quotes/{id}/rejects`.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use talkdrum_api::campaign::Reject;
use talkdrum_api::spreadsheet::push_row;
use talkdrum_core::model::campaign::id::QuoteId;

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
    Path(id): Path<QuoteId>,
) -> Result<impl IntoResponse, ApiError> {
    let user = super::seen_as(&app, &caller, id).await?;
    let rejects = app.campaigns.quote_rejects(user, id).await?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"rejects.csv\""),
    ];
    Ok((headers, csv(&rejects)))
}

fn csv(rejects: &[Reject]) -> Vec<u8> {
    let mut text = b"line,value,code,reason\r\n".to_vec();
    for reject in rejects {
        push_row(&mut text, [&*reject.line.to_string(), &reject.value, &reject.code, &reject.reason]);
    }
    text
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
            String::from_utf8(text).unwrap(),
            "line,value,code,reason\r\n7,\"a\"\"b\",too_short,\"Too short, it seems\"\r\n\
             7,'=1+1,too_short,\"Too short, it seems\"\r\n7,\"'-\n\",too_short,\"Too short, it seems\"\r\n"
        );
    }
}
