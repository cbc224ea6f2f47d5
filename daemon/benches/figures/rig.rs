//! A Talkdrum to be measured: the sandbox SMSC and the daemon, each in a process of its own, with an administrator,
//! a price and a customer who has money.
//!
//! The daemon runs as shipped. Only addresses and the carrier's window are set.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use talkdrum_core::store::StoreOptions;
use tempfile::TempDir;

use crate::beside::{CALLS, TRUNK};
use crate::client::Client;
use crate::console;
use crate::process::{Ended, Process, free_port};

/// submit_sm outstanding on one bind, unless a part says otherwise.
pub(crate) const WINDOW: u32 = 1_000;
/// Connections to the SMSC, unless a part says otherwise.
pub(crate) const BINDS: u32 = 1;

/// The configuration's file, in the rig's directory.
const CONFIG: &str = "talkdrum.toml";

const PASSWORD: &str = "Figures-2026-figures";

/// What a rig is made of.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The database's address; SQLite in the data directory when it is not given.
    pub(crate) database: Option<String>,
    /// Flags of the sandbox SMSC.
    pub(crate) faults: Vec<String>,
    /// submit_sm outstanding on one bind.
    pub(crate) window: u32,
    /// Connections.
    pub(crate) binds: u32,
    /// How long the daemon is left alone before anyone signs in.
    pub(crate) rest: Duration,
    /// Customers in the SQLite file besides the one who sends.
    pub(crate) users: i64,
    /// The port of phones that a trunk calls; there is no trunk without.
    pub(crate) phones: Option<u16>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            database: None,
            faults: Vec::new(),
            window: WINDOW,
            binds: BINDS,
            rest: Duration::ZERO,
            users: 0,
            phones: None,
        }
    }
}

/// Where the programs are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    /// `talkdrumd`.
    pub(crate) daemon: PathBuf,
}

impl Programs {
    /// The programs to measure: built as they are shipped, without what tests add to them, unless they are given.
    pub(crate) fn find(given: Option<PathBuf>) -> anyhow::Result<Self> {
        if let Some(daemon) = given {
            return Ok(Self { daemon: daemon.canonicalize()? });
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--release", "--quiet", "--package", "talkdrum-daemon", "--bins"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .context("cargo cannot be run")?;
        ensure!(status.success(), "the release build failed");
        let here = std::env::current_exe()?;
        // This program lies in target/release/deps.
        let release = here.parent().and_then(Path::parent).context("this program lies nowhere")?;
        let daemon = release.join("talkdrumd");
        ensure!(daemon.exists(), "{} was not built", daemon.display());
        Ok(Self { daemon })
    }
}

/// The SMSC and the daemon, ready to send.
#[derive(Debug)]
pub(crate) struct Rig {
    /// The daemon: the process that is measured.
    pub(crate) daemon: Process,
    /// The stand-in SMSC.
    pub(crate) smsc: Process,
    /// Where the SMSC listens.
    pub(crate) smsc_port: u16,
    /// The customer, with an API key of all she needs.
    pub(crate) client: Client,
    /// From the daemon's start to its first answer.
    pub(crate) start: Duration,
    /// MiB of memory before anyone signed in.
    pub(crate) idle: f64,
    /// Holds database and logs.
    pub(crate) dir: TempDir,
}

impl Rig {
    /// Starts everything.
    pub(crate) async fn start(programs: &Programs, plan: &Plan) -> anyhow::Result<Self> {
        let dir = tempfile::tempdir()?;
        let smsc_port = free_port()?;
        let smsc = start_smsc(programs, smsc_port, &plan.faults, dir.path())?;
        wait_for_port(smsc_port).await?;
        let config = dir.path().join(CONFIG);
        let port = free_port()?;
        std::fs::write(&config, settings(plan, port, smsc_port, dir.path()))?;
        create_admin(programs, &config)?;
        if plan.users > 0 {
            let file = dir.path().join("data/talkdrum.db");
            console::populate(&StoreOptions::new(format!("sqlite://{}", file.display())), plan.users).await?;
        }
        let started = Instant::now();
        let daemon = start_daemon(programs, &config, dir.path())?;
        wait_for_port(port).await?;
        let start = started.elapsed();
        tokio::time::sleep(plan.rest).await;
        let (_, idle) = daemon.memory();
        let client = customer(port).await.with_context(|| log_of(dir.path()))?;
        Ok(Self { daemon, smsc, smsc_port, client, start, idle, dir })
    }

    /// The administrator, signed in.
    pub(crate) async fn administrator(&self) -> anyhow::Result<Client> {
        Client::sign_in(self.client.port, "/admin/admin-login", "admin", PASSWORD).await
    }

    /// Bytes of the SQLite file and its log.
    pub(crate) fn database_bytes(&self) -> f64 {
        let size = |name: &str| {
            std::fs::metadata(self.dir.path().join("data").join(name)).map_or(0.0, |file| file.len() as f64)
        };
        size("talkdrum.db") + size("talkdrum.db-wal")
    }

    /// Gives the customer money for as many messages as a part may want.
    pub(crate) async fn credit(&self) -> anyhow::Result<()> {
        let administrator = self.administrator().await?;
        let users = administrator.get("/admin/get-all-active-users?page=1&per_page=20&q=ada").await?;
        let user = users["active_users"][0]["id"].as_i64().context("the customer is not there")?;
        let credit = [("espees", "900000000"), ("payment_ref", "figures-more")];
        administrator.post(&format!("/admin/assign-espee/{user}"), &credit).await?;
        Ok(())
    }

