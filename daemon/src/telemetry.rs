//! Log and metrics of the process.
//!
//! There is one subscriber and one recorder a process, however many daemons a test starts in it.

use std::io::IsTerminal as _;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_util::MetricKindMask;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{Log, LogFormat};

/// Bounds of the histograms of durations, in seconds.
const SECONDS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// For how long a gauge is shown that is not set any more: that of a carrier which was removed, or most of them where the
/// database is gone.
const GAUGES_KEPT: Duration = Duration::from_secs(120);

/// The decoder of MP3s logs a warning for each damaged frame; the user who uploads the file gets an error instead.
const DECODER: &str = "symphonia_bundle_mp3=error";

/// The SIP stack writes whole messages, with numbers and authentication, to its log from INFO on.
const SIP_STACK: &str = "rsipstack";
/// Warns of each datagram that it cannot use: one with a forged address could fill the log.
const SIP_ENDPOINT: &str = "rsipstack::transaction::endpoint";

/// Starts the log on standard error.
///
/// # Errors
/// When the filter cannot be read.
pub fn start_log(log: &Log) -> anyhow::Result<()> {
    let started = subscriber(log, std::io::stderr, std::io::stderr().is_terminal())?.try_init();
    // A second start in one process keeps the first log.
    drop(started);
    Ok(())
}

/// What is logged.
///
/// # Errors
/// When the filter cannot be read.
pub(crate) fn filter(log: &Log) -> anyhow::Result<EnvFilter> {
    EnvFilter::try_new(&log.filter)
        .with_context(|| format!("log.filter '{}' cannot be read: write a level such as info", log.filter))
}

fn subscriber<W>(log: &Log, writer: W, ansi: bool) -> anyhow::Result<Box<dyn Subscriber + Send + Sync>>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let filter = filter(log)?.add_directive(DECODER.parse().context("the decoder's log filter")?);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(ansi).with_writer(writer);
    Ok(match log.format {
        LogFormat::Text => Box::new(builder.finish().with(filter_fn(may_be_logged))),
        LogFormat::Json => Box::new(builder.json().finish().with(filter_fn(may_be_logged))),
    })
}

/// Whether something may be logged whatever the filter says.
fn may_be_logged(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    let told_from = match target.split("::").next() {
        Some(SIP_STACK) if target.starts_with(SIP_ENDPOINT) => Level::ERROR,
        Some(SIP_STACK) => Level::WARN,
        _ => return true,
    };
    *metadata.level() <= told_from
}

/// The recorder of the process, installed by the first call.
///
/// # Errors
/// When another recorder is there.
pub fn metrics() -> anyhow::Result<PrometheusHandle> {
    static HANDLE: OnceLock<Result<PrometheusHandle, String>> = OnceLock::new();
    let install = || {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), SECONDS)
            .map(|builder| builder.idle_timeout(MetricKindMask::GAUGE, Some(GAUGES_KEPT)))
            .and_then(PrometheusBuilder::install_recorder)
            .inspect(|_| crate::metric_table::describe())
            .map_err(|error| error.to_string())
    };
    HANDLE.get_or_init(install).clone().map_err(|error| anyhow::anyhow!("the metrics cannot start: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_the_sip_stack_sends_and_gets_is_never_logged() {
        for format in [LogFormat::Text, LogFormat::Json] {
            for filter in ["trace", "rsipstack=trace", "info,rsipstack::transaction[{id}]=trace"] {
                let written = Written::default();
                let writer = written.clone();
                let log = Log { format, filter: filter.into() };
                let subscriber = subscriber(&log, move || writer.clone(), false).unwrap();
                tracing::subscriber::with_default(subscriber, || {
                    let _span =
                        tracing::info_span!(target: "rsipstack::transaction", "span", id = 1).entered();
                    tracing::info!(target: "rsipstack", "INVITE sip:2348031234567");
                    tracing::debug!(target: "rsipstack::transport::udp", "INVITE sip:2348031234567");
                    tracing::warn!(target: "rsipstack::transaction::endpoint", "INVITE of a stranger");
                    tracing::warn!(target: "rsipstack::transport", "a socket is gone");
                    tracing::warn!(target: "rsipstacked", "another one");
                });
                let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
                assert!(!text.contains("INVITE"), "{filter}: {text}");
                assert!(text.contains("another one"), "{filter}: {text}");
                assert!(text.contains("a socket is gone"), "{filter}: {text}");
            }
        }
    }
}
