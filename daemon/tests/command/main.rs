//! The binary as an operator meets it: commands, exit codes, what is refused and with which words.

#![expect(clippy::unwrap_used, reason = "the steps of these tests: what fails here fails the test")]

mod bench_results;
mod database;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn talkdrumd(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_talkdrumd"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TALKDRUM")) {
        command.env_remove(name);
    }
    command.env("TALKDRUM_DATA_DIR", data).stdin(Stdio::null());
    command
}

fn run(data: &Path, args: &[&str]) -> Output {
    talkdrumd(data).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Starts a daemon that is to refuse; what it said. One that serves is ended, and the test fails.
fn refused(data: &Path, args: &[&str]) -> String {
    let mut child = talkdrumd(data)
        .args(args)
        .env("TALKDRUM__LIMITS__FREE_DISK_MIB", "0")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok) {
        said.push_str(&line);
        said.push('\n');
        if line.contains("serving") && line.contains("address") {
            child.kill().unwrap();
            break;
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
    said
}

fn create_admin(data: &Path, password: &str) -> Output {
    let args = ["create-admin", "--username", "root", "--email", "root@example.com", "--password-stdin"];
    let mut child = talkdrumd(data)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// A daemon that serves, and where.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(data: &Path) -> Self {
        Self::run(data, &["serve", "--listen", "127.0.0.1:0"])
    }

    /// Any command that says where it listens.
    fn run(data: &Path, args: &[&str]) -> Self {
        let mut child = talkdrumd(data)
            .args(args)
            .env("TALKDRUM__LOG__FORMAT", "json")
            .env("TALKDRUM__LIMITS__FREE_DISK_MIB", "0")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let event: serde_json::Value = serde_json::from_str(&line).ok()?;
                if event["target"] == "talkdrum_daemon::lifecycle::sandbox" {
                    return None;
                }
                event["fields"]["address"].as_str().map(str::to_owned)
            })
            .unwrap();
        // The rest is read, so that the daemon never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    async fn sign_in(&self, password: &str) -> u16 {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let form = [("username", "root"), ("password", password)];
        let url = format!("http://{}/admin/admin-login", self.address);
        reqwest::Client::new().post(url).form(&form).send().await.unwrap().status().as_u16()
    }

    /// Ends it as a crash does, whatever it is at.
    fn kill(self) {
        drop(self);
    }

    fn stop(mut self) -> std::process::ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // One that ended by itself is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn from_nothing_to_an_administrator_who_signs_in_and_a_clean_end() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let made = create_admin(&data, "correct horse");
    assert!(made.status.success(), "{}", stderr(&made));
    let again = create_admin(&data, "correct horse");
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("Username is already taken"), "{}", stderr(&again));
    let serving = Serving::start(&data);
    assert_eq!(serving.sign_in("correct horse").await, 200);
    assert_eq!(serving.sign_in("wrong").await, 401);
    let second = run(&data, &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(1));
    let expected = format!("process {}", serving.child.id());
    assert!(stderr(&second).contains(&expected), "{}", stderr(&second));
    let migrate = run(&data, &["migrate"]);
    assert!(stderr(&migrate).contains(&expected), "{}", stderr(&migrate));
    assert!(serving.stop().success());
    assert!(run(&data, &["migrate"]).status.success());
}

#[tokio::test]
async fn a_backup_made_while_serving_is_held_after_it_is_restored() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    assert!(create_admin(&data, "correct horse").status.success());
    let serving = Serving::start(&data);
    let copy = dir.path().join("copy.db");
    let backup = run(&data, &["backup", copy.to_str().unwrap()]);
    assert!(backup.status.success(), "{}", stderr(&backup));
    let again = run(&data, &["backup", copy.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("exists already"), "{}", stderr(&again));
    assert!(serving.stop().success());
    assert!(run(&data, &["check"]).status.success());
    std::fs::rename(&copy, data.join("talkdrum.db")).unwrap();
    let serving = Serving::start(&data);
    assert_eq!(serving.sign_in("correct horse").await, 200);
    let check = run(&data, &["check", "--json"]);
    assert_eq!(check.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&check.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let wrong: Vec<_> = checks.iter().filter(|it| it["ok"] == false).map(|it| it["name"].clone()).collect();
    assert_eq!(wrong, ["dispatch"]);
    let released = run(&data, &["release-hold"]);
    assert!(stderr(&released).contains("dispatch goes on"), "{}", stderr(&released));
    assert!(run(&data, &["check"]).status.success());
    assert!(serving.stop().success());
}

#[test]
fn commands_say_what_to_do_when_there_is_no_database() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    for args in [&["check"][..], &["release-hold"], &["backup", "x.db"]] {
        let output = run(&data, args);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("create-admin"), "{}", stderr(&output));
    }
    assert!(!data.exists(), "nothing is made by asking");
}

