//! Files that a command writes: a new or regular file gets its name only when it is whole; anything else (a device, a
//! pipe, a terminal) is written to as it is and never replaced. Symbolic links are followed, and `-` is stdout.

use std::fs::Metadata;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;

use super::Output;
use crate::exit::{Code, Exit, Failure, Result};

/// The most symbolic links that are followed, as Linux has it.
const LINKS_MAX: usize = 40;

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// As the user named it.
    named: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    /// Standard output.
    Stdout(Output),
    /// A device or a pipe.
    Stream(tokio::fs::File),
    /// A draft beside the target, which takes its place in the end. Dropped before that, it is removed.
    Draft { draft: NamedTempFile, file: tokio::fs::File, target: PathBuf, replaces: bool },
}

/// The first line of a file of rejects.
const REJECTS_HEAD: &[u8] = b"line,value,code,reason\r\n";

/// Whether a file may be written over as it holds rejects of an earlier run: a command that is repeated rewrites them.
pub(crate) fn holds_rejects(path: &Path) -> bool {
    let mut head = [0; REJECTS_HEAD.len()];
    let is_file = std::fs::metadata(path).is_ok_and(|there| there.is_file());
    is_file
        && std::fs::File::open(path)
            .is_ok_and(|mut file| file.read_exact(&mut head).is_ok() && head == REJECTS_HEAD)
}

/// Whether two paths name one file that exists.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Refuses a regular file that exists, unless files are to be written over. For commands that do something before they
/// write: better said before that.
///
/// # Errors
/// Usage when it exists.
pub(crate) fn refuse_existing(path: Option<&Path>, out: &Output) -> Result<()> {
    let Some(path) = path.filter(|_| !out.force) else { return Ok(()) };
    match follow(path) {
        Ok(Target::Path(target)) if std::fs::metadata(&target).is_ok_and(|there| holds(&there)) => {
            Err(exists(path))
        }
        _ => Ok(()),
    }
}

/// Whether something would be lost: a file of `mktemp` is there to be written.
fn holds(there: &Metadata) -> bool {
    there.is_file() && there.len() > 0
}

fn exists(path: &Path) -> Failure {
    Failure::new(Exit::Usage, Code::FileExists, format!("{} exists", path.display()))
        .hint("--force writes over it")
}

impl OutputFile {
    /// Opens what `path` names for writing.
    ///
    /// # Errors
    /// When it is a directory or cannot be written.
    pub(crate) async fn create(path: &Path, out: &Output) -> Result<Self> {
        let failed = |error: io::Error| Failure::file("write", path, &error);
        let target = follow(path).map_err(failed)?;
        let to = match target {
            Target::Stdout => To::Stdout(out.clone()),
            Target::Descriptor(path) => {
                To::Stream(tokio::fs::OpenOptions::new().append(true).open(path).await.map_err(failed)?)
            }
            Target::Path(target) => match std::fs::metadata(&target) {
                Ok(there) if there.is_dir() => {
                    return Err(Failure::usage(format!("{} is a directory", path.display())));
                }
                Ok(there) if !there.is_file() => {
                    To::Stream(tokio::fs::OpenOptions::new().write(true).open(&target).await.map_err(failed)?)
                }
                Ok(there) if holds(&there) && !out.force => return Err(exists(path)),
                Ok(there) => draft(target, Some(&there)).map_err(failed)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    draft(target, None).map_err(failed)?
                }
                Err(error) => return Err(failed(error)),
            },
        };
        Ok(Self { named: path.to_owned(), to })
    }

    /// Writes more of it.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.to {
            To::Stdout(out) => return out.bytes(bytes),
            To::Stream(file) | To::Draft { file, .. } => file.write_all(bytes).await,
        }
        .map_err(|error| Failure::file("write", &self.named, &error))
    }

    /// Ends it: a draft takes the place of its target. Returns whether a file was saved.
    pub(crate) async fn finish(self) -> Result<bool> {
        let named = self.named;
        let failed = |error: io::Error| Failure::file("write", &named, &error);
        match self.to {
            To::Stdout(_) => Ok(false),
            To::Stream(mut file) => {
                file.flush().await.map_err(failed)?;
                Ok(false)
            }
            To::Draft { draft, mut file, target, replaces } => {
                file.flush().await.map_err(failed)?;
                file.sync_all().await.map_err(failed)?;
                let kept = if replaces { draft.persist(target) } else { persist_new(draft, &target) };
                match kept {
                    Ok(_) => Ok(true),
                    // The command did what it should, but for this file.
                    Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                        Err(Failure { exit: Exit::Failed, ..exists(&named) })
                    }
                    Err(error) => Err(failed(error.error)),
                }
            }
        }
    }
}

/// Gives a draft its name unless a file came to be there meanwhile. A file system that cannot do that in one step is asked
/// first.
fn persist_new(draft: NamedTempFile, target: &Path) -> Result<std::fs::File, tempfile::PersistError> {
    match draft.persist_noclobber(target) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists && !target.exists() => {
            error.file.persist(target)
        }
        kept => kept,
    }
}

