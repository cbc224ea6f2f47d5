//! `POST /api/transfer-fund`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Amount, Currency, Money, MoneyError};
use talkdrum_api::payment::Transferred;
use talkdrum_core::Error;
use talkdrum_core::model::account::user::UserStatus;
use talkdrum_core::payment::transfer::{Gift, inactive};
use talkdrum_core::store::Lane;
use utoipa::ToSchema;

use crate::http::{Answer, Caller, Form, IdempotencyKey};
use crate::state::AppState;

/// The transfer.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct Transfer {
    /// How much, with at most six decimals.
    #[schema(value_type = Amount)]
    amount: Option<Amount>,
    /// Who gets it.
    #[schema(value_type = String)]
    recipient_username: Option<String>,
    /// `espees`, which is meant when it is left out, or `naira`.
    currency: Option<String>,
}

/// Transfer funds to another user.
#[utoipa::path(
    post, path = "/api/transfer-fund", tag = "payment",
    request_body = Transfer,
    responses((status = 200, body = Transferred)),
)]
pub(super) async fn transfer_fund(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<Transfer>,
) -> Answer<Transferred> {
    if caller.status == UserStatus::Inactive {
        return Err(inactive().into());
    }
    let to = data.recipient_username.filter(|name| !name.trim().is_empty()).ok_or_else(|| {
        Error::field("recipient_username", "recipient_required", "Recipient username is required")
    })?;
    let amount =
        data.amount.ok_or_else(|| Error::field("amount", "amount_required", "Amount is required"))?;
    let currency = match data.currency.filter(|name| !name.trim().is_empty()) {
        Some(name) => name
            .parse()
            .map_err(|error: MoneyError| Error::field("currency", error.code(), error.to_string()))?,
        None => Currency::Espees,
    };
    app.payment_rate.check(caller.user_id)?;
    let reference = format!("transfer-{:016x}{:08x}", app.entropy.u64(), app.entropy.u64() & 0xffff_ffff);
    let claim = key.claim(&caller, "transfer.create", digest);
    let money = Money { amount, currency };
    let gift = Gift { from: caller.user_id, to, money, reference, claim };
    let input = (gift, app.campaigns.limits, app.clock.now());
    let given = app
        .store
        .write(Lane::Interactive, input, |tx, (gift, limits, now)| Box::pin(limits.give(tx, gift, *now)))
        .await?;
    tracing::info!(user_id = caller.user_id.0, amount = %money, "wallet.transfer");
    Ok(Json(Transferred {
        message: "Transfer successful".into(),
        reference: given.reference,
        currency: currency.code().to_owned(),
        balance: given.balance,
    }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    async fn funded(daemon: &TestDaemon) -> (UserId, String) {
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.user("ada", Role::User).await;
        daemon.user("eve", Role::User).await;
        let form = [("espees", "10"), ("payment_ref", "p-1")];
        assert_eq!(daemon.post(&format!("/admin/assign-espee/{ada}"), &admin, &form).await.status, 200);
        (ada, daemon.login("ada").await)
    }

    #[tokio::test]
    async fn a_transfer_is_exact_repeatable_and_shown_to_both() {
        let daemon = TestDaemon::start().await;
        let (_, ada) = funded(&daemon).await;
        let transfer = || {
            daemon
                .request(Method::POST, "/api/transfer-fund", &ada)
                .header("Idempotency-Key", "k")
                .form(&[("recipient_username", "eve"), ("amount", "2.5")])
        };
        let (first, again) = (daemon.send(transfer()).await, daemon.send(transfer()).await);
        assert_eq!((first.status, first.json()), (200, again.json()), "{}", first.text);
        assert_eq!((&first.json()["balance"], &first.json()["currency"]), (&7.5.into(), &"espees".into()));
        let eve = daemon.login("eve").await;
        let history = daemon.get("/api/get-transaction-history", &eve).await.json();
        let row = &history["transactions"][0];
        assert_eq!(
            (&row["price"], &row["direction"], &row["balance"]),
            (&2.5.into(), &"credit".into(), &2.5.into())
        );
        assert_eq!(row["narration"], "Transfer from ada to eve");
        assert_eq!(history["total"], 1);
    }

    #[tokio::test]
    async fn transfers_stay_within_the_limit_of_the_day_and_a_repetition_counts_once() {
        let daemon = TestDaemon::start().await;
        let (id, ada) = funded(&daemon).await;
        let root = daemon.login("root").await;
        let limits = daemon.request(Method::PUT, &format!("/admin/users/{id}/limits"), &root);
        assert_eq!(daemon.send(limits.form(&[("cap_espees", "5")])).await.status, 200);
        let transfer = |key: &'static str| {
            daemon
                .request(Method::POST, "/api/transfer-fund", &ada)
                .header("Idempotency-Key", key)
                .form(&[("recipient_username", "eve"), ("amount", "2.5")])
        };
        for key in ["a", "a", "b", "b"] {
            assert_eq!(daemon.send(transfer(key)).await.status, 200);
        }
        let refused = daemon.send(transfer("c")).await;
        assert_eq!((refused.status, &refused.json()["code"]), (400, &"spending_cap".into()));
        let left = daemon.get("/api/get-espee-balance", &ada).await.json();
        assert_eq!(left["espees-balance"], 5);
    }

    #[tokio::test]
    async fn refusals_are_the_specifications() {
        let daemon = TestDaemon::start().await;
        let (id, ada) = funded(&daemon).await;
        for (form, message) in [
            (vec![("amount", "1")], "Recipient username is required"),
            (vec![("recipient_username", "eve")], "Amount is required"),
            (vec![("recipient_username", "nobody"), ("amount", "1")], "Transfer failed"),
            (vec![("recipient_username", "ada"), ("amount", "1")], "You cannot transfer to yourself"),
            (vec![("recipient_username", "eve"), ("amount", "0")], "The amount must be more than zero"),
            (
                vec![("recipient_username", "eve"), ("amount", "11")],
                "The ESPEES balance of 10 does not cover 11",
            ),
        ] {
            let reply = daemon.post("/api/transfer-fund", &ada, &form).await;
            assert_eq!((reply.status, &reply.json()["message"]), (400, &message.into()));
        }
        let root = daemon.login("root").await;
        daemon.post(&format!("/admin/deactivate-user/{id}"), &root, &[]).await;
        let ada = daemon.login("ada").await;
        let reply = daemon.post("/api/transfer-fund", &ada, &[]).await;
        assert_eq!(reply.json()["message"], "Please contact admin to activate your account");
    }
}
