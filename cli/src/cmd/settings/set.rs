//! `talkdrum settings set`.

use std::io::{IsTerminal as _, Read as _};

use serde_json::{Value, json};
use talkdrum_api::account::Message;

use crate::args::{SetSettingArgs, Setting};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// The largest value, in bytes.
const LARGEST_BYTES: u64 = 256 * 1024;

/// Sets one setting. Secrets are never on the command line, where others could see them. The password that some ask for again
/// is not read from stdin, which has the value.
pub(crate) async fn run(context: &Context, args: SetSettingArgs) -> Result<Exit> {
    let secret = matches!(args.name, Setting::SmsApiKey | Setting::EspeeApiKey | Setting::PaystackKeys);
    if secret && args.value.is_some() {
        return Err(Failure::usage("a secret on the command line can be seen by others")
            .hint("give it on stdin or with --file"));
    }
    let value = match (args.value, &args.file) {
        (Some(value), _) => value,
        (None, Some(path)) => {
            let file = std::fs::File::open(path);
            read(file.map_err(|error| Failure::file("read", path, &error))?)
                .map_err(|error| Failure::file("read", path, &error))?
        }
        (None, None) if secret && std::io::stdin().is_terminal() => ask(context, args.name)?,
        (None, None) => read(std::io::stdin())
            .map_err(|error| Failure::failed(format!("cannot read the value from stdin: {error}")))?,
    };
    let (path, body) = call(args.name, value.trim_end_matches(['\r', '\n']))?;
    let client = context.client()?;
    let call = async || client.post(path, &body, None).await;
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

fn call(setting: Setting, value: &str) -> Result<(&'static str, Value)> {
    Ok(match setting {
        Setting::WalletAddress => ("/admin/set-wallet-address", json!({ "wallet_address": value })),
        Setting::ContactAddress => ("/admin/contact-address", json!({ "address": value })),
        Setting::ContactEmail => ("/admin/contact-email", json!({ "email": value })),
        Setting::ContactPhone => ("/admin/contact-phone", json!({ "phone": value })),
        Setting::AdminNumber => ("/admin/set-admin-number", json!({ "phone_number": value })),
        Setting::AboutUs => ("/admin/about-us", json!({ "content": value })),
        Setting::SmsApiKey => ("/admin/set-sms-api-key", json!({ "api_key": value })),
        Setting::EspeeApiKey => ("/admin/set-espee-api-key", json!({ "api_key": value })),
        Setting::PaystackKeys => {
            let (secret, public) = value.split_once('\n').ok_or_else(|| {
                Failure::usage("Please provide both secret and public keys.")
                    .hint("the secret key on the first line, the public one on the second")
            })?;
            ("/admin/set-paystack-keys", json!({ "secret_key": secret.trim(), "public_key": public.trim() }))
        }
    })
}
