//! What was erased is not sent again, and says why.

use super::*;
use crate::campaign::audience::RecipientSource;
use crate::store::retention;

async fn write_content(store: &Store, campaign: i64, content: &'static str) {
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
        let (audience,): (i64,) =
            fixture.tx().await.one("SELECT audience_id FROM campaigns WHERE id = $1", args![id]).await.unwrap();
        let chunks = retention::chunks_of(&mut fixture.tx().await, vec![audience]).await.unwrap();
        let erased: Vec<(i64, Vec<u8>)> = chunks.iter().map(|(id, data)| (*id, Chunk::all_erased(data).unwrap().unwrap().data)).collect();
        let job = store.write(Lane::Background, erased, |tx, chunks| {
            Box::pin(retention::rewrite_chunks(tx, chunks))
        });
        job.await.unwrap();
        assert_eq!(again().await, ["recipients_erased"; 3]);
    }
}
