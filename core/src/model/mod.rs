//! Value types that the store and the services share: statuses, outcomes, counts, ledger terms, users. No SQL, no IO.

/// An enum whose values are stored, and shown, as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_doc])* $value,)+
        }

        talkdrum_api::column!($name, str, $name::from_code);

        impl $name {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$value,)+];

            /// The word of database and API.
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }

            /// The value of a word.
            pub fn from_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.code() == code)
            }
        }
    };
}
pub(crate) use words;

/// Enums that [`words!`] makes, as JSON: by their words.
macro_rules! as_words {
    ($($name:ident)+) => {$(
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.code())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                Self::from_code(&word).ok_or_else(|| {
                    ::serde::de::Error::custom(format_args!("'{word}' is no {}", stringify!($name)))
                })
            }
        }
    )+};
}

pub mod api_key;
pub mod audience_chunk;
pub mod carrier;
pub mod chat_refusal;
pub mod contact;
pub mod delivery_counts;
pub mod file_name;
pub mod installation;
pub mod ledger;
pub mod message_id;
pub mod notice;
pub mod outcome;
pub mod page;
pub mod pause;
pub mod payment;
pub mod quote_details;
pub mod reason;
pub mod receipt_state;
pub mod sender;
pub mod status;
pub mod user;
pub mod webhook_endpoint;
pub mod webhook_event;
