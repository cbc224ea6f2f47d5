//! `talkdrumd serve`.

use std::process::ExitCode;

use anyhow::ensure;

use crate::args::ServeArgs;
use crate::config::Settings;
use crate::lifecycle::{Running, signal};
use crate::sandbox::smsc::{Faults, SmscOptions};
use crate::state::Surroundings;

pub(super) async fn run(settings: &Settings, args: &ServeArgs) -> anyhow::Result<ExitCode> {
    // One that comes while the daemon starts would end it: there is nothing to read again yet.
    let _hangups = signal::hangups()?;
    let around =
        Surroundings { sandbox: sandbox(args)?, allow_mixing: args.allow_mixing, ..Surroundings::of_life() };
    let running = Running::start(settings, args.role, around).await?;
    running.until_signal().await?;
    Ok(ExitCode::SUCCESS)
}

/// The stand-in SMSC that was asked for. Without it, its faults have nothing to act on.
fn sandbox(args: &ServeArgs) -> anyhow::Result<Option<SmscOptions>> {
    if args.sandbox {
        return Ok(Some(SmscOptions {
            seed: args.seed,
            faults: args.faults.clone(),
            ..SmscOptions::default()
        }));
    }
    ensure!(args.faults == Faults::default(), "faults are those of the sandbox's SMSC: add --sandbox");
    Ok(None)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command};
    use crate::sandbox::smsc::Chance;

    fn parsed(words: &[&str]) -> anyhow::Result<Option<SmscOptions>> {
        let args = Args::try_parse_from(["talkdrumd", "serve"].iter().chain(words))?;
        let Command::Serve(args) = args.command else { unreachable!("serve was asked for") };
        sandbox(&args)
    }

    #[test]
    fn the_sandbox_takes_the_faults_and_the_seed_of_the_command_line() {
        let options = parsed(&["--sandbox", "--seed", "9", "--lose-answers", "0.01"]).unwrap().unwrap();
        assert_eq!((options.seed, options.faults.lose_answers), (9, Chance::per_million(10_000)));
        assert_eq!(options.listen, SmscOptions::default().listen);
        assert_eq!(parsed(&["--sandbox"]).unwrap().unwrap().faults, Faults::default());
    }

    #[test]
    fn faults_without_the_sandbox_are_refused() {
        assert!(parsed(&[]).unwrap().is_none());
        for words in [["--lose-answers", "0.01"], ["--rate-max", "5"], ["--seed", "9"]] {
            let refused = parsed(&words).unwrap_err().to_string();
            assert!(refused.contains("--sandbox"), "{refused}");
        }
    }
}
