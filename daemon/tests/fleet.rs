//! An API daemon and three workers in processes of their own, on one PostgreSQL server and two carriers: a worker is
//! killed, another one sleeps beyond its lease and wakes, the database server crashes and the API daemon is killed, an
//! SMSC hangs up.
//!
//! The SMSCs live in the test's process and outlive every daemon; each remembers what it accepted. Leases are short by
//! configuration. Whatever ends by itself is started again, as a supervisor does.

#![expect(clippy::unwrap_used, reason = "the steps of these tests: what fails here fails the test")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use talkdrum_api::money::Amount;
use talkdrum_daemon::sandbox::smsc::{Faults, Smsc, SmscOptions};

/// Recipients of a campaign at each carrier. All phases stay below 9,001, where numbers have a meaning to the sandbox.
const EACH: u64 = 2_000;
const PHASES: u64 = 4;
/// The first number at each carrier, by its network: MTN and Glo.
const FIRST: [u64; 2] = [2_348_030_000_000, 2_348_050_000_000];
const CARRIERS: [&str; 2] = ["first", "second"];
const WINDOW: u64 = 60;
/// max(100, three quarters of the window).
const RUN_AHEAD: u64 = 100;
/// What must have gone out at a carrier before something happens, and again afterwards.
const UNDER_WAY: u64 = 200;
const PATIENCE: Duration = Duration::from_mins(2);
const PASSWORD: &str = "correct horse battery";
/// `ESME_RSYSERR`.
const SYSTEM_ERROR: u32 = 0x08;

/// A PostgreSQL server of this test's own, which survives a crash.
struct Server {
    dir: PathBuf,
    url: String,
}

impl Server {
    /// `None` where there are no binaries of PostgreSQL.
    fn start(dir: PathBuf) -> Option<Self> {
        let made = Self::script("durable", &dir);
        if made.status.code() == Some(69) {
            return None;
        }
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Some(Self { dir, url: String::from_utf8(made.stdout).unwrap().trim().to_owned() })
    }

