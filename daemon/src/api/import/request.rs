//! An import as it comes over the wire: the file is put aside, begun, and answered when it is done, or at once with
//! `background=1`.

use std::io::{Seek as _, SeekFrom};

use axum::Json;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::contact::{Import, ImportAnswer};
use talkdrum_core::contact::find_group;
use talkdrum_core::contact::import::{ImportDestination, ImportRequest, Mapping, find};
use talkdrum_core::model::contact::id::GroupId;
use talkdrum_core::model::contact::{ImportStatus, ImportTarget};
use talkdrum_core::store::contact::import::ImportRow;
use talkdrum_core::store::operations::idempotency::Claim;
use talkdrum_core::{Error, Result};
use tempfile::SpooledTempFile;
use utoipa::{IntoParams, ToSchema};

use crate::api::campaign::Spool;
use crate::http::{ApiError, Caller, Form, Upload};
use crate::state::AppState;

/// What is imported, and which column is what.
#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::api) struct ImportForm {
    /// A CSV or text file of any size.
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    file: Option<String>,
    /// The name of the group that is made.
    #[serde(default)]
    pub(in crate::api) group_name: String,
    /// What that group is for.
    #[serde(default)]
    pub(in crate::api) description: String,
    /// The column with the numbers; detected when it is not given. Repeated where several are to be read: each number of
    /// a row is a contact.
    #[serde(default)]
    phone_column: Vec<String>,
    /// The column with the names; detected when it is not given.
    name_column: Option<String>,
    /// The column with the e-mail addresses; detected when it is not given.
    email_column: Option<String>,
    /// A column that is left out; repeated. All others become merge fields.
    #[serde(default)]
    ignore_column: Vec<String>,
    /// Which messages an opt-out ends whose row does not say it in a column `reach`: `all` but codes, which is meant when it is
    /// left out, or `promotional`.
    pub(in crate::api) reach: Option<String>,
    /// Noted with every opt-out.
    #[serde(default)]
    pub(in crate::api) note: String,
}

impl ImportForm {
    /// What the caller says about the columns.
    pub(in crate::api) fn mapping(&self) -> Mapping {
        Mapping {
            phone: self.phone_column.iter().filter(|name| !name.trim().is_empty()).cloned().collect(),
            name: self.name_column.clone(),
            email: self.email_column.clone(),
            ignore: self.ignore_column.clone(),
        }
    }
}

/// Whether to wait for the end.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct Wait {
    /// `1` to be answered at once, with an import to watch.
    #[serde(default)]
    background: String,
}

/// A file, and its name where the client gave one.
pub(in crate::api) type Named = (SpooledTempFile, Option<String>);

/// Reads a form to its end; the file is put aside. What the caller may not do is refused before.
pub(in crate::api) async fn read(
    app: &AppState,
    caller: &Caller,
    upload: Upload,
) -> Result<(Form<ImportForm>, Named), ApiError> {
    caller.require_active()?;
    app.import_rate.check(caller.user_id)?;
    app.disk.check()?;
    let mut spool = Spool::new(app.spool_dir.clone(), app.disk.clone());
    let form = upload.read::<ImportForm>(&["file"], &mut spool).await?;
    let file = spool
        .into_file()?
        .ok_or_else(|| Error::field("file", "file_required", "Please provide a file and group name."))?;
    Ok((form, file))
}

/// Imports, and answers.
pub(in crate::api) async fn import(
    app: &AppState,
    caller: &Caller,
    wait: &Wait,
    (target, mapping, (mut file, file_name)): (ImportDestination, Mapping, Named),
    claim: Option<Claim>,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let user = caller.user_id;
    let io = |error| Error::io("reading the file", error);
    let bytes = file.seek(SeekFrom::End(0)).map_err(io)?;
    file.rewind().map_err(io)?;
    let request = ImportRequest { user, target, mapping, file_name, source: Box::new(file), bytes, claim };
    let begun = app.imports.begin(request).await?;
    let id = begun.id;
    let in_background = matches!(wait.background.trim(), "1" | "true" | "yes");
    if !in_background {
        begun.ended().await?;
    }
    let mut tx = app.store.read().await?;
    let row = find(&mut tx, user, id).await?;
    let message = message(&row);
    let import = Import::try_from(row)?;
    let group = match import.group_id {
        Some(group) => find_group(&mut tx, user, GroupId(group)).await.and_then(TryInto::try_into).ok(),
        None => None,
    };
    let status = if in_background { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(ImportAnswer { message, group, import })))
}

fn message(import: &ImportRow) -> String {
    let what = match import.target {
        ImportTarget::OptOuts => "opt-out",
        ImportTarget::Group => "contact",
    };
    if import.status == ImportStatus::Running {
        return format!("Import {} has begun", import.id);
    }
    let plural = if import.added == 1 { "" } else { "s" };
    let mut message = format!(
        "{} new {what}{plural}, {} updated, {} unchanged",
        import.added, import.updated, import.unchanged
    );
    if import.invalid > 0 {
        message.push_str(&format!("; {} of {} rows were rejected", import.invalid, import.rows_read));
    }
    message
}
