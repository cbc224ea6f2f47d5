//! Values that are kept as JSON in a column of text.

/// A type that is written to a column as JSON, and read from there by rows and by `from_json`. An error names the type and the
/// position only, as the text may be personal.
macro_rules! json_column {
    ($type:ident) => {
        talkdrum_api::column!($type, document, $type::from_json);

        impl $type {
            /// As it is stored.
            #[allow(clippy::wrong_self_convention, reason = "some of the types are copied")]
            pub(crate) fn to_json(&self) -> $crate::Result<String> {
                ::serde_json::to_string(self).map_err(|error| {
                    $crate::Error::Corrupt(format!(
                        concat!(stringify!($type), " cannot be written: {}"),
                        error
                    ))
                })
            }

            /// As it was stored.
            pub(crate) fn from_json(text: &str) -> $crate::Result<Self> {
                ::serde_json::from_str(text).map_err(|error| {
                    let (line, column) = (error.line(), error.column());
                    $crate::Error::Corrupt(format!(
                        concat!("a stored ", stringify!($type), " cannot be read beyond line {}, column {}"),
                        line, column
                    ))
                })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::content::Content;
    use crate::error::Result;
    use crate::{args, both_databases};

    both_databases! {
        async fn a_damaged_document_is_said_by_its_type_and_not_repeated(store: Store) {
            let mut tx = store.read().await.unwrap();
            let sql = "SELECT CAST($1 AS TEXT)";
            let stored = r#"{"kind":"text","text":"Dear Ada"}"#;
            let (content,): (Content,) = tx.one(sql, args![stored]).await.unwrap();
            assert_eq!(content.to_json().unwrap(), stored);
            for damaged in [&stored[..30], r#"{"kind":"Dear Ada"}"#, r#"{"kind":"text","text":["Dear Ada"]}"#] {
                let read: Result<(Content,)> = tx.one(sql, args![damaged]).await;
                let error = read.unwrap_err();
                let said = error.to_string();
                assert!(said.contains("a stored Content cannot be read") && !said.contains("Ada"), "{said}");
                assert_eq!(error.code(), "corrupt");
            }
            let none: (Option<Content>,) = tx.one(sql, args![None::<String>]).await.unwrap();
            assert_eq!(none, (None,));
        }
    }
}
