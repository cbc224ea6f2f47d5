//! The rows of registrations that wait for their phone number to be proven.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::store::operations::purge::bounded;
use crate::time::Time;

/// A registration that is not verified yet.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct RegistrationRow {
    /// The number's digits.
    pub phone_number: String,
    /// The person's or business's name.
    pub name: String,
    /// To sign in by.
    pub username: String,
    /// The e-mail address.
    pub email: String,
    /// argon2id.
    pub password_hash: String,
}

/// Stores a registration in the place of the one before of the same number.
pub async fn put(tx: &mut Tx, row: &RegistrationRow, now: Time, expires_at: Time) -> Result<()> {
    tx.run(
        "INSERT INTO registrations (phone_number, name, username, email, password_hash, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (phone_number) DO UPDATE SET name = excluded.name, \
         username = excluded.username, email = excluded.email, password_hash = excluded.password_hash, \
         created_at = excluded.created_at, expires_at = excluded.expires_at",
        args![
            &row.phone_number,
            &row.name,
            &row.username,
            &row.email,
            &row.password_hash,
            now,
            expires_at
        ],
    )
    .await?;
    Ok(())
}

/// The registration of a number, unless it is over.
pub async fn find(tx: &mut Tx, phone_number: &str, now: Time) -> Result<Option<RegistrationRow>> {
    tx.opt(
        "SELECT phone_number, name, username, email, password_hash FROM registrations \
         WHERE phone_number = $1 AND expires_at > $2",
        args![phone_number, now],
    )
    .await
}

/// Drops the registration of a number.
pub async fn delete(tx: &mut Tx, phone_number: &str) -> Result<()> {
    tx.run("DELETE FROM registrations WHERE phone_number = $1", args![phone_number]).await?;
    Ok(())
}

/// Drops registrations that are over.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(bounded!("registrations", "phone_number", "expires_at <= $1"), args![now]).await
}
