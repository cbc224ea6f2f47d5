//! `talkdrumd sandbox`: the stand-ins in a process of their own.

use std::process::ExitCode;

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;

use crate::lifecycle::signal;
use crate::sandbox::smsc::{self, SmscArgs};

pub(super) async fn run(args: SmscArgs) -> anyhow::Result<ExitCode> {
    let shutdown = CancellationToken::new();
    let mut serving = tokio::spawn(smsc::run(args, shutdown.clone()));
    tokio::select! {
        ended = &mut serving => ended?.context("the sandbox SMSC failed")?,
        signalled = signal::to_stop() => {
            signalled?;
            shutdown.cancel();
            serving.await?.context("the sandbox SMSC failed")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
