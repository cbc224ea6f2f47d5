//! The idempotency keys of one send. Quote and confirm each have their own, derived from one base, so that the same
//! command with the same `--key` finds the same quote and the same campaign.

/// How many quotes one key may outlive.
const GENERATIONS_MAX: u32 = 9;

/// The keys of a send.
#[derive(Debug)]
pub(crate) struct Keys {
    base: String,
    is_given: bool,
    generation: u32,
    /// The starts that another run would say otherwise: RFC 3339 with an offset.
    starts: Vec<String>,
}

impl Keys {
    /// The keys of `--key`, or random ones. `starts` are those of the form where they are said from now on.
    pub(crate) fn new(given: Option<&str>, starts: Vec<String>) -> Self {
        let base = given.map_or_else(random, str::to_owned);
        Self { base, is_given: given.is_some(), generation: 1, starts }
    }

    /// Whether the caller chose the key, and so may have used it before.
    pub(crate) fn is_given(&self) -> bool {
        self.is_given
    }

    /// How the same command is run again: with the key, and with the starts as they were, as those that are said from now on
    /// would be others, and so another send.
    pub(crate) fn again(&self) -> String {
        let command = format!("run the same command with --key {}", self.base);
        if self.starts.is_empty() {
            return command;
        }
        let starts: Vec<String> = self.starts.iter().map(|start| format!("--at {start}")).collect();
        format!("{command} and, in place of its --at, {}", starts.join(" "))
    }

    /// The key of the quote.
    pub(crate) fn for_quote(&self) -> String {
        self.key("quote")
    }

    /// The key of the confirm.
    pub(crate) fn for_confirm(&self) -> String {
        self.key("confirm")
    }

    /// Goes on to the keys that follow a quote that ran out unconfirmed; `None` when there were too many.
    pub(crate) fn next(&mut self) -> Option<()> {
        self.generation += 1;
        (self.generation <= GENERATIONS_MAX).then_some(())
    }

    fn key(&self, step: &str) -> String {
        match self.generation {
            1 => format!("{}/{step}", self.base),
            later => format!("{}/{step}.{later}", self.base),
        }
    }
}

/// A key that no other request has.
pub(crate) fn random() -> String {
    format!("{:032x}", rand::random::<u128>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_key_gives_the_same_keys_in_every_run() {
        let mut keys = Keys::new(Some("monday"), Vec::new());
        assert_eq!((keys.for_quote(), keys.for_confirm()), ("monday/quote".into(), "monday/confirm".into()));
        keys.next().unwrap();
        assert_eq!(
            (keys.for_quote(), keys.for_confirm()),
            ("monday/quote.2".into(), "monday/confirm.2".into())
        );
    }

    #[test]
    fn without_a_key_every_run_has_its_own() {
        assert_ne!(Keys::new(None, Vec::new()).again(), Keys::new(None, Vec::new()).again());
    }

    #[test]
    fn a_key_does_not_outlive_quotes_for_ever() {
        let mut keys = Keys::new(Some("k"), Vec::new());
        let generations = std::iter::from_fn(|| keys.next()).count();
        assert_eq!(generations, 8);
    }
}
