//! The platform's own messages: how they go, what for, and where they stand.

use std::time::Duration;

use talkdrum_api::purpose::Purpose;

words! {
    /// How a notice is sent.
    Channel {
        /// A text message.
        Sms = "sms",
        /// An e-mail.
        Email = "email",
    }
}

words! {
    /// What a notice is for: decides what goes first and how long it is of use.
    NoticePurpose {
        /// A six-digit code.
        Code = "code",
        /// An alert to the owner of an account.
        Alert = "alert",
        /// An administrator's message.
        Message = "message",
    }
}

/// The priorities of purposes, for the code and for statement texts, which `concat!` makes.
macro_rules! notice_priority {
    (Code) => {
        0
    };
    (Alert) => {
        1
    };
    (Message) => {
        2
    };
}
pub(crate) use notice_priority;

impl NoticePurpose {
    /// What goes first: 0, 1 or 2.
    pub const fn priority(self) -> i64 {
        match self {
            Self::Code => notice_priority!(Code),
            Self::Alert => notice_priority!(Alert),
            Self::Message => notice_priority!(Message),
        }
    }

    /// What a text message of it is for, which decides its route.
    pub const fn of_message(self) -> Purpose {
        match self {
            Self::Code => Purpose::Otp,
            Self::Alert | Self::Message => Purpose::Transactional,
        }
    }

    /// How long a notice is of use after it was queued.
    pub const fn useful_for(self) -> Duration {
        match self {
            Self::Code => Duration::from_mins(10),
            Self::Alert | Self::Message => Duration::from_hours(24),
        }
    }
}

words! {
    /// Where a notice stands.
    NoticeStatus {
        /// Waits to be handed over.
        Queued = "queued",
        /// In hand.
        Submitting = "submitting",
        /// Handed over.
        Sent = "sent",
        /// Arrived.
        Delivered = "delivered",
        /// Accepted, and it did not arrive.
        Undelivered = "undelivered",
        /// Refused, or given up.
        Failed = "failed",
        /// Of no use any more before it was handed over.
        Expired = "expired",
        /// It may have gone out.
        Unknown = "unknown",
    }
}

words! {
    /// Where a message at KingsChat stands.
    ChatStatus {
        /// Waits to be sent.
        Queued = "queued",
        /// In hand.
        Sending = "sending",
        /// Sent.
        Sent = "sent",
        /// KingsChat does not take it, or the account was unlinked.
        Refused = "refused",
        /// It may have been sent.
        Unknown = "unknown",
        /// Tried often enough.
        Failed = "failed",
    }
}

words! {
    /// How an administrator's message goes to a user.
    MessageWay {
        /// As a text message.
        Sms = "sms",
        /// By KingsChat.
        Chat = "chat",
    }
}
