//! The platform's own text messages among those of a carrier.

use super::Dispatcher;
use crate::error::Result;
use crate::notice::DueTexts;
use crate::time::Time;

impl Dispatcher {
    /// Sends the platform's own text messages, codes first: all that are due, or only operators' test messages, which a hold does
    /// not stop. True when there were some.
    pub(super) async fn send_notices(&mut self, wanted: DueTexts, room: u32, now: Time) -> Result<bool> {
        let Some(notices) = &self.notices else { return Ok(false) };
        let batch = notices.claim_sms(&self.writes, self.carrier.name(), wanted, room, now).await?.batch;
        let found = !batch.is_empty();
        self.hand_over(batch).await?;
        Ok(found)
    }
}
