//! How operations are mounted: as `utoipa_axum::routes!` does it, with each handler behind a pointer.
//!
//! axum wraps a handler in a dozen services, and for each of them and each handler the compiler proves anew that the handler's
//! future may go to another thread, by a walk through all futures in it. Behind a pointer it is proven once: the compiler takes
//! a third less time for this package.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;

use crate::state::AppState;

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler of an operation, whatever it takes.
#[derive(Clone)]
pub(crate) struct Mounted(Arc<dyn Fn(Request, AppState) -> Answering + Send + Sync>);

impl Mounted {
    /// This function as a handler.
    pub(crate) fn new<T: 'static>(handler: impl Handler<T, AppState, Future = Answering>) -> Self {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl fmt::Debug for Mounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mounted").finish_non_exhaustive()
    }
}

impl Handler<(), AppState> for Mounted {
    type Future = Answering;

    fn call(self, request: Request, state: AppState) -> Answering {
        (self.0)(request, state)
    }
}

/// The operations of one address, for `OpenApiRouter::routes`: functions with `#[utoipa::path]`, one for each method.
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut schemas = Vec::new();
        let mut methods = axum::routing::MethodRouter::new();
        $(
            // An arm of its own that utoipa does not document: it alone knows the names of what `#[utoipa::path]` makes.
            let (path, operation, verbs) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            for verb in &verbs {
                methods = methods.on(verb.to_method_filter(), $crate::http::routes::Mounted::new($handler));
            }
            paths.add_path_operation(&path, verbs, operation);
        )+
        (schemas, paths, methods)
    }};
}

pub(crate) use routes;
