//! Groups, contacts and opt-outs: lists, and imports as cron runs them.

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote};

/// A group.
pub(crate) fn group(id: i64, name: &str) -> Value {
    json!({
        "id": id, "group_name": name, "description": "Who pays", "contacts_count": 2, "columns": ["city"],
        "created_at": "2027-01-04T08:00:00Z", "updated_at": "2027-01-04T08:00:00Z",
    })
}

/// An import of 3 rows into group 4: 2 new, 1 rejected.
pub(crate) fn import(status: &str) -> Value {
    json!({
        "id": 5, "target": "group", "group_id": 4, "status": status, "error": null, "columns": {},
        "rows_read": 30, "valid": 2, "added": 2, "updated": 0, "unchanged": 0, "duplicates": 0, "invalid": 1,
        "warnings": 0, "created_at": "2027-01-04T08:00:00Z", "finished_at": null,
    })
}

fn contact() -> Value {
    json!({
        "id": 9, "group_id": 4, "phone": "2348031234567", "name": "Efe", "email": "efe@example.com",
        "fields": {"city": "Warri"}, "created_at": "2027-01-04T08:00:00Z", "updated_at": "2027-01-04T08:00:00Z",
    })
}

fn optout() -> Value {
    json!({"id": 2, "phone": "2348031234567", "source": "stop", "note": "", "created_at": "2027-01-04T08:00:00Z"})
}

fn with_groups() -> Value {
    let mut contact = contact();
    contact["groups"] = json!([{"id": 4, "group_name": "Members"}, {"id": 6, "group_name": "VIP"}]);
    contact
}

fn daemon() -> StandIn {
    StandIn::new(|request| {
        let ok = |value: Value| Answer::Json(200, value);
        match request.line.as_str() {
            "GET /api/get/group?group_name=Members" | "GET /api/get/group?page=1&per_page=20" => {
                ok(json!({"groups": [group(4, "Members")], "total": 1}))
            }
            line if line.starts_with("GET /api/get/group?group_name=") => {
                ok(json!({"groups": [], "total": 0}))
            }
            "GET /api/get/group/4" => ok(json!({"group": group(4, "Members")})),
            "GET /api/get/group/9" => problem(404, "not_found", "group not found"),
            "POST /api/create/group" => {
                Answer::Json(201, json!({"group": group(4, "Members"), "message": "Group Created"}))
            }
            "PUT /api/update/group/4" => ok(json!({"group": group(4, "Payers"), "message": "Group Edit"})),
            "DELETE /api/delete/group/4" => ok(json!({"message": "Group deleted successfully"})),
            "GET /api/get/contact?page=1&per_page=20&q=efe"
            | "GET /api/get/group/contacts/4?page=1&per_page=20" => {
                ok(json!({"contacts": [contact()], "total": 1}))
            }
            "GET /api/group/contact?page=1&per_page=20" => {
                ok(json!({"contacts": [with_groups()], "total": 1}))
            }
            "POST /api/create/contact/group/4" => {
                Answer::Json(201, json!({"contact": contact(), "message": ""}))
            }
            "PUT /api/update/contact/9" => ok(json!({"contact": contact(), "message": ""})),
            "DELETE /api/delete/contact/9" => ok(json!({"message": "Contact deleted successfully"})),
            "POST /api/import/contact/group/4?background=1"
            | "POST /api/import/contacts/new/group?background=1" => {
                Answer::Json(202, json!({"import": import("running"), "message": ""}))
            }
            "GET /api/imports/5" => ok(json!({"import": import("completed")})),
            "GET /api/imports/5/rejects" => Answer::Text("text/csv", "line,value\r\n3,x\r\n".into()),
            "GET /api/groups/4/export" => Answer::Text("text/csv", "phone\r\n2348031234567\r\n".into()),
            "GET /api/optouts?page=1&per_page=20" | "GET /admin/optouts?page=1&per_page=20" => {
                ok(json!({"optouts": [optout()], "total": 1}))
            }
            "POST /api/optouts" => Answer::Json(
                201,
                json!({"optout": optout(), "message": "2348031234567 gets no more messages"}),
            ),
            "DELETE /admin/optouts/2" => ok(json!({"message": "The number gets messages again"})),
            "POST /api/send-text-sms" => ok(json!({"details": quote(), "message": ""})),
            "POST /api/confirm-send-text-sms" => ok(confirmed(&campaign("sending"))),
            line => problem(404, "not_found", line),
        }
    })
}

