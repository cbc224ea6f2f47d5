//! What operations that read have in common: whose records a caller may see, and which rows were asked for.
//!
//! The invariant: an administrator's wider view is granted here and nowhere else.

use talkdrum_core::account::Caller;
use talkdrum_core::campaign::report;

use crate::http::Page;

/// Whose records a caller reaches by id or number: administrators everybody's, users their own.
pub(super) fn scope(caller: &Caller) -> report::Scope {
    if caller.is_admin() { report::Scope::All } else { report::Scope::Own(caller.user_id) }
}

/// The part of a list that was asked for.
pub(super) fn window(page: &Page) -> report::Page {
    report::Page::new(page.offset / page.limit.max(1) + 1, page.limit)
}
