use std::time::Instant;

use super::*;
use crate::voice::clip::RATE;

/// An engine that is a shell script; `{voice}` and `{output}` are its arguments.
fn script(text: &str, arguments: &[&str]) -> (Engine, Program) {
    let command = [&["/bin/sh", "-c", text, "engine"], arguments].concat();
    engine(command.into_iter().map(str::to_owned).collect(), Duration::from_secs(20))
}

fn engine(command: Vec<String>, timeout: Duration) -> (Engine, Program) {
    let engine = Engine::new(EngineConfig { command, voices: BTreeMap::new(), timeout, at_once: 2 });
    let program = engine.find().unwrap_or_else(|error| panic!("{error}: .ci/prepare test installs it"));
    (engine, program)
}

fn espeak() -> (Engine, Program) {
    engine(ESPEAK.map(str::to_owned).to_vec(), Duration::from_secs(20))
}

async fn speak((engine, program): &(Engine, Program), text: &str) -> Result<Clip, SpeechError> {
    engine.speak(program, Voice::UkFemale, text).await
}

/// How a script fails.
async fn failure(text: &str) -> String {
    match speak(&script(text, &[VOICE, OUTPUT]), "Hello").await {
        Err(SpeechError::Failed(how)) => how,
        other => panic!("{text}: {other:?}"),
    }
}

/// Whether a process is there and no zombie.
fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

async fn is_gone(pid_file: &Path) {
    let pid = std::fs::read_to_string(pid_file).unwrap();
    for _ in 0..400 {
        if !is_running(pid.trim()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("process {pid} is still running");
}

/// The pitch of a clip in Hz: that of the middle one of its loud parts, by autocorrelation.
#[expect(clippy::float_arithmetic, reason = "samples and what is compared of them are no money")]
fn pitch(samples: &[f64]) -> f64 {
    let loud =
        samples.windows(640).step_by(320).filter(|part| part.iter().map(|it| it * it).sum::<f64>() > 640e6);
    let period = |part: &[f64]| {
        let alike =
            |lag: usize| part.iter().zip(&part[lag..]).map(|(a, b)| a * b).sum::<f64>() / (640 - lag) as f64;
        (25..120).max_by(|a, b| alike(*a).total_cmp(&alike(*b))).unwrap()
    };
    let mut periods: Vec<usize> = loud.map(period).collect();
    periods.sort_unstable();
    8_000.0 / periods[periods.len() / 2] as f64
}

#[tokio::test]
async fn every_voice_speaks_and_women_higher_than_men() {
    let (engine, program) = espeak();
    let mut clips = Vec::new();
    for voice in Voice::ALL.iter().copied() {
        let clip = engine.speak(&program, voice, "Pay twenty-five thousand naira today.").await.unwrap();
        assert!((1..=5).contains(&clip.seconds()), "{voice:?}: {} s", clip.seconds());
        let samples = clip.as_ref()[44..].chunks(2).map(|it| f64::from(i16::from_le_bytes([it[0], it[1]])));
        let samples: Vec<f64> = samples.collect();
        let rms = f64::sqrt(samples.iter().map(|it| it * it).sum::<f64>() / samples.len() as f64);
        assert!(rms > 500.0, "{voice:?}: {rms}");
        let is_woman = matches!(voice, Voice::UkFemale | Voice::UsFemale);
        assert_eq!(pitch(&samples) > 150.0, is_woman, "{voice:?}: {} Hz", pitch(&samples));
        assert!(!clips.contains(&clip), "{voice:?}");
        clips.push(clip);
    }
    assert_eq!(RATE, 8_000);
}

#[tokio::test]
async fn a_long_text_of_many_scripts_is_spoken() {
    let clip = speak(&espeak(), &"Sai an jima, 早上好 Lagos. ".repeat(20)).await.unwrap();
    assert!((20..=200).contains(&clip.seconds()), "{} s", clip.seconds());
}

#[tokio::test]
async fn a_text_is_no_argument_and_reaches_no_shell() {
    let dir = tempfile::tempdir().unwrap();
    let trap = dir.path().join("trap");
    let text = format!("--help $(touch {0}) `touch {0}`; touch {0}", trap.display());
    speak(&espeak(), &text).await.unwrap();
    assert!(!trap.exists());
}

#[tokio::test]
async fn an_engine_gets_voice_text_and_an_environment_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let seen = dir.path().join("seen");
    let text = format!("{{ echo \"$1\"; cat; env; pwd; }} >{}; echo no >&2; exit 3", seen.display());
    let failed = speak(&script(&text, &[VOICE]), "Good morning").await.unwrap_err();
    assert_eq!(failed.to_string(), "the speech engine failed: it ended with exit status: 3: no");
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(seen.starts_with("en+f3\nGood morning\n"), "{seen}");
    let mut names: Vec<&str> = seen.lines().filter_map(|line| line.split_once('=')).map(|it| it.0).collect();
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["HOME", "LANG", "PATH", "TMPDIR"]);
}

#[tokio::test]
async fn an_engine_may_write_to_standard_output() {
    let espeak = "exec espeak-ng --stdin -v \"$1\" --stdout";
    assert!(speak(&script(espeak, &[VOICE]), "Good morning").await.unwrap().seconds() > 0);
}

#[tokio::test]
async fn an_engine_that_does_not_end_is_killed_with_all_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let (leader, child) = (dir.path().join("leader"), dir.path().join("child"));
    let text = format!("echo $$ >{}; sleep 600 & echo $! >{}; wait", leader.display(), child.display());
    let command = ["/bin/sh", "-c", &text, "engine", OUTPUT].map(str::to_owned).to_vec();
    let slow = engine(command, Duration::from_secs(2));
    let begun = Instant::now();
    let late = speak(&slow, "Hello").await.unwrap_err();
    assert!(matches!(late, SpeechError::TimedOut(_)), "{late:?}");
    assert!(begun.elapsed() < Duration::from_secs(60));
    is_gone(&leader).await;
    is_gone(&child).await;
}

