//! Templates: texts that a customer writes often, kept under names of their own.

use talkdrum_api::template::Template;

use crate::content::WRITTEN_MAX;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::TemplateId;
use crate::store::Tx;
use crate::store::account::{quota, user};
use crate::store::campaign::template::{self as rows, NewTemplate, TemplateRow};
use crate::store::operations::idempotency::{Claim, once};
use crate::time::Time;

/// Templates of a user.
pub const TEMPLATES_MAX: i64 = 100;
/// Characters of a name.
const NAME_CHARS_MAX: usize = 60;

/// A template as a form says it, checked.
///
/// # Errors
/// 400 when the name or the text is missing or too long.
pub fn written(name: &str, text: &str) -> Result<NewTemplate> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(Error::field("name", "name_required", "Give the template a name"));
    }
    if name.chars().count() > NAME_CHARS_MAX || name.contains(char::is_control) {
        let message = format!("The name of a template has at most {NAME_CHARS_MAX} characters");
        return Err(Error::field("name", "name_too_long", message));
    }
    let text = text.replace("\r\n", "\n");
    if text.trim().is_empty() {
        return Err(Error::field("text", "text_required", "A template needs a text"));
    }
    if text.len() > WRITTEN_MAX {
        let message = format!("The text of a template has at most {} KiB", WRITTEN_MAX >> 10);
        return Err(Error::field("text", "text_too_long", message));
    }
    Ok(NewTemplate { key: name.to_lowercase(), name, text })
}

/// A user's templates in order of names: all of them.
pub async fn list(tx: &mut Tx, user: UserId) -> Result<Vec<Template>> {
    Ok(rows::list(tx, user, TEMPLATES_MAX).await?.into_iter().map(shown).collect())
}

fn shown(row: TemplateRow) -> Template {
    Template {
        id: row.id.0,
        name: row.name,
        text: row.text,
        created_at: row.created_at.to_rfc3339(),
        updated_at: row.updated_at.to_rfc3339(),
    }
}

/// A user's template.
///
/// # Errors
/// 404 when the user has none with this id.
pub async fn show(tx: &mut Tx, user: UserId, id: TemplateId) -> Result<Template> {
    rows::by_id(tx, user, id).await?.map(shown).ok_or(Error::NotFound("template"))
}

/// Keeps a text; its id.
///
/// # Errors
/// `template_name_taken`; `templates_full` when the user has as many as there may be; `account_inactive`.
pub async fn create(
    tx: &mut Tx,
    claim: Option<&Claim>,
    user: UserId,
    written: &NewTemplate,
    now: Time,
) -> Result<TemplateId> {
    once(tx, claim, now, async |tx| {
        require_active(tx, user).await?;
        // One change of a user's templates at a time: of two that take a name the second finds it taken.
        quota::lock(tx, vec![user]).await?;
        let id = rows::insert(tx, user, written, now).await?.ok_or_else(|| taken(written))?;
        if rows::count(tx, user).await? > TEMPLATES_MAX {
            let message = format!("You keep {TEMPLATES_MAX} templates: delete one first");
            return Err(Error::conflict("templates_full", message));
        }
        Ok(id)
    })
    .await
}

/// Until the transaction ends its user is not deleted, who would leave the rows behind.
async fn require_active(tx: &mut Tx, id: UserId) -> Result<()> {
    if user::lock_active(tx, id).await? { Ok(()) } else { Err(Error::inactive()) }
}

fn taken(written: &NewTemplate) -> Error {
    let message = format!("You have a template '{}' already: give this one another name", written.name);
    Error::conflict("template_name_taken", message)
}

/// Changes a user's template.
///
/// # Errors
/// `template_name_taken`; 404 when there is none; `account_inactive`.
pub async fn change(
    tx: &mut Tx,
    user: UserId,
    id: TemplateId,
    written: &NewTemplate,
    now: Time,
) -> Result<()> {
    require_active(tx, user).await?;
    quota::lock(tx, vec![user]).await?;
    if rows::by_name(tx, user, &written.key).await?.is_some_and(|other| other != id) {
        return Err(taken(written));
    }
    if rows::update(tx, user, id, written, now).await? { Ok(()) } else { Err(Error::NotFound("template")) }
}

