//! `talkdrum users limits`.

use serde_json::{Map, Value};
use talkdrum_api::money::Amount;
use talkdrum_api::user::UserLimits;

use super::id_of;
use crate::args::LimitsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<UserLimits>] = &[
    Column::right("user_id", "User", |it| Cell::Number(it.user_id)),
    Column::left("cap_espees", "ESPEES a day", |it| cap(it.cap_espees, it.cap_espees_is_default)),
    Column::left("cap_naira", "Naira a day", |it| cap(it.cap_naira, it.cap_naira_is_default)),
    Column::right("spent_espees", "ESPEES today", |it| Cell::balance(it.spent_espees)),
    Column::right("spent_naira", "Naira today", |it| Cell::balance(it.spent_naira)),
    Column::left("proven", "Proven", |it| Cell::text(if it.proven { "yes" } else { "no" })),
];

fn cap(cap: Option<Amount>, is_default: bool) -> Cell {
    let cap = cap.map_or_else(|| "none".to_owned(), |cap| cap.to_fixed(2));
    Cell::text(&if is_default { format!("{cap} (default)") } else { cap })
}

/// Sets what was named, and shows what is in effect.
pub(crate) async fn run(context: &Context, args: LimitsArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/admin/users/{}/limits", id_of(&client, &args.user).await?);
    let mut change = Map::new();
    for (field, value) in [("cap_espees", args.cap_espees), ("cap_naira", args.cap_naira)] {
        change.extend(value.map(|value| (field.to_owned(), Value::String(value))));
    }
    if args.proven || args.not_proven {
        change.insert("proven".to_owned(), Value::Bool(args.proven));
    }
    let answer: Answer<UserLimits> =
        if change.is_empty() { client.get(&path, &[]).await? } else { client.put(&path, &change).await? };
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
