//! What was answered to an order about carriers, kept with the order: the same request is answered with it again.

use serde::Serialize;
use serde::de::DeserializeOwned;
use talkdrum_core::model::carrier::order::CarrierOrderId;
use talkdrum_core::store::Store;
use talkdrum_core::store::carrier::reload as carrier_order;
use talkdrum_core::{Error, Result};

/// The number of an order and what was done about it: a report of `model::carrier::order`.
///
/// # Errors
/// When an idempotency key refers to no order, or the database cannot be read.
pub(crate) async fn answer<T: DeserializeOwned>(
    store: &Store,
    reference: &str,
) -> Result<(CarrierOrderId, T)> {
    let broken = || Error::Corrupt("an idempotency key refers to no order".into());
    let id: CarrierOrderId = reference.parse().map_err(|_| broken())?;
    let report = carrier_order::report(&mut store.read().await?, id).await?.ok_or_else(broken)?;
    Ok((id, serde_json::from_str(&report).map_err(|_| broken())?))
}

/// A report, as it is stored.
///
/// # Errors
/// When it cannot be written as JSON.
pub(crate) fn as_stored(answer: &impl Serialize) -> Result<String> {
    serde_json::to_string(answer)
        .map_err(|error| Error::Corrupt(format!("an answer cannot be written: {error}")))
}
