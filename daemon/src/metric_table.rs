//! Every metric by its name, with what it says: the help that a collector shows, and the handbook's page of alarms.
//!
//! Names follow Prometheus' conventions: base units, `_total` of what only grows, and labels of few values, none of which a
//! client chooses.

/// What kind of metric one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

use Kind::{Counter, Gauge, Histogram};
use talkdrum_api::version;

/// All of them but those of the process, which are described where they are collected.
const ALL: &[(Kind, &str, &str)] = &[
    (Counter, "talkdrum_http_requests_total", "Requests by method, path and status."),
    (Histogram, "talkdrum_http_request_duration_seconds", "How long requests took, by path."),
    (Gauge, "talkdrum_http_body_bytes", "Memory that is reserved for requests and answers under way."),
    (
        Counter,
        "talkdrum_messages_total",
        "Messages by carrier and the status that its answers and receipts gave them.",
    ),
    (Gauge, "talkdrum_open_campaigns", "Campaigns by status: scheduled, sending, paused."),
    (Gauge, "talkdrum_dispatch_held", "1 while dispatch is held: after a restore, or by hand."),
    (
        Gauge,
        "talkdrum_last_check_timestamp_seconds",
        "When talkdrumd check ran last; 0 before the first time.",
    ),
    (Gauge, "talkdrum_last_check_findings", "What talkdrumd check found wrong when it ran last."),
    (
        Gauge,
        "talkdrum_retention_lag_seconds",
        "Since how long the next campaign that retention looks at is past its time, by class.",
    ),
    (
        Gauge,
        "talkdrum_retention_put_off",
        "1 while the configured time of a class of data does not hold yet, by class.",
    ),
    (Gauge, "talkdrum_disk_free_bytes", "Free space where the data is."),
    (Gauge, "talkdrum_unmatched_receipts", "Receipts that wait for their message, by carrier."),
    (Gauge, "talkdrum_unknown_messages", "Messages that may or may not have been sent, by carrier."),
    (Gauge, "talkdrum_carrier_up", "1 while the carrier is up and does not refuse all that it is given."),
    (Gauge, "talkdrum_carrier_held", "1 while the carrier is paused or drained."),
    (Gauge, "talkdrum_carrier_binds", "Connections to the carrier."),
    (Gauge, "talkdrum_carrier_binds_bound", "Connections to the carrier that are bound."),
    (Gauge, "talkdrum_carrier_window", "Messages that may wait for the carrier's answer; channels of calls."),
    (
        Gauge,
        "talkdrum_carrier_window_used",
        "Messages that wait for the carrier's answer; calls that are up.",
    ),
    (Gauge, "talkdrum_carrier_rate", "What the carrier answers in a second, on average of the last moments."),
    (Gauge, "talkdrum_carrier_throttled", "1 while the carrier asked for a pause."),
    (Gauge, "talkdrum_carrier_queued_messages", "Messages that wait at the carrier."),
    (
        Gauge,
        "talkdrum_carrier_oldest_queued_seconds",
        "How long the oldest message has waited at the carrier.",
    ),
    (Gauge, "talkdrum_carrier_in_flight_messages", "Messages that are being submitted to the carrier."),
    (
        Gauge,
        "talkdrum_carrier_oldest_lease_seconds",
        "For how long a chunk with messages in flight has had no answer.",
    ),
    (
        Gauge,
        "talkdrum_carrier_receipt_lag_seconds",
        "From the carrier's answer to its receipt, lately: so long at most for this percentage of messages.",
    ),
    (
        Gauge,
        "talkdrum_breaker_open",
        "1 while promotional messages to a network wait, as the carrier delivers too few.",
    ),
    (Gauge, "talkdrum_breaker_waiting_messages", "Promotional messages that wait for it."),
    (
        Gauge,
        "talkdrum_carrier_calls_begun_last_minute",
        "Calls that began at the carrier in the last minute.",
    ),
    (
        Gauge,
        "talkdrum_carrier_calls_ended_last_5_minutes",
        "Calls that ended at the carrier in the last five minutes, by outcome.",
    ),
    (
        Gauge,
        "talkdrum_carrier_packets_last_5_minutes",
        "Audio packets that were sent in the last five minutes.",
    ),
    (
        Gauge,
        "talkdrum_carrier_packets_late_last_5_minutes",
        "Audio packets that were sent late in the last five minutes.",
    ),
    (Gauge, "talkdrum_build_info", "1, with the version and the commit of this daemon."),
];