#[tokio::test]
async fn a_child_that_goes_on_does_not_hold_the_clip_up() {
    let dir = tempfile::tempdir().unwrap();
    let child = dir.path().join("child");
    let text = format!("sleep 600 & echo $! >{}; exec espeak-ng --stdin -w \"$2\"", child.display());
    let command = ["/bin/sh", "-c", &text, "engine", VOICE, OUTPUT].map(str::to_owned).to_vec();
    let forks = engine(command, Duration::from_secs(300));
    assert!(speak(&forks, "Good morning").await.unwrap().seconds() > 0);
    is_gone(&child).await;
}

#[tokio::test]
async fn an_engine_whose_client_left_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let leader = dir.path().join("leader");
    let text = format!("echo $$ >{0}.new; mv {0}.new {0}; exec sleep 600", leader.display());
    let slow = script(&text, &[OUTPUT]);
    let speaking = speak(&slow, "Hello");
    tokio::select! {
        ended = speaking => panic!("{ended:?}"),
        () = async {
            while !leader.exists() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        } => {}
    }
    is_gone(&leader).await;
}

#[tokio::test]
async fn an_engine_that_writes_without_end_is_stopped() {
    let begun = Instant::now();
    let much = speak(&script("exec cat /dev/zero", &[VOICE]), "Hello").await.unwrap_err();
    assert!(matches!(much, SpeechError::Failed(_)), "{much:?}");
    let file = failure("exec cat /dev/zero >\"$2\"").await;
    assert!(file.contains("signal"), "{file}");
    assert!(begun.elapsed() < Duration::from_secs(18), "by a bound, and not by the timeout");
    let noise = failure("yes | head -c 3000000 >&2; exit 1").await;
    assert!(noise.len() < 1_200 && noise.contains("exit status: 1: y y y"), "{}", noise.len());
}

#[tokio::test]
async fn junk_is_no_speech_and_a_complaint_is_told_without_the_text() {
    let junk = failure("echo junk >\"$2\"").await;
    assert!(junk.starts_with("it wrote no WAV"), "{junk}");
    let echo = failure("echo 'cannot say' \"$(cat)\" >&2; exit 4").await;
    assert_eq!(echo, "it ended with exit status: 4: it quotes the text");
    let killed = failure("kill -9 $$").await;
    assert!(killed.contains("signal: 9"), "{killed}");
    // It reads nothing of a text that is larger than a pipe.
    let (engine, program) = script("exit 5", &[OUTPUT]);
    let deaf = engine.speak(&program, Voice::UkMale, &"word ".repeat(100_000)).await.unwrap_err();
    assert!(deaf.to_string().contains("exit status: 5"), "{deaf}");
}

#[tokio::test]
async fn an_engine_that_says_nothing_gives_no_clip() {
    let espeak = espeak();
    for silent in ["", " ", "..."] {
        let nothing = speak(&espeak, silent).await.unwrap_err();
        assert!(matches!(nothing, SpeechError::NothingSaid), "{silent:?}: {nothing:?}");
    }
    for text in ["exit 0", "ln -s /etc/passwd \"$2\"", "mkdir \"$2\"", "mkfifo \"$2\""] {
        let nothing = speak(&script(text, &[VOICE, OUTPUT]), "Hello").await.unwrap_err();
        assert!(matches!(nothing, SpeechError::NothingSaid), "{text}: {nothing:?}");
    }
}

#[tokio::test]
async fn at_most_so_many_engines_run_at_the_same_time() {
    let dir = tempfile::tempdir().unwrap();
    let running = dir.path().join("running");
    std::fs::create_dir(&running).unwrap();
    let text = format!(
        "mkdir {0}/$$; ls {0} | wc -l >>{1}; sleep 0.3; rmdir {0}/$$; exit 9",
        running.display(),
        dir.path().join("counts").display()
    );
    let engine = script(&text, &[OUTPUT]);
    let all = (0..6).map(|_| speak(&engine, "Hello"));
    assert!(futures::future::join_all(all).await.iter().all(Result::is_err));
    let counts = std::fs::read_to_string(dir.path().join("counts")).unwrap();
    let most = counts.lines().map(|line| line.trim().parse::<usize>().unwrap()).max();
    assert_eq!((counts.lines().count(), most), (6, Some(2)));
}

#[test]
fn a_program_is_found_or_named_and_another_version_of_it_has_other_keys() {
    let config = |name: &str| EngineConfig {
        command: vec![name.to_owned(), VOICE.to_owned()],
        voices: BTreeMap::new(),
        timeout: Duration::from_secs(1),
        at_once: 1,
    };
    let missing = Engine::new(config("no-such-engine")).find().unwrap_err();
    assert_eq!(missing.to_string(), "the speech engine 'no-such-engine' is not installed");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("engine");
    std::fs::write(&path, "one").unwrap();
    let engine = Engine::new(config(&path.to_string_lossy()));
    assert!(matches!(engine.find(), Err(SpeechError::NoEngine(_))), "a file that may not be run");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    let one = engine.find().unwrap();
    let key = engine.key(&one, Voice::UkMale, "Hello");
    assert_eq!(key, engine.key(&engine.find().unwrap(), Voice::UkMale, "Hello"));
    assert_ne!(key, engine.key(&one, Voice::UsMale, "Hello"));
    assert_ne!(key, engine.key(&one, Voice::UkMale, "Hallo"));
    std::fs::write(&path, "another").unwrap();
    assert_ne!(key, engine.key(&engine.find().unwrap(), Voice::UkMale, "Hello"));
}
