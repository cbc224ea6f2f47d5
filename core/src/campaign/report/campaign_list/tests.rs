use super::*;
use crate::model::campaign::id::CampaignId;
use crate::model::message::status::{CampaignStatus, MessageStatus as S};
use crate::testing::builder::{Spot, build};
use crate::testing::database::for_each_database;

#[tokio::test]
async fn a_list_shows_the_newest_first_with_numbers_and_counts() {
    for_each_database(|store| async move {
        let first = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        let second = build(&store, "ada")
            .chunk(&[Spot::Answered(S::Rejected), Spot::Tail])
            .chunk(&[Spot::Answered(S::Submitted), Spot::Answered(S::Expired)])
            .store()
            .await;
        let other = build(&store, "bola").chunk(&[Spot::Tail]).store().await;
        let mut tx = store.read().await.unwrap();
        let own = CampaignSelection::all(RecordScope::Own(first.user));
        let listed = list(&mut tx, &own, Page::first(), true).await.unwrap();
        assert_eq!(listed.total, 2);
        assert_eq!(
            listed.campaigns.iter().map(|c| c.id).collect::<Vec<_>>(),
            [second.campaign.0, first.campaign.0]
        );
        let newest = &listed.campaigns[0];
        let numbers: Vec<String> = second.numbers.iter().map(ToString::to_string).collect();
        assert_eq!(newest.contacts, numbers.join(","));
        assert_eq!(newest.failed_contacts, format!("{},{}", numbers[0], numbers[3]));
        assert_eq!((newest.no_of_failed_contacts, newest.no_of_sent_contacts), (2, 1));
        assert_eq!(newest.username, "ada");
        let all =
            list(&mut tx, &CampaignSelection::all(RecordScope::All), Page::new(1, 1), true).await.unwrap();
        assert_eq!((all.total, all.campaigns[0].id), (3, other.campaign.0));
        let beyond = list(&mut tx, &own, Page::new(9, 20), true).await.unwrap();
        assert_eq!((beyond.total, beyond.campaigns.len()), (2, 0));
        let one = campaign(&mut tx, RecordScope::Own(first.user), second.campaign, true).await.unwrap();
        assert_eq!((one.contacts.as_str(), one.resendable), (newest.contacts.as_str(), Some(2)));
        let one = campaign(&mut tx, RecordScope::Own(first.user), second.campaign, false).await.unwrap();
        assert_eq!((one.contacts.as_str(), one.no_of_failed_contacts), ("", 2));
        let brief = list(&mut tx, &own, Page::first(), false).await.unwrap();
        assert!(brief.campaigns.iter().all(|it| it.contacts.is_empty() && it.failed_contacts.is_empty()));
    })
    .await;
}

