//! Which numbers may be called. A call to a premium number abroad costs its caller, and pays the one who owns the number:
//! what is not on the list is never called.

use crate::error::{Error, Result};
use crate::phone::Msisdn;

/// The most prefixes there may be.
const PREFIXES_MAX: usize = 1_000;

/// Beginnings of the numbers that may be called, with the country code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedPrefixes(Vec<Box<str>>);

impl AllowedPrefixes {
    /// Reads them: digits, perhaps after a `+`.
    ///
    /// # Errors
    /// A sentence about the one that is no beginning of a number, or that there are none or too many.
    pub fn new(prefixes: &[String]) -> Result<Self> {
        let bad = |message: String| Error::rule("bad_prefixes", message);
        if prefixes.is_empty() || prefixes.len() > PREFIXES_MAX {
            return Err(bad(format!("name 1 to {PREFIXES_MAX} beginnings of numbers, such as \"234\"")));
        }
        let read = |text: &String| {
            let digits = text.trim().trim_start_matches('+');
            let is_prefix = (1..=15).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && !digits.starts_with('0');
            is_prefix
                .then(|| digits.into())
                .ok_or_else(|| bad(format!("'{text}' is no beginning of a number: write it as in \"234\"")))
        };
        Ok(Self(prefixes.iter().map(read).collect::<Result<_>>()?))
    }

    /// Checks that a number may be called.
    ///
    /// # Errors
    /// `not_callable`, with the beginnings that may be called.
    pub fn check(&self, number: Msisdn) -> Result<()> {
        let digits = number.to_string();
        if self.0.iter().any(|prefix| digits.starts_with(&**prefix)) {
            return Ok(());
        }
        let shown: Vec<String> = self.0.iter().take(10).map(|prefix| format!("+{prefix}")).collect();
        Err(Error::rule(
            "not_callable",
            format!("+{digits} cannot be called: calls go to numbers that begin with {}", shown.join(", ")),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone;

    fn list(prefixes: &[&str]) -> Result<AllowedPrefixes> {
        AllowedPrefixes::new(&prefixes.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_numbers_that_begin_so_may_be_called() {
        let allowed = list(&["+234", "23320"]).unwrap();
        for (number, is_allowed) in [
            ("2348031234567", true),
            ("+233201234567", true),
            ("+233241234567", false),
            ("+447911123456", false),
        ] {
            let checked = allowed.check(phone::parse(number).unwrap());
            assert_eq!(checked.is_ok(), is_allowed, "{number}");
        }
        let refused = allowed.check(phone::parse("+447911123456").unwrap()).unwrap_err();
        assert_eq!(refused.code(), "not_callable");
        assert!(refused.to_string().contains("+234, +23320"), "{refused}");
    }

    #[test]
    fn what_is_no_beginning_of_a_number_is_named() {
        for bad in ["", "0803", "23x", "1234567890123456"] {
            let refused = list(&[bad]).unwrap_err().to_string();
            assert!(refused.contains(&format!("'{bad}' is no beginning")), "{refused}");
        }
        assert!(list(&[]).unwrap_err().to_string().contains("name 1 to"));
    }
}
