//! A user as the API shows it.

use talkdrum_api::account::User;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::query::UsersQuery;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::store::Tx;
use talkdrum_core::store::account::profile;
use talkdrum_core::store::account::user::{self as rows, UserFilter};
use talkdrum_core::{Error, Result, ledger};

use crate::api::list_query::{asked, listing};
use crate::http::{Columns, SortedPage};

/// The wire form of a user, with balances.
pub(crate) async fn user(tx: &mut Tx, user: &talkdrum_core::model::account::user::User) -> Result<User> {
    let (_, espees) = ledger::wallet(tx, user.id, Currency::Espees).await?;
    let (_, naira) = ledger::wallet(tx, user.id, Currency::Naira).await?;
    let avatar = profile::avatar_token(tx, user.id).await?;
    Ok(wire(user, avatar, espees, naira))
}

fn wire(
    user: &talkdrum_core::model::account::user::User,
    avatar: Option<String>,
    espee_balance: Amount,
    paystack_balance: Amount,
) -> User {
    let last_login_at = user.last_login_at.map(|at| at.to_rfc3339());
    User {
        id: user.id.0,
        name: user.name.clone(),
        username: user.username.clone(),
        email: if talkdrum_core::model::account::user::is_reachable(&user.email) {
            user.email.clone()
        } else {
            String::new()
        },
        phone_number: user.phone_number.clone(),
        gender: user.gender.clone(),
        status: user.status.code().into(),
        role: user.role.code().into(),
        created_at: user.created_at.to_rfc3339(),
        last_login: last_login_at.clone(),
        last_login_at,
        avatar: avatar.map(|token| format!("/api/avatars/{token}")),
        email_verified: user.email_verified_at.is_some(),
        zone: user.zone.clone(),
        espee_balance,
        paystack_balance,
    }
}

/// The user with this id.
pub(crate) async fn by_id(tx: &mut Tx, id: UserId) -> Result<User> {
    let found = rows::by_id(tx, id).await?.ok_or(Error::NotFound("user"))?;
    user(tx, &found).await
}

/// What the lists of users can be sorted by.
pub(super) enum UserColumns {}

impl Columns for UserColumns {
    const NAMES: &'static [&'static str] =
        &["id", "created_at", "username", "name", "email", "last_login_at"];
}

/// A page of the users of one status, or of any, and how many there are.
pub(super) async fn page(
    tx: &mut Tx,
    status: Option<talkdrum_core::model::account::user::UserStatus>,
    filter: &UsersQuery,
    page: &SortedPage<UserColumns>,
) -> Result<(Vec<User>, i64)> {
    let role = asked(filter.role.as_deref()).map(str::parse).transpose()?;
    let rate_plan = asked(filter.rate_plan.as_deref()).unwrap_or_default().to_lowercase();
    let filter = UserFilter { status, role, rate_plan: &rate_plan };
    let (found, total) = rows::page(tx, filter, &listing(page, "")).await?;
    let wallets = ledger::wallets(tx, found.iter().map(|user| user.id)).await?;
    let held =
        |user: UserId, currency| wallets.of(user, currency).map(|(_, balance)| balance).unwrap_or_default();
    let mut avatars = profile::avatar_tokens(tx, found.iter().map(|user| user.id).collect()).await?;
    let shown = |user: &talkdrum_core::model::account::user::User| {
        let avatar = avatars.remove(&user.id);
        wire(user, avatar, held(user.id, Currency::Espees), held(user.id, Currency::Naira))
    };
    Ok((found.iter().map(shown).collect(), total))
}
