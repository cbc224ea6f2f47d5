//! `talkdrum rates`.

use talkdrum_api::setting::{Rate, RatePlan, Rates};

use crate::args::RatesArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Code, Exit, Failure, Result};
use crate::output::{Cell, Column, json_object, to_json};

const COLUMNS: &[Column<Rate>] = &[
    Column::left("prefix", "Prefix", |it| Cell::text(format!("+{}", it.prefix))),
    Column::left("network", "Network", |it| Cell::maybe(it.network.as_ref())),
    Column::left("purpose", "For", |it| it.purpose.map_or(Cell::Empty, |purpose| Cell::text(purpose.code()))),
    Column::right("espees", "ESPEES a page", |it| it.espees.map_or(Cell::Empty, Cell::charge)),
    Column::right("naira", "Naira a page", |it| it.naira.map_or(Cell::Empty, Cell::charge)),
    Column::left("updated_at", "Set", |it| Cell::time(it.updated_at.as_ref())),
];

const PLAN_COLUMNS: &[Column<RatePlan>] = &[
    Column::left("name", "Plan", |it| Cell::text(&it.name)),
    Column::right("rates", "Rates", |it| Cell::Number(i64::try_from(it.rates.len()).unwrap_or(i64::MAX))),
    Column::right("users", "Users", |it| it.users.map_or(Cell::Empty, Cell::Number)),
];

/// Lists what a page costs by where it goes; with `plan`, the rates of that plan; with `plans`, the plans.
pub(crate) async fn run(context: &Context, args: RatesArgs) -> Result<Exit> {
    if let Some(name) = args.plan {
        return of_plan(context, &name.trim().to_lowercase()).await;
    }
    if args.plans {
        let plans = all_plans(context).await?;
        let total = i64::try_from(plans.len()).unwrap_or(i64::MAX);
        let json = json_object(&[("plans", to_json(&plans)?), ("total", total.to_string())]);
        context.out.list(&json, &plans, total, PLAN_COLUMNS)?;
        return Ok(Exit::Done);
    }
    let answer: Answer<Rates> = context.client()?.get("/api/rates", &()).await?;
    let Rates { rates, total, .. } = &answer.value;
    context.out.list(&answer.json, rates, *total, COLUMNS)?;
    if rates.is_empty() {
        context
            .out
            .note("no rate is set: a page costs what 'talkdrum prices get' shows, in Nigeria and elsewhere");
    }
    Ok(Exit::Done)
}

async fn all_plans(context: &Context) -> Result<Vec<RatePlan>> {
    let answer: Answer<Rates> = context.client()?.get("/admin/rates", &()).await?;
    Ok(answer.value.plans.unwrap_or_default())
}

async fn of_plan(context: &Context, name: &str) -> Result<Exit> {
    let plans = all_plans(context).await?;
    let Some(plan) = plans.iter().find(|plan| plan.name == name) else {
        let names: Vec<&str> = plans.iter().map(|plan| &*plan.name).collect();
        let known = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
        return Err(Failure::refused(Code::NotFound, format!("there is no rate plan '{name}'"))
            .hint(format!("rate plans: {known}")));
    };
    let total = i64::try_from(plan.rates.len()).unwrap_or(i64::MAX);
    let json = json_object(&[
        ("name", to_json(&plan.name)?),
        ("users", to_json(&plan.users)?),
        ("rates", to_json(&plan.rates)?),
        ("total", total.to_string()),
    ]);
    context.out.list(&json, &plan.rates, total, COLUMNS)?;
    if let Some(users) = plan.users {
        context.out.note(&format!("users with this plan: {users}"));
    }
    Ok(Exit::Done)
}