#[test]
fn a_short_password_makes_no_database() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let output = create_admin(&data, "short");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("at least 8 characters"), "{}", stderr(&output));
    assert!(!data.exists());
}

#[test]
fn the_effective_settings_come_from_file_environment_and_flags_without_secrets() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    std::fs::write(
        &file,
        "[server]\nlisten = '127.0.0.1:1'\n[log]\nfilter = 'warn'\n\
         [[carriers]]\nname = 'main'\nkind = 'smpp'\nsystem_id = 'drum'\npassword = 'hunter2'\n",
    )
    .unwrap();
    let output = talkdrumd(dir.path())
        .args(["config", "--config", file.to_str().unwrap(), "--database", "postgres://u:hunter2@h/d"])
        .env("TALKDRUM_LISTEN", "127.0.0.1:2")
        .env("TALKDRUM__LOG__FILTER", "debug")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for expected in ["127.0.0.1:2", "filter = \"debug\"", "postgres://u:********@h/d", "name = \"main\""] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("hunter2"), "{text}");
    std::fs::write(&file, "[sever]\n").unwrap();
    let output = run(dir.path(), &["config", "--config", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("sever"), "{}", stderr(&output));
}

#[test]
fn a_check_of_the_settings_finds_what_serve_refuses_in_the_same_words_and_makes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let file = dir.path().join("talkdrum.toml");
    let args = |words: &[&'static str]| {
        let words = words.iter().map(|word| (*word).to_owned());
        words.chain(["--config".to_owned(), file.display().to_string()]).collect::<Vec<_>>()
    };
    let run = |words: &[&'static str]| talkdrumd(&data).args(args(words)).output().unwrap();
    std::fs::write(
        &file,
        "[log]\nfilter = 'a=b=c'\n[[carriers]]\nname = 'main'\nkind = 'smpp'\nhost = 'x'\nsystem_id = 'drum'\n\
         password_file = '/nonexistent/password'\n",
    )
    .unwrap();
    let check = run(&["config", "--check"]);
    assert_eq!((check.status.code(), check.stdout.len()), (Some(1), 0));
    let found = stderr(&check);
    assert!(found.contains("talkdrum.toml:2: log.filter 'a=b=c' cannot be read"), "{found}");
    assert!(found.contains("talkdrum.toml:8: Carrier `main`: reading password_file"), "{found}");
    let text = std::fs::read_to_string(&file).unwrap().replace("a=b=c", "info");
    let other = "[[carriers]]\nname = 'other'\nkind = 'smpp'\nhost = 'x'\nsystem_id = 'd'\npassword = 'change-me-1'\n";
    std::fs::write(&file, text + other).unwrap();
    let found = stderr(&run(&["config", "--check"]));
    let found: Vec<_> = found.lines().filter(|line| line.starts_with("error: ")).collect();
    let serve = run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((serve.status.code(), found.len()), (Some(1), 2));
    let refused = stderr(&serve);
    assert!(refused.lines().any(|line| line == found[0]), "{found:?}\n{refused}");
    assert!(!refused.contains("password_file"), "a daemon serves without a carrier's file: {refused}");
    assert!(!data.exists(), "nothing is made for a daemon that does not start");
    std::fs::write(&file, "[voice]\nengine = ['/nonexistent/engine', '{voice}']\n").unwrap();
    let check = run(&["config", "--check", "--database", "postgres://nowhere.invalid/x"]);
    assert!(check.status.success(), "the database is not asked: {}", stderr(&check));
    assert_eq!(String::from_utf8_lossy(&check.stdout), "ok: serve takes these settings\n");
    assert!(stderr(&check).starts_with("warning: ") && stderr(&check).contains("/nonexistent/engine"));
    // What is there and cannot be used.
    std::fs::write(&data, "a file").unwrap();
    let check = stderr(&run(&["config", "--check", "--database", "mysql://x"]));
    assert!(check.contains("error: TALKDRUM_DATA_DIR: server.data_dir cannot be used"), "{check}");
    assert!(check.contains("is no directory"), "{check}");
    assert!(
        check.contains("error: --database: database.url must start with sqlite:// or postgres://"),
        "{check}"
    );
    std::fs::remove_file(&data).unwrap();
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("secret.key"), "half a ke").unwrap();
    let check = stderr(&run(&["config", "--check"]));
    assert!(check.contains("secret.key"), "{check}");
}

