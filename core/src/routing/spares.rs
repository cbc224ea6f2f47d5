//! The carriers of a route that take over from its first.

use std::sync::Arc;

use super::RouteCarrier;

/// Carriers that may take over from one: with it, a route has eight at most.
const MOST: usize = 7;

/// Carriers that take over, by index, in the order in which they are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpareCarriers {
    carriers: [u8; MOST],
    count: u8,
}

impl SpareCarriers {
    /// None of them.
    pub(super) const NONE: Self = Self { carriers: [0; MOST], count: 0 };

    /// Adds one behind the others; false where there is no room for it.
    #[must_use]
    pub(super) fn push(&mut self, carrier: u8) -> bool {
        let Some(place) = self.carriers.get_mut(usize::from(self.count)) else { return false };
        *place = carrier;
        self.count += 1;
        true
    }

    /// Them by index.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.carriers.iter().copied().take(usize::from(self.count))
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Those of them that fit, in their order.
    #[inline]
    pub(super) fn that(&self, fits: impl Fn(u8) -> bool) -> Self {
        let mut fitting = Self::NONE;
        for carrier in self.iter().filter(|carrier| fits(*carrier)) {
            // No more than there were.
            let _ = fitting.push(carrier);
        }
        fitting
    }

    /// Their names, one a line; `None` where there are none.
    pub fn names(&self, carriers: &[RouteCarrier]) -> Option<Arc<str>> {
        let named = self.iter().filter_map(|carrier| carriers.get(usize::from(carrier)));
        let names: Vec<&str> = named.map(|carrier| &*carrier.name).collect();
        (!names.is_empty()).then(|| names.join("\n").into())
    }
}
