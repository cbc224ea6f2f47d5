//! Announcements: managed by administrators, read by every user. The paths are spelt as the specification spells them.

mod list_active;
mod list_all;
mod manage;
mod show;

use talkdrum_api::setting::Announcement;
use talkdrum_core::store::platform::announcement::AnnouncementRow;
use talkdrum_core::time::Time;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(manage::manage_announcement))
        .routes(routes!(list_all::list_announcements))
        .routes(routes!(show::show_announcement))
        .routes(routes!(list_active::list_active_announcements))
}

/// The wire form of an announcement.
fn shown(row: AnnouncementRow) -> Announcement {
    Announcement {
        id: row.id,
        announcement: row.text,
        is_active: u8::from(row.is_active),
        created_at: Time(row.created_at).to_rfc3339(),
        updated_at: Time(row.updated_at).to_rfc3339(),
    }
}
