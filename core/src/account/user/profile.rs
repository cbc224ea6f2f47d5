//! What users change about themselves.
//!
//! A new e-mail address or phone number counts only once it is proven; a picture is what its first bytes say, whatever
//! its sender called it.

use super::registration::{self, phone_number};
use crate::account::identity::{CodeAsked, Identity};
use crate::account::origin::Origin;
use crate::account::verification::code::Grant;
use crate::account::verification::phone::NewPhone;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::Email;
use crate::phone::Msisdn;
use crate::store::account::profile::Changes;
use crate::store::account::{profile as rows, user};
use crate::store::operations::idempotency::{Claim, once};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// The largest picture, in bytes.
pub const AVATAR_MAX: usize = 512 << 10;
/// The longest gender, in characters: it is free text.
const GENDER_MAX: usize = 40;

/// The form of `edit-profile`: what is not there stays as it is.
#[derive(Clone, Debug, Default)]
pub struct ProfileForm {
    /// The person's or business's name.
    pub name: Option<String>,
    /// A new number, in any form people write, which is proven by a code first.
    pub phone_number: Option<String>,
    /// As people put it.
    pub gender: Option<String>,
    /// An IANA time zone.
    pub zone: Option<String>,
    /// A new address, which is proven by a code first.
    pub email: Option<String>,
    /// A new picture.
    pub avatar: Option<Vec<u8>>,
    /// Takes the picture away.
    pub remove_avatar: bool,
}

/// A form that was read.
#[derive(Clone, Debug)]
struct Edit {
    user_id: UserId,
    changes: Changes,
    email: Option<Email>,
    phone: Option<NewPhone>,
    avatar: Option<Picture>,
    remove_avatar: bool,
    origin: Origin,
    claim: Option<Claim>,
    now: Time,
}

/// A picture of a kind that browsers show without running anything.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Picture {
    media_type: &'static str,
    token: String,
    data: Vec<u8>,
}

/// What became of the codes that a change of the profile asked for; `None` where it asked for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileChanged {
    /// To the new e-mail address.
    pub email: Option<CodeAsked>,
    /// To the new number.
    pub phone: Option<CodeAsked>,
}

/// A form's fields as they are to be stored.
type Read = (Changes, Option<Msisdn>, Option<Email>, Option<Picture>);

impl ProfileForm {
    fn read(self, entropy: &dyn Entropy) -> Result<Read> {
        let name = self.name.map(|text| registration::name(&text)).transpose()?;
        let phone = self.phone_number.map(|text| phone(&text)).transpose()?;
        let changes = Changes {
            name,
            gender: self.gender.map(|text| gender(&text)).transpose()?,
            zone: self.zone.map(|text| zone(&text)).transpose()?,
        };
        let email = self.email.map(|text| text.parse()).transpose()?;
        Ok((changes, phone, email, self.avatar.map(|data| picture(data, entropy)).transpose()?))
    }
}

fn phone(text: &str) -> Result<Msisdn> {
    if text.trim().is_empty() {
        return Err(Error::field("phone_number", "phone_required", "Please provide a phone number."));
    }
    phone_number(text)
}

fn gender(text: &str) -> Result<String> {
    let gender = text.trim();
    if gender.chars().count() > GENDER_MAX || gender.chars().any(char::is_control) {
        return Err(Error::field("gender", "gender_long", "Gender must have at most 40 characters"));
    }
    Ok(gender.to_owned())
}

fn zone(text: &str) -> Result<String> {
    let zone = jiff::tz::TimeZone::get(text.trim()).ok();
    zone.as_ref().and_then(|zone| zone.iana_name()).map(str::to_owned).ok_or_else(|| {
        Error::field("zone", "unknown_zone", format!("'{text}' is no time zone: write it as Africa/Lagos"))
    })
}

fn picture(data: Vec<u8>, entropy: &dyn Entropy) -> Result<Picture> {
    if data.len() > AVATAR_MAX {
        return Err(Error::field("avatar", "avatar_large", "The picture must have at most 512 KiB"));
    }
    let media_type = media_type(&data).ok_or_else(|| {
        Error::field("avatar", "avatar_kind", "The picture must be a PNG, JPEG or WebP file")
    })?;
    let mut name = [0; 16];
    entropy.fill(&mut name);
    Ok(Picture { media_type, token: hex::encode(name), data })
}

