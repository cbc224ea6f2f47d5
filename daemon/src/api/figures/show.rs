//! `GET /admin/figures`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::breakdown::NetworkOutcome;
use talkdrum_api::figures::{
    CheckFigures, Figures, HourFigures, MoneyFigures, OpenCampaigns, SenderFigures, Traffic,
};
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::query::FiguresQuery;
use talkdrum_core::campaign::standstill;
use talkdrum_core::model::money::ledger::Code;
use talkdrum_core::operate::retention::{self, RetentionDays, WALKED};
use talkdrum_core::platform::figures::{self, MoneyMoved, NetworkRow};
use talkdrum_core::platform::maintenance;
use talkdrum_core::store::Tx;
use talkdrum_core::store::stats::hourly::TrafficCounts;
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::api::carrier;
use crate::http::{AdminCaller, Answer, Query as Parameters};
use crate::state::AppState;

/// Hours that are shown when no number was asked for.
const USUAL_HOURS: u16 = 24;
/// The most hours: a week.
const MOST_HOURS: u16 = 168;
/// Senders that are shown.
const SENDERS: i64 = 20;

/// Traffic, money and what waits, of the last `hours` hours (1 to 168, 24 unless asked). Traffic is counted in the hour
/// in which its campaign started and follows the receipts within seconds to an hour; money is the ledger's, ten
/// seconds behind.
#[utoipa::path(
    get, path = "/admin/figures", tag = "figures",
    params(FiguresQuery),
    responses((status = 200, body = Figures)),
)]
pub(super) async fn show_figures(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Parameters(window): Parameters<FiguresQuery>,
) -> Answer<Figures> {
    Ok(Json(read(&app, hours(window.hours.as_deref())?).await?))
}

/// The figures as they are now.
pub(super) async fn read(app: &AppState, hours: u16) -> Result<Figures> {
    let now = app.clock.now();
    let mut tx = app.store.snapshot().await?;
    let found = figures::read(&mut tx, hours, SENDERS, now).await?;
    let open = talkdrum_core::store::carrier::open_items::open(&mut tx).await?;
    drop(tx);
    let carriers = carrier::all(app).await?;
    let mut all = (0, 0, TrafficCounts::default());
    for hour in &found.hours {
        all.0 += hour.campaigns;
        all.1 += hour.ordered;
        add(&mut all.2, &hour.counts);
    }
    let (scheduled, sending, paused) = found.open_campaigns;
    let waiting: Vec<String> = carriers.iter().filter(|it| it.queued > 0).map(|it| it.name.clone()).collect();
    let mut tx = app.store.read().await?;
    let is_maintenance = maintenance::status(&mut tx).await?.is_on;
    let standstill = standstill::of_platform(&mut tx, &waiting, is_maintenance, &app.around()).await?;
    let retention_days_behind = days_behind(&mut tx, app.retention, now).await?;
    drop(tx);
    let waits = found.oldest_unsent_at.map_or(0, |since| now.since(since).as_secs());
    Ok(Figures {
        from: found.from.to_rfc3339(),
        traffic: traffic(all.0, all.1, &all.2),
        hours: found
            .hours
            .iter()
            .map(|it| HourFigures {
                hour: it.hour.to_rfc3339(),
                traffic: traffic(it.campaigns, it.ordered, &it.counts),
            })
            .collect(),
        networks: found.networks.into_iter().map(network).collect(),
        senders: found
            .senders
            .into_iter()
            .map(|it| SenderFigures {
                traffic: traffic(it.campaigns, it.ordered, &it.counts),
                sender: it.sender,
            })
            .collect(),
        money: Currency::ALL.into_iter().map(|currency| money(currency, &found.money)).collect(),
        open_campaigns: OpenCampaigns { scheduled, sending, paused },
        standstill,
        warnings: app.campaigns.router.now().warning().into_iter().collect(),
        oldest_unsent_at: found.oldest_unsent_at.map(Time::to_rfc3339),
        queue_age_s: i64::try_from(waits).unwrap_or(i64::MAX),
        unknown_messages: open.values().map(|open| open.unknown_messages).sum(),
        carriers,
        last_check: found.last_check.map(|check| CheckFigures {
            checked_at: check.checked_at.to_rfc3339(),
            ok: check.ok,
            findings: check.findings,
            first: check.first,
        }),
        retention_days_behind,
    })
}

/// How many days retention is behind, by this daemon's times; `None` where it has none.
async fn days_behind(tx: &mut Tx, days: RetentionDays, now: Time) -> Result<Option<u64>> {
    let mut behind = None;
    for class in WALKED {
        if let Some(days) = days.of(class) {
            let lag = retention::lag(tx, class, days, now).await?;
            behind = behind.max(Some(lag.as_secs() / 86_400));
        }
    }
    Ok(behind)
}

/// Hours.
///
/// # Errors
/// 400 for what is no number of them.
pub(super) fn hours(given: Option<&str>) -> Result<u16> {
    match given.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(USUAL_HOURS),
        Some(text) => text.parse().ok().filter(|hours| (1..=MOST_HOURS).contains(hours)).ok_or_else(|| {
            Error::field("hours", "bad_hours", format!("hours must be a number from 1 to {MOST_HOURS}"))
        }),
    }
}

fn add(to: &mut TrafficCounts, more: &TrafficCounts) {
    let TrafficCounts { awaited, delivered, undelivered, rejected, expired, unknown, charged: _ } = *more;
    to.awaited += awaited;
    to.delivered += delivered;
    to.undelivered += undelivered;
    to.rejected += rejected;
    to.expired += expired;
    to.unknown += unknown;
}

