//! The rows of users.
//!
//! User names and addresses are stored in lower case, so equality in SQL is equality for people.

use talkdrum_api::money::Amount;
use talkdrum_api::purpose::Purpose;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::{NewUser, Role, User, UserStatus};
use crate::store::campaign::campaign_statuses;
use crate::store::db::listing::{Listing, like_pattern, listed};
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Adds a user and returns the id; `None` when the name or the address is taken.
pub async fn insert(tx: &mut Tx, user: &NewUser, now: Time) -> Result<Option<UserId>> {
    let row: Option<(UserId,)> = tx
        .opt(
            "INSERT INTO users (name, username, email, email_verified_at, phone_number, role, status, zone, \
             password_hash, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $8, $9, $9) ON CONFLICT DO NOTHING RETURNING id",
            args![
                &user.name,
                user.username.as_str(),
                user.email.as_str(),
                user.email_verified_at,
                user.phone_number.as_deref(),
                user.role,
                &user.zone,
                user.password_hash.as_deref(),
                now,
            ],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// The user with this id.
pub async fn by_id(tx: &mut Tx, id: UserId) -> Result<Option<User>> {
    tx.opt(
        "SELECT id, name, username, email, email_verified_at, phone_number, gender, role, status, zone, \
         created_at, last_login_at, deleted_at FROM users WHERE id = $1",
        args![id],
    )
    .await
}

/// The user with this name, in lower case.
pub async fn by_username(tx: &mut Tx, username: &str) -> Result<Option<User>> {
    tx.opt(
        "SELECT id, name, username, email, email_verified_at, phone_number, gender, role, status, zone, \
         created_at, last_login_at, deleted_at FROM users WHERE username = $1 AND deleted_at IS NULL",
        args![username],
    )
    .await
}

/// The id and password hash of the user with this name or address, in lower case. A name holds no `@`, so
/// at most one user matches.
pub async fn credentials(tx: &mut Tx, login: &str) -> Result<Option<(UserId, Option<String>)>> {
    tx.opt(
        "SELECT id, password_hash FROM users WHERE (username = $1 OR email = $1) AND deleted_at IS NULL",
        args![login],
    )
    .await
}

/// Whether another user has this name or this address: `(name, address)`.
pub async fn taken(tx: &mut Tx, username: &str, email: &str) -> Result<(bool, bool)> {
    let (names, emails): (i64, i64) = tx
        .one(
            "SELECT (SELECT COUNT(*) FROM users WHERE username = $1), (SELECT COUNT(*) FROM users WHERE email = $2)",
            args![username, email],
        )
        .await?;
    Ok((names > 0, emails > 0))
}

/// Which users of a list; `None` and empty is any of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserFilter<'f> {
    pub status: Option<UserStatus>,
    pub role: Option<Role>,
    /// The name of the plan that they have.
    pub rate_plan: &'f str,
}

/// A page of these users whose name, user name, address or phone number contains the listing's `q`, and how many there are in
/// all. Sorts by `id`, `username`, `name`, `email` or `last_login_at`.
pub async fn page(tx: &mut Tx, filter: UserFilter<'_>, listing: &Listing) -> Result<(Vec<User>, i64)> {
    let UserFilter { status, role, rate_plan } = filter;
    let (role, status) = (role.map_or("", Role::code), status.map_or("", UserStatus::code));
    let sql = listed!(
        listing,
        "u.id, u.name, u.username, u.email, u.email_verified_at, u.phone_number, u.gender, u.role, u.status, u.zone, \
         u.created_at, u.last_login_at, u.deleted_at",
        "FROM users u WHERE u.deleted_at IS NULL AND ($1 = '' OR u.role = $1) AND ($2 = '' OR u.status = $2) AND ($4 = '' OR u.rate_plan = $4) \
         AND ($3 = '' OR u.username COLLATE \"binary\" ILIKE $3 ESCAPE '\\' \
           OR u.email COLLATE \"binary\" ILIKE $3 ESCAPE '\\' OR u.name COLLATE \"binary\" ILIKE $3 ESCAPE '\\' \
           OR u.phone_number COLLATE \"binary\" ILIKE $3 ESCAPE '\\')",
        "u.id",
        ["username" => "u.username COLLATE \"binary\"", "name" => "u.name COLLATE \"binary\"", "email" => "u.email COLLATE \"binary\"",
         "last_login_at" => "COALESCE(u.last_login_at, 0)"],
        "$5",
        "$6"
    );
    listing.rows(tx, sql, args![role, status, like_pattern(&listing.q), rate_plan]).await
}

/// What would end with a user.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub struct Holdings {
    pub open_campaigns: i64,
    pub api_keys: i64,
    pub sessions: i64,
    pub reserved_espees: Amount,
    pub reserved_naira: Amount,
}

