//! What a stand-in remembers: the newest things by name, in memory, and no more than so many.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// Things a stand-in remembers at most.
const MOST: usize = 10_000;

/// The newest things by name.
#[derive(Debug)]
pub(crate) struct Newest<T>(Mutex<(HashMap<String, T>, VecDeque<String>)>);

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Self(Mutex::new((HashMap::new(), VecDeque::new())))
    }
}

impl<T: Clone> Newest<T> {
    /// Keeps a thing under a new name; false when the name is taken.
    pub(crate) fn add(&self, name: &str, thing: T) -> bool {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (things, names) = &mut *held;
        if things.contains_key(name) {
            return false;
        }
        if names.len() >= MOST
            && let Some(oldest) = names.pop_front()
        {
            things.remove(&oldest);
        }
        names.push_back(name.to_owned());
        things.insert(name.to_owned(), thing);
        true
    }

    /// The thing of this name.
    pub(crate) fn get(&self, name: &str) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.get(name).cloned()
    }

    /// The first thing that is meant.
    pub(crate) fn find(&self, is_meant: impl Fn(&T) -> bool) -> Option<T> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.values().find(|thing| is_meant(thing)).cloned()
    }

    /// Changes the thing of this name and returns it as it is then.
    pub(crate) fn change(&self, name: &str, change: impl FnOnce(&mut T)) -> Option<T> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let thing = held.0.get_mut(name)?;
        change(thing);
        Some(thing.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_makes_room() {
        let kept = Newest::default();
        assert!((0..=MOST).all(|number| kept.add(&number.to_string(), number)));
        assert_eq!((kept.get("0"), kept.get("1"), kept.get(&MOST.to_string())), (None, Some(1), Some(MOST)));
        assert!(!kept.add("1", 5));
    }
}
