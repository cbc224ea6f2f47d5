//! The file's half of the generation counter (see `talkdrum_core::operate::generation`): `<data>/generation`.
//!
//! The file holds the name of the data directory, the generation, and for the moment of raising it also the next
//! one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use talkdrum_core::entropy::{Entropy as _, SystemEntropy};
use talkdrum_core::operate::generation::{self, Keeper, KnownGeneration};
use talkdrum_core::store::Store;
use talkdrum_core::time::Time;

const FILE: &str = "generation";
/// How often both are compared and raised on PostgreSQL, which may go back in time under a running daemon: by a failover
/// to a server that lags, or a restore. What the workers sent since the last time they compare themselves, with what they
/// know to be stored (`worker/went_back.rs` in core).
pub const RAISE_EVERY: Duration = Duration::from_secs(2);

/// Compares file and database, holds dispatch when they disagree, and raises both.
///
/// # Errors
/// When the file cannot be read or written, or the database fails.
pub async fn start(store: &Store, data_dir: &Path, now: Time) -> anyhow::Result<()> {
    generation::start(store, &File(data_dir.join(FILE)), new_instance(), now).await
}

/// Compares both while the daemon runs, holds dispatch when they disagree, and raises them. Returns whether they agreed.
///
/// # Errors
/// When the file cannot be read or written, or the database fails.
pub async fn raise_again(store: &Store, data_dir: &Path, now: Time) -> anyhow::Result<bool> {
    let path = data_dir.join(FILE);
    generation::raise_again(store, &File(path.clone()), now)
        .await
        .with_context(|| format!("comparing {} with the database", path.display()))
}

fn new_instance() -> String {
    format!("{:016x}", SystemEntropy.u64())
}

/// The file.
struct File(PathBuf);

impl Keeper for File {
    type Error = anyhow::Error;

    fn read(&self) -> anyhow::Result<Option<KnownGeneration>> {
        read(&self.0)
    }

    fn write(&self, known: &KnownGeneration) -> anyhow::Result<()> {
        write(&self.0, known)
    }
}

fn read(path: &Path) -> anyhow::Result<Option<KnownGeneration>> {
    match std::fs::read_to_string(path) {
        Ok(text) => KnownGeneration::parse(&text).map(Some).with_context(|| {
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
fn write(path: &Path, known: &KnownGeneration) -> anyhow::Result<()> {
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
    use talkdrum_core::store::Lane;
    use talkdrum_core::store::operations::generation;
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
        assert!(released.is_some());
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
        write(&path, &KnownGeneration { next: Some(2), ..known.clone() }).unwrap();
        start(&store, dir.path(), NOW).await.unwrap();
        assert!(!is_held(&store).await, "crashed before the database");
        write(&path, &KnownGeneration { next: Some(2), ..known }).unwrap();
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
