//! The rows of templates: texts that customers keep to write with.

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::TemplateId;
use crate::store::Tx;
use crate::time::Time;

/// A template as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TemplateRow {
    pub id: TemplateId,
    pub name: String,
    pub text: String,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A template to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTemplate {
    /// As it is shown.
    pub name: String,
    /// As it is compared: of a user's templates no two have the same.
    pub key: String,
    /// What it says.
    pub text: String,
}

/// A user's templates in order of names, at most so many.
pub async fn list(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<TemplateRow>> {
    tx.all(
        "SELECT id, name, text, created_at, updated_at FROM templates WHERE user_id = $1 ORDER BY name_key COLLATE \"binary\" LIMIT $2",
        args![user, limit],
    )
    .await
}

/// How many templates a user has.
pub async fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    Ok(tx.one::<(i64,)>("SELECT COUNT(*) FROM templates WHERE user_id = $1", args![user]).await?.0)
}

/// A user's template.
pub async fn by_id(tx: &mut Tx, user: UserId, id: TemplateId) -> Result<Option<TemplateRow>> {
    tx.opt(
        "SELECT id, name, text, created_at, updated_at FROM templates WHERE id = $1 AND user_id = $2",
        args![id, user],
    )
    .await
}

/// The id of a user's template of this name.
pub async fn by_name(tx: &mut Tx, user: UserId, key: &str) -> Result<Option<TemplateId>> {
    let sql = "SELECT id FROM templates WHERE user_id = $1 AND name_key = $2";
    Ok(tx.opt::<(TemplateId,)>(sql, args![user, key]).await?.map(|(id,)| id))
}

/// Adds a template; its id, or `None` when the user has one of this name.
pub async fn insert(
    tx: &mut Tx,
    user: UserId,
    written: &NewTemplate,
    now: Time,
) -> Result<Option<TemplateId>> {
    let id: Option<(TemplateId,)> = tx
        .opt(
            "INSERT INTO templates (user_id, name, name_key, text, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (user_id, name_key) DO NOTHING RETURNING id",
            args![user, written.name.as_str(), written.key.as_str(), written.text.as_str(), now],
        )
        .await?;
    Ok(id.map(|(id,)| id))
}

/// Changes a user's template; false when there is none.
pub async fn update(
    tx: &mut Tx,
    user: UserId,
    id: TemplateId,
    written: &NewTemplate,
    now: Time,
) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE templates SET name = $3, name_key = $4, text = $5, updated_at = $6 WHERE id = $1 AND user_id = $2",
            args![id, user, written.name.as_str(), written.key.as_str(), written.text.as_str(), now],
        )
        .await?;
    Ok(touched > 0)
}

/// Deletes a user's template; false when there is none.
pub async fn delete(tx: &mut Tx, user: UserId, id: TemplateId) -> Result<bool> {
    Ok(tx.run("DELETE FROM templates WHERE id = $1 AND user_id = $2", args![id, user]).await? > 0)
}
