//! What handsets answer: whose it is, and STOP, which makes an opt-out.
//!
//! A message belongs to the owner of the virtual number that it was sent to; else to the users who wrote to that number
//! from that sender lately; else to the last one who did at all. Where nobody did, STOP holds for the whole platform:
//! the person does not want to hear from here. The one invariant: a message is handled once, and what it asks for stands
//! in the same transaction.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::api::inbound::{InboundMessage, InboundMessages};
use crate::campaign::report::{Page, Scope as Whose};
use crate::campaign::search;
use crate::carrier::MessageId;
use crate::clock::Time;
use crate::contact::suppression::{self, Scope, Source};
use crate::error::{Error, Result};
use crate::phone::{self, Msisdn};
use crate::store::inbound::{self as table, InboundRow};
use crate::store::{Lane, Store, Tx, listing};

/// Messages handled in one call.
const BATCH: i64 = 50;
/// How far back it is looked who wrote to a number.
const LATELY: Duration = Duration::from_hours(90 * 24);
/// The newest messages to a number that are looked at.
const NEWEST: usize = 20;
/// How long messages are kept.
const KEPT: Duration = Duration::from_hours(400 * 24);

/// What a message asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    None,
    Stop,
    Start,
}

impl Action {
    const fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stop => "stop",
            Self::Start => "start",
        }
    }

    /// The words that carriers and laws agree on, alone in their message.
    fn of(text: &str) -> Self {
        let words: Vec<String> = text
            .split(|sign: char| !sign.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect();
        match words.join(" ").as_str() {
            "STOP" | "STOPALL" | "STOP ALL" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "OPTOUT"
            | "OPT OUT" => Self::Stop,
            "START" | "UNSTOP" => Self::Start,
            _ => Self::None,
        }
    }
}

/// What is to be done about a message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decision {
    id: i64,
    action: Action,
    from: Option<Msisdn>,
    /// Whose it is; the first is shown as its owner.
    users: Vec<i64>,
}

/// Looks at messages that nobody looked at yet, a bounded number; true when there may be more.
pub async fn tick(store: &Store, now: Time) -> Result<bool> {
    let mut tx = store.read().await?;
    let rows = table::unhandled(&mut tx, BATCH).await?;
    let mut decisions = Vec::with_capacity(rows.len());
    for row in &rows {
        decisions.push(decide(&mut tx, row, now).await?);
    }
    drop(tx);
    let more = rows.len() == usize::try_from(BATCH).unwrap_or(usize::MAX);
    for decision in decisions {
        store
            .write(Lane::Background, (decision, now), |tx, (decision, now)| {
                Box::pin(carry_out(tx, decision, *now))
            })
            .await?;
    }
    Ok(more)
}

async fn decide(tx: &mut Tx, row: &InboundRow, now: Time) -> Result<Decision> {
    let action = Action::of(&row.text);
    let from = handset(&row.sender);
    let to = row.recipient.trim_start_matches('+');
    let users = match table::owner_of(tx, to).await? {
        Some(owner) => vec![owner],
        None => match from {
            Some(from) => who_wrote_to(tx, from, to, now).await?,
            None => Vec::new(),
        },
    };
    Ok(Decision { id: row.id, action, from, users })
}

/// The handset's number: in international form without a plus, or however a person would write it.
fn handset(sender: &str) -> Option<Msisdn> {
    let digits = sender.trim_start_matches('+').parse().ok().and_then(Msisdn::from_digits);
    phone::parse(sender).ok().or(digits)
}

async fn who_wrote_to(tx: &mut Tx, number: Msisdn, sender: &str, now: Time) -> Result<Vec<i64>> {
    let mut found = search::ids(tx, Whose::All, number, NEWEST as i64).await?;
    found.truncate(NEWEST);
    let chunks: BTreeSet<i64> = found.into_iter().map(|id| MessageId(id).chunk()).collect();
    let wrote = table::senders_of(tx, chunks.into_iter().collect(), now - LATELY).await?;
    let mut users: Vec<i64> = Vec::new();
    for (user, from) in &wrote {
        if from.eq_ignore_ascii_case(sender) && !users.contains(user) {
            users.push(*user);
        }
    }
    if users.is_empty() {
        users.extend(wrote.first().map(|(user, _)| *user));
    }
    Ok(users)
}

async fn carry_out(tx: &mut Tx, decision: &Decision, now: Time) -> Result<()> {
    let Decision { id, action, from, users } = decision;
    if !table::handled(tx, *id, users.first().copied(), action.code(), now).await? {
        return Ok(());
    }
    let Some(from) = *from else { return Ok(()) };
    let mut scopes: Vec<Scope> = users.iter().map(|user| Scope::User(*user)).collect();
    match action {
        Action::None => {}
        Action::Stop => {
            if scopes.is_empty() {
                scopes.push(Scope::Platform);
            }
            for scope in scopes {
                suppression::add(tx, scope, from, Source::Stop, now).await?;
            }
        }
        Action::Start => {
            scopes.push(Scope::Platform);
            for scope in scopes {
                take_back(tx, scope, from).await?;
            }
        }
    }
    Ok(())
}

