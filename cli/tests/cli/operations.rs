//! Every operation of the API is reached by a command, or is named here as one that no command needs.
//!
//! Each command of the table is run against a stand-in and must ask for the operation it is listed
//! with, so that the table cannot say more than the commands do. A new operation fails here until it is named.

mod answers;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use answers::{group, import, own_number_call, prices, quote_of, recording, template, voice_test};

use crate::stand_in::{Answer, StandIn};
use crate::talkdrum::{Run, Talkdrum, campaign, completed, confirmed, quote};

/// The API as the daemon serves it.
const DOCUMENT: &str = include_str!("../../../daemon/src/openapi.snap");

/// Operations that no command needs, and why.
const WITHOUT_A_COMMAND: &[(&str, &str)] = &[
    (
        "POST /admin/admin-login",
        "the administrators' own page of the browser; talkdrum login signs in everybody",
    ),
    ("GET /admin/get-sms-unit-price", "the browser's form for one price; talkdrum prices get shows both"),
    (
        "GET /admin/get-sms-unit-price-naira",
        "the browser's form for one price; talkdrum prices get shows both",
    ),
    ("DELETE /api/drafts", "what the browser's forms say before they are sent"),
    ("DELETE /api/drafts/{id}", "what the browser's forms say before they are sent"),
    ("DELETE /api/drafts/{id}/files/{file}", "what the browser's forms say before they are sent"),
    ("GET /api/drafts", "what the browser's forms say before they are sent"),
    ("GET /api/drafts/{id}", "what the browser's forms say before they are sent"),
    ("GET /api/drafts/{id}/files/{file}", "what the browser's forms say before they are sent"),
    ("POST /api/drafts", "what the browser's forms say before they are sent"),
    ("POST /api/drafts/{id}/files", "what the browser's forms say before they are sent"),
    ("PUT /api/drafts/{id}", "what the browser's forms say before they are sent"),
    (
        "GET /api/campaigns/{id}/form",
        "the browser's form is filled with it; talkdrum send --audience campaign:7 sends to the same",
    ),
    ("GET /api/quotes/{id}", "the browser reads a quote back after a reload; talkdrum quote prints it"),
    ("GET /cgi-bin/sendsms", "programs that were written for Kannel call it"),
    ("POST /cgi-bin/sendsms", "programs that were written for Kannel call it"),
    ("GET /healthz", "probes ask it themselves"),
    ("GET /readyz", "probes ask it themselves"),
    ("GET /metrics", "scraped by a monitor"),
    (
        "GET /admin/get-maintenance-status",
        "the administrators' page; talkdrum maintenance status asks the open call",
    ),
    ("GET /admin/get-own-price", "the browser's form for one price; talkdrum prices get shows all"),
    ("GET /admin/get-virtual-price", "the browser's form for one price; talkdrum prices get shows all"),
    ("GET /admin/get-voice-unit-price", "the browser's form for one price; talkdrum prices get shows all"),
    (
        "GET /admin/get-voice-unit-price-naira",
        "the browser's form for one price; talkdrum prices get shows all",
    ),
    ("GET /api/avatars/{token}", "a picture for the browser"),
    (
        "GET /api/get-about-us",
        "the public pages read it; talkdrum settings get asks the administrators' call",
    ),
    (
        "GET /api/get-contact-address",
        "the public pages read it; talkdrum settings get asks the administrators' call",
    ),
    (
        "GET /api/get-contact-email",
        "the public pages read it; talkdrum settings get asks the administrators' call",
    ),
    (
        "GET /api/get-contact-phone",
        "the public pages read it; talkdrum settings get asks the administrators' call",
    ),
    ("GET /api/get-own-price", "the dashboard reads one price; talkdrum prices get shows all"),
    ("GET /api/get-virtual-price", "the dashboard reads one price; talkdrum prices get shows all"),
    ("GET /api/get-voice-unit-price", "the dashboard reads one price; talkdrum prices get shows all"),
    ("GET /admin/figures/events", "the first page of the browser; talkdrum status asks once"),
    ("GET /api/imports/{id}/events", "the browser's progress; talkdrum contacts import waits for the answer"),
    ("GET /api/kingschat/callback", "KingsChat sends the browser there"),
    ("GET /api/kingschat/options", "what the browser needs to open KingsChat"),
    ("POST /api/kingschat-login", "signing in by KingsChat takes a browser"),
    ("POST /api/kingschat/callback", "KingsChat sends the browser there"),
    ("POST /api/kingschat/finish", "signing in by KingsChat takes a browser"),
    ("POST /api/kingschat/link", "linking by KingsChat takes a browser"),
    ("POST /api/kingschat/link/start", "linking by KingsChat takes a browser"),
    ("POST /api/kingschat/start", "signing in by KingsChat takes a browser"),
    (
        "POST /api/sessions/reauthenticate",
        "talkdrum keys create and talkdrum profile edit --email give the password where the daemon asks for it",
    ),
    ("GET /hooks/carriers/{name}/clips/{clip}", "the provider of an http-voice carrier fetches it"),
    ("POST /hooks/paystack", "Paystack calls it"),
];

