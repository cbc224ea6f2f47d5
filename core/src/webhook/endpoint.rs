//! Addresses that events are sent to: which are allowed, and how a customer manages them.
//!
//! What is stored was checked, and its secret is sealed.

use std::net::IpAddr;
use std::time::Duration;

use super::signature::SigningSecret;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::page::RecordScope;
use crate::model::platform::audit::AuditAction;
use crate::model::webhook::endpoint::{EndpointDraft, Subscriptions};
use crate::model::webhook::event::NewEvent;
use crate::model::webhook::id::{DeliveryId, WebhookId};
use crate::platform::audit::{self, Entry};
use crate::settings::{Sealed, Vault};
use crate::store::webhook::{WebhookRow, delivery};
use crate::store::{Tx, webhook as rows};
use crate::time::Time;

/// Addresses a user may have.
const PER_USER: i64 = 20;
/// The longest address, in bytes.
pub(super) const LONGEST_URL: usize = 2_000;
/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 200;
/// How long an old secret signs beside its successor: time to change the receiver.
const OVERLAP: Duration = Duration::from_secs(24 * 3_600);
/// What the vault knows a signing secret as.
const SEALED_AS: &str = "webhook secret";

/// Which addresses are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The public Internet, over TLS.
    Public,
    /// Also this machine's own network, and without TLS: the sandbox, and operators who ask for it.
    Anywhere,
}

impl Reach {
    /// Whether a request may go to this address of the Internet Protocol.
    pub fn allows(self, address: IpAddr) -> bool {
        self == Self::Anywhere || is_public(address)
    }
}

/// Whether an address is reached over the Internet: not this machine, nor a network behind its router, nor any of the
/// special purposes of RFC 6890.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            let shared_by_carriers = a == 100 && b & 0xc0 == 0x40;
            let benchmarks = a == 198 && b & 0xfe == 18;
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_multicast()
                || v4.is_broadcast()
                || v4.is_documentation()
                || a == 0
                || a >= 240
                || (a, b, c) == (192, 0, 0)
                || (a, b, c) == (192, 88, 99)
                || shared_by_carriers
                || benchmarks)
        }
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => is_public(IpAddr::V4(v4)),
            // Global unicast is 2000::/3 (64:ff9b::/96, which carries IPv4, is not in it).
            None => {
                let [first, second, ..] = v6.segments();
                let protocols = first == 0x2001 && second & 0xfe00 == 0; // 2001::/23, Teredo and others
                let documents =
                    (first, second) == (0x2001, 0x0db8) || (first == 0x3fff && second & 0xf000 == 0);
                let carries_ipv4 = first == 0x2002;
                first & 0xe000 == 0x2000 && !protocols && !documents && !carries_ipv4
            }
        },
    }
}

impl EndpointDraft {
    /// Checks an address, a description and the events, which may come repeated or with commas: blank ones mean all, and none at all says
    /// nothing of them.
    ///
    /// # Errors
    /// A rule on the field at fault.
    pub fn parse<S: AsRef<str>>(url: &str, description: &str, events: &[S], reach: Reach) -> Result<Self> {
        let description = description.trim().to_owned();
        if description.chars().count() > LONGEST_DESCRIPTION {
            return Err(Error::field(
                "description",
                "description_long",
                "Description must have at most 200 characters",
            ));
        }
        let events = if events.is_empty() { None } else { Some(Subscriptions::parse(events)?) };
        Ok(Self { url: check_url(url, reach)?, description, events })
    }
}

/// An address in the form in which it is stored. Its host name is resolved and checked again at every request.
fn check_url(text: &str, reach: Reach) -> Result<String> {
    let schemes: &[&str] = if reach == Reach::Public { &["https"] } else { &["https", "http"] };
    check_address(text.trim(), reach, schemes).map(Into::into)
}

/// A whole address by one of these schemes, the best first, that may be called.
pub(super) fn check_address(text: &str, reach: Reach, schemes: &[&str]) -> Result<reqwest::Url> {
    let invalid = |why: String| Error::field("url", "url_invalid", why);
    if text.is_empty() {
        return Err(Error::field("url", "url_required", "URL is required"));
    }
    if text.len() > LONGEST_URL {
        return Err(invalid("URL must have at most 2,000 characters".to_owned()));
    }
    let url = reqwest::Url::parse(text).map_err(|_| {
        invalid("URL must be a whole address, such as https://example.com/talkdrum".to_owned())
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("URL must not hold a name or password".to_owned()));
    }
    if !schemes.contains(&url.scheme()) {
        let beginnings: Vec<String> = schemes.iter().map(|scheme| format!("{scheme}://")).collect();
        return Err(invalid(format!("URL must begin with {}", beginnings.join(" or "))));
    }
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let own = host.eq_ignore_ascii_case("localhost") && reach == Reach::Public;
    if host.is_empty() || own || host.parse().is_ok_and(|address| !reach.allows(address)) {
        return Err(invalid("URL must lead to a public address".to_owned()));
    }
    Ok(url)
}