    /// Ends the daemon, does `work` to its database and starts it again.
    pub(crate) async fn restarted<F>(self, programs: &Programs, work: F) -> anyhow::Result<Self>
    where
        F: Future<Output = anyhow::Result<()>>,
    {
        let Self { daemon, smsc, smsc_port, client, idle, dir, .. } = self;
        daemon.stop()?;
        work.await?;
        let started = Instant::now();
        let daemon = start_daemon(programs, &dir.path().join(CONFIG), dir.path())?;
        wait_for_port(client.port).await.with_context(|| log_of(dir.path()))?;
        Ok(Self { daemon, smsc, smsc_port, client, start: started.elapsed(), idle, dir })
    }

    /// Runs another command of `talkdrumd` beside the daemon, to its end.
    pub(crate) async fn command(&self, programs: &Programs, args: &[&str]) -> anyhow::Result<Ended> {
        let mut command = Command::new(&programs.daemon);
        command.arg("--config").arg(self.dir.path().join(CONFIG)).args(args).current_dir(self.dir.path());
        let log = self.dir.path().join("command.log");
        let ended = Process::start(&mut command, &log)?.ended().await?;
        ensure!(
            ended.is_success,
            "talkdrumd {}: {}",
            args.join(" "),
            std::fs::read_to_string(&log).unwrap_or_default()
        );
        Ok(ended)
    }

    /// Ends the daemon, which closes its database, and returns where that is.
    pub(crate) fn close(self) -> anyhow::Result<TempDir> {
        let Self { daemon, smsc, dir, .. } = self;
        daemon.stop()?;
        smsc.stop()?;
        Ok(dir)
    }
}

/// Starts the stand-in SMSC on a port.
pub(crate) fn start_smsc(
    programs: &Programs,
    port: u16,
    faults: &[String],
    dir: &Path,
) -> anyhow::Result<Process> {
    let mut command = Command::new(&programs.daemon);
    command.args(["sandbox", "--port", &port.to_string()]).args(faults).current_dir(dir);
    Process::start(&mut command, &dir.join("smsc.log"))
}

fn start_daemon(programs: &Programs, config: &Path, dir: &Path) -> anyhow::Result<Process> {
    let mut command = Command::new(&programs.daemon);
    command.arg("--config").arg(config).arg("serve").current_dir(dir);
    Process::start(&mut command, &dir.join("daemon.log"))
}

fn settings(plan: &Plan, port: u16, smsc_port: u16, dir: &Path) -> String {
    let data = dir.join("data");
    let trunk = plan.phones.map_or_else(String::new, |port| {
        format!(
            "[[carriers]]\nname = \"{TRUNK}\"\nkind = \"sip\"\nhost = \"127.0.0.1\"\nport = {port}\n\
             listen = \"127.0.0.1\"\ncaller_id = \"2342012345678\"\nchannels = {CALLS}\nrate = {CALLS}\n"
        )
    });
    let database =
        plan.database.as_ref().map_or_else(String::new, |url| format!("[database]\nurl = \"{url}\"\n"));
    format!(
        "[server]\nlisten = \"127.0.0.1:{port}\"\ndata_dir = \"{}\"\n{database}\
         [log]\nfilter = \"warn\"\n\
         [[carriers]]\nname = \"main\"\nkind = \"smpp\"\nhost = \"127.0.0.1\"\nport = {smsc_port}\n\
         system_id = \"figures\"\nwindow = {}\nbinds = {}\nrate = 0\n{trunk}",
        data.display(),
        plan.window,
        plan.binds
    )
}

fn create_admin(programs: &Programs, config: &Path) -> anyhow::Result<()> {
    let mut child = Command::new(&programs.daemon)
        .arg("--config")
        .arg(config)
        .args(["create-admin", "--username", "admin", "--email", "admin@example.com", "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    child.stdin.take().context("no standard input")?.write_all(PASSWORD.as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "create-admin: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Sets a price, makes a customer, gives her money and signs her in.
async fn customer(port: u16) -> anyhow::Result<Client> {
    let admin = Client::sign_in(port, "/admin/admin-login", "admin", PASSWORD).await?;
    admin.post("/admin/set-sms-unit-price", &[("price", "0.01")]).await?;
    let fields = [
        ("name", "Ada"),
        ("username", "ada"),
        ("email", "ada@example.com"),
        ("password", PASSWORD),
        ("role", "user"),
    ];
    let user = admin.post("/admin/users", &fields).await?;
    let id = user["user"]["id"].as_i64().context("a new user has no id")?;
    let credit = [("espees", "1000000"), ("payment_ref", "figures")];
    admin.post(&format!("/admin/assign-espee/{id}"), &credit).await?;
    // A first large send waits for a person.
    admin.put(&format!("/admin/users/{id}/limits"), &[("proven", "true")]).await?;
    Client::sign_in(port, "/api/login", "ada", PASSWORD).await
}

/// Waits until a process listens on the port.
pub(crate) async fn wait_for_port(port: u16) -> anyhow::Result<()> {
    let deadline = Instant::now() + Duration::from_secs(20);
    while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        ensure!(Instant::now() < deadline, "nobody listens on port {port}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// The daemon's last words, for when something fails.
fn log_of(dir: &Path) -> String {
    let log = std::fs::read_to_string(dir.join("daemon.log")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().rev().take(5).collect();
    format!("the daemon's log ends: {}", lines.into_iter().rev().collect::<Vec<_>>().join(" | "))
}
