//! Files that are stored in pieces, each in a transaction of its own. A file is seen from the transaction behind its last
//! piece on, until it is removed: then its `purge_at` is null. What is not seen goes by [`Pieces::purge`].

use crate::args;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::{Sql, Tx};
use crate::time::Time;

/// Bytes of a piece, the last one aside: of sound, 16 seconds.
pub const PIECE_BYTES: usize = 256 << 10;

/// The statements over a table of files and the table of their pieces, made by [`pieces!`].
#[derive(Debug)]
pub struct Pieces {
    /// What a file is called in errors.
    pub(in crate::store) file: &'static str,
    pub(in crate::store) put: &'static str,
    pub(in crate::store) show: &'static str,
    pub(in crate::store) stored_bytes: &'static str,
    pub(in crate::store) abandon: &'static str,
    pub(in crate::store) read: &'static str,
    pub(in crate::store) remove_some: &'static str,
    pub(in crate::store) next_to_purge: Sql,
    pub(in crate::store) remove_empty: &'static str,
    pub(in crate::store) next_of_user: &'static str,
}

/// [`Pieces`] of `pieces!("what a file is called", files, pieces (key of the file, data))`.
macro_rules! pieces {
    ($file:literal, $files:literal, $pieces:literal ($key:literal, $data:literal)) => {
        $crate::store::db::pieces::Pieces {
            file: $file,
            put: concat!(
                "INSERT INTO ",
                $pieces,
                " (",
                $key,
                ", place, ",
                $data,
                ") VALUES ($1, $2, $3) ON CONFLICT (",
                $key,
                ", place) DO NOTHING"
            ),
            show: concat!("UPDATE ", $files, " SET purge_at = NULL WHERE id = $1 AND purge_at > $2"),
            stored_bytes: concat!(
                "SELECT CAST(COALESCE(SUM(LENGTH(",
                $data,
                ")), 0) AS BIGINT) FROM ",
                $pieces,
                " WHERE ",
                $key,
                " = $1"
            ),
            abandon: concat!("UPDATE ", $files, " SET purge_at = $2 WHERE id = $1 AND purge_at > $2"),
            read: concat!("SELECT ", $data, " FROM ", $pieces, " WHERE ", $key, " = $1 AND place = $2"),
            remove_some: concat!(
                "DELETE FROM ",
                $pieces,
                " WHERE ",
                $key,
                " = $1 AND place IN (SELECT place FROM ",
                $pieces,
                " WHERE ",
                $key,
                " = $1 ORDER BY place LIMIT 8)"
            ),
            next_to_purge: $crate::sql!(
                "SELECT id FROM ",
                $files,
                " WHERE purge_at <= $1 ORDER BY purge_at, id LIMIT 1 FOR UPDATE SKIP LOCKED"
            ),
            remove_empty: concat!(
                "DELETE FROM ",
                $files,
                " WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM ",
                $pieces,
                " WHERE ",
                $key,
                " = $1)"
            ),
            next_of_user: concat!(
                "SELECT f.id FROM ",
                $files,
                " f WHERE f.user_id = $1 AND EXISTS (SELECT 1 FROM ",
                $pieces,
                " p WHERE p.",
                $key,
                " = f.id) ORDER BY f.id LIMIT 1"
            ),
        }
    };
}
pub(in crate::store) use pieces;

impl Pieces {
    /// Stores the piece at a place, once.
    pub async fn put(&self, tx: &mut Tx, file: i64, place: i64, data: &[u8]) -> Result<()> {
        tx.run(self.put, args![file, place, data]).await?;
        Ok(())
    }

    /// Ends the storing of a file of so many bytes: from here on it is seen.
    ///
    /// # Errors
    /// `Corrupt` when pieces are missing.
    pub async fn complete(&self, tx: &mut Tx, file: i64, bytes: i64, now: Time) -> Result<()> {
        // Before its pieces are counted: from here on no purge removes them.
        tx.run_exactly(1, self.show, args![file, now]).await?;
        let (stored,): (i64,) = tx.one(self.stored_bytes, args![file]).await?;
        if stored != bytes {
            return Err(Error::Corrupt(format!("{} {file} has {stored} of {bytes} bytes", self.file)));
        }
        Ok(())
    }

    /// Gives up a file that was begun and not completed.
    pub async fn abandon(&self, tx: &mut Tx, file: i64, now: Time) -> Result<()> {
        tx.run(self.abandon, args![file, now]).await?;
        Ok(())
    }

    /// The piece at a place.
    pub async fn read(&self, tx: &mut Tx, file: i64, place: i64) -> Result<Option<Vec<u8>>> {
        Ok(tx.opt::<(Vec<u8>,)>(self.read, args![file, place]).await?.map(|(data,)| data))
    }

    /// Removes a bounded part of a file that is not seen; how many rows, 0 when there is none left.
    pub async fn purge(&self, tx: &mut Tx, now: Time) -> Result<u64> {
        // Each daemon removes another one, and its row only once it has no pieces.
        let Some((file,)) = tx.opt::<(i64,)>(self.next_to_purge, args![now]).await? else { return Ok(0) };
        match tx.run(self.remove_some, args![file]).await? {
            // Of one whose user is being deleted others remove pieces, too.
            0 => tx.run(self.remove_empty, args![file]).await,
            pieces => Ok(pieces),
        }
    }

    /// Removes a bounded number of pieces of a user's files; true when there are none left.
    pub async fn forget_of(&self, tx: &mut Tx, user: UserId) -> Result<bool> {
        let Some((file,)) = tx.opt::<(i64,)>(self.next_of_user, args![user]).await? else { return Ok(true) };
        tx.run(self.remove_some, args![file]).await?;
        Ok(false)
    }
}