/// Open campaigns, keys that can be used, sessions that are not over, and reserved money of a user.
pub async fn holdings(tx: &mut Tx, id: UserId, (now, seen_after): (Time, Time)) -> Result<Holdings> {
    tx.one(
        concat!(
            "SELECT (SELECT COUNT(*) FROM campaigns WHERE user_id = $1 AND status IN (",
            campaign_statuses!(open),
            ")) AS open_campaigns, \
           (SELECT COUNT(*) FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL \
             AND (expires_at IS NULL OR expires_at > $2)) AS api_keys, \
           (SELECT COUNT(*) FROM sessions WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3) AS sessions, \
           CAST(COALESCE(SUM(CASE WHEN currency = 'espees' THEN balance_micros ELSE 0 END), 0) AS BIGINT) \
             AS reserved_espees, \
           CAST(COALESCE(SUM(CASE WHEN currency = 'naira' THEN balance_micros ELSE 0 END), 0) AS BIGINT) \
             AS reserved_naira \
         FROM accounts WHERE user_id = $1 AND kind = 'reserve' AND closed_at IS NULL"
        ),
        args![id, now, seen_after],
    )
    .await
}

/// Whether a user is active, who then stays so until the transaction ends. It is among the first locks of its
/// transaction.
pub async fn lock_active(tx: &mut Tx, id: UserId) -> Result<bool> {
    let sql =
        sql!("SELECT id FROM users WHERE id = $1 AND status = 'active' AND deleted_at IS NULL FOR SHARE");
    Ok(tx.opt::<(i64,)>(sql, args![id]).await?.is_some())
}

/// Sets the status; false when there is no such user.
pub async fn set_status(tx: &mut Tx, id: UserId, status: UserStatus, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE users SET status = $2, updated_at = $3 WHERE id = $1 AND deleted_at IS NULL",
            args![id, status, now],
        )
        .await?;
    Ok(touched == 1)
}

/// What messages of a user are for that do not say it; none where the account has no default.
pub async fn purpose_of(tx: &mut Tx, id: UserId) -> Result<Option<Purpose>> {
    let row: Option<(Option<Purpose>,)> =
        tx.opt("SELECT purpose FROM users WHERE id = $1", args![id]).await?;
    Ok(row.and_then(|(purpose,)| purpose))
}

/// [`purpose_of`], locked until the transaction ends; no row of a user that there is not, or that was deleted.
pub async fn lock_purpose(tx: &mut Tx, id: UserId) -> Result<Option<Option<Purpose>>> {
    let sql = sql!("SELECT purpose FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE");
    Ok(tx.opt::<(Option<Purpose>,)>(sql, args![id]).await?.map(|(purpose,)| purpose))
}

/// Sets what messages of a user are for by default, or takes it.
pub async fn set_purpose(tx: &mut Tx, id: UserId, purpose: Option<Purpose>, now: Time) -> Result<()> {
    tx.run_exactly(1, "UPDATE users SET purpose = $2, updated_at = $3 WHERE id = $1", args![id, purpose, now])
        .await
}

/// Since when a user may not send codes, locked until the transaction ends; no row of a user that there is not, or that was
/// deleted.
pub async fn lock_codes(tx: &mut Tx, id: UserId) -> Result<Option<Option<Time>>> {
    let sql = sql!("SELECT codes_withdrawn_at FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE");
    Ok(tx.opt::<(Option<Time>,)>(sql, args![id]).await?.map(|(since,)| since))
}

/// Withdraws from a user the right to send codes, or gives it back (`None`).
pub async fn set_codes(tx: &mut Tx, id: UserId, withdrawn_at: Option<Time>, now: Time) -> Result<()> {
    let sql = "UPDATE users SET codes_withdrawn_at = $2, updated_at = $3 WHERE id = $1";
    tx.run_exactly(1, sql, args![id, withdrawn_at, now]).await
}

