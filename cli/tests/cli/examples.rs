//! What `examples/` promises works: its scripts run, its cron lines are quiet, its commands are commands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::json;

use crate::contacts::{group, import};
use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{campaign, completed, confirmed, quote, sent_message};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(examples().join(name)).unwrap()
}

fn daemon() -> StandIn {
    StandIn::new(|request| match request.line.as_str() {
        "POST /api/send-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
        "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&campaign("sending"))),
        "GET /api/campaigns/7/events" => {
            let data = json!({"campaign": completed(), "rate": 0.0, "remaining_s": null});
            Answer::Text("text/event-stream", format!("event: end\ndata: {data}\n\n"))
        }
        "POST /api/schedule-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
        "POST /api/confirm-schedule-text-sms" => Answer::Json(200, confirmed(&campaign("scheduled"))),
        "GET /api/get/group?group_name=Members" => {
            Answer::Json(200, json!({"groups": [group(4, "Members")], "total": 1}))
        }
        "POST /api/import/contact/group/4?background=1" | "POST /api/optouts/import?background=1" => {
            Answer::Json(202, json!({"import": import("completed"), "message": ""}))
        }
        "POST /api/messages" => Answer::Json(200, sent_message()),
        "GET /api/imports/5/rejects" => Answer::Text("text/csv", "line,value,code,reason\r\n".into()),
        line if line.starts_with("GET /admin/unknown-messages") => {
            Answer::Json(200, json!({"messages": [], "total": 0}))
        }
        line => problem(404, "not_found", line),
    })
}

/// Runs a shell line with the built binary first in the path.
fn shell(line: &str, daemon: &str, home: &Path) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_talkdrum")).parent().unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display());
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .env_clear()
        .env("PATH", path)
        .env("XDG_CONFIG_HOME", home)
        .env("XDG_STATE_HOME", home);
    command
        .env("TALKDRUM_URL", daemon)
        .env("TALKDRUM_TOKEN", "td_key")
        .env("KEY", "k")
        .current_dir(examples());
    command.output().unwrap()
}

#[test]
fn the_curl_script_quotes_and_confirms_under_its_key() {
    let (daemon, home) = (daemon(), tempfile::tempdir().unwrap());
    let output = shell("sh api/send.sh recipients/small.txt 'Hello; you'", &daemon.url, home.path());
    assert!(output.status.success(), "{output:?}");
    let requests = daemon.requests();
    assert_eq!(requests[0].fields("file"), [read("recipients/small.txt")]);
    assert_eq!(requests[0].fields("message"), ["Hello; you"]);
    assert_eq!(requests[1].fields("quote_id"), ["12"]);
    let keys: Vec<&str> = requests.iter().map(|request| request.header("idempotency-key")).collect();
    assert_eq!(keys, ["k/quote", "k/confirm"]);
}

#[test]
fn the_curl_script_for_one_message_sends_it_under_its_key() {
    let (daemon, home) = (daemon(), tempfile::tempdir().unwrap());
    let output = shell("MAX=4.5 sh api/send-one.sh 08031234567 'Code & 1'", &daemon.url, home.path());
    assert!(output.status.success(), "{output:?}");
    let request = &daemon.requests()[0];
    assert_eq!((request.line.as_str(), request.header("idempotency-key")), ("POST /api/messages", "k"));
    // Older curls write a space as %20.
    assert_eq!(
        request.body.replace("%20", "+"),
        "contacts=08031234567&message=Code+%26+1&senderid=WEBSMS&payment_method=espees&max_charge=4.5"
    );
}

