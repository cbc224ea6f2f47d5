//! Which machine the figures are from: they mean little without it.

use std::io::Write as _;
use std::time::SystemTime;

use jiff::Timestamp;

/// Prints processor, cores, memory, kernel and date.
pub(crate) fn print() -> std::io::Result<()> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let after = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let processor = after(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown".into());
    let memory = after(&read("/proc/meminfo"), "MemTotal").unwrap_or_else(|| "unknown".into());
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    let date = Timestamp::try_from(SystemTime::now()).unwrap_or_default().strftime("%Y-%m-%d %H:%M UTC");
    let mut out = std::io::stdout().lock();
    writeln!(out, "machine  {processor}, {cores} cores, {memory} of memory, Linux {}", kernel.trim())?;
    writeln!(out, "date     {date}")?;
    writeln!(out, "load     {} before the run (others' work shows in wall clock, not in CPU)", load.trim())
}
