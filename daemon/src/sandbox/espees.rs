//! The payments that ESPEES' stand-in knows.

use serde_json::Value;

use super::newest::Newest;

/// What the stand-in remembers.
#[derive(Debug, Default)]
pub(crate) struct Espees {
    /// By payment reference.
    pub(crate) payments: Newest<Payment>,
}

#[derive(Clone, Debug)]
pub(crate) struct Payment {
    /// As it was posted.
    pub(crate) product: Value,
    pub(crate) status: &'static str,
}
