//! `kingschat ...`.

use clap::Subcommand;

/// `talkdrum kingschat`.
#[derive(Debug, Subcommand)]
pub(crate) enum KingsChatCommand {
    /// Show which KingsChat account is linked; linking one needs a browser
    Show,
    /// End the link
    Unlink,
}
