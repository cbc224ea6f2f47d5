//! Imports: a file of any size becomes contacts of a group, or opt-outs.
//!
//! ```text
//! file ─▶ intake ─▶ sorted by number (on disk where it is long) ─▶ batches ─▶ one transaction each, with the counters
//! ```
//!
//! An import can be repeated. A number is in a group once; importing it again brings its name, address
//! and fields up to date, and what a file does not say is not erased. The file is kept until its import is over: one that a
//! crash or a restart cut off reads it again and goes on behind the last number that it wrote, its counters as if nothing
//! had happened. It goes on [`RESUMES_MAX`] times: a file that stops the daemon does not do so at every start.

mod columns;
pub(crate) mod numbers;
mod read;
mod request;
mod sort;
mod upload_dir;
mod view;
mod write;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub use columns::Mapping;
use read::{Reader, RowUse, Step};
pub use request::{BegunImport, ImportDestination, ImportRequest};
use sort::RunSpace;
pub use view::{find, list, reason, rejects, show};

use serde::{Deserialize, Serialize};
use talkdrum_api::purpose::OptOutReach;
use upload_dir::Kept;

use super::group;
use super::suppression::SuppressionScope;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::{GroupId, ImportId};
use crate::model::contact::{ImportStatus, ImportTarget};
use crate::model::file_name;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::platform::keyed_permits::KeyedPermits;
use crate::platform::quota::Quotas;
use crate::platform::run_to_end::run_to_end;
use crate::store::contact::import::Resumed;
use crate::store::contact::{group as contact_group, import as table};
use crate::store::operations::disk::DiskGuard;
use crate::store::operations::idempotency::{Claim, once};
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};

/// Imports of a user that run at once on a daemon; others wait.
const AT_ONCE_EACH: usize = 1;
/// Those of all users.
const AT_ONCE: usize = 2;
/// Imports of one user that run or wait.
const OPEN_MAX: i64 = 5;
/// Steps that may wait to be written before reading waits too.
const STEPS_WAITING: usize = 2;
/// Characters that are kept of why an import failed.
const ERROR_CHARS_MAX: usize = 1_000;
/// Characters that are kept of a file's name.
const FILE_NAME_CHARS_MAX: usize = 200;
/// An import that is silent for so long died with its daemon.
const SILENT: Duration = Duration::from_secs(15 * 60);
/// How often an import that was cut off goes on before it is given up.
const RESUMES_MAX: i64 = 2;
/// How long an import can be looked at.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// Runs imports. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Importer {
    store: Store,
    clock: Arc<dyn Clock>,
    dir: PathBuf,
    kept: Kept,
    disk: DiskGuard,
    quotas: Quotas,
    permits: Arc<KeyedPermits<UserId, AT_ONCE_EACH, AT_ONCE>>,
    /// Imports that wait for a permit.
    waiting: Arc<Mutex<BTreeSet<ImportId>>>,
}

/// What was asked for beside the file, as stored.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Plan {
    mapping: Mapping,
    /// The group was made for it.
    is_new: bool,
    /// For each opt-out.
    note: String,
    /// Of each opt-out whose row does not say it; what was begun by an earlier version was meant for all.
    #[serde(default)]
    reach: OptOutReach,
}

/// An import that runs.
#[derive(Debug)]
struct Run {
    id: ImportId,
    user: UserId,
    goal: Goal,
    mapping: Mapping,
    /// Numbers up to this one are written.
    written_to: u64,
}

/// What an import writes to, once begun.
#[derive(Clone, Debug)]
enum Goal {
    Group { id: GroupId, is_new: bool },
    OptOuts { scope: i64, reach: OptOutReach, note: String },
}

impl Importer {
    /// An importer that keeps files in `dir`, and sorts long ones there in files without a name.
    pub fn new(store: Store, clock: Arc<dyn Clock>, dir: PathBuf, disk: DiskGuard, quotas: Quotas) -> Self {
        let kept = Kept::new(&dir, disk.clone());
        Self { store, clock, dir, kept, disk, quotas, permits: Arc::default(), waiting: Arc::default() }
    }

    /// Begins an import. It runs to its end also when the client goes away, from the first moment on: what is recorded
    /// is begun.
    ///
    /// # Errors
    /// 404 for the group; the rules on a new one; `too_many_imports`; `imports_quota`.
    pub async fn begin(&self, request: ImportRequest) -> Result<BegunImport> {
        let this = self.clone();
        run_to_end("beginning an import", async move { this.begin_here(request).await }).await
    }

