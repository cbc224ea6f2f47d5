//! How values with a type of their own are read from the database: a number or a name in a column.

/// Reads a type from a column, by what reads it from the number or the text there:
///
/// - `column!(Time, i64, |millis| Some(Time(millis)))`
/// - `column!(Currency, str, |name| name.parse().ok())`
///
/// A value that is none of the type's is an error that names both.
#[macro_export]
macro_rules! column {
    ($type:ty, i64, $read:expr) => {
        $crate::column!(@ $type, i64, i64, $read);
    };
    ($type:ty, str, $read:expr) => {
        $crate::column!(@ $type, str, &'r str, $read);
    };
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
                let stored = <$decoded as ::sqlx::Decode<'r, DB>>::decode(value)?;
                let read: fn($decoded) -> Option<Self> = $read;
                read(stored).ok_or_else(|| format!("{stored:?} is no {}", stringify!($type)).into())
            }
        }
    };
}
