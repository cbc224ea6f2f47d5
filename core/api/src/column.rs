//! How values with a type of their own are read from the database: a number, a name or a document in a column.

/// Reads a type from a column, by what reads it from the number or the text there:
///
/// - `column!(Time, i64, |millis| Some(Time(millis)))`
/// - `column!(Currency, str, |name| name.parse().ok())`
/// - `column!(Content, document, |json| Content::from_json(json))`
///
/// A number or a name that is none of the type's is an error that names both. Of a document it is the reader's own error.
#[macro_export]
macro_rules! column {
    ($type:ty, i64, $read:expr) => {
        $crate::column!(@ $type, i64, i64, |stored| $crate::column!(named $type, i64, $read, stored));
    };
    ($type:ty, str, $read:expr) => {
        $crate::column!(@ $type, str, &'r str, |stored| $crate::column!(named $type, &str, $read, stored));
    };
    ($type:ty, document, $read:expr) => {
        $crate::column!(@ $type, str, &'r str, |stored| {
            let read: fn(&str) -> Result<$type, _> = $read;
            read(stored).map_err(Into::into)
        });
    };
    (named $type:ty, $decoded:ty, $read:expr, $stored:expr) => {{
        let read: fn($decoded) -> Option<$type> = $read;
        read($stored).ok_or_else(|| format!("{:?} is no {}", $stored, stringify!($type)).into())
    }};
    (@ $type:ty, $stored:ty, $decoded:ty, $read:expr) => {
        impl<DB: ::sqlx::Database> ::sqlx::Type<DB> for $type
        where
            $stored: ::sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$stored as ::sqlx::Type<DB>>::type_info()
            }

            fn compatible(info: &DB::TypeInfo) -> bool {
                <$stored as ::sqlx::Type<DB>>::compatible(info)
            }
        }

        impl<'r, DB: ::sqlx::Database> ::sqlx::Decode<'r, DB> for $type
        where
            $decoded: ::sqlx::Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, ::sqlx::error::BoxDynError> {
                let read: fn($decoded) -> Result<Self, ::sqlx::error::BoxDynError> = $read;
                read(<$decoded as ::sqlx::Decode<'r, DB>>::decode(value)?)
            }
        }
    };
}
