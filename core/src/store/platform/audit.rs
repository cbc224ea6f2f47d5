//! The rows of the audit trail, which are only ever added.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::id::AuditEntryId;
use crate::store::{Arg, Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// An entry as stored, with the name of the user who made the change.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AuditRow {
    /// The entry's id, in order of time.
    pub id: AuditEntryId,
    /// When.
    pub at: Time,
    /// Who; `None` for the operator at the daemon's command line.
    pub user_id: Option<UserId>,
    /// The name of that user.
    pub username: Option<String>,
    /// What was done: the word of an [`AuditAction`], or of one that only another version knows.
    pub action: String,
    /// To what.
    pub subject: String,
    /// How it was.
    pub before: Option<String>,
    /// How it is since.
    pub after: Option<String>,
}

/// An entry to be added.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// Who; `None` for the operator at the daemon's command line.
    pub by: Option<UserId>,
    /// What was done.
    pub action: AuditAction,
    /// To what.
    pub subject: String,
    /// How it was.
    pub before: Option<String>,
    /// How it is since.
    pub after: Option<String>,
}

/// Adds entries, in order.
pub async fn insert(tx: &mut Tx, entries: &[NewEntry], now: Time) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::of(entries.iter().map(|it| it.by)),
        Column::of(entries.iter().map(|it| it.action)),
        Column::of(entries.iter().map(|it| &it.subject)),
        Column::of(entries.iter().map(|it| &it.before)),
        Column::of(entries.iter().map(|it| &it.after)),
        Column::of((0..).take(entries.len())),
    ];
    let sql = sql!(
        "INSERT INTO audit (at, user_id, action, subject, before_text, after_text) \
         SELECT $1, j.by_user, j.action, j.subject, j.before_text, j.after_text \
         FROM UNNEST($2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::BIGINT[]) \
           AS j (by_user, action, subject, before_text, after_text, place) ORDER BY j.place"
    );
    tx.run_exactly(entries.len() as u64, sql, args![now, rows]).await
}

/// How often such a change of a thing was noted since `since`, among the last hundred entries about it.
pub async fn times_noted(
    tx: &mut Tx,
    subject: &str,
    action: AuditAction,
    (before, after): (Option<&str>, Option<&str>),
    since: Time,
) -> Result<i64> {
    let sql = "SELECT COUNT(*) FROM (SELECT at, action, before_text, after_text FROM audit WHERE subject = $1 \
                 ORDER BY id DESC LIMIT 100) AS about \
               WHERE at >= $2 AND action = $3 AND COALESCE(before_text, '') = $4 AND COALESCE(after_text, '') = $5";
    let [before, after] = [before, after].map(Option::unwrap_or_default);
    let (entries,): (i64,) = tx.one(sql, args![subject, since, action.code(), before, after]).await?;
    Ok(entries)
}

/// The newest entries.
pub async fn newest(tx: &mut Tx, limit: i64) -> Result<Vec<AuditRow>> {
    tx.all(
        "SELECT a.id, a.at, a.user_id, u.username, a.action, a.subject, a.before_text AS before, a.after_text AS after \
         FROM audit a LEFT JOIN users u ON u.id = a.user_id ORDER BY a.id DESC LIMIT $1",
        args![limit],
    )
    .await
}

/// Which entries. Empty texts and `None` mean any.
#[derive(Clone, Debug, Default)]
pub struct AuditSelection {
    /// Whose doing.
    pub user_id: Option<UserId>,
    /// What was done.
    pub action: String,
    /// To what, exactly.
    pub subject: String,
    /// From when on.
    pub from: Option<Time>,
    /// Before when.
    pub to: Option<Time>,
    /// A `LIKE` pattern in lower case, escaped by a backslash.
    pub pattern: String,
}

macro_rules! selected {
    ($what:literal, $which:literal, $tail:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM audit a LEFT JOIN users u ON u.id = a.user_id WHERE ",
            $which,
            " AND a.at >= $4 AND a.at < $5 AND ($6 = '' OR lower((a.action || ' ' || a.subject || ' ' || \
             COALESCE(u.username, '') || ' ' || COALESCE(a.before_text, '') || ' ' || COALESCE(a.after_text, '')) COLLATE \"binary\") \
             LIKE $6 ESCAPE '\\') ",
            $tail
        )
    };
}

/// The statements that count and list by one leading condition, so that its index is walked in order of ids.
macro_rules! count_and_list {
    ($which:literal) => {
        (
            selected!("COUNT(*)", $which, ""),
            selected!(
                "a.id, a.at, a.user_id, u.username, a.action, a.subject, a.before_text AS before, a.after_text AS after",
                $which,
                "ORDER BY a.id DESC LIMIT $7 OFFSET $8"
            ),
        )
    };
}

impl AuditSelection {
    fn statements(&self) -> (&'static str, &'static str) {
        if !self.subject.is_empty() {
            count_and_list!("a.subject = $3 AND ($1 = 0 OR a.user_id = $1) AND ($2 = '' OR a.action = $2)")
        } else if self.user_id.is_some() {
            count_and_list!("a.user_id = $1 AND ($2 = '' OR a.action = $2) AND $3 = ''")
        } else if !self.action.is_empty() {
            count_and_list!("a.action = $2 AND $1 = 0 AND $3 = ''")
        } else {
            count_and_list!("$1 = 0 AND $2 = '' AND $3 = ''")
        }
    }

