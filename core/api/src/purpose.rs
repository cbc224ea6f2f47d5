//! What a message is for.

use serde::{Deserialize, Serialize};

/// What a message is for: it decides its route, whether it minds the Do-Not-Disturb list and the quiet hours, and which
/// opt-outs hold for it.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Advertising: STOP ends it, and it waits during the quiet hours.
    Promotional,
    /// What its recipient expects, as an alert of a bank.
    #[default]
    Transactional,
    /// A code to sign in or to confirm with: no opt-out holds for it.
    Otp,
}

#[cfg(feature = "sqlx")]
crate::column!(Purpose, str, |code| Purpose::ALL.into_iter().find(|purpose| purpose.code() == code));

impl Purpose {
    /// All purposes, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Promotional, Self::Transactional, Self::Otp];

    /// The word in requests and in the store: `promotional`, `transactional`, `otp`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Promotional => "promotional",
            Self::Transactional => "transactional",
            Self::Otp => "otp",
        }
    }
}

/// Which messages an opt-out ends.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum OptOutReach {
    /// Promotional messages: STOP.
    Promotional,
    /// All but codes: STOP ALL.
    #[default]
    All,
}

#[cfg(feature = "sqlx")]
crate::column!(OptOutReach, str, |code| OptOutReach::ALL.into_iter().find(|reach| reach.code() == code));

impl OptOutReach {
    /// All of them, the narrow one first.
    pub const ALL: [Self; 2] = [Self::Promotional, Self::All];

    /// The word in requests and in the store: `promotional`, `all`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Promotional => "promotional",
            Self::All => "all",
        }
    }

    /// Whether such an opt-out ends messages of this purpose.
    pub const fn ends(self, purpose: Purpose) -> bool {
        match purpose {
            Purpose::Promotional => true,
            Purpose::Transactional => matches!(self, Self::All),
            Purpose::Otp => false,
        }
    }

    /// The reach of an opt-out that answers a message of this purpose and names no reach, as the key 9 in a call: it ends at
    /// least what was just heard. `None`: messages of before there were purposes.
    pub const fn in_answer_to(purpose: Option<Purpose>) -> Self {
        match purpose {
            Some(Purpose::Promotional) => Self::Promotional,
            Some(Purpose::Transactional | Purpose::Otp) | None => Self::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_is_listed_and_has_one_word_everywhere() {
        // A new one is asked for here, and has the next number.
        let number = |purpose: Purpose| match purpose {
            Purpose::Promotional => 0,
            Purpose::Transactional => 1,
            Purpose::Otp => 2,
        };
        assert_eq!(Purpose::ALL.map(number), [0, 1, 2]);
        for purpose in Purpose::ALL {
            assert_eq!(serde_json::to_value(purpose).unwrap(), purpose.code());
        }
    }

    #[test]
    fn stop_ends_what_is_promotional_and_stop_all_everything_but_codes() {
        let ended = |reach: OptOutReach| Purpose::ALL.map(|purpose| reach.ends(purpose));
        assert_eq!(ended(OptOutReach::Promotional), [true, false, false]);
        assert_eq!(ended(OptOutReach::All), [true, true, false]);
        for reach in OptOutReach::ALL {
            assert_eq!(serde_json::to_value(reach).unwrap(), reach.code());
        }
    }
}