/// What a file is by its own word: PNG (its signature and header chunk), JPEG (start of image and a marker), WebP (a
/// RIFF container of that form which is as long as it says).
fn media_type(data: &[u8]) -> Option<&'static str> {
    if data.starts_with(b"\x89PNG\r\n\x1a\n") && data.get(12..16) == Some(b"IHDR") && data.len() > 33 {
        return Some("image/png");
    }
    if data.starts_with(&[0xff, 0xd8, 0xff]) && data.ends_with(&[0xff, 0xd9]) {
        return Some("image/jpeg");
    }
    let length = data.get(4..8).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes)?;
    let is_whole = usize::try_from(length).ok().and_then(|length| length.checked_add(8))? <= data.len();
    let is_webp = data.starts_with(b"RIFF") && data.get(8..15) == Some(b"WEBPVP8");
    (is_webp && is_whole).then_some("image/webp")
}

impl Identity {
    /// Changes a user's profile. A new address and a new number get a code each.
    ///
    /// # Errors
    /// Rules on the fields; a conflict of the idempotency key.
    pub async fn edit_profile(
        &self,
        user_id: UserId,
        form: ProfileForm,
        origin: &Origin,
        claim: Option<Claim>,
    ) -> Result<ProfileChanged> {
        let remove_avatar = form.remove_avatar;
        let (changes, phone, email, avatar) = form.read(self.entropy.as_ref())?;
        let phone = phone.map(|number| self.new_phone(user_id, number, origin)).transpose()?;
        let now = self.now();
        let origin = origin.clone();
        let edit = Edit { user_id, changes, email, phone, avatar, remove_avatar, origin, claim, now };
        let (email, phone) = self
            .store
            .write(Lane::Interactive, (self.clone(), edit), |tx, (identity, edit)| {
                Box::pin(identity.edit(tx, edit))
            })
            .await?;
        let told = |grant: Option<Grant>| grant.map(Grant::told).transpose();
        Ok(ProfileChanged { email: told(email)?, phone: told(phone)? })
    }

    /// What becomes of asking for the codes of the address and of the number.
    async fn edit(&self, tx: &mut Tx, edit: &Edit) -> Result<(Option<Grant>, Option<Grant>)> {
        let mut asked = (None, None);
        once(tx, edit.claim.as_ref(), edit.now, async |tx| {
            asked = self.apply(tx, edit).await?;
            Ok(edit.user_id)
        })
        .await?;
        Ok(asked)
    }

    async fn apply(&self, tx: &mut Tx, edit: &Edit) -> Result<(Option<Grant>, Option<Grant>)> {
        let user = user::by_id(tx, edit.user_id).await?.ok_or(Error::NotFound("user"))?;
        rows::change(tx, edit.user_id, &edit.changes, edit.now).await?;
        if let Some(picture) = &edit.avatar {
            let Picture { media_type, token, data } = picture;
            rows::put_avatar(tx, edit.user_id, token, media_type, data, edit.now).await?;
        } else if edit.remove_avatar {
            rows::delete_avatar(tx, edit.user_id).await?;
        }
        let email = match edit.email.as_ref().filter(|email| email.as_str() != user.email) {
            Some(email) => Some(self.begin_email_change(tx, edit.user_id, email, &edit.origin).await?),
            None => None,
        };
        let phone = match &edit.phone {
            Some(new) => self.begin_phone_change(tx, edit.user_id, new, edit.now).await?,
            None => None,
        };
        Ok((email, phone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_what_its_bytes_say() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        png.extend([0; 40]);
        assert_eq!(media_type(&png), Some("image/png"));
        assert_eq!(media_type(&[0xff, 0xd8, 0xff, 0xe0, 1, 2, 0xff, 0xd9]), Some("image/jpeg"));
        assert_eq!(media_type(b"RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0"), Some("image/webp"));
        for other in [
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".as_slice(),
            b"GIF89a",
            b"<html>",
            b"",
            b"\x89PNG\r\n\x1a\n",
            b"RIFF\xff\xff\0\0WEBPVP8 ",
            &[0xff, 0xd8, 0xff, 0xe0],
        ] {
            assert_eq!(media_type(other), None);
        }
    }

    #[test]
    fn a_zone_is_one_of_the_database() {
        assert_eq!(zone(" Africa/Lagos ").unwrap(), "Africa/Lagos");
        assert!(zone("Mars/Base").is_err());
    }
}
