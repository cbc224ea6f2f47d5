//! The gauges: how carriers, campaigns, checks and the disk are, set now and then from what is stored and what this daemon
//! knows. What they say is in [`crate::metric_table`].

use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::carrier::live_calls::CallFigures;
use talkdrum_core::carrier::voice::CallOutcome;
use talkdrum_core::model::carrier::{BindState, CarrierHealth};
use talkdrum_core::model::message::status::CampaignStatus;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::operate::retention::{self, WALKED};
use talkdrum_core::operate::{self, CarrierView, Hold};
use talkdrum_core::phone::{NetworkId, NetworkTable};
use talkdrum_core::store::campaign::list::{self, CampaignSelection};
use talkdrum_core::store::operations::{generation, last_check};
use talkdrum_core::time::Time;

use crate::metric_table;
use crate::state::AppState;

/// How often the gauges are set.
const GAUGE_EVERY: Duration = Duration::from_secs(15);

/// Sets the gauges until the daemon stops.
pub(super) async fn keep_gauged(app: &AppState) {
    loop {
        if let Err(error) = gauge(app).await {
            tracing::warn!(code = error.code(), %error, "the gauges are out of date");
        }
        if !app.readiness.goes_on_after(GAUGE_EVERY).await {
            return;
        }
    }
}

/// Sets all of them. What is not set any more is not shown for long.
pub(crate) async fn gauge(app: &AppState) -> Result<()> {
    metric_table::gauge_process();
    // What needs no database first: it is told while that is away.
    let free = i64::try_from(app.disk.free_bytes()?).unwrap_or(i64::MAX);
    metrics::gauge!("talkdrum_disk_free_bytes").set(float(free));
    let reading = i64::try_from(app.bodies.bytes_at_once()).unwrap_or(i64::MAX);
    metrics::gauge!("talkdrum_http_body_bytes").set(float(reading));
    let mut tx = app.store.read().await?;
    let now = app.clock.now();
    let fleet = app.fleet.now();
    for view in operate::overview(&mut tx, &fleet.names(), now).await? {
        let is_trunk = fleet.is_trunk(&view.name);
        gauge_carrier(&view, is_trunk, now);
        if !is_trunk {
            gauge_breakers(&view, &app.campaigns.networks);
        }
    }
    for status in [CampaignStatus::Scheduled, CampaignStatus::Sending, CampaignStatus::Paused] {
        let selection =
            CampaignSelection { status: Some(status), ..CampaignSelection::all(RecordScope::All) };
        let count = list::count(&mut tx, &selection).await?;
        set("talkdrum_open_campaigns", ("status", status.code()), count);
    }
    metrics::gauge!("talkdrum_dispatch_held").set(f64::from(generation::is_held(&mut tx).await?));
    let check = last_check::find(&mut tx).await?;
    let (at, findings) = check.map_or((0, 0), |check| (check.checked_at.0, check.findings));
    metrics::gauge!("talkdrum_last_check_timestamp_seconds").set(seconds(at));
    metrics::gauge!("talkdrum_last_check_findings").set(float(findings));
    for class in WALKED {
        let lag = match app.retention.of(class) {
            Some(days) => retention::lag(&mut tx, class, days, now).await?,
            None => Duration::ZERO,
        };
        metrics::gauge!("talkdrum_retention_lag_seconds", "class" => class.code()).set(lag.as_secs_f64());
    }
    for class in retention::CLASSES {
        // Where no workers run, those of other daemons count.
        let is_put_off =
            app.workers.is_some() && retention::is_put_off(&mut tx, app.retention, class, now).await?;
        metrics::gauge!("talkdrum_retention_put_off", "class" => class.code()).set(f64::from(is_put_off));
    }
    // Old series go when the metrics are rendered, though no one may ask for them just now.
    app.metrics.render();
    Ok(())
}