#[test]
fn postgresql_is_backed_up_by_its_own_tools_and_the_command_says_how() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), &["backup", "x.db", "--database", "postgres://h/d"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("pg_dump"), "{}", stderr(&output));
}

#[test]
fn the_document_is_printed_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), &["openapi"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
}

#[test]
fn a_data_directory_serves_one_daemon_whatever_its_database() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let serving = Serving::start(&data);
    let other = format!("sqlite://{}", dir.path().join("other.db").display());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &other];
    let second = run(&data, &serve);
    assert_eq!(second.status.code(), Some(1));
    let expected = format!("{} is in use by process {}", data.display(), serving.child.id());
    assert!(stderr(&second).contains(&expected), "{}", stderr(&second));
    assert!(run(&data, &["check"]).status.success(), "commands go on beside it");
    assert!(serving.stop().success());
    Serving::run(&data, &serve).stop();
}

#[tokio::test]
async fn the_sandbox_runs_within_the_daemon_or_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let serving = Serving::run(dir.path(), &["serve", "--listen", "127.0.0.1:0", "--sandbox"]);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let ready = reqwest::get(format!("http://{}/readyz", serving.address)).await.unwrap();
    let ready: serde_json::Value = ready.json().await.unwrap();
    assert_eq!((&ready["ready"], &ready["sandbox"]), (&true.into(), &true.into()));
    assert!(serving.stop().success());
    let alone = Serving::run(dir.path(), &["sandbox", "--port", "0"]);
    assert!(std::net::TcpStream::connect(&alone.address).is_ok());
    assert!(alone.stop().success());
}

#[tokio::test]
async fn the_sandbox_of_serve_has_the_faults_that_are_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    assert!(create_admin(&data, "correct horse").status.success());
    let line = ["serve", "--listen", "127.0.0.1:0", "--sandbox", "--seed", "7", "--refuse-binds", "14"];
    let serving = Serving::run(&data, &line);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let url = |path: &str| format!("http://{}{path}", serving.address);
    let form = [("username", "root"), ("password", "correct horse")];
    let signed_in = client.post(url("/admin/admin-login")).form(&form).send().await.unwrap();
    let signed_in: serde_json::Value = signed_in.json().await.unwrap();
    let token = signed_in["token"].as_str().unwrap();
    let start = std::time::Instant::now();
    loop {
        let carriers = client.get(url("/admin/carriers")).bearer_auth(token).send().await.unwrap();
        let carriers = carriers.text().await.unwrap();
        if carriers.contains("the password is wrong") {
            break;
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "no bind was refused: {carriers}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(serving.stop().success());
}

#[tokio::test]
async fn sandbox_and_life_do_not_mix_unless_it_is_said_twice() {
    let dir = tempfile::tempdir().unwrap();
    let (life, play) = (dir.path().join("life"), dir.path().join("play"));
    let listen = ["serve", "--listen", "127.0.0.1:0"];
    let refuses = |data: &Path, args: &[&str], sentence: &str| {
        let said = refused(data, args);
        assert!(said.contains(sentence) && said.contains("--allow-mixing"), "{said}");
    };
    let serves = |data: &Path, args: &[&str]| Serving::run(data, args).kill();
    let open = ["serve", "--sandbox", "--listen", "0.0.0.0:0"];
    refuses(&play, &open, "others can reach it");
    let meant = |args: &[&'static str]| [args, &["--allow-mixing"]].concat();
    serves(&play, &meant(&open));
    let sandbox = ["serve", "--sandbox", "--listen", "127.0.0.1:0"];
    let config = dir.path().join("behind-a-proxy.toml");
    std::fs::write(&config, "[server]\npublic_url = \"https://sms.example.com\"\n").unwrap();
    let proxied = [&sandbox[..], &["--config", config.to_str().unwrap()]].concat();
    refuses(&play, &proxied, "server.public_url https://sms.example.com");
    serves(&play, &sandbox);
    refuses(&play, &listen, "play money");
    serves(&life, &listen);
    serves(&life, &listen);
    refuses(&life, &sandbox, "served without it");
    serves(&life, &listen);
    // What was mixed stays so: the sandbox is refused again, and life goes on with a warning.
    serves(&play, &meant(&listen));
    serves(&play, &listen);
    refuses(&play, &sandbox, "served without it");
}