/// Tells the recorder what the metrics are.
pub(crate) fn describe() {
    for (kind, name, help) in ALL {
        match kind {
            Counter => metrics::describe_counter!(*name, *help),
            Gauge => metrics::describe_gauge!(*name, *help),
            Histogram => metrics::describe_histogram!(*name, *help),
        }
    }
    metrics_process::Collector::default().describe();
}

/// Reads what is known of this process: its version, and what the system says.
pub(crate) fn gauge_process() {
    let commit = version::COMMIT.unwrap_or("unknown");
    metrics::gauge!("talkdrum_build_info", "version" => version::VERSION, "commit" => commit).set(1.0);
    metrics_process::Collector::default().collect();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Write as _;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::*;

    /// The names of metrics in a text; a histogram is named by its buckets, too.
    fn names_in(text: &str) -> BTreeSet<String> {
        let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let names = words.filter(|word| word.starts_with("talkdrum_"));
        names.map(|name| name.trim_end_matches("_bucket").to_owned()).collect()
    }

    fn all() -> BTreeSet<String> {
        ALL.iter().map(|(_, name, _)| (*name).to_owned()).collect()
    }

    fn read(name: &str) -> String {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
    }

    /// Whether promtool says yes to `text`, where it is installed.
    fn promtool(args: &[&str], text: &str) {
        let spawned = Command::new("promtool")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut child) = spawned else { return };
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let told =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{told}");
    }

    #[test]
    fn the_handbook_names_all_of_them_and_no_other() {
        assert_eq!(names_in(&read("handbook/alarms.md")), all());
    }

    #[test]
    fn alerts_and_dashboard_ask_for_metrics_that_there_are() {
        for file in ["../examples/prometheus/alerts.yml", "../examples/prometheus/dashboard.json"] {
            let text = read(file);
            let strangers: Vec<String> = names_in(&text).difference(&all()).cloned().collect();
            assert!(strangers.is_empty() && text.contains("talkdrum_"), "{file}: {strangers:?}");
        }
        let dashboard: serde_json::Value =
            serde_json::from_str(&read("../examples/prometheus/dashboard.json")).unwrap();
        assert!(dashboard["panels"].as_array().unwrap().len() > 5);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/prometheus");
        promtool(&["check", "rules", folder.join("alerts.yml").to_str().unwrap()], "");
        promtool(&["test", "rules", folder.join("alerts-test.yml").to_str().unwrap()], "");
    }

    #[tokio::test]
    async fn what_is_served_has_a_name_a_help_and_the_right_form() {
        let daemon = crate::testing::TestDaemon::start().await;
        crate::lifecycle::gauges::gauge(daemon.app()).await.unwrap();
        daemon.get("/healthz", "").await;
        let text = daemon.get("/metrics", "").await.text;
        let served: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("# TYPE talkdrum_"))
            .map(|line| format!("talkdrum_{}", line.split(' ').next().unwrap()))
            .collect();
        let all = all();
        let strangers: Vec<_> = served.difference(&all).collect();
        assert!(strangers.is_empty(), "{strangers:?}");
        for name in
            ["talkdrum_dispatch_held 0", "talkdrum_build_info{version=", "process_resident_memory_bytes "]
        {
            assert!(text.contains(&format!("\n{name}")), "{name}: {text}");
        }
        promtool(&["check", "metrics"], &text);
        daemon.stop().await;
    }
}
