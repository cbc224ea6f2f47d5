//! Users, for administrators.

pub(super) mod activate;
pub(super) mod create;
pub(super) mod credit;
pub(super) mod delete;
pub(super) mod limits;
pub(super) mod list;
pub(super) mod message;
pub(super) mod show;

use serde::Deserialize;
use talkdrum_api::account::User;

use crate::client::{Answer, Client};
use crate::exit::{Failure, Result};
use crate::output::{Cell, Column};

/// A user in a list.
const COLUMNS: &[Column<User>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("username", "Username", |it| Cell::text(&it.username)),
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("email", "E-mail", |it| Cell::text(&it.email)),
    Column::left("role", "Role", |it| Cell::text(&it.role)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("espee_balance", "ESPEES", |it| Cell::balance(it.espee_balance)),
    Column::right("paystack_balance", "Naira", |it| Cell::balance(it.paystack_balance)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
    Column::left("last_login_at", "Last sign-in", |it| Cell::time(it.last_login_at.as_ref())),
];

/// The lists of users: each answers under its own name.
#[derive(Debug, Deserialize)]
struct Users {
    #[serde(alias = "active_users", alias = "inactive_users")]
    users: Vec<User>,
    #[serde(default)]
    total: i64,
}

/// Which users.
#[derive(Clone, Copy, Debug)]
enum Of {
    Active,
    Inactive,
    Both,
}

/// The users of one list that a query asks for.
async fn users(
    client: &Client,
    of: Of,
    query: &[(&str, String)],
) -> Result<Answer<Users>, crate::client::CallError> {
    let path = match of {
        Of::Active => "/admin/get-all-active-users",
        Of::Inactive => "/admin/get-all-inactive-users",
        Of::Both => "/admin/users",
    };
    client.get(path, query).await
}

/// The id of a user given by id, username or e-mail address.
pub(super) async fn id_of(client: &Client, who: &str) -> Result<i64> {
    if let Ok(id) = who.parse() {
        return Ok(id);
    }
    let found = users(client, Of::Both, &[("q", who.to_owned())]).await?.value.users;
    let exact = |user: &User| user.username == who || user.email.eq_ignore_ascii_case(who);
    if let Some(user) = found.into_iter().find(exact) {
        return Ok(user.id);
    }
    Err(Failure::failed(format!("there is no user '{who}'"))
        .hint("give the id, the username or the whole e-mail address, as talkdrum users list shows them"))
}
