//! The large campaign and single sends on PostgreSQL: a server of its own on the same machine, as durable as it comes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

use crate::Setup;
use crate::api::CONNECTIONS;
use crate::campaign;
use crate::load::{Load, Round};
use crate::process::{Process, cpu_of_family, free_port};
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};

/// A server with an empty cluster.
#[derive(Debug)]
pub(crate) struct Server {
    _process: Process,
    port: u16,
    data: PathBuf,
    _dir: TempDir,
}

/// Measures it.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let Some(programs) = programs() else {
        figures
            .push(Figure::missing("campaign on PostgreSQL", "no server is installed (Debian: postgresql)"));
        return Ok(());
    };
    let server = Server::start(&programs).await?;
    let rig = Rig::start(&setup.programs, &Plan { database: Some(server.url()), ..Plan::default() }).await?;
    let before = server.cpu()?;
    let cost = campaign::run(&rig, setup.messages.min(1_000_000), 17).await?;
    let theirs = (server.cpu()? - before) * 1e6 / cost.size as f64;
    let count = grouped(cost.size as f64);
    let goal = Goal::AtMost(campaign::scaled(28.0, cost.size), Some(campaign::scaled(12.0, cost.size)));
    figures.extend([
        Figure::new(
            format!("campaign of {count} on PostgreSQL: all receipts applied"),
            Unit::Seconds,
            goal,
            cost.reached.delivered,
        )
        .note(format!("all submitted after {:.2} s; quote {:.2} s", cost.reached.submitted, cost.quoted)),
        Figure::new("CPU a message on PostgreSQL: the daemon", Unit::Micros, Goal::Shown, cost.micros()),
        Figure::new("CPU a message on PostgreSQL: the server", Unit::Micros, Goal::Shown, theirs)
            .note("all of its processes, the quote included; fsync and synchronous_commit are on"),
    ]);
    figures.push(single_sends(setup, &rig).await?);
    rig.close()?;
    server.stop()
}

async fn single_sends(setup: &Setup, rig: &Rig) -> anyhow::Result<Figure> {
    let before = rig.daemon.cpu();
    let load = Load {
        port: rig.client.port,
        token: rig.client.token.clone(),
        round: Round::Send,
        connections: CONNECTIONS,
        duration: setup.load,
        pause: Duration::ZERO,
    };
    let sends = load.run().await?;
    let cpu = (rig.daemon.cpu() - before) * 1e6 / sends.rounds as f64;
    campaign::settle_down(rig).await;
    let figure = Figure::new(
        "single send by the API on PostgreSQL",
        Unit::PerSecond,
        Goal::AtLeast(3e3, None),
        sends.per_second,
    );
    Ok(figure.note(format!(
        "all of one user, sent and receipted meanwhile; CPU {cpu:.1} us a message, p50 {:.1} ms, p99 {:.1} ms",
        sends.percentile(500),
        sends.percentile(990)
    )))
}

impl Server {
    pub(crate) async fn start(programs: &Path) -> anyhow::Result<Self> {
        let dir = tempfile::tempdir()?;
        let data = dir.path().join("data");
        if is_root()? {
            run(Command::new("chown").arg("postgres").arg(dir.path()))?;
        }
        run(as_server(&programs.join("initdb"))?
            .args([
                "--username",
                "talkdrum",
                "--auth",
                "trust",
                "--encoding",
                "UTF8",
                "--locale",
                "C",
                "--pgdata",
            ])
            .arg(&data)
            .current_dir(dir.path()))?;
        let port = free_port()?;
        let mut command = as_server(&programs.join("postgres"))?;
        command.arg("-D").arg(&data).args(["-p", &port.to_string()]);
        command.args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
        let process = Process::start(command.current_dir(dir.path()), &dir.path().join("log"))?;
        let server = Self { _process: process, port, data, _dir: dir };
        server.wait().await?;
        Ok(server)
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("postgres://talkdrum@127.0.0.1:{}/postgres", self.port)
    }

    /// Looks after all tables, and writes to disk what is only in its log.
    pub(crate) fn vacuum(&self, programs: &Path) -> anyhow::Result<()> {
        let mut psql = Command::new(programs.join("psql"));
        run(psql.args(["--quiet", "-c", "VACUUM (ANALYZE)", "-c", "CHECKPOINT"]).arg(self.url()))
    }

    /// Where its files are.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Until it says that it is ready.
    async fn wait(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        let pid_file = self.data.join("postmaster.pid");
        while !std::fs::read_to_string(&pid_file).is_ok_and(|text| text.contains("ready")) {
            ensure!(start.elapsed() < Duration::from_secs(30), "PostgreSQL did not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// The process that all others of the server descend from.
    fn postmaster(&self) -> anyhow::Result<u32> {
        let text = std::fs::read_to_string(self.data.join("postmaster.pid"))?;
        text.lines().next().and_then(|line| line.trim().parse().ok()).context("no postmaster.pid")
    }

    fn cpu(&self) -> anyhow::Result<f64> {
        Ok(cpu_of_family(self.postmaster()?))
    }

    pub(crate) fn stop(self) -> anyhow::Result<()> {
        run(Command::new("kill").args(["-INT", &self.postmaster()?.to_string()]))?;
        let start = Instant::now();
        while self.data.join("postmaster.pid").exists() && start.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its own process may be the one that changed the user: the server below it would stay.
        if let Ok(postmaster) = self.postmaster() {
            let _ = Command::new("kill").args(["-QUIT", &postmaster.to_string()]).status();
        }
    }
}

/// Where `initdb` and `postgres` are: as told, on the path, or where Debian keeps them.
pub(crate) fn programs() -> Option<PathBuf> {
    let told = std::env::var_os("TALKDRUM_POSTGRES_BIN").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        let mut versions: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
        versions.sort();
        places.extend(versions.into_iter().rev());
    }
    told.into_iter()
        .chain(places)
        .find(|place| place.join("initdb").exists() && place.join("postgres").exists())
        // Not where a link to it is: its other tools are beside it.
        .and_then(|place| place.join("postgres").canonicalize().ok()?.parent().map(Path::to_path_buf))
}

/// PostgreSQL refuses to run as root.
fn as_server(program: &Path) -> anyhow::Result<Command> {
    if !is_root()? {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    Ok(command)
}

fn is_root() -> anyhow::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(std::fs::metadata("/proc/self")?.uid() == 0)
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let output =
        command.output().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
