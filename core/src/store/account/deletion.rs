//! What is left to do before a deleted user can be anonymised, and the removal of the person's data.
//!
//! Every table that belongs to a user is named here, as one whose rows go or as one whose rows stay; a
//! test reads the schema and fails for those that are not.

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::store::Tx;
use crate::store::campaign::campaign_statuses;
use crate::time::Time;

/// The oldest campaign of a user that could still send.
pub async fn next_open_campaign(tx: &mut Tx, user: UserId) -> Result<Option<CampaignId>> {
    let row: Option<(CampaignId,)> = tx
        .opt(
            concat!(
                "SELECT id FROM campaigns WHERE user_id = $1 AND status IN (",
                campaign_statuses!(open),
                ") ORDER BY id LIMIT 1"
            ),
            args![user],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// Whether no money of a user is reserved any more, no call that may be given back is under way, and no payment may be
/// expected to come. An open payment is waited for until the look that expires it; one that failed may be tried again until
/// its end. An inactive user cannot begin one, so this ends.
pub async fn is_settled(tx: &mut Tx, user: UserId, now: Time) -> Result<bool> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT id FROM accounts WHERE user_id = $1 AND kind = 'reserve' AND closed_at IS NULL \
             UNION ALL \
             SELECT id FROM own_number_calls WHERE user_id = $1 AND status <> 'ended' \
             UNION ALL \
             SELECT id FROM payments WHERE user_id = $1 AND status <> 'settled' \
               AND (status IN ('initiated', 'pending', 'failed') AND expires_at > $2 \
                 OR status IN ('initiated', 'pending') AND next_check_at IS NOT NULL) LIMIT 1",
            args![user, now],
        )
        .await?;
    Ok(row.is_none())
}

/// Deleted users who are not anonymised yet, in order of their ids.
pub async fn leaving(tx: &mut Tx, after: UserId, limit: i64) -> Result<Vec<UserId>> {
    let rows: Vec<(UserId,)> = tx
        .all(
            "SELECT id FROM users WHERE deleted_at IS NOT NULL AND anonymised_at IS NULL AND id > $1 \
             ORDER BY id LIMIT $2",
            args![after, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The rows that go with the person, beside those of [`FORGOTTEN`].
const ERASED: &[(&str, &str)] = &[
    ("api_keys", "DELETE FROM api_keys WHERE user_id = $1"),
    ("draft_files", "DELETE FROM draft_files WHERE user_id = $1"),
    ("drafts", "DELETE FROM drafts WHERE user_id = $1"),
    ("guards", "DELETE FROM guards WHERE user_id = $1"),
    ("inbound_messages", "UPDATE inbound_messages SET user_id = NULL WHERE user_id = $1"),
    ("sender_ids", "DELETE FROM sender_ids WHERE user_id = $1"),
    ("spending", "DELETE FROM spending WHERE user_id = $1"),
    ("templates", "DELETE FROM templates WHERE user_id = $1"),
    ("virtual_numbers", "DELETE FROM virtual_numbers WHERE user_id = $1"),
    ("own_numbers", "DELETE FROM own_numbers WHERE user_id = $1"),
    ("voice_recordings", "DELETE FROM voice_recordings WHERE user_id = $1"),
];

/// The tables whose rows are taken away by the rooms they belong to, right before (`operate/user/deletion.rs`).
#[cfg(test)]
pub(crate) const FORGOTTEN: &[&str] = &[
    "avatars",
    "chat_links",
    "chat_logins",
    "contact_groups",
    "contact_imports",
    "email_changes",
    "phone_changes",
    "receipt_callbacks",
    "receipt_calls",
    "sessions",
    "webhook_campaigns",
    "webhook_users",
    "webhooks",
];

/// The rows that stay, because money and decisions are explained by them or because they end by themselves: accounts,
/// what was sent and paid for, keys of requests (30 days), test calls and calls that verify numbers, which count for a phone
/// (a day; 30 where 9 was pressed), events that are no longer delivered, and the record that an administrator's message was given to the user, without
/// the id at KingsChat.
#[cfg(test)]
const KEPT: &[&str] = &[
    "accounts",
    "audit",
    "audiences",
    "quotes",
    "campaigns",
    "payments",
    "user_message_recipients",
    "own_number_calls",
    "voice_campaigns",
    "voice_test_calls",
    "webhook_events",
    "idempotency",
    // A user under a hold is not deleted.
    "legal_holds",
];

/// Takes the person out of a user's row, and all of their rows that are [`ERASED`]. The names that are left cannot be
/// chosen by anybody, as they break the rules of names.
pub async fn anonymise(tx: &mut Tx, user: UserId, now: Time) -> Result<()> {
    for &(_, statement) in ERASED {
        tx.run(statement, args![user]).await?;
    }
    tx.run_exactly(
        1,
        "UPDATE users SET name = 'Deleted user', username = $2, email = $2, email_verified_at = NULL, \
           phone_number = NULL, gender = NULL, password_hash = NULL, updated_at = $3, anonymised_at = $3 \
         WHERE id = $1 AND deleted_at IS NOT NULL",
        args![user, format!("deleted:{user}"), now],
    )
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Dialect;
    use crate::testing::database::for_each_database;

    #[tokio::test]
    async fn every_table_of_a_user_is_known_to_go_or_to_stay() {
        for_each_database(|store| async move {
            let mut tx = store.read().await.unwrap();
            if tx.dialect() == Dialect::Postgres {
                return;
            }
            let tables: Vec<(String,)> = tx
                .all(
                    "SELECT DISTINCT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c \
                     WHERE t.type = 'table' AND c.name = 'user_id' ORDER BY t.name",
                    args![],
                )
                .await
                .unwrap();
            assert!(tables.len() > 5, "{tables:?}");
            for (table,) in tables {
                let known = KEPT.contains(&table.as_str())
                    || FORGOTTEN.contains(&table.as_str())
                    || ERASED.iter().any(|(erased, _)| *erased == table);
                assert!(
                    known,
                    "{table}: say in store/account/deletion.rs whether its rows go with a deleted user"
                );
            }
        })
        .await;
    }
}
