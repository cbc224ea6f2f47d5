//! Ids: numbers of rows, each of a type of its own, so that one cannot stand where another is meant.

/// The id of the rows of a table. It is stored, and written to JSON, as the number that it is. What makes an argument of it, and
/// a column, is in `store/db/sql.rs: arg_from_value`.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        talkdrum_api::column!($name, i64, |id| Some($name(id)));

        impl $name {
            /// Less than the id of every row, as they begin at 1: where a walk in their order begins.
            pub const BEFORE_ALL: Self = Self(0);
            /// Stands where no row is meant: the default.
            pub const NONE: Self = Self(0);
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }

        /// Where it is kept as text: what a repeated request refers to, and names of files.
        impl ::std::str::FromStr for $name {
            type Err = ::std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::model::campaign::id::{AudienceChunkId, ChunkId};
    use crate::store::Column;
    use crate::{args, both_databases, sql};

    #[test]
    fn an_id_is_shown_and_written_as_its_number() {
        assert_eq!(format!("chunk:{}", ChunkId(7)), "chunk:7");
        assert_eq!(serde_json::to_string(&[ChunkId(7)]).unwrap(), "[7]");
        assert_eq!(serde_json::from_str::<ChunkId>("7").unwrap(), ChunkId(7));
        assert_eq!("-7".parse(), Ok(ChunkId(-7)));
    }

    both_databases! {
        async fn an_id_is_read_from_the_database_as_it_was_given(store: Store) {
            let mut tx = store.read().await.unwrap();
            let sql = "SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT)";
            let read: (ChunkId, Option<AudienceChunkId>) =
                tx.one(sql, args![ChunkId(7), Some(AudienceChunkId(-9))]).await.unwrap();
            assert_eq!(read, (ChunkId(7), Some(AudienceChunkId(-9))));
            let sql = sql!("SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id) ORDER BY j.id");
            let ids = [ChunkId(3), ChunkId(i64::MAX)];
            let read: Vec<(ChunkId,)> = tx.all(sql, args![vec![Column::of(ids)]]).await.unwrap();
            assert_eq!(read, ids.map(|id| (id,)));
        }
    }
}
