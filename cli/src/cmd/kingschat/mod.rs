//! The KingsChat account of the signed-in user. Signing in by it and linking it need a browser.

pub(super) mod show;
pub(super) mod unlink;