    async fn begin_here(&self, request: ImportRequest) -> Result<BegunImport> {
        let ImportRequest { user, target, mapping, file_name, source, bytes, claim } = request;
        mapping.check()?;
        let now = self.clock.now();
        let file_name = file_name::shown(file_name.as_deref(), FILE_NAME_CHARS_MAX);
        let quotas = self.quotas;
        let order =
            ImportOrder { user, target, mapping: mapping.clone(), file_name, bytes, claim, quotas, now };
        let (id, goal) =
            self.store.write(Lane::Interactive, order, |tx, order| Box::pin(begin(tx, order))).await?;
        let Some(goal) = goal else { return Ok(BegunImport { id, running: None }) };
        let run = Run { id, user, goal, mapping, written_to: 0 };
        let kept = self.kept.clone();
        let file = tokio::task::spawn_blocking(move || kept.keep(id, source))
            .await
            .unwrap_or_else(|panic| Err(Error::Corrupt(format!("keeping an import failed: {panic}"))));
        match file {
            Ok(file) => Ok(BegunImport { id, running: Some(self.start(run, file)) }),
            Err(error) => {
                self.end(run, Some(&error)).await?;
                Err(error)
            }
        }
    }

    /// Goes on with the imports whose files are here: those that a crash or a restart cut off. One that went on
    /// [`RESUMES_MAX`] times before fails. Called once, before others can begin.
    ///
    /// # Errors
    /// Those of the store, and of the directory.
    pub async fn resume(&self) -> Result<Vec<BegunImport>> {
        let kept = self.kept.clone();
        let ids = tokio::task::spawn_blocking(move || kept.remove_unfinished().and_then(|()| kept.ids()))
            .await
            .unwrap_or_else(|panic| Err(Error::Corrupt(format!("looking for imports failed: {panic}"))))?;
        let mut begun = Vec::new();
        for id in ids {
            // Counted before the file is looked at, so that it counts whatever comes of it.
            let resumed = self
                .store
                .write(Lane::Interactive, (id, self.clock.now()), |tx, (id, now)| {
                    Box::pin(table::resume(tx, *id, *now))
                })
                .await?;
            match resumed {
                Some(resumed) if resumed.resumes > RESUMES_MAX => {
                    tracing::warn!(import = id.0, resumes = RESUMES_MAX, "an import is given up");
                    self.end(Run::of(id, resumed)?, Some(&given_up())).await?;
                }
                Some(resumed) => {
                    self.clear_rejects(id).await?;
                    let file = self.kept.open(id)?;
                    let run = Run::of(id, resumed)?;
                    tracing::info!(import = id.0, written_to = run.written_to, "an import goes on");
                    begun.push(BegunImport { id, running: Some(self.start(run, file)) });
                }
                None => self.kept.forget(id),
            }
        }
        Ok(begun)
    }

    /// Removes the rejects of an import that goes on: it finds them again.
    async fn clear_rejects(&self, id: ImportId) -> Result<()> {
        let clear =
            || self.store.write(Lane::Interactive, id, |tx, id| Box::pin(table::clear_rejects(tx, *id)));
        while clear().await? > 0 {}
        Ok(())
    }

    fn start(&self, run: Run, file: File) -> JoinHandle<Result<()>> {
        let this = self.clone();
        this.lock_waiting().insert(run.id);
        tokio::spawn(async move {
            let permit = this.permits.begin(run.user).await;
            this.lock_waiting().remove(&run.id);
            let result = this.take_all(&run, file).await;
            drop(permit);
            let ended = this.end(run, result.as_ref().err()).await;
            result.and(ended)
        })
    }

    fn lock_waiting(&self) -> std::sync::MutexGuard<'_, BTreeSet<ImportId>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the end of an import, and forgets its file unless it may go on.
    async fn end(&self, run: Run, failed: Option<&Error>) -> Result<()> {
        let Run { id, user, goal, .. } = run;
        let error = failed.map(|error| match error {
            Error::Rule { .. } | Error::Conflict { .. } | Error::Unavailable { .. } => {
                error.to_string().chars().take(ERROR_CHARS_MAX).collect()
            }
            _ => {
                tracing::error!(import = id.0, code = error.code(), %error, "an import failed");
                "The import failed; what it wrote stays. Import the file again: nothing is doubled".to_owned()
            }
        });
        let end = (id, user, error, goal, self.clock.now());
        let is_over = self
            .store
            .write(Lane::Interactive, end, |tx, (id, user, error, goal, now)| {
                Box::pin(async move {
                    end_import(tx, *id, *user, error.as_deref(), goal, *now).await?;
                    table::is_over(tx, *id).await
                })
            })
            .await?;
        if is_over {
            self.kept.forget(id);
        }
        Ok(())
    }

