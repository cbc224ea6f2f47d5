//! How many codes are sent: to a destination, from an address, to a prefix and in all, on both databases.

use futures::future::join_all;

use crate::account::CodeAsked;
use crate::both_databases;
use crate::notice::Channel;
use crate::testing::identity::{IdentityFixture, MINUTE, PHONE, ada, from, to_phone, wrong};

both_databases! {
    async fn one_number_gets_a_code_a_minute_five_an_hour_and_ten_a_day(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let mut sent = 0;
        let mut wait = CodeAsked::Sent;
        for step in 0..24 * 6 {
            wait = fixture.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap();
            sent += u32::from(wait == CodeAsked::Sent);
            assert!(sent <= 5 || step >= 6);
            fixture.pass(MINUTE * 10);
        }
        assert_eq!(sent, 10);
        assert!(matches!(wait, CodeAsked::Wait(_)));
        assert_eq!(
            fixture.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap(),
            CodeAsked::Sent,
            "the oldest is a day old"
        );
        assert_eq!(
            fixture.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap(),
            CodeAsked::Wait(MINUTE * 10)
        );
    }

    async fn one_address_gets_five_an_hour_whatever_numbers_it_asks_for_and_others_do_not_wait(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let ask = async |number: usize, address: &str| {
            fixture.identity.start_registration(&to_phone(number), &from(address)).await.unwrap()
        };
        for number in 0..5 {
            assert_eq!(ask(number, &format!("2001:db8::{number}")).await, CodeAsked::Sent);
        }
        assert!(matches!(ask(5, "2001:db8:0:0:ffff::1").await, CodeAsked::Wait(_)), "the same 64 bits");
        assert_eq!(ask(5, "2001:db8:0:1::1").await, CodeAsked::Sent);
        for number in 6..16 {
            assert_eq!(ask(number, "127.0.0.1").await, CodeAsked::Sent, "loopback names nobody");
        }
    }

    async fn at_once_no_more_is_sent_than_one_by_one(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let address = from("203.0.113.20");
        let asked = join_all((0..12).map(|number| {
            let (identity, address) = (fixture.identity.clone(), address.clone());
            async move { identity.start_registration(&to_phone(number), &address).await.unwrap() }
        }))
        .await;
        assert_eq!(asked.iter().filter(|asked| **asked == CodeAsked::Sent).count(), 5);
    }

    async fn numbers_of_one_prefix_and_all_together_are_capped(store: Store) {
        let mut fixture = IdentityFixture::new(&store);
        fixture.identity.limits.prefix_hour = 3;
        let ask = async |fixture: &IdentityFixture, phone: &str| {
            let asked = fixture.identity.resend_registration(phone, &from("127.0.0.1")).await;
            asked.map_err(|error| error.code())
        };
        for phone in ["08031000001", "08031000002", "08031000003"] {
            ask(&fixture, phone).await.unwrap();
        }
        assert_eq!(ask(&fixture, "08031000004").await, Err("codes_paused"));
        ask(&fixture, "08021000004").await.unwrap();
        fixture.identity.limits.global_hour = 4;
        assert_eq!(ask(&fixture, "08051000005").await, Err("codes_paused"));
        fixture.pass(MINUTE * 60);
        ask(&fixture, "08051000005").await.unwrap();
    }

    async fn a_hundred_failures_in_a_row_end_a_subject_s_codes(store: Store) {
        let mut fixture = IdentityFixture::new(&store);
        fixture.identity.limits.destination_hour = 1_000;
        fixture.identity.limits.destination_day = 1_000;
        fixture.register(&ada()).await;
        for _ in 0..20 {
            let code = fixture.code(Channel::Sms).await;
            for _ in 0..5 {
                assert_eq!(fixture.verify(&wrong(&code)).await, Err("code_wrong"));
            }
            fixture.pass(MINUTE);
            fixture.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap();
        }
        assert!(fixture.mail.deliver().await.is_empty(), "no code any more");
    }
}
