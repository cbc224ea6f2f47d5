//! Statements: the movements of a user's wallets, newest first, as the API shows them.
//!
//! An entry is shown as it was posted; amounts and balances are the ledger's, never computed again.

use talkdrum_api::money::Currency;
use talkdrum_api::wallet::{Statement, StatementEntry};

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::money::ledger::{AccountId, TransferId};
use crate::model::page::Page;
use crate::store::Tx;
use crate::store::money::{ledger as table, statement as place};

/// A page of the movements of a user's wallet in one currency, or of both wallets together.
///
/// # Errors
/// [`crate::Error::NotFound`] when the user has no wallet.
pub async fn page(tx: &mut Tx, user: UserId, currency: Option<Currency>, page: Page) -> Result<Statement> {
    let currencies = currency.map_or_else(|| Currency::ALL.to_vec(), |currency| vec![currency]);
    let mut wallets = Vec::with_capacity(currencies.len());
    let mut total = 0;
    for currency in currencies {
        let (wallet, _) = super::wallet(tx, user, currency).await?;
        total += table::statement_size(tx, wallet).await?;
        wallets.push((wallet, currency));
    }
    let Some(newest) = newest(tx, &wallets, page).await? else {
        return Ok(Statement { entries: Vec::new(), total });
    };
    let before = TransferId(newest.0.saturating_add(1));
    let mut entries = Vec::new();
    for (wallet, currency) in wallets {
        let rows = table::statement(tx, wallet, before, page.size()).await?;
        entries.extend(rows.into_iter().map(|row| entry(row, currency)));
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.id));
    entries.truncate(usize::try_from(page.size()).unwrap_or(0));
    Ok(Statement { entries, total })
}

/// The transfer a page begins with.
async fn newest(tx: &mut Tx, wallets: &[(AccountId, Currency)], page: Page) -> Result<Option<TransferId>> {
    match wallets {
        [(one, _)] => place::at_one(tx, *one, page.skip()).await,
        [(one, _), (two, _)] => place::at_two(tx, (*one, *two), page.skip()).await,
        _ => Ok(None),
    }
}

fn entry(row: table::StatementRow, currency: Currency) -> StatementEntry {
    StatementEntry {
        id: row.id.0,
        at: row.created_at.to_rfc3339(),
        currency: currency.code().to_owned(),
        code: row.code.code().to_owned(),
        reference: row.reference,
        narration: row.narration,
        amount: row.amount,
        balance: row.balance,
        campaign_id: row.campaign_id.map(|id| id.0),
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_api::money::{Amount, Money};

    use super::*;
    use crate::ledger::credit_by_admin;
    use crate::store::Lane;
    use crate::testing::builder::user;
    use crate::testing::database::for_each_database;
    use crate::time::Time;

    #[tokio::test]
    async fn pages_of_a_statement_hold_every_movement_once_newest_first() {
        for_each_database(|store| async move {
            let ada = user(&store, "ada").await;
            store
                .write(Lane::Interactive, ada, |tx, user| {
                    Box::pin(async move {
                        for count in 1..=7 {
                            let currency = Currency::ALL[usize::from(count % 3 == 0)];
                            let money = Money { amount: Amount(count), currency };
                            credit_by_admin(tx, *user, money, &format!("ref-{count}"), Time(count)).await?;
                        }
                        Ok(())
                    })
                })
                .await
                .unwrap();
            let mut tx = store.read().await.unwrap();
            let mut seen = Vec::new();
            for number in 1..=4 {
                let statement = page(&mut tx, ada, None, Page::new(number, 2)).await.unwrap();
                assert_eq!(statement.total, 7);
                seen.extend(statement.entries.into_iter().map(|entry| (entry.reference, entry.amount.0)));
            }
            let expected: Vec<_> = (1..=7).rev().map(|count| (format!("ref-{count}"), count)).collect();
            assert_eq!(seen, expected);
            let naira = page(&mut tx, ada, Some(Currency::Naira), Page::first()).await.unwrap();
            assert_eq!(naira.entries.iter().map(|entry| entry.balance.0).collect::<Vec<_>>(), [9, 3]);
            let beyond = page(&mut tx, ada, None, Page::new(5, 2)).await.unwrap();
            assert_eq!((beyond.entries.len(), beyond.total), (0, 7));
        })
        .await;
    }
}
