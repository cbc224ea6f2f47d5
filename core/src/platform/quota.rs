//! Quotas: how much a user may keep on the platform free of charge, so that one account cannot fill the disk.
//!
//! An account has the small quota until money first came into one of its wallets, or an administrator proved it.
//! Administrators have none. What is added is counted by the transaction that adds it, under a lock of the
//! user, so that two requests at once never both find room for the last row. Opt-outs by STOP are never refused.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::GroupId;
use crate::store::Tx;
use crate::store::account::quota as table;
use crate::store::account::quota::StandingRow;
use crate::store::campaign::draft;
use crate::store::contact::{group, suppression};
use crate::store::voice::recording;
use crate::time::Time;

/// How long the file of an import that was cut off is counted: its daemon is back by then, or never.
const CUT_OFF_FOR: std::time::Duration = std::time::Duration::from_hours(24);

/// 8,000 samples a second of two bytes each.
const PCM_BYTES_A_MINUTE: i64 = 60 * 8_000 * 2;

/// How much one user keeps at once; 0 is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quota {
    /// Contacts of all groups.
    pub contacts: i64,
    /// Numbers on the user's list of opt-outs, those that answered STOP included.
    pub opt_outs: i64,
    /// Quotes that are not confirmed.
    pub quotes: i64,
    /// Recipients of these quotes.
    pub quoted_recipients: i64,
    /// Bytes of files of imports that are not over.
    pub import_bytes: i64,
    /// Entries of imports that could not be taken.
    pub import_rejects: i64,
    /// Recordings to call with.
    pub recordings: i64,
    /// Bytes of their samples.
    pub recording_bytes: i64,
    /// Bytes of files of drafts.
    pub draft_bytes: i64,
}

/// The quotas of the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quotas {
    /// Until the account is first funded.
    pub unfunded: Quota,
    /// From then on.
    pub funded: Quota,
}

/// The quota of a user, and which one the account would have when it is funded.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    quota: Quota,
    once_funded: Option<Quota>,
}

impl Quotas {
    fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    fn of(&self, user: &StandingRow) -> Allowed {
        match (user.is_admin, user.is_funded) {
            (true, _) => Allowed { quota: Quota::default(), once_funded: None },
            (false, true) => Allowed { quota: self.funded, once_funded: None },
            (false, false) => Allowed { quota: self.unfunded, once_funded: Some(self.funded) },
        }
    }

    async fn allowed(&self, tx: &mut Tx, user: UserId) -> Result<Allowed> {
        let standing = table::standings(tx, vec![user], Time(i64::MAX)).await?.pop();
        Ok(self.of(&standing.ok_or(Error::NotFound("user"))?))
    }

    /// Counts a user's contacts after some were added.
    ///
    /// # Errors
    /// `contacts_quota` when there are too many.
    pub async fn check_contacts(&self, tx: &mut Tx, user: UserId) -> Result<()> {
        if self.is_unlimited() {
            return Ok(());
        }
        table::lock(tx, vec![user]).await?;
        let (_, contacts) = group::totals(tx, user).await?;
        self.allowed(tx, user).await?.check(&CONTACTS, contacts)
    }

    /// Looks ahead at an import of so many different numbers into a group of a user: whether the group with all of them
    /// and the contacts of the other groups are too many already.
    ///
    /// # Errors
    /// `contacts_quota` when they are.
    pub async fn check_import(&self, tx: &mut Tx, user: UserId, group: GroupId, numbers: i64) -> Result<()> {
        let (_, contacts) = group::totals(tx, user).await?;
        let here = group::by_id(tx, group).await?.map_or(0, |row| row.contacts_count);
        let least = (contacts - here).saturating_add(here.max(numbers));
        if least <= contacts {
            return Ok(());
        }
        self.allowed(tx, user).await?.check(&CONTACTS, least)
    }

    /// Counts a user's opt-outs after some were added. Changes of one list come one after the other by themselves.
    ///
    /// # Errors
    /// `optouts_quota` when there are too many.
    pub async fn check_opt_outs(&self, tx: &mut Tx, user: UserId) -> Result<()> {
        let scopes = suppression::scopes(tx, user.0).await?;
        let numbers = scopes.iter().find(|row| row.scope == user.0).map_or(0, |row| row.numbers);
        self.allowed(tx, user).await?.check(&OPT_OUTS, numbers)
    }