    async fn take_all(&self, run: &Run, file: File) -> Result<()> {
        let bytes = file.metadata().map_err(|error| Error::io("opening the file of an import", error))?.len();
        let (outlet, mut steps) = mpsc::channel(STEPS_WAITING);
        let reader = Reader {
            source: Box::new(file),
            mapping: run.mapping.clone(),
            space: RunSpace::new(self.dir.clone(), self.disk.clone(), bytes),
            after: run.written_to,
            row_use: self.row_use(&run.goal).await?,
        };
        let reading = tokio::task::spawn_blocking(move || read::read(reader, outlet));
        let mut written = Ok(());
        while let Some(step) = steps.recv().await {
            written = self.write(run.id, run.user, &run.goal, step).await;
            if written.is_err() {
                break;
            }
        }
        // Lets the reading side go, should it still be at it.
        drop(steps);
        let read = reading
            .await
            .unwrap_or_else(|panic| Err(Error::Corrupt(format!("reading an import failed: {panic}"))));
        // A writer that failed is the cause of the other side's error.
        written.and(read)
    }

    async fn row_use(&self, goal: &Goal) -> Result<RowUse> {
        Ok(match goal {
            Goal::Group { id, .. } => {
                let group = contact_group::by_id(&mut self.store.read().await?, *id).await?;
                let is_filled = group.is_some_and(|group| group.contacts_count > 0);
                RowUse::Contacts { dialect: self.store.dialect(), is_filled }
            }
            Goal::OptOuts { reach, note, .. } => RowUse::OptOuts { reach: *reach, note_bytes: note.len() },
        })
    }

    async fn write(&self, id: ImportId, user: UserId, goal: &Goal, step: Step) -> Result<()> {
        let input = (id, user, goal.clone(), step, self.quotas, self.clock.now());
        self.store
            .write(Lane::Background, input, |tx, (id, user, goal, step, quotas, now)| {
                Box::pin(write::write(tx, (*id, *user), goal, (step, quotas), *now))
            })
            .await
    }

    /// Forgets imports that are too old by now, and the files of those that are over.
    ///
    /// # Errors
    /// Errors of the database, and of the directory of files.
    pub async fn forget_old(&self, now: Time) -> Result<()> {
        let purge = || {
            self.store
                .write(Lane::Background, now - KEPT_FOR, |tx, before| Box::pin(table::purge(tx, *before)))
        };
        while purge().await? > 0 {}
        self.forget_files().await
    }

    /// Marks imports that died with their daemon, not those that wait here for their turn; returns how many. `alone` says that no
    /// other daemon can be running any: at the start of one on a database of its own.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn mark_silent(&self, alone: bool) -> Result<u64> {
        let now = self.clock.now();
        let before = if alone { Time(i64::MAX) } else { now - SILENT };
        let waiting: Vec<ImportId> = self.lock_waiting().iter().copied().collect();
        if !waiting.is_empty() {
            self.store
                .write(Lane::Background, (waiting, now), |tx, (waiting, now)| {
                    Box::pin(table::note_alive(tx, waiting.clone(), *now))
                })
                .await?;
        }
        self.store
            .write(Lane::Background, (before, now), |tx, (before, now)| {
                Box::pin(table::interrupt_silent(tx, *before, INTERRUPTED, *now))
            })
            .await
    }

    /// Forgets the files of imports that are over, should their removal have failed. One that runs, waits or was cut off is
    /// not over.
    async fn forget_files(&self) -> Result<()> {
        let kept = self.kept.clone();
        let ids = tokio::task::spawn_blocking(move || kept.ids())
            .await
            .unwrap_or_else(|panic| Err(Error::Corrupt(format!("looking for imports failed: {panic}"))))?;
        for id in ids {
            if table::is_over(&mut self.store.read().await?, id).await? {
                self.kept.forget(id);
            }
        }
        Ok(())
    }
}

const INTERRUPTED: &str = "The daemon that has the file is away; what was written stays. It goes on when that daemon is \
     back. Or import the file again: nothing is doubled";

