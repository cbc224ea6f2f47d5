//! One text for both databases, where what differs is how many rows come in one argument, how rows are locked,
//! how a search ignores case, and what a function is called.
//!
//! [`sql!`](crate::sql) takes PostgreSQL's text and makes SQLite's of it while the source is compiled:
//!
//! | PostgreSQL | SQLite |
//! |---|---|
//! | `= ANY($1::BIGINT[])` | `IN (SELECT value ->> 0 FROM jsonb_each($1))` |
//! | `UNNEST($2::BIGINT[], $3::TEXT[]) AS j (id, name)` | `(SELECT value ->> 0 AS id, value ->> 1 AS name FROM jsonb_each($2)) AS j` |
//! | `UNNEST($2::BIGINT[], $3::TEXT[]) AS j`, for its `j.*` | the same with columns that have no names |
//! | `COLLATE "binary" ILIKE` | `LIKE`, which is blind to the case of ASCII letters by itself |
//! | `CAST(COALESCE(json_agg(x), '[]') AS TEXT)` | `json_group_array(x)`; `x` has no parentheses |
//! | `CAST(c.content AS JSON)`, of a column | the column: its `->>` reads text |
//! | `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + 0 * $1` | `$1`: SQLite goes by the daemon's clock, PostgreSQL by its own, which needs the argument named, too |
//! | `GREATEST(a, b)`, of values that are not null | `MAX(a, b)` |
//! | `FOR UPDATE`, `FOR NO KEY UPDATE`, `FOR SHARE`, `FOR KEY SHARE`, with `OF t`, `NOWAIT`, `SKIP LOCKED` | nothing: its writer is alone |
//!
//! All else stays as it is, so it has to be understood by both. The rows are the last argument (see
//! [`Arg::Rows`](crate::store::Arg::Rows)). Two things to keep in mind: SQLite wants a `WHERE` (`WHERE true`) between
//! `INSERT ... SELECT` and `ON CONFLICT`, and it reads tables in the order of a `CROSS JOIN`, which PostgreSQL takes
//! for a plain join. A column without a type on SQLite (`messages.carrier_ref`) keeps whole numbers as such: texts that
//! are compared with it come in [`Column::Terse`](crate::store::Column::Terse).

/// A statement in one text for both databases: PostgreSQL's, from which SQLite's is made.
#[macro_export]
macro_rules! sql {
    ($($text:expr),+ $(,)?) => {{
        const TEXT: &str = concat!($($text),+);
        const LENGTH: usize = $crate::store::SqliteText::<0>::length(TEXT);
        const SQLITE: $crate::store::SqliteText<LENGTH> = $crate::store::SqliteText::of(TEXT);
        $crate::store::Sql::each(SQLITE.or(TEXT), TEXT)
    }};
}

/// SQLite's text for a statement of PostgreSQL's, of at most `N` bytes; none where PostgreSQL's means the same.
///
/// The compiler makes it byte by byte for each statement of the store, so little is asked of a byte that begins no form,
/// and what stays is copied in one piece.
#[derive(Debug)]
pub struct SqliteText<const N: usize> {
    bytes: [u8; N],
    /// The bytes that the text has, more than `N` where they had no room.
    length: usize,
}

impl<const N: usize> SqliteText<N> {
    /// How many bytes SQLite's text has, 0 where it is PostgreSQL's.
    ///
    /// # Panics
    /// When a statement has one of the forms of the module's table half: it does not compile then.
    pub const fn length(postgres: &str) -> usize {
        Self::translate(postgres.as_bytes()).length
    }

    /// SQLite's text, which has `N` bytes.
    pub const fn of(postgres: &str) -> Self {
        if N == 0 { Self::EMPTY } else { Self::translate(postgres.as_bytes()) }
    }

    const EMPTY: Self = Self { bytes: [0; N], length: 0 };

