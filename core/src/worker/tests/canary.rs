//! Campaigns whose rest waits for a canary: what goes out before it has passed, and what becomes of the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use talkdrum_api::campaign::Campaign;
use talkdrum_api::canary::CampaignCanary;
use talkdrum_api::money::Amount;

use crate::campaign::confirm::QuoteTarget;
use crate::campaign::control::{self, Authority, Cancelled, canary};
use crate::campaign::quote::{CanaryForm, Form};
use crate::campaign::report::progress;
use crate::campaign::standstill::{self, Around};
use crate::carrier::{Refusal, Submission, Verdict};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::canary::{CanaryTerms, Judging};
use crate::model::campaign::id::{CampaignId, ChunkId, QuoteId};
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::CampaignStatus;
use crate::model::page::RecordScope;
use crate::store::campaign::canary::RUNNING;
use crate::store::stats::figures::oldest_unsent;
use crate::store::{Column, Dialect, Lane};
use crate::testing::builder::{Spot, build};
use crate::testing::campaign::{Fixture, numbers, set_rates};
use crate::testing::worker::{Run, accepted, answered, receipt};
use crate::time::Clock as _;
use crate::{args, both_databases};

/// What a message of the fixture costs, in thousandths of a Naira.
const PRICE: i64 = 2_500;

/// A canary of texts, as a form says it.
fn asked(size: &str) -> Result<Option<CanaryTerms>> {
    CanaryForm { size: Some(size), ..CanaryForm::default() }.read(talkdrum_api::kind::Kind::Text)
}

/// A campaign to so many numbers with a canary, confirmed.
async fn campaign_with(fixture: &Fixture, contacts: usize, size: &str) -> CampaignId {
    let form = Form { canary: asked(size), ..fixture.form("Hello", &numbers(contacts)) };
    let quote = fixture.campaigns.quote(form).await.unwrap();
    fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0]
}

async fn shown(run: &Run, campaign: CampaignId) -> Campaign {
    let mut tx = run.store.read().await.unwrap();
    progress::view(&mut tx, RecordScope::All, campaign).await.unwrap()
}

async fn canary_of(run: &Run, campaign: CampaignId) -> CampaignCanary {
    shown(run, campaign).await.canary.unwrap()
}

/// The first `bad` of what was sent failed, and the next `good` were delivered.
async fn receive(run: &mut Run, sent: &[Submission], (bad, good): (usize, usize)) {
    for (place, one) in (0_u32..).zip(&sent[..bad + good]) {
        let state = if (place as usize) < bad { ReceiptState::Undelivered } else { ReceiptState::Delivered };
        run.settle(vec![receipt(&one.message.0.to_string(), state, place)]).await;
    }
    let now = run.clock.now();
    while run.settler.write_deferred(now, true).await.unwrap() {}
}

/// The housekeeping of a run that has been up for long; the campaigns whose rest may go out.
async fn judge(run: &Run) -> Vec<CampaignId> {
    judge_since(run, crate::time::Time(0)).await
}

async fn judge_since(run: &Run, since: crate::time::Time) -> Vec<CampaignId> {
    let mut passed = Vec::new();
    let by = Judging { since, now: run.clock.now(), is_quiet: false };
    canary::judge_all(&run.store, by, &mut passed).await.unwrap();
    passed
}

async fn resume(run: &Run, campaign: CampaignId, by: Authority) -> Result<CampaignStatus> {
    let input = (campaign, by, run.clock.now());
    run.store
        .write(Lane::Interactive, input, |tx, (campaign, by, now)| {
            Box::pin(control::resume(tx, *campaign, *by, *now))
        })
        .await
}

async fn cancel(run: &Run, campaign: CampaignId, owner: UserId) -> Cancelled {
    let input = (campaign, owner, run.clock.now());
    let write = run.store.write(Lane::Interactive, input, |tx, (campaign, owner, now)| {
        Box::pin(control::cancel(tx, *campaign, Authority::Owner(*owner), *now))
    });
    write.await.unwrap()
}

