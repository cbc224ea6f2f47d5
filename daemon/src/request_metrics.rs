//! What was served, by path, method and status, and how long it took.
//!
//! Clients cannot add series: paths are those of the documented operations, and a method that HTTP does not define counts
//! as `other`.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::http::Method;
use metrics::{Counter, Histogram};

/// The series of this daemon. They are kept here because looking one up by its labels costs more than counting.
#[derive(Default)]
pub struct Served {
    by_path: RwLock<HashMap<String, Vec<Series>>>,
}

struct Series {
    method: &'static str,
    status: u16,
    count: Counter,
    seconds: Histogram,
}

impl std::fmt::Debug for Served {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Served").finish_non_exhaustive()
    }
}

impl Series {
    fn of(path: &str, method: &'static str, status: u16) -> Self {
        let labels =
            [("method", method.to_owned()), ("path", path.to_owned()), ("status", status.to_string())];
        Self {
            method,
            status,
            count: metrics::counter!("talkdrum_http_requests_total", &labels),
            seconds: metrics::histogram!("talkdrum_http_request_duration_seconds", "path" => path.to_owned()),
        }
    }

    fn note(&self, took: Duration) {
        self.count.increment(1);
        self.seconds.record(took.as_secs_f64());
    }
}

impl Served {
    /// Counts a request to the operation at `path`.
    pub fn note(&self, path: &str, method: &Method, status: u16, took: Duration) {
        let method = name_of(method);
        let is_it = |series: &&Series| series.method == method && series.status == status;
        let known = self.by_path.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(series) = known.get(path).and_then(|all| all.iter().find(is_it)) {
            return series.note(took);
        }
        drop(known);
        let mut known = self.by_path.write().unwrap_or_else(PoisonError::into_inner);
        let of_path = known.entry(path.to_owned()).or_default();
        // Two that come first at once make the same series twice: the recorder has it once.
        of_path.push(Series::of(path, method, status));
        if let Some(series) = of_path.last() {
            series.note(took);
        }
    }
}

fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::CONNECT => "CONNECT",
        Method::TRACE => "TRACE",
        _ => "other",
    }
}
