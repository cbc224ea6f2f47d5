//! API keys.

pub(super) mod create;
pub(super) mod list;
pub(super) mod revoke;

use talkdrum_api::account::ApiKey;

use crate::output::{Cell, Column};

/// A key without its secret.
const COLUMNS: &[Column<ApiKey>] = &[
    Column::right("id", "Id", |key| Cell::Number(key.id)),
    Column::left("name", "Name", |key| Cell::text(&key.name)),
    Column::left("prefix", "Begins with", |key| Cell::text(&key.prefix)),
    Column::left("scopes", "Scopes", |key| Cell::text(key.scopes.join(" "))),
    Column::left("created_at", "Created", |key| Cell::Time(key.created_at.clone())),
    Column::left("last_used_at", "Last used", |key| Cell::time(key.last_used_at.as_ref())),
    Column::left("expires_at", "Ends", |key| Cell::time(key.expires_at.as_ref())),
];
