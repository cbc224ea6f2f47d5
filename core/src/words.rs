//! Enums whose values have words: in the database, the API and files of rejected rows. The words are never renamed:
//! stored rows and clients rely on them.

/// An enum whose values are stored, and shown, as words. One that is shown by words and stored by numbers says
/// `Name by numbers`: a macro that has the number of each value, for the enum and for statement texts.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_doc])* $value,)+
        }

        talkdrum_api::column!($name, str, $name::from_code);

        worded!($name { $($value = $word,)+ });
    };
    (
        $(#[$doc:meta])*
        $name:ident by $number:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_doc])* $value = $number!($value),)+
        }

        talkdrum_api::column!($name, i64, $name::from_number);

        worded!($name { $($value = $word,)+ });

        impl $name {
            /// The number in the store.
            pub const fn number(self) -> i64 {
                self as i64
            }

            /// The value of a number in the store.
            pub fn from_number(number: i64) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.number() == number)
            }
        }
    };
}

/// The words of an enum that [`words!`] makes.
macro_rules! worded {
    ($name:ident { $($value:ident = $word:literal,)+ }) => {
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
