//! `talkdrum settings set`.

use std::io::{IsTerminal as _, Read as _};

use serde_json::{Map, Value};
use talkdrum_api::account::Message;

use super::{Calls, calls};
use crate::args::{SetSettingArgs, Setting};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// The largest value, in bytes.
const LARGEST_BYTES: u64 = 256 * 1024;

/// Sets one setting. Secrets are never on the command line, where others could see them. The password that some ask for again
/// is not read from stdin, which has the value.
pub(crate) async fn run(context: &Context, args: SetSettingArgs) -> Result<Exit> {
    let Calls { set, fields, is_secret, .. } = calls(args.name);
    if is_secret && args.value.is_some() {
        return Err(Failure::usage("a secret on the command line can be seen by others")
            .hint("give it on stdin or with --file"));
    }
    let value = match (args.value, &args.file) {
        (Some(value), _) => value,
        (None, Some(path)) => {
            let file = std::fs::File::open(path);
            read(file.map_err(|error| Failure::unreadable(path, &error))?)
                .map_err(|error| Failure::unreadable(path, &error))?
        }
        (None, None) if is_secret && std::io::stdin().is_terminal() => ask(context, args.name)?,
        (None, None) => read(std::io::stdin())
            .map_err(|error| Failure::failed(format!("cannot read the value from stdin: {error}")))?,
    };
    let body = body(fields, value.trim_end_matches(['\r', '\n']))?;
    let client = context.client()?;
    let call = async || client.post(set, &body, None).await;
    let answer: Answer<Message> = context.proven(&client, false, call).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

fn read(from: impl std::io::Read) -> std::io::Result<String> {
    let mut text = String::new();
    from.take(LARGEST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Asks a person for a secret without showing it.
fn ask(context: &Context, setting: Setting) -> Result<String> {
    if setting != Setting::PaystackKeys {
        return context.password(false, "API key:");
    }
    let secret = context.password(false, "Secret key (sk_...):")?;
    Ok(format!("{secret}\n{}", context.password(false, "Public key (pk_...):")?))
}

fn body(fields: &[&str], value: &str) -> Result<Map<String, Value>> {
    let [field] = fields else {
        let lines: Vec<&str> = value.splitn(fields.len(), '\n').map(str::trim).collect();
        if lines.len() < fields.len() {
            return Err(Failure::usage("Please provide both secret and public keys.")
                .hint("the secret key on the first line, the public one on the second"));
        }
        let pairs = fields.iter().zip(lines);
        return Ok(pairs.map(|(field, line)| ((*field).to_owned(), line.into())).collect());
    };
    Ok(Map::from_iter([((*field).to_owned(), value.into())]))
}
