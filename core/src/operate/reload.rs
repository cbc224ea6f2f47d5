//! Reading carriers and routes of the configuration again: what it changed is in the audit trail.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::carrier::OrderKind;
use crate::model::carrier::order::CarrierOrderId;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::installation::ReloadOutcome;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::carrier::reload as rows;
use crate::store::operations::peer;
use crate::time::Time;

/// Stores an administrator's order to every daemon, with what it changes at the one that was asked, whose run is `instance`:
/// as it is stored, and in words. Returns the order's number.
pub async fn order_reload(
    tx: &mut Tx,
    instance: &str,
    (report, message): (&str, &str),
    by: UserId,
    now: Time,
) -> Result<CarrierOrderId> {
    note_reload(tx, Some(by), message, now).await?;
    let id = rows::insert(tx, OrderKind::Reload, by, report, now).await?;
    peer::note(tx, instance, id, ReloadOutcome::Reloaded, message).await?;
    Ok(id)
}

/// Notes that carriers and routes are read again; by the operator at the machine where it is by no user.
pub async fn note_reload(tx: &mut Tx, by: Option<UserId>, message: &str, now: Time) -> Result<()> {
    let entry = Entry {
        by,
        action: AuditAction::CarriersReload,
        subject: "carriers".to_owned(),
        before: None,
        after: Some(message.to_owned()),
    };
    audit::record(tx, &entry, now).await
}
