//! The engine: a program that reads a text on its standard input and writes a WAV.
//!
//! It is started without a shell, with an environment and a directory of its own, in a process group that is killed at
//! the timeout and when the program has ended, so that nothing of it stays. The size of what it writes is bounded, and so
//! is the number of engines at the same time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, kill_process_group, prlimit, waitid,
};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::wav::clip_of;
use super::{SpeechError, Voice, no_engine};
use crate::voice::clip::Clip;

/// Stands for the engine's name of a voice in the arguments.
pub const VOICE: &str = "{voice}";
/// Stands for the file that the WAV is written to; without it the WAV comes on standard output.
pub const OUTPUT: &str = "{output}";
/// The command without configuration. Its package is named where it is missing.
/// To standard output, as espeak-ng does not notice that a file was cut off by a full disk.
pub const ESPEAK: [&str; 7] = ["espeak-ng", "-b", "1", "--stdin", "-v", VOICE, "--stdout"];

/// Bytes of the WAV that an engine may write: ten minutes at 48 kHz.
const WAV_BYTES_MAX: usize = 64 << 20;
/// Bytes of standard error that are kept for the log.
const COMPLAINT_BYTES: usize = 1_000;
/// How long a killed engine may take to be gone.
const GONE_WITHIN: Duration = Duration::from_secs(5);
/// Where programs are looked for when the daemon has no `PATH`.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What an engine is run with.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The program and its arguments, with [`VOICE`] and [`OUTPUT`].
    pub command: Vec<String>,
    /// The engine's names of the voices.
    pub voices: BTreeMap<Voice, String>,
    /// How long a text may take.
    pub timeout: Duration,
    /// Engines at the same time.
    pub at_once: usize,
}

impl EngineConfig {
    /// What is missing, in a sentence; `None` when texts can be spoken. Reads the file system.
    pub fn missing(&self) -> Option<String> {
        match self.find() {
            Err(SpeechError::NoEngine(name)) => Some(no_engine(&name)),
            _ => None,
        }
    }

    fn find(&self) -> Result<Program, SpeechError> {
        let name = self.command.first().map_or("", String::as_str);
        let program = if name.contains('/') {
            program(PathBuf::from(name))
        } else {
            std::env::split_paths(&search_path()).find_map(|dir| program(dir.join(name)))
        };
        program.ok_or_else(|| SpeechError::NoEngine(name.to_owned()))
    }
}

/// A program that was found.
#[derive(Clone, Debug)]
pub(super) struct Program {
    path: PathBuf,
    /// Tells this version of it from any other.
    metadata: [i64; 5],
}

#[derive(Debug)]
pub(super) struct Engine {
    config: EngineConfig,
    turns: Arc<Semaphore>,
}

impl Engine {
    pub(super) fn new(config: EngineConfig) -> Self {
        let turns = Arc::new(Semaphore::new(config.at_once.max(1)));
        Self { config, turns }
    }

    /// Looks for the program, in the daemon's `PATH` where its name has no slash. Reads the file system.
    ///
    /// # Errors
    /// [`SpeechError::NoEngine`].
    pub(super) fn find(&self) -> Result<Program, SpeechError> {
        self.config.find()
    }

    /// The digest of all that decides how a text sounds: program, version, arguments, voice and text.
    pub(super) fn key(&self, program: &Program, voice: Voice, text: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        part(program.path.as_os_str().as_encoded_bytes());
        program.metadata.iter().for_each(|number| part(&number.to_be_bytes()));
        self.config.command.iter().skip(1).for_each(|argument| part(argument.as_bytes()));
        part(self.name_of(voice).as_bytes());
        part(text.as_bytes());
        hash.finalize().into()
    }

    fn name_of(&self, voice: Voice) -> &str {
        self.config.voices.get(&voice).map_or(voice.espeak(), String::as_str)
    }

    /// Speaks a text. Waits for a turn first; a turn is one engine.
    ///
    /// # Errors
    /// Any [`SpeechError`].
    pub(super) async fn speak(
        &self,
        program: &Program,
        voice: Voice,
        text: &str,
    ) -> Result<Clip, SpeechError> {
        let failed =
            |what: &str, error: &dyn std::fmt::Display| SpeechError::Failed(format!("{what}: {error}"));
        let _turn = self.turns.acquire().await.map_err(|error| failed("it was not started", &error))?;
        let dir =
            in_background(tempfile::tempdir).await?.map_err(|error| failed("it has no directory", &error))?;
        let wav = self.run(program, voice, text, dir.path()).await;
        // The conversion goes on in the background; the directory is removed there, too.
        in_background(move || {
            drop(dir);
            clip_of(wav?)
        })
        .await?
    }

