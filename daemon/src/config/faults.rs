//! What is wrong with a configuration: every fault, each with the place that it comes from.

use std::fmt;

/// Something in the configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    /// The key, such as `limits.body_kib` or `carriers.0.port`; the section alone where no key is at fault.
    path: String,
    /// What is wrong, naming the key or the carrier.
    sentence: String,
    /// Whether the rest of its section can be checked as if the key were not set.
    can_be_left_out: bool,
}

/// The faults of a configuration, in the order in which they are found.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps the error of the key `path`; gives the value where there is none.
    pub fn check<T, E: Into<anyhow::Error>>(&mut self, path: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.add(path, &format!("{:#}", error.into()), false)).ok()
    }

    /// As [`Faults::check`], for a section whose sentences begin with the key at fault.
    pub(super) fn check_section<T>(&mut self, section: &str, result: anyhow::Result<T>) -> Option<T> {
        let kept = result.map_err(|error| {
            let sentence = format!("{error:#}");
            let named = named_key(section, &sentence);
            self.add(named.as_deref().unwrap_or(section), &sentence, named.is_some());
        });
        kept.ok()
    }

    /// Adds a fault unless it is known. A key that has one needs no second.
    pub(super) fn add(&mut self, path: &str, sentence: &str, can_be_left_out: bool) {
        // Errors of the parser end with a line of their own that names the key.
        let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_known = |fault: &Fault| {
            fault.sentence == sentence || (fault.path == path && (fault.can_be_left_out || can_be_left_out))
        };
        if !self.0.iter().any(is_known) {
            self.0.push(Fault { path: path.to_owned(), sentence, can_be_left_out });
        }
    }

    /// Whether something at or below `path` is at fault.
    pub(super) fn is_at_fault(&self, path: &str) -> bool {
        self.0.iter().any(|fault| is_below(&fault.path, path))
    }

    /// Takes over faults that are new, and says which keys can be left out to look for more.
    pub(super) fn merge(&mut self, found: Self) -> Vec<String> {
        let known = self.0.len();
        for Fault { path, sentence, can_be_left_out } in found.0 {
            self.add(&path, &sentence, can_be_left_out);
        }
        self.0[known..].iter().filter(|fault| fault.can_be_left_out).map(|fault| fault.path.clone()).collect()
    }

    /// The keys of a section that are at fault and were left out.
    pub(super) fn left_out<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a str> {
        let left_out = self.0.iter().filter(|fault| fault.can_be_left_out);
        left_out.filter_map(move |fault| fault.path.strip_prefix(section)?.strip_prefix('.'))
    }

    /// The faults as an error, each with its place as `place` knows it by the key.
    ///
    /// # Errors
    /// [`BadConfiguration`] when there is any.
    pub(super) fn finish(self, place: impl Fn(&str) -> Option<String>) -> Result<(), BadConfiguration> {
        if self.0.is_empty() {
            return Ok(());
        }
        let line = |fault: Fault| match place(&fault.path) {
            Some(place) => format!("{place}: {}", fault.sentence),
            None => fault.sentence,
        };
        Err(BadConfiguration(self.0.into_iter().map(line).collect()))
    }
}

/// Whether a key is `path` or lies below it.
pub(super) fn is_below(key: &str, path: &str) -> bool {
    key.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The key of a section that a sentence begins with.
fn named_key(section: &str, sentence: &str) -> Option<String> {
    let rest = sentence.strip_prefix(section)?.strip_prefix('.')?;
    let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').unwrap_or(rest.len());
    (end > 0).then(|| format!("{section}.{}", &rest[..end]))
}

/// A configuration that cannot be used: one sentence a fault, each with its file and line, variable or flag.
#[derive(Debug)]
pub struct BadConfiguration(Vec<String>);

impl BadConfiguration {
    /// The sentences.
    pub fn sentences(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for BadConfiguration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for BadConfiguration {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_once_and_a_key_that_was_left_out_has_no_second() {
        let mut faults = Faults::default();
        let wrong = |sentence: &str| Err::<(), _>(anyhow::anyhow!("{sentence}"));
        faults.check_section("voice", wrong("voice.engines is more than 64"));
        faults.check_section("voice", wrong("voice.engines is more than 64"));
        faults.check_section("voice", wrong("voice.engines is odd"));
        faults.check_section("voice", wrong("there is no voice"));
        let mut all = Faults::default();
        assert_eq!(all.merge(faults), ["voice.engines"]);
        assert_eq!(all.left_out("voice").collect::<Vec<_>>(), ["engines"]);
        assert!(all.is_at_fault("voice") && !all.is_at_fault("voice.pulse"));
        let said = all.finish(|path| (path == "voice.engines").then(|| "a.toml:3".into())).unwrap_err();
        assert_eq!(said.sentences(), ["a.toml:3: voice.engines is more than 64", "there is no voice"]);
    }
}
