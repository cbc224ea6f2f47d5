//! What campaigns do by themselves: they start at their time, and go on or pause as their canaries fare.

use crate::campaign::control::canary;
use crate::model::campaign::canary::Judging;
use crate::time::Time;
use crate::worker::jobs::scheduler;
use crate::worker::runtime::Workers;

impl Workers {
    /// Starts the campaigns that are due, and judges canaries as a run that takes receipts since `since`.
    pub(super) async fn start_and_judge(&self, since: Time, now: Time) {
        match scheduler::tick(&self.store, now).await {
            Ok(started) if started.is_empty() => {}
            Ok(started) => {
                tracing::info!(campaigns = ?started.iter().map(|id| id.0).collect::<Vec<_>>(), "scheduled campaigns started");
                self.wake();
            }
            Err(error) => tracing::error!(%error, "starting scheduled campaigns failed"),
        }
        let mut passed = Vec::new();
        let is_quiet = self.hours.as_ref().is_some_and(|hours| hours.is_quiet(now));
        let by = Judging { since, now, is_quiet };
        if let Err(error) = canary::judge_all(&self.store, by, &mut passed).await {
            tracing::error!(%error, "judging a canary failed");
        }
        if !passed.is_empty() {
            tracing::info!(campaigns = ?passed.iter().map(|id| id.0).collect::<Vec<_>>(), "canaries passed");
            self.wake();
        }
    }
}
