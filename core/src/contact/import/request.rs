//! An import that is asked for, and one that was begun.

use std::fmt;
use std::io::Read;

use tokio::task::JoinHandle;

use super::columns::Mapping;
use crate::contact::NewGroup;
use crate::contact::suppression::Scope;
use crate::error::{Error, Result};
use crate::store::operations::idempotency::Claim;

/// Where an import goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A group of the user.
    Group(i64),
    /// A group that is made for it.
    NewGroup(NewGroup),
    /// A list of opt-outs, with a note for each.
    OptOuts(Scope, String),
}

/// An import that is asked for.
pub struct Request {
    /// Who imports.
    pub user: i64,
    /// Where to.
    pub target: Target,
    /// What the caller says about the columns.
    pub mapping: Mapping,
    /// What the file is called where it came from.
    pub file_name: Option<String>,
    /// The file.
    pub source: Box<dyn Read + Send>,
    /// How long it is, in bytes.
    pub bytes: u64,
    /// The claim on the client's idempotency key.
    pub claim: Option<Claim>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("user", &self.user)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

/// An import that was begun, now or by the same request before.
#[derive(Debug)]
pub struct Begun {
    /// Its id.
    pub id: i64,
    pub(super) running: Option<JoinHandle<Result<()>>>,
}

impl Begun {
    /// Waits for its end.
    ///
    /// # Errors
    /// Why it failed.
    pub async fn ended(self) -> Result<()> {
        match self.running {
            None => Ok(()),
            Some(running) => running
                .await
                .unwrap_or_else(|panic| Err(Error::Corrupt(format!("an import failed: {panic}")))),
        }
    }
}