    async fn run(
        &self,
        program: &Program,
        voice: Voice,
        text: &str,
        dir: &Path,
    ) -> Result<Vec<u8>, SpeechError> {
        let failed =
            |what: &str, error: &dyn std::fmt::Display| SpeechError::Failed(format!("{what}: {error}"));
        let output = dir.join("speech.wav");
        let writes_file = self.config.command.iter().any(|argument| argument.contains(OUTPUT));
        let arguments = self.config.command.iter().skip(1).map(|argument| {
            argument.replace(VOICE, self.name_of(voice)).replace(OUTPUT, &output.to_string_lossy())
        });
        let mut child = Command::new(&program.path)
            .args(arguments)
            .env_clear()
            .env("PATH", search_path())
            .env("LANG", "C.UTF-8")
            .env("HOME", dir)
            .env("TMPDIR", dir)
            .current_dir(dir)
            .process_group(0)
            .kill_on_drop(true)
            .stdin(Stdio::piped())
            .stdout(if writes_file { Stdio::null() } else { Stdio::piped() })
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed("it was not started", &error))?;
        let mut group = Group::of(&child)?;
        group.bound_files();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let group_pid = group.pid;
        let work = async {
            tokio::join!(
                feed(stdin, text),
                read(stdout, WAV_BYTES_MAX, group_pid),
                excerpt(stderr),
                end_of(group_pid)
            )
        };
        let Ok(((), wav, complaint, ())) = timeout(self.config.timeout, work).await else {
            group.end(&mut child).await;
            return Err(SpeechError::TimedOut(self.config.timeout));
        };
        let status = group.end(&mut child).await;
        if !status.is_some_and(|status| status.success()) {
            // The log tells no texts, nor parts of them.
            let mut words = text.split_whitespace().filter(|word| word.chars().count() >= 4);
            let complaint =
                if words.any(|word| complaint.contains(word)) { "it quotes the text" } else { &*complaint };
            return Err(SpeechError::Failed(format!("{}: {complaint}", ending(status))));
        }
        if !writes_file {
            return wav.ok_or_else(|| SpeechError::Failed("it wrote too much".to_owned()));
        }
        in_background(move || written_file(&output)).await?
    }
}

/// What an engine wrote into its file.
fn written_file(path: &Path) -> Result<Vec<u8>, SpeechError> {
    // A link or a pipe is none.
    let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= WAV_BYTES_MAX as u64);
    if !is_file {
        return Err(SpeechError::NothingSaid);
    }
    std::fs::read(path).map_err(|error| SpeechError::Failed(format!("its file cannot be read: {error}")))
}

fn ending(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| "it did not end".to_owned(), |status| format!("it ended with {status}"))
}

fn search_path() -> OsString {
    std::env::var_os("PATH").filter(|path| !path.is_empty()).unwrap_or_else(|| USUAL_PATH.into())
}

/// The program at a path, if there is one that may be run.
fn program(path: PathBuf) -> Option<Program> {
    let is_program = |file: &Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    let file = path.metadata().ok().filter(is_program)?;
    let size = i64::try_from(file.size()).unwrap_or(i64::MAX);
    let inode = i64::from_ne_bytes(file.ino().to_ne_bytes());
    let path = std::path::absolute(path).ok()?;
    Some(Program { path, metadata: [size, file.mtime(), file.mtime_nsec(), file.ctime(), inode] })
}

/// Runs what blocks where that is allowed.
pub(super) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SpeechError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| SpeechError::Failed(format!("the work was cut off: {error}")))
}

/// The process group of an engine. It is killed when this is dropped, unless it was seen to end.
#[derive(Debug)]
struct Group {
    pid: Pid,
    is_over: bool,
}

impl Group {
    fn of(child: &Child) -> Result<Self, SpeechError> {
        let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| SpeechError::Failed("it has no process".to_owned()))?;
        Ok(Self { pid, is_over: false })
    }

    /// No file of the engine becomes larger than a WAV may be, and a crash leaves no image.
    fn bound_files(&self) {
        let bytes = WAV_BYTES_MAX as u64;
        for (resource, bytes) in [(Resource::Fsize, bytes), (Resource::Core, 0)] {
            let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
            // It may have ended by now.
            let _ = prlimit(Some(self.pid), resource, limit);
        }
    }

    /// Kills what is left of the group, then reaps its leader: only from then on may another process get the number.
    async fn end(&mut self, child: &mut Child) -> Option<ExitStatus> {
        kill(self.pid);
        self.is_over = true;
        timeout(GONE_WITHIN, child.wait()).await.ok()?.ok()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            kill(self.pid);
        }
    }
}

fn kill(group: Pid) {
    // A group that is gone needs no signal.
    let _ = kill_process_group(group, Signal::KILL);
}

/// Waits until the leader of a group has ended, and kills the rest: a child that goes on would keep the pipes open. The
/// leader is not reaped, so its number stays its own.
async fn end_of(group: Pid) {
    let ended = move || waitid(WaitId::Pid(group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    let _ = in_background(move || while ended().is_err_and(|error| error == Errno::INTR) {}).await;
    kill(group);
}

/// Gives an engine its text. One that does not read all of it may still speak.
async fn feed(stdin: Option<ChildStdin>, text: &str) {
    let Some(mut stdin) = stdin else { return };
    if stdin.write_all(text.as_bytes()).await.is_ok() {
        let _ = stdin.write_all(b"\n").await;
    }
}

/// What comes on standard output; `None` when it is more than `most` bytes, and the group is killed.
async fn read(stdout: Option<impl AsyncRead + Unpin>, most: usize, group: Pid) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let Some(stdout) = stdout else { return Some(bytes) };
    let read = stdout.take(most as u64 + 1).read_to_end(&mut bytes).await;
    if read.is_ok() && bytes.len() <= most {
        return Some(bytes);
    }
    kill(group);
    None
}

/// The beginning of what comes on standard error, on one line. All of it is read, as the engine would wait otherwise.
async fn excerpt(stderr: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stderr) = stderr else { return String::new() };
    let mut kept = Vec::new();
    let mut buffer = vec![0; 4_096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let room = COMPLAINT_BYTES.saturating_sub(kept.len()).min(read);
        kept.extend_from_slice(buffer.get(..room).unwrap_or_default());
    }
    let text = String::from_utf8_lossy(&kept);
    let line: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    line.trim().to_owned()
}

#[cfg(test)]
mod tests;
