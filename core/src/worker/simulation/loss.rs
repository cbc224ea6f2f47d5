//! A carrier and the database lost at once: its links are cut, so that what was written is in doubt, in the same moment as
//! the database begins to refuse every write. Each comes back in its own time.

use rand::RngExt;

use super::{Simulation, World};

/// What is lost now.
pub(super) struct Loss {
    carrier: usize,
    /// Messages whose answers were lost with it.
    in_doubt: usize,
    /// Operations until the carrier is back.
    carrier_in: u32,
    /// Operations until the database is back.
    database_in: u32,
}

impl Simulation {
    /// An operation's time passes: both may be lost now, and what is lost comes back.
    pub(super) fn pass_loss(&mut self) {
        let Some(loss) = &mut self.loss else {
            if self.chance.random_range(0..1_000) < 15 {
                self.lose_both();
            }
            return;
        };
        (loss.carrier_in, loss.database_in) =
            (loss.carrier_in.saturating_sub(1), loss.database_in.saturating_sub(1));
        let (carrier, in_doubt, is_carrier_back, is_database_back) =
            (loss.carrier, loss.in_doubt, loss.carrier_in == 0, loss.database_in == 0);
        if is_carrier_back && self.networks[carrier].is_cut() {
            self.networks[carrier].mend();
        }
        if is_database_back && self.killer.is_out() {
            let refused = self.killer.end_outage();
            // A run of errors, while answers of the carrier were missing.
            self.lost += i64::from(in_doubt > 0 && refused > 1);
        }
        if is_carrier_back && is_database_back {
            self.loss = None;
        }
    }

    fn lose_both(&mut self) {
        let carrier = self.chance.random_range(0..2);
        let in_doubt = self.networks[carrier].cut();
        self.cuts += 1;
        self.killer.begin_outage(&mut self.chance);
        // Long enough for others to take over.
        let longest = if self.world == World::Spares { 150 } else { 30 };
        let (carrier_in, database_in) =
            (self.chance.random_range(1..longest), self.chance.random_range(1..30));
        self.loss = Some(Loss { carrier, in_doubt, carrier_in, database_in });
    }

    /// Both are back.
    pub(super) fn find_again(&mut self) {
        self.loss = None;
        self.killer.end_outage();
        for network in &self.networks {
            network.mend();
        }
    }
}
