//! What quoting stands on, from the settings: carriers' capabilities and the routes to them.
//!
//! A daemon that only serves the API knows the same carriers as the workers do, without connecting.

use std::sync::Arc;

use talkdrum_core::campaign::CampaignService;
use talkdrum_core::phone::NetworkTable;
use talkdrum_core::routing::Router;
use talkdrum_core::routing::dnd::DndList;
use talkdrum_core::settings::RateCache;
use talkdrum_core::store::Store;
use talkdrum_core::store::operations::disk::DiskGuard;

use crate::config::{CarrierPlan, RouteSection, Settings};
use crate::state::Surroundings;

/// The campaign service of these settings.
///
/// # Errors
/// A route that names a network, prefix or kind that does not exist.
pub(crate) fn open(
    settings: &Settings,
    carriers: &[CarrierPlan],
    store: &Store,
    around: &Surroundings,
) -> anyhow::Result<CampaignService> {
    let networks = Arc::new(settings.dispatch.networks()?);
    Ok(CampaignService {
        store: store.clone(),
        clock: Arc::clone(&around.clock),
        router: router(settings, carriers, &networks)?.into(),
        rates: RateCache::new(Arc::clone(&networks)),
        networks,
        opt_outs: Arc::default(),
        purposes: Arc::default(),
        disk: Some(DiskGuard::new(&settings.server.data_dir, settings.limits.free_disk_bytes())),
        refund_undelivered: settings.dispatch.refund_undelivered,
        hours: settings.hours()?.map(Arc::new),
        dnd: DndList::default(),
        limits: settings.limits.campaign_limits()?,
        quotas: settings.limits.quotas(),
        callable: Arc::new(settings.voice.prefixes()?),
        readings: Arc::default(),
        resends: Arc::default(),
    })
}

/// The carriers of these settings and the routes to them.
///
/// # Errors
/// A route that names a network, prefix or kind that does not exist.
pub(super) fn router(
    settings: &Settings,
    carriers: &[CarrierPlan],
    networks: &NetworkTable,
) -> anyhow::Result<Router> {
    let carriers = carriers.iter().map(CarrierPlan::route_carrier).collect();
    let routes = settings.routes.iter().map(RouteSection::config).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Router::new(carriers, &routes, networks)?)
}