    const fn translate(text: &[u8]) -> Self {
        let mut out = Self::EMPTY;
        let (mut at, mut copied) = (0, 0);
        while at < text.len() {
            let form = match text[at] {
                b'\'' | b'"' => {
                    at = quoted(text, at);
                    continue;
                }
                b' ' | b'=' | b'C' | b'G' | b'U' => Form::at(text, at),
                _ => None,
            };
            let Some(form) = form else {
                at += 1;
                continue;
            };
            out.copy(text, copied, at);
            at = form.translate(&mut out, text, at);
            copied = at;
        }
        if copied > 0 {
            out.copy(text, copied, at);
        }
        out
    }

    const fn append(&mut self, text: &str) {
        self.copy(text.as_bytes(), 0, text.len());
    }

    const fn copy(&mut self, text: &[u8], from: usize, to: usize) {
        let (begin, end) = (self.length, self.length + to - from);
        if end <= N {
            let piece = text.split_at(to).0.split_at(from).1;
            self.bytes.split_at_mut(end).0.split_at_mut(begin).1.copy_from_slice(piece);
        }
        self.length = end;
    }

    const fn append_number(&mut self, number: usize) {
        if number >= 10 {
            self.append_number(number / 10);
        }
        self.copy(&[b'0' + (number % 10) as u8], 0, 1);
    }

    /// The text, `postgres` where that is SQLite's, too.
    ///
    /// # Panics
    /// When it has more than `N` bytes.
    pub const fn or<'t>(&'t self, postgres: &'t str) -> &'t str {
        if N == 0 {
            return postgres;
        }
        assert!(self.length == N, "a text was cut");
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(_) => panic!("a text was cut within a character"),
        }
    }
}

/// What the databases write otherwise.
enum Form {
    Any,
    Unnest,
    Ilike,
    JsonArray,
    Json {
        /// Where its column ends.
        to: usize,
    },
    Clock,
    Greatest,
    /// A locking clause, which ends there.
    Lock(usize),
}

impl Form {
    /// The form that begins here.
    const fn at(text: &[u8], at: usize) -> Option<Self> {
        match text[at] {
            b'=' if starts(text, at, ANY) => Some(Self::Any),
            b'U' if starts(text, at, UNNEST) => Some(Self::Unnest),
            b'C' if starts(text, at, ILIKE) => Some(Self::Ilike),
            b'C' if starts(text, at, JSON_ARRAY.0) => Some(Self::JsonArray),
            b'C' if starts(text, at, CLOCK) => Some(Self::Clock),
            b'C' if starts(text, at, CAST) => {
                let to = column(text, at + CAST.len());
                if starts(text, to, AS_JSON) { Some(Self::Json { to }) } else { None }
            }
            b'G' if starts(text, at, GREATEST) => Some(Self::Greatest),
            b' ' => match locking_clause(text, at) {
                Some(end) => Some(Self::Lock(end)),
                None => None,
            },
            _ => None,
        }
    }

    /// Appends what SQLite says for the form at `at`, and returns where it ends.
    const fn translate<const N: usize>(self, out: &mut SqliteText<N>, text: &[u8], at: usize) -> usize {
        match self {
            Self::Any => any(out, text, at + ANY.len()),
            Self::Unnest => unnest(out, text, at + UNNEST.len()),
            Self::Ilike => {
                out.append("LIKE");
                at + ILIKE.len()
            }
            Self::JsonArray => json_array(out, text, at + JSON_ARRAY.0.len()),
            Self::Json { to } => {
                out.copy(text, at + CAST.len(), to);
                to + AS_JSON.len()
            }
            Self::Clock => {
                assert!(text[at + CLOCK.len()] == b'$', "an argument follows the clock");
                at + CLOCK.len()
            }
            Self::Greatest => {
                out.append("MAX(");
                at + GREATEST.len()
            }
            Self::Lock(end) => end,
        }
    }
}

const ANY: &str = "= ANY(";
const UNNEST: &str = "UNNEST(";
const GREATEST: &str = "GREATEST(";

const CAST: &str = "CAST(";
const AS_JSON: &str = " AS JSON)";
/// What stands before the parameter with the time.
const CLOCK: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + 0 * ";

