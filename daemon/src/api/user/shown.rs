//! A user as the API shows it.

use talkdrum_core::account;
use talkdrum_core::api::account::User;
use talkdrum_core::money::Amount;
use talkdrum_core::store::Tx;
use talkdrum_core::{Error, Result};

use crate::http::Page;

/// The wire form of a user, with balances.
pub(crate) async fn user(tx: &mut Tx, user: &account::User) -> Result<User> {
    let (espee_balance, paystack_balance) = wallets(tx, user.id).await?;
    Ok(User {
        id: user.id,
        name: user.name.clone(),
        username: user.username.clone(),
        email: user.email.clone(),
        phone_number: user.phone_number.clone(),
        gender: user.gender.clone(),
        status: user.status.code().into(),
        role: user.role.code().into(),
        created_at: user.created_at.to_rfc3339(),
        last_login_at: user.last_login_at.map(|at| at.to_rfc3339()),
        espee_balance,
        paystack_balance,
    })
}

/// The user with this id.
pub(crate) async fn by_id(tx: &mut Tx, id: i64) -> Result<User> {
    let found = talkdrum_core::store::user::by_id(tx, id).await?.ok_or(Error::NotFound("user"))?;
    user(tx, &found).await
}

/// The seam to the ledger: what the wallets hold, in ESPEES and in Naira.
#[expect(clippy::unused_async, reason = "the ledger's balances are rows")]
async fn wallets(_tx: &mut Tx, _user_id: i64) -> Result<(Amount, Amount)> {
    Ok((Amount::ZERO, Amount::ZERO))
}

/// A page of the users of one status, and how many there are.
pub(crate) async fn page(tx: &mut Tx, status: account::UserStatus, page: &Page) -> Result<(Vec<User>, i64)> {
    let q = page.q.to_lowercase();
    let (found, total) = talkdrum_core::store::user::page(tx, status, &q, page.offset, page.limit).await?;
    let mut users = Vec::with_capacity(found.len());
    for found in &found {
        users.push(user(tx, found).await?);
    }
    Ok((users, total))
}
