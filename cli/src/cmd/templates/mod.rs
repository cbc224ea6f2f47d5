//! Texts that a user writes often.

use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::template::{Template, TemplateSaved, Templates};

use super::Context;
use crate::args::{AddTemplateArgs, EditTemplateArgs, TemplateArgs, TemplatesCommand};
use crate::client::{Answer, Client};
use crate::exit::{Exit, Failure, Result};
use crate::form::written;
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Template>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("text", "Text", |it| Cell::text(&it.text)),
    Column::left("updated_at", "Changed", |it| Cell::Time(it.updated_at.clone())),
];

/// Runs one of the commands.
pub(super) async fn run(context: &Context, command: TemplatesCommand) -> Result<Exit> {
    match command {
        TemplatesCommand::List => list(context).await,
        TemplatesCommand::Add(args) => add(context, args).await,
        TemplatesCommand::Edit(args) => edit(context, args).await,
        TemplatesCommand::Remove(args) => remove(context, args).await,
    }
}

async fn list(context: &Context) -> Result<Exit> {
    let answer: Answer<Templates> = context.client()?.get("/api/templates", &()).await?;
    let total = answer.value.templates.len() as i64;
    context.out.list(&answer.json, &answer.value.templates, total, COLUMNS)?;
    Ok(Exit::Done)
}

async fn add(context: &Context, args: AddTemplateArgs) -> Result<Exit> {
    let text = written(args.message.as_deref(), args.message_file.as_deref())?.unwrap_or_default();
    let body = json!({ "name": args.name, "text": text });
    let answer: Answer<TemplateSaved> =
        context.client_showing(COLUMNS)?.post("/api/templates", &body, None).await?;
    context.out.record(&answer.json, &answer.value.template, COLUMNS)?;
    Ok(Exit::Done)
}

async fn edit(context: &Context, args: EditTemplateArgs) -> Result<Exit> {
    let client = context.client_showing(COLUMNS)?;
    let template = find_template(&client, &args.template).await?;
    let (name, text) = (args.name.unwrap_or(template.name), args.message.unwrap_or(template.text));
    let body = json!({ "name": name, "text": text });
    let path = format!("/api/templates/{}", template.id);
    let answer: Answer<TemplateSaved> = client.put(&path, &body).await?;
    context.out.record(&answer.json, &answer.value.template, COLUMNS)?;
    Ok(Exit::Done)
}

async fn remove(context: &Context, args: TemplateArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = find_template(&client, &args.template).await?.id;
    let answer: Answer<Message> = client.delete(&format!("/api/templates/{id}")).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// The template of a name, in whatever case, else of an id.
pub(crate) async fn find_template(client: &Client, wanted: &str) -> Result<Template> {
    let all = client.get::<Templates>("/api/templates", &()).await?.value.templates;
    let name = wanted.trim().to_lowercase();
    let named = all.iter().position(|it| it.name.to_lowercase() == name);
    let place = named.or_else(|| all.iter().position(|it| it.id.to_string() == name));
    let found = place.and_then(|place| all.into_iter().nth(place));
    found.ok_or_else(|| {
        Failure::not_found(format!("there is no template '{}'", wanted.trim()))
            .hint("give its name or its id, as talkdrum templates list shows them")
    })
}