/// Operations and a command line that asks for each.
const COMMANDS: &[(&str, &str)] = &[
    ("DELETE /admin/delete-user/{id}", "users delete 5 --yes"),
    ("DELETE /admin/delete-own-number/{id}", "numbers own delete 5 --yes"),
    ("DELETE /admin/delete-virtual-number/{id}", "numbers delete 5"),
    ("DELETE /admin/optouts/{id}", "optouts remove 5 --platform"),
    ("DELETE /api/api-keys/{id}", "keys revoke 5"),
    ("GET /admin/carrier-tests/{id}", "carriers test main --to 08031234567 --wait 5"),
    ("GET /admin/carriers/{name}/trace", "carriers trace main"),
    ("DELETE /api/delete/contact/{id}", "contacts remove 5"),
    ("DELETE /api/delete/group/{id}", "groups delete Customers --yes"),
    ("DELETE /api/kingschat/link", "kingschat unlink"),
    ("DELETE /api/optouts/{id}", "optouts remove 5"),
    ("DELETE /api/own-numbers/{number}", "numbers own withdraw 08031234567 --yes"),
    ("DELETE /api/recordings/{id}", "voice recordings delete 5"),
    ("DELETE /api/sessions", "sessions revoke --others"),
    ("DELETE /api/sessions/{id}", "sessions revoke 5"),
    ("DELETE /api/templates/{id}", "templates remove Sale"),
    ("DELETE /api/webhooks/{id}", "webhooks delete 5 --yes"),
    ("GET /admin/announcements/{id}", "announcements show 5"),
    ("GET /admin/audit", "audit --action price.set --from 2030-01-31"),
    ("GET /admin/carriers", "carriers"),
    ("GET /admin/dnd", "dnd list"),
    ("GET /admin/figures", "status --hours 48"),
    ("GET /admin/get-about-us", "settings get about-us"),
    ("GET /admin/get-admin-number", "settings get admin-number"),
    ("GET /admin/get-all-active-users", "users list"),
    ("GET /admin/get-all-camapaign-history", "campaigns list --all"),
    ("GET /admin/get-all-inactive-users", "users list --inactive"),
    ("GET /admin/get-all-sent-voice-sms", "voice list --all"),
    ("GET /admin/get-all-transactions", "transactions --all --user 5"),
    ("GET /admin/get-annoucement", "announcements list"),
    ("GET /admin/get-contact-address", "settings get contact-address"),
    ("GET /admin/get-contact-email", "settings get contact-email"),
    ("GET /admin/get-contact-phone", "settings list"),
    ("GET /admin/get-espee-api-key", "settings get espee-api-key"),
    ("GET /admin/get-own-numbers", "numbers list --own --all"),
    ("GET /admin/get-paystack-api-key", "settings get paystack-keys"),
    ("GET /admin/get-prices", "prices plan prices.toml"),
    ("GET /admin/get-sender-ids", "senders list --all"),
    ("GET /admin/get-sms-api-key", "settings get sms-api-key"),
    ("GET /admin/get-user-details/{id}", "users show 5"),
    ("GET /admin/get-virtual-numbers", "numbers list --all"),
    ("GET /admin/get-wallet-address", "settings get wallet-address"),
    ("GET /admin/margins", "margins --from 2030-01-01 --network mtn"),
    ("GET /admin/optouts", "optouts list --platform"),
    ("GET /admin/optouts/export", "optouts export --platform"),
    ("GET /admin/payment-events", "payments events"),
    ("GET /admin/payments", "payments list --all --status pending"),
    ("GET /admin/price-history", "prices history --of sms --currency espees"),
    ("GET /admin/rates", "prices plan rates.toml"),
    ("GET /admin/subjects/{number}", "subject show 08031234567"),
    ("GET /admin/subjects/{number}/export", "subject export 08031234567"),
    ("GET /admin/unknown-messages", "messages unknown --campaign 7 --user ada"),
    ("GET /admin/user-messages", "users messages"),
    ("GET /admin/users", "users list --all"),
    ("GET /admin/users/{id}/limits", "users limits 5"),
    ("GET /admin/user-messages/{id}", "users messages 3"),
    ("GET /admin/webhooks", "webhooks list --all"),
    ("GET /api/api-keys", "keys list"),
    ("GET /api/campaigns/{id}", "campaigns show 7"),
    ("GET /api/campaigns/{id}/breakdown", "campaigns breakdown 7"),
    ("GET /api/campaigns/{id}/events", "campaigns watch 7"),
    ("GET /api/campaigns/{id}/export", "campaigns export 7"),
    ("GET /api/campaigns/{id}/messages", "messages list 7"),
    ("GET /api/contacts/export", "contacts export"),
    ("GET /api/delivery-reports/export", "campaigns export --from 2030-01-01 --status failed"),
    ("GET /api/get-campaign-history", "campaigns list"),
    ("GET /api/get-espee-balance", "wallet balance"),
    ("GET /api/get-failed-messages", "messages failed"),
    ("GET /api/get-last-sent-message", "messages last"),
    ("GET /api/get-maintenance-status", "maintenance status"),
    ("GET /api/get-own-number", "numbers list --own"),
    ("GET /api/get-sender-id", "senders list"),
    ("GET /api/get-sent-messages", "messages sent --type wap-push --from 2030-01-31"),
    ("GET /api/get-sent-voice-sms", "voice list"),
    ("GET /api/get-sms-unit-price", "prices get"),
    ("GET /api/get-transaction-history", "transactions --kind payment"),
    ("GET /api/get-virtual-number", "numbers list"),
    ("GET /api/get-voice-records", "voice recordings"),
    ("GET /api/get/announcement", "announcements list --active"),
    ("GET /api/get/contact", "contacts list"),
    ("GET /api/get/group", "groups list"),
    ("GET /api/get/group/{id}", "groups show 5"),
    ("GET /api/get/group/contacts/{id}", "contacts list --group Customers"),
    ("GET /api/group/contact", "contacts list --with-groups"),
    ("GET /api/groups/{id}/export", "contacts export --group Customers"),
    ("GET /api/imports", "contacts imports"),
    ("GET /api/imports/{id}", "contacts imports 9"),
    ("GET /api/imports/{id}/rejects", "contacts import list.csv --group Customers --rejects rejects.csv"),
    ("GET /api/inbound-messages", "messages inbound --search stop"),
    ("GET /api/kingschat/link", "kingschat show"),
    ("GET /api/messages", "messages find 08031234567"),
    ("GET /api/messages/{id}", "why 4096"),
    ("GET /api/rates", "rates"),
    ("POST /api/messages", "messages send 08031234567 -m Hello --max-charge 5"),
    ("GET /api/optouts", "optouts list"),
    ("GET /api/optouts/export", "optouts export"),
    ("GET /api/payments", "payments list"),
    ("GET /api/quotes/{id}/rejects", "quote --message hello --to 08031234567 --rejects rejected.csv"),
    ("GET /api/recordings/{id}/audio", "voice recordings download 5 hello.wav"),
    ("GET /api/sessions", "sessions list"),
    ("GET /api/templates", "templates list"),
    ("GET /api/user-profile", "whoami"),
    ("GET /api/wallet/statement", "wallet statement"),
    ("GET /api/webhooks", "webhooks list"),
    ("GET /api/webhooks/{id}", "webhooks show 5"),
    ("GET /api/webhooks/{id}/deliveries", "webhooks log 5 --status failed"),
    ("GET /api/webhooks/{id}/deliveries/{delivery}", "webhooks log 5 6"),
    ("POST /admin/about-us", "settings set about-us --file about.html"),
    ("POST /admin/activate-user/{id}", "users activate 5"),
    ("POST /admin/admin-send-sms-user", "users message 5 --message hello"),
    ("POST /admin/approve-senderid/{id}", "senders approve 5"),
    ("POST /admin/approve-virtual-number/{id}", "numbers approve 5 +2342012345678"),
    ("POST /admin/assign-espee/{id}", "users credit 5 10 --currency espees --ref p-1"),
    ("POST /admin/assign-naira/{id}", "users credit 5 10 --currency naira --ref p-1"),
    ("POST /admin/carriers/reload", "carriers reload"),
    ("POST /admin/carriers/{name}/breaker", "carriers breaker main --close mtn"),
    ("POST /admin/carriers/{name}/drain", "carriers drain main"),
    ("POST /admin/carriers/{name}/hang-up", "carriers hang-up main --yes"),
    ("POST /admin/carriers/{name}/pause", "carriers pause main --reason maintenance"),
    ("POST /admin/carriers/{name}/reroute", "carriers reroute main --to other --yes"),
    ("POST /admin/carriers/{name}/resume", "carriers resume main"),
    ("POST /admin/carriers/{name}/test", "carriers test main --to 08031234567 --wait 0"),
    ("POST /admin/carriers/{name}/trace", "carriers trace main --for 60"),
    ("POST /admin/contact-address", "settings set contact-address Lagos"),
    ("POST /admin/contact-email", "settings set contact-email a@example.com"),
    ("POST /admin/contact-phone", "settings set contact-phone 08031234567"),
    ("POST /admin/deactivate-user/{id}", "users deactivate 5"),
    ("POST /admin/disable-maintenance-mode", "maintenance off"),
    ("POST /admin/disapprove-senderid/{id}", "senders reject 5 --reason copied"),
    ("POST /admin/dnd", "dnd import list.csv"),
    ("POST /admin/enable-maintenance-mode", "maintenance on --message later"),
    ("POST /admin/manage-annoucement", "announcements create hello"),
    ("POST /admin/messages/resolve", "messages resolve 1 --as sent --yes"),
    ("POST /admin/optouts", "optouts add 08031234567 --platform"),
    ("POST /admin/optouts/import", "optouts import list.csv --platform"),
    ("POST /admin/payments/{id}/recheck", "payments recheck 5"),
    ("POST /admin/set-admin-number", "settings set admin-number 08031234567"),
    ("POST /admin/set-espee-api-key", "settings set espee-api-key"),
    ("POST /admin/set-own-number-unit-price", "prices set --of own-number --currency espees 1"),
    ("POST /admin/set-paystack-keys", "settings set paystack-keys"),
    ("POST /admin/set-prices", "prices apply prices.toml --yes"),
    ("POST /admin/set-sms-api-key", "settings set sms-api-key"),
    ("POST /admin/set-sms-abroad-unit-price", "prices set --of sms-abroad --currency espees 1"),
    ("POST /admin/set-sms-abroad-unit-price-naira", "prices set --of sms-abroad --currency naira 1"),
    ("POST /admin/set-sms-unit-price", "prices set --currency espees 1"),
    ("POST /admin/set-sms-unit-price-naira", "prices set --currency naira 1"),
    ("POST /admin/set-virtual-unit-price", "prices set --of virtual-number --currency espees 1"),
    ("POST /admin/set-voice-unit-price", "prices set --of voice --currency espees 1"),
    ("POST /admin/set-voice-unit-price-naira", "prices set --of voice --currency naira 1"),
    ("POST /admin/set-wallet-address", "settings set wallet-address 0xabc"),
    ("POST /admin/subjects/{number}/erase", "subject erase 08031234567 --yes"),
    ("POST /admin/users", "users create --username eve --email eve@example.com --password-stdin"),
    ("POST /api/api-keys", "keys create --name cron --scope read"),
    ("POST /api/campaigns/{id}/cancel", "campaigns cancel 7 --yes"),
    ("POST /api/campaigns/{id}/pause", "campaigns pause 7"),
    ("POST /api/campaigns/{id}/resend", "campaigns resend 7 --dry-run"),
    ("POST /api/campaigns/{id}/resume", "campaigns resume 7"),
    ("POST /api/change-password", "password change --passwords-stdin"),
    ("POST /api/confirm-email", "profile confirm-email --code 123456"),
    ("POST /api/confirm-phone", "profile confirm-phone --code 123456"),
    ("POST /api/create/contact/group/{id}", "contacts add 08031234567 --group Customers"),
    ("POST /api/create/group", "groups create Customers"),
    ("POST /api/edit-profile", "profile edit --name Ada"),
    ("POST /api/import/contact/group/{id}", "contacts import list.csv --group Customers"),
    ("POST /api/import/contacts/new/group", "contacts import list.csv --group New --create"),
    ("POST /api/login", "login --username ada --password-stdin"),
    ("POST /api/optouts", "optouts add 08031234567"),
    ("POST /api/optouts/import", "optouts import list.csv"),
    ("POST /api/password/forgot", "password forgot --email a@example.com"),
    ("POST /api/password/reset", "password reset --email a@example.com --code 123456 --password-stdin"),
    ("POST /api/payment-confirm", "payments confirm espees ref-1"),
    ("POST /api/payment-initiate", "fund espees 5"),
    ("POST /api/paystack-payment-confirm", "payments confirm naira ref-1"),
    ("POST /api/paystack-payment-initiate", "fund naira 500"),
    ("POST /api/recipients/check", "recipients check --to list.csv"),
    ("POST /api/recordings", "voice recordings add list.csv"),
    ("POST /api/register/resend", "verify --phone 08031234567 --resend"),
    (
        "POST /api/register/start",
        "register --name Ada --username ada --email a@example.com --phone 08031234567 --password-stdin",
    ),
    ("POST /api/register/verify", "verify --phone 08031234567 --code 123456"),
    ("POST /api/request-senderid", "senders request SHOP"),
    ("POST /api/request-virtual-number", "numbers request"),
    ("POST /api/templates", "templates add Sale --message Come"),
    ("POST /api/transfer-fund", "transfer bob 5 --yes"),
    ("POST /api/verify/email", "login --username ada --code 123456"),
    ("POST /api/verify/email/resend", "login --username ada --resend"),
    ("GET /api/own-number-calls/{id}", "numbers own verify 08031234567 --wait"),
    ("POST /api/voice-call", "voice send --text Hello --to 08031234567 --dry-run"),
    ("POST /api/voice-preview", "voice preview Hello --file hello.wav"),
    ("POST /api/voice-test", "voice test --text Hello"),
    ("GET /api/voice-test/{id}", "voice test --recording 5 --wait"),
    ("POST /api/webhooks", "webhooks create https://example.com/hook"),
    ("POST /api/webhooks/{id}/deliveries/{delivery}/redeliver", "webhooks redeliver 5 6"),
    ("POST /api/webhooks/{id}/redeliver-failed", "webhooks redeliver 5 --failed"),
    ("POST /api/webhooks/{id}/rotate", "webhooks rotate 5"),
    ("POST /api/webhooks/{id}/test", "webhooks test 5"),
    ("PUT /admin/rates", "prices apply rates.toml --yes"),
    ("POST /admin/rate-costs", "prices plan rates.toml"),
    ("PUT /admin/users/{id}/legal-hold", "users hold 5 --reason Case"),
    ("DELETE /admin/users/{id}/legal-hold", "users unhold 5"),
    ("PUT /admin/users/{id}/codes", "users codes 5 withdraw"),
    ("PUT /admin/users/{id}/rate-plan", "users rate-plan 5 gold"),
    ("PUT /admin/sender-ids/{id}/purpose", "senders purpose 5 promotional"),
    ("PUT /admin/users/{id}/purpose", "users purpose 5 --none"),
    ("PUT /admin/users/{id}/limits", "users limits 5 --cap-naira 50000 --cap-espees none --proven"),
    ("PUT /api/templates/{id}", "templates edit Sale --message Now"),
    ("PUT /api/update/contact/{id}", "contacts edit 5 --name Ada"),
    ("PUT /api/update/group/{id}", "groups rename Customers Clients"),
    ("PUT /api/webhooks/{id}", "webhooks edit 5 --to https://example.com/other"),
];

