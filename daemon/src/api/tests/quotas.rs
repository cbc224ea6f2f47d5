//! What a user keeps without paying for it, by the API, on both databases.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};

use crate::config::Settings;
use crate::testing::{Reply, TestDaemon};

/// Small quotas, twice as large for who paid something.
fn small(settings: &mut Settings) {
    let limits = &mut settings.limits;
    (limits.contacts_unfunded, limits.contacts) = (3, 6);
    (limits.opt_outs_unfunded, limits.opt_outs) = (2, 4);
    (limits.quotes_unfunded, limits.quotes) = (2, 4);
    (limits.quoted_recipients_unfunded, limits.quoted_recipients) = (3, 6);
    (limits.imports_mib_unfunded, limits.imports_mib) = (1, 2);
}

async fn on_both(test: impl AsyncFn(TestDaemon)) {
    test(TestDaemon::start_in_sandbox_with(small).await).await;
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else {
        eprintln!("PostgreSQL half skipped: {POSTGRES_VARIABLE} is not set");
        return;
    };
    let database = PostgresDatabase::create(&server).await;
    let daemon = TestDaemon::start_in_sandbox_with(|settings| {
        small(settings);
        settings.database.url = Some(database.url());
    });
    test(daemon.await).await;
}

async fn import(daemon: &TestDaemon, token: &str, path: &str, file: String) -> Reply {
    let file = Part::bytes(file.into_bytes()).file_name("numbers.csv");
    let form = Form::new().part("file", file).text("group_name", "Customers");
    daemon.send(daemon.request(Method::POST, path, token).multipart(form)).await
}

async fn quote(daemon: &TestDaemon, token: &str, text: &str, contacts: &str) -> Reply {
    let form =
        [("senderid", "WEBSMS"), ("payment_method", "naira"), ("message", text), ("contacts", contacts)];
    daemon.post("/api/send-text-sms", token, &form).await
}

/// A user, and an administrator who can pay money in.
async fn users(daemon: &TestDaemon) -> (UserId, String, String) {
    let admin = daemon.signed_in("root", Role::Admin).await;
    daemon.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "2.5")]).await;
    let id = daemon.user("ada", Role::User).await;
    (id, daemon.login("ada").await, admin)
}

async fn fund(daemon: &TestDaemon, id: UserId, admin: &str) {
    let money = [("amount", "100"), ("payment_ref", "p-1")];
    let paid = daemon.post(&format!("/admin/assign-naira/{id}"), admin, &money).await;
    assert!(paid.status < 300, "{}", paid.text);
}

fn refused(reply: &Reply, code: &str, sentence: &str) {
    assert_eq!((reply.status, reply.code().as_str()), (400, code), "{}", reply.text);
    let message = reply.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains(sentence) && message.contains("once money came into its wallet"), "{message}");
}

#[tokio::test]
async fn contacts_are_refused_beyond_the_quota_and_fit_once_the_account_is_funded() {
    on_both(async |daemon| {
        let (id, ada, admin) = users(&daemon).await;
        let path = "/api/import/contacts/new/group";
        let over =
            import(&daemon, &ada, path, "n\n08031234561\n08031234562\n08031234563\n08031234564\n".into())
                .await;
        refused(&over, "contacts_quota", "may keep 3 contacts");
        assert_eq!(daemon.get("/api/get/group", &ada).await.json()["total"], 0, "nothing is half imported");
        let at = import(&daemon, &ada, path, "n\n08031234561\n08031234562\n08031234563\n".into()).await;
        assert_eq!(at.status, 200, "{}", at.text);
        let add = format!("/api/create/contact/group/{}", at.json()["group"]["id"]);
        refused(
            &daemon.post(&add, &ada, &[("phone", "08031234564")]).await,
            "contacts_quota",
            "delete contacts",
        );
        fund(&daemon, id, &admin).await;
        let added = daemon.post(&add, &ada, &[("phone", "08031234564")]).await;
        assert_eq!(added.status, 201, "{}", added.text);
    })
    .await;
}

#[tokio::test]
async fn opt_outs_are_refused_beyond_the_quota() {
    on_both(async |daemon| {
        let (id, ada, admin) = users(&daemon).await;
        for phone in ["08031234561", "08031234562", "08031234562"] {
            assert_eq!(daemon.post("/api/optouts", &ada, &[("phone", phone)]).await.status, 201);
        }
        let over = daemon.post("/api/optouts", &ada, &[("phone", "08031234563")]).await;
        refused(&over, "optouts_quota", "may keep 2 opt-outs");
        let over = import(&daemon, &ada, "/api/optouts/import", "n\n08031234563\n08031234564\n".into()).await;
        refused(&over, "optouts_quota", "may keep 2 opt-outs");
        assert_eq!(daemon.get("/api/optouts", &ada).await.json()["total"], 2);
        fund(&daemon, id, &admin).await;
        assert_eq!(daemon.post("/api/optouts", &ada, &[("phone", "08031234563")]).await.status, 201);
        // The list of the whole platform is an administrator's.
        for phone in ["08031234561", "08031234562", "08031234563", "08031234564", "08031234565"] {
            assert_eq!(daemon.post("/admin/optouts", &admin, &[("phone", phone)]).await.status, 201);
        }
    })
    .await;
}

#[tokio::test]
async fn quotes_and_their_recipients_are_refused_beyond_the_quota() {
    on_both(async |daemon| {
        let (id, ada, admin) = users(&daemon).await;
        let four = "08031234561,08031234562,08031234563,08031234564";
        refused(&quote(&daemon, &ada, "All", four).await, "recipients_quota", "may keep 3 recipients");
        for text in ["One", "Two"] {
            let at = quote(&daemon, &ada, text, "08031234561").await;
            assert_eq!(at.status, 200, "{}", at.text);
        }
        refused(&quote(&daemon, &ada, "Three", "08031234561").await, "quotes_quota", "may keep 2 quotes");
        fund(&daemon, id, &admin).await;
        let at = quote(&daemon, &ada, "All", four).await;
        assert_eq!(at.status, 200, "{}", at.text);
        assert_eq!(quote(&daemon, &ada, "More", "08031234561").await.code(), "recipients_quota");
    })
    .await;
}

#[tokio::test]
async fn a_file_beyond_the_quota_is_refused_before_it_is_kept() {
    on_both(async |daemon| {
        let (id, ada, admin) = users(&daemon).await;
        let large = || format!("n\n08031234561\n{}", "\n".repeat(1 << 20));
        let path = "/api/import/contacts/new/group";
        refused(&import(&daemon, &ada, path, large()).await, "imports_quota", "may keep 1 MiB");
        assert_eq!(daemon.get("/api/imports", &ada).await.json()["total"], 0);
        fund(&daemon, id, &admin).await;
        let fits = import(&daemon, &ada, path, large()).await;
        assert_eq!(fits.status, 200, "{}", fits.text);
    })
    .await;
}
