//! The profile of the signed-in user.

use reqwest::multipart::{Form, Part};
use serde_json::json;
use talkdrum_api::account::{EditedProfile, Profile};

use crate::args::{CodeArgs, EditProfileArgs, ProfileCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: ProfileCommand) -> Result<Exit> {
    match command {
        ProfileCommand::Show => show(context).await,
        ProfileCommand::Edit(args) => edit(context, args).await,
        ProfileCommand::ConfirmEmail(args) => confirm_email(context, args).await,
        ProfileCommand::ConfirmPhone(args) => confirm_phone(context, args).await,
    }
}

const COLUMNS: &[Column<Profile>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.user.name)),
    Column::left("username", "Username", |it| Cell::text(&it.user.username)),
    Column::left("email", "E-mail", |it| Cell::text(&it.user.email)),
    Column::left("email_verified", "Proven", |it| {
        Cell::text(if it.user.email_verified { "yes" } else { "no" })
    }),
    Column::left("phone_number", "Phone", |it| it.user.phone_number.as_ref().map_or(Cell::Empty, Cell::text)),
    Column::left("gender", "Gender", |it| it.user.gender.as_ref().map_or(Cell::Empty, Cell::text)),
    Column::left("zone", "Time zone", |it| Cell::text(&it.user.zone)),
    Column::left("avatar", "Picture", |it| it.user.avatar.as_ref().map_or(Cell::Empty, Cell::text)),
    Column::left("status", "Status", |it| Cell::text(&it.user.status)),
    Column::right("espee_balance", "ESPEES", |it| Cell::balance(it.user.espee_balance)),
    Column::right("paystack_balance", "Naira", |it| Cell::balance(it.user.paystack_balance)),
    Column::left("created_at", "Since", |it| Cell::Time(it.user.created_at.clone())),
    Column::left("last_login_at", "Last sign-in", |it| Cell::time(it.user.last_login_at.as_ref())),
];

/// Shows the profile.
async fn show(context: &Context) -> Result<Exit> {
    let answer: Answer<Profile> = context.client()?.get("/api/user-profile", &()).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}

/// Changes what is given; a new e-mail address or phone number waits for its code.
async fn edit(context: &Context, args: EditProfileArgs) -> Result<Exit> {
    let avatar = match &args.avatar {
        Some(path) => Some(std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))?),
        None => None,
    };
    let form = || {
        let mut form = Form::new();
        for (name, value) in [
            ("name", &args.name),
            ("phone_number", &args.phone),
            ("gender", &args.gender),
            ("zone", &args.zone),
            ("email", &args.email),
            ("remove_avatar", &args.remove_avatar.then(|| "1".to_owned())),
        ] {
            if let Some(value) = value {
                form = form.text(name, value.clone());
            }
        }
        match &avatar {
            Some(bytes) => form.part("avatar", Part::bytes(bytes.clone()).file_name("avatar")),
            None => form,
        }
    };
    let client = context.client()?;
    let edit = async || client.post_form("/api/edit-profile", form(), None).await;
    let answer: Answer<EditedProfile> = context.proven(&client, args.password_stdin, edit).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    if answer.value.requires_email_verification {
        context.out.note("go on with: talkdrum profile confirm-email --code CODE");
    }
    if answer.value.requires_phone_verification {
        context.out.note("go on with: talkdrum profile confirm-phone --code CODE");
    }
    Ok(Exit::Done)
}

/// Confirms a new e-mail address by its code.
async fn confirm_email(context: &Context, args: CodeArgs) -> Result<Exit> {
    let body = json!({ "code": context.code(args.code)? });
    let answer: Answer<EditedProfile> = context.client()?.post("/api/confirm-email", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Confirms a new phone number by its code.
async fn confirm_phone(context: &Context, args: CodeArgs) -> Result<Exit> {
    let body = json!({ "code": context.code(args.code)? });
    let answer: Answer<EditedProfile> = context.client()?.post("/api/confirm-phone", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