const ILIKE: &str = "COLLATE \"binary\" ILIKE";
/// What stands before and after the value of an array in JSON.
const JSON_ARRAY: (&str, &str) = ("CAST(COALESCE(json_agg(", "), '[]') AS TEXT)");

const fn json_array<const N: usize>(out: &mut SqliteText<N>, text: &[u8], from: usize) -> usize {
    let mut to = from;
    while to < text.len() && text[to] != b')' {
        assert!(text[to] != b'(', "the value of json_agg has no parentheses");
        to += 1;
    }
    assert!(starts(text, to, JSON_ARRAY.1), "json_agg is CAST(COALESCE(json_agg(x), '[]') AS TEXT)");
    out.append("json_group_array(");
    out.copy(text, from, to);
    out.append(")");
    to + JSON_ARRAY.1.len()
}

const fn any<const N: usize>(out: &mut SqliteText<N>, text: &[u8], from: usize) -> usize {
    let (to, end) = array(text, from);
    out.append("IN (SELECT value ->> 0 FROM jsonb_each(");
    out.copy(text, from, to);
    out.append("))");
    assert!(starts(text, end, ")"), "ANY takes one array");
    end + 1
}

const fn unnest<const N: usize>(out: &mut SqliteText<N>, text: &[u8], from: usize) -> usize {
    let (parameter_end, mut at) = array(text, from);
    let first = number(text, from + 1);
    let mut columns = 1;
    while starts(text, at, ",") {
        let next = skip_spaces(text, at + 1);
        at = array(text, next).1;
        assert!(number(text, next + 1) == first + columns, "the arrays of UNNEST are parameters in a row");
        columns += 1;
    }
    assert!(starts(text, at, ") AS "), "UNNEST(...) needs a name: AS j (column, ...)");
    let alias = at + ") AS ".len();
    let alias_end = word(text, alias);
    let mut end = alias_end;
    let names = skip_spaces(text, alias_end);
    let are_named = starts(text, names, "(");
    assert!(
        are_named || whole_rows(text, alias, alias_end),
        "UNNEST(...) AS j names its columns, or j.* takes them"
    );
    at = names + 1;
    out.append("(SELECT ");
    let mut column = 0;
    while column < columns {
        if column > 0 {
            out.append(", ");
        }
        out.append("value ->> ");
        out.append_number(column);
        if are_named {
            let name_end = word(text, at);
            assert!(name_end > at, "UNNEST(...) AS j (...) names each of its arrays");
            out.append(" AS ");
            out.copy(text, at, name_end);
            assert!(
                starts(text, name_end, if column + 1 == columns { ")" } else { "," }),
                "a name for each array"
            );
            end = name_end + 1;
            at = skip_spaces(text, end);
        }
        column += 1;
    }
    out.append(" FROM jsonb_each(");
    out.copy(text, from, parameter_end);
    out.append(")) AS ");
    out.copy(text, alias, alias_end);
    end
}

/// The ends of the parameter and of the whole of `$1::TYPE[]`.
const fn array(text: &[u8], from: usize) -> (usize, usize) {
    assert!(starts(text, from, "$"), "an array is a parameter: $1::BIGINT[]");
    let parameter = word(text, from + 1);
    assert!(starts(text, parameter, "::"), "an array has a type: $1::BIGINT[]");
    let end = word(text, parameter + 2);
    assert!(starts(text, end, "[]"), "an array has a type: $1::BIGINT[]");
    (parameter, end + 2)
}

/// Where the locking clause ends that begins here, with the space before it.
const fn locking_clause(text: &[u8], at: usize) -> Option<usize> {
    const STRENGTHS: [&str; 4] = [" FOR UPDATE", " FOR NO KEY UPDATE", " FOR SHARE", " FOR KEY SHARE"];
    let mut strength = 0;
    while strength < STRENGTHS.len() {
        if starts(text, at, STRENGTHS[strength]) {
            let mut end = at + STRENGTHS[strength].len();
            if starts(text, end, " OF ") {
                end = word(text, end + " OF ".len());
            }
            if starts(text, end, " NOWAIT") {
                end += " NOWAIT".len();
            } else if starts(text, end, " SKIP LOCKED") {
                end += " SKIP LOCKED".len();
            }
            assert!(word(text, end) == end, "a locking clause ends with a word");
            return Some(end);
        }
        strength += 1;
    }
    None
}

