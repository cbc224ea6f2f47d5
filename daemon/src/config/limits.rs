//! `[limits]`: sizes, rates and times, and how much a user keeps without paying for it.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use talkdrum_api::money::Amount;
use talkdrum_core::campaign::spending_limit::CampaignLimits;
use talkdrum_core::platform::quota::{Quota, Quotas};
use talkdrum_core::voice::test_call::limits::TestCallLimits;

/// Sizes, rates and times.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The fields of a request, big parts aside, in KiB.
    pub body_kib: NonZeroU32,
    /// A JSON body with recipients in it, in MiB.
    pub json_mib: NonZeroU32,
    /// A whole upload, in MiB.
    pub upload_mib: NonZeroU32,
    /// Sign-ins an address may try in a minute.
    pub login_per_minute: NonZeroU32,
    /// Sign-ins an address may try at once.
    pub login_burst: NonZeroU32,
    /// Registrations, codes and new passwords an address may try in a minute.
    pub codes_per_minute: NonZeroU32,
    /// The same at once.
    pub codes_burst: NonZeroU32,
    /// An operation, uploads and streams aside, in seconds.
    pub request_s: NonZeroU32,
    /// Below this much free space, in MiB, nothing new is started; 0 never refuses.
    pub free_disk_mib: u32,
    /// Below this much free space, in MiB, nothing that was confirmed goes out either; never more than
    /// `free_disk_mib`.
    pub dispatch_free_disk_mib: u32,
    /// What a user may confirm in a day, in ESPEES, where an administrator set nothing else; 0 is no limit.
    pub daily_spend_espees: String,
    /// The same in Naira.
    pub daily_spend_naira: String,
    /// The send with which a user reaches this many recipients in all waits for an administrator, and so do later
    /// ones until then; 0 lets all go.
    pub first_send_hold: u32,
    /// Contacts that a user keeps, in all groups together; 0 is no limit, as for all quotas.
    pub contacts: u32,
    /// The same until money first came into a wallet of the account, or an administrator proved it.
    pub contacts_unfunded: u32,
    /// Numbers on a user's list of opt-outs.
    pub opt_outs: u32,
    /// The same until the account is funded.
    pub opt_outs_unfunded: u32,
    /// Quotes of a user that are not confirmed.
    pub quotes: u32,
    /// The same until the account is funded.
    pub quotes_unfunded: u32,
    /// Recipients of these quotes, together, and different numbers in a list that is quoted or counted.
    pub quoted_recipients: u32,
    /// The same until the account is funded.
    pub quoted_recipients_unfunded: u32,
    /// Files of a user's imports that are not over, together, in MiB.
    pub imports_mib: u32,
    /// The same until the account is funded.
    pub imports_mib_unfunded: u32,
    /// Rows of a user's imports that could not be taken, and are kept for 30 days to be looked at; others are only counted.
    pub import_rejects: u32,
    /// The same until the account is funded.
    pub import_rejects_unfunded: u32,
    /// Recordings of a user to call with.
    pub recordings: u32,
    /// The same until the account is funded.
    pub recordings_unfunded: u32,
    /// What these recordings take together, in MiB; a minute takes 0.9.
    pub recordings_mib: u32,
    /// The same until the account is funded.
    pub recordings_mib_unfunded: u32,
    /// Files of a user's drafts, together, in MiB.
    pub drafts_mib: u32,
    /// The same until the account is funded.
    pub drafts_mib_unfunded: u32,
    /// Test calls that a user may have in a day; 0 is none at all.
    pub test_calls_per_day: u32,
    /// The same until the account is funded.
    pub test_calls_per_day_unfunded: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let number = |value: u32| NonZeroU32::MIN.saturating_add(value - 1);
        Self {
            body_kib: number(1_024),
            json_mib: number(32),
            upload_mib: number(512),
            login_per_minute: number(10),
            login_burst: number(20),
            codes_per_minute: number(30),
            codes_burst: number(60),
            request_s: number(30),
            free_disk_mib: 512,
            dispatch_free_disk_mib: 128,
            daily_spend_espees: "0".to_owned(),
            daily_spend_naira: "0".to_owned(),
            first_send_hold: 10_000,
            contacts: 10_000_000,
            contacts_unfunded: 20_000,
            opt_outs: 10_000_000,
            opt_outs_unfunded: 20_000,
            quotes: 2_000,
            quotes_unfunded: 200,
            quoted_recipients: 50_000_000,
            quoted_recipients_unfunded: 100_000,
            imports_mib: 2_048,
            imports_mib_unfunded: 64,
            import_rejects: 2_000_000,
            import_rejects_unfunded: 50_000,
            recordings: 100,
            recordings_unfunded: 10,
            recordings_mib: 100,
            recordings_mib_unfunded: 20,
            drafts_mib: 512,
            drafts_mib_unfunded: 32,
            test_calls_per_day: 15,
            test_calls_per_day_unfunded: 5,
        }
    }
}