impl Run {
    fn of(id: ImportId, resumed: Resumed) -> Result<Self> {
        let Resumed { user_id, target, target_id, plan, written_to, resumes: _ } = resumed;
        let Plan { mapping, is_new, note, reach } = serde_json::from_str(&plan)
            .map_err(|error| Error::Corrupt(format!("what import {id} is to do cannot be read: {error}")))?;
        let goal = match target {
            ImportTarget::Group => Goal::Group { id: GroupId(target_id), is_new },
            ImportTarget::OptOuts => Goal::OptOuts { scope: target_id, reach, note },
        };
        Ok(Self { id, user: user_id, goal, mapping, written_to: written_to.cast_unsigned() })
    }
}

/// An import to be begun.
struct ImportOrder {
    user: UserId,
    target: ImportDestination,
    mapping: Mapping,
    file_name: String,
    bytes: u64,
    claim: Option<Claim>,
    quotas: Quotas,
    now: Time,
}

/// The import's id, and what it is to fill unless the same request began it before.
async fn begin(tx: &mut Tx, order: &ImportOrder) -> Result<(ImportId, Option<Goal>)> {
    let mut goal = None;
    let id = once(tx, order.claim.as_ref(), order.now, async |tx| {
        let (id, begun) = record(tx, order).await?;
        goal = Some(begun);
        Ok(id)
    })
    .await?;
    Ok((id, goal))
}

async fn record(tx: &mut Tx, order: &ImportOrder) -> Result<(ImportId, Goal)> {
    let ImportOrder { user, target, mapping, file_name, bytes, quotas, now, .. } = order;
    let (user, now) = (*user, *now);
    if table::running_of(tx, user).await? >= OPEN_MAX {
        return Err(Error::rule(
            "too_many_imports",
            format!("{OPEN_MAX} imports of yours are running: wait for one of them to end"),
        ));
    }
    let goal = match target {
        ImportDestination::Group(id) => {
            group::find(tx, user, *id).await?;
            Goal::Group { id: *id, is_new: false }
        }
        ImportDestination::NewGroup(new) => {
            Goal::Group { id: group::create(tx, user, new, now).await?, is_new: true }
        }
        ImportDestination::OptOuts { scope, reach, note } => {
            Goal::OptOuts { scope: scope.key(), reach: *reach, note: note.clone() }
        }
    };
    let (note, reach) = match &goal {
        Goal::OptOuts { note, reach, .. } => (note.clone(), *reach),
        Goal::Group { .. } => Default::default(),
    };
    let is_new = matches!(goal, Goal::Group { is_new: true, .. });
    let plan = Plan { mapping: mapping.clone(), is_new, note, reach };
    let plan = serde_json::to_string(&plan)
        .map_err(|error| Error::Corrupt(format!("what an import is to do cannot be written: {error}")))?;
    let (kind, target_id) = match &goal {
        Goal::Group { id, .. } => (ImportTarget::Group, id.0),
        Goal::OptOuts { scope, .. } => (ImportTarget::OptOuts, *scope),
    };
    let id = table::insert(tx, user, (kind, target_id), (file_name, &plan), now).await?;
    table::note_kept(tx, id, bytes.cast_signed()).await?;
    quotas.check_import_bytes(tx, user, now).await?;
    if let ImportDestination::OptOuts { scope: SuppressionScope::Platform, .. } = target {
        audit::record(tx, &Entry::new(user, AuditAction::OptOutImport, format!("import {id}")), now).await?;
    }
    Ok((id, goal))
}

async fn end_import(
    tx: &mut Tx,
    id: ImportId,
    user: UserId,
    error: Option<&str>,
    goal: &Goal,
    now: Time,
) -> Result<()> {
    let status = if error.is_some() { ImportStatus::Failed } else { ImportStatus::Completed };
    table::finish(tx, id, status, error, now).await?;
    // A file that could not be read leaves no empty group behind.
    if let (Some(_), Goal::Group { id, is_new: true }) = (error, goal)
        && contact_group::by_id(tx, *id).await?.is_some_and(|row| row.contacts_count == 0)
    {
        contact_group::delete(tx, user, *id, now).await?;
    }
    Ok(())
}

fn given_up() -> Error {
    Error::rule(
        "import_given_up",
        format!(
            "The import was cut off {} times, so it is given up; what it wrote stays. Import the rest in smaller files: \
             nothing is doubled",
            RESUMES_MAX + 1
        ),
    )
}

#[cfg(test)]
mod tests;
