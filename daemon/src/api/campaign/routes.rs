//! The specification's calls, `{send|schedule|confirm-send|confirm-schedule}-{kind}-sms`, each under its own path.
//!
//! A path's `{kind}` stands amid a segment, which no router matches, and each call is to be seen in the document; so
//! they are written out for every kind.

use axum::extract::State;
use talkdrum_api::campaign::{Confirmed, QuoteAnswer};
use talkdrum_api::kind::Kind;

use super::confirm::confirm;
use super::form::{CampaignForm, When};
use super::quote::quote;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, Caller, IdempotencyKey, Upload};
use crate::state::AppState;

/// One call: its name, what it answers, its path, and what it does for which kind.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! call {
    ($name:ident, $summary:literal, $answer:ident, $path:literal, $step:ident, $kind:ident, $when:ident) => {
        #[doc = $summary]
        #[utoipa::path(
            post, path = $path, tag = "campaign",
            request_body = CampaignForm,
            responses((status = 200, body = $answer)),
        )]
        async fn $name(
            State(app): State<AppState>,
            caller: Caller,
            key: IdempotencyKey,
            upload: Upload,
        ) -> Answer<$answer> {
            $step(&app, &caller, key, upload, (Kind::$kind, When::$when)).await
        }
    };
}

/// The four calls of a kind.
macro_rules! kind {
    ($kind:ident:
     $send:ident $send_path:literal, $schedule:ident $schedule_path:literal,
     $confirm_send:ident $confirm_send_path:literal, $confirm_schedule:ident $confirm_schedule_path:literal) => {
        call!(
            $send,
            "Quote a campaign that is sent at once; nothing is charged.",
            QuoteAnswer,
            $send_path,
            quote,
            $kind,
            Now
        );
        call!(
            $schedule,
            "Quote a campaign that is sent at the times given; nothing is charged.",
            QuoteAnswer,
            $schedule_path,
            quote,
            $kind,
            Later
        );
        call!(
            $confirm_send,
            "Confirm a quote, by `quote_id` or by the identical form: reserve its price and send. Once.",
            Confirmed,
            $confirm_send_path,
            confirm,
            $kind,
            Now
        );
        call!(
            $confirm_schedule,
            "Confirm a scheduled quote, by `quote_id` or by the identical form: reserve its price. Once.",
            Confirmed,
            $confirm_schedule_path,
            confirm,
            $kind,
            Later
        );
    };
}

kind!(Text:
    send_text "/api/send-text-sms", schedule_text "/api/schedule-text-sms",
    confirm_send_text "/api/confirm-send-text-sms", confirm_schedule_text "/api/confirm-schedule-text-sms");
kind!(Flash:
    send_flash "/api/send-flash-sms", schedule_flash "/api/schedule-flash-sms",
    confirm_send_flash "/api/confirm-send-flash-sms", confirm_schedule_flash "/api/confirm-schedule-flash-sms");
kind!(Unicode:
    send_unicode "/api/send-unicode-sms", schedule_unicode "/api/schedule-unicode-sms",
    confirm_send_unicode "/api/confirm-send-unicode-sms",
    confirm_schedule_unicode "/api/confirm-schedule-unicode-sms");
kind!(WapPush:
    send_wap_push "/api/send-wap-push-sms", schedule_wap_push "/api/schedule-wap-push-sms",
    confirm_send_wap_push "/api/confirm-send-wap-push-sms",
    confirm_schedule_wap_push "/api/confirm-schedule-wap-push-sms");
kind!(Vcard:
    send_vcard "/api/send-vcard-sms", schedule_vcard "/api/schedule-vcard-sms",
    confirm_send_vcard "/api/confirm-send-vcard-sms", confirm_schedule_vcard "/api/confirm-schedule-vcard-sms");

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(send_text))
        .routes(routes!(schedule_text))
        .routes(routes!(confirm_send_text))
        .routes(routes!(confirm_schedule_text))
        .routes(routes!(send_flash))
        .routes(routes!(schedule_flash))
        .routes(routes!(confirm_send_flash))
        .routes(routes!(confirm_schedule_flash))
        .routes(routes!(send_unicode))
        .routes(routes!(schedule_unicode))
        .routes(routes!(confirm_send_unicode))
        .routes(routes!(confirm_schedule_unicode))
        .routes(routes!(send_wap_push))
        .routes(routes!(schedule_wap_push))
        .routes(routes!(confirm_send_wap_push))
        .routes(routes!(confirm_schedule_wap_push))
        .routes(routes!(send_vcard))
        .routes(routes!(schedule_vcard))
        .routes(routes!(confirm_send_vcard))
        .routes(routes!(confirm_schedule_vcard))
}
