//! What a carrier over HTTP needs from the daemon: time, references, and a key where it has none of its own.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::carrier::ConfigSecret;
use crate::entropy::{Entropy, SystemEntropy};
use crate::error::Result;
use crate::time::{Clock, SystemClock};

/// Where a carrier without a key of its own gets one: the administrator's settings.
pub trait KeySource: Send + Sync + fmt::Debug {
    /// The key, if one is set.
    fn key(&self) -> BoxFuture<'_, Result<Option<ConfigSecret>>>;
}

/// What a carrier over HTTP needs from the daemon.
#[derive(Clone, Debug)]
pub struct HttpDeps {
    /// For validity periods relative to now.
    pub clock: Arc<dyn Clock>,
    /// For references.
    pub entropy: Arc<dyn Entropy>,
    /// For a carrier without a key of its own.
    pub keys: Option<Arc<dyn KeySource>>,
}

impl Default for HttpDeps {
    /// The machine's clock and randomness, and no key.
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy), keys: None }
    }
}
