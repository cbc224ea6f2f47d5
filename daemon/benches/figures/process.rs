//! A process that is measured: its CPU time and memory as the kernel accounts for them.
//!
//! Whatever was started here is ended here, by its own process id.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// The kernel's clock ticks a second in `/proc/PID/stat`, the same on every Linux.
const TICKS: f64 = 100.0;

/// A running process.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
}

/// What a process took that came to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// Whether it says that all went well.
    pub(crate) is_success: bool,
    /// From its start to its end, in seconds.
    pub(crate) took: f64,
    /// Its peak memory in MiB, as last looked at.
    pub(crate) peak: f64,
}

impl Process {
    /// Starts a command, its output in a log file.
    pub(crate) fn start(command: &mut Command, log: &Path) -> anyhow::Result<Self> {
        let log = std::fs::File::options().create(true).append(true).open(log)?;
        let program = command.get_program().to_owned();
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        Ok(Self { child })
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// CPU seconds so far, user and system.
    pub(crate) fn cpu(&self) -> f64 {
        cpu_of(self.id()).0
    }

    /// Peak and present memory, in MiB.
    pub(crate) fn memory(&self) -> (f64, f64) {
        memory_of(self.id())
    }

    /// Waits for its end.
    pub(crate) async fn ended(mut self) -> anyhow::Result<Ended> {
        let (start, mut peak) = (Instant::now(), f64::NAN);
        loop {
            if let Some(status) = self.child.try_wait()? {
                let took = start.elapsed().as_secs_f64();
                return Ok(Ended { is_success: status.success(), took, peak });
            }
            peak = peak.max(self.memory().0);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Asks it to end and waits; ends it by force when it does not.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let status = Command::new("kill").args(["-TERM", &self.id().to_string()]).status();
        let deadline = Instant::now() + Duration::from_secs(25);
        if status.is_ok_and(|status| status.success()) {
            while Instant::now() < deadline {
                if self.child.try_wait()?.is_some() {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        anyhow::bail!("process {} did not end when asked", self.id())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; then both say so and nothing is lost.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Peak and present memory of a process, in MiB.
pub(crate) fn memory_of(id: u32) -> (f64, f64) {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let value = |key: &str| {
        let line = status.lines().find(|line| line.starts_with(key));
        let kib = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kib| kib.parse().ok());
        kib.map_or(f64::NAN, |kib: f64| kib / 1_024.0)
    };
    (value("VmHWM"), value("VmRSS"))
}

/// CPU seconds of the thread that asks.
pub(crate) fn cpu_of_thread() -> f64 {
    cpu_in(Path::new("/proc/thread-self/stat")).0
}

/// CPU seconds of the benchmark itself.
pub(crate) fn own_cpu() -> f64 {
    cpu_in(Path::new("/proc/self/stat")).0
}

/// CPU seconds of a process, and of its children that ended.
fn cpu_of(id: u32) -> (f64, f64) {
    cpu_in(&Path::new("/proc").join(id.to_string()).join("stat"))
}

fn cpu_in(stat: &Path) -> (f64, f64) {
    let stat = std::fs::read_to_string(stat).unwrap_or_default();
    // The second field is the name in parentheses and may hold anything.
    let fields: Vec<&str> =
        stat.rsplit_once(')').map_or_else(Vec::new, |(_, rest)| rest.split_whitespace().collect());
    let ticks =
        |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(f64::NAN);
    ((ticks(11) + ticks(12)) / TICKS, (ticks(13) + ticks(14)) / TICKS)
}

/// CPU seconds of a process and of all its children, ended ones included: a PostgreSQL server with its backends.
pub(crate) fn cpu_of_family(id: u32) -> f64 {
    let (own, ended) = cpu_of(id);
    let children: f64 = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|child| parent_of(*child) == Some(id))
        .map(|child| cpu_of(child).0)
        .sum();
    own + ended + children
}

fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// A free TCP port of loopback.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
