//! Commands on a database: holds, copies, migrations, and a server that is not there yet; on PostgreSQL where there is one.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use talkdrum_core::args;
use talkdrum_core::entropy::{Entropy, SystemEntropy};
use talkdrum_core::store::operations::generation::{self, OTHER_KEY};
use talkdrum_core::store::subject::erase;
use talkdrum_core::store::{Lane, SchemaState, Store, StoreOptions};
use talkdrum_core::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};
use talkdrum_core::time::Time;
use talkdrum_daemon::lifecycle::secret_key;

use super::{Serving, create_admin, run, stderr, talkdrumd};

#[tokio::test]
async fn dispatch_is_held_by_hand_while_a_daemon_serves_and_everything_says_why() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    held_by_hand(&data, &format!("sqlite://{}", data.join("talkdrum.db").display())).await;
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let database = PostgresDatabase::create(&server).await;
    held_by_hand(&dir.path().join("other"), &database.url()).await;
    database.drop().await;
}

async fn held_by_hand(data: &Path, url: &str) {
    let serving = Serving::run(data, &["serve", "--listen", "127.0.0.1:0", "--database", url]);
    let run = |args: &[&str]| run(data, &[args, &["--database", url]].concat());
    let empty = run(&["hold", "--reason", " "]);
    assert_eq!(empty.status.code(), Some(1), "{}", stderr(&empty));
    let held = run(&["hold", "--reason", "the carrier bills twice"]);
    assert!(held.status.success() && stderr(&held).contains("dispatch is held: the carrier bills twice"));
    let again = run(&["hold"]);
    assert!(again.status.success(), "{}", stderr(&again));
    let says = stderr(&again);
    assert!(says.contains("dispatch was held before, since ") && says.contains("bills twice"), "{says}");
    let check = run(&["check"]);
    let found = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(found.contains("dispatch: FAILED") && found.contains("the carrier bills twice"), "{found}");
    let ready = reqwest::get(format!("http://{}/readyz", serving.address)).await.unwrap();
    let ready = ready.text().await.unwrap();
    assert!(ready.contains("dispatch is held: the carrier bills twice"), "{ready}");
    let refused = run(&["release-hold"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("for several reasons: the carrier bills twice; "),
        "{}",
        stderr(&refused)
    );
    assert!(stderr(&run(&["release-hold", "--all"])).contains("dispatch goes on"));
    assert!(run(&["check"]).status.success());
    assert!(serving.stop().success());
}

#[tokio::test]
async fn a_release_gives_opt_outs_up_only_where_their_key_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    assert!(create_admin(&data, "correct horse").status.success());
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let vault = secret_key::vault(&data, &entropy).unwrap();
    for (statement, gives_up) in [("SELECT 1", false), ("UPDATE erasure_key SET digest = -7", true)] {
        let url = format!("sqlite://{}", data.join("talkdrum.db").display());
        let options = StoreOptions { digest_key: Some(vault.digest_key()), ..StoreOptions::new(url) };
        let store = Store::open(&options).await.unwrap();
        let held = store.write(Lane::Interactive, statement, |tx, statement| {
            Box::pin(async move {
                erase::note_key(tx, Time(1)).await?;
                tx.run(*statement, args![]).await?;
                generation::hold(tx, OTHER_KEY, Time(1)).await
            })
        });
        held.await.unwrap();
        store.close().await;
        let released = stderr(&run(&data, &["release-hold"]));
        assert!(released.contains("dispatch goes on"), "{released}");
        assert_eq!(released.contains("are given up."), gives_up, "{released}");
    }
}

#[test]
fn the_cron_lines_of_the_daemon_are_quiet_and_keep_so_many_copies() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copies) = (dir.path().join("data"), dir.path().join("copies"));
    assert!(create_admin(&data, "correct horse").status.success());
    std::fs::create_dir(&copies).unwrap();
    std::fs::write(copies.join("notes.txt"), "mine").unwrap();
    for day in 10..30 {
        std::fs::write(copies.join(format!("talkdrum-202001{day}T040000Z.db")), "old").unwrap();
    }
    let folder = Path::new(env!("CARGO_BIN_EXE_talkdrumd")).parent().unwrap().display();
    let crontab = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/cron/crontab");
    let crontab = std::fs::read_to_string(crontab).unwrap();
    let lines: Vec<&str> =
        crontab.lines().filter(|line| line.contains("$(talkdrumd ") && !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 2);
    let cron = |command: &str| {
        let command = command.replace("/var/backups/talkdrum", copies.to_str().unwrap());
        let mut cron = Command::new("/bin/sh");
        cron.args(["-c", &command]).env_clear().current_dir(dir.path());
        cron.env("PATH", format!("{folder}:/usr/bin:/bin")).env("TALKDRUM_DATA_DIR", &data);
        cron.env("TALKDRUM__LIMITS__FREE_DISK_MIB", "0").output().unwrap()
    };
    for line in lines {
        let command = line.split_once("  ").unwrap().1;
        assert!(!command.contains('%'), "cron reads it as the line's end: {command}");
        let output = cron(command);
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{command}: {output:?}");
    }
    let mut left: Vec<_> = std::fs::read_dir(&copies)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".talkdrum-backup.lock")
        .collect();
    left.sort();
    assert_eq!(
        (left.len(), left[0].as_str(), left[1].as_str()),
        (15, "notes.txt", "talkdrum-20200117T040000Z.db")
    );
    let mut store = std::fs::File::open(copies.join(&left[14])).unwrap();
    let mut head = [0; 15];
    std::io::Read::read_exact(&mut store, &mut head).unwrap();
    assert_eq!(&head, b"SQLite format 3");
    // What fails removes nothing.
    let said = run(&dir.path().join("nothing"), &["backup", "--keep", "1", copies.to_str().unwrap()]);
    assert_eq!(said.status.code(), Some(1), "{}", stderr(&said));
    let none = run(&data, &["backup", "--keep", "0", copies.to_str().unwrap()]);
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
    assert_eq!(std::fs::read_dir(&copies).unwrap().count(), 16);
    // The next one may be made in the same second.
    std::fs::remove_file(copies.join(&left[14])).unwrap();
    let said = run(&data, &["backup", "--keep", "2", copies.to_str().unwrap()]);
    assert!(stderr(&said).contains("secret.key") && stderr(&said).contains("removed "), "{}", stderr(&said));
    assert_eq!(std::fs::read_dir(&copies).unwrap().count(), 4);
    let missing = run(&data, &["backup", "--keep", "2", dir.path().join("none").to_str().unwrap()]);
    assert!(stderr(&missing).contains("is no directory"), "{}", stderr(&missing));
}

