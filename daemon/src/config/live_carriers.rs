//! The carriers of the configuration in use, which a reload swaps in one step.
//!
//! The section of a carrier, its hook and its price are always of one configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use sha2::{Digest as _, Sha256};
use talkdrum_core::carrier::http::voice::{CallHook, CallInbox};
use talkdrum_core::carrier::http::{Hook, Inbox};
use talkdrum_core::carrier::policy::Cost;

use crate::config::{CarrierPlan, CarrierSection, Line, places_calls};

/// The carriers of one configuration.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    /// Names and kinds, in the order of the configuration.
    pub carriers: Vec<(String, String)>,
    /// The way in for the receipts of carriers over HTTP.
    pub hooks: Vec<Hook>,
    /// The way in for the webhooks of carriers of calls over HTTP, and their clips.
    pub call_hooks: Vec<CallHook>,
    /// What carriers charge, by their names.
    pub costs: BTreeMap<String, Cost>,
    /// The names of those with breakers.
    pub breakers: BTreeSet<String>,
    /// What each was configured with, by name.
    fingerprints: BTreeMap<String, [u8; 32]>,
}

impl Fleet {
    /// The carriers of a configuration. Those over HTTP that are as `before` keep their hooks, so that their receipts
    /// still reach the carrier that takes them.
    pub fn new(sections: &[CarrierSection], plans: &[CarrierPlan], before: &Self) -> Self {
        let fingerprints: BTreeMap<_, _> =
            sections.iter().map(|section| (section.name.clone(), fingerprint(section))).collect();
        let is_kept = |name: &str| before.fingerprints.get(name) == fingerprints.get(name);
        let hook = |plan: &CarrierPlan| match &plan.line {
            Line::Http(config) => {
                let kept = before.hooks.iter().find(|hook| hook.name() == plan.name && is_kept(&plan.name));
                Some(kept.cloned().unwrap_or_else(|| Hook::new(config, Inbox::default())))
            }
            Line::Smpp(_) | Line::Sip(_) | Line::HttpVoice(_) => None,
        };
        let call_hook = |plan: &CarrierPlan| match &plan.line {
            Line::HttpVoice(config) => {
                // Calls that go on while the carrier changes are still told of.
                let known = before.call_hooks.iter().find(|hook| hook.name() == plan.name);
                let inbox = known.map_or_else(CallInbox::default, |hook| hook.inbox().clone());
                Some(CallHook::new(config, inbox))
            }
            Line::Smpp(_) | Line::Sip(_) | Line::Http(_) => None,
        };
        Self {
            carriers: sections.iter().map(|it| (it.name.clone(), it.kind.clone())).collect(),
            hooks: plans.iter().filter_map(hook).collect(),
            call_hooks: plans.iter().filter_map(call_hook).collect(),
            breakers: plans
                .iter()
                .filter(|it| it.policy.breaker.is_some())
                .map(|it| it.name.clone())
                .collect(),
            costs: plans
                .iter()
                .filter_map(|plan| Some((plan.name.clone(), plan.policy.cost.clone()?)))
                .collect(),
            fingerprints,
        }
    }

    /// The names, in the order of the configuration.
    pub fn names(&self) -> Vec<String> {
        self.carriers.iter().map(|(name, _)| name.clone()).collect()
    }

    /// How a carrier is spoken to; `None` when it is not configured.
    pub fn kind(&self, name: &str) -> Option<&str> {
        self.carriers.iter().find(|(known, _)| known == name).map(|(_, kind)| kind.as_str())
    }

    /// The carriers of calls, in the order of the configuration.
    pub fn trunks(&self) -> impl Iterator<Item = &str> {
        self.carriers.iter().filter(|(_, kind)| places_calls(kind)).map(|(name, _)| name.as_str())
    }

    /// Whether a carrier is one of calls, which no text message goes over.
    pub fn is_trunk(&self, name: &str) -> bool {
        self.kind(name).is_some_and(places_calls)
    }

    /// Whether calls of a trunk that are up can be ended before they are over.
    pub fn ends_calls(&self, name: &str) -> bool {
        self.call_hooks.iter().find(|hook| hook.name() == name).is_none_or(CallHook::ends_calls)
    }

    /// Whether a carrier is configured here as it is in `other`.
    pub fn has_as_in(&self, other: &Self, name: &str) -> bool {
        self.fingerprints.get(name).is_some_and(|own| other.fingerprints.get(name) == Some(own))
    }
}

/// What a carrier is configured with: its section, and the files with secrets that the section names. A file that
/// cannot be read is none: starting the carrier says so.
fn fingerprint(section: &CarrierSection) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(format!("{:?}\n{:?}\n", section.kind, section.options));
    for (key, value) in &section.options {
        if key.ends_with("_file")
            && let Some(path) = value.as_str()
        {
            digest.update(std::fs::read(path).unwrap_or_default());
            digest.update([0]);
        }
    }
    digest.finalize().into()
}

/// A handle to the fleet in use. Cloning it is cheap, and all clones see a swap.
#[derive(Clone, Debug)]
pub struct Fleets(Arc<RwLock<Arc<Fleet>>>);

impl Fleets {
    /// The fleet as it is now.
    pub fn now(&self) -> Arc<Fleet> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another fleet from now on.
    pub fn swap(&self, fleet: Fleet) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(fleet);
    }
}

impl From<Fleet> for Fleets {
    fn from(fleet: Fleet) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(fleet))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(options: &str) -> CarrierSection {
        CarrierSection { name: "a".into(), kind: "smpp".into(), options: toml::from_str(options).unwrap() }
    }

    #[test]
    fn a_carrier_is_the_same_until_its_section_or_the_secret_behind_it_changes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("password");
        std::fs::write(&file, "one").unwrap();
        let text = format!("host = 'x'\npassword_file = '{}'", file.display());
        let fleet = |text: &str| Fleet::new(&[section(text)], &[], &Fleet::default());
        let before = fleet(&text);
        assert!(fleet(&text).has_as_in(&before, "a"));
        assert!(!fleet("host = 'y'").has_as_in(&before, "a"));
        assert!(!before.has_as_in(&before, "b"));
        std::fs::write(&file, "two").unwrap();
        assert!(!fleet(&text).has_as_in(&before, "a"), "the password changed");
    }
}
