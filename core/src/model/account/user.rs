//! Users as they are stored, and their names and addresses, checked.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::time::Time;

/// The time zone of users who chose none.
pub const DEFAULT_ZONE: &str = "Africa/Lagos";

/// The domain of placeholder addresses (RFC 2606): mail cannot be sent to it.
const NOBODY: &str = "nobody.invalid";

words! {
    /// What a user may do on the platform.
    Role {
        /// Sends and pays.
        User = "user",
        /// Also runs the platform.
        Admin = "admin",
    }
}

impl FromStr for Role {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        Self::from_code(text).ok_or_else(|| {
            Error::field("role", "unknown_role", format!("'{text}' is not a role: use user or admin"))
        })
    }
}

words! {
    /// Whether a user may start anything.
    UserStatus {
        /// Sends and pays.
        Active = "active",
        /// Signs in and reads, but starts no send, payment or transfer.
        Inactive = "inactive",
    }
}

impl FromStr for UserStatus {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::from_code(text).ok_or_else(|| {
            Error::rule("unknown_status", format!("'{text}' is not a status: use active or inactive"))
        })
    }
}

/// A name to sign in by: 3 to 32 of a-z, 0-9, `.`, `_` and `-`, starting with a letter or digit; in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username(String);

impl Username {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Username {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = text.trim().to_lowercase();
        if name.is_empty() {
            return Err(Error::field("username", "username_required", "Username is required"));
        }
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
        let starts = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if !(3..=32).contains(&name.len()) || !starts || !name.bytes().all(allowed) {
            return Err(Error::field(
                "username",
                "username_invalid",
                "Username must have 3 to 32 letters, digits, dots, dashes or underscores, and start with a letter or digit",
            ));
        }
        Ok(Self(name))
    }
}

/// An e-mail address, in lower case. Only a message sent to it can prove more than its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A placeholder for a user without an address: `key` makes it unique, and its domain is reserved (RFC 2606), so
    /// that nothing can be sent to it and no person can own it.
    pub(crate) fn nobody(key: &str) -> Self {
        use sha2::{Digest as _, Sha256};
        let digest = hex::encode(Sha256::digest(key.as_bytes()));
        Self(format!("{}@{NOBODY}", &digest[..32]))
    }
}

impl FromStr for Email {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let address = text.trim().to_lowercase();
        if address.is_empty() {
            return Err(Error::field("email", "email_required", "Email is required"));
        }
        let invalid = || Error::field("email", "email_invalid", "Email address is invalid");
        let (local, domain) = address.rsplit_once('@').ok_or_else(invalid)?;
        let local_fits = (1..=64).contains(&local.len()) && !local.contains('@');
        let labels_fit = domain.split('.').count() >= 2
            && domain.split('.').all(|label| {
                !label.is_empty()
                    && !label.starts_with('-')
                    && !label.ends_with('-')
                    && label.chars().all(|sign| sign.is_alphanumeric() || sign == '-')
            });
        let plain = address
            .chars()
            .all(|sign| !sign.is_whitespace() && !sign.is_control() && !"<>,;\"".contains(sign));
        let reserved = domain.rsplit('.').next() == Some("invalid");
        if reserved || address.len() > 254 || !local_fits || !labels_fit || !plain {
            return Err(invalid());
        }
        Ok(Self(address))
    }
}

/// Whether something can be sent to an address as stored: not when it only stands for having none.
pub fn is_reachable(email: &str) -> bool {
    !email.ends_with(NOBODY)
}

/// A user to be made.
#[derive(Clone)]
pub struct NewUser {
    /// The person's or business's name.
    pub name: String,
    /// To sign in by.
    pub username: Username,
    /// To sign in by, and to write to.
    pub email: Email,
    /// When the address was proven, if it was.
    pub email_verified_at: Option<Time>,
    /// E.164 without `+`, where known.
    pub phone_number: Option<String>,
    /// What the user may do.
    pub role: Role,
    /// An IANA time zone.
    pub zone: String,
    /// The password's hash; `None` for who signs in elsewhere.
    pub password_hash: Option<String>,
}

impl fmt::Debug for NewUser {
    /// Without the hash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewUser")
            .field("username", &self.username)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// A user, without anything secret.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The person's or business's name.
    pub name: String,
    /// To sign in by, in lower case.
    pub username: String,
    /// The e-mail address, in lower case.
    pub email: String,
    /// When the address was proven, if it was.
    pub email_verified_at: Option<Time>,
    /// E.164 without `+`, where known.
    pub phone_number: Option<String>,
    /// As given.
    pub gender: Option<String>,
    /// What the user may do.
    pub role: Role,
    /// Whether the user may start anything.
    pub status: UserStatus,
    /// An IANA time zone.
    pub zone: String,
    /// When the user was made.
    pub created_at: Time,
    /// The last sign-in.
    pub last_login_at: Option<Time>,
    /// When the user was deleted; what is left then is for the books.
    pub deleted_at: Option<Time>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_names_are_folded_to_lower_case_and_hold_no_sign_of_an_address() {
        assert_eq!("  Ada.Obi-9 ".parse::<Username>().unwrap().as_str(), "ada.obi-9");
        for bad in ["", "ab", "a b", "ada@example.com", ".ada", "ädä", &"a".repeat(33)] {
            assert!(bad.parse::<Username>().is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_are_folded_to_lower_case_and_checked_for_form() {
        assert_eq!("Ada@Example.COM".parse::<Email>().unwrap().as_str(), "ada@example.com");
        assert!("a+b@x-y.co.uk".parse::<Email>().is_ok());
        for bad in [
            "ada",
            "ada@",
            "@example.com",
            "ada@example",
            "a b@example.com",
            "a@b@c.com",
            "a@-x.com",
            "a@x..com",
            "a@nobody.invalid",
        ] {
            assert_eq!(bad.parse::<Email>().unwrap_err().to_string(), "Email address is invalid", "{bad}");
        }
        assert_eq!("".parse::<Email>().unwrap_err().to_string(), "Email is required");
    }

    #[test]
    fn who_has_no_address_gets_one_that_nobody_can_have() {
        let nobody = Email::nobody("kingschat 7");
        assert_ne!(nobody, Email::nobody("kingschat 8"));
        assert!(!is_reachable(nobody.as_str()) && nobody.as_str().parse::<Email>().is_err());
        assert!(is_reachable("ada@example.com"));
    }
}