#[test]
fn a_daemon_waits_for_postgresql_and_goes_on_once_it_is_there_while_commands_fail_at_once() {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(PostgresDatabase::create(&server));
    let dir = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let door = free.local_addr().unwrap();
    drop(free);
    let url = database.url();
    let (user, rest) = url.split_once('@').unwrap();
    let (real, name) = rest.split_once('/').unwrap();
    let by_door = format!("{user}@{door}/{name}");
    let begun = Instant::now();
    let check = run(dir.path(), &["check", "--database", &by_door]);
    assert_eq!(check.status.code(), Some(1));
    let says = format!("error: the database cannot be opened: PostgreSQL at {door}, database '");
    assert!(stderr(&check).contains(&says) && stderr(&check).contains("is refused"), "{}", stderr(&check));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let mut child = talkdrumd(dir.path())
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &by_door])
        .env("TALKDRUM__LIMITS__FREE_DISK_MIB", "0")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut line_with = |words: &str| lines.by_ref().any(|line| line.contains(words));
    assert!(line_with("cannot be opened yet"), "each try is told");
    // Now there is a server behind that address.
    let real = real.to_owned();
    runtime.spawn(async move {
        let listener = tokio::net::TcpListener::bind(door).await.unwrap();
        while let Ok((mut near, _)) = listener.accept().await {
            let mut far = tokio::net::TcpStream::connect(&real).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut near, &mut far).await });
        }
    });
    assert!(line_with("serving"), "it goes on by itself");
    let mut serving = Serving { child, address: String::new() };
    std::thread::spawn(move || lines.for_each(drop));
    let wrong = format!("{}_nowhere", by_door.split('?').next().unwrap());
    let refused = run(dir.path().join("other").as_path(), &["serve", "--database", &wrong]);
    assert!(stderr(&refused).contains("there is no such database"), "{}", stderr(&refused));
    serving.child.kill().unwrap();
    serving.child.wait().unwrap();
    runtime.block_on(database.drop());
}

/// Kills `talkdrumd migrate` at later and later moments until one comes to its end; whether a schema was cut off half way.
async fn migrated_by_pieces(data: &Path, url: &str) -> bool {
    let mut was_behind = false;
    let waits = std::iter::successors(Some(Duration::from_millis(60)), |wait| Some(*wait * 5 / 4));
    for wait in waits {
        let mut child =
            talkdrumd(data).args(["migrate", "--database", url]).stderr(Stdio::null()).spawn().unwrap();
        tokio::time::sleep(wait).await;
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        was_behind |= is_behind(url).await;
    }
    assert!(run(data, &["check", "--database", url]).status.success());
    was_behind
}

async fn is_behind(url: &str) -> bool {
    let options = StoreOptions { create: false, ..StoreOptions::new(url) };
    let Ok(store) = Store::open(&options).await else { return false };
    let state = store.schema_state().await;
    store.close().await;
    state.is_ok_and(|state| state == SchemaState::Behind)
}

#[tokio::test]
async fn before_a_migration_the_file_is_copied_unless_there_is_a_backup_elsewhere() {
    for (args, copies) in [(&["migrate"][..], 1), (&["migrate", "--no-backup"], 0)] {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let url = format!("sqlite://{}", data.join("talkdrum.db").display());
        let mut wait = Duration::from_millis(60);
        while !is_behind(&url).await {
            let mut child = talkdrumd(&data).arg("migrate").stderr(Stdio::null()).spawn().unwrap();
            tokio::time::sleep(wait).await;
            child.kill().unwrap();
            let is_done = child.wait().unwrap().success();
            if is_done {
                std::fs::remove_dir_all(&data).unwrap();
            }
            wait = if is_done { wait / 2 } else { wait * 9 / 8 };
        }
        let before = copies_beside(&data);
        let migrated = run(&data, args);
        assert!(migrated.status.success(), "{}", stderr(&migrated));
        assert_eq!(copies_beside(&data) - before, copies, "{args:?}");
    }
}

fn copies_beside(data: &Path) -> usize {
    let names = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().contains(".before-migration-")).count()
}

#[tokio::test]
async fn a_migration_that_is_killed_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let url = format!("sqlite://{}", data.join("talkdrum.db").display());
    assert!(migrated_by_pieces(&data, &url).await, "it was never killed half way");
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let database = PostgresDatabase::empty(&server).await;
    assert!(migrated_by_pieces(&dir.path().join("other"), &database.url()).await);
    database.drop().await;
}
