use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::store::operations::disk::DiskGuard;
use crate::time::{ManualClock, Time};

const NOW: Time = Time(1_700_000_000_000);

fn engine(command: &[&str]) -> EngineConfig {
    EngineConfig {
        command: command.iter().map(|it| (*it).to_owned()).collect(),
        voices: BTreeMap::new(),
        timeout: Duration::from_secs(20),
        at_once: 2,
    }
}

fn speech(dir: &Path, command: &[&str]) -> Speech {
    let cache = CacheConfig {
        dir: dir.join("speech"),
        bytes_max: 1 << 20,
        unused_max: Duration::from_secs(3_600),
        disk: DiskGuard::new(dir, 0),
    };
    Speech::open(engine(command), cache, Arc::new(ManualClock::new(NOW))).unwrap()
}

fn text(message: &str) -> SpeechText {
    SpeechText::parse(Some(message), None, 1_000).unwrap()
}

/// A shell script that counts its runs in the file `runs` of a directory.
fn counting(dir: &Path, then: &str) -> Speech {
    let text = format!("echo run >>{}; {then}", dir.join("runs").display());
    speech(dir, &["/bin/sh", "-c", &text, "engine", VOICE, OUTPUT])
}

fn runs(dir: &Path) -> usize {
    std::fs::read_to_string(dir.join("runs")).unwrap_or_default().lines().count()
}

const SPEAK: &str = "sleep 0.3; exec espeak-ng --stdin -v \"$1\" -w \"$2\"";

#[test]
fn a_form_is_checked_and_its_refusals_name_the_field() {
    for (message, voice, code, detail) in [
        (None, None, "voice_message_required", "Voice Message is required"),
        (Some(" \n"), Some("x"), "voice_message_required", "Voice Message is required"),
        (
            Some("Hi"),
            Some("uk-robot"),
            "unknown_voice",
            "There is no voice 'uk-robot': use one of uk-female, us-female, uk-male, us-male",
        ),
        (
            Some("Hi there Ada"),
            None,
            "voice_message_too_long",
            "Voice Message has 12 characters, and may have 10: shorten it",
        ),
    ] {
        let refused = SpeechText::parse(message, voice, 10).unwrap_err();
        assert_eq!((refused.code(), refused.to_string().as_str()), (code, detail));
        let Error::Rule { field, .. } = refused else { panic!("{refused:?}") };
        assert_eq!(field, Some(if code == "unknown_voice" { "ttsVoice" } else { "ttsMsg" }));
    }
    let ten = SpeechText::parse(Some("ọọọọọọọọọọ"), Some(""), 10).unwrap();
    assert_eq!(ten.voice, Voice::UkFemale);
    let said = SpeechText::parse(Some("Pay N500"), Some("us-male"), 10).unwrap();
    assert_eq!((&*said.text, said.voice), ("Pay five hundred nyra", Voice::UsMale));
}

#[tokio::test]
async fn the_same_text_is_spoken_once_however_many_ask_for_it_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let speech = counting(dir.path(), SPEAK);
    let all = (0..8).map(|_| speech.say(text("Pay N500 today")));
    let clips = futures::future::join_all(all).await;
    let first = clips[0].as_ref().unwrap();
    assert!(clips.iter().all(|clip| clip.as_ref().unwrap() == first));
    assert_eq!(runs(dir.path()), 1);
    // What is said the same way is the same.
    assert_eq!(&speech.say(text("Pay ₦500  today")).await.unwrap(), first);
    assert_eq!(&counting(dir.path(), SPEAK).say(text("Pay N500 today")).await.unwrap(), first);
    assert_eq!(runs(dir.path()), 1);
    assert_ne!(&speech.say(text("Pay N600 today")).await.unwrap(), first);
    assert_eq!(runs(dir.path()), 2);
    assert!(speech.0.lock().is_empty());
}

#[tokio::test]
async fn a_client_that_leaves_does_not_end_what_another_one_waits_for() {
    let dir = tempfile::tempdir().unwrap();
    let speech = counting(dir.path(), SPEAK);
    let left = tokio::time::timeout(Duration::from_millis(50), speech.say(text("Hello"))).await;
    assert!(left.is_err());
    speech.say(text("Hello")).await.unwrap();
    assert_eq!(runs(dir.path()), 1);
}

#[tokio::test]
async fn a_failure_is_not_kept_and_tells_a_customer_nothing_of_the_engine() {
    let dir = tempfile::tempdir().unwrap();
    let speech = counting(dir.path(), "echo /secret/path >&2; exit 1");
    for _ in 0..2 {
        let failed = speech.say(text("Hello")).await.unwrap_err();
        assert_eq!(failed.code(), "speech_failed");
        assert!(!failed.to_string().contains("secret"), "{failed}");
    }
    assert_eq!(runs(dir.path()), 2);
    assert!(speech.0.lock().is_empty());
}

#[tokio::test]
async fn texts_without_a_word_start_no_engine_and_too_many_texts_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let speech = counting(dir.path(), "sleep 1; exit 1");
    for nothing in ["...", "😀", "!?"] {
        assert_eq!(speech.say(text(nothing)).await.unwrap_err().code(), "nothing_to_say");
    }
    assert_eq!(runs(dir.path()), 0);
    let all = (0..=WAITING_MAX).map(|n| {
        let speech = speech.clone();
        async move { speech.say(text(&format!("Number {n}"))).await.unwrap_err().code() }
    });
    let waiting = futures::future::select_all(all.map(Box::pin));
    let (first, ..) = waiting.await;
    assert_eq!(first, "speech_busy");
}

#[tokio::test]
async fn without_an_engine_it_is_said_what_to_install() {
    let dir = tempfile::tempdir().unwrap();
    let without = ["/nowhere/espeak-ng", VOICE];
    let refused = speech(dir.path(), &without).say(text("Hello")).await.unwrap_err();
    assert_eq!(refused.code(), "speech_unavailable");
    assert_eq!(engine(&without).missing(), Some(refused.to_string()));
    assert!(no_engine("espeak-ng").contains("install the package espeak-ng, or set voice.engine"));
    assert_eq!(engine(&ESPEAK).missing(), None, ".ci/prepare test installs espeak-ng");
}