/// Where the text in quotes ends that begins here.
const fn quoted(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() && text[at] != text[from] {
        at += 1;
    }
    assert!(at < text.len(), "a quote is not closed");
    at + 1
}

/// The whole number that begins here.
const fn number(text: &[u8], mut at: usize) -> usize {
    let mut number = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        number = number * 10 + (text[at] - b'0') as usize;
        at += 1;
    }
    number
}

/// Whether the text has `alias.*` somewhere.
const fn whole_rows(text: &[u8], alias: usize, alias_end: usize) -> bool {
    let length = alias_end - alias;
    let mut at = 0;
    while at + length + 2 <= text.len() {
        let mut same = 0;
        while same < length && text[at + same] == text[alias + same] {
            same += 1;
        }
        if same == length && text[at + length] == b'.' && text[at + length + 1] == b'*' {
            return true;
        }
        at += 1;
    }
    false
}

const fn starts(text: &[u8], at: usize, with: &str) -> bool {
    let with = with.as_bytes();
    let mut index = 0;
    while index < with.len() {
        if at + index >= text.len() || text[at + index] != with[index] {
            return false;
        }
        index += 1;
    }
    true
}

const fn word(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && (text[at].is_ascii_alphanumeric() || text[at] == b'_') {
        at += 1;
    }
    at
}

/// Where the name of a column ends that begins here, with its table or without.
const fn column(text: &[u8], at: usize) -> usize {
    let end = word(text, at);
    if starts(text, end, ".") { word(text, end + 1) } else { end }
}

