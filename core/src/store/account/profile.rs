//! What users change about themselves: profile, password, address, picture.

use std::collections::HashMap;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// What a user may change at will. `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The person's or business's name.
    pub name: Option<String>,
    /// As given; empty takes it away.
    pub gender: Option<String>,
    /// An IANA time zone.
    pub zone: Option<String>,
}

/// Changes a profile.
pub async fn change(tx: &mut Tx, user_id: UserId, changes: &Changes, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE users SET name = COALESCE($2, name), gender = NULLIF(COALESCE($3, gender), ''), zone = COALESCE($4, zone), \
         updated_at = $5 WHERE id = $1",
        args![
            user_id,
            changes.name.as_deref(),
            changes.gender.as_deref(),
            changes.zone.as_deref(),
            now
        ],
    )
    .await
}

/// Notes that a user's number is proven.
pub async fn phone_verified(tx: &mut Tx, user_id: UserId, now: Time) -> Result<()> {
    tx.run_exactly(1, "UPDATE users SET phone_verified_at = $2 WHERE id = $1", args![user_id, now]).await
}

/// The phone number that a user proved to have.
pub async fn verified_phone(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    let row: Option<(Option<String>,)> = tx
        .opt("SELECT phone_number FROM users WHERE id = $1 AND phone_verified_at IS NOT NULL", args![user_id])
        .await?;
    Ok(row.and_then(|(phone_number,)| phone_number))
}

/// Notes that a user's address is proven, if it was not yet.
pub async fn email_verified(tx: &mut Tx, user_id: UserId, now: Time) -> Result<()> {
    tx.run(
        "UPDATE users SET email_verified_at = $2, updated_at = $2 WHERE id = $1 AND email_verified_at IS NULL",
        args![user_id, now],
    )
    .await?;
    Ok(())
}