/// Starts what is due.
async fn start(run: &Run) {
    let write = run.store.write(Lane::Background, run.clock.now(), |tx, now| {
        Box::pin(crate::store::campaign::start_due(tx, *now))
    });
    write.await.unwrap();
}

async fn pause(run: &Run, campaign: CampaignId, by: Authority) {
    let write = run.store.write(Lane::Interactive, (campaign, by), |tx, (campaign, by)| {
        Box::pin(control::pause(tx, *campaign, *by, "by the test"))
    });
    write.await.unwrap();
}

both_databases! {
    async fn a_bad_batch_stops_after_exactly_its_canary_and_its_owner_gets_the_rest_back(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 9_000, "50").await;
        let sent = run.send_all().await;
        assert_eq!(sent.len(), 50, "and none of the other 8,950");
        assert!(judge(&run).await.is_empty());
        receive(&mut run, &sent, (10, 0)).await;
        assert!(judge(&run).await.is_empty(), "40 may still be delivered");
        assert_eq!(shown(&run, campaign).await.status, "sending");
        receive(&mut run, &sent[10..], (1, 0)).await;
        assert!(judge(&run).await.is_empty());
        let paused = shown(&run, campaign).await;
        assert_eq!((paused.status.as_str(), paused.held.as_deref()), ("paused", Some("canary")));
        let reason = paused.status_reason.unwrap();
        assert!(reason.starts_with("The canary failed: 0 of 50 delivered, 40 needed. "), "{reason}");
        let canary = paused.canary.unwrap();
        assert_eq!(
            (canary.state.as_str(), canary.size, canary.delivered, canary.failed, canary.until),
            ("failed", 50, 0, 11, None)
        );
        run.clock.advance(Duration::from_hours(1));
        assert!(judge(&run).await.is_empty());
        assert!(run.send_all().await.is_empty());
        let cancelled = cancel(&run, campaign, fixture.user).await;
        assert_eq!((cancelled.messages, cancelled.refunded.amount), (8_950, Amount(8_950 * PRICE * 1_000)));
        assert_eq!(fixture.balance().await, Amount((100_000_000 - 50 * PRICE) * 1_000));
        assert!(run.send_all().await.is_empty());
        run.verify().await;
    }

    async fn the_rest_goes_out_once_enough_of_a_canary_is_delivered_and_never_before(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 1_000, "5%").await;
        let canary = run.send_all().await;
        assert_eq!(canary.len(), 50);
        assert_eq!(canary_of(&run, campaign).await.state, "running");
        let around = Around { now: run.clock.now(), ..Around::default() };
        let why = async || {
            let mut all = vec![shown(&run, campaign).await];
            let mut tx = run.store.read().await.unwrap();
            standstill::explain(&mut tx, &mut all, RecordScope::All, &around).await.unwrap();
            all.pop().unwrap().status_reason.unwrap()
        };
        assert!(why().await.contains("'main', which no daemon serves"), "what stands in the way of all comes first");
        run.show(crate::carrier::Health::Up).await;
        assert_eq!(why().await, "The rest waits for the canary: 0 of 50 delivered, 40 needed");
        let waiting = async || {
            let mut tx = run.store.read().await.unwrap();
            let at = crate::store::carrier::state::waiting(&mut tx).await.unwrap()["main"];
            (at.unclaimed, at.later, at.oldest_at, oldest_unsent(&mut tx, 9).await.unwrap())
        };
        assert_eq!(waiting().await, (0, 950, None, None), "no queue that an alarm is about");
        receive(&mut run, &canary, (9, 39)).await;
        assert!(judge(&run).await.is_empty());
        assert!(run.send_all().await.is_empty());
        receive(&mut run, &canary[48..], (0, 1)).await;
        assert_eq!(judge(&run).await, [campaign]);
        assert!(judge(&run).await.is_empty(), "once");
        let now = Some(run.clock.now());
        let mut tx = run.store.read().await.unwrap();
        let at = crate::store::carrier::state::waiting(&mut tx).await.unwrap()["main"];
        assert_eq!((at.unclaimed, at.later, at.oldest_at, oldest_unsent(&mut tx, 9).await.unwrap()), (950, 0, now, now));
        drop(tx);
        let rest = run.send_all().await;
        let all: BTreeSet<_> = canary.iter().chain(&rest).map(|one| one.to.digits()).collect();
        assert_eq!((rest.len(), all.len()), (950, 1_000), "each once");
        receive(&mut run, &rest, (900, 50)).await;
        let after = shown(&run, campaign).await;
        assert_eq!((after.status.as_str(), after.held), ("completed", None));
        let canary = after.canary.unwrap();
        assert_eq!((canary.state.as_str(), canary.delivered, canary.failed), ("passed", 40, 9), "of the canary alone");
        run.verify().await;
    }

    async fn a_canary_that_hears_nothing_fails_after_its_wait_and_is_resumed_by_its_owner(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let (campaign, owner) = (campaign_with(&fixture, 200, "50").await, Authority::Owner(fixture.user));
        // What was not handed over does not begin the wait before an hour is over.
        run.clock.advance(Duration::from_mins(59));
        judge(&run).await;
        assert_eq!(canary_of(&run, campaign).await.until, None);
        // An answer that does not come does not make it longer.
        let claimed = run.dispatch().await;
        let (last, first) = claimed.split_last().unwrap();
        run.settle(first.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        judge(&run).await;
        let until = (run.clock.now() + Duration::from_secs(600)).to_rfc3339();
        assert_eq!(canary_of(&run, campaign).await.until, Some(until));
        // A pause does not run the wait out.
        run.clock.advance(Duration::from_secs(599));
        pause(&run, campaign, owner).await;
        run.clock.advance(Duration::from_hours(9));
        judge(&run).await;
        let paused = shown(&run, campaign).await;
        assert_eq!((paused.held, paused.canary.unwrap().until), (None, None), "its owner paused it");
        run.settle(vec![accepted(last.message, &last.message.0.to_string())]).await;
        resume(&run, campaign, owner).await.unwrap();
        judge(&run).await;
        run.clock.advance(Duration::from_secs(599));
        judge(&run).await;
        assert_eq!(shown(&run, campaign).await.status, "sending");
        // Nor does the time when no daemon took receipts.
        run.clock.advance(Duration::from_secs(1));
        judge_since(&run, run.clock.now()).await;
        assert_eq!(shown(&run, campaign).await.status, "sending");
        judge(&run).await;
        assert_eq!(shown(&run, campaign).await.held.as_deref(), Some("canary"));
        assert!(run.send_all().await.is_empty());
        resume(&run, campaign, owner).await.unwrap();
        let resumed = shown(&run, campaign).await;
        assert_eq!((resumed.status.as_str(), resumed.held, resumed.canary.unwrap().state.as_str()), ("sending", None, "resumed"));
        assert_eq!(run.send_all().await.len(), 150);
        judge(&run).await;
        assert_eq!(shown(&run, campaign).await.status, "completed");
        run.verify().await;
    }

    async fn an_administrators_pause_comes_before_the_canarys(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 100, "10").await;
        let sent = run.send_all().await;
        receive(&mut run, &sent, (3, 0)).await;
        judge(&run).await;
        pause(&run, campaign, Authority::Admin).await;
        assert_eq!(shown(&run, campaign).await.held.as_deref(), Some("admin"));
        let refused = resume(&run, campaign, Authority::Owner(fixture.user)).await.unwrap_err();
        assert_eq!(refused.code(), "campaign_held");
        assert!(!refused.to_string().contains("canary"), "{refused}");
        assert_eq!(resume(&run, campaign, Authority::Admin).await.unwrap(), CampaignStatus::Paused);
        assert_eq!(shown(&run, campaign).await.held.as_deref(), Some("canary"), "its owner's again");
        assert!(run.send_all().await.is_empty());
        let twice = resume(&run, campaign, Authority::Admin).await.unwrap_err();
        assert_eq!(twice.code(), "canary_failed", "its owner pays, and decides");
        assert!(run.send_all().await.is_empty());
        resume(&run, campaign, Authority::Owner(fixture.user)).await.unwrap();
        assert_eq!(run.send_all().await.len(), 90);
        run.verify().await;
    }

    async fn a_canary_of_several_prices_and_each_run_has_its_own(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        set_rates(&store, fixture.user, &[("234", "mtn", "2"), ("234", "airtel", "3")]).await;
        let mut run = Run::start(&store).await;
        let now = run.clock.now();
        let list = (0..60).map(|n| format!("0803{n:07}\n0802{n:07}\n0805{n:07}\n")).collect::<String>();
        let times = Ok(vec![now, now + Duration::from_hours(1)]);
        let form = Form { canary: asked("12"), times, ..fixture.form("Hello", &list) };
        let quote = fixture.campaigns.quote(form).await.unwrap();
        let campaigns = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns;
        assert_eq!(campaigns.len(), 2);
        start(&run).await;
        let first = run.send_all().await;
        let of = |sent: &[Submission], prefix: u64| sent.iter().filter(|one| one.to.digits() / 10_000_000 == prefix).count();
        let networks = [234_803, 234_802, 234_805].map(|prefix| of(&first, prefix));
        assert_eq!((first.len(), networks), (12, [4, 4, 4]), "chunks of three prices, all of the canary");
        receive(&mut run, &first, (0, 10)).await;
        assert_eq!(judge(&run).await, [campaigns[0]]);
        assert_eq!(run.send_all().await.len(), 168);
        assert_eq!(shown(&run, campaigns[1]).await.status, "scheduled");
        run.clock.advance(Duration::from_hours(1));
        start(&run).await;
        assert_eq!(run.send_all().await.len(), 12, "the second run begins with its own");
        run.verify().await;
    }

    async fn what_waited_for_a_canary_is_valid_from_when_it_was_let_go(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 200, "50").await;
        let sent = run.send_all().await;
        receive(&mut run, &sent, (11, 0)).await;
        judge(&run).await;
        // Over the weekend; messages are valid for a day.
        run.clock.advance(Duration::from_hours(63));
        resume(&run, campaign, Authority::Owner(fixture.user)).await.unwrap();
        let rest = run.dispatch().await;
        assert_eq!(rest.len(), 150);
        let mut tx = store.read().await.unwrap();
        let lease = crate::store::carrier::state::waiting(&mut tx).await.unwrap()["main"].oldest_lease_at;
        assert_eq!(lease, Some(run.clock.now()), "no alarm of a lease since Friday");
        drop(tx);
        let end = run.clock.now() + Duration::from_hours(24);
        assert!(rest.iter().all(|one| one.expires_at == Some(end)));
        // One is to be tried again, while its carrier is away: it does not expire before.
        let (again, taken) = rest.split_first().unwrap();
        run.settle(taken.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        run.settle(vec![answered(again.message, Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true }))]).await;
        run.clock.advance(Duration::from_hours(23));
        assert_eq!(run.send_all().await.len(), 1);
        run.verify().await;
    }

    async fn a_canary_that_no_carrier_takes_is_given_up_but_not_in_the_quiet_hours(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 200, "50").await;
        run.clock.advance(Duration::from_hours(9));
        let look = async |is_quiet| {
            let by = Judging { since: crate::time::Time(0), now: run.clock.now(), is_quiet };
            canary::judge_all(&run.store, by, &mut Vec::new()).await.unwrap();
            canary_of(&run, campaign).await.until.is_some()
        };
        // By its route it waits, whatever it is for.
        let promotional = store.write(Lane::Interactive, true, |tx, is| {
            Box::pin(async move { tx.run("UPDATE campaign_chunks SET promotional = $1", args![*is]).await })
        });
        promotional.await.unwrap();
        assert!(!look(true).await);
        assert!(look(false).await, "its wait begins");
        run.clock.advance(Duration::from_secs(600));
        look(false).await;
        assert_eq!(shown(&run, campaign).await.held.as_deref(), Some("canary"));
    }

    async fn a_cancelled_campaign_shows_that_its_canary_was_stopped(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 200, "50").await;
        let sent = run.send_all().await;
        receive(&mut run, &sent, (3, 2)).await;
        assert_eq!(cancel(&run, campaign, fixture.user).await.messages, 150);
        assert!(judge(&run).await.is_empty());
        let canary = canary_of(&run, campaign).await;
        assert_eq!((canary.state.as_str(), canary.delivered, canary.failed), ("stopped", 2, 3));
        run.verify().await;
    }

    async fn a_canary_that_cannot_be_judged_does_not_keep_the_others_from_it(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let first = campaign_with(&fixture, 200, "50").await;
        let second = campaign_with(&fixture, 300, "50").await;
        let sent = run.send_all().await;
        assert_eq!(sent.len(), 100);
        let delivered = sent.iter().map(|one| receipt(&one.message.0.to_string(), ReceiptState::Delivered, 0));
        run.settle(delivered.collect()).await;
        let now = run.clock.now();
        while run.settler.write_deferred(now, true).await.unwrap() {}
        // What is written of the first one fails.
        assert_eq!(first, CampaignId(1));
        let damage = store.write(Lane::Interactive, (), |tx, ()| Box::pin(async move {
            let statements: &[&'static str] = match tx.dialect() {
                Dialect::Sqlite => &["CREATE TRIGGER damaged BEFORE UPDATE ON campaigns WHEN NEW.id = 1 BEGIN \
                                      SELECT RAISE(ABORT, 'damaged'); END"],
                Dialect::Postgres => &[
                    "CREATE FUNCTION damaged() RETURNS trigger AS 'BEGIN RAISE EXCEPTION ''damaged''; END' LANGUAGE plpgsql",
                    "CREATE TRIGGER damaged BEFORE UPDATE ON campaigns FOR EACH ROW WHEN (NEW.id = 1) EXECUTE FUNCTION damaged()",
                ],
            };
            for statement in statements {
                tx.run(*statement, args![]).await?;
            }
            Ok(())
        }));
        damage.await.unwrap();
        let mut passed = Vec::new();
        let by = Judging { since: crate::time::Time(0), now, is_quiet: false };
        canary::judge_all(&run.store, by, &mut passed).await.unwrap_err();
        assert_eq!(passed, [second]);
    }

    async fn a_daemon_of_before_that_resumes_a_campaign_lets_its_rest_go(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start(&store).await;
        let campaign = campaign_with(&fixture, 100, "10").await;
        let sent = run.send_all().await;
        receive(&mut run, &sent, (3, 0)).await;
        judge(&run).await;
        let old = store.write(Lane::Interactive, campaign, |tx, campaign| {
            Box::pin(async move { tx.run("UPDATE campaigns SET status = 'sending' WHERE id = $1", args![*campaign]).await })
        });
        old.await.unwrap();
        assert_eq!(judge(&run).await, [campaign]);
        assert_eq!(run.send_all().await.len(), 90);
    }

    async fn no_canary_is_confirmed_while_a_daemon_lives_that_would_not_wait_for_it(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let run = Run::start(&store).await;
        let form = |canary| Form { canary, ..fixture.form("Hello", &numbers(100)) };
        let quote = fixture.campaigns.quote(form(asked("10"))).await.unwrap();
        // What such a daemon reads of it: the quote has expired.
        let read = "SELECT expires_at <= created_at FROM quotes WHERE id = $1";
        let (expired,): (bool,) = store.read().await.unwrap().one(read, args![quote.quote_id]).await.unwrap();
        assert!(expired);
        let known = async |known: bool| {
            let write = store.write(Lane::Interactive, known, |tx, known| {
                Box::pin(async move { tx.run("UPDATE daemons SET knows_canaries = $1", args![*known]).await })
            });
            write.await.unwrap();
        };
        known(false).await;
        let refused = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap_err();
        assert_eq!(refused.code(), "canary_not_yet");
        assert_eq!(fixture.balance().await, Amount(100_000_000_000));
        let without = fixture.campaigns.quote(form(Ok(None))).await.unwrap();
        fixture.confirm(QuoteTarget::Quote(QuoteId(without.quote_id))).await.unwrap();
        known(true).await;
        fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        run.verify().await;
    }

    async fn a_claim_that_was_made_all_the_same_gets_no_intent_and_no_whole_chunk(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Tail; 3]).chunk(&[Spot::Tail; 2]).canary(1).store().await;
        let run = Run::start(&store).await;
        let whole = store.write(Lane::Intent, (built.chunks.clone(), run.owner, run.clock.now()), |tx, (chunks, owner, now)| {
            Box::pin(crate::store::chunk::small_chunks::claim(tx, "main", chunks, *owner, *now))
        });
        let whole: BTreeMap<ChunkId, i64> = whole.await.unwrap().into_iter().map(|it| (it.chunk.id, it.chunk.size)).collect();
        assert_eq!(whole, BTreeMap::from([(built.chunks[1], 2)]));
        let claimed = store.write(Lane::Intent, (built.chunks[0], run.owner, run.clock.now()), |tx, (chunk, owner, now)| {
            Box::pin(async move {
                let claimed = crate::store::chunk::claim(tx, "main", *chunk, *owner, *now).await?.unwrap();
                let intent = crate::store::chunk::Intent {
                    chunk: claimed.id,
                    attempt: claimed.attempt,
                    owner: *owner,
                    from: 0,
                    to: 3,
                    opt_outs: 0,
                    even_held: false,
                };
                crate::store::chunk::store_intent(tx, intent).await
            })
        });
        assert!(!claimed.await.unwrap());
        let let_go = store.write(Lane::Interactive, (built.campaign, run.clock.now()), |tx, (campaign, now)| {
            Box::pin(crate::store::campaign::canary::pass(tx, *campaign, *now))
        });
        let_go.await.unwrap();
        let intent = crate::store::chunk::Intent {
            chunk: built.chunks[0],
            attempt: 1,
            owner: run.owner,
            from: 0,
            to: 3,
            opt_outs: 0,
            even_held: false,
        };
        let write = store.write(Lane::Intent, intent, |tx, intent| Box::pin(crate::store::chunk::store_intent(tx, *intent)));
        assert!(write.await.unwrap(), "nothing else was in its way");
    }

    async fn running_canaries_are_found_by_their_index(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Postgres {
            tx.run("SET enable_seqscan = off", args![]).await.unwrap();
        }
        let plan = tx.explain(RUNNING, args![0_i64, 256_i64]).await.unwrap().join("\n");
        assert!(plan.contains("campaigns_canary"), "{plan}");
        let plan = tx.explain(crate::store::chunk::NEXT_CLAIMABLE, args!["main", 0_i64, 1_i64, false, 256_i64, true, false, vec![Column::Texts(Vec::new())]]).await;
        let plan = plan.unwrap().join("\n");
        // How PostgreSQL joins empty tables says nothing.
        let is_bound = tx.dialect() == Dialect::Postgres || plan.contains("campaign_id=? AND id>?");
        assert!(is_bound, "what waits is walked over: {plan}");
    }

    async fn what_waits_for_a_canary_is_a_range_of_the_index_that_no_claim_walks_over(store: Store) {
        for user in ["ada", "ben"] {
            let campaign = (0..500).fold(build(&store, user), |all, _| all.chunk(&[Spot::Tail]));
            campaign.canary(1).store().await;
        }
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Postgres {
            for sql in ["ANALYZE campaigns", "ANALYZE campaign_chunks", "SET enable_seqscan = off", "SET enable_hashjoin = off",
                "SET enable_mergejoin = off"] {
                tx.run(sql, args![]).await.unwrap();
            }
        }
        let plan = tx.explain(crate::store::chunk::NEXT_CLAIMABLE, args!["main", 0_i64, 1_i64, false, 256_i64, true, false, vec![Column::Texts(Vec::new())]]).await;
        let plan = plan.unwrap().join("\n");
        let is_bound = |line: &str| match tx.dialect() {
            Dialect::Sqlite => line.contains("campaign_id=? AND id>?"),
            Dialect::Postgres => line.contains("Index Cond") && line.contains("id >= "),
        };
        assert!(plan.lines().any(is_bound), "what waits is walked over: {plan}");
    }
}
