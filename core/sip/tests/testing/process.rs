//! Programs of others, which do not outlive their test.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::eventually;

/// Whether the programs of others take part: where `TALKDRUM_PEERS=1` is set. Then one that is missing fails its test.
pub(crate) fn peers_are_wanted() -> bool {
    let wanted = std::env::var("TALKDRUM_PEERS").is_ok_and(|value| value == "1");
    if !wanted {
        eprintln!("skipped: set TALKDRUM_PEERS=1 to run against independent peers");
    }
    wanted
}

/// A running program.
pub(crate) struct Process {
    child: Child,
    name: &'static str,
}

impl Process {
    /// Starts it in a directory, where `NAME.log` keeps what it says.
    pub(crate) fn start(name: &'static str, directory: &Path, arguments: &[&str]) -> Self {
        let log = std::fs::File::create(directory.join(name).with_extension("log")).unwrap();
        let child = Command::new(name)
            .args(arguments)
            .current_dir(directory)
            // What Debian keeps for the administrator is not in all users' path.
            .env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default()))
            // With the processes that it makes for its work, it can be ended as one.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| panic!("{name} is needed (`. .ci/prepare test` installs it): {error}"));
        Self { child, name }
    }

    /// Waits until it ends by itself.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let name = self.name;
        eventually(&format!("the end of {name}"), || self.child.try_wait().unwrap()).await
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A port that is free, and that no socket is given by itself: others are bound while the program starts.
pub(crate) fn free_port() -> u16 {
    loop {
        let port = rand::random_range(10_000..15_000) * 2;
        let own = ("127.0.0.1", port);
        if std::net::UdpSocket::bind(own).is_ok() && std::net::TcpListener::bind(own).is_ok() {
            return port;
        }
    }
}

/// Waits until a program has bound its port.
pub(crate) async fn bound(process: &mut Process, port: u16) {
    let name = process.name;
    eventually(&format!("{name} at its port"), || {
        assert!(process.is_running(), "{name} ended");
        let taken = std::net::UdpSocket::bind(("127.0.0.1", port)).is_err();
        taken.then_some(())
    })
    .await;
    // Bound is not yet listening; SIP repeats what comes a moment too early.
    tokio::time::sleep(Duration::from_millis(50)).await;
}
