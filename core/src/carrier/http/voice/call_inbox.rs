//! The calls of a carrier that are under way in this daemon, and the reports on each.
//!
//! An inbox exists from the start of the daemon, and outlives reloads: reports on a call of the previous configuration
//! still reach it. A webhook may come before the answer to the submit, and name the provider's id alone: reports on unknown
//! ids are kept for a moment while some call waits for its id.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::Notify;

use super::clip_store::ClipShelf;
use super::fields::{CallReport, News};

/// Reports on unknown ids at most; then the oldest is dropped.
const EARLY_MAX: usize = 1_000;

/// What became of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallHookOutcome {
    /// Its call heard it, or may hear it yet.
    Here,
    /// It is of no call that is followed here, where the carrier is held: of one that is over, or was given up.
    Over,
    /// It is of no call of this daemon, which does not hold the carrier.
    Elsewhere,
}

/// See the module. A cheap handle.
#[derive(Clone, Debug, Default)]
pub struct CallInbox(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    shelf: ClipShelf,
}

#[derive(Debug, Default)]
struct State {
    /// Carriers of this name that run here: two while a reload changes one for another.
    holders: usize,
    by_reference: HashMap<Box<str>, Arc<Ear>>,
    by_id: HashMap<Box<str>, Arc<Ear>>,
    /// Calls whose id is not known yet.
    unnamed: usize,
    /// Oldest first.
    early: VecDeque<(Box<str>, News)>,
}

/// Where a call receives its reports.
#[derive(Debug, Default)]
struct Ear {
    /// All of it, and whether some was not looked at.
    heard: Mutex<(News, bool)>,
    /// The provider's id, where a webhook named it beside our reference.
    id: OnceLock<Box<str>>,
    bell: Notify,
}

impl Ear {
    fn hear(&self, news: &News) {
        {
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            let before = heard.0.clone();
            heard.0.add(news);
            heard.1 |= heard.0 != before;
        }
        self.bell.notify_waiters();
    }
}

impl CallInbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clips of its calls.
    pub fn shelf(&self) -> &ClipShelf {
        &self.0.shelf
    }

    /// Hands a webhook to its call.
    pub fn tell(&self, report: CallReport) -> CallHookOutcome {
        let mut state = self.state();
        let ear = [(&report.ours, &state.by_reference), (&report.id, &state.by_id)]
            .into_iter()
            .find_map(|(name, calls)| calls.get(name.as_ref()?).cloned());
        if let Some(ear) = ear {
            drop(state);
            if let Some(id) = report.id {
                let _ = ear.id.set(id);
            }
            ear.hear(&report.news);
            return CallHookOutcome::Here;
        }
        if state.holders == 0 {
            return CallHookOutcome::Elsewhere;
        }
        // Our own reference is known before the submit: one that is not known here is of no call that begins.
        if let Some(id) = report.id.filter(|_| state.unnamed > 0 && report.ours.is_none()) {
            if state.early.len() >= EARLY_MAX {
                state.early.pop_front();
            }
            state.early.push_back((id, report.news));
            return CallHookOutcome::Here;
        }
        CallHookOutcome::Over
    }

    /// From now on this daemon holds the carrier, until that is dropped.
    pub(super) fn hold(&self) -> Holder {
        self.state().holders += 1;
        Holder(self.clone())
    }

    /// A place for a call under our reference.
    pub(super) fn open(&self, reference: &str) -> Place {
        let ear = Arc::<Ear>::default();
        let mut state = self.state();
        state.by_reference.insert(reference.into(), Arc::clone(&ear));
        state.unnamed += 1;
        Place { inbox: self.clone(), ear, reference: reference.into(), id: None }
    }
}

/// While there is one the carrier is held here.
#[derive(Debug)]
pub(super) struct Holder(CallInbox);

impl Drop for Holder {
    fn drop(&mut self) {
        self.0.state().holders -= 1;
    }
}

/// A call's place in the inbox, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    inbox: CallInbox,
    ear: Arc<Ear>,
    reference: Box<str>,
    id: Option<Box<str>>,
}

impl Place {
    /// Our reference of the call.
    pub(super) fn reference(&self) -> &str {
        &self.reference
    }

