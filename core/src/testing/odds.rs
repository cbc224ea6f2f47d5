//! How often the network of the simulation does what.

/// How often what happens, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// Refused for good.
    pub refused: u8,
    /// Refused for good, for a reason of the carrier's.
    pub barred: u8,
    /// Refused for now.
    pub throttled: u8,
    /// Never written.
    pub unsent: u8,
    /// Accepted, and the answer lost.
    pub answer_lost: u8,
    /// It never reached the carrier, and no answer says so.
    pub submission_lost: u8,
    /// No receipt ever.
    pub receipt_lost: u8,
    /// Two receipts.
    pub receipt_twice: u8,
    /// The receipt comes before the answer.
    pub receipt_early: u8,
    /// The receipt says undelivered.
    pub undelivered: u8,
    /// A call is not answered, and may be placed again.
    pub missed: u8,
    /// A call is declined, or there is no such number.
    pub declined: u8,
}

impl Odds {
    /// Everything goes well.
    pub const FAIR: Self = Self {
        refused: 0,
        barred: 0,
        throttled: 0,
        unsent: 0,
        answer_lost: 0,
        submission_lost: 0,
        receipt_lost: 0,
        receipt_twice: 0,
        receipt_early: 0,
        undelivered: 0,
        missed: 0,
        declined: 0,
    };

    /// The same, where carriers also refuse what another may take.
    pub const BARRED: Self = Self { barred: 12, throttled: 20, ..Self::FOUL };

    /// Everything that can go wrong does.
    pub const FOUL: Self = Self {
        refused: 5,
        barred: 0,
        throttled: 8,
        unsent: 5,
        answer_lost: 3,
        submission_lost: 3,
        receipt_lost: 5,
        receipt_twice: 8,
        receipt_early: 10,
        undelivered: 10,
        missed: 25,
        declined: 5,
    };
}
