//! `POST /api/drafts/{id}/files`.

use std::io::{Seek as _, Write as _};
use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::draft::DraftFileAdded;
use talkdrum_core::campaign::draft::{self, NewFile};
use talkdrum_core::model::campaign::id::DraftId;
use talkdrum_core::platform::quota::DraftRoom;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::{Error, Result};
use tempfile::{SpooledTempFile, spooled_tempfile_in};
use utoipa::ToSchema;

use crate::http::upload::{Part, PartSink};
use crate::http::{ApiError, Caller, Path, Upload};
use crate::limit::SPOOL_MEMORY_BYTES;
use crate::state::AppState;

/// The disk is looked at whenever so many bytes were put there.
const LOOK_BYTES: usize = 16 << 20;

/// A file of a draft.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct DraftFileForm {
    /// The file: recipients as a CSV or text file.
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the spool; here for the document")]
    file: Option<String>,
    /// The version of the draft that it is added to.
    #[serde(default)]
    version: i64,
}

/// Add a file to a draft. It is kept with it, within what an account may keep (`drafts_quota`). Where the draft was changed
/// meanwhile it is left alone (`draft_changed`).
#[utoipa::path(
    post, path = "/api/drafts/{id}/files", tag = "draft",
    params(("id" = i64, Path, description = "The draft's id")),
    request_body(content = DraftFileForm, content_type = "multipart/form-data"),
    responses((status = 201, body = DraftFileAdded)),
)]
pub(super) async fn add_draft_file(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<DraftId>,
    upload: Upload,
) -> Result<(StatusCode, Json<DraftFileAdded>), ApiError> {
    caller.require_active()?;
    app.disk.check()?;
    let user = caller.user_id;
    // Before a large upload, not after it.
    let mut tx = app.store.read().await?;
    draft::show(&mut tx, user, id).await?;
    let room = app.quotas.draft_room(&mut tx, user, app.clock.now()).await?;
    drop(tx);
    let mut spool = FileSpool::new(app.spool_dir.clone(), app.disk.clone(), room);
    let form = upload.read::<DraftFileForm>(&["file"], &mut spool).await?.data;
    let named = (user, id, form.version);
    let file_id = draft::add_file(&app.store, &*app.clock, named, spool.into_file()?, app.quotas).await?;
    let draft = draft::show(&mut app.store.read().await?, user, id).await?;
    let message = "File added to the draft".to_owned();
    Ok((StatusCode::CREATED, Json(DraftFileAdded { message, file_id: file_id.0, draft })))
}

/// The field `file` of one form: a short file in memory, a longer one on disk without a name.
#[derive(Debug)]
struct FileSpool {
    dir: PathBuf,
    disk: DiskGuard,
    /// How long it may be.
    room: Option<DraftRoom>,
    file: Option<SpooledTempFile>,
    name: Option<String>,
    bytes: u64,
    /// Bytes since the disk was looked at.
    unseen: usize,
}

impl FileSpool {
    const fn new(dir: PathBuf, disk: DiskGuard, room: Option<DraftRoom>) -> Self {
        Self { dir, disk, room, file: None, name: None, bytes: 0, unseen: 0 }
    }

    fn into_file(self) -> Result<NewFile> {
        let file = self.file.filter(|_| self.bytes > 0);
        let mut file = file.ok_or_else(|| Error::field("file", "file_required", "A file is required"))?;
        file.rewind().map_err(|error| Error::io("keeping the file of a draft", error))?;
        Ok(NewFile { name: self.name, file, bytes: self.bytes })
    }
}

impl PartSink for FileSpool {
    fn begin(&mut self, part: Part<'_>) -> Result<()> {
        if self.bytes > 0 {
            return Err(Error::field("file", "too_many_files", "One file can be added at a time"));
        }
        self.file = Some(spooled_tempfile_in(SPOOL_MEMORY_BYTES, &self.dir));
        self.name = part.file_name.map(str::to_owned);
        Ok(())
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        if let Some(room) = &self.room {
            room.check(self.bytes)?;
        }
        self.unseen += bytes.len();
        if self.unseen >= LOOK_BYTES {
            self.unseen = 0;
            self.disk.check()?;
        }
        match &mut self.file {
            Some(file) => {
                file.write_all(bytes).map_err(|error| Error::io("keeping the file of a draft", error))
            }
            None => Err(Error::Corrupt("a part of a form was not begun".into())),
        }
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}
