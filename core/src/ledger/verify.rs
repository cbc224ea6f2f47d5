//! Adding the whole ledger up again, for `talkdrumd check` and the tests.

use crate::error::Result;
use crate::store::Tx;
use crate::store::message::{deferred_receipt, packed_messages};
use crate::store::money::{ledger as table, payment};
use crate::store::voice::own_number_call;

/// What disagreed, in words an operator can act on. Empty means that all is well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings(pub Vec<String>);

/// Re-adds every account from its transfers, compares reserves with what campaigns still owe, and counters with the
/// messages they count; asks for receipts that were set aside.
pub async fn verify(tx: &mut Tx) -> Result<Findings> {
    let mut findings = Vec::new();
    for row in table::accounts_that_disagree(tx).await? {
        findings.push(format!(
            "account {}: its balance is {} micro-units, its transfers add up to {}",
            row.0.0, row.1.0, row.2.0
        ));
    }
    for row in table::reserves_that_disagree(tx).await? {
        findings.push(format!(
            "campaign {}: its reserve holds {} micro-units, its chunks still owe {}",
            row.0, row.1.0, row.2.0
        ));
    }
    for row in table::chunk_money_that_disagrees(tx).await? {
        findings.push(format!(
            "campaign {}: its chunks say {} micro-units were {}, the ledger says {}",
            row.0, row.1.0, row.3, row.2.0
        ));
    }
    for row in table::messages_without_their_money(tx).await? {
        findings.push(format!("message {}: {}", row.0.0, row.1));
    }
    for row in table::counters_that_disagree(tx).await? {
        findings.push(format!("chunk {}: its counters do not agree with its messages", row.0));
    }
    for chunk in packed_messages::damaged(tx).await? {
        findings.push(format!("chunk {chunk}: its packed messages cannot be read, or some are missing"));
    }
    for row in table::campaigns_that_disagree(tx).await? {
        findings.push(format!("campaign {}: {} chunks are open, its counter says {}", row.0, row.1, row.2));
    }
    for row in payment::that_disagree(tx).await? {
        findings.push(format!("{} ({}): payments and the ledger do not agree", row.0, row.1));
    }
    for row in own_number_call::that_disagree(tx).await? {
        findings.push(format!("call {} to verify a number: it and the ledger do not agree", row.0));
    }
    for row in deferred_receipt::aside(tx).await? {
        findings.push(format!(
            "held receipts {}: they cannot be written to their messages, see the log; each start tries again: {}",
            row.0, row.1
        ));
    }
    Ok(Findings(findings))
}
