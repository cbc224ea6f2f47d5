//! Codes, registration, addresses and passwords, on both databases.

use std::time::Duration;

use futures::future::join_all;

use crate::account::auth::api_key;
use crate::account::{CodeAsked, NewKey, ProfileForm, RegistrationForm, Reset, SignIn, create_user};
use crate::both_databases;
use crate::error::Error;
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::{Email, NewUser, Role};
use crate::model::webhook::endpoint::EndpointDraft;
use crate::notice::Channel;
use crate::store::Lane;
use crate::store::account::{profile, session, user};
use crate::testing::account::{make_user, new_user};
use crate::testing::identity::origin;
use crate::testing::identity::{
    IdentityFixture, MINUTE, NOW, PHONE, RESET, ada, code_in, from, to_phone, wrong,
};
use crate::time::Time;
use crate::webhook::endpoint::Reach;

both_databases! {
    async fn a_code_makes_a_registration_a_user_and_nothing_before_it_does(store: Store) {
        let fixture = IdentityFixture::new(&store);
        assert_eq!(fixture.register(&ada()).await, CodeAsked::Sent);
        assert!(user::by_username(&mut store.read().await.unwrap(), "ada").await.unwrap().is_none());
        let handed = fixture.mail.deliver().await;
        assert_eq!(handed.len(), 1);
        assert_eq!((handed[0].channel, handed[0].to.as_str()), (Channel::Sms, "2348031234567"));
        let code = code_in(&handed[0]);
        assert!(handed[0].text.starts_with(&format!("Talkdrum: {code} ")), "brand and code first");
        fixture.verify(&code).await.unwrap();
        let user = user::by_username(&mut store.read().await.unwrap(), "ada").await.unwrap().unwrap();
        assert_eq!(user.phone_number.as_deref(), Some("2348031234567"));
        assert_eq!((user.email.as_str(), user.role, user.email_verified_at), ("ada@example.com", Role::User, None));
        assert_eq!(fixture.verify(&code).await, Err("code_wrong"), "a code is used once");
    }

    async fn twenty_guesses_at_once_are_no_more_than_five(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.register(&ada()).await;
        let code = fixture.code(Channel::Sms).await;
        let wrong = wrong(&code);
        let guesses = join_all((0..20).map(|_| fixture.verify(&wrong))).await;
        assert!(guesses.iter().all(|guess| *guess == Err("code_wrong")));
        let (tries,): (i64,) =
            store.read().await.unwrap().one("SELECT tries FROM codes", crate::args![]).await.unwrap();
        assert_eq!(tries, 5);
        assert_eq!(fixture.verify(&code).await, Err("code_wrong"), "five tries void it");
    }

    async fn of_twenty_right_codes_at_once_one_is_taken(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.register(&ada()).await;
        let code = fixture.code(Channel::Sms).await;
        let taken = join_all((0..20).map(|_| fixture.verify(&code))).await;
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 1);
    }

    async fn a_code_is_good_for_ten_minutes_and_until_the_next_one(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.register(&ada()).await;
        let first = fixture.code(Channel::Sms).await;
        fixture.pass(MINUTE);
        fixture.identity.resend_registration(PHONE, &origin()).await.unwrap();
        let second = fixture.code(Channel::Sms).await;
        assert_ne!(first, second);
        assert_eq!(fixture.verify(&first).await, Err("code_wrong"));
        fixture.pass(MINUTE * 10);
        assert_eq!(fixture.verify(&second).await, Err("code_wrong"));
        fixture.identity.resend_registration(PHONE, &origin()).await.unwrap();
        let third = fixture.code(Channel::Sms).await;
        fixture.pass(MINUTE * 10 - Duration::from_millis(1));
        fixture.verify(&third).await.unwrap();
    }

    async fn a_code_of_one_purpose_or_person_is_none_of_another(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.register(&ada()).await;
        let code = fixture.code(Channel::Sms).await;
        let refused = |outcome: Result<SignIn, Error>| outcome.unwrap_err().code();
        assert_eq!(refused(fixture.identity.verify_email("ada", &code, &origin()).await), "code_wrong");
        fixture.identity.start_registration(&to_phone(1), &from("203.0.113.8")).await.unwrap();
        let other = fixture.identity.verify_registration("08031000001", &code, None).await;
        assert_eq!(other.unwrap_err().code(), "code_wrong");
        fixture.verify(&code).await.unwrap();
    }

    async fn a_code_is_nowhere_in_the_database_and_its_text_is_gone_when_it_was_sent(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.register(&ada()).await;
        let (sealed, hash): (String, Vec<u8>) = store
            .read()
            .await
            .unwrap()
            .one("SELECT n.body, c.code_hash FROM notices n, codes c", crate::args![])
            .await
            .unwrap();
        let code = fixture.code(Channel::Sms).await;
        assert!(!sealed.contains(&code) && sealed.starts_with("v1:"));
        assert_eq!(hash.len(), 32);
        assert!(!String::from_utf8_lossy(&hash).contains(&code));
    }

    async fn an_address_or_number_with_an_account_gets_the_same_answer_and_its_owner_is_told(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.unproven().await;
        fixture.pass(MINUTE);
        let by_email = RegistrationForm { username: "eve".into(), phone_number: "08031000009".into(), ..ada() };
        assert_eq!(fixture.register(&by_email).await, CodeAsked::Sent);
        let handed = fixture.mail.deliver().await;
        assert_eq!(handed.len(), 1);
        assert_eq!((handed[0].channel, handed[0].to.as_str()), (Channel::Email, "ada@example.com"));
        assert!(handed[0].text.contains("has an account already"));
        fixture.pass(MINUTE);
        let by_phone = RegistrationForm { username: "eve".into(), email: "eve@example.com".into(), ..ada() };
        assert_eq!(fixture.register(&by_phone).await, CodeAsked::Sent);
        let handed = fixture.mail.deliver().await;
        assert_eq!((handed.len(), handed[0].to.as_str()), (1, "2348031234567"));
        assert!(handed[0].text.contains("has an account already"));
        assert_eq!(fixture.identity.verify_registration("08031000009", "000000", None).await.unwrap_err().code(), "code_wrong");
    }

    async fn what_was_taken_before_the_code_came_back_ends_the_registration(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.register(&ada()).await;
        let code = fixture.code(Channel::Sms).await;
        let taken = NewUser { email: ada().email.parse().unwrap(), ..new_user("other", Role::User) };
        store.write(Lane::Interactive, taken, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap();
        assert_eq!(fixture.verify(&code).await, Err("registration_void"));
        assert_eq!(fixture.verify(&code).await, Err("code_wrong"));
    }

    async fn a_user_name_that_is_taken_is_told_to_the_owner_of_the_number_only_who_chooses_another(store: Store) {
        let fixture = IdentityFixture::new(&store);
        make_user(&store, "ada", Role::User).await;
        let form = RegistrationForm { email: "other@example.com".into(), ..ada() };
        assert_eq!(fixture.register(&form).await, CodeAsked::Sent, "as for a name that is free");
        let code = fixture.code(Channel::Sms).await;
        assert_eq!(fixture.verify(&code).await, Err("username_taken"));
        let renamed = fixture.identity.verify_registration(PHONE, &code, Some("Ada.Obi")).await.unwrap();
        assert_eq!(renamed.username, "ada.obi");
        assert_eq!(fixture.verify(&code).await, Err("code_wrong"));
    }

    async fn a_user_without_an_address_is_answered_like_a_name_without_a_user(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let without = NewUser { email: Email::nobody("kingschat 7"), ..new_user("kay", Role::User) };
        store.write(Lane::Interactive, without, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap();
        for login in ["kay", "stranger"] {
            let again = fixture.identity.resend_sign_in_code(login, &from("127.0.0.1")).await;
            assert_eq!(again.map_err(|error| error.code()), Ok(CodeAsked::Sent), "{login}");
        }
    }

    async fn wrong_codes_for_a_new_password_are_told_to_the_owner_at_the_first_void_code_and_at_the_last(store: Store) {
        let fixture = IdentityFixture::new(&store);
        make_user(&store, "ada", Role::User).await;
        let mut told = Vec::new();
        for round in 0..21 {
            fixture.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
            for notice in fixture.mail.deliver().await {
                if notice.subject.contains("Wrong codes") {
                    told.push((round, notice.text.contains("30 days")));
                    continue;
                }
                let wrong = wrong(&code_in(&notice));
                for _ in 0..5 {
                    let refused = fixture.identity.reset_password(Reset { code: &wrong, ..RESET }).await;
                    assert_eq!(refused.unwrap_err().code(), "code_wrong");
                }
            }
            fixture.pass(Duration::from_hours(3));
        }
        assert_eq!(told, [(1, false), (20, true)]);
    }

    async fn a_reset_names_what_still_opens_the_account_and_revokes_keys_where_asked(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = make_user(&store, "ada", Role::User).await;
        let key = NewKey::new(id, "cron", "read".parse().unwrap(), fixture.identity.entropy.as_ref()).unwrap();
        store.write(Lane::Interactive, key, |tx, key| Box::pin(api_key::create(tx, key, NOW))).await.unwrap();
        let webhook = EndpointDraft::parse("https://example.com/hook?token=x", "", &[] as &[&str], Reach::Public).unwrap();
        store
            .write(Lane::Interactive, (id, webhook), |tx, (id, webhook)| {
                Box::pin(crate::store::webhook::insert(tx, *id, webhook, "sealed", NOW))
            })
            .await
            .unwrap();
        let reset = async |revoke_keys: bool| {
            fixture.pass(Duration::from_hours(1));
            fixture.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
            let code = fixture.code(Channel::Email).await;
            let (_, remaining) =
                fixture.identity.reset_password(Reset { code: &code, revoke_keys, ..RESET }).await.unwrap();
            (remaining.total_keys, fixture.mail.deliver().await.remove(0).text)
        };
        let (left, text) = reset(false).await;
        assert!(left == 1 && text.contains("These API keys still work: 'cron' (td_"), "{text}");
        assert!(text.contains("These webhooks still receive your events: https://example.com/hook. "), "{text}");
        let (left, text) = reset(true).await;
        assert!(left == 0 && text.contains("1 API key was revoked") && !text.contains("still work"), "{text}");
    }

    async fn a_first_sign_in_waits_for_the_code_and_later_ones_do_not(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.unproven().await;
        let SignIn::EmailUnverified { user } = fixture.sign_in("correct horse").await else { panic!("no code") };
        assert!(matches!(fixture.sign_in("wrong").await, SignIn::WrongCredentials));
        fixture.identity.send_sign_in_code(&user, &origin()).await.unwrap();
        let code = fixture.code(Channel::Email).await;
        assert!(matches!(
            fixture.identity.send_sign_in_code(&user, &origin()).await.unwrap(),
            CodeAsked::Wait(_)
        ));
        let forged = fixture.identity.verify_email("ada", &wrong(&code), &origin()).await;
        assert_eq!(forged.unwrap_err().code(), "code_wrong");
        let SignIn::Accepted { user, .. } =
            fixture.identity.verify_email("ADA@example.com", &code, &origin()).await.unwrap()
        else {
            panic!("the code is right")
        };
        assert!(user.email_verified_at.is_some());
        let replayed = fixture.identity.verify_email("ada", &code, &origin()).await;
        assert_eq!(replayed.unwrap_err().code(), "code_wrong");
        assert!(matches!(fixture.sign_in("correct horse").await, SignIn::Accepted { .. }));
    }

    async fn whoever_registers_with_somebody_s_address_uses_up_no_code_of_theirs(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.unproven().await;
        let strange = RegistrationForm { email: ada().email, ..to_phone(7) };
        fixture.register(&strange).await;
        let handed = fixture.mail.deliver().await;
        assert!(handed.iter().any(|notice| notice.subject.contains("You have an account")), "the owner is told");
        let SignIn::EmailUnverified { user } = fixture.sign_in("correct horse").await else { panic!("no code") };
        assert_eq!(fixture.identity.send_sign_in_code(&user, &origin()).await.unwrap(), CodeAsked::Sent);
        let code = fixture.code(Channel::Email).await;
        fixture.identity.verify_email("ada", &code, &origin()).await.unwrap();
    }

    async fn a_sign_in_code_is_sent_again_only_to_whoever_knew_the_password(store: Store) {
        let fixture = IdentityFixture::new(&store);
        fixture.unproven().await;
        let again = async |login: &str| fixture.identity.resend_sign_in_code(login, &from("127.0.0.1")).await.unwrap();
        assert_eq!(again("ada").await, CodeAsked::Sent);
        assert_eq!(again("nobody").await, CodeAsked::Sent);
        assert!(fixture.mail.deliver().await.is_empty());
        let SignIn::EmailUnverified { user } = fixture.sign_in("correct horse").await else { panic!("no code") };
        fixture.identity.send_sign_in_code(&user, &origin()).await.unwrap();
        fixture.mail.deliver().await;
        fixture.pass(MINUTE);
        assert_eq!(again("ada").await, CodeAsked::Sent);
        assert_eq!(fixture.mail.deliver().await.len(), 1);
    }

    async fn a_forgotten_password_is_replaced_by_code_and_every_session_ends(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        let forgot = async |email: &str| fixture.identity.forgot_password(email, &from("127.0.0.1")).await.unwrap();
        assert_eq!(forgot("nobody@example.com").await, forgot("ada@example.com").await);
        let handed = fixture.mail.deliver().await;
        assert_eq!((handed.len(), handed[0].to.as_str()), (1, "ada@example.com"));
        let code = code_in(&handed[0]);
        let reset = async |email: &str, code: &str| {
            let outcome = fixture.identity.reset_password(Reset { email, code, ..RESET }).await;
            outcome.map(|(id, _)| id).map_err(|error| error.code())
        };
        assert_eq!(reset("ada@example.com", &wrong(&code)).await, Err("code_wrong"));
        assert_eq!(reset("nobody@example.com", &code).await, Err("code_wrong"));
        assert_eq!(reset("ada@example.com", &code).await, Ok(id));
        assert_eq!(reset("ada@example.com", &code).await, Err("code_wrong"));
        assert!(matches!(fixture.sign_in("correct horse").await, SignIn::WrongCredentials));
        assert!(matches!(fixture.sign_in("a new horse").await, SignIn::Accepted { .. }), "the address is proven too");
        assert!(fixture.mail.deliver().await[0].text.contains("was changed"));
    }

    async fn a_changed_password_ends_the_other_sessions(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        let mut tx = store.read().await.unwrap();
        let all = async |tx: &mut crate::store::Tx| {
            session::of_user(tx, id, (NOW, Time(0)), (0, 10)).await.unwrap().0
        };
        store
            .write(Lane::Interactive, id, |tx, id| {
                Box::pin(async move {
                    profile::email_verified(tx, *id, NOW).await?;
                    session::insert(tx, &[1], *id, NOW, Time(i64::MAX)).await?;
                    session::insert(tx, &[2], *id, NOW, Time(i64::MAX)).await
                })
            })
            .await
            .unwrap();
        let here = all(&mut tx).await[0].id;
        let change = async |current: &str, again: &str| {
            let changed = fixture.identity.change_password((id, here), current, ("a new horse", again)).await;
            changed.map_err(|error| error.to_string())
        };
        assert_eq!(change("wrong", "a new horse").await, Err("The current password is wrong".into()));
        assert_eq!(change("correct horse", "another").await, Err("Passwords do not match".into()));
        change("correct horse", "a new horse").await.unwrap();
        let left: Vec<SessionId> = all(&mut tx).await.iter().map(|session| session.id).collect();
        assert_eq!(left, [here]);
    }

    async fn a_new_address_counts_when_its_code_comes_back_and_the_old_one_is_told(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        make_user(&store, "eve", Role::User).await;
        let edit = async |email: &str| {
            let form = ProfileForm { email: Some(email.into()), ..ProfileForm::default() };
            fixture.identity.edit_profile(id, form, &from("127.0.0.1"), None).await.unwrap()
        };
        let address = async || user::by_id(&mut store.read().await.unwrap(), id).await.unwrap().unwrap().email;
        assert_eq!(edit("eve@example.com").await.email, Some(CodeAsked::Sent));
        assert!(fixture.mail.deliver().await[0].text.contains("has an account"));
        assert_eq!(edit("new@example.com").await.email, Some(CodeAsked::Sent));
        let code = fixture.code(Channel::Email).await;
        assert_eq!(address().await, "ada@example.com");
        assert_eq!(fixture.identity.confirm_email(id, &wrong(&code)).await.unwrap_err().code(), "code_wrong");
        fixture.identity.confirm_email(id, &code).await.unwrap();
        assert_eq!(address().await, "new@example.com");
        let told = fixture.mail.deliver().await;
        assert_eq!((told.len(), told[0].to.as_str()), (1, "ada@example.com"));
    }

    async fn a_new_number_counts_when_its_code_comes_back_and_never_while_it_is_anothers(store: Store) {
        let fixture = IdentityFixture::new(&store);
        let id = fixture.unproven().await;
        let eve = make_user(&store, "eve", Role::User).await;
        let edit = async |id: UserId, phone: &str| {
            let form = ProfileForm { phone_number: Some(phone.into()), ..ProfileForm::default() };
            fixture.identity.edit_profile(id, form, &origin(), None).await.unwrap().phone
        };
        let owner =
            async |digits: &str| profile::owner_of_phone(&mut store.read().await.unwrap(), digits).await.unwrap();
        assert_eq!(edit(id, "+234 803 123 4567").await, None, "it is proven");
        assert_eq!(edit(id, "08031234568").await, Some(CodeAsked::Sent));
        let code = fixture.code(Channel::Sms).await;
        assert_eq!((owner("2348031234567").await, owner("2348031234568").await), (Some(id), None));
        assert_eq!(fixture.identity.confirm_phone(id, &wrong(&code)).await.unwrap_err().code(), "code_wrong");
        assert_eq!(fixture.identity.confirm_phone(eve, &code).await.unwrap_err().code(), "code_wrong");
        fixture.identity.confirm_phone(id, &code).await.unwrap();
        assert_eq!((owner("2348031234567").await, owner("2348031234568").await), (None, Some(id)));
        let told = fixture.mail.deliver().await;
        assert_eq!((told.len(), told[0].to.as_str()), (1, "ada@example.com"));

        fixture.clock.advance(Duration::from_hours(2));
        assert_eq!(edit(eve, "08031234568").await, Some(CodeAsked::Sent), "what everybody hears");
        let told = fixture.mail.deliver().await;
        assert!(told[0].to == "2348031234568" && told[0].text.contains("has an account"), "{told:?}");
        assert_eq!(fixture.identity.confirm_phone(eve, &code).await.unwrap_err().code(), "code_wrong");
        // A number that no account had when the code was sent, and one has when the code comes back.
        assert_eq!(edit(eve, "08031234569").await, Some(CodeAsked::Sent));
        let code_of_eve = fixture.code(Channel::Sms).await;
        assert_eq!(edit(id, "08031234569").await, Some(CodeAsked::Wait(Duration::from_mins(1))));
        fixture.clock.advance(Duration::from_mins(2));
        edit(id, "08031234569").await;
        let code = fixture.code(Channel::Sms).await;
        fixture.identity.confirm_phone(id, &code).await.unwrap();
        assert_eq!(fixture.identity.confirm_phone(eve, &code_of_eve).await.unwrap_err().code(), "code_wrong");
        assert_eq!(owner("2348031234569").await, Some(id));
    }
}

/// What a form is told, and what is mended then.
type Step = (&'static str, fn(&mut RegistrationForm));

#[tokio::test]
async fn a_form_is_checked_in_the_order_of_its_fields_with_the_specification_s_words() {
    let dir = tempfile::tempdir().unwrap();
    let fixture = IdentityFixture::new(&crate::testing::database::sqlite(dir.path()).await);
    let mut form = RegistrationForm::default();
    let steps: [Step; 7] = [
        ("Name is required", |form| form.name = "Ada".into()),
        ("Username is required", |form| form.username = "ada".into()),
        ("Email is required", |form| form.email = "ada".into()),
        ("Email address is invalid", |form| form.email = "ada@example.com".into()),
        ("Phone number is required", |form| form.phone_number = PHONE.into()),
        ("Password is required", |form| form.password = "correct horse".into()),
        ("Passwords do not match", |form| form.password_confirmation = "correct horse".into()),
    ];
    for (message, mend) in steps {
        let refused = fixture.identity.start_registration(&form, &origin()).await.unwrap_err();
        assert_eq!(refused.to_string(), message);
        mend(&mut form);
    }
    assert_eq!(fixture.register(&form).await, CodeAsked::Sent);
    let asked = async |phone: &str, code: &str| {
        fixture.identity.verify_registration(phone, code, None).await.unwrap_err().to_string()
    };
    assert_eq!(asked("", "123456").await, "Please enter your phone number");
    assert_eq!(asked(PHONE, "12345").await, "Please enter the 6-digit code");
}