/// The kinds of message with what a form of each needs; their four calls are asked for by `send`.
const KINDS: &[(&str, &str)] = &[
    ("text", "--message hello"),
    ("flash", "--message hello"),
    ("unicode", "--message hello"),
    ("wap-push", "--wap-title News --wap-url http://n.example"),
    ("vcard", "--vcard card.vcf"),
];

const CARD: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Obi;Ada;;;\r\nFN:Ada Obi\r\nORG:Drums\r\nTITLE:Founder\r\n\
                    TEL:+2348031234567\r\nEMAIL:ada@example.com\r\nEND:VCARD\r\n";

fn document() -> BTreeSet<String> {
    let json = DOCUMENT.splitn(3, "---\n").nth(2).unwrap();
    let document: Value = serde_json::from_str(json).unwrap();
    let mut operations = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        operations
            .extend(item.as_object().unwrap().keys().map(|verb| format!("{} {path}", verb.to_uppercase())));
    }
    operations
}

/// Answers just enough for commands to go on to what they ask for next.
fn daemon() -> StandIn {
    StandIn::new(|request| {
        let line = request.line.split('?').next().unwrap();
        let quoting = KINDS.iter().find(|(kind, _)| {
            line == format!("POST /api/send-{kind}-sms") || line == format!("POST /api/schedule-{kind}-sms")
        });
        let answer = match (line, quoting) {
            (_, Some((kind, _))) => json!({"details": quote_of(kind, line), "message": ""}),
            ("GET /api/campaigns/7", _) => json!({"campaign": completed()}),
            ("POST /admin/carriers/main/test" | "GET /admin/carrier-tests/3", _) => json!({
                "id": 3, "carrier": "main", "status": "sent", "error": null, "references": [], "created_at": "",
                "over": line.starts_with("GET"), "done_at": null, "message": "",
            }),
            ("POST /api/voice-call", _) if request.body.contains("own_number") => {
                json!({"details": own_number_call(false), "message": "Code sent"})
            }
            ("GET /api/own-number-calls/3", _) => own_number_call(true),
            ("POST /api/voice-call", _) => json!({"details": quote_of("voice", line), "message": ""}),
            ("POST /api/voice-test" | "GET /api/voice-test/3", _) => voice_test(line.starts_with("GET")),
            ("GET /api/get/group", _) if request.line.contains("group_name=Customers") => {
                json!({"groups": [group()], "total": 1})
            }
            ("GET /api/get/group", _) => json!({"groups": [], "total": 0}),
            ("GET /api/templates", _) => json!({"templates": [template()]}),
            ("GET /admin/get-prices", _) => prices(),
            ("GET /api/rates" | "GET /admin/rates", _) => json!({"rates": [], "total": 0, "version": ""}),
            ("POST /admin/rate-costs", _) => json!({"rates": []}),
            ("PUT /admin/rates", _) => json!({
                "changed": 1, "rates": {"rates": [], "total": 0, "version": ""}, "message": "1 price changed",
            }),
            ("GET /api/get-voice-records", _) => json!({"audioUrls": [recording()], "total": 1}),
            _ if line.contains("/import/contact/group/") => json!({"import": import(), "message": ""}),
            ("POST /api/campaigns/7/resend", _) => json!({"details": quote(), "message": ""}),
            _ if line.starts_with("POST /api/confirm-") => confirmed(&campaign("sending")),
            _ => json!({}),
        };
        Answer::Json(200, answer)
    })
}

