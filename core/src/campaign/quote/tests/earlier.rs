//! Quotes to lists that are here already: the recipients of a campaign, the numbers of an import.

use super::*;
use crate::contact::import::numbers as kept;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId, QuoteId};
use crate::model::contact::{ImportStatus, ImportTarget};
use crate::model::message::id::MessageId;
use crate::store::contact::import;

fn earlier(lists: &[&str]) -> Vec<RecipientSource> {
    lists.iter().map(|list| RecipientSource::earlier(list).unwrap()).collect()
}

async fn quote_to(fixture: &Fixture, message: &str, lists: &[&str]) -> Result<Quote> {
    let form = Form { sources: earlier(lists), ..fixture.form(message, "") };
    fixture.campaigns.quote(form).await
}

/// A confirmed campaign; its id.
async fn campaign(fixture: &Fixture, form: Form) -> CampaignId {
    let quote = fixture.campaigns.quote(form).await.unwrap();
    fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0]
}

/// Gives the first messages of a campaign these statuses.
async fn answer(store: &Store, campaign: CampaignId, statuses: &'static [MessageStatus]) {
    let job = store.write(Lane::Background, (campaign, statuses), |tx, (campaign, statuses)| {
        Box::pin(async move {
            let sql = "SELECT MIN(id) FROM campaign_chunks WHERE campaign_id = $1";
            let (chunk,): (ChunkId,) = tx.one(sql, args![*campaign]).await?;
            for (place, status) in statuses.iter().enumerate() {
                let id = MessageId::new(chunk, place as u16);
                let sql = "INSERT INTO messages (id, status, money) VALUES ($1, $2, 1)";
                tx.run_exactly(1, sql, args![id.0, status.number()]).await?;
            }
            Ok(())
        })
    });
    job.await.unwrap();
}

/// The numbers of a quote's audience.
async fn recipients(fixture: &Fixture, quote: i64) -> Vec<String> {
    let mut tx = fixture.tx().await;
    let row = table::by_id(&mut tx, QuoteId(quote)).await.unwrap().unwrap();
    let chunks = audience::chunks_after(&mut tx, row.audience_id, AudienceChunkId(0), 100).await.unwrap();
    let decoded = chunks.iter().map(|(_, data)| Chunk::decode_without_fields(data).unwrap());
    decoded.flat_map(|chunk| chunk.numbers().iter().map(ToString::to_string).collect::<Vec<_>>()).collect()
}

const SIX: &str = "08031234561,08031234562,08031234563,08031234564,08031234565,08031234566";

