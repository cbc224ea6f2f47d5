//! Running the binary, and the answers of a daemon that tests have in common.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::stand_in::StandIn;

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// The data.
    pub(crate) stdout: String,
    /// Everything else.
    pub(crate) stderr: String,
}

/// The binary with an environment of its own.
#[derive(Debug)]
pub(crate) struct Talkdrum {
    /// Its configuration directory.
    pub(crate) home: tempfile::TempDir,
    url: Option<String>,
    /// A token in its environment.
    pub(crate) token: Option<&'static str>,
    /// A password in its environment.
    pub(crate) password: Option<&'static str>,
}

impl Talkdrum {
    /// Signed in at a stand-in by an API key.
    pub(crate) fn at(daemon: &StandIn) -> Self {
        Self { token: Some("td_key"), ..Self::nowhere(Some(daemon.url.clone())) }
    }

    /// With an address, or none, and no sign-in.
    pub(crate) fn nowhere(url: Option<String>) -> Self {
        Self { home: tempfile::tempdir().unwrap(), url, token: None, password: None }
    }

    /// Runs with arguments and no stdin.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, "")
    }

    /// Runs with arguments and a text on stdin.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_talkdrum"));
        command
            .env_clear()
            .env("XDG_CONFIG_HOME", self.home.path())
            .env("XDG_STATE_HOME", self.home.path())
            .current_dir(self.home.path());
        command.envs(self.url.as_ref().map(|url| ("TALKDRUM_URL", url)));
        command.envs(self.token.map(|token| ("TALKDRUM_TOKEN", token)));
        command.envs(self.password.map(|password| ("TALKDRUM_PASSWORD", password)));
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not read its stdin may be gone by now.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| self.anonymous(&String::from_utf8(bytes).unwrap());
        Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The same text in every run: without the port and the temporary directory.
    fn anonymous(&self, text: &str) -> String {
        let text = text.replace(&self.home.path().display().to_string(), "HOME");
        self.url.iter().fold(text, |text, url| text.replace(url, "http://daemon"))
    }

    /// Writes a file into the directory that commands run in.
    pub(crate) fn file(&self, name: &str, contents: &str) {
        std::fs::write(self.home.path().join(name), contents).unwrap();
    }
}

impl Run {
    /// The run as one text, for snapshots.
    pub(crate) fn golden(&self) -> String {
        format!("exit: {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

/// A quote of three recipients.
pub(crate) fn quote() -> Value {
    json!({
        "quote_id": 12, "total_contacts": 3, "total_duplicates_removed": 1, "total_invalid": 7,
        "rejects": [
            {"line": 4, "value": "080312", "code": "too_short", "reason": "too short for a number"},
            {"line": 9, "value": "abc", "code": "no_digits", "reason": "holds no number"},
        ],
        "total_suppressed": 0, "total_charges": 7.5, "charges_per_run": 7.5, "sms_type": "text",
        "route": "DEFAULT", "sender_id": "WEBSMS", "message": "Hello 'you'", "pages": [1, 1],
        "segments": [1, 2], "total_pages": 3, "total_segments": 4, "encoding": "gsm7",
        "replacements": [{"from": "\u{2019}", "to": "'", "count": 2}], "unit_price": 2.5, "currency": "naira",
        "balance": 100, "balance_after": 92.5, "networks": {"airtel": 1, "mtn": 2}, "starts": [],
        "estimated_finish": "2027-01-04T08:00:05Z", "expires_at": "2027-01-04T08:30:00.000Z",
    })
}

/// The campaign of that quote, with a status.
pub(crate) fn campaign(status: &str) -> Value {
    json!({
        "id": 7, "quote_id": 12, "user_id": 1, "username": "ada", "status": status, "status_reason": null,
        "sms_type": "text", "senderid": "WEBSMS", "msg": "Hello 'you'", "currency": "naira",
        "total_contacts": 3, "total_charges": 7.5, "captured": 0, "released": 0, "refunded": 0, "reserved": 7.5,
        "counts": counts(3, 0, 0), "created_at": "2027-01-04T08:00:01.000Z",
        "scheduled_at": null, "started_at": null, "completed_at": null,
    })
}

/// The campaign when it is over: two delivered, one rejected.
pub(crate) fn completed() -> Value {
    let mut campaign = campaign("completed");
    campaign["captured"] = json!(5);
    campaign["released"] = json!(2.5);
    campaign["reserved"] = json!(0);
    campaign["counts"] = counts(0, 2, 1);
    campaign
}

fn counts(queued: i64, delivered: i64, rejected: i64) -> Value {
    json!({
        "queued": queued, "submitting": 0, "submitted": 0, "delivered": delivered, "undelivered": 0,
        "rejected": rejected, "expired": 0, "unknown": 0, "cancelled": 0, "suppressed": 0,
    })
}

/// The answer to a confirm.
pub(crate) fn confirmed(campaign: &Value) -> Value {
    json!({ "details": campaign, "campaigns": [campaign], "message": "SMS Sent" })
}

/// The answer of `POST /api/messages`.
pub(crate) fn sent_message() -> Value {
    json!({
        "details": {
            "id": 4096, "campaign_id": 7, "to": "2348031234567", "senderid": "WEBSMS", "network": "mtn",
            "status": "queued", "reason": null, "pages": 1, "price": 2.5, "currency": "naira", "carrier_ref": null,
            "submitted_at": null, "done_at": null,
        },
        "text": "Code 1", "balance": 97.5, "message": "SMS Sent",
    })
}
