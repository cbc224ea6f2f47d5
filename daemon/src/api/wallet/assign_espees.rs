//! `POST /admin/assign-espee/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Amount, Currency, Money};
use talkdrum_api::wallet::EspeesAssigned;
use talkdrum_core::Error;
use talkdrum_core::model::account::id::UserId;
use utoipa::ToSchema;

use super::{CreditAssignment, amount, credit, reference};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// The credit.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct AssignEspees {
    /// How much, with at most six decimals.
    #[schema(value_type = Amount)]
    espees: Option<Amount>,
    /// The payment it corrects: each reference is credited once.
    #[schema(value_type = String)]
    payment_ref: Option<String>,
}

/// Credit a user's ESPEES wallet, for a payment that failed to.
#[utoipa::path(
    post, path = "/admin/assign-espee/{id}", tag = "wallet",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = AssignEspees,
    responses((status = 200, body = EspeesAssigned)),
)]
pub(super) async fn assign_espees(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(user): Path<UserId>,
    Form { data, digest }: Form<AssignEspees>,
) -> Answer<EspeesAssigned> {
    caller.require_active()?;
    let amount = amount("espees", data.espees, "Kindly input ESPEES amount")?;
    let reference = reference(data.payment_ref.as_deref())?
        .ok_or_else(|| Error::field("payment_ref", "reference_required", "Kindly input Payment Ref"))?;
    let money = Money { amount, currency: Currency::Espees };
    let message = format!("{money} assigned successfully");
    let claim = key.claim_with(&caller, "wallet.assign_espees", user.0, digest);
    let assignment =
        CreditAssignment { claim, by: caller.user_id, user, money, reference, now: app.clock.now() };
    let espee_balance = credit(&app, assignment).await?;
    Ok(Json(EspeesAssigned { message, espee_balance }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_payment_reference_is_credited_once_whoever_asks_again() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let path = format!("/admin/assign-espee/{id}");
        let reply = daemon.post(&path, &admin, &[("espees", "12.5"), ("payment_ref", "p-1")]).await;
        assert_eq!((reply.status, &reply.json()["espee_balance"]), (200, &12.5.into()), "{}", reply.text);
        let again = daemon.post(&path, &admin, &[("espees", "12.5"), ("payment_ref", " p-1 ")]).await;
        assert_eq!((again.status, again.code().as_str()), (409, "duplicate_reference"));
        let ada = daemon.login("ada").await;
        let balances = daemon.get("/api/get-espee-balance", &ada).await.json();
        assert_eq!(
            balances,
            serde_json::json!({
                "espees-balance": 12.5, "paystack_balance": 0, "espees_reserved": 0, "paystack_reserved": 0
            })
        );
        let statement = daemon.get("/api/wallet/statement?currency=espees", &ada).await.json();
        assert_eq!((&statement["total"], &statement["entries"][0]["amount"]), (&1.into(), &12.5.into()));
        assert_eq!(daemon.get("/api/wallet/statement?currency=naira", &ada).await.json()["total"], 0);
        assert_eq!(daemon.get("/api/wallet/statement?currency=euro", &ada).await.status, 400);
    }

    #[tokio::test]
    async fn a_repeated_request_is_answered_and_another_one_under_its_key_is_not() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let (ada, eve) = (daemon.user("ada", Role::User).await, daemon.user("eve", Role::User).await);
        let assign = |user: UserId, amount: &'static str| {
            let path = format!("/admin/assign-naira/{user}");
            daemon
                .request(Method::POST, &path, &admin)
                .header("Idempotency-Key", "k")
                .form(&[("amount", amount)])
        };
        let (first, second) = (daemon.send(assign(ada, "5")).await, daemon.send(assign(ada, "5")).await);
        assert_eq!((first.status, first.json()), (200, second.json()), "{}", first.text);
        assert_eq!(first.json()["paystack_balance"], 5);
        assert_eq!(daemon.send(assign(ada, "6")).await.status, 409);
        assert_eq!(daemon.send(assign(eve, "5")).await.status, 409);
    }

    #[tokio::test]
    async fn what_is_missing_is_asked_for_in_the_specifications_words() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let espees = format!("/admin/assign-espee/{id}");
        for (form, message) in [
            (vec![("payment_ref", "p")], "Kindly input ESPEES amount"),
            (vec![("espees", "1")], "Kindly input Payment Ref"),
            (vec![("espees", "0"), ("payment_ref", "p")], "The amount to credit must be more than zero"),
            (vec![("espees", "-1"), ("payment_ref", "p")], "The amount to credit must be more than zero"),
        ] {
            let reply = daemon.post(&espees, &admin, &form).await;
            assert_eq!((reply.status, &reply.json()["message"]), (400, &message.into()));
        }
        let naira = daemon.post(&format!("/admin/assign-naira/{id}"), &admin, &[]).await;
        assert_eq!((naira.status, &naira.json()["message"]), (400, &"Kindly input Naira amount".into()));
        let nobody = daemon.post("/admin/assign-naira/999", &admin, &[("amount", "1")]).await;
        assert_eq!((nobody.status, &nobody.json()["message"]), (404, &"No such user".into()));
    }
}
