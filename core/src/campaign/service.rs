//! The campaign service: quotes and confirms campaigns, and holds what that needs.

use std::sync::Arc;

use talkdrum_api::kind::Kind;

use crate::campaign::spending_limit::CampaignLimits;
use crate::contact::suppression::OptOuts;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::UserStatus;
use crate::model::campaign::id::QuoteId;
use crate::phone::AllowedPrefixes;
use crate::phone::NetworkTable;
use crate::platform::keyed_permits::KeyedPermits;
use crate::platform::quota::Quotas;
use crate::routing::dnd::DndList;
use crate::routing::live_router::SharedRouter;
use crate::routing::quiet_hours::QuietHours;
use crate::sender::DefaultPurposes;
use crate::settings::RateCache;
use crate::store::account::user;
use crate::store::operations::disk::DiskGuard;
use crate::store::{Store, Tx};
use crate::time::{Clock, Time};

/// Long lists of one user that are read at once; others wait, as for all users'.
const READINGS_EACH: usize = 2;
/// Those of all users: each holds its numbers in memory, up to 21 bytes for each that its user may quote.
const READINGS_IN_ALL: usize = 8;

/// What quoting and confirming need. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct CampaignService {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The carriers and the routes to them.
    pub router: SharedRouter,
    /// Which network a number was issued to.
    pub networks: Arc<NetworkTable>,
    /// What a page costs by where it goes.
    pub rates: RateCache,
    /// What messages are for that do not say it.
    pub purposes: Arc<DefaultPurposes>,
    /// Who opted out.
    pub opt_outs: Arc<OptOuts>,
    /// Refuses new work while there is too little space; `None` watches nothing.
    pub disk: Option<DiskGuard>,
    /// Whether accepted messages that are not delivered are refunded; frozen into each campaign.
    pub refund_undelivered: bool,
    /// When promotional messages wait.
    pub hours: Option<Arc<QuietHours>>,
    /// Numbers that some routes leave alone.
    pub dnd: DndList,
    /// What a user may spend in a day, and from which size on a first send waits for a person.
    pub limits: CampaignLimits,
    /// What a user may keep in quotes, groups and opt-outs.
    pub quotas: Quotas,
    /// Which numbers may be called.
    pub callable: Arc<AllowedPrefixes>,
    /// The lists that are being read, by user.
    pub readings: Arc<KeyedPermits<UserId, READINGS_EACH, READINGS_IN_ALL>>,
    /// The resends that are being confirmed, by quote.
    pub resends: Arc<KeyedPermits<QuoteId, 1>>,
}

impl CampaignService {
    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Which numbers messages of a kind may go to, where that is limited.
    pub(super) fn callable(&self, kind: Kind) -> Option<Arc<AllowedPrefixes>> {
        (!kind.is_sms()).then(|| Arc::clone(&self.callable))
    }

    /// Refuses new work on a full disk.
    pub(super) fn check_disk(&self) -> Result<()> {
        self.disk.as_ref().map_or(Ok(()), DiskGuard::check)
    }
}

/// Refuses a user who is inactive: the specification's first rule of a campaign.
pub(super) async fn require_active(tx: &mut Tx, user_id: UserId) -> Result<()> {
    let user = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
    match user.status {
        UserStatus::Active => Ok(()),
        UserStatus::Inactive => Err(Error::inactive()),
    }
}
