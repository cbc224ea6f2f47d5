//! Codes, registration, addresses and passwords, on both databases.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;

use crate::account::auth::api_key;
use crate::account::tests::origin;
use crate::account::{
    Caps, CodeAsked, Door, Identity, NewKey, Origin, Passwords, ProfileForm, RegistrationForm, Reset,
    SessionPolicy, SignIn, create_user, sign_in,
};
use crate::both_databases;
use crate::entropy::{Entropy, SeededEntropy, SystemEntropy};
use crate::error::Error;
use crate::model::user::{Email, NewUser, Role};
use crate::model::webhook_endpoint::Draft;
use crate::notice::{Channel, Shown};
use crate::store::account::{profile, session, user};
use crate::store::{Lane, Store};
use crate::testing::account::{make_user, new_user};
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::time::{Clock, ManualClock, Time};
use crate::webhook::endpoint::Reach;

pub(crate) const NOW: Time = Time(1_700_000_000_000);
pub(crate) const MINUTE: Duration = Duration::from_mins(1);
const PHONE: &str = "0803 123 4567";

pub(crate) const RESET: Reset<'static> = Reset {
    email: "ada@example.com",
    code: "",
    password: "a new horse",
    confirmation: "a new horse",
    revoke_keys: false,
};

/// What proving an identity takes, with true randomness.
pub(crate) fn identity(store: &Store) -> Identity {
    Identity { entropy: Arc::new(SystemEntropy), ..House::new(store).identity }
}

pub(crate) struct House {
    pub(crate) identity: Identity,
    pub(crate) mail: NoticeHouse,
    pub(crate) clock: Arc<ManualClock>,
}

impl House {
    pub(crate) fn new(store: &Store) -> Self {
        let clock = Arc::new(ManualClock::new(NOW));
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(5));
        let mail = NoticeHouse::new(store, &clock, Arc::new(ScriptedMailer::default()));
        let time: Arc<dyn Clock> = clock.clone();
        let identity = Identity {
            store: store.clone(),
            clock: time,
            passwords: Passwords::new(Arc::clone(&entropy)),
            entropy,
            vault: mail.notices.vault.clone(),
            sessions: SessionPolicy::default(),
            notices: mail.notices.clone(),
            caps: Caps::default(),
        };
        Self { identity, mail, clock }
    }

    pub(crate) fn pass(&self, span: Duration) {
        self.clock.advance(span);
    }

    pub(crate) async fn register(&self, form: &RegistrationForm) -> CodeAsked {
        self.identity.start_registration(form, &origin()).await.unwrap()
    }

    /// The code of the newest notice of a channel.
    pub(crate) async fn code(&self, channel: Channel) -> String {
        let handed = self.mail.deliver().await;
        code_in(handed.iter().rfind(|notice| notice.channel == channel).expect("a notice"))
    }

    async fn verify(&self, code: &str) -> Result<(), &'static str> {
        let verified = self.identity.verify_registration(PHONE, code, None).await;
        verified.map(|_| ()).map_err(|error| error.code())
    }

    /// A user with a password and an address that was not verified.
    pub(crate) async fn unproven(&self) -> i64 {
        self.register(&ada()).await;
        let code = self.code(Channel::Sms).await;
        self.identity.verify_registration(PHONE, &code, None).await.unwrap().id
    }

    pub(crate) async fn sign_in(&self, password: &str) -> SignIn {
        let Identity { store, passwords, entropy, sessions, .. } = &self.identity;
        let credentials = ("ada", password);
        let now = self.clock.now();
        sign_in(store, passwords, entropy.as_ref(), sessions, Door::Anyone, credentials, (&origin(), now))
            .await
            .unwrap()
    }
}

fn code_in(notice: &Shown) -> String {
    let digits: String = notice.text.chars().filter(char::is_ascii_digit).collect();
    digits[..6].to_owned()
}

pub(crate) fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

pub(crate) fn ada() -> RegistrationForm {
    RegistrationForm {
        name: "Ada Obi".into(),
        username: "Ada".into(),
        email: "Ada@Example.com".into(),
        phone_number: PHONE.into(),
        password: "correct horse".into(),
        password_confirmation: "correct horse".into(),
    }
}

pub(crate) fn from(address: &str) -> Origin {
    Origin { address: address.parse().unwrap(), client: String::new(), is_known: false }
}

pub(crate) fn to_phone(number: usize) -> RegistrationForm {
    RegistrationForm {
        username: format!("user{number}"),
        email: format!("user{number}@example.com"),
        phone_number: format!("08031{number:06}"),
        ..ada()
    }
}

