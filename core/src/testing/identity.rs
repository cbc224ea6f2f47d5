//! Registration, addresses and passwords as tests go through them: a person called Ada, and the codes that she gets.

use std::sync::Arc;
use std::time::Duration;

use crate::account::{
    CodeAsked, CodeLimits, Door, Identity, Origin, Passwords, RegistrationForm, Reset, SessionPolicy, SignIn,
    sign_in,
};
use crate::entropy::{Entropy, SeededEntropy, SystemEntropy};
use crate::model::account::id::UserId;
use crate::notice::{Channel, Shown};
use crate::store::Store;
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::time::{Clock, ManualClock, Time};

pub(crate) const NOW: Time = Time(1_700_000_000_000);
pub(crate) const MINUTE: Duration = Duration::from_mins(1);
pub(crate) const PHONE: &str = "0803 123 4567";

pub(crate) const RESET: Reset<'static> = Reset {
    email: "ada@example.com",
    code: "",
    password: "a new horse",
    confirmation: "a new horse",
    revoke_keys: false,
};

/// Where the tests' requests come from.
pub(crate) fn origin() -> Origin {
    Origin { address: "203.0.113.7".parse().unwrap(), client: "test".to_owned(), is_known: false }
}

/// What proving an identity takes, with true randomness.
pub(crate) fn identity(store: &Store) -> Identity {
    Identity { entropy: Arc::new(SystemEntropy), ..IdentityFixture::new(store).identity }
}

pub(crate) struct IdentityFixture {
    pub(crate) identity: Identity,
    pub(crate) mail: NoticeHouse,
    pub(crate) clock: Arc<ManualClock>,
}

impl IdentityFixture {
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
            limits: CodeLimits::default(),
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

    pub(crate) async fn verify(&self, code: &str) -> Result<(), &'static str> {
        let verified = self.identity.verify_registration(PHONE, code, None).await;
        verified.map(|_| ()).map_err(|error| error.code())
    }

    /// A user with a password and an address that was not verified.
    pub(crate) async fn unproven(&self) -> UserId {
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

pub(crate) fn code_in(notice: &Shown) -> String {
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