both_databases! {
    async fn the_recipients_of_a_campaign_are_sent_to_again_by_what_became_of_them(store: Store) {
        use MessageStatus as S;
        let fixture = Fixture::open(&store, "1000").await;
        let id = campaign(&fixture, fixture.form("Hello", SIX)).await;
        answer(&store, id, &[S::Delivered, S::Undelivered, S::Rejected, S::Submitted, S::Expired]).await;
        let list = |of: &str| format!("campaign:{id}{of}");
        let all = quote_to(&fixture, "Again", &[&list("")]).await.unwrap();
        assert_eq!((all.total_contacts, all.charges_per_run), (6, "15".parse().unwrap()));
        for (of, ends) in [(":failed", "2 3 5"), (":delivered", "1"), (":submitted", "4"), (":expired", "5")] {
            let quote = quote_to(&fixture, "Again", &[&list(of)]).await.unwrap();
            let numbers = recipients(&fixture, quote.quote_id).await;
            let wanted: Vec<String> = ends.split(' ').map(|end| format!("234803123456{end}")).collect();
            assert_eq!(numbers, wanted, "{of}");
        }
        let none = quote_to(&fixture, "Again", &[&list(":unknown")]).await.unwrap_err();
        assert_eq!(none.code(), "recipients_required");
        // Beside typed numbers each is counted once, and who opted out since gets nothing.
        opt_out(&store, SuppressionScope::User(fixture.user), 2_348_031_234_562).await;
        let mut form = fixture.form("Again", "08031234563 08091234567");
        form.sources.extend(earlier(&[&list(":failed")]));
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_duplicates_removed, quote.total_suppressed), (3, 1, 1));
        let counted = fixture.campaigns.check_recipients(fixture.user, None, earlier(&[&list(":failed")])).await.unwrap();
        assert_eq!((counted.total_contacts, counted.total_suppressed), (2, 1));
    }

    async fn who_was_cancelled_before_a_claim_is_listed_and_who_was_sent_to_again_is_not(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let id = campaign(&fixture, fixture.form("Hello", SIX)).await;
        answer(&store, id, &[MessageStatus::Undelivered, MessageStatus::Rejected, MessageStatus::Cancelled]).await;
        let again = fixture.campaigns.quote(fixture.form("Hello", "08031234561")).await.unwrap().quote_id;
        fixture.confirm(QuoteTarget::Quote(QuoteId(again))).await.unwrap();
        let job = store.write(Lane::Background, (id, again), |tx, (id, again)| {
            Box::pin(async move {
                let sql = "UPDATE campaign_chunks SET cursor = 4, tail_cancelled = 2 WHERE campaign_id = $1";
                tx.run_exactly(1, sql, args![*id]).await?;
                let sql = "INSERT INTO message_resends (message_id, quote_id) SELECT MIN(m.id), $2 FROM messages m \
                           JOIN campaign_chunks c ON m.id / 4096 = c.id WHERE c.campaign_id = $1";
                tx.run_exactly(1, sql, args![*id, *again]).await
            })
        });
        job.await.unwrap();
        for (of, ends) in [("cancelled", "3 5 6"), ("failed", "2")] {
            let quote = quote_to(&fixture, "Again", &[&format!("campaign:{id}:{of}")]).await.unwrap();
            let wanted: Vec<String> = ends.split(' ').map(|end| format!("234803123456{end}")).collect();
            assert_eq!(recipients(&fixture, quote.quote_id).await, wanted, "{of}");
        }
    }

    async fn a_list_of_another_user_is_not_there(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let id = campaign(&fixture, fixture.form("Hello", SIX)).await;
        let eve = user_with(&store, "eve", "100").await;
        let sources = earlier(&[&format!("campaign:{id}")]);
        let form = Form { user_id: eve, sources, ..fixture.form("Mine", "") };
        assert!(matches!(fixture.campaigns.quote(form).await, Err(Error::NotFound("campaign"))));
        let sources = earlier(&[&format!("campaign:{id}:failed")]);
        let counted = fixture.campaigns.check_recipients(eve, None, sources).await;
        assert!(matches!(counted, Err(Error::NotFound("campaign"))));
        assert!(matches!(quote_to(&fixture, "Hi", &["import:99"]).await, Err(Error::NotFound("import"))));
    }

    async fn merge_fields_of_a_campaign_fill_those_of_the_next(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let list = "phone,Name\n08031234561,Ada\n08031234562,Bisi\n";
        let form = Form { sources: vec![file(list)], ..fixture.form("Dear {name}", "") };
        let id = campaign(&fixture, form).await;
        answer(&store, id, &[MessageStatus::Delivered, MessageStatus::Undelivered]).await;
        let quote = quote_to(&fixture, "Once more, {name}", &[&format!("campaign:{id}:failed")]).await.unwrap();
        assert_eq!((quote.total_contacts, quote.message.as_str()), (1, "Once more, Bisi"));
        let columns = fixture.campaigns.check_recipients(fixture.user, None, earlier(&[&format!("campaign:{id}")]));
        assert_eq!(columns.await.unwrap().columns, ["name"]);
        let unknown = quote_to(&fixture, "From {town}", &[&format!("campaign:{id}")]).await.unwrap_err();
        assert_eq!(unknown.code(), "unknown_merge_field");
        // A message without merge fields reads numbers alone.
        assert_eq!(quote_to(&fixture, "Plain", &[&format!("campaign:{id}")]).await.unwrap().total_contacts, 2);
    }

    async fn a_campaign_of_several_chunks_is_read_whole(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let id = campaign(&fixture, fixture.form("Hello", &numbers(CHUNK_SIZE + 10))).await;
        let quote = quote_to(&fixture, "Again", &[&format!("campaign:{id}")]).await.unwrap();
        assert_eq!(quote.total_contacts, CHUNK_SIZE as i64 + 10);
        let twice = quote_to(&fixture, "Again", &[&format!("campaign:{id}"), &format!("campaign:{id}:failed")]).await;
        assert_eq!(twice.unwrap().total_contacts, CHUNK_SIZE as i64 + 10);
    }

    async fn the_numbers_of_an_import_are_those_that_are_still_in_its_group(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let people: Vec<(i64, &str, &str)> =
            (1..=5).map(|n| (2_348_031_234_560 + n, "Ada", "Jos")).collect();
        let group = group(&store, fixture.user, "All", &people).await;
        // Two that were there before, and one that was deleted since.
        let brought: Vec<i64> = vec![2_348_031_234_562, 2_348_031_234_564, 2_348_031_234_569];
        let job = store.write(Lane::Interactive, (fixture.user, group, brought), |tx, (user, group, brought)| {
            Box::pin(async move {
                let id = import::insert(tx, *user, (ImportTarget::Group, group.0), ("may.csv", ""), NOW).await?;
                import::keep_numbers(tx, id, (brought[0], 3), kept::encode(brought)).await?;
                import::note_written(tx, id, (1, 1, 1), brought[2], NOW).await?;
                import::finish(tx, id, ImportStatus::Completed, None, NOW).await?;
                let short = import::insert(tx, *user, (ImportTarget::Group, group.0), ("", ""), NOW).await?;
                import::note_written(tx, short, (1, 0, 0), brought[2], NOW).await?;
                import::finish(tx, short, ImportStatus::Completed, None, NOW).await?;
                Ok((id, short))
            })
        });
        let (id, short) = job.await.unwrap();
        let quote = quote_to(&fixture, "Dear {name} of {city}", &[&format!("import:{id}")]).await.unwrap();
        assert_eq!((quote.total_contacts, quote.message.as_str()), (2, "Dear Ada of Jos"));
        assert_eq!(recipients(&fixture, quote.quote_id).await, ["2348031234562", "2348031234564"]);
        let refused = quote_to(&fixture, "Hi", &[&format!("import:{short}")]).await.unwrap_err();
        assert_eq!(refused.code(), "import_not_kept");
    }
}

#[test]
fn what_names_no_list_is_refused() {
    for text in [
        "",
        "campaign",
        "campaign:",
        "campaign:x",
        "campaign:0",
        "campaign:7:queued",
        "campaign:7:failed:x",
        "import:9:failed",
        "group:5",
        "campaign:-7",
    ] {
        assert_eq!(RecipientSource::earlier(text).unwrap_err().code(), "bad_audience", "{text}");
    }
    assert!(RecipientSource::earlier(" campaign:7:failed ").is_ok());
}
