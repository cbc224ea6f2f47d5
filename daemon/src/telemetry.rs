//! Log and metrics of the process.
//!
//! There is one subscriber and one recorder a process, however many daemons a test starts in it.

use std::io::IsTerminal as _;
use std::sync::OnceLock;

use anyhow::Context as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{Log, LogFormat};

/// Bounds of the histograms of durations, in seconds.
const SECONDS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The decoder of MP3s warns wherever a file is damaged, which is told to who uploads it.
const DECODER: &str = "symphonia_bundle_mp3=error";

/// Starts the log on standard error.
///
/// # Errors
/// When the filter cannot be read.
pub fn start_log(log: &Log) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&log.filter)
        .with_context(|| format!("'{}' is not a log filter: write a level such as info", log.filter))?
        .add_directive(DECODER.parse().context("the decoder's log filter")?);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let started = match log.format {
        LogFormat::Text => builder.finish().try_init(),
        LogFormat::Json => builder.json().finish().try_init(),
    };
    // A second start in one process keeps the first log.
    drop(started);
    Ok(())
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
            .and_then(PrometheusBuilder::install_recorder)
            .map_err(|error| error.to_string())
    };
    HANDLE.get_or_init(install).clone().map_err(|error| anyhow::anyhow!("the metrics cannot start: {error}"))
}