#[tokio::test]
async fn a_list_is_searched_by_sender_text_and_user_and_filtered_by_status() {
    for_each_database(|store| async move {
        let sale = build(&store, "ada").text("Up to 50% off, Ada_1").chunk(&[Spot::Tail]).store().await;
        let plain = build(&store, "bola").text("Hello").sender("DRUMS").chunk(&[Spot::Tail]).store().await;
        let mut tx = store.read().await.unwrap();
        let mut found = async |scope, q: &str, status| {
            let query = CampaignSelection { q: q.into(), status, ..CampaignSelection::all(scope) };
            let listed = list(&mut tx, &query, Page::first(), true).await.unwrap();
            assert_eq!(listed.total, listed.campaigns.len() as i64);
            listed.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<i64>>()
        };
        assert_eq!(found(RecordScope::All, "50% OFF", None).await, [sale.campaign.0]);
        assert!(found(RecordScope::All, "5_%", None).await.is_empty());
        assert_eq!(found(RecordScope::All, "drums", None).await, [plain.campaign.0]);
        assert_eq!(found(RecordScope::All, "bol", None).await, [plain.campaign.0]);
        assert!(found(RecordScope::All, "kind", None).await.is_empty());
        assert!(found(RecordScope::Own(sale.user), "hello", None).await.is_empty());
        assert_eq!(
            found(RecordScope::All, "", Some(CampaignStatus::Sending)).await,
            [plain.campaign.0, sale.campaign.0]
        );
        assert!(found(RecordScope::Own(sale.user), "", Some(CampaignStatus::Completed)).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn lists_hold_one_kind_and_one_period_when_that_is_asked_for() {
    for_each_database(|store| async move {
        let text = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
        let link = Content::WapPush { title: "News".into(), url: "http://n.example".into() };
        let link = build(&store, "ada").content(&link).chunk(&[Spot::Tail]).store().await;
        let mut tx = store.read().await.unwrap();
        let mut found = async |query: CampaignSelection| {
            let listed = list(&mut tx, &query, Page::first(), true).await.unwrap();
            assert_eq!(listed.total, listed.campaigns.len() as i64);
            listed.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<i64>>()
        };
        let (all, made) = (CampaignSelection::all(RecordScope::All), crate::testing::builder::START);
        assert_eq!(
            found(CampaignSelection { kind: Some(Kind::WapPush), ..all.clone() }).await,
            [link.campaign.0]
        );
        assert_eq!(
            found(CampaignSelection {
                kind: Some(Kind::Text),
                scope: RecordScope::Own(text.user),
                ..all.clone()
            })
            .await,
            [text.campaign.0]
        );
        let (both, none) = ([link.campaign.0, text.campaign.0], [0_i64; 0]);
        assert_eq!(found(CampaignSelection { from: Some(made), ..all.clone() }).await, both);
        assert_eq!(found(CampaignSelection { from: Some(Time(made.0 + 1)), ..all.clone() }).await, none);
        assert_eq!(found(CampaignSelection { to: Some(Time(made.0 + 1)), ..all.clone() }).await, both);
        assert_eq!(
            found(CampaignSelection { to: Some(made), scope: RecordScope::Own(text.user), ..all }).await,
            none
        );
    })
    .await;
}

#[tokio::test]
async fn sent_messages_have_the_fields_of_the_specification() {
    for_each_database(|store| async move {
        let built = build(&store, "ada")
            .content(&Content::WapPush { title: "News".into(), url: "http://n.example".into() })
            .chunk(&[Spot::Answered(S::Rejected), Spot::Tail])
            .store()
            .await;
        let mut tx = store.read().await.unwrap();
        let sent = sent_messages(
            &mut tx,
            &CampaignSelection::all(RecordScope::Own(built.user)),
            Page::first(),
            true,
        )
        .await
        .unwrap();
        let row = serde_json::to_value(&sent.messages[0]).unwrap();
        for field in [
            "type",
            "contacts",
            "msg",
            "status",
            "sms_shoot_id",
            "senderid",
            "espees_deducted",
            "failed_contacts",
            "wap_title",
            "wap_url",
            "first_name",
            "last_name",
            "company",
            "job_title",
            "telephone",
            "email",
        ] {
            assert!(row.get(field).is_some(), "{field}");
        }
        assert_eq!((row["type"].as_str(), row["wap_title"].as_str()), (Some("wap"), Some("News")));
        assert_eq!(row["failed_contacts"], built.numbers[0].to_string());
        let last = last_sent_message(&mut tx, built.user).await.unwrap();
        assert!(last.last_sent_message_time.is_some());
        assert_eq!(
            last_sent_message(&mut tx, UserId(built.user.0 + 1)).await.unwrap().last_sent_message_time,
            None
        );
    })
    .await;
}

#[tokio::test]
async fn a_list_samples_its_first_campaigns_until_so_many_numbers() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Answered(S::Rejected), Spot::Tail]).store().await;
        let mut tx = store.read().await.unwrap();
        let (one, content) =
            with_content(&mut tx, &CampaignSelection::all(RecordScope::Own(built.user)), Page::first(), true)
                .await
                .unwrap()
                .0
                .remove(0);
        // Two recipients and one failure are three numbers.
        let campaigns: Vec<Listed> = (0..4)
            .map(|id| (Campaign { id, ..one.clone() }, content.clone()))
            .chain([(Campaign { id: 4, total_contacts: 5_000_000, ..one.clone() }, None)])
            .collect();
        assert_eq!(sampled(&campaigns, 3 * 3 + 2), [0, 1, 2].map(CampaignId));
        assert_eq!(sampled(&campaigns, 4 * 3 + 1_001), [0, 1, 2, 3, 4].map(CampaignId));
        assert_eq!(sampled(&campaigns, 4 * 3 + 1_000), [0, 1, 2, 3].map(CampaignId));
    })
    .await;
}

#[test]
fn at_most_a_thousand_numbers_are_shown() {
    let mut numbers = Numbers::default();
    numbers.extend(0..700);
    numbers.extend(0..700);
    assert_eq!(numbers.into_text().split(',').count(), 1_000);
}