    fn args(&self) -> Vec<Arg> {
        args![
            self.user_id.map_or(0, |user| user.0),
            &self.action,
            &self.subject,
            self.from.unwrap_or_default(),
            self.to.unwrap_or(Time(i64::MAX)),
            &self.pattern,
        ]
    }
}

/// A part of the entries selected, newest first, and how many they are.
pub async fn page(
    tx: &mut Tx,
    which: &AuditSelection,
    offset: i64,
    limit: i64,
) -> Result<(Vec<AuditRow>, i64)> {
    let (count, list) = which.statements();
    let (total,): (i64,) = tx.one(count, which.args()).await?;
    let mut args = which.args();
    args.extend(args![limit, offset]);
    Ok((tx.all(list, args).await?, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::{Dialect, Lane, Store};
    use crate::testing::account::make_user;

    async fn note(store: &Store, by: UserId, action: AuditAction, subject: &'static str, at: i64) {
        let (by, subject) = (Some(by), subject.to_owned());
        let entry = NewEntry { by, action, subject, before: None, after: Some("50% more".into()) };
        store
            .write(Lane::Interactive, (entry, at), |tx, (entry, at)| {
                Box::pin(insert(tx, std::slice::from_ref(entry), Time(*at)))
            })
            .await
            .unwrap();
    }

    both_databases! {
        async fn entries_are_selected_by_whom_what_when_and_words(store: Store) {
            let root = make_user(&store, "root", Role::Admin).await;
            let other = make_user(&store, "other", Role::Admin).await;
            note(&store, root, AuditAction::PriceSet, "SMS-UNIT-PRICE", 10).await;
            note(&store, other, AuditAction::PriceSet, "OWN-UNIT-PRICE", 20).await;
            note(&store, other, AuditAction::UserDeactivate, "user 7", 30).await;
            let mut tx = store.read().await.unwrap();
            let mut found = async |which: AuditSelection| {
                let (rows, total) = page(&mut tx, &which, 0, 10).await.unwrap();
                assert_eq!(rows.len() as i64, total);
                rows.into_iter().map(|row| row.at.0).collect::<Vec<_>>()
            };
            let any = || AuditSelection { pattern: "%%".into(), ..AuditSelection::default() };
            assert_eq!(found(any()).await, [30, 20, 10]);
            assert_eq!(found(AuditSelection { user_id: Some(other), ..any() }).await, [30, 20]);
            assert_eq!(found(AuditSelection { action: "price.set".into(), ..any() }).await, [20, 10]);
            assert_eq!(found(AuditSelection { subject: "user 7".into(), user_id: Some(root), ..any() }).await, [0; 0]);
            assert_eq!(found(AuditSelection { subject: "user 7".into(), user_id: Some(other), ..any() }).await, [30]);
            assert_eq!(found(AuditSelection { from: Some(Time(20)), to: Some(Time(30)), ..any() }).await, [20]);
            assert_eq!(found(AuditSelection { pattern: "%sms-unit%".into(), ..any() }).await, [10]);
            assert_eq!(found(AuditSelection { pattern: "%50\\% more%".into(), ..any() }).await, [30, 20, 10]);
        }

        async fn what_another_version_wrote_is_shown_and_found(store: Store) {
            let root = make_user(&store, "root", Role::Admin).await;
            store
                .write(Lane::Interactive, root, |tx, root| Box::pin(async move {
                    let sql = "INSERT INTO audit (at, user_id, action, subject) VALUES (1, $1, 'moon.land', 'moon')";
                    tx.run(sql, args![*root]).await
                }))
                .await
                .unwrap();
            assert_eq!(AuditAction::from_code("moon.land"), None);
            let which = AuditSelection { action: "moon.land".into(), pattern: "%%".into(), ..AuditSelection::default() };
            let (rows, total) = page(&mut store.read().await.unwrap(), &which, 0, 10).await.unwrap();
            assert_eq!((rows[0].action.as_str(), total), ("moon.land", 1));
        }

        async fn each_selection_walks_its_index(store: Store) {
            if store.dialect() != Dialect::Sqlite {
                return; // PostgreSQL scans an empty table whatever there is.
            }
            let any = || AuditSelection { pattern: "%%".into(), ..AuditSelection::default() };
            let mut tx = store.read().await.unwrap();
            for (which, index) in [
                (AuditSelection { user_id: Some(UserId(1)), ..any() }, "audit_user"),
                (AuditSelection { subject: "user 7".into(), ..any() }, "audit_subject"),
                (AuditSelection { action: "price.set".into(), ..any() }, "audit_action"),
            ] {
                let mut args = which.args();
                args.extend(args![10, 0]);
                let plan = tx.explain(which.statements().1, args).await.unwrap().join("\n");
                assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{plan}");
            }
        }
    }
}
