//! The KingsChat account of whoever is signed in. Signing in by it and linking it need a browser.

pub(super) mod show;
pub(super) mod unlink;
