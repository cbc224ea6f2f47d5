//! How operations are mounted: as `utoipa_axum::routes!` does it, with each handler behind a pointer, and documented in tests
//! alone.
//!
//! axum wraps a handler in a dozen services, and for each of them and each handler the compiler proves again that the handler's
//! future may go to another thread, by a walk through all futures in it. Behind a pointer it is proven once: the compiler takes
//! a third less time for this package.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::MethodRouter;
use utoipa::openapi::HttpMethod;
#[cfg(test)]
use utoipa::openapi::path::{Operation, Paths};
#[cfg(test)]
use utoipa::openapi::{OpenApi, RefOr, Schema};
use utoipa_axum::PathItemExt as _;
#[cfg(test)]
use utoipa_axum::router::OpenApiRouter;

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

/// The operations of one address, as [`routes!`] takes them together.
#[derive(Default)]
pub(crate) struct Mounts {
    path: String,
    methods: MethodRouter<AppState>,
    #[cfg(test)]
    described: (Vec<(String, RefOr<Schema>)>, Paths),
}

impl Mounts {
    /// Adds an operation at its address.
    pub(crate) fn add(&mut self, path: String, verbs: &[HttpMethod], handler: &Mounted) {
        debug_assert!(self.path.is_empty() || self.path == path, "{path} is not {}", self.path);
        for verb in verbs {
            let methods = std::mem::take(&mut self.methods);
            self.methods = methods.on(verb.to_method_filter(), handler.clone());
        }
        self.path = path;
    }

    /// Adds what documents one, and the schemas that it names.
    #[cfg(test)]
    pub(crate) fn describe(
        &mut self,
        (path, operation, verbs): (String, Operation, Vec<HttpMethod>),
        schemas: Vec<(String, RefOr<Schema>)>,
    ) {
        self.described.0.extend(schemas);
        self.described.1.add_path_operation(&path, verbs, operation);
    }
}

/// Operations at their addresses, in tests with what documents them.
///
/// What is shipped has the document as it was accepted (`api/document/mod.rs`): what makes it again would be an eighth of it.
#[derive(Default)]
pub(crate) struct Operations(Routed);

#[cfg(not(test))]
type Routed = Router<AppState>;
#[cfg(test)]
type Routed = OpenApiRouter<AppState>;

impl Operations {
    /// None.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Those of one more address.
    pub(crate) fn routes(self, mounts: Mounts) -> Self {
        #[cfg(not(test))]
        return Self(self.0.route(&mounts.path, mounts.methods));
        #[cfg(test)]
        {
            let Mounts { methods, described: (schemas, paths), .. } = mounts;
            Self(self.0.routes((schemas, paths, methods)))
        }
    }

    /// Both.
    pub(crate) fn merge(self, other: Self) -> Self {
        Self(self.0.merge(other.0))
    }

    /// Their router.
    pub(crate) fn into_router(self) -> Router<AppState> {
        #[cfg(not(test))]
        return self.0;
        #[cfg(test)]
        self.0.into()
    }

    /// What documents them, upon a document of none.
    #[cfg(test)]
    pub(crate) fn document(self, base: OpenApi) -> OpenApi {
        OpenApiRouter::with_openapi(base).merge(self.0).into_openapi()
    }
}

/// The operations of one address, for [`Operations::routes`]: functions with `#[utoipa::path]`, one for each method.
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        let mut mounts = $crate::http::routes::Mounts::default();
        $(
            // Arms of its own that utoipa does not document: they alone know the names of what `#[utoipa::path]` makes.
            utoipa_axum::paste! {
                let path = utoipa_axum::routes!(@path [path()] of $handler);
                let verbs = utoipa_axum::routes!(@path [methods()] of $handler);
            }
            mounts.add(path, &verbs, &$crate::http::routes::Mounted::new($handler));
            #[cfg(test)]
            {
                let mut schemas = Vec::new();
                let operation = utoipa_axum::routes!(@resolve_types $handler : schemas);
                mounts.describe(operation, schemas);
            }
        )+
        mounts
    }};
}

pub(crate) use routes;
