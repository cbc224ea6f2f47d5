//! The results that `make bench` keeps: compared with the same machine only, and few of each figure.

#[path = "../../benches/figures/results.rs"]
mod results;

use std::process::Command;

use results::{KeptResult, commit, last, merge, read, write};

fn result(figure: &str, machine: &str, day: u8, commit: &str, value: f64) -> KeptResult {
    let date = format!("2026-11-{day:02} 12:00 UTC");
    KeptResult { figure: figure.into(), machine: machine.into(), date, commit: commit.into(), value }
}

#[test]
fn a_result_is_compared_with_the_last_of_another_commit_on_the_same_machine() {
    let kept = [
        result("start", "big", 1, "aaa", 10.0),
        result("start", "big", 2, "bbb", 11.0),
        result("start", "big", 3, "ccc", 12.0),
        result("start", "big", 4, "ccc-dirty", 20.0),
        result("start", "small", 4, "ddd", 90.0),
        result("memory", "big", 4, "ddd", 30.0),
    ];
    assert_eq!(last(&kept, "start", "big", "ddd"), Some(12.0));
    assert_eq!(last(&kept, "start", "big", "ccc"), Some(11.0));
    assert_eq!(last(&kept, "size", "big", "ddd"), None);
}

#[test]
fn a_commit_has_one_result_and_the_oldest_commits_go() {
    let old: Vec<KeptResult> =
        (1..=5).map(|day| result("start", "big", day, &format!("c{day}"), 10.0)).collect();
    let again = merge(old.clone(), vec![result("start", "big", 6, "c5", 20.0)]);
    assert_eq!(again.len(), 5);
    assert_eq!(again[0], result("start", "big", 6, "c5", 20.0));

    let more =
        merge(old, vec![result("start", "big", 7, "c7", 9.0), result("start", "small", 7, "c7", 99.0)]);
    let days: Vec<&str> = more.iter().map(|one| one.commit.as_str()).collect();
    assert_eq!(days, ["c7", "c5", "c4", "c3", "c2", "c7"]);
}

#[test]
fn results_are_read_as_they_were_written_and_a_broken_line_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("results.tsv");
    assert_eq!(read(&file).unwrap(), []);
    let results = [result("campaign of 1,000,000: confirm", "Some CPU, 2 cores", 1, "aaa-dirty", 1.25)];
    write(&file, &results).unwrap();
    assert_eq!(read(&file).unwrap(), results);

    let text = std::fs::read_to_string(&file).unwrap() + "start\tbig\tnow\tabc\tfast\n";
    std::fs::write(&file, text).unwrap();
    let error = format!("{:#}", read(&file).unwrap_err());
    assert!(error.contains("results.tsv:3: fast is no number"), "{error}");
}

#[test]
fn a_tree_that_differs_by_its_results_alone_is_its_commit() {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let person =
            ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.args(person).args(["-c", "core.hooksPath=/dev/null"]).args(args).current_dir(dir.path());
        // Never into the repository that runs the tests in a hook.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        assert!(command.status().unwrap().success());
    };
    git(&["init", "--quiet"]);
    std::fs::create_dir_all(dir.path().join("daemon/benches")).unwrap();
    std::fs::write(dir.path().join("source"), "one").unwrap();
    let file = dir.path().join("daemon").join(results::FILE);
    write(&file, &[]).unwrap();
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "Begin"]);
    let daemon = dir.path().join("daemon");
    let begun = commit(&daemon).unwrap();
    assert_eq!(begun.len(), 12);

    write(&file, &[result("start", "big", 1, &begun, 1.0)]).unwrap();
    assert_eq!(commit(&daemon).unwrap(), begun);
    std::fs::write(dir.path().join("source"), "two").unwrap();
    assert_eq!(commit(&daemon).unwrap(), format!("{begun}-dirty"));
}
