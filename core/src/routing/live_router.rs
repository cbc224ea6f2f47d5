//! The routes in use, which a reload swaps in one step.
//!
//! A caller takes the whole set once and uses it until it is done, so no caller sees a half-changed set.

use std::sync::{Arc, PoisonError, RwLock};

use crate::routing::Router;

/// A handle to the routes in use. Cloning it is cheap, and all clones see a swap.
#[derive(Clone, Debug)]
pub struct SharedRouter(Arc<RwLock<Arc<Router>>>);

impl SharedRouter {
    /// The routes as they are now.
    pub fn now(&self) -> Arc<Router> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Other routes from now on.
    pub fn swap(&self, router: Router) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(router);
    }
}

impl From<Router> for SharedRouter {
    fn from(router: Router) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(router))))
    }
}
