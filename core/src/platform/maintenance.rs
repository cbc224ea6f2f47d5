//! Maintenance mode: whether users and visitors are kept out for a while, and the message they see.
//!
//! It is never on without a message. Whom it keeps out is decided where requests come in.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::platform::setting;
use crate::time::Time;

/// Its key among the settings.
const KEY: &str = "maintenance";
/// The longest message, in characters.
const LONGEST: usize = 2_000;

/// Whether the platform is in maintenance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Maintenance {
    /// Whether users and visitors are kept out.
    pub is_on: bool,
    /// The message they see; kept while it is off, for the next time.
    pub message: String,
    /// When it was last switched.
    pub updated_at: Option<Time>,
}

/// As stored: the specification's JSON value.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// `1` or `0`.
    maintenance_mode: String,
    message: String,
}

/// Whether the platform is in maintenance; it is not until an administrator switches it on.
pub async fn status(tx: &mut Tx) -> Result<Maintenance> {
    let Some(row) = setting::get(tx, KEY).await? else { return Ok(Maintenance::default()) };
    let stored: Stored = serde_json::from_str(&row.value)
        .map_err(|error| Error::Corrupt(format!("the setting {KEY} cannot be read: {error}")))?;
    Ok(Maintenance {
        is_on: stored.maintenance_mode == "1",
        message: stored.message,
        updated_at: Some(row.updated_at),
    })
}

/// Switches it on, with the message for users and visitors.
///
/// # Errors
/// A rule on `message` when there is none, or it is too long.
pub async fn enable(tx: &mut Tx, message: &str, by: UserId, now: Time) -> Result<Maintenance> {
    let message = message.trim();
    if message.is_empty() {
        return Err(Error::field("message", "message_required", "Please enter a message"));
    }
    store(tx, true, message, by, now).await
}

/// Switches it off. Without a message the former one is kept.
///
/// # Errors
/// A rule on `message` when it is too long.
pub async fn disable(tx: &mut Tx, message: &str, by: UserId, now: Time) -> Result<Maintenance> {
    let message = message.trim();
    let message = if message.is_empty() { status(tx).await?.message } else { message.to_owned() };
    store(tx, false, &message, by, now).await
}

async fn store(tx: &mut Tx, is_on: bool, message: &str, by: UserId, now: Time) -> Result<Maintenance> {
    if message.chars().count() > LONGEST {
        return Err(Error::field(
            "message",
            "message_long",
            format!("The message has at most {LONGEST} characters"),
        ));
    }
    let before = status(tx).await?;
    let mode = if is_on { "1" } else { "0" };
    let stored = Stored { maintenance_mode: mode.to_owned(), message: message.to_owned() };
    let value = serde_json::to_string(&stored)
        .map_err(|error| Error::Corrupt(format!("the setting {KEY} cannot be written: {error}")))?;
    setting::put(tx, KEY, &value, by, now).await?;
    let action = if is_on { AuditAction::MaintenanceEnable } else { AuditAction::MaintenanceDisable };
    let entry = Entry::new(by, action, KEY);
    audit::record(
        tx,
        &entry.before(Some(words(before.is_on, &before.message))).after(Some(words(is_on, message))),
        now,
    )
    .await?;
    Ok(Maintenance { is_on, message: message.to_owned(), updated_at: Some(now) })
}

fn words(is_on: bool, message: &str) -> String {
    let mode = if is_on { "on" } else { "off" };
    if message.is_empty() { mode.to_owned() } else { format!("{mode}: {message}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::testing::account::make_user;

    both_databases! {
        async fn it_is_on_with_a_message_and_the_message_stays_when_it_is_off(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let read = async || status(&mut store.read().await.unwrap()).await.unwrap();
            assert!(!read().await.is_on);
            let switch = async |on: bool, message: &'static str| {
                store
                    .write(Lane::Interactive, (on, message, admin), |tx, (on, message, by)| {
                        Box::pin(async move {
                            if *on { enable(tx, message, *by, Time(5)).await } else { disable(tx, message, *by, Time(6)).await }
                        })
                    })
                    .await
            };
            assert_eq!(switch(true, " ").await.unwrap_err().code(), "message_required");
            switch(true, "Back at noon").await.unwrap();
            assert_eq!(read().await, Maintenance { is_on: true, message: "Back at noon".into(), updated_at: Some(Time(5)) });
            switch(false, "").await.unwrap();
            assert_eq!(read().await, Maintenance { is_on: false, message: "Back at noon".into(), updated_at: Some(Time(6)) });
        }
    }
}
