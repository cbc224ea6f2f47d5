//! `kill -9` in the middle of a campaign, again and again: nothing is lost, nothing goes out twice, at most a window and
//! the run-ahead of each life is unknown, and the ledger is exact.
//!
//! The SMSC lives in the test's process and outlives every daemon; it remembers what it accepted.

#![expect(clippy::unwrap_used, reason = "the steps of these tests: what fails here fails the test")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use talkdrum_core::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};
use talkdrum_daemon::sandbox::smsc::{Faults, Smsc, SmscOptions};

const RECIPIENTS: u64 = 6_000;
const FIRST: u64 = 2_348_030_000_000;
const WINDOW: u64 = 60;
/// max(100, three quarters of the window).
const RUN_AHEAD: u64 = 100;
const LIVES: u64 = 3;
const PATIENCE: Duration = Duration::from_mins(3);
const PASSWORD: &str = "correct horse battery";

/// A daemon in a process of its own, and a client of it.
struct Daemon {
    child: Child,
    base: String,
    client: reqwest::Client,
}

fn talkdrumd(dir: &Path, database: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_talkdrumd"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TALKDRUM")) {
        command.env_remove(name);
    }
    command
        .env("TALKDRUM_DATA_DIR", dir.join("data"))
        .env("TALKDRUM__LOG__FORMAT", "json")
        .env("TALKDRUM__LIMITS__FREE_DISK_MIB", "0")
        .stdin(Stdio::null());
    if let Some(url) = database {
        command.env("TALKDRUM_DATABASE_URL", url);
    }
    command
}

impl Daemon {
    fn start(dir: &Path, database: Option<&str>) -> Self {
        let config = dir.join("talkdrum.toml");
        let mut child = talkdrumd(dir, database)
            .args(["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let event: Value = serde_json::from_str(&line).ok()?;
            event["fields"]["address"].as_str().map(str::to_owned)
        });
        // The rest is read, so that the daemon never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, base: format!("http://{}", address.unwrap()), client: reqwest::Client::new() }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    async fn post(&self, path: &str, token: &str, form: &[(&str, &str)]) -> Value {
        let request = self.client.post(format!("{}{path}", self.base)).bearer_auth(token).form(form);
        let response = request.send().await.unwrap();
        let status = response.status();
        let answer: Value = response.json().await.unwrap();
        assert!(status.is_success(), "{path}: {answer}");
        answer
    }

    async fn get(&self, path: &str, token: &str) -> Value {
        let request = self.client.get(format!("{}{path}", self.base)).bearer_auth(token);
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn sign_in(&self, username: &str) -> String {
        let answer = self.post("/api/login", "", &[("username", username), ("password", PASSWORD)]).await;
        answer["token"].as_str().unwrap().to_owned()
    }

    /// A customer with money, and the campaign she confirmed.
    async fn confirm_campaign(&self) -> i64 {
        let admin = self.sign_in("root").await;
        self.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "2.5")]).await;
        let ada =
            [("name", "Ada"), ("username", "ada"), ("email", "ada@example.com"), ("password", PASSWORD)];
        let user = self.post("/admin/users", &admin, &ada).await["user"]["id"].as_i64().unwrap();
        self.post(
            &format!("/admin/assign-naira/{user}"),
            &admin,
            &[("amount", "100000"), ("payment_ref", "1")],
        )
        .await;
        let token = self.sign_in("ada").await;
        let contacts: Vec<String> = (0..RECIPIENTS).map(|number| (FIRST + number).to_string()).collect();
        let contacts = contacts.join(",");
        let form = [
            ("senderid", "WEBSMS"),
            ("payment_method", "naira"),
            ("message", "Hello"),
            ("contacts", contacts.as_str()),
        ];
        let quote = self.post("/api/send-text-sms", &token, &form).await;
        assert_eq!(quote["details"]["total_contacts"], RECIPIENTS);
        let quote = quote["details"]["quote_id"].to_string();
        let confirmed = self.post("/api/confirm-send-text-sms", &token, &[("quote_id", &quote)]).await;
        confirmed["details"]["id"].as_i64().unwrap()
    }
}

async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !condition().await {
        assert!(started.elapsed() < PATIENCE, "{what} did not happen in {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn prepare(dir: &Path, smsc: &Smsc, database: Option<&str>) {
    let config = format!(
        "[[carriers]]\nname = 'main'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = {}\nsystem_id = 'talkdrum'\n\
         window = {WINDOW}\nreconnect_min_ms = 50\n",
        smsc.local_addr().port()
    );
    std::fs::write(dir.join("talkdrum.toml"), config).unwrap();
    let mut admin = talkdrumd(dir, database)
        .args(["create-admin", "--username", "root", "--email", "root@example.com", "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    writeln!(admin.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(admin.wait().unwrap().success());
}

async fn survive(database: Option<&str>) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let dir = tempfile::tempdir().unwrap();
    let slow = Faults { answer_delay_ms: 10, receipt_delay_ms: 20, ..Faults::default() };
    let smsc = Smsc::bind(SmscOptions { audit: true, faults: slow, ..SmscOptions::default() }).await.unwrap();
    prepare(dir.path(), &smsc, database);
    let mut daemon = Daemon::start(dir.path(), database);
    let campaign = daemon.confirm_campaign().await;
    for life in 1..=LIVES {
        let goal = life * RECIPIENTS / (LIVES + 2);
        until("sending", async || smsc.counts().accepted >= goal).await;
        daemon.kill();
        daemon = Daemon::start(dir.path(), database);
    }
    let token = daemon.sign_in("ada").await;
    let path = format!("/api/campaigns/{campaign}");
    until("the end", async || {
        let campaign = daemon.get(&path, &token).await;
        let counts = &campaign["campaign"]["counts"];
        campaign["campaign"]["status"] == "completed" && counts["submitted"] == 0
    })
    .await;
    let shown = daemon.get(&path, &token).await;
    let count = |status: &str| shown["campaign"]["counts"][status].as_u64().unwrap();
    assert_eq!(smsc.duplicates(), 0, "something went out twice");
    assert_eq!(count("delivered") + count("unknown"), RECIPIENTS, "{shown}");
    assert!(count("unknown") <= LIVES * (WINDOW + RUN_AHEAD), "{} unknown", count("unknown"));
    assert!(count("delivered") <= smsc.counts().accepted);
    let twice = (0..RECIPIENTS).find(|number| smsc.times_accepted(FIRST + number) > 1);
    assert_eq!(twice, None, "a number got it twice");
    let check = talkdrumd(dir.path(), database).arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    daemon.kill();
}

#[tokio::test]
async fn on_sqlite_a_killed_daemon_loses_nothing_and_sends_nothing_twice() {
    survive(None).await;
}

#[tokio::test]
async fn on_postgres_a_killed_daemon_loses_nothing_and_sends_nothing_twice() {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else {
        let _ = writeln!(std::io::stderr(), "skipped: {POSTGRES_VARIABLE} is not set");
        return;
    };
    let database = PostgresDatabase::create(&server).await;
    survive(Some(&database.url())).await;
    database.drop().await;
}
