//! What was erased is not sent again, and says why.

use super::*;
use crate::campaign::audience::RecipientSource;
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId, ChunkId};
use crate::store::retention;

async fn write_content(store: &Store, campaign: CampaignId, content: &'static str) {
    let job = store.write(Lane::Background, (campaign, content), |tx, (campaign, content)| {
        Box::pin(retention::set_campaigns(tx, vec![(*campaign, (*content).to_owned())]))
    });
    job.await.unwrap();
}

both_databases! {
    async fn a_campaign_whose_text_or_recipients_were_erased_is_not_sent_again(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let again = async || {
            let lists = [format!("campaign:{id}"), format!("campaign:{id}:failed")];
            let mut codes = Vec::new();
            for list in &lists {
                let sources = vec![RecipientSource::earlier(list).unwrap()];
                let form = Form { sources, ..fixture.form("Again", "") };
                codes.push(fixture.campaigns.quote(form).await.map_err(|error| error.code()).err().unwrap_or("quoted"));
            }
            let resent = fixture.campaigns.resend(fixture.user, id, None, None).await;
            codes.push(resent.map_err(|error| error.code()).err().unwrap_or("quoted"));
            codes
        };
        assert_eq!(again().await, ["quoted"; 3]);
        write_content(&store, id, r#"{"kind":"text","text":""}"#).await;
        assert_eq!(again().await, ["quoted", "quoted", "text_erased"], "to its recipients another text may go");
        write_content(&store, id, r#"{"kind":"text","text":"Hello"}"#).await;
        let (audience,): (AudienceId,) =
            fixture.tx().await.one("SELECT audience_id FROM campaigns WHERE id = $1", args![id]).await.unwrap();
        let chunks = retention::chunks_of(&mut fixture.tx().await, vec![audience]).await.unwrap();
        let erased: Vec<(AudienceChunkId, Vec<u8>)> = chunks.iter().map(|(id, data)| (*id, Chunk::all_erased(data).unwrap().unwrap().data)).collect();
        let job = store.write(Lane::Background, erased, |tx, chunks| {
            Box::pin(retention::rewrite_chunks(tx, chunks))
        });
        job.await.unwrap();
        assert_eq!(again().await, ["recipients_erased"; 3]);
    }

    async fn a_campaign_that_is_being_erased_chunk_by_chunk_is_not_sent_again_to_those_that_are_left(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(5_000)).await;
        let sql = "SELECT id FROM campaign_chunks WHERE campaign_id = $1 ORDER BY id";
        let found: Vec<(ChunkId,)> = fixture.tx().await.all(sql, args![id]).await.unwrap();
        assert!(found.len() > 1 && found[0].0 == chunk);
        for (chunk,) in &found {
            answer(&store, MessageId::new(*chunk, 0), MessageStatus::Undelivered).await;
        }
        let again = async |list: String| {
            let form = Form { sources: vec![RecipientSource::earlier(&list).unwrap()], ..fixture.form("Again", "") };
            fixture.campaigns.quote(form).await.map_err(|error| error.code()).err().unwrap_or("quoted")
        };
        let (audience,): (AudienceId,) =
            fixture.tx().await.one("SELECT audience_id FROM campaigns WHERE id = $1", args![id]).await.unwrap();
        let chunks = retention::chunks_of(&mut fixture.tx().await, vec![audience]).await.unwrap();
        let write = async |chunks: Vec<(AudienceChunkId, Vec<u8>)>| {
            let job = store.write(Lane::Background, chunks, |tx, chunks| Box::pin(retention::rewrite_chunks(tx, chunks)));
            job.await.unwrap();
        };
        // One number that was erased for itself is left out.
        let first = Chunk::decode(&chunks[0].1).unwrap();
        let one = first.erased(first.numbers()[0]).unwrap().unwrap();
        write(vec![(chunks[0].0, one.data)]).await;
        assert_eq!(again(format!("campaign:{id}")).await, "quoted");
        write(vec![(chunks[0].0, Chunk::all_erased(&chunks[0].1).unwrap().unwrap().data)]).await;
        for list in [format!("campaign:{id}"), format!("campaign:{id}:failed"), format!("campaign:{id}:undelivered")] {
            assert_eq!(again(list.clone()).await, "recipients_erased", "{list}");
        }
        let resent = fixture.campaigns.resend(fixture.user, id, None, None).await;
        assert_eq!(resent.unwrap_err().code(), "recipients_erased");
    }
}