    /// The provider's id is known: reports that came for it meanwhile are delivered now.
    pub(super) fn name(&mut self, id: &str) {
        if self.id.is_some() {
            return;
        }
        let id: Box<str> = id.into();
        let mut state = self.inbox.state();
        state.by_id.insert(id.clone(), Arc::clone(&self.ear));
        state.unnamed -= 1;
        let (own, others): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut state.early).into_iter().partition(|(named, _)| *named == id);
        if state.unnamed > 0 {
            state.early = others;
        }
        drop(state);
        own.iter().for_each(|(_, news)| self.ear.hear(news));
        self.id = Some(id);
    }

    /// The provider's id, where a webhook told it.
    pub(super) fn id_told(&self) -> Option<String> {
        self.ear.id.get().map(|id| String::from(&**id))
    }

    /// Waits for a report that was not read yet.
    pub(super) async fn told(&self) {
        loop {
            let mut rung = std::pin::pin!(self.ear.bell.notified());
            rung.as_mut().enable();
            if self.ear.heard.lock().unwrap_or_else(PoisonError::into_inner).1 {
                return;
            }
            rung.await;
        }
    }

    /// Whether there was any report.
    pub(super) fn has_news(&self) -> bool {
        self.ear.heard.lock().unwrap_or_else(PoisonError::into_inner).0 != News::default()
    }

    /// All reports so far.
    pub(super) fn look(&self) -> News {
        let mut heard = self.ear.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.1 = false;
        heard.0.clone()
    }

    /// Hears what was asked for.
    pub(super) fn hear(&self, news: &News) {
        self.ear.hear(news);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.inbox.state();
        state.by_reference.remove(&self.reference);
        match &self.id {
            Some(id) => {
                // A provider that gave two calls one id has only itself to blame, but neither call the other's place.
                if state.by_id.get(id).is_some_and(|ear| Arc::ptr_eq(ear, &self.ear)) {
                    state.by_id.remove(id);
                }
            }
            None => state.unnamed -= 1,
        }
        if state.unnamed == 0 {
            state.early.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carrier::http::voice::fields::Phase;

    fn report(ours: Option<&str>, id: Option<&str>, phase: Phase) -> CallReport {
        let news = News { phase: Some(phase), ..News::default() };
        CallReport { id: id.map(Into::into), ours: ours.map(Into::into), news }
    }

    #[tokio::test]
    async fn a_webhook_finds_its_call_by_either_name_also_before_the_id_is_known() {
        let inbox = CallInbox::default();
        assert_eq!(inbox.tell(report(Some("a"), None, Phase::Up)), CallHookOutcome::Elsewhere);
        let held = inbox.hold();
        let mut place = inbox.open("a");
        assert_eq!(inbox.tell(report(None, Some("17"), Phase::Ringing)), CallHookOutcome::Here);
        assert_eq!(inbox.tell(report(None, Some("18"), Phase::Up)), CallHookOutcome::Here);
        assert_eq!(place.look(), News::default(), "whose it is cannot be known yet");
        place.name("17");
        place.told().await;
        assert_eq!(place.look().phase, Some(Phase::Ringing));
        assert!(inbox.state().early.is_empty(), "no other call waits for its id");
        inbox.tell(report(Some("a"), Some("other"), Phase::Up));
        place.told().await;
        assert_eq!(place.look().phase, Some(Phase::Up));
        drop(place);
        assert_eq!(inbox.tell(report(Some("a"), Some("17"), Phase::Up)), CallHookOutcome::Over);
        drop(held);
        let state = inbox.state();
        assert!(state.by_id.is_empty() && state.by_reference.is_empty() && state.early.is_empty());
        assert_eq!((state.unnamed, state.holders), (0, 0));
    }

    #[test]
    fn what_is_told_of_unknown_ids_is_bounded() {
        let inbox = CallInbox::default();
        let _held = inbox.hold();
        let mut place = inbox.open("a");
        for id in 0..=EARLY_MAX {
            inbox.tell(report(None, Some(&id.to_string()), Phase::Up));
        }
        assert_eq!(inbox.state().early.len(), EARLY_MAX);
        place.name("0");
        assert_eq!(place.look(), News::default(), "the oldest was forgotten");
    }
}
