use super::*;
use crate::campaign::audience::RecipientSource;
use crate::campaign::confirm::QuoteTarget;
use crate::campaign::quote::{CanaryForm, Form};
use crate::content::{Poll, Pulse};
use crate::model::campaign::id::{CampaignId, QuoteId};
use crate::model::contact::id::GroupId;
use crate::store::Lane;
use crate::store::contact::{self, group as groups};
use crate::testing::campaign::{Fixture, NOW, numbers, user_with};
use crate::{args, both_databases};
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;

async fn group(fixture: &Fixture, name: &'static str, number: i64) -> GroupId {
    let batch = contact::ContactBatch::of(vec![number], vec![None], vec![None], vec![None]);
    let job = fixture.campaigns.store.write(
        Lane::Interactive,
        (fixture.user, name, batch),
        |tx, (user, name, batch)| {
            Box::pin(async move {
                let id = groups::insert(tx, *user, name, name, "", NOW).await?.unwrap();
                contact::merge(tx, id, batch, NOW).await?;
                Ok(id)
            })
        },
    );
    job.await.unwrap()
}

async fn delete(fixture: &Fixture, group: GroupId) {
    let job = fixture.campaigns.store.write(Lane::Interactive, (fixture.user, group), |tx, (user, group)| {
        Box::pin(groups::delete(tx, *user, *group, NOW))
    });
    assert!(job.await.unwrap());
}

async fn sent(fixture: &Fixture, form: Form) -> CampaignId {
    let quote = fixture.campaigns.quote(form).await.unwrap();
    fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0]
}

async fn form_of(fixture: &Fixture, campaign: CampaignId) -> FilledForm {
    of_campaign(&mut fixture.tx().await, fixture.user, campaign).await.unwrap()
}

both_databases! {
    async fn a_campaign_to_groups_is_copied_to_its_groups_and_to_itself_where_they_are_not_all(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let choir = group(&fixture, "Choir", 2_348_031_234_561).await;
        let ushers = group(&fixture, "Ushers", 2_348_031_234_562).await;
        let to_groups = || vec![RecipientSource::group(choir), RecipientSource::group(ushers)];
        let purpose = Ok(Some(Purpose::Promotional));
        let whole = Form { sources: to_groups(), purpose, ..fixture.form("Dear {name|friend}", "") };
        let whole = sent(&fixture, whole).await;
        let form = form_of(&fixture, whole).await;
        assert_eq!((form.sms_type.as_str(), form.senderid.as_str()), ("text", "WEBSMS"));
        assert_eq!(form.purpose, Some(Purpose::Promotional));
        assert_eq!((form.payment_method.as_str(), form.message.as_deref()), ("paystack", Some("Dear {name|friend}")));
        assert_eq!((form.groups, form.audience), (vec![choir.0, ushers.0], Vec::<String>::new()));
        let mut mixed = fixture.form("Hello", "08091234567");
        mixed.sources.extend(to_groups());
        let mixed = sent(&fixture, mixed).await;
        let form = form_of(&fixture, mixed).await;
        assert_eq!((form.groups, form.audience), (vec![choir.0, ushers.0], vec![format!("campaign:{mixed}")]));
        let typed = sent(&fixture, fixture.form("Hello", "08091234567")).await;
        let form = form_of(&fixture, typed).await;
        assert_eq!((form.groups, form.audience), (Vec::new(), vec![format!("campaign:{typed}")]));
        // Of a group that is gone the campaign knows who was in it.
        delete(&fixture, ushers).await;
        let form = form_of(&fixture, whole).await;
        assert_eq!((form.groups, form.audience), (vec![choir.0], vec![format!("campaign:{whole}")]));
        let eve = user_with(&store, "eve", "0").await;
        let foreign = of_campaign(&mut fixture.tx().await, eve, whole).await;
        assert!(matches!(foreign, Err(Error::NotFound("campaign"))));
    }

    async fn a_canary_is_copied_but_for_numbers_of_the_sender_s_own(store: Store) {
        let fixture = Fixture::open(&store, "10000").await;
        let copied = async |size, seeds| {
            let asked = CanaryForm { size, seeds, delivery: Some("90"), wait_s: Some("120") };
            let form = Form { canary: asked.read(Kind::Text), ..fixture.form("Hello", &numbers(200)) };
            let form = form_of(&fixture, sent(&fixture, form).await).await;
            (form.canary, form.canary_delivery, form.canary_wait_s)
        };
        let copy = |size: &str| (Some(size.to_owned()), Some(90), Some(120));
        assert_eq!(copied(Some("5%"), None).await, copy("10"));
        assert_eq!(copied(Some("30"), Some("08031110000")).await, copy("30"));
        assert_eq!(copied(None, Some("08031110000")).await, (None, None, None));
    }

    async fn every_kind_comes_back_under_the_names_of_its_form(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let id = sent(&fixture, fixture.form("Hello", "08031234567")).await;
        let put = async |content: Content| {
            let job = (id, serde_json::to_string(&content).unwrap());
            let write = store.write(Lane::Interactive, job, |tx, (id, content)| {
                Box::pin(tx.run_exactly(1, "UPDATE campaigns SET content = $2 WHERE id = $1", args![*id, content.as_str()]))
            });
            write.await.unwrap();
            form_of(&fixture, id).await
        };
        let push = put(Content::WapPush { title: "News".into(), url: "http://n.example".into() }).await;
        assert_eq!((push.wap_title.as_deref(), push.wap_url.as_deref()), (Some("News"), Some("http://n.example")));
        assert_eq!(push.message, None);
        let poll = Poll::parse(&["1=yes".to_owned(), "2=no".to_owned()], Some("2")).unwrap();
        let script = CallScript {
            clip: ClipSource::Speech { text: "Come".into(), voice: "us-male".into() },
            caller: Some(CallerNumber::Own("2348031234567".into())),
            length_ms: 1_000,
            tail_ms: 0,
            pulse: Pulse::MINUTES,
            poll,
        };
        let call = put(Content::Voice(script.clone())).await;
        assert_eq!((call.tts_msg.as_deref(), call.tts_voice.as_deref()), (Some("Come"), Some("us-male")));
        assert_eq!((call.own_number.as_deref(), call.plays), (Some("2348031234567"), Some(2)));
        assert_eq!(call.digits.iter().map(|it| it.label.as_str()).collect::<Vec<_>>(), ["yes", "no"]);
        // A recording that is gone is to be chosen again.
        let clip = ClipSource::Recording { id: 99, name: "Jingle".into() };
        let gone = put(Content::Voice(CallScript { clip, ..script })).await;
        assert_eq!((gone.audio_url, gone.tts_msg), (None, None));
        assert_eq!(Kind::Text.code(), gone.sms_type);
    }
}
