//! `GET` and `POST /cgi-bin/sendsms`: messages in the form in which programs hand them to Kannel's smsbox.
//!
//! What Kannel answers is answered here, with its texts: programs compare them. Each number of a call is a single message
//! like one of `POST /api/messages`: price, limits, opt-outs and ledger are the same. What cannot be kept of a call is refused,
//! or named in the handbook (`coming-from-kannel.md`) as left out; it is never guessed.

mod form;
mod params;
mod reply;
mod send;
#[cfg(test)]
mod tests;

use crate::http::routes::{Operations, routes};

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(send::send_sms_by_url, send::send_sms))
}