impl Limits {
    /// The fields of a request, in bytes.
    pub fn body_bytes(&self) -> usize {
        (self.body_kib.get() as usize) << 10
    }

    /// A JSON body with recipients in it, in bytes.
    pub fn json_bytes(&self) -> usize {
        (self.json_mib.get() as usize) << 20
    }

    /// A whole upload, in bytes.
    pub fn upload_bytes(&self) -> usize {
        (self.upload_mib.get() as usize) << 20
    }

    /// How long an operation may take.
    pub fn request_time(&self) -> Duration {
        Duration::from_secs(u64::from(self.request_s.get()))
    }

    /// The limits on one account.
    ///
    /// # Errors
    /// A limit is no amount.
    pub fn campaign_limits(&self) -> anyhow::Result<CampaignLimits> {
        let cap = |key: &str, text: &str| {
            let amount = text.parse::<Amount>().ok().filter(|cap| *cap >= Amount::ZERO);
            amount.ok_or_else(|| anyhow::anyhow!("limits.{key} = '{text}' is no amount; 0 is no limit"))
        };
        Ok(CampaignLimits {
            daily_espees: cap("daily_spend_espees", &self.daily_spend_espees)?,
            daily_naira: cap("daily_spend_naira", &self.daily_spend_naira)?,
            first_send_review: i64::from(self.first_send_hold),
        })
    }

    /// How much a user keeps without paying for it.
    pub fn quotas(&self) -> Quotas {
        let mib = |mib: u32| i64::from(mib) << 20;
        Quotas {
            unfunded: Quota {
                contacts: self.contacts_unfunded.into(),
                opt_outs: self.opt_outs_unfunded.into(),
                quotes: self.quotes_unfunded.into(),
                quoted_recipients: self.quoted_recipients_unfunded.into(),
                import_bytes: mib(self.imports_mib_unfunded),
                import_rejects: self.import_rejects_unfunded.into(),
                recordings: self.recordings_unfunded.into(),
                recording_bytes: mib(self.recordings_mib_unfunded),
                draft_bytes: mib(self.drafts_mib_unfunded),
            },
            funded: Quota {
                contacts: self.contacts.into(),
                opt_outs: self.opt_outs.into(),
                quotes: self.quotes.into(),
                quoted_recipients: self.quoted_recipients.into(),
                import_bytes: mib(self.imports_mib),
                import_rejects: self.import_rejects.into(),
                recordings: self.recordings.into(),
                recording_bytes: mib(self.recordings_mib),
                draft_bytes: mib(self.drafts_mib),
            },
        }
    }

    /// How many test calls a user may have.
    pub fn test_calls(&self) -> TestCallLimits {
        TestCallLimits { unfunded: self.test_calls_per_day_unfunded, funded: self.test_calls_per_day }
    }

    /// The free space below which dispatch stops, in bytes: what was confirmed goes out while new work is refused.
    pub fn dispatch_free_disk_bytes(&self) -> u64 {
        u64::from(self.dispatch_free_disk_mib.min(self.free_disk_mib)) << 20
    }

    /// The free space below which nothing new is started, in bytes.
    pub fn free_disk_bytes(&self) -> u64 {
        u64::from(self.free_disk_mib) << 20
    }
}
