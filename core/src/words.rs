//! Enums whose values have words: in the database, the API and files of rejected rows. The words are never renamed:
//! stored rows and clients rely on them.

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
