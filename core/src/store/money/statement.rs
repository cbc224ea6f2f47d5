//! The place of a page in the movements of a user's wallets.

use crate::args;
use crate::error::Result;
use crate::model::money::ledger::{AccountId, TransferId};
use crate::store::Tx;

/// The transfer that stands after `skip` others among the movements of the wallets, newest first. Walks the covering
/// indexes of transfers by account, already in order. The wallets are two, or movements would be met twice.
pub async fn at_two(tx: &mut Tx, wallets: (AccountId, AccountId), skip: i64) -> Result<Option<TransferId>> {
    let row: Option<(TransferId,)> = tx
        .opt(
            "SELECT id FROM transfers WHERE debit_account_id = $1 \
             UNION ALL SELECT id FROM transfers WHERE credit_account_id = $1 \
             UNION ALL SELECT id FROM transfers WHERE debit_account_id = $2 \
             UNION ALL SELECT id FROM transfers WHERE credit_account_id = $2 \
             ORDER BY id DESC LIMIT 1 OFFSET $3",
            args![wallets.0, wallets.1, skip],
        )
        .await?;
    Ok(row.map(|row| row.0))
}

/// The transfer that stands after `skip` others among the movements of one wallet, newest first.
pub async fn at_one(tx: &mut Tx, wallet: AccountId, skip: i64) -> Result<Option<TransferId>> {
    let row: Option<(TransferId,)> = tx
        .opt(
            "SELECT id FROM transfers WHERE debit_account_id = $1 \
             UNION ALL SELECT id FROM transfers WHERE credit_account_id = $1 \
             ORDER BY id DESC LIMIT 1 OFFSET $2",
            args![wallet, skip],
        )
        .await?;
    Ok(row.map(|row| row.0))
}
