//! Why a message has its status: for a reason of the platform's own, or as the carrier or the network said.

words! {
    /// A reason of the platform's own. What moves money asks for one of these, and never for a text: a carrier may say
    /// what it likes.
    PlatformReason {
        /// The carrier did not answer.
        Unanswered = "platform:unanswered",
        /// The daemon died before the carrier answered.
        Crashed = "platform:crashed",
        /// The connection was lost before the message was sent.
        Unsent = "platform:unsent",
        /// Its validity ran out before it could be sent.
        Expired = "platform:expired",
        /// It could not be encoded.
        Unfit = "platform:unfit",
        /// The number opted out after the quote.
        OptedOut = "platform:opted_out",
        /// The number came on the Do-Not-Disturb list after the quote.
        DoNotDisturb = "platform:dnd",
        /// Its campaign was cancelled before it was sent.
        Cancelled = "platform:cancelled",
        /// An unknown message was charged after a while (`unknown_then = "capture"`).
        UnknownCaptured = "platform:unknown_captured",
        /// An unknown message was given back after a while (`unknown_then = "release"`).
        UnknownReleased = "platform:unknown_released",
        /// A person settled an unknown message as sent.
        ResolvedSent = "resolved:sent",
        /// A person settled an unknown message as not sent.
        ResolvedRefunded = "resolved:refunded",
    }
}

impl PlatformReason {
    /// The reason of a stored code. Rows of earlier versions say `house:` where later ones say `platform:`; they are read
    /// for ever, as the table of messages is too large to be rewritten.
    pub fn of_stored(code: &str) -> Option<Self> {
        match code.strip_prefix("house:") {
            Some(name) => Self::from_code(&format!("platform:{name}")),
            None => Self::from_code(code),
        }
    }

    /// Whether the platform gave up a message for it that never reached the wire.
    pub const fn was_never_sent(self) -> bool {
        match self {
            Self::Expired | Self::Unfit | Self::OptedOut | Self::DoNotDisturb | Self::Cancelled => true,
            Self::Unanswered
            | Self::Crashed
            | Self::Unsent
            | Self::UnknownCaptured
            | Self::UnknownReleased
            | Self::ResolvedSent
            | Self::ResolvedRefunded => false,
        }
    }

    /// The reason in words for the customer.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Unanswered => "The carrier did not answer: it is not known whether it was sent",
            Self::Crashed => {
                "The daemon died before the carrier answered: it is not known whether it was sent"
            }
            Self::Unsent => "the connection was lost before it was sent",
            Self::Expired => "Its validity ran out before it could be sent",
            Self::Unfit => "It could not be encoded",
            Self::OptedOut => "The number opted out after the quote",
            Self::DoNotDisturb => "The number came on the Do-Not-Disturb list after the quote",
            Self::Cancelled => "The campaign was cancelled before it was sent",
            Self::UnknownCaptured => {
                "It was never learnt whether it was sent; by the carrier's policy it was charged"
            }
            Self::UnknownReleased => {
                "It was never learnt whether it was sent; by the carrier's policy it was refunded"
            }
            Self::ResolvedSent => "An administrator settled it as sent",
            Self::ResolvedRefunded => "An administrator settled it as not sent and refunded it",
        }
    }
}

/// Why a message has its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A reason of the platform's own.
    Platform(PlatformReason),
    /// What the carrier or the network said, as a code: `0x0000000b`, `err:045`; or how a call ended: `call:busy`.
    Carrier(Box<str>),
}

impl Reason {
    /// The code that is stored and shown.
    pub fn code(&self) -> &str {
        match self {
            Self::Platform(reason) => reason.code(),
            Self::Carrier(code) => code,
        }
    }
}

impl From<PlatformReason> for Reason {
    fn from(reason: PlatformReason) -> Self {
        Self::Platform(reason)
    }
}

/// What a carrier said. A text that reads like a reason of the platform's is marked, so that it never passes for one.
impl<T: Into<Box<str>>> From<T> for Reason {
    fn from(said: T) -> Self {
        let said = said.into();
        match PlatformReason::of_stored(&said) {
            Some(_) => Self::Carrier(format!("carrier:{said}").into()),
            None => Self::Carrier(said),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_either_age_is_read_as_its_reason() {
        for reason in PlatformReason::ALL.iter().copied() {
            assert_eq!(PlatformReason::of_stored(reason.code()), Some(reason));
            if let Some(name) = reason.code().strip_prefix("platform:") {
                assert_eq!(PlatformReason::of_stored(&format!("house:{name}")), Some(reason));
            }
        }
        assert_eq!(PlatformReason::of_stored("house:of_cards"), None);
    }

    #[test]
    fn what_a_carrier_says_never_passes_for_a_reason_of_the_platforms() {
        assert_eq!(Reason::from("err:045").code(), "err:045");
        for said in ["resolved:sent", "platform:expired", "house:expired"] {
            let stored = Reason::from(said);
            assert_eq!(stored.code(), format!("carrier:{said}"));
            assert_eq!(PlatformReason::of_stored(stored.code()), None);
        }
    }
}
