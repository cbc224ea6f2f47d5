//! What the recipients of a form are, before there is a message: read as a quote reads them, priced and kept nowhere.

use std::sync::Arc;

use talkdrum_api::campaign::{RecipientsCheck, RecipientsRate, Reject};
use talkdrum_api::money::Currency;
use talkdrum_api::purpose::Purpose;
use tokio::runtime::Handle;

use super::form::recipients_required;
use super::{KEPT_FOR, answer, look_up};
use crate::campaign::CampaignService;
use crate::campaign::audience::{CountedRates, Counter, RecipientSource};
use crate::campaign::service::require_active;
use crate::contact::recipients::Reader;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::quote_details::RateLine;
use crate::sender;
use crate::settings::{self, RatesOf};

impl CampaignService {
    /// Counts the recipients of these sources, as a quote of this purpose for this user would; where none is said, as one
    /// of the account's default would. Stores nothing.
    ///
    /// # Errors
    /// No source at all; an inactive user; a group that is not the user's; more numbers than the user may quote.
    pub async fn check_recipients(
        &self,
        user_id: UserId,
        purpose: Option<Purpose>,
        mut sources: Vec<RecipientSource>,
    ) -> Result<RecipientsCheck> {
        let mut tx = self.store.read().await?;
        require_active(&mut tx, user_id).await?;
        if sources.is_empty() {
            return Err(recipients_required());
        }
        look_up(&mut tx, user_id, &mut sources).await?;
        let purpose = match purpose {
            Some(purpose) => purpose,
            None => {
                sender::default_purpose(&mut tx, user_id, sender::DEFAULT_SENDER).await?.unwrap_or_default()
            }
        };
        let room = self.quotas.room_for_recipients(&mut tx, user_id, self.now() - KEPT_FOR).await?;
        let plan = settings::plan_of(&mut tx, user_id).await?;
        let mut rates = Vec::new();
        for currency in Currency::ALL {
            let found =
                self.rates.page_rates(&mut tx, RatesOf { plan: &plan, purpose }, None, currency).await?;
            rates.extend(found.map(|found| CountedRates::new(currency, found)));
        }
        drop(tx);
        let groups = Reader { store: self.store.clone(), runtime: Handle::current() };
        let reading = self.readings.begin(user_id).await;
        let opt_outs = self.opt_outs.of(&self.store, user_id).await?;
        let mut counter = Counter::new(Arc::clone(&self.networks), rates, (opt_outs, purpose), room);
        let work = move || {
            let _reading = reading;
            for source in sources {
                source.read(&mut counter, &groups, true, Counter::check)?;
            }
            Ok(counter.finish())
        };
        let counted = tokio::task::spawn_blocking(work).await;
        let (tally, rates, columns) = counted
            .unwrap_or_else(|panic| Err(Error::Corrupt(format!("reading the recipients failed: {panic}"))))?;
        Ok(RecipientsCheck {
            total_contacts: tally.recipients.cast_signed(),
            total_duplicates_removed: tally.duplicates.cast_signed(),
            total_invalid: tally.invalid.cast_signed(),
            total_suppressed: tally.suppressed.cast_signed(),
            rejects: tally.rejects.iter().take(answer::REJECTS_SHOWN).cloned().map(Reject::from).collect(),
            networks: answer::by_name(&tally.networks, &self.networks),
            rates: rates.iter().flat_map(lines).collect(),
            columns,
            notices: tally.notices(),
            number_columns: tally.read_columns,
            unread_columns: tally.unread_columns,
        })
    }
}