/// Those of these users who may not send codes.
pub async fn without_codes(tx: &mut Tx, users: Vec<UserId>) -> Result<Vec<UserId>> {
    let sql = sql!("SELECT id FROM users WHERE id = ANY($1::BIGINT[]) AND codes_withdrawn_at IS NOT NULL");
    let rows: Vec<(UserId,)> = tx.all(sql, args![vec![Column::of(users)]]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Notes a sign-in.
///
/// # Errors
/// 404 when the user was deleted meanwhile: no session may begin.
pub async fn signed_in(tx: &mut Tx, id: UserId, now: Time) -> Result<()> {
    let sql = "UPDATE users SET last_login_at = $2 WHERE id = $1 AND deleted_at IS NULL";
    if tx.run(sql, args![id, now]).await? == 1 { Ok(()) } else { Err(Error::NotFound("user")) }
}

/// Notes that a user was deleted.
pub async fn mark_deleted(tx: &mut Tx, id: UserId, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE users SET deleted_at = $2, updated_at = $2, rate_plan = NULL WHERE id = $1 AND deleted_at IS NULL",
        args![id, now],
    )
    .await
}

/// How many administrators are active, as this transaction left it. On PostgreSQL they stay locked until it ends, so
/// that two administrators cannot deactivate each other at once; SQLite has one writer.
pub async fn active_admins(tx: &mut Tx) -> Result<usize> {
    let sql = sql!("SELECT id FROM users WHERE role = 'admin' AND status = 'active' ORDER BY id FOR UPDATE");
    let admins: Vec<(i64,)> = tx.all(sql, args![]).await?;
    Ok(admins.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::create_user;
    use crate::both_databases;
    use crate::model::page::Page;
    use crate::operate::user::{activate_user, deactivate_user};
    use crate::store::Lane;
    use crate::testing::account::{make_user, new_user};
    use crate::testing::identity::identity;

    const NOW: Time = Time(1_700_000_000_000);

    both_databases! {
        async fn a_user_is_read_back_as_it_was_made(store: Store) {
            let id = make_user(&store, "ada", Role::Admin).await;
            let mut tx = store.read().await.unwrap();
            let user = by_id(&mut tx, id).await.unwrap().unwrap();
            assert_eq!((user.username.as_str(), user.email.as_str()), ("ada", "ada@example.com"));
            assert_eq!((user.role, user.status), (Role::Admin, UserStatus::Active));
            assert_eq!((user.created_at, user.last_login_at, user.zone.as_str()), (NOW, None, "Africa/Lagos"));
            assert_eq!(by_username(&mut tx, "ada").await.unwrap(), Some(user));
            assert_eq!(by_id(&mut tx, UserId(id.0 + 1)).await.unwrap(), None);
        }

        async fn a_name_and_an_address_belong_to_one_user(store: Store) {
            make_user(&store, "ada", Role::User).await;
            let mut same_email = new_user("other", Role::User);
            same_email.email = "ADA@example.com".parse().unwrap();
            for (user, code) in [(new_user("ada", Role::User), "username_taken"), (same_email, "email_taken")] {
                let refused = store
                    .write(Lane::Interactive, user, |tx, user| Box::pin(create_user(tx, user, NOW)))
                    .await;
                assert_eq!(refused.unwrap_err().code(), code);
            }
        }

        async fn credentials_are_found_by_name_and_by_address(store: Store) {
            let id = make_user(&store, "ada", Role::User).await;
            let mut tx = store.read().await.unwrap();
            for login in ["ada", "ada@example.com"] {
                assert_eq!(credentials(&mut tx, login).await.unwrap(), Some((id, None)));
            }
            assert_eq!(credentials(&mut tx, "eve").await.unwrap(), None);
        }

        async fn lists_are_newest_first_and_the_search_takes_signs_literally(store: Store) {
            for name in ["ada", "ada_b", "eve"] {
                make_user(&store, name, Role::User).await;
            }
            let mut tx = store.read().await.unwrap();
            let mut found = async |q: &str, number, size| {
                let listing = Listing { q: q.into(), page: Page::new(number, size), ..Listing::newest(1) };
                let filter = UserFilter { status: Some(UserStatus::Active), ..UserFilter::default() };
                let (users, total) = page(&mut tx, filter, &listing).await.unwrap();
                (users.into_iter().map(|user| user.username).collect::<Vec<_>>().join(" "), total)
            };
            assert_eq!(found("", 1, 10).await, ("eve ada_b ada".to_owned(), 3));
            assert_eq!(found("", 2, 1).await, ("ada_b".to_owned(), 3));
            assert_eq!(found("a_b", 1, 10).await, ("ada_b".to_owned(), 1));
            assert_eq!(found("%", 1, 10).await, (String::new(), 0));
            assert_eq!(found("EXAMPLE.com", 1, 10).await.1, 3);
        }

        async fn the_last_active_administrator_cannot_be_deactivated(store: Store) {
            let first = make_user(&store, "root", Role::Admin).await;
            let second = make_user(&store, "root2", Role::Admin).await;
            let deactivate = |id: UserId| {
                store.write(Lane::Interactive, (id, first), |tx, (id, by)| {
                    Box::pin(deactivate_user(tx, *id, *by, NOW))
                })
            };
            deactivate(second).await.unwrap();
            assert_eq!(deactivate(first).await.unwrap_err().code(), "last_admin");
            let still = by_id(&mut store.read().await.unwrap(), first).await.unwrap().unwrap();
            assert_eq!(still.status, UserStatus::Active);
            store
                .write(Lane::Interactive, (identity(&store), second, first), |tx, (identity, id, by)| {
                    Box::pin(activate_user(tx, identity, *id, *by, NOW))
                })
                .await
                .unwrap();
            let both = futures::future::join(deactivate(first), deactivate(second)).await;
            assert_eq!([both.0, both.1].iter().filter(|outcome| outcome.is_ok()).count(), 1);
            assert_eq!(deactivate(UserId(99)).await.unwrap_err().code(), "not_found");
        }
    }
}
