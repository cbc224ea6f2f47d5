//! Own numbers: a user's own phones as caller ids. Verifying one takes a call, so they come with voice; what is stored
//! is listed here.

use talkdrum_api::sender::OwnNumber;

use super::Listing;
use crate::error::Result;
use crate::store::Tx;
use crate::store::sender::number as table;
use crate::store::sender::number::OwnRow;

/// A user's own numbers, and how many there are.
pub async fn list_own_numbers(tx: &mut Tx, user: i64, listing: &Listing) -> Result<(Vec<OwnNumber>, i64)> {
    let (rows, total) = table::own_page(tx, Some(user), listing).await?;
    Ok((rows.into_iter().map(shown).collect(), total))
}

/// All users' own numbers, and how many there are.
pub async fn list_all_own_numbers(tx: &mut Tx, listing: &Listing) -> Result<(Vec<OwnNumber>, i64)> {
    let (rows, total) = table::own_page(tx, None, listing).await?;
    Ok((rows.into_iter().map(shown).collect(), total))
}

fn shown(row: OwnRow) -> OwnNumber {
    OwnNumber {
        id: row.id,
        user_id: row.user_id,
        username: row.username,
        phone_number: row.phone_number,
        status: row.status.code().to_owned(),
        created_at: row.created_at.to_rfc3339(),
    }
}
