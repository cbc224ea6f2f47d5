//! The file's half of the generation counter (see `talkdrum_core::store::generation`): `<data>/generation`.
//!
//! The file holds the name of the data directory, the generation, and for the moment of raising it also the next
//! one, so that a crash between file and database is not taken for a restore. The invariant: a database that went
//! back in time under this data directory is held before anything is sent.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use talkdrum_core::clock::Time;
use talkdrum_core::entropy::{Entropy as _, SystemEntropy};
use talkdrum_core::store::generation::WENT_BACK;
use talkdrum_core::store::{Dialect, Lane, Store, generation};

const FILE: &str = "generation";
/// How often both are compared and raised on PostgreSQL, which may go back in time under a running daemon: by a failover
/// to a server that lags, or a restore. What the workers sent since the last time they compare themselves, with what they
/// know to be stored (`worker/went_back.rs` in core).
pub const RAISE_EVERY: Duration = Duration::from_secs(2);
const DISAGREE: &str = "the database and the data directory disagree: one of them was restored";

/// What the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    instance: String,
    value: i64,
    /// Where it was being raised to.
    next: Option<i64>,
}

impl Known {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let instance = words.next()?.to_owned();
        let value = words.next()?.parse().ok()?;
        let next = words.next().map(str::parse).transpose().ok()?;
        words.next().is_none().then_some(Self { instance, value, next })
    }

    fn text(&self) -> String {
        match self.next {
            Some(next) => format!("{} {} {next}\n", self.instance, self.value),
            None => format!("{} {}\n", self.instance, self.value),
        }
    }

    fn agrees_with(&self, database: Option<i64>) -> bool {
        match database {
            Some(value) => value == self.value || self.next == Some(value),
            // The very first raising was cut off before it reached the database.
            None => self.value == 0,
        }
    }
}

/// Compares file and database, holds dispatch when they disagree, and raises both.
///
/// # Errors
/// When the file cannot be read or written, or the database fails.
pub async fn start(store: &Store, data_dir: &Path, now: Time) -> anyhow::Result<()> {
    let path = data_dir.join(FILE);
    let known = read(&path)?;
    let mut tx = store.read().await?;
    let reason = match &known {
        Some(known) if known.agrees_with(generation::value(&mut tx, &known.instance).await?) => None,
        Some(_) => Some(DISAGREE),
        // Another daemon joining on PostgreSQL brings a new directory; an SQLite file has only ever had one.
        None if store.dialect() == Dialect::Sqlite && generation::any(&mut tx).await? => {
            Some("the database was served from another data directory before")
        }
        None => None,
    };
    drop(tx);
    if let Some(reason) = reason {
        hold(store, reason, now).await?;
    }
    let known = known.unwrap_or_else(|| Known { instance: new_instance(), value: 0, next: None });
    raise(store, &path, known, now).await?;
    if let Some(hold) = generation::held(&mut store.read().await?).await? {
        tracing::warn!(
            reason = hold.reason,
            "dispatch is held: check what was sent, then run 'talkdrumd release-hold'"
        );
    }
    Ok(())
}

/// Compares both while the daemon runs, holds dispatch when they disagree, and raises them, so that a restore of a younger
/// copy is noticed too. A raise whose commit is in doubt is taken for what the database says the next time.
///
/// # Errors
/// When the file cannot be read or written, or the database fails.
pub async fn raise_again(store: &Store, data_dir: &Path, now: Time) -> anyhow::Result<()> {
    let path = data_dir.join(FILE);
    let known = read(&path)?.with_context(|| format!("{} is gone", path.display()))?;
    if !known.agrees_with(generation::value(&mut store.read().await?, &known.instance).await?) {
        tracing::error!(reason = WENT_BACK, "dispatch is held");
        hold(store, WENT_BACK, now).await?;
    }
    raise(store, &path, known, now).await
}

async fn raise(store: &Store, path: &Path, known: Known, now: Time) -> anyhow::Result<()> {
    let database = generation::value(&mut store.read().await?, &known.instance).await?;
    let value = database.unwrap_or(0);
    let next = known.value.max(known.next.unwrap_or(0)).max(value) + 1;
    write(path, &Known { next: Some(next), value, ..known.clone() })?;
    let input = (known.instance.clone(), (database, next), now);
    let agrees = store
        .write(Lane::Interactive, input, |tx, (instance, step, now)| {
            Box::pin(generation::raise(tx, instance, *step, WENT_BACK, *now))
        })
        .await?;
    if !agrees {
        tracing::error!(reason = WENT_BACK, "dispatch is held");
    }
    write(path, &Known { value: next, next: None, ..known })
}

async fn hold(store: &Store, reason: &'static str, now: Time) -> anyhow::Result<()> {
    store
        .write(Lane::Interactive, (reason, now), |tx, (reason, now)| {
            Box::pin(generation::hold(tx, reason, *now))
        })
        .await?;
    Ok(())
}

fn new_instance() -> String {
    format!("{:016x}", SystemEntropy.u64())
}