#[test]
fn the_curl_script_stops_at_a_refusal() {
    let (daemon, home) =
        (StandIn::new(|_| problem(400, "price_unset", "No price is set")), tempfile::tempdir().unwrap());
    let output = shell("sh api/send.sh recipients/small.txt Hello", &daemon.url, home.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(daemon.lines().len(), 1);
}

#[test]
fn every_cron_line_is_quiet_when_all_is_well() {
    let (daemon, home) = (daemon(), tempfile::tempdir().unwrap());
    std::fs::copy(examples().join("recipients/small.txt"), home.path().join("members.csv")).unwrap();
    std::fs::copy(examples().join("recipients/small.txt"), home.path().join("branches.csv")).unwrap();
    std::fs::write(home.path().join("newsletter.txt"), "Good news\n").unwrap();
    std::fs::copy(examples().join("recipients/small.txt"), home.path().join("due.csv")).unwrap();
    std::fs::copy(examples().join("recipients/small.txt"), home.path().join("optouts.txt")).unwrap();
    std::fs::write(home.path().join("monday.txt"), "Good morning\n").unwrap();
    let crontab = read("cron/crontab");
    let lines: Vec<&str> = crontab
        .lines()
        .filter(|line| line.contains("* ") && line.contains(" talkdrum ") && !line.starts_with('#'))
        .collect();
    assert_eq!(lines.len(), 6);
    // What cron gives a command is what the file sets.
    let set = crontab.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        line.split_once('=').filter(|(name, _)| name.chars().all(|it| it.is_ascii_uppercase() || it == '_'))
    });
    let mut set: Vec<(&str, String)> = set.map(|(name, value)| (name, value.to_owned())).collect();
    let folder = Path::new(env!("CARGO_BIN_EXE_talkdrum")).parent().unwrap().display();
    for (name, value) in &mut set {
        match *name {
            // It is installed there.
            "PATH" => *value = value.replace("/usr/local/bin", &folder.to_string()),
            "TALKDRUM_URL" => value.clone_from(&daemon.url),
            _ => {}
        }
    }
    for line in lines {
        // The reminders' limit is stricter than what this campaign's one rejected message in three allows.
        let command = line.split_once("  ").unwrap().1.replace("\\%", "%").replace("failed>5%", "failed>50%");
        let command = command.replace("/srv/sms", &home.path().display().to_string());
        let mut cron = Command::new("/bin/sh");
        cron.args(["-c", &command]).env_clear().env("HOME", home.path()).envs(set.iter().cloned());
        let output = cron.current_dir(home.path()).output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{command}: {output:?}");
    }
    let requests = daemon.requests();
    let sent = |request: &&Request| request.line.starts_with("POST /api/s");
    assert_eq!(requests.iter().filter(sent).count(), 3);
    assert!(requests.iter().filter(sent).all(|request| request.fields("payment_method") == ["paystack"]));
    let watched = requests.iter().find(|request| request.line.starts_with("GET /admin/")).unwrap();
    assert_eq!(watched.header("authorization"), "Bearer td_put-an-administrators-key-here");
}

#[test]
fn the_units_of_systemd_are_ones() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let mut units = Vec::new();
    let service = examples().join("../daemon/packaging/talkdrum.service");
    let timers = std::fs::read_dir(examples().join("systemd")).unwrap();
    for path in timers.map(|entry| entry.unwrap().path()).chain([service]) {
        // What is to be run and read is elsewhere on this machine.
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace("/usr/bin/talkdrumd", "/bin/true").replace("/usr/bin/talkdrum", "/bin/true");
        let text = text.replace("man:talkdrumd(1) ", "");
        let unit = home.path().join(path.file_name().unwrap());
        std::fs::write(&unit, text).unwrap();
        units.push(unit);
    }
    assert_eq!(units.len(), 5);
    let output = Command::new("systemd-analyze").arg("verify").args(&units).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    let about_ours: Vec<&str> =
        told.lines().filter(|line| line.contains(&home.path().display().to_string())).collect();
    assert_eq!(about_ours, [""; 0]);
    // Of ten; a service that asks for nothing has 9.6.
    let mut security = Command::new("systemd-analyze");
    security.args(["security", "--offline=true", "--no-pager", "--threshold=20"]);
    let output = security.arg(home.path().join("talkdrum.service")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn every_command_of_the_readme_is_one() {
    let home = tempfile::tempdir().unwrap();
    let readme = read("README.md");
    let commands = readme.lines().filter(|line| line.starts_with("talkdrum ") && !line.contains(" login "));
    let mut count = 0;
    for line in commands {
        let line = line.replace("MESSAGE", "4096");
        // No server listens on port 1: a valid command fails with 1, an invalid one with 2.
        let output = shell(&line, "http://127.0.0.1:1", home.path());
        assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

/// Also of those that the tests cannot run in the sandbox.
#[test]
fn every_command_of_the_handbook_is_one() {
    let home = tempfile::tempdir().unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(examples().join("../daemon/handbook")).unwrap() {
        let page = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let blocks = page.split("```").skip(1).step_by(2).filter(|block| block.starts_with("sh"));
        let lines = blocks.flat_map(str::lines);
        // What asks no daemon is tried by the sandbox.
        let asks = |line: &&str| {
            !["login", "profiles"].iter().any(|verb| line.starts_with(&format!("talkdrum {verb} ")))
        };
        for line in lines.filter(|line| line.starts_with("talkdrum ")).filter(asks) {
            let line = line.replace(" ID", " 7");
            let output = shell(&line, "http://127.0.0.1:1", home.path());
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && !told.contains("try '--help'"), "{line}: {told}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn the_dirty_list_keeps_its_promises() {
    let list = read("recipients/dirty.csv");
    assert!(list.starts_with("\u{feff}phone,name\r\n"));
    assert!(!list.contains("9004"), "a number whose receipt never comes would keep the example waiting");
    for tail in ["9001", "9002", "9003", "9005"] {
        assert!(list.lines().any(|line| line.split(',').next().unwrap().trim_matches('"').ends_with(tail)));
    }
}
