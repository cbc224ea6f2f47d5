//! An import that is asked for, and one that was begun.

use std::fmt;
use std::io::Read;

use talkdrum_api::purpose::OptOutReach;
use tokio::task::JoinHandle;

use super::columns::Mapping;
use crate::contact::NewGroup;
use crate::contact::suppression::SuppressionScope;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::{GroupId, ImportId};
use crate::store::operations::idempotency::Claim;

/// Where an import goes.
#[derive(Clone, Debug)]
pub enum ImportDestination {
    /// A group of the user.
    Group(GroupId),
    /// A group that is made for it.
    NewGroup(NewGroup),
    /// A list of opt-outs.
    OptOuts {
        /// Whose messages.
        scope: SuppressionScope,
        /// Which of them each ends.
        reach: OptOutReach,
        /// What is noted with each.
        note: String,
    },
}

/// An import that is asked for.
pub struct ImportRequest {
    /// Who imports.
    pub user: UserId,
    /// Where to.
    pub target: ImportDestination,
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

impl fmt::Debug for ImportRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("user", &self.user)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

/// An import that was begun, now or by the same request before.
#[derive(Debug)]
pub struct BegunImport {
    /// Its id.
    pub id: ImportId,
    pub(super) running: Option<JoinHandle<Result<()>>>,
}

impl BegunImport {
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
