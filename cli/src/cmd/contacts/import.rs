//! `talkdrum contacts import`, and how any file is imported: uploaded, followed to its end, its rejects saved.

use std::path::Path;
use std::time::Duration;

use reqwest::multipart::Form;
use talkdrum_api::contact::{Import, ImportAnswer};

use super::{IMPORT_COLUMNS, ShownImport};
use crate::args::{ColumnArgs, ImportContactsArgs, OutcomeArgs};
use crate::client::{Answer, CallError, Client, retrying};
use crate::cmd::Context;
use crate::cmd::download::download;
use crate::cmd::groups::{find_group, look_up};
use crate::cmd::send::follow::beyond_limit;
use crate::cmd::send::say_notices;
use crate::exit::{Code, Exit, Failure, Result};
use crate::form::file_part;
use crate::output::{holds_rejects, is_stdin, json_object, to_json};
use crate::progress::Upload;
use crate::state::{ImportState, Remembered};

/// Between two looks at an import.
const PAUSE: Duration = Duration::from_millis(200);

/// Imports a file into a group.
pub(crate) async fn run(context: &Context, args: ImportContactsArgs) -> Result<Exit> {
    if args.if_changed && is_stream(&args.file) {
        return Err(Failure::usage(
            "--if-changed needs a regular file: stdin and pipes can be read once only",
        ));
    }
    let context = &context.saving_rejects(args.outcome.rejects.as_deref(), [Path::new(&args.file)])?;
    let client = context.client_showing(IMPORT_COLUMNS)?;
    let state = ImportState::of(client.url(), &args.group, context.profile_name())?;
    // Held until the end of the command: two imports into one group never overlap.
    let _lock = state.lock()?;
    let group = if args.create {
        look_up(&client, &args.group).await?
    } else {
        Some(find_group(&client, &args.group).await?)
    };
    let print = if args.if_changed { Some(state.print_of(&args.file, &args.columns)?) } else { None };
    if let (Some(group), Some(print)) = (&group, &print)
        && is_done_already(&client, &state, group.id, print).await?
    {
        context.out.note(&format!("{} is unchanged since it was imported: nothing was done", args.file));
        return Ok(Exit::Done);
    }
    let mut form = columns(Form::new(), &args.columns);
    let path = match &group {
        Some(group) => format!("/api/import/contact/group/{}", group.id),
        None => {
            form = form.text("group_name", args.group.clone());
            "/api/import/contacts/new/group".to_owned()
        }
    };
    let import = import(context, &client, &path, form, &args.file).await?;
    if let (Some(print), Some(group)) = (print, import.group_id) {
        state.remember(&Remembered { print, group, import: import.id })?;
    }
    finish(context, &client, &import, &args.outcome).await
}

/// Whether a file can be read only once.
fn is_stream(file: &str) -> bool {
    is_stdin(file) || std::fs::metadata(file).is_ok_and(|about| !about.is_file())
}

/// Whether the same bytes were imported into the same group, and the daemon knows of it.
async fn is_done_already(client: &Client, state: &ImportState, group: i64, print: &str) -> Result<bool> {
    let Some(before) = state.recall() else { return Ok(false) };
    if before.print != print || before.group != group {
        return Ok(false);
    }
    match client.get::<ShownImport>(&format!("/api/imports/{}", before.import), &()).await {
        Ok(answer) => {
            let import = answer.value.import;
            Ok(import.status == "completed" && import.group_id == Some(group))
        }
        // Forgotten by the daemon: importing again does no harm.
        Err(error) if error.refusal().is_some_and(|(status, _)| status == 404) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Adds what was said of the columns.
fn columns(mut form: Form, args: &ColumnArgs) -> Form {
    let single = [("name_column", &args.name_column), ("email_column", &args.email_column)];
    for (field, column) in single {
        if let Some(column) = column {
            form = form.text(field, column.clone());
        }
    }
    for column in &args.phone_column {
        form = form.text("phone_column", column.clone());
    }
    for column in &args.ignore_column {
        form = form.text("ignore_column", column.clone());
    }
    form
}

/// Uploads a file, and follows its import to the end.
pub(crate) async fn import(
    context: &Context,
    client: &Client,
    path: &str,
    form: Form,
    file: &str,
) -> Result<Import> {
    let quiet = context.out.quiet || file == "-";
    let (part, upload) = file_part(file, &|size| Upload::new(size, quiet)).await?;
    let path = format!("{path}?background=1");
    let begun = client.post_form::<ImportAnswer>(&path, form.part("file", part), None).await;
    upload.end();
    let mut import = begun?.value.import;
    let goes_on = format!("import {} goes on: talkdrum contacts imports {} shows it", import.id, import.id);
    context.interruption.means(&goes_on);
    while import.status == "running" {
        tokio::time::sleep(PAUSE).await;
        import = look(context, client, import.id).await.map_err(|error| error.of_a_look(&goes_on))?;
    }
    context.interruption.means("");
    match import.status.as_str() {
        "completed" => Ok(import),
        _ => {
            let message = import.error.unwrap_or_else(|| "the import did not end well".to_owned());
            Err(Failure::new(Exit::Failed, Code::ImportFailed, message))
        }
    }
}

/// The import as it is now; a daemon that restarts is waited for.
async fn look(context: &Context, client: &Client, id: i64) -> Result<Import, CallError> {
    let told = |_: &CallError, _: Duration| context.out.note("the daemon is away: waiting for it");
    let path = format!("/api/imports/{id}");
    let answer: Answer<ShownImport> = retrying(told, || client.get(&path, &())).await?;
    Ok(answer.value.import)
}

/// Saves rejects, prints the result, and checks it against `--fail-if`.
pub(crate) async fn finish(
    context: &Context,
    client: &Client,
    import: &Import,
    outcome: &OutcomeArgs,
) -> Result<Exit> {
    let has_rejects = import.invalid + import.warnings > 0;
    // Those of an earlier run are not this one's.
    if let Some(file) = outcome.rejects.as_deref().filter(|file| has_rejects || holds_rejects(file)) {
        download(context, client, &format!("/api/imports/{}/rejects", import.id), &(), Some(file)).await?;
    }
    if !(context.out.quiet && context.out.is_table()) {
        let json = json_object(&[("import", to_json(import)?)]);
        context.out.record(&json, import, IMPORT_COLUMNS)?;
    }
    say_notices(context, &import.columns.notices, &import.columns.unread, "--phone-column");
    match beyond_limit(&format!("import {}", import.id), &outcome.fail_if, import, import.rows_read) {
        Some(failure) => Err(failure),
        None => Ok(Exit::Done),
    }
}