fn traffic(campaigns: i64, ordered: i64, counts: &TrafficCounts) -> Traffic {
    let TrafficCounts { awaited, delivered, undelivered, rejected, expired, unknown, charged: _ } = *counts;
    let delivered_per_mille = per_mille(delivered, delivered + undelivered + rejected + expired);
    Traffic {
        campaigns,
        ordered,
        awaited,
        delivered,
        undelivered,
        rejected,
        expired,
        unknown,
        delivered_per_mille,
    }
}

fn network(it: NetworkRow) -> NetworkOutcome {
    NetworkOutcome {
        delivered_per_mille: per_mille(
            it.delivered,
            it.delivered + it.undelivered + it.rejected + it.expired,
        ),
        network: it.network,
        ordered: it.ordered,
        delivered: it.delivered,
        undelivered: it.undelivered,
        rejected: it.rejected,
        expired: it.expired,
        unknown: it.unknown,
        awaited: it.awaited,
    }
}

/// Of a thousand of which it is known.
fn per_mille(delivered: i64, known: i64) -> Option<i64> {
    (known > 0).then(|| delivered.saturating_mul(1_000) / known)
}

fn money(currency: Currency, moved: &[MoneyMoved]) -> MoneyFigures {
    let of = |code: Code| -> i64 {
        moved.iter().filter(|it| it.currency == currency && it.code == code).map(|it| it.amount.0).sum()
    };
    MoneyFigures {
        currency: currency.code().to_owned(),
        paid_in: Amount(of(Code::Payment)),
        credited: Amount(of(Code::Credit)),
        revenue: Amount(of(Code::Capture) + of(Code::Charge) - of(Code::Refund)),
        released: Amount(of(Code::Release)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::model::message::status::MessageStatus as S;
    use talkdrum_core::operate::retention::RetentionDays;
    use talkdrum_core::platform::figures::tick;
    use talkdrum_core::store::Lane;
    use talkdrum_core::testing::builder::{Spot, build};

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn an_administrator_sees_traffic_money_and_what_waits() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let built = build(daemon.store(), "ada")
            .sender("ACME")
            .chunk(&[
                Spot::Answered(S::Delivered),
                Spot::Answered(S::Delivered),
                Spot::Answered(S::Undelivered),
                Spot::Answered(S::Unknown),
                Spot::Tail,
            ])
            .store()
            .await;
        daemon.pass(Duration::from_secs(90));
        while tick(daemon.store(), daemon.app().clock.now()).await.unwrap() {}
        let reply = daemon.get("/admin/figures?hours=1", &admin).await;
        let seen = reply.json();
        assert_eq!(seen["traffic"]["ordered"], 5, "{}", reply.text);
        assert_eq!(
            (&seen["traffic"]["delivered"], &seen["traffic"]["delivered_per_mille"]),
            (&2.into(), &666.into())
        );
        assert_eq!(seen["hours"][0]["hour"], "2023-11-14T22:00:00.000Z");
        assert_eq!(
            (&seen["senders"][0]["sender"], &seen["senders"][0]["unknown"]),
            (&"ACME".into(), &1.into())
        );
        assert_eq!((&seen["queue_age_s"], &seen["open_campaigns"]["sending"]), (&90.into(), &1.into()));
        assert_eq!(seen["money"][0]["currency"], "espees");
        assert_eq!(seen["last_check"], serde_json::Value::Null);
        assert_eq!(seen["retention_days_behind"], serde_json::Value::Null, "nothing is erased by age");
        let why = "Messages wait for the carrier 'main', which no daemon serves now";
        assert_eq!(seen["standstill"], why);
        let shown = daemon.get(&format!("/api/campaigns/{}?numbers=0", built.campaign), &admin).await.json();
        assert_eq!(shown["campaign"]["status_reason"], why);
        let listed = daemon.get("/admin/get-all-camapaign-history?numbers=0", &admin).await.json();
        assert_eq!(listed["campaigns"][0]["status_reason"], why);
        for bad in ["0", "169", "x"] {
            let reply = daemon.get(&format!("/admin/figures?hours={bad}"), &admin).await;
            assert_eq!((reply.status, reply.code().as_str()), (400, "bad_hours"));
        }
    }

    #[tokio::test]
    async fn an_administrator_sees_how_far_behind_retention_is() {
        let daemon = TestDaemon::start_with(|settings| settings.retention.numbers_days = Some(30)).await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let behind =
            async || daemon.get("/admin/figures", &admin).await.json()["retention_days_behind"].clone();
        assert_eq!(behind().await, 0);
        // It is not over, so that it keeps the mark.
        build(daemon.store(), "ada").chunk(&[Spot::Tail]).store().await;
        let day = Duration::from_hours(24);
        let term = daemon.store().write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move {
                let sql = "INSERT INTO retention_terms (class, days, since) VALUES ('numbers', 30, 1) \
                           ON CONFLICT (class) DO UPDATE SET since = 1";
                tx.run(sql, talkdrum_core::args![]).await
            })
        });
        term.await.unwrap();
        let mut tx = daemon.store().read().await.unwrap();
        let now = daemon.app().clock.now() + day * 33 + day / 2;
        let days = RetentionDays { numbers: Some(30), texts: Some(1), ..RetentionDays::default() };
        assert_eq!(
            super::days_behind(&mut tx, days, now).await.unwrap(),
            Some(3),
            "the time of texts does not hold"
        );
    }
}