/// The user whose proven number this is.
pub async fn owner_of_phone(tx: &mut Tx, phone_number: &str) -> Result<Option<UserId>> {
    let row: Option<(UserId,)> = tx
        .opt(
            "SELECT id FROM users WHERE phone_number = $1 AND phone_verified_at IS NOT NULL",
            args![phone_number],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// Notes a new number that is not proven yet, in the place of another one.
pub async fn put_phone_change(tx: &mut Tx, user_id: UserId, phone_number: &str, now: Time) -> Result<()> {
    tx.run(
        "INSERT INTO phone_changes (user_id, phone_number, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (user_id) DO UPDATE SET phone_number = excluded.phone_number, created_at = excluded.created_at",
        args![user_id, phone_number, now],
    )
    .await?;
    Ok(())
}

/// The new number that a user has not proven yet.
pub async fn phone_change(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    let row: Option<(String,)> =
        tx.opt("SELECT phone_number FROM phone_changes WHERE user_id = $1", args![user_id]).await?;
    Ok(row.map(|(phone_number,)| phone_number))
}

/// Drops the new number of a user.
pub async fn drop_phone_change(tx: &mut Tx, user_id: UserId) -> Result<()> {
    tx.run("DELETE FROM phone_changes WHERE user_id = $1", args![user_id]).await?;
    Ok(())
}

/// Gives a user a proven number; false when it is another user's.
pub async fn set_phone(tx: &mut Tx, user_id: UserId, phone_number: &str, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE users SET phone_number = $2, phone_verified_at = $3, updated_at = $3 WHERE id = $1 \
             AND NOT EXISTS (SELECT 1 FROM users other WHERE other.phone_number = $2 \
             AND other.phone_verified_at IS NOT NULL AND other.id <> $1)",
            args![user_id, phone_number, now],
        )
        .await?;
    Ok(touched == 1)
}

/// A user's password hash.
pub async fn password_hash(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    let row: Option<(Option<String>,)> =
        tx.opt("SELECT password_hash FROM users WHERE id = $1", args![user_id]).await?;
    Ok(row.and_then(|(hash,)| hash))
}

/// Sets a user's password hash, unless it is no longer `before`; false when it is not.
pub async fn set_password(
    tx: &mut Tx,
    user_id: UserId,
    hash: &str,
    before: Option<&str>,
    now: Time,
) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE users SET password_hash = $2, updated_at = $4 \
             WHERE id = $1 AND (CAST($3 AS TEXT) IS NULL OR password_hash = $3)",
            args![user_id, hash, before, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Notes a new address that is not proven yet, in the place of another one.
pub async fn put_email_change(tx: &mut Tx, user_id: UserId, email: &str, now: Time) -> Result<()> {
    tx.run(
        "INSERT INTO email_changes (user_id, email, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, created_at = excluded.created_at",
        args![user_id, email, now],
    )
    .await?;
    Ok(())
}

/// The new address that a user has not proven yet.
pub async fn email_change(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    let row: Option<(String,)> =
        tx.opt("SELECT email FROM email_changes WHERE user_id = $1", args![user_id]).await?;
    Ok(row.map(|(email,)| email))
}

/// Drops the new address of a user.
pub async fn drop_email_change(tx: &mut Tx, user_id: UserId) -> Result<()> {
    tx.run("DELETE FROM email_changes WHERE user_id = $1", args![user_id]).await?;
    Ok(())
}

/// Gives a user a proven address; false when it is another user's.
pub async fn set_email(tx: &mut Tx, user_id: UserId, email: &str, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE users SET email = $2, email_verified_at = $3, updated_at = $3 WHERE id = $1 \
             AND NOT EXISTS (SELECT 1 FROM users other WHERE other.email = $2 AND other.id <> $1)",
            args![user_id, email, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Gives a user a picture in the place of the one before.
pub async fn put_avatar(
    tx: &mut Tx,
    user_id: UserId,
    token: &str,
    media_type: &str,
    data: &[u8],
    now: Time,
) -> Result<()> {
    tx.run(
        "INSERT INTO avatars (user_id, token, media_type, data, updated_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (user_id) DO UPDATE SET token = excluded.token, media_type = excluded.media_type, \
         data = excluded.data, updated_at = excluded.updated_at",
        args![user_id, token, media_type, data, now],
    )
    .await?;
    Ok(())
}

/// Takes a user's picture away.
pub async fn delete_avatar(tx: &mut Tx, user_id: UserId) -> Result<()> {
    tx.run("DELETE FROM avatars WHERE user_id = $1", args![user_id]).await?;
    Ok(())
}

/// Forgets what a deleted user had beside the user's own row: picture, pending address and number, sessions, codes.
pub async fn forget(tx: &mut Tx, user_id: UserId) -> Result<()> {
    delete_avatar(tx, user_id).await?;
    drop_email_change(tx, user_id).await?;
    drop_phone_change(tx, user_id).await?;
    tx.run("DELETE FROM sessions WHERE user_id = $1", args![user_id]).await?;
    tx.run("DELETE FROM codes WHERE purpose <> 'register' AND subject = $1", args![user_id.to_string()])
        .await?;
    Ok(())
}

/// What names a user's picture.
pub async fn avatar_token(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    let row: Option<(String,)> =
        tx.opt("SELECT token FROM avatars WHERE user_id = $1", args![user_id]).await?;
    Ok(row.map(|(token,)| token))
}

/// Where the pictures of these users are, for those who have one.
pub async fn avatar_tokens(tx: &mut Tx, users: Vec<UserId>) -> Result<HashMap<UserId, String>> {
    let sql = sql!("SELECT user_id, token FROM avatars WHERE user_id = ANY($1::BIGINT[])");
    Ok(tx.all(sql, args![vec![Column::of(users)]]).await?.into_iter().collect())
}

/// A picture by what names it: its media type and its bytes.
pub async fn avatar(tx: &mut Tx, token: &str) -> Result<Option<(String, Vec<u8>)>> {
    tx.opt("SELECT media_type, data FROM avatars WHERE token = $1", args![token]).await
}
