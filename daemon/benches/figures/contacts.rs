//! Importing contacts with name and e-mail, dirt included, and paging through what came of it.

use std::time::Instant;

use anyhow::Context as _;

use crate::campaign::scaled;
use crate::lists::middle_ms;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};
use crate::{Setup, numbers};

/// The figures of contacts.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    let file = numbers::contacts(setup.messages, 7);
    let bytes = file.len() as f64;
    let path = "/api/import/contacts/new/group";
    let (cpu, start) = (rig.daemon.cpu(), Instant::now());
    let answer = rig.client.upload(path, &[("group_name", "everybody")], file.clone()).await?;
    let took = start.elapsed().as_secs_f64();
    let cpu = rig.daemon.cpu() - cpu;
    let (peak, _) = rig.daemon.memory();
    let added = answer["import"]["added"].as_i64().context("an import without a count")?;
    anyhow::ensure!(added == setup.messages as i64, "{added} of {} were added: {answer}", setup.messages);
    let goal = Goal::AtMost(scaled(4.0, added), Some(scaled(2.0, added)));
    let name = format!("import of {} contacts with name and e-mail", grouped(added as f64));
    figures.push(Figure::new(name, Unit::Seconds, goal, took).note(format!(
        "{} bytes, {} rejected, CPU {:.2} us a contact, memory peak {peak:.1} MiB, {:.0} bytes of disk a contact",
        grouped(bytes),
        answer["import"]["invalid"],
        cpu * 1e6 / added as f64,
        rig.database_bytes() / added as f64
    )));
    let group = answer["group"]["id"].as_i64().context("an import without a group")?;
    let start = Instant::now();
    let again = rig.client.upload(&format!("/api/import/contact/group/{group}"), &[], file).await?;
    let took = start.elapsed().as_secs_f64();
    anyhow::ensure!(again["import"]["unchanged"] == added, "repeating it changed something: {again}");
    figures.push(Figure::new("the same file again, nothing changed", Unit::Seconds, Goal::Shown, took));
    pages(&rig, group, added, figures).await
}

/// The slowest of many pages.
async fn pages(rig: &Rig, group: i64, contacts: i64, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let list = format!("/api/get/group/contacts/{group}");
    let last = contacts / 20;
    let paths = [
        ("first page", format!("{list}?page=1&per_page=20")),
        ("page in the middle", format!("{list}?page={}&per_page=20", last / 2)),
        ("last page", format!("{list}?page={last}&per_page=20")),
        ("all contacts, in the middle", format!("/api/get/contact?page={}&per_page=20", last / 2)),
        ("groups", "/api/get/group?page=1&per_page=20".to_owned()),
        ("one number", format!("{list}?q={}", numbers::one(5, 7))),
    ];
    let (mut slowest, mut all) = (0.0_f64, Vec::new());
    for (name, path) in paths {
        let middle = middle_ms(&rig.client, &path).await?;
        slowest = slowest.max(middle);
        all.push(format!("{name} {middle:.1}"));
    }
    let text = middle_ms(&rig.client, &format!("{list}?q=nobody+at+all")).await?;
    all.push(format!("(a text in every row {text:.1})"));
    let name = format!("any page of {} contacts", grouped(contacts as f64));
    let figure = Figure::new(name, Unit::Millis, Goal::AtMost(50.0, Some(10.0)), slowest);
    figures.push(figure.note(all.join(", ") + " ms"));
    Ok(())
}