/// Deletes a user's template.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(tx: &mut Tx, user: UserId, id: TemplateId) -> Result<()> {
    if rows::delete(tx, user, id).await? { Ok(()) } else { Err(Error::NotFound("template")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Lane, Store};
    use crate::testing::campaign::{NOW, user_with};

    async fn make(store: &Store, user: UserId, name: &str, text: &str) -> Result<TemplateId> {
        let input = (user, written(name, text)?);
        store
            .write(Lane::Interactive, input, |tx, (user, written)| {
                Box::pin(create(tx, None, *user, written, NOW))
            })
            .await
    }

    async fn rename(store: &Store, user: UserId, id: TemplateId, name: &str) -> Result<()> {
        let input = (user, id, written(name, "Other")?);
        store
            .write(Lane::Interactive, input, |tx, (user, id, written)| {
                Box::pin(change(tx, *user, *id, written, NOW))
            })
            .await
    }

    both_databases! {
        async fn templates_are_kept_by_name_and_each_users_are_their_own(store: Store) {
            let (ada, eve) = (user_with(&store, "ada", "0").await, user_with(&store, "eve", "0").await);
            let sale = make(&store, ada, " Big  sale ", "Dear {name},\r\ncome").await.unwrap();
            make(&store, ada, "A greeting", "Hello").await.unwrap();
            make(&store, eve, "Big sale", "Hers").await.unwrap();
            let list = list(&mut store.read().await.unwrap(), ada).await.unwrap();
            let seen: Vec<_> = list.iter().map(|it| (it.name.as_str(), it.text.as_str())).collect();
            assert_eq!(seen, [("A greeting", "Hello"), ("Big sale", "Dear {name},\ncome")]);
            assert_eq!(make(&store, ada, "BIG SALE", "x").await.unwrap_err().code(), "template_name_taken");
            assert_eq!(rename(&store, ada, sale, "a Greeting").await.unwrap_err().code(), "template_name_taken");
            rename(&store, ada, sale, "BIG sale").await.unwrap();
            assert!(matches!(rename(&store, eve, sale, "Mine").await, Err(Error::NotFound("template"))));
            let remove = async |user| {
                let job = store.write(Lane::Interactive, (user, sale), |tx, (user, id)| {
                    Box::pin(delete(tx, *user, *id))
                });
                job.await
            };
            assert!(matches!(remove(eve).await, Err(Error::NotFound("template"))));
            remove(ada).await.unwrap();
            assert!(matches!(remove(ada).await, Err(Error::NotFound("template"))));
        }

        async fn a_user_keeps_a_bounded_number_of_them(store: Store) {
            let ada = user_with(&store, "ada", "0").await;
            for n in 0..TEMPLATES_MAX {
                make(&store, ada, &format!("No {n}"), "x").await.unwrap();
            }
            assert_eq!(make(&store, ada, "One more", "x").await.unwrap_err().code(), "templates_full");
            assert_eq!(rows::count(&mut store.read().await.unwrap(), ada).await.unwrap(), TEMPLATES_MAX);
        }
    }

    #[test]
    fn names_and_texts_are_bounded() {
        let code = |name: &str, text: &str| written(name, text).unwrap_err().code().to_owned();
        assert_eq!(code(" ", "x"), "name_required");
        assert_eq!(code(&"n".repeat(NAME_CHARS_MAX + 1), "x"), "name_too_long");
        assert_eq!(code("n", " \n"), "text_required");
        assert_eq!(code("n", &"x".repeat(WRITTEN_MAX + 1)), "text_too_long");
        assert!(written(&"n".repeat(NAME_CHARS_MAX), &"x".repeat(WRITTEN_MAX)).is_ok());
    }
}