/// What the recipients cost in a currency, a line for each price that one of them has.
fn lines(counted: &CountedRates) -> Vec<RecipientsRate> {
    let CountedRates { currency, rates, contacts } = counted;
    let counted = rates.ids().zip(contacts).filter(|(_, contacts)| **contacts > 0);
    counted
        .map(|(rate, contacts)| {
            let RateLine { prefix, network, purpose, unit_price, .. } = answer::line(rates, rate);
            let (currency, contacts) = (currency.code().to_owned(), contacts.cast_signed());
            RecipientsRate { currency, prefix, network, purpose, contacts, unit_price }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::contact::id::GroupId;
    use crate::platform::quota::{Quota, Quotas};
    use crate::testing::campaign::{Fixture, set_rates};

    both_databases! {
        async fn recipients_are_counted_as_a_quote_counts_them_and_nothing_is_kept(store: Store) {
            let fixture = Fixture::open(&store, "100").await;
            let list = "number,Name,Town\n08031234567,Ada,Jos\n0803 123 4567,Ada,Jos\n080,x,y\n08051234567,Bisi,Ife\n";
            let more = "phone,town\n08091234567,Oyo\n";
            let sources = vec![
                RecipientSource::held_file(list.into()),
                RecipientSource::held_file(more.into()),
                RecipientSource::held_text(b"08021234567 and 12".to_vec()),
            ];
            let check = fixture.campaigns.check_recipients(fixture.user, None, sources).await.unwrap();
            assert_eq!((check.total_contacts, check.total_duplicates_removed), (4, 1));
            assert!(check.total_invalid >= 1, "{check:?}");
            assert_eq!((check.rejects[0].line, check.rejects[0].value.as_str()), (4, "080"));
            assert_eq!(check.networks["mtn"], 1);
            assert_eq!(check.networks.values().sum::<i64>(), 4);
            assert_eq!(check.columns, ["town"]);
            let kept: (i64,) = store
                .read()
                .await
                .unwrap()
                .one("SELECT COUNT(*) FROM audiences", crate::args![])
                .await
                .unwrap();
            assert_eq!(kept.0, 0);
            let nothing = fixture.campaigns.check_recipients(fixture.user, None, Vec::new()).await.unwrap_err();
            assert_eq!(nothing.code(), "recipients_required");
            let foreign = fixture.campaigns.check_recipients(fixture.user, None, vec![RecipientSource::group(GroupId(99))]).await;
            assert!(matches!(foreign, Err(Error::NotFound("group"))));
        }

        async fn recipients_are_told_apart_by_what_a_page_to_them_costs(store: Store) {
            let fixture = Fixture::open(&store, "100").await;
            set_rates(&store, fixture.user, &[("44", "", "60"), ("234", "mtn", "2")]).await;
            let list = b"08031234567 07031234567 08021234567 +447911123456 +33612345678".to_vec();
            let check = fixture.campaigns.check_recipients(fixture.user, None, vec![RecipientSource::held_text(list)]);
            let check = check.await.unwrap();
            let lines: Vec<_> = check.rates.iter()
                .map(|it| (it.prefix.as_deref(), it.network.as_deref(), it.contacts, it.unit_price.to_string()))
                .collect();
            // In ESPEES nothing has a price, and in Naira nothing to France.
            assert_eq!(lines, [
                (Some("234"), None, 1, "2.5".to_owned()),
                (Some("234"), Some("mtn"), 2, "2".to_owned()),
                (Some("44"), None, 1, "60".to_owned()),
            ]);
            assert!(check.total_contacts == 5 && check.rates.iter().all(|it| it.currency == "naira"));
        }

        async fn numbers_of_all_kinds_have_the_room_that_a_quote_has(store: Store) {
            let mut fixture = Fixture::open(&store, "100").await;
            let quota = Quota { quoted_recipients: 5, ..Quota::default() };
            fixture.campaigns.quotas = Quotas { unfunded: quota, funded: quota };
            let abroad = |count: u64| (0..count).map(|n| format!("+{}\n", 447_911_123_450 + n)).collect::<String>();
            let check = async |text: String| {
                fixture.campaigns.check_recipients(fixture.user, None, vec![RecipientSource::held_text(text.into())]).await
            };
            assert_eq!(check(abroad(5).repeat(2)).await.unwrap().total_contacts, 5);
            assert_eq!(check(abroad(6)).await.unwrap_err().code(), "recipients_quota");
            // Numbers without a price are rejected, and still count towards the quota.
            let quote = async |count| fixture.campaigns.quote(fixture.form("Hi", &abroad(count))).await.unwrap_err();
            assert_eq!(quote(5).await.code(), "no_usable_recipients");
            assert_eq!(quote(6).await.code(), "recipients_quota");
        }
    }
}
