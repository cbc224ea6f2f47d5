//! Which machine the figures are from: they mean little without it.

use std::io::Write as _;
use std::time::SystemTime;

use jiff::Timestamp;

/// Its processor and cores: results are compared with those of the same.
pub(crate) fn name() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{}, {cores} cores", said("/proc/cpuinfo", "model name"))
}

/// Now, as `2026-11-29 20:45 UTC`.
pub(crate) fn date() -> String {
    Timestamp::try_from(SystemTime::now()).unwrap_or_default().strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// What follows a key in a file of `key: value`.
fn said(path: &str, key: &str) -> String {
    let text = read(path);
    let line = text.lines().find(|line| line.starts_with(key)).and_then(|line| line.split_once(':'));
    line.map_or_else(|| "unknown".into(), |(_, value)| value.trim().to_owned())
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Prints processor, cores, memory, kernel and date.
pub(crate) fn print() -> std::io::Result<()> {
    let (memory, kernel) = (said("/proc/meminfo", "MemTotal"), read("/proc/sys/kernel/osrelease"));
    let load = read("/proc/loadavg");
    let mut out = std::io::stdout().lock();
    writeln!(out, "machine  {}, {memory} of memory, Linux {}", name(), kernel.trim())?;
    writeln!(out, "date     {}", date())?;
    writeln!(out, "load     {} before the run (others' work shows in wall clock, not in CPU)", load.trim())
}
