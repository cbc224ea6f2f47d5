//! Looking after a carrier's breakers, beside its receipts.

use crate::time::Time;
use crate::worker::runtime::Workers;
use crate::worker::runtime::standstill_log::StandstillLog;
use crate::worker::settle::Settler;

impl Workers {
    /// Lets a carrier's breakers follow the time; what cannot be stored is tried again by the next call.
    pub(super) async fn tend_breakers(&self, settler: &mut Settler, told: &mut StandstillLog, now: Time) {
        match settler.tend_breakers(now).await {
            Ok(()) => {
                told.is_over();
            }
            Err(error) if told.is_news(error.code(), now) => {
                tracing::error!(code = error.code(), %error, "breakers are not looked after");
            }
            Err(_) => {}
        }
    }
}