/// Whether a request's line asks for an operation.
fn asks_for(line: &str, operation: &str) -> bool {
    let line = line.split('?').next().unwrap();
    let (mut asked, mut listed) = (line.split('/'), operation.split('/'));
    loop {
        match (asked.next(), listed.next()) {
            (None, None) => return true,
            (Some(asked), Some(listed)) if asked == listed || listed.starts_with('{') => {}
            _ => return false,
        }
    }
}

/// Runs a command of the table; what it asked for, and how it ended.
fn run(args: &[&str]) -> (Vec<String>, Run) {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("card.vcf", CARD);
    talkdrum.file("list.csv", "08031234567\n");
    talkdrum.file("about.html", "<p>Cheap.</p>");
    talkdrum.file("prices.toml", "[naira]\nsms = 4\n");
    talkdrum.file("rates.toml", "[[rates]]\nprefix = '44'\nnaira = 60\n");
    // Two lines for what asks for two.
    let run = talkdrum.run_with(args, "correct horse\nbattery staple");
    (daemon.lines(), run)
}

fn assert_asks(operation: &str, args: &[&str]) {
    let (lines, run) = run(args);
    let asked = lines.iter().any(|line| asks_for(line, operation));
    assert!(asked, "talkdrum {} does not ask for {operation}: {lines:?}, {}", args.join(" "), run.stderr);
}