/// A draft beside the target, with the mode and the owner of the file that it replaces.
fn draft(target: PathBuf, replaces: Option<&Metadata>) -> io::Result<To> {
    if replaces.is_some() {
        // Replacing needs the right to write the directory only; a file that is protected stays.
        std::fs::OpenOptions::new().write(true).open(&target)?;
    }
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).suffix(".part");
    #[cfg(unix)]
    if replaces.is_none() {
        // The umask applies to a new file.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let draft = builder.tempfile_in(directory.unwrap_or(Path::new(".")))?;
    if let Some(there) = replaces {
        #[cfg(unix)]
        keep_owner(draft.as_file(), there)?;
        draft.as_file().set_permissions(there.permissions())?;
    }
    let file = tokio::fs::File::from_std(draft.as_file().try_clone()?);
    Ok(To::Draft { draft, file, target, replaces: replaces.is_some() })
}

#[cfg(unix)]
fn keep_owner(file: &std::fs::File, of: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (of.uid(), of.gid()) {
        // Only root can give a file away; for others the new file is their own.
        let _ = fchown(file, Some(of.uid()), Some(of.gid()));
    }
    Ok(())
}

/// What a path names, after its symbolic links.
enum Target {
    /// `-`, or standard output under its name among the descriptors.
    Stdout,
    /// Another descriptor of this process.
    Descriptor(PathBuf),
    /// A file, which need not exist.
    Path(PathBuf),
}

fn follow(path: &Path) -> io::Result<Target> {
    if path == Path::new("-") {
        return Ok(Target::Stdout);
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if std::fs::canonicalize(parent)
            .is_ok_and(|parent| parent.starts_with("/proc") && parent.ends_with("fd"))
        {
            let is_stdout = path.file_name().is_some_and(|name| name == "1");
            return Ok(if is_stdout { Target::Stdout } else { Target::Descriptor(path) });
        }
        match std::fs::read_link(&path) {
            Ok(next) => path = parent.join(next),
            // No link, or nothing there.
            Err(_) => return Ok(Target::Path(path)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether a path names standard input: `-`, or its name among the descriptors.
pub(crate) fn is_stdin(path: &str) -> bool {
    matches!(path, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;
    use crate::args::Format;
    use crate::output::Columns;
    use crate::zone::Zone;

    fn out() -> Output {
        let zone = Zone::of(None).unwrap();
        Output { format: Format::Table, quiet: true, force: false, columns: Columns::default(), zone }
    }

    async fn write(path: &Path) -> Result<bool> {
        let mut file = OutputFile::create(path, &Output { force: true, ..out() }).await?;
        file.write(b"a,b\n").await?;
        file.finish().await
    }

    fn mode_of(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[tokio::test]
    async fn a_new_file_has_its_name_when_it_is_whole_and_no_draft_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report.csv");
        let mut half = OutputFile::create(&path, &out()).await.unwrap();
        half.write(b"half").await.unwrap();
        assert!(!path.exists());
        drop(half);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "no draft stays");
        assert!(write(&path).await.unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\n");
        let plain = dir.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        assert_eq!(mode_of(&path), mode_of(&plain), "as the umask has it");
    }

    #[tokio::test]
    async fn a_file_that_is_replaced_keeps_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rejects.csv");
        for mode in [0o600, 0o664] {
            std::fs::write(&path, "old and longer").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert!(write(&path).await.unwrap());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\n");
            assert_eq!(mode_of(&path), mode);
        }
    }

    #[tokio::test]
    async fn a_file_that_exists_is_refused_also_when_it_came_meanwhile() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("list.csv");
        let mut late = OutputFile::create(&path, &out()).await.unwrap();
        late.write(b"new").await.unwrap();
        std::fs::write(&path, "mine").unwrap();
        let refused = [
            OutputFile::create(&path, &out()).await.unwrap_err(),
            refuse_existing(Some(&path), &out()).unwrap_err(),
            late.finish().await.unwrap_err(),
        ];
        for error in refused {
            assert_eq!(error.hint.as_deref(), Some("--force writes over it"), "{}", error.message);
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no draft stays");
        refuse_existing(Some(Path::new("/dev/null")), &out()).unwrap();
        refuse_existing(Some(&path), &Output { force: true, ..out() }).unwrap();
        refuse_existing(None, &out()).unwrap();
    }

    #[tokio::test]
    async fn links_are_followed_even_to_what_is_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        let (target, link, other) =
            (dir.path().join("target"), dir.path().join("link"), dir.path().join("other"));
        symlink("target", &link).unwrap();
        symlink(&link, &other).unwrap();
        for path in [&other, &link] {
            assert!(write(path).await.unwrap());
            assert!(path.is_symlink() && !target.is_symlink());
            assert_eq!(std::fs::read_to_string(&target).unwrap(), "a,b\n");
        }
        let circle = dir.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(write(&circle).await.is_err());
    }

    #[tokio::test]
    async fn devices_and_pipes_are_written_to_and_stay_what_they_are() {
        assert!(!write(Path::new("/dev/null")).await.unwrap());
        assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let full = write(Path::new("/dev/full")).await.unwrap_err();
        assert!(full.message.contains("/dev/full"), "{}", full.message);
        assert!(std::fs::metadata("/dev/full").unwrap().file_type().is_char_device());
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        assert!(!write(&pipe).await.unwrap());
        assert_eq!(reader.join().unwrap(), "a,b\n");
        assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[tokio::test]
    async fn a_minus_is_stdout_and_a_directory_is_refused() {
        for path in ["-", "/dev/stdout", "/dev/fd/1"] {
            let file = OutputFile::create(Path::new(path), &out()).await.unwrap();
            assert!(matches!(file.to, To::Stdout(_)), "{path}");
        }
        assert!(!Path::new("-").exists());
        assert_eq!(write(Path::new("/tmp")).await.unwrap_err().exit, crate::exit::Exit::Usage);
    }
}
