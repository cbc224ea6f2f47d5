//! Who there is, and which tokens, codes and messages there are. The oldest go when there are too many.

use std::collections::VecDeque;

use serde::Serialize;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::time::Time;

use super::token::{self, Grant};

/// Of each thing, this many are remembered.
const REMEMBERED: usize = 2_000;
/// How long an access token lives.
pub(crate) const ACCESS_MS: i64 = 3_600_000;
/// How long a refresh token lives.
const REFRESH_MS: i64 = 30 * 24 * 3_600_000;
/// How long a code lives.
const CODE_MS: i64 = 3_600_000;

/// A person with a stand-in account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) username: String,
    pub(crate) name: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
}

/// A message that was sent through the stand-in.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sent {
    pub(crate) to: String,
    pub(crate) text: String,
    pub(crate) at: String,
}

/// Everything remembered.
#[derive(Debug)]
pub(crate) struct People {
    pub(crate) people: Shelf<Person>,
    access: Shelf<Grant>,
    refresh: Shelf<Grant>,
    codes: Shelf<Grant>,
    pub(crate) messages: VecDeque<Sent>,
}

impl Default for People {
    /// With two people to click.
    fn default() -> Self {
        let mut people = Shelf::default();
        for (id, username, name) in
            [("5f00000000000000000000a1", "ada", "Ada Obi"), ("5f00000000000000000000b2", "bola", "Bola Ade")]
        {
            let person = Person {
                id: id.into(),
                username: username.into(),
                name: name.into(),
                email: Some(format!("{username}@kingschat.example")),
                email_verified: true,
            };
            people.put(id.to_owned(), person);
        }
        Self {
            people,
            access: Shelf::default(),
            refresh: Shelf::default(),
            codes: Shelf::default(),
            messages: VecDeque::new(),
        }
    }
}

/// A bounded map from a text to something, oldest first.
#[derive(Debug)]
pub(crate) struct Shelf<T>(VecDeque<(String, T)>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Shelf<T> {
    pub(crate) fn put(&mut self, key: String, value: T) {
        self.take(&key);
        if self.0.len() >= REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((key, value));
    }

    pub(crate) fn get(&self, key: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<T> {
        let place = self.0.iter().position(|(known, _)| known == key)?;
        self.0.remove(place).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }
}

/// A pair of tokens as both generations answer it.
#[derive(Debug, Serialize)]
pub(crate) struct Pair {
    pub(crate) access_token: String,
    pub(crate) refresh_token: String,
    pub(crate) expires_in_millis: i64,
}

impl People {
    /// A new pair for a person and an application.
    pub(crate) fn pair(
        &mut self,
        entropy: &dyn Entropy,
        person: &str,
        application: &str,
        (now, life_ms): (Time, i64),
    ) -> Pair {
        let grant = |life: i64| Grant {
            person: person.to_owned(),
            application: application.to_owned(),
            expires_at: super::ends(now, life),
        };
        let access = grant(life_ms);
        let access_token = token::shaped(entropy, &access, now);
        let refresh_token = token::random(entropy);
        self.access.put(access_token.clone(), access);
        self.refresh.put(refresh_token.clone(), grant(REFRESH_MS));
        Pair { access_token, refresh_token, expires_in_millis: life_ms }
    }

    /// A code for a person who signed in for an application.
    pub(crate) fn code(
        &mut self,
        entropy: &dyn Entropy,
        person: &str,
        application: &str,
        now: Time,
    ) -> String {
        let code = token::random(entropy);
        let grant = Grant {
            person: person.to_owned(),
            application: application.to_owned(),
            expires_at: super::ends(now, CODE_MS),
        };
        self.codes.put(code.clone(), grant);
        code
    }

    /// Spends a code.
    pub(crate) fn redeem(&mut self, code: &str, application: &str, now: Time) -> Option<Grant> {
        let grant = self.codes.take(code)?;
        (grant.application == application && now < grant.expires_at).then_some(grant)
    }

    /// Spends a refresh token.
    pub(crate) fn renew(&mut self, token: &str, application: Option<&str>, now: Time) -> Option<Grant> {
        let grant = self.refresh.take(token)?;
        let same = application.is_none_or(|application| grant.application == application);
        (same && now < grant.expires_at).then_some(grant)
    }

    /// What an access token stands for.
    pub(crate) fn bearer(&self, token: &str, now: Time) -> Option<(&Grant, &Person)> {
        let grant = self.access.get(token).filter(|grant| now < grant.expires_at)?;
        Some((grant, self.people.get(&grant.person)?))
    }

    /// Notes a message.
    pub(crate) fn sent(&mut self, to: &str, text: &str, now: Time) {
        if self.messages.len() >= REMEMBERED {
            self.messages.pop_front();
        }
        self.messages.push_back(Sent { to: to.to_owned(), text: text.to_owned(), at: now.to_rfc3339() });
    }
}