fn read(path: &Path) -> anyhow::Result<Option<Known>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Known::parse(&text).map(Some).with_context(|| {
            format!(
                "{} cannot be understood: remove it, then dispatch is held until 'talkdrumd release-hold'",
                path.display()
            )
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Replaces the file in one step, durable before this returns.
fn write(path: &Path, known: &Known) -> anyhow::Result<()> {
    use std::io::Write as _;
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let fresh = PathBuf::from(name);
    let replace = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&fresh)?;
        file.write_all(known.text().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&fresh, path)?;
        path.parent().map_or(Ok(()), |directory| std::fs::File::open(directory)?.sync_all())
    };
    replace().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::testing::database;

    use super::*;

    const NOW: Time = Time(1_700_000_000_000);

    async fn is_held(store: &Store) -> bool {
        generation::is_held(&mut store.read().await.unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn starts_in_a_row_agree_and_hold_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        for _ in 0..3 {
            start(&store, dir.path(), NOW).await.unwrap();
            raise_again(&store, dir.path(), NOW).await.unwrap();
        }
        assert!(!is_held(&store).await);
        assert_eq!(read(&dir.path().join(FILE)).unwrap().unwrap().value, 6);
    }

    #[tokio::test]
    async fn a_database_that_went_back_in_time_is_held_until_it_is_released() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        start(&store, dir.path(), NOW).await.unwrap();
        store.close().await;
        let (file, copy) = (dir.path().join("talkdrum.db"), dir.path().join("copy.db"));
        std::fs::copy(&file, &copy).unwrap();
        let store = database::sqlite(dir.path()).await;
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(!is_held(&store).await);
        store.close().await;
        std::fs::rename(&copy, &file).unwrap();
        let store = database::sqlite(dir.path()).await;
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(is_held(&store).await);
        let released =
            store.write(Lane::Interactive, (), |tx, ()| Box::pin(generation::release(tx))).await.unwrap();
        assert!(released);
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(!is_held(&store).await);
    }

    #[tokio::test]
    async fn a_lost_data_directory_holds_too() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        start(&store, dir.path(), NOW).await.unwrap();
        std::fs::remove_file(dir.path().join(FILE)).unwrap();
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(is_held(&store).await);
    }

    #[tokio::test]
    async fn a_crash_while_raising_is_no_restore_on_either_side() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        start(&store, dir.path(), NOW).await.unwrap();
        let path = dir.path().join(FILE);
        let known = read(&path).unwrap().unwrap();
        write(&path, &Known { next: Some(2), ..known.clone() }).unwrap();
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(!is_held(&store).await, "crashed before the database");
        write(&path, &Known { next: Some(2), ..known }).unwrap();
        assert_eq!(
            generation::value(&mut store.read().await.unwrap(), &read(&path).unwrap().unwrap().instance)
                .await
                .unwrap(),
            Some(3)
        );
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(is_held(&store).await, "three is neither one nor two");
    }

    async fn generation_of(store: &Store, dir: &Path) -> (String, i64) {
        let instance = read(&dir.join(FILE)).unwrap().unwrap().instance;
        let value = generation::value(&mut store.read().await.unwrap(), &instance).await.unwrap().unwrap();
        (instance, value)
    }

    #[tokio::test]
    async fn a_database_that_goes_back_in_time_under_a_running_daemon_is_held_at_the_next_raise() {
        database::for_each_database(|store| async move {
            let dir = tempfile::tempdir().unwrap();
            start(&store, dir.path(), NOW).await.unwrap();
            let earlier = generation_of(&store, dir.path()).await;
            raise_again(&store, dir.path(), NOW).await.unwrap();
            assert!(!is_held(&store).await);
            // What a server that lags by one raise says.
            store
                .write(Lane::Interactive, earlier, |tx, (instance, value)| {
                    Box::pin(generation::set(tx, instance, *value, NOW))
                })
                .await
                .unwrap();
            raise_again(&store, dir.path(), NOW).await.unwrap();
            assert!(is_held(&store).await);
            // Once it is released, the two agree again.
            store.write(Lane::Interactive, (), |tx, ()| Box::pin(generation::release(tx))).await.unwrap();
            raise_again(&store, dir.path(), NOW).await.unwrap();
            assert!(!is_held(&store).await);
        })
        .await;
    }

    #[tokio::test]
    async fn a_raise_whose_commit_was_in_doubt_is_no_restore() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        start(&store, dir.path(), NOW).await.unwrap();
        let doubts = std::sync::Arc::new(talkdrum_core::testing::doubt::Doubts::default());
        let doubtful =
            store.with_faults(std::sync::Arc::<talkdrum_core::testing::doubt::Doubts>::clone(&doubts));
        doubts.after(0);
        assert!(raise_again(&doubtful, dir.path(), NOW).await.is_err());
        doubts.before(0, talkdrum_core::testing::doubt::coded("08006"));
        assert!(raise_again(&doubtful, dir.path(), NOW).await.is_err());
        raise_again(&store, dir.path(), NOW).await.unwrap();
        assert!(!is_held(&store).await);
    }
}