/// A new secret, with what is stored of it.
#[derive(Clone, Debug)]
pub struct NewSecret {
    /// For the owner.
    pub secret: SigningSecret,
    /// For the database.
    pub sealed: Sealed,
}

impl NewSecret {
    /// Makes one.
    ///
    /// # Errors
    /// See [`Vault::seal`].
    pub fn new(vault: &Vault, entropy: &dyn Entropy) -> Result<Self> {
        let secret = SigningSecret::new(entropy);
        Ok(Self { sealed: vault.seal(SEALED_AS, &secret.to_secret())?, secret })
    }
}

/// The secrets that sign a request at this time, the newest first.
///
/// # Errors
/// `secret_unreadable` when the vault's key was changed: the owner must make a new secret.
pub(super) fn secrets(vault: &Vault, row: &WebhookRow, now: Time) -> Result<Vec<SigningSecret>> {
    let mut sealed = vec![row.secret.clone()];
    sealed.extend(row.old_secret.clone().filter(|_| row.old_secret_ends_at.is_some_and(|end| now < end)));
    sealed
        .into_iter()
        .map(|sealed| SigningSecret::from_secret(&vault.open(SEALED_AS, &Sealed::from(sealed))?))
        .collect()
}

/// Adds an address; it gets the events of campaigns that are confirmed from now on.
///
/// # Errors
/// `too_many_webhooks`.
pub async fn create(
    tx: &mut Tx,
    user_id: UserId,
    draft: &EndpointDraft,
    sealed: &Sealed,
    now: Time,
) -> Result<WebhookRow> {
    if rows::count(tx, user_id).await? >= PER_USER {
        return Err(Error::rule(
            "too_many_webhooks",
            "You have 20 webhooks: delete one that is not used any more",
        ));
    }
    let id = rows::insert(tx, user_id, draft, sealed.as_str(), now).await?;
    find(tx, RecordScope::Own(user_id), id).await
}

/// An address in scope.
///
/// # Errors
/// When there is none of this id.
pub async fn find(tx: &mut Tx, scope: RecordScope, id: WebhookId) -> Result<WebhookRow> {
    rows::by_id(tx, id).await?.filter(|row| scope.sees(row.user_id)).ok_or(Error::NotFound("webhook"))
}

/// Changes an address. Turning it on again forgets that it failed.
///
/// # Errors
/// When the user has none of this id.
pub async fn edit(
    tx: &mut Tx,
    user_id: UserId,
    id: WebhookId,
    draft: &EndpointDraft,
    is_active: bool,
    now: Time,
) -> Result<WebhookRow> {
    find(tx, RecordScope::Own(user_id), id).await?;
    rows::update(tx, id, draft, is_active, now).await?;
    find(tx, RecordScope::Own(user_id), id).await
}

/// Gives an address a new secret; the old one signs too for another day.
///
/// # Errors
/// When the user has none of this id.
pub async fn rotate(
    tx: &mut Tx,
    user_id: UserId,
    id: WebhookId,
    sealed: &Sealed,
    now: Time,
) -> Result<WebhookRow> {
    find(tx, RecordScope::Own(user_id), id).await?;
    rows::rotate(tx, id, sealed.as_str(), now + OVERLAP, now).await?;
    find(tx, RecordScope::Own(user_id), id).await
}

/// Deletes an address with its log, a bounded piece of it a call; true when it is gone. Its pending events are dropped.
///
/// # Errors
/// When the user has none of this id.
pub async fn delete(tx: &mut Tx, user_id: UserId, id: WebhookId) -> Result<bool> {
    find(tx, RecordScope::Own(user_id), id).await?;
    rows::delete(tx, id).await
}

/// Deliveries that may wait for an address when it is tested.
const TESTS_WAITING: i64 = 20;

/// Sends a test event to an address, and returns the delivery's id.
///
/// # Errors
/// When the user has none of this id, or it is turned off; `too_many_waiting`.
pub async fn test(tx: &mut Tx, user_id: UserId, id: WebhookId, now: Time) -> Result<DeliveryId> {
    let row = find(tx, RecordScope::Own(user_id), id).await?;
    if !row.is_active {
        return Err(Error::rule("webhook_inactive", "This webhook is turned off: turn it on first"));
    }
    if delivery::BACKLOG - delivery::room(tx, id).await? >= TESTS_WAITING {
        return Err(delivery::backlog_full());
    }
    let event = NewEvent::test(user_id, id, now)?;
    delivery::insert_one(tx, &event, id, now).await
}

/// Webhooks whose secret is tried.
const SECRETS_TRIED: i64 = 100;

/// Delivers one event again, whatever became of it; of another user's it is noted that `by` did.
///
/// # Errors
/// 404 when there is no such address in `scope`, or no such delivery to it.
pub async fn redeliver(
    tx: &mut Tx,
    (scope, by): (RecordScope, UserId),
    id: WebhookId,
    delivery: DeliveryId,
    now: Time,
) -> Result<()> {
    let webhook = find(tx, scope, id).await?;
    if !delivery::again(tx, id, delivery, now).await? {
        return Err(Error::NotFound("delivery"));
    }
    note(tx, &webhook, by, format!("delivery {delivery}"), now).await
}

