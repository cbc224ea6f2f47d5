//! The `talkdrum` command: a client of Talkdrum's API, nothing more. Definitions are in `args`, behaviour in `cmd`.

mod args;
mod client;
mod cmd;
mod exit;
mod fail_if;
mod form;
mod output;
mod profile;
mod progress;
mod query;
mod state;
mod usage;
mod vcard_file;
mod zone;

use std::process::ExitCode;

use crate::args::{Cli, Format};
use crate::cmd::{Context, Interruption};
use crate::exit::{Code, Exit, Failure, Result};

fn main() -> ExitCode {
    let cli = match args::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && usage::wants_json(std::env::args_os()) => {
            let failure = usage::failure(&error);
            output::print_failure(Format::Json, &failure);
            return ExitCode::from(failure.exit.code());
        }
        Err(error) => error.exit(),
    };
    if cli.global.no_color {
        anstream::ColorChoice::Never.write_global();
        inquire::set_global_render_config(inquire::ui::RenderConfig::empty());
    }
    let format = cli.global.output;
    let exit = run(cli).unwrap_or_else(|failure| {
        output::print_failure(format, &failure);
        failure.exit
    });
    ExitCode::from(exit.code())
}

/// Runs the command to its end or to Ctrl-C.
fn run(cli: Cli) -> Result<Exit> {
    // Installing twice is the only way this fails, and then a provider is there.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let context = Context::new(cli.global)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(format!("cannot start: {error}")))?;
    let result = runtime.block_on(async {
        tokio::select! {
            biased;
            result = cmd::run(&context, cli.command) => result,
            () = interrupted() => Err(interruption(&context.interruption)),
        }
    });
    // A thread that still reads stdin must not keep the process.
    runtime.shutdown_background();
    result
}

/// Waits for Ctrl-C; for ever where it cannot be caught, as the system ends the process then.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn interruption(interruption: &Interruption) -> Failure {
    let note = interruption.note();
    if note.is_empty() {
        return Failure::interrupted();
    }
    Failure::new(Exit::Interrupted, Code::Interrupted, "interrupted").hint(note)
}
