//! The key of the vault: `<data>/secret.key`, made on first start with mode 0600, or `TALKDRUM_SECRET_KEY`.
//!
//! Daemons that share a database must share the key. A key that does not fit the database is no reason not to start (what
//! it sealed can be entered again), but an error in the log and a finding of `talkdrumd check`. A key file that others could read is refused, and
//! one that is there is never written over.

use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::operate::subject;
use talkdrum_core::settings::{self, KEY_BYTES, Vault};
use talkdrum_core::store::Store;
use talkdrum_core::time::Time;
use talkdrum_core::webhook::endpoint;

/// The file's name in the data directory.
const FILE: &str = "secret.key";
/// Overrules the file.
const VARIABLE: &str = "TALKDRUM_SECRET_KEY";

/// The vault of this daemon; its key is made when there is none.
///
/// # Errors
/// When the key cannot be read, is none, or is open to others.
pub fn vault(data_dir: &Path, entropy: &Arc<dyn Entropy>) -> anyhow::Result<Vault> {
    vault_from(std::env::var(VARIABLE).ok(), data_dir, entropy)
}

/// The vault of this daemon; `None` when there is no key yet, which this does not make.
///
/// # Errors
/// As [`vault`].
pub fn existing(data_dir: &Path, entropy: &Arc<dyn Entropy>) -> anyhow::Result<Option<Vault>> {
    let variable = std::env::var(VARIABLE).ok();
    if variable.is_none() && !data_dir.join(FILE).exists() {
        return Ok(None);
    }
    vault_from(variable, data_dir, entropy).map(Some)
}

/// What this key, or its absence, makes unreadable in the database: a sentence, or `None` when all can be read.
///
/// # Errors
/// When the database fails.
pub async fn unreadable(store: &Store, vault: Option<&Vault>) -> talkdrum_core::Result<Option<String>> {
    let mut tx = store.read().await?;
    let mut what = settings::unreadable(&mut tx, vault).await?;
    let webhooks = endpoint::unreadable(&mut tx, vault).await?;
    if let Some(first) = webhooks.first() {
        what.push(format!("the signing secrets of {} webhooks (such as {first})", webhooks.len()));
    }
    if what.is_empty() {
        return Ok(None);
    }
    let key = if vault.is_some() { "is not the one they were sealed with" } else { "is missing" };
    Ok(Some(format!(
        "{FILE} {key}: {} cannot be read. Put the right key back, or enter them again",
        what.join(", ")
    )))
}

/// Logs which secrets cannot be decrypted. The daemon starts without them, but holds dispatch where it would not know opt-outs
/// of erased numbers again.
pub(super) async fn report(store: &Store, vault: &Vault, now: Time) -> talkdrum_core::Result<()> {
    subject::check_key(store, now).await?;
    if let Some(finding) = unreadable(store, Some(vault)).await? {
        tracing::error!("{finding}");
    }
    Ok(())
}

fn vault_from(
    variable: Option<String>,
    data_dir: &Path,
    entropy: &Arc<dyn Entropy>,
) -> anyhow::Result<Vault> {
    let key = match variable {
        Some(text) => parse(&text).with_context(|| format!("{VARIABLE} is no key"))?,
        None => of_file(&data_dir.join(FILE), entropy.as_ref())?,
    };
    Ok(Vault::new(key, Arc::clone(entropy)))
}

fn of_file(path: &Path, entropy: &dyn Entropy) -> anyhow::Result<[u8; KEY_BYTES]> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(found) => {
            let mode = found.permissions().mode();
            anyhow::ensure!(
                mode & 0o077 == 0,
                "{shown} can be read by others (mode {:03o}): chmod 600 it",
                mode & 0o777
            );
            let text = std::fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))?;
            parse(&text).with_context(|| format!("{shown} holds no key"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut key = [0; KEY_BYTES];
            entropy.fill(&mut key);
            write(path, &key).with_context(|| format!("{shown} cannot be written"))?;
            tracing::info!(path = %shown, "a secret key was made: keep a copy apart from the database's backups");
            Ok(key)
        }
        Err(error) => Err(error).with_context(|| format!("{shown} cannot be read")),
    }
}

/// Writes the key under its name only when it is whole.
fn write(path: &Path, key: &[u8; KEY_BYTES]) -> std::io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let draft = directory.join(format!("{FILE}.new"));
    let mut file =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(hex::encode(key).as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    std::fs::File::open(directory)?.sync_all()
}

fn parse(text: &str) -> anyhow::Result<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    hex::decode_to_slice(text.trim(), &mut key)
        .map_err(|_| anyhow::anyhow!("a key is {} hexadecimal digits", 2 * KEY_BYTES))?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use talkdrum_core::entropy::SystemEntropy;
    use talkdrum_core::settings::Secret;

    use super::*;

    fn entropy() -> Arc<dyn Entropy> {
        Arc::new(SystemEntropy)
    }

    #[test]
    fn the_key_is_made_once_for_its_owner_only_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let sealed = vault_from(None, dir.path(), &entropy()).unwrap().seal("x", &Secret::new("s")).unwrap();
        let mode = std::fs::metadata(dir.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = vault_from(None, dir.path(), &entropy()).unwrap();
        assert_eq!(again.open("x", &sealed).unwrap().expose(), "s");
    }

    #[test]
    fn a_key_that_others_can_read_or_that_is_damaged_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        vault_from(None, dir.path(), &entropy()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        let refused = vault_from(None, dir.path(), &entropy()).unwrap_err().to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&path, "half a ke").unwrap();
        let refused = format!("{:#}", vault_from(None, dir.path(), &entropy()).unwrap_err());
        assert!(refused.contains("64 hexadecimal digits"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "half a ke");
    }

    #[test]
    fn the_environment_overrules_the_file_and_makes_none() {
        let dir = tempfile::tempdir().unwrap();
        let key = "0a".repeat(KEY_BYTES);
        let sealed =
            vault_from(Some(key), dir.path(), &entropy()).unwrap().seal("x", &Secret::new("s")).unwrap();
        assert!(!dir.path().join(FILE).exists());
        let known = Vault::new([10; KEY_BYTES], entropy());
        assert_eq!(known.open("x", &sealed).unwrap().expose(), "s");
        let refused = format!("{:#}", vault_from(Some("zz".into()), dir.path(), &entropy()).unwrap_err());
        assert!(refused.contains(VARIABLE) && !refused.contains("zz"), "{refused}");
    }
}
