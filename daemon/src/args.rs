//! The command line of talkdrumd: definitions only.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::config::Overrides;
use crate::sandbox::smsc::{Faults, SmscArgs};

/// The Talkdrum daemon.
#[derive(Debug, Parser)]
#[command(name = "talkdrumd", version = talkdrum_api::version::full(), about, max_term_width = 100)]
pub struct Args {
    /// Where the settings come from.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags that overrule the settings; they may stand before or after the command.
#[derive(Clone, Debug, ClapArgs)]
pub struct SettingsArgs {
    /// The configuration file (TOML)
    #[arg(long, global = true, value_name = "FILE", env = "TALKDRUM_CONFIG")]
    config: Option<PathBuf>,
    /// Where database, keys and generation are kept [default: ./data]
    #[arg(long, global = true, value_name = "DIR", env = "TALKDRUM_DATA_DIR")]
    data_dir: Option<PathBuf>,
    /// Address and port of the API [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDR", env = "TALKDRUM_LISTEN")]
    listen: Option<String>,
    /// sqlite://PATH or postgres://... [default: sqlite://<data>/talkdrum.db]
    #[arg(long, global = true, value_name = "URL", env = "TALKDRUM_DATABASE_URL", hide_env_values = true)]
    database: Option<String>,
}

impl SettingsArgs {
    /// The same as overrides of file and environment.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            file: self.config.clone(),
            data_dir: self.data_dir.clone(),
            listen: self.listen.clone(),
            database: self.database.clone(),
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and send
    Serve(ServeArgs),
    /// Run the stand-in SMSC in a process of its own
    Sandbox(SmscArgs),
    /// Bring the database's schema up to date
    Migrate {
        /// Do not copy an SQLite file beside it first: there is a backup elsewhere
        #[arg(long)]
        no_backup: bool,
    },
    /// Write a consistent copy of the SQLite database; also while it is served
    Backup {
        /// A file that does not exist yet; with --keep a directory
        #[arg(value_name = "FILE")]
        path: PathBuf,
        /// Write talkdrum-<UTC time>.db into the directory, and then remove the oldest of these beyond N
        #[arg(long, value_name = "N")]
        keep: Option<NonZeroU32>,
    },
    /// Let nothing be sent until release-hold, as after a restore; also while the daemon serves
    Hold {
        /// Why: shown wherever it is said that nothing is sent
        #[arg(long, value_name = "TEXT", default_value = "held by hand")]
        reason: String,
    },
    /// Let sending go on after a restore or a hold
    ReleaseHold {
        /// Also where several reasons hold it, all of which are settled
        #[arg(long)]
        all: bool,
    },
    /// Say what retention would erase by these settings, and when; changes nothing
    Retention,
    /// Check that what is stored adds up; exit 1 if anything disagrees
    Check {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the OpenAPI document
    Openapi,
    /// Make an administrator; sets up an empty database
    CreateAdmin(CreateAdminArgs),
    /// Print the effective settings, secrets masked
    Config(ConfigArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write a page for each command
    Man {
        /// The directory for the pages, made when it does not exist
        #[arg(long)]
        dir: Option<PathBuf>,
    },
}

/// How to serve.
#[derive(Debug, ClapArgs)]
pub struct ServeArgs {
    /// Surround the daemon with stand-ins for carriers and payment providers
    #[arg(long)]
    pub sandbox: bool,
    /// Start where sandbox and life mix: --sandbox on an address that others reach or on a database that was served
    /// without it, or a sandbox's database without --sandbox
    #[arg(long)]
    pub allow_mixing: bool,
    /// Seed of everything random in the sandbox's SMSC
    #[arg(long, default_value_t = 1, requires = "sandbox")]
    pub seed: u64,
    /// What the sandbox's SMSC does wrong
    #[command(flatten)]
    pub faults: Faults,
    /// What this daemon does when several share a PostgreSQL database
    #[arg(long, value_enum, default_value_t = Role::All)]
    pub role: Role,
}

/// What a daemon does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Serves the API and sends nothing.
    Api,
    /// Sends; serves health and metrics only.
    Worker,
    /// Both.
    All,
}

/// What to do with the settings.
#[derive(Debug, ClapArgs)]
pub struct ConfigArgs {
    /// Print nothing, and say everything that keeps serve from starting; exit 1 if anything does. The database is not
    /// asked
    #[arg(long)]
    pub check: bool,
}

/// The administrator to be made.
#[derive(Debug, ClapArgs)]
pub struct CreateAdminArgs {
    /// The name to sign in by
    #[arg(long)]
    pub username: String,
    /// The e-mail address, taken as verified
    #[arg(long)]
    pub email: String,
    /// The person's name [default: the user name]
    #[arg(long)]
    pub name: Option<String>,
    /// Read the password from standard input
    #[arg(long, required = true)]
    pub password_stdin: bool,
}