/// Delivers everything again that was given up, up to 1,000 deliveries, oldest first; how many.
///
/// # Errors
/// 404 when there is no such address in `scope`.
pub async fn redeliver_failed(
    tx: &mut Tx,
    (scope, by): (RecordScope, UserId),
    id: WebhookId,
    now: Time,
) -> Result<u64> {
    let webhook = find(tx, scope, id).await?;
    let count = delivery::failed_again(tx, id, now).await?;
    note(tx, &webhook, by, format!("{count} failed deliveries"), now).await?;
    Ok(count)
}

/// Notes in the audit trail that an administrator had another user's event delivered again.
async fn note(tx: &mut Tx, webhook: &WebhookRow, by: UserId, what: String, now: Time) -> Result<()> {
    if webhook.user_id == by {
        return Ok(());
    }
    let entry =
        Entry::new(by, AuditAction::WebhookRedeliver, format!("webhook {}", webhook.id)).after(Some(what));
    audit::record(tx, &entry, now).await
}

/// The ids of the webhooks, among the newest, whose signing secret does not open with this vault's key; without a vault, of
/// all of them.
///
/// # Errors
/// When the database fails.
pub async fn unreadable(tx: &mut Tx, vault: Option<&Vault>) -> Result<Vec<WebhookId>> {
    let secrets = rows::newest_secrets(tx, SECRETS_TRIED).await?;
    let closed =
        |sealed: String| vault.is_none_or(|vault| vault.open(SEALED_AS, &Sealed::from(sealed)).is_err());
    Ok(secrets.into_iter().filter_map(|(id, sealed)| closed(sealed).then_some(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::testing::account::make_user;

    #[test]
    fn only_public_addresses_over_tls_are_taken() {
        let parse = |url: &str, reach| EndpointDraft::parse(url, "", &[] as &[&str], reach);
        for good in [
            "https://example.com/hook?x=1",
            "https://8.8.8.8/",
            "https://[2606:4700::1111]:8443/a",
            "https://[2001:200::1]/",
            "https://[3fff:1000::1]/",
        ] {
            assert_eq!(parse(good, Reach::Public).unwrap().url, good);
        }
        for bad in [
            "",
            "example.com",
            "http://example.com/",
            "ftp://example.com/",
            "https://user:pw@example.com/",
            "https://localhost/",
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://10.1.2.3/",
            "https://169.254.169.254/latest/meta-data",
            "https://100.64.0.1/",
            "https://[::1]/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://192.88.99.1/",
            "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
            "https://[2001:10::1]/",
            "https://[2001:1ff::1]/",
            "https://[2001:db8::1]/",
            "https://[2002:a00:1::]/",
            "https://[3fff:fff::1]/",
        ] {
            assert!(parse(bad, Reach::Public).is_err(), "{bad}");
        }
        assert!(parse("http://127.0.0.1:9000/hook", Reach::Anywhere).is_ok());
        assert!(parse("file:///etc/passwd", Reach::Anywhere).is_err());
    }

    #[test]
    fn an_address_is_kept_without_the_blanks_around_its_description_and_with_its_events() {
        let draft =
            |events: &[&str]| EndpointDraft::parse("https://example.com/", " mine ", events, Reach::Public);
        let some = draft(&["messages.updated"]).unwrap();
        assert_eq!((&*some.description, &*some.events.unwrap().to_string()), ("mine", "messages.updated"));
        assert_eq!(draft(&[]).unwrap().events, None);
        assert_eq!(draft(&[""]).unwrap().events, Some(Subscriptions::all()));
        assert_eq!(draft(&["nothing"]).unwrap_err().code(), "unknown_event");
    }

    both_databases! {
        async fn an_edit_that_says_nothing_of_events_keeps_those_of_a_newer_version(store: Store) {
            let user = make_user(&store, "ada", Role::User).await;
            let draft = EndpointDraft::parse("https://example.com/", "", &[] as &[&str], Reach::Public).unwrap();
            let edited = store.write(Lane::Interactive, (user, draft), |tx, (user, draft)| {
                Box::pin(async move {
                    let id = rows::insert(tx, *user, draft, "sealed", Time(1)).await?;
                    let made = find(tx, RecordScope::Own(*user), id).await?.events;
                    let newer = "UPDATE webhooks SET events = 'campaign.completed,of.tomorrow' WHERE id = $1";
                    tx.run(newer, args![id]).await?;
                    let shown = edit(tx, *user, id, draft, false, Time(2)).await?.events;
                    let (stored,): (String,) = tx.one("SELECT events FROM webhooks WHERE id = $1", args![id]).await?;
                    Ok((made, shown.to_string(), stored))
                })
            });
            let (made, shown, stored) = edited.await.unwrap();
            assert_eq!(made, Subscriptions::all(), "none named are all");
            assert_eq!((&*shown, &*stored), ("campaign.completed", "campaign.completed,of.tomorrow"));
        }
    }
}
