//! What a message says, as every form that sends one has it.

use serde::Deserialize;
use talkdrum_api::kind::Kind;
use talkdrum_core::Result;
use talkdrum_core::content::{Content, ContentFields};
use utoipa::ToSchema;

/// What a message says. Which fields are needed depends on its kind.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ContentForm {
    /// The text of text, flash and unicode messages. In a campaign `{column}` is filled from the file or the groups; in a
    /// message to one number braces are braces.
    message: Option<String>,
    /// The text of unicode messages, under the specification's name.
    msg: Option<String>,
    /// Title of a WAP push.
    wap_title: Option<String>,
    /// Link of a WAP push.
    wap_url: Option<String>,
    /// Given name on a card.
    first_name: Option<String>,
    /// Family name on a card.
    last_name: Option<String>,
    /// Company on a card.
    company: Option<String>,
    /// Job title on a card.
    job_title: Option<String>,
    /// Telephone on a card.
    telephone: Option<String>,
    /// E-mail on a card.
    email: Option<String>,
}

impl ContentForm {
    /// The content of a message of this kind.
    ///
    /// # Errors
    /// As [`Content::parse`].
    pub(super) fn content(&self, kind: Kind) -> Result<Content> {
        let (message, msg) = (given(&self.message), given(&self.msg));
        let fields = ContentFields {
            message: if kind == Kind::Unicode { msg.or(message) } else { message.or(msg) },
            wap_title: given(&self.wap_title),
            wap_url: given(&self.wap_url),
            first_name: given(&self.first_name),
            last_name: given(&self.last_name),
            company: given(&self.company),
            job_title: given(&self.job_title),
            telephone: given(&self.telephone),
            email: given(&self.email),
        };
        Content::parse(kind, &fields)
    }
}

/// A field that holds something. The reader of forms takes an empty one for one that is not there, but sees nothing of
/// those that lie inside another type.
fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::fields::Fields;

    /// A form as those that send messages are.
    #[derive(Debug, Deserialize)]
    struct Form {
        senderid: Option<String>,
        groups: Vec<i64>,
        #[serde(flatten)]
        content: ContentForm,
    }

    fn form(pairs: &[(&str, &str)]) -> Form {
        let mut fields = Fields::within(1 << 20);
        for (name, value) in [("groups", "1"), ("groups[]", "2"), ("senderid", " ")].iter().chain(pairs) {
            fields.push(name, (*value).to_owned()).unwrap();
        }
        fields.parse().unwrap()
    }

    fn text(pairs: &[(&str, &str)], kind: Kind) -> String {
        match form(pairs).content.content(kind).unwrap() {
            Content::Text { text } | Content::Unicode { text } => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_text_is_found_under_either_name_and_an_empty_field_is_none() {
        let form = form(&[("message", "Hi")]);
        assert_eq!((form.senderid, form.groups), (None, vec![1, 2]));
        assert_eq!(text(&[("message", "Hi"), ("msg", "Ho")], Kind::Text), "Hi");
        assert_eq!(text(&[("message", "Hi"), ("msg", "Ho")], Kind::Unicode), "Ho");
        assert_eq!(text(&[("message", "Hi"), ("msg", " ")], Kind::Unicode), "Hi");
        assert_eq!(text(&[("message", ""), ("msg", "Ho")], Kind::Text), "Ho");
    }

    #[test]
    fn a_field_that_comes_twice_is_refused_by_name() {
        let mut fields = Fields::within(1 << 20);
        for (name, value) in [("groups", "1"), ("message", "Hi"), ("message", "Ho")] {
            fields.push(name, value.to_owned()).unwrap();
        }
        let problem = format!("{:?}", fields.parse::<Form>().unwrap_err());
        assert!(problem.contains("Message was given more than once"), "{problem}");
    }
}