/// What `talkdrum carriers` shows of a carrier. What a daemon has yet to tell of it is 0.
fn gauge_carrier(view: &CarrierView, is_trunk: bool, now: Time) {
    let gauge = |gauge: &'static str, value: i64| set(gauge, ("carrier", &view.name), value);
    let waited = |since: Option<Time>| {
        since.map_or(0, |since| i64::try_from(now.since(since).as_secs()).unwrap_or(i64::MAX))
    };
    gauge("talkdrum_unmatched_receipts", view.open.unmatched_receipts);
    gauge("talkdrum_unknown_messages", view.open.unknown_messages);
    gauge("talkdrum_carrier_held", i64::from(view.hold != Hold::Open));
    gauge("talkdrum_carrier_queued_messages", view.waiting.queued());
    gauge("talkdrum_carrier_in_flight_messages", view.waiting.in_flight());
    gauge("talkdrum_carrier_oldest_queued_seconds", waited(view.waiting.oldest_at));
    gauge("talkdrum_carrier_oldest_lease_seconds", waited(view.waiting.oldest_lease_at));
    let vitals = view.vitals.clone().unwrap_or_default();
    let bound = vitals.line.binds.iter().filter(|bind| bind.state == BindState::Bound).count();
    gauge("talkdrum_carrier_up", i64::from(vitals.health == CarrierHealth::Up));
    gauge("talkdrum_carrier_binds", i64::try_from(vitals.line.binds.len()).unwrap_or(i64::MAX));
    gauge("talkdrum_carrier_binds_bound", i64::try_from(bound).unwrap_or(i64::MAX));
    gauge("talkdrum_carrier_window", i64::from(vitals.window));
    gauge("talkdrum_carrier_window_used", i64::from(vitals.line.used));
    gauge("talkdrum_carrier_rate", i64::from(vitals.rate_now));
    gauge("talkdrum_carrier_throttled", i64::from(vitals.line.throttled));
    if let Some(calls) = vitals.line.calls.or_else(|| is_trunk.then(CallFigures::default)) {
        gauge("talkdrum_carrier_calls_begun_last_minute", i64::from(calls.begun));
        for (outcome, ended) in CallOutcome::ALL.into_iter().zip(calls.ended) {
            let labels = [("carrier", view.name.clone()), ("outcome", outcome.code().to_owned())];
            metrics::gauge!("talkdrum_carrier_calls_ended_last_5_minutes", &labels).set(f64::from(ended));
        }
        let packets = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        gauge("talkdrum_carrier_packets_last_5_minutes", packets(calls.packets));
        gauge("talkdrum_carrier_packets_late_last_5_minutes", packets(calls.packets_late));
    }
    let lag = vitals.receipt_lag.unwrap_or_default();
    for (percentage, ms) in [("50", lag.p50_ms), ("95", lag.p95_ms)] {
        let labels = [("carrier", view.name.clone()), ("percentage", percentage.to_owned())];
        metrics::gauge!("talkdrum_carrier_receipt_lag_seconds", &labels).set(seconds(ms));
    }
}

fn set(gauge: &'static str, (label, value): (&'static str, &str), count: i64) {
    metrics::gauge!(gauge, label => value.to_owned()).set(float(count));
}

/// The breakers of a carrier of texts: of each network, also where none is set, and of those that left the table.
fn gauge_breakers(view: &CarrierView, networks: &NetworkTable) {
    let known = (0..=u8::MAX).map(NetworkId).take(networks.len()).map(|id| (networks.name(id), 0.0, 0));
    let held = view.breakers.iter().map(|(row, waiting)| (&*row.network, f64::from(row.holds()), *waiting));
    // What is stored comes last, and counts.
    for (network, open, waiting) in known.chain(held) {
        let labels = [("carrier", view.name.clone()), ("network", network.to_owned())];
        metrics::gauge!("talkdrum_breaker_open", &labels).set(open);
        metrics::gauge!("talkdrum_breaker_waiting_messages", &labels).set(float(waiting));
    }
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn float(count: i64) -> f64 {
    count as f64
}

/// Milliseconds in Prometheus' unit.
fn seconds(ms: i64) -> f64 {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0)).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;
    use talkdrum_core::store::carrier::open_items::OpenItems;
    use talkdrum_core::store::carrier::state::Waiting;

    use super::*;

    /// What is shown of a carrier that no daemon has told of yet, as in the first second of one.
    fn shown(is_trunk: bool) -> String {
        let view = CarrierView {
            name: "main".into(),
            vitals: None,
            owner: None,
            seen_at: None,
            hold: Hold::Open,
            said: None,
            waiting: Waiting::default(),
            notices: 0,
            open: OpenItems::default(),
            breakers: Vec::new(),
        };
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            gauge_carrier(&view, is_trunk, Time::default());
            gauge_breakers(&view, NetworkTable::builtin());
        });
        recorder.handle().render()
    }

    #[test]
    fn a_trunk_has_figures_of_calls_before_a_daemon_told_of_it_and_a_carrier_of_texts_has_none() {
        let trunk = shown(true);
        for line in [
            "talkdrum_carrier_up{carrier=\"main\"} 0",
            "talkdrum_carrier_calls_begun_last_minute{carrier=\"main\"} 0",
            "talkdrum_carrier_calls_ended_last_5_minutes{carrier=\"main\",outcome=\"answered\"} 0",
            "talkdrum_carrier_packets_last_5_minutes{carrier=\"main\"} 0",
            "talkdrum_carrier_packets_late_last_5_minutes{carrier=\"main\"} 0",
        ] {
            assert!(trunk.contains(line), "{line}: {trunk}");
        }
        let texts = shown(false);
        let closed = "talkdrum_breaker_open{carrier=\"main\",network=\"mtn\"} 0";
        assert!(texts.contains(closed), "{texts}");
        assert!(texts.contains("talkdrum_carrier_up{carrier=\"main\"} 0"), "{texts}");
        assert!(!texts.contains("calls_") && !texts.contains("packets"), "{texts}");
    }
}