    /// Counts the bytes kept for a user's imports after one more was noted.
    ///
    /// # Errors
    /// `imports_quota` when there are too many.
    pub async fn check_import_bytes(&self, tx: &mut Tx, user: UserId, now: Time) -> Result<()> {
        if self.is_unlimited() {
            return Ok(());
        }
        table::lock(tx, vec![user]).await?;
        let bytes = table::import_bytes(tx, user, now - CUT_OFF_FOR).await?;
        self.allowed(tx, user).await?.check(&IMPORTS, bytes)
    }

    /// Counts a user's recordings after one more was begun. What was deleted is in the database for some minutes yet, so
    /// of that there may be as much again, and no more.
    ///
    /// # Errors
    /// `recordings_quota` when there are too many, or too much of them.
    pub async fn check_recordings(&self, tx: &mut Tx, user: UserId, now: Time) -> Result<()> {
        if self.is_unlimited() {
            return Ok(());
        }
        table::lock(tx, vec![user]).await?;
        let kept = recording::kept(tx, user, now).await?;
        let allowed = self.allowed(tx, user).await?;
        allowed.check(&RECORDINGS, kept.recordings)?;
        allowed.check(&RECORDED, kept.bytes)?;
        for (kept, leaving) in [(RECORDINGS, kept.leaving), (RECORDED, kept.leaving_bytes)] {
            let limit = (kept.limit)(&allowed.quota);
            if limit > 0 && leaving > limit {
                return Err(Error::field(
                    "audioFile",
                    "recordings_quota",
                    "The recordings that you deleted are still being removed: try again in ten minutes",
                ));
            }
        }
        Ok(())
    }

    /// Counts the bytes of a user's files of drafts after one more was begun. What was taken out is in the database for some
    /// minutes yet, so of that there may be as much again, and no more.
    ///
    /// # Errors
    /// `drafts_quota` when there are too many.
    pub async fn check_draft_files(&self, tx: &mut Tx, user: UserId, now: Time) -> Result<()> {
        if self.is_unlimited() {
            return Ok(());
        }
        table::lock(tx, vec![user]).await?;
        let kept = draft::kept(tx, user, now).await?;
        let allowed = self.allowed(tx, user).await?;
        allowed.check(&DRAFTED, kept.bytes)?;
        let limit = allowed.quota.draft_bytes;
        if limit > 0 && kept.leaving_bytes > limit {
            let said =
                "The files that you took out of drafts are still being removed: try again in ten minutes";
            return Err(Error::field("file", "drafts_quota", said));
        }
        Ok(())
    }

    /// How much more a user may keep in drafts now, to be asked while a file comes; `None` when it is not limited.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn draft_room(&self, tx: &mut Tx, user: UserId, now: Time) -> Result<Option<DraftRoom>> {
        if self.is_unlimited() {
            return Ok(None);
        }
        let before = draft::kept(tx, user, now).await?.bytes;
        Ok(Some(DraftRoom { allowed: self.allowed(tx, user).await?, before }))
    }

    /// Whether so many more entries that an import could not take are kept; the others are counted only.
    pub async fn keeps_rejects(&self, tx: &mut Tx, user: UserId, more: i64) -> Result<bool> {
        if self.is_unlimited() {
            return Ok(true);
        }
        table::lock(tx, vec![user]).await?;
        let rejects = table::import_rejects(tx, user).await?;
        let most = self.allowed(tx, user).await?.quota.import_rejects;
        Ok(most == 0 || rejects.saturating_add(more) <= most)
    }

    /// How many recipients a user may quote now, when `after` is the moment of expiry from which on quotes are kept; `None`
    /// when it is not limited.
    ///
    /// # Errors
    /// `quotes_quota` when no further quote fits at all.
    pub async fn room_for_recipients(&self, tx: &mut Tx, user: UserId, after: Time) -> Result<Option<Room>> {
        if self.is_unlimited() {
            return Ok(None);
        }
        let standing = table::standings(tx, vec![user], after).await?.pop();
        let standing = standing.ok_or(Error::NotFound("user"))?;
        let allowed = self.of(&standing);
        allowed.check(&QUOTES, standing.quotes + 1)?;
        allowed.check(&RECIPIENTS, standing.recipients + 1)?;
        Ok((allowed.quota.quoted_recipients > 0).then_some(Room { allowed, before: standing.recipients }))
    }

    /// Counts the quotes of these users, and their recipients, after some were made.
    ///
    /// # Errors
    /// `quotes_quota`, `recipients_quota` when one of them has too many.
    pub async fn check_quotes(&self, tx: &mut Tx, users: Vec<UserId>, after: Time) -> Result<()> {
        if self.is_unlimited() {
            return Ok(());
        }
        table::lock(tx, users.clone()).await?;
        for standing in table::standings(tx, users, after).await? {
            let allowed = self.of(&standing);
            allowed.check(&QUOTES, standing.quotes)?;
            allowed.check(&RECIPIENTS, standing.recipients)?;
        }
        Ok(())
    }
}