#[test]
fn every_operation_is_reached_by_a_command_or_named_as_needing_none() {
    let mut named: BTreeSet<String> = COMMANDS.iter().map(|(operation, _)| (*operation).to_owned()).collect();
    named.extend(WITHOUT_A_COMMAND.iter().map(|(operation, _)| (*operation).to_owned()));
    named.insert("POST /api/logout".to_owned());
    for (kind, _) in KINDS {
        named.extend(calls_of(kind));
    }
    let documented = document();
    let unnamed: Vec<_> = documented.difference(&named).collect();
    assert!(unnamed.is_empty(), "give these a command, or say why they need none: {unnamed:#?}");
    let gone: Vec<_> = named.difference(&documented).collect();
    assert!(gone.is_empty(), "these are no operations: {gone:#?}");
}

fn calls_of(kind: &str) -> [String; 4] {
    ["send", "schedule", "confirm-send", "confirm-schedule"]
        .map(|step| format!("POST /api/{step}-{kind}-sms"))
}

#[test]
fn every_command_asks_for_the_operation_it_is_listed_with() {
    for (operation, line) in COMMANDS {
        assert_asks(operation, &line.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn a_misspelt_column_changes_nothing() {
    let mut writes = 0;
    for (operation, line) in COMMANDS.iter().filter(|(operation, _)| !operation.starts_with("GET ")) {
        let mut args: Vec<&str> = line.split(' ').collect();
        args.extend(["-o", "csv", "--columns", "nonesuch"]);
        let (lines, run) = run(&args);
        let changed: Vec<_> = lines.iter().filter(|line| !line.starts_with("GET ")).collect();
        assert!(changed.is_empty() && run.code != 0, "{operation}: {line}: {changed:?} {}", run.stderr);
        writes += 1;
    }
    assert!(writes > 50, "{writes}");
    let (lines, run) = run(&["send", "-m", "x", "--to", "1", "--yes", "-o", "csv", "--columns", "status,id"]);
    assert_eq!(
        (lines.len(), run.code, run.stdout.as_str()),
        (2, 0, "status,id\r\nsending,7\r\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn every_kind_of_message_is_quoted_and_confirmed_now_and_later() {
    for (kind, form) in KINDS {
        for (later, calls) in [("", [0, 2]), (" --at 2030-01-31T09:30:00Z", [1, 3])] {
            let line =
                format!("send --type {kind} --from WEBSMS --pay naira --to 08031234567 {form} --yes{later}");
            for call in calls {
                assert_asks(&calls_of(kind)[call], &line.split(' ').collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn signing_out_ends_the_session_of_a_profile() {
    let daemon = StandIn::new(|_| {
        Answer::Json(
            200,
            json!({
                "token": "tds_1", "authorization": {"token": "tds_1", "type": "bearer"}, "message": "",
                "user": {"id": 1, "name": "Ada", "username": "ada", "email": "a@example.com", "phone_number": null,
                         "gender": null, "status": "active", "role": "user", "created_at": "2027-01-01T00:00:00Z",
                         "last_login_at": null, "espee_balance": 0, "paystack_balance": 0},
            }),
        )
    });
    let talkdrum = Talkdrum::nowhere(Some(daemon.url.clone()));
    let signed_in = talkdrum.run_with(&["login", "--username", "ada", "--password-stdin"], "correct horse");
    assert_eq!(signed_in.code, 0, "{}", signed_in.stderr);
    talkdrum.run(&["logout"]);
    assert!(daemon.lines().iter().any(|line| line == "POST /api/logout"), "{:?}", daemon.lines());
}