both_databases! {
    async fn a_code_makes_a_registration_a_user_and_nothing_before_it_does(store: Store) {
        let house = House::new(&store);
        assert_eq!(house.register(&ada()).await, CodeAsked::Sent);
        assert!(user::by_username(&mut store.read().await.unwrap(), "ada").await.unwrap().is_none());
        let handed = house.mail.deliver().await;
        assert_eq!(handed.len(), 1);
        assert_eq!((handed[0].channel, handed[0].to.as_str()), (Channel::Sms, "2348031234567"));
        let code = code_in(&handed[0]);
        assert!(handed[0].text.starts_with(&format!("Talkdrum: {code} ")), "brand and code first");
        house.verify(&code).await.unwrap();
        let user = user::by_username(&mut store.read().await.unwrap(), "ada").await.unwrap().unwrap();
        assert_eq!(user.phone_number.as_deref(), Some("2348031234567"));
        assert_eq!((user.email.as_str(), user.role, user.email_verified_at), ("ada@example.com", Role::User, None));
        assert_eq!(house.verify(&code).await, Err("code_wrong"), "a code is used once");
    }

    async fn twenty_guesses_at_once_are_no_more_than_five(store: Store) {
        let house = House::new(&store);
        house.register(&ada()).await;
        let code = house.code(Channel::Sms).await;
        let wrong = wrong(&code);
        let guesses = join_all((0..20).map(|_| house.verify(&wrong))).await;
        assert!(guesses.iter().all(|guess| *guess == Err("code_wrong")));
        let (tries,): (i64,) =
            store.read().await.unwrap().one("SELECT tries FROM codes", crate::args![]).await.unwrap();
        assert_eq!(tries, 5);
        assert_eq!(house.verify(&code).await, Err("code_wrong"), "five tries void it");
    }

    async fn of_twenty_right_codes_at_once_one_is_taken(store: Store) {
        let house = House::new(&store);
        house.register(&ada()).await;
        let code = house.code(Channel::Sms).await;
        let taken = join_all((0..20).map(|_| house.verify(&code))).await;
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 1);
    }

    async fn a_code_is_good_for_ten_minutes_and_until_the_next_one(store: Store) {
        let house = House::new(&store);
        house.register(&ada()).await;
        let first = house.code(Channel::Sms).await;
        house.pass(MINUTE);
        house.identity.resend_registration(PHONE, &origin()).await.unwrap();
        let second = house.code(Channel::Sms).await;
        assert_ne!(first, second);
        assert_eq!(house.verify(&first).await, Err("code_wrong"));
        house.pass(MINUTE * 10);
        assert_eq!(house.verify(&second).await, Err("code_wrong"));
        house.identity.resend_registration(PHONE, &origin()).await.unwrap();
        let third = house.code(Channel::Sms).await;
        house.pass(MINUTE * 10 - Duration::from_millis(1));
        house.verify(&third).await.unwrap();
    }

    async fn a_code_of_one_purpose_or_person_is_none_of_another(store: Store) {
        let house = House::new(&store);
        house.register(&ada()).await;
        let code = house.code(Channel::Sms).await;
        let refused = |outcome: Result<SignIn, Error>| outcome.unwrap_err().code();
        assert_eq!(refused(house.identity.verify_email("ada", &code, &origin()).await), "code_wrong");
        house.identity.start_registration(&to_phone(1), &from("203.0.113.8")).await.unwrap();
        let other = house.identity.verify_registration("08031000001", &code, None).await;
        assert_eq!(other.unwrap_err().code(), "code_wrong");
        house.verify(&code).await.unwrap();
    }

    async fn a_code_is_nowhere_in_the_database_and_its_text_is_gone_when_it_was_sent(store: Store) {
        let house = House::new(&store);
        house.register(&ada()).await;
        let (sealed, hash): (String, Vec<u8>) = store
            .read()
            .await
            .unwrap()
            .one("SELECT n.body, c.code_hash FROM notices n, codes c", crate::args![])
            .await
            .unwrap();
        let code = house.code(Channel::Sms).await;
        assert!(!sealed.contains(&code) && sealed.starts_with("v1:"));
        assert_eq!(hash.len(), 32);
        assert!(!String::from_utf8_lossy(&hash).contains(&code));
    }

    async fn an_address_or_number_with_an_account_gets_the_same_answer_and_its_owner_is_told(store: Store) {
        let house = House::new(&store);
        house.unproven().await;
        house.pass(MINUTE);
        let by_email = RegistrationForm { username: "eve".into(), phone_number: "08031000009".into(), ..ada() };
        assert_eq!(house.register(&by_email).await, CodeAsked::Sent);
        let handed = house.mail.deliver().await;
        assert_eq!(handed.len(), 1);
        assert_eq!((handed[0].channel, handed[0].to.as_str()), (Channel::Email, "ada@example.com"));
        assert!(handed[0].text.contains("has an account already"));
        house.pass(MINUTE);
        let by_phone = RegistrationForm { username: "eve".into(), email: "eve@example.com".into(), ..ada() };
        assert_eq!(house.register(&by_phone).await, CodeAsked::Sent);
        let handed = house.mail.deliver().await;
        assert_eq!((handed.len(), handed[0].to.as_str()), (1, "2348031234567"));
        assert!(handed[0].text.contains("has an account already"));
        assert_eq!(house.identity.verify_registration("08031000009", "000000", None).await.unwrap_err().code(), "code_wrong");
    }

    async fn what_was_taken_before_the_code_came_back_ends_the_registration(store: Store) {
        let house = House::new(&store);
        house.register(&ada()).await;
        let code = house.code(Channel::Sms).await;
        let taken = NewUser { email: ada().email.parse().unwrap(), ..new_user("other", Role::User) };
        store.write(Lane::Interactive, taken, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap();
        assert_eq!(house.verify(&code).await, Err("registration_void"));
        assert_eq!(house.verify(&code).await, Err("code_wrong"));
    }

    async fn a_user_name_that_is_taken_is_told_to_the_owner_of_the_number_only_who_chooses_another(store: Store) {
        let house = House::new(&store);
        make_user(&store, "ada", Role::User).await;
        let form = RegistrationForm { email: "other@example.com".into(), ..ada() };
        assert_eq!(house.register(&form).await, CodeAsked::Sent, "as for a name that is free");
        let code = house.code(Channel::Sms).await;
        assert_eq!(house.verify(&code).await, Err("username_taken"));
        let renamed = house.identity.verify_registration(PHONE, &code, Some("Ada.Obi")).await.unwrap();
        assert_eq!(renamed.username, "ada.obi");
        assert_eq!(house.verify(&code).await, Err("code_wrong"));
    }

    async fn a_user_without_an_address_is_answered_like_a_name_without_a_user(store: Store) {
        let house = House::new(&store);
        let without = NewUser { email: Email::nobody("kingschat 7"), ..new_user("kay", Role::User) };
        store.write(Lane::Interactive, without, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap();
        for login in ["kay", "stranger"] {
            let again = house.identity.resend_sign_in_code(login, &from("127.0.0.1")).await;
            assert_eq!(again.map_err(|error| error.code()), Ok(CodeAsked::Sent), "{login}");
        }
    }

    async fn wrong_codes_for_a_new_password_are_told_to_the_owner_at_the_first_void_code_and_at_the_last(store: Store) {
        let house = House::new(&store);
        make_user(&store, "ada", Role::User).await;
        let mut told = Vec::new();
        for round in 0..21 {
            house.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
            for notice in house.mail.deliver().await {
                if notice.subject.contains("Wrong codes") {
                    told.push((round, notice.text.contains("30 days")));
                    continue;
                }
                let wrong = wrong(&code_in(&notice));
                for _ in 0..5 {
                    let refused = house.identity.reset_password(Reset { code: &wrong, ..RESET }).await;
                    assert_eq!(refused.unwrap_err().code(), "code_wrong");
                }
            }
            house.pass(Duration::from_hours(3));
        }
        assert_eq!(told, [(1, false), (20, true)]);
    }

    async fn a_reset_names_what_still_opens_the_account_and_revokes_keys_where_asked(store: Store) {
        let house = House::new(&store);
        let id = make_user(&store, "ada", Role::User).await;
        let key = NewKey::new(id, "cron", "read".parse().unwrap(), house.identity.entropy.as_ref()).unwrap();
        store.write(Lane::Interactive, key, |tx, key| Box::pin(api_key::create(tx, key, NOW))).await.unwrap();
        let webhook = Draft::parse("https://example.com/hook?token=x", "", &[] as &[&str], Reach::Public).unwrap();
        store
            .write(Lane::Interactive, (id, webhook), |tx, (id, webhook)| {
                Box::pin(crate::store::webhook::insert(tx, *id, webhook, "sealed", NOW))
            })
            .await
            .unwrap();
        let reset = async |revoke_keys: bool| {
            house.pass(Duration::from_hours(1));
            house.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
            let code = house.code(Channel::Email).await;
            let (_, remaining) =
                house.identity.reset_password(Reset { code: &code, revoke_keys, ..RESET }).await.unwrap();
            (remaining.total_keys, house.mail.deliver().await.remove(0).text)
        };
        let (left, text) = reset(false).await;
        assert!(left == 1 && text.contains("These API keys still work: 'cron' (td_"), "{text}");
        assert!(text.contains("These webhooks still receive your events: https://example.com/hook. "), "{text}");
        let (left, text) = reset(true).await;
        assert!(left == 0 && text.contains("1 API key was revoked") && !text.contains("still work"), "{text}");
    }

    async fn one_number_gets_a_code_a_minute_five_an_hour_and_ten_a_day(store: Store) {
        let house = House::new(&store);
        let mut sent = 0;
        let mut wait = CodeAsked::Sent;
        for step in 0..24 * 6 {
            wait = house.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap();
            sent += u32::from(wait == CodeAsked::Sent);
            assert!(sent <= 5 || step >= 6);
            house.pass(MINUTE * 10);
        }
        assert_eq!(sent, 10);
        assert!(matches!(wait, CodeAsked::Wait(_)));
        assert_eq!(
            house.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap(),
            CodeAsked::Sent,
            "the oldest is a day old"
        );
        assert_eq!(
            house.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap(),
            CodeAsked::Wait(MINUTE * 10)
        );
    }

    async fn one_address_gets_five_an_hour_whatever_numbers_it_asks_for_and_others_do_not_wait(store: Store) {
        let house = House::new(&store);
        let ask = async |number: usize, address: &str| {
            house.identity.start_registration(&to_phone(number), &from(address)).await.unwrap()
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
        let house = House::new(&store);
        let address = from("203.0.113.20");
        let asked = join_all((0..12).map(|number| {
            let (identity, address) = (house.identity.clone(), address.clone());
            async move { identity.start_registration(&to_phone(number), &address).await.unwrap() }
        }))
        .await;
        assert_eq!(asked.iter().filter(|asked| **asked == CodeAsked::Sent).count(), 5);
    }

    async fn numbers_of_one_prefix_and_all_together_are_capped(store: Store) {
        let mut house = House::new(&store);
        house.identity.caps.prefix_hour = 3;
        let ask = async |house: &House, phone: &str| {
            let asked = house.identity.resend_registration(phone, &from("127.0.0.1")).await;
            asked.map_err(|error| error.code())
        };
        for phone in ["08031000001", "08031000002", "08031000003"] {
            ask(&house, phone).await.unwrap();
        }
        assert_eq!(ask(&house, "08031000004").await, Err("codes_paused"));
        ask(&house, "08021000004").await.unwrap();
        house.identity.caps.global_hour = 4;
        assert_eq!(ask(&house, "08051000005").await, Err("codes_paused"));
        house.pass(MINUTE * 60);
        ask(&house, "08051000005").await.unwrap();
    }

    async fn a_hundred_failures_in_a_row_end_a_subject_s_codes(store: Store) {
        let mut house = House::new(&store);
        house.identity.caps.destination_hour = 1_000;
        house.identity.caps.destination_day = 1_000;
        house.register(&ada()).await;
        for _ in 0..20 {
            let code = house.code(Channel::Sms).await;
            for _ in 0..5 {
                assert_eq!(house.verify(&wrong(&code)).await, Err("code_wrong"));
            }
            house.pass(MINUTE);
            house.identity.resend_registration(PHONE, &from("127.0.0.1")).await.unwrap();
        }
        assert!(house.mail.deliver().await.is_empty(), "no code any more");
    }

    async fn a_first_sign_in_waits_for_the_code_and_later_ones_do_not(store: Store) {
        let house = House::new(&store);
        house.unproven().await;
        let SignIn::EmailUnverified { user } = house.sign_in("correct horse").await else { panic!("no code") };
        assert!(matches!(house.sign_in("wrong").await, SignIn::WrongCredentials));
        house.identity.send_sign_in_code(&user, &origin()).await.unwrap();
        let code = house.code(Channel::Email).await;
        assert!(matches!(
            house.identity.send_sign_in_code(&user, &origin()).await.unwrap(),
            CodeAsked::Wait(_)
        ));
        let forged = house.identity.verify_email("ada", &wrong(&code), &origin()).await;
        assert_eq!(forged.unwrap_err().code(), "code_wrong");
        let SignIn::Accepted { user, .. } =
            house.identity.verify_email("ADA@example.com", &code, &origin()).await.unwrap()
        else {
            panic!("the code is right")
        };
        assert!(user.email_verified_at.is_some());
        let replayed = house.identity.verify_email("ada", &code, &origin()).await;
        assert_eq!(replayed.unwrap_err().code(), "code_wrong");
        assert!(matches!(house.sign_in("correct horse").await, SignIn::Accepted { .. }));
    }

    async fn whoever_registers_with_somebody_s_address_uses_up_no_code_of_theirs(store: Store) {
        let house = House::new(&store);
        house.unproven().await;
        let strange = RegistrationForm { email: ada().email, ..to_phone(7) };
        house.register(&strange).await;
        let handed = house.mail.deliver().await;
        assert!(handed.iter().any(|notice| notice.subject.contains("You have an account")), "the owner is told");
        let SignIn::EmailUnverified { user } = house.sign_in("correct horse").await else { panic!("no code") };
        assert_eq!(house.identity.send_sign_in_code(&user, &origin()).await.unwrap(), CodeAsked::Sent);
        let code = house.code(Channel::Email).await;
        house.identity.verify_email("ada", &code, &origin()).await.unwrap();
    }

    async fn a_sign_in_code_is_sent_again_only_to_whoever_knew_the_password(store: Store) {
        let house = House::new(&store);
        house.unproven().await;
        let again = async |login: &str| house.identity.resend_sign_in_code(login, &from("127.0.0.1")).await.unwrap();
        assert_eq!(again("ada").await, CodeAsked::Sent);
        assert_eq!(again("nobody").await, CodeAsked::Sent);
        assert!(house.mail.deliver().await.is_empty());
        let SignIn::EmailUnverified { user } = house.sign_in("correct horse").await else { panic!("no code") };
        house.identity.send_sign_in_code(&user, &origin()).await.unwrap();
        house.mail.deliver().await;
        house.pass(MINUTE);
        assert_eq!(again("ada").await, CodeAsked::Sent);
        assert_eq!(house.mail.deliver().await.len(), 1);
    }

    async fn a_forgotten_password_is_replaced_by_code_and_every_session_ends(store: Store) {
        let house = House::new(&store);
        let id = house.unproven().await;
        let forgot = async |email: &str| house.identity.forgot_password(email, &from("127.0.0.1")).await.unwrap();
        assert_eq!(forgot("nobody@example.com").await, forgot("ada@example.com").await);
        let handed = house.mail.deliver().await;
        assert_eq!((handed.len(), handed[0].to.as_str()), (1, "ada@example.com"));
        let code = code_in(&handed[0]);
        let reset = async |email: &str, code: &str| {
            let outcome = house.identity.reset_password(Reset { email, code, ..RESET }).await;
            outcome.map(|(id, _)| id).map_err(|error| error.code())
        };
        assert_eq!(reset("ada@example.com", &wrong(&code)).await, Err("code_wrong"));
        assert_eq!(reset("nobody@example.com", &code).await, Err("code_wrong"));
        assert_eq!(reset("ada@example.com", &code).await, Ok(id));
        assert_eq!(reset("ada@example.com", &code).await, Err("code_wrong"));
        assert!(matches!(house.sign_in("correct horse").await, SignIn::WrongCredentials));
        assert!(matches!(house.sign_in("a new horse").await, SignIn::Accepted { .. }), "the address is proven too");
        assert!(house.mail.deliver().await[0].text.contains("was changed"));
    }

    async fn a_changed_password_ends_the_other_sessions(store: Store) {
        let house = House::new(&store);
        let id = house.unproven().await;
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
            let changed = house.identity.change_password((id, here), current, ("a new horse", again)).await;
            changed.map_err(|error| error.to_string())
        };
        assert_eq!(change("wrong", "a new horse").await, Err("The current password is wrong".into()));
        assert_eq!(change("correct horse", "another").await, Err("Passwords do not match".into()));
        change("correct horse", "a new horse").await.unwrap();
        let left: Vec<i64> = all(&mut tx).await.iter().map(|session| session.id).collect();
        assert_eq!(left, [here]);
    }

    async fn a_new_address_counts_when_its_code_comes_back_and_the_old_one_is_told(store: Store) {
        let house = House::new(&store);
        let id = house.unproven().await;
        make_user(&store, "eve", Role::User).await;
        let edit = async |email: &str| {
            let form = ProfileForm { email: Some(email.into()), ..ProfileForm::default() };
            house.identity.edit_profile(id, form, &from("127.0.0.1"), None).await.unwrap()
        };
        let address = async || user::by_id(&mut store.read().await.unwrap(), id).await.unwrap().unwrap().email;
        assert_eq!(edit("eve@example.com").await.email, Some(CodeAsked::Sent));
        assert!(house.mail.deliver().await[0].text.contains("has an account"));
        assert_eq!(edit("new@example.com").await.email, Some(CodeAsked::Sent));
        let code = house.code(Channel::Email).await;
        assert_eq!(address().await, "ada@example.com");
        assert_eq!(house.identity.confirm_email(id, &wrong(&code)).await.unwrap_err().code(), "code_wrong");
        house.identity.confirm_email(id, &code).await.unwrap();
        assert_eq!(address().await, "new@example.com");
        let told = house.mail.deliver().await;
        assert_eq!((told.len(), told[0].to.as_str()), (1, "ada@example.com"));
    }

    async fn a_new_number_counts_when_its_code_comes_back_and_never_while_it_is_anothers(store: Store) {
        let house = House::new(&store);
        let id = house.unproven().await;
        let eve = make_user(&store, "eve", Role::User).await;
        let edit = async |id: i64, phone: &str| {
            let form = ProfileForm { phone_number: Some(phone.into()), ..ProfileForm::default() };
            house.identity.edit_profile(id, form, &origin(), None).await.unwrap().phone
        };
        let owner =
            async |digits: &str| profile::owner_of_phone(&mut store.read().await.unwrap(), digits).await.unwrap();
        assert_eq!(edit(id, "+234 803 123 4567").await, None, "it is proven");
        assert_eq!(edit(id, "08031234568").await, Some(CodeAsked::Sent));
        let code = house.code(Channel::Sms).await;
        assert_eq!((owner("2348031234567").await, owner("2348031234568").await), (Some(id), None));
        assert_eq!(house.identity.confirm_phone(id, &wrong(&code)).await.unwrap_err().code(), "code_wrong");
        assert_eq!(house.identity.confirm_phone(eve, &code).await.unwrap_err().code(), "code_wrong");
        house.identity.confirm_phone(id, &code).await.unwrap();
        assert_eq!((owner("2348031234567").await, owner("2348031234568").await), (None, Some(id)));
        let told = house.mail.deliver().await;
        assert_eq!((told.len(), told[0].to.as_str()), (1, "ada@example.com"));

        house.clock.advance(Duration::from_hours(2));
        assert_eq!(edit(eve, "08031234568").await, Some(CodeAsked::Sent), "what everybody hears");
        let told = house.mail.deliver().await;
        assert!(told[0].to == "2348031234568" && told[0].text.contains("has an account"), "{told:?}");
        assert_eq!(house.identity.confirm_phone(eve, &code).await.unwrap_err().code(), "code_wrong");
        // A number that no account had when the code was sent, and one has when the code comes back.
        assert_eq!(edit(eve, "08031234569").await, Some(CodeAsked::Sent));
        let code_of_eve = house.code(Channel::Sms).await;
        assert_eq!(edit(id, "08031234569").await, Some(CodeAsked::Wait(Duration::from_mins(1))));
        house.clock.advance(Duration::from_mins(2));
        edit(id, "08031234569").await;
        let code = house.code(Channel::Sms).await;
        house.identity.confirm_phone(id, &code).await.unwrap();
        assert_eq!(house.identity.confirm_phone(eve, &code_of_eve).await.unwrap_err().code(), "code_wrong");
        assert_eq!(owner("2348031234569").await, Some(id));
    }
}

/// What a form is told, and what is mended then.
type Step = (&'static str, fn(&mut RegistrationForm));

#[tokio::test]
async fn a_form_is_checked_in_the_order_of_its_fields_with_the_specification_s_words() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::new(&crate::testing::database::sqlite(dir.path()).await);
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
        let refused = house.identity.start_registration(&form, &origin()).await.unwrap_err();
        assert_eq!(refused.to_string(), message);
        mend(&mut form);
    }
    assert_eq!(house.register(&form).await, CodeAsked::Sent);
    let asked = async |phone: &str, code: &str| {
        house.identity.verify_registration(phone, code, None).await.unwrap_err().to_string()
    };
    assert_eq!(asked("", "123456").await, "Please enter your phone number");
    assert_eq!(asked(PHONE, "12345").await, "Please enter the 6-digit code");
}