/// Takes an opt-out back that STOP made. What a person wrote down stays: it has other reasons.
async fn take_back(tx: &mut Tx, scope: Scope, number: Msisdn) -> Result<()> {
    match suppression::of_number(tx, scope, number).await {
        Ok(found) if found.source == Source::Stop.code() => {
            suppression::remove(tx, scope, number).await?;
            Ok(())
        }
        Ok(_) | Err(Error::NotFound(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A page of messages from handsets, newest first; `q` searches number and text.
pub async fn list(tx: &mut Tx, whose: Whose, q: &str, page: Page) -> Result<InboundMessages> {
    let pattern = listing::like_pattern(&q.to_lowercase());
    let (rows, total) = table::page(tx, whose, &pattern, page).await?;
    Ok(InboundMessages { messages: rows.into_iter().map(shown).collect(), total })
}

fn shown(row: InboundRow) -> InboundMessage {
    InboundMessage {
        id: row.id,
        from: row.sender,
        to: row.recipient,
        text: row.text,
        carrier: row.carrier,
        user_id: row.user_id,
        action: row.action,
        received_at: Time(row.received_at).to_rfc3339(),
    }
}

/// Forgets what came long ago.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    table::purge(tx, now - KEPT).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Role;
    use crate::args;
    use crate::both_databases;
    use crate::campaign::status::MessageStatus as S;
    use crate::store::inbound::NewInbound;
    use crate::testing::account::make_user;
    use crate::testing::builder::{START, Spot, build};

    async fn came(store: &Store, from: Msisdn, to: &str, text: &str) {
        let message = NewInbound { sender: from.to_string(), recipient: to.into(), text: text.into() };
        store
            .write(Lane::Background, message, |tx, message| {
                Box::pin(table::keep(tx, "main", std::slice::from_ref(message), START))
            })
            .await
            .unwrap();
        assert!(!tick(store, START).await.unwrap());
    }

    async fn opt_outs(store: &Store) -> Vec<(i64, String)> {
        let mut tx = store.read().await.unwrap();
        tx.all("SELECT scope, source FROM suppressions ORDER BY scope", args![]).await.unwrap()
    }

    #[test]
    fn stop_is_understood_however_it_is_written_and_nothing_else_is() {
        for text in ["STOP", " stop. ", "Stop!!", "STOP ALL", "StopAll", "Opt-out", "unsubscribe", "\"END\""]
        {
            assert_eq!(Action::of(text), Action::Stop, "{text}");
        }
        for text in ["", "Please stop by tomorrow", "stopping", "don't stop", "STOP it", "Startup"] {
            assert_eq!(Action::of(text), Action::None, "{text}");
        }
        assert_eq!(Action::of("start"), Action::Start);
    }

    both_databases! {
        async fn stop_reaches_whoever_wrote_to_the_number_from_that_sender(store: Store) {
            let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
            let number = ada.numbers[0];
            build(&store, "eve").chunk(&[Spot::Answered(S::Delivered)]).store().await;
            came(&store, number, "+2347000000", "Stop.").await;
            assert_eq!(opt_outs(&store).await, [(ada.user, "stop".to_owned())]);
            // Once more, and a chat, change nothing; START takes it back.
            came(&store, number, "2347000000", "STOP").await;
            came(&store, number, "2347000000", "Thank you").await;
            assert_eq!(opt_outs(&store).await.len(), 1);
            came(&store, number, "2347000000", "START").await;
            assert_eq!(opt_outs(&store).await, []);
            let shown = list(&mut store.read().await.unwrap(), Whose::Own(ada.user), "thank", Page::first()).await.unwrap();
            assert_eq!((shown.total, shown.messages[0].text.as_str()), (1, "Thank you"));
            assert_eq!(shown.messages[0].action.as_deref(), Some("none"));
        }

        async fn stop_to_a_virtual_number_is_its_owners_and_from_a_stranger_it_is_the_platforms(store: Store) {
            let owner = make_user(&store, "ada", Role::User).await;
            let stranger = Msisdn::from_digits(2_348_099_999_999).unwrap();
            store
                .write(Lane::Interactive, owner, |tx, owner| {
                    Box::pin(async move {
                        tx.run(
                            "INSERT INTO virtual_numbers (user_id, virtual_num, status, created_at) \
                             VALUES ($1, '2347005', 'approved', 1)",
                            args![*owner],
                        )
                        .await
                    })
                })
                .await
                .unwrap();
            came(&store, stranger, "+2347005", "STOP").await;
            assert_eq!(opt_outs(&store).await, [(owner, "stop".to_owned())]);
            came(&store, stranger, "30012", "STOP").await;
            assert_eq!(opt_outs(&store).await, [(0, "stop".to_owned()), (owner, "stop".to_owned())]);
            // What a person noted stays when START comes.
            let other = Msisdn::from_digits(2_348_088_888_888).unwrap();
            store
                .write(Lane::Interactive, (owner, other), |tx, (owner, other)| {
                    Box::pin(suppression::add(tx, Scope::User(*owner), *other, Source::Manual, START))
                })
                .await
                .unwrap();
            came(&store, other, "2347005", "START").await;
            assert_eq!(opt_outs(&store).await.len(), 3);
        }

        async fn what_two_daemons_look_at_is_handled_once(store: Store) {
            let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
            came(&store, ada.numbers[0], "1", "STOP").await;
            let decision = Decision { id: 1, action: Action::Start, from: Some(ada.numbers[0]), users: vec![ada.user] };
            store
                .write(Lane::Background, decision, |tx, decision| Box::pin(carry_out(tx, decision, START)))
                .await
                .unwrap();
            assert_eq!(opt_outs(&store).await.len(), 1, "the second look did nothing");
        }
    }
}