    fn script(action: &str, dir: &Path) -> std::process::Output {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/postgres");
        // The server goes on when the script is over, and would hold a pipe of ours open.
        let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        let status = Command::new(script)
            .args([action, dir.to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(err.try_clone().unwrap())
            .status()
            .unwrap();
        std::process::Output { status, stdout: read_back(out), stderr: read_back(err) }
    }

    fn crash_and_start(&self) {
        for action in ["crash", "restart"] {
            let done = Self::script(action, &self.dir);
            assert!(done.status.success(), "{action}: {}", String::from_utf8_lossy(&done.stderr));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Self::script("stop", &self.dir);
    }
}

fn read_back(mut file: std::fs::File) -> Vec<u8> {
    use std::io::{Read as _, Seek as _};
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Which process bound to which carrier last, by its log.
type Bound = Arc<Mutex<HashMap<String, u32>>>;

/// A daemon in a process of its own; it is killed when it is dropped.
struct Daemon {
    child: Child,
    base: String,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Daemon {
    fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

struct Fleet {
    dir: PathBuf,
    server: Server,
    smscs: [Smsc; 2],
    api: Daemon,
    workers: Vec<Daemon>,
    bound: Bound,
    client: reqwest::Client,
    /// Runs that ended in the middle of their work.
    deaths: u64,
}

fn talkdrumd(dir: &Path, url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_talkdrumd"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TALKDRUM")) {
        command.env_remove(name);
    }
    command
        .env("TALKDRUM_DATA_DIR", dir.join("data"))
        .env("TALKDRUM_CONFIG", dir.join("talkdrum.toml"))
        .env("TALKDRUM_DATABASE_URL", url)
        .env("TALKDRUM_SECRET_KEY", "5".repeat(64))
        .env("TALKDRUM__LOG__FORMAT", "json")
        .env("TALKDRUM__LIMITS__FREE_DISK_MIB", "0")
        .env("TALKDRUM__LIMITS__FIRST_SEND_HOLD", "0")
        .env("TALKDRUM__DISPATCH__LEASE_S", "5")
        .stdin(Stdio::null());
    command
}

/// Starts a daemon. Each has a data directory of its own, as the daemons of a fleet have: `name`, which begins with the
/// role.
fn start(dir: &Path, url: &str, name: &str, bound: &Bound) -> Daemon {
    let role = name.split('-').next().unwrap();
    let mut child = talkdrumd(dir, url)
        .env("TALKDRUM_DATA_DIR", dir.join(name))
        .args(["serve", "--listen", "127.0.0.1:0", "--role", role])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (id, bound) = (child.id(), Arc::clone(bound));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut early = Vec::new();
    let address = lines.by_ref().find_map(|line| {
        early.push(line.clone());
        let event: Value = serde_json::from_str(&line).ok()?;
        event["fields"]["address"].as_str().map(str::to_owned)
    });
    let address = address.unwrap_or_else(|| panic!("{role} did not start: {early:#?}"));
    let mut log = std::fs::File::create(dir.join(format!("{name}-{id}.log"))).unwrap();
    std::thread::spawn(move || {
        for line in early.into_iter().chain(lines) {
            let _ = writeln!(log, "{line}");
            let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
            if event["fields"]["message"] == "bound"
                && let Some(carrier) = event["fields"]["carrier"].as_str()
            {
                bound.lock().unwrap().insert(carrier.to_owned(), id);
            }
        }
    });
    Daemon { child, base: format!("http://{address}") }
}

impl Fleet {
    async fn start(dir: &Path, server: Server) -> Self {
        let slow = Faults { answer_delay_ms: 50, receipt_delay_ms: 20, ..Faults::default() };
        let smsc = async || {
            Smsc::bind(SmscOptions { audit: true, faults: slow.clone(), ..SmscOptions::default() })
                .await
                .unwrap()
        };
        let smscs = [smsc().await, smsc().await];
        let mut config = String::new();
        for (name, smsc) in CARRIERS.iter().zip(&smscs) {
            config += &format!(
                "[[carriers]]\nname = '{name}'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = {}\n\
                 system_id = 'talkdrum'\nwindow = {WINDOW}\nreconnect_min_ms = 50\nreconnect_max_ms = 500\n",
                smsc.local_addr().port()
            );
        }
        for (name, network) in CARRIERS.iter().zip(["mtn", "glo"]) {
            config += &format!("[[routes]]\ncarrier = '{name}'\nnetworks = ['{network}']\n");
        }
        std::fs::write(dir.join("talkdrum.toml"), config).unwrap();
        let mut admin = talkdrumd(dir, &server.url)
            .args(["create-admin", "--username", "root", "--email", "root@example.com", "--password-stdin"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        writeln!(admin.stdin.take().unwrap(), "{PASSWORD}").unwrap();
        assert!(admin.wait().unwrap().success());
        let bound = Bound::default();
        let api = start(dir, &server.url, "api", &bound);
        let workers =
            (0..3).map(|place| start(dir, &server.url, &format!("worker-{place}"), &bound)).collect();
        Self {
            dir: dir.to_owned(),
            server,
            smscs,
            api,
            workers,
            bound,
            client: reqwest::Client::new(),
            deaths: 0,
        }
    }

    async fn post(&self, path: &str, token: &str, form: &[(&str, &str)]) -> Value {
        let request = self.client.post(format!("{}{path}", self.api.base)).bearer_auth(token).form(form);
        let response = request.send().await.unwrap();
        let status = response.status();
        let answer: Value = response.json().await.unwrap();
        assert!(status.is_success(), "{path}: {answer}");
        answer
    }

    /// An answer, whatever it says; `Null` when there is none.
    async fn get(&self, path: &str, token: &str) -> Value {
        let request = self.client.get(format!("{}{path}", self.api.base)).bearer_auth(token);
        match request.send().await {
            Ok(response) => response.json().await.unwrap_or_default(),
            Err(_) => Value::Null,
        }
    }

    async fn sign_in(&self, username: &str) -> String {
        let answer = self.post("/api/login", "", &[("username", username), ("password", PASSWORD)]).await;
        answer["token"].as_str().unwrap().to_owned()
    }

    /// A customer with 100,000 Naira, at 2.50 a message.
    async fn customer(&self) -> String {
        let admin = self.sign_in("root").await;
        self.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "2.5")]).await;
        let ada =
            [("name", "Ada"), ("username", "ada"), ("email", "ada@example.com"), ("password", PASSWORD)];
        let user = self.post("/admin/users", &admin, &ada).await["user"]["id"].as_i64().unwrap();
        let money = [("amount", "100000"), ("payment_ref", "1")];
        self.post(&format!("/admin/assign-naira/{user}"), &admin, &money).await;
        self.sign_in("ada").await
    }

    /// Confirms a campaign to the next numbers of both carriers.
    async fn confirm(&self, token: &str, phase: u64) -> i64 {
        let numbers = FIRST.iter().flat_map(|first| (0..EACH).map(move |n| first + phase * EACH + n));
        let contacts: Vec<String> = numbers.map(|number| number.to_string()).collect();
        let contacts = contacts.join(",");
        let form = [
            ("senderid", "WEBSMS"),
            ("payment_method", "naira"),
            ("message", "Hello"),
            ("contacts", contacts.as_str()),
        ];
        let quote = self.post("/api/send-text-sms", token, &form).await;
        assert_eq!(quote["details"]["total_contacts"], 2 * EACH);
        let quote = quote["details"]["quote_id"].to_string();
        let confirmed = self.post("/api/confirm-send-text-sms", token, &[("quote_id", &quote)]).await;
        confirmed["details"]["id"].as_i64().unwrap()
    }

    fn accepted(&self) -> [u64; 2] {
        [self.smscs[0].counts().accepted, self.smscs[1].counts().accepted]
    }

    /// The ends of all logs, for a failure.
    fn last_words(&self) -> String {
        let mut words = String::new();
        for entry in std::fs::read_dir(&self.dir).unwrap().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|extension| extension == "log") {
                let text = std::fs::read_to_string(entry.path()).unwrap();
                let lines: Vec<&str> = text.lines().collect();
                let last = &lines[lines.len().saturating_sub(12)..];
                words += &format!("{}\n{}\n", entry.file_name().display(), last.join("\n"));
            }
        }
        words
    }

    /// Waits until a condition holds; workers that end meanwhile are started again.
    async fn until(&mut self, what: &str, mut condition: impl AsyncFnMut(&mut Self) -> bool) {
        let started = Instant::now();
        while !condition(self).await {
            assert!(
                started.elapsed() < PATIENCE,
                "{what} did not happen in {PATIENCE:?}: accepted {:?}, held by {:?}\n{}",
                self.accepted(),
                self.bound.lock().unwrap(),
                self.last_words()
            );
            for place in 0..self.workers.len() {
                if self.workers[place].has_ended() {
                    self.deaths += 1;
                    let name = format!("worker-{place}");
                    self.workers[place] = start(&self.dir, &self.server.url, &name, &self.bound);
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until [`UNDER_WAY`] more messages than `since` were accepted at a carrier.
    async fn sent_since(&mut self, carrier: &str, since: [u64; 2]) {
        let place = CARRIERS.iter().position(|name| *name == carrier).unwrap();
        self.until(&format!("{UNDER_WAY} more than {since:?} at {carrier}"), async |fleet| {
            fleet.accepted()[place] >= since[place] + UNDER_WAY
        })
        .await;
    }

    /// The place of the worker that holds a carrier.
    fn holder(&self, carrier: &str) -> usize {
        let id = self.bound.lock().unwrap()[carrier];
        self.workers.iter().position(|worker| worker.child.id() == id).unwrap()
    }

    fn kill_worker(&mut self, carrier: &str) {
        let place = self.holder(carrier);
        self.workers[place].child.kill().unwrap();
        self.workers[place].child.wait().unwrap();
    }

    /// Stops the worker that holds a carrier until another one has taken it over and sends, then lets it go on: it must
    /// find that it is dead, and end.
    async fn put_to_sleep(&mut self, carrier: &str) {
        let place = self.holder(carrier);
        let id = self.workers[place].child.id();
        self.workers[place].signal("STOP");
        self.until("another holder", async |fleet| fleet.bound.lock().unwrap()[carrier] != id).await;
        self.sent_since(carrier, self.accepted()).await;
        self.workers[place].signal("CONT");
        self.until("the end of the sleeper", async |fleet| fleet.workers[place].child.id() != id).await;
    }

    /// Closes the binds of an SMSC, and refuses new ones until they were turned away twice.
    async fn cut_off(&mut self, smsc: usize) {
        let before = self.smscs[smsc].faults();
        let refused = self.smscs[smsc].counts().binds_refused;
        self.smscs[smsc].set_faults(Faults { refuse_binds: SYSTEM_ERROR, ..before.clone() });
        self.smscs[smsc].disconnect_all();
        self.until("two binds that are refused", async |fleet| {
            fleet.smscs[smsc].counts().binds_refused >= refused + 2
        })
        .await;
        self.smscs[smsc].set_faults(before);
    }
}

#[tokio::test]
async fn killed_sleeping_and_cut_off_daemons_on_a_crashing_server_send_nothing_twice() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let dir = tempfile::tempdir().unwrap();
    // The server runs as another user when root starts it.
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    let Some(server) = Server::start(dir.path().join("postgres")) else {
        let _ = writeln!(std::io::stderr(), "skipped: there are no PostgreSQL server binaries");
        return;
    };
    let mut fleet = Fleet::start(dir.path(), server).await;
    let token = fleet.customer().await;
    let mut campaigns = Vec::new();
    for phase in 0..PHASES {
        let before = fleet.accepted();
        campaigns.push(fleet.confirm(&token, phase).await);
        fleet.sent_since(if phase == 1 { "second" } else { "first" }, before).await;
        match phase {
            0 => fleet.kill_worker("first"),
            1 => fleet.put_to_sleep("second").await,
            2 => {
                fleet.server.crash_and_start();
                fleet.api.child.kill().unwrap();
                fleet.api.child.wait().unwrap();
                fleet.api = start(&fleet.dir, &fleet.server.url, "api", &fleet.bound);
            }
            _ => fleet.cut_off(0).await,
        }
        let path = format!("/api/campaigns/{}", campaigns[campaigns.len() - 1]);
        fleet
            .until("the end of the campaign", async |fleet| {
                fleet.get(&path, &token).await["campaign"]["status"] == "completed"
            })
            .await;
    }
    for campaign in &campaigns {
        let path = format!("/api/campaigns/{campaign}");
        fleet
            .until("the last receipt", async |fleet| {
                fleet.get(&path, &token).await["campaign"]["counts"]["submitted"] == 0
            })
            .await;
    }
    let (mut delivered, mut unknown) = (0, 0);
    for campaign in &campaigns {
        let shown = fleet.get(&format!("/api/campaigns/{campaign}"), &token).await;
        let count = |status: &str| shown["campaign"]["counts"][status].as_u64().unwrap();
        let counts = &shown["campaign"]["counts"];
        // A sleeper that wakes says of what it had not written yet that it was not sent: rejected, and refunded.
        let ended = count("delivered") + count("unknown") + count("rejected");
        assert_eq!(ended, 2 * EACH, "every message of {campaign} ends: {counts}");
        delivered += count("delivered");
        unknown += count("unknown");
    }
    for (smsc, first) in fleet.smscs.iter().zip(FIRST) {
        assert_eq!(smsc.duplicates(), 0, "something went out twice");
        let twice = (0..PHASES * EACH).find(|number| smsc.times_accepted(first + number) > 1);
        assert_eq!(twice, None, "a number got it twice");
    }
    let accepted: u64 = fleet.accepted().iter().sum();
    assert!(
        (delivered..=delivered + unknown).contains(&accepted),
        "{accepted} went out, {delivered} delivered, {unknown} unknown: what is refunded must not have gone out"
    );
    // Each death may leave a window and the run-ahead of each carrier, and so may the crash; the SMSC that hung up, a window.
    let bound = (fleet.deaths + 1) * 2 * (WINDOW + RUN_AHEAD) + WINDOW;
    assert!(unknown <= bound, "{unknown} unknown after {} deaths, at most {bound}", fleet.deaths);
    assert!(fleet.deaths >= 2, "one was killed and one found that it was dead");
    let shown = fleet.get("/api/get-espee-balance", &token).await;
    let spent = "2.5".parse::<Amount>().unwrap().times(delivered + unknown).unwrap();
    let balance: Amount = shown["paystack_balance"].to_string().parse().unwrap();
    assert_eq!(balance, "100000".parse::<Amount>().unwrap().minus(spent).unwrap(), "{shown}");
    let check = talkdrumd(dir.path(), &fleet.server.url).arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}
