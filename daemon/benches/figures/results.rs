//! The last results, by commit: a small file beside this program, so that a slip is seen.
//!
//! A result is compared with those of the same machine only, and kept as it was measured. Runs that measure less, or
//! another program than the one at hand, are not kept.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

/// Where they are, from the top directory of the daemon.
pub(crate) const FILE: &str = "benches/results.tsv";
/// Commits that are kept of a figure and a machine.
const COMMITS: usize = 5;
/// Ends the commit of a tree that differs from it.
const DIRTY: &str = "-dirty";

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptResult {
    /// The figure's name.
    pub(crate) figure: String,
    /// The processor and its cores.
    pub(crate) machine: String,
    /// When, as `2026-11-29 20:45 UTC`.
    pub(crate) date: String,
    /// The commit, with `-dirty` where the tree differed from it.
    pub(crate) commit: String,
    /// In the figure's unit.
    pub(crate) value: f64,
}

/// Reads the file; there are no results where there is none.
///
/// # Errors
/// Fails where a line does not have five fields with a number at the end.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<KeptResult>> {
    let text = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    let lines = text.lines().enumerate().skip(1);
    lines.map(|(at, line)| parse(line).with_context(|| format!("{}:{}", file.display(), at + 1))).collect()
}

fn parse(line: &str) -> anyhow::Result<KeptResult> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [figure, machine, date, commit, value] = fields[..] else { anyhow::bail!("not five fields") };
    let value = value.parse().with_context(|| format!("{value} is no number"))?;
    let [figure, machine, date, commit] = [figure, machine, date, commit].map(str::to_owned);
    Ok(KeptResult { figure, machine, date, commit, value })
}

/// What was measured last of a figure on a machine, at another commit as it is: what is tried on the way is compared with
/// that, however often it is measured.
pub(crate) fn last(kept: &[KeptResult], figure: &str, machine: &str, commit: &str) -> Option<f64> {
    let same = kept.iter().filter(|one| one.figure == figure && one.machine == machine);
    let same = same.filter(|one| one.commit != commit && !one.commit.ends_with(DIRTY));
    Some(same.max_by(|one, other| one.date.cmp(&other.date))?.value)
}

/// Adds new results: each takes the place of one of the same commit, and the oldest go.
pub(crate) fn merge(kept: Vec<KeptResult>, new: Vec<KeptResult>) -> Vec<KeptResult> {
    let key = |one: &KeptResult| (one.figure.clone(), one.machine.clone());
    let replaced = |old: &KeptResult| new.iter().any(|one| key(one) == key(old) && one.commit == old.commit);
    let mut all: Vec<KeptResult> = kept.into_iter().filter(|old| !replaced(old)).collect();
    all.extend(new);
    // The newest of a figure first.
    all.sort_by(|one, other| key(one).cmp(&key(other)).then_with(|| other.date.cmp(&one.date)));
    let mut in_row = 0;
    let mut before = None;
    all.retain(|one| {
        in_row = if before.as_ref() == Some(&key(one)) { in_row + 1 } else { 0 };
        before = Some(key(one));
        in_row < COMMITS
    });
    all
}

/// Rewrites the file.
///
/// # Errors
/// Fails where it cannot be written.
pub(crate) fn write(file: &Path, kept: &[KeptResult]) -> anyhow::Result<()> {
    let mut text = String::from("figure\tmachine\tdate\tcommit\tvalue\n");
    for KeptResult { figure, machine, date, commit, value } in kept {
        text.push_str(&format!("{figure}\t{machine}\t{date}\t{commit}\t{value:.6}\n"));
    }
    // Never half a file: the old one stays until the new one is whole.
    let new = file.with_extension("new");
    std::fs::write(&new, text)
        .and_then(|()| std::fs::rename(&new, file))
        .with_context(|| file.display().to_string())
}

/// The commit of the tree around `dir`, with `-dirty` where something but the results differs from it.
///
/// # Errors
/// Fails where git does not know the tree.
pub(crate) fn commit(dir: &Path) -> anyhow::Result<String> {
    let git = |args: &[&str]| {
        // A hook of git has these set, for the tree that it is for.
        let mut command = Command::new("git");
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        let output = command.args(args).current_dir(dir).output().context("git cannot be run")?;
        anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let head = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--", ":/", &format!(":!{FILE}")])?;
    Ok(if changed.is_empty() { head } else { format!("{head}{DIRTY}") })
}
