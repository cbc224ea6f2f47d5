//! `talkdrum profile show`.

use talkdrum_api::account::Profile;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Profile>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.user.name)),
    Column::left("username", "Username", |it| Cell::text(&it.user.username)),
    Column::left("email", "E-mail", |it| Cell::text(&it.user.email)),
    Column::left("email_verified", "Proven", |it| {
        Cell::text(if it.user.email_verified { "yes" } else { "no" })
    }),
    Column::left("phone_number", "Phone", |it| it.user.phone_number.as_ref().map_or(Cell::Empty, Cell::text)),
    Column::left("gender", "Gender", |it| it.user.gender.as_ref().map_or(Cell::Empty, Cell::text)),
    Column::left("zone", "Time zone", |it| Cell::text(&it.user.zone)),
    Column::left("avatar", "Picture", |it| it.user.avatar.as_ref().map_or(Cell::Empty, Cell::text)),
    Column::left("status", "Status", |it| Cell::text(&it.user.status)),
    Column::right("espee_balance", "ESPEES", |it| Cell::balance(it.user.espee_balance)),
    Column::right("paystack_balance", "Naira", |it| Cell::balance(it.user.paystack_balance)),
    Column::left("created_at", "Since", |it| Cell::Time(it.user.created_at.clone())),
    Column::left("last_login_at", "Last sign-in", |it| Cell::time(it.user.last_login_at.as_ref())),
];

/// Shows the profile.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Profile> = context.client()?.get("/api/user-profile", &[]).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
