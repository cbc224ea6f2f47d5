//! What strangers and borrowed sessions try with codes and alerts, on both databases.

use std::time::Duration;

use crate::account::auth::api_key;
use crate::account::{CodeAsked, NewKey, ProfileForm, Reset, SignIn};
use crate::error::Error;
use crate::model::account::id::SessionId;
use crate::model::account::user::Role;
use crate::notice::Channel;
use crate::store::account::profile;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::identity::origin;
use crate::testing::identity::{IdentityFixture, MINUTE, NOW, RESET, ada, from, to_phone, wrong};
use crate::time::Clock as _;
use crate::{args, both_databases};

both_databases! {
    async fn a_code_sent_to_an_address_is_worth_nothing_after_the_address_was_changed(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        let SignIn::EmailUnverified { user } = fixture.sign_in("correct horse").await else { panic!("no code") };
        fixture.identity.send_sign_in_code(&user, &from("127.0.0.1")).await.unwrap();
        let sign_in_code = fixture.code(Channel::Email).await;
        fixture.pass(MINUTE);
        fixture.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
        let reset_code = fixture.code(Channel::Email).await;
        let form = ProfileForm { email: Some("new@example.com".into()), ..ProfileForm::default() };
        fixture.identity.edit_profile(id, form, &from("127.0.0.1"), None).await.unwrap();
        fixture.identity.confirm_email(id, &fixture.code(Channel::Email).await).await.unwrap();
        for email in ["new@example.com", "ada@example.com"] {
            let reset = fixture.identity.reset_password(Reset { email, code: &reset_code, ..RESET }).await;
            assert_eq!(reset.unwrap_err().code(), "code_wrong", "{email}");
        }
        let signed_in = fixture.identity.verify_email("ada", &sign_in_code, &origin()).await;
        assert_eq!(signed_in.map(|_| ()).unwrap_err().code(), "code_wrong");
        assert!(matches!(fixture.sign_in("correct horse").await, SignIn::Accepted { .. }), "the password is as it was");
    }

    async fn strangers_with_new_passwords_take_no_place_of_a_known_user_and_lose_no_try_where_there_is_none(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        fixture.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
        let code = fixture.code(Channel::Email).await;
        let reset = async || fixture.identity.reset_password(Reset { code: &code, ..RESET }).await.map(|(id, _)| id);
        let held = fixture.identity.passwords.held_by_strangers();
        let registered = fixture.identity.start_registration(&to_phone(7), &from("127.0.0.1")).await;
        assert_eq!(registered.unwrap_err().code(), "passwords_busy");
        for _ in 0..6 {
            assert_eq!(reset().await.unwrap_err().code(), "passwords_busy");
        }
        let words = ("a known horse", "a known horse");
        fixture.identity.change_password((id, SessionId::NONE), "correct horse", words).await.unwrap();
        drop(held);
        assert_eq!(reset().await.unwrap(), id);
        assert!(matches!(fixture.sign_in("a new horse").await, SignIn::Accepted { .. }));
    }

    async fn a_wrong_code_for_a_new_password_is_counted_and_refused_before_the_password_is_hashed(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.unproven().await;
        fixture.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
        let code = fixture.code(Channel::Email).await;
        let reset = async |code: &str| {
            let reset = fixture.identity.reset_password(Reset { code, ..RESET });
            let reset = tokio::time::timeout(Duration::from_secs(20), reset).await.expect("it waits for no hash");
            reset.map(|_| ()).unwrap_err().code()
        };
        let held = fixture.identity.passwords.held().await;
        for _ in 0..5 {
            assert_eq!(reset(&wrong(&code)).await, "code_wrong");
        }
        drop(held);
        assert_eq!(reset(&code).await, "code_wrong", "five tries void it");
    }

    async fn keys_made_and_revoked_cause_ten_e_mails_a_day_and_not_more(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = make_user(&store, "ada", Role::User).await;
        let make = async |count: usize| {
            for _ in 0..count {
                let input = (fixture.identity.clone(), id, fixture.clock.now());
                let made = store.write(Lane::Interactive, input, |tx, (identity, id, now)| {
                    Box::pin(async move {
                        let new = NewKey::new(*id, "cron", "read".parse()?, identity.entropy.as_ref())?;
                        let key = api_key::create(tx, &new, *now).await?;
                        identity.tell_of_key(tx, *id, &key, *now).await?;
                        api_key::revoke(tx, *id, key.id, *now).await
                    })
                });
                made.await?;
            }
            Ok::<(), Error>(())
        };
        make(50).await.unwrap();
        assert_eq!(fixture.mail.deliver().await.len(), 10);
        fixture.pass(MINUTE * 60 * 24);
        make(1).await.unwrap();
        assert_eq!(fixture.mail.deliver().await.len(), 1, "another day");
        make(199).await.unwrap();
        assert_eq!(make(1).await.unwrap_err().code(), "too_many_keys");
    }

    async fn alerts_that_pile_up_hold_up_no_code_and_undo_nothing(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        fill(&store, "alert", 1).await;
        assert_eq!(fixture.register(&to_phone(7)).await, CodeAsked::Sent, "a code is queued");
        assert_eq!(fixture.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap(), CodeAsked::Sent);
        let SignIn::EmailUnverified { user } = fixture.sign_in("correct horse").await else { panic!("no code") };
        fixture.pass(MINUTE);
        assert_eq!(fixture.identity.send_sign_in_code(&user, &from("127.0.0.1")).await.unwrap(), CodeAsked::Sent);
        let proven = store.write(Lane::Interactive, id, |tx, id| Box::pin(profile::email_verified(tx, *id, NOW)));
        proven.await.unwrap();
        let words = ("a new horse", "a new horse");
        fixture.identity.change_password((id, SessionId::NONE), "correct horse", words).await.unwrap();
        assert!(matches!(fixture.sign_in("a new horse").await, SignIn::Accepted { .. }), "the password is the new one");
    }

    async fn where_no_code_finds_room_known_and_unknown_are_answered_alike(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.unproven().await;
        fill(&store, "code", 0).await;
        fixture.pass(MINUTE);
        for email in ["ada@example.com", "nobody@example.com"] {
            let asked = fixture.identity.forgot_password(email, &from("127.0.0.1")).await;
            assert_eq!(asked.unwrap_err().code(), "codes_paused", "{email}");
        }
        for form in [ada(), to_phone(7)] {
            let asked = fixture.identity.start_registration(&form, &from("127.0.0.1")).await;
            assert_eq!(asked.unwrap_err().code(), "codes_paused", "{}", form.username);
        }
    }

    async fn a_wide_network_of_ipv6_gets_what_a_few_addresses_get(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let mut number = 0;
        // As many as are given before the first one is refused, five for each /64 at most.
        let mut given = async |networks: Vec<String>| {
            let mut given = 0;
            for network in networks {
                for host in 1..=5 {
                    number += 1;
                    let email = format!("nobody{number}@example.com");
                    let asked = fixture.identity.forgot_password(&email, &from(&format!("{network}::{host}"))).await;
                    match asked.unwrap() {
                        CodeAsked::Sent => given += 1,
                        CodeAsked::Wait(_) => return given,
                    }
                }
            }
            given
        };
        assert_eq!(given((0..200).map(|it| format!("2001:db8:1:{it:x}")).collect()).await, 20, "a /56");
        assert_eq!(given((1..200).map(|it| format!("2001:db8:1:{it:x}00")).collect()).await, 60, "the rest of a /48");
        assert_eq!(given(vec!["2001:db8:2:0".to_owned()]).await, 5, "others do not wait for it");
    }

    async fn what_strangers_ask_for_stops_neither_text_messages_nor_who_has_the_password(store: Store) {
        let mut fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        fixture.pass(MINUTE * 60);
        fixture.identity.limits.global_hour = 20;
        let forgot = async |fixture: &IdentityFixture, number: usize| {
            let email = format!("nobody{number}@example.com");
            let asked = fixture.identity.forgot_password(&email, &from("127.0.0.1")).await;
            asked.map_err(|error| error.code())
        };
        for number in 0..20 {
            assert_eq!(forgot(&fixture, number).await, Ok(CodeAsked::Sent));
        }
        assert_eq!(forgot(&fixture, 20).await, Err("codes_paused"));
        assert_eq!(fixture.register(&to_phone(7)).await, CodeAsked::Sent, "a text message");
        let SignIn::EmailUnverified { user } = fixture.sign_in("correct horse").await else { panic!("no code") };
        assert_eq!(fixture.identity.send_sign_in_code(&user, &origin()).await.unwrap(), CodeAsked::Sent);
        let code = fixture.code(Channel::Email).await;
        fixture.identity.verify_email("ada", &code, &origin()).await.unwrap();
        fixture.identity.limits.prefix_hour = 1;
        let pumped = fixture.identity.start_registration(&to_phone(8), &from("127.0.0.1")).await;
        assert_eq!(pumped.unwrap_err().code(), "codes_paused", "the prefix had its one");
        let form = ProfileForm { phone_number: Some("08031000009".into()), ..ProfileForm::default() };
        let changed = fixture.identity.edit_profile(id, form, &from("127.0.0.1"), None).await.unwrap();
        assert_eq!(changed.phone, Some(CodeAsked::Sent), "to the same prefix, within a session");
    }
}

/// As many notices of a purpose as may wait, queued by others.
async fn fill(store: &Store, purpose: &'static str, priority: i64) {
    let filled = store.write(Lane::Background, (purpose, priority), |tx, (purpose, priority)| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
                   INSERT INTO notices (channel, purpose, priority, destination, subject, body, carrier, status, due_at, \
                   expires_at, created_at) SELECT 'email', $1, $2, 'eve@example.com', 'x', 'x', '', 'queued', $3, $4, $3 \
                   FROM n";
        Box::pin(tx.run(sql, args![*purpose, *priority, NOW, NOW + MINUTE * 60]))
    });
    assert_eq!(filled.await.unwrap(), 20_000);
}