const fn skip_spaces(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] == b' ' {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::store::{Column, Sql};
    use crate::{args, both_databases};

    fn sqlite(sql: Sql) -> &'static str {
        sql.sqlite
    }

    #[test]
    fn arrays_become_rows_of_one_json_text() {
        assert_eq!(
            sqlite(sql!("DELETE FROM t WHERE id = ANY($12::BIGINT[]) AND x = $1")),
            "DELETE FROM t WHERE id IN (SELECT value ->> 0 FROM jsonb_each($12)) AND x = $1"
        );
        assert_eq!(
            sqlite(sql!(
                "SELECT t.a FROM UNNEST($2::BIGINT[], $3::TEXT[]) AS j (id, name) ",
                "JOIN t ON t.id = j.id"
            )),
            "SELECT t.a FROM (SELECT value ->> 0 AS id, value ->> 1 AS name FROM jsonb_each($2)) AS j \
             JOIN t ON t.id = j.id"
        );
        assert_eq!(
            sqlite(sql!("INSERT INTO t SELECT j.*, $1 FROM UNNEST($2::BIGINT[], $3::BIGINT[]) AS j")),
            "INSERT INTO t SELECT j.*, $1 FROM (SELECT value ->> 0, value ->> 1 FROM jsonb_each($2)) AS j"
        );
    }

    #[test]
    fn locking_clauses_go_and_all_else_stays() {
        let locks = [
            sql!("SELECT 1 FROM t FOR UPDATE"),
            sql!("SELECT 1 FROM t FOR NO KEY UPDATE OF t"),
            sql!("SELECT 1 FROM t FOR SHARE NOWAIT"),
            sql!("SELECT 1 FROM t FOR KEY SHARE OF t SKIP LOCKED"),
        ];
        for sql in locks {
            assert_eq!(sqlite(sql), "SELECT 1 FROM t");
        }
        for text in [sqlite(sql!("SELECT 'é', x FROM t")), sqlite(sql!("SELECT 'é', x FROM t FOR SHARE"))] {
            assert_eq!(text, "SELECT 'é', x FROM t");
        }
        assert_eq!(
            sqlite(sql!("SELECT ' FOR SHARE, = ANY($1' FROM t")),
            "SELECT ' FOR SHARE, = ANY($1' FROM t"
        );
        assert_eq!(
            sqlite(sql!("SELECT id FROM t WHERE id IN (SELECT 1 FOR UPDATE) AND x")),
            "SELECT id FROM t WHERE id IN (SELECT 1) AND x"
        );
    }

    #[test]
    fn a_search_that_ignores_case_is_a_plain_like() {
        assert_eq!(
            sqlite(sql!(
                "SELECT id FROM t WHERE a COLLATE \"binary\" ILIKE $1 ORDER BY a COLLATE \"binary\""
            )),
            "SELECT id FROM t WHERE a LIKE $1 ORDER BY a COLLATE \"binary\""
        );
    }

    #[test]
    fn functions_have_the_names_of_each_database() {
        assert_eq!(
            sqlite(sql!(
                "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), GREATEST(MIN(a), 1) \
                 FROM (SELECT id, a FROM t ORDER BY id) AS ordered"
            )),
            "SELECT json_group_array(id & 4095), MAX(MIN(a), 1) FROM (SELECT id, a FROM t ORDER BY id) AS ordered"
        );
    }

    #[test]
    fn json_is_read_from_text_and_the_time_is_an_argument() {
        assert_eq!(
            sqlite(sql!(
                "SELECT CAST(t.a AS JSON) ->> 'text', CAST(b AS JSON) FROM t WHERE CAST(a AS BIGINT) = 1"
            )),
            "SELECT t.a ->> 'text', b FROM t WHERE CAST(a AS BIGINT) = 1"
        );
        assert_eq!(
            sqlite(sql!(
                "UPDATE t SET at = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + 0 * $2 WHERE id = $1"
            )),
            "UPDATE t SET at = $2 WHERE id = $1"
        );
    }

    both_databases! {
        async fn one_text_means_the_same_on_both(store: Store) {
            let rows = || vec![Column::Ints(vec![1, 2, 3]), Column::Texts(vec![Some("a".into()), None, Some("c".into())])];
            let mut tx = store.read().await.unwrap();
            let named = sql!(
                "SELECT CAST(j.id AS BIGINT), j.name FROM UNNEST($2::BIGINT[], $3::TEXT[]) AS j (id, name) \
                 WHERE j.id > $1 ORDER BY 1"
            );
            let found: Vec<(i64, Option<String>)> = tx.all(named, args![1_i64, rows()]).await.unwrap();
            assert_eq!(found, [(2, None), (3, Some("c".into()))]);
            let whole = sql!("SELECT j.* FROM UNNEST($1::BIGINT[], $2::TEXT[]) AS j");
            let found: Vec<(i64, Option<String>)> = tx.all(whole, args![rows()]).await.unwrap();
            assert_eq!(found.len(), 3);
            let any = sql!("SELECT CAST(7 AS BIGINT) WHERE CAST($1 AS BIGINT) = ANY($2::BIGINT[])");
            for (wanted, is_found) in [(2_i64, true), (4, false)] {
                let row: Option<(i64,)> = tx.opt(any, args![wanted, vec![Column::Ints(vec![1, 2])]]).await.unwrap();
                assert_eq!(row.is_some(), is_found);
            }
            let listed = sql!(
                "SELECT CAST(COALESCE(json_agg(ordered.name), '[]') AS TEXT), CAST(GREATEST(MAX(ordered.id), $1) AS BIGINT) \
                 FROM (SELECT j.id, j.name FROM UNNEST($2::BIGINT[], $3::TEXT[]) AS j (id, name) \
                   WHERE j.id > $1 ORDER BY j.id) AS ordered"
            );
            let (json, most): (String, Option<i64>) = tx.one(listed, args![1_i64, rows()]).await.unwrap();
            assert_eq!((json.replace(' ', "").as_str(), most), (r#"[null,"c"]"#, Some(3)));
            let none: (String,) =
                tx.one(sql!("SELECT CAST(COALESCE(json_agg(j.id), '[]') AS TEXT) FROM UNNEST($1::BIGINT[]) AS j (id)"),
                    args![vec![Column::Ints(vec![])]]).await.unwrap();
            assert_eq!(none.0, "[]");
        }
    }
}
