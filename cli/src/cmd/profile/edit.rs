//! `talkdrum profile edit`.

use reqwest::multipart::{Form, Part};
use talkdrum_api::account::EditedProfile;

use crate::args::EditProfileArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Changes what is given; a new e-mail address or phone number waits for its code.
pub(crate) async fn run(context: &Context, args: EditProfileArgs) -> Result<Exit> {
    let avatar = match &args.avatar {
        Some(path) => Some(
            std::fs::read(path)
                .map_err(|error| Failure::failed(format!("{} cannot be read: {error}", path.display())))?,
        ),
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
