//! The administrator's lists over many users, messages and transfers: any page of any of them.

use anyhow::Context as _;
use talkdrum_core::args;
use talkdrum_core::store::{Lane, Store, StoreOptions};

use crate::lists::middle_ms;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};
use crate::{Setup, campaign};

/// Customers besides the one who sends.
const USERS: i64 = 10_000;
/// Credits to them, so that the ledger has a history.
const CREDITS: usize = 1_000;

/// Measures them.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let plan = Plan { users: USERS, ..Plan::default() };
    let rig = Rig::start(&setup.programs, &plan).await?;
    let sent = campaign::run(&rig, setup.messages, 13).await?;
    let admin = rig.administrator().await?;
    let found = admin.get("/admin/get-all-active-users?page=1&per_page=20&q=customer").await?;
    anyhow::ensure!(
        found["total"].as_i64() == Some(USERS * 4 / 5),
        "the customers are not all there: {found}"
    );
    let first = found["active_users"][0]["id"].as_i64().context("a user without an id")?;
    for place in 0..CREDITS {
        let reference = format!("figures-{place}");
        let credit = [("espees", "1"), ("payment_ref", reference.as_str())];
        admin.post(&format!("/admin/assign-espee/{first}"), &credit).await?;
    }
    campaign::settle_down(&rig).await;
    let transactions = admin.get("/admin/get-all-transactions?page=1&per_page=20").await?;
    let transactions = transactions["total"].as_i64().context("transactions without a total")?;
    let last = |rows: i64| rows / 20;
    let users = "/admin/get-all-active-users?per_page=20";
    let history = "/admin/get-all-transactions?per_page=20";
    let messages = format!("/api/campaigns/{}/messages?per_page=20", sent.campaign);
    let paths = [
        ("active users", format!("{users}&page=1")),
        ("their last page", format!("{users}&page={}", last(USERS * 4 / 5))),
        ("users by a word", format!("{users}&page=1&q=customer+99")),
        ("inactive users", "/admin/get-all-inactive-users?per_page=20&page=50".into()),
        ("one user", format!("/admin/get-user-details/{first}")),
        ("campaigns", "/admin/get-all-camapaign-history?page=1&per_page=20".into()),
        ("transactions", format!("{history}&page=1")),
        ("their last page", format!("{history}&page={}", last(transactions))),
        ("transactions by a word", format!("{history}&page=1&q=figures-77")),
        ("messages", format!("{messages}&page=1")),
        ("their last page", format!("{messages}&page={}", last(sent.size.min(1_000_000)) - 1)),
        ("unknown messages", "/admin/unknown-messages?page=1&per_page=20".into()),
        ("payments", "/admin/payments?page=1&per_page=20".into()),
        ("sender ids", "/admin/get-sender-ids?page=1&per_page=20".into()),
        ("audit trail", "/admin/audit?page=1&per_page=20".into()),
        ("its last page", format!("/admin/audit?per_page=20&page={}", last(CREDITS as i64))),
        ("figures", "/admin/figures".into()),
    ];
    let (mut slowest, mut all) = (0.0_f64, Vec::new());
    for (name, path) in paths {
        let start = std::time::Instant::now();
        admin.get(&path).await?;
        let cold = start.elapsed().as_secs_f64() * 1e3;
        let middle = middle_ms(&admin, &path).await?;
        slowest = slowest.max(middle);
        all.push(format!("{name} {middle:.1} (first {cold:.1})"));
    }
    let name = format!(
        "any page of an administrator at {} users and {} messages",
        grouped(USERS as f64),
        grouped(sent.size as f64)
    );
    let figure = Figure::new(name, Unit::Millis, Goal::AtMost(50.0, Some(10.0)), slowest);
    figures.push(figure.note(all.join(", ") + " ms"));
    rig.close().map(|_| ())
}

/// Makes customers in a database that is not in use yet, a fifth of them inactive, each with both wallets.
pub(crate) async fn populate(options: &StoreOptions, users: i64) -> anyhow::Result<()> {
    let store = Store::open(options).await?;
    store
        .write(Lane::Interactive, users, |tx, users| {
            Box::pin(async move {
                tx.run(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) \
                     INSERT INTO users (name, username, email, role, status, zone, created_at, updated_at) \
                     SELECT 'Customer ' || i, 'customer' || i, 'customer' || i || '@example.com', 'user', \
                       CASE WHEN i % 5 = 0 THEN 'inactive' ELSE 'active' END, 'Africa/Lagos', \
                       1760000000000 + i, 1760000000000 + i FROM n",
                    args![*users],
                )
                .await?;
                for currency in ["espees", "naira"] {
                    tx.run(
                        "INSERT INTO accounts (kind, currency, user_id, balance_micros) \
                         SELECT 'wallet', $1, id, 0 FROM users WHERE username LIKE 'customer%'",
                        args![currency],
                    )
                    .await?;
                }
                Ok(())
            })
        })
        .await?;
    store.close().await;
    Ok(())
}
