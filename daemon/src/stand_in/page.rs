//! The pages at which a person plays the payer.

use std::fmt::Write as _;

use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse as _, Response};
use serde::Deserialize;

/// What the payer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    Pay,
    Decline,
    Abandon,
}

/// The looks of the console's pages, by day and by night.
const STYLE: &str = "\
    :root{color-scheme:light dark}\
    body{margin:0;padding:12vh 16px 16px;font:16px/1.5 system-ui,sans-serif;background:light-dark(#f5f6f8,#14171c);\
    color:light-dark(#1b1f27,#eceef2)}\
    main{max-width:420px;margin:auto;padding:24px;border:1px solid light-dark(#d9dde4,#333a45);border-radius:12px;\
    background:light-dark(#fff,#1c2027)}\
    h1{margin:16px 0 0;font-size:32px}p{margin:0}form{display:flex;flex-wrap:wrap;gap:8px;margin-top:24px}\
    button{flex:1 1 100px;min-height:44px;border:1px solid light-dark(#c3c9d4,#48505e);border-radius:8px;background:none;\
    color:inherit;font:inherit;font-weight:600;cursor:pointer}\
    button[value=pay]{border-color:#0b6b4f;background:#0b6b4f;color:#fff}";

/// A page that shows what is to be paid, with a button for each outcome; they post to the page's own address.
pub(super) fn checkout(provider: &str, amount: &str, narration: &str, note: &str) -> Response {
    let mut buttons = String::new();
    for (outcome, label) in [("pay", "Pay"), ("decline", "Decline"), ("abandon", "Abandon")] {
        // Writing to a String cannot fail.
        let _ = write!(buttons, "<button name=\"outcome\" value=\"{outcome}\">{label}</button> ");
    }
    let (amount, narration, note) = (escaped(amount), escaped(narration), escaped(note));
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Sandbox: {provider}</title><style>{STYLE}</style><body><main>\
         <p><strong>Sandbox</strong>: this stands in for {provider}. No money moves.</p>\
         <h1>{amount}</h1><p>{narration}</p><p role=\"status\">{note}</p>\
         <form method=\"post\">{buttons}</form></main></body></html>"
    ))
    .into_response()
}

/// Sends the browser on; a page when the address is none.
pub(super) fn redirect(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(value) if !address.is_empty() => (StatusCode::SEE_OTHER, [(LOCATION, value)]).into_response(),
        _ => {
            Html("<!doctype html><title>Sandbox</title><p>Done. You may close this page.</p>").into_response()
        }
    }
}

/// An address with a query parameter more.
pub(super) fn with_query(address: &str, parameters: &[(&str, &str)]) -> String {
    reqwest::Url::parse(address).map_or_else(
        |_| String::new(),
        |mut url| {
            url.query_pairs_mut().extend_pairs(parameters);
            url.into()
        },
    )
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_payer_wrote_is_text_on_the_page() {
        assert_eq!(escaped("<b>\"&\"</b>"), "&lt;b&gt;&quot;&amp;&quot;&lt;/b&gt;");
        assert_eq!(with_query("http://x/y?a=1", &[("b", "&")]), "http://x/y?a=1&b=%26");
    }
}