/// How many recipients fit into a quote, beside those that are quoted already.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    allowed: Allowed,
    before: i64,
}

impl Room {
    /// Checks a quote of so many recipients.
    ///
    /// # Errors
    /// `recipients_quota` when they are too many.
    pub fn check(&self, recipients: u64) -> Result<()> {
        self.allowed.check(&RECIPIENTS, self.before.saturating_add(recipients.cast_signed()))
    }
}

/// How much more a user may keep in drafts.
#[derive(Debug)]
pub struct DraftRoom {
    allowed: Allowed,
    /// Bytes that are kept already.
    before: i64,
}

impl DraftRoom {
    /// Whether a file of so many bytes may be kept, too.
    ///
    /// # Errors
    /// `drafts_quota`.
    pub fn check(&self, bytes: u64) -> Result<()> {
        self.allowed.check(&DRAFTED, self.before.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX)))
    }
}

/// What a quota is about, in code and in words.
struct Kept {
    code: &'static str,
    field: Option<&'static str>,
    limit: fn(&Quota) -> i64,
    /// The amount, for people.
    say: fn(i64) -> String,
    advice: &'static str,
}

const CONTACTS: Kept = Kept {
    code: "contacts_quota",
    field: None,
    limit: |quota| quota.contacts,
    say: |contacts| format!("{} contacts in all groups", grouped(contacts)),
    advice: "delete contacts that you no longer need",
};

const OPT_OUTS: Kept = Kept {
    code: "optouts_quota",
    field: None,
    limit: |quota| quota.opt_outs,
    say: |numbers| format!("{} opt-outs", grouped(numbers)),
    advice: "remove opt-outs of numbers that you no longer write to",
};

const QUOTES: Kept = Kept {
    code: "quotes_quota",
    field: None,
    limit: |quota| quota.quotes,
    say: |quotes| format!("{} quotes that are not confirmed", grouped(quotes)),
    advice: "confirm one, or wait: a quote that is not confirmed is removed an hour after it was made",
};

const RECIPIENTS: Kept = Kept {
    code: "recipients_quota",
    field: Some("contacts"),
    limit: |quota| quota.quoted_recipients,
    say: |recipients| format!("{} recipients in quotes that are not confirmed", grouped(recipients)),
    advice: "send to fewer, confirm a quote, or wait: a quote that is not confirmed is removed an hour after it was made",
};

const IMPORTS: Kept = Kept {
    code: "imports_quota",
    field: Some("file"),
    limit: |quota| quota.import_bytes,
    say: |bytes| format!("{} MiB of files that are being imported", grouped(bytes >> 20)),
    advice: "wait for an import to end, or import the file in pieces",
};

const RECORDINGS: Kept = Kept {
    code: "recordings_quota",
    field: Some("audioFile"),
    limit: |quota| quota.recordings,
    say: |recordings| format!("{} recordings", grouped(recordings)),
    advice: "delete one that you no longer need",
};

const RECORDED: Kept = Kept {
    code: "recordings_quota",
    field: Some("audioFile"),
    limit: |quota| quota.recording_bytes,
    say: |bytes| format!("{} minutes of recordings", grouped(bytes / PCM_BYTES_A_MINUTE)),
    advice: "delete some that you no longer need, or shorten this one",
};

const DRAFTED: Kept = Kept {
    code: "drafts_quota",
    field: Some("file"),
    limit: |quota| quota.draft_bytes,
    say: |bytes| format!("{} MiB of files in drafts", grouped(bytes >> 20)),
    advice: "delete a draft that you no longer need, or import the file into a group",
};

impl Allowed {
    fn check(&self, kept: &Kept, amount: i64) -> Result<()> {
        let limit = (kept.limit)(&self.quota);
        if limit == 0 || amount <= limit {
            return Ok(());
        }
        let more = match self.once_funded.map(|quota| (kept.limit)(&quota)) {
            Some(0) => "; an account with money in its wallet has no such limit".to_owned(),
            Some(funded) if funded > limit => {
                format!("; once money came into its wallet, an account may keep {}", (kept.say)(funded))
            }
            _ => String::new(),
        };
        let message = format!("Your account may keep {}: {}{more}", (kept.say)(limit), kept.advice);
        Err(match kept.field {
            Some(field) => Error::field(field, kept.code, message),
            None => Error::rule(kept.code, message),
        })
    }
}

/// `1234567` as `1,234,567`.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