#[test]
fn groups_contacts_and_opt_outs_read_well() {
    let talkdrum = Talkdrum::at(&daemon());
    let mut text = String::new();
    for args in [
        &["groups", "list"][..],
        &["groups", "show", "Members"],
        &["groups", "show", "4"],
        &["groups", "show", "9"],
        &["groups", "create", "Members"],
        &["groups", "rename", "4", "Payers"],
        &["groups", "delete", "Members", "--yes"],
        &["groups", "delete", "Members"],
        &["groups", "delete", "Strangers", "--yes"],
        &["contacts", "list", "--search", "efe"],
        &["contacts", "list", "--group", "Members"],
        &["contacts", "list", "--with-groups"],
        &["contacts", "add", "08031234567", "--group", "Members", "--field", "city=Warri"],
        &["contacts", "edit", "9", "--email", ""],
        &["contacts", "edit", "9"],
        &["contacts", "remove", "9"],
        &["contacts", "export", "--group", "Members"],
        &["optouts", "list"],
        &["optouts", "list", "--platform"],
        &["optouts", "add", "08031234567"],
        &["optouts", "remove", "2", "--platform"],
    ] {
        text.push_str(&format!("$ talkdrum {}\n{}\n", args.join(" "), talkdrum.run(args).golden()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn an_import_is_followed_to_its_end_and_its_rejects_are_saved() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("m.csv", "08031234567\n");
    let run =
        talkdrum.run(&["contacts", "import", "m.csv", "--group", "Members", "--rejects", "r.csv", "-q"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    assert_eq!(std::fs::read_to_string(talkdrum.home.path().join("r.csv")).unwrap(), "line,value\r\n3,x\r\n");
    let posted = daemon.requests().into_iter().find(|request| request.line.starts_with("POST")).unwrap();
    assert_eq!(posted.fields("file"), ["08031234567\n"]);
    let fails = ["contacts", "import", "m.csv", "--group", "Members", "-q", "--fail-if", "invalid>3%"];
    let run = talkdrum.run(&fails);
    assert_eq!(run.code, 5);
    assert!(run.stderr.contains("invalid>3% holds (1 of 30)"), "{}", run.stderr);
    assert_eq!(talkdrum.run(&["contacts", "import", "m.csv", "--group", "Strangers"]).code, 1);
    let made = ["contacts", "import", "m.csv", "--group", "New ones", "--create", "--name-column", "who"];
    assert_eq!(talkdrum.run(&made).code, 0);
    let posted = daemon.requests().into_iter().rfind(|request| request.line.starts_with("POST")).unwrap();
    assert_eq!(posted.line, "POST /api/import/contacts/new/group?background=1");
    assert_eq!(
        (posted.fields("group_name"), posted.fields("name_column")),
        (vec!["New ones".into()], vec!["who".into()])
    );
}

#[test]
fn an_unchanged_file_is_passed_over_once_the_daemon_has_all_of_it() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let imports = || daemon.lines().iter().filter(|line| line.starts_with("POST")).count();
    let run = |file: &str| {
        talkdrum.file("m.csv", file);
        talkdrum.run(&["contacts", "import", "m.csv", "--group", "Members", "--if-changed", "-q"]).code
    };
    assert_eq!((run("08031234567\n"), imports()), (0, 1));
    assert_eq!((run("08031234567\n"), imports()), (0, 1));
    assert_eq!((run("08031234568\n"), imports()), (0, 2));
    let remembered = std::fs::read_dir(talkdrum.home.path().join("talkdrum/imports")).unwrap();
    for file in remembered.filter(|file| file.as_ref().unwrap().path().extension().is_none()) {
        std::fs::write(file.unwrap().path(), "{").unwrap();
    }
    assert_eq!((run("08031234568\n"), imports()), (0, 3), "what is damaged is imported again");
}

#[test]
fn two_imports_into_one_group_never_overlap() {
    let talkdrum = Talkdrum::at(&daemon());
    talkdrum.file("m.csv", "08031234567\n");
    let import = ["contacts", "import", "m.csv", "--group", "Members", "-q"];
    assert_eq!(talkdrum.run(&import).code, 0);
    let folder = talkdrum.home.path().join("talkdrum/imports");
    let lock = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let held = std::fs::File::open(lock).unwrap();
    held.lock().unwrap();
    let run = talkdrum.run(&import);
    assert_eq!(run.code, 4, "{}", run.stderr);
    drop(held);
    assert_eq!(talkdrum.run(&import).code, 0);
}

#[test]
fn a_send_goes_to_groups_by_name() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    assert_eq!(talkdrum.run(&["send", "--group", "Members", "-m", "Hello", "--yes"]).code, 0);
    let posted =
        daemon.requests().into_iter().find(|request| request.line == "POST /api/send-text-sms").unwrap();
    assert_eq!(posted.fields("groups"), ["4"]);
    assert_eq!(talkdrum.run(&["send", "--group", "Strangers", "-m", "Hello", "--yes"]).code, 1);
}
