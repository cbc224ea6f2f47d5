//! What the commands of talkdrumd do.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage.

mod backup;
mod check;
mod config;
mod create_admin;
mod hold;
mod manual;
mod migrate;
mod release_hold;
mod retention;
mod sandbox;
mod serve;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::args::{Args, Command};
use crate::config::{BadConfiguration, Settings, load};
use crate::{api, telemetry};

/// Runs a command to its end.
pub fn run(args: Args) -> ExitCode {
    match execute(args) {
        Ok(code) => code,
        Err(error) => {
            match error.downcast_ref::<BadConfiguration>() {
                Some(bad) => bad.sentences().iter().for_each(|sentence| say(&format!("error: {sentence}"))),
                None => say(&format!("error: {error:#}")),
            }
            ExitCode::FAILURE
        }
    }
}

fn execute(args: Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Openapi => return print(&api::accepted_document()?),
        Command::Completions { shell } => return manual::completions(*shell),
        Command::Man { dir } => return manual::pages(dir.as_deref()),
        _ => {}
    }
    if let Command::Config(config) = &args.command {
        return config::run(&args.settings.overrides(), config);
    }
    let settings = load(&args.settings.overrides())?;
    telemetry::start_log(&settings.log)?;
    // Other parts of the process may have installed it before; both are ring.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(with_runtime(args.command, &settings))
}

async fn with_runtime(command: Command, settings: &Settings) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(args) => serve::run(settings, &args).await,
        Command::Sandbox(args) => sandbox::run(args).await,
        Command::Migrate { no_backup } => migrate::run(settings, !no_backup).await,
        Command::Backup { path, keep } => backup::run(settings, &path, keep).await,
        Command::Hold { reason } => hold::run(settings, reason).await,
        Command::ReleaseHold { all } => release_hold::run(settings, all).await,
        Command::Retention => retention::run(settings).await,
        Command::Check { json } => check::run(settings, json).await,
        Command::CreateAdmin(args) => create_admin::run(settings, args).await,
        Command::Openapi | Command::Config(_) | Command::Completions { .. } | Command::Man { .. } => {
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Data, on standard output.
fn print(text: &str) -> anyhow::Result<ExitCode> {
    writeln!(std::io::stdout().lock(), "{text}").context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// A word to the person, on standard error.
fn say(text: &str) {
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{text}");
}
